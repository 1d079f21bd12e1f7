// SPDX-License-Identifier: EPL-2.0
#include "stamp.h"

#include <string.h>

#include <rte_byteorder.h>

#define INNER_SIZE 46 /* Bytes of the IP packet. */
#define SOURCE_MAC_LAST 11
#define VLAN_LAST 15
#define OUTER_SOURCE_PORT 34
#define CHECKSUM 10   /* Offsets in the IP header. */
#define SOURCE 12
#define DESTINATION 16
#define PORTS 20

static uint32_t
sum_words(const uint8_t *at, int n)
{
    uint32_t sum = 0;

    for (int i = 0; i < n; i++) {
        uint16_t word;

        memcpy(&word, at + 2 * i, sizeof word);
        sum += word;
    }
    return sum;
}

void
bench_stamp_make(struct bench_stamp *stamp, const struct bench_kind *kind)
{
    uint8_t other[BENCH_MAX_FRAME];

    stamp->size = kind->write(stamp->packet, 0, 0);
    stamp->ip = (uint16_t) (stamp->size - INNER_SIZE);
    stamp->sum = sum_words(stamp->packet + stamp->ip, CHECKSUM / 2);
    stamp->is_return = kind->is_return;
    kind->write(other, 1, 1);
    stamp->is_tunnelled = stamp->ip > OUTER_SOURCE_PORT;
    stamp->mac_step = (uint8_t) (other[SOURCE_MAC_LAST]
                                 - stamp->packet[SOURCE_MAC_LAST]);
    stamp->vlan_step = (uint8_t) (other[VLAN_LAST]
                                  - stamp->packet[VLAN_LAST]);
}

uint16_t
bench_stamp_write(const struct bench_stamp *stamp, uint8_t *data,
                  uint32_t flow, uint32_t instance)
{
    uint64_t hash = bench_hash(flow);
    uint32_t client = rte_cpu_to_be_32(BENCH_FIRST_CLIENT + flow);
    uint32_t server = (uint32_t) hash, ports = (uint32_t) (hash >> 32);
    uint32_t sum = stamp->sum + (client & 0xffff) + (client >> 16)
                   + (server & 0xffff) + (server >> 16);
    uint8_t *ip = data + stamp->ip;
    uint16_t checksum;

    sum = (sum & 0xffff) + (sum >> 16);
    checksum = (uint16_t) ~(sum + (sum >> 16));
    ports = stamp->is_return ? ports << 16 | ports >> 16 : ports;
    memcpy(data, stamp->packet, BENCH_MAX_FRAME);
    memcpy(ip + CHECKSUM, &checksum, sizeof checksum);
    memcpy(ip + (stamp->is_return ? DESTINATION : SOURCE), &client, 4);
    memcpy(ip + (stamp->is_return ? SOURCE : DESTINATION), &server, 4);
    memcpy(ip + PORTS, &ports, sizeof ports);
    data[SOURCE_MAC_LAST] += (uint8_t) (instance * stamp->mac_step);
    data[VLAN_LAST] += (uint8_t) (instance * stamp->vlan_step);
    if (stamp->is_tunnelled) {
        uint16_t port = rte_cpu_to_be_16(bench_source_port(flow));

        memcpy(data + OUTER_SOURCE_PORT, &port, sizeof port);
    }
    return stamp->size;
}
