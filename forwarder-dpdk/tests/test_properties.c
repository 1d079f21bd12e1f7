// SPDX-License-Identifier: EPL-2.0
/* Conformity, flow affinity and symmetric return (the paper's section 5.3)
 * under random traffic, of fragments and ICMP errors too, and random changes:
 * of the rules, and of the forwarder, which another one takes over from; with
 * one lcore and several. The reference is a list of connections and of what
 * each has met. FWD_SEED repeats a run. Arguments, if any: how many
 * connections there are at a time, and how many round trips. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"
#include "seed.h"

#define CHANGE_EVERY 40 /* Steps. */
#define ROOM 8          /* Of the flow table, for each connection and step. */
#define ODD_EVERY 8     /* Packets; then fragments, or errors, too. */
#define EGRESS_OPENS_EVERY 4 /* Connections. */
#define UNKNOWN (-1)

/* What a connection has met; UNKNOWN before its first packet. */
struct connection {
    struct wire_flow before; /* As the NAT gets it. */
    struct wire_flow behind; /* As the NAT sends it. */
    int previous;            /* The peer that it comes from, or, if it is
                              * opened from the egress, goes to. */
    int vnf[N_KINDS];
    int next;                /* The other way around. */
};

static struct rings rings;
static struct network network;
static struct connection *connections;
static uint32_t n_connections = 400;
static uint32_t n_steps = 20000; /* Round trips. */
static uint32_t n_changes;

static uint32_t
below(uint32_t n)
{
    return (uint32_t) (random() % n);
}

static void
begin(struct connection *connection, uint16_t number)
{
    static const uint8_t protocols[] = {6, 17, 1};
    struct wire_flow flow = {
        .ipv6 = below(2),
        .protocol = protocols[below(3)],
        .source = 0x0a000000 + below(1 << 24),
        .destination = 0x0b000000 + below(1 << 24),
        .source_port = number,
    };

    flow.destination_port = flow.protocol == 1 ? number : 80;
    *connection = (struct connection) {
        .before = flow, .behind = flow, .previous = UNKNOWN,
        .vnf = {UNKNOWN, UNKNOWN}, .next = UNKNOWN,
    };
    if (below(EGRESS_OPENS_EVERY) == 0) {
        connection->next = 2 + (int) below(2);
    } else {
        connection->previous = (int) below(2);
    }
    connection->behind.source = 0xc6336400; /* The NAT's own address. */
}

/* A packet of a connection at one side of the NAT. */
static struct wire
packet(const struct wire_flow *flow, bool is_return, uint8_t flags)
{
    struct wire_flow reverse = wire_reverse(flow);
    struct wire ip = {.size = 0};

    wire_ip(&ip, is_return ? &reverse : flow, flags, 20);
    return ip;
}

/* Where a packet comes from: a peer, or a side of an instance. */
struct origin {
    bool is_peer;
    int peer;
    uint32_t stage;
    int kind;
    int vnf;
    int egress;
};

static struct origin
peer_origin(int peer, uint32_t stage)
{
    return (struct origin) {.is_peer = true, .peer = peer, .stage = stage};
}

static struct origin
vnf_origin(const struct connection *connection, int kind, int egress)
{
    return (struct origin) {
        .kind = kind, .vnf = connection->vnf[kind], .egress = egress,
    };
}

static struct wire
wire_from(const struct origin *from, bool is_return, const struct wire *ip)
{
    if (from->is_peer) {
        return network_from_peer(from->peer, from->stage, is_return, ip);
    }
    return network.single && from->kind == NAT
               ? network_from_single(from->vnf, from->egress, ip)
               : network_from_vnf(from->kind, from->vnf, from->egress, ip);
}

