// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics.mdsal;

import com.google.common.util.concurrent.Futures;
import com.google.common.util.concurrent.ListenableFuture;
import com.google.common.util.concurrent.MoreExecutors;
import io.sluice.metrics.Exporter;
import java.time.Duration;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.servlet.ServletException;
import org.opendaylight.aaa.web.ServletDetails;
import org.opendaylight.aaa.web.WebContext;
import org.opendaylight.aaa.web.WebContextSecurer;
import org.opendaylight.aaa.web.WebServer;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;
import org.opendaylight.mdsal.dom.api.DOMDataBroker;
import org.opendaylight.mdsal.dom.api.DOMSchemaService;
import org.opendaylight.yangtools.concepts.Registration;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier;
import org.opendaylight.yangtools.yang.data.api.YangInstanceIdentifier.NodeIdentifier;
import org.opendaylight.yangtools.yang.data.api.schema.NormalizedNode;
import org.osgi.service.component.annotations.Activate;
import org.osgi.service.component.annotations.Component;
import org.osgi.service.component.annotations.Deactivate;
import org.osgi.service.component.annotations.Reference;

/** Serves {@code /metrics} beside RESTCONF, to the same users. */
@Component(service = { })
public final class MetricsComponent {
    /** The HTTP server redirects from here to the same with a slash: AAA's contexts can't be the root's. */
    private static final String PATH = "/metrics";
    /** Half of the time that Prometheus gives a scrape if it is not told otherwise. */
    private static final Duration LIMIT = Duration.ofSeconds(5);

    private final Registration registration;

    /** Starts to serve. */
    @Activate
    public MetricsComponent(@Reference final WebServer webServer, @Reference final WebContextSecurer securer,
            @Reference final DOMSchemaService schemas, @Reference final DOMDataBroker dataBroker)
            throws ServletException {
        final var exporter = new Exporter(schemas::getGlobalContext, roots -> read(dataBroker, roots), LIMIT);
        final var context = WebContext.builder().name("sluice-metrics").contextPath(PATH).supportsSessions(false)
            .addServlet(ServletDetails.builder().name("metrics").servlet(new MetricsServlet(exporter))
                .addUrlPattern("/*").build());
        securer.requireAuthentication(context, "/*");
        registration = webServer.registerWebContext(context.build());
    }

    /** Stops serving. */
    @Deactivate
    public void close() {
        registration.close();
    }

    private static ListenableFuture<Map<NodeIdentifier, NormalizedNode>> read(final DOMDataBroker dataBroker,
            final Collection<NodeIdentifier> roots) {
        try (var transaction = dataBroker.newReadOnlyTransaction()) {
            final var reads = roots.stream()
                .map(root -> transaction.read(LogicalDatastoreType.OPERATIONAL, YangInstanceIdentifier.of(root)))
                .toList();
            return Futures.transform(Futures.allAsList(reads), found -> found.stream().flatMap(Optional::stream)
                .collect(Collectors.toMap(node -> (NodeIdentifier) node.name(), Function.identity())),
                MoreExecutors.directExecutor());
        }
    }
}
