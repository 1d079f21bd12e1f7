// SPDX-License-Identifier: EPL-2.0
/* Packets in, packets out, through ring ports. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"

#define TEXT_SIZE 16384

static struct rings rings;
static const struct wire_flow tcp = {
    .protocol = 6, .source = 0x0a000001, .destination = 0x0b000001,
    .source_port = 40000, .destination_port = 80,
};

static void
start(const struct network *network)
{
    char text[TEXT_SIZE];

    network_write(network, text, sizeof text);
    rings_start(&rings, text);
}

static int
apply(const struct network *network)
{
    char text[TEXT_SIZE], reason[FWD_REASON_SIZE];

    network_write(network, text, sizeof text);
    return rings_apply(&rings, text, reason);
}

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

static void
packet_crosses_both_vnfs_and_comes_back(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02), back, wire;
    struct wire_flow reverse = wire_reverse(&tcp);
    struct place nat, fw, peer;
    struct fate fate = {0};

    (void) state;
    start(&network);
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
    start(&network);
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
}

static void
icmp_errors_follow_their_flow(void **state)
{
    struct network network = network_even();

    (void) state;
    start(&network);
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
    start(&network);
    drained = (uint32_t) nat_of(&tcp, 0x02);
    network.weight[NAT][drained] = 0;
    assert_int_equal(apply(&network), 0);
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
    start(&network);
    nat = nat_of(&tcp, 0x02);
    network.weight[NAT][nat] = 0;
    assert_int_equal(apply(&network), 0);
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
    start(&network);
    for (uint16_t i = 0; i < 64; i++) {
        flow.source_port = i;
        nat_of(&flow, 0x02);
    }
    ip = ip_of(&tcp, 0x02);
    assert_int_equal(from_a(&ip).drop, FWD_DROP_TABLE_FULL);
    network.stateful = false;
    assert_int_equal(apply(&network), 0);
    nat = nat_of(&tcp, 0x02);
    assert_int_equal(nat_of(&tcp, 0x10), nat);
    assert_int_equal(rings.control->worker->counters->n_unpinned, 2);
}

static void
idle_flows_leave_the_table(void **state)
{
    struct network network = network_even();
    const struct fwd_table *table;

    (void) state;
    start(&network);
    table = rings.control->worker->table;
    nat_of(&tcp, 0x02);
    assert_int_equal(table->used, 1);
    rings.now_ms += 242000; /* tcp-transitory, and a second more. */
    for (uint64_t i = 0; i < table->n_lines; i++) {
        rings.now_ms += 1;
        rings_poll(&rings);
    }
    assert_int_equal(table->used, 0);
}

static void
wrong_document_changes_nothing(void **state)
{
    struct network network = network_even();
    char text[TEXT_SIZE], reason[FWD_REASON_SIZE];
    const void *rules;

    (void) state;
    start(&network);
    rules = rings.control->worker->rules;
    network_write(&network, text, sizeof text);
    memcpy(strstr(text, "\"name\": \"nat-1\", \"weight\"") + 9, "nat-9", 5);
    assert_int_not_equal(rings_apply(&rings, text, reason), 0);
    assert_string_equal(reason, "stage 1: there is no instance nat-9");
    network_write(&network, text, sizeof text);
    memcpy(strstr(text, "\"wan\""), "\"man\"", 5);
    assert_int_not_equal(rings_apply(&rings, text, reason), 0);
    assert_ptr_equal(rings.control->worker->rules, rules);
}

/* What is wrong with a packet, and the reason it is dropped for. */
struct refusal {
    const char *what;
    uint16_t offset; /* Byte that is overwritten; 0: none. */
    uint8_t value;
    uint16_t size; /* Size that it is cut to; 0: whole. */
    enum fwd_drop drop;
};

static void
bad_packet_is_dropped_for_its_reason(void **state)
{
    static const struct refusal refusals[] = {
        {"cut in Ethernet", 0, 0, 10, FWD_DROP_SHORT},
        {"cut in VXLAN", 0, 0, 60, FWD_DROP_SHORT},
        {"cut in labels", 0, 0, 70, FWD_DROP_SHORT},
        {"cut in IP", 0, 0, 80, FWD_DROP_SHORT},
        {"cut in TCP", 0, 0, 100, FWD_DROP_SHORT},
        {"cut in payload", 0, 0, 150, FWD_DROP_SHORT},
        {"ARP", 13, 6, 0, FWD_DROP_NOT_TUNNEL},
        {"outer TCP", 23, 6, 0, FWD_DROP_NOT_TUNNEL},
        {"other port", 37, 1, 0, FWD_DROP_NOT_TUNNEL},
        {"other address", 33, 9, 0, FWD_DROP_NOT_TUNNEL},
        {"no VNI", 42, 0, 0, FWD_DROP_NOT_TUNNEL},
        {"foreign VNI", 46, 1, 0, FWD_DROP_UNKNOWN_VNI},
        {"unknown peer", 29, 99, 0, FWD_DROP_UNKNOWN_PEER},
        {"no MPLS", 63, 0, 0, FWD_DROP_BAD_LABELS},
        {"one label", 66, 0x41, 0, FWD_DROP_BAD_LABELS},
        {"three labels", 70, 0xb0, 0, FWD_DROP_BAD_LABELS},
        {"TTL 0", 67, 0, 0, FWD_DROP_TTL_EXPIRED},
        {"other chain", 65, 7, 0, FWD_DROP_UNKNOWN_CHAIN},
        {"other stage", 48, 20, 0, FWD_DROP_UNKNOWN_STAGE},
        {"stage 0", 48, 0, 0, FWD_DROP_UNKNOWN_STAGE},
        {"not IP", 72, 0x55, 0, FWD_DROP_NOT_IP},
        {"IP header of 4 bytes", 72, 0x41, 0, FWD_DROP_BAD_HEADER},
    };
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02);

    (void) state;
    start(&network);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct wire wire = network_from_peer(0, 1, 0, &ip);

        if (refusals[i].offset) {
            wire.data[refusals[i].offset] = refusals[i].value;
        }
        if (refusals[i].size) {
            wire.size = refusals[i].size;
        }
        if (rings_pass(&rings, WAN, &wire).drop != refusals[i].drop) {
            fail_msg("%s", refusals[i].what);
        }
    }
    assert_int_equal(rings.control->worker->counters->n_received,
                     sizeof refusals / sizeof *refusals);
}

