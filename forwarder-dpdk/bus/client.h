// SPDX-License-Identifier: EPL-2.0
/* A node with its socket: one CURVE connection to its site's proxy, kept up
 * for as long as the client lives. The owner's thread does all the work, in
 * bus_client_wait(); what it does with the node apart from that goes out then.
 *
 *   struct bus_client *client;
 *   if (!bus_client_create(&settings, &client, reason)) {
 *       struct bus_node *node = bus_client_node(client);
 *
 *       bus_node_subscribe(node, "/c1/", &listener);
 *       while (!bus_client_wait(client, signal_fd, -1)) {
 *       }
 *   }
 *
 * Thread-safety: owned by one thread. */
#ifndef BUS_CLIENT_H
#define BUS_CLIENT_H

#include "identity.h"
#include "node.h"

/* Where a node connects to, and as whom. Copied. */
struct bus_remote {
    const char *address; /* Of the proxy: tcp://host:port. */
    const char *key;     /* Of the proxy: public, in Z85. */
    struct bus_keys keys;
};

struct bus_client;

/* Makes the node 'name', site/name, and connects; goes on trying if the proxy
 * is away. 'epoch' comes from bus_epoch_next(). Returns 0, or a positive errno
 * with the reason in 'reason'. */
int bus_client_create(const char *name, uint64_t epoch,
                      const struct bus_remote *remote,
                      const struct bus_limits *limits,
                      struct bus_client **clientp,
                      char reason[BUS_REASON_SIZE]);

/* Ends the connection. What was published may not have been sent. */
void bus_client_destroy(struct bus_client *client);

struct bus_node *bus_client_node(struct bus_client *client);

/* Uses another proxy or other keys from now on: connects anew, and mends what
 * was under way. The same ones change nothing. Returns 0, or a positive errno
 * with the reason in 'reason'; then all is as before. */
int bus_client_reconnect(struct bus_client *client,
                         const struct bus_remote *remote,
                         char reason[BUS_REASON_SIZE]);

/* Serves the bus until 'fd' (-1: none) is readable or 'timeout_ms' (-1: for
 * ever) have passed. Has to be called again within some seconds, or the proxy
 * ends the session, and all is mended then. Returns whether 'fd' is
 * readable. */
bool bus_client_wait(struct bus_client *client, int fd, int timeout_ms);

#endif
