// SPDX-License-Identifier: EPL-2.0
#include "tracker.h"

#define HELD_LIMIT 4096    /* Messages; what doesn't fit is asked for later. */
#define ASK_LIMIT 1024     /* Messages in a question. */
#define PATIENCE_TICKS 120 /* Until a hole is given up: 30 s. */
#define ASK_AGAIN_TICKS 4  /* 1 s. */

static int
compare_sequences(const void *a, const void *b, void *aux)
{
    uint64_t x = *(const uint64_t *) a, y = *(const uint64_t *) b;

    (void) aux;
    return (x > y) - (x < y);
}

void
bus_tracker_init(struct bus_tracker *tracker,
                 const struct bus_outlet *outlet, void *aux)
{
    *tracker = (struct bus_tracker) {
        .outlet = outlet,
        .aux = aux,
        .held = g_tree_new_full(compare_sequences, NULL, NULL,
                                bus_frame_release),
    };
}

void
bus_tracker_destroy(struct bus_tracker *tracker)
{
    g_tree_unref(tracker->held);
    bus_frame_release(tracker->last);
}

static bool
has_hole(const struct bus_tracker *tracker)
{
    return tracker->is_known && tracker->next <= tracker->highest;
}

/* Makes 'frame', which may be null, the last one. */
static void
set_last(struct bus_tracker *tracker, struct bus_frame *frame)
{
    bus_frame_release(tracker->last);
    tracker->last = frame ? bus_frame_hold(frame) : NULL;
}

static void
deliver(struct bus_tracker *tracker, struct bus_frame *frame)
{
    tracker->next++;
    tracker->idle_ticks = 0;
    set_last(tracker, frame);
    tracker->outlet->deliver(frame, tracker->aux);
}

/* Holds 'frame', in the place of one with the same number. */
static void
hold(struct bus_tracker *tracker, struct bus_frame *frame)
{
    g_tree_replace(tracker->held, &frame->sequence, bus_frame_hold(frame));
}

/* The first message that is held, or null. */
static struct bus_frame *
first_held(const struct bus_tracker *tracker)
{
    GTreeNode *node = g_tree_node_first(tracker->held);

    return node ? g_tree_node_value(node) : NULL;
}

/* The first message behind the hole. */
static uint64_t
hole_end(const struct bus_tracker *tracker)
{
    const struct bus_frame *first = first_held(tracker);

    return first ? first->sequence : tracker->highest + 1;
}

static void
deliver_held(struct bus_tracker *tracker)
{
    struct bus_frame *first;

    while ((first = first_held(tracker))
           && first->sequence == tracker->next) {
        deliver(tracker, first);
        g_tree_remove(tracker->held, &first->sequence);
    }
}

static void
ask_on(struct bus_tracker *tracker)
{
    if (has_hole(tracker) && tracker->asked < tracker->next) {
        tracker->asked = MIN(hole_end(tracker) - 1,
                             tracker->next + ASK_LIMIT - 1);
        tracker->outlet->ask(tracker->epoch, tracker->next, tracker->asked,
                             tracker->aux);
    }
}

/* Tells that all up to 'sequence' is gone, and goes on there. */
static void
skip_to(struct bus_tracker *tracker, uint64_t sequence, const char *reason)
{
    tracker->outlet->gap(sequence - tracker->next, reason, tracker->aux);
    tracker->next = sequence;
    tracker->idle_ticks = 0;
    set_last(tracker, NULL);
    deliver_held(tracker);
}

/* Begins with the first message of an epoch. */
static void
enter(struct bus_tracker *tracker, const struct bus_frame *first)
{
    bool is_restart = tracker->is_known;

    while (has_hole(tracker)) {
        skip_to(tracker, hole_end(tracker), "the publisher restarted");
    }
    if (is_restart) {
        tracker->outlet->gap(0,
                             "the publisher restarted; what it sent last "
                             "before that may be missing",
                             tracker->aux);
    }
    tracker->is_known = true;
    tracker->epoch = first->epoch;
    tracker->next = is_restart ? 1 : first->mark;
    tracker->highest = first->sequence;
    tracker->asked = 0;
}

/* Takes what is there already: a duplicate, unless the proxy withdraws the
 * last message in the publisher's place, or has it back. */
static void
take_again(struct bus_tracker *tracker, struct bus_frame *frame)
{
    const struct bus_frame *there =
        frame->sequence + 1 == tracker->next
        ? tracker->last : g_tree_lookup(tracker->held, &frame->sequence);
    bool is_withdrawn = there && !there->body_size;

    if (frame->kind != BUS_DATA || frame->sequence + 1 < tracker->next
        || !frame->body_size == is_withdrawn) {
        tracker->outlet->duplicate(tracker->aux);
    } else if (frame->sequence < tracker->next) {
        set_last(tracker, frame);
        tracker->outlet->deliver(frame, tracker->aux);
    } else {
        hold(tracker, frame);
    }
}

static void
take(struct bus_tracker *tracker, struct bus_frame *frame)
{
    if (frame->sequence < tracker->next
        || g_tree_lookup(tracker->held, &frame->sequence)) {
        take_again(tracker, frame);
        return;
    }
    tracker->highest = MAX(tracker->highest, frame->sequence);
    if (frame->sequence == tracker->next) {
        deliver(tracker, frame);
        deliver_held(tracker);
    } else if (g_tree_nnodes(tracker->held) < HELD_LIMIT) {
        hold(tracker, frame);
    }
    ask_on(tracker);
}

static void
skip(struct bus_tracker *tracker, const struct bus_frame *gone)
{
    if (has_hole(tracker) && gone->mark >= tracker->next
        && gone->sequence <= tracker->next) {
        skip_to(tracker, MIN(gone->mark, hole_end(tracker) - 1) + 1,
                "no longer kept by the publisher");
        ask_on(tracker);
    }
}

void
bus_tracker_accept(struct bus_tracker *tracker, struct bus_frame *frame)
{
    if (!tracker->is_known || frame->epoch > tracker->epoch) {
        if (frame->kind != BUS_DATA) {
            return;
        }
        enter(tracker, frame);
    }
    if (frame->epoch < tracker->epoch) {
        tracker->outlet->duplicate(tracker->aux);
    } else if (frame->kind == BUS_GAP) {
        skip(tracker, frame);
    } else {
        take(tracker, frame);
    }
}

void
bus_tracker_ask_again(struct bus_tracker *tracker)
{
    tracker->asked = 0;
    ask_on(tracker);
}

void
bus_tracker_tick(struct bus_tracker *tracker)
{
    if (!has_hole(tracker)) {
        return;
    }
    tracker->idle_ticks++;
    if (tracker->idle_ticks >= PATIENCE_TICKS) {
        skip_to(tracker, hole_end(tracker), "no answer for 30 s");
    }
    if (tracker->idle_ticks % ASK_AGAIN_TICKS == 0) {
        bus_tracker_ask_again(tracker);
    }
}
