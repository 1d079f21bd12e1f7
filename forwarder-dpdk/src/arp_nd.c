// SPDX-License-Identifier: EPL-2.0
#include "arp_nd.h"

#include <rte_arp.h>
#include <rte_byteorder.h>
#include <rte_ip.h>

#include "packet.h"

#define HOP_LIMIT 255  /* RFC 4861: what passed a router has less. */
#define ALL_NODES 0x01 /* Last byte of ff02::1. */

/* RFC 4861, Sections 4.3 and 4.4. */
enum { ND_QUESTION = 135, ND_ANSWER = 136 };
enum { OPTION_OF_QUESTION = 1, OPTION_OF_ANSWER = 2 };

#define ND_ROUTER 0x80000000u
#define ND_SOLICITED 0x40000000u
#define ND_OVERRIDE 0x20000000u

/* A message of neighbour discovery from its IPv6 header on. */
struct nd {
    struct rte_ipv6_hdr ip;
    uint8_t type;
    uint8_t code;
    uint16_t checksum;
    uint32_t flags; /* Network order; of an answer. */
    uint8_t about[16];
} __attribute__((packed, aligned(2)));

/* The only option that is read or written: a MAC address. */
struct nd_option {
    uint8_t type;
    uint8_t length; /* In units of 8 bytes. */
    uint8_t mac[RTE_ETHER_ADDR_LEN];
} __attribute__((packed));

struct nd_written {
    struct nd nd;
    struct nd_option option;
} __attribute__((packed, aligned(2)));

static bool
read_arp(const uint8_t *data, uint32_t size, struct fwd_arp_nd *message)
{
    struct rte_arp_hdr arp;

    if (size < sizeof arp) {
        return false;
    }
    memcpy(&arp, data, sizeof arp);
    message->is_question = arp.arp_opcode == RTE_BE16(RTE_ARP_OP_REQUEST);
    message->overrides = true;
    message->mac = arp.arp_data.arp_sha;
    message->about = fwd_address_of_ipv4(message->is_question
                                             ? arp.arp_data.arp_tip
                                             : arp.arp_data.arp_sip);
    if (message->is_question && arp.arp_data.arp_sip) {
        message->peer = fwd_address_of_ipv4(arp.arp_data.arp_sip);
    }
    return arp.arp_hardware == RTE_BE16(RTE_ARP_HRD_ETHER)
           && arp.arp_protocol == RTE_BE16(RTE_ETHER_TYPE_IPV4)
           && arp.arp_hlen == RTE_ETHER_ADDR_LEN && arp.arp_plen == 4
           && (message->is_question
               || arp.arp_opcode == RTE_BE16(RTE_ARP_OP_REPLY));
}

/* Reads options; 'mac' stays if there is none of 'type'. Returns whether
 * they are sound. */
static bool
read_options(const uint8_t *data, uint32_t size, uint8_t type,
             struct rte_ether_addr *mac)
{
    while (size) {
        struct nd_option option;

        if (size < sizeof option) {
            return false;
        }
        memcpy(&option, data, sizeof option);
        if (!option.length || option.length * 8u > size) {
            return false;
        }
        if (option.type == type) {
            memcpy(mac, option.mac, sizeof *mac);
        }
        data += option.length * 8u;
        size -= option.length * 8u;
    }
    return true;
}

/* RFC 4861, Section 7.1. Stores the size of the options, which follow. */
static bool
is_nd(const struct nd *nd, const uint8_t *data, uint32_t size,
      uint32_t *options_size)
{
    uint32_t payload = rte_be_to_cpu_16(nd->ip.payload_len);
    uint32_t fixed = sizeof *nd - sizeof nd->ip;

    *options_size = payload - fixed;
    return nd->ip.proto == IPPROTO_ICMPV6 && nd->ip.hop_limits == HOP_LIMIT
           && (nd->type == ND_QUESTION || nd->type == ND_ANSWER)
           && !nd->code && nd->about[0] != 0xff
           && payload >= fixed && payload <= size - sizeof nd->ip
           && !rte_ipv6_udptcp_cksum(&nd->ip, data + sizeof nd->ip);
}

/* 'frame' begins at Ethernet's header, 'data' behind it. A question without
 * an option is answered to where its frame came from. */
static bool
read_nd(const uint8_t *frame, const uint8_t *data, uint32_t size,
        struct fwd_arp_nd *message)
{
    uint32_t options_size;
    struct nd nd;

    if (size < sizeof nd) {
        return false;
    }
    memcpy(&nd, data, sizeof nd);
    if (!is_nd(&nd, data, size, &options_size)) {
        return false;
    }
    message->is_question = nd.type == ND_QUESTION;
    message->overrides = message->is_question
                         || (nd.flags & RTE_BE32(ND_OVERRIDE));
    memcpy(&message->about, nd.about, sizeof message->about);
    if (message->is_question) {
        memcpy(&message->peer, &nd.ip.src_addr, sizeof message->peer);
        memcpy(&message->mac, frame + RTE_ETHER_ADDR_LEN,
               sizeof message->mac);
    }
    return !fwd_address_is_ipv4(&message->about)
           && !fwd_address_is_ipv4(&message->peer)
           && read_options(data + sizeof nd, options_size,
                           message->is_question ? OPTION_OF_QUESTION
                                                : OPTION_OF_ANSWER,
                           &message->mac);
}

bool
fwd_arp_nd_read(const uint8_t *data, uint32_t size,
                struct fwd_arp_nd *message)
{
    struct fwd_link link;

    memset(message, 0, sizeof *message);
    if (fwd_read_link(data, size, &link)) {
        return false;
    }
    message->vlan = link.vlan;
    if (link.ether_type == RTE_ETHER_TYPE_ARP) {
        return read_arp(data + link.size, size - link.size, message);
    }
    return link.ether_type == RTE_ETHER_TYPE_IPV6
           && read_nd(data, data + link.size, size - link.size, message);
}

