// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics.mdsal;

import edu.umd.cs.findbugs.annotations.SuppressFBWarnings;
import io.sluice.metrics.Exporter;
import io.sluice.metrics.Exporter.Answer;
import java.io.IOException;
import java.util.Objects;
import javax.servlet.http.HttpServlet;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A scrape by HTTP. */
@SuppressFBWarnings(value = "SE_BAD_FIELD", justification = "servlets are never serialized")
final class MetricsServlet extends HttpServlet {
    private static final Logger LOG = LoggerFactory.getLogger(MetricsServlet.class);
    private static final long serialVersionUID = 1;

    private final Exporter exporter;

    MetricsServlet(final Exporter exporter) {
        this.exporter = exporter;
    }

    @Override
    protected void doGet(final HttpServletRequest request, final HttpServletResponse response) throws IOException {
        try {
            switch (exporter.scrape(Objects.requireNonNullElse(request.getHeader("Accept"), ""))) {
                case Answer.Exposition exposition -> {
                    response.setContentType(exposition.contentType());
                    response.getWriter().write(exposition.text());
                }
                case Answer.Unavailable unavailable -> {
                    LOG.warn("metrics-unavailable reason=\"{}\"", unavailable.reason());
                    response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, unavailable.reason());
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            response.sendError(HttpServletResponse.SC_SERVICE_UNAVAILABLE, "the server stops");
        }
    }
}
