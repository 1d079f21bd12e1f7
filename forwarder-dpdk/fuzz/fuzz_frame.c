// SPDX-License-Identifier: EPL-2.0
/* Gives frames to a node of the bus, sound or damaged, counted as their
 * session wants them or not. A frame that is read is written as it was, but
 * for names that nobody reads, which end at their first zero; and what is
 * written then is read the same.
 *
 * An input is steps: a byte that says what comes next, then its numbers. */
#include <stdio.h>
#include <stdlib.h>

#include "../bus/node.h"
#include "input.h"

#define MAX_SIZE 512 /* Bytes of a frame. */

/* Steps beyond the frames' kinds. */
enum {
    STEP_RAW,
    STEP_TICK = BUS_REFUSED + 1,
    STEP_PUBLISH,
    STEP_SUBSCRIBE,
    STEP_UNSUBSCRIBE,
    STEP_REQUEST,
    STEP_ROOM,
    N_STEPS,
};

static const char *const nodes[] = {"A/board", "A/F1", "B/far", "A"};
static const char *const topics[] = {
    "/rules", "/c1/site_A_state", "A/F1", "/c1/",
};

/* The proxy's side: what it needs to know to be understood. */
struct proxy {
    struct bus_node *node;
    uint64_t session;
    uint32_t n_counted;
    bool is_full; /* The socket takes nothing. */
};

static bool
note_session(const struct bus_frame *frame, void *aux)
{
    struct proxy *proxy = aux;

    if (frame->kind == BUS_HELLO) {
        proxy->session = frame->sequence;
        proxy->n_counted = 0;
    }
    return !proxy->is_full;
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

static void
hear_answer(enum bus_outcome outcome, const char *text, size_t size,
            void *aux)
{
    (void) outcome;
    (void) aux;
    if (text[size]) {
        abort();
    }
}

static char *
answer(const char *asker, const char *body, size_t size,
       char reason[BUS_REASON_SIZE], void *aux)
{
    (void) aux;
    snprintf(reason, BUS_REASON_SIZE, "not from %s", asker);
    return body[0] == '{' ? strndup(body, size) : NULL;
}

/* A sound frame; small numbers, so that they meet. */
static struct bus_frame
sound_frame(const struct proxy *proxy, enum bus_kind kind,
            struct input *input)
{
    static const char body[] = "{\"weight\": 3}";
    uint8_t names = input_byte(input);
    struct bus_frame frame = {
        .kind = kind,
        .epoch = input_below(input, 3),
        .sequence = input_byte(input),
        .mark = input_byte(input),
        .node = nodes[names & 3],
        .topic = topics[names >> 2 & 3],
        .body = body,
        .body_size = (names >> 4) % sizeof body,
    };

    if (kind == BUS_WELCOME) {
        frame.sequence = proxy->session;
    } else if (kind == BUS_STATUS) {
        frame.epoch = proxy->session;
        frame.sequence = proxy->n_counted;
    } else if (kind > BUS_STATUS) {
        frame.count = proxy->n_counted + 1;
    }
    return frame;
}

/* Writes a frame that was read from 'octets'; stores its new size. */
static void
write_again(const struct bus_frame *frame, const uint8_t *octets, size_t size,
            uint8_t written[MAX_SIZE], size_t *written_size)
{
    *written_size = bus_frame_size(frame);
    if (*written_size > size) {
        abort();
    }
    bus_frame_encode(frame, written);
    if (*written_size == size && memcmp(octets, written, size)) {
        abort();
    }
}

static void
give(struct proxy *proxy, const uint8_t *octets, size_t size)
{
    struct bus_frame *frame, *same;
    uint8_t written[MAX_SIZE], rewritten[MAX_SIZE];
    size_t written_size, same_size;

    if (bus_frame_decode(octets, size, &frame)) {
        return;
    }
    write_again(frame, octets, size, written, &written_size);
    if (bus_frame_decode(written, written_size, &same)) {
        abort();
    }
    write_again(same, written, written_size, rewritten, &same_size);
    if (same_size != written_size) {
        abort();
    }
    bus_frame_release(same);
    proxy->n_counted += frame->kind > BUS_STATUS;
    bus_node_receive(proxy->node, frame);
    bus_frame_release(frame);
    bus_node_deliver(proxy->node);
}

/* Gives a frame that stands at the very end of its own allocation. */
static void
give_frame(struct proxy *proxy, unsigned int step, struct input *input)
{
    uint8_t octets[MAX_SIZE], *exact;
    size_t size;

    if (step == STEP_RAW) {
        size = input_bytes(input, octets, input_byte(input));
    } else {
        struct bus_frame frame = sound_frame(proxy, step, input);
        uint8_t shorter = input_byte(input);

        size = bus_frame_size(&frame);
        bus_frame_encode(&frame, octets);
        input_damage(input, octets, size);
        size -= shorter < size ? shorter : 0;
    }
    exact = malloc(size ? size : 1);
    memcpy(exact, octets, size);
    give(proxy, exact, size);
    free(exact);
}

static void
run_step(struct proxy *proxy, struct input *input)
{
    static const struct bus_listener listener = {
        .message = hear_message, .gap = hear_gap,
    };
    unsigned int step = input_below(input, N_STEPS);

    switch (step) {
    case STEP_TICK:
        for (int n = input_byte(input); n--;) {
            bus_node_tick(proxy->node);
        }
        break;
    case STEP_PUBLISH:
        bus_node_publish(proxy->node, topics[input_below(input, 4)], "{}",
                         2u * input_below(input, 2));
        break;
    case STEP_SUBSCRIBE:
        bus_node_subscribe(proxy->node, topics[input_below(input, 4)],
                           &listener);
        break;
    case STEP_UNSUBSCRIBE:
        bus_node_unsubscribe(proxy->node, topics[input_below(input, 4)]);
        break;
    case STEP_REQUEST:
        bus_node_request(proxy->node, nodes[input_below(input, 4)], "{}", 2,
                         hear_answer, NULL);
        break;
    case STEP_ROOM:
        proxy->is_full = input_below(input, 2);
        break;
    default:
        give_frame(proxy, step, input);
    }
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void) argc;
    (void) argv;
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct bus_limits limits = BUS_LIMITS_DEFAULT;
    struct proxy proxy = {0};

    limits.window = 8;
    limits.streams = 3;
    limits.retained_messages = 16;
    proxy.node = bus_node_create("A/F1", 1, &limits, note_session, &proxy);
    bus_node_handle(proxy.node, answer, NULL);
    bus_node_tick(proxy.node); /* Says hello soon. */
    while (input.left) {
        run_step(&proxy, &input);
    }
    bus_node_destroy(proxy.node);
    return 0;
}
