// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** The real models, from a document of state to the text that Prometheus reads. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ShippedModelsTest {
    private static final String FABRIC = """
        {"sluice-fabric:fabric": {
          "switches": {"switch": [{"id": "openflow:1", "attached": true, "port": [
            {"number": 2, "capacity": "10000000", "name": "s1-eth2", "up": false, "received": "96", "sent": "9500000"}
          ]}]},
          "links": {"link": [{"source-switch": "openflow:1", "source-port": 2, "destination-switch": "openflow:3",
            "destination-port": 4, "capacity": "10000000", "load": "9500000"}]},
          "packet-ins": {"packet-in": [{"fate": "malformed", "packets": "7"}]},
          "repairs": {"repair": [{"switch": "openflow:1", "entries": "3"}]}
        }}""";

    private final Bed shipped = Bed.shipped();

    private static List<String> samples(final Bed bed) throws InterruptedException {
        return bed.lines().stream().filter(line -> !line.startsWith("#")).toList();
    }

    @Test
    void fabricIsExportedWithKeysAsLabels() throws InterruptedException {
        assertEquals(List.of(
            "sluice_fabric_host_entries 0.0",
            "sluice_fabric_link_capacity_bits_per_second"
                + "{link_source_port=\"2\",link_source_switch=\"openflow:1\"} 1.0E7",
            "sluice_fabric_link_entries 1.0",
            "sluice_fabric_link_load_bits_per_second"
                + "{link_source_port=\"2\",link_source_switch=\"openflow:1\"} 9500000.0",
            "sluice_fabric_packet_in_packets_total{packet_in_fate=\"malformed\"} 7.0",
            "sluice_fabric_repair_entries_total{repair_switch=\"openflow:1\"} 3.0",
            "sluice_fabric_switch_attached{switch_id=\"openflow:1\"} 1.0",
            "sluice_fabric_switch_entries 1.0",
            "sluice_fabric_switch_port_capacity_bits_per_second"
                + "{port_number=\"2\",switch_id=\"openflow:1\"} 1.0E7",
            "sluice_fabric_switch_port_received_bits_per_second"
                + "{port_number=\"2\",switch_id=\"openflow:1\"} 96.0",
            "sluice_fabric_switch_port_sent_bits_per_second"
                + "{port_number=\"2\",switch_id=\"openflow:1\"} 9500000.0",
            "sluice_fabric_switch_port_up{port_number=\"2\",switch_id=\"openflow:1\"} 0.0",
            "sluice_multipath_flow_entries 0.0"), samples(shipped.holding(FABRIC)));
    }

    @Test
    void multipathIsExportedInBaseUnits() throws InterruptedException {
        assertEquals(List.of(
            "sluice_fabric_host_entries 0.0", "sluice_fabric_link_entries 0.0", "sluice_fabric_switch_entries 0.0",
            "sluice_multipath_flow_entries 0.0",
            "sluice_multipath_flow_events_moved_total 2.0",
            "sluice_multipath_service_server_port_current_requests"
                + "{port_number=\"6001\",server_name=\"s1\",service_name=\"store\"} 4.0",
            "sluice_multipath_service_server_reported_load_ratio{server_name=\"s1\",service_name=\"store\"} 0.25"),
            samples(shipped.holding("""
                {"sluice-multipath:multipath": {"flow-events": {"moved": "2"}, "service": [{"name": "store", "server": [
                  {"name": "s1", "address": "10.0.0.1", "reported-load": 250000,
                   "port": [{"number": 6001, "piece": 1, "current-requests": 4}]}]}]}}""")));
    }

    @Test
    void busIsExportedBySiteAndNode() throws InterruptedException {
        assertEquals(List.of(
            "sluice_bus_filters 2.0",
            "sluice_bus_node_link_waiting{node_name=\"forwarder\"} 3.0",
            "sluice_bus_own_node_up 1.0",
            "sluice_bus_refused_connections_total 4.0",
            "sluice_bus_refused_frames_old_epoch_total 5.0",
            "sluice_bus_remote_site_link_messages_total{remote_site_name=\"B\"} 6.0",
            "sluice_bus_remote_site_link_up{remote_site_name=\"B\"} 1.0",
            "sluice_bus_streams 1.0",
            "sluice_fabric_host_entries 0.0", "sluice_fabric_link_entries 0.0", "sluice_fabric_switch_entries 0.0",
            "sluice_multipath_flow_entries 0.0"),
            samples(shipped.holding("""
                {"sluice-bus:bus": {"site": "A", "address": "127.0.0.1", "streams": 1, "filters": 2,
                  "node": [{"name": "forwarder", "public-key": ["KEY"], "link": {"waiting": 3}}],
                  "own-node": {"up": true}, "refused-connections": "4", "refused-frames": {"old-epoch": "5"},
                  "remote-site": [{"name": "B", "address": "192.0.2.1", "public-key": "KEY",
                    "link": {"up": true, "messages": "6"}}]}}""".replace("KEY", "k".repeat(40)))));
    }

    @Test
    void bandwidthIsExportedByFlow() throws InterruptedException {
        final var application = "{application_name=\"a\",tenant_name=\"t\"}";
        final var reports = "sluice_bandwidth_tenant_application_reports";
        final var labels = "{application_name=\"a\",flow_name=\"f\",tenant_name=\"t\"}";
        final var allocation = "sluice_bandwidth_tenant_application_flow_allocation";
        assertEquals(List.of(
            allocation + "_dropped_bytes_total" + labels + " 900.0",
            allocation + "_dropped_packets_total" + labels + " 9.0",
            allocation + "_measured_rate_bits_per_second" + labels + " 7000.0",
            allocation + "_meter_rate_bits_per_second" + labels + " 8000.0",
            allocation + "_rate_bits_per_second" + labels + " 8100.0",
            state(allocation + "_status", labels, "in-place") + " 0",
            state(allocation + "_status", labels, "pending") + " 1",
            state(allocation + "_status", labels, "unmetered") + " 0",
            state(reports, application, "current") + " 0",
            state(reports, application, "none") + " 0",
            state(reports, application, "silent") + " 1",
            "sluice_fabric_host_entries 0.0", "sluice_fabric_link_entries 0.0", "sluice_fabric_switch_entries 0.0",
            "sluice_multipath_flow_entries 0.0"),
            samples(shipped.holding("""
                {"sluice-bandwidth:bandwidth": {"tenant": [{"name": "t", "application": [{"name": "a",
                  "reports": "silent", "flow": [{"name": "f", "source": "10.0.0.1", "destination": "10.0.0.2",
                   "allocation": {"rate": "8100", "meter-rate": "8000", "measured-rate": "7000", "status": "pending",
                   "dropped-packets": "9", "dropped-bytes": "900"}}]}]}]}}""")));
    }

    /** The series of one state of an enumeration. */
    private static String state(final String metric, final String labels, final String state) {
        return metric + labels.replace("}", "," + metric + "=\"" + state + "\"}");
    }

    @Test
    void alertsAreAboutWhatIsExported() throws IOException {
        final var exported = names(MarkedModels.read(shipped.models())).collect(Collectors.toSet());
        final var named = Pattern.compile("\\bsluice_(?!forwarder_)\\w+")
            .matcher(Files.readString(Path.of("../../docs/sluice-alerts.yml"))).results().map(MatchResult::group)
            .collect(Collectors.toCollection(TreeSet::new));

        assertFalse(named.isEmpty());
        named.removeAll(exported);
        assertEquals(Set.of(), named);
    }

    private static Stream<String> names(final Collection<Part> parts) {
        return parts.stream().flatMap(part -> switch (part) {
            case Part.Value value -> Stream.of(name(value.metric()));
            case Part.Group group -> names(group.parts());
            case Part.Entries entries ->
                Stream.concat(entries.count().stream().map(ShippedModelsTest::name), names(entries.parts()));
        });
    }

    private static String name(final Metric metric) {
        return metric.metadata().getName() + (metric instanceof Metric.Counter ? "_total" : "");
    }

    @Test
    void helpIsTheFirstSentenceAndTypeIsTheMark() throws InterruptedException {
        final var lines = shipped.holding(FABRIC).lines();
        assertTrue(lines.contains("# HELP sluice_fabric_switch_port_capacity_bits_per_second What it can carry, per"
            + " direction; without it the speed that the switch reports counts, which knows nothing of shapers."));
        assertTrue(lines.contains("# TYPE sluice_fabric_switch_port_capacity_bits_per_second gauge"));
        assertTrue(lines.contains("# TYPE sluice_fabric_packet_in_packets_total counter"));
        assertTrue(lines.contains("# HELP sluice_fabric_link_entries Number of entries: One direction of a cable."));
    }

    @Test
    void openMetricsIsWrittenForWhoAsksForIt() throws InterruptedException {
        final var exposition = shipped.holding(FABRIC).scrape(Bed.OPEN_METRICS);
        assertTrue(exposition.contentType().startsWith("application/openmetrics-text; version=1.0.0"));
        assertTrue(exposition.text().contains("# UNIT sluice_fabric_link_load_bits_per_second bits_per_second\n"));
        assertTrue(exposition.text().endsWith("# EOF\n"));
    }

    @Test
    void everybodyElseGetsPlainText() throws InterruptedException {
        assertTrue(shipped.scrape("text/html,*/*;q=0.8").contentType().startsWith("text/plain; version=0.0.4"));
    }
}
