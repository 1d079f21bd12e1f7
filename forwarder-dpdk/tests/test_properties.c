// SPDX-License-Identifier: EPL-2.0
/* Conformity, flow affinity and symmetric return (the paper's section 5.3)
 * under random traffic and random changes of the rules. The reference is a
 * list of connections and of what each has met. FWD_SEED repeats a run. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"

#define N_CONNECTIONS 400
#define N_STEPS 40000   /* Round trips. */
#define CHANGE_EVERY 40 /* Steps. */
#define UNKNOWN (-1)

/* What a connection has met; UNKNOWN before its first packet. */
struct connection {
    struct wire_flow before; /* As the NAT gets it. */
    struct wire_flow behind; /* As the NAT sends it. */
    int previous;            /* The peer that it comes from. */
    int vnf[N_KINDS];
    int next;
};

static struct rings rings;
static struct network network;
static struct connection connections[N_CONNECTIONS];
static int n_changes;

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
        .before = flow, .behind = flow, .previous = (int) below(2),
        .vnf = {UNKNOWN, UNKNOWN}, .next = UNKNOWN,
    };
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

/* Passes a packet on and checks that its IP packet stays as it is. */
static struct place
pass(int port, const struct wire *wire, const struct wire *ip)
{
    struct fate fate = rings_pass(&rings, port, wire);
    struct place place;

    if (fate.drop) {
        fail_msg("dropped: %s", fwd_drop_text(fate.drop));
    }
    place = network_place(fate.port, &fate.wire);
    assert_int_equal(fate.wire.size - place.ip_offset, ip->size);
    assert_memory_equal(fate.wire.data + place.ip_offset, ip->data, ip->size);
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
    struct wire ip = packet(&connection->before, false, 0x10);
    struct wire wire = network_from_peer(connection->previous, 1, 0, &ip);
    struct place place;

    meet(connection, pass(WAN, &wire, &ip), NAT, 0);
    ip = packet(&connection->behind, false, 0x10);
    wire = network_from_vnf(NAT, connection->vnf[NAT], 1, &ip);
    meet(connection, pass(LAN, &wire, &ip), FIREWALL, 0);
    wire = network_from_vnf(FIREWALL, connection->vnf[FIREWALL], 1, &ip);
    place = pass(LAN, &wire, &ip);
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
    struct wire ip = packet(&connection->behind, true, 0x10);
    struct wire wire = network_from_peer(connection->next, 3, 1, &ip);
    struct place place;

    meet(connection, pass(WAN, &wire, &ip), FIREWALL, 1);
    wire = network_from_vnf(FIREWALL, connection->vnf[FIREWALL], 0, &ip);
    meet(connection, pass(LAN, &wire, &ip), NAT, 1);
    ip = packet(&connection->before, true, 0x10);
    wire = network_from_vnf(NAT, connection->vnf[NAT], 0, &ip);
    place = pass(LAN, &wire, &ip);
    assert_true(place.is_peer);
    assert_int_equal(place.vni, network_vni(1, 1));
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

/* Changes weights, drains, kills or brings back, and publishes that. */
static void
change(void)
{
    int kind = (int) below(N_KINDS), i = (int) below(N_VNFS);

    switch (below(5)) {
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
    default:
        network.next_weight[i % 2] = below(4);
        network.next_weight[!(i % 2)] = 1 + below(4);
    }
    assert_int_equal(network_apply(&network, &rings), 0);
    n_changes++;
}

static void
connections_keep_their_path_through_every_change(void **state)
{
    (void) state;
    network = network_even();
    network.capacity = 1 << 20;
    network_start(&network, &rings);
    for (uint16_t i = 0; i < N_CONNECTIONS; i++) {
        begin(&connections[i], i);
    }
    for (uint32_t step = 0; step < N_STEPS; step++) {
        uint16_t number = (uint16_t) (step % 60000);
        struct connection *connection = &connections[below(N_CONNECTIONS)];

        if (step % CHANGE_EVERY == 0) {
            change();
        }
        if (below(20) == 0) {
            begin(connection, number);
        }
        go_forward(connection);
        for (uint32_t i = below(3); i--;) {
            come_back(connection);
        }
    }
    assert_int_equal(n_changes, N_STEPS / CHANGE_EVERY);
    assert_int_equal(rings.control->worker->counters->n_received,
                     rings.control->worker->counters->n_sent);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(connections_keep_their_path_through_every_change),
    };
    const char *given = getenv("FWD_SEED");
    unsigned int seed = given ? (unsigned int) strtoul(given, NULL, 10)
                              : (unsigned int) time(NULL);

    fprintf(stderr, "FWD_SEED=%u\n", seed);
    srandom(seed);
    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("properties", tests, NULL, NULL);
}
