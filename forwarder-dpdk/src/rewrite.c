// SPDX-License-Identifier: EPL-2.0
/* The headers that the next hop wants, in the place of those that came. */
#include "worker.h"

#include <string.h>

#include <rte_byteorder.h>
#include <rte_ip.h>
#include <rte_udp.h>
#include <rte_vxlan.h>

#define ENTROPY_FIRST 49152  /* RFC 7348, Section 5: 49152 to 65535. */
#define ENTROPY_MASK 0x3fff
#define LABEL_BOTTOM 0x100u

/* Bytes of layer 3 before the IP header of a packet in a tunnel. */
#define TUNNEL_OVERHEAD                                                       \
    (FWD_TUNNEL_SIZE - RTE_ETHER_HDR_LEN + FWD_LABELS_SIZE + 0u)

/* Makes the packet begin 'size' bytes before its IP header; null if there is
 * no room. */
static inline uint8_t *
begin_at(const struct fwd_job *job, uint32_t size)
{
    struct rte_mbuf *packet = job->packet;

    return size > job->offset
               ? (uint8_t *) rte_pktmbuf_prepend(
                     packet, (uint16_t) (size - job->offset))
               : (uint8_t *) rte_pktmbuf_adj(
                     packet, (uint16_t) (job->offset - size));
}

static inline void
write_labels(uint8_t *at, const struct fwd_job *job, uint8_t ttl,
             uint32_t is_return)
{
    uint32_t low = is_return << FWD_RETURN_SHIFT | ttl;
    uint32_t labels[2] = {
        rte_cpu_to_be_32(job->chain->chain << 12 | low),
        rte_cpu_to_be_32(job->chain->egress << 12 | LABEL_BOTTOM | low),
    };

    memcpy(at, labels, sizeof labels);
}

/* Adds a length to a copy of 'made', whose checksum was made without it. What
 * has just been copied would be slow to read. */
static inline void
set_length(struct rte_ipv4_hdr *ip, const struct rte_ipv4_hdr *made,
           uint16_t length)
{
    uint32_t sum = (uint16_t) ~made->hdr_checksum;

    ip->total_length = rte_cpu_to_be_16(length);
    sum += ip->total_length;
    ip->hdr_checksum = (uint16_t) ~((sum & 0xffff) + (sum >> 16));
}

static inline uint32_t
labels_size(const struct fwd_side *side)
{
    return side->stripped ? 0 : FWD_LABELS_SIZE;
}

uint32_t
fwd_room(const struct fwd_rules *rules, uint16_t hop,
         enum fwd_direction direction)
{
    const struct fwd_hop *to = &rules->hops[hop];
    const struct fwd_side *side = &to->sides[direction];

    return to->kind >= FWD_HOP_PEER
               ? rules->ports[rules->underlay].mtu - TUNNEL_OVERHEAD
               : rules->ports[side->port].mtu - labels_size(side);
}

/* Returns why a packet that takes 'size' bytes can't go by 'way'. */
static inline enum fwd_drop
unfit(uint32_t size, const struct fwd_way *way)
{
    return likely(size <= way->mtu) ? FWD_DROP_NONE
           : way->mtu               ? FWD_DROP_TOO_BIG
                                    : FWD_DROP_NO_NEIGHBOUR;
}

static inline enum fwd_drop
unfit_for_peer(const struct fwd_job *job, const struct fwd_way *way)
{
    return unlikely(job->ttl <= 1)
               ? FWD_DROP_TTL_EXPIRED
               : unfit(TUNNEL_OVERHEAD + job->tuple.size, way);
}

static inline enum fwd_drop
unfit_for_instance(const struct fwd_job *job, const struct fwd_side *side,
                   const struct fwd_way *way)
{
    return unfit(labels_size(side) + job->tuple.size, way);
}

bool
fwd_can_pass(const struct fwd_rules *rules, const struct fwd_job *job,
             uint16_t hop)
{
    const struct fwd_way way = fwd_rules_way(
        rules, fwd_way_number(hop, job->direction));
    const struct fwd_hop *to = &rules->hops[hop];
    enum fwd_drop drop
        = to->kind >= FWD_HOP_PEER
              ? unfit_for_peer(job, &way)
              : unfit_for_instance(job, &to->sides[job->direction], &way);

    return drop != FWD_DROP_TTL_EXPIRED && drop != FWD_DROP_TOO_BIG;
}

