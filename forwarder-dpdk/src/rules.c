// SPDX-License-Identifier: EPL-2.0
#include "rules.h"

#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_ip.h>
#include <rte_udp.h>
#include <rte_vxlan.h>

#include "packet.h"

#define TUNNEL_TTL 64 /* Of the outer IPv4 header. */

/* What one document is being made into. */
struct build {
    const struct fwd_config *config;
    struct fwd_numbers *numbers;
    struct fwd_rules *rules;
    char *reason;
};

#define REFUSE(build, ...)                                                    \
    refused(snprintf((build)->reason, FWD_REASON_SIZE, __VA_ARGS__))

/* EINVAL, after the reason was written. */
static int
refused(int written)
{
    (void) written;
    return EINVAL;
}

int
fwd_numbers_init(struct fwd_numbers *numbers)
{
    memset(numbers, 0, sizeof *numbers);
    if (fwd_names_init(&numbers->hops, FWD_HOP_SELF - 1)
        || fwd_names_init(&numbers->services, UINT16_MAX)
        || fwd_names_init(&numbers->stages, FWD_MAX_STAGE_NUMBERS)) {
        fwd_numbers_destroy(numbers);
        return ENOMEM;
    }
    return 0;
}

void
fwd_numbers_destroy(struct fwd_numbers *numbers)
{
    fwd_names_destroy(&numbers->hops);
    fwd_names_destroy(&numbers->services);
    fwd_names_destroy(&numbers->stages);
}

/* The number of a hop; of a new one only if 'is_new_fine'. */
static uint32_t
hop_number(struct build *build, const char *kind, const char *name,
           bool is_new_fine)
{
    struct fwd_names *names = &build->numbers->hops;
    char text[80];

    snprintf(text, sizeof text, "%s/%s", kind, name);
    return is_new_fine ? fwd_names_number(names, text)
                       : fwd_names_find(names, text);
}

/* Number of entries of a list. */
static uint32_t
count(const struct lyd_node *parent, const char *name)
{
    const struct lyd_node *entry = NULL;
    uint32_t n = 0;

    while ((entry = fwd_config_next(parent, name, entry))) {
        n++;
    }
    return n;
}

static uint32_t
power_of_two_above(uint32_t n)
{
    uint32_t power = 4;

    while (power < n * 2) {
        power *= 2;
    }
    return power;
}

static void
read_mac(const struct lyd_node *node, struct rte_ether_addr *mac)
{
    rte_ether_unformat_addr(fwd_config_text(node, "mac-address"), mac);
}

static int
port_index(const struct fwd_rules *rules, const char *name)
{
    for (uint8_t i = 0; i < rules->n_ports; i++) {
        if (!strcmp(rules->ports[i].name, name)) {
            return i;
        }
    }
    return -1;
}

static int
read_underlay(struct build *build)
{
    const struct lyd_node *root = build->config->root;
    const char *port = fwd_config_text(root, "underlay/port");
    const char *address = fwd_config_text(root, "underlay/address");

    if (!fwd_config_text(root, "name") || !port || !address) {
        return REFUSE(build, "name, underlay/port and underlay/address are "
                             "required");
    }
    build->rules->underlay = (uint8_t) port_index(build->rules, port);
    build->rules->vni_base = fwd_config_number(root, "underlay/vni-base");
    inet_pton(AF_INET, address, &build->rules->address);
    return 0;
}

/* Writes the headers of a tunnel to 'address' into 'hop'. */
static void
write_tunnel(const struct fwd_rules *rules, uint32_t address,
             const struct rte_ether_addr *mac, struct fwd_hop *hop)
{
    struct rte_ether_hdr ether = {
        .dst_addr = *mac,
        .src_addr = rules->ports[rules->underlay].mac,
        .ether_type = RTE_BE16(RTE_ETHER_TYPE_IPV4),
    };
    struct rte_ipv4_hdr ip = {
        .version_ihl = RTE_IPV4_VHL_DEF,
        .fragment_offset = RTE_BE16(RTE_IPV4_HDR_DF_FLAG),
        .time_to_live = TUNNEL_TTL,
        .next_proto_id = IPPROTO_UDP,
        .src_addr = rules->address,
        .dst_addr = address,
    };
    struct rte_udp_hdr udp = {.dst_port = RTE_BE16(FWD_VXLAN_PORT)};
    struct rte_vxlan_hdr vxlan = {.vx_flags = RTE_BE32(0x08000000)};
    struct rte_ether_hdr inner = {
        .dst_addr = {{2, 0, 0, 0, 0, 2}},
        .src_addr = {{2, 0, 0, 0, 0, 1}},
        .ether_type = RTE_BE16(RTE_ETHER_TYPE_MPLS),
    };
    uint8_t *at = hop->tunnel;

    ip.hdr_checksum = rte_ipv4_cksum(&ip);
    memcpy(at, &ether, sizeof ether);
    memcpy(at += sizeof ether, &ip, sizeof ip);
    memcpy(at += sizeof ip, &udp, sizeof udp);
    memcpy(at += sizeof udp, &vxlan, sizeof vxlan);
    memcpy(at + sizeof vxlan, &inner, sizeof inner);
}

