// SPDX-License-Identifier: EPL-2.0
/* The calling side of a connection: its session, what was sent and taken in
 * it, and the credit for more (docs/wire/bus.md, "Session").
 *
 *            HELLO(n) -->                   <-- WELCOME(n)
 *   DOWN ------------------- each second ------------------> UP
 *     ^                                                      |
 *     +--- loss, AGAIN, silence of 5 s: HELLO(n + 1) --------+
 *
 * What is taken of a session is a beginning of what was sent: after a frame
 * whose number is not the next one nothing more of it is.
 *
 * Thread-safety: owned by one thread. */
#ifndef BUS_LINK_H
#define BUS_LINK_H

#include "frame.h"

#define BUS_TICK_MS 250 /* Time between two ticks, here and elsewhere. */

enum bus_event {
    BUS_EVENT_NONE,
    BUS_EVENT_BEGUN, /* The other side knows nothing of this session yet. */
    BUS_EVENT_FRAME, /* The frame is for the owner of the link. */
};

struct bus_link {
    /* Sends, or returns false and has not. */
    bool (*send)(const struct bus_frame *frame, void *aux);
    void *aux;

    const char *name; /* Of this side. */
    uint64_t epoch;   /* Of the start if last values end with it, else 0. */
    uint32_t window;  /* Frames that may be under way unconfirmed. */

    bool is_up;
    bool is_resumed;     /* There was a session before. */
    uint64_t session;
    uint64_t sent;       /* Frames of this session, and so on. */
    uint64_t confirmed;
    uint64_t received;
    uint64_t asked;      /* Frames sent when a STATUS was asked for. */
    uint32_t credit;     /* As 'window'; after losses fewer, down to 4. */
    uint32_t silent_ticks;
    uint32_t call_ticks; /* Since the last HELLO. */
    uint32_t told_ticks; /* Without anything unconfirmed, modulo 1 s. */

    /* For operators. */
    uint64_t n_messages; /* Sent in all sessions. */
    uint64_t n_deferred; /* Times that there was no room. */
    uint64_t n_renewals; /* Sessions given up. */
};

/* Makes a link that is down. */
void bus_link_init(struct bus_link *link, const char *name, uint32_t window,
                   bool (*send)(const struct bus_frame *, void *),
                   void *aux);

/* Takes a frame that arrived. */
enum bus_event bus_link_receive(struct bus_link *link,
                                const struct bus_frame *frame);

/* Lets a quarter of a second pass. */
void bus_link_tick(struct bus_link *link);

/* Ends the session, if there is one, and asks for another. */
void bus_link_renew(struct bus_link *link);

/* Whether a message may be sent, as far as credit goes. */
bool bus_link_has_credit(const struct bus_link *link);

/* Sends a frame in the session. Returns false, and has sent nothing, without
 * session, credit or room. */
bool bus_link_offer(struct bus_link *link, struct bus_frame frame);

#endif
