// SPDX-License-Identifier: EPL-2.0
#include "explain.h"

#include <arpa/inet.h>
#include <stdarg.h>
#include <stdio.h>

/* The steps of the headers at one end. */
struct header_names {
    const char *link;
    const char *tunnel;
    const char *labels;
};

static void __attribute__((format(printf, 3, 4)))
add(struct fwd_steps *steps, const char *name, const char *format, ...)
{
    va_list arguments;

    steps->step[steps->n].name = name;
    va_start(arguments, format);
    vsnprintf(steps->step[steps->n++].text, FWD_STEP_SIZE, format, arguments);
    va_end(arguments);
}

static const char *
hop_name(const struct fwd_control *control, uint16_t hop)
{
    return hop ? control->numbers.hops.names[hop] : "none";
}

/* Adds the headers before IP, as far as they can be read. */
static void
add_headers(struct fwd_steps *steps, const struct header_names *names,
            const uint8_t *data, uint32_t size, bool is_tunnelled)
{
    char from[INET_ADDRSTRLEN], to[INET_ADDRSTRLEN];
    struct fwd_tunnel tunnel;
    struct fwd_labels labels;
    struct fwd_link link;
    uint32_t offset;

    if (fwd_read_link(data, size, &link)) {
        return;
    }
    add(steps, names->link, "VLAN %u, type 0x%04x", link.vlan,
        link.ether_type);
    offset = link.size;
    if (is_tunnelled) {
        if (fwd_read_tunnel(data + offset, size - offset, size - offset,
                            &tunnel)) {
            return;
        }
        add(steps, names->tunnel, "VXLAN from %s to %s, VNI %u",
            inet_ntop(AF_INET, &tunnel.source, from, sizeof from),
            inet_ntop(AF_INET, &tunnel.destination, to, sizeof to),
            tunnel.vni);
        offset += tunnel.size;
    } else if (link.ether_type != RTE_ETHER_TYPE_MPLS) {
        return;
    }
    if (!fwd_read_labels(data + offset, size - offset, &labels)) {
        add(steps, names->labels, "chain %u, egress %u, TTL %u%s",
            labels.chain, labels.egress, labels.ttl,
            labels.is_return ? ", on the way back" : "");
    }
}

static void
add_arrival(const struct fwd_control *control, const struct fwd_rules *rules,
            const struct fwd_trace *trace, struct fwd_steps *steps)
{
    static const struct header_names names = {
        "in_link", "in_tunnel", "in_labels",
    };
    struct fwd_link link = {0};

    add(steps, "in", "port %s, %u bytes", rules->ports[trace->port].name,
        trace->size);
    fwd_read_link(trace->frame, trace->size, &link);
    add_headers(steps, &names, trace->frame, trace->size,
                trace->port == rules->underlay && !link.vlan
                    && link.ether_type == RTE_ETHER_TYPE_IPV4);
    if (trace->job.from) {
        add(steps, "from", "%s", hop_name(control, trace->job.from));
    }
    if (trace->job.stage) {
        add(steps, "stage", "%s, %s",
            control->numbers.stages.names[trace->job.stage->counters],
            fwd_direction_name(trace->job.direction));
    }
}

/* Adds addresses and ports, as they stand in the packet. */
static void
add_connection(const struct fwd_tuple *tuple, struct fwd_steps *steps)
{
    static const char *const kinds[] = {
        [FWD_KIND_FIRST_FRAGMENT] = "first fragment: later ones follow it",
        [FWD_KIND_LATER_FRAGMENT] = "later fragment: follows the first one",
        [FWD_KIND_ERROR] = "ICMP error: follows the connection above, "
                           "which it is about",
    };
    int family = tuple->ipv6 ? AF_INET6 : AF_INET;
    char from[INET6_ADDRSTRLEN], to[INET6_ADDRSTRLEN];

    add(steps, "connection", "protocol %u, %s port %u to %s port %u",
        tuple->protocol, inet_ntop(family, tuple->source, from, sizeof from),
        ntohs(tuple->source_port),
        inet_ntop(family, tuple->destination, to, sizeof to),
        ntohs(tuple->destination_port));
    if (kinds[tuple->kind]) {
        add(steps, "kind", "%s", kinds[tuple->kind]);
    }
}

static void
add_flow(const struct fwd_control *control, const struct fwd_lookup *lookup,
         struct fwd_steps *steps)
{
    if (!lookup->is_found) {
        add(steps, "flow", lookup->n_told ? "none here; a peer told of it"
                                          : "none");
        return;
    }
    add(steps, "flow", "last packet %u s ago",
        lookup->now_s - lookup->flow.seen_s);
    add(steps, "pinned_next", "%s", hop_name(control, lookup->flow.next));
    add(steps, "pinned_previous", "%s",
        hop_name(control, lookup->flow.prev));
}

/* Whether the connection was closed, and this packet opens it again: nothing
 * else makes an entry forget that it was closed. */
static bool
is_reopened(const struct fwd_trace *trace)
{
    const uint8_t closed = FWD_FIN_FORWARD | FWD_FIN_RETURN | FWD_RESET;

    return trace->lookup.is_found
           && (trace->lookup.flow.state & ~trace->flow.state & closed);
}

/* Whether it is an ICMP error of a flow that is not pinned here. */
static bool
is_error_of_peer(const struct fwd_trace *trace)
{
    return !trace->lookup.is_found
           && trace->job.tuple.kind == FWD_KIND_ERROR;
}

/* Whether its hop was picked by the rules. */
static bool
is_picked(const struct fwd_trace *trace)
{
    return !trace->is_recalled && !trace->is_stray
           && !is_error_of_peer(trace)
           && (!trace->lookup.is_found || trace->is_repinned
               || is_reopened(trace));
}