static int
read_peers(struct build *build)
{
    struct fwd_rules *rules = build->rules;
    const struct lyd_node *peers = fwd_config_at(build->config->root,
                                                 "peers");
    const struct lyd_node *peer = NULL;
    uint32_t size = power_of_two_above(count(peers, "peer"));

    rules->peers = calloc(size, sizeof *rules->peers);
    if (!rules->peers) {
        return ENOMEM;
    }
    rules->peer_mask = size - 1;
    while ((peer = fwd_config_next(peers, "peer", peer))) {
        uint16_t number = (uint16_t) hop_number(
            build, "peer", fwd_config_text(peer, "name"), false);
        struct rte_ether_addr mac;
        uint32_t address, i;

        read_mac(peer, &mac);
        inet_pton(AF_INET, fwd_config_text(peer, "address"), &address);
        if (!address || address == rules->address) {
            return REFUSE(build, "peer %s: not an address of a peer",
                          fwd_config_text(peer, "name"));
        }
        rules->hops[number].kind = FWD_HOP_PEER;
        write_tunnel(rules, address, &mac, &rules->hops[number]);
        i = fwd_address_hash(address) & rules->peer_mask;
        while (rules->peers[i].address) {
            i = (i + 1) & rules->peer_mask;
        }
        rules->peers[i] = (struct fwd_peer_entry) {address, number};
    }
    return 0;
}

static void
write_head(const struct fwd_port *port, const struct rte_ether_addr *mac,
           uint16_t vlan, struct fwd_side *side)
{
    uint16_t tag[2] = {RTE_BE16(RTE_ETHER_TYPE_VLAN), rte_cpu_to_be_16(vlan)};

    memcpy(side->head, mac, sizeof *mac);
    memcpy(side->head + 6, &port->mac, sizeof port->mac);
    side->head_size = 12;
    if (vlan) {
        memcpy(side->head + 12, tag, sizeof tag);
        side->head_size = 16;
    }
}

/* Reads an interface of instance 'number', on which packets of 'direction'
 * leave to it. */
static int
read_side(struct build *build, const struct lyd_node *node, uint16_t number,
          enum fwd_direction direction)
{
    struct fwd_rules *rules = build->rules;
    struct fwd_side *side = &rules->hops[number].sides[direction];
    const char *port = fwd_config_text(node, "port");
    uint16_t vlan = (uint16_t) fwd_config_number(node, "vlan");
    struct rte_ether_addr mac;

    side->port = (uint8_t) port_index(rules, port);
    if (!rules->sides[side->port]) {
        rules->sides[side->port] = calloc(FWD_N_VLANS, sizeof(uint32_t));
        if (!rules->sides[side->port]) {
            return ENOMEM;
        }
    }
    if (rules->sides[side->port][vlan]
        || (side->port == rules->underlay && !vlan)) {
        return REFUSE(build, "port %s, VLAN %u: taken twice", port, vlan);
    }
    rules->sides[side->port][vlan] = number * 2u + direction;
    read_mac(node, &mac);
    write_head(&rules->ports[side->port], &mac, vlan, side);
    side->present = true;
    side->stripped = fwd_config_at(node, "stripped-labels") != NULL;
    if (side->stripped) {
        side->chain = fwd_config_number(node, "stripped-labels/chain-label");
        side->egress = fwd_config_number(node,
                                         "stripped-labels/egress-label");
    }
    return 0;
}

