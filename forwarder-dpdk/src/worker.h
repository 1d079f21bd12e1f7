// SPDX-License-Identifier: EPL-2.0
/* The packet path: takes bursts from the ports, finds or makes each packet's
 * flow, and sends the packet to the hop that the flow is pinned to.
 *
 *   receive -> classify -> find flow ------------------> rewrite -> send
 *              (labels,    (all lines of the  \         /
 *              stage,      burst prefetched)   first packet: pick hops
 *              direction,                      by weight, pin them
 *              key)
 *
 * What is pinned is told to the peers that keep replicas, if there are any;
 * what they told is read if a flow has no hop here (replication.h, recall.h).
 *
 * With several workers (crew.h) packets of another's flows leave after they
 * are classified, and are classified again by the worker that they are
 * handed to: the rules may have changed on the way, and its core has to read
 * the headers in any case.
 *
 * Thread-safety: a worker belongs to one lcore. The crew's rules are
 * published by the control thread, which frees the old ones only after every
 * worker has reported a quiescent state (RCU). Counters are written by the
 * worker and read by others, who see them a little late.
 * Invariant: n_received + n_made == n_sent + n_heard + sum of drops + what
 * waits in the rings between workers, over all workers, after every poll. */
#ifndef FWD_WORKER_H
#define FWD_WORKER_H

#include <stdatomic.h>
#include <stdint.h>

#include <rte_mbuf.h>

#include "drop.h"
#include "flow.h"
#include "packet.h"
#include "replica_wire.h"
#include "rules.h"
#include "stage_drops.h"
#include "sweep.h"
#include "too_big.h"

#define FWD_BURST 32       /* Packets. */
#define FWD_FIRST_TTL 64   /* In the labels of a packet that had none. */
#define FWD_MAX_WORKERS 64 /* Of a crew; a uint8_t numbers them. */
#define FWD_MAX_RECORDS 64 /* That wait to be sent: two bursts. */

struct fwd_count {
    uint64_t packets;
    uint64_t bytes; /* Of IP packets, without labels and link headers. */
};

struct fwd_counters {
    uint64_t n_received;
    uint64_t n_sent;
    uint64_t n_heard;    /* ARP and ND, handed to the control thread, and
                          * replicas. */
    uint64_t n_made;     /* By the forwarder: ARP, ND, ICMP errors and
                          * replicas. */
    uint64_t n_flows;    /* Flows pinned since the start. */
    uint64_t n_repinned; /* Flows whose hop was gone. */
    uint64_t n_unpinned; /* Packets sent by hash, the table being full. */
    uint64_t n_handed;   /* Packets handed to other workers. */
    uint64_t n_replicas_sent;    /* Records to peers. */
    uint64_t n_replicas_unsent;  /* Records that could not be sent. */
    uint64_t n_replicas_taken;   /* Records from peers. */
    uint64_t n_replicas_refused; /* Of those no room is for. */
    uint64_t n_recalled;         /* Flows that were pinned by a replica. */
    uint64_t n_strayed;          /* Packets that followed one, unpinned. */
    uint64_t drops[FWD_N_DROPS];

    /* By direction: given to a port, whether or not it took them. */
    struct fwd_count stages[FWD_MAX_STAGE_NUMBERS + 1][2];
    struct fwd_count hops[FWD_MAX_HOPS][2];

    /* Of 'drops', those whose stage was known, but not what a port or another
     * worker had no room for. */
    struct fwd_stage_drops stage_drops;
};

/* Packets that wait for the end of the burst. */
struct fwd_out {
    uint16_t n;
    struct rte_mbuf *packets[FWD_BURST];
};

/* Records that wait to be sent to the peers that keep replicas. */
struct fwd_records {
    uint16_t n;
    struct fwd_replica record[FWD_MAX_RECORDS];
};

struct fwd_crew;
struct fwd_lookup;

struct fwd_worker {
    const struct fwd_crew *crew;
    uint16_t number; /* In the crew; of its queue of each port. */
    _Atomic(struct fwd_lookup *) lookup; /* What another thread asks, or
                                          * null; see lookup.h. */
    struct fwd_table *table;
    struct fwd_counters *counters;
    struct fwd_sweep sweep; /* Of the table. */
    struct fwd_bucket errors;
    struct fwd_records records;
    uint64_t told_ms; /* When records were sent last. */
    struct fwd_out out[FWD_MAX_PORTS];
    struct fwd_out over[FWD_MAX_WORKERS]; /* To be handed over. */
};

