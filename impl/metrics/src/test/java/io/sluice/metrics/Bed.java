// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import com.google.common.util.concurrent.Futures;
import com.google.gson.stream.JsonReader;
import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.opendaylight.yangtools.binding.meta.YangModuleInfo;
import org.opendaylight.yangtools.binding.runtime.spi.BindingRuntimeHelpers;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.opendaylight.yangtools.yang.data.codec.gson.JSONCodecFactorySupplier;
import org.opendaylight.yangtools.yang.data.codec.gson.JsonParserStream;
import org.opendaylight.yangtools.yang.data.impl.schema.ImmutableNormalizedNodeStreamWriter;
import org.opendaylight.yangtools.yang.data.impl.schema.NormalizationResultHolder;
import org.opendaylight.yangtools.yang.model.api.EffectiveModelContext;
import org.opendaylight.yangtools.yang.test.util.YangParserTestUtils;

/** Models, state written as JSON (RFC 7951), and what a scrape makes of them. */
record Bed(EffectiveModelContext models, Map<NodeIdentifier, NormalizedNode> state) {
    static final String OPEN_METRICS = "application/openmetrics-text;version=1.0.0,text/plain;q=0.5";
    private static final Duration AMPLE = Duration.ofMinutes(1);

    /** The models that are shipped. */
    static Bed shipped() {
        return new Bed(BindingRuntimeHelpers.createEffectiveModel(BindingRuntimeHelpers.loadModuleInfos()), Map.of());
    }

    /** The module {@code urn:sluice:test} with these statements, beside {@code sluice-types}. */
    static Bed of(final String statements) {
        return new Bed(YangParserTestUtils.parseYang(types(), "module test { yang-version 1.1;"
            + " namespace urn:sluice:test; prefix test; import sluice-types { prefix types; } " + statements + " }"),
            Map.of());
    }

    /** One top-level node in the datastore. */
    Bed holding(final String json) {
        final var result = new NormalizationResultHolder();
        try (var writer = ImmutableNormalizedNodeStreamWriter.from(result)) {
            JsonParserStream.create(writer, JSONCodecFactorySupplier.RFC7951.getShared(models))
                .parse(new JsonReader(new StringReader(json)));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        final var node = result.getResult().data();
        return new Bed(models, Map.of((NodeIdentifier) node.name(), node));
    }

    Exporter exporter() {
        return new Exporter(() -> models, roots -> Futures.immediateFuture(state), AMPLE);
    }

    /** The lines that a client gets which takes any format. */
    List<String> lines() throws InterruptedException {
        return scrape("").text().lines().toList();
    }

    Exporter.Answer.Exposition scrape(final String accept) throws InterruptedException {
        return assertInstanceOf(Exporter.Answer.Exposition.class, exporter().scrape(accept));
    }

    private static String types() {
        try {
            return BindingRuntimeHelpers.loadModuleInfos().stream()
                .filter(module -> module.getName().getLocalName().equals("sluice-types"))
                .map(YangModuleInfo::getYangTextCharSource).findFirst().orElseThrow().read();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
