// SPDX-License-Identifier: EPL-2.0
/* Traces in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "explain.h"
#include "network.h"
#include "rings.h"

static struct rings rings;
static struct fwd_trace trace; /* The last one. */
static struct fwd_steps steps; /* The same in words. */
static const struct wire_flow tcp = {
    .protocol = 6, .source = 0x0a000001, .destination = 0x0b000001,
    .source_port = 40000, .destination_port = 80,
};

/* Answers what 'trace' asks. */
static void
run(void)
{
    rings_trace(&rings, &trace);
    fwd_explain(rings.control, &trace, &steps);
}

static void
run_wire(int port, const struct wire *wire)
{
    memset(&trace, 0, sizeof trace);
    trace.port = (uint8_t) port;
    trace.size = wire->size;
    memcpy(trace.frame, wire->data, wire->size);
    run();
}

/* The text of a step of the last trace, or "". */
static const char *
told(const char *name)
{
    for (int i = 0; i < steps.n; i++) {
        if (!strcmp(steps.step[i].name, name)) {
            return steps.step[i].text;
        }
    }
    return "";
}

static struct wire
ip_of(const struct wire_flow *flow, uint8_t flags)
{
    struct wire ip = {.size = 0};

    wire_ip(&ip, flow, flags, 0);
    return ip;
}

/* A packet of connection 'tcp' from peer 'i' on stage 1. */
static struct wire
from_peer(int i, uint8_t flags)
{
    struct wire ip = ip_of(&tcp, flags);

    return network_from_peer(i, 1, FWD_FORWARD, &ip);
}

/* Lets a packet in; returns the name of the NAT that it goes to. */
static const char *
nat_of(const struct wire *wire)
{
    static char name[16];
    struct fate fate = rings_pass(&rings, WAN, wire);

    assert_int_equal(fate.drop, FWD_DROP_NONE);
    snprintf(name, sizeof name, "instance/nat-%d",
             network_place(fate.port, &fate.wire).vnf);
    return name;
}

static void
every_step_is_told_in_order(void **state)
{
    static const char *const expected[][2] = {
        {"in", "port wan, 112 bytes"},
        {"in_link", "VLAN 0, type 0x0800"},
        {"in_tunnel", "VXLAN from 192.0.2.10 to 192.0.2.1, VNI 2"},
        {"in_labels", "chain 100, egress 203, TTL 64"},
        {"from", "peer/A"},
        {"stage", "100/203/1, forward"},
        {"connection", "protocol 6, 10.0.0.1 port 40000 to 11.0.0.1 port 80"},
        {"lcore", "1 of 1 that forward"},
        {"flow", "none"},
        {"decision", "first packet: picks, and pins the connection"},
        {"picked_from", "instances of stage 1"},
        {"chance", NULL},
        {"hop", NULL},
        {"out_link", NULL},
        {"out_labels", "chain 100, egress 203, TTL 64"},
        {"verdict", "sent on port lan, 66 bytes"},
    };
    struct network network = network_even();
    struct wire wire = from_peer(0, 0x02);
    char hop[FWD_STEP_SIZE];

    (void) state;
    network_start(&network, &rings);
    run_wire(WAN, &wire);
    assert_int_equal(steps.n, sizeof expected / sizeof *expected);
    for (int i = 0; i < steps.n; i++) {
        assert_string_equal(steps.step[i].name, expected[i][0]);
        if (expected[i][1]) {
            assert_string_equal(steps.step[i].text, expected[i][1]);
        }
    }
    assert_int_equal((int) (atof(told("chance")) + 0.5), 25);
    snprintf(hop, sizeof hop, "%s", told("hop"));
    assert_string_equal(nat_of(&wire), hop);
}

static void
way_through_a_peer_is_told(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02);
    struct wire wire = network_from_vnf(FIREWALL, 2, 1, &ip);

    (void) state;
    network.next_weight[0] = 0;
    network_start(&network, &rings);
    run_wire(LAN, &wire);
    assert_string_equal(told("in_link"), "VLAN 35, type 0x0800");
    assert_string_equal(told("in_labels"), "");
    assert_string_equal(told("from"), "instance/fw-2");
    assert_string_equal(told("stage"), "100/203/3, forward");
    assert_string_equal(told("picked_from"), "next hops of stage 3");
    assert_string_equal(told("chance"), "100.0 % of new connections");
    assert_string_equal(told("hop"), "peer/D");
    assert_string_equal(told("out_tunnel"),
                        "VXLAN from 192.0.2.1 to 192.0.2.13, VNI 6");
    assert_string_equal(told("out_labels"), "chain 100, egress 203, TTL 64");
    assert_string_equal(told("verdict"), "sent on port wan, 112 bytes");
}

