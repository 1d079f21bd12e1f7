// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/**
 * Where tuples end: those that have {@link #CREATED} are counted, in a file of this task in the folder that the
 * topology names.
 */
@SuppressFBWarnings(value = "UWF_FIELD_NOT_INITIALIZED_IN_CONSTRUCTOR", justification = "Storm prepares it")
public final class SinkBolt extends BaseRichBolt {
    /** Key of a topology: folder for results, on the machine of the sink. */
    public static final String RESULTS = "sluice.workload.results";
    /** Field with the time at which the source made the tuple, in microseconds since 1970. */
    static final String CREATED = "created";

    private static final long serialVersionUID = 1;

    private transient OutputCollector collector;
    private transient BufferedWriter file;
    private transient CompletionLog log;

    @Override
    public void prepare(final Map<String, Object> conf, final TopologyContext context, final OutputCollector out) {
        collector = out;
        final var path = Path.of((String) conf.get(RESULTS), context.getThisComponentId() + "-"
            + context.getThisTaskId() + ".csv");
        try {
            file = Files.newBufferedWriter(path, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(RESULTS + " has no place for " + path, e);
        }
        log = new CompletionLog(file);
    }

    @Override
    public void execute(final Tuple tuple) {
        log.completed(tuple.getLongByField(CREATED), Clock.nowUs());
        collector.ack(tuple);
    }

    @Override
    public void cleanup() {
        try {
            file.close();
        } catch (IOException e) {
            throw new UncheckedIOException("results can't be written", e);
        }
    }

    @Override
    public void declareOutputFields(final OutputFieldsDeclarer declarer) {
        // nothing follows
    }
}
