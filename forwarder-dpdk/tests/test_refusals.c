// SPDX-License-Identifier: EPL-2.0
/* Packets that are dropped, and the limits beside them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "network.h"
#include "ports.h"
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

/* What is wrong with a packet, and the reason it is dropped for. */
static const struct {
    const char *what;
    uint16_t offset; /* Byte that is overwritten; 0: none. */
    uint8_t value;
    uint16_t size; /* Size that it is made with; 0: whole. */
    enum fwd_drop drop;
} refusals[] = {
    {"cut in Ethernet", 0, 0, 10, FWD_DROP_SHORT},
    {"cut in VXLAN", 0, 0, 60, FWD_DROP_SHORT},
    {"cut in labels", 0, 0, 70, FWD_DROP_SHORT},
    {"cut in IP", 0, 0, 80, FWD_DROP_SHORT},
    {"cut in TCP", 0, 0, 100, FWD_DROP_SHORT},
    {"cut in payload", 0, 0, 150, FWD_DROP_SHORT},
    {"outer IP without VXLAN", 17, 35, 0, FWD_DROP_BAD_HEADER},
    {"outer IP without inner Ethernet", 17, 49, 0, FWD_DROP_BAD_HEADER},
    {"outer IP beyond the frame", 17, 199, 0, FWD_DROP_BAD_HEADER},
    {"outer UDP without VXLAN", 39, 15, 0, FWD_DROP_BAD_HEADER},
    {"outer UDP without inner Ethernet", 39, 29, 0, FWD_DROP_BAD_HEADER},
    {"outer UDP beyond outer IP", 39, 179, 0, FWD_DROP_BAD_HEADER},
    {"no IPv4", 13, 7, 0, FWD_DROP_NOT_TUNNEL},
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

/* Of those, packets that are found to be bad behind their labels. */
static const struct {
    enum fwd_drop drop;
    uint64_t n;
} at_stage[] = {
    {FWD_DROP_SHORT, 3},
    {FWD_DROP_NOT_IP, 1},
    {FWD_DROP_BAD_HEADER, 1},
    {FWD_DROP_BAD_LABELS, 0},
};

/* Makes a tunnel end after 'size' bytes of its frame, as its headers say. */
static void
cut_tunnel(struct wire *wire, uint16_t size)
{
    wire->size = size;
    if (size > 64) {
        wire->data[17] = (uint8_t) (size - 14);
        wire->data[39] = (uint8_t) (size - 34);
    }
}

static void
bad_packet_is_dropped_for_its_reason(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02);

    (void) state;
    network_start(&network, &rings);
    for (size_t i = 0; i < sizeof refusals / sizeof *refusals; i++) {
        struct wire wire = network_from_peer(0, 1, 0, &ip);

        if (refusals[i].offset) {
            wire.data[refusals[i].offset] = refusals[i].value;
        }
        if (refusals[i].size) {
            cut_tunnel(&wire, refusals[i].size);
        }
        if (rings_pass(&rings, WAN, &wire).drop != refusals[i].drop) {
            fail_msg("%s", refusals[i].what);
        }
    }
    assert_int_equal(rings_worker(&rings)->counters->n_received,
                     sizeof refusals / sizeof *refusals);
    for (size_t i = 0; i < sizeof at_stage / sizeof *at_stage; i++) {
        assert_int_equal(network_n_dropped(&rings, 1, FWD_FORWARD,
                                           at_stage[i].drop),
                         at_stage[i].n);
    }
}

static void
labels_that_have_passed_too_often_end_here(void **state)
{
    struct network network = network_even();
    struct wire_flow reverse = wire_reverse(&tcp);
    struct wire back = ip_of(&reverse, 0x10), wire;

    (void) state;
    network_start(&network, &rings);
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
    network_start(&network, &rings);
    udp.protocol = 17;
    wire_ip(&ip, &udp, 0, 0);
    wire = network_from_vnf(FIREWALL, 0, 1, &ip);
    memset(wire.data + wire.size, 0, 14);
    wire.size = (uint16_t) (wire.size + 14);
    assert_int_equal(rings_pass(&rings, LAN, &wire).wire.size, 72 + ip.size);
}