static void
way_to_an_instance_here_is_told(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02);
    struct wire wire = network_from_vnf(FIREWALL, 2, 0, &ip);

    (void) state;
    network.weight[NAT][0] = network.weight[NAT][1] = 0;
    network.weight[NAT][2] = 0;
    network_start(&network, &rings);
    run_wire(LAN, &wire);
    assert_string_equal(told("stage"), "100/203/2, return");
    assert_string_equal(told("picked_from"), "previous hops of stage 2: here;"
                        " instances of stage 1");
    assert_string_equal(told("chance"), "100.0 % of new connections");
    assert_string_equal(told("hop"), "instance/nat-3");
}

static void
what_is_for_the_forwarder_itself_is_told(void **state)
{
    struct network network = network_even();
    struct wire wire = {.size = 0};

    (void) state;
    network_start(&network, &rings);
    wire_arp(&wire, 0, 1, network_peer_mac(0), PEER(0), OWN);
    run_wire(WAN, &wire);
    assert_string_equal(told("verdict"), "for the forwarder itself: ARP or "
                        "neighbour discovery");
    assert_int_equal(rings_worker(&rings)->counters->n_heard, 0);
}

static void
answer_to_a_packet_that_is_too_big_is_told(void **state)
{
    struct network network = network_even();
    struct wire_flow whole = tcp;
    struct wire ip = ip_of(&tcp, 0x02);
    struct wire wire = network_from_vnf(FIREWALL, 2, 1, &ip);

    (void) state;
    network.mtu = 97;
    network.next_weight[1] = 0;
    network_start(&network, &rings);
    run_wire(LAN, &wire);
    assert_string_equal(told("verdict"), "dropped: too big, and may be "
                        "fragmented (too_big_no_df)");
    assert_string_equal(told("decision"), "first packet: picks, and is "
                        "dropped: it pins nothing");
    whole.whole = true;
    ip = ip_of(&whole, 0x02);
    wire = network_from_vnf(FIREWALL, 2, 1, &ip);
    run_wire(LAN, &wire);
    assert_string_equal(told("hop"), "peer/C");
    assert_string_equal(told("answer"), "ICMP error to instance/fw-2: "
                        "39 bytes fit");
    assert_string_equal(told("out_link"), "VLAN 35, type 0x0800");
    assert_string_equal(told("verdict"), "too big: dropped, and answered on "
                        "port lan, 86 bytes");
    assert_int_equal(rings_worker(&rings)->counters->n_made, 0);
}

static void
direction_of_what_leaves_a_single_side_is_told(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x10);
    struct wire wire = network_from_single(0, 0, &ip);

    (void) state;
    network.single = true;
    network_start(&network, &rings);
    run_wire(LAN, &wire);
    assert_string_equal(told("in_labels"), "chain 100, egress 203, TTL 64, on "
                        "the way back");
    assert_string_equal(told("stage"), "100/203/1, return");
}

static void
reasons_to_choose_a_hop_are_told(void **state)
{
    struct network network = network_even();
    struct wire wire = from_peer(0, 0x10);
    char nat[16];

    (void) state;
    network_start(&network, &rings);
    snprintf(nat, sizeof nat, "%s", nat_of(&wire));
    rings.now_ms += 7000;
    run_wire(WAN, &wire);
    assert_string_equal(told("flow"), "last packet 7 s ago");
    assert_string_equal(told("pinned_next"), nat);
    assert_string_equal(told("pinned_previous"), "peer/A");
    assert_string_equal(told("decision"), "goes where it is pinned to");
    assert_string_equal(told("picked_from"), "");
    assert_string_equal(told("hop"), nat);

    network.gone[NAT][atoi(nat + strlen("instance/nat-"))] = true;
    assert_int_equal(network_apply(&network, &rings), 0);
    run_wire(WAN, &wire);
    assert_string_equal(told("pinned_next"), nat);
    assert_string_equal(told("decision"),
                        "the hop that it is pinned to is gone: picks anew");
    assert_string_not_equal(told("hop"), nat);

    wire = from_peer(0, 0x14);
    nat_of(&wire);
    wire = from_peer(0, 0x02);
    run_wire(WAN, &wire);
    assert_string_equal(told("decision"),
                        "the connection was closed and opens again: picks "
                        "anew");
    assert_string_equal(told("picked_from"), "instances of stage 1");
}

