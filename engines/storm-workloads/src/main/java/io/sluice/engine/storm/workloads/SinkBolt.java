// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import org.apache.storm.task.OutputCollector;
import org.apache.storm.task.TopologyContext;
import org.apache.storm.topology.OutputFieldsDeclarer;
import org.apache.storm.topology.base.BaseRichBolt;
import org.apache.storm.tuple.Tuple;

/**
 * Where tuples end: those that have {@link #CREATED} are counted, in a file of this task in the folder that the
 * topology names. The folder is made if it is not there.
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
        file = open(Path.of((String) conf.get(RESULTS)),
            context.getThisComponentId() + "-" + context.getThisTaskId() + ".csv");
        log = new CompletionLog(file);
    }

    /**
     * A file in a folder, which is made if it is not there. What a sink wrote before its worker started anew stays: the
     * seconds between have no lines. {@link UncheckedIOException} says what can't be.
     */
    static BufferedWriter open(final Path folder, final String name) {
        try {
            if (!Files.isDirectory(folder)) { // which a link to one is, too; createDirectories refuses it on Java 17
                Files.createDirectories(folder);
            }
            final var file = folder.resolve(name);
            if (Files.notExists(file) || Files.size(file) == 0) {
                Files.writeString(file, CompletionLog.HEADER);
            }
            return Files.newBufferedWriter(file, StandardCharsets.UTF_8, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException("results=" + folder + ": this machine, where the sink is, can't make " + name
                + " there (" + e + ")", e);
        }
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
