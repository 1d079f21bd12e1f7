// SPDX-License-Identifier: EPL-2.0
#include "rings.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <rte_eal.h>
#include <rte_eth_ring.h>
#include <rte_ethdev.h>

#include "upgrade.h"

#define N_BUFFERS 2047
#define RING_SIZE 64
#define HOPS MAX_LCORES /* Polls: a packet's who gets it, keeper and owner;
                         * of replicas all. */

/* Makes port 'i', whose name begins with 'prefix'. */
static int
make_port(struct rings *rings, const char *prefix, int i)
{
    char name[32];
    int id;

    for (int queue = 0; queue < MAX_LCORES; queue++) {
        snprintf(name, sizeof name, "%sin%d-%d", prefix, i, queue);
        rings->in[i][queue] = rte_ring_create(name, RING_SIZE, SOCKET_ID_ANY,
                                              0);
        snprintf(name, sizeof name, "%sout%d-%d", prefix, i, queue);
        rings->out[i][queue] = rte_ring_create(name, RING_SIZE,
                                               SOCKET_ID_ANY, 0);
    }
    snprintf(name, sizeof name, "%sport%d", prefix, i);
    id = rte_eth_from_rings(name, rings->in[i], MAX_LCORES, rings->out[i],
                            MAX_LCORES, 0);
    return id < 0 || rte_eth_dev_get_name_by_port((uint16_t) id,
                                                  rings->devices[i]);
}

static int
make_rings(struct rings *rings, const char *prefix)
{
    rings->now_ms = 1000000;
    rings->n_workers = 1;
    rings->n_buffers = N_BUFFERS;
    return make_port(rings, prefix, WAN) || make_port(rings, prefix, LAN);
}

int
rings_init(struct rings *rings)
{
    char *arguments[] = {
        "test", "--no-huge", "--no-shconf", "--no-pci", "--no-telemetry",
        "-m", "128", "-l", "0", "--log-level=error",
    };

    memset(rings, 0, sizeof *rings);
    if (rte_eal_init(sizeof arguments / sizeof *arguments, arguments) < 0
        || fwd_models_load(FWD_MODELS, &rings->models)) {
        return -1;
    }
    return make_rings(rings, "");
}

int
rings_init_other(struct rings *rings, const struct rings *first)
{
    *rings = (struct rings) {.models = first->models};
    return make_rings(rings, "other-");
}

/* Reads a document, in which %0 and %1 stand for the rings' devices. */
static int
parse(struct rings *rings, const char *text, struct fwd_config *config,
      char reason[FWD_REASON_SIZE])
{
    char *copy = malloc(strlen(text) + 2 * sizeof rings->devices[0]);
    char *to = copy;
    int error;

    while (*text) {
        if (text[0] == '%' && (text[1] == '0' || text[1] == '1')) {
            to = stpcpy(to, rings->devices[text[1] - '0']);
            text += 2;
        } else {
            *to++ = *text++;
        }
    }
    *to = '\0';
    error = fwd_config_parse(rings->models, copy, config, reason);
    free(copy);
    return error;
}

int
rings_try(struct rings *rings, const char *text,
          char reason[FWD_REASON_SIZE])
{
    struct fwd_config config;
    int error;

    rings_stop(rings);
    error = parse(rings, text, &config, reason);
    if (!error) {
        error = fwd_control_create(&config, rings->n_workers,
                                   rings->n_buffers, rings->now_ms,
                                   &rings->control, reason);
        fwd_config_destroy(&config);
    }
    return error;
}

void
rings_start(struct rings *rings, const char *text)
{
    char reason[FWD_REASON_SIZE];

    if (rings_try(rings, text, reason)) {
        fail_msg("%s", reason);
    }
}

int
rings_apply(struct rings *rings, const char *text,
            char reason[FWD_REASON_SIZE])
{
    struct fwd_config config;
    int error = parse(rings, text, &config, reason);

    if (!error) {
        error = fwd_control_apply(rings->control, &config, reason);
        fwd_config_destroy(&config);
    }
    return error;
}

/* Starts what 'estate' leaves, in whose document all stays as it is. */
static int
inherit(struct rings *rings, struct fwd_estate *estate, char *document,
        char reason[FWD_REASON_SIZE])
{
    struct fwd_config config;
    int error = fwd_config_parse(rings->models, document, &config, reason);

    if (error) {
        return error;
    }
    error = fwd_upgrade_inherit(estate, rings->models, &config,
                                rings->n_workers, rings->n_buffers,
                                rings->now_ms, &rings->control, reason);
    fwd_config_destroy(&config);
    if (!error) {
        error = fwd_control_open(rings->control, true, reason);
    }
    return error ? error
                 : fwd_control_renew(rings->control, rings->models, reason);
}

void
rings_upgrade(struct rings *rings)
{
    char *document = strdup(rings->control->document);
    char reason[FWD_REASON_SIZE];
    struct fwd_estate estate;

    assert_int_equal(fwd_upgrade_leave(rings->control, rings->now_ms,
                                       &estate), 0);
    rings_stop(rings);
    if (inherit(rings, &estate, document, reason)) {
        fail_msg("%s", reason);
    }
    fwd_estate_close(&estate);
    free(document);
}

