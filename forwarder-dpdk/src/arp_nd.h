// SPDX-License-Identifier: EPL-2.0
/* ARP (RFC 826) and IPv6 neighbour discovery (RFC 4861): who has which MAC
 * address. Both have questions and answers, and an announcement is an answer
 * that nobody asked for. */
#ifndef FWD_ARP_ND_H
#define FWD_ARP_ND_H

#include <rte_ether.h>

#include "address.h"

#define FWD_ARP_ND_SIZE 90 /* Bytes of the largest frame that is written. */

struct fwd_arp_nd {
    bool is_question;          /* Who has 'about'? Otherwise 'mac' has it. */
    bool overrides;            /* What was known of 'about' is outdated. */
    uint16_t vlan;             /* 0: no tag. */
    struct in6_addr about;
    struct in6_addr peer;      /* Who asks (none: doesn't tell), or who is
                                * answered (none: all). */
    struct rte_ether_addr mac; /* Of who says this; zero: doesn't tell. */
};

/* Reads a frame of 'size' bytes. Returns whether it is such a message. */
bool fwd_arp_nd_read(const uint8_t *data, uint32_t size,
                     struct fwd_arp_nd *message);

/* Writes a message as a frame into 'data', which has FWD_ARP_ND_SIZE bytes;
 * an answer goes to 'to'. Returns the frame's size. */
uint16_t fwd_arp_nd_write(const struct fwd_arp_nd *message,
                          const struct rte_ether_addr *to, uint8_t *data);

#endif
