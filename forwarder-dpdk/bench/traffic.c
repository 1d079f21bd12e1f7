// SPDX-License-Identifier: EPL-2.0
/* Traffic for a forwarder in another process, over two ports of DPDK: the
 * first one is its way to other forwarders (WAN), the second one to its
 * instances (LAN).
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
 * since a forwarder may not outlive the other end of its ports.
 *
 * If it is paced, it does what it is told line by line on standard input,
 * until that ends, and answers with one JSON object: "all" is a packet of each
 * kind of each connection, as at opening, with packets lost and strayed, and
 * connections that moved; a number of seconds is a stretch of random packets
 * (stretch.h). */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_ethdev.h>

#include "load.h"
#include "stretch.h"

#define WINDOW 1024      /* Packets. */
#define N_BUFFERS 16383
#define N_DESCRIPTORS 2048
#define LINK_LIMIT_S 10
#define OPEN_LIMIT_S 600
#define PAUSE_US 1       /* Between two looks at ports that have little. */
#define NAP_US 20        /* The same where nothing has come for as long. */
#define PATIENCE_S 1     /* What is under way for longer is lost. */

struct traffic {
    struct bench_load load;
    uint64_t busy;           /* TSC cycles that were not waited. */
    uint64_t last_received;  /* TSC. */
};

static bool
has_room(const struct traffic *traffic, int number)
{
    uint8_t port = traffic->load.mode->kinds[number].port;

    return traffic->load.under_way[port] + BENCH_BURST <= WINDOW;
}

/* Sends a burst of random connections, if there is room for it. Returns the
 * number of packets. */
static uint32_t
send_random(struct traffic *traffic)
{
    int number = bench_next_kind(&traffic->load);

    if (!has_room(traffic, number)) {
        return 0;
    }
    bench_send_random(&traffic->load, number, BENCH_BURST);
    return BENCH_BURST;
}

/* Receives; gives up what has been under way for too long. Returns the number
 * of packets that came. */
static uint32_t
receive_all(struct traffic *traffic)
{
    uint32_t n = bench_receive(&traffic->load, WAN)
                 + bench_receive(&traffic->load, LAN);
    uint64_t now = rte_rdtsc();

    if (n) {
        traffic->last_received = now;
    } else if (now - traffic->last_received > PATIENCE_S * rte_get_tsc_hz()) {
        memset(traffic->load.under_way, 0, sizeof traffic->load.under_way);
        traffic->last_received = now;
    }
    return n;
}

static uint64_t
n_lost(const struct traffic *traffic)
{
    const struct bench_load *load = &traffic->load;

    return load->n_sent - load->n_received - load->under_way[WAN]
           - load->under_way[LAN];
}

/* Waits if there was little to do, so that work comes in bursts and its time
 * can be told. Where the forwarder is slow the processor is left to others,
 * of which it may have threads. */