static void
padding_behind_a_tunnel_is_not_forwarded(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02);
    struct wire wire = network_from_peer(0, 1, 0, &ip);
    uint16_t labelled = (uint16_t) (18 + 8 + ip.size);

    (void) state;
    network_start(&network, &rings);
    assert_int_equal(rings_pass(&rings, WAN, &wire).wire.size, labelled);
    memset(wire.data + wire.size, 0, 14);
    wire.size = (uint16_t) (wire.size + 14);
    assert_int_equal(rings_pass(&rings, WAN, &wire).wire.size, labelled);
}

static void
tunnel_that_is_cut_on_its_way_is_dropped(void **state)
{
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02);
    struct wire wire = network_from_peer(0, 1, 0, &ip);

    (void) state;
    network_start(&network, &rings);
    wire.size--;
    assert_int_equal(rings_pass(&rings, WAN, &wire).drop,
                     FWD_DROP_BAD_HEADER);
}

/* A packet with 'n' extension headers: destination options of 8 bytes. */
static struct wire
with_extensions(int n)
{
    struct wire_flow flow = tcp;
    struct wire ip, wire;

    flow.ipv6 = true;
    ip = wire = ip_of(&flow, 0x02);
    wire.size = (uint16_t) (ip.size + 8 * n);
    wire.data[4] = (uint8_t) ((wire.size - 40) >> 8);
    wire.data[5] = (uint8_t) (wire.size - 40);
    memset(wire.data + 40, 0, 8 * n);
    memcpy(wire.data + 40 + 8 * n, ip.data + 40, ip.size - 40);
    wire.data[6] = 60;
    for (int i = 0; i < n; i++) {
        wire.data[40 + 8 * i] = i + 1 < n ? 60 : ip.data[6];
    }
    return wire;
}

static void
eight_extension_headers_pass_and_nine_do_not(void **state)
{
    struct network network = network_even();
    struct wire ip = with_extensions(8), wire;

    (void) state;
    network_start(&network, &rings);
    wire = network_from_peer(0, 1, 0, &ip);
    assert_int_equal(rings_pass(&rings, WAN, &wire).drop, FWD_DROP_NONE);
    ip = with_extensions(9);
    wire = network_from_peer(0, 1, 0, &ip);
    assert_int_equal(rings_pass(&rings, WAN, &wire).drop,
                     FWD_DROP_BAD_HEADER);
}

static uint64_t
n_entries(void)
{
    return rings_worker(&rings)->table->head->used;
}

static void
packet_whose_labels_end_here_is_not_pinned(void **state)
{
    struct network network = network_even();
    struct wire_flow back = wire_reverse(&tcp);
    struct wire ip = ip_of(&back, 0x12), first = {0}, wire;

    (void) state;
    network_start(&network, &rings);
    wire = network_from_vnf(NAT, 0, 0, &ip);
    wire.data[21] = 1;
    assert_int_equal(rings_pass(&rings, LAN, &wire).drop,
                     FWD_DROP_TTL_EXPIRED);
    assert_int_equal(n_entries(), 0);
    assert_int_equal(rings_worker(&rings)->counters->n_flows, 0);
    wire.data[21] = 2;
    assert_int_equal(rings_pass(&rings, LAN, &wire).drop, FWD_DROP_NONE);
    assert_int_equal(n_entries(), 1);
    wire_fragment(&first, &back, 0, true, 7);
    wire = network_from_vnf(NAT, 0, 0, &first);
    wire.data[21] = 1;
    assert_int_equal(rings_pass(&rings, LAN, &wire).drop,
                     FWD_DROP_TTL_EXPIRED);
    assert_int_equal(n_entries(), 1);
}

