// SPDX-License-Identifier: EPL-2.0
/* What Prometheus is told, where, and what is refused. */
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

/* A datagram of a flow of its own, as peer A sends it. */
static struct wire
udp_from_peer(uint16_t source_port)
{
    const struct wire_flow udp = {
        .protocol = 17, .source_port = source_port,
    };
    struct wire ip = {.size = 0};

    wire_ip(&ip, &udp, 0, 42);
    return network_from_peer(0, 1, FWD_FORWARD, &ip);
}

/* What is told of two packets of a flow and one of another chain. */
static const char *const of_one_flow[] = {
    "\r\nContent-Type: text/plain; version=0.0.4; charset=utf-8\r\n",
    "\n# HELP sluice_forwarder_drops_total Packets dropped, by reason."
    "\n# TYPE sluice_forwarder_drops_total counter\n",
    "\nsluice_forwarder_received_packets_total 3\n",
    "\nsluice_forwarder_sent_packets_total 2\n",
    "\nsluice_forwarder_drops_total{reason=\"unknown_chain\"} 1\n",
    "\nsluice_forwarder_drops_total{reason=\"short\"} 0\n",
    "\nsluice_forwarder_port_missed_packets_total{port=\"wan\"} 0\n",
    "\nsluice_forwarder_port_missed_packets_total{port=\"lan\"} 0\n",
    "\nsluice_forwarder_port_errors_total{port=\"wan\"} 0\n",
    "\nsluice_forwarder_port_no_buffer_total{port=\"wan\"} 0\n",
    "\nsluice_forwarder_recalled_flows_total 0\n",
    "\nsluice_forwarder_pinned_flows_total 1\n",
    "\nsluice_forwarder_flow_table_used_entries 1\n",
    "\nsluice_forwarder_stage_packets_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"forward\"} 2\n",
    "\nsluice_forwarder_stage_bytes_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"forward\"} 140\n",
    "\nsluice_forwarder_stage_bytes_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"return\"} 0\n",
    "\nsluice_forwarder_instance_packets_total{instance_name=\"nat-0\","
    "direction=\"forward\"} 2\n",
    "\nsluice_forwarder_instance_bytes_total{instance_name=\"nat-0\","
    "direction=\"forward\"} 140\n",
    "\nsluice_forwarder_instance_flows{instance_name=\"nat-0\"} 1\n",
    "\nsluice_forwarder_peer_flows{peer_name=\"A\"} 1\n",
    "\nsluice_forwarder_peer_packets_total{peer_name=\"D\","
    "direction=\"return\"} 0\n",
};

static void
counters_are_told_by_what_they_count(void **state)
{
    uint16_t port = free_port();
    struct fwd_exporter *exporter = start(port);
    struct network network = network_even();
    struct wire wire = udp_from_peer(7);

    (void) state;
    network.gone[NAT][1] = network.gone[NAT][2] = network.gone[NAT][3] = true;
    assert_int_equal(network_apply(&network, &rings), 0);
    rings_pass(&rings, WAN, &wire);
    rings_pass(&rings, WAN, &wire);
    wire.data[65] = 7; /* Another chain. */
    rings_pass(&rings, WAN, &wire);
    assert_int_equal(request(port, "GET /metrics"), 200);
    for (size_t i = 0; i < sizeof of_one_flow / sizeof *of_one_flow; i++) {
        assert_told(of_one_flow[i]);
    }
    assert_null(strstr(answer, "nat-1")); /* Not in the rules. */
    fwd_exporter_destroy(exporter);
}

static void
flows_left_at_a_drained_instance_are_told(void **state)
{
    uint16_t port = free_port();
    struct fwd_exporter *exporter = start(port);
    struct network network = network_even();
    struct wire wire = udp_from_peer(7);

    (void) state;
    network.gone[NAT][2] = network.gone[NAT][3] = true;
    network.weight[NAT][1] = 0;
    assert_int_equal(network_apply(&network, &rings), 0);
    rings_pass(&rings, WAN, &wire);
    network.weight[NAT][0] = 0;
    network.weight[NAT][1] = 1;
    assert_int_equal(network_apply(&network, &rings), 0);
    assert_int_equal(request(port, "GET /metrics"), 200);
    assert_told("\nsluice_forwarder_instance_flows{instance_name=\"nat-0\"}"
                " 1\n");
    assert_told("\nsluice_forwarder_instance_flows{instance_name=\"nat-1\"}"
                " 0\n");
    fwd_exporter_destroy(exporter);
}

