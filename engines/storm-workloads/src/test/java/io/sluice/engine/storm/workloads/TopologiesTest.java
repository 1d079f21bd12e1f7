// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm.workloads;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.storm.Config;
import org.apache.storm.LocalCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Both applications in a Storm in this process, until they have completed tuples over three seconds. */
@Timeout(300)
class TopologiesTest {
    private static final int SECONDS = 3;
    /** Workers are there before. */
    private static final int START_S = 8;

    @TempDir
    private Path folder;

    private List<String> lines(final String application) throws IOException {
        final var results = folder.resolve(application);
        if (!Files.isDirectory(results)) {
            return List.of();
        }
        try (var files = Files.list(results)) {
            final var file = files.findFirst();
            return file.isEmpty() ? List.of() : Files.readAllLines(file.orElseThrow());
        }
    }

    @Test
    void bothApplicationsComplete() throws Exception {
        final var words = Files.writeString(folder.resolve("words.tsv"), "the\t9\nof\t5\nstorm\t1\ntruck\t1\n");
        try (var cluster = new LocalCluster()) {
            for (var application : List.of("trending-topics", "trucking-iot")) {
                final var results = folder.resolve(application);
                final var conf = new Config();
                conf.setNumWorkers(2);
                conf.put(SinkBolt.RESULTS, results.toString());
                final long submittedUs = Clock.nowUs();
                final var values = Submit.values(application, "results=" + results, "words=" + words, "rate=100",
                    "routes=7", "start=" + START_S);
                try (var topology = cluster.submitTopology(application, conf, Submit.topology(application, values))) {
                    while (lines(application).size() < 2 + SECONDS) {
                        TimeUnit.MILLISECONDS.sleep(100);
                    }
                }
                final var lines = lines(application);
                assertEquals("second,completed,mean_us,median_us,p99_us,most_us", lines.get(0));
                assertTrue(Long.parseLong(lines.get(1).split(",")[0]) >= submittedUs / 1_000_000 + START_S,
                    lines.toString());
                assertTrue(Long.parseLong(lines.get(2).split(",")[1]) > 0, lines.toString());
            }
        }
    }
}
