// SPDX-License-Identifier: EPL-2.0
#include "replica_wire.h"

#include <netinet/in.h>
#include <string.h>

#include <rte_byteorder.h>
#include <rte_ip.h>
#include <rte_udp.h>

#include "flow.h"

#define MAGIC 0x53466c77u /* "SFlw". */
#define VERSION 1
#define TTL 64
#define STATES                                                                \
    (FWD_SEEN_FORWARD | FWD_SEEN_RETURN | FWD_FIN_FORWARD | FWD_FIN_RETURN    \
     | FWD_RESET)

/* Bits of a context that a record's may have. */
#define CONTEXT_BITS                                                          \
    (FWD_KEY_USED | FWD_KEY_IPV6 | 0x3fULL << FWD_KEY_STAGE_SHIFT             \
     | 0xffULL << FWD_KEY_PROTOCOL_SHIFT | 0xffffffffffULL)

/* The header, after that of UDP; all in network order. */
struct head {
    uint32_t magic;
    uint8_t version;
    uint8_t zero;
    uint16_t n; /* Records. */
    uint64_t sender;
} __attribute__((packed));

/* A record, up to the addresses: 8 bytes of IPv4 or 32 of IPv6. */
struct record {
    uint8_t is_gone; /* 0 or 1. */
    uint8_t state;
    uint16_t zero;
    uint32_t idle_s;
    uint64_t context;
    uint64_t next;
    uint64_t prev;
    uint32_t ports; /* As in struct fwd_key. */
} __attribute__((packed));

static_assert(sizeof(struct rte_ipv4_hdr) + sizeof(struct rte_udp_hdr)
                  + sizeof(struct head) == FWD_REPLICA_HEAD_SIZE,
              "no padding");
static_assert(sizeof(struct record) + 32 == FWD_REPLICA_RECORD_MAX,
              "no padding");

/* Bytes of the addresses of a key. */
static uint16_t
addresses_size(uint64_t context)
{
    return context & FWD_KEY_IPV6 ? 32 : 8;
}

uint16_t
fwd_replica_size(const struct fwd_replica *replica)
{
    return (uint16_t) (sizeof(struct record)
                       + addresses_size(replica->key.context));
}

uint16_t
fwd_replica_write(const struct fwd_replica *replica, uint8_t *at)
{
    const struct record record = {
        .is_gone = replica->is_gone,
        .state = replica->state,
        .idle_s = rte_cpu_to_be_32(replica->idle_s),
        .context = rte_cpu_to_be_64(replica->key.context),
        .next = rte_cpu_to_be_64(replica->next),
        .prev = rte_cpu_to_be_64(replica->prev),
        .ports = replica->key.ports,
    };

    memcpy(at, &record, sizeof record);
    memcpy(at + sizeof record, replica->key.address,
           addresses_size(replica->key.context));
    return fwd_replica_size(replica);
}

void
fwd_replica_write_head(uint8_t *data, uint32_t source, uint32_t destination,
                       uint64_t sender, uint16_t n, uint16_t size)
{
    struct rte_ipv4_hdr *ip = (struct rte_ipv4_hdr *) data;
    struct rte_udp_hdr *udp = (struct rte_udp_hdr *) (ip + 1);
    const struct head head = {
        .magic = RTE_BE32(MAGIC),
        .version = VERSION,
        .n = rte_cpu_to_be_16(n),
        .sender = rte_cpu_to_be_64(sender),
    };

    *ip = (struct rte_ipv4_hdr) {
        .version_ihl = RTE_IPV4_VHL_DEF,
        .total_length = rte_cpu_to_be_16(
            (uint16_t) (FWD_REPLICA_HEAD_SIZE + size)),
        .fragment_offset = RTE_BE16(RTE_IPV4_HDR_DF_FLAG),
        .time_to_live = TTL,
        .next_proto_id = IPPROTO_UDP,
        .src_addr = source,
        .dst_addr = destination,
    };
    ip->hdr_checksum = rte_ipv4_cksum(ip);
    *udp = (struct rte_udp_hdr) {
        .src_port = RTE_BE16(FWD_REPLICA_PORT),
        .dst_port = RTE_BE16(FWD_REPLICA_PORT),
        .dgram_len = rte_cpu_to_be_16(
            (uint16_t) (FWD_REPLICA_HEAD_SIZE - sizeof *ip + size)),
    };
    memcpy(udp + 1, &head, sizeof head);
    udp->dgram_cksum = rte_ipv4_udptcp_cksum(ip, udp);
}

