// SPDX-License-Identifier: EPL-2.0
#include "link.h"

#include <glib.h>

#define PATIENCE_TICKS 20  /* Of silence: 5 s. */
#define CALL_AGAIN_TICKS 4 /* 1 s. */
#define TELL_AGAIN_TICKS 4 /* 1 s. */
#define WANTS_ANSWER 1     /* 'count' of a STATUS. */
#define LEAST_CREDIT 4     /* Frames. */

void
bus_link_init(struct bus_link *link, const char *name, uint32_t window,
              bool (*send)(const struct bus_frame *, void *), void *aux)
{
    *link = (struct bus_link) {
        .send = send,
        .aux = aux,
        .name = name,
        .window = window,
        .credit = window,
        .call_ticks = CALL_AGAIN_TICKS,
    };
}

bool
bus_link_has_credit(const struct bus_link *link)
{
    return link->is_up && link->sent - link->confirmed < link->credit;
}

/* Sends a frame of the session itself. They are repeated, so one for which
 * there was no room is not missed. */
static bool
tell(struct bus_link *link, struct bus_frame frame)
{
    bool gone;

    if (!frame.node) {
        frame.node = "";
    }
    frame.topic = "";
    gone = link->send(&frame, link->aux);
    link->n_deferred += !gone;
    return gone;
}

static void
tell_status(struct bus_link *link, uint32_t wish)
{
    tell(link, (struct bus_frame) {
        .kind = BUS_STATUS,
        .count = wish,
        .epoch = link->session,
        .sequence = link->sent,
        .mark = link->received,
    });
}

static void
call(struct bus_link *link)
{
    bool gone;

    link->session++;
    gone = tell(link, (struct bus_frame) {
        .kind = BUS_HELLO,
        .epoch = link->epoch,
        .sequence = link->session,
        .mark = link->is_resumed,
        .node = link->name,
    });
    link->call_ticks = gone ? 0 : CALL_AGAIN_TICKS;
}

void
bus_link_renew(struct bus_link *link)
{
    link->is_up = false;
    link->n_renewals++;
    call(link);
}

/* What was under way may be lost because it was too much: less at a time
 * from now on, and slowly more again. */
static enum bus_event
begin(struct bus_link *link)
{
    uint64_t lost = link->sent - link->confirmed;

    if (lost) {
        link->credit = (uint32_t) MAX(LEAST_CREDIT,
                                      MIN(link->credit, lost) / 2);
    }
    link->is_up = true;
    link->is_resumed = true;
    link->sent = link->confirmed = link->received = link->asked = 0;
    return BUS_EVENT_BEGUN;
}

static void
take_status(struct bus_link *link, const struct bus_frame *status)
{
    if (!link->is_up || status->epoch != link->session) {
        return;
    }
    if (status->sequence != link->received) {
        bus_link_renew(link);
        return;
    }
    if (status->count) {
        tell_status(link, 0);
    }
    if (status->mark > link->confirmed) {
        link->confirmed = MIN(link->sent, status->mark);
        link->credit = MIN(link->window, link->credit + 1);
    }
}

static enum bus_event
take_counted(struct bus_link *link, uint32_t count)
{
    if (!link->is_up) {
        return BUS_EVENT_NONE;
    }
    if (count != (uint32_t) (link->received + 1)) {
        bus_link_renew(link);
        return BUS_EVENT_NONE;
    }
    link->received++;
    return BUS_EVENT_FRAME;
}

enum bus_event
bus_link_receive(struct bus_link *link, const struct bus_frame *frame)
{
    link->silent_ticks = 0;
    switch (frame->kind) {
    case BUS_HELLO:
        return BUS_EVENT_NONE;
    case BUS_WELCOME:
        return !link->is_up && frame->sequence == link->session
               ? begin(link) : BUS_EVENT_NONE;
    case BUS_AGAIN:
        if (link->is_up) {
            bus_link_renew(link);
        }
        return BUS_EVENT_NONE;
    case BUS_STATUS:
        take_status(link, frame);
        return BUS_EVENT_NONE;
    default:
        return take_counted(link, frame->count);
    }
}

void
bus_link_tick(struct bus_link *link)
{
    link->silent_ticks++;
    if (link->is_up && link->silent_ticks > PATIENCE_TICKS) {
        bus_link_renew(link);
    } else if (link->is_up && link->sent > link->confirmed) {
        tell_status(link, WANTS_ANSWER);
    } else if (link->is_up && ++link->told_ticks >= TELL_AGAIN_TICKS) {
        link->told_ticks = 0;
        tell_status(link, 0);
    } else if (!link->is_up && ++link->call_ticks >= CALL_AGAIN_TICKS) {
        call(link);
    }
}

bool
bus_link_offer(struct bus_link *link, struct bus_frame frame)
{
    frame.count = (uint32_t) (link->sent + 1);
    if (!link->is_up
        || (bus_kind_needs_credit(frame.kind) && !bus_link_has_credit(link))
        || !link->send(&frame, link->aux)) {
        return false;
    }
    link->sent++;
    link->n_messages += bus_kind_carries_message(frame.kind);
    if (link->sent - link->asked >= link->credit / 2) {
        link->asked = link->sent;
        tell_status(link, WANTS_ANSWER);
    }
    return true;
}