/* A packet on its way through the worker. */
struct fwd_job {
    struct rte_mbuf *packet;
    uint64_t hash;
    struct fwd_key key;
    struct fwd_tuple tuple;
    const struct fwd_chain *chain;
    const struct fwd_stage *stage;
    enum fwd_direction direction;
    uint16_t from;   /* Hop that it comes from. */
    uint16_t offset; /* Bytes before the IP header. */
    uint8_t ttl;     /* Of its labels. */
};

/* Whether a packet opens a TCP connection. */
static inline bool
fwd_job_opens(const struct fwd_job *job)
{
    return (job->tuple.tcp_flags & (FWD_TCP_SYN | FWD_TCP_ACK))
           == FWD_TCP_SYN;
}

/* Whether a connection with this fwd_flow.state was closed. */
static inline bool
fwd_state_is_closing(uint8_t state)
{
    const uint8_t fins = FWD_FIN_FORWARD | FWD_FIN_RETURN;

    return (state & fins) == fins || (state & FWD_RESET);
}

/* Counts and frees a packet. */
static inline void
fwd_worker_drop(struct fwd_worker *worker, struct rte_mbuf *packet,
                enum fwd_drop reason)
{
    worker->counters->drops[reason]++;
    rte_pktmbuf_free(packet);
}

/* Makes worker 'number' of 'crew'. Takes ownership of 'table', if it
 * succeeds. Stores the worker in '*workerp' and returns 0, or returns a
 * positive errno. */
int fwd_worker_create(const struct fwd_crew *crew, uint16_t number,
                      struct fwd_table *table, uint32_t sweep_interval_s,
                      uint64_t now_ms, struct fwd_worker **workerp);

/* Frees a worker that has stopped; it may be null. */
void fwd_worker_destroy(struct fwd_worker *worker);

/* Forwards what other workers handed over. */
void fwd_worker_take(struct fwd_worker *worker, uint64_t now_ms);

/* Does that, and receives and forwards at most a burst from each port.
 * Returns the number of packets received. */
uint32_t fwd_worker_poll(struct fwd_worker *worker, uint64_t now_ms);

/* Reads from which hop a packet on port 'port' comes and where in its chain
 * it is; fills 'job', whose 'packet' is set and 'stage' is null. Returns why
 * it is dropped, or FWD_DROP_NONE; 'stage' is null then if it is not known. */
enum fwd_drop fwd_classify(const struct fwd_rules *rules, uint8_t port,
                           struct fwd_job *job);

/* Hands over what is not for 'worker' of 'n' classified packets that came in
 * at 'port' and were received by 'sender', which may be 'worker' itself.
 * Moves the jobs that stay to the front and returns their number. */
uint16_t fwd_relay(struct fwd_worker *worker, struct fwd_job *jobs,
                   uint16_t n, uint8_t port, uint16_t sender,
                   uint32_t now_s);

/* Finds or makes the flow of a packet and stores its next hop in '*hop'. For
 * a packet that fwd_rewrite() will drop since it is too big or its labels end
 * here, no entry is made. A first fragment's hash becomes that of all
 * fragments of its packet. */
enum fwd_drop fwd_decide(struct fwd_worker *worker,
                         const struct fwd_rules *rules, struct fwd_job *job,
                         uint32_t now_s, uint16_t *hop);

/* Bytes of the largest IP packet that goes to 'hop'. */
uint32_t fwd_room(const struct fwd_rules *rules, uint16_t hop,
                  enum fwd_direction direction);

/* Whether a packet is small enough for 'hop', and its labels may go there;
 * true also if the hop's MAC address is yet to be found. */
bool fwd_can_pass(const struct fwd_rules *rules, const struct fwd_job *job,
                  uint16_t hop);

/* Gives a packet the headers that 'hop' wants and stores the port in
 * '*port'. */
enum fwd_drop fwd_rewrite(const struct fwd_rules *rules,
                          const struct fwd_job *job, uint16_t hop,
                          uint8_t *port);

#endif