static const char *
decision_of(const struct fwd_trace *trace)
{
    const struct fwd_flow *before = &trace->lookup.flow;

    if (trace->is_unpinned) {
        return "first packet, and the table is full: picks, is not pinned";
    }
    if (trace->is_stray) {
        return "belongs to a flow that a peer told of: goes by way of it, is "
               "not pinned";
    }
    if (trace->is_recalled) {
        return "goes where a peer told that its flow goes, and is pinned";
    }
    if (is_error_of_peer(trace)) {
        return "goes where a peer told that its flow goes";
    }
    if (!trace->lookup.is_found) {
        return trace->flow.context
                   ? "first packet: picks, and pins the connection"
                   : "first packet: picks, and is dropped: it pins nothing";
    }
    if (trace->is_repinned) {
        return "the hop that it is pinned to is gone: picks anew";
    }
    if (is_reopened(trace)) {
        return "the connection was closed and opens again: picks anew";
    }
    return before->next == trace->flow.next && before->prev == trace->flow.prev
               ? "goes where it is pinned to"
               : "goes where it is pinned to; the hop before is gone: what "
                 "comes back goes to the one that this came from";
}

/* Part of all new connections that pick 'hop' from 'set'. */
static double
part(const struct fwd_set *set, uint16_t hop)
{
    uint32_t n = 0;

    for (uint32_t i = 0; set->slots && i < FWD_SET_SLOTS; i++) {
        n += set->slots[i] == hop;
    }
    return set->slots ? (double) n / FWD_SET_SLOTS : set->only == hop;
}

/* Adds from which sets of the rules the hop was picked, and how likely. */
static void
add_pick(const struct fwd_rules *rules, const struct fwd_trace *trace,
         struct fwd_steps *steps)
{
    const struct fwd_job *job = &trace->job;
    bool is_forward = job->direction == FWD_FORWARD;
    bool is_from_peer = rules->hops[job->from].kind == FWD_HOP_PEER;
    bool is_to_peer = rules->hops[trace->hop].kind == FWD_HOP_PEER;
    uint32_t instances_at = job->stage->number - !is_forward;
    const struct fwd_stage *stage = fwd_chain_stage(job->chain, instances_at);
    const char *list = is_forward ? "next" : "previous";
    double chance = is_from_peer
        ? 1
        : part(is_forward ? &job->stage->next_hops
                          : &job->stage->previous_hops,
               is_to_peer ? trace->hop : FWD_HOP_SELF);

    if (is_to_peer) {
        add(steps, "picked_from", "%s hops of stage %u", list,
            job->stage->number);
    } else {
        chance *= part(&stage->instances, trace->hop);
        if (is_from_peer) {
            add(steps, "picked_from", "instances of stage %u", instances_at);
        } else {
            add(steps, "picked_from", "%s hops of stage %u: here; instances "
                "of stage %u", list, job->stage->number, instances_at);
        }
    }
    add(steps, "chance", "%.1f %% of new connections", 100 * chance);
}

/* Adds the hop and why; 'rules' know it. */
static void
add_decision(const struct fwd_control *control, const struct fwd_rules *rules,
             const struct fwd_trace *trace, struct fwd_steps *steps)
{
    add(steps, "decision", "%s", decision_of(trace));
    if (is_picked(trace)) {
        add_pick(rules, trace, steps);
    }
    add(steps, "hop", "%s", hop_name(control, trace->hop));
}

/* Adds what leaves: the packet, or the answer to who sent it. */
static void
add_departure(const struct fwd_control *control, const struct fwd_rules *rules,
              const struct fwd_trace *trace, struct fwd_steps *steps)
{
    static const struct header_names names = {
        "out_link", "out_tunnel", "out_labels",
    };
    uint16_t hop = trace->is_answered ? trace->job.from : trace->hop;

    if (trace->is_answered) {
        add(steps, "answer", "ICMP error to %s: %u bytes fit",
            hop_name(control, hop),
            fwd_room(rules, trace->hop, trace->job.direction));
    }
    add_headers(steps, &names,
                rte_pktmbuf_mtod(&trace->packet, const uint8_t *),
                rte_pktmbuf_data_len(&trace->packet),
                rules->hops[hop].kind >= FWD_HOP_PEER);
    add(steps, "verdict", "%s on port %s, %u bytes",
        trace->is_answered ? "too big: dropped, and answered" : "sent",
        rules->ports[trace->out].name, rte_pktmbuf_pkt_len(&trace->packet));
}

void
fwd_explain(const struct fwd_control *control, const struct fwd_trace *trace,
            struct fwd_steps *steps)
{
    const struct fwd_rules *rules = atomic_load(&control->crew->rules);

    steps->n = 0;
    add_arrival(control, rules, trace, steps);
    if (trace->is_classified) {
        add_connection(&trace->job.tuple, steps);
        add(steps, "lcore", "%u of %u that forward", trace->owner + 1,
            control->crew->n_workers);
        add_flow(control, &trace->lookup, steps);
    }
    if (trace->is_decided) {
        add_decision(control, rules, trace, steps);
    }
    if (trace->drop == FWD_DROP_NEIGHBOUR) {
        add(steps, "verdict", "for the forwarder itself: ARP or neighbour "
            "discovery");
    } else if (trace->drop == FWD_DROP_REPLICA) {
        add(steps, "verdict", "for the forwarder itself: replicas, if they "
            "are whole");
    } else if (trace->drop) {
        add(steps, "verdict", "dropped: %s (%s)", fwd_drop_text(trace->drop),
            fwd_drop_name(trace->drop));
    } else {
        add_departure(control, rules, trace, steps);
    }
}
