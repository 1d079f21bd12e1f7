// SPDX-License-Identifier: EPL-2.0
#include "packet.h"

#include <string.h>

#include <rte_byteorder.h>
#include <rte_branch_prediction.h>
#include <rte_ether.h>
#include <rte_ip.h>
#include <rte_tcp.h>
#include <rte_udp.h>
#include <rte_vxlan.h>

#define IPV4_MIN_SIZE 20    /* Bytes. */
#define IPV6_SIZE 40        /* Bytes. */
#define MAX_EXTENSIONS 8    /* IPv6 extension headers that are followed. */
#define LABEL_BOTTOM 0x100u /* RFC 3032: bottom of stack. */
#define VXLAN_VALID 0x08    /* RFC 7348: the VNI is valid. */

enum {
    PROTOCOL_HOP_BY_HOP = 0,
    PROTOCOL_ICMP = 1,
    PROTOCOL_TCP = 6,
    PROTOCOL_UDP = 17,
    PROTOCOL_DCCP = 33,
    PROTOCOL_ROUTING = 43,
    PROTOCOL_FRAGMENT = 44,
    PROTOCOL_AH = 51,
    PROTOCOL_ICMPV6 = 58,
    PROTOCOL_DESTINATION = 60,
    PROTOCOL_SCTP = 132,
    PROTOCOL_UDP_LITE = 136,
};

enum { ND_FIRST = 133, ND_LAST = 137 }; /* RFC 4861, Section 4. */

static inline uint16_t
get16(const uint8_t *data)
{
    uint16_t value;

    memcpy(&value, data, sizeof value);
    return value;
}

static inline uint32_t
get32(const uint8_t *data)
{
    uint32_t value;

    memcpy(&value, data, sizeof value);
    return value;
}

enum fwd_drop
fwd_read_link(const uint8_t *data, uint32_t size, struct fwd_link *link)
{
    if (unlikely(size < RTE_ETHER_HDR_LEN)) {
        return FWD_DROP_SHORT;
    }
    link->ether_type = rte_be_to_cpu_16(get16(data + 12));
    link->vlan = 0;
    link->size = RTE_ETHER_HDR_LEN;
    if (link->ether_type == RTE_ETHER_TYPE_VLAN) {
        if (unlikely(size < RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN)) {
            return FWD_DROP_SHORT;
        }
        link->vlan = rte_be_to_cpu_16(get16(data + 14)) & 0xfff;
        link->ether_type = rte_be_to_cpu_16(get16(data + 16));
        link->size = RTE_ETHER_HDR_LEN + RTE_VLAN_HLEN;
    }
    return FWD_DROP_NONE;
}

enum fwd_drop
fwd_read_tunnel(const uint8_t *data, uint32_t size, uint32_t whole,
                struct fwd_tunnel *tunnel)
{
    const uint8_t *vxlan;
    uint32_t ip_size, ip_end, udp_end;

    if (unlikely(size < IPV4_MIN_SIZE)) {
        return FWD_DROP_SHORT;
    }
    ip_size = (data[0] & 0xfu) * 4;
    if (unlikely(data[0] >> 4 != 4 || ip_size < IPV4_MIN_SIZE
                 || data[9] != PROTOCOL_UDP
                 || (get16(data + 6) & RTE_BE16(0x3fff)))) {
        return FWD_DROP_NOT_TUNNEL;
    }
    tunnel->size = (uint16_t) (ip_size + sizeof(struct rte_udp_hdr)
                               + sizeof(struct rte_vxlan_hdr)
                               + RTE_ETHER_HDR_LEN);
    if (unlikely(size < tunnel->size)) {
        return FWD_DROP_SHORT;
    }
    vxlan = data + ip_size + sizeof(struct rte_udp_hdr);
    if (unlikely(get16(data + ip_size + 2) != RTE_BE16(FWD_VXLAN_PORT)
                 || !(vxlan[0] & VXLAN_VALID))) {
        return FWD_DROP_NOT_TUNNEL;
    }
    ip_end = rte_be_to_cpu_16(get16(data + 2));
    udp_end = ip_size + rte_be_to_cpu_16(get16(data + ip_size + 4));
    /* By | and not ||, for a single branch. */
    if (unlikely((udp_end < tunnel->size) | (udp_end > ip_end)
                 | (ip_end > whole))) {
        return FWD_DROP_BAD_HEADER;
    }
    if (unlikely(get16(data + tunnel->size - 2)
                 != RTE_BE16(RTE_ETHER_TYPE_MPLS))) {
        return FWD_DROP_BAD_LABELS;
    }
    tunnel->source = get32(data + 12);
    tunnel->destination = get32(data + 16);
    tunnel->vni = rte_be_to_cpu_32(get32(vxlan + 4)) >> 8;
    return FWD_DROP_NONE;
}

