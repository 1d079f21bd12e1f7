// SPDX-License-Identifier: EPL-2.0
/* Packets for tests, written byte by byte from the RFCs and from
 * docs/wire/forwarder.md, without the forwarder's code. */
#ifndef TEST_WIRE_H
#define TEST_WIRE_H

#include <stdbool.h>
#include <stdint.h>

struct wire {
    uint8_t data[2000];
    uint16_t size;
};

/* A connection, as seen from who opened it. */
struct wire_flow {
    bool ipv6;
    bool whole;       /* IPv4: must not be fragmented. */
    uint8_t protocol; /* 6, 17, or 1 for an echo of either ICMP. */
    uint32_t source;  /* The last 4 bytes of the address; host order. */
    uint32_t destination;
    uint16_t source_port; /* Echo: the identifier. */
    uint16_t destination_port;
};

/* The same connection, as seen from the other end. */
struct wire_flow wire_reverse(const struct wire_flow *flow);

/* Appends an IP packet with 'payload' bytes after the transport header. */
void wire_ip(struct wire *wire, const struct wire_flow *flow,
             uint8_t tcp_flags, uint16_t payload);

/* Appends a fragment: the first one if 'offset' is 0. */
void wire_fragment(struct wire *wire, const struct wire_flow *flow,
                   uint16_t offset, bool more, uint16_t id);

/* Appends an ICMP error from 'router' about a packet of 'flow'. */
void wire_icmp_error(struct wire *wire, const struct wire_flow *flow,
                     uint32_t router);

/* Appends an Ethernet header; 'vlan' 0 for no tag. */
void wire_ethernet(struct wire *wire, uint16_t vlan, uint16_t type);

/* Appends the two labels. */
void wire_labels(struct wire *wire, uint32_t chain, uint32_t egress,
                 uint8_t ttl);

/* Appends Ethernet, IPv4, UDP, VXLAN and Ethernet, around 'inner' more
 * bytes. */
void wire_tunnel(struct wire *wire, uint32_t source, uint32_t destination,
                 uint32_t vni, uint16_t inner);

/* Appends a frame of ARP: operation 1 or 2, from who has 'mac' and 'source'
 * (host order) to or about 'target'. */
void wire_arp(struct wire *wire, uint16_t vlan, uint16_t operation,
              uint64_t mac, uint32_t source, uint32_t target);

/* Appends a frame of neighbour discovery, 135 or 136, about 'target', with
 * 'mac' as its option. Addresses as in struct wire_flow; a 'source' of 0 is
 * the unspecified address. */
void wire_nd(struct wire *wire, uint16_t vlan, uint8_t type, uint64_t mac,
             uint32_t source, uint32_t target);

/* A record of a datagram of replicas. */
struct wire_record {
    bool is_gone;
    uint8_t state;
    uint32_t idle_s;
    uint32_t chain;
    uint32_t egress;
    uint8_t stage;
    struct wire_flow flow; /* On its way forward. */
    uint64_t next;
    uint64_t previous;
};

/* Identity of the hop peer/x or instance/x. */
uint64_t wire_identity(const char *name);

/* Appends a frame with a datagram of 'n' records. */
void wire_replicas(struct wire *wire, uint32_t source, uint32_t destination,
                   uint64_t sender, const struct wire_record *records, int n);

/* Fills in the checksum of the UDP datagram that its IPv4 header at 'ip' says
 * to be there, as far as the wire goes. */
void wire_sum_udp(struct wire *wire, uint16_t ip);

/* Fills in the checksum of the ICMPv6 message that fills the wire from its
 * IPv6 header at 'ip' on. */
void wire_sum_icmpv6(struct wire *wire, uint16_t ip);

/* Writes the IPv6 address that 'address' stands for. */
void wire_print_ipv6(uint32_t address, char text[46]);

/* Internet checksum (RFC 1071) of 'size' bytes at an offset, and of a sum of
 * what is not there. */
uint16_t wire_checksum(const struct wire *wire, uint16_t offset,
                       uint16_t size, uint32_t sum);

/* Sum of the pseudo header of ICMPv6 (RFC 8200, Section 8.1). */
uint32_t wire_pseudo_sum(const struct wire *wire, uint16_t ip);

/* Readers at an offset; network order in, host order out. */
uint16_t wire_get16(const struct wire *wire, uint16_t offset);
uint32_t wire_get32(const struct wire *wire, uint16_t offset);

#endif