static void
rest(const struct traffic *traffic, uint32_t n_moved)
{
    uint64_t nap = NAP_US * (rte_get_tsc_hz() / US_PER_S);

    if (n_moved >= BENCH_BURST) {
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
    uint8_t port = traffic->load.mode->kinds[number].port;
    uint64_t end = rte_rdtsc() + OPEN_LIMIT_S * rte_get_tsc_hz();
    uint32_t flow = 0;

    while (flow < traffic->load.n_flows || traffic->load.under_way[port]) {
        uint32_t flows[BENCH_BURST];
        uint16_t n = 0;

        rest(traffic, receive_all(traffic));
        if (flow < traffic->load.n_flows && has_room(traffic, number)) {
            while (n < BENCH_BURST && flow < traffic->load.n_flows) {
                flows[n++] = flow++;
            }
            bench_send(&traffic->load, number, flows, n);
        }
        if (rte_rdtsc() > end) {
            bench_die("connections took too long to open");
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

/* One packet of each kind of each connection. Returns the seconds it took. */
static double
send_all(struct traffic *traffic)
{
    uint64_t begin = rte_rdtsc();

    traffic->last_received = begin;
    for (int i = 0; i < traffic->load.mode->n_kinds; i++) {
        open_kind(traffic, i);
    }
    return seconds_since(begin);
}

/* Opens each connection, lets 'settle' seconds pass, and measures. */
static void
measure(struct traffic *traffic, int settle, int seconds)
{
    double opening_s = send_all(traffic);
    uint64_t begin, lost;

    printf("{\"opening_s\": %.3f, \"opening_lost\": %" PRIu64
           ", \"mpps\": [", opening_s, n_lost(traffic));
    flow_on(traffic, settle * rte_get_tsc_hz());
    begin = rte_rdtsc();
    lost = n_lost(traffic);
    traffic->busy = 0;
    for (int i = 0; i < seconds; i++) {
        uint64_t n_before = traffic->load.n_received, start = rte_rdtsc();

        flow_on(traffic, rte_get_tsc_hz());
        printf("%s%.4f", i ? ", " : "",
               (double) (traffic->load.n_received - n_before) / 1e6
                   / seconds_since(start));
    }
    printf("], \"busy\": %.3f, \"lost\": %" PRIu64 ", \"strayed\": %" PRIu64
           "}\n",
           (double) traffic->busy / (double) (rte_rdtsc() - begin),
           n_lost(traffic) - lost, traffic->load.n_strayed);
}

/* Sends all, and tells what came of it. */
static void
tell_all(struct traffic *traffic)
{
    const struct bench_load *load = &traffic->load;
    uint64_t lost = n_lost(traffic), strayed = load->n_strayed;
    uint64_t moved = load->n_moved;
    double seconds = send_all(traffic);

    printf("{\"seconds\": %.3f, \"lost\": %" PRIu64 ", \"strayed\": %" PRIu64
           ", \"moved\": %" PRIu64 "}\n", seconds, n_lost(traffic) - lost,
           load->n_strayed - strayed, load->n_moved - moved);
}

/* Does what it is told on standard input, at 'rate' packets a second. */
static void
serve(struct traffic *traffic, uint64_t rate)
{
    char line[32];

    while (fgets(line, sizeof line, stdin)) {
        if (!strcmp(line, "all\n")) {
            tell_all(traffic);
        } else {
            bench_stretch(&traffic->load, rate, strtod(line, NULL));
        }
        memset(traffic->load.under_way, 0, sizeof traffic->load.under_way);
        fflush(stdout);
    }
}

static void
loop(void)
{
    for (uint16_t port = 0; ; port = !port) {
        struct rte_mbuf *packets[BENCH_BURST];
        uint16_t n = rte_eth_rx_burst(port, 0, packets, BENCH_BURST);
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
        bench_die("a port does not start");
    }
}

static void
wait_for_link(uint16_t port)
{
    uint64_t end = rte_rdtsc() + LINK_LIMIT_S * rte_get_tsc_hz();
    struct rte_eth_link link = {0};

    while (!link.link_status) {
        if (rte_eth_link_get_nowait(port, &link) || rte_rdtsc() > end) {
            bench_die("no forwarder at the other end");
        }
    }
}

/* Reads our arguments: false if they make no sense. */
static bool
read_arguments(int n_words, char *words[], struct bench_load *load)
{
    load->mode = n_words == 5 ? bench_find_mode(words[0]) : NULL;
    if (!load->mode) {
        return n_words == 1 && !strcmp(words[0], "loop");
    }
    load->n_flows = (uint32_t) strtoul(words[1], NULL, 10);
    load->n_queues = (uint16_t) strtoul(words[2], NULL, 10);
    for (int i = 0; i < load->mode->n_kinds; i++) {
        bench_stamp_make(&load->stamps[i], &load->mode->kinds[i]);
    }
    return load->n_flows && load->n_queues && atoi(words[4]) > 0;
}

static void
start(struct bench_load *load)
{
    load->homes = calloc(load->n_flows + 1, 1);
    load->pool = rte_pktmbuf_pool_create("packets", N_BUFFERS, 256, 0,
                                         RTE_MBUF_DEFAULT_BUF_SIZE,
                                         SOCKET_ID_ANY);
    if (!load->pool || !load->homes) {
        bench_die("out of memory");
    }
    start_port(WAN, load->n_queues, load->pool);
    start_port(LAN, load->n_queues, load->pool);
}

int
main(int argc, char *argv[])
{
    struct traffic traffic = {
        .load = {.n_queues = 1, .random = 0x9e3779b97f4a7c15ULL},
    };
    int n = rte_eal_init(argc, argv);
    char **words = argv + n + 1;

    if (n < 0 || rte_eth_dev_count_avail() != N_PORTS
        || !read_arguments(argc - n - 1, words, &traffic.load)) {
        bench_die("usage: traffic DPDK'S-OPTIONS -- loop | plain|edge|chain "
                  "CONNECTIONS QUEUES SECONDS-TO-SETTLE|paced "
                  "SECONDS|PACKETS-A-SECOND");
    }
    start(&traffic.load);
    if (!traffic.load.mode) {
        loop();
    }
    wait_for_link(WAN);
    wait_for_link(LAN);
    if (!strcmp(words[3], "paced")) {
        serve(&traffic, strtoul(words[4], NULL, 10));
        return 0;
    }
    measure(&traffic, atoi(words[3]), atoi(words[4]));
    fflush(stdout);
    pause();
    return 0;
}
