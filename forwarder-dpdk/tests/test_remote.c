// SPDX-License-Identifier: EPL-2.0
/* What comes and goes over the bus: rules while another process is about to
 * take over, and reports. The client of the forwarder is that of
 * fake_client.h. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../bus/identity.h"
#include "fake_client.h"
#include "remote.h"
#include "rings.h"

static struct rings rings;
static struct proxy *proxy;
static struct fwd_remote *remote;
static char folder[] = "/tmp/sluice-remote-XXXXXX";

/* A document of that generation. */
static const char *
document(int generation)
{
    static char text[2048];

    snprintf(text, sizeof text, "{\"sluice-forwarder:forwarder\": {"
             "\"name\": \"F1\", \"generation\": \"%d\","
             " \"ports\": {\"port\": [{\"name\": \"wan\", \"device\": \"%s\"},"
             " {\"name\": \"lan\", \"device\": \"%s\"}]},"
             " \"underlay\": {\"port\": \"wan\", \"address\": \"192.0.2.1\"},"
             " \"bus\": {\"site\": \"A\", \"switchboard\": \"board\","
             " \"proxy\": {\"address\": \"127.0.0.1\", \"public-key\":"
             " \"rq:rM>}U?@Lns47E1%%kR.o@n%%FcmmsL/@{H8]yf7\"},"
             " \"keys-file\": \"%s/keys\", \"epoch-file\": \"%s/epoch\"}}}",
             generation, rings.devices[WAN], rings.devices[LAN], folder,
             folder);
    return text;
}

/* Asserts on the generation of the rules in force. */
static void
expect_generation(int generation)
{
    char expected[32];

    snprintf(expected, sizeof expected, "\"generation\":\"%d\"", generation);
    if (!strstr(rings.control->document, expected)) {
        fail_msg("no %s in %s", expected, rings.control->document);
    }
}

/* Starts a forwarder with rules of generation 1, and connects it. */
static int
start(void **state)
{
    char path[sizeof folder + 8], reason[FWD_REASON_SIZE];
    struct fwd_config config;
    struct bus_keys keys;

    (void) state;
    snprintf(path, sizeof path, "%s/keys", folder);
    assert_int_equal(bus_keys_make(path, &keys, reason), 0);
    rings_start(&rings, document(1));
    assert_int_equal(fwd_control_read(rings.control, rings.models, &config,
                                      reason), 0);
    if (fwd_remote_create(rings.control, rings.models, &config, &remote,
                          reason)) {
        fail_msg("%s", reason);
    }
    fwd_config_destroy(&config);
    proxy = fake_client_proxy();
    return 0;
}

static int
stop(void **state)
{
    char command[sizeof folder + 16];

    (void) state;
    fwd_remote_destroy(remote);
    rings_stop(&rings);
    snprintf(command, sizeof command, "rm -f %s/*", folder);
    return system(command);
}

static void
rules_are_taken_once_they_are_not_held_any_more(void **state)
{
    (void) state;
    proxy_give_message(proxy, BUS_DATA, 1, 1, document(2));
    expect_generation(2);
    fwd_remote_hold(remote, true);
    proxy_give_message(proxy, BUS_DATA, 2, 2, document(3));
    proxy_give_message(proxy, BUS_DATA, 3, 3, document(4));
    expect_generation(2);
    fwd_remote_hold(remote, false);
    expect_generation(4);
    proxy_give_message(proxy, BUS_DATA, 4, 4, document(5));
    expect_generation(5);
}

static void
request_for_rules_that_are_held_is_refused(void **state)
{
    const char *text = document(2);
    struct bus_frame *refusal;

    (void) state;
    fwd_remote_hold(remote, true);
    proxy_give_counted(proxy, (struct bus_frame) {
        .kind = BUS_REQUEST, .epoch = 7, .sequence = 1, .node = "A/board",
        .topic = "A/F1", .body = text, .body_size = strlen(text),
    });
    refusal = proxy_next(proxy, BUS_REFUSED);
    assert_string_equal(refusal->body,
                        "another process is about to take over: ask again");
    bus_frame_release(refusal);
    fwd_remote_hold(remote, false);
    expect_generation(1);
}

