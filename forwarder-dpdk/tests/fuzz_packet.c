// SPDX-License-Identifier: EPL-2.0
/* Feeds damaged packets to the readers, under the address and undefined
 * behaviour sanitizers: each packet stands at the very end of its own
 * allocation. FWD_SEED repeats a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "packet.h"
#include "wire.h"

#define N_PACKETS 2000000

static void
read_all(const uint8_t *data, uint32_t size)
{
    struct fwd_link link;
    struct fwd_tunnel tunnel;
    struct fwd_labels labels;
    struct fwd_tuple tuple;
    struct fwd_key key;

    fwd_read_link(data, size, &link);
    fwd_read_labels(data, size, &labels);
    fwd_read_tunnel(data, size, &tunnel);
    if (!fwd_read_tuple(data, size, size, &tuple)) {
        fwd_tuple_key(&tuple, 0, FWD_RETURN, &key);
        fwd_fragment_key(&tuple, 0, FWD_FORWARD, &key);
        if (tuple.size > size) {
            abort();
        }
    }
}

/* A sound packet of some kind. */
static struct wire
sound_packet(void)
{
    static const uint8_t protocols[] = {6, 17, 1, 50};
    struct wire_flow flow = {
        .ipv6 = random() % 2,
        .protocol = protocols[random() % 4],
        .source = (uint32_t) random(),
        .destination = (uint32_t) random(),
    };
    struct wire wire = {.size = 0};

    switch (random() % 5) {
    case 0:
        wire_fragment(&wire, &flow, 64 * (random() % 2), true, 1);
        break;
    case 1:
        flow.protocol = 6;
        wire_icmp_error(&wire, &flow, 1);
        break;
    case 2:
        wire_ethernet(&wire, 7 * (random() % 2), 0x0800);
        break;
    case 3:
        wire_tunnel(&wire, 1, 2, 3, 0);
        memmove(wire.data, wire.data + 14, wire.size -= 14);
        break;
    default:
        wire_ip(&wire, &flow, 0x10, 20);
    }
    return wire;
}

/* IPv6 extension headers, which chance alone would rarely make. */
static void
damage(struct wire *wire)
{
    static const uint8_t values[] = {0, 1, 6, 17, 43, 44, 51, 58, 60, 255};

    for (long n = random() % 6; n--;) {
        wire->data[random() % wire->size]
            = random() % 2 ? (uint8_t) random()
                           : values[random() % (long) sizeof values];
    }
    wire->size = (uint16_t) (random() % 3 ? wire->size
                                          : random() % wire->size);
}

int
main(void)
{
    const char *given = getenv("FWD_SEED");
    unsigned int seed = given ? (unsigned int) strtoul(given, NULL, 10)
                              : (unsigned int) time(NULL);

    fprintf(stderr, "FWD_SEED=%u\n", seed);
    srandom(seed);
    for (int i = 0; i < N_PACKETS; i++) {
        struct wire wire = sound_packet();
        uint8_t *exact;

        damage(&wire);
        exact = malloc(wire.size);
        memcpy(exact, wire.data, wire.size);
        read_all(exact, wire.size);
        free(exact);
    }
    printf("1..1\nok 1 - %d damaged packets\n", N_PACKETS);
    return 0;
}
