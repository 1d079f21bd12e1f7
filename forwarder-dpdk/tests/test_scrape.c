// SPDX-License-Identifier: EPL-2.0
/* What counters are told, in the words of Prometheus. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"
#include "scrape.h"

static struct rings rings;
static char *answer; /* The last one. */

static void
scrape(void)
{
    size_t size;

    free(answer);
    answer = fwd_scrape(rings.control, &size);
    assert_non_null(answer);
    assert_int_equal(strlen(answer), size);
}

static void
assert_told(const char *line)
{
    if (!strstr(answer, line)) {
        fail_msg("no '%s' in %s", line, answer);
    }
}

/* A datagram of a flow of its own, as peer A sends it. */
static struct wire
udp_from_peer(uint16_t source_port)
{
    const struct wire_flow udp = {
        .protocol = 17, .source_port = source_port,
    };
    struct wire ip = {.size = 0};

    wire_ip(&ip, &udp, 0, 42);
    return network_from_peer(0, 1, FWD_FORWARD, &ip);
}

/* What is told of two packets of a flow and one of another chain. */
static const char *const of_one_flow[] = {
    "\n# HELP sluice_forwarder_drops_total Packets dropped, by reason."
    "\n# TYPE sluice_forwarder_drops_total counter\n",
    "\nsluice_forwarder_received_packets_total 3\n",
    "\nsluice_forwarder_sent_packets_total 2\n",
    "\nsluice_forwarder_drops_total{reason=\"unknown_chain\"} 1\n",
    "\nsluice_forwarder_drops_total{reason=\"short\"} 0\n",
    "\nsluice_forwarder_port_missed_packets_total{port=\"wan\"} 0\n",
    "\nsluice_forwarder_port_missed_packets_total{port=\"lan\"} 0\n",
    "\nsluice_forwarder_port_errors_total{port=\"wan\"} 0\n",
    "\nsluice_forwarder_port_no_buffer_total{port=\"wan\"} 0\n",
    "\nsluice_forwarder_recalled_flows_total 0\n",
    "\nsluice_forwarder_pinned_flows_total 1\n",
    "\nsluice_forwarder_flow_table_used_entries 1\n",
    "\nsluice_forwarder_stage_packets_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"forward\"} 2\n",
    "\nsluice_forwarder_stage_bytes_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"forward\"} 140\n",
    "\nsluice_forwarder_stage_bytes_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"return\"} 0\n",
    "\nsluice_forwarder_instance_packets_total{instance_name=\"nat-0\","
    "direction=\"forward\"} 2\n",
    "\nsluice_forwarder_instance_bytes_total{instance_name=\"nat-0\","
    "direction=\"forward\"} 140\n",
    "\nsluice_forwarder_instance_flows{instance_name=\"nat-0\"} 1\n",
    "\nsluice_forwarder_peer_flows{peer_name=\"A\"} 1\n",
    "\nsluice_forwarder_peer_packets_total{peer_name=\"D\","
    "direction=\"return\"} 0\n",
};

static void
counters_are_told_by_what_they_count(void **state)
{
    struct network network = network_even();
    struct wire wire = udp_from_peer(7);

    (void) state;
    network_start(&network, &rings);
    network.gone[NAT][1] = network.gone[NAT][2] = network.gone[NAT][3] = true;
    assert_int_equal(network_apply(&network, &rings), 0);
    rings_pass(&rings, WAN, &wire);
    rings_pass(&rings, WAN, &wire);
    wire.data[65] = 7; /* Another chain. */
    rings_pass(&rings, WAN, &wire);
    scrape();
    for (size_t i = 0; i < sizeof of_one_flow / sizeof *of_one_flow; i++) {
        assert_told(of_one_flow[i]);
    }
    assert_null(strstr(answer, "nat-1")); /* Not in the rules. */
}

static void
flows_left_at_a_drained_instance_are_told(void **state)
{
    struct network network = network_even();
    struct wire wire = udp_from_peer(7);

    (void) state;
    network_start(&network, &rings);
    network.gone[NAT][2] = network.gone[NAT][3] = true;
    network.weight[NAT][1] = 0;
    assert_int_equal(network_apply(&network, &rings), 0);
    rings_pass(&rings, WAN, &wire);
    network.weight[NAT][0] = 0;
    network.weight[NAT][1] = 1;
    assert_int_equal(network_apply(&network, &rings), 0);
    scrape();
    assert_told("\nsluice_forwarder_instance_flows{instance_name=\"nat-0\"}"
                " 1\n");
    assert_told("\nsluice_forwarder_instance_flows{instance_name=\"nat-1\"}"
                " 0\n");
}