static inline enum fwd_drop
to_peer(const struct fwd_rules *rules, const struct fwd_job *job,
        const struct fwd_hop *hop, const struct fwd_way *way, uint8_t *port)
{
    uint32_t size = TUNNEL_OVERHEAD + job->tuple.size;
    uint32_t segment = job->stage->number * 2u
                       + (job->direction == FWD_RETURN);
    const struct rte_ipv4_hdr *made
        = (const struct rte_ipv4_hdr *) (hop->tunnel + RTE_ETHER_HDR_LEN);
    struct rte_ipv4_hdr *ip;
    struct rte_udp_hdr *udp;
    struct rte_vxlan_hdr *vxlan;
    enum fwd_drop drop = unfit_for_peer(job, way);
    uint8_t *at;

    if (unlikely(drop)) {
        return drop;
    }
    at = begin_at(job, FWD_TUNNEL_SIZE + FWD_LABELS_SIZE);
    if (unlikely(!at)) {
        return FWD_DROP_NO_ROOM;
    }
    memcpy(at, hop->tunnel, FWD_TUNNEL_SIZE);
    memcpy(at, &way->mac, sizeof way->mac);
    write_labels(at + FWD_TUNNEL_SIZE, job, (uint8_t) (job->ttl - 1), 0);
    ip = (struct rte_ipv4_hdr *) (at + RTE_ETHER_HDR_LEN);
    udp = (struct rte_udp_hdr *) (ip + 1);
    vxlan = (struct rte_vxlan_hdr *) (udp + 1);
    set_length(ip, made, (uint16_t) size);
    udp->src_port = rte_cpu_to_be_16(
        (uint16_t) (ENTROPY_FIRST | (job->hash & ENTROPY_MASK)));
    udp->dgram_len = rte_cpu_to_be_16((uint16_t) (size - sizeof *ip));
    vxlan->vx_vni = rte_cpu_to_be_32((rules->vni_base + segment) << 8);
    *port = rules->underlay;
    return FWD_DROP_NONE;
}

static inline uint16_t
type_of(const struct fwd_job *job, const struct fwd_side *side)
{
    if (!side->stripped) {
        return RTE_BE16(RTE_ETHER_TYPE_MPLS);
    }
    return job->tuple.ipv6 ? RTE_BE16(RTE_ETHER_TYPE_IPV6)
                           : RTE_BE16(RTE_ETHER_TYPE_IPV4);
}

/* Copies addresses and tag. Their sizes are known here, so that no function
 * is called. */
static inline void
copy_head(uint8_t *at, const struct fwd_side *side)
{
    memcpy(at, side->head, FWD_ADDRESSES_SIZE);
    if (side->head_size > FWD_ADDRESSES_SIZE) {
        memcpy(at + FWD_ADDRESSES_SIZE, side->head + FWD_ADDRESSES_SIZE,
               sizeof side->head - FWD_ADDRESSES_SIZE);
    }
}

static inline enum fwd_drop
to_instance(const struct fwd_job *job, const struct fwd_side *side,
            const struct fwd_way *way, uint8_t *port)
{
    uint32_t labels = labels_size(side);
    uint16_t type = type_of(job, side);
    enum fwd_drop drop = unfit_for_instance(job, side, way);
    uint8_t *at;

    if (unlikely(drop)) {
        return drop;
    }
    at = begin_at(job, side->head_size + 2u + labels);
    if (unlikely(!at)) {
        return FWD_DROP_NO_ROOM;
    }
    copy_head(at, side);
    memcpy(at, &way->mac, sizeof way->mac);
    memcpy(at + side->head_size, &type, sizeof type);
    if (!side->stripped) {
        write_labels(at + side->head_size + 2, job, job->ttl,
                     side->single & job->direction);
    }
    *port = side->port;
    return FWD_DROP_NONE;
}

enum fwd_drop
fwd_rewrite(const struct fwd_rules *rules, const struct fwd_job *job,
            uint16_t hop, uint8_t *port)
{
    const struct fwd_way way = fwd_rules_way(
        rules, fwd_way_number(hop, job->direction));
    const struct fwd_hop *to = &rules->hops[hop];
    uint32_t size = rte_pktmbuf_pkt_len(job->packet);

    /* Small frames are padded on the link; that is no part of the packet. */
    if (unlikely(size > (uint32_t) job->offset + job->tuple.size)
        && rte_pktmbuf_trim(job->packet, (uint16_t) (size - job->offset
                                                     - job->tuple.size))) {
        return FWD_DROP_BAD_HEADER;
    }
    return to->kind >= FWD_HOP_PEER
               ? to_peer(rules, job, to, &way, port)
               : to_instance(job, &to->sides[job->direction], &way, port);
}
