// SPDX-License-Identifier: EPL-2.0
/* Measures throughput: rows S1-1k, S1-512k, S1-3m and S1-30m.
 *
 * One forwarder between two peers and four instances of a VNF that keeps the
 * labels. Each connection has both of its entries, before and behind the
 * VNF. Four kinds of packets take turns, each of a random connection:
 *
 *   peer A -> VNF    (VXLAN in, forward)     VNF -> peer B  (VXLAN out)
 *   peer B -> VNF    (VXLAN in, return)      VNF -> peer A  (VXLAN out)
 *
 * A window is a number of packets that wait in the ring ports' receive
 * rings; what is timed is fwd_worker_poll() until they all are in the send
 * rings. Writing the packets, which is not timed, leaves them in the cache,
 * as a NIC that writes to the cache does. A sample is the median of many
 * windows, so an interrupted window does not count. Prints one JSON object,
 * from which bench/forwarder makes a measurement. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>

#include "control.h"

#define RING_SIZE 4096  /* Packets, a power of two. */
#define WINDOW 512      /* Packets of each kind and port. */
#define WINDOWS 400     /* For a sample. */
#define SAMPLES 5
#define N_BUFFERS 16383
#define N_INSTANCES 4
#define START_MS 1000000 /* The forwarder's clock at its start. */
#define ADDRESS(i) RTE_IPV4(192, 0, 2, i)

enum { WAN, LAN, N_PORTS };

struct bench {
    uint32_t n_flows;
    bool ipv6;
    uint64_t random; /* State of xorshift64. */
    struct rte_ring *in[N_PORTS];
    struct rte_ring *out[N_PORTS];
    struct fwd_control *control;
    uint64_t now_ms;
    uint64_t cycles; /* Timed so far; the forwarder's clock follows them. */
};

static const char document[] =
    "{\"sluice-forwarder:forwarder\": {\"name\": \"F\","
    "\"ports\": {\"port\": [{\"name\": \"wan\", \"device\": \"net_ring_wan\"},"
    "{\"name\": \"lan\", \"device\": \"net_ring_lan\"}]},"
    "\"underlay\": {\"port\": \"wan\", \"address\": \"192.0.2.1\"},"
    "\"flow-table\": {\"capacity\": %" PRIu64 "},"
    "\"peers\": {\"peer\": [{\"name\": \"A\", \"address\": \"192.0.2.2\","
    "\"mac-address\": \"02:00:00:00:00:0a\"}, {\"name\": \"B\","
    "\"address\": \"192.0.2.3\", \"mac-address\": \"02:00:00:00:00:0b\"}]},"
    "\"instances\": {\"instance\": [%s]},"
    "\"chains\": {\"chain\": [{\"chain-label\": 100, \"egress-label\": 203,"
    "\"stage\": [{\"number\": 1, \"service\": \"vnf\", \"instance\": [%s],"
    "\"previous-hop\": [{\"name\": \"A\", \"weight\": 1}]},"
    "{\"number\": 2, \"service\": \"exit\","
    "\"next-hop\": [{\"name\": \"B\", \"weight\": 1}]}]}]}}}";

static void
die(const char *reason)
{
    fprintf(stderr, "throughput: %s\n", reason);
    exit(1);
}

static uint64_t
mixed(uint64_t x)
{
    x = (x ^ x >> 33) * 0xff51afd7ed558ccdULL;
    x = (x ^ x >> 33) * 0xc4ceb9fe1a85ec53ULL;
    return x ^ x >> 33;
}

static uint32_t
random_flow(struct bench *bench)
{
    bench->random ^= bench->random << 13;
    bench->random ^= bench->random >> 7;
    bench->random ^= bench->random << 17;
    return (uint32_t) ((bench->random >> 32) * bench->n_flows >> 32);
}

/* Writes an IP packet of 46 bytes (48 of IPv6), which fills a frame of 64
 * bytes, of connection 'flow'; returns its size. */
static uint16_t
write_ip(const struct bench *bench, uint8_t *at, uint32_t flow, bool is_return)
{
    uint64_t hash = mixed(flow + 1);
    uint16_t size = bench->ipv6 ? 48 : 46, step = bench->ipv6 ? 16 : 4;
    uint8_t *address = at + (bench->ipv6 ? 8 : 12);
    uint8_t *ports = at + (bench->ipv6 ? 40 : 20);
    uint32_t source = rte_cpu_to_be_32(0x0a000000u + flow);
    uint32_t destination = (uint32_t) hash;

    memset(at, 0, size);
    if (bench->ipv6) {
        at[0] = 0x60;
        at[5] = 8;
        at[6] = 17;
    } else {
        at[0] = 0x45;
        at[3] = (uint8_t) size;
        at[8] = 64;
        at[9] = 17;
    }
    memcpy(address + (is_return ? step : 0) + step - 4, &source, 4);
    memcpy(address + (is_return ? 0 : step) + step - 4, &destination, 4);
    memcpy(ports + (is_return ? 2 : 0), (uint8_t *) &hash + 4, 2);
    memcpy(ports + (is_return ? 0 : 2), (uint8_t *) &hash + 6, 2);
    return size;
}

