// SPDX-License-Identifier: EPL-2.0
/* docs/wire/bus-vectors.json, which every implementation of the bus has to
 * pass, both ways. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

#include "../bus/identity.h"
#include "../bus/names.h"
#include "../bus/tracker.h"

#define MAX_OCTETS 4096

static json_t *vectors;

static const char *const kinds[] = {
    [BUS_HELLO] = "HELLO",         [BUS_WELCOME] = "WELCOME",
    [BUS_AGAIN] = "AGAIN",         [BUS_STATUS] = "STATUS",
    [BUS_SUBSCRIBE] = "SUBSCRIBE", [BUS_UNSUBSCRIBE] = "UNSUBSCRIBE",
    [BUS_DATA] = "DATA",           [BUS_REPLAY] = "REPLAY",
    [BUS_REPLAYED] = "REPLAYED",   [BUS_GAP] = "GAP",
    [BUS_REQUEST] = "REQUEST",     [BUS_REPLY] = "REPLY",
    [BUS_REFUSED] = "REFUSED",
};

static const char *
text(const json_t *vector, const char *name)
{
    const char *value = json_string_value(json_object_get(vector, name));

    assert_non_null(value);
    return value;
}

/* A number, which is a string if it may have 64 bits. */
static uint64_t
number(const json_t *vector, const char *name)
{
    const json_t *value = json_object_get(vector, name);

    assert_non_null(value);
    return json_is_string(value)
           ? strtoull(json_string_value(value), NULL, 10)
           : (uint64_t) json_integer_value(value);
}

static enum bus_kind
kind_of(const char *name)
{
    for (enum bus_kind kind = BUS_HELLO; kind <= BUS_REFUSED; kind++) {
        if (!strcmp(kinds[kind], name)) {
            return kind;
        }
    }
    fail_msg("no kind %s", name);
    return 0;
}

static size_t
read_octets(const json_t *vector, uint8_t octets[MAX_OCTETS])
{
    const char *hex = text(vector, "octets");
    size_t size = strlen(hex) / 2;

    assert_true(size <= MAX_OCTETS);
    for (size_t i = 0; i < size; i++) {
        assert_int_equal(sscanf(hex + 2 * i, "%2hhx", &octets[i]), 1);
    }
    return size;
}

static void
assert_all(const char *group, const char *validity,
           bool (*is_valid)(const char *), bool expected)
{
    const json_t *names = json_object_get(json_object_get(vectors, group),
                                          validity);
    const json_t *each;
    size_t i;

    assert_true(json_array_size(names) > 0);
    json_array_foreach(names, i, each) {
        const char *name = json_is_string(each) ? json_string_value(each)
                                                : text(each, "text");

        if (is_valid(name) != expected) {
            fail_msg("%s '%s' is not %s", group, name, validity);
        }
    }
}

static void
names_are_told_from_others(void **state)
{
    (void) state;
    assert_all("topics", "valid", bus_is_topic, true);
    assert_all("topics", "invalid", bus_is_topic, false);
    assert_all("filters", "valid", bus_is_filter, true);
    assert_all("filters", "invalid", bus_is_filter, false);
}

static void
topics_name_their_site(void **state)
{
    const json_t *topics = json_object_get(json_object_get(vectors, "topics"),
                                           "valid");
    const json_t *each;
    size_t i;

    (void) state;
    json_array_foreach(topics, i, each) {
        const json_t *expected = json_object_get(each, "site");
        size_t length = 0;
        const char *site = bus_topic_site(text(each, "text"), &length);

        if (json_is_null(expected)) {
            assert_null(site);
        } else {
            assert_int_equal(length, json_string_length(expected));
            assert_memory_equal(site, json_string_value(expected), length);
        }
    }
}

static void
filters_match_what_they_should(void **state)
{
    const json_t *matches = json_object_get(vectors, "matches"), *each;
    size_t i;

    (void) state;
    json_array_foreach(matches, i, each) {
        assert_int_equal(bus_filter_matches(text(each, "filter"),
                                            text(each, "topic")),
                         json_is_true(json_object_get(each, "matches")));
    }
}

static void
frames_are_read_and_written(void **state)
{
    const json_t *frames = json_object_get(vectors, "frames"), *each;
    size_t i;

    (void) state;
    assert_true(json_array_size(frames) > 0);
    json_array_foreach(frames, i, each) {
        uint8_t octets[MAX_OCTETS], written[MAX_OCTETS];
        size_t size = read_octets(each, octets);
        struct bus_frame *frame;

        if (bus_frame_decode(octets, size, &frame)) {
            fail_msg("'%s' is not read", text(each, "name"));
        }
        assert_int_equal(frame->kind, kind_of(text(each, "kind")));
        assert_string_equal(frame->node, text(each, "node"));
        assert_string_equal(frame->topic, text(each, "topic"));
        assert_string_equal(frame->body, text(each, "body"));
        assert_int_equal(frame->epoch, number(each, "epoch"));
        assert_int_equal(frame->sequence, number(each, "sequence"));
        assert_int_equal(frame->mark, number(each, "mark"));
        assert_int_equal(frame->count, number(each, "count"));
        assert_int_equal(bus_frame_size(frame), size);
        bus_frame_encode(frame, written);
        assert_memory_equal(written, octets, size);
        bus_frame_release(frame);
    }
}

