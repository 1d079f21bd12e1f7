// SPDX-License-Identifier: EPL-2.0
#include "remote.h"

#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bus/names.h"
#include "offers.h"
#include "report.h"
#include "session.h"
#include "verdict.h"

#define TOPIC_SIZE 256   /* Bytes with the final zero. */
#define FAREWELL_MS 250  /* Between looks at what the proxy has. */
#define FAREWELL_LOOKS 4 /* Until it must have what is withdrawn. */

struct fwd_remote {
    struct fwd_control *control;
    const struct ly_ctx *models;
    struct bus_client *client;
    struct fwd_notices *notices; /* State and offers. */
    struct fwd_notices *traffic;
    gint64 interval_us;          /* Between two reports of traffic. */
    gint64 report_us;            /* When the next one is due. */
    bool is_up;                  /* There was a session at the last look. */
    char *name;                  /* Of this forwarder. */
    char *site;
    char *switchboard;           /* Whose rules are taken: site/name. */
    char rules_topic[TOPIC_SIZE];
    char state_topic[TOPIC_SIZE];
    struct fwd_verdict verdict;
    bool is_held;                /* Rules stay as they are. */
    GBytes *held;                /* The latest document meanwhile. */
};

static void __attribute__((format(printf, 1, 2)))
tell_operator(const char *format, ...)
{
    va_list arguments;

    fputs("sluice-forwarder: ", stderr);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputc('\n', stderr);
}

/* The state as a document, from malloc(). */
static char *
write_state(const struct fwd_remote *remote)
{
    return fwd_verdict_write(&remote->verdict, remote->models, remote->name);
}

static void
post_state(struct fwd_remote *remote)
{
    char *state = write_state(remote);

    fwd_notices_post(remote->notices, remote->state_topic, state);
    free(state);
}

/* Tells of rules that are in force from now on. */
static void
post_applied(struct fwd_remote *remote, const struct fwd_config *config)
{
    fwd_verdict_take(&remote->verdict, config);
    fwd_notices_begin(remote->notices);
    fwd_offers_post(config, remote->site, remote->models, remote->notices);
    post_state(remote);
    fwd_notices_end(remote->notices);
}

/* Reads a document and puts it in force. Returns 0, or a positive errno with
 * the reason in 'reason'. */
static int
apply(struct fwd_remote *remote, char *text, struct fwd_config *config,
      char reason[FWD_REASON_SIZE])
{
    int error = fwd_config_parse(remote->models, text, config, reason);

    if (!error && strcmp(fwd_config_text(config->root, "name"),
                         remote->name)) {
        snprintf(reason, FWD_REASON_SIZE, "for forwarder %s, this is %s",
                 fwd_config_text(config->root, "name"), remote->name);
        error = EINVAL;
    }
    if (!error) {
        error = fwd_offers_check(config, remote->site, reason);
    }
    if (!error) {
        error = fwd_control_apply(remote->control, config, reason);
    }
    return error;
}

/* Takes what the switchboard sent as the rules. Returns 0, or a positive
 * errno with the reason in 'reason'. */
static int
take_document(struct fwd_remote *remote, const char *body, size_t size,
              char reason[FWD_REASON_SIZE])
{
    struct fwd_config config = {0};
    char *text;
    int error;

    if (!fwd_config_is_text(body, size, reason)) {
        return EINVAL;
    }
    text = g_strndup(body, size);
    error = apply(remote, text, &config, reason);
    g_free(text);
    if (!error) {
        post_applied(remote, &config);
    }
    fwd_config_destroy(&config);
    return error;
}

/* Takes a document as the rules, and tells what became of it. Returns 0, or a
 * positive errno with the reason in 'reason'. */
static int
take_rules(struct fwd_remote *remote, const char *publisher,
           const char *body, size_t size, char reason[FWD_REASON_SIZE])
{
    int error = EPERM;

    if (strcmp(publisher, remote->switchboard)) {
        snprintf(reason, FWD_REASON_SIZE, "rules come from %s only",
                 remote->switchboard);
    } else {
        error = take_document(remote, body, size, reason);
        if (error) {
            snprintf(remote->verdict.reason, FWD_REASON_SIZE, "%s", reason);
            tell_operator("rules refused: %s", reason);
        }
    }
    remote->verdict.n_refused += error != 0;
    post_state(remote);
    fwd_notices_publish(remote->notices);
    return error;
}

