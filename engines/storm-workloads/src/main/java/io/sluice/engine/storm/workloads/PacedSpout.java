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
    private final long beginUs;
    private final String[] fields;
    private transient SpoutOutputCollector collector;
    private transient Pace pace;

    /**
     * Has made nothing yet.
     *
     * @param beginUs when all tasks begin, in microseconds since 1970
     */
    PacedSpout(final double perSecond, final long beginUs, final String... fields) {
        this.perSecond = perSecond;
        this.beginUs = beginUs;
        this.fields = fields.clone();
    }

    /**
     * Begins to make tuples.
     *
     * @param task which of the spout's tasks this is, from 0
     * @param tasks number of its tasks
     */
    abstract void begin(int task, int tasks);

    /**
     * The next tuple.
     *
     * @param number of the tuple among those of this task, from 0; what is due at one time has one number in all spouts
     *     of the same rate and as many tasks
     * @param createdUs the time at which it is made
     */
    abstract Values next(long number, long createdUs);

    @Override
    public final void open(final Map<String, Object> conf, final TopologyContext context,
            final SpoutOutputCollector out) {
        collector = out;
        final int tasks = context.getComponentTasks(context.getThisComponentId()).size();
        begin(context.getThisTaskIndex(), tasks);
        pace = new Pace(perSecond / tasks, beginUs, Clock.nowUs());
    }

    @Override
    public final void nextTuple() {
        final long nowUs = Clock.nowUs();
        if (pace.isDue(nowUs)) {
            final long number = pace.next();
            collector.emit(next(number, nowUs), number);
        }
    }

    @Override
    public final void declareOutputFields(final OutputFieldsDeclarer declarer) {
        declarer.declare(new Fields(fields));
    }
}