static int
read_instances(struct build *build)
{
    const struct lyd_node *instances = fwd_config_at(build->config->root,
                                                     "instances");
    const struct lyd_node *instance = NULL;

    while ((instance = fwd_config_next(instances, "instance", instance))) {
        uint16_t number = (uint16_t) hop_number(
            build, "instance", fwd_config_text(instance, "name"), false);
        const struct lyd_node *in = fwd_config_at(instance, "ingress-side");
        const struct lyd_node *out = fwd_config_at(instance, "egress-side");
        struct fwd_hop *hop = &build->rules->hops[number];
        int error = 0;

        hop->kind = FWD_HOP_INSTANCE;
        hop->service = (uint16_t) fwd_names_number(
            &build->numbers->services, fwd_config_text(instance, "service"));
        if (!hop->service) {
            return REFUSE(build, "too many services since the start");
        }
        if (in) {
            error = read_side(build, in, number, FWD_FORWARD);
        }
        if (out && !error) {
            error = read_side(build, out, number, FWD_RETURN);
        }
        if (error) {
            return error;
        }
    }
    return 0;
}

/* Finds the hop of a member of the list 'list' of 'stage'. */
static int
read_member(struct build *build, const struct fwd_stage *stage,
            const char *list, const struct lyd_node *node,
            struct fwd_member *member)
{
    const char *name = fwd_config_text(node, "name");
    bool is_instance = !strcmp(list, "instance");
    uint32_t number = hop_number(build, is_instance ? "instance" : "peer",
                                 name, false);
    struct fwd_rules *rules = build->rules;

    member->name = fwd_name_hash(name);
    member->weight = fwd_config_number(node, "weight");
    if (!is_instance
        && !strcmp(name, fwd_config_text(build->config->root, "name"))) {
        member->hop = FWD_HOP_SELF;
        return 0;
    }
    if (!number || number >= rules->n_hops
        || rules->hops[number].kind == FWD_HOP_GONE) {
        return REFUSE(build, "stage %u: there is no %s %s", stage->number,
                      is_instance ? "instance" : "peer", name);
    }
    if (is_instance && rules->hops[number].service != stage->service) {
        return REFUSE(build, "stage %u: instance %s is of another service",
                      stage->number, name);
    }
    member->hop = (uint16_t) number;
    return 0;
}

static int
read_set(struct build *build, const struct fwd_stage *stage,
         const struct lyd_node *node, const char *list, struct fwd_set *set)
{
    uint32_t n = count(node, list), i = 0;
    struct fwd_member *members = calloc(n + 1, sizeof *members);
    const struct lyd_node *entry = NULL;
    int error = members ? 0 : ENOMEM;

    while (!error && (entry = fwd_config_next(node, list, entry))) {
        error = read_member(build, stage, list, entry, &members[i++]);
    }
    if (!error) {
        error = fwd_set_init(set, members, n);
    }
    free(members);
    return error;
}

static int
read_stage(struct build *build, const struct fwd_chain *chain,
           const struct lyd_node *node, struct fwd_stage *stage)
{
    char name[40];
    int error;

    stage->number = (uint8_t) fwd_config_number(node, "number");
    stage->service = (uint16_t) fwd_names_number(
        &build->numbers->services, fwd_config_text(node, "service"));
    snprintf(name, sizeof name, "%u/%u/%u", chain->chain, chain->egress,
             stage->number);
    stage->counters = (uint16_t) fwd_names_number(&build->numbers->stages,
                                                  name);
    if (!stage->service || !stage->counters) {
        return REFUSE(build, "too many stages or services since the start");
    }
    error = read_set(build, stage, node, "instance", &stage->instances);
    if (!error) {
        error = read_set(build, stage, node, "next-hop", &stage->next_hops);
    }
    if (!error) {
        error = read_set(build, stage, node, "previous-hop",
                         &stage->previous_hops);
    }
    return error;
}

static int
compare_stages(const void *a, const void *b)
{
    return ((const struct fwd_stage *) a)->number
           - ((const struct fwd_stage *) b)->number;
}

static int
read_chain(struct build *build, const struct lyd_node *node,
           struct fwd_chain *chain)
{
    const struct lyd_node *stage = NULL;

