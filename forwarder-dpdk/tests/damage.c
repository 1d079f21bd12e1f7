// SPDX-License-Identifier: EPL-2.0
#include "damage.h"

#include <stdlib.h>

struct wire
damage_sound_ip(void)
{
    static const uint8_t protocols[] = {6, 17, 1, 50};
    struct wire_flow flow = {
        .ipv6 = random() % 2,
        .whole = random() % 2,
        .protocol = protocols[random() % 4],
        .source = (uint32_t) random(),
        .destination = (uint32_t) random(),
    };
    struct wire wire = {.size = 0};

    switch (random() % 4) {
    case 0:
        wire_fragment(&wire, &flow, 64 * (random() % 2), true, 1);
        break;
    case 1:
        flow.protocol = 6;
        wire_icmp_error(&wire, &flow, 1);
        break;
    default:
        wire_ip(&wire, &flow, (uint8_t) (random() & 0x17), 20);
    }
    return wire;
}

struct wire
damage_sound_message(uint16_t vlan)
{
    uint32_t source = (uint32_t) random(), target = (uint32_t) random();
    struct wire wire = {.size = 0};

    if (random() % 2) {
        wire_arp(&wire, vlan, (uint16_t) (1 + random() % 2),
                 (uint64_t) random(), source, target);
    } else {
        wire_nd(&wire, vlan, (uint8_t) (135 + random() % 2),
                (uint64_t) random(), random() % 4 ? source : 0, target);
    }
    return wire;
}

struct wire
damage_sound_replicas(uint32_t source, uint32_t destination, uint64_t sender)
{
    static const char *const names[] = {
        "peer/A", "peer/F", "instance/nat-0", "instance/nowhere",
    };
    struct wire_record records[4];
    struct wire wire = {.size = 0};
    int n = (int) (random() % 5);

    for (int i = 0; i < n; i++) {
        records[i] = (struct wire_record) {
            .is_gone = random() % 4 == 0,
            .state = (uint8_t) (random() % 32),
            .idle_s = (uint32_t) (random() % 100),
            .chain = 100,
            .egress = 203,
            .stage = (uint8_t) (1 + random() % 3),
            .flow = {
                .ipv6 = random() % 2,
                .protocol = 6,
                .source = (uint32_t) random(),
                .destination = (uint32_t) random(),
            },
            .next = wire_identity(names[random() % 4]),
            .previous = wire_identity(names[random() % 4]),
        };
    }
    wire_replicas(&wire, source, destination, sender, records, n);
    return wire;
}

void
damage_wire(struct wire *wire)
{
    /* Among them IPv6 extension headers, which chance alone would rarely
     * make. */
    static const uint8_t values[] = {0, 1, 6, 17, 43, 44, 51, 58, 60, 255};

    for (long n = random() % 6; n--;) {
        wire->data[random() % wire->size]
            = random() % 2 ? (uint8_t) random()
                           : values[random() % (long) sizeof values];
    }
    wire->size = (uint16_t) (random() % 3 ? wire->size
                                          : random() % wire->size);
}