enum fwd_drop
fwd_read_labels(const uint8_t *data, uint32_t size, struct fwd_labels *labels)
{
    uint32_t chain, egress;

    if (unlikely(size < FWD_LABELS_SIZE)) {
        return FWD_DROP_SHORT;
    }
    chain = rte_be_to_cpu_32(get32(data));
    egress = rte_be_to_cpu_32(get32(data + 4));
    if (unlikely((chain & LABEL_BOTTOM) || !(egress & LABEL_BOTTOM))) {
        return FWD_DROP_BAD_LABELS;
    }
    labels->chain = chain >> 12;
    labels->egress = egress >> 12;
    labels->ttl = (uint8_t) chain;
    labels->is_return = chain >> FWD_RETURN_SHIFT & 1;
    return labels->ttl ? FWD_DROP_NONE : FWD_DROP_TTL_EXPIRED;
}

static bool
has_ports(uint8_t protocol)
{
    return protocol == PROTOCOL_TCP || protocol == PROTOCOL_UDP
           || protocol == PROTOCOL_SCTP || protocol == PROTOCOL_UDP_LITE
           || protocol == PROTOCOL_DCCP;
}

static enum fwd_drop read_ip(const uint8_t *data, uint32_t size,
                             bool is_quoted, struct fwd_tuple *tuple);

/* Reads the packet that an ICMP error is about. */
static enum fwd_drop
read_quoted(const uint8_t *data, uint32_t size, struct fwd_tuple *tuple)
{
    struct fwd_tuple quoted;
    enum fwd_drop drop = read_ip(data, size, true, &quoted);

    if (drop) {
        return drop;
    }
    if (quoted.ipv6 != tuple->ipv6) {
        return FWD_DROP_BAD_HEADER;
    }
    if (quoted.kind == FWD_KIND_LATER_FRAGMENT) {
        return FWD_DROP_ERROR_WITHOUT_FLOW;
    }
    quoted.kind = FWD_KIND_ERROR;
    quoted.size = tuple->size;
    quoted.tcp_flags = 0;
    *tuple = quoted;
    return FWD_DROP_NONE;
}

/* Tells errors from queries. RFC 792; RFC 4443, Section 2.1. */
static bool
is_icmp_error(uint8_t type, bool ipv6)
{
    return ipv6 ? type < 128
                : type == 3 || type == 4 || type == 5 || type == 11
                      || type == 12;
}

static bool
is_icmp_query(uint8_t type, bool ipv6)
{
    return ipv6 ? type == 128 || type == 129
                : type == 0 || type == 8 || (type >= 13 && type <= 18);
}

static enum fwd_drop
read_icmp(const uint8_t *data, uint32_t size, bool is_quoted,
          struct fwd_tuple *tuple)
{
    if (size < 8) {
        return FWD_DROP_SHORT;
    }
    if (is_icmp_error(data[0], tuple->ipv6)) {
        return is_quoted ? FWD_DROP_ERROR_WITHOUT_FLOW
                         : read_quoted(data + 8, size - 8, tuple);
    }
    if (is_icmp_query(data[0], tuple->ipv6)) {
        tuple->source_port = tuple->destination_port = get16(data + 4);
    }
    return tuple->ipv6 && data[0] >= ND_FIRST && data[0] <= ND_LAST
               ? FWD_DROP_LINK_LOCAL : FWD_DROP_NONE;
}

/* Reads what follows the IP headers. Of a quoted packet only 8 bytes are
 * sure to be there (RFC 792), which hold the ports and no flags. */
static inline enum fwd_drop
read_transport(const uint8_t *data, uint32_t size, bool is_quoted,
               struct fwd_tuple *tuple)
{
    if (tuple->kind == FWD_KIND_LATER_FRAGMENT) {
        return FWD_DROP_NONE;
    }
    if (likely(has_ports(tuple->protocol))) {
        uint32_t least = tuple->protocol == PROTOCOL_TCP && !is_quoted ? 20
                                                                       : 8;

        if (unlikely(size < least)) {
            return FWD_DROP_SHORT;
        }
        tuple->source_port = get16(data);
        tuple->destination_port = get16(data + 2);
        if (least == 20) {
            tuple->tcp_flags = data[13];
        }
        return FWD_DROP_NONE;
    }
    if (tuple->protocol == (tuple->ipv6 ? PROTOCOL_ICMPV6 : PROTOCOL_ICMP)) {
        return read_icmp(data, size, is_quoted, tuple);
    }
    return FWD_DROP_NONE;
}

static void
set_fragment(struct fwd_tuple *tuple, bool is_first, uint32_t id)
{
    tuple->kind = is_first ? FWD_KIND_FIRST_FRAGMENT
                           : FWD_KIND_LATER_FRAGMENT;
    tuple->fragment_id = id;
}