static void
return_that_leads_elsewhere_is_told(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x10);
    struct wire first = network_from_vnf(NAT, 0, 1, &ip);
    struct wire next = network_from_vnf(NAT, 1, 1, &ip);

    (void) state;
    network_start(&network, &rings);
    assert_int_equal(rings_pass(&rings, LAN, &first).drop, FWD_DROP_NONE);
    run_wire(LAN, &next);
    assert_string_equal(told("decision"), "goes where it is pinned to");
    network.gone[NAT][0] = true;
    assert_int_equal(network_apply(&network, &rings), 0);
    run_wire(LAN, &next);
    assert_string_equal(told("decision"),
                        "goes where it is pinned to; the hop before is gone: "
                        "what comes back goes to the one that this came from");
}

static void
full_table_is_told(void **state)
{
    struct network network = network_even();
    struct wire_flow flow = tcp;
    struct wire wire;

    (void) state;
    network.capacity = 64;
    network_start(&network, &rings);
    for (uint16_t i = 0; i < 64; i++) {
        struct wire ip;

        flow.source_port = i;
        ip = ip_of(&flow, 0x02);
        wire = network_from_peer(0, 1, FWD_FORWARD, &ip);
        nat_of(&wire);
    }
    wire = from_peer(0, 0x02);
    run_wire(WAN, &wire);
    assert_string_equal(told("verdict"), "dropped: a new connection of a "
                        "stateful chain (table_full)");
    assert_string_equal(told("hop"), "");
    network.stateful = false;
    assert_int_equal(network_apply(&network, &rings), 0);
    run_wire(WAN, &wire);
    assert_string_equal(told("decision"), "first packet, and the table is "
                        "full: picks, is not pinned");
}

static void
drop_is_told_with_what_could_be_read(void **state)
{
    struct network network = network_even();
    struct wire wire = from_peer(0, 0x02);

    (void) state;
    network_start(&network, &rings);
    wire.data[65] = 7; /* Another chain. */
    run_wire(WAN, &wire);
    assert_int_equal(trace.drop, FWD_DROP_UNKNOWN_CHAIN);
    assert_string_equal(told("from"), "peer/A");
    assert_string_equal(told("stage"), "");
    assert_string_equal(told("connection"), "");
    assert_string_equal(told("verdict"),
                        "dropped: no rules for these labels (unknown_chain)");
    wire.size = 10;
    run_wire(WAN, &wire);
    assert_int_equal(steps.n, 2);
    assert_string_equal(told("verdict"),
                        "dropped: the frame ends inside a header (short)");
}

static void
beginning_of_a_frame_is_enough(void **state)
{
    struct network network = network_even();
    char text[400], *at = text, reason[FWD_REASON_SIZE];
    struct wire ip = {.size = 0}, wire;

    (void) state;
    network_start(&network, &rings);
    wire_ip(&ip, &tcp, 0x10, 1000);
    wire = network_from_peer(0, 1, FWD_FORWARD, &ip);
    at += sprintf(at, "wan,");
    for (int i = 0; i < 112; i++) {
        at += sprintf(at, "%02X", wire.data[i]);
    }
    assert_int_equal(fwd_trace_read(rings.control, text, &trace, reason), 0);
    run();
    assert_int_equal(trace.drop, FWD_DROP_BAD_HEADER);
    sprintf(at, ",%u", wire.size);
    assert_int_equal(fwd_trace_read(rings.control, text, &trace, reason), 0);
    run();
    assert_string_equal(told("verdict"), "sent on port lan, 1066 bytes");
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_step_is_told_in_order),
        cmocka_unit_test(way_through_a_peer_is_told),
        cmocka_unit_test(way_to_an_instance_here_is_told),
        cmocka_unit_test(what_is_for_the_forwarder_itself_is_told),
        cmocka_unit_test(answer_to_a_packet_that_is_too_big_is_told),
        cmocka_unit_test(direction_of_what_leaves_a_single_side_is_told),
        cmocka_unit_test(reasons_to_choose_a_hop_are_told),
        cmocka_unit_test(return_that_leads_elsewhere_is_told),
        cmocka_unit_test(full_table_is_told),
        cmocka_unit_test(drop_is_told_with_what_could_be_read),
        cmocka_unit_test(beginning_of_a_frame_is_enough),
    };

    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("explain", tests, NULL, NULL);
}