static uint8_t *
put32(uint8_t *at, uint32_t value)
{
    value = rte_cpu_to_be_32(value);
    memcpy(at, &value, sizeof value);
    return at + sizeof value;
}

static uint8_t *
write_labels(uint8_t *at)
{
    return put32(put32(at, 100u << 12 | 64), 203u << 12 | 0x100 | 64);
}

/* Writes what a peer sends on 'stage'. */
static uint16_t
write_tunnelled(const struct bench *bench, uint8_t *data, uint32_t flow,
                uint32_t stage, bool is_return)
{
    uint8_t *at = data;

    memset(at, 0, 64);
    at[12] = 8;
    at[14] = 0x45;
    at[22] = 64;
    at[23] = 17;
    put32(at + 26, ADDRESS(is_return ? 3 : 2));
    put32(at + 30, ADDRESS(1));
    put32(at + 34, 0xc00012b5);
    put32(at + 42, 0x08000000);
    put32(at + 46, (stage * 2 + is_return) << 8);
    at[62] = 0x88;
    at[63] = 0x47;
    at = write_labels(at + 64);
    return (uint16_t) (at - data + write_ip(bench, at, flow, is_return));
}

/* Writes what the VNF sends: forward packets from its egress side. */
static uint16_t
write_from_vnf(const struct bench *bench, uint8_t *data, uint32_t flow,
               uint32_t instance, bool is_return)
{
    uint8_t *at = data;

    memset(at, 0, 12);
    put32(at + 12, 0x81000000u | (10 + 2 * instance + !is_return));
    at[16] = 0x88;
    at[17] = 0x47;
    at = write_labels(at + 18);
    return (uint16_t) (at - data + write_ip(bench, at, flow, is_return));
}

/* The instance of a connection, the same for its whole life. */
static uint32_t
instance_of(uint32_t flow)
{
    return flow % N_INSTANCES;
}

/* Pins both entries of every connection. */
static void
fill(struct bench *bench)
{
    struct fwd_worker *worker = bench->control->worker;
    const struct fwd_names *hops = &bench->control->numbers.hops;
    uint16_t a = (uint16_t) fwd_names_find(hops, "peer/A");
    uint16_t b = (uint16_t) fwd_names_find(hops, "peer/B");

    for (uint32_t flow = 0; flow < bench->n_flows; flow++) {
        uint8_t ip[64];
        char name[16];
        struct fwd_tuple tuple;
        uint16_t vnf, size = write_ip(bench, ip, flow, false);

        snprintf(name, sizeof name, "instance/v%u", instance_of(flow));
        vnf = (uint16_t) fwd_names_find(hops, name);
        fwd_read_tuple(ip, size, size, &tuple);
        for (uint8_t stage = 1; stage <= 2; stage++) {
            struct fwd_key key;
            struct fwd_flow *entry;

            fwd_tuple_key(&tuple, fwd_key_place(100, 203, stage),
                          FWD_FORWARD, &key);
            entry = fwd_table_insert(
                worker->table, &key, fwd_key_hash(&key, worker->table->seed),
                stage == 1 ? vnf : b, stage == 1 ? a : vnf,
                (uint32_t) (bench->now_ms / 1000));
            if (!entry) {
                die("the flow table is full");
            }
        }
    }
}

static void
send_in(struct bench *bench, int port, uint32_t flow, bool is_return)
{
    struct rte_mbuf *packet = rte_pktmbuf_alloc(bench->control->pool);
    uint8_t *data;
    uint16_t size;

    if (!packet) {
        die("no packet buffers left");
    }
    data = rte_pktmbuf_mtod(packet, uint8_t *);
    size = port == WAN
               ? write_tunnelled(bench, data, flow, is_return ? 2 : 1,
                                 is_return)
               : write_from_vnf(bench, data, flow, instance_of(flow),
                                is_return);
    packet->data_len = size;
    packet->pkt_len = size;
    rte_ring_enqueue(bench->in[port], packet);
}

static void
drain(struct rte_ring *ring)
{
    void *packets[FWD_BURST];
    uint32_t n;

    while ((n = rte_ring_dequeue_burst(ring, packets, FWD_BURST, NULL))) {
        rte_pktmbuf_free_bulk((struct rte_mbuf **) packets, n);
    }
}

/* Returns the TSC cycles in which one window is forwarded. */
static uint64_t
time_window(struct bench *bench)
{
    uint64_t begin, end;
    uint32_t left = 4 * WINDOW;

    for (int i = 0; i < 2 * WINDOW; i++) {
        send_in(bench, WAN, random_flow(bench), i & 1);
        send_in(bench, LAN, random_flow(bench), i & 1);
    }
    begin = rte_rdtsc_precise();
    while (left) {
        left -= fwd_worker_poll(bench->control->worker, bench->now_ms);
    }
    end = rte_rdtsc_precise();
    bench->cycles += end - begin;
    bench->now_ms = START_MS + bench->cycles / (rte_get_tsc_hz() / 1000);
    if (rte_ring_count(bench->out[WAN]) != 2 * WINDOW
        || rte_ring_count(bench->out[LAN]) != 2 * WINDOW) {
        die("packets were dropped");
    }
    drain(bench->out[WAN]);
    drain(bench->out[LAN]);
    return end - begin;
}

