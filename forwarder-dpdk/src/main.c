// SPDX-License-Identifier: EPL-2.0
/* The program: options, DPDK's start, one lcore that forwards, and a control
 * thread that waits for signals and serves the bus. */
#include <errno.h>
#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <rte_cycles.h>
#include <rte_eal.h>
#include <rte_launch.h>
#include <rte_lcore.h>

#include "control.h"
#include "remote.h"
#include "telemetry.h"

#define N_BUFFERS 16383 /* Packet buffers. */

static const char help[] =
    "sluice-forwarder: labels, balances and pins the connections of service\n"
    "chains.\n"
    "\n"
    "  sluice-forwarder [DPDK's options --] --config FILE [options]\n"
    "\n"
    "  -c, --config FILE    configuration, see sluice-forwarder.json\n"
    "  -m, --models FOLDER  where sluice-forwarder.yang is\n"
    "                       (" FWD_MODELS ")\n"
    "  -t, --check          check the configuration, devices apart, and "
    "leave\n"
    "  -h, --help           this text\n"
    "\n"
    "DPDK needs two lcores, for instance -l 0,1: the first one waits for\n"
    "signals, the second one forwards. Without huge pages add --no-huge -m "
    "512;\n"
    "see https://doc.dpdk.org for all of its options.\n"
    "\n"
    "Signals: SIGHUP reads the configuration again; a wrong one changes\n"
    "nothing. SIGTERM and SIGINT end the program. With a bus in the\n"
    "configuration rules come over it, too; the latest are in force.\n"
    "Counters: dpdk-telemetry.py, commands /sluice/...\n"
    "Exit status: 0, or 1 with the reason on standard error.\n";

struct options {
    const char *config;
    const char *models;
    bool only_check;
};

static atomic_bool is_stopping; /* Tells the worker's lcore to return. */

static int
fail(const char *reason)
{
    fprintf(stderr, "sluice-forwarder: %s\n", reason);
    return 1;
}

static uint64_t
now_ms(void)
{
    return rte_get_timer_cycles() / (rte_get_timer_hz() / 1000);
}

static int
run_worker(void *argument)
{
    struct fwd_worker *worker = argument;

    rte_rcu_qsbr_thread_online(worker->rcu, 0);
    while (!atomic_load_explicit(&is_stopping, memory_order_relaxed)) {
        fwd_worker_poll(worker, now_ms());
    }
    rte_rcu_qsbr_thread_offline(worker->rcu, 0);
    return 0;
}

static void
reload(struct fwd_control *control, struct fwd_remote *remote,
       const struct ly_ctx *models, const char *path)
{
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;

    if (fwd_config_load(models, path, &config, reason)) {
        fail(reason);
        return;
    }
    if (fwd_control_apply(control, &config, reason)
        || fwd_remote_applied(remote, &config, reason)) {
        fail(reason);
    }
    fwd_config_destroy(&config);
}

/* The next signal that is in 'signals_fd'; serves the bus until then. */
static int
next_signal(struct fwd_remote *remote, int signals_fd)
{
    struct signalfd_siginfo info;

    fwd_remote_wait(remote, signals_fd);
    return read(signals_fd, &info, sizeof info) == sizeof info
           ? (int) info.ssi_signo : SIGTERM;
}

/* Forwards until a signal ends it. */
static void
forward_until_end(struct fwd_control *control, struct fwd_remote *remote,
                  const struct ly_ctx *models, const char *path,
                  int signals_fd)
{
    unsigned int lcore = rte_get_next_lcore(-1, 1, 0);

    if (fwd_telemetry_start(control)) {
        fail("counters can't be read: telemetry refused the commands");
    }
    rte_eal_remote_launch(run_worker, control->worker, lcore);
    while (next_signal(remote, signals_fd) == SIGHUP) {
        reload(control, remote, models, path);
    }
    atomic_store(&is_stopping, true);
    rte_eal_wait_lcore(lcore);
    fwd_telemetry_stop();
}

static int
forward(const struct ly_ctx *models, const struct fwd_config *config,
        const char *path, int signals_fd)
{
    char reason[FWD_REASON_SIZE];
    struct fwd_control *control;
    struct fwd_remote *remote;
    int status = 0;

    if (rte_get_next_lcore(-1, 1, 0) == RTE_MAX_LCORE) {
        return fail("no lcore to forward on; see --help");
    }
    if (fwd_control_create(config, N_BUFFERS, now_ms(), &control, reason)) {
        return fail(reason);
    }
    if (fwd_remote_create(control, models, config, &remote, reason)) {
        status = fail(reason);
    } else {
        forward_until_end(control, remote, models, path, signals_fd);
        fwd_remote_destroy(remote);
    }
    fwd_control_destroy(control);
    return status;
}

static int
check(const struct fwd_config *config)
{
    char reason[FWD_REASON_SIZE];

    return fwd_control_check(config, reason) ? fail(reason) : 0;
}

static int
run(const struct options *options, int signals_fd)
{
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;
    struct ly_ctx *models;
    int status;

    if (fwd_models_load(options->models, &models)) {
        return fail("no sluice-forwarder.yang; see --models");
    }
    if (fwd_config_load(models, options->config, &config, reason)) {
        ly_ctx_destroy(models);
        return fail(reason);
    }
    status = options->only_check
                 ? check(&config)
                 : forward(models, &config, options->config, signals_fd);
    fwd_config_destroy(&config);
    ly_ctx_destroy(models);
    return status;
}

/* Reads our options. Returns -1, or the status to leave with at once. */
static int
read_options(int argc, char *argv[], struct options *options)
{
    static const struct option names[] = {
        {"config", required_argument, NULL, 'c'},
        {"models", required_argument, NULL, 'm'},
        {"check", no_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "c:m:th", names, NULL)) != -1) {
        switch (option) {
        case 'c': options->config = optarg; break;
        case 'm': options->models = optarg; break;
        case 't': options->only_check = true; break;
        case 'h': fputs(help, stdout); return 0;
        default: return 1;
        }
    }
    return options->config ? -1 : fail("--config is required; see --help");
}

/* Number of arguments up to "--", or 1 if there is none. */
static int
count_dpdk_options(int argc, char *argv[])
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--")) {
            return i;
        }
    }
    return 1;
}

int
main(int argc, char *argv[])
{
    int n_dpdk = count_dpdk_options(argc, argv), signals_fd, status;
    int first = n_dpdk > 1 ? n_dpdk : 0;
    struct options options = {.models = FWD_MODELS};
    sigset_t signals;

    argv[first] = argv[0];
    status = read_options(argc - first, argv + first, &options);
    if (status >= 0) {
        return status;
    }
    sigemptyset(&signals);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, NULL);
    if (!options.only_check && rte_eal_init(n_dpdk, argv) < 0) {
        return fail("DPDK did not start");
    }
    signals_fd = signalfd(-1, &signals, SFD_CLOEXEC);
    if (signals_fd < 0) {
        return fail("no signalfd");
    }
    status = run(&options, signals_fd);
    close(signals_fd);
    if (!options.only_check) {
        rte_eal_cleanup();
    }
    return status;
}
