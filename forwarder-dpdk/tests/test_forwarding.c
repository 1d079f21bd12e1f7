// SPDX-License-Identifier: EPL-2.0
/* Packets in, packets out, through ring ports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"

static struct rings rings;
static const struct wire_flow tcp = {
    .protocol = 6, .source = 0x0a000001, .destination = 0x0b000001,
    .source_port = 40000, .destination_port = 80,
};

static struct wire
ip_of(const struct wire_flow *flow, uint8_t flags)
{
    struct wire ip = {.size = 0};

    wire_ip(&ip, flow, flags, 100);
    return ip;
}

/* Lets in a packet from peer A on stage 1; returns its fate. */
static struct fate
from_a(const struct wire *ip)
{
    struct wire wire = network_from_peer(0, 1, 0, ip);

    return rings_pass(&rings, WAN, &wire);
}

/* Sends the first packet of a flow and returns its NAT. */
static int
nat_of(const struct wire_flow *flow, uint8_t flags)
{
    struct wire ip = ip_of(flow, flags);
    struct fate fate = from_a(&ip);

    assert_int_equal(fate.drop, FWD_DROP_NONE);
    return network_place(fate.port, &fate.wire).vnf;
}

/* Packets on their way forward on stage 1 that were dropped for 'reason'. */
static uint64_t
n_dropped(enum fwd_drop reason)
{
    return network_n_dropped(&rings, 1, FWD_FORWARD, reason);
}

static void
packet_crosses_both_vnfs_and_comes_back(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02), back, wire;
    struct wire_flow reverse = wire_reverse(&tcp);
    struct place nat, fw, peer;
    struct fate fate = {0};

    (void) state;
    network_start(&network, &rings);
    fate = from_a(&ip);
    nat = network_place(fate.port, &fate.wire);
    assert_true(!nat.is_peer && nat.kind == NAT && !nat.egress);
    assert_memory_equal(fate.wire.data + nat.ip_offset, ip.data, ip.size);

    wire = network_from_vnf(NAT, nat.vnf, 1, &ip);
    fate = rings_pass(&rings, LAN, &wire);
    fw = network_place(fate.port, &fate.wire);
    assert_true(!fw.is_peer && fw.kind == FIREWALL && !fw.egress);

    wire = network_from_vnf(FIREWALL, fw.vnf, 1, &ip);
    fate = rings_pass(&rings, LAN, &wire);
    peer = network_place(fate.port, &fate.wire);
    assert_true(peer.is_peer && peer.peer >= 2);
    assert_int_equal(peer.vni, network_vni(3, 0));
    assert_int_equal(fate.wire.size, peer.ip_offset + ip.size);

    back = ip_of(&reverse, 0x12);
    wire = network_from_peer(peer.peer, 3, 1, &back);
    fate = rings_pass(&rings, WAN, &wire);
    assert_int_equal(network_place(fate.port, &fate.wire).vnf, fw.vnf);
    wire = network_from_vnf(FIREWALL, fw.vnf, 0, &back);
    fate = rings_pass(&rings, LAN, &wire);
    assert_int_equal(network_place(fate.port, &fate.wire).vnf, nat.vnf);
    wire = network_from_vnf(NAT, nat.vnf, 0, &back);
    fate = rings_pass(&rings, LAN, &wire);
    peer = network_place(fate.port, &fate.wire);
    assert_int_equal(peer.peer, 0);
    assert_int_equal(peer.vni, network_vni(1, 1));
}

static void
fragments_follow_their_first_fragment(void **state)
{
    struct network network = network_even();

    (void) state;
    network_start(&network, &rings);
    for (uint16_t i = 0; i < 40; i++) {
        struct wire_flow flow = tcp;
        struct wire first = {0}, later = {0}, stranger = {0};
        struct fate fate;
        int nat;

        flow.ipv6 = i % 2;
        flow.source_port = (uint16_t) (1000 + i);
        wire_fragment(&first, &flow, 0, true, (uint16_t) (i + 1));
        wire_fragment(&later, &flow, 64, false, (uint16_t) (i + 1));
        wire_fragment(&stranger, &flow, 64, false, (uint16_t) (i + 1000));
        nat = nat_of(&flow, 0x02);
        fate = from_a(&first);
        assert_int_equal(network_place(fate.port, &fate.wire).vnf, nat);
        fate = from_a(&later);
        assert_int_equal(network_place(fate.port, &fate.wire).vnf, nat);
        assert_int_equal(from_a(&stranger).drop, FWD_DROP_NO_FIRST_FRAGMENT);
    }
    assert_int_equal(n_dropped(FWD_DROP_NO_FIRST_FRAGMENT), 40);
}

