// SPDX-License-Identifier: EPL-2.0
/* Gives a whole forwarder damaged packets and damaged documents, under the
 * address and undefined behaviour sanitizers, with a random number of lcores.
 * Every packet is sent or counted as dropped; a document that is refused has
 * a reason and changes nothing.
 *
 *     fuzz-forwarder [PACKETS [DOCUMENTS]]
 *
 * FWD_SEED repeats a run. */
#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "damage.h"
#include "network.h"
#include "rings.h"
#include "seed.h"

#define MTU 118 /* Of the underlay: just enough for some. */

static long n_packets = 200000;
static long n_documents = 2000;
static long n_refused;

static struct rings rings;

static long
below(long n)
{
    return random() % n;
}

/* What some neighbour says to the forwarder or about itself, which may be
 * another address of it. */
static struct wire
some_message(int port)
{
    int kind = (int) below(N_KINDS), i = (int) below(N_VNFS);
    int egress = (int) below(2);
    uint16_t vlan = network_vlan(kind, i, egress);
    uint64_t mac = network_vnf_mac(kind, i, egress);
    struct wire wire = {.size = 0};

    if (port == WAN) {
        i = (int) below(N_PEERS);
        wire_arp(&wire, 0, (uint16_t) (1 + below(2)), network_peer_mac(i),
                 PEER((uint32_t) i), OWN);
    } else if (kind == NAT) {
        wire_arp(&wire, vlan, (uint16_t) (1 + below(2)), mac,
                 network_address(vlan, false), network_address(vlan, true));
    } else {
        wire_nd(&wire, vlan, (uint8_t) (135 + below(2)), mac,
                network_address(vlan, false),
                network_address(vlan, below(2)));
    }
    return below(4) ? wire : damage_sound_message(port == WAN ? 0 : vlan);
}

/* Replicas from A, sound, or damaged before their checksum was made. */
static struct wire
some_replicas(void)
{
    struct wire wire = damage_sound_replicas(PEER(0), OWN,
                                             wire_identity("peer/A"));

    if (below(2)) {
        damage_wire(&wire);
        wire.size = RTE_MAX(wire.size, 42); /* Up to UDP. */
        wire_sum_udp(&wire, 14);
    }
    return wire;
}

/* A packet as some neighbour sends it, sound or damaged. */
static struct wire
some_packet(int *port)
{
    struct wire ip = damage_sound_ip(), wire;

    if (below(4) == 0) {
        damage_wire(&ip);
    }
    *port = (int) below(N_RINGS);
    if (below(8) == 0) {
        wire = some_message(*port);
    } else if (*port == WAN && below(8) == 0) {
        wire = some_replicas();
    } else if (*port == WAN) {
        wire = network_from_peer((int) below(N_PEERS), (uint32_t) below(5),
                                 (uint32_t) below(2), &ip);
    } else {
        wire = network_from_vnf((int) below(N_KINDS), (int) below(N_VNFS),
                                (int) below(2), &ip);
    }
    if (below(4) == 0) {
        damage_wire(&wire);
    }
    return wire;
}

/* Time passes, so that entries come and go. */
static void
pass_some_packet(void)
{
    struct wire wire;
    int port;

    wire = some_packet(&port);
    rings.now_ms += (uint64_t) below(20);
    rings_pass(&rings, port, &wire);
    if (below(8) == 0) {
        struct fate fate;

        rings_tick(&rings);
        while (rings_take(&rings, &fate)) {
        }
    }
}

/* Where the next number, or else name, begins from 'at' on. */
static char *
next_value(char *at, bool is_number)
{
    for (; *at; at++) {
        if (is_number ? isdigit((unsigned char) *at) && at[-1] == ' '
                      : *at == '"' && at[-1] == ' ') {
            return at;
        }
    }
    return NULL;
}

/* Puts 'value' in the place of what stands from 'at' to 'end'. */
static void
replace(char *at, const char *end, const char *value)
{
    memmove(at + strlen(value), end, strlen(end) + 1);
    memcpy(at, value, strlen(value));
}

