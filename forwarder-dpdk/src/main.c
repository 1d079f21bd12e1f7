// SPDX-License-Identifier: EPL-2.0
/* The program: DPDK's start, lcores that forward, and a control
 * thread that waits for signals and serves the bus. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <rte_eal.h>
#include <rte_lcore.h>

#include "exporter.h"
#include "handover.h"
#include "lcores.h"
#include "options.h"
#include "remote.h"
#include "service.h"
#include "telemetry.h"
#include "upgrade.h"

#define N_BUFFERS 16383 /* Packet buffers for each lcore that forwards. */
#define TICK_MS 50      /* Between looks at what neighbours say. */

/* All that is there while it forwards. */
struct program {
    const struct fwd_options *options;
    const struct ly_ctx *models;
    const char *socket;            /* Path where an heir asks; or null. */
    int listener;                  /* There; or -1. */
    int waiter;                    /* Where to tell who waits for an upgrade;
                                    * or -1. */
    int signals;                   /* A signalfd. */
    int events;                    /* An epoll of those two. */
    struct fwd_control *control;
    struct fwd_remote *remote;     /* Null: there is no bus. */
    struct fwd_exporter *exporter; /* Null: it could not start. */
};

static int
fail(const char *reason)
{
    fprintf(stderr, "sluice-forwarder: %s\n", reason);
    return 1;
}

static void
reload(const struct program *program)
{
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;

    if (fwd_config_load(program->models, program->options->config, &config,
                        reason)) {
        fail(reason);
        return;
    }
    if (fwd_control_apply(program->control, &config, reason)
        || fwd_remote_applied(program->remote, &config, reason)
        || fwd_exporter_apply(program->exporter, &config, reason)) {
        fail(reason);
    }
    fwd_config_destroy(&config);
}

/* Waits for a signal, or for a process that wants to take over, and serves
 * the bus and neighbours until then. Returns the signal, or 0. */
static int
next_event(const struct program *program)
{
    struct signalfd_siginfo info;
    struct epoll_event event;

    do {
        fwd_neighbours_tick(program->control->neighbours, fwd_clock_ms());
    } while (!fwd_remote_wait(program->remote, program->events, TICK_MS));
    if (epoll_wait(program->events, &event, 1, 0) == 1
        && event.data.fd == program->listener) {
        return 0;
    }
    return read(program->signals, &info, sizeof info) == sizeof info
           ? (int) info.ssi_signo : SIGTERM;
}

/* Hands all to a process that wants to take over. */
static enum fwd_outcome
give(const struct program *program)
{
    char reason[FWD_REASON_SIZE];
    enum fwd_outcome outcome;
    int heir; /* It sees this process end by its connection. */

    outcome = fwd_upgrade_give(program->listener, program->control, &heir,
                               reason);
    if (outcome == FWD_GIVEN) {
        fwd_service_is_there(heir);
    } else {
        fail(reason);
    }
    return outcome;
}

/* Forwards until a signal ends it, or another process takes over. */
static enum fwd_outcome
forward_until_end(const struct program *program)
{
    enum fwd_outcome outcome = FWD_KEPT;
    int signal;

    if (fwd_telemetry_start(program->control)) {
        fail("counters can't be read: telemetry refused the commands");
    }
    do {
        signal = next_event(program);
        if (signal == SIGHUP) {
            reload(program);
        } else if (!signal) {
            outcome = give(program);
        }
    } while (outcome == FWD_KEPT && (!signal || signal == SIGHUP));
    fwd_telemetry_stop();
    return outcome;
}

/* Listens for a process that wants to take over. */
static int
listen_for_heirs(struct program *program, char reason[FWD_REASON_SIZE])
{
    struct epoll_event event = {.events = EPOLLIN};
    int error;

    if (!program->socket) {
        return 0;
    }
    error = fwd_handover_listen(program->socket, &program->listener, reason);
    if (!error) {
        event.data.fd = program->listener;
        epoll_ctl(program->events, EPOLL_CTL_ADD, program->listener, &event);
    }
    return error;
}

/* Ends what is there, some of which may not be. */
static void
end(struct program *program)
{
    if (program->listener >= 0) {
        close(program->listener); /* Before an heir listens there. */
    }
    fwd_remote_destroy(program->remote);
    fwd_exporter_destroy(program->exporter);
    if (program->control) {
        fwd_control_destroy(program->control);
    }
}

