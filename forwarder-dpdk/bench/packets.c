// SPDX-License-Identifier: EPL-2.0
#include "packets.h"

#include <string.h>

#include <rte_byteorder.h>
#include <rte_ether.h>
#include <rte_ip.h>

#define ADDRESS(i) RTE_IPV4(192, 0, 2, i)
#define TUNNEL_SIZE 64 /* Bytes from the outer Ethernet to the labels. */
#define OUTER_IP 14    /* Offsets in a tunnel. */
#define OUTER_UDP 34
#define VXLAN 42

static uint8_t *
put16(uint8_t *at, uint16_t value)
{
    value = rte_cpu_to_be_16(value);
    memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static uint8_t *
put32(uint8_t *at, uint32_t value)
{
    value = rte_cpu_to_be_32(value);
    memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

/* The MAC address that ends in 'last'. */
static uint8_t *
put_mac(uint8_t *at, uint8_t last)
{
    return put16(put32(at, 0x02000000), last);
}

/* Writes an IPv4 header of UDP, without addresses and check sum. */
static void
write_ipv4(uint8_t *at, uint16_t size)
{
    memset(at, 0, 20);
    at[0] = 0x45;
    put16(at + 2, size);
    at[8] = 64;
    at[9] = 17;
}

static void
set_checksum(uint8_t *at)
{
    uint16_t sum = rte_ipv4_cksum((struct rte_ipv4_hdr *) at);

    memcpy(at + 10, &sum, sizeof sum);
}

uint16_t
bench_write_ip(uint8_t *data, uint32_t flow, bool is_return, bool ipv6)
{
    uint64_t hash = bench_hash(flow);
    uint16_t size = ipv6 ? 48 : 46, header = ipv6 ? 40 : 20;
    uint16_t step = ipv6 ? 16 : 4;
    uint8_t *address = data + (ipv6 ? 8 : 12), *udp = data + header;
    uint32_t source = rte_cpu_to_be_32(BENCH_FIRST_CLIENT + flow);
    uint32_t destination = (uint32_t) hash;

    memset(data, 0, size);
    if (ipv6) {
        data[0] = 0x60;
        put16(data + 4, (uint16_t) (size - header));
        data[6] = 17;
        data[7] = 64;
    } else {
        write_ipv4(data, size);
    }
    memcpy(address + (is_return ? step : 0) + step - 4, &source, 4);
    memcpy(address + (is_return ? 0 : step) + step - 4, &destination, 4);
    memcpy(udp + (is_return ? 2 : 0), (uint8_t *) &hash + 4, 2);
    memcpy(udp + (is_return ? 0 : 2), (uint8_t *) &hash + 6, 2);
    put16(udp + 4, (uint16_t) (size - header));
    if (!ipv6) {
        set_checksum(data);
    }
    return size;
}

uint16_t
bench_write_plain(uint8_t *data, uint32_t flow, bool is_return,
                  uint8_t source, uint8_t destination)
{
    uint8_t *at = put_mac(put_mac(data, destination), source);

    at = put16(at, RTE_ETHER_TYPE_IPV4);
    return (uint16_t) (at - data
                       + bench_write_ip(at, flow, is_return, false));
}

static uint8_t *
write_labels(uint8_t *at)
{
    return put32(put32(at, 100u << 12 | 64), 203u << 12 | 0x100 | 64);
}

uint16_t
bench_write_tunnelled(uint8_t *data, uint32_t flow, uint32_t stage,
                      bool is_return, bool ipv6)
{
    uint8_t *at = data + TUNNEL_SIZE;
    uint16_t size;

    at = write_labels(at);
    at += bench_write_ip(at, flow, is_return, ipv6);
    size = (uint16_t) (at - data);

    put16(put_mac(put_mac(data, BENCH_MAC_OURS), BENCH_MAC_A),
          RTE_ETHER_TYPE_IPV4);
    write_ipv4(data + OUTER_IP, (uint16_t) (size - OUTER_IP));
    put32(data + OUTER_IP + 12, ADDRESS(is_return ? 3 : 2));
    put32(data + OUTER_IP + 16, ADDRESS(1));
    set_checksum(data + OUTER_IP);
    put16(data + OUTER_UDP, bench_source_port(flow));
    put16(data + OUTER_UDP + 2, 4789);
    put32(data + OUTER_UDP + 4, (uint32_t) (size - OUTER_UDP) << 16);
    put32(data + VXLAN, 0x08000000);
    put32(data + VXLAN + 4, (stage * 2 + is_return) << 8);
    put16(put_mac(put_mac(data + VXLAN + 8, 2), 1), RTE_ETHER_TYPE_MPLS);
    return size;
}

uint16_t
bench_write_from_vnf(uint8_t *data, uint32_t flow, uint32_t instance,
                     bool is_return, bool ipv6)
{
    uint32_t vlan = BENCH_FIRST_VLAN + 2 * instance + !is_return;
    uint8_t vnf = (uint8_t) (BENCH_MAC_VNF + instance);
    uint8_t *at = put_mac(put_mac(data, BENCH_MAC_OURS), vnf);

    at = put16(put32(at, 0x81000000u | vlan), RTE_ETHER_TYPE_MPLS);
    at = write_labels(at);
    return (uint16_t) (at - data
                       + bench_write_ip(at, flow, is_return, ipv6));
}