/* Only a first fragment has what a pick needs. */
static void
later_fragment_is_dropped_if_its_hop_is_gone(void **state)
{
    struct network network = network_even();
    struct wire first = {0}, later = {0};
    struct fate fate;
    int nat;

    (void) state;
    network_start(&network, &rings);
    wire_fragment(&first, &tcp, 0, true, 1);
    wire_fragment(&later, &tcp, 64, false, 1);
    fate = from_a(&first);
    nat = network_place(fate.port, &fate.wire).vnf;
    network.gone[NAT][nat] = true;
    assert_int_equal(network_apply(&network, &rings), 0);
    assert_int_equal(from_a(&later).drop, FWD_DROP_NO_HOP);
    assert_int_equal(n_dropped(FWD_DROP_NO_HOP), 1);
    fate = from_a(&first);
    nat = network_place(fate.port, &fate.wire).vnf;
    fate = from_a(&later);
    assert_int_equal(fate.drop, FWD_DROP_NONE);
    assert_int_equal(network_place(fate.port, &fate.wire).vnf, nat);
    assert_int_equal(rings_worker(&rings)->counters->n_repinned, 1);
}

/* So that multipath routers, and queues of the next forwarder, keep them
 * together. */
static void
fragments_of_a_packet_have_one_source_port(void **state)
{
    struct network network = network_even();

    (void) state;
    network_start(&network, &rings);
    for (uint16_t id = 1; id < 40; id++) {
        struct wire ip = {0}, first, later;

        wire_fragment(&ip, &tcp, 0, true, id);
        first = network_from_vnf(FIREWALL, 0, 1, &ip);
        first = rings_pass(&rings, LAN, &first).wire;
        ip.size = 0;
        wire_fragment(&ip, &tcp, 64, false, id);
        later = network_from_vnf(FIREWALL, 0, 1, &ip);
        later = rings_pass(&rings, LAN, &later).wire;
        assert_int_equal(wire_get16(&later, 34), wire_get16(&first, 34));
    }
}

/* So that they spread over the paths between forwarders (RFC 7348). */
static void
flows_have_source_ports_of_their_own(void **state)
{
    enum { N = 256 };
    struct network network = network_even();
    bool seen[UINT16_MAX + 1] = {false};
    int n_ports = 0;

    (void) state;
    network_start(&network, &rings);
    for (uint16_t i = 0; i < N; i++) {
        struct wire_flow flow = tcp;
        struct wire ip = {.size = 0}, wire;
        uint16_t port;

        flow.source_port = i;
        wire_ip(&ip, &flow, 0x02, 20);
        wire = network_from_vnf(FIREWALL, 0, 1, &ip);
        wire = rings_pass(&rings, LAN, &wire).wire;
        port = wire_get16(&wire, 34);
        n_ports += !seen[port];
        seen[port] = true;
    }
    assert_in_range(n_ports, N * 9 / 10, N);
}

static void
icmp_errors_follow_their_flow(void **state)
{
    struct network network = network_even();

    (void) state;
    network_start(&network, &rings);
    for (uint16_t i = 0; i < 40; i++) {
        struct wire_flow flow = tcp, reverse;
        struct wire error = {0}, about_nothing = {0};
        struct fate fate;
        int nat;

        flow.ipv6 = i % 2;
        flow.source_port = (uint16_t) (1000 + i);
        nat = nat_of(&flow, 0x02);
        /* The client complains of a packet that the server sent. */
        reverse = wire_reverse(&flow);
        wire_icmp_error(&error, &reverse, 0x0c000001);
        fate = from_a(&error);
        assert_int_equal(fate.drop, FWD_DROP_NONE);
        assert_int_equal(network_place(fate.port, &fate.wire).vnf, nat);
        wire_icmp_error(&about_nothing, &flow, 0x0c000001);
        assert_int_equal(from_a(&about_nothing).drop,
                         FWD_DROP_ERROR_WITHOUT_FLOW);
    }
}

static void
drained_instance_keeps_its_flows_and_gets_no_new_ones(void **state)
{
    struct network network = network_even();
    struct wire_flow flow = tcp;
    uint32_t drained;

    (void) state;
    network_start(&network, &rings);
    drained = (uint32_t) nat_of(&tcp, 0x02);
    network.weight[NAT][drained] = 0;
    assert_int_equal(network_apply(&network, &rings), 0);
    assert_int_equal(nat_of(&tcp, 0x10), drained);
    for (uint16_t i = 0; i < 100; i++) {
        flow.source_port = i;
        assert_int_not_equal(nat_of(&flow, 0x02), drained);
    }
}

