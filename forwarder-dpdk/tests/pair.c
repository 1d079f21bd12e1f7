// SPDX-License-Identifier: EPL-2.0
#include "pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "replica_wire.h"

#define UNDERLAY 0xc0000200u /* 192.0.2.0. */

int
pair_init(struct pair *pair)
{
    memset(pair, 0, sizeof *pair);
    pair->n_per_ms = 1;
    return rings_init(&pair->rings[F])
           || rings_init_other(&pair->rings[G], &pair->rings[F]);
}

struct pair_rules
pair_rules_of(int who)
{
    struct pair_rules rules = {
        .who = who, .has_replicas = true, .next_weight = {0, 0, 1, 1},
        .previous_weight = {1, 1},
    };

    rules.has_nats[who] = rules.has_exit[who] = true;
    return rules;
}

void
pair_start(struct pair *pair, const struct pair_rules *rules)
{
    char text[PAIR_TEXT_SIZE];

    pair_write(rules, text);
    rings_start(&pair->rings[rules->who], text);
}

void
pair_apply(struct pair *pair, const struct pair_rules *rules)
{
    char text[PAIR_TEXT_SIZE], reason[FWD_REASON_SIZE];

    pair_write(rules, text);
    if (rings_apply(&pair->rings[rules->who], text, reason)) {
        fail_msg("%s", reason);
    }
}

int
pair_apply_changed(struct pair *pair, const struct pair_rules *rules,
                   const char *from, const char *to,
                   char reason[FWD_REASON_SIZE])
{
    char text[PAIR_TEXT_SIZE], changed[2 * PAIR_TEXT_SIZE], *at;

    pair_write(rules, text);
    at = strstr(text, from);
    assert_non_null(at);
    snprintf(changed, sizeof changed, "%.*s%s%s", (int) (at - text), text, to,
             at + strlen(from));
    return rings_apply(&pair->rings[rules->who], changed, reason);
}

/* Puts what 'who' tells the other one aside, and throws away what it tells
 * others; returns whether it is that. */
static bool
is_replicas(struct pair *pair, int who, const struct fate *fate)
{
    struct pair_mail *mail = &pair->replicas[!who];

    if (fate->port != WAN || wire_get16(&fate->wire, 36) != FWD_REPLICA_PORT) {
        return false;
    }
    if (wire_get32(&fate->wire, 30) == UNDERLAY + (uint32_t) !who + 1
        && mail->n < MAX_MAIL) {
        mail->wire[mail->n++] = fate->wire;
    }
    return true;
}

void
pair_pass_time(struct pair *pair, uint64_t ms, uint64_t step_ms)
{
    for (uint64_t step; ms; ms -= step) {
        step = RTE_MIN(ms, step_ms);
        for (int who = 0; who < N_FORWARDERS; who++) {
            struct rings *rings = &pair->rings[who];
            struct fate fate;

            rings->now_ms += step;
            if (!rings->control) {
                continue;
            }
            rings_poll(rings);
            while (rings_take(rings, &fate)) {
                assert_true(is_replicas(pair, who, &fate));
            }
        }
    }
}

void
pair_deliver(struct pair *pair, int who)
{
    struct pair_mail *mail = &pair->replicas[who];
    struct rings *rings = &pair->rings[who];

    for (int i = 0; i < mail->n && rings->control; i++) {
        rings_inject(rings, WAN, (int) (random() % rings->n_workers),
                     &mail->wire[i]);
        for (int j = 0; j < rings->n_workers; j++) {
            rings_poll(rings);
        }
    }
    mail->n = 0;
}

static void
append(struct wire *wire, const struct wire *tail)
{
    memcpy(wire->data + wire->size, tail->data, tail->size);
    wire->size = (uint16_t) (wire->size + tail->size);
}

static struct pair_place
place_of(const struct fate *fate)
{
    if (fate->port == LAN) {
        return (struct pair_place) {
            .vlan = wire_get16(&fate->wire, 14) & 0xfff,
        };
    }
    return (struct pair_place) {
        .is_peer = true, .peer = wire_get32(&fate->wire, 30) - UNDERLAY,
        .vni = wire_get32(&fate->wire, 46) >> 8,
    };
}

static uint64_t
n_dropped(const struct rings *rings, int reason)
{
    const struct fwd_crew *crew = rings->control->crew;

    return fwd_crew_sum(crew, &crew->workers[0]->counters->drops[reason]);
}

/* Lets a packet in and tells where it went; puts aside what is told. */
static struct pair_place
pass(struct pair *pair, int who, int port, const struct wire *wire)
{
    struct rings *rings = &pair->rings[who];
    struct pair_place place = {.drop = FWD_N_DROPS};
    uint64_t drops[FWD_N_DROPS];
    struct fate fate;

    for (int i = 0; i < FWD_N_DROPS; i++) {
        drops[i] = n_dropped(rings, i);
    }
    rings_inject(rings, port, (int) (random() % rings->n_workers), wire);
    rings->now_ms += ++pair->n_passed % pair->n_per_ms == 0;
    rings_poll(rings);
    while (rings_take(rings, &fate)) {
        if (!is_replicas(pair, who, &fate)) {
            assert_int_equal(place.drop, FWD_N_DROPS);
            place = place_of(&fate);
        }
    }
    for (int i = 0; i < FWD_N_DROPS; i++) {
        if (n_dropped(rings, i) != drops[i]) {
            assert_int_equal(place.drop, FWD_N_DROPS);
            place.drop = i;
        }
    }
    assert_int_not_equal(place.drop, FWD_N_DROPS);
    return place;
}

