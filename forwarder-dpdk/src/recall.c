// SPDX-License-Identifier: EPL-2.0
#include "recall.h"

/* What a replica says, from the view of a packet. */
struct view {
    uint64_t onward;      /* Identity of the hop that it goes to. */
    uint64_t behind;      /* Identity of the hop that it should come from. */
    uint16_t onward_here; /* What they are here; FWD_HOP_NONE: nothing. */
    uint16_t behind_here;
    uint16_t origin;      /* The peer, or FWD_HOP_NONE. */
};

/* The hop that an identity is in the rules, or FWD_HOP_NONE. */
static uint16_t
hop_of(const struct fwd_rules *rules, uint64_t identity)
{
    uint32_t i = (uint32_t) (identity >> 32) & rules->named_mask;

    for (; rules->named[i].hop; i = (i + 1) & rules->named_mask) {
        if (rules->named[i].identity == identity) {
            return rules->named[i].hop;
        }
    }
    return FWD_HOP_NONE;
}

/* The hop of an identity, if packets of 'direction' can be sent there, or
 * this forwarder itself. */
static uint16_t
usable_hop_of(const struct fwd_rules *rules, uint64_t identity,
              enum fwd_direction direction)
{
    uint16_t hop = hop_of(rules, identity);

    return hop == FWD_HOP_SELF || fwd_hop_usable(rules, hop, direction)
               ? hop : FWD_HOP_NONE;
}

static bool
is_instance(const struct fwd_rules *rules, uint16_t hop)
{
    return hop < rules->n_hops && rules->hops[hop].kind == FWD_HOP_INSTANCE;
}

static struct view
view_of(const struct fwd_rules *rules, const struct fwd_job *job,
        const struct fwd_replica *replica, uint64_t origin)
{
    bool is_forward = job->direction == FWD_FORWARD;
    struct view view = {
        .onward = is_forward ? replica->next : replica->prev,
        .behind = is_forward ? replica->prev : replica->next,
        .origin = usable_hop_of(rules, origin, job->direction),
    };

    view.onward_here = usable_hop_of(rules, view.onward, job->direction);
    view.behind_here = usable_hop_of(rules, view.behind, !job->direction);
    return view;
}

/* Where what comes from an instance goes, if not to an instance here. */
static uint16_t
away(const struct fwd_rules *rules, const struct view *view, bool is_stray)
{
    return !is_stray && fwd_hop_usable(rules, view->onward_here, FWD_FORWARD)
               ? view->onward_here : view->origin;
}

/* Reads what one replica says. */
static bool
read_view(const struct fwd_rules *rules, const struct fwd_job *job,
          const struct view *view, struct fwd_recall *recall)
{
    bool is_from_instance = is_instance(rules, job->from);

    recall->is_stray = is_from_instance && !view->behind_here
                       && !(view->behind & FWD_IDENTITY_PEER)
                       && view->origin;
    recall->back = is_instance(rules, view->behind_here)
                           || (!is_from_instance && view->behind_here
                               && view->behind_here != FWD_HOP_SELF)
                       ? view->behind_here : job->from;
    if (view->onward_here == FWD_HOP_SELF) {
        return false;
    }
    if (is_instance(rules, view->onward_here)) {
        recall->hop = view->onward_here;
    } else {
        recall->hop = is_from_instance ? away(rules, view, recall->is_stray)
                                       : FWD_HOP_NONE;
    }
    return recall->hop;
}

/* Whether the connection of a replica was closed, and this packet opens
 * another one. */
static bool
is_over(const struct fwd_job *job, const struct fwd_replica *replica)
{
    return fwd_job_opens(job) && fwd_state_is_closing(replica->state);
}

/* Whether 'a' counts more than 'b'. */
static bool
is_better(const struct fwd_rules *rules, const struct fwd_recall *a,
          const struct fwd_recall *b)
{
    bool is_here = is_instance(rules, a->hop);

    return is_here != is_instance(rules, b->hop) ? is_here
                                                 : a->idle_s < b->idle_s;
}

bool
fwd_recall_find(const struct fwd_worker *worker,
                const struct fwd_rules *rules, const struct fwd_job *job,
                uint32_t now_s, struct fwd_recall *recall)
{
    const struct fwd_table *table = worker->table;
    bool is_found = false;

    for (uint32_t i = 1; i <= FWD_MAX_ORIGINS; i++) {
        struct fwd_replica replica;
        struct fwd_recall other = {
            .flow = fwd_replica_store_find(table, i, &job->key, now_s,
                                           &replica),
        };
        struct view view;

        if (!other.flow || is_over(job, &replica)) {
            continue;
        }
        other.state = replica.state;
        other.idle_s = replica.idle_s;
        view = view_of(rules, job, &replica,
                       table->head->origins[i].identity);
        if (read_view(rules, job, &view, &other)
            && (!is_found || is_better(rules, &other, recall))) {
            *recall = other;
            is_found = true;
        }
    }
    return is_found;
}