static void
connection_that_opens_again_is_a_new_one(void **state)
{
    struct network network = network_even();
    int nat;

    (void) state;
    network_start(&network, &rings);
    nat = nat_of(&tcp, 0x02);
    network.weight[NAT][nat] = 0;
    assert_int_equal(network_apply(&network, &rings), 0);
    assert_int_equal(nat_of(&tcp, 0x02), nat); /* A retransmission. */
    assert_int_equal(nat_of(&tcp, 0x14), nat); /* RST. */
    assert_int_not_equal(nat_of(&tcp, 0x02), nat);
}

static void
full_table_refuses_stateful_and_hashes_others(void **state)
{
    struct network network = network_even();
    struct wire_flow flow = tcp;
    struct wire ip;
    int nat;

    (void) state;
    network.capacity = 64;
    network_start(&network, &rings);
    for (uint16_t i = 0; i < 64; i++) {
        flow.source_port = i;
        nat_of(&flow, 0x02);
    }
    ip = ip_of(&tcp, 0x02);
    assert_int_equal(from_a(&ip).drop, FWD_DROP_TABLE_FULL);
    assert_int_equal(n_dropped(FWD_DROP_TABLE_FULL), 1);
    network.stateful = false;
    assert_int_equal(network_apply(&network, &rings), 0);
    nat = nat_of(&tcp, 0x02);
    assert_int_equal(nat_of(&tcp, 0x10), nat);
    assert_int_equal(rings_worker(&rings)->counters->n_unpinned, 2);
}

static void
idle_flows_leave_the_table(void **state)
{
    struct network network = network_even();
    const struct fwd_table *table;

    (void) state;
    network_start(&network, &rings);
    table = rings_worker(&rings)->table;
    nat_of(&tcp, 0x02);
    assert_int_equal(table->head->used, 1);
    rings.now_ms += 242000; /* tcp-transitory, and a second more. */
    for (uint64_t i = 0; i < table->n_lines; i++) {
        rings.now_ms += 1;
        rings_poll(&rings);
    }
    assert_int_equal(table->head->used, 0);
}

static void
stages_and_hops_are_counted(void **state)
{
    struct network network = network_even();
    const struct fwd_control *control;
    const struct fwd_count *stage, *hop;
    char name[32];
    int nat;

    (void) state;
    network_start(&network, &rings);
    control = rings.control;
    nat = nat_of(&tcp, 0x02);
    nat_of(&tcp, 0x10);
    snprintf(name, sizeof name, "instance/nat-%d", nat);
    stage = rings_worker(&rings)->counters->stages[
        fwd_names_find(&control->numbers.stages, "100/203/1")];
    hop = rings_worker(&rings)->counters->hops[
        fwd_names_find(&control->numbers.hops, name)];
    assert_int_equal(stage[FWD_FORWARD].packets, 2);
    assert_int_equal(stage[FWD_FORWARD].bytes, 280);
    assert_int_equal(stage[FWD_RETURN].packets, 0);
    assert_int_equal(hop[FWD_FORWARD].packets, 2);
}

/* As the model says; the port tells only how many it took of a burst. */
static void
packets_that_a_full_port_drops_are_counted_twice(void **state)
{
    const struct fwd_counters *counters;
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02), wire = network_from_peer(0, 1, 0, &ip);
    uint32_t room;
    void *packet;

    (void) state;
    network_start(&network, &rings);
    counters = rings_worker(&rings)->counters;
    room = rte_ring_free_count(rings.out[LAN][0]);
    for (uint32_t i = 0; i < room + 3; i++) {
        rings_inject(&rings, WAN, 0, &wire);
        rings_poll(&rings);
    }
    assert_int_equal(counters->n_sent, room);
    assert_int_equal(counters->drops[FWD_DROP_PORT_FULL], 3);
    assert_int_equal(counters->stages[fwd_names_find(
        &rings.control->numbers.stages, "100/203/1")][FWD_FORWARD].packets,
        room + 3);
    while (!rte_ring_dequeue(rings.out[LAN][0], &packet)) {
        rte_pktmbuf_free(packet);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packet_crosses_both_vnfs_and_comes_back),
        cmocka_unit_test(fragments_follow_their_first_fragment),
        cmocka_unit_test(later_fragment_is_dropped_if_its_hop_is_gone),
        cmocka_unit_test(fragments_of_a_packet_have_one_source_port),
        cmocka_unit_test(flows_have_source_ports_of_their_own),
        cmocka_unit_test(icmp_errors_follow_their_flow),
        cmocka_unit_test(drained_instance_keeps_its_flows_and_gets_no_new_ones),
        cmocka_unit_test(connection_that_opens_again_is_a_new_one),
        cmocka_unit_test(full_table_refuses_stateful_and_hashes_others),
        cmocka_unit_test(idle_flows_leave_the_table),
        cmocka_unit_test(stages_and_hops_are_counted),
        cmocka_unit_test(packets_that_a_full_port_drops_are_counted_twice),
    };

    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("forwarding", tests, NULL, NULL);
}
