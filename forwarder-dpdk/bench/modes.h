// SPDX-License-Identifier: EPL-2.0
/* What traffic.c sends and expects, for each kind of forwarder. */
#ifndef BENCH_MODES_H
#define BENCH_MODES_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_MAX_KINDS 4

enum { WAN, LAN, N_PORTS };

/* Packets of a kind come in to the forwarder on one port, and leave it on
 * the other one. */
struct bench_kind {
    uint8_t port;
    bool is_return;
    uint16_t (*write)(uint8_t *data, uint32_t flow, uint32_t instance);
};

struct bench_mode {
    const char *name;
    struct bench_kind kinds[BENCH_MAX_KINDS]; /* In order of opening. */
    int n_kinds;
    uint16_t lan_ip; /* Offset of the IP header in what leaves on LAN. */
    bool has_vlans;  /* On LAN, which tell instance and direction. */
    bool lan_is_return; /* Without VLANs: the direction there. */
};

/* Where the packet 'data', which left on LAN, was sent. */
struct bench_arrival {
    uint32_t flow; /* Its connection. */
    uint32_t instance;
};

/* Returns the mode of that name, or null. */
const struct bench_mode *bench_find_mode(const char *name);

struct bench_arrival bench_read_arrival(const struct bench_mode *mode,
                                        const uint8_t *data);

#endif
