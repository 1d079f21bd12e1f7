// SPDX-License-Identifier: EPL-2.0
/* Reading packets. Each function reads from 'data', which holds 'size'
 * bytes, never beyond, and returns FWD_DROP_NONE or why the packet is
 * dropped; what it fills is complete only then. */
#ifndef FWD_PACKET_H
#define FWD_PACKET_H

#include <stdint.h>

#include "drop.h"
#include "key.h"

#define FWD_TCP_FIN 0x01
#define FWD_TCP_SYN 0x02
#define FWD_TCP_RST 0x04
#define FWD_TCP_ACK 0x10

#define FWD_VXLAN_PORT 4789 /* RFC 7348, Section 5. */

/* Ethernet, with or without an 802.1Q tag. */
struct fwd_link {
    uint16_t vlan;       /* 0: no tag, or priority only. */
    uint16_t ether_type; /* Host order. */
    uint16_t size;       /* Bytes of the header. */
};

/* A tunnel: outer IPv4, UDP, VXLAN and the Ethernet header inside. */
struct fwd_tunnel {
    uint32_t source;      /* Network order. */
    uint32_t destination; /* Network order. */
    uint32_t vni;
    uint16_t size; /* Bytes of all of these headers. */
};

/* The two labels. */
struct fwd_labels {
    uint32_t chain;
    uint32_t egress;
    uint8_t ttl;       /* Forwarders that it may still pass, with this one. */
    uint8_t is_return; /* Lowest bit of the traffic class: 1 on the way back,
                        * where one interface serves both directions. */
};

#define FWD_LABELS_SIZE 8  /* Bytes of the two labels. */
#define FWD_RETURN_SHIFT 9 /* Of the lowest bit of the traffic class. */

/* What kind of packet the tuple is of. */
enum fwd_kind {
    FWD_KIND_PLAIN,
    FWD_KIND_FIRST_FRAGMENT,
    FWD_KIND_LATER_FRAGMENT, /* Has no ports. */
    FWD_KIND_ERROR,          /* ICMP error: addresses and ports are those of
                              * the packet that it is about. */
};

/* What tells connections apart, as it stands in the packet. */
struct fwd_tuple {
    uint64_t source[2];      /* IPv4 in the first 4 bytes of the first. */
    uint64_t destination[2]; /* All in network order. */
    uint16_t source_port;    /* ICMP query: its identifier, in both. */
    uint16_t destination_port;
    uint32_t fragment_id; /* Network order; of fragments only. */
    uint8_t protocol;
    uint8_t tcp_flags; /* 0 if it is not TCP. */
    bool ipv6;
    enum fwd_kind kind;
    uint16_t size; /* Bytes of the packet without link padding. */
};

enum fwd_drop fwd_read_link(const uint8_t *data, uint32_t size,
                            struct fwd_link *link);

/* Reads from the outer IPv4 header on, of a packet with link padding of
 * 'whole' bytes. Its IPv4 and UDP lengths have to hold all of the headers,
 * UDP's within IPv4's and that within 'whole'. */
enum fwd_drop fwd_read_tunnel(const uint8_t *data, uint32_t size,
                              uint32_t whole, struct fwd_tunnel *tunnel);

enum fwd_drop fwd_read_labels(const uint8_t *data, uint32_t size,
                              struct fwd_labels *labels);

/* Reads from the IPv4 or IPv6 header on. The packet may be longer than what
 * is here to read: 'size' bytes are, of 'whole'. */
enum fwd_drop fwd_read_tuple(const uint8_t *data, uint32_t size,
                             uint32_t whole, struct fwd_tuple *tuple);

/* Makes the key of a packet that travels in 'direction' at 'place' (see
 * fwd_key_place()). */
void fwd_tuple_key(const struct fwd_tuple *tuple, uint64_t place,
                   enum fwd_direction direction, struct fwd_key *key);

/* Makes the key that later fragments of the packet share. */
void fwd_fragment_key(const struct fwd_tuple *tuple, uint64_t place,
                      enum fwd_direction direction, struct fwd_key *key);

#endif
