// SPDX-License-Identifier: EPL-2.0
/* The benchmark's account of packets, over two ports whose ends are joined: a
 * forwarder that sends all on, to instance 0. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <rte_eal.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>

#include "load.h"

#define N_FLOWS 10
#define RING_SIZE 64

static struct bench_load load;
static struct rte_ring *to[N_PORTS]; /* What comes in there. */

static int
begin(void **state)
{
    char *arguments[] = {
        "test", "--no-huge", "--no-shconf", "--no-pci", "--no-telemetry",
        "-m", "64", "-l", "0", "--log-level=error",
    };

    (void) state;
    if (rte_eal_init(sizeof arguments / sizeof *arguments, arguments) < 0) {
        return -1;
    }
    to[WAN] = rte_ring_create("wan", RING_SIZE, SOCKET_ID_ANY, 0);
    to[LAN] = rte_ring_create("lan", RING_SIZE, SOCKET_ID_ANY, 0);
    load.pool = rte_pktmbuf_pool_create("packets", 255, 0, 0,
                                        RTE_MBUF_DEFAULT_BUF_SIZE,
                                        SOCKET_ID_ANY);
    for (uint16_t port = 0; port < N_PORTS; port++) {
        struct rte_eth_conf conf = {0};

        if (rte_eth_from_rings(port == WAN ? "wan" : "lan", &to[port], 1,
                               &to[!port], 1, 0) != port
            || rte_eth_dev_configure(port, 1, 1, &conf)
            || rte_eth_rx_queue_setup(port, 0, 64, 0, NULL, load.pool)
            || rte_eth_tx_queue_setup(port, 0, 64, 0, NULL)
            || rte_eth_dev_start(port)) {
            return -1;
        }
    }
    return 0;
}

static int
renew(void **state)
{
    (void) state;
    load = (struct bench_load) {
        .mode = bench_find_mode("plain"), .n_flows = N_FLOWS, .n_queues = 1,
        .pool = load.pool, .random = 1, .homes = calloc(N_FLOWS, 1),
    };
    for (int i = 0; i < load.mode->n_kinds; i++) {
        bench_stamp_make(&load.stamps[i], &load.mode->kinds[i]);
    }
    return 0;
}

static int
discard(void **state)
{
    (void) state;
    free(load.homes);
    return 0;
}

/* Has a forward packet come in at LAN, for the instance whose MAC address
 * ends in 'last'. */
static void
arrive(uint32_t flow, uint8_t last)
{
    struct rte_mbuf *packet = rte_pktmbuf_alloc(load.pool);
    uint8_t *data = rte_pktmbuf_mtod(packet, uint8_t *);

    packet->data_len = bench_write_plain(data, flow, false, BENCH_MAC_A, last);
    packet->pkt_len = packet->data_len;
    assert_int_equal(rte_ring_enqueue(to[LAN], packet), 0);
}

static void
what_is_sent_on_one_port_is_under_way_until_it_comes_back(void **state)
{
    const uint32_t flows[] = {3, 4, 5};

    (void) state;
    bench_send(&load, 0, flows, 3);
    bench_send_random(&load, 1, 2);
    assert_int_equal(load.under_way[WAN], 3);
    assert_int_equal(load.under_way[LAN], 2);
    assert_int_equal(bench_receive(&load, LAN), 3);
    assert_int_equal(bench_receive(&load, LAN), 0);
    assert_int_equal(load.under_way[WAN], 0);
    assert_int_equal(bench_receive(&load, WAN), 2);
    assert_int_equal(load.n_sent, 5);
    assert_int_equal(load.n_received, 5);
    assert_int_equal(load.n_strayed, 0);
}

static void
a_connection_moves_once_however_many_of_its_packets_stray(void **state)
{
    (void) state;
    for (uint8_t i = 0; i < 5; i++) {
        arrive(i, BENCH_MAC_VNF + i % 2);
    }
    assert_int_equal(bench_receive(&load, LAN), 5);
    assert_int_equal(load.n_strayed, 0);
    arrive(0, BENCH_MAC_VNF + 1);
    arrive(0, BENCH_MAC_VNF + 2);
    arrive(1, BENCH_MAC_VNF + 2);
    arrive(0, BENCH_MAC_VNF); /* Home again. */
    assert_int_equal(bench_receive(&load, LAN), 4);
    assert_int_equal(load.n_strayed, 3);
    assert_int_equal(load.n_moved, 2);
}

static void
packets_of_no_connection_stray(void **state)
{
    (void) state;
    arrive(N_FLOWS, BENCH_MAC_VNF);
    arrive(0, BENCH_MAC_A);
    assert_int_equal(bench_receive(&load, LAN), 2);
    assert_int_equal(load.n_strayed, 2);
    assert_int_equal(load.n_moved, 0);
}

static void
what_is_said_to_all_does_not_count(void **state)
{
    struct rte_mbuf *packet = rte_pktmbuf_alloc(load.pool);

    (void) state;
    memset(rte_pktmbuf_append(packet, 60), 0xff, 60);
    assert_int_equal(rte_ring_enqueue(to[WAN], packet), 0);
    assert_int_equal(bench_receive(&load, WAN), 0);
    assert_int_equal(load.n_received, 0);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(
            what_is_sent_on_one_port_is_under_way_until_it_comes_back, renew,
            discard),
        cmocka_unit_test_setup_teardown(
            a_connection_moves_once_however_many_of_its_packets_stray, renew,
            discard),
        cmocka_unit_test_setup_teardown(packets_of_no_connection_stray, renew,
                                        discard),
        cmocka_unit_test_setup_teardown(what_is_said_to_all_does_not_count,
                                        renew, discard),
    };

    return cmocka_run_group_tests_name("load", tests, begin, NULL);
}
