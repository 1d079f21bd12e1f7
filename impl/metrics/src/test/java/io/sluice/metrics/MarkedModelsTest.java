// SPDX-License-Identifier: EPL-2.0
package io.sluice.metrics;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What marks of any model become: names, units, types; and marks that are refused. */
class MarkedModelsTest {
    private static List<String> lines(final String statements, final String json) throws InterruptedException {
        return Bed.of("container test { config false; " + statements + " }").holding("{\"test:test\": " + json + "}")
            .lines();
    }

    @ParameterizedTest
    @CsvSource({
        "bits-per-second, delay_bits_per_second, 1500.0",
        "bytes, delay_bytes, 1500.0",
        "seconds, delay_seconds, 1500.0",
        "milliseconds, delay_seconds, 1.5",
        "microseconds, delay_seconds, 0.0015",
        "nanoseconds, delay_seconds, 1.5E-6",
        "ppm, delay_ratio, 0.0015",
        "requests, delay, 1500.0",
    })
    void unitsBecomeBaseUnits(final String units, final String name, final String value) throws InterruptedException {
        final var lines = lines("leaf delay { type uint32; units " + units + "; types:metric gauge; }",
            "{\"delay\": 1500}");
        assertEquals("sluice_test_" + name + " " + value, lines.getLast());
    }

    @Test
    void aNameThatSaysItsUnitIsNotExtended() throws InterruptedException {
        assertEquals("sluice_test_sent_bytes_total 1.8446744073709552E19", lines(
            "leaf sent-bytes { type uint64; units bytes; types:metric counter; }",
            "{\"sent-bytes\": \"18446744073709551615\"}").getLast());
    }

    @Test
    void unitsOfATypeCountForItsLeaves() throws InterruptedException {
        assertEquals("sluice_test_part_ratio 0.5", lines("leaf part { type types:share { range 0..500000; }"
            + " types:metric gauge; }", "{\"part\": 500000}").getLast());
    }

    @Test
    void decimalsKeepTheirFraction() throws InterruptedException {
        assertEquals("sluice_test_gain -2.5", lines("leaf gain { type decimal64 { fraction-digits 2; }"
            + " types:metric gauge; }", "{\"gain\": \"-2.5\"}").getLast());
    }

    @Test
    void anEnumerationHasASeriesForEachState() throws InterruptedException {
        assertEquals(List.of("sluice_test_role{sluice_test_role=\"main\"} 0",
            "sluice_test_role{sluice_test_role=\"spare\"} 1"), lines(
                "leaf role { type enumeration { enum main; enum spare; } types:metric gauge; }",
                "{\"role\": \"spare\"}").stream().filter(line -> !line.startsWith("#")).toList());
    }

    @Test
    void labelValuesAreEscaped() throws InterruptedException {
        assertEquals("sluice_test_rule_hits_total{rule_name=\"a\\\\b\\\"c\\nd\"} 1.0", lines(
            "list rule { key name; leaf name { type string; } leaf hits { type uint32; types:metric counter; } }",
            "{\"rule\": [{\"name\": \"a\\\\b\\\"c\\nd\", \"hits\": 1}]}").getLast());
    }

    @Test
    void nestedListsOfOneKeyNameStayApart() throws InterruptedException {
        assertEquals("sluice_test_tenant_site_load{site_name=\"b\",tenant_name=\"a\"} 1.0", lines(
            "list tenant { key name; leaf name { type string; } list site { key name; leaf name { type string; }"
            + " leaf load { type uint32; types:metric gauge; } } }",
            "{\"tenant\": [{\"name\": \"a\", \"site\": [{\"name\": \"b\", \"load\": 1}]}]}").getLast());
    }

    @Test
    void aChoiceLeavesNoTraceInTheName() throws InterruptedException {
        assertEquals("sluice_test_tunnels 3.0", lines(
            "choice kind { case vxlan { leaf tunnels { type uint32; types:metric gauge; } } }",
            "{\"tunnels\": 3}").getLast());
    }

    @Test
    void onlyThePluralOfAListIsLeftOutOfTheName() throws InterruptedException {
        assertEquals("sluice_test_forward_hop_entries 0.0", lines("container forward { list hop { key index;"
            + " types:metric gauge; leaf index { type uint8; } } }", "{}").getLast());
        assertEquals("sluice_test_hop_entries 0.0", lines("container hops { list hop { key index;"
            + " types:metric gauge; leaf index { type uint8; } } }", "{}").getLast());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "leaf x { type uint8; types:metric histogram; }                   | no metric of the kind histogram",
        "leaf x { type string; types:metric gauge; }                      | a string is no gauge",
        "leaf x { type boolean; types:metric counter; }                   | a boolean is no counter",
        "container x { types:metric gauge; }                              | only leaves and lists are metrics",
        "leaf-list x { type uint8; types:metric gauge; }                  | only leaves and lists are metrics",
        "list x { leaf y { type uint8; types:metric gauge; } }            | without a key",
        "list x { key y; types:metric counter; leaf y { type uint8; } }   | the number of entries is a gauge",
        "leaf x-y { type uint8; types:metric gauge; } container x { leaf y { type uint8; types:metric gauge; } }"
            + " | another metric named sluice_test_x_y",
    })
    void aMarkThatMakesNoMetricIsRefused(final String statements, final String reason) {
        final var bed = Bed.of("container test { config false; " + statements + " }");
        final var refusal = assertThrows(IllegalArgumentException.class, () -> MarkedModels.read(bed.models()));
        assertTrue(refusal.getMessage().contains(reason), refusal.getMessage());
    }
}