    chain->chain = fwd_config_number(node, "chain-label");
    chain->egress = fwd_config_number(node, "egress-label");
    chain->stateful = !strcmp(fwd_config_text(node, "stateful"), "true");
    chain->stages = calloc(count(node, "stage") + 1, sizeof *chain->stages);
    if (!chain->stages) {
        return ENOMEM;
    }
    while ((stage = fwd_config_next(node, "stage", stage))) {
        int error = read_stage(build, chain, stage,
                               &chain->stages[chain->n_stages++]);

        if (error) {
            return error;
        }
    }
    qsort(chain->stages, chain->n_stages, sizeof *chain->stages,
          compare_stages);
    for (uint8_t i = 0; i < chain->n_stages; i++) {
        chain->at[chain->stages[i].number] = (uint8_t) (i + 1);
    }
    return 0;
}

static int
read_chains(struct build *build)
{
    struct fwd_rules *rules = build->rules;
    const struct lyd_node *chains = fwd_config_at(build->config->root,
                                                  "chains");
    const struct lyd_node *node = NULL;
    uint32_t n = count(chains, "chain"), size = power_of_two_above(n);

    rules->chains = calloc(n + 1, sizeof *rules->chains);
    rules->chain_index = calloc(size, sizeof *rules->chain_index);
    if (!rules->chains || !rules->chain_index) {
        return ENOMEM;
    }
    rules->chain_mask = size - 1;
    while ((node = fwd_config_next(chains, "chain", node))) {
        struct fwd_chain *chain = &rules->chains[rules->n_chains++];
        int error = read_chain(build, node, chain);
        uint32_t i;

        if (error) {
            return error;
        }
        i = fwd_labels_hash(chain->chain, chain->egress) & rules->chain_mask;
        while (rules->chain_index[i]) {
            i = (i + 1) & rules->chain_mask;
        }
        rules->chain_index[i] = rules->n_chains;
    }
    return 0;
}

/* Gives every entry of a list of hops its number; false if there are none
 * left. */
static bool
number_list(struct build *build, const char *container, const char *list)
{
    const struct lyd_node *parent = fwd_config_at(build->config->root,
                                                  container);
    const struct lyd_node *entry = NULL;

    while ((entry = fwd_config_next(parent, list, entry))) {
        if (!hop_number(build, list, fwd_config_text(entry, "name"), true)) {
            return false;
        }
    }
    return true;
}

/* Gives every hop its number, and makes room for all that have one. */
static int
number_hops(struct build *build)
{
    if (!number_list(build, "peers", "peer")
        || !number_list(build, "instances", "instance")) {
        return REFUSE(build, "too many hops since the start");
    }
    build->rules->n_hops = build->numbers->hops.n;
    build->rules->hops = aligned_alloc(
        64, build->rules->n_hops * sizeof *build->rules->hops);
    if (!build->rules->hops) {
        return ENOMEM;
    }
    memset(build->rules->hops, 0,
           build->rules->n_hops * sizeof *build->rules->hops);
    return 0;
}

int
fwd_rules_create(const struct fwd_config *config,
                 const struct fwd_port *ports, uint8_t n_ports,
                 struct fwd_numbers *numbers, struct fwd_rules **rulesp,
                 char reason[FWD_REASON_SIZE])
{
    static int (*const parts[])(struct build *) = {
        read_underlay, number_hops, read_peers, read_instances, read_chains,
    };
    struct fwd_rules *rules = calloc(1, sizeof *rules);
    struct build build = {config, numbers, rules, reason};
    int error = rules ? 0 : ENOMEM;

    snprintf(reason, FWD_REASON_SIZE, "out of memory");
    if (rules) {
        rules->ports = ports;
        rules->n_ports = n_ports;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !error; i++) {
        error = parts[i](&build);
    }
    if (error) {
        fwd_rules_destroy(rules);
        return error;
    }
    *rulesp = rules;
    return 0;
}

static void
destroy_chain(struct fwd_chain *chain)
{
    for (uint8_t i = 0; i < chain->n_stages; i++) {
        fwd_set_destroy(&chain->stages[i].instances);
        fwd_set_destroy(&chain->stages[i].next_hops);
        fwd_set_destroy(&chain->stages[i].previous_hops);
    }
    free(chain->stages);
}

void
fwd_rules_destroy(struct fwd_rules *rules)
{
    if (!rules) {
        return;
    }
    for (uint32_t i = 0; i < rules->n_chains; i++) {
        destroy_chain(&rules->chains[i]);
    }
    for (size_t i = 0; i < FWD_MAX_PORTS; i++) {
        free(rules->sides[i]);
    }
    free(rules->chains);
    free(rules->chain_index);
    free(rules->peers);
    free(rules->hops);
    free(rules);
}
