// SPDX-License-Identifier: EPL-2.0
/* Writes packets of a kind as fast as they can be sent: a copy of one packet
 * in which only what tells connections apart is changed. */
#ifndef BENCH_STAMP_H
#define BENCH_STAMP_H

#include "modes.h"
#include "packets.h"

struct bench_stamp {
    uint8_t packet[BENCH_MAX_FRAME]; /* Of connection 0 and instance 0. */
    uint16_t size;
    uint16_t ip;        /* Offset of the inner header. */
    uint32_t sum;       /* Of this header, addresses and check sum apart. */
    bool is_return;
    bool is_tunnelled;
    uint8_t mac_step;   /* From an instance to the next one. */
    uint8_t vlan_step;  /* The same. */
};

void bench_stamp_make(struct bench_stamp *stamp,
                      const struct bench_kind *kind);

/* Writes what kind->write() writes. There must be room for BENCH_MAX_FRAME
 * bytes. Returns the size of the packet. */
uint16_t bench_stamp_write(const struct bench_stamp *stamp, uint8_t *data,
                           uint32_t flow, uint32_t instance);

#endif
