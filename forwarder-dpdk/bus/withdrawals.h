// SPDX-License-Identifier: EPL-2.0
/* What was withdrawn, oldest first: it is known for a day more, so that all
 * who were cut off hear of it, or until its place is needed.
 *
 * Thread-safety: owned by one thread. */
#ifndef BUS_WITHDRAWALS_H
#define BUS_WITHDRAWALS_H

#include <stdbool.h>
#include <stdint.h>

#include <glib.h>

/* Part of what can be withdrawn; zero at first. */
struct bus_withdrawal {
    GList link;      /* In the queue while withdrawn; 'data' is the owner. */
    bool is_noted;
    uint64_t tick;   /* When it was withdrawn. */
};

struct bus_withdrawals {
    GQueue queue;
    uint64_t now; /* Ticks. */
};

/* Notes whether the last value of 'owner', which 'withdrawal' is part of, is
 * a withdrawal. */
void bus_withdrawals_note(struct bus_withdrawals *withdrawals,
                          struct bus_withdrawal *withdrawal, void *owner,
                          bool is_withdrawn);

/* The owner that was withdrawn first, or null. */
void *bus_withdrawals_oldest(const struct bus_withdrawals *withdrawals);

/* Lets a quarter of a second pass. */
void bus_withdrawals_tick(struct bus_withdrawals *withdrawals);

/* An owner whose day is over, which is still noted, or null. */
void *bus_withdrawals_over(const struct bus_withdrawals *withdrawals);

#endif
