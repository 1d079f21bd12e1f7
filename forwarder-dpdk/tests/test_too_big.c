// SPDX-License-Identifier: EPL-2.0
/* Packets that are too big for where they go, and what their senders are
 * told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"

#define TUNNEL 58   /* Bytes of layer 3 before the packet in a tunnel. */
#define ROOM (1500 - TUNNEL)
#define TCP_SIZE 40 /* Bytes of the headers of IPv4 and TCP. */

static struct rings rings;
static const struct wire_flow tcp = {
    .whole = true, .protocol = 6,
    .source = 0x0a000001, .destination = 0x0b000001,
    .source_port = 40000, .destination_port = 80,
};
static const struct wire_flow tcp6 = {
    .ipv6 = true, .protocol = 6,
    .source = 0x0a000001, .destination = 0x0b000001,
    .source_port = 40000, .destination_port = 80,
};

/* A packet of 'size' bytes. */
static struct wire
ip_of(const struct wire_flow *flow, uint16_t size)
{
    struct wire ip = {.size = 0};

    wire_ip(&ip, flow, 0x10,
            (uint16_t) (size - TCP_SIZE - (flow->ipv6 ? 20 : 0)));
    return ip;
}

/* What becomes of a packet that firewall 0 sends to the next forwarder. */
static struct fate
to_next(const struct wire *ip)
{
    struct wire wire = network_from_vnf(FIREWALL, 0, 1, ip);

    return rings_pass(&rings, LAN, &wire);
}

/* Checks the error about 'ip' at 'offset', which tells that 'room' fits. */
static void
check_ipv4(const struct wire *wire, uint16_t offset, const struct wire *ip,
           uint16_t room)
{
    uint16_t quoted = (uint16_t) (wire->size - offset - 28);

    assert_int_equal(wire_get16(wire, offset + 2), wire->size - offset);
    assert_int_equal(wire_checksum(wire, offset, 20, 0), 0);
    assert_int_equal(wire->data[offset], 0x45);
    assert_int_equal(wire->data[offset + 9], 1);
    assert_int_equal(wire_get32(wire, offset + 12), ICMP_SOURCE);
    assert_int_equal(wire_get32(wire, offset + 16), tcp.source);
    assert_int_equal(wire_get16(wire, offset + 20), 0x0304);
    assert_int_equal(wire_get32(wire, offset + 24), room);
    assert_int_equal(wire_checksum(wire, offset + 20, quoted + 8, 0), 0);
    assert_int_equal(quoted, 576 - 28);
    assert_memory_equal(wire->data + offset + 28, ip->data, quoted);
}

static void
check_ipv6(const struct wire *wire, uint16_t offset, const struct wire *ip,
           uint16_t room)
{
    uint16_t quoted = (uint16_t) (wire->size - offset - 48);

    assert_int_equal(wire_get32(wire, offset), 0x60000000);
    assert_int_equal(wire_get16(wire, offset + 4), quoted + 8);
    assert_int_equal(wire->data[offset + 6], 58);
    assert_int_equal(wire_get32(wire, offset + 20), ICMP_SOURCE);
    assert_memory_equal(wire->data + offset + 24, ip->data + 8, 16);
    assert_int_equal(wire_get16(wire, offset + 40), 0x0200);
    assert_int_equal(wire_get32(wire, offset + 44), room);
    assert_int_equal(wire_checksum(wire, offset + 40, quoted + 8,
                                   wire_pseudo_sum(wire, offset)), 0);
    assert_int_equal(quoted, 1280 - 48);
    assert_memory_equal(wire->data + offset + 48, ip->data, quoted);
}

static void
what_just_fits_is_sent(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, ROOM), ip6 = ip_of(&tcp6, ROOM);

    (void) state;
    network_start(&network, &rings);
    assert_int_equal(to_next(&ip).wire.size, 14 + 1500);
    assert_int_equal(to_next(&ip6).wire.size, 14 + 1500);
    assert_int_equal(rings_worker(&rings)->counters->n_made, 0);
}

