// SPDX-License-Identifier: EPL-2.0
/* The documents of the pair. */
#include "pair.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#define EXIT_VLAN 40 /* Of F; one more is of G. */
#define ENTRY_VLAN 50 /* Likewise. */

static const char names[] = "FG";

static bool
has_entry(const struct pair_rules *rules)
{
    return rules->first_weight[F] || rules->first_weight[G];
}

static char *
__attribute__((format(printf, 2, 3)))
add(char *at, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    at += vsprintf(at, format, arguments);
    va_end(arguments);
    return at;
}

static char *
add_peer(char *at, const char *comma, char name, uint32_t number,
         bool has_replicas)
{
    return add(at, "%s{\"name\": \"%c\", \"address\": \"192.0.2.%u\", "
               "\"mac-address\": \"02:00:00:00:ff:%02x\", \"replica\": %s}",
               comma, name, number, number,
               has_replicas ? "true" : "false");
}

static char *
add_peers(char *at, const struct pair_rules *rules)
{
    at = add(at, "\"peers\": {\"peer\": [");
    for (uint32_t i = 0; i < 4; i++) {
        at = add_peer(at, i ? "," : "", (char) ('A' + i), 10 + i, false);
    }
    if (!rules->is_alone) {
        int other = !rules->who;

        at = add_peer(at, ",", names[other], (uint32_t) other + 1,
                      rules->has_replicas);
    }
    return add(at, "]},\n");
}

static char *
add_side(char *at, const char *side, int vlan)
{
    return add(at, ", \"%s-side\": {\"port\": \"lan\", \"vlan\": %d, "
               "\"mac-address\": \"02:00:00:00:00:%02x\"}", side, vlan, vlan);
}

static char *
add_instances(char *at, const struct pair_rules *rules)
{
    const char *comma = "";

    at = add(at, "\"instances\": {\"instance\": [");
    for (int i = 0; i < 2 * N_NATS; i++) {
        bool has_moved = rules->has_moved && i / N_NATS == rules->who;

        if (!rules->has_nats[i / N_NATS] && !has_moved) {
            continue;
        }
        at = add(at, "%s{\"name\": \"nat-%d\", \"service\": \"nat\"",
                 comma, i);
        if (has_moved) {
            at = add(at, ", \"moved-to\": \"%c\"", names[!rules->who]);
        } else {
            at = add_side(at, "ingress", 10 + 2 * i);
            at = add_side(at, "egress", 11 + 2 * i);
        }
        at = add(at, "}\n");
        comma = ",";
    }
    for (int i = 0; i < 2; i++) {
        if (rules->has_exit[i]) {
            at = add(at, "%s{\"name\": \"exit-%c\", \"service\": \"exit\"",
                     comma, names[i]);
            at = add(add_side(at, "ingress", EXIT_VLAN + i), "}\n");
            comma = ",";
        }
    }
    if (has_entry(rules)) {
        at = add(at, "%s{\"name\": \"entry\", \"service\": \"entry\"", comma);
        at = add(add_side(at, "egress", ENTRY_VLAN + rules->who), "}\n");
    }
    return add(at, "]},\n");
}

/* Adds a list of peers and their weights; without those that are none. */
static char *
add_weights(char *at, const char *list, const char *members,
            const uint32_t *weights, const struct pair_rules *rules)
{
    const char *comma = "";

    at = add(at, ", \"%s\": [", list);
    for (int i = 0; members[i]; i++) {
        if (!rules->is_alone || members[i] != names[!rules->who]) {
            at = add(at, "%s{\"name\": \"%c\", \"weight\": %u}", comma,
                     members[i], weights[i]);
            comma = ",";
        }
    }
    return add(at, "]");
}

static char *
add_chain(char *at, const struct pair_rules *rules)
{
    static const uint32_t even[] = {1, 1};
    const char *comma = "";

    at = add(at, "\"chains\": {\"chain\": [{\"chain-label\": %d, "
             "\"egress-label\": %d, \"stage\": [", CHAIN, EGRESS);
    if (has_entry(rules)) {
        at = add(at, "{\"number\": 0, \"service\": \"entry\"},\n");
    }
    at = add(at, "{\"number\": 1, \"service\": \"nat\", \"instance\": [");
    for (int i = 0; i < 2 * N_NATS; i++) {
        if (rules->has_nats[i / N_NATS]) {
            at = add(at, "%s{\"name\": \"nat-%d\", \"weight\": 1}", comma, i);
            comma = ",";
        }
    }
    at = add(at, "]");
    if (has_entry(rules)) {
        at = add_weights(at, "next-hop", names, rules->first_weight, rules);
    }
    at = add_weights(at, "previous-hop", "AB", even, rules);
    at = add(at, "},\n{\"number\": 2, \"service\": \"exit\", "
             "\"instance\": [");
    comma = "";
    for (int i = 0; i < 2; i++) {
        if (rules->has_exit[i]) {
            at = add(at, "%s{\"name\": \"exit-%c\", \"weight\": 1}", comma,
                     names[i]);
            comma = ",";
        }
    }
    at = add_weights(add(at, "]"), "next-hop", "FGCD", rules->next_weight,
                     rules);
    at = add_weights(at, "previous-hop", "FG", rules->previous_weight, rules);
    return add(at, "}]}]}");
}

void
pair_write(const struct pair_rules *rules, char at[PAIR_TEXT_SIZE])
{
    at = add(at, "{\"sluice-forwarder:forwarder\": {\"name\": \"%c\",\n"
             "\"ports\": {\"port\": [{\"name\": \"wan\", \"device\": \"%%0\"}"
             ", {\"name\": \"lan\", \"device\": \"%%1\"}]},\n"
             "\"flow-table\": {\"capacity\": %u, \"sweep-interval\": 1},\n"
             "\"underlay\": {\"port\": \"wan\", \"address\": "
             "\"192.0.2.%d\"},\n", names[rules->who],
             rules->capacity ? rules->capacity : 8192, rules->who + 1);
    at = add_peers(at, rules);
    at = add_instances(at, rules);
    at = add_chain(at, rules);
    add(at, "}}");
}
