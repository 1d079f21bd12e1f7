// SPDX-License-Identifier: EPL-2.0
/* Hops: peers and instances. */
#include "build.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_ip.h>
#include <rte_udp.h>
#include <rte_vxlan.h>

#include "packet.h"

#define TUNNEL_TTL 64 /* Of the outer IPv4 header. */

uint32_t
fwd_build_hop(struct fwd_build *build, const char *kind, const char *name,
           bool is_new_fine)
{
    struct fwd_names *names = &build->numbers->hops;
    char text[80];

    snprintf(text, sizeof text, "%s/%s", kind, name);
    return is_new_fine ? fwd_names_number(names, text)
                       : fwd_names_find(names, text);
}

uint32_t
fwd_build_count(const struct lyd_node *parent, const char *name)
{
    const struct lyd_node *entry = NULL;
    uint32_t n = 0;

    while ((entry = fwd_config_next(parent, name, entry))) {
        n++;
    }
    return n;
}

uint32_t
fwd_build_size(uint32_t n)
{
    uint32_t power = 4;

    while (power < n * 2) {
        power *= 2;
    }
    return power;
}

int
fwd_build_port(const struct fwd_rules *rules, const char *name)
{
    for (uint8_t i = 0; i < rules->n_ports; i++) {
        if (!strcmp(rules->ports[i].name, name)) {
            return i;
        }
    }
    return -1;
}

/* Writes the headers of a tunnel to 'address' into 'hop'. */
static void
write_tunnel(const struct fwd_rules *rules, uint32_t address,
             struct fwd_hop *hop)
{
    struct rte_ether_hdr ether = {
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

int
fwd_build_peers(struct fwd_build *build)
{
    struct fwd_rules *rules = build->rules;
    const struct lyd_node *peers = fwd_config_at(build->config->root,
                                                 "peers");
    const struct lyd_node *peer = NULL;
    uint32_t size = fwd_build_size(fwd_build_count(peers, "peer"));

    rules->peers = calloc(size, sizeof *rules->peers);
    if (!rules->peers) {
        return ENOMEM;
    }
    rules->peer_mask = size - 1;
    while ((peer = fwd_config_next(peers, "peer", peer))) {
        uint16_t number = (uint16_t) fwd_build_hop(
            build, "peer", fwd_config_text(peer, "name"), false);
        uint32_t address, i;
        int error;

        inet_pton(AF_INET, fwd_config_text(peer, "address"), &address);
        if (!address || address == rules->address) {
            return REFUSE(build, "peer %s: not an address of a peer",
                          fwd_config_text(peer, "name"));
        }
        rules->hops[number].kind = FWD_HOP_PEER;
        rules->hops[number].peer = number;
        write_tunnel(rules, address, &rules->hops[number]);
        error = fwd_build_peer_ways(build, peer, number, address);
        if (error) {
            return error;
        }
        i = fwd_address_hash(address) & rules->peer_mask;
        while (rules->peers[i].address) {
            i = (i + 1) & rules->peer_mask;
        }
        rules->peers[i] = (struct fwd_peer_entry) {address, number};
    }
    return 0;
}

static void
write_head(const struct fwd_port *port, uint16_t vlan, struct fwd_side *side)
{
    uint16_t tag[2] = {RTE_BE16(RTE_ETHER_TYPE_VLAN), rte_cpu_to_be_16(vlan)};

    memcpy(side->head + 6, &port->mac, sizeof port->mac);
    side->head_size = FWD_ADDRESSES_SIZE;
    if (vlan) {
        memcpy(side->head + FWD_ADDRESSES_SIZE, tag, sizeof tag);
        side->head_size = sizeof side->head;
    }
}

/* Reads an interface of instance 'number', on which packets of 'direction'
 * leave to it. */
static int
read_side(struct fwd_build *build, const struct lyd_node *node, uint16_t number,
          enum fwd_direction direction)
{
    struct fwd_rules *rules = build->rules;
    struct fwd_side *side = &rules->hops[number].sides[direction];
    const char *port = fwd_config_text(node, "port");
    uint16_t vlan = (uint16_t) fwd_config_number(node, "vlan");

