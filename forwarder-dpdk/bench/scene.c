// SPDX-License-Identifier: EPL-2.0
#include "scene.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_eth_ring.h>
#include <rte_ethdev.h>

#include "packets.h"

#define N_BUFFERS 16383
#define TEXT_SIZE 16384 /* Of a document. */
#define CHAIN 100
#define EGRESS 203

static const char document[] =
    "{\"sluice-forwarder:forwarder\": {\"name\": \"F\","
    "\"ports\": {\"port\": [{\"name\": \"wan\", \"device\": \"net_ring_wan\"},"
    "{\"name\": \"lan\", \"device\": \"net_ring_lan\"}]},"
    "\"underlay\": {\"port\": \"wan\", \"address\": \"192.0.2.1\"},"
    "\"flow-table\": {\"capacity\": %" PRIu64 "},"
    "\"peers\": {\"peer\": [{\"name\": \"A\", \"address\": \"192.0.2.2\","
    "\"mac-address\": \"02:00:00:00:00:0a\"}, {\"name\": \"B\","
    "\"address\": \"192.0.2.3\", \"mac-address\": \"02:00:00:00:00:0b\","
    "\"replica\": %s}]},"
    "\"instances\": {\"instance\": [%s]},"
    "\"chains\": {\"chain\": [{\"chain-label\": 100, \"egress-label\": 203,"
    "\"stateful\": false,"
    "\"stage\": [{\"number\": 1, \"service\": \"vnf\", \"instance\": [%s],"
    "\"previous-hop\": [{\"name\": \"A\", \"weight\": 1}]},"
    "{\"number\": 2, \"service\": \"exit\","
    "\"next-hop\": [{\"name\": \"B\", \"weight\": 1}]}]}]}}}";

void
scene_die(const char *reason)
{
    fprintf(stderr, "forwarder's benchmark: %s\n", reason);
    exit(1);
}

uint32_t
scene_random(struct scene *scene, uint32_t n)
{
    return bench_random(&scene->random, n);
}

uint32_t
scene_instance(const struct scene *scene, uint32_t connection)
{
    return connection % scene->n_instances;
}

void
scene_write(const struct scene *scene, struct rte_mbuf *packet, int port,
            uint32_t connection, uint32_t instance, bool is_return)
{
    uint8_t *data = rte_pktmbuf_mtod(packet, uint8_t *);
    uint16_t size
        = port == SCENE_WAN
              ? bench_write_tunnelled(data, connection, is_return ? 2 : 1,
                                      is_return, scene->ipv6)
              : bench_write_from_vnf(data, connection, instance, is_return,
                                     scene->ipv6);

    packet->data_len = size;
    packet->pkt_len = size;
}

void
scene_send(struct scene *scene, int port, uint32_t connection,
           uint32_t instance, bool is_return)
{
    struct rte_mbuf *packet = rte_pktmbuf_alloc(scene->control->pool);

    if (!packet) {
        scene_die("no packet buffers left");
    }
    scene_write(scene, packet, port, connection, instance, is_return);
    rte_ring_enqueue(scene->in[port], packet);
}

uint32_t
scene_receiver(const struct rte_mbuf *packet)
{
    const uint8_t *data = rte_pktmbuf_mtod(packet, const uint8_t *);
    uint32_t vlan = (data[14] & 0x0fu) << 8 | data[15];

    return (vlan - BENCH_FIRST_VLAN) / 2;
}

uint32_t
scene_drain(struct scene *scene, int port)
{
    void *packets[FWD_BURST];
    uint32_t n, total = 0;

    while ((n = rte_ring_dequeue_burst(scene->out[port], packets, FWD_BURST,
                                       NULL))) {
        rte_pktmbuf_free_bulk((struct rte_mbuf **) packets, n);
        total += n;
    }
    return total;
}

