// SPDX-License-Identifier: EPL-2.0
/* Ways: the MAC addresses of hops, or whom to ask for them, and the own
 * addresses of the forwarder. */
#include "build.h"

#include <arpa/inet.h>
#include <stdlib.h>

#define PATH_SIZE 160 /* Bytes of a path in the document that is told. */

/* Reads the IP address of a host at 'path' below 'node'; none if there is no
 * leaf. */
static int
read_host(struct fwd_build *build, const struct lyd_node *node,
          const char *path, struct in6_addr *address)
{
    const struct lyd_node *leaf = fwd_config_at(node, path);
    char where[PATH_SIZE];
    uint32_t ipv4;

    *address = in6addr_any;
    if (!leaf) {
        return 0;
    }
    if (inet_pton(AF_INET, lyd_get_value(leaf), &ipv4) == 1) {
        *address = fwd_address_of_ipv4(ipv4);
    } else {
        inet_pton(AF_INET6, lyd_get_value(leaf), address);
    }
    if (fwd_address_is_host(address)) {
        return 0;
    }
    lyd_path(leaf, LYD_PATH_STD, where, sizeof where);
    return REFUSE(build, "%s: not an address of a host", where);
}

static bool
is_same(const struct in6_addr *a, const struct in6_addr *b)
{
    return !memcmp(a, b, sizeof *a);
}

int
fwd_build_addresses(struct fwd_build *build)
{
    const struct lyd_node *root = build->config->root;
    struct fwd_rules *rules = build->rules;
    uint32_t most = rules->n_hops * 2;
    int error;

    rules->ways = calloc(most, sizeof *rules->ways);
    rules->targets = calloc(most, sizeof *rules->targets);
    rules->interfaces = calloc(most + 1, sizeof *rules->interfaces);
    if (!rules->ways || !rules->targets || !rules->interfaces) {
        return ENOMEM;
    }
    rules->interfaces[rules->n_interfaces++] = (struct fwd_interface) {
        .port = rules->underlay,
        .ipv4 = fwd_address_of_ipv4(rules->address),
    };
    error = read_host(build, root, "icmp-source/ipv4-address",
                      &rules->icmp_source[0]);
    return error ? error : read_host(build, root, "icmp-source/ipv6-address",
                                     &rules->icmp_source[1]);
}

/* Makes a way by the MAC address of 'node', or asks 'address' for it. */
static void
add_way(struct fwd_rules *rules, const struct lyd_node *node, uint32_t number,
        uint32_t interface, const struct in6_addr *address)
{
    const char *mac = fwd_config_text(node, "mac-address");

    if (mac) {
        uint8_t port = rules->interfaces[interface].port;
        struct fwd_way way = {.mtu = rules->ports[port].mtu};

        rte_ether_unformat_addr(mac, &way.mac);
        fwd_rules_set_way(rules, number, way);
    } else {
        rules->targets[rules->n_targets++] = (struct fwd_target) {
            .way = number, .interface = interface, .address = *address,
        };
    }
}

/* Finds who takes frames to the peer at '*address': itself or the gateway,
 * which is stored there instead. */
static int
find_next(struct fwd_build *build, const struct lyd_node *peer,
          uint32_t *address)
{
    const struct lyd_node *root = build->config->root;
    uint32_t length = fwd_config_number(root, "underlay/prefix-length");
    uint32_t mask = htonl(length ? UINT32_MAX << (32 - length) : 0);
    const char *gateway = fwd_config_text(root, "underlay/gateway");
    uint32_t own = build->rules->address;

    if (!((*address ^ own) & mask)) {
        return 0;
    }
    if (!gateway) {
        return REFUSE(build, "peer %s: outside the underlay's subnet, and "
                      "there is no gateway", fwd_config_text(peer, "name"));
    }
    inet_pton(AF_INET, gateway, address);
    return (*address ^ own) & mask || *address == own
               ? REFUSE(build, "gateway %s: not another address of the "
                        "underlay's subnet", gateway)
               : 0;
}

int
fwd_build_peer_ways(struct fwd_build *build, const struct lyd_node *peer,
                    uint16_t number, uint32_t address)
{
    int error = fwd_config_text(peer, "mac-address")
                    ? 0 : find_next(build, peer, &address);
    struct in6_addr next = fwd_address_of_ipv4(address);

    if (!error) {
        add_way(build->rules, peer, fwd_way_number(number, FWD_FORWARD), 0,
                &next);
        add_way(build->rules, peer, fwd_way_number(number, FWD_RETURN), 0,
                &next);
    }
    return error;
}

int
fwd_build_side_way(struct fwd_build *build, const struct lyd_node *node,
                   uint16_t number, enum fwd_direction direction)
{
    struct fwd_rules *rules = build->rules;
    uint32_t index = rules->n_interfaces++;
    struct fwd_interface *interface = &rules->interfaces[index];
    struct in6_addr address;
    int error = read_host(build, node, "own-ipv4-address", &interface->ipv4);

    interface->port = rules->hops[number].sides[direction].port;
    interface->vlan = (uint16_t) fwd_config_number(node, "vlan");
    if (!error) {
        error = read_host(build, node, "own-ipv6-address", &interface->ipv6);
    }
    if (!error) {
        error = read_host(build, node, "address", &address);
    }
    if (error) {
        return error;
    }
    if (!fwd_address_is_none(&address)
        && (is_same(&address, &interface->ipv4)
            || is_same(&address, &interface->ipv6))) {
        return REFUSE(build, "address %s: is the forwarder's own",
                      fwd_config_text(node, "address"));
    }
    add_way(rules, node, fwd_way_number(number, direction), index, &address);
    return 0;
}
