// SPDX-License-Identifier: EPL-2.0
package io.sluice.bus;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * What a proxy that is a process of its own tells Prometheus, in the text format 0.0.4: the metrics that the model
 * {@code sluice-bus} marks, under the same names, so that the same alerts and graphs serve both. The process knows no
 * models, hence the list.
 */
final class ProxyMetrics {
    private static final String COUNTER = "counter";
    private static final String GAUGE = "gauge";
    private static final List<OfLink> LINK = List.of(
        new OfLink("up", GAUGE, "Whether there is a session.", link -> link.up() ? 1 : 0),
        new OfLink("messages_total", COUNTER, "Messages sent over it, replays included.", LinkState::messages),
        new OfLink("unconfirmed", GAUGE, "Frames sent that the other side has not confirmed.",
            LinkState::unconfirmed),
        new OfLink("waiting", GAUGE, "Filters, last values and replays that wait for credit or room.",
            LinkState::behind),
        new OfLink("deferred_total", COUNTER, "Frames that found no credit or a full queue.", LinkState::deferred),
        new OfLink("renewals_total", COUNTER, "Sessions that had to be begun again.", LinkState::renewals));

    private final StringBuilder text = new StringBuilder();

    private ProxyMetrics() {
        // one for each scrape
    }

    private record OfLink(String name, String type, String help, ToLongFunction<LinkState> value) { }

    static String of(final ProxyState state, final long refusedConnections) {
        final var metrics = new ProxyMetrics();
        final var nodes = new TreeMap<String, LinkState>();
        final var sites = new TreeMap<String, LinkState>();
        state.links().forEach((name, link) ->
            (name.indexOf('/') < 0 ? sites : nodes).put(name.substring(name.indexOf('/') + 1), link));
        metrics.links("node", nodes);
        metrics.links("remote_site", sites);
        metrics.one("streams", GAUGE, "Publishers and topics whose last value the proxy has.", state.streams());
        metrics.one("filters", GAUGE, "Different filters that are installed here.", state.filters());
        new TreeMap<>(state.refusals()).forEach(metrics::refusals);
        metrics.one("replaced_sessions_total", COUNTER,
            "Sessions that ended because who had them connected again meanwhile.", state.replacements());
        metrics.one("withdrawn_values_total", COUNTER, "Last values withdrawn in the place of nodes that are gone.",
            state.withdrawals());
        metrics.one("refused_connections_total", COUNTER,
            "Attempts to connect with a key that is not allowed, or without one.", refusedConnections);
        return metrics.text.toString();
    }

    private void begin(final String name, final String type, final String help) {
        text.append("# HELP sluice_bus_").append(name).append(' ').append(help).append("\n# TYPE sluice_bus_")
            .append(name).append(' ').append(type).append('\n');
    }

    private void one(final String name, final String type, final String help, final long value) {
        begin(name, type, help);
        text.append("sluice_bus_").append(name).append(' ').append(value).append('\n');
    }

    /** Names of nodes and sites have no character that would have to be escaped. */
    private void links(final String kind, final Map<String, LinkState> links) {
        for (final var metric : LINK) {
            final var name = kind + "_link_" + metric.name();
            begin(name, metric.type(), metric.help());
            links.forEach((other, link) -> text.append("sluice_bus_").append(name).append('{').append(kind)
                .append("_name=\"").append(other).append("\"} ").append(metric.value().applyAsLong(link)).append('\n'));
        }
    }

    private void refusals(final Refusal reason, final long frames) {
        switch (reason) {
            case KEY -> refused("unknown_key", "Of no key that is allowed, or lost to a full queue.", frames);
            case MALFORMED -> refused("malformed", "Of a key that is allowed, and no frame of the bus.", frames);
            case HELLO -> refused("wrong_name", "Who connects says another name than that of its key.", frames);
            case PUBLISHER -> refused("wrong_publisher", "Said in the name of another node.", frames);
            case SITE -> refused("wrong_site", "Published on a topic that names another site.", frames);
            case EPOCH -> refused("old_epoch", "Older than the last start of the publisher.", frames);
            case STREAMS -> refused("too_many_streams", "Of a new stream, while there are as many as may be.", frames);
            case TARGET -> refused("no_target", "A question for messages, or an answer, for somebody who is not "
                + "connected or is busy.", frames);
            case DUPLICATE -> refused("duplicate", "Known already, which is no fault.", frames);
            default -> throw new IllegalStateException("unknown reason");
        }
    }

    private void refused(final String reason, final String help, final long frames) {
        one("refused_frames_" + reason + "_total", COUNTER, help, frames);
    }
}
