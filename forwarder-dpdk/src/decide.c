// SPDX-License-Identifier: EPL-2.0
/* The hop of a packet: the one that its flow is pinned to, or for a first
 * packet one picked by weight. */
#include "recall.h"
#include "replication.h"

/* The same on all forwarders, so that they pick alike. */
#define PICK_SEED 0x53776974636842ULL

/* Number of the element that a packet is on its way to. */
static uint8_t
element_ahead(const struct fwd_job *job)
{
    return (uint8_t) (job->stage->number - (job->direction == FWD_RETURN));
}

/* Hash by which a connection picks at 'element', of a key without its stage:
 * so that both sides of a VNF that rewrites nothing pick the same instance
 * even without a flow table, and picks at different elements have nothing to
 * do with each other. */
static uint64_t
pick_hash(const struct fwd_key *key, uint8_t element)
{
    struct fwd_key at_element = *key;

    at_element.context &= ~(0x3fULL << FWD_KEY_STAGE_SHIFT);
    at_element.context |= (uint64_t) element << FWD_KEY_STAGE_SHIFT;
    return fwd_key_hash(&at_element, PICK_SEED);
}

/* An instance of the element at the end of 'stage', which may be null. */
static uint16_t
pick_instance(const struct fwd_stage *stage, uint64_t hash)
{
    return stage ? fwd_set_pick(&stage->instances,
                                fwd_mix(hash, 0x9e3779b97f4a7c15ULL))
                 : FWD_HOP_NONE;
}

/* Picks a hop by the weights of the rules, or FWD_HOP_NONE. What comes from
 * a peer goes to an instance; what comes from an instance goes to the
 * forwarders that adjoin the next element, of which this may be one. */
static uint16_t
pick(const struct fwd_rules *rules, const struct fwd_job *job)
{
    bool is_forward = job->direction == FWD_FORWARD;
    uint8_t element = element_ahead(job);
    uint64_t hash = pick_hash(&job->key, element);
    uint16_t hop = FWD_HOP_SELF;

    if (rules->hops[job->from].kind == FWD_HOP_INSTANCE) {
        hop = fwd_set_pick(is_forward ? &job->stage->next_hops
                                      : &job->stage->previous_hops, hash);
    }
    if (hop == FWD_HOP_SELF) {
        hop = pick_instance(fwd_chain_stage(job->chain, element), hash);
    }
    return fwd_hop_usable(rules, hop, job->direction) ? hop : FWD_HOP_NONE;
}

/* Pins 'flow' to 'hop' onward and 'back' for the other direction. */
static void
repin(struct fwd_worker *worker, const struct fwd_job *job,
      struct fwd_flow *flow, uint16_t hop, uint16_t back)
{
    bool is_forward = job->direction == FWD_FORWARD;

    fwd_table_repin(worker->table, flow, is_forward ? hop : back,
                    is_forward ? back : hop);
}

/* Whether a packet can go on to 'hop': not back to the forwarder that it comes
 * from, which may have been told to send it here. */
static bool
is_way_on(const struct fwd_rules *rules, const struct fwd_job *job,
          uint16_t hop)
{
    return fwd_hop_usable(rules, hop, job->direction)
           && (!rules->hops[hop].peer || rules->hops[hop].peer != job->from);
}

/* Whether what comes back can go to 'back', while what goes on goes to 'hop':
 * not both to one forwarder, or what it sends would come back to it. */
static bool
is_way_back(const struct fwd_rules *rules, const struct fwd_job *job,
            uint16_t hop, uint16_t back)
{
    return fwd_hop_usable(rules, back, !job->direction)
           && (!rules->hops[back].peer
               || rules->hops[back].peer != rules->hops[hop].peer);
}

/* Another hop of a flow whose hop is gone: the one that a peer told of, or
 * one by weight. */
static uint16_t
pick_again(struct fwd_worker *worker, const struct fwd_rules *rules,
           const struct fwd_job *job, uint32_t now_s)
{
    struct fwd_recall recall;

    if (fwd_recall(worker, rules, job, now_s, &recall) && !recall.is_stray) {
        fwd_table_remove(worker->table, recall.flow);
        worker->counters->n_recalled++;
        return recall.hop;
    }
    return pick(rules, job);
}

/* Whether a packet can only follow others, and never picks: what it says of
 * its connection is not enough. */
static bool
is_follower(const struct fwd_job *job)
{
    return job->tuple.kind == FWD_KIND_ERROR
           || job->tuple.kind == FWD_KIND_LATER_FRAGMENT;
}

/* A flow whose hop is gone, that came from elsewhere, or whose connection
 * was closed and opens again. Returns its hop, FWD_HOP_NONE if there is
 * none. */
static __rte_noinline uint16_t
reconsider(struct fwd_worker *worker, const struct fwd_rules *rules,
           const struct fwd_job *job, struct fwd_flow *flow, uint32_t now_s)
{
    bool is_forward = job->direction == FWD_FORWARD;
    uint16_t hop = is_forward ? flow->next : flow->prev;
    uint16_t back = is_forward ? flow->prev : flow->next;
    bool is_new = fwd_job_opens(job) && fwd_state_is_closing(flow->state);
    bool is_moved = is_new || !is_way_on(rules, job, hop);

    if (is_follower(job)) {
        return is_way_on(rules, job, hop) ? hop : FWD_HOP_NONE;
    }
    if (is_moved) {
        hop = is_new ? pick(rules, job)
                     : pick_again(worker, rules, job, now_s);
        if (!hop) {
            return FWD_HOP_NONE;
        }
        worker->counters->n_repinned += !is_new;
    }
    if (is_new || !is_way_back(rules, job, hop, back)) {
        back = job->from;
        is_moved = true;
    }
    if (is_new) {
        flow->state = 0;
    }
    if (is_moved) {
        repin(worker, job, flow, hop, back);
        fwd_replication_tell(worker, rules, &job->key, flow, false, now_s);
    }
    return hop;
}

