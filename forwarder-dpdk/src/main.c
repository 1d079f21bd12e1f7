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
#include "ports.h"
#include "remote.h"
#include "service.h"
#include "session.h"
#include "telemetry.h"
#include "upgrade.h"

#define TICK_MS 50    /* Between looks at what neighbours say. */
#define END_MS 10000  /* The old process leaves the bus. */
#define RETRY_MS 5000 /* Between attempts to make what is not there. */

/* All that is there while it forwards. */
struct program {
    const struct fwd_options *options;
    const struct ly_ctx *models;
    struct fwd_config config;      /* As last read from the file. */
    char *socket;                  /* Path where an heir asks; or null. */
    int listener;                  /* There; or -1. */
    int waiter;                    /* Where to tell who waits for an upgrade;
                                    * or -1. */
    int signals;                   /* A signalfd. */
    int events;                    /* An epoll of those two. */
    struct fwd_control *control;
    struct fwd_remote *remote;     /* Null: no bus, or it can't be joined. */
    struct fwd_exporter *exporter; /* Null: it could not start. */
};

static int
fail(const char *reason)
{
    fprintf(stderr, "sluice-forwarder: %s\n", reason);
    return 1;
}

/* Listens for a process that wants to take over. */
static int
listen_for_heirs(struct program *program, char reason[FWD_REASON_SIZE])
{
    struct epoll_event event = {.events = EPOLLIN};
    int error;

    if (!program->socket || program->listener >= 0) {
        return 0;
    }
    error = fwd_handover_listen(program->socket, &program->listener, reason);
    if (!error) {
        event.data.fd = program->listener;
        epoll_ctl(program->events, EPOLL_CTL_ADD, program->listener, &event);
    }
    return error;
}

/* Makes what is not there of the socket for heirs, metrics and bus, and tells
 * what can't be made. Returns whether all is there. */
static bool
complete(struct program *program)
{
    char reason[FWD_REASON_SIZE];
    bool is_whole = true;

    if (listen_for_heirs(program, reason)) {
        is_whole = !fail(reason);
    }
    if (!program->exporter
        && fwd_exporter_create(program->control, &program->config,
                               &program->exporter, reason)) {
        is_whole = !fail(reason);
    }
    if (!program->remote
        && fwd_remote_create(program->control, program->models,
                             &program->config, &program->remote, reason)) {
        is_whole = !fail(reason);
    }
    return is_whole;
}

/* Reads the configuration again. */
static void
reload(struct program *program)
{
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;

    if (fwd_config_load(program->models, program->options->config, &config,
                        reason)) {
        fail(reason);
        return;
    }
    if (fwd_control_apply(program->control, &config, reason)) {
        fail(reason);
        fwd_config_destroy(&config);
        return;
    }
    fwd_config_destroy(&program->config);
    program->config = config;
    if (fwd_remote_applied(program->remote, &config, reason)) {
        fail(reason);
    }
    if (fwd_exporter_apply(program->exporter, &config, reason)) {
        fail(reason);
    }
    complete(program);
}

/* Whether a signal that ends this process waits to be read. */
static bool
is_told_to_end(void)
{
    sigset_t pending;

    return !sigpending(&pending) && (sigismember(&pending, SIGTERM)
                                     || sigismember(&pending, SIGINT));
}

/* Serves neighbours and the bus until 'fd' is readable, this process is told
 * to end, or for 'limit_ms'. Returns whether 'fd' is readable. */
static bool
serve(const struct program *program, int fd, uint64_t limit_ms)
{
    uint64_t end_ms = fwd_clock_ms() + limit_ms;
    bool is_readable;

    do {
        fwd_neighbours_tick(program->control->neighbours, fwd_clock_ms());
        is_readable = fwd_remote_wait(program->remote, fd, TICK_MS);
    } while (!is_readable && !is_told_to_end() && fwd_clock_ms() < end_ms);
    return is_readable;
}

/* The same, as struct fwd_waiting wants it. */
static void
serve_meanwhile(int fd, uint64_t limit_ms, void *program)
{
    serve(program, fd, limit_ms);
}

/* Waits for a signal, or for a process that wants to take over. Returns the
 * signal, or 0. */
