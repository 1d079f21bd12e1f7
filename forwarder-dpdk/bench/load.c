// SPDX-License-Identifier: EPL-2.0
#include "load.h"

#include <stdio.h>
#include <stdlib.h>

#include <rte_ethdev.h>

void
bench_die(const char *reason)
{
    fprintf(stderr, "traffic: %s\n", reason);
    exit(1);
}

/* Notes where the connection of a packet that left on LAN was sent, or that
 * it strayed. */
static void
check(struct bench_load *load, const uint8_t *data)
{
    struct bench_arrival at = bench_read_arrival(load->mode, data);
    uint8_t *home;

    if (at.flow >= load->n_flows || at.instance >= BENCH_MOVED - 1) {
        load->n_strayed++;
        return;
    }
    home = &load->homes[at.flow];
    if (!*home) {
        *home = (uint8_t) (at.instance + 1);
    } else if ((*home & ~BENCH_MOVED) != at.instance + 1) {
        load->n_strayed++;
        load->n_moved += !(*home & BENCH_MOVED);
        *home |= BENCH_MOVED;
    }
}

uint32_t
bench_receive(struct bench_load *load, uint16_t port)
{
    uint32_t *under_way = &load->under_way[!port];
    uint32_t n_all = 0;

    for (uint16_t queue = 0; queue < load->n_queues; queue++) {
        struct rte_mbuf *packets[BENCH_BURST];
        uint16_t n = rte_eth_rx_burst(port, queue, packets, BENCH_BURST);

        for (uint16_t i = 0; i < n; i++) {
            const uint8_t *data = rte_pktmbuf_mtod(packets[i], uint8_t *);
            bool is_to_all = data[0] & 1;

            n_all += !is_to_all;
            if (port == LAN && !is_to_all) {
                check(load, data);
            }
        }
        rte_pktmbuf_free_bulk(packets, n);
    }
    load->n_received += n_all;
    *under_way -= RTE_MIN(*under_way, n_all); /* More, if given up before. */
    return n_all;
}

void
bench_send(struct bench_load *load, int number, const uint32_t *flows,
           uint16_t n)
{
    const struct bench_stamp *stamp = &load->stamps[number];
    uint8_t port = load->mode->kinds[number].port;
    struct rte_mbuf *packets[BENCH_BURST];
    uint16_t n_sent;

    if (rte_pktmbuf_alloc_bulk(load->pool, packets, n)) {
        bench_die("no packet buffers left");
    }
    for (uint16_t i = 0; i < n; i++) {
        uint8_t home = load->homes[flows[i]] & (uint8_t) ~BENCH_MOVED;

        packets[i]->data_len
            = bench_stamp_write(stamp, rte_pktmbuf_mtod(packets[i], uint8_t *),
                                flows[i], home ? home - 1u : 0);
        packets[i]->pkt_len = packets[i]->data_len;
    }
    n_sent = rte_eth_tx_burst(port, 0, packets, n);
    rte_pktmbuf_free_bulk(packets + n_sent, n - n_sent);
    load->n_sent += n_sent;
    load->under_way[port] += n_sent;
}

void
bench_send_random(struct bench_load *load, int number, uint16_t n)
{
    uint32_t flows[BENCH_BURST];

    for (uint16_t i = 0; i < n; i++) {
        flows[i] = bench_random(&load->random, load->n_flows);
    }
    bench_send(load, number, flows, n);
}