/* Pins a connection to the hops of 'recall', which may be of a replica. */
static enum fwd_drop
pin(struct fwd_worker *worker, const struct fwd_rules *rules,
    const struct fwd_job *job, const struct fwd_recall *recall,
    uint32_t now_s, struct fwd_flow **flow)
{
    bool is_forward = job->direction == FWD_FORWARD;

    if (recall->flow) {
        fwd_table_remove(worker->table, recall->flow);
        worker->counters->n_recalled++;
    }
    *flow = fwd_table_insert(worker->table, &job->key, job->hash,
                             is_forward ? recall->hop : recall->back,
                             is_forward ? recall->back : recall->hop, now_s);
    if (*flow) {
        (*flow)->state = recall->state;
        worker->counters->n_flows++;
        fwd_replication_tell(worker, rules, &job->key, *flow, false, now_s);
    } else if (job->chain->stateful) {
        return FWD_DROP_TABLE_FULL;
    } else {
        worker->counters->n_unpinned++;
    }
    return FWD_DROP_NONE;
}

/* The first packet of a connection that comes here. One that is too big for
 * its hop, or whose labels end here, pins nothing and is dropped later. */
static __rte_noinline enum fwd_drop
begin(struct fwd_worker *worker, const struct fwd_rules *rules,
      const struct fwd_job *job, uint32_t now_s, uint16_t *hop,
      struct fwd_flow **flow)
{
    bool is_error = job->tuple.kind == FWD_KIND_ERROR;
    struct fwd_recall recall = {.back = job->from};

    if (job->tuple.kind == FWD_KIND_LATER_FRAGMENT) {
        return FWD_DROP_NO_FIRST_FRAGMENT;
    }
    if (!fwd_recall(worker, rules, job, now_s, &recall)) {
        if (is_error) {
            return FWD_DROP_ERROR_WITHOUT_FLOW;
        }
        recall.hop = pick(rules, job);
        if (!recall.hop) {
            return FWD_DROP_NO_HOP;
        }
    }
    *hop = recall.hop;
    worker->counters->n_strayed += recall.is_stray;
    return recall.is_stray || is_error || !fwd_can_pass(rules, job, *hop)
               ? FWD_DROP_NONE
               : pin(worker, rules, job, &recall, now_s, flow);
}

/* Pins the later fragments of a packet to the hop of the first, which takes
 * their hash, so that one queue of the next forwarder gets all of them. */
static __rte_noinline void
pin_fragments(struct fwd_worker *worker, struct fwd_job *job, uint16_t hop,
              uint32_t now_s)
{
    bool is_forward = job->direction == FWD_FORWARD;
    struct fwd_flow *flow;
    struct fwd_key key;

    fwd_fragment_key(&job->tuple, job->stage->place, job->direction, &key);
    job->hash = fwd_key_hash(&key, worker->table->seed);
    flow = fwd_table_find(worker->table, &key, job->hash);
    if (flow) {
        repin(worker, job, flow, hop, job->from);
        flow->seen_s = now_s;
    } else {
        fwd_table_insert(worker->table, &key, job->hash,
                         is_forward ? hop : job->from,
                         is_forward ? job->from : hop, now_s);
    }
}

/* Bits of fwd_flow.state that a packet sets. */
static inline uint8_t
state_of(const struct fwd_job *job)
{
    uint8_t flags = job->tuple.tcp_flags;
    uint8_t state = FWD_SEEN_FORWARD;

    if (unlikely(flags & (FWD_TCP_FIN | FWD_TCP_RST))) {
        state |= flags & FWD_TCP_FIN ? FWD_FIN_FORWARD : 0;
        state = (uint8_t) (state << job->direction);
        return flags & FWD_TCP_RST ? state | FWD_RESET : state;
    }
    return (uint8_t) (state << job->direction);
}

enum fwd_drop
fwd_decide(struct fwd_worker *worker, const struct fwd_rules *rules,
           struct fwd_job *job, uint32_t now_s, uint16_t *hop)
{
    struct fwd_flow *flow = fwd_table_find(worker->table, &job->key,
                                           job->hash);

    if (likely(flow)) {
        bool is_forward = job->direction == FWD_FORWARD;
        uint16_t from = is_forward ? flow->prev : flow->next;

        *hop = is_forward ? flow->next : flow->prev;
        if (unlikely(from != job->from
                     || !fwd_hop_usable(rules, *hop, job->direction)
                     || fwd_job_opens(job))) {
            *hop = reconsider(worker, rules, job, flow, now_s);
            if (!*hop) {
                return FWD_DROP_NO_HOP;
            }
        }
    } else {
        enum fwd_drop drop = begin(worker, rules, job, now_s, hop, &flow);

        if (drop) {
            return drop;
        }
    }
    if (likely(flow && job->tuple.kind != FWD_KIND_ERROR)) {
        flow->seen_s = now_s;
        flow->state |= state_of(job);
    }
    if (unlikely(job->tuple.kind == FWD_KIND_FIRST_FRAGMENT)
        && fwd_can_pass(rules, job, *hop)) {
        pin_fragments(worker, job, *hop, now_s);
    }
    return FWD_DROP_NONE;
}