static int
compare(const void *a, const void *b)
{
    const uint64_t *x = a, *y = b;

    return *x < *y ? -1 : *x > *y;
}

/* Returns millions of packets a second. */
static double
sample(struct bench *bench)
{
    uint64_t cycles[WINDOWS];

    for (int i = 0; i < WINDOWS; i++) {
        cycles[i] = time_window(bench);
    }
    qsort(cycles, WINDOWS, sizeof *cycles, compare);
    return 4.0 * WINDOW * (double) rte_get_tsc_hz()
           / (double) cycles[WINDOWS / 2] / 1e6;
}

static void
make_rings(struct bench *bench)
{
    static const char *const names[] = {"wan", "lan"};

    for (int i = 0; i < N_PORTS; i++) {
        char name[16];

        snprintf(name, sizeof name, "%s-in", names[i]);
        bench->in[i] = rte_ring_create(name, RING_SIZE, SOCKET_ID_ANY,
                                       RING_F_SP_ENQ | RING_F_SC_DEQ);
        snprintf(name, sizeof name, "%s-out", names[i]);
        bench->out[i] = rte_ring_create(name, RING_SIZE, SOCKET_ID_ANY,
                                        RING_F_SP_ENQ | RING_F_SC_DEQ);
        if (rte_eth_from_rings(names[i], &bench->in[i], 1, &bench->out[i], 1,
                               0) < 0) {
            die("no ring ports");
        }
    }
}

static void
start(struct bench *bench)
{
    char text[8192], instances[2048], members[1024], reason[FWD_REASON_SIZE];
    uint64_t capacity = 2ULL * bench->n_flows * (bench->ipv6 ? 2 : 1);
    struct fwd_config config;
    struct ly_ctx *models;
    char *to = instances, *member = members;

    for (int i = 0; i < N_INSTANCES; i++) {
        to += sprintf(to, "%s{\"name\": \"v%d\", \"service\": \"vnf\","
                      "\"ingress-side\": {\"port\": \"lan\", \"vlan\": %d,"
                      "\"mac-address\": \"02:00:00:00:01:00\"},"
                      "\"egress-side\": {\"port\": \"lan\", \"vlan\": %d,"
                      "\"mac-address\": \"02:00:00:00:01:01\"}}",
                      i ? "," : "", i, 10 + 2 * i, 11 + 2 * i);
        member += sprintf(member, "%s{\"name\": \"v%d\", \"weight\": 1}",
                          i ? "," : "", i);
    }
    snprintf(text, sizeof text, document, capacity < 64 ? 64 : capacity,
             instances, members);
    make_rings(bench);
    if (fwd_models_load(FWD_MODELS, &models)) {
        die("no models");
    }
    if (fwd_config_parse(models, text, &config, reason)
        || fwd_control_create(&config, N_BUFFERS, bench->now_ms,
                              &bench->control, reason)) {
        die(reason);
    }
}

static void
report(const struct bench *bench, const double samples[SAMPLES])
{
    printf("{\"samples\": [");
    for (int i = 0; i < SAMPLES; i++) {
        printf("%s%.3f", i ? ", " : "", samples[i]);
    }
    printf("], \"parameters\": {\"connections\": %u, \"entries\": %u, "
           "\"ip\": %d, \"inner frame bytes\": 64, \"burst\": %d, "
           "\"window packets\": %d, \"windows per sample\": %d, "
           "\"instances\": %d, \"cores\": 1, \"huge pages\": %s, "
           "\"timed\": \"ring receive, parse, flow table, counters, "
           "rewrite, ring send\", \"packets\": \"VXLAN in or out, a quarter "
           "each of both directions and sides of a VNF that keeps labels\", "
           "\"seed\": 1}}\n",
           bench->n_flows, 2 * bench->n_flows, bench->ipv6 ? 6 : 4, FWD_BURST,
           4 * WINDOW, WINDOWS, N_INSTANCES,
           bench->control->worker->table->huge ? "true" : "false");
}

int
main(int argc, char *argv[])
{
    int n = rte_eal_init(argc, argv);
    struct bench bench = {.random = 0x9e3779b97f4a7c15ULL, .now_ms = START_MS};
    double samples[SAMPLES];

    if (n < 0 || argc - n < 3) {
        die("usage: throughput DPDK'S-OPTIONS -- CONNECTIONS 4|6");
    }
    bench.n_flows = (uint32_t) strtoul(argv[n + 1], NULL, 10);
    bench.ipv6 = argv[n + 2][0] == '6';
    start(&bench);
    fill(&bench);
    sample(&bench);
    for (int i = 0; i < SAMPLES; i++) {
        samples[i] = sample(&bench);
    }
    report(&bench, samples);
    return 0;
}
