// SPDX-License-Identifier: EPL-2.0
#include "stretch.h"

#include <inttypes.h>
#include <stdio.h>

#include <rte_cycles.h>

#define PACED_BURST 16 /* Packets. */
#define NAP_US 20      /* Between two looks. */
#define LEFT_MS 100    /* What has not come for as long is lost. */

/* All in TSC cycles. */
struct silence {
    uint64_t since;
    uint64_t longest;
};

struct watch {
    struct silence ports[N_PORTS];
    struct silence program; /* In which it does not look. */
};

static void
interrupt(struct silence *silence, uint64_t now)
{
    silence->longest = RTE_MAX(silence->longest, now - silence->since);
    silence->since = now;
}

/* Receives what there is. */
static void
look(struct bench_load *load, struct watch *watch, uint64_t now)
{
    interrupt(&watch->program, now);
    for (uint16_t port = 0; port < N_PORTS; port++) {
        if (bench_receive(load, port)) {
            interrupt(&watch->ports[port], now);
        }
    }
}

/* Sends and receives until 'end'. */
static void
flow_until(struct bench_load *load, struct watch *watch, uint64_t rate,
           uint64_t end)
{
    uint64_t step = PACED_BURST * rte_get_tsc_hz() / rate;
    uint64_t now = rte_rdtsc(), due = now;

    while (now < end) {
        look(load, watch, now);
        if (now >= due) {
            bench_send_random(load, bench_next_kind(load), PACED_BURST);
            due = RTE_MAX(due + step, now);
        } else {
            rte_delay_us_sleep(NAP_US);
        }
        now = rte_rdtsc();
    }
    interrupt(&watch->ports[WAN], now);
    interrupt(&watch->ports[LAN], now);
}

/* Receives what is under way. */
static void
drain(struct bench_load *load)
{
    uint64_t patience = LEFT_MS * rte_get_tsc_hz() / MS_PER_S;
    uint64_t last = rte_rdtsc();

    while (rte_rdtsc() - last < patience) {
        if (bench_receive(load, WAN) + bench_receive(load, LAN)) {
            last = rte_rdtsc();
        } else {
            rte_delay_us_sleep(NAP_US);
        }
    }
}

static double
in_ms(uint64_t cycles)
{
    return (double) cycles * MS_PER_S / (double) rte_get_tsc_hz();
}

void
bench_stretch(struct bench_load *load, uint64_t rate, double seconds)
{
    uint64_t begin = rte_rdtsc();
    uint64_t length = (uint64_t) (seconds * (double) rte_get_tsc_hz());
    struct bench_load before = *load;
    struct silence start = {.since = begin};
    struct watch watch = {{start, start}, start};
    uint64_t n_sent;

    flow_until(load, &watch, rate, begin + length);
    seconds = in_ms(rte_rdtsc() - begin) / MS_PER_S;
    drain(load);
    n_sent = load->n_sent - before.n_sent;
    printf("{\"seconds\": %.3f, \"sent\": %" PRIu64 ", \"lost\": %" PRIu64
           ", \"strayed\": %" PRIu64 ", \"moved\": %" PRIu64
           ", \"silence_ms\": {\"wan\": %.3f, \"lan\": %.3f}"
           ", \"unwatched_ms\": %.3f}\n",
           seconds, n_sent, n_sent - (load->n_received - before.n_received),
           load->n_strayed - before.n_strayed, load->n_moved - before.n_moved,
           in_ms(watch.ports[WAN].longest), in_ms(watch.ports[LAN].longest),
           in_ms(watch.program.longest));
}
