// SPDX-License-Identifier: EPL-2.0
/* What a subscriber knows of one stream: delivers each message once and in
 * order, finds holes and mends them (docs/wire/bus.md, "Replay").
 *
 *              first message       message that is not the next: hold, ask
 *   (unknown) ---------------> IN ORDER ----------------------> HOLE
 *                                 ^                             |  ^ | each s:
 *                                 |  the missing came, are gone |  +-+ ask
 *                                 +--- or 30 s without any -----+
 *
 * The last message may come again as withdrawn, and as it was once its
 * publisher is back.
 *
 * Thread-safety: owned by one thread. */
#ifndef BUS_TRACKER_H
#define BUS_TRACKER_H

#include <glib.h>

#include "frame.h"

/* What comes of frames and time. */
struct bus_outlet {
    /* The next message of the stream, which may be held. */
    void (*deliver)(struct bus_frame *frame, void *aux);

    /* So many messages are gone; 0: nobody knows how many. */
    void (*gap)(uint64_t n_messages, const char *reason, void *aux);

    /* These messages are missing. */
    void (*ask)(uint64_t epoch, uint64_t first, uint64_t last, void *aux);

    /* A message came that was there already. */
    void (*duplicate)(void *aux);
};

struct bus_tracker {
    const struct bus_outlet *outlet;
    void *aux;

    bool is_known;
    uint64_t epoch;
    uint64_t next;       /* Message to deliver next. */
    uint64_t highest;    /* While 'next' is not above it, there is a hole. */
    uint64_t asked;      /* Last message of the open question. */
    uint32_t idle_ticks; /* Since something was delivered or given up. */
    GTree *held;            /* By sequence: what came behind a hole. */
    struct bus_frame *last; /* Delivered last; null if one behind is gone. */
};

/* Calls 'outlet' with 'aux' from now on. */
void bus_tracker_init(struct bus_tracker *tracker,
                      const struct bus_outlet *outlet, void *aux);
void bus_tracker_destroy(struct bus_tracker *tracker);

/* Takes a DATA, REPLAYED or GAP of the stream. */
void bus_tracker_accept(struct bus_tracker *tracker,
                        struct bus_frame *frame);

/* Lets a quarter of a second pass. */
void bus_tracker_tick(struct bus_tracker *tracker);

/* Asks for what is missing, although it has been asked for. */
void bus_tracker_ask_again(struct bus_tracker *tracker);

#endif
