// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;
import java.util.Map;
import org.apache.storm.spout.SpoutOutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichSpout;
import org.apache.storm.tuple.Fields;
import org.apache.storm.tuple.Values;

/** Emits what a source makes, at a steady rate over all tasks of the spout. */
@SuppressFBWarnings(value = "UWF_FIELD_NOT_INITIALIZED_IN_CONSTRUCTOR", justification = "Storm opens it")
abstract class PacedSpout extends BaseRichSpout {
    private static final long serialVersionUID = 1;

    private final double perSecond;
    private final String[] fields;
    private transient SpoutOutputCollector collector;
    private transient Pace pace;
    private long emitted;

    PacedSpout(final double perSecond, final String... fields) {
        this.perSecond = perSecond;
        this.fields = fields.clone();
    }

    /**
     * Begins to make tuples.
     *
     * @param task which of the spout's tasks this is, from 0
     * @param tasks number of its tasks
     */
    abstract void begin(int task, int tasks);

    /** The next tuple, with the time at which it is made. */
    abstract Values next(long createdUs);

    @Override
    public final void open(final Map<String, Object> conf, final TopologyContext context,
            final SpoutOutputCollector out) {
        collector = out;
        final int tasks = context.getComponentTasks(context.getThisComponentId()).size();
        begin(context.getThisTaskIndex(), tasks);
        pace = new Pace(perSecond / tasks, System.nanoTime());
    }

    @Override
    public final void nextTuple() {
        if (pace.isDue(System.nanoTime())) {
            collector.emit(next(Clock.nowUs()), emitted++);
        }
    }

    @Override
    public final void declareOutputFields(final OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(fields));
    }
}
