// SPDX-License-Identifier: EPL-2.0
/* Traffic for a forwarder in another process, over two memif ports: net_memif0
 * is its way to other forwarders (WAN), net_memif1 to its instances (LAN).
 *
 *   plain   frames without labels, forward from WAN to LAN and back: a bridge
 *           or a load balancer
 *   edge    an instance's frames without labels out of LAN, tunnelled packets
 *           of its connections back from B: the end of a chain
 *   chain   tunnelled packets from A, on to B by way of a VNF that keeps
 *           labels, and all the way back
 *   loop    is no traffic: sends what comes in on a port out on the other one,
 *           the least that a forwarder can do
 *
 * At most WINDOW packets are under way from each port to the other, so none
 * is lost for want of room, and the forwarder always has work as long as this
 * program has time to spare: 'busy' is the part of its time that it does not
 * wait.
 *
 * First each connection is opened: one packet of each kind, kind by kind.
 * Then the connections of a burst are random. Prints one JSON object: the
 * seconds that opening took and packets that were lost in it; of the seconds
 * after it has settled millions of packets that arrived in each, 'busy', and
 * packets that were lost; and of all the time packets that strayed to another
 * instance than the connection's first. Then it stays until a signal ends it,
 * since a forwarder may not outlive the other end of its ports. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include "stamp.h"

#define WINDOW 1024      /* Packets. */
#define BURST 32         /* Packets. */
#define N_BUFFERS 16383
#define N_DESCRIPTORS 2048
#define LINK_LIMIT_S 10
#define HEAR_S 3         /* Until a forwarder has announced itself. */
#define OPEN_LIMIT_S 600
#define PAUSE_US 1       /* Between two looks at ports that have little. */
#define NAP_US 20        /* The same where nothing has come for as long. */
#define PATIENCE_S 1     /* What is under way for longer is lost. */

struct traffic {
    const struct bench_mode *mode;
    struct bench_stamp stamps[BENCH_MAX_KINDS];
    uint32_t n_flows;
    uint16_t n_queues;       /* To receive from, of each port. */
    struct rte_mempool *pool;
    uint64_t random;         /* State of bench_random(). */
    uint8_t *instances;      /* By connection: its instance + 1, 0: none. */
    int n_turns;             /* Bursts sent; kinds take turns. */

    uint32_t under_way[N_PORTS]; /* Packets, by the port they came in on. */
    uint64_t n_sent;
    uint64_t n_received;
    uint64_t n_strayed;
    uint64_t busy;           /* TSC cycles that were not waited. */
    uint64_t last_received;  /* TSC. */
};

static void
die(const char *reason)
{
    fprintf(stderr, "traffic: %s\n", reason);
    exit(1);
}

/* Notes where the connection of a packet that left on LAN was sent, or that
 * it strayed. */
static void
check(struct traffic *traffic, const uint8_t *data)
{
    struct bench_arrival at = bench_read_arrival(traffic->mode, data);

    if (at.flow >= traffic->n_flows || at.instance >= UINT8_MAX) {
        traffic->n_strayed++;
    } else if (!traffic->instances[at.flow]) {
        traffic->instances[at.flow] = (uint8_t) (at.instance + 1);
    } else {
        traffic->n_strayed += traffic->instances[at.flow] != at.instance + 1;
    }
}

/* Takes a burst from each queue of 'port'; returns the number of packets. */
static uint32_t
receive(struct traffic *traffic, uint16_t port)
{
    uint32_t *under_way = &traffic->under_way[!port];
    uint32_t n_all = 0;

    for (uint16_t queue = 0; queue < traffic->n_queues; queue++) {
        struct rte_mbuf *packets[BURST];
        uint16_t n = rte_eth_rx_burst(port, queue, packets, BURST);

        for (uint16_t i = 0; port == LAN && i < n; i++) {
            check(traffic, rte_pktmbuf_mtod(packets[i], uint8_t *));
        }
        rte_pktmbuf_free_bulk(packets, n);
        n_all += n;
    }
    traffic->n_received += n_all;
    *under_way -= RTE_MIN(*under_way, n_all); /* More, if given up before. */
    return n_all;
}

/* Sends a packet of kind 'number' of each of the 'n' connections in
 * 'flows'. */