static void
hear_rules(const char *topic, const char *publisher, const char *body,
           size_t size, void *aux)
{
    struct fwd_remote *remote = aux;
    char reason[FWD_REASON_SIZE];

    (void) topic;
    if (size && remote->is_held && !strcmp(publisher, remote->switchboard)) {
        g_bytes_unref(remote->held);
        remote->held = g_bytes_new(body, size);
    } else if (size) {
        take_rules(remote, publisher, body, size, reason);
    }
}

/* What follows a gap replaces what is gone. */
static void
hear_gap(const char *topic, const char *publisher, uint64_t n_messages,
         const char *reason, void *aux)
{
    (void) topic;
    (void) aux;
    tell_operator("%" PRIu64 " documents of %s are gone: %s", n_messages,
                  publisher, reason);
}

static char *
answer_rules(const char *asker, const char *body, size_t size,
             char reason[BUS_REASON_SIZE], void *aux)
{
    G_STATIC_ASSERT(BUS_REASON_SIZE == FWD_REASON_SIZE);
    if (((struct fwd_remote *) aux)->is_held) {
        snprintf(reason, FWD_REASON_SIZE,
                 "another process is about to take over: ask again");
        return NULL;
    }
    return take_rules(aux, asker, body, size, reason) ? NULL
                                                      : write_state(aux);
}

int
fwd_remote_applied(struct fwd_remote *remote, const struct fwd_config *config,
                   char reason[FWD_REASON_SIZE])
{
    const struct lyd_node *bus = fwd_config_at(config->root, "bus");

    if (!remote) {
        return 0;
    }
    post_applied(remote, config);
    if (!bus) {
        snprintf(reason, FWD_REASON_SIZE,
                 "there is no bus any more, which needs a new start");
        return EINVAL;
    }
    return fwd_session_open(&remote->client, remote->site, remote->name, bus,
                            reason);
}

/* Names of this forwarder on the bus. */
static int
set_names(struct fwd_remote *remote, const struct fwd_config *config,
          const struct lyd_node *bus, char reason[FWD_REASON_SIZE])
{
    remote->name = g_strdup(fwd_config_text(config->root, "name"));
    remote->site = g_strdup(fwd_config_text(bus, "site"));
    remote->switchboard = g_strdup_printf(
        "%s/%s", remote->site, fwd_config_text(bus, "switchboard"));
    snprintf(remote->rules_topic, TOPIC_SIZE, "/forwarder/%s/site_%s_rules",
             remote->name, remote->site);
    snprintf(remote->state_topic, TOPIC_SIZE, "/forwarder/%s/site_%s_state",
             remote->name, remote->site);
    if (!bus_is_topic(remote->rules_topic)) {
        snprintf(reason, FWD_REASON_SIZE,
                 "name %s can't be part of a topic of the bus: at most 63 "
                 "characters, not site_ at the beginning", remote->name);
        return EINVAL;
    }
    return fwd_offers_check(config, remote->site, reason);
}

static void
join(struct fwd_remote *remote, const struct lyd_node *bus)
{
    struct bus_node *node = bus_client_node(remote->client);
    const struct bus_listener listener = {
        .message = hear_rules, .gap = hear_gap, .aux = remote,
    };

    remote->interval_us =
        G_USEC_PER_SEC * (gint64) fwd_config_number(bus, "report-interval");
    remote->notices = fwd_notices_create(node);
    remote->traffic = fwd_notices_create(node);
    bus_node_subscribe(node, remote->rules_topic, &listener);
    bus_node_handle(node, answer_rules, remote);
}

/* Connects, and tells of the rules in force. */
static int
start(struct fwd_remote *remote, const struct fwd_config *config,
      const struct lyd_node *bus, char reason[FWD_REASON_SIZE])
{
    struct fwd_config in_force;
    int error = set_names(remote, config, bus, reason);

    if (!error) {
        error = fwd_session_open(&remote->client, remote->site, remote->name,
                                 bus, reason);
    }
    if (!error) {
        error = fwd_control_read(remote->control, remote->models, &in_force,
                                 reason);
    }
    if (!error) {
        join(remote, bus);
        post_applied(remote, &in_force);
        fwd_config_destroy(&in_force);
    }
    return error;
}