/* Passes a packet on and checks that its IP packet stays as it is. */
static struct place
pass(const struct origin *from, bool is_return, const struct wire *ip)
{
    struct wire wire = wire_from(from, is_return, ip);
    struct fate fate = rings_pass(&rings, from->is_peer ? WAN : LAN, &wire);
    struct place place;

    if (fate.drop) {
        fail_msg("dropped: %s", fwd_drop_text(fate.drop));
    }
    place = (network.single ? network_single_place : network_place)(
        fate.port, &fate.wire);
    assert_int_equal(fate.wire.size - place.ip_offset, ip->size);
    assert_memory_equal(fate.wire.data + place.ip_offset, ip->data, ip->size);
    return place;
}

static void
pass_to(const struct origin *from, bool is_return, const struct wire *ip,
        const struct place *expected)
{
    struct place place = pass(from, is_return, ip);

    assert_int_equal(place.is_peer, expected->is_peer);
    assert_int_equal(place.peer, expected->peer);
    assert_int_equal(place.vni, expected->vni);
    assert_int_equal(place.kind, expected->kind);
    assert_int_equal(place.vnf, expected->vnf);
    assert_int_equal(place.egress, expected->egress);
}

/* Passes a packet of a connection on; sometimes fragments of another one, and
 * an ICMP error that answers a third, which have to go the same way. */
static struct place
pass_all(struct origin from, const struct wire_flow *flow, bool is_return)
{
    static uint16_t fragment_id;
    struct wire_flow reverse = wire_reverse(flow);
    const struct wire_flow *out = is_return ? &reverse : flow;
    struct wire ip = packet(flow, is_return, 0x10), other = {0};
    struct place place = pass(&from, is_return, &ip);

    if (below(ODD_EVERY) == 0) {
        wire_fragment(&other, out, 0, true, ++fragment_id);
        pass_to(&from, is_return, &other, &place);
        other.size = 0;
        wire_fragment(&other, out, 64, false, fragment_id);
        pass_to(&from, is_return, &other, &place);
    }
    if (below(ODD_EVERY) == 0) {
        other.size = 0;
        wire_icmp_error(&other, is_return ? flow : &reverse, 0x0c000001);
        pass_to(&from, is_return, &other, &place);
    }
    return place;
}

/* Checks that a packet has come to an instance of 'kind', on 'egress' side:
 * the one that the connection knows, unless that is gone. */
static void
meet(struct connection *connection, struct place place, int kind, int egress)
{
    assert_false(place.is_peer);
    assert_int_equal(place.kind, kind);
    assert_int_equal(place.egress, egress);
    if (connection->vnf[kind] == UNKNOWN
        || network.gone[kind][connection->vnf[kind]]) {
        assert_false(network.gone[kind][place.vnf]);
        assert_int_not_equal(network.weight[kind][place.vnf], 0);
        connection->vnf[kind] = place.vnf;
    }
    assert_int_equal(place.vnf, connection->vnf[kind]);
}

static void
go_forward(struct connection *connection)
{
    struct place place = pass_all(peer_origin(connection->previous, 1),
                                  &connection->before, false);

    meet(connection, place, NAT, 0);
    place = pass_all(vnf_origin(connection, NAT, 1), &connection->behind,
                     false);
    meet(connection, place, FIREWALL, 0);
    place = pass_all(vnf_origin(connection, FIREWALL, 1),
                     &connection->behind, false);
    assert_true(place.is_peer);
    assert_int_equal(place.vni, network_vni(3, 0));
    if (connection->next == UNKNOWN) {
        connection->next = place.peer;
        assert_int_not_equal(network.next_weight[place.peer - 2], 0);
    }
    assert_int_equal(place.peer, connection->next);
}

static void
come_back(struct connection *connection)
{
    struct place place = pass_all(peer_origin(connection->next, 3),
                                  &connection->behind, true);

    meet(connection, place, FIREWALL, 1);
    place = pass_all(vnf_origin(connection, FIREWALL, 0),
                     &connection->behind, true);
    meet(connection, place, NAT, 1);
    place = pass_all(vnf_origin(connection, NAT, 0), &connection->before,
                     true);
    assert_true(place.is_peer);
    assert_int_equal(place.vni, network_vni(1, 1));
    if (connection->previous == UNKNOWN) {
        connection->previous = place.peer;
        assert_int_not_equal(network.previous_weight[place.peer], 0);
    }
    assert_int_equal(place.peer, connection->previous);
}

