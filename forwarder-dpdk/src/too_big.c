// SPDX-License-Identifier: EPL-2.0
#include "too_big.h"

#include <rte_byteorder.h>
#include <rte_ip.h>

#include "worker.h"

#define BURST 50         /* Most errors at once. */
#define ERROR_TTL 64
#define IPV4_MOST 576    /* Bytes of an error. RFC 1812, Section 4.3.2.3. */
#define IPV6_MOST 1280   /* Likewise. RFC 4443, Section 2.4. */
#define IPV4_TOS 0xc0    /* Internetwork control. RFC 1812, 4.3.2.5. */
#define IPV4_DF 0x40     /* In byte 6 of the header. */

/* Errors with their IP headers, in front of what they quote. */
struct ipv4_error {
    struct rte_ipv4_hdr ip;
    uint8_t type;
    uint8_t code;
    uint16_t checksum;
    uint16_t zero;
    uint16_t mtu; /* Bytes, network order. */
} __attribute__((packed, aligned(2)));

struct ipv6_error {
    struct rte_ipv6_hdr ip;
    uint8_t type;
    uint8_t code;
    uint16_t checksum;
    uint32_t mtu; /* Bytes, network order. */
} __attribute__((packed, aligned(2)));

static bool
take(struct fwd_bucket *bucket, uint64_t now_ms)
{
    uint64_t n = bucket->n + (now_ms - bucket->filled_ms);

    bucket->filled_ms = now_ms;
    bucket->n = (uint32_t) (n < BURST ? n : BURST);
    if (!bucket->n) {
        return false;
    }
    bucket->n--;
    return true;
}

static bool
is_host(const uint64_t address[2], bool ipv6)
{
    struct in6_addr whole;

    if (!ipv6) {
        whole = fwd_address_of_ipv4((uint32_t) address[0]);
    } else {
        memcpy(&whole, address, sizeof whole);
    }
    return fwd_address_is_host(&whole);
}

/* Whether an error may be sent about a packet. RFC 1812, Section 4.3.2.7;
 * RFC 4443, Section 2.4 (e), by which IPv6's may be about multicast. */
static enum fwd_drop
may_tell(const struct fwd_rules *rules, const struct fwd_job *job)
{
    const struct fwd_tuple *tuple = &job->tuple;
    const uint8_t *ip = rte_pktmbuf_mtod_offset(job->packet, const uint8_t *,
                                                job->offset);

    if (!tuple->ipv6 && !(ip[6] & IPV4_DF)) {
        return FWD_DROP_TOO_BIG_NO_DF;
    }
    if (tuple->kind == FWD_KIND_ERROR
        || tuple->kind == FWD_KIND_LATER_FRAGMENT
        || !is_host(tuple->source, tuple->ipv6)
        || (!tuple->ipv6 && !is_host(tuple->destination, false))) {
        return FWD_DROP_TOO_BIG_SILENT;
    }
    return fwd_address_is_none(&rules->icmp_source[tuple->ipv6])
               ? FWD_DROP_TOO_BIG_NO_SOURCE
               : FWD_DROP_NONE;
}

/* Makes the packet its own beginning, of at most 'most' bytes from the IP
 * header on, behind 'room' bytes for headers. Returns where these begin, or
 * null. */
static uint8_t *
quote(const struct fwd_job *job, uint32_t most, uint16_t room)
{
    struct rte_mbuf *packet = job->packet;
    uint32_t size = RTE_MIN(most, job->tuple.size);

    rte_pktmbuf_free(packet->next);
    packet->next = NULL;
    packet->nb_segs = 1;
    size = RTE_MIN(size, (uint32_t) packet->data_len - job->offset);
    packet->data_len = (uint16_t) (job->offset + size);
    packet->pkt_len = packet->data_len;
    rte_pktmbuf_adj(packet, job->offset);
    return (uint8_t *) rte_pktmbuf_prepend(packet, room);
}

static void
write_ipv4(const struct fwd_job *error, const struct in6_addr *source,
           uint32_t mtu, uint8_t *at)
{
    struct ipv4_error header = {
        .ip = {
            .version_ihl = RTE_IPV4_VHL_DEF,
            .type_of_service = IPV4_TOS,
            .total_length = rte_cpu_to_be_16(error->tuple.size),
            .fragment_offset = RTE_BE16(RTE_IPV4_HDR_DF_FLAG),
            .time_to_live = ERROR_TTL,
            .next_proto_id = IPPROTO_ICMP,
            .src_addr = fwd_address_ipv4(source),
            .dst_addr = (uint32_t) error->tuple.source[0],
        },
        .type = 3, /* Destination unreachable. */
        .code = 4, /* Fragmentation needed and DF set. */
        .mtu = rte_cpu_to_be_16((uint16_t) mtu),
    };

    header.ip.hdr_checksum = rte_ipv4_cksum(&header.ip);
    memcpy(at, &header, sizeof header);
    header.checksum = (uint16_t) ~rte_raw_cksum(
        at + sizeof header.ip, error->tuple.size - sizeof header.ip);
    memcpy(at, &header, sizeof header);
}

static void
write_ipv6(const struct fwd_job *error, const struct in6_addr *source,
           uint32_t mtu, uint8_t *at)
{
    struct ipv6_error header = {
        .ip = {
            .vtc_flow = RTE_BE32(0x60000000),
            .payload_len = rte_cpu_to_be_16(
                (uint16_t) (error->tuple.size - sizeof header.ip)),
            .proto = IPPROTO_ICMPV6,
            .hop_limits = ERROR_TTL,
        },
        .type = 2, /* Packet too big. */
        .mtu = rte_cpu_to_be_32(mtu),
    };

    memcpy(&header.ip.src_addr, source, sizeof header.ip.src_addr);
    memcpy(&header.ip.dst_addr, error->tuple.source,
           sizeof header.ip.dst_addr);
    memcpy(at, &header, sizeof header);
    header.checksum = rte_ipv6_udptcp_cksum(&header.ip,
                                            at + sizeof header.ip);
    memcpy(at, &header, sizeof header);
}

enum fwd_drop
fwd_too_big(struct fwd_bucket *bucket, const struct fwd_rules *rules,
            const struct fwd_job *job, uint16_t hop, uint64_t now_ms,
            struct fwd_job *error)
{
    bool ipv6 = job->tuple.ipv6;
    uint16_t room = ipv6 ? sizeof(struct ipv6_error)
                         : sizeof(struct ipv4_error);
    uint32_t mtu = fwd_room(rules, hop, job->direction);
    enum fwd_drop drop = may_tell(rules, job);
    uint8_t *at;

    if (!drop && !take(bucket, now_ms)) {
        drop = FWD_DROP_TOO_BIG_LIMITED;
    }
    if (drop) {
        return drop;
    }
    at = quote(job, (ipv6 ? IPV6_MOST : IPV4_MOST) - room, room);
    if (!at) {
        return FWD_DROP_NO_ROOM;
    }
    *error = *job;
    error->direction = !job->direction;
    error->offset = 0;
    error->ttl = FWD_FIRST_TTL + 1;
    error->tuple.kind = FWD_KIND_ERROR;
    error->tuple.size = (uint16_t) rte_pktmbuf_pkt_len(job->packet);
    (ipv6 ? write_ipv6 : write_ipv4)(error, &rules->icmp_source[ipv6], mtu,
                                     at);
    return FWD_DROP_NONE;
}
