// SPDX-License-Identifier: EPL-2.0
/* The document of network.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "network.h"

struct text {
    char *at;
    size_t left;
};

static void
__attribute__((format(printf, 2, 3)))
add(struct text *text, const char *format, ...)
{
    va_list arguments;
    int n;

    va_start(arguments, format);
    n = vsnprintf(text->at, text->left, format, arguments);
    va_end(arguments);
    assert_true(n >= 0 && (size_t) n < text->left);
    text->at += n;
    text->left -= (size_t) n;
}

static void
add_mac(struct text *text, uint64_t mac)
{
    add(text, "\"mac-address\": \"02:00:00:00:%02x:%02x\"",
        (unsigned) (mac >> 8 & 0xff), (unsigned) (mac & 0xff));
}

/* An address that is asked for, and the forwarder's own. */
static void
add_addresses(struct text *text, int kind, uint16_t vlan, bool asks)
{
    for (int own = !asks; own < 2; own++) {
        uint32_t address = network_address(vlan, own);
        const char *name = !own ? "address"
                           : kind == NAT ? "own-ipv4-address"
                                         : "own-ipv6-address";
        char ipv6[46];

        wire_print_ipv6(address, ipv6);
        if (kind == NAT) {
            add(text, "\"%s\": \"10.99.%u.%u\"", name, vlan,
                address & 0xff);
        } else {
            add(text, "\"%s\": \"%s\"", name, ipv6);
        }
        add(text, own ? "" : ", ");
    }
}

static void
add_side(struct text *text, const struct network *network, int kind, int i,
         int egress)
{
    uint16_t vlan = network_vlan(kind, i, egress);
    const char *name = kind == NAT && network->single ? "single"
                       : egress ? "egress" : "ingress";

    add(text, ", \"%s-side\": {\"port\": \"lan\", \"vlan\": %u, ", name,
        vlan);
    add_addresses(text, kind, vlan, network->asks);
    if (!network->asks) {
        add(text, ", ");
        add_mac(text, network_vnf_mac(kind, i, egress));
    }
    if (kind == FIREWALL) {
        add(text, ", \"stripped-labels\": {\"chain-label\": %d, "
            "\"egress-label\": %d}", CHAIN, EGRESS);
    }
    add(text, "}");
}

static const char *
kind_name(int kind)
{
    return kind == NAT ? "nat" : "fw";
}

static void
add_instances(struct text *text, const struct network *network)
{
    const char *comma = "";

    add(text, "\"instances\": {\"instance\": [");
    for (int kind = 0; kind < N_KINDS; kind++) {
        for (int i = 0; i < N_VNFS; i++) {
            if (network->gone[kind][i]) {
                continue;
            }
            add(text, "%s{\"name\": \"%s-%d\", \"service\": \"%s\"", comma,
                kind_name(kind), i, kind_name(kind));
            add_side(text, network, kind, i, 0);
            if (kind != NAT || !network->single) {
                add_side(text, network, kind, i, 1);
            }
            add(text, "}\n");
            comma = ",";
        }
    }
    add(text, "]},");
}

static void
add_members(struct text *text, const struct network *network, int kind)
{
    const char *comma = "";

    add(text, ", \"instance\": [");
    for (int i = 0; i < N_VNFS; i++) {
        if (!network->gone[kind][i]) {
            add(text, "%s{\"name\": \"%s-%d\", \"weight\": %u}", comma,
                kind_name(kind), i, network->weight[kind][i]);
            comma = ",";
        }
    }
    add(text, "]");
}

static void
add_peers(struct text *text, const char *list, int first,
          const uint32_t weight[2])
{
    add(text, ", \"%s\": [{\"name\": \"%c\", \"weight\": %u}, "
        "{\"name\": \"%c\", \"weight\": %u}]", list, 'A' + first, weight[0],
        'B' + first, weight[1]);
}

static void
add_underlay(struct text *text, const struct network *network)
{
    add(text, "\"underlay\": {\"port\": \"wan\", "
        "\"address\": \"192.0.2.1\"");
    if (network->prefix_length) {
        add(text, ", \"prefix-length\": %u, \"gateway\": \"192.0.2.2\"",
            network->prefix_length);
    }
    add(text, "},");
    if (!network->is_mute) {
        char ipv6[46];

        wire_print_ipv6(ICMP_SOURCE, ipv6);
        add(text, "\"icmp-source\": {\"ipv4-address\": \"198.51.100.1\", "
            "\"ipv6-address\": \"%s\"},", ipv6);
    }
}

static void
add_peer_list(struct text *text, const struct network *network)
{
    add(text, "\"peers\": {\"peer\": [");
    for (int i = 0; i < N_PEERS; i++) {
        add(text, "%s{\"name\": \"%c\", \"address\": \"192.0.2.%d\"",
            i ? "," : "", 'A' + i, 10 + i);
        if (!network->asks) {
            add(text, ", ");
            add_mac(text, network_peer_mac(i));
        }
        if (!i && network->has_replicas) {
            add(text, ", \"replica\": true");
        }
        add(text, "}");
    }
    add(text, "]},\n");
}

/* The stage from the NATs' forwarders to the NATs, and the one that leaves. */
static void
add_first_stage(struct text *text, const struct network *network)
{
    add(text, "{\"number\": 1, \"service\": \"nat\"");
    add_members(text, network, NAT);
    add_peers(text, "previous-hop", 0, network->previous_weight);
    add(text, "},\n");
}

static void
add_last_stage(struct text *text, const struct network *network, int number)
{
    add(text, "{\"number\": %d, \"service\": \"exit\"", number);
    add_peers(text, "next-hop", 2, network->next_weight);
    add(text, "}");
}

void
network_write(const struct network *network, char *out, size_t size)
{
    struct text text = {out, size};

    add(&text, "{\"sluice-forwarder:forwarder\": {\"name\": \"F\",\n"
        "// a comment\n"
        "\"ports\": {\"port\": [{\"name\": \"wan\", \"device\": \"%%0\","
        "\"mtu\": %u},"
        "{\"name\": \"lan\", \"device\": \"%%1\"}]},"
        "\"flow-table\": {\"capacity\": %u, \"sweep-interval\": 1},",
        network->mtu, network->capacity);
    add_underlay(&text, network);
    add_peer_list(&text, network);
    add_instances(&text, network);
    add(&text, "\"chains\": {\"chain\": [{\"chain-label\": %d, "
        "\"egress-label\": %d, \"stateful\": %s, \"stage\": [\n",
        CHAIN, EGRESS, network->stateful ? "true" : "false");
    add_first_stage(&text, network);
    add(&text, "{\"number\": 2, \"service\": \"fw\", "
        "\"next-hop\": [{\"name\": \"F\", \"weight\": 1}], "
        "\"previous-hop\": [{\"name\": \"F\", \"weight\": 1}]");
    add_members(&text, network, FIREWALL);
    add(&text, "},\n");
    add_last_stage(&text, network, 3);
    add(&text, "]}");
    if (network->has_second_chain) {
        add(&text, ",\n{\"chain-label\": %d, \"egress-label\": %d, "
            "\"stateful\": false, \"stage\": [\n", CHAIN + 1, EGRESS);
        add_first_stage(&text, network);
        add_last_stage(&text, network, 2);
        add(&text, "]}");
    }
    add(&text, "]}}}\n");
}
