// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.SettableFuture;
import io.sluice.metrics.Exporter.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;

/** How often the datastore is asked, and what becomes of a scrape that it does not answer. */
class ExporterTest {
    private static final String MARKED = "container test { leaf x { type uint8; types:metric gauge; } }";

    @Test
    void aScrapeReadsTheMarkedRootsOnce() throws InterruptedException {
        final var bed = Bed.of(MARKED + " container plain { leaf y { type uint8; } }");
        final var asked = new ArrayList<Collection<NodeIdentifier>>();
        new Exporter(bed::models, roots -> {
            asked.add(roots);
            return Futures.immediateFuture(Map.of());
        }, Duration.ZERO).scrape("");
        assertEquals(List.of("test"), asked.stream().flatMap(Collection::stream)
            .map(root -> root.getNodeType().getLocalName()).toList());
    }

    @Test
    void aDatastoreThatDoesNotAnswerIsGivenUp() throws InterruptedException {
        final var never = SettableFuture.<Map<NodeIdentifier, NormalizedNode>>create();
        final var exporter = new Exporter(Bed.of(MARKED)::models, roots -> never, Duration.ofMillis(1));
        assertEquals(new Answer.Unavailable("the datastore did not answer within 1 ms"), exporter.scrape(""));
        assertTrue(never.isCancelled());
    }

    @Test
    void aDatastoreThatFailsIsQuoted() throws InterruptedException {
        final var exporter = new Exporter(Bed.of(MARKED)::models,
            roots -> Futures.immediateFailedFuture(new IllegalStateException("no leader")), Duration.ZERO);
        assertEquals(new Answer.Unavailable("the datastore can't be read: no leader"), exporter.scrape(""));
    }

    @Test
    void modelsThatAreLoadedLaterHaveTheirMetrics() throws InterruptedException {
        final var bed = new AtomicReference<>(Bed.of("container test { leaf x { type uint8; } }"));
        final var exporter = new Exporter(() -> bed.get().models(),
            roots -> Futures.immediateFuture(bed.get().state()), Duration.ZERO);
        assertEquals("", assertInstanceOf(Answer.Exposition.class, exporter.scrape("")).text());
        bed.set(Bed.of(MARKED).holding("{\"test:test\": {\"x\": 5}}"));
        assertTrue(assertInstanceOf(Answer.Exposition.class, exporter.scrape("")).text()
            .endsWith("sluice_test_x 5.0\n"));
    }
}
