// SPDX-License-Identifier: EPL-2.0
#include "wire.h"

#include <stdio.h>
#include <string.h>

static void
put(struct wire *wire, uint64_t value, int n_bytes)
{
    while (n_bytes--) {
        wire->data[wire->size++] = (uint8_t) (value >> (8 * n_bytes));
    }
}

uint16_t
wire_get16(const struct wire *wire, uint16_t offset)
{
    return (uint16_t) (wire->data[offset] << 8 | wire->data[offset + 1]);
}

uint32_t
wire_get32(const struct wire *wire, uint16_t offset)
{
    return (uint32_t) wire_get16(wire, offset) << 16
           | wire_get16(wire, (uint16_t) (offset + 2));
}

struct wire_flow
wire_reverse(const struct wire_flow *flow)
{
    struct wire_flow reverse = *flow;

    reverse.source = flow->destination;
    reverse.destination = flow->source;
    reverse.source_port = flow->destination_port;
    reverse.destination_port = flow->source_port;
    return reverse;
}

static void
put_address(struct wire *wire, uint32_t address, bool ipv6)
{
    if (ipv6) {
        put(wire, 0x20010db800000000, 8);
        put(wire, address ^ 0xffffffff, 4);
    }
    put(wire, address, 4);
}

uint16_t
wire_checksum(const struct wire *wire, uint16_t offset, uint16_t size,
              uint32_t sum)
{
    for (uint16_t i = 0; i < size; i++) {
        sum += (uint32_t) wire->data[offset + i] << (i % 2 ? 0 : 8);
    }
    sum = (sum & 0xffff) + (sum >> 16);
    return (uint16_t) ~(sum + (sum >> 16));
}

uint32_t
wire_pseudo_sum(const struct wire *wire, uint16_t ip)
{
    uint32_t sum = wire_get16(wire, (uint16_t) (ip + 4)) + 58u;

    for (uint16_t i = 8; i < 40; i += 2) {
        sum += wire_get16(wire, (uint16_t) (ip + i));
    }
    return sum;
}

static void
put_checksum(struct wire *wire, uint16_t at, uint16_t checksum)
{
    wire->data[at] = (uint8_t) (checksum >> 8);
    wire->data[at + 1] = (uint8_t) checksum;
}

/* Fills in the checksum of an IPv4 header at 'start'. */
static void
set_checksum(struct wire *wire, uint16_t start)
{
    put_checksum(wire, (uint16_t) (start + 10),
                 wire_checksum(wire, start, 20, 0));
}

void
wire_sum_icmpv6(struct wire *wire, uint16_t ip)
{
    uint16_t start = (uint16_t) (ip + 40);

    put_checksum(wire, (uint16_t) (start + 2), 0);
    put_checksum(wire, (uint16_t) (start + 2),
                 wire_checksum(wire, start, (uint16_t) (wire->size - start),
                               wire_pseudo_sum(wire, ip)));
}

void
wire_print_ipv6(uint32_t address, char text[46])
{
    uint32_t other = address ^ 0xffffffff;

    snprintf(text, 46, "2001:db8:0:0:%x:%x:%x:%x", other >> 16,
             other & 0xffff, address >> 16, address & 0xffff);
}

/* 'fragment': flags and offset in the form of IPv4. */
static void
put_ip_header(struct wire *wire, const struct wire_flow *flow,
              uint8_t protocol, uint16_t size, uint16_t fragment, uint16_t id)
{
    uint16_t start = wire->size;
    uint16_t shift = fragment || id ? 8 : 0;

    if (flow->ipv6) {
        put(wire, 0x60000000, 4);
        put(wire, size + shift, 2);
        put(wire, shift ? 44 : protocol, 1);
        put(wire, 64, 1);
    } else {
        put(wire, 0x4500, 2);
        put(wire, 20u + size, 2);
        put(wire, id, 2);
        put(wire, fragment | (flow->whole ? 0x4000u : 0), 2);
        put(wire, 0x4000u | protocol, 2);
        put(wire, 0, 2);
    }
    put_address(wire, flow->source, flow->ipv6);
    put_address(wire, flow->destination, flow->ipv6);
    if (!flow->ipv6) {
        set_checksum(wire, start);
    } else if (shift) {
        put(wire, protocol, 1);
        put(wire, 0, 1);
        put(wire, (fragment & 0x1fff) << 3 | (fragment >> 13 & 1), 2);
        put(wire, id, 4);
    }
}

