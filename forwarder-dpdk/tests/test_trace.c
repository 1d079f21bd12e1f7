// SPDX-License-Identifier: EPL-2.0
/* Traces beside what then becomes of the packet. FWD_SEED repeats a random
 * run. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"
#include "seed.h"
#include "trace.h"

#define N_STEPS 2000
#define N_CONNECTIONS 60 /* More than the small table has room for. */
#define CHANGE_EVERY 40  /* Steps. */

static struct rings rings;
static struct fwd_trace trace; /* The last one. */

static void
ask(int port, const struct wire *wire)
{
    memset(&trace, 0, sizeof trace);
    trace.port = (uint8_t) port;
    trace.size = wire->size;
    memcpy(trace.frame, wire->data, wire->size);
}

static void
wrong_question_is_refused_for_its_reason(void **state)
{
    static const char *const questions[][2] = {
        {NULL, "what is asked is PORT,FRAME or PORT,FRAME,SIZE; the frame in "
               "hexadecimal"},
        {"wan", "what is asked is PORT,FRAME or PORT,FRAME,SIZE; the frame "
                "in hexadecimal"},
        {"wa,00", "there is no port wa"},
        {"wan,00a", "the frame has to be pairs of hexadecimal digits; a is "
                    "none"},
        {"wan,00 0a", "the frame has to be pairs of hexadecimal digits;  0a "
                      "is none"},
        {"wan,0011,1", "the size has to be a number from 2, the bytes that "
                       "are given, to 9618"},
        {"wan,0011,9619", "the size has to be a number from 2, the bytes "
                          "that are given, to 9618"},
        {"wan,0011, 9", "the size has to be a number from 2, the bytes that "
                        "are given, to 9618"},
        {"wan,0011,9x", "the size has to be a number from 2, the bytes that "
                        "are given, to 9618"},
    };
    struct network network = network_even();
    char reason[FWD_REASON_SIZE];

    (void) state;
    network_start(&network, &rings);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        assert_int_equal(fwd_trace_read(rings.control, questions[i][0],
                                        &trace, reason), EINVAL);
        assert_string_equal(reason, questions[i][1]);
    }
}

static void
worker_that_does_not_poll_is_not_waited_for(void **state)
{
    struct network network = network_even();
    const struct wire_flow udp = {.protocol = 17};
    struct wire ip = {.size = 0}, wire;
    char reason[FWD_REASON_SIZE];

    (void) state;
    network_start(&network, &rings);
    wire_ip(&ip, &udp, 0, 20);
    wire = network_from_peer(0, 1, 0, &ip);
    ask(WAN, &wire);
    assert_int_equal(fwd_trace_run(rings.control, &trace, reason), ETIMEDOUT);
    assert_string_equal(reason, "the forwarding lcore is silent");
    rings_poll(&rings); /* Nobody reads the answer any more. */
    assert_false(trace.lookup.is_done);
}

/* All that a worker writes, but for counters by stage and hop. */
struct snapshot {
    struct fwd_head head;
    struct fwd_line lines[64];
    uint8_t counters[offsetof(struct fwd_counters, stages)];
};

static void
take_snapshot(struct snapshot *snapshot, const struct fwd_worker *worker)
{
    memset(snapshot, 0, sizeof *snapshot);
    memcpy(&snapshot->head, worker->table->head, sizeof snapshot->head);
    snapshot->head.swept = 0; /* Polls sweep. */
    assert_in_range(worker->table->n_lines, 1, 64);
    memcpy(snapshot->lines, worker->table->lines,
           worker->table->n_lines * sizeof *snapshot->lines);
    memcpy(snapshot->counters, worker->counters, sizeof snapshot->counters);
}

/* Takes those of all workers. */
static void
take_snapshots(struct snapshot snapshots[MAX_LCORES])
{
    for (uint16_t i = 0; i < rings.n_workers; i++) {
        take_snapshot(&snapshots[i], rings.control->crew->workers[i]);
    }
}

static uint32_t
below(uint32_t n)
{
    return (uint32_t) (random() % n);
}

