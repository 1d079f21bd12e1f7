// SPDX-License-Identifier: EPL-2.0
/* A node without its socket: publishes into a log, follows the streams that
 * it subscribes to, asks and answers, and keeps what it told its proxy true
 * through all sessions (docs/specs/0002-bus.md says what that promises).
 *
 * Messages of one publisher on one topic are a stream. From the first message
 * that a listener gets of a stream, it gets each later one once and in order,
 * or is told of a gap.
 *
 * Thread-safety: owned by one thread. Listeners and handlers run inside
 * bus_node_deliver() and may call everything but that and
 * bus_node_destroy(); who waits for an answer is told there or, that it has
 * timed out, inside bus_node_destroy(), and may not use the node then. */
#ifndef BUS_NODE_H
#define BUS_NODE_H

#include "log.h"
#include "requests.h"
#include "subscriptions.h"

struct bus_node;

/* What an operator can see of the node and its connection to the proxy. */
struct bus_link_state {
    bool is_up;
    uint64_t n_messages;    /* Sent. */
    uint64_t n_unconfirmed; /* Frames under way. */
    uint64_t n_waiting;     /* Filters, values and answers without room. */
    uint64_t n_deferred;    /* Times that there was no room. */
    uint64_t n_renewals;    /* Sessions given up. */
    uint64_t n_duplicates;  /* Messages that were there already. */
    uint64_t n_gaps;        /* Times that listeners were told of one. */
    uint64_t n_malformed;   /* What came and was no frame. */
    uint64_t n_refused;     /* Messages above 1 MiB, or on too many topics. */
};

/* Makes a node, site/name, that is not connected yet. 'epoch' is above all
 * of its earlier starts; 'send' sends to the proxy, or returns false and has
 * not. */
struct bus_node *bus_node_create(const char *name, uint64_t epoch,
                                 const struct bus_limits *limits,
                                 bool (*send)(const struct bus_frame *,
                                              void *),
                                 void *aux);

/* Has the proxy withdraw the node's last values when it has been gone for a
 * minute. To be called before the node is connected. */
void bus_node_make_ephemeral(struct bus_node *node);

/* Frees the node. Requests that nobody answered have timed out. */
void bus_node_destroy(struct bus_node *node);

/* Publishes a message, which becomes the last value of its topic; an empty
 * one withdraws it. Returns 0: it is kept for repair, and was sent or will
 * be. Otherwise the bus does not have it: EAGAIN, the proxy is away or busy;
 * EINVAL, no topic or one of another site; EMSGSIZE, above 1 MiB; ENOSPC, too
 * many topics. */
int bus_node_publish(struct bus_node *node, const char *topic,
                     const char *body, size_t size);

/* Tells 'listener' of messages on the topics of 'filter' from now on, last
 * values first. Returns 0, EINVAL if it is no filter, or EEXIST if it has a
 * listener. */
int bus_node_subscribe(struct bus_node *node, const char *filter,
                       const struct bus_listener *listener);

/* Ends that; returns 0, or ENOENT. */
int bus_node_unsubscribe(struct bus_node *node, const char *filter);

/* Asks another node. Returns 0, and 'answered' will be called once;
 * otherwise EAGAIN, EINVAL or EMSGSIZE, as above. */
int bus_node_request(struct bus_node *node, const char *other,
                     const char *body, size_t size, bus_answered *answered,
                     void *aux);

/* Answers what others ask with 'handler', or refuses if it is null. */
void bus_node_handle(struct bus_node *node, bus_handler *handler, void *aux);

/* Takes a frame from the proxy. */
void bus_node_receive(struct bus_node *node, struct bus_frame *frame);

/* Counts what came from the proxy and is no frame. */
void bus_node_receive_malformed(struct bus_node *node);

/* Sends what waits; returns whether something waits for room in the
 * socket. */
bool bus_node_drain(struct bus_node *node);

/* Calls listeners, handlers and what waits for answers. */
void bus_node_deliver(struct bus_node *node);

/* Lets a quarter of a second pass. */
void bus_node_tick(struct bus_node *node);

/* Begins a new session, because the connection is a new one. */
void bus_node_reconnect(struct bus_node *node);

struct bus_link_state bus_node_link_state(const struct bus_node *node);

#endif