static void
what_follows_a_document_is_refused(void **state)
{
    static const struct {
        const char *rest;
        size_t size;
        const char *reason;
    } cases[] = {
        {"\0", 1, "is zero: end the document before it"},
        {"\n\0x", 3, "is zero: end the document before it"},
        {"\nx", 2, "line 2: the document has ended, remove what follows: x"},
        {" {}", 3, "line 1: the document has ended, remove what follows: {}"},
    };

    (void) state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        GString *body = g_string_new(document(2));
        struct bus_frame *refusal;

        g_string_append_len(body, cases[i].rest, (gssize) cases[i].size);
        proxy_give_counted(proxy, (struct bus_frame) {
            .kind = BUS_REQUEST, .epoch = 7, .sequence = i + 1,
            .node = "A/board", .topic = "A/F1",
            .body = body->str, .body_size = body->len,
        });
        g_string_free(body, TRUE);
        refusal = proxy_next(proxy, BUS_REFUSED);
        if (!strstr(refusal->body, cases[i].reason)) {
            fail_msg("'%s' instead of '%s'", refusal->body, cases[i].reason);
        }
        bus_frame_release(refusal);
        expect_generation(1);
    }
}

/* Frames about other topics come first. */
static void
what_ports_lost_is_reported(void **state)
{
    struct bus_frame *report = NULL;

    (void) state;
    fwd_remote_wait(remote, -1, 0);
    do {
        bus_frame_release(report);
        report = proxy_next(proxy, BUS_DATA);
    } while (strcmp(report->topic, "/forwarder/F1/site_A_traffic"));
    assert_non_null(strstr(report->body,
                           "{\"name\":\"lan\",\"losses\":{\"missed\":\"0\","
                           "\"errors\":\"0\",\"no-buffer\":\"0\"}}"));
    bus_frame_release(report);
}

static void
state_of_the_bus_is_there_for_who_tells_counters(void **state)
{
    (void) state;
    assert_true(rings.control->has_bus);
    assert_false(rings.control->bus.is_up);
    proxy_give_message(proxy, BUS_DATA, 1, 1, document(2));
    proxy_give_message(proxy, BUS_DATA, 1, 1, document(2));
    fwd_remote_wait(remote, -1, 0);
    assert_true(rings.control->bus.is_up);
    assert_int_equal(rings.control->bus.n_duplicates, 1);
}

static void
what_is_told_ends_with_the_forwarder(void **state)
{
    struct bus_frame *hello;

    (void) state;
    proxy_forget(proxy);
    bus_node_reconnect(proxy->node);
    proxy_connect(proxy);
    hello = proxy_next(proxy, BUS_HELLO);
    assert_int_not_equal(hello->epoch, 0);
    bus_frame_release(hello);
}

#define WITH_FORWARDER(test)                                                  \
    cmocka_unit_test_setup_teardown(test, start, stop)

int
main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FORWARDER(rules_are_taken_once_they_are_not_held_any_more),
        WITH_FORWARDER(request_for_rules_that_are_held_is_refused),
        WITH_FORWARDER(what_follows_a_document_is_refused),
        WITH_FORWARDER(what_ports_lost_is_reported),
        WITH_FORWARDER(state_of_the_bus_is_there_for_who_tells_counters),
        WITH_FORWARDER(what_is_told_ends_with_the_forwarder),
    };
    int failed;

    if (rings_init(&rings) || !mkdtemp(folder)) {
        return 1;
    }
    failed = cmocka_run_group_tests_name("remote", tests, NULL, NULL);
    rmdir(folder);
    return failed;
}
