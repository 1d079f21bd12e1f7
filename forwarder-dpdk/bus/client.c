// SPDX-License-Identifier: EPL-2.0
#include "client.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include <zmq.h>

#include "names.h"

#define RECONNECT_MS 100
#define RECONNECT_MAX_MS 2000
#define HANDSHAKE_MS 2000  /* A handshake that hangs is given up. */
#define RETRY_MS 2         /* When the socket had no room. */
#define BATCH 256          /* Frames taken before others are served. */
#define PATIENCE_TICKS 20  /* Without a session, until a new socket: 5 s. */
#define ADDRESS_SIZE 256   /* Bytes of an address with its final zero. */

struct bus_client {
    void *context;
    void *socket;
    struct bus_node *node;
    char address[ADDRESS_SIZE];
    char proxy_key[BUS_KEY_LENGTH + 1];
    struct bus_keys keys;
    int queue;            /* Frames that the socket holds. */
    gint64 tick_us;       /* When the next tick is due. */
    uint32_t down_ticks;  /* Ticks without a session. */
};

static bool
send_frame(const struct bus_frame *frame, void *aux)
{
    struct bus_client *client = aux;
    zmq_msg_t message;

    if (zmq_msg_init_size(&message, bus_frame_size(frame))) {
        return false;
    }
    bus_frame_encode(frame, zmq_msg_data(&message));
    if (zmq_msg_send(&message, client->socket, ZMQ_DONTWAIT) < 0) {
        zmq_msg_close(&message);
        return false;
    }
    return true;
}

static bool
set_number(void *socket, int option, int number)
{
    return !zmq_setsockopt(socket, option, &number, sizeof number);
}

static bool
set_text(void *socket, int option, const char *text)
{
    return !zmq_setsockopt(socket, option, text, strlen(text) + 1);
}

/* Makes a socket that connects; returns null with errno set. */
static void *
connect_socket(const struct bus_client *client)
{
    void *socket = zmq_socket(client->context, ZMQ_DEALER);
    int64_t limit = BUS_BODY_SIZE + 1024; /* Bytes with names and header. */

    if (socket
        && (!set_number(socket, ZMQ_LINGER, 0)
            || !set_number(socket, ZMQ_IMMEDIATE, 1)
            || !set_number(socket, ZMQ_SNDHWM, client->queue)
            || !set_number(socket, ZMQ_RCVHWM, client->queue)
            || !set_number(socket, ZMQ_RECONNECT_IVL, RECONNECT_MS)
            || !set_number(socket, ZMQ_RECONNECT_IVL_MAX, RECONNECT_MAX_MS)
            || !set_number(socket, ZMQ_HANDSHAKE_IVL, HANDSHAKE_MS)
            || zmq_setsockopt(socket, ZMQ_MAXMSGSIZE, &limit, sizeof limit)
            || !set_text(socket, ZMQ_CURVE_SERVERKEY, client->proxy_key)
            || !set_text(socket, ZMQ_CURVE_PUBLICKEY,
                         client->keys.public_key)
            || !set_text(socket, ZMQ_CURVE_SECRETKEY,
                         client->keys.secret_key)
            || zmq_connect(socket, client->address))) {
        int error = zmq_errno();

        zmq_close(socket);
        errno = error;
        return NULL;
    }
    return socket;
}

/* Replaces the socket, and with it what it holds. Returns 0, or a positive
 * errno and the socket is as before. */
static int
open_socket(struct bus_client *client)
{
    void *socket = connect_socket(client);

    if (!socket) {
        return zmq_errno();
    }
    if (client->socket) {
        zmq_close(client->socket);
    }
    client->socket = socket;
    client->down_ticks = 0;
    return 0;
}

static int
take_remote(struct bus_client *client, const struct bus_remote *remote,
            char reason[BUS_REASON_SIZE])
{
    if (strlen(remote->address) >= ADDRESS_SIZE
        || strncmp(remote->address, "tcp://", 6)) {
        snprintf(reason, BUS_REASON_SIZE, "not tcp://host:port: %s",
                 remote->address);
        return EINVAL;
    }
    if (!bus_is_key(remote->key)) {
        snprintf(reason, BUS_REASON_SIZE, "not a key in Z85: %s",
                 remote->key);
        return EINVAL;
    }
    g_strlcpy(client->address, remote->address, ADDRESS_SIZE);
    g_strlcpy(client->proxy_key, remote->key, sizeof client->proxy_key);
    client->keys = remote->keys;
    return 0;
}

