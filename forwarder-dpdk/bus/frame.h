// SPDX-License-Identifier: EPL-2.0
/* Frames of the bus and their octets (docs/wire/bus.md). Numbers on the wire
 * are big-endian:
 *
 *   0         1        2             3              4                   8
 *   +---------+--------+-------------+--------------+-------------------+
 *   | version |  kind  | node length | topic length | count             |
 *   +---------+--------+-------------+--------------+-------------------+
 *   | epoch                                                             | 8
 *   | sequence                                                          | 16
 *   | mark                                                              | 24
 *   +----------------------------+------------------+-------------------+
 *   | node                       | topic            | body              | 32
 *   +----------------------------+------------------+-------------------+
 *
 * Thread-safety: a frame belongs to one thread at a time. */
#ifndef BUS_FRAME_H
#define BUS_FRAME_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define BUS_BODY_SIZE (1u << 20) /* Bytes of the longest body. */

enum bus_kind {
    BUS_HELLO = 1,
    BUS_WELCOME,
    BUS_AGAIN,
    BUS_STATUS,
    BUS_SUBSCRIBE,
    BUS_UNSUBSCRIBE,
    BUS_DATA,
    BUS_REPLAY,
    BUS_REPLAYED,
    BUS_GAP,
    BUS_REQUEST,
    BUS_REPLY,
    BUS_REFUSED,
};

/* What the numbers mean depends on the kind; 0 where a kind has none. */
struct bus_frame {
    enum bus_kind kind;
    uint32_t count;    /* Number in the session, or the wish of a STATUS. */
    uint64_t epoch;    /* At most 2^63 - 1, as the two below. */
    uint64_t sequence;
    uint64_t mark;
    const char *node;  /* Never null. */
    const char *topic; /* Never null. */
    const char *body;  /* Zero behind it if the frame is kept. */
    size_t body_size;
};

/* Copies a frame with all that it points to. It has one holder, and goes
 * when bus_frame_release() was called once more than bus_frame_hold(). What is
 * released may be null; it is a frame, and has this type for GLib's sake. */
struct bus_frame *bus_frame_keep(const struct bus_frame *frame);
struct bus_frame *bus_frame_hold(struct bus_frame *frame);
void bus_frame_release(void *frame);

/* Whether frames of this kind carry messages. */
bool bus_kind_carries_message(enum bus_kind kind);

/* Whether frames of this kind wait for credit: there may be more of them than
 * a queue holds. */
bool bus_kind_needs_credit(enum bus_kind kind);

/* Bytes of the frame on the wire. */
size_t bus_frame_size(const struct bus_frame *frame);

/* Writes bus_frame_size() bytes. */
void bus_frame_encode(const struct bus_frame *frame, uint8_t *octets);

/* Keeps the frame that 'octets' are in '*framep' and returns 0, or EBADMSG
 * if they are none. */
int bus_frame_decode(const uint8_t *octets, size_t size,
                     struct bus_frame **framep);

#endif
