// SPDX-License-Identifier: EPL-2.0
#include "withdrawals.h"

#define EXPIRY_TICKS (24 * 3600 * 4) /* A day. */

void
bus_withdrawals_note(struct bus_withdrawals *withdrawals,
                     struct bus_withdrawal *withdrawal, void *owner,
                     bool is_withdrawn)
{
    if (withdrawal->is_noted) {
        g_queue_unlink(&withdrawals->queue, &withdrawal->link);
    }
    withdrawal->is_noted = is_withdrawn;
    if (is_withdrawn) {
        withdrawal->link.data = owner;
        withdrawal->tick = withdrawals->now;
        g_queue_push_tail_link(&withdrawals->queue, &withdrawal->link);
    }
}

void *
bus_withdrawals_oldest(const struct bus_withdrawals *withdrawals)
{
    return withdrawals->queue.head ? withdrawals->queue.head->data : NULL;
}

void
bus_withdrawals_tick(struct bus_withdrawals *withdrawals)
{
    withdrawals->now++;
}

void *
bus_withdrawals_over(const struct bus_withdrawals *withdrawals)
{
    const GList *head = withdrawals->queue.head;
    const struct bus_withdrawal *oldest = (const void *) head;

    G_STATIC_ASSERT(G_STRUCT_OFFSET(struct bus_withdrawal, link) == 0);
    return head && withdrawals->now - oldest->tick >= EXPIRY_TICKS
           ? head->data : NULL;
}