static int
next_event(struct program *program)
{
    struct signalfd_siginfo info;
    struct epoll_event event;

    while (!serve(program, program->events, RETRY_MS)) {
        complete(program);
    }
    if (epoll_wait(program->events, &event, 1, 0) == 1
        && event.data.fd == program->listener) {
        return 0;
    }
    return read(program->signals, &info, sizeof info) == sizeof info
           ? (int) info.ssi_signo : SIGTERM;
}

/* Hands all to a process that wants to take over. Rules stay as it was told
 * until it has. */
static enum fwd_outcome
give(struct program *program)
{
    const struct fwd_waiting waiting = {serve_meanwhile, program};
    char reason[FWD_REASON_SIZE];
    enum fwd_outcome outcome;
    int heir; /* It sees this process end by its connection. */

    fwd_remote_hold(program->remote, true);
    outcome = fwd_upgrade_give(program->listener, program->control,
                               program->models, &waiting, &heir, reason);
    if (outcome == FWD_GIVEN) {
        fwd_service_is_there(heir);
    } else {
        fail(reason);
        fwd_remote_hold(program->remote, false);
    }
    return outcome;
}

/* Forwards until a signal ends it, or another process takes over. */
static enum fwd_outcome
forward_until_end(struct program *program)
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
start(struct program *program, uint16_t n_workers)
{
    char reason[FWD_REASON_SIZE];
    int status = 0;

    if (listen_for_heirs(program, reason)
        || fwd_control_create(&program->config, n_workers,
                              fwd_ports_n_buffers(&program->config),
                              fwd_clock_ms(), &program->control, reason)) {
        status = fail(reason);
    } else if (!complete(program)) {
        status = 1;
    }
    if (status) {
        end_alone(program);
        return status;
    }
    fwd_lcores_start(program->control->crew);
    fwd_service_is_ready();
    return 0;
}

/* Packets flow when this returns 0, so what else is wrong is only told, and
 * tried again. */
static int
take_over(struct program *program, uint16_t n_workers)
{
    char reason[FWD_REASON_SIZE];
    const char *path = program->options->is_upgrade
                           ? program->socket : program->options->take_over;
    bool is_whole;
    int other;

    if (!path) {
        return fail("there is no take-over-socket in the configuration");
    }
    if (fwd_session_check(&program->config, reason)
        || fwd_upgrade_take(path, program->models, &program->config,
                            n_workers, fwd_ports_n_buffers(&program->config),
                            &other, &program->control, reason)) {
        return fail(reason);
    }
    serve(program, other, END_MS);
    close(other);
    is_whole = complete(program);
    if (program->waiter >= 0) {
        fwd_service_tell(program->waiter, is_whole);
    }
    return 0;
}

static int
forward(struct program *program)
{
    unsigned int n_workers = rte_lcore_count() - 1;
    bool is_heir = program->options->take_over || program->options->is_upgrade;
    const char *socket = fwd_config_text(program->config.root,
                                         "take-over-socket");
    enum fwd_outcome outcome = FWD_LOST;

    if (n_workers < 1 || n_workers > FWD_MAX_WORKERS) {
        return fail("1 to " RTE_STR(FWD_MAX_WORKERS) " lcores can forward, "
                    "besides the first one; see --help");
    }
    program->socket = socket ? strdup(socket) : NULL;
    if (!(is_heir ? take_over : start)(program, (uint16_t) n_workers)) {
        outcome = forward_until_end(program);
        if (outcome != FWD_GIVEN) {
            fwd_lcores_stop(program->control->crew);
            end_alone(program);
        }
    }
    end(program);
    free(program->socket);
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
    struct ly_ctx *models;
    int status;

    if (epoll_ctl(program.events, EPOLL_CTL_ADD, signals, &event)) {
        return fail("no epoll");
    }
    if (fwd_models_load(options->models, &models)) {
        return fail("no sluice-forwarder.yang; see --models");
    }
    program.models = models;
    if (fwd_config_load(models, options->config, &program.config, reason)) {
        ly_ctx_destroy(models);
        return fail(reason);
    }
    status = options->only_check ? check(&program.config)
                                 : forward(&program);
    fwd_config_destroy(&program.config);
    ly_ctx_destroy(models);
    close(program.events);
    return status;
}

int
main(int argc, char *argv[])
{
    int n_dpdk = fwd_options_count_dpdk(argc, argv), signals_fd, status;
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
