// SPDX-License-Identifier: EPL-2.0
/* Gives damaged frames, counted as their session wants them, to a node of the
 * bus, under the address and undefined behaviour sanitizers: each frame
 * stands at the very end of its own allocation. What is read has to be
 * written as it was. FWD_SEED repeats a run. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bus/node.h"
#include "seed.h"

#define N_FRAMES 500000
#define MAX_SIZE 512     /* Bytes of a frame. */
#define TICKS_EACH 1000  /* Frames between two ticks. */

/* The proxy's side: what it needs to know to be understood. */
struct proxy {
    struct bus_node *node;
    uint64_t session;
    uint32_t n_counted;
};

static bool
note_session(const struct bus_frame *frame, void *aux)
{
    struct proxy *proxy = aux;

    if (frame->kind == BUS_HELLO) {
        proxy->session = frame->sequence;
        proxy->n_counted = 0;
    }
    return random() % 16;
}

static void
hear_message(const char *topic, const char *publisher, const char *body,
             size_t size, void *aux)
{
    (void) aux;
    if (!topic[0] || !publisher[0] || body[size]) {
        abort();
    }
}

static void
hear_gap(const char *topic, const char *publisher, uint64_t n_messages,
         const char *reason, void *aux)
{
    (void) n_messages;
    (void) aux;
    if (!topic[0] || !publisher[0] || !reason[0]) {
        abort();
    }
}

/* A sound frame of some kind; small numbers, so that they meet. */
static struct bus_frame
sound_frame(const struct proxy *proxy)
{
    static const char *const nodes[] = {"A/board", "A/F1", "B/far", "A"};
    static const char *const topics[] = {
        "/rules", "/c1/site_A_state", "A/F1", "/c1/",
    };
    static const char body[] = "{\"weight\": 3}";
    struct bus_frame frame = {
        .kind = 1 + random() % 13,
        .epoch = random() % 3,
        .sequence = 1 + random() % 40,
        .mark = 1 + random() % 40,
        .node = nodes[random() % 4],
        .topic = topics[random() % 4],
        .body = body,
        .body_size = (size_t) random() % sizeof body,
    };

    if (frame.kind == BUS_WELCOME || random() % 8 == 0) {
        frame.kind = BUS_WELCOME;
        frame.sequence = proxy->session;
    } else if (frame.kind == BUS_STATUS) {
        frame.epoch = proxy->session;
        frame.sequence = proxy->n_counted;
    } else if (frame.kind > BUS_STATUS) {
        frame.count = proxy->n_counted + 1;
    }
    return frame;
}

static size_t
damage(uint8_t octets[MAX_SIZE], size_t size)
{
    static const uint8_t values[] = {0, 1, 2, 13, 14, '/', '_', 127, 255};

    for (long n = random() % 8 ? 0 : random() % 4; n--;) {
        octets[random() % (long) size]
            = random() % 2 ? (uint8_t) random()
                           : values[random() % (long) sizeof values];
    }
    return random() % 16 ? size : (size_t) random() % (size + 1);
}

static void
give(struct proxy *proxy, const uint8_t *octets, size_t size)
{
    struct bus_frame *frame;
    uint8_t written[MAX_SIZE];

    if (bus_frame_decode(octets, size, &frame)) {
        return;
    }
    bus_frame_encode(frame, written);
    if (bus_frame_size(frame) != size || memcmp(octets, written, size)) {
        abort();
    }
    proxy->n_counted += frame->kind > BUS_STATUS;
    bus_node_receive(proxy->node, frame);
    bus_frame_release(frame);
    bus_node_deliver(proxy->node);
}

static void
run(struct proxy *proxy)
{
    for (int i = 0; i < N_FRAMES; i++) {
        struct bus_frame frame = sound_frame(proxy);
        size_t size = bus_frame_size(&frame);
        uint8_t octets[MAX_SIZE], *exact;

        bus_frame_encode(&frame, octets);
        size = damage(octets, size);
        exact = malloc(size);
        memcpy(exact, octets, size);
        give(proxy, exact, size);
        free(exact);
        if (i % TICKS_EACH == 0) {
            bus_node_publish(proxy->node, "/c1/site_A_state", "{}", 2);
            bus_node_tick(proxy->node);
        }
    }
}

int
main(void)
{
    const struct bus_listener listener = {
        .message = hear_message, .gap = hear_gap,
    };
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy = {0};

    seed_random();
    limits.window = 8;
    limits.streams = 3;
    limits.retained_messages = 16;
    proxy.node = bus_node_create("A/F1", 1, &limits, note_session, &proxy);
    bus_node_subscribe(proxy.node, "/", &listener);
    run(&proxy);
    bus_node_destroy(proxy.node);
    printf("1..1\nok 1 - %d damaged frames\n", N_FRAMES);
    return 0;
}
