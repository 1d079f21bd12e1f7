// SPDX-License-Identifier: EPL-2.0
#include "fake_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "../bus/client.h"

struct bus_client {
    struct proxy proxy;
};

static struct bus_client *last;

struct proxy *
fake_client_proxy(void)
{
    return &last->proxy;
}

int
bus_client_create(const char *name, uint64_t epoch,
                  const struct bus_remote *remote,
                  const struct bus_limits *limits,
                  struct bus_client **clientp, char reason[BUS_REASON_SIZE])
{
    (void) remote;
    (void) reason;
    last = g_new(struct bus_client, 1);
    proxy_setup_as(&last->proxy, name, epoch, limits);
    proxy_connect(&last->proxy);
    *clientp = last;
    return 0;
}

void
bus_client_destroy(struct bus_client *client)
{
    if (client) {
        proxy_teardown(&client->proxy);
        g_free(client);
    }
}

struct bus_node *
bus_client_node(struct bus_client *client)
{
    return client ? client->proxy.node : NULL;
}

int
bus_client_reconnect(struct bus_client *client,
                     const struct bus_remote *remote,
                     char reason[BUS_REASON_SIZE])
{
    (void) client;
    (void) reason;
    assert_non_null(remote->address);
    assert_non_null(remote->key);
    return 0;
}

bool
bus_client_wait(struct bus_client *client, int fd, int timeout_ms)
{
    (void) fd;
    (void) timeout_ms;
    bus_node_tick(client->proxy.node);
    return false;
}
