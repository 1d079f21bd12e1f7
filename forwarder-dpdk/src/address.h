// SPDX-License-Identifier: EPL-2.0
/* IP addresses of either version: IPv4 is mapped into IPv6 (RFC 4291,
 * Section 2.5.5.2). All zero is none. */
#ifndef FWD_ADDRESS_H
#define FWD_ADDRESS_H

#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* 'ipv4' is in network order. */
static inline struct in6_addr
fwd_address_of_ipv4(uint32_t ipv4)
{
    struct in6_addr address = {{{[10] = 0xff, [11] = 0xff}}};

    memcpy(&address.s6_addr[12], &ipv4, sizeof ipv4);
    return address;
}

/* The link-local IPv6 address of an interface by its MAC address. RFC 4291,
 * Section 2.5.6 and Appendix A. */
static inline struct in6_addr
fwd_address_of_mac(const uint8_t mac[6])
{
    return (struct in6_addr) {{{
        0xfe, 0x80, 0, 0, 0, 0, 0, 0, mac[0] ^ 2, mac[1], mac[2],
        0xff, 0xfe, mac[3], mac[4], mac[5],
    }}};
}

/* The IPv4 address that is mapped, in network order. */
static inline uint32_t
fwd_address_ipv4(const struct in6_addr *address)
{
    uint32_t ipv4;

    memcpy(&ipv4, &address->s6_addr[12], sizeof ipv4);
    return ipv4;
}

static inline bool
fwd_address_is_ipv4(const struct in6_addr *address)
{
    return IN6_IS_ADDR_V4MAPPED(address);
}

static inline bool
fwd_address_is_none(const struct in6_addr *address)
{
    return IN6_IS_ADDR_UNSPECIFIED(address);
}

/* Whether one host on a network can have the address. RFC 1122, Section
 * 3.2.1.3; RFC 4291, Section 2.4. */
static inline bool
fwd_address_is_host(const struct in6_addr *address)
{
    if (fwd_address_is_ipv4(address)) {
        uint8_t first = address->s6_addr[12];

        return first && first != 127 && first < 224;
    }
    return !fwd_address_is_none(address) && !IN6_IS_ADDR_LOOPBACK(address)
           && !IN6_IS_ADDR_MULTICAST(address);
}

#endif
