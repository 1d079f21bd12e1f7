// SPDX-License-Identifier: EPL-2.0
#include "frames.h"

#include "network.h"
#include "rings.h"

/* An IP packet of some kind; small numbers, so that flows meet. */
static struct wire
some_ip(struct input *input)
{
    static const uint8_t protocols[] = {6, 17, 1, 50};
    uint8_t kind = input_byte(input), hosts = input_byte(input);
    struct wire_flow flow = {
        .ipv6 = kind & 1,
        .whole = kind >> 1 & 1,
        .protocol = protocols[kind >> 2 & 3],
        .source = hosts & 3,
        .destination = hosts >> 2 & 3,
        .source_port = hosts >> 4 & 3,
        .destination_port = hosts >> 6,
    };
    struct wire wire = {.size = 0};

    switch (kind >> 4 & 3) {
    case 0:
        wire_fragment(&wire, &flow, (uint16_t) (64 * (kind >> 6 & 1)),
                      kind >> 7, input_below(input, 4));
        break;
    case 1:
        flow.protocol = flow.protocol == 50 ? 6 : flow.protocol;
        wire_icmp_error(&wire, &flow, 1);
        break;
    default:
        wire_ip(&wire, &flow, input_byte(input) & 0x17, input_byte(input));
    }
    input_damage(input, wire.data, wire.size);
    return wire;
}

struct wire
frames_from_peer(struct input *input)
{
    uint8_t where = input_byte(input);
    struct wire ip = some_ip(input), wire = {.size = 0};

    wire_tunnel(&wire, PEER(where & 3u), OWN,
                network_vni(where >> 2 & 7, where >> 5 & 1),
                (uint16_t) (8 + ip.size));
    wire_labels(&wire, CHAIN + (where >> 6 & 1), EGRESS, 64);
    memcpy(wire.data + wire.size, ip.data, ip.size);
    wire.size = (uint16_t) (wire.size + ip.size);
    return wire;
}

struct wire
frames_from_vnf(struct input *input)
{
    uint8_t where = input_byte(input);
    struct wire ip = some_ip(input);

    return where >> 4 & 1
               ? network_from_single(where >> 1 & 3, where >> 3 & 1, &ip)
               : network_from_vnf(where & 1, where >> 1 & 3, where >> 3 & 1,
                                  &ip);
}

struct wire
frames_neighbour(struct input *input, int port)
{
    uint8_t who = input_byte(input);
    int kind = who & 1, i = who >> 1 & 3, egress = who >> 3 & 1;
    uint16_t vlan = network_vlan(kind, i, egress);
    uint64_t mac = network_vnf_mac(kind, i, egress);
    struct wire wire = {.size = 0};

    if (port == WAN) {
        wire_arp(&wire, 0, 1 + (who >> 4 & 1), network_peer_mac(i),
                 PEER((uint32_t) i), OWN);
    } else if (kind == NAT) {
        wire_arp(&wire, vlan, 1 + (who >> 4 & 1), mac,
                 network_address(vlan, false), network_address(vlan, true));
    } else {
        wire_nd(&wire, vlan, 135 + (who >> 4 & 1), mac,
                who >> 5 & 1 ? 0 : network_address(vlan, false),
                network_address(vlan, who >> 6 & 1));
    }
    return wire;
}

struct wire
frames_replicas(struct input *input)
{
    static const char *const names[] = {
        "peer/A", "peer/F", "instance/nat-0", "instance/nowhere",
    };
    struct wire_record records[4];
    struct wire wire = {.size = 0};
    int n = input_below(input, 5);

    for (int i = 0; i < n; i++) {
        uint8_t kind = input_byte(input), hosts = input_byte(input);

        records[i] = (struct wire_record) {
            .is_gone = kind & 1,
            .state = kind >> 3,
            .idle_s = input_byte(input),
            .chain = CHAIN,
            .egress = EGRESS,
            .stage = 1 + (hosts & 3) % 3,
            .flow = {
                .ipv6 = kind >> 1 & 1,
                .protocol = 6,
                .source = hosts >> 2 & 3,
                .destination = hosts >> 4 & 3,
            },
            .next = wire_identity(names[hosts >> 6]),
            .previous = wire_identity(names[kind >> 1 & 3]),
        };
    }
    wire_replicas(&wire, PEER(0), OWN, wire_identity("peer/A"), records, n);
    input_damage(input, wire.data, wire.size);
    wire_sum_udp(&wire, 14);
    return wire;
}

struct wire
frames_bytes(struct input *input)
{
    struct wire wire;
    uint16_t size = input_word(input) % 1600;

    wire.size = (uint16_t) input_bytes(input, wire.data, size);
    return wire;
}