static void
send_burst(struct traffic *traffic, int number, const uint32_t flows[BURST],
           uint16_t n)
{
    const struct bench_stamp *stamp = &traffic->stamps[number];
    uint8_t port = traffic->mode->kinds[number].port;
    struct rte_mbuf *packets[BURST];
    uint16_t n_sent;

    if (rte_pktmbuf_alloc_bulk(traffic->pool, packets, n)) {
        die("no packet buffers left");
    }
    for (uint16_t i = 0; i < n; i++) {
        uint8_t instance = traffic->instances[flows[i]];

        packets[i]->data_len
            = bench_stamp_write(stamp, rte_pktmbuf_mtod(packets[i], uint8_t *),
                                flows[i], instance ? instance - 1u : 0);
        packets[i]->pkt_len = packets[i]->data_len;
    }
    n_sent = rte_eth_tx_burst(port, 0, packets, n);
    rte_pktmbuf_free_bulk(packets + n_sent, n - n_sent);
    traffic->n_sent += n_sent;
    traffic->under_way[port] += n_sent;
}

static bool
has_room(const struct traffic *traffic, int number)
{
    uint8_t port = traffic->mode->kinds[number].port;

    return traffic->under_way[port] + BURST <= WINDOW;
}

/* Sends a burst of random connections, if there is room for it. Returns the
 * number of packets. */
static uint32_t
send_random(struct traffic *traffic)
{
    int number = traffic->n_turns++ % traffic->mode->n_kinds;
    uint32_t flows[BURST];

    if (!has_room(traffic, number)) {
        return 0;
    }
    for (int i = 0; i < BURST; i++) {
        flows[i] = bench_random(&traffic->random, traffic->n_flows);
    }
    send_burst(traffic, number, flows, BURST);
    return BURST;
}

/* Receives; gives up what has been under way for too long. Returns the number
 * of packets that came. */
static uint32_t
receive_all(struct traffic *traffic)
{
    uint32_t n = receive(traffic, WAN) + receive(traffic, LAN);
    uint64_t now = rte_rdtsc();

    if (n) {
        traffic->last_received = now;
    } else if (now - traffic->last_received > PATIENCE_S * rte_get_tsc_hz()) {
        memset(traffic->under_way, 0, sizeof traffic->under_way);
        traffic->last_received = now;
    }
    return n;
}

static uint64_t
n_lost(const struct traffic *traffic)
{
    return traffic->n_sent - traffic->n_received - traffic->under_way[WAN]
           - traffic->under_way[LAN];
}

/* Waits if there was little to do, so that work comes in bursts and its time
 * can be told. Where the forwarder is slow the processor is left to others,
 * of which it may have threads. */
static void
rest(const struct traffic *traffic, uint32_t n_moved)
{
    uint64_t nap = NAP_US * (rte_get_tsc_hz() / US_PER_S);

    if (n_moved >= BURST) {
        return;
    }
    if (rte_rdtsc() - traffic->last_received > nap) {
        rte_delay_us_sleep(NAP_US);
    } else {
        rte_delay_us_block(PAUSE_US);
    }
}

/* One packet of each connection. */
static void
open_kind(struct traffic *traffic, int number)
{
    uint8_t port = traffic->mode->kinds[number].port;
    uint64_t end = rte_rdtsc() + OPEN_LIMIT_S * rte_get_tsc_hz();
    uint32_t flow = 0;

    while (flow < traffic->n_flows || traffic->under_way[port]) {
        uint32_t flows[BURST];
        uint16_t n = 0;

        rest(traffic, receive_all(traffic));
        if (flow < traffic->n_flows && has_room(traffic, number)) {
            while (n < BURST && flow < traffic->n_flows) {
                flows[n++] = flow++;
            }
            send_burst(traffic, number, flows, n);
        }
        if (rte_rdtsc() > end) {
            die("connections took too long to open");
        }
    }
}

/* Keeps packets flowing for so many cycles. */
static void
flow_on(struct traffic *traffic, uint64_t cycles)
{
    uint64_t begin = rte_rdtsc(), now = begin;

    while (now - begin < cycles) {
        uint32_t n = receive_all(traffic) + send_random(traffic);

        traffic->busy += rte_rdtsc() - now;
        rest(traffic, n);
        now = rte_rdtsc();
    }
}

static double
seconds_since(uint64_t begin)
{
    return (double) (rte_rdtsc() - begin) / (double) rte_get_tsc_hz();
}

static void
open_all(struct traffic *traffic)
{
    uint64_t begin = rte_rdtsc();

    traffic->last_received = begin;
    for (int i = 0; i < traffic->mode->n_kinds; i++) {
        open_kind(traffic, i);
    }
    printf("{\"opening_s\": %.3f, \"opening_lost\": %" PRIu64 ", ",
           seconds_since(begin), n_lost(traffic));
}

