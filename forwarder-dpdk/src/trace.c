// SPDX-License-Identifier: EPL-2.0
#include "trace.h"

#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SLOTS 256    /* Of the table aside: more than are ever used. */
#define FREE_SLOTS 4 /* That a packet may take: two entries of IPv6. */

/* Reads the name of a port up to the comma; returns what follows it, or null
 * with the reason in 'reason'. */
static const char *
read_port(const struct fwd_control *control, const char *text,
          struct fwd_trace *trace, char reason[FWD_REASON_SIZE])
{
    size_t length = strcspn(text, ",");

    if (!text[length]) {
        snprintf(reason, FWD_REASON_SIZE, "what is asked is PORT,FRAME or "
                 "PORT,FRAME,SIZE; the frame in hexadecimal");
        return NULL;
    }
    for (uint8_t i = 0; i < control->n_ports; i++) {
        if (strlen(control->ports[i].name) == length
            && !memcmp(control->ports[i].name, text, length)) {
            trace->port = i;
            return text + length + 1;
        }
    }
    snprintf(reason, FWD_REASON_SIZE, "there is no port %.*s",
             (int) RTE_MIN(length, 64u), text);
    return NULL;
}

/* Reads pairs of digits, and returns what follows them. */
static const char *
read_frame(const char *text, struct fwd_trace *trace)
{
    while (isxdigit((unsigned char) text[0])
           && isxdigit((unsigned char) text[1])
           && trace->size < FWD_TRACE_SIZE) {
        const char pair[] = {text[0], text[1], '\0'};

        trace->frame[trace->size++] = (uint8_t) strtoul(pair, NULL, 16);
        text += 2;
    }
    return text;
}

int
fwd_trace_read(const struct fwd_control *control, const char *text,
               struct fwd_trace *trace, char reason[FWD_REASON_SIZE])
{
    unsigned long size;
    char *end;

    memset(trace, 0, sizeof *trace);
    text = read_port(control, text ? text : "", trace, reason);
    if (!text) {
        return EINVAL;
    }
    text = read_frame(text, trace);
    if (!*text) {
        return 0;
    }
    if (*text != ',') {
        snprintf(reason, FWD_REASON_SIZE, "the frame has to be pairs of "
                 "hexadecimal digits; %.8s is none", text);
        return EINVAL;
    }
    size = strtoul(text + 1, &end, 10);
    if (!isdigit((unsigned char) text[1]) || *end || size < trace->size
        || size > FWD_TRACE_SIZE) {
        snprintf(reason, FWD_REASON_SIZE, "the size has to be a number from "
                 "%u, the bytes that are given, to %u", trace->size,
                 FWD_TRACE_SIZE);
        return EINVAL;
    }
    trace->size = (uint16_t) size;
    return 0;
}

/* Makes the copy, in a buffer like those of the ports. */
static void
copy_frame(struct fwd_trace *trace)
{
    struct rte_mbuf *packet = &trace->packet;

    packet->buf_addr = trace->room;
    packet->buf_len = sizeof trace->room;
    packet->data_off = RTE_PKTMBUF_HEADROOM;
    packet->data_len = trace->size;
    packet->pkt_len = trace->size;
    packet->nb_segs = 1;
    memcpy(rte_pktmbuf_mtod(packet, void *), trace->frame, trace->size);
    trace->job.packet = packet;
}

/* Makes a table with a copy of the entry, if there is one, and of replicas of
 * it, and as much room as 'table' has, as far as it matters. */
static int
make_table(const struct fwd_trace *trace, const struct fwd_table *table,
           struct fwd_table **asidep)
{
    const struct fwd_lookup *lookup = &trace->lookup;
    int error = fwd_table_create(SLOTS, table->seed, &table->timeouts,
                                 asidep);

