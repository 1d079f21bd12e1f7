// SPDX-License-Identifier: EPL-2.0
#include "lcores.h"

#include <rte_cycles.h>
#include <rte_launch.h>
#include <rte_lcore.h>

static uint64_t ahead_ms;         /* Of the clock, before DPDK's timer; of
                                   * one that is behind modulo 2^64. */
static atomic_bool is_stopping;   /* Tells the lcores to return. */

uint64_t
fwd_clock_ms(void)
{
    return ahead_ms + rte_get_timer_cycles() / (rte_get_timer_hz() / 1000);
}

void
fwd_clock_set(uint64_t now_ms)
{
    ahead_ms += now_ms - fwd_clock_ms();
}

void
fwd_clock_catch_up(uint64_t now_ms)
{
    uint64_t here_ms = fwd_clock_ms();

    ahead_ms += now_ms > here_ms ? now_ms - here_ms : 0;
}

static int
run_worker(void *argument)
{
    struct fwd_worker *worker = argument;
    struct rte_rcu_qsbr *rcu = worker->crew->rcu;

    rte_rcu_qsbr_thread_online(rcu, worker->number);
    while (!atomic_load_explicit(&is_stopping, memory_order_relaxed)) {
        fwd_worker_poll(worker, fwd_clock_ms());
    }
    rte_rcu_qsbr_thread_offline(rcu, worker->number);
    return 0;
}

void
fwd_lcores_start(struct fwd_crew *crew)
{
    unsigned int lcore = rte_get_next_lcore(-1, 1, 0);

    atomic_store(&is_stopping, false);
    for (uint16_t i = 0; i < crew->n_workers; i++) {
        rte_eal_remote_launch(run_worker, crew->workers[i], lcore);
        lcore = rte_get_next_lcore(lcore, 1, 0);
    }
}

void
fwd_lcores_stop(struct fwd_crew *crew)
{
    atomic_store(&is_stopping, true);
    rte_eal_mp_wait_lcore();
    fwd_crew_drain(crew, fwd_clock_ms());
}
