// SPDX-License-Identifier: EPL-2.0
#include "frame.h"

#include <endian.h>
#include <errno.h>
#include <string.h>

#include <glib.h>

#include "names.h"

#define VERSION 1
#define HEADER_SIZE 32 /* Bytes. */

/* Copies 'like', whose names have these lengths. */
static struct bus_frame *
copy(const struct bus_frame *like, size_t node_length, size_t topic_length)
{
    struct bus_frame *frame = g_rc_box_alloc0(
        sizeof *frame + node_length + topic_length + like->body_size + 3);
    char *node = (char *) (frame + 1);
    char *topic = node + node_length + 1;
    char *body = topic + topic_length + 1;

    *frame = *like;
    frame->node = memcpy(node, like->node, node_length);
    frame->topic = memcpy(topic, like->topic, topic_length);
    frame->body = body;
    if (like->body_size) {
        memcpy(body, like->body, like->body_size);
    }
    return frame;
}

struct bus_frame *
bus_frame_keep(const struct bus_frame *frame)
{
    return copy(frame, strlen(frame->node), strlen(frame->topic));
}

struct bus_frame *
bus_frame_hold(struct bus_frame *frame)
{
    return g_rc_box_acquire(frame);
}

void
bus_frame_release(void *frame)
{
    if (frame) {
        g_rc_box_release(frame);
    }
}

bool
bus_kind_carries_message(enum bus_kind kind)
{
    return kind == BUS_DATA || kind == BUS_REPLAYED;
}

bool
bus_kind_needs_credit(enum bus_kind kind)
{
    return bus_kind_carries_message(kind) || kind == BUS_SUBSCRIBE
           || kind == BUS_UNSUBSCRIBE;
}

size_t
bus_frame_size(const struct bus_frame *frame)
{
    return HEADER_SIZE + strlen(frame->node) + strlen(frame->topic)
           + frame->body_size;
}

static void
put64(uint8_t *octets, uint64_t number)
{
    uint64_t big = htobe64(number);

    memcpy(octets, &big, sizeof big);
}

static uint64_t
get64(const uint8_t *octets)
{
    uint64_t big;

    memcpy(&big, octets, sizeof big);
    return be64toh(big);
}

void
bus_frame_encode(const struct bus_frame *frame, uint8_t *octets)
{
    size_t node_length = strlen(frame->node);
    size_t topic_length = strlen(frame->topic);
    uint32_t count = htobe32(frame->count);

    octets[0] = VERSION;
    octets[1] = (uint8_t) frame->kind;
    octets[2] = (uint8_t) node_length;
    octets[3] = (uint8_t) topic_length;
    memcpy(octets + 4, &count, sizeof count);
    put64(octets + 8, frame->epoch);
    put64(octets + 16, frame->sequence);
    put64(octets + 24, frame->mark);
    octets += HEADER_SIZE;
    memcpy(octets, frame->node, node_length);
    memcpy(octets + node_length, frame->topic, topic_length);
    if (frame->body_size) {
        memcpy(octets + node_length + topic_length, frame->body,
               frame->body_size);
    }
}

static bool
is_node_or_site(const char *text)
{
    return bus_is_node(text) || bus_is_site(text);
}

/* Whether frames of this kind have a node. */
static bool
uses_node(enum bus_kind kind)
{
    return kind <= BUS_WELCOME || kind >= BUS_DATA;
}

/* Whether frames of this kind have a topic, filter or second node. */
static bool
uses_topic(enum bus_kind kind)
{
    return kind >= BUS_SUBSCRIBE;
}

static bool
has_names(const struct bus_frame *frame)
{
    switch (frame->kind) {
    case BUS_HELLO:
    case BUS_WELCOME:
        return is_node_or_site(frame->node);
    case BUS_AGAIN:
    case BUS_STATUS:
        return true;
    case BUS_SUBSCRIBE:
    case BUS_UNSUBSCRIBE:
        return bus_is_filter(frame->topic);
    case BUS_DATA:
    case BUS_REPLAY:
    case BUS_REPLAYED:
    case BUS_GAP:
        return bus_is_node(frame->node) && bus_is_topic(frame->topic);
    case BUS_REQUEST:
    case BUS_REPLY:
        return bus_is_node(frame->node) && bus_is_node(frame->topic);
    case BUS_REFUSED:
        return is_node_or_site(frame->node) && bus_is_node(frame->topic);
    default:
        return false;
    }
}

static bool
has_numbers(const struct bus_frame *frame)
{
    if (frame->epoch > INT64_MAX || frame->sequence > INT64_MAX
        || frame->mark > INT64_MAX) {
        return false;
    }
    switch (frame->kind) {
    case BUS_DATA:
    case BUS_REPLAYED:
        return frame->mark >= 1 && frame->mark <= frame->sequence;
    case BUS_REPLAY:
    case BUS_GAP:
        return frame->sequence >= 1 && frame->mark >= frame->sequence;
    default:
        return true;
    }
}

int
bus_frame_decode(const uint8_t *octets, size_t size,
                 struct bus_frame **framep)
{
    size_t node_length, topic_length;
    struct bus_frame *frame;
    uint32_t count;

    if (size < HEADER_SIZE || octets[0] != VERSION) {
        return EBADMSG;
    }
    node_length = octets[2];
    topic_length = octets[3];
    if (size < HEADER_SIZE + node_length + topic_length
        || size - HEADER_SIZE - node_length - topic_length > BUS_BODY_SIZE) {
        return EBADMSG;
    }
    memcpy(&count, octets + 4, sizeof count);
    frame = copy(
        &(struct bus_frame) {
            .kind = octets[1],
            .count = be32toh(count),
            .epoch = get64(octets + 8),
            .sequence = get64(octets + 16),
            .mark = get64(octets + 24),
            .node = (const char *) octets + HEADER_SIZE,
            .topic = (const char *) octets + HEADER_SIZE + node_length,
            .body = (const char *) octets + HEADER_SIZE + node_length
                    + topic_length,
            .body_size = size - HEADER_SIZE - node_length - topic_length,
        },
        node_length, topic_length);
    if ((uses_node(frame->kind) && strlen(frame->node) != node_length)
        || (uses_topic(frame->kind) && strlen(frame->topic) != topic_length)
        || !has_names(frame) || !has_numbers(frame)) {
        bus_frame_release(frame);
        return EBADMSG;
    }
    *framep = frame;
    return 0;
}