static struct wire
random_ip(void)
{
    static const uint8_t protocols[] = {6, 17, 1};
    static const uint8_t flags[] = {0x02, 0x10, 0x10, 0x10, 0x11, 0x14};
    uint32_t number = below(N_CONNECTIONS);
    struct wire_flow flow = {
        .ipv6 = number % 2, .whole = below(2),
        .protocol = protocols[number % 3],
        .source = 0x0a000000 + number, .destination = 0x0b000001,
        .source_port = (uint16_t) number, .destination_port = 80,
    };
    struct wire_flow reverse = wire_reverse(&flow);
    const struct wire_flow *any = below(2) ? &flow : &reverse;
    uint16_t id = (uint16_t) (1 + below(20));
    struct wire ip = {.size = 0};

    switch (below(10)) {
    case 0: wire_fragment(&ip, any, 0, true, id); break;
    case 1: wire_fragment(&ip, any, 64, false, id); break;
    case 2: wire_icmp_error(&ip, any, 0x0c000001); break;
    case 3: wire_ip(&ip, any, 0x10, 1450); break; /* Too big, here or there. */
    default:
        wire_ip(&ip, any, flags[below(sizeof flags)], (uint16_t) below(99));
        break;
    }
    return ip;
}

/* A packet of any kind at any place; stores its port in '*port'. */
static struct wire
random_wire(int *port)
{
    struct wire ip = random_ip(), wire;

    *port = below(2) ? WAN : LAN;
    wire = *port == WAN
               ? network_from_peer((int) below(N_PEERS), 1 + below(3),
                                   below(2), &ip)
               : network_from_vnf((int) below(N_KINDS), (int) below(N_VNFS),
                                  (int) below(2), &ip);
    if (!below(10)) {
        wire.data[below(wire.size)] = (uint8_t) below(256);
    }
    if (!below(20)) {
        wire.size = (uint16_t) (1 + below(wire.size));
    }
    return wire;
}

static void
change_randomly(struct network *network)
{
    int kind = (int) below(N_KINDS), vnf = (int) below(N_VNFS);

    network->stateful = below(2);
    network->gone[kind][vnf] = below(2);
    network->weight[kind][(vnf + 1) % N_VNFS] = below(3);
    network->next_weight[below(2)] = below(3);
    network->previous_weight[below(2)] = below(3);
    assert_int_equal(network_apply(network, &rings), 0);
}

/* Packets that the worker which was traced has sent. */
static uint64_t
n_sent_by_owner(void)
{
    return rings.control->crew->workers[trace.owner]->counters->n_sent;
}

/* '*state' is the number of lcores. */
static void
trace_tells_what_then_happens_and_changes_nothing(void **state)
{
    static struct snapshot before[MAX_LCORES], after[MAX_LCORES];
    struct network network = network_even();
    int n_sent = 0;

    network.capacity = 64;
    rings.n_workers = *(const uint16_t *) *state;
    network_start(&network, &rings);
    for (int i = 0; i < N_STEPS; i++) {
        struct fate fate;
        struct wire wire;
        uint64_t n;
        int port;

        if (i % CHANGE_EVERY == 0) {
            change_randomly(&network);
        }
        rings.now_ms += below(2) ? 0 : 500;
        rings_poll(&rings);
        wire = random_wire(&port);
        take_snapshots(before);
        ask(port, &wire);
        rings_trace(&rings, &trace);
        take_snapshots(after);
        assert_int_equal(memcmp(after, before, sizeof before), 0);
        n = n_sent_by_owner();
        fate = rings_pass(&rings, port, &wire);
        assert_int_equal(trace.drop, fate.drop);
        if (!fate.drop) {
            assert_int_equal(n_sent_by_owner(), n + 1);
            assert_int_equal(trace.out, fate.port);
            assert_int_equal(trace.packet.pkt_len, fate.wire.size);
            assert_memory_equal(
                rte_pktmbuf_mtod(&trace.packet, const void *),
                fate.wire.data, fate.wire.size);
            n_sent++;
        }
    }
    assert_in_range(n_sent, N_STEPS / 10, N_STEPS - N_STEPS / 10);
}

#define TELLS_WITH(n)                                                         \
    cmocka_unit_test_prestate(                                                \
        trace_tells_what_then_happens_and_changes_nothing, &(n))

int
main(void)
{
    static uint16_t n_lcores[] = {1, 2, 4};
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(wrong_question_is_refused_for_its_reason),
        cmocka_unit_test(worker_that_does_not_poll_is_not_waited_for),
        TELLS_WITH(n_lcores[0]), TELLS_WITH(n_lcores[1]),
        TELLS_WITH(n_lcores[2]),
    };

    seed_random();
    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("trace", tests, NULL, NULL);
}