/* Ends without an heir: nobody asks at the socket any more. */
static void
end_alone(struct program *program)
{
    fwd_remote_withdraw(program->remote);
    if (program->listener >= 0) {
        unlink(program->socket);
    }
}

static int
start(struct program *program, const struct fwd_config *config,
      uint16_t n_workers)
{
    char reason[FWD_REASON_SIZE];

    if (listen_for_heirs(program, reason)
        || fwd_control_create(config, n_workers, N_BUFFERS, fwd_clock_ms(),
                              &program->control, reason)
        || fwd_exporter_create(program->control, config, &program->exporter,
                               reason)
        || fwd_remote_create(program->control, program->models, config,
                             config, &program->remote, reason)) {
        end_alone(program);
        return fail(reason);
    }
    fwd_lcores_start(program->control->crew);
    fwd_service_is_ready();
    return 0;
}

/* Packets flow when this returns 0, so what else is wrong is only told. */
static int
take_over(struct program *program, const struct fwd_config *config,
          uint16_t n_workers)
{
    char reason[FWD_REASON_SIZE];
    const char *path = program->options->is_upgrade
                           ? program->socket : program->options->take_over;
    struct fwd_config in_force;
    int other;

    if (!path) {
        return fail("there is no take-over-socket in the configuration");
    }
    if (fwd_upgrade_take(path, program->models, config, n_workers, N_BUFFERS,
                         &other, &program->control, &in_force, reason)) {
        return fail(reason);
    }
    fwd_handover_wait(other);
    close(other);
    if (fwd_exporter_create(program->control, config, &program->exporter,
                            reason)) {
        fail(reason);
    }
    if (fwd_remote_create(program->control, program->models, config,
                          &in_force, &program->remote, reason)) {
        fail(reason);
    }
    if (listen_for_heirs(program, reason)) {
        fail(reason);
    }
    fwd_config_destroy(&in_force);
    if (program->waiter >= 0) {
        fwd_service_tell(program->waiter);
    }
    return 0;
}

static int
forward(struct program *program, const struct fwd_config *config)
{
    unsigned int n_workers = rte_lcore_count() - 1;
    bool is_heir = program->options->take_over || program->options->is_upgrade;
    enum fwd_outcome outcome = FWD_LOST;

    if (n_workers < 1 || n_workers > FWD_MAX_WORKERS) {
        return fail("1 to " RTE_STR(FWD_MAX_WORKERS) " lcores can forward, "
                    "besides the first one; see --help");
    }
    program->socket = fwd_config_text(config->root, "take-over-socket");
    if (!(is_heir ? take_over : start)(program, config,
                                       (uint16_t) n_workers)) {
        outcome = forward_until_end(program);
        if (outcome != FWD_GIVEN) {
            fwd_lcores_stop(program->control->crew);
            end_alone(program);
        }
    }
    end(program);
    return outcome == FWD_LOST;
}

static int
check(const struct fwd_config *config)
{
    char reason[FWD_REASON_SIZE];

    return fwd_control_check(config, reason) ? fail(reason) : 0;
}

static int
run(const struct fwd_options *options, int signals, int waiter)
{
    struct epoll_event event = {.events = EPOLLIN, .data.fd = signals};
    struct program program = {
        .options = options, .signals = signals, .listener = -1,
        .waiter = waiter,
        .events = epoll_create1(EPOLL_CLOEXEC),
    };
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;
    struct ly_ctx *models;
    int status;

    if (epoll_ctl(program.events, EPOLL_CTL_ADD, signals, &event)) {
        return fail("no epoll");
    }
    if (fwd_models_load(options->models, &models)) {
        return fail("no sluice-forwarder.yang; see --models");
    }
    program.models = models;
    if (fwd_config_load(models, options->config, &config, reason)) {
        ly_ctx_destroy(models);
        return fail(reason);
    }
    status = options->only_check ? check(&config)
                                 : forward(&program, &config);
    fwd_config_destroy(&config);
    ly_ctx_destroy(models);
    close(program.events);
    return status;
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
    int waiter = -1;
    int first = n_dpdk > 1 ? n_dpdk : 0;
    struct fwd_options options;
    sigset_t signals;

    argv[first] = argv[0];
    status = fwd_options_read(argc - first, argv + first, &options);
    if (status < 0 && options.is_upgrade && !options.only_check) {
        status = fwd_service_detach(&waiter);
    }
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
    status = run(&options, signals_fd, waiter);
    close(signals_fd);
    if (!options.only_check) {
        rte_eal_cleanup();
    }
    return status;
}