int
bus_client_reconnect(struct bus_client *client,
                     const struct bus_remote *remote,
                     char reason[BUS_REASON_SIZE])
{
    struct bus_client wanted = *client;
    int error = take_remote(&wanted, remote, reason);

    if (!error && !memcmp(&wanted, client, sizeof wanted)) {
        return 0;
    }
    if (!error) {
        error = open_socket(&wanted);
        if (error) {
            snprintf(reason, BUS_REASON_SIZE, "%s: %s", remote->address,
                     zmq_strerror(error));
        }
    }
    if (!error) {
        *client = wanted;
        bus_node_reconnect(client->node);
    }
    explicit_bzero(&wanted.keys, sizeof wanted.keys);
    return error;
}

int
bus_client_create(const char *name, uint64_t epoch,
                  const struct bus_remote *remote,
                  const struct bus_limits *limits,
                  struct bus_client **clientp, char reason[BUS_REASON_SIZE])
{
    struct bus_client *client;
    int error;

    if (!bus_is_node(name)) {
        snprintf(reason, BUS_REASON_SIZE, "not a node, site/name: %s", name);
        return EINVAL;
    }
    client = g_new0(struct bus_client, 1);
    client->context = zmq_ctx_new();
    client->queue = (int) limits->queue;
    client->tick_us = g_get_monotonic_time();
    client->node = bus_node_create(name, epoch, limits, send_frame, client);
    error = take_remote(client, remote, reason);
    if (!error) {
        error = open_socket(client);
        if (error) {
            snprintf(reason, BUS_REASON_SIZE, "%s: %s", remote->address,
                     zmq_strerror(error));
        }
    }
    if (error) {
        bus_client_destroy(client);
        return error;
    }
    *clientp = client;
    return 0;
}

void
bus_client_destroy(struct bus_client *client)
{
    if (client) {
        bus_node_destroy(client->node);
        if (client->socket) {
            zmq_close(client->socket);
        }
        zmq_ctx_term(client->context);
        explicit_bzero(&client->keys, sizeof client->keys);
        g_free(client);
    }
}

struct bus_node *
bus_client_node(struct bus_client *client)
{
    return client->node;
}

/* Takes a frame from the socket; returns false if there is none. */
static bool
receive(struct bus_client *client)
{
    struct bus_frame *frame;
    zmq_msg_t message;
    bool is_there;

    zmq_msg_init(&message);
    is_there = zmq_msg_recv(&message, client->socket, ZMQ_DONTWAIT) >= 0;
    if (is_there && !bus_frame_decode(zmq_msg_data(&message),
                                      zmq_msg_size(&message), &frame)) {
        bus_node_receive(client->node, frame);
        bus_frame_release(frame);
    } else if (is_there) {
        bus_node_receive_malformed(client->node);
    }
    zmq_msg_close(&message);
    return is_there;
}

static void
tick(struct bus_client *client)
{
    bool is_up = bus_node_link_state(client->node).is_up;

    client->tick_us = g_get_monotonic_time() + 1000 * BUS_TICK_MS;
    client->down_ticks = is_up ? 0 : client->down_ticks + 1;
    if (client->down_ticks >= PATIENCE_TICKS) {
        open_socket(client);
        client->down_ticks = 0;
    }
    bus_node_tick(client->node);
}

/* Does all that is to be done now; returns whether it should be tried again
 * soon. */
static bool
serve(struct bus_client *client)
{
    int n = 0;

    if (g_get_monotonic_time() >= client->tick_us) {
        tick(client);
    }
    while (n < BATCH && receive(client)) {
        n++;
    }
    bus_node_deliver(client->node);
    return bus_node_drain(client->node) || n == BATCH;
}

bool
bus_client_wait(struct bus_client *client, int fd, int timeout_ms)
{
    gint64 end_us = timeout_ms < 0 ? G_MAXINT64
                    : g_get_monotonic_time() + 1000 * (gint64) timeout_ms;

    for (;;) {
        bool is_busy = serve(client);
        gint64 now_us = g_get_monotonic_time();
        gint64 due_us = MIN(client->tick_us, end_us);
        long wait_ms = is_busy ? RETRY_MS
                       : (long) MAX(0, (due_us - now_us + 999) / 1000);
        zmq_pollitem_t items[] = {
            {.socket = client->socket, .events = ZMQ_POLLIN},
            {.fd = fd, .events = ZMQ_POLLIN},
        };

        zmq_poll(items, fd < 0 ? 1 : 2, wait_ms);
        if (fd >= 0 && items[1].revents) {
            return true;
        }
        if (now_us >= end_us) {
            return false;
        }
    }
}