static inline enum fwd_drop
read_ipv4(const uint8_t *data, uint32_t size, bool is_quoted,
          struct fwd_tuple *tuple)
{
    uint32_t ip_size = (data[0] & 0xfu) * 4;
    uint16_t fragment;

    if (unlikely(size < IPV4_MIN_SIZE || size < ip_size)) {
        return FWD_DROP_SHORT;
    }
    tuple->size = rte_be_to_cpu_16(get16(data + 2));
    if (unlikely(ip_size < IPV4_MIN_SIZE || tuple->size < ip_size)) {
        return FWD_DROP_BAD_HEADER;
    }
    tuple->source[0] = get32(data + 12);
    tuple->destination[0] = get32(data + 16);
    tuple->protocol = data[9];
    fragment = get16(data + 6) & RTE_BE16(0x3fff);
    if (unlikely(fragment)) {
        set_fragment(tuple, !(fragment & RTE_BE16(0x1fff)),
                     get16(data + 4));
    }
    size = size < tuple->size ? size : tuple->size;
    return read_transport(data + ip_size, size - ip_size, is_quoted, tuple);
}

static bool
is_extension(uint8_t protocol)
{
    return protocol == PROTOCOL_HOP_BY_HOP || protocol == PROTOCOL_ROUTING
           || protocol == PROTOCOL_DESTINATION || protocol == PROTOCOL_AH
           || protocol == PROTOCOL_FRAGMENT;
}

/* Follows the extension headers from '*offset' on; leaves there where the
 * transport header begins, and its protocol in 'tuple'. */
static enum fwd_drop
read_extensions(const uint8_t *data, uint32_t size, uint32_t *offset,
                struct fwd_tuple *tuple)
{
    for (int i = 0; is_extension(tuple->protocol); i++) {
        const uint8_t *header = data + *offset;
        uint8_t protocol = tuple->protocol;

        if (i == MAX_EXTENSIONS) {
            return FWD_DROP_BAD_HEADER;
        }
        if (size - *offset < 8) {
            return FWD_DROP_SHORT;
        }
        tuple->protocol = header[0];
        if (protocol == PROTOCOL_FRAGMENT) {
            uint16_t fragment = rte_be_to_cpu_16(get16(header + 2));

            *offset += 8;
            if (fragment & 0xfff9) {
                set_fragment(tuple, !(fragment & 0xfff8), get32(header + 4));
            }
            if (fragment & 0xfff8) {
                return FWD_DROP_NONE;
            }
        } else {
            *offset += protocol == PROTOCOL_AH ? (header[1] + 2u) * 4
                                               : (header[1] + 1u) * 8;
        }
        if (*offset > size) {
            return FWD_DROP_SHORT;
        }
    }
    return FWD_DROP_NONE;
}

static inline enum fwd_drop
read_ipv6(const uint8_t *data, uint32_t size, bool is_quoted,
          struct fwd_tuple *tuple)
{
    uint32_t offset = IPV6_SIZE, whole;
    enum fwd_drop drop;

    if (unlikely(size < IPV6_SIZE)) {
        return FWD_DROP_SHORT;
    }
    whole = IPV6_SIZE + (uint32_t) rte_be_to_cpu_16(get16(data + 4));
    if (unlikely(whole > UINT16_MAX)) {
        return FWD_DROP_BAD_HEADER;
    }
    tuple->size = (uint16_t) whole;
    tuple->ipv6 = true;
    memcpy(tuple->source, data + 8, 16);
    memcpy(tuple->destination, data + 24, 16);
    tuple->protocol = data[6];
    size = size < whole ? size : whole;
    drop = read_extensions(data, size, &offset, tuple);
    return unlikely(drop) ? drop
                          : read_transport(data + offset, size - offset,
                                           is_quoted, tuple);
}

static enum fwd_drop
read_ip(const uint8_t *data, uint32_t size, bool is_quoted,
        struct fwd_tuple *tuple)
{
    memset(tuple, 0, sizeof *tuple);
    if (unlikely(!size)) {
        return FWD_DROP_SHORT;
    }
    switch (data[0] >> 4) {
    case 4:
        return read_ipv4(data, size, is_quoted, tuple);
    case 6:
        return read_ipv6(data, size, is_quoted, tuple);
    default:
        return FWD_DROP_NOT_IP;
    }
}

enum fwd_drop
fwd_read_tuple(const uint8_t *data, uint32_t size, uint32_t whole,
               struct fwd_tuple *tuple)
{
    enum fwd_drop drop = read_ip(data, size, false, tuple);

    return likely(!drop) && unlikely(tuple->size > whole) ? FWD_DROP_SHORT
                                                          : drop;
}
