// SPDX-License-Identifier: EPL-2.0
package io.sluice.shell;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.opendaylight.mdsal.common.api.LogicalDatastoreType;

class CompletionTest {
    private final FakeController controller = new FakeController();

    @BeforeEach
    void fillTheDatastores() {
        controller.store(LogicalDatastoreType.OPERATIONAL, "fabric",
            "{\"switches\": {\"switch\": [{\"id\": \"openflow:1\"}, {\"id\": \"openflow:2\"}]}}");
        controller.store(LogicalDatastoreType.CONFIGURATION, "fabric",
            "{\"switches\": {\"switch\": [{\"id\": \"openflow:3\"}, {\"id\": \"openflow:2\"}]}}");
        controller.store(LogicalDatastoreType.CONFIGURATION, "multipath", """
            {"service": [{"name": "disk", "server": [{"name": "s1", "address": "10.0.0.1"}]},
                         {"name": "tape", "server": [{"name": "s2", "address": "10.0.0.2"}]}],
             "transfer": [{"name": "backup", "client": "10.0.0.3", "service": "disk"}]}""");
        controller.store(LogicalDatastoreType.OPERATIONAL, "shell-test", "{\"thing\": [{\"name\": \"chair\"}]}");
    }

    private Set<String> after(final String command, final String... words) throws InterruptedException {
        return new TreeSet<>(controller.command(command).complete(List.of(words), ""));
    }

    @Test
    void optionsAreOfferedThatMayStillBeGiven() throws InterruptedException {
        assertEquals(Set.of("--switch", "--input", "--json", "--help"), after("fabric-validate"));
        assertEquals(Set.of("--input", "--help"), after("fabric-validate", "--json", "--switch", "openflow:1"));
        assertEquals(
            Set.of("--name", "--client", "--service", "--piece", "--idle-timeout", "--input", "--json", "--help"),
            after("multipath-request-transfer", "--piece", "1", "--bandwidth=7"));
    }

    @Test
    void typesListTheirValues() throws InterruptedException {
        assertEquals(Set.of("link", "node", "shared-risk-group"), after("multipath-find-paths", "--disjointness"));
        assertEquals(Set.of("true", "false"), after("shell-test-paint", "--thin"));
        assertEquals(Set.of("sluice-shell-test:red", "sluice-shell-test:dark-red"),
            after("shell-test-paint", "--colour"));
    }

    @Test
    void keysOfBothDatastoresAreOffered() throws InterruptedException {
        assertEquals(Set.of("openflow:1", "openflow:2", "openflow:3"), after("fabric-validate", "--switch"));
    }

    @Test
    void typesOfUnionAreLookedUp() throws InterruptedException {
        assertEquals(Set.of("openflow:1", "openflow:2", "openflow:3"), after("multipath-find-paths", "--source"));
    }

    @Test
    void listsOfOneKeyTypeAreToldApartByName() throws InterruptedException {
        assertEquals(Set.of("disk", "tape"), after("multipath-advise-links", "--service"));
        assertEquals(Set.of("s1", "s2"), after("multipath-report-load", "--server"));
        assertEquals(Set.of("backup"), after("multipath-explain", "--transfer"));
    }

    @Test
    void namesThatExistAreOfferedOnlyWhereOneIsToBeNamed() throws InterruptedException {
        assertEquals(Set.of("backup"), after("multipath-release-transfer", "--name"));
        assertEquals(Set.of(), after("multipath-request-transfer", "--name"));
    }

    @Test
    void targetsOfLeafrefsAreOffered() throws InterruptedException {
        assertEquals(Set.of("chair"), after("shell-test-paint", "--thing"));
    }

    @Test
    void otherValuesAreTheUsers() throws InterruptedException {
        assertEquals(Set.of(), after("multipath-request-transfer", "--bandwidth"));
        assertEquals(Set.of(), after("shell-test-paint", "--area"));
        assertEquals(Set.of(), after("shell-test-paint", "--input"));
    }

    @Test
    void placesToShowAreOffered() throws InterruptedException {
        final var show = controller.command("show");
        assertEquals(Set.of("--json", "--config", "--help", "bandwidth", "bus", "fabric", "fabric-store",
            "forwarder", "multipath", "multipath-store", "planner", "shell-test"), after("show"));
        assertEquals(Set.of("--config", "--help", "sampling-interval", "switches/", "links/", "hosts/",
            "packet-ins/", "refusals/", "address-events/", "repairs/"),
            new TreeSet<>(show.complete(List.of("--json", "fabric"), "sw")));
        assertEquals(Set.of("--json", "--config", "--help", "switches/switch", "switches/switch=openflow:1/",
            "switches/switch=openflow:2/"), new TreeSet<>(show.complete(List.of("fabric"), "switches/swi")));
        assertEquals(Set.of("--json", "--config", "--help"),
            new TreeSet<>(show.complete(List.of("fabric"), "nowhere/")));
    }
}