/* What is told of 300 flows, of as many packets of another chain, and of as
 * many fragments without a first one. */
static const char *const of_many_flows[] = {
    "\nsluice_forwarder_received_packets_total 900\n",
    "\nsluice_forwarder_sent_packets_total 300\n",
    "\nsluice_forwarder_drops_total{reason=\"unknown_chain\"} 300\n",
    "\nsluice_forwarder_pinned_flows_total 300\n",
    "\nsluice_forwarder_flow_table_used_entries 300\n",
    "\nsluice_forwarder_flow_table_capacity_entries 4096\n",
    "\nsluice_forwarder_stage_packets_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"forward\"} 300\n",
    "\nsluice_forwarder_stage_drops_total{chain_label=\"100\","
    "egress_label=\"203\",stage=\"1\",direction=\"forward\","
    "reason=\"no_first_fragment\"} 300\n",
    "\nsluice_forwarder_instance_packets_total{instance_name=\"nat-0\","
    "direction=\"forward\"} 300\n",
    "\nsluice_forwarder_instance_flows{instance_name=\"nat-0\"} 300\n",
};

static void
counters_are_those_of_all_lcores(void **state)
{
    uint16_t port = free_port();
    struct network network = network_even();
    struct fwd_exporter *exporter;

    (void) state;
    rings.n_workers = 3;
    exporter = start(port);
    network.gone[NAT][1] = network.gone[NAT][2] = network.gone[NAT][3] = true;
    assert_int_equal(network_apply(&network, &rings), 0);
    for (uint16_t i = 0; i < 300; i++) {
        const struct wire_flow udp = {.protocol = 17, .source_port = i};
        struct wire later = {.size = 0}, wire;

        wire_fragment(&later, &udp, 64, false, i);
        wire = network_from_peer(0, 1, FWD_FORWARD, &later);
        rings_pass(&rings, WAN, &wire);
        wire = udp_from_peer(i);
        rings_pass(&rings, WAN, &wire);
        wire.data[65] = 7; /* Another chain. */
        rings_pass(&rings, WAN, &wire);
    }
    for (int i = 0; i < 3; i++) {
        assert_int_not_equal(rings.control->crew->workers[i]->counters->n_sent,
                             0);
    }
    assert_int_equal(request(port, "GET /metrics"), 200);
    for (size_t i = 0; i < sizeof of_many_flows / sizeof *of_many_flows; i++) {
        assert_told(of_many_flows[i]);
    }
    fwd_exporter_destroy(exporter);
    rings.n_workers = 1;
}

static void
bus_is_told_of_if_there_is_one(void **state)
{
    static const char *const lines[] = {
        "\nsluice_forwarder_bus_up 1\n",
        "\nsluice_forwarder_bus_messages_total 2\n",
        "\nsluice_forwarder_bus_unconfirmed_frames 3\n",
        "\nsluice_forwarder_bus_waiting 4\n",
        "\nsluice_forwarder_bus_deferred_total 5\n",
        "\nsluice_forwarder_bus_renewals_total 6\n",
        "\n# TYPE sluice_forwarder_bus_gaps_total counter\n",
        "\nsluice_forwarder_bus_gaps_total 7\n",
        "\nsluice_forwarder_bus_duplicates_total 8\n",
        "\nsluice_forwarder_bus_malformed_total 9\n",
        "\nsluice_forwarder_bus_refused_total 10\n",
    };
    uint16_t port = free_port();
    struct fwd_exporter *exporter = start(port);

    (void) state;
    assert_int_equal(request(port, "GET /metrics"), 200);
    assert_null(strstr(answer, "_bus_"));
    rings.control->has_bus = true;
    rings.control->bus = (struct bus_link_state) {
        .is_up = true, .n_messages = 2, .n_unconfirmed = 3, .n_waiting = 4,
        .n_deferred = 5, .n_renewals = 6, .n_gaps = 7, .n_duplicates = 8,
        .n_malformed = 9, .n_refused = 10,
    };
    assert_int_equal(request(port, "GET /metrics"), 200);
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        assert_told(lines[i]);
    }
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
        cmocka_unit_test(counters_are_told_by_what_they_count),
        cmocka_unit_test(flows_left_at_a_drained_instance_are_told),
        cmocka_unit_test(counters_are_those_of_all_lcores),
        cmocka_unit_test(bus_is_told_of_if_there_is_one),
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
