// SPDX-License-Identifier: EPL-2.0
/* Packets of connections through chain 100 to egress 203, for benchmarks.
 *
 * The forwarder is 192.0.2.1 between peers A, 192.0.2.2, and B, 192.0.2.3.
 * Instance i of a VNF that keeps labels has VLANs 10 + 2i (ingress side) and
 * 11 + 2i. Each connection is a number; its inner packets are UDP and fill a
 * frame of 64 bytes, check sum included. Functions write at 'data' and return
 * the size of what they wrote. */
#ifndef BENCH_PACKETS_H
#define BENCH_PACKETS_H

#include <stdbool.h>
#include <stdint.h>

#define BENCH_FIRST_CLIENT 0x0a000000u /* Source address of connection 0. */
#define BENCH_FIRST_VLAN 10
#define BENCH_MAC_A 0x0a     /* Last byte of 02:00:00:00:00:... */
#define BENCH_MAC_OURS 0x01  /* The forwarder's ports. */
#define BENCH_MAC_VNF 0x10   /* Of instance 0; others follow. */
#define BENCH_MAX_FRAME 128u /* Bytes; no frame is larger. */

/* In its bytes as they are: a connection's destination, and both ports. */
static inline uint64_t
bench_hash(uint32_t flow)
{
    uint64_t x = flow + 1ULL;

    x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

/* Of the tunnel. */
static inline uint16_t
bench_source_port(uint32_t flow)
{
    return (uint16_t) (0xc000 | (flow & 0x3fff));
}

/* State of xorshift64, never 0. Returns a connection below 'n_flows'. */
static inline uint32_t
bench_random(uint64_t *state, uint32_t n_flows)
{
    *state ^= *state << 13;
    *state ^= *state >> 7;
    *state ^= *state << 17;
    return (uint32_t) ((*state >> 32) * n_flows >> 32);
}

/* An IP packet alone. */
uint16_t bench_write_ip(uint8_t *data, uint32_t flow, bool is_return,
                        bool ipv6);

/* A frame without labels between who has the MACs that end in 'source' and
 * 'destination'. */
uint16_t bench_write_plain(uint8_t *data, uint32_t flow, bool is_return,
                           uint8_t source, uint8_t destination);

/* What peer A (forward) or B (return) sends on 'stage'. */
uint16_t bench_write_tunnelled(uint8_t *data, uint32_t flow, uint32_t stage,
                               bool is_return, bool ipv6);

/* What 'instance' sends: forward packets from its egress side. */
uint16_t bench_write_from_vnf(uint8_t *data, uint32_t flow,
                              uint32_t instance, bool is_return, bool ipv6);

#endif