/* What is told of 300 flows, of as many packets of another chain, and of as
 * many fragments without a first one. */
static const char *const of_many_flows[] = {
    "\nsluice_forwarder_received_packets_total 900\n",
    "\nsluice_forwarder_sent_packets_total 300\n",
    "\nsluice_forwarder_drops_total{reason=\"unknown_chain\"} 300\n",
    "\nsluice_forwarder_pinned_flows_total 300\n",
    "\nsluice_forwarder_flow_table_used_entries 300\n",
    "\nsluice_forwarder_flow_table_capacity_entries 4096\n",
    "\nsluice_forwarder_stage_packets_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"forward\"} 300\n",
    "\nsluice_forwarder_stage_drops_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"forward\","
    "reason=\"no_first_fragment\"} 300\n",
    "\nsluice_forwarder_instance_packets_total{instance_name=\"nat-0\","
    "direction=\"forward\"} 300\n",
    "\nsluice_forwarder_instance_flows{instance_name=\"nat-0\"} 300\n",
};

static void
counters_are_those_of_all_lcores(void **state)
{
    struct network network = network_even();

    (void) state;
    rings.n_workers = 3;
    network_start(&network, &rings);
    network.gone[NAT][1] = network.gone[NAT][2] = network.gone[NAT][3] = true;
    assert_int_equal(network_apply(&network, &rings), 0);
    for (uint16_t i = 0; i < 300; i++) {
        const struct wire_flow udp = {.protocol = 17, .source_port = i};
        struct wire later = {.size = 0}, wire;

        wire_fragment(&later, &udp, 64, false, i);
        wire = network_from_peer(0, 1, FWD_FORWARD, &later);
        rings_pass(&rings, WAN, &wire);
        wire = udp_from_peer(i);
        rings_pass(&rings, WAN, &wire);
        wire.data[65] = 7; /* Another chain. */
        rings_pass(&rings, WAN, &wire);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_not_equal(rings.control->crew->workers[i]->counters->n_sent,
                             0);
    }
    scrape();
    for (size_t i = 0; i < sizeof of_many_flows / sizeof *of_many_flows; i++) {
        assert_told(of_many_flows[i]);
    }
    rings.n_workers = 1;
}

static void
bus_is_told_of_if_there_is_one(void **state)
{
    static const char *const lines[] = {
        "\nsluice_forwarder_bus_up 1\n",
        "\nsluice_forwarder_bus_messages_total 2\n",
        "\nsluice_forwarder_bus_unconfirmed_frames 3\n",
        "\nsluice_forwarder_bus_waiting 4\n",
        "\nsluice_forwarder_bus_deferred_total 5\n",
        "\nsluice_forwarder_bus_renewals_total 6\n",
        "\n# TYPE sluice_forwarder_bus_gaps_total counter\n",
        "\nsluice_forwarder_bus_gaps_total 7\n",
        "\nsluice_forwarder_bus_duplicates_total 8\n",
        "\nsluice_forwarder_bus_malformed_total 9\n",
        "\nsluice_forwarder_bus_refused_total 10\n",
    };
    struct network network = network_even();

    (void) state;
    network_start(&network, &rings);
    scrape();
    assert_null(strstr(answer, "_bus_"));
    rings.control->has_bus = true;
    rings.control->bus = (struct bus_link_state) {
        .is_up = true, .n_messages = 2, .n_unconfirmed = 3, .n_waiting = 4,
        .n_deferred = 5, .n_renewals = 6, .n_gaps = 7, .n_duplicates = 8,
        .n_malformed = 9, .n_refused = 10,
    };
    scrape();
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_told(lines[i]);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_told_by_what_they_count),
        cmocka_unit_test(flows_left_at_a_drained_instance_are_told),
        cmocka_unit_test(counters_are_those_of_all_lcores),
        cmocka_unit_test(bus_is_told_of_if_there_is_one),
    };
    int failed;

    if (rings_init(&rings)) {
        return 1;
    }
    failed = cmocka_run_group_tests_name("scrape", tests, NULL, NULL);
    free(answer);
    return failed;
}