    side->port = (uint8_t) fwd_build_port(rules, port);
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
    write_head(&rules->ports[side->port], vlan, side);
    side->present = true;
    side->stripped = fwd_config_at(node, "stripped-labels") != NULL;
    if (side->stripped) {
        side->chain = fwd_config_number(node, "stripped-labels/chain-label");
        side->egress = fwd_config_number(node,
                                         "stripped-labels/egress-label");
    }
    return fwd_build_side_way(build, node, number, direction);
}

/* Reads the interface of an instance that has one for both directions. */
static int
read_single_side(struct fwd_build *build, const struct lyd_node *node,
                 uint16_t number)
{
    struct fwd_side *sides = build->rules->hops[number].sides;
    int error = read_side(build, node, number, FWD_RETURN);

    if (error) {
        return error;
    }
    sides[FWD_RETURN].single = true;
    sides[FWD_FORWARD] = sides[FWD_RETURN];
    return fwd_build_side_way(build, node, number, FWD_FORWARD);
}

/* Makes hop 'number', an instance that is attached to a peer now, lead
 * there. */
static int
move(struct fwd_build *build, const char *name, uint16_t number)
{
    const struct lyd_node *peers = fwd_config_at(build->config->root,
                                                 "peers");
    const struct lyd_node *peer = NULL;
    struct fwd_hop *hop = &build->rules->hops[number];
    const struct fwd_hop *to;
    uint32_t address;

    do {
        peer = fwd_config_next(peers, "peer", peer);
    } while (strcmp(fwd_config_text(peer, "name"), name));
    to = &build->rules->hops[fwd_build_hop(build, "peer", name, false)];
    hop->kind = FWD_HOP_MOVED;
    hop->peer = to->peer;
    memcpy(hop->tunnel, to->tunnel, sizeof hop->tunnel);
    inet_pton(AF_INET, fwd_config_text(peer, "address"), &address);
    return fwd_build_peer_ways(build, peer, number, address);
}

/* Reads the interfaces of an instance, which is hop 'number'. */
static int
read_sides(struct fwd_build *build, const struct lyd_node *instance,
           uint16_t number)
{
    const struct lyd_node *in = fwd_config_at(instance, "ingress-side");
    const struct lyd_node *out = fwd_config_at(instance, "egress-side");
    const struct lyd_node *single = fwd_config_at(instance, "single-side");
    int error = in ? read_side(build, in, number, FWD_FORWARD) : 0;

    if (out && !error) {
        error = read_side(build, out, number, FWD_RETURN);
    }
    if (single && !error) {
        error = read_single_side(build, single, number);
    }
    return error;
}

int
fwd_build_instances(struct fwd_build *build)
{
    const struct lyd_node *instances = fwd_config_at(build->config->root,
                                                     "instances");
    const struct lyd_node *instance = NULL;

    while ((instance = fwd_config_next(instances, "instance", instance))) {
        uint16_t number = (uint16_t) fwd_build_hop(
            build, "instance", fwd_config_text(instance, "name"), false);
        struct fwd_hop *hop = &build->rules->hops[number];
        const char *moved_to = fwd_config_text(instance, "moved-to");
        int error;

        hop->kind = FWD_HOP_INSTANCE;
        hop->service = (uint16_t) fwd_names_number(
            &build->numbers->services, fwd_config_text(instance, "service"));
        if (!hop->service) {
            return REFUSE(build, "too many services since the start");
        }
        error = moved_to ? move(build, moved_to, number)
                         : read_sides(build, instance, number);
        if (error) {
            return error;
        }
    }
    return 0;
}

/* Gives every entry of a list of hops its number; false if there are none
 * left. */
static bool
number_list(struct fwd_build *build, const char *container, const char *list)
{
    const struct lyd_node *parent = fwd_config_at(build->config->root,
                                                  container);
    const struct lyd_node *entry = NULL;

    while ((entry = fwd_config_next(parent, list, entry))) {
        if (!fwd_build_hop(build, list, fwd_config_text(entry, "name"), true)) {
            return false;
        }
    }
    return true;
}

int
fwd_build_number_hops(struct fwd_build *build)
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