static void
instance_is_told_what_fits_into_the_tunnel(void **state)
{
    struct network network = network_even();
    const struct fwd_counters *counters;
    struct wire ip = ip_of(&tcp, ROOM + 1), ip6 = ip_of(&tcp6, ROOM + 1);
    struct place place;
    struct fate fate;

    (void) state;
    network_start(&network, &rings);
    counters = rings_worker(&rings)->counters;
    fate = to_next(&ip);
    place = network_place(fate.port, &fate.wire);
    assert_true(place.kind == FIREWALL && !place.vnf && place.egress);
    check_ipv4(&fate.wire, place.ip_offset, &ip, ROOM);
    fate = to_next(&ip6);
    place = network_place(fate.port, &fate.wire);
    assert_true(place.kind == FIREWALL && !place.vnf && place.egress);
    check_ipv6(&fate.wire, place.ip_offset, &ip6, ROOM);
    assert_int_equal(counters->drops[FWD_DROP_TOO_BIG], 2);
    assert_int_equal(
        network_n_dropped(&rings, 3, FWD_FORWARD, FWD_DROP_TOO_BIG), 2);
    assert_int_equal(counters->n_received + counters->n_made,
                     counters->n_sent + 2);
}

/* A NAT keeps labels, which leaves 8 bytes less than its port has. */
static void
forwarder_is_told_what_fits_behind_labels(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 1493), ip6 = ip_of(&tcp6, 1493), wire;
    struct place place;
    struct fate fate;

    (void) state;
    network_start(&network, &rings);
    wire = network_from_peer(1, 1, 0, &ip);
    fate = rings_pass(&rings, WAN, &wire);
    place = network_place(fate.port, &fate.wire);
    assert_true(place.is_peer);
    assert_int_equal(place.peer, 1);
    assert_int_equal(place.vni, network_vni(1, 1));
    assert_int_equal(fate.wire.data[67], 64);
    check_ipv4(&fate.wire, place.ip_offset, &ip, 1492);
    wire = network_from_peer(1, 1, 0, &ip6);
    fate = rings_pass(&rings, WAN, &wire);
    place = network_place(fate.port, &fate.wire);
    check_ipv6(&fate.wire, place.ip_offset, &ip6, 1492);
}

/* The error crosses the firewall and then the NAT, as its flow did. */
static void
error_goes_back_along_the_flow(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 100), error = {.size = 0}, wire;
    struct place place;
    struct fate fate;
    int nat;

    (void) state;
    for (int i = 1; i < N_VNFS; i++) {
        network.weight[FIREWALL][i] = 0;
    }
    network_start(&network, &rings);
    wire = network_from_peer(1, 1, 0, &ip);
    fate = rings_pass(&rings, WAN, &wire);
    nat = network_place(fate.port, &fate.wire).vnf;
    wire = network_from_vnf(NAT, nat, 1, &ip);
    rings_pass(&rings, LAN, &wire);

    ip = ip_of(&tcp, ROOM + 1);
    fate = to_next(&ip);
    place = network_place(fate.port, &fate.wire);
    error.size = (uint16_t) (fate.wire.size - place.ip_offset);
    memcpy(error.data, fate.wire.data + place.ip_offset, error.size);
    wire = network_from_vnf(FIREWALL, 0, 0, &error);
    fate = rings_pass(&rings, LAN, &wire);
    place = network_place(fate.port, &fate.wire);
    assert_true(place.kind == NAT && place.vnf == nat && place.egress);
    wire = network_from_vnf(NAT, nat, 0, &error);
    fate = rings_pass(&rings, LAN, &wire);
    assert_int_equal(network_place(fate.port, &fate.wire).peer, 1);
}