static void
packet_larger_than_the_mtu_is_dropped(void **state)
{
    struct network network = network_even();
    struct wire ip = {0}, wire;

    (void) state;
    start(&network);
    wire_ip(&ip, &tcp, 0x02, 1500 - 58 - 40);
    wire = network_from_vnf(FIREWALL, 0, 1, &ip);
    assert_int_equal(rings_pass(&rings, LAN, &wire).drop, FWD_DROP_NONE);
    ip.size = 0;
    wire_ip(&ip, &tcp, 0x02, 1500 - 58 - 40 + 1);
    wire = network_from_vnf(FIREWALL, 0, 1, &ip);
    assert_int_equal(rings_pass(&rings, LAN, &wire).drop, FWD_DROP_TOO_BIG);
}

static void
labels_that_have_passed_too_often_end_here(void **state)
{
    struct network network = network_even();
    struct wire_flow reverse = wire_reverse(&tcp);
    struct wire back = ip_of(&reverse, 0x10), wire;

    (void) state;
    start(&network);
    wire = network_from_vnf(NAT, 0, 0, &back);
    wire.data[21] = 2;
    assert_int_equal(rings_pass(&rings, LAN, &wire).wire.data[67], 1);
    wire.data[21] = 1;
    assert_int_equal(rings_pass(&rings, LAN, &wire).drop,
                     FWD_DROP_TTL_EXPIRED);
}

static void
padding_of_the_link_is_not_forwarded(void **state)
{
    struct network network = network_even();
    struct wire_flow udp = tcp;
    struct wire ip = {0}, wire;

    (void) state;
    start(&network);
    udp.protocol = 17;
    wire_ip(&ip, &udp, 0, 0);
    wire = network_from_vnf(FIREWALL, 0, 1, &ip);
    memset(wire.data + wire.size, 0, 14);
    wire.size = (uint16_t) (wire.size + 14);
    assert_int_equal(rings_pass(&rings, LAN, &wire).wire.size, 72 + ip.size);
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
    start(&network);
    control = rings.control;
    nat = nat_of(&tcp, 0x02);
    nat_of(&tcp, 0x10);
    snprintf(name, sizeof name, "instance/nat-%d", nat);
    stage = control->worker->counters->stages[
        fwd_names_find(&control->numbers.stages, "100/203/1")];
    hop = control->worker->counters->hops[
        fwd_names_find(&control->numbers.hops, name)];
    assert_int_equal(stage[FWD_FORWARD].packets, 2);
    assert_int_equal(stage[FWD_FORWARD].bytes, 280);
    assert_int_equal(stage[FWD_RETURN].packets, 0);
    assert_int_equal(hop[FWD_FORWARD].packets, 2);
}

/* DPDK's telemetry silently leaves out other names. */
static void
names_of_drops_suit_telemetry(void **state)
{
    (void) state;
    for (int i = 0; i < FWD_N_DROPS; i++) {
        const char *name = fwd_drop_name(i);

        assert_int_equal(strspn(name, "abcdefghijklmnopqrstuvwxyz_"),
                         strlen(name));
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(packet_crosses_both_vnfs_and_comes_back),
        cmocka_unit_test(fragments_follow_their_first_fragment),
        cmocka_unit_test(icmp_errors_follow_their_flow),
        cmocka_unit_test(drained_instance_keeps_its_flows_and_gets_no_new_ones),
        cmocka_unit_test(connection_that_opens_again_is_a_new_one),
        cmocka_unit_test(full_table_refuses_stateful_and_hashes_others),
        cmocka_unit_test(idle_flows_leave_the_table),
        cmocka_unit_test(wrong_document_changes_nothing),
        cmocka_unit_test(bad_packet_is_dropped_for_its_reason),
        cmocka_unit_test(packet_larger_than_the_mtu_is_dropped),
        cmocka_unit_test(labels_that_have_passed_too_often_end_here),
        cmocka_unit_test(padding_of_the_link_is_not_forwarded),
        cmocka_unit_test(stages_and_hops_are_counted),
        cmocka_unit_test(names_of_drops_suit_telemetry),
    };

    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("forwarding", tests, NULL, NULL);
}