static uint16_t
transport_size(const struct wire_flow *flow)
{
    return flow->protocol == 6 ? 20 : 8;
}

static uint8_t
real_protocol(const struct wire_flow *flow)
{
    return flow->protocol == 1 && flow->ipv6 ? 58 : flow->protocol;
}

static void
put_transport(struct wire *wire, const struct wire_flow *flow,
              uint8_t tcp_flags, uint16_t payload)
{
    if (flow->protocol == 1) {
        put(wire, flow->ipv6 ? 0x80000000 : 0x08000000, 4);
        put(wire, flow->source_port, 2);
        put(wire, 1, 2);
        return;
    }
    put(wire, flow->source_port, 2);
    put(wire, flow->destination_port, 2);
    if (flow->protocol == 6) {
        put(wire, 0, 8);
        put(wire, 0x5000u | tcp_flags, 2);
        put(wire, 0xffff, 2);
        put(wire, 0, 4);
    } else {
        put(wire, 8u + payload, 2);
        put(wire, 0, 2);
    }
}

static void
put_payload(struct wire *wire, uint16_t n)
{
    memset(wire->data + wire->size, 'x', n);
    wire->size = (uint16_t) (wire->size + n);
}

void
wire_ip(struct wire *wire, const struct wire_flow *flow, uint8_t tcp_flags,
        uint16_t payload)
{
    put_ip_header(wire, flow, real_protocol(flow),
                  (uint16_t) (transport_size(flow) + payload), 0, 0);
    put_transport(wire, flow, tcp_flags, payload);
    put_payload(wire, payload);
}

void
wire_fragment(struct wire *wire, const struct wire_flow *flow,
              uint16_t offset, bool more, uint16_t id)
{
    uint16_t fragment = (uint16_t) (more << 13 | offset / 8);

    put_ip_header(wire, flow, real_protocol(flow), 64, fragment, id);
    if (offset) {
        put_payload(wire, 64);
    } else {
        put_transport(wire, flow, 0x10, 200);
        put_payload(wire, (uint16_t) (64 - transport_size(flow)));
    }
}

void
wire_icmp_error(struct wire *wire, const struct wire_flow *flow,
                uint32_t router)
{
    struct wire quoted = {.size = 0};
    struct wire_flow error = {
        .ipv6 = flow->ipv6,
        .source = router,
        .destination = flow->source,
    };

    wire_ip(&quoted, flow, 0x10, 0);
    put_ip_header(wire, &error, flow->ipv6 ? 58 : 1,
                  (uint16_t) (8 + quoted.size), 0, 0);
    put(wire, flow->ipv6 ? 0x01000000 : 0x03010000, 4);
    put(wire, 0, 4);
    memcpy(wire->data + wire->size, quoted.data, quoted.size);
    wire->size = (uint16_t) (wire->size + quoted.size);
}

void
wire_ethernet(struct wire *wire, uint16_t vlan, uint16_t type)
{
    put(wire, 0x020000000001, 6);
    put(wire, 0x020000000002, 6);
    if (vlan) {
        put(wire, 0x8100, 2);
        put(wire, vlan, 2);
    }
    put(wire, type, 2);
}

void
wire_labels(struct wire *wire, uint32_t chain, uint32_t egress, uint8_t ttl)
{
    put(wire, chain << 12 | ttl, 4);
    put(wire, egress << 12 | 0x100 | ttl, 4);
}

void
wire_tunnel(struct wire *wire, uint32_t source, uint32_t destination,
            uint32_t vni, uint16_t inner)
{
    uint16_t start;

    wire_ethernet(wire, 0, 0x0800);
    start = wire->size;
    put(wire, 0x4500, 2);
    put(wire, 20u + 8 + 8 + 14 + inner, 2);
    put(wire, 0x00004000, 4);
    put(wire, 0x40110000, 4);
    put(wire, source, 4);
    put(wire, destination, 4);
    set_checksum(wire, start);
    put(wire, 0xc0001234, 2);
    put(wire, 4789, 2);
    put(wire, 8u + 8 + 14 + inner, 2);
    put(wire, 0, 2);
    put(wire, 0x08000000, 4);
    put(wire, vni << 8, 4);
    wire_ethernet(wire, 0, 0x8847);
}