/* A packet that is too big, about which nothing is told. */
struct silence {
    const char *what;
    const struct wire_flow *flow;
    uint16_t offset; /* Byte of the packet that is overwritten. */
    uint8_t value;
    enum fwd_drop drop;
};

static void
nobody_is_told_about(void **state)
{
    static const struct silence silences[] = {
        {"IPv4 that may be fragmented", &tcp, 6, 0, FWD_DROP_TOO_BIG_NO_DF},
        {"from a group", &tcp, 12, 224, FWD_DROP_TOO_BIG_SILENT},
        {"from this host", &tcp, 12, 127, FWD_DROP_TOO_BIG_SILENT},
        {"from nobody", &tcp, 12, 0, FWD_DROP_TOO_BIG_SILENT},
        {"from the broadcast address", &tcp, 12, 255,
         FWD_DROP_TOO_BIG_SILENT},
        {"to a group", &tcp, 16, 224, FWD_DROP_TOO_BIG_SILENT},
        {"from a group of IPv6", &tcp6, 8, 0xff, FWD_DROP_TOO_BIG_SILENT},
    };
    struct network network = network_even();

    (void) state;
    network_start(&network, &rings);
    for (size_t i = 0; i < sizeof silences / sizeof *silences; i++) {
        struct wire ip = ip_of(silences[i].flow, ROOM + 1);

        ip.data[silences[i].offset] = silences[i].value;
        if (to_next(&ip).drop != silences[i].drop) {
            fail_msg("%s", silences[i].what);
        }
    }
    assert_int_equal(rings_worker(&rings)->counters->n_made, 0);
}

static void
ipv6_to_a_group_is_told(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp6, ROOM + 1);

    (void) state;
    network_start(&network, &rings);
    ip.data[24] = 0xff;
    assert_int_equal(to_next(&ip).drop, FWD_DROP_NONE);
}

/* An error and a later fragment, each of a flow that is there. */
static void
nobody_is_told_about_errors_and_later_fragments(void **state)
{
    struct network network = network_even();
    struct wire_flow reverse = wire_reverse(&tcp);
    struct wire ip = ip_of(&tcp, 100), wire = {.size = 0};

    (void) state;
    network_start(&network, &rings);
    to_next(&ip);
    wire_icmp_error(&wire, &reverse, 0x0c000001);
    wire.data[2] = (ROOM + 1) >> 8;
    wire.data[3] = (ROOM + 1) & 0xff;
    wire.data[6] = 0x40;
    wire.size = ROOM + 1;
    assert_int_equal(to_next(&wire).drop, FWD_DROP_TOO_BIG_SILENT);

    wire.size = 0;
    wire_fragment(&wire, &tcp, 0, true, 7);
    assert_int_equal(to_next(&wire).drop, FWD_DROP_NONE);
    wire.size = 0;
    wire_fragment(&wire, &tcp, 64, false, 7);
    wire.data[2] = (ROOM + 1) >> 8;
    wire.data[3] = (ROOM + 1) & 0xff;
    wire.size = ROOM + 1;
    assert_int_equal(to_next(&wire).drop, FWD_DROP_TOO_BIG_SILENT);
}

static void
forwarder_without_an_address_for_it_tells_nobody(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, ROOM + 1), ip6 = ip_of(&tcp6, ROOM + 1);

    (void) state;
    network.is_mute = true;
    network_start(&network, &rings);
    assert_int_equal(to_next(&ip).drop, FWD_DROP_TOO_BIG_NO_SOURCE);
    assert_int_equal(to_next(&ip6).drop, FWD_DROP_TOO_BIG_NO_SOURCE);
}