int
fwd_remote_create(struct fwd_control *control, const struct ly_ctx *models,
                  const struct fwd_config *config,
                  struct fwd_remote **remotep, char reason[FWD_REASON_SIZE])
{
    const struct lyd_node *bus = fwd_config_at(config->root, "bus");
    struct fwd_remote *remote;
    int error = 0;

    *remotep = NULL;
    pthread_mutex_lock(&control->rules_lock);
    control->has_bus = bus;
    pthread_mutex_unlock(&control->rules_lock);
    if (bus) {
        remote = g_new0(struct fwd_remote, 1);
        remote->control = control;
        remote->models = models;
        error = start(remote, config, bus, reason);
        if (error) {
            fwd_remote_destroy(remote);
        } else {
            *remotep = remote;
        }
    }
    return error;
}

void
fwd_remote_hold(struct fwd_remote *remote, bool is_held)
{
    char reason[FWD_REASON_SIZE];

    if (remote) {
        remote->is_held = is_held;
    }
    if (remote && remote->held && !is_held) {
        take_rules(remote, remote->switchboard,
                   g_bytes_get_data(remote->held, NULL),
                   g_bytes_get_size(remote->held), reason);
        g_clear_pointer(&remote->held, g_bytes_unref);
    }
}

/* Gives the proxy a moment to take it. */
void
fwd_remote_withdraw(struct fwd_remote *remote)
{
    struct bus_link_state state;
    struct bus_node *node;

    if (!remote) {
        return;
    }
    node = bus_client_node(remote->client);
    bus_node_handle(node, NULL, NULL);
    bus_node_unsubscribe(node, remote->rules_topic);
    fwd_notices_begin(remote->notices);
    fwd_notices_end(remote->notices);
    fwd_notices_begin(remote->traffic);
    fwd_notices_end(remote->traffic);
    for (int i = 0; i < FAREWELL_LOOKS; i++) {
        fwd_notices_publish(remote->notices);
        fwd_notices_publish(remote->traffic);
        bus_client_wait(remote->client, -1, FAREWELL_MS);
        state = bus_node_link_state(node);
        if (!state.is_up || (!state.n_unconfirmed && !state.n_waiting)) {
            break;
        }
    }
}

void
fwd_remote_destroy(struct fwd_remote *remote)
{
    if (!remote) {
        return;
    }
    fwd_notices_destroy(remote->notices);
    fwd_notices_destroy(remote->traffic);
    bus_client_destroy(remote->client);
    g_free(remote->name);
    g_free(remote->site);
    g_free(remote->switchboard);
    g_bytes_unref(remote->held);
    g_free(remote);
}

/* Tells the threads that answer about counters; returns whether there is a
 * session. */
static bool
note_state(const struct fwd_remote *remote)
{
    struct fwd_control *control = remote->control;

    pthread_mutex_lock(&control->rules_lock);
    control->bus = bus_node_link_state(bus_client_node(remote->client));
    pthread_mutex_unlock(&control->rules_lock);
    return control->bus.is_up;
}

/* Does what is due by time. */
static void
tick(struct fwd_remote *remote)
{
    bool is_up = note_state(remote);

    if (is_up != remote->is_up) {
        remote->is_up = is_up;
        tell_operator(is_up ? "the bus is there" : "the bus is away");
    }
    if (g_get_monotonic_time() >= remote->report_us) {
        remote->report_us = g_get_monotonic_time() + remote->interval_us;
        fwd_report_post(remote->control, remote->models, remote->site,
                        remote->name, remote->traffic);
    }
    fwd_notices_publish(remote->notices);
    fwd_notices_publish(remote->traffic);
}

bool
fwd_remote_wait(struct fwd_remote *remote, int fd, int timeout_ms)
{
    if (!remote) {
        return poll(&(struct pollfd) {.fd = fd, .events = POLLIN}, 1,
                    timeout_ms) > 0;
    }
    tick(remote);
    return bus_client_wait(remote->client, fd, timeout_ms);
}
