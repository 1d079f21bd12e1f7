// SPDX-License-Identifier: EPL-2.0
/* What a node asks of others, and others of it. A request is sent once, and
 * every one ends: it is answered by who was asked, or refused by a proxy on
 * the way there; what others say is dropped.
 *
 * Thread-safety: owned by one thread. */
#ifndef BUS_REQUESTS_H
#define BUS_REQUESTS_H

#include <glib.h>

#include "link.h"

#define BUS_REASON_SIZE 256 /* Bytes of a reason with its final zero. */

enum bus_outcome {
    BUS_REPLIED,   /* The text is the reply. */
    BUS_DENIED,    /* The text is the reason. */
    BUS_TIMED_OUT, /* Whether the node acted is not known; no text. */
};

/* What became of a request. The text is good during the call. */
typedef void bus_answered(enum bus_outcome outcome, const char *text,
                          size_t size, void *aux);

/* Answers a request of 'asker': returns a reply from malloc(), or null with
 * the reason of the refusal in 'reason'. */
typedef char *bus_handler(const char *asker, const char *body, size_t size,
                          char reason[BUS_REASON_SIZE], void *aux);

struct bus_requests {
    const char *self;
    uint64_t epoch;
    struct bus_link *link;
    bus_handler *handler; /* Null: this node answers nothing. */
    void *handler_aux;

    uint64_t n_asked;
    GHashTable *pending; /* By number: what nobody has answered yet. */
    GQueue ended;        /* What the asker is not told of yet. */
    GQueue questions;    /* Frames that this node has to answer. */
};

void bus_requests_init(struct bus_requests *requests, const char *self,
                       uint64_t epoch, struct bus_link *link);

/* Frees all, after the link went down for good. What nobody answered has
 * timed out, and the asker is told. */
void bus_requests_destroy(struct bus_requests *requests);

/* Sends a request. Returns 0, or EAGAIN if the proxy is away or busy, EINVAL
 * if 'node' is no node, EMSGSIZE above 1 MiB; then 'answered' is not
 * called. */
int bus_requests_ask(struct bus_requests *requests, const char *node,
                     const char *body, size_t size, bus_answered *answered,
                     void *aux);

/* Takes a REQUEST, REPLY or REFUSED. */
void bus_requests_take(struct bus_requests *requests,
                       struct bus_frame *frame);

/* Tells one asker or handler; returns false if there is nothing to tell. */
bool bus_requests_deliver(struct bus_requests *requests);

/* Lets a quarter of a second pass. */
void bus_requests_tick(struct bus_requests *requests);

#endif
