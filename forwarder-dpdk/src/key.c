// SPDX-License-Identifier: EPL-2.0
/* Keys of the connections that packets belong to. */
#include "packet.h"

#include <string.h>

#include <rte_branch_prediction.h>

/* Fills addresses and ports, swapped if 'swap'. */
static inline void
fill_key(const struct fwd_tuple *tuple, bool swap, struct fwd_key *key)
{
    const uint64_t *from = swap ? tuple->destination : tuple->source;
    const uint64_t *to = swap ? tuple->source : tuple->destination;

    if (likely(!tuple->ipv6)) {
        key->address[0] = from[0] | to[0] << 32;
        key->address[1] = key->address[2] = key->address[3] = 0;
    } else {
        memcpy(&key->address[0], from, 16);
        memcpy(&key->address[2], to, 16);
    }
    key->ports = swap ? (uint32_t) tuple->destination_port
                            | (uint32_t) tuple->source_port << 16
                      : (uint32_t) tuple->source_port
                            | (uint32_t) tuple->destination_port << 16;
    key->zero = 0;
}

void
fwd_tuple_key(const struct fwd_tuple *tuple, uint64_t place,
              enum fwd_direction direction, struct fwd_key *key)
{
    /* An error travels against the packet that it is about. */
    fill_key(tuple, (direction == FWD_RETURN)
                        != (tuple->kind == FWD_KIND_ERROR), key);
    key->context = place | (tuple->ipv6 ? FWD_KEY_IPV6 : 0)
                   | (uint64_t) tuple->protocol << FWD_KEY_PROTOCOL_SHIFT;
}

void
fwd_fragment_key(const struct fwd_tuple *tuple, uint64_t place,
                 enum fwd_direction direction, struct fwd_key *key)
{
    fwd_tuple_key(tuple, place, direction, key);
    key->context |= FWD_KEY_FRAGMENT
                    | (direction == FWD_RETURN ? FWD_KEY_RETURN : 0);
    key->ports = tuple->fragment_id;
    if (tuple->ipv6) {
        /* Only the first fragment knows the protocol. RFC 8200, 4.5. */
        key->context &= ~(0xffULL << FWD_KEY_PROTOCOL_SHIFT);
    }
}
