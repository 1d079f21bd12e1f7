// SPDX-License-Identifier: EPL-2.0
#include "rings.h"

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

#define N_BUFFERS 2047
#define RING_SIZE 64

static int
make_port(struct rings *rings, int i)
{
    char name[32];
    int id;

    snprintf(name, sizeof name, "in%d", i);
    rings->in[i] = rte_ring_create(name, RING_SIZE, SOCKET_ID_ANY, 0);
    snprintf(name, sizeof name, "out%d", i);
    rings->out[i] = rte_ring_create(name, RING_SIZE, SOCKET_ID_ANY, 0);
    snprintf(name, sizeof name, "port%d", i);
    id = rte_eth_from_rings(name, &rings->in[i], 1, &rings->out[i], 1, 0);
    return id < 0 || rte_eth_dev_get_name_by_port((uint16_t) id,
                                                  rings->devices[i]);
}

int
rings_init(struct rings *rings)
{
    char *arguments[] = {
        "test", "--no-huge", "--no-shconf", "--no-pci", "--no-telemetry",
        "-m", "128", "-l", "0", "--log-level=error",
    };

    memset(rings, 0, sizeof *rings);
    rings->now_ms = 1000000;
    if (rte_eal_init(sizeof arguments / sizeof *arguments, arguments) < 0
        || fwd_models_load(FWD_MODELS, &rings->models)) {
        return -1;
    }
    return make_port(rings, WAN) || make_port(rings, LAN);
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
        if (*text == '%') {
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

void
rings_start(struct rings *rings, const char *text)
{
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;

    rings_stop(rings);
    if (parse(rings, text, &config, reason)
        || fwd_control_create(&config, N_BUFFERS, rings->now_ms,
                              &rings->control, reason)) {
        fail_msg("%s", reason);
    }
    fwd_config_destroy(&config);
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

void
rings_stop(struct rings *rings)
{
    if (rings->control) {
        fwd_worker_destroy(rings->control->worker);
        for (int i = 0; i < N_RINGS; i++) {
            rte_eth_dev_stop(rings->control->ports[i].id);
        }
        rte_mempool_free(rings->control->pool);
        fwd_numbers_destroy(&rings->control->numbers);
        free(rings->control);
        rings->control = NULL;
    }
}

static void
inject(struct rings *rings, int port, const struct wire *wire)
{
    struct rte_mbuf *packet = rte_pktmbuf_alloc(rings->control->pool);

    assert_non_null(packet);
    memcpy(rte_pktmbuf_append(packet, wire->size), wire->data, wire->size);
    assert_int_equal(rte_ring_enqueue(rings->in[port], packet), 0);
}

static void
take(struct rte_mbuf *packet, struct fate *fate)
{
    fate->wire.size = (uint16_t) rte_pktmbuf_pkt_len(packet);
    memcpy(fate->wire.data, rte_pktmbuf_mtod(packet, void *),
           fate->wire.size);
    rte_pktmbuf_free(packet);
}

void
rings_poll(struct rings *rings)
{
    struct fwd_worker *worker = rings->control->worker;

    rte_rcu_qsbr_thread_online(worker->rcu, 0);
    fwd_worker_poll(worker, rings->now_ms);
    rte_rcu_qsbr_thread_offline(worker->rcu, 0);
}

struct fate
rings_pass(struct rings *rings, int port, const struct wire *wire)
{
    struct fwd_counters *counters = rings->control->worker->counters;
    uint64_t drops[FWD_N_DROPS];
    struct fate fate = {.drop = FWD_DROP_NONE};
    void *packet;

    memcpy(drops, counters->drops, sizeof drops);
    inject(rings, port, wire);
    rings_poll(rings);
    for (fate.port = WAN; fate.port < N_RINGS; fate.port++) {
        if (!rte_ring_dequeue(rings->out[fate.port], &packet)) {
            take(packet, &fate);
            return fate;
        }
    }
    for (int i = 1; i < FWD_N_DROPS; i++) {
        if (counters->drops[i] != drops[i]) {
            fate.drop = i;
        }
    }
    assert_int_not_equal(fate.drop, FWD_DROP_NONE);
    return fate;
}