bool
fwd_replica_peek(const uint8_t *data, uint32_t size, uint32_t *source,
                 uint32_t *destination)
{
    const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *) data;
    const struct rte_udp_hdr *udp = (const struct rte_udp_hdr *) (ip + 1);

    if (size < FWD_REPLICA_HEAD_SIZE || ip->version_ihl != RTE_IPV4_VHL_DEF
        || ip->next_proto_id != IPPROTO_UDP
        || udp->dst_port != RTE_BE16(FWD_REPLICA_PORT)) {
        return false;
    }
    *source = ip->src_addr;
    *destination = ip->dst_addr;
    return true;
}

/* Whether the checksum of UDP is there and right. RFC 768. */
static bool
is_sum_right(const struct rte_ipv4_hdr *ip, const struct rte_udp_hdr *udp)
{
    uint32_t sum = rte_ipv4_phdr_cksum(ip, 0);

    sum += rte_raw_cksum(udp, rte_be_to_cpu_16(udp->dgram_len));
    return udp->dgram_cksum && (sum & 0xffff) + (sum >> 16) == 0xffff;
}

/* Whether the headers say the same as the size, and the checksum is right. */
static bool
is_whole(const uint8_t *data, uint32_t size)
{
    const struct rte_ipv4_hdr *ip = (const struct rte_ipv4_hdr *) data;
    const struct rte_udp_hdr *udp = (const struct rte_udp_hdr *) (ip + 1);
    uint16_t whole = rte_be_to_cpu_16(ip->total_length);

    return whole >= FWD_REPLICA_HEAD_SIZE && whole <= size
           && !(ip->fragment_offset & RTE_BE16(0x3fff))
           && rte_be_to_cpu_16(udp->dgram_len) == whole - sizeof *ip
           && is_sum_right(ip, udp);
}

/* Reads a record; returns its size, or 0 if it is none. */
static uint16_t
read_record(const uint8_t *at, size_t left, struct fwd_replica *replica)
{
    struct record record;
    uint64_t context;

    if (left < sizeof record) {
        return 0;
    }
    memcpy(&record, at, sizeof record);
    context = rte_be_to_cpu_64(record.context);
    if (record.is_gone > 1 || (record.state & ~STATES) || record.zero
        || (context & ~CONTEXT_BITS) || !(context & FWD_KEY_USED)
        || !fwd_key_stage(context) || !record.next || !record.prev
        || left - sizeof record < addresses_size(context)) {
        return 0;
    }
    *replica = (struct fwd_replica) {
        .key = {.context = context, .ports = record.ports},
        .next = rte_be_to_cpu_64(record.next),
        .prev = rte_be_to_cpu_64(record.prev),
        .idle_s = rte_be_to_cpu_32(record.idle_s),
        .state = record.state,
        .is_gone = record.is_gone,
    };
    memcpy(replica->key.address, at + sizeof record, addresses_size(context));
    return fwd_replica_size(replica);
}

/* Whether 'left' bytes are 'n' records. */
static bool
are_records(const uint8_t *at, size_t left, uint16_t n)
{
    while (n--) {
        struct fwd_replica replica;
        uint16_t size = read_record(at, left, &replica);

        if (!size) {
            return false;
        }
        at += size;
        left -= size;
    }
    return !left;
}

bool
fwd_replica_read_datagram(const uint8_t *data, uint32_t size,
                          struct fwd_replica_datagram *datagram)
{
    struct head head;

    if (!fwd_replica_peek(data, size, &datagram->source,
                          &datagram->destination)
        || !is_whole(data, size)) {
        return false;
    }
    memcpy(&head, data + FWD_REPLICA_HEAD_SIZE - sizeof head, sizeof head);
    datagram->sender = rte_be_to_cpu_64(head.sender);
    datagram->n = rte_be_to_cpu_16(head.n);
    datagram->at = data + FWD_REPLICA_HEAD_SIZE;
    size = rte_be_to_cpu_16(((const struct rte_ipv4_hdr *) data)
                                ->total_length);
    return head.magic == RTE_BE32(MAGIC) && head.version == VERSION
           && !head.zero
           && are_records(datagram->at, size - FWD_REPLICA_HEAD_SIZE,
                          datagram->n);
}

bool
fwd_replica_next(struct fwd_replica_datagram *datagram,
                 struct fwd_replica *replica)
{
    if (!datagram->n) {
        return false;
    }
    datagram->n--;
    datagram->at += read_record(datagram->at, FWD_REPLICA_RECORD_MAX, replica);
    return true;
}