void
scene_connect(struct scene *scene, uint32_t n)
{
    struct fwd_table *table = scene_worker(scene)->table;
    const struct fwd_names *hops = &scene->control->numbers.hops;
    uint16_t a = (uint16_t) fwd_names_find(hops, "peer/A");
    uint16_t b = (uint16_t) fwd_names_find(hops, "peer/B");
    uint16_t vnfs[SCENE_MAX_INSTANCES];

    for (uint32_t i = 0; i < scene->n_instances; i++) {
        char name[16];

        snprintf(name, sizeof name, "instance/v%u", i);
        vnfs[i] = (uint16_t) fwd_names_find(hops, name);
    }
    for (uint32_t connection = 0; connection < n; connection++) {
        uint16_t vnf = vnfs[scene_instance(scene, connection)];
        uint8_t ip[64];
        struct fwd_tuple tuple;
        uint16_t size = bench_write_ip(ip, connection, false, scene->ipv6);

        fwd_read_tuple(ip, size, size, &tuple);
        for (uint8_t stage = 1; stage <= 2; stage++) {
            struct fwd_key key;

            fwd_tuple_key(&tuple, fwd_key_place(CHAIN, EGRESS, stage),
                          FWD_FORWARD, &key);
            if (!fwd_table_insert(table, &key,
                                  fwd_key_hash(&key, table->seed),
                                  stage == 1 ? vnf : b, stage == 1 ? a : vnf,
                                  SCENE_START_MS / 1000)) {
                scene_die("the flow table is full");
            }
        }
    }
}

/* Makes the document of these weights. */
static void
parse(struct scene *scene, uint64_t capacity, const uint32_t *weights,
      struct fwd_config *config)
{
    char text[TEXT_SIZE], instances[TEXT_SIZE / 2], members[TEXT_SIZE / 8];
    char reason[FWD_REASON_SIZE];
    char *to = instances, *member = members;

    for (uint32_t i = 0; i < scene->n_instances; i++) {
        to += sprintf(to, "%s{\"name\": \"v%u\", \"service\": \"vnf\","
                      "\"ingress-side\": {\"port\": \"lan\", \"vlan\": %u,"
                      "\"mac-address\": \"02:00:00:00:01:00\"},"
                      "\"egress-side\": {\"port\": \"lan\", \"vlan\": %u,"
                      "\"mac-address\": \"02:00:00:00:01:01\"}}",
                      i ? "," : "", i, BENCH_FIRST_VLAN + 2 * i,
                      BENCH_FIRST_VLAN + 1 + 2 * i);
        member += sprintf(member, "%s{\"name\": \"v%u\", \"weight\": %u}",
                          i ? "," : "", i, weights[i]);
    }
    snprintf(text, sizeof text, document, capacity,
             scene->is_replicated ? "true" : "false", instances, members);
    if (fwd_config_parse(scene->models, text, config, reason)) {
        scene_die(reason);
    }
}

static void
make_rings(struct scene *scene)
{
    static const char *const names[] = {"wan", "lan"};

    for (int i = 0; i < SCENE_PORTS; i++) {
        char name[16];

        snprintf(name, sizeof name, "%s-in", names[i]);
        scene->in[i] = rte_ring_create(name, SCENE_RING_SIZE, SOCKET_ID_ANY,
                                       RING_F_SP_ENQ | RING_F_SC_DEQ);
        snprintf(name, sizeof name, "%s-out", names[i]);
        scene->out[i] = rte_ring_create(name, SCENE_RING_SIZE, SOCKET_ID_ANY,
                                        RING_F_SP_ENQ | RING_F_SC_DEQ);
        if (rte_eth_from_rings(names[i], &scene->in[i], 1, &scene->out[i], 1,
                               0) < 0) {
            scene_die("no ring ports");
        }
    }
}

void
scene_start(struct scene *scene, uint32_t n_connections, bool ipv6,
            bool is_replicated, const uint32_t *weights, uint32_t n_instances)
{
    uint64_t capacity = 2ULL * n_connections * (ipv6 ? 2 : 1);
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;

    *scene = (struct scene) {
        .ipv6 = ipv6,
        .is_replicated = is_replicated,
        .n_instances = n_instances,
        .random = 0x9e3779b97f4a7c15ULL,
    };
    make_rings(scene);
    if (fwd_models_load(FWD_MODELS, &scene->models)) {
        scene_die("no models");
    }
    parse(scene, capacity, weights, &config);
    if (fwd_control_create(&config, 1, N_BUFFERS, SCENE_START_MS,
                           &scene->control, reason)) {
        scene_die(reason);
    }
    fwd_config_destroy(&config);
}

void
scene_weigh(struct scene *scene, const uint32_t *weights)
{
    struct rte_rcu_qsbr *rcu = scene->control->crew->rcu;
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;

    parse(scene, fwd_crew_use(scene->control->crew).capacity, weights,
          &config);
    rte_rcu_qsbr_thread_offline(rcu, 0);
    if (fwd_control_apply(scene->control, &config, reason)) {
        scene_die(reason);
    }
    rte_rcu_qsbr_thread_online(rcu, 0);
    fwd_config_destroy(&config);
}
