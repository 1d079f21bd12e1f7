// SPDX-License-Identifier: EPL-2.0
#include "unconfirmed.h"

bool
bus_unconfirmed_has_room(const struct bus_unconfirmed *unconfirmed,
                         const struct bus_limits *limits, size_t size)
{
    return !unconfirmed->n_messages
           || (unconfirmed->n_messages < limits->retained_messages
               && unconfirmed->bytes + size <= limits->retained_bytes);
}

void
bus_unconfirmed_add(struct bus_unconfirmed *unconfirmed, size_t size)
{
    unconfirmed->n_messages++;
    unconfirmed->bytes += size;
}

void
bus_unconfirmed_begin(struct bus_unconfirmed *unconfirmed)
{
    unconfirmed->is_told = false;
}

static void
settle(struct bus_unconfirmed *unconfirmed, const struct bus_link *link)
{
    if (unconfirmed->is_told && link->is_up
        && link->confirmed >= unconfirmed->told) {
        unconfirmed->n_messages -= unconfirmed->n_told;
        unconfirmed->bytes -= unconfirmed->bytes_told;
        unconfirmed->is_told = false;
    }
}

void
bus_unconfirmed_look(struct bus_unconfirmed *unconfirmed,
                     const struct bus_link *link, const struct bus_log *log)
{
    settle(unconfirmed, link);
    if (!unconfirmed->is_told && unconfirmed->n_messages && link->is_up
        && !bus_log_stale(log)) {
        unconfirmed->is_told = true;
        unconfirmed->told = link->sent;
        unconfirmed->n_told = unconfirmed->n_messages;
        unconfirmed->bytes_told = unconfirmed->bytes;
        settle(unconfirmed, link);
    }
}