    if (error) {
        return error;
    }
    if (lookup->is_found) {
        fwd_table_insert(*asidep, &trace->job.key, trace->job.hash,
                         lookup->flow.next, lookup->flow.prev,
                         lookup->flow.seen_s)
            ->state = lookup->flow.state;
    }
    for (uint32_t i = 0; i < lookup->n_told; i++) {
        fwd_replica_store_keep(*asidep, lookup->told[i].origin,
                               &lookup->told[i].replica, lookup->now_s);
    }
    (*asidep)->head->capacity = (*asidep)->head->used
                                + RTE_MIN(lookup->n_free,
                                          (uint64_t) FREE_SLOTS);
    return 0;
}

/* Makes of the copy, which is too big, what its sender would be told. */
static enum fwd_drop
answer(const struct fwd_rules *rules, struct fwd_trace *trace)
{
    struct fwd_bucket bucket = {0}; /* Full, after so long a time. */
    struct fwd_job error;
    enum fwd_drop drop = fwd_too_big(&bucket, rules, &trace->job, trace->hop,
                                     UINT64_MAX, &error);

    if (!drop) {
        drop = fwd_rewrite(rules, &error, error.from, &trace->out);
    }
    trace->is_answered = !drop;
    return drop;
}

/* Decides and rewrites as a worker would. */
static void
forward(const struct fwd_rules *rules, struct fwd_worker *aside,
        struct fwd_trace *trace)
{
    struct fwd_job *job = &trace->job;
    uint64_t hash = job->hash; /* A fragment's changes. */
    const struct fwd_flow *flow;

    trace->drop = fwd_decide(aside, rules, job, trace->lookup.now_s,
                             &trace->hop);
    if (trace->drop) {
        return;
    }
    trace->is_decided = true;
    trace->is_repinned = aside->counters->n_repinned;
    trace->is_unpinned = aside->counters->n_unpinned;
    trace->is_recalled = aside->counters->n_recalled;
    trace->is_stray = aside->counters->n_strayed;
    flow = fwd_table_find(aside->table, &job->key, hash);
    if (flow) {
        trace->flow = *flow;
    }
    trace->drop = fwd_rewrite(rules, job, trace->hop, &trace->out);
    if (trace->drop == FWD_DROP_TOO_BIG) {
        trace->drop = answer(rules, trace);
    }
}

/* Asks for the entry at the worker that the flow belongs to. Of a later
 * fragment the keeper may know another one (crew.h). */
static int
look_up(const struct fwd_crew *crew, struct fwd_trace *trace)
{
    const struct fwd_lookup *lookup = &trace->lookup;
    const struct fwd_key *key = &trace->job.key;
    int error;

    trace->owner = fwd_crew_owner(crew, trace->job.hash);
    error = fwd_lookup_ask(crew->workers[trace->owner], key, &trace->lookup);
    if (!error && lookup->is_found && !lookup->flow.next) {
        trace->owner = lookup->flow.state;
        error = fwd_lookup_ask(crew->workers[trace->owner], key,
                               &trace->lookup);
    }
    return error;
}

int
fwd_trace_run(const struct fwd_control *control, struct fwd_trace *trace,
              char reason[FWD_REASON_SIZE])
{
    const struct fwd_crew *crew = control->crew;
    const struct fwd_rules *rules = atomic_load(&crew->rules);
    const struct fwd_table *table = crew->workers[0]->table;
    struct fwd_job *job = &trace->job;
    struct fwd_worker aside = {0};

    copy_frame(trace);
    trace->drop = fwd_classify(rules, trace->port, job);
    if (trace->drop) {
        return 0;
    }
    job->hash = fwd_key_hash(&job->key, table->seed);
    if (look_up(crew, trace)) {
        snprintf(reason, FWD_REASON_SIZE, "the forwarding lcore is silent");
        return ETIMEDOUT;
    }
    trace->is_classified = true;
    aside.counters = calloc(1, sizeof *aside.counters);
    if (!aside.counters || make_table(trace, table, &aside.table)) {
        free(aside.counters);
        snprintf(reason, FWD_REASON_SIZE, "out of memory");
        return ENOMEM;
    }
    forward(rules, &aside, trace);
    fwd_table_destroy(aside.table);
    free(aside.counters);
    return 0;
}