static struct wire
ip_of(const struct wire_flow *flow, bool is_return, uint8_t flags)
{
    struct wire_flow reverse = wire_reverse(flow);
    struct wire ip = {.size = 0};

    wire_ip(&ip, is_return ? &reverse : flow, flags, 20);
    return ip;
}

struct pair_place
pair_from_peer(struct pair *pair, int who, uint32_t peer, uint32_t stage,
               bool is_return, const struct wire_flow *flow, uint8_t flags)
{
    struct wire ip = ip_of(flow, is_return, flags), wire = {.size = 0};

    wire_tunnel(&wire, UNDERLAY + peer, UNDERLAY + (uint32_t) who + 1,
                2 * stage + is_return, (uint16_t) (8 + ip.size));
    wire_labels(&wire, CHAIN, EGRESS, 64);
    append(&wire, &ip);
    return pass(pair, who, WAN, &wire);
}

struct wire
pair_wire_from_vlan(int vlan, bool is_return, const struct wire_flow *flow,
                    uint8_t flags)
{
    struct wire ip = ip_of(flow, is_return, flags), wire = {.size = 0};

    wire_ethernet(&wire, (uint16_t) vlan, 0x8847);
    wire_labels(&wire, CHAIN, EGRESS, 64);
    append(&wire, &ip);
    return wire;
}

struct pair_place
pair_from_vlan(struct pair *pair, int who, int vlan, bool is_return,
               const struct wire_flow *flow, uint8_t flags)
{
    struct wire wire = pair_wire_from_vlan(vlan, is_return, flow, flags);

    return pass(pair, who, LAN, &wire);
}

struct pair_flow
pair_some_flow(uint32_t number)
{
    static const uint8_t protocols[] = {6, 17};

    return (struct pair_flow) {
        .wire = {
            .ipv6 = random() % 2,
            .protocol = protocols[random() % 2],
            .source = 0x0a000000u + number,
            .destination = 0x0b000000u + (uint32_t) (random() % 65536),
            .source_port = (uint16_t) random(),
            .destination_port = 80,
        },
        .before = (int) (random() % 2),
    };
}

void
pair_pin(struct pair *pair, int who, struct pair_flow *flow)
{
    struct pair_place place = pair_from_peer(
        pair, who, 10 + (uint32_t) flow->before, 1, false, &flow->wire, 2);

    assert_int_equal(place.drop, FWD_DROP_NONE);
    assert_false(place.is_peer);
    flow->nat = (place.vlan - 10) / 2;
    place = pair_from_vlan(pair, who, 11 + 2 * flow->nat, false, &flow->wire,
                           2);
    assert_int_equal(place.drop, FWD_DROP_NONE);
    flow->behind = place.is_peer ? (int) place.peer - 12 : -1;
}

void
pair_start_both(struct pair *pair, uint16_t n_lcores, bool has_replicas)
{
    for (int who = 0; who < N_FORWARDERS; who++) {
        struct pair_rules rules = pair_rules_of(who);

        rules.has_replicas = has_replicas;
        pair->rings[who].n_workers = n_lcores;
        pair->replicas[who].n = 0;
        pair_start(pair, &rules);
    }
}

void
pair_pin_all(struct pair *pair, struct pair_flow flows[N_FLOWS])
{
    for (uint32_t i = 0; i < N_FLOWS; i++) {
        flows[i] = pair_some_flow(i);
        pair_pin(pair, F, &flows[i]);
        pair_deliver(pair, G);
    }
    pair_pass_time(pair, 2, 1);
    pair_deliver(pair, G);
}

uint64_t
pair_sum(const struct pair *pair, int who, size_t counter)
{
    const struct fwd_crew *crew = pair->rings[who].control->crew;

    return fwd_crew_sum(crew, (const uint64_t *)
                                  ((const char *) crew->workers[0]->counters
                                   + counter));
}

uint64_t
pair_n_replicas(const struct pair *pair, int who)
{
    return fwd_crew_use(pair->rings[who].control->crew).replicas;
}

/* Whether a packet went to a peer. */
static bool
is_at(const struct pair_place *place, uint32_t peer, uint32_t vni)
{
    return !place->drop && place->is_peer && place->peer == peer
           && place->vni == vni;
}

bool
pair_is_kept(struct pair *pair, int who, const struct pair_flow *flow)
{
    const struct wire_flow *wire = &flow->wire;
    uint32_t before = 10 + (uint32_t) flow->before;
    uint32_t behind = 12 + (uint32_t) flow->behind;
    int in = 10 + 2 * flow->nat, out = in + 1;
    struct pair_place ways[] = {
        pair_from_peer(pair, who, before, 1, false, wire, 0x10),
        pair_from_vlan(pair, who, out, false, wire, 0x10),
        pair_from_peer(pair, who, behind, 2, true, wire, 0x10),
        pair_from_vlan(pair, who, in, true, wire, 0x10),
    };

    return !ways[0].drop && !ways[0].is_peer && ways[0].vlan == in
           && is_at(&ways[1], behind, 4) && !ways[2].drop
           && !ways[2].is_peer && ways[2].vlan == out
           && is_at(&ways[3], before, 3);
}

void
pair_take_over(struct pair *pair)
{
    struct pair_rules rules = pair_rules_of(G);

    rings_stop(&pair->rings[F]);
    rules.has_nats[F] = true;
    rules.is_alone = true;
    pair_apply(pair, &rules);
}

int
pair_count_moved(struct pair *pair, const struct pair_flow flows[N_FLOWS])
{
    int n_moved = 0;

    for (int i = 0; i < N_FLOWS; i++) {
        n_moved += !pair_is_kept(pair, G, &flows[i]);
    }
    return n_moved;
}
