// SPDX-License-Identifier: EPL-2.0
/* A node of the bus beside a hand-written proxy, without sockets. */
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

/* Makes the node, A/F1 or another; proxy_teardown() frees it, if it has not
 * yet. */
void proxy_setup(struct proxy *proxy, const struct bus_limits *limits);
void proxy_setup_as(struct proxy *proxy, const char *name, uint64_t epoch,
                    const struct bus_limits *limits);
void proxy_teardown(struct proxy *proxy);

/* Makes another node, with other limits. */
void proxy_renew(struct proxy *proxy, const struct bus_limits *limits);

/* For tests whose 'state' is a proxy: of a node with BUS_LIMITS_DEFAULT, or
 * of one in a session. */
int proxy_start(void **state);
int proxy_start_session(void **state);
int proxy_stop(void **state);

#define WITH_NODE(test)                                                       \
    cmocka_unit_test_setup_teardown(test, proxy_start, proxy_stop)
#define WITH_SESSION(test)                                                    \
    cmocka_unit_test_setup_teardown(test, proxy_start_session, proxy_stop)

/* Lets the node call, and begins the session that it asks for. */
void proxy_connect(struct proxy *proxy);

/* Gives a frame to the node: as it stands; as the next one of the session;
 * as a message of A/board on RULES. */
void proxy_give(struct proxy *proxy, struct bus_frame frame);
void proxy_give_counted(struct proxy *proxy, struct bus_frame frame);
void proxy_give_message(struct proxy *proxy, enum bus_kind kind,
                        uint64_t sequence, uint64_t mark, const char *body);

/* Tells that of the session's frames the node's first 'n' have come. */
void proxy_confirm(struct proxy *proxy, uint64_t n);

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
