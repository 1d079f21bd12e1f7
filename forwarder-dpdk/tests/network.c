// SPDX-License-Identifier: EPL-2.0
#include "network.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rings.h"

struct network
network_even(void)
{
    struct network network = {
        .stateful = true,
        .capacity = 4096,
        .mtu = 1500,
        .next_weight = {1, 1},
        .previous_weight = {1, 1},
    };

    for (int i = 0; i < N_VNFS; i++) {
        network.weight[NAT][i] = network.weight[FIREWALL][i] = 1;
    }
    return network;
}

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

void
network_start(const struct network *network, struct rings *rings)
{
    char text[NETWORK_TEXT_SIZE];

    network_write(network, text, sizeof text);
    rings_start(rings, text);
}

int
network_apply(const struct network *network, struct rings *rings)
{
    char text[NETWORK_TEXT_SIZE], reason[FWD_REASON_SIZE];

    network_write(network, text, sizeof text);
    return rings_apply(rings, text, reason);
}

static void
append(struct wire *wire, const struct wire *tail)
{
    memcpy(wire->data + wire->size, tail->data, tail->size);
    wire->size = (uint16_t) (wire->size + tail->size);
}

struct wire
network_from_peer(int i, uint32_t stage, uint32_t direction,
                  const struct wire *ip)
{
    struct wire wire = {.size = 0};

    wire_tunnel(&wire, PEER((uint32_t) i), OWN, network_vni(stage, direction),
                (uint16_t) (8 + ip->size));
    wire_labels(&wire, CHAIN, EGRESS, 64);
    append(&wire, ip);
    return wire;
}

struct wire
network_from_vnf(int kind, int i, int egress, const struct wire *ip)
{
    struct wire wire = {.size = 0};
    uint16_t type = ip->data[0] >> 4 == 6 ? 0x86dd : 0x0800;

    wire_ethernet(&wire, network_vlan(kind, i, egress),
                  kind == NAT ? 0x8847 : type);
    if (kind == NAT) {
        wire_labels(&wire, CHAIN, EGRESS, 64);
    }
    append(&wire, ip);
    return wire;
}

/* Sets the lowest bit of the traffic class of both labels at 'offset'. */
static void
set_return(struct wire *wire, uint16_t offset, int is_return)
{
    for (int i = 0; i < 2; i++) {
        uint8_t *byte = &wire->data[offset + 4 * i + 2];

        *byte = (uint8_t) ((*byte & ~2) | is_return << 1);
    }
}

struct wire
network_from_single(int i, int egress, const struct wire *ip)
{
    struct wire wire = network_from_vnf(NAT, i, egress, ip);

    wire.data[15] = (uint8_t) (wire.data[15] - egress);
    set_return(&wire, 18, !egress);
    return wire;
}

static void
check_labels(const struct wire *wire, uint16_t offset)
{
    assert_int_equal(wire_get32(wire, offset) >> 8, CHAIN << 4);
    assert_int_equal(wire_get32(wire, (uint16_t) (offset + 4)) >> 8,
                     EGRESS << 4 | 1);
}

static struct place
peer_place(const struct wire *wire)
{
    struct wire expected = {.size = 0};
    uint32_t to = wire_get32(wire, 30);
    struct place place = {
        .is_peer = true,
        .peer = (int) (to - PEER(0)),
        .vni = wire_get32(wire, 46) >> 8,
        .ip_offset = 72,
    };

    assert_in_range(place.peer, 0, N_PEERS - 1);
    wire_tunnel(&expected, OWN, to, place.vni, (uint16_t) (wire->size - 64));
    assert_memory_equal(wire->data + 12, expected.data + 12, 22);
    assert_int_equal(wire->data[5], place.peer);
    assert_in_range(wire_get16(wire, 34), 49152, 65535);
    assert_memory_equal(wire->data + 36, expected.data + 36, 14);
    assert_int_equal(wire_get16(wire, 62), 0x8847);
    check_labels(wire, 64);
    return place;
}

static struct place
vnf_place(const struct wire *wire)
{
    int vlan = wire_get16(wire, 14) & 0xfff;
    int number = vlan >= 30 ? vlan - 30 : vlan - 10;
    struct place place = {
        .kind = vlan >= 30 ? FIREWALL : NAT,
        .vnf = number / 2,
        .egress = number % 2,
        .ip_offset = vlan >= 30 ? 18 : 26,
    };

    assert_int_equal(wire_get16(wire, 12), 0x8100);
    assert_int_equal(wire->data[4], place.kind);
    assert_int_equal(wire->data[5], number);
    if (place.kind == NAT) {
        assert_int_equal(wire_get16(wire, 16), 0x8847);
        check_labels(wire, 18);
    } else {
        assert_int_equal(wire_get16(wire, 16),
                         wire->data[18] >> 4 == 6 ? 0x86dd : 0x0800);
    }
    return place;
}

struct place
network_place(int port, const struct wire *wire)
{
    return port == WAN ? peer_place(wire) : vnf_place(wire);
}

struct place
network_single_place(int port, const struct wire *wire)
{
    bool is_return = wire->data[20] >> 1 & 1;
    struct wire twofold = *wire;

    if (port == LAN && wire_get16(wire, 16) == 0x8847) {
        assert_int_equal(wire->data[15] % 2, 0);
        assert_int_equal(wire->data[24] >> 1 & 1, is_return);
        twofold.data[5] = (uint8_t) (twofold.data[5] + is_return);
        twofold.data[15] = (uint8_t) (twofold.data[15] + is_return);
        set_return(&twofold, 18, 0);
    }
    return network_place(port, &twofold);
}

struct fwd_stage_drops
network_stage_drops(const struct rings *rings, uint32_t stage)
{
    char name[32];
    uint32_t number;

    snprintf(name, sizeof name, "100/203/%u", stage);
    number = fwd_names_find(&rings->control->numbers.stages, name);
    assert_int_not_equal(number, 0);
    return fwd_crew_stage_drops(rings->control->crew, number);
}
