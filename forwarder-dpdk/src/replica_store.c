// SPDX-License-Identifier: EPL-2.0
#include "replica_store.h"

/* Most identities that are known: more would make them hard to find. */
#define MAX_IDENTITIES (FWD_MAX_HOPS / 8 * 7)

/* The number of an origin, which is given one if 'is_new_fine'; 0: none. One
 * that has no replicas loses its number to others. */
static uint32_t
origin_number(struct fwd_head *head, uint64_t origin, bool is_new_fine)
{
    uint32_t unused = 0;

    for (uint32_t i = FWD_MAX_ORIGINS; i > 0; i--) {
        if (head->origins[i].identity == origin) {
            return i;
        }
        if (!head->origins[i].n) {
            unused = i;
        }
    }
    if (!is_new_fine || !unused) {
        return 0;
    }
    head->origins[unused].identity = origin;
    return unused;
}

/* The number of an identity: its place in a hash table; 0: it is full. */
static uint16_t
identity_number(struct fwd_head *head, uint64_t identity)
{
    uint32_t i = (uint32_t) (identity >> 48);

    for (;; i = (i + 1) % FWD_MAX_HOPS) {
        if (i && head->identities[i] == identity) {
            return (uint16_t) i;
        }
        if (i && !head->identities[i]) {
            break;
        }
    }
    if (head->n_identities == MAX_IDENTITIES) {
        return 0;
    }
    head->n_identities++;
    head->identities[i] = identity;
    return (uint16_t) i;
}

static struct fwd_key
key_from(const struct fwd_key *key, uint32_t number)
{
    struct fwd_key of_origin = *key;

    of_origin.context |= (uint64_t) number << FWD_KEY_ORIGIN_SHIFT;
    return of_origin;
}

bool
fwd_replica_store_keep(struct fwd_table *table, uint64_t origin,
                       const struct fwd_replica *replica, uint32_t now_s)
{
    struct fwd_head *head = table->head;
    uint32_t number = origin_number(head, origin, !replica->is_gone);
    struct fwd_key key = key_from(&replica->key, number);
    uint64_t hash = fwd_key_hash(&key, table->seed);
    struct fwd_flow *flow = number ? fwd_table_find(table, &key, hash) : NULL;
    uint16_t next, prev;

    if (replica->is_gone) {
        if (flow) {
            fwd_table_remove(table, flow);
        }
        return true;
    }
    next = identity_number(head, replica->next);
    prev = identity_number(head, replica->prev);
    if (!number || !next || !prev) {
        return false;
    }
    if (!flow) {
        if (head->n_replicas + fwd_key_slots(key.context)
            > head->capacity / 2) {
            return false;
        }
        flow = fwd_table_insert(table, &key, hash, next, prev, now_s);
    }
    if (!flow) {
        return false;
    }
    flow->next = next;
    flow->prev = prev;
    flow->seen_s = now_s - replica->idle_s;
    flow->state = replica->state;
    return true;
}

struct fwd_flow *
fwd_replica_store_find(const struct fwd_table *table, uint32_t number,
                       const struct fwd_key *key, uint32_t now_s,
                       struct fwd_replica *replica)
{
    const struct fwd_head *head = table->head;
    struct fwd_key of_origin = key_from(key, number);
    struct fwd_flow *flow;

    if (!head->origins[number].n) {
        return NULL;
    }
    flow = fwd_table_find(table, &of_origin,
                          fwd_key_hash(&of_origin, table->seed));
    if (flow) {
        *replica = (struct fwd_replica) {
            .key = *key,
            .next = head->identities[flow->next],
            .prev = head->identities[flow->prev],
            .idle_s = now_s - flow->seen_s,
            .state = flow->state,
        };
    }
    return flow;
}