static void
connection_that_begins_too_big_is_not_pinned(void **state)
{
    struct network network = network_even();
    struct wire_flow fragile = tcp;
    struct wire big = ip_of(&tcp, ROOM + 1), fits = ip_of(&tcp, ROOM);
    struct wire silent, wire;
    const uint64_t *used;

    (void) state;
    fragile.whole = false;
    silent = ip_of(&fragile, ROOM + 1);
    network_start(&network, &rings);
    used = &rings_worker(&rings)->table->head->used;
    assert_int_equal(to_next(&big).drop, FWD_DROP_NONE);
    assert_int_equal(rings_worker(&rings)->counters->n_made, 1);
    assert_int_equal(to_next(&silent).drop, FWD_DROP_TOO_BIG_NO_DF);
    big = ip_of(&tcp, 1500 - 8 + 1);
    wire = network_from_peer(0, 1, 0, &big);
    assert_int_equal(rings_pass(&rings, WAN, &wire).port, WAN);
    assert_int_equal(*used, 0);
    assert_int_equal(rings_worker(&rings)->counters->n_flows, 0);
    assert_int_equal(to_next(&fits).drop, FWD_DROP_NONE);
    assert_int_equal(*used, 1);
}

static void
errors_are_limited(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, ROOM + 1);

    (void) state;
    network_start(&network, &rings);
    for (int i = 0; i < 50; i++) {
        assert_int_equal(to_next(&ip).drop, FWD_DROP_NONE);
    }
    assert_int_equal(to_next(&ip).drop, FWD_DROP_TOO_BIG_LIMITED);
    rings.now_ms += 1;
    assert_int_equal(to_next(&ip).drop, FWD_DROP_NONE);
    assert_int_equal(to_next(&ip).drop, FWD_DROP_TOO_BIG_LIMITED);
    rings.now_ms += 1000;
    for (int i = 0; i < 50; i++) {
        assert_int_equal(to_next(&ip).drop, FWD_DROP_NONE);
    }
    assert_int_equal(to_next(&ip).drop, FWD_DROP_TOO_BIG_LIMITED);
}

/* Of a packet in several buffers the first one is quoted. */
static void
packet_in_several_buffers_is_told_about(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, ROOM + 1), wire;
    struct rte_mbuf *packet, *last;
    struct place place;
    struct fate fate;

    (void) state;
    network_start(&network, &rings);
    wire = network_from_vnf(FIREWALL, 0, 1, &ip);
    packet = rte_pktmbuf_alloc(rings.control->pool);
    last = rte_pktmbuf_alloc(rings.control->pool);
    assert_true(packet && last);
    memcpy(rte_pktmbuf_append(packet, 318), wire.data, 318);
    memcpy(rte_pktmbuf_append(last, wire.size - 318), wire.data + 318,
           wire.size - 318);
    assert_int_equal(rte_pktmbuf_chain(packet, last), 0);
    assert_int_equal(rte_ring_enqueue(rings.in[LAN][0], packet), 0);
    rings_poll(&rings);
    assert_true(rings_take(&rings, &fate));
    place = network_place(fate.port, &fate.wire);
    assert_int_equal(fate.wire.size, place.ip_offset + 28 + 300);
    assert_memory_equal(fate.wire.data + place.ip_offset + 28, ip.data, 300);
    assert_int_equal(rte_mempool_in_use_count(rings.control->pool), 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_just_fits_is_sent),
        cmocka_unit_test(instance_is_told_what_fits_into_the_tunnel),
        cmocka_unit_test(forwarder_is_told_what_fits_behind_labels),
        cmocka_unit_test(error_goes_back_along_the_flow),
        cmocka_unit_test(nobody_is_told_about),
        cmocka_unit_test(ipv6_to_a_group_is_told),
        cmocka_unit_test(nobody_is_told_about_errors_and_later_fragments),
        cmocka_unit_test(forwarder_without_an_address_for_it_tells_nobody),
        cmocka_unit_test(connection_that_begins_too_big_is_not_pinned),
        cmocka_unit_test(errors_are_limited),
        cmocka_unit_test(packet_in_several_buffers_is_told_about),
    };

    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("too-big", tests, NULL, NULL);
}
