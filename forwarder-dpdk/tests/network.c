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

uint64_t
network_n_dropped(const struct rings *rings, uint32_t stage,
                  enum fwd_direction direction, enum fwd_drop reason)
{
    struct fwd_stage_drop drops[FWD_MAX_STAGE_DROPS];
    uint64_t n_packets = 0;
    char name[32];
    uint32_t number, n;

    snprintf(name, sizeof name, "%d/%d/%u", CHAIN, EGRESS, stage);
    number = fwd_names_find(&rings->control->numbers.stages, name);
    assert_int_not_equal(number, 0);
    n = fwd_crew_stage_drops(rings->control->crew, number, drops);
    for (uint32_t i = 0; i < n; i++) {
        if (drops[i].direction == direction && drops[i].reason == reason) {
            n_packets += drops[i].packets;
        }
    }
    return n_packets;
}
