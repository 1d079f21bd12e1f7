// SPDX-License-Identifier: EPL-2.0
/* A node of the bus, A/F1, beside a hand-written proxy, without sockets. */
#ifndef TEST_PROXY_H
#define TEST_PROXY_H

#include "../bus/node.h"

#define EPOCH (1ull << 20) /* Of the node. */
#define RULES "/forwarder/F1/site_A_rules"
#define STATE "/forwarder/F1/site_A_state"

/* The proxy's side of the one connection. */
struct proxy {
    struct bus_node *node;
    GQueue sent;        /* Frames of the node that nobody has looked at. */
    bool is_full;       /* Nothing can be sent. */
    uint64_t session;
    uint32_t n_counted; /* Frames that this side sent in the session. */
    char heard[4096];   /* What listeners and askers were told. */
};

/* Makes the node; proxy_teardown() frees it. */
void proxy_setup(struct proxy *proxy, const struct bus_limits *limits);
void proxy_teardown(struct proxy *proxy);

/* Lets the node call, and begins the session that it asks for. */
void proxy_connect(struct proxy *proxy);

/* Gives a frame to the node: as it stands; as the next one of the session;
 * as a message of A/board on RULES. */
void proxy_give(struct proxy *proxy, struct bus_frame frame);
void proxy_give_counted(struct proxy *proxy, struct bus_frame frame);
void proxy_give_message(struct proxy *proxy, enum bus_kind kind,
                        uint64_t sequence, uint64_t mark, const char *body);

/* The next frame of a kind that the node sent, which the caller releases;
 * those before it are forgotten. Fails the test if there is none. */
struct bus_frame *proxy_next(struct proxy *proxy, enum bus_kind kind);

/* Asserts on the next frame of a kind. */
void proxy_expect(struct proxy *proxy, enum bus_kind kind, const char *topic,
                  uint64_t sequence, uint64_t mark, const char *body);

/* Forgets what the node sent. */
void proxy_forget(struct proxy *proxy);

/* The node publishes, or subscribes with the listener below. */
int proxy_publish(struct proxy *proxy, const char *topic, const char *body);
int proxy_subscribe(struct proxy *proxy, const char *filter);

/* Listeners whose 'aux' is the proxy: they write what they are told. */
void proxy_hear_message(const char *topic, const char *publisher,
                        const char *body, size_t size, void *aux);
void proxy_hear_gap(const char *topic, const char *publisher,
                    uint64_t n_messages, const char *reason, void *aux);
void proxy_hear_answer(enum bus_outcome outcome, const char *text,
                       size_t size, void *aux);
void proxy_note(struct proxy *proxy, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Asserts on what was written, and forgets it. */
void proxy_expect_heard(struct proxy *proxy, const char *heard);

#endif