/* A device may spread a frame over buffers; this one's last buffer has fewer
 * bytes than the padding. */
static void
padding_in_several_buffers_is_dropped(void **state)
{
    struct fwd_counters *counters;
    struct network network = network_even();
    struct wire ip = ip_of(&tcp, 0x02), wire;
    struct rte_mbuf *packet, *last;

    (void) state;
    network_start(&network, &rings);
    counters = rings_worker(&rings)->counters;
    wire = network_from_vnf(FIREWALL, 0, 1, &ip);
    packet = rte_pktmbuf_alloc(rings.control->pool);
    last = rte_pktmbuf_alloc(rings.control->pool);
    assert_true(packet && last);
    memcpy(rte_pktmbuf_append(packet, wire.size), wire.data, wire.size);
    assert_non_null(rte_pktmbuf_append(packet, 8));
    assert_non_null(rte_pktmbuf_append(last, 8));
    assert_int_equal(rte_pktmbuf_chain(packet, last), 0);
    assert_int_equal(rte_ring_enqueue(rings.in[LAN][0], packet), 0);
    rings_poll(&rings);
    assert_int_equal(counters->drops[FWD_DROP_BAD_HEADER], 1);
    assert_int_equal(counters->n_sent, 0);
}

/* One buffer takes the largest frame that the model allows. */
static void
buffers_take_the_largest_frame(void **state)
{
    struct network network = network_even();
    struct rte_mbuf *packet;

    (void) state;
    network.mtu = 9600;
    network_start(&network, &rings);
    packet = rte_pktmbuf_alloc(rings.control->pool);
    assert_non_null(packet);
    assert_non_null(rte_pktmbuf_append(packet, 9600 + 18));
    rte_pktmbuf_free(packet);
}

/* A port's queues may hold all that they have room for. */
static void
there_are_buffers_for_the_queues_of_all_ports(void **state)
{
    (void) state;
    for (uint32_t n = 1; n <= FWD_MAX_PORTS; n++) {
        char text[4096], reason[FWD_REASON_SIZE], *at = text;
        struct fwd_config config;

        at += sprintf(at, "{\"sluice-forwarder:forwarder\": {\"name\": \"F\", "
                      "\"underlay\": {\"port\": \"p0\", \"address\": "
                      "\"192.0.2.1\"}, \"ports\": {\"port\": [");
        for (uint32_t i = 0; i < n; i++) {
            at += sprintf(at, "%s{\"name\": \"p%u\", \"device\": \"d\"}",
                          i ? "," : "", i);
        }
        strcpy(at, "]}}}");
        assert_int_equal(fwd_config_parse(rings.models, text, &config,
                                          reason), 0);
        assert_true(fwd_ports_n_buffers(&config)
                    >= 2 * n * FWD_N_DESCRIPTORS + 8192);
        fwd_config_destroy(&config);
    }
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
        cmocka_unit_test(bad_packet_is_dropped_for_its_reason),
        cmocka_unit_test(labels_that_have_passed_too_often_end_here),
        cmocka_unit_test(padding_of_the_link_is_not_forwarded),
        cmocka_unit_test(padding_behind_a_tunnel_is_not_forwarded),
        cmocka_unit_test(tunnel_that_is_cut_on_its_way_is_dropped),
        cmocka_unit_test(eight_extension_headers_pass_and_nine_do_not),
        cmocka_unit_test(packet_whose_labels_end_here_is_not_pinned),
        cmocka_unit_test(padding_in_several_buffers_is_dropped),
        cmocka_unit_test(buffers_take_the_largest_frame),
        cmocka_unit_test(there_are_buffers_for_the_queues_of_all_ports),
        cmocka_unit_test(names_of_drops_suit_telemetry),
    };

    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("refusals", tests, NULL, NULL);
}
