// SPDX-License-Identifier: EPL-2.0
package io.sluice.engine.storm;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.sluice.engine.storm.Settings.Access;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SettingsTest {
    @Test
    void allKeysHaveDefaults() {
        final var settings = Settings.from(Map.of());
        assertEquals(URI.create("http://127.0.0.1:8181"), settings.access().controller());
        assertEquals("admin", settings.access().user());
        assertTrue(settings.access().passwordFile().endsWith("conf/sluice.password"));
        assertEquals("storm", settings.access().tenant());
        assertEquals(Duration.ofSeconds(5), settings.interval());
        assertEquals(6690, settings.reportPort());
        assertEquals(List.of(URI.create("http://localhost:6690")), settings.nimbuses());
        assertEquals(Duration.ofMinutes(1), settings.placementAge());
        assertTrue(settings.pacing());
    }

    @Test
    void keysAreFollowed() {
        final var settings = Settings.from(Map.of(Settings.CONTROLLER, "https://c1:8443", Settings.USER, "storm",
            Settings.PASSWORD_FILE, "/run/secret", Settings.TENANT, "t", Settings.INTERVAL, 2L,
            Settings.REPORT_PORT, 7000, "nimbus.seeds", List.of("n1", "n2"), Settings.PACING, false,
            "nimbus.monitor.freq.secs", 120));
        assertEquals(new Settings(new Access(URI.create("https://c1:8443"), "storm", Path.of("/run/secret"), "t"),
            Duration.ofSeconds(2), 7000, List.of(URI.create("http://n1:7000"), URI.create("http://n2:7000")),
            Duration.ofMinutes(12), false), settings);
    }

    @ParameterizedTest
    @CsvSource({"sluice.controller.url, c1:8181", "sluice.controller.url, ftp://c1",
        "sluice.controller.url, http://c1:8181/rests", "sluice.controller.url, http://c1?a=b",
        "sluice.tenant, a b", "sluice.pacing, maybe",
        "sluice.interval.secs, 5", "sluice.controller.user, ''"})
    void aValueWithoutSenseIsRefusedWithItsKey(final String key, final String value) {
        final var refusal = assertThrows(IllegalArgumentException.class, () -> Settings.from(Map.of(key, value)));
        assertTrue(refusal.getMessage().startsWith(
            key + " in storm.yaml or of the topology is '" + value + "'; it has to be"), refusal.getMessage());
    }

    @Test
    void aNimbusHasANameThatReportsCanBeSentTo() {
        final var hosts = List.of("n1", "nimbus-0.storm.local", "10.0.0.1", "fd00::1");
        assertEquals(List.of("http://n1:6690", "http://nimbus-0.storm.local:6690", "http://10.0.0.1:6690",
            "http://[fd00::1]:6690").stream().map(URI::create).toList(),
            Settings.from(Map.of("nimbus.seeds", hosts)).nimbuses());
    }

    @ParameterizedTest
    @ValueSource(strings = {"storm_nimbus_1", "", "n 1", "n1:6627", "[fd00::1]", "n1/a", "storm@n1", "n1?a", "n1#a"})
    void aNimbusWithAnotherNameIsRefused(final String host) {
        final var refusal = assertThrows(IllegalArgumentException.class,
            () -> Settings.from(Map.of("nimbus.seeds", List.of("n1", host))));
        assertTrue(refusal.getMessage().startsWith(
            "nimbus.seeds in storm.yaml or of the topology is '" + host + "'; it has to be"), refusal.getMessage());
    }

    @Test
    void theControllersAddressMayEndWithASlashAndHasNoSecretThatIsTold() {
        assertEquals(URI.create("http://[fd00::1]:8181"),
            Settings.from(Map.of(Settings.CONTROLLER, "http://[fd00::1]:8181/")).access().controller());
        final var refusal = assertThrows(IllegalArgumentException.class,
            () -> Settings.from(Map.of(Settings.CONTROLLER, "http://admin:secret@c1:8181")));
        assertTrue(refusal.getMessage().contains("sluice.controller.password.file"), refusal.getMessage());
        assertFalse(refusal.getMessage().contains("secret"), refusal.getMessage());
    }

    @ParameterizedTest
    @CsvSource({"sluice.interval.secs, 0", "sluice.interval.secs, 1201", "sluice.report.port, 65536"})
    void aNumberOutOfRangeIsRefusedWithItsKey(final String key, final int value) {
        final var refusal = assertThrows(IllegalArgumentException.class, () -> Settings.from(Map.of(key, value)));
        assertTrue(refusal.getMessage().startsWith(
            key + " in storm.yaml or of the topology is '" + value + "'; it has to be a whole"), refusal.getMessage());
    }
}
