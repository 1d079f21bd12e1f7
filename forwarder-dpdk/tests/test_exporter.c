// SPDX-License-Identifier: EPL-2.0
/* Where Prometheus is answered, and what is refused. */
#include <arpa/inet.h>
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "exporter.h"
#include "network.h"
#include "rings.h"

#define ANSWER_SIZE 65536

static struct rings rings;
static char answer[ANSWER_SIZE]; /* The last one, with its head. */

/* A socket at 'port' (0: any) of the machine itself that waits for
 * connections; stores its port in '*given'. */
static int
occupy(uint16_t port, uint16_t *given)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons(port),
    };
    socklen_t size = sizeof at;
    int fd = socket(AF_INET, SOCK_STREAM, 0);

    assert_int_equal(bind(fd, (struct sockaddr *) &at, sizeof at), 0);
    assert_int_equal(listen(fd, 1), 0);
    assert_int_equal(getsockname(fd, (struct sockaddr *) &at, &size), 0);
    *given = ntohs(at.sin_port);
    return fd;
}

static uint16_t
free_port(void)
{
    uint16_t port;

    close(occupy(0, &port));
    return port;
}

/* Sends a request to 'port'; returns the status of the answer, or 0 if
 * nobody listens. */
static int
request(uint16_t port, const char *line)
{
    struct sockaddr_in at = {
        .sin_family = AF_INET,
        .sin_addr.s_addr = htonl(INADDR_LOOPBACK),
        .sin_port = htons(port),
    };
    int fd = socket(AF_INET, SOCK_STREAM, 0), status = 0;
    size_t size = 0;
    ssize_t n;

    if (!connect(fd, (struct sockaddr *) &at, sizeof at)) {
        dprintf(fd, "%s HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
                line);
        while ((n = read(fd, answer + size, ANSWER_SIZE - 1 - size)) > 0) {
            size += (size_t) n;
        }
        answer[size] = '\0';
        assert_int_equal(sscanf(answer, "HTTP/1.1 %d", &status), 1);
    }
    close(fd);
    return status;
}

/* A document with only what has to be there and 'metrics', which may be
 * "". */
static struct fwd_config
config_of(const char *metrics)
{
    char text[512], reason[FWD_REASON_SIZE];
    struct fwd_config config;

    snprintf(text, sizeof text,
             "{\"sluice-forwarder:forwarder\": {\"name\": \"F\", "
             "\"ports\": {\"port\": [{\"name\": \"wan\", \"device\": \"d\"}]},"
             "\"underlay\": {\"port\": \"wan\", \"address\": \"192.0.2.1\"}"
             "%s}}", metrics);
    if (fwd_config_parse(rings.models, text, &config, reason)) {
        fail_msg("%s", reason);
    }
    return config;
}

static struct fwd_config
config_at(uint16_t port)
{
    char metrics[64];

    snprintf(metrics, sizeof metrics, ", \"metrics\": {\"port\": %u}", port);
    return config_of(metrics);
}

/* Starts a forwarder in an even network, and its exporter. */
static struct fwd_exporter *
start(uint16_t port)
{
    struct network network = network_even();
    struct fwd_config config = config_at(port);
    struct fwd_exporter *exporter;
    char reason[FWD_REASON_SIZE];

    network_start(&network, &rings);
    if (fwd_exporter_create(rings.control, &config, &exporter, reason)) {
        fail_msg("%s", reason);
    }
    fwd_config_destroy(&config);
    return exporter;
}

static int
apply(struct fwd_exporter *exporter, struct fwd_config config, char *reason)
{
    int error = fwd_exporter_apply(exporter, &config, reason);

    fwd_config_destroy(&config);
    return error;
}

static void
assert_told(const char *line)
{
    if (!strstr(answer, line)) {
        fail_msg("no '%s' in %s", line, answer);
    }
}

static void
counters_are_told_to_prometheus(void **state)
{
    uint16_t port = free_port();
    struct fwd_exporter *exporter = start(port);

    (void) state;
    assert_int_equal(request(port, "GET /metrics"), 200);
    assert_told("\r\nContent-Type: text/plain; version=0.0.4; "
                "charset=utf-8\r\n");
    assert_told("\nsluice_forwarder_received_packets_total 0\n");
    fwd_exporter_destroy(exporter);
}

static void
other_requests_are_refused(void **state)
{
    uint16_t port = free_port();
    struct fwd_exporter *exporter = start(port);

    (void) state;
    assert_int_equal(request(port, "HEAD /metrics"), 200);
    assert_null(strstr(answer, "sluice_"));
    assert_int_equal(request(port, "GET /"), 404);
    assert_told("Counters are at /metrics.");
    assert_int_equal(request(port, "GET /metrics/x"), 404);
    assert_int_equal(request(port, "DELETE /metrics"), 405);
    assert_told("\r\nAllow: GET, HEAD\r\n");
    fwd_exporter_destroy(exporter);
}

static void
exporter_moves_and_ends_with_the_document(void **state)
{
    uint16_t first = free_port(), second = free_port();
    struct fwd_exporter *exporter = start(first);
    char reason[FWD_REASON_SIZE];

    (void) state;
    assert_int_equal(apply(exporter, config_at(first), reason), 0);
    assert_int_equal(request(first, "GET /metrics"), 200);
    assert_int_equal(apply(exporter, config_at(second), reason), 0);
    assert_int_equal(request(first, "GET /metrics"), 0);
    assert_int_equal(request(second, "GET /metrics"), 200);
    assert_int_equal(apply(exporter, config_of(""), reason), 0);
    assert_int_equal(request(second, "GET /metrics"), 0);
    assert_int_equal(apply(exporter, config_at(second), reason), 0);
    assert_int_equal(request(second, "GET /metrics"), 200);
    fwd_exporter_destroy(exporter);
    assert_int_equal(request(second, "GET /metrics"), 0);
}

static void
taken_port_changes_nothing_and_is_named(void **state)
{
    uint16_t port = free_port(), taken;
    int fd = occupy(0, &taken);
    struct fwd_exporter *exporter = start(port);
    char reason[FWD_REASON_SIZE], expected[FWD_REASON_SIZE];

    (void) state;
    assert_int_equal(apply(exporter, config_at(taken), reason), EADDRINUSE);
    snprintf(expected, sizeof expected,
             "metrics at 127.0.0.1 port %u: Address already in use", taken);
    assert_string_equal(reason, expected);
    assert_int_equal(request(port, "GET /metrics"), 200);
    fwd_exporter_destroy(exporter);
    close(fd);
}

static void
address_of_ipv6_is_fine(void **state)
{
    uint16_t port = free_port();
    struct fwd_exporter *exporter = start(port);
    char metrics[128], reason[FWD_REASON_SIZE];

    (void) state;
    snprintf(metrics, sizeof metrics, ", \"metrics\": {\"address\": "
             "\"::ffff:127.0.0.1\", \"port\": %u}", free_port());
    assert_int_equal(apply(exporter, config_of(metrics), reason), 0);
    assert_int_equal(request((uint16_t) atoi(strrchr(metrics, ' ')),
                             "GET /metrics"), 200);
    fwd_exporter_destroy(exporter);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(counters_are_told_to_prometheus),
        cmocka_unit_test(other_requests_are_refused),
        cmocka_unit_test(exporter_moves_and_ends_with_the_document),
        cmocka_unit_test(taken_port_changes_nothing_and_is_named),
        cmocka_unit_test(address_of_ipv6_is_fine),
    };

    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("exporter", tests, NULL, NULL);
}