static void
measure(struct traffic *traffic, int seconds)
{
    uint64_t begin = rte_rdtsc(), lost = n_lost(traffic);

    traffic->busy = 0;
    printf("\"mpps\": [");
    for (int i = 0; i < seconds; i++) {
        uint64_t n_before = traffic->n_received, start = rte_rdtsc();

        flow_on(traffic, rte_get_tsc_hz());
        printf("%s%.4f", i ? ", " : "",
               (double) (traffic->n_received - n_before) / 1e6
                   / seconds_since(start));
    }
    printf("], \"busy\": %.3f, \"lost\": %" PRIu64 ", \"strayed\": %" PRIu64
           "}\n",
           (double) traffic->busy / (double) (rte_rdtsc() - begin),
           n_lost(traffic) - lost, traffic->n_strayed);
}

static void
loop(void)
{
    for (uint16_t port = 0; ; port = !port) {
        struct rte_mbuf *packets[BURST];
        uint16_t n = rte_eth_rx_burst(port, 0, packets, BURST);
        uint16_t n_sent = rte_eth_tx_burst(!port, 0, packets, n);

        rte_pktmbuf_free_bulk(packets + n_sent, n - n_sent);
    }
}

static void
start_port(uint16_t port, uint16_t n_queues, struct rte_mempool *pool)
{
    struct rte_eth_conf conf = {0};
    int error = rte_eth_dev_configure(port, n_queues, 1, &conf);

    for (uint16_t queue = 0; !error && queue < n_queues; queue++) {
        error = rte_eth_rx_queue_setup(port, queue, N_DESCRIPTORS, 0, NULL,
                                       pool);
    }
    if (error || rte_eth_tx_queue_setup(port, 0, N_DESCRIPTORS, 0, NULL)
        || rte_eth_dev_start(port)) {
        die("a port does not start");
    }
}

static void
wait_for_link(uint16_t port)
{
    uint64_t end = rte_rdtsc() + LINK_LIMIT_S * rte_get_tsc_hz();
    struct rte_eth_link link = {0};

    while (!link.link_status) {
        if (rte_eth_link_get_nowait(port, &link) || rte_rdtsc() > end) {
            die("no forwarder at the other end");
        }
    }
}

/* Takes what a forwarder that has just started says of itself, uncounted. */
static void
hear_out(struct traffic *traffic)
{
    uint64_t end = rte_rdtsc() + HEAR_S * rte_get_tsc_hz();

    while (rte_rdtsc() < end) {
        receive(traffic, WAN);
        rte_delay_us_sleep(NAP_US);
    }
    traffic->n_received = 0;
}

/* Reads our arguments: false if they make no sense. */
static bool
read_arguments(int n_words, char *words[], struct traffic *traffic)
{
    traffic->mode = n_words == 5 ? bench_find_mode(words[0]) : NULL;
    if (!traffic->mode) {
        return n_words == 1 && !strcmp(words[0], "loop");
    }
    traffic->n_flows = (uint32_t) strtoul(words[1], NULL, 10);
    traffic->n_queues = (uint16_t) strtoul(words[2], NULL, 10);
    for (int i = 0; i < traffic->mode->n_kinds; i++) {
        bench_stamp_make(&traffic->stamps[i], &traffic->mode->kinds[i]);
    }
    return traffic->n_flows && traffic->n_queues;
}

int
main(int argc, char *argv[])
{
    int n = rte_eal_init(argc, argv);
    struct traffic traffic = {.n_queues = 1, .random = 0x9e3779b97f4a7c15ULL};
    char **words = argv + n + 1;

    if (n < 0 || rte_eth_dev_count_avail() != N_PORTS
        || !read_arguments(argc - n - 1, words, &traffic)) {
        die("usage: traffic DPDK'S-OPTIONS -- loop | plain|edge|chain "
            "CONNECTIONS QUEUES SECONDS-TO-SETTLE SECONDS");
    }
    traffic.instances = calloc(traffic.n_flows + 1, 1);
    traffic.pool = rte_pktmbuf_pool_create("packets", N_BUFFERS, 256, 0,
                                           RTE_MBUF_DEFAULT_BUF_SIZE,
                                           SOCKET_ID_ANY);
    if (!traffic.pool || !traffic.instances) {
        die("out of memory");
    }
    start_port(WAN, traffic.n_queues, traffic.pool);
    start_port(LAN, traffic.n_queues, traffic.pool);
    if (!traffic.mode) {
        loop();
    }
    wait_for_link(WAN);
    wait_for_link(LAN);
    hear_out(&traffic);
    open_all(&traffic);
    flow_on(&traffic, strtoul(words[3], NULL, 10) * rte_get_tsc_hz());
    measure(&traffic, atoi(words[4]));
    fflush(stdout);
    pause();
    return 0;
}
