// SPDX-License-Identifier: EPL-2.0
#include "talk.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

struct network
talk_start(struct talk *talk)
{
    struct network network = network_even();

    network.asks = true;
    network_start(&network, &talk->rings);
    talk_tick(talk, 0);
    return network;
}

struct network
talk_only_first(struct talk *talk, struct network network)
{
    for (int i = 1; i < N_VNFS; i++) {
        network.weight[NAT][i] = network.weight[FIREWALL][i] = 0;
    }
    network.next_weight[1] = 0;
    assert_int_equal(network_apply(&network, &talk->rings), 0);
    return network;
}

void
talk_tick(struct talk *talk, uint64_t ms)
{
    talk->rings.now_ms += ms;
    rings_tick(&talk->rings);
    talk->n_said = 0;
    while (rings_take(&talk->rings, &talk->said[talk->n_said])) {
        talk->n_said++;
        assert_in_range(talk->n_said, 1, MOST_SAID - 1);
    }
}

void
talk_hear(struct talk *talk, int port, const struct wire *wire)
{
    assert_int_equal(rings_pass(&talk->rings, port, wire).drop,
                     FWD_DROP_NEIGHBOUR);
    talk_tick(talk, 0);
}

void
talk_hear_arp(struct talk *talk, int port, uint16_t vlan, uint16_t operation,
              uint64_t mac, uint32_t source, uint32_t target)
{
    struct wire wire = {.size = 0};

    wire_arp(&wire, vlan, operation, mac, source, target);
    talk_hear(talk, port, &wire);
}

void
talk_hear_nd(struct talk *talk, uint16_t vlan, uint8_t type, uint64_t mac,
             uint32_t source, uint32_t target)
{
    struct wire wire = {.size = 0};

    wire_nd(&wire, vlan, type, mac, source, target);
    talk_hear(talk, LAN, &wire);
}

void
talk_hear_nat(struct talk *talk, uint16_t operation, uint64_t mac)
{
    uint16_t vlan = network_vlan(NAT, 0, 0);

    talk_hear_arp(talk, LAN, vlan, operation, mac,
                  network_address(vlan, false), network_address(vlan, true));
}

bool
talk_has_arp(const struct talk *talk, int port, uint16_t vlan,
             uint16_t operation, uint64_t to, uint32_t source,
             uint32_t target)
{
    struct wire expected = {.size = 0};

    wire_arp(&expected, vlan, operation, 0, source, target);
    memset(expected.data + 6, 0, 6);
    for (int i = 0; i < 6; i++) {
        uint8_t byte = (uint8_t) (to >> (40 - 8 * i));

        expected.data[i] = to ? byte : 0xff;
        expected.data[expected.size - 10 + i] = byte;
    }
    for (int i = 0; i < talk->n_said; i++) {
        const struct wire *wire = &talk->said[i].wire;

        if (talk->said[i].port == port && wire->size == expected.size
            && !memcmp(wire->data, expected.data, expected.size)) {
            return true;
        }
    }
    return false;
}

const struct wire *
talk_nd(const struct talk *talk, uint16_t vlan, uint8_t type, uint32_t target)
{
    struct wire expected = {.size = 0};

    wire_nd(&expected, vlan, type, 0, 1, target);
    for (int i = 0; i < talk->n_said; i++) {
        const struct wire *wire = &talk->said[i].wire;

        if (talk->said[i].port == LAN && wire->size == expected.size
            && !memcmp(wire->data + 12, expected.data + 12, 14)
            && wire->data[58] == type
            && !memcmp(wire->data + 66, expected.data + 66, 16)) {
            assert_int_equal(wire_checksum(wire, 58, 32,
                                           wire_pseudo_sum(wire, 18)), 0);
            return wire;
        }
    }
    return NULL;
}

struct wire
talk_packet(void)
{
    static const struct wire_flow tcp = {
        .protocol = 6, .source = 0x0a000001, .destination = 0x0b000001,
        .source_port = 40000, .destination_port = 80,
    };
    struct wire ip = {.size = 0};

    wire_ip(&ip, &tcp, 0x10, 100);
    return ip;
}

struct fate
talk_pass_to_nat(struct talk *talk)
{
    struct wire ip = talk_packet();
    struct wire wire = network_from_peer(0, 1, 0, &ip);

    return rings_pass(&talk->rings, WAN, &wire);
}