/* Another number or name, which may be one that belongs elsewhere. */
static void
change_value(char *text)
{
    static const char *const numbers[] = {
        "0", "1", "63", "64", "4094", "4095", "65535", "65536", "1048575",
        "4294967295", "4294967296", "-1", "1.5", "null",
    };
    static const char *const names[] = {
        "\"A\"", "\"F\"", "\"nat-0\"", "\"nat\"", "\"lan\"", "\"wan\"",
        "\"\"", "\"192.0.2.10\"", "\"::\"", "\"02:00:00:00:00:00\"", "[null]",
        "{}", "true", "\"\\u0000\"",
    };
    bool is_number = below(2);
    char *at = next_value(text + 1 + below((long) strlen(text)), is_number);

    if (at && is_number) {
        replace(at, at + strspn(at, "0123456789"),
                numbers[below(sizeof numbers / sizeof *numbers)]);
    } else if (at) {
        replace(at, at + 2 + strcspn(at + 1, "\""),
                names[below(sizeof names / sizeof *names)]);
    }
}

static void
damage_text(char *text)
{
    for (long n = below(4); n--;) {
        change_value(text);
    }
    for (long n = below(8) ? 0 : below(4); n--;) {
        text[below((long) strlen(text))] = (char) (1 + below(255));
    }
    if (below(32) == 0) {
        text[below((long) strlen(text))] = '\0';
    }
}

/* A change of weights and instances, perhaps damaged. */
static void
apply_some_document(void)
{
    const struct fwd_rules *before
        = atomic_load(&rings.control->crew->rules);
    struct network network = network_even();
    char text[2 * NETWORK_TEXT_SIZE], reason[FWD_REASON_SIZE] = "";

    network.weight[below(N_KINDS)][below(N_VNFS)] = (uint32_t) below(10);
    network.gone[below(N_KINDS)][below(N_VNFS)] = below(2);
    network.mtu = MTU;
    network.asks = below(2);
    network.has_replicas = below(4);
    network.is_mute = below(2);
    network_write(&network, text, NETWORK_TEXT_SIZE);
    damage_text(text);
    if (rings_apply(&rings, text, reason)) {
        n_refused++;
        assert_string_not_equal(reason, "");
        assert_ptr_equal(atomic_load(&rings.control->crew->rules), before);
    }
}

static uint64_t
sum(const uint64_t *counter)
{
    return fwd_crew_sum(rings.control->crew, counter);
}

static void
every_packet_and_document_has_an_outcome(void **state)
{
    struct network network = network_even();
    const struct fwd_counters *first;
    uint64_t n_dropped = 0;

    (void) state;
    network.mtu = MTU;
    network.has_replicas = true;
    rings.n_workers = (uint16_t) (1 + below(MAX_LCORES));
    network_start(&network, &rings);
    first = rings_worker(&rings)->counters;
    for (long packet = 0, document = 0; packet < n_packets; packet++) {
        if (document * n_packets < packet * n_documents) {
            apply_some_document();
            document++;
        }
        pass_some_packet();
    }
    for (int i = 0; i < FWD_N_DROPS; i++) {
        n_dropped += sum(&first->drops[i]);
    }
    assert_int_equal(sum(&first->n_received), n_packets);
    assert_int_equal(sum(&first->n_sent) + sum(&first->n_heard) + n_dropped,
                     n_packets + sum(&first->n_made));
    assert_int_not_equal(sum(&first->n_sent), 0);
    assert_int_not_equal(sum(&first->drops[FWD_DROP_TOO_BIG]), 0);
    assert_int_not_equal(sum(&first->drops[FWD_DROP_NO_NEIGHBOUR]), 0);
    assert_int_not_equal(sum(&first->drops[FWD_DROP_REPLICA]), 0);
    assert_int_not_equal(sum(&first->n_replicas_taken), 0);
    assert_int_not_equal(sum(&first->n_replicas_sent), 0);
    assert_in_range(n_refused, 1, n_documents - 1);
}

int
main(int argc, char *argv[])
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_packet_and_document_has_an_outcome),
    };

    n_packets = argc > 1 ? atol(argv[1]) : n_packets;
    n_documents = argc > 2 ? atol(argv[2]) : n_documents;
    seed_random();
    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("fuzz", tests, NULL, NULL);
}