/* An instance that is neither gone nor drained, besides number 'but'. */
static bool
has_other(int kind, int but)
{
    for (int i = 0; i < N_VNFS; i++) {
        if (i != but && !network.gone[kind][i] && network.weight[kind][i]) {
            return true;
        }
    }
    return false;
}

/* Gives two peers weights, at least one of them more than none. */
static void
weigh(uint32_t weight[2])
{
    uint32_t i = below(2);

    weight[i] = below(4);
    weight[!i] = 1 + below(4);
}

/* Changes weights, drains, kills or brings back, and publishes that; or
 * replaces the forwarder. */
static void
change(void)
{
    int kind = (int) below(N_KINDS), i = (int) below(N_VNFS);

    switch (below(7)) {
    case 0:
        network.weight[kind][i] = 1 + below(9);
        break;
    case 1:
        network.weight[kind][i] = has_other(kind, i) ? 0 : 1;
        break;
    case 2:
        network.gone[kind][i] = has_other(kind, i);
        break;
    case 3:
        network.gone[kind][i] = false;
        break;
    case 4:
        rings_upgrade(&rings);
        break;
    case 5:
        weigh(network.next_weight);
        break;
    default:
        weigh(network.previous_weight);
    }
    assert_int_equal(network_apply(&network, &rings), 0);
    n_changes++;
}

/* With how many lcores, and whether NATs have one interface. */
static struct setting {
    uint16_t n_lcores;
    bool single;
} settings[] = {{1, false}, {1, true}, {2, false}, {3, true}, {4, false}};

static void
connections_keep_their_path_through_every_change(void **state)
{
    const struct setting *setting = *state;
    const struct fwd_counters *first;

    rings.n_workers = setting->n_lcores;
    network = network_even();
    network.single = setting->single;
    network.capacity = ROOM * (n_connections + n_steps);
    n_changes = 0;
    network_start(&network, &rings);
    for (uint32_t i = 0; i < n_connections; i++) {
        begin(&connections[i], (uint16_t) i);
    }
    for (uint32_t step = 0; step < n_steps; step++) {
        uint16_t number = (uint16_t) step;
        struct connection *connection = &connections[below(n_connections)];

        if (step % CHANGE_EVERY == 0) {
            change();
        }
        if (below(20) == 0) {
            begin(connection, number);
        }
        if (connection->previous == UNKNOWN) {
            come_back(connection);
        }
        go_forward(connection);
        for (uint32_t i = below(3); i--;) {
            come_back(connection);
        }
    }
    assert_int_equal(n_changes, (n_steps + CHANGE_EVERY - 1) / CHANGE_EVERY);
    first = rings_worker(&rings)->counters;
    assert_int_equal(fwd_crew_sum(rings.control->crew, &first->n_received),
                     fwd_crew_sum(rings.control->crew, &first->n_sent));
}

#define WITH(setting)                                                         \
    cmocka_unit_test_prestate(                                                \
        connections_keep_their_path_through_every_change, &(setting))

int
main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        WITH(settings[0]), WITH(settings[1]), WITH(settings[2]),
        WITH(settings[3]), WITH(settings[4]),
    };

    int failed;

    if (argc == 3) {
        n_connections = (uint32_t) strtoul(argv[1], NULL, 10);
        n_steps = (uint32_t) strtoul(argv[2], NULL, 10);
    }
    connections = calloc(n_connections, sizeof *connections);
    seed_random();
    if (!connections || rings_init(&rings)) {
        return 1;
    }
    failed = cmocka_run_group_tests_name("properties", tests, NULL, NULL);
    free(connections);
    return failed;
}
