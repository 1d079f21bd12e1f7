// SPDX-License-Identifier: EPL-2.0
/* Where a packet comes from, and where in its chain it is. */
#include "worker.h"

#include <rte_byteorder.h>

#include "replication.h"

/* Finds chain and stage in what came through a tunnel. */
static inline enum fwd_drop
from_tunnel(const struct fwd_rules *rules, const uint8_t *data,
            uint32_t size, struct fwd_job *job)
{
    struct fwd_tunnel tunnel;
    struct fwd_labels labels;
    uint32_t whole = rte_pktmbuf_pkt_len(job->packet) - job->offset, segment;
    enum fwd_drop drop = fwd_read_tunnel(data, size, whole, &tunnel);

    if (unlikely(drop)) {
        return drop == FWD_DROP_NOT_TUNNEL
                       && fwd_replication_is_wanted(rules, data, size)
                   ? FWD_DROP_REPLICA : drop;
    }
    if (unlikely(tunnel.destination != rules->address)) {
        return FWD_DROP_NOT_TUNNEL;
    }
    segment = tunnel.vni - rules->vni_base;
    if (unlikely(segment >= 2 * FWD_MAX_STAGES)) {
        return FWD_DROP_UNKNOWN_VNI;
    }
    job->from = fwd_rules_peer(rules, tunnel.source);
    if (unlikely(!job->from)) {
        return FWD_DROP_UNKNOWN_PEER;
    }
    drop = fwd_read_labels(data + tunnel.size, size - tunnel.size, &labels);
    if (unlikely(drop)) {
        return drop;
    }
    job->offset = (uint16_t) (job->offset + tunnel.size + FWD_LABELS_SIZE);
    job->ttl = labels.ttl;
    job->direction = segment & 1 ? FWD_RETURN : FWD_FORWARD;
    job->chain = fwd_rules_chain(rules, labels.chain, labels.egress);
    if (unlikely(!job->chain)) {
        return FWD_DROP_UNKNOWN_CHAIN;
    }
    job->stage = fwd_chain_stage(job->chain, segment >> 1);
    return likely(job->stage && job->stage->number) ? FWD_DROP_NONE
                                                    : FWD_DROP_UNKNOWN_STAGE;
}

/* What a frame is that can't be for a chain: for the forwarder itself, or
 * dropped for the reason 'otherwise'. */
static __rte_cold enum fwd_drop
for_no_chain(const struct fwd_link *link, const uint8_t *data, uint32_t size,
             enum fwd_drop otherwise)
{
    struct fwd_tuple tuple;

    return link->ether_type == RTE_ETHER_TYPE_ARP
                   || (link->ether_type == RTE_ETHER_TYPE_IPV6
                       && fwd_read_tuple(data, size, size, &tuple)
                              == FWD_DROP_LINK_LOCAL)
               ? FWD_DROP_NEIGHBOUR
               : otherwise;
}

/* The labels of a packet from an instance: its own, or its interface's. */
static inline enum fwd_drop
labels_of(const struct fwd_side *side, const struct fwd_link *link,
          const uint8_t *data, uint32_t size, struct fwd_labels *labels)
{
    if (side->stripped) {
        *labels = (struct fwd_labels) {side->chain, side->egress,
                                       FWD_FIRST_TTL + 1, 0};
        return link->ether_type == RTE_ETHER_TYPE_IPV4
                       || link->ether_type == RTE_ETHER_TYPE_IPV6
                   ? FWD_DROP_NONE
                   : for_no_chain(link, data, size, FWD_DROP_NOT_IP);
    }
    return link->ether_type == RTE_ETHER_TYPE_MPLS
               ? fwd_read_labels(data, size, labels)
               : for_no_chain(link, data, size, FWD_DROP_BAD_LABELS);
}

/* Finds chain and stage of what an instance sent. */
static inline enum fwd_drop
from_side(const struct fwd_rules *rules, uint8_t port,
          const struct fwd_link *link, const uint8_t *data, uint32_t size,
          struct fwd_job *job)
{
    uint32_t number = rules->sides[port] ? rules->sides[port][link->vlan]
                                         : 0;
    const struct fwd_hop *hop = &rules->hops[number / 2];
    const struct fwd_side *side = &hop->sides[number & 1];
    struct fwd_labels labels;
    enum fwd_drop drop;

    if (unlikely(!number)) {
        return FWD_DROP_UNKNOWN_SIDE;
    }
    drop = labels_of(side, link, data, size, &labels);
    if (unlikely(drop)) {
        return drop;
    }
    /* What leaves through the ingress side is on its way back. A single side
     * counts as the egress side, and its labels tell. */
    job->direction = !(number & 1) ^ (side->single & labels.is_return);
    job->from = (uint16_t) (number / 2);
    job->ttl = labels.ttl;
    job->offset = (uint16_t) (job->offset
                              + (side->stripped ? 0 : FWD_LABELS_SIZE));
    job->chain = fwd_rules_chain(rules, labels.chain, labels.egress);
    if (unlikely(!job->chain)) {
        return for_no_chain(link, data, size, FWD_DROP_UNKNOWN_CHAIN);
    }
    job->stage = fwd_chain_stage_of(job->chain, hop->service,
                                    job->direction);
    return likely(job->stage) ? FWD_DROP_NONE
                              : for_no_chain(link, data, size,
                                               FWD_DROP_UNKNOWN_STAGE);
}

/* Reads the connection and makes the key. A frame's link header has
 * 'link_size' bytes. */
static inline enum fwd_drop
read_flow(const uint8_t *data, uint32_t size, uint16_t link_size,
          struct fwd_job *job)
{
    enum fwd_drop drop;

    if (unlikely(size < job->offset)) {
        return FWD_DROP_SHORT;
    }
    drop = fwd_read_tuple(data + job->offset, size - job->offset,
                          rte_pktmbuf_pkt_len(job->packet) - job->offset,
                          &job->tuple);
    if (unlikely(drop)) {
        return drop == FWD_DROP_LINK_LOCAL && job->offset == link_size
                   ? FWD_DROP_NEIGHBOUR
                   : drop;
    }
    if (unlikely(job->tuple.kind == FWD_KIND_LATER_FRAGMENT)) {
        fwd_fragment_key(&job->tuple, job->stage->place, job->direction,
                         &job->key);
    } else {
        fwd_tuple_key(&job->tuple, job->stage->place, job->direction,
                      &job->key);
    }
    return FWD_DROP_NONE;
}

enum fwd_drop
fwd_classify(const struct fwd_rules *rules, uint8_t port,
             struct fwd_job *job)
{
    const uint8_t *data = rte_pktmbuf_mtod(job->packet, const uint8_t *);
    uint32_t size = rte_pktmbuf_data_len(job->packet);
    struct fwd_link link;
    enum fwd_drop drop = fwd_read_link(data, size, &link);

    if (unlikely(drop)) {
        return drop;
    }
    job->offset = link.size;
    if (port == rules->underlay && !link.vlan) {
        drop = likely(link.ether_type == RTE_ETHER_TYPE_IPV4)
                   ? from_tunnel(rules, data + link.size, size - link.size,
                                 job)
               : link.ether_type == RTE_ETHER_TYPE_ARP ? FWD_DROP_NEIGHBOUR
                                                       : FWD_DROP_NOT_TUNNEL;
    } else {
        drop = from_side(rules, port, &link, data + link.size,
                         size - link.size, job);
    }
    return unlikely(drop) ? drop : read_flow(data, size, link.size, job);
}