static void
other_octets_are_no_frames(void **state)
{
    const json_t *invalid = json_object_get(vectors, "invalid"), *each;
    size_t i;

    (void) state;
    assert_true(json_array_size(invalid) > 0);
    json_array_foreach(invalid, i, each) {
        uint8_t octets[MAX_OCTETS];
        size_t size = read_octets(each, octets);
        struct bus_frame *frame;

        if (!bus_frame_decode(octets, size, &frame)) {
            fail_msg("'%s' is read", text(each, "name"));
        }
    }
}

static void
zeros_in_what_is_ignored_are_ignored(void **state)
{
    uint8_t octets[34] = {1, BUS_STATUS, 1, 1};
    struct bus_frame *frame;

    (void) state;
    assert_int_equal(bus_frame_decode(octets, sizeof octets, &frame), 0);
    bus_frame_release(frame);
    octets[1] = BUS_HELLO;
    assert_int_not_equal(bus_frame_decode(octets, sizeof octets, &frame), 0);
}

static void
epochs_grow_with_each_start(void **state)
{
    const json_t *epochs = json_object_get(vectors, "epochs"), *each;
    size_t i;

    (void) state;
    assert_true(json_array_size(epochs) > 0);
    json_array_foreach(epochs, i, each) {
        uint64_t start = bus_start_after(number(each, "last"),
                                         number(each, "clock"));

        assert_int_equal(start, number(each, "start"));
        assert_int_equal(bus_start_epoch(start), number(each, "epoch"));
    }
}

static void
hear_message(struct bus_frame *frame, void *outcomes)
{
    json_array_append_new(outcomes, json_pack("{s:I}", "deliver",
                                              (json_int_t) frame->sequence));
}

static void
hear_gap(uint64_t n_messages, const char *reason, void *outcomes)
{
    (void) reason;
    json_array_append_new(outcomes, json_pack("{s:I}", "gap",
                                              (json_int_t) n_messages));
}

static void
hear_question(uint64_t epoch, uint64_t first, uint64_t last, void *outcomes)
{
    json_array_append_new(outcomes,
                          json_pack("{s:[I,I,I]}", "ask", (json_int_t) epoch,
                                    (json_int_t) first, (json_int_t) last));
}

static void
take_step(struct bus_tracker *tracker, const json_t *step)
{
    if (json_object_get(step, "ticks")) {
        for (uint64_t n = number(step, "ticks"); n; n--) {
            bus_tracker_tick(tracker);
        }
    } else {
        struct bus_frame *frame = bus_frame_keep(&(struct bus_frame) {
            .kind = kind_of(text(step, "take")),
            .epoch = number(step, "epoch"),
            .sequence = number(step, "sequence"),
            .mark = number(step, "mark"),
            .node = "B/publisher",
            .topic = "/topic",
            .body = "{}",
            .body_size = json_object_get(step, "withdrawn") ? 0 : 2,
        });

        bus_tracker_accept(tracker, frame);
        bus_frame_release(frame);
    }
}

/* It is dropped, which is no outcome. */
static void
hear_duplicate(void *aux)
{
    (void) aux;
}

static void
run_tracker(const json_t *vector)
{
    static const struct bus_outlet outlet = {
        .deliver = hear_message, .gap = hear_gap, .ask = hear_question,
        .duplicate = hear_duplicate,
    };
    json_t *outcomes = json_array(), *each;
    struct bus_tracker tracker;
    size_t i;

    bus_tracker_init(&tracker, &outlet, outcomes);
    json_array_foreach(json_object_get(vector, "steps"), i, each) {
        const json_t *expected = json_object_get(each, "outcome");

        json_array_clear(outcomes);
        take_step(&tracker, json_object_get(each, "step"));
        if (!json_equal(outcomes, expected)) {
            fail_msg("'%s', step %zu: %s instead of %s",
                     text(vector, "name"), i, json_dumps(outcomes, 0),
                     json_dumps(expected, 0));
        }
    }
    bus_tracker_destroy(&tracker);
    json_decref(outcomes);
}

static void
streams_are_followed(void **state)
{
    const json_t *trackers = json_object_get(vectors, "trackers"), *each;
    size_t i;

    (void) state;
    assert_true(json_array_size(trackers) > 0);
    json_array_foreach(trackers, i, each) {
        run_tracker(each);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_told_from_others),
        cmocka_unit_test(topics_name_their_site),
        cmocka_unit_test(filters_match_what_they_should),
        cmocka_unit_test(frames_are_read_and_written),
        cmocka_unit_test(other_octets_are_no_frames),
        cmocka_unit_test(zeros_in_what_is_ignored_are_ignored),
        cmocka_unit_test(epochs_grow_with_each_start),
        cmocka_unit_test(streams_are_followed),
    };
    json_error_t error;
    int status;

    vectors = json_load_file(BUS_VECTORS, 0, &error);
    if (!vectors) {
        fprintf(stderr, "%s: %s\n", BUS_VECTORS, error.text);
        return 1;
    }
    status = cmocka_run_group_tests_name("bus-vectors", tests, NULL, NULL);
    json_decref(vectors);
    return status;
}