uint64_t
wire_identity(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325;
    __extension__ unsigned __int128 product;

    for (const char *c = name; *c; c++) {
        hash = (hash ^ (uint8_t) *c) * 0x100000001b3;
    }
    product = (unsigned __int128) hash * 0x9e3779b97f4a7c15;
    hash = (uint64_t) product ^ (uint64_t) (product >> 64);
    return (hash & ~1ULL) | (name[0] == 'p');
}

static void
put_record(struct wire *wire, const struct wire_record *record)
{
    const struct wire_flow *flow = &record->flow;

    put(wire, record->is_gone, 1);
    put(wire, record->state, 1);
    put(wire, 0, 2);
    put(wire, record->idle_s, 4);
    put(wire, 1ULL << 63 | (uint64_t) flow->ipv6 << 62
              | (uint64_t) record->stage << 53
              | (uint64_t) flow->protocol << 45
              | (uint64_t) record->chain << 20 | record->egress, 8);
    put(wire, record->next, 8);
    put(wire, record->previous, 8);
    put(wire, flow->source_port, 2);
    put(wire, flow->destination_port, 2);
    put_address(wire, flow->source, flow->ipv6);
    put_address(wire, flow->destination, flow->ipv6);
}

void
wire_sum_udp(struct wire *wire, uint16_t ip)
{
    uint16_t size = (uint16_t) (wire_get16(wire, (uint16_t) (ip + 2)) - 20);
    uint32_t sum = 17u + size;
    uint16_t left = (uint16_t) (wire->size - ip - 20), checksum;

    for (uint16_t i = 12; i < 20; i += 2) {
        sum += wire_get16(wire, (uint16_t) (ip + i));
    }
    wire->data[ip + 26] = wire->data[ip + 27] = 0;
    checksum = wire_checksum(wire, (uint16_t) (ip + 20),
                             size < left ? size : left, sum);
    put_checksum(wire, (uint16_t) (ip + 26), checksum);
}

void
wire_replicas(struct wire *wire, uint32_t source, uint32_t destination,
              uint64_t sender, const struct wire_record *records, int n)
{
    uint16_t size = 44, ip;

    for (int i = 0; i < n; i++) {
        size = (uint16_t) (size + (records[i].flow.ipv6 ? 68 : 44));
    }
    wire_ethernet(wire, 0, 0x0800);
    ip = wire->size;
    put(wire, 0x4500, 2);
    put(wire, size, 2);
    put(wire, 0x00004000, 4);
    put(wire, 0x40110000, 4);
    put(wire, source, 4);
    put(wire, destination, 4);
    set_checksum(wire, ip);
    put(wire, 5572, 2);
    put(wire, 5572, 2);
    put(wire, size - 20u, 2);
    put(wire, 0, 2);
    put(wire, 0x53466c77, 4);
    put(wire, 1, 1);
    put(wire, 0, 1);
    put(wire, (uint64_t) n, 2);
    put(wire, sender, 8);
    for (int i = 0; i < n; i++) {
        put_record(wire, &records[i]);
    }
    wire_sum_udp(wire, ip);
}

void
wire_arp(struct wire *wire, uint16_t vlan, uint16_t operation, uint64_t mac,
         uint32_t source, uint32_t target)
{
    wire_ethernet(wire, vlan, 0x0806);
    put(wire, 0x000108000604, 6);
    put(wire, operation, 2);
    put(wire, mac, 6);
    put(wire, source, 4);
    put(wire, 0, 6);
    put(wire, target, 4);
}

void
wire_nd(struct wire *wire, uint16_t vlan, uint8_t type, uint64_t mac,
        uint32_t source, uint32_t target)
{
    uint16_t ip;

    wire_ethernet(wire, vlan, 0x86dd);
    ip = wire->size;
    put(wire, 0x60000000, 4);
    put(wire, source ? 32 : 24, 2);
    put(wire, 0x3aff, 2);
    if (source) {
        put_address(wire, source, true);
    } else {
        put(wire, 0, 8);
        put(wire, 0, 8);
    }
    put_address(wire, target, true);
    put(wire, (uint64_t) type << 24, 4);
    put(wire, type == 136 ? 0x60000000 : 0, 4);
    put_address(wire, target, true);
    if (source) {
        put(wire, type == 136 ? 0x0201 : 0x0101, 2);
        put(wire, mac, 6);
    }
    wire_sum_icmpv6(wire, ip);
}