void
rings_stop(struct rings *rings)
{
    if (rings->control) {
        fwd_crew_destroy(rings->control->crew);
        fwd_neighbours_destroy(rings->control->neighbours);
        fwd_exchange_destroy(&rings->control->exchange);
        for (int i = 0; i < N_RINGS; i++) {
            rte_eth_dev_stop(rings->control->ports[i].id);
        }
        rte_mempool_free(rings->control->pool);
        fwd_numbers_destroy(&rings->control->numbers);
        free(rings->control->document);
        free(rings->control);
        rings->control = NULL;
    }
}

struct fwd_worker *
rings_worker(const struct rings *rings)
{
    return rings->control->crew->workers[0];
}

void
rings_inject(struct rings *rings, int port, int queue,
             const struct wire *wire)
{
    struct rte_mbuf *packet = rte_pktmbuf_alloc(rings->control->pool);

    assert_non_null(packet);
    memcpy(rte_pktmbuf_append(packet, wire->size), wire->data, wire->size);
    assert_int_equal(rte_ring_enqueue(rings->in[port][queue], packet), 0);
}

void
rings_poll_one(struct rings *rings, uint16_t i)
{
    struct fwd_crew *crew = rings->control->crew;

    rte_rcu_qsbr_thread_online(crew->rcu, i);
    fwd_worker_poll(crew->workers[i], rings->now_ms);
    rte_rcu_qsbr_thread_offline(crew->rcu, i);
}

void
rings_poll(struct rings *rings)
{
    uint16_t n = rings->control->crew->n_workers;

    for (int round = 0; round < (n > 1 ? HOPS : 1); round++) {
        uint16_t order[MAX_LCORES] = {0};

        for (uint16_t i = 1; i < n; i++) {
            uint16_t at = (uint16_t) (random() % (i + 1));

            order[i] = order[at];
            order[at] = i;
        }
        for (uint16_t i = 0; i < n; i++) {
            rings_poll_one(rings, order[i]);
        }
    }
}

void
rings_tick(struct rings *rings)
{
    fwd_neighbours_tick(rings->control->neighbours, rings->now_ms);
    while (!rte_ring_empty(rings->control->exchange.made)) {
        rings_poll(rings);
    }
}

static void
take(struct rte_mbuf *packet, struct fate *fate)
{
    fate->wire.size = (uint16_t) rte_pktmbuf_pkt_len(packet);
    memcpy(fate->wire.data, rte_pktmbuf_mtod(packet, void *),
           fate->wire.size);
    rte_pktmbuf_free(packet);
}

bool
rings_take(struct rings *rings, struct fate *fate)
{
    fate->drop = FWD_DROP_NONE;
    for (fate->port = WAN; fate->port < N_RINGS; fate->port++) {
        for (int queue = 0; queue < MAX_LCORES; queue++) {
            void *packet;

            if (!rte_ring_dequeue(rings->out[fate->port][queue], &packet)) {
                take(packet, fate);
                return true;
            }
        }
    }
    return false;
}

struct fate
rings_pass(struct rings *rings, int port, const struct wire *wire)
{
    const struct fwd_crew *crew = rings->control->crew;
    const struct fwd_counters *first = crew->workers[0]->counters;
    uint64_t n_heard = fwd_crew_sum(crew, &first->n_heard);
    uint64_t drops[FWD_N_DROPS];
    struct fate fate;

    for (int i = 1; i < FWD_N_DROPS; i++) {
        drops[i] = fwd_crew_sum(crew, &first->drops[i]);
    }
    rings_inject(rings, port, (int) random() % crew->n_workers, wire);
    rings_poll(rings);
    if (rings_take(rings, &fate)) {
        return fate;
    }
    if (fwd_crew_sum(crew, &first->n_heard) != n_heard) {
        fate.drop = FWD_DROP_NEIGHBOUR;
    }
    for (int i = 1; i < FWD_N_DROPS; i++) {
        if (fwd_crew_sum(crew, &first->drops[i]) != drops[i]) {
            fate.drop = i;
        }
    }
    assert_int_not_equal(fate.drop, FWD_DROP_NONE);
    return fate;
}

struct poller {
    struct rings *rings;
    atomic_bool is_over;
};

static void *
poll_workers(void *argument)
{
    struct poller *poller = argument;

    while (!atomic_load(&poller->is_over)) {
        for (uint16_t i = 0; i < poller->rings->n_workers; i++) {
            rings_poll_one(poller->rings, i);
        }
    }
    return NULL;
}

void
rings_trace(struct rings *rings, struct fwd_trace *trace)
{
    struct poller poller = {.rings = rings};
    char reason[FWD_REASON_SIZE];
    pthread_t lcores;
    int error;

    assert_int_equal(pthread_create(&lcores, NULL, poll_workers, &poller), 0);
    error = fwd_trace_run(rings->control, trace, reason);
    atomic_store(&poller.is_over, true);
    pthread_join(lcores, NULL);
    if (error) {
        fail_msg("%s", reason);
    }
}