/* Writes an Ethernet header from 'message->mac'; returns its size. */
static uint16_t
write_link(const struct fwd_arp_nd *message, const struct rte_ether_addr *to,
           uint16_t type, uint8_t *data)
{
    uint16_t tag[2] = {RTE_BE16(RTE_ETHER_TYPE_VLAN),
                       rte_cpu_to_be_16(message->vlan)};
    uint16_t size = 2 * RTE_ETHER_ADDR_LEN;

    memcpy(data, to, sizeof *to);
    memcpy(data + sizeof *to, &message->mac, sizeof message->mac);
    if (message->vlan) {
        memcpy(data + size, tag, sizeof tag);
        size = (uint16_t) (size + sizeof tag);
    }
    type = rte_cpu_to_be_16(type);
    memcpy(data + size, &type, sizeof type);
    return (uint16_t) (size + sizeof type);
}

/* An announcement has the form of a question for the own address. RFC 5227,
 * Section 3. */
static uint16_t
write_arp(const struct fwd_arp_nd *message, const struct rte_ether_addr *to,
          uint8_t *data)
{
    static const struct rte_ether_addr all = {
        {0xff, 0xff, 0xff, 0xff, 0xff, 0xff},
    };
    bool is_answer = !message->is_question
                     && !fwd_address_is_none(&message->peer);
    uint32_t about = fwd_address_ipv4(&message->about);
    uint32_t peer = fwd_address_ipv4(&message->peer);
    struct rte_arp_hdr arp = {
        .arp_hardware = RTE_BE16(RTE_ARP_HRD_ETHER),
        .arp_protocol = RTE_BE16(RTE_ETHER_TYPE_IPV4),
        .arp_hlen = RTE_ETHER_ADDR_LEN,
        .arp_plen = sizeof about,
        .arp_opcode = is_answer ? RTE_BE16(RTE_ARP_OP_REPLY)
                                : RTE_BE16(RTE_ARP_OP_REQUEST),
        .arp_data = {
            .arp_sha = message->mac,
            .arp_sip = message->is_question ? peer : about,
            .arp_tip = is_answer ? peer : about,
        },
    };
    uint16_t size = write_link(message, is_answer ? to : &all,
                               RTE_ETHER_TYPE_ARP, data);

    if (is_answer) {
        arp.arp_data.arp_tha = *to;
    }
    memcpy(data + size, &arp, sizeof arp);
    return (uint16_t) (size + sizeof arp);
}

/* Where a message goes: the solicited-node address of whom is asked for, who
 * asked, or all. */
static struct in6_addr
destination_of(const struct fwd_arp_nd *message)
{
    struct in6_addr all = {{{0xff, 0x02, [15] = ALL_NODES}}};

    if (message->is_question) {
        all.s6_addr[11] = 1;
        all.s6_addr[12] = 0xff;
        memcpy(&all.s6_addr[13], &message->about.s6_addr[13], 3);
        return all;
    }
    return fwd_address_is_none(&message->peer) ? all : message->peer;
}

static void
fill_nd(const struct fwd_arp_nd *message, const struct in6_addr *destination,
        struct nd_written *whole)
{
    bool is_question = message->is_question;
    uint32_t flags = ND_ROUTER | ND_OVERRIDE
                     | (IN6_IS_ADDR_MULTICAST(destination) ? 0
                                                           : ND_SOLICITED);
    struct nd *nd = &whole->nd;

    *whole = (struct nd_written) {
        .nd = {
            .ip = {
                .vtc_flow = RTE_BE32(0x60000000),
                .payload_len = rte_cpu_to_be_16(
                    sizeof *whole - sizeof(struct rte_ipv6_hdr)),
                .proto = IPPROTO_ICMPV6,
                .hop_limits = HOP_LIMIT,
            },
            .type = is_question ? ND_QUESTION : ND_ANSWER,
            .flags = is_question ? 0 : rte_cpu_to_be_32(flags),
        },
        .option = {
            .type = is_question ? OPTION_OF_QUESTION : OPTION_OF_ANSWER,
            .length = 1,
        },
    };
    memcpy(whole->option.mac, &message->mac, sizeof whole->option.mac);
    memcpy(nd->about, &message->about, sizeof nd->about);
    memcpy(&nd->ip.src_addr, is_question ? &message->peer : &message->about,
           sizeof nd->ip.src_addr);
    memcpy(&nd->ip.dst_addr, destination, sizeof nd->ip.dst_addr);
    nd->checksum = rte_ipv6_udptcp_cksum(&nd->ip, &nd->type);
}

static uint16_t
write_nd(const struct fwd_arp_nd *message, const struct rte_ether_addr *to,
         uint8_t *data)
{
    struct in6_addr destination = destination_of(message);
    struct rte_ether_addr group = {{0x33, 0x33}};
    struct nd_written whole;
    uint16_t size;

    fill_nd(message, &destination, &whole);
    memcpy(&group.addr_bytes[2], &destination.s6_addr[12], 4);
    size = write_link(message,
                      IN6_IS_ADDR_MULTICAST(&destination) ? &group : to,
                      RTE_ETHER_TYPE_IPV6, data);
    memcpy(data + size, &whole, sizeof whole);
    return (uint16_t) (size + sizeof whole);
}

uint16_t
fwd_arp_nd_write(const struct fwd_arp_nd *message,
                 const struct rte_ether_addr *to, uint8_t *data)
{
    return fwd_address_is_ipv4(&message->about)
               ? write_arp(message, to, data)
               : write_nd(message, to, data);
}
