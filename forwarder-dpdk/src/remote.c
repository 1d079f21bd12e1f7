// SPDX-License-Identifier: EPL-2.0
#include "remote.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bus/client.h"
#include "document.h"
#include "notices.h"
#include "report.h"

#define TOPIC_SIZE 256 /* Bytes with the final zero. */
#define TICK_MS 250    /* Between looks at what is due. */

struct fwd_remote {
    struct fwd_control *control;
    const struct ly_ctx *models;
    struct bus_client *client;
    struct fwd_notices *notices; /* State and offers. */
    struct fwd_notices *traffic;
    gint64 interval_us;          /* Between two reports of traffic. */
    gint64 report_us;            /* When the next one is due. */
    char *name;        /* Of this forwarder. */
    char *site;
    char *address;     /* In the underlay. */
    char *switchboard; /* Whose rules are taken. */
    char rules_topic[TOPIC_SIZE];
    char state_topic[TOPIC_SIZE];

    char generation[24]; /* Of the rules in force. */
    char refused[96];    /* Whose document was refused; empty: none. */
    char reason[FWD_REASON_SIZE];
};

/* The state as a document, from malloc(). */
static char *
write_state(const struct fwd_remote *remote)
{
    struct fwd_document document = {.models = remote->models};

    fwd_document_add(&document, "name", remote->name);
    fwd_document_add(&document, "state/generation", remote->generation);
    if (remote->refused[0]) {
        fwd_document_add(&document, "state/refusal/publisher",
                         remote->refused);
        fwd_document_add(&document, "state/refusal/reason", remote->reason);
    }
    return fwd_document_print(&document);
}

/* Sum of the weights of a stage's instances. */
static uint64_t
offered_weight(const struct lyd_node *stage)
{
    const struct lyd_node *instance = NULL;
    uint64_t sum = 0;

    while ((instance = fwd_config_next(stage, "instance", instance))) {
        sum += fwd_config_number(instance, "weight");
    }
    return sum;
}

/* What is offered to 'chain' for 'service', in all of its stages, as a
 * document from malloc(). */
static char *
write_offer(const struct fwd_remote *remote, const struct lyd_node *chain,
            const char *service)
{
    struct fwd_document document = {.models = remote->models};
    const struct lyd_node *stage = NULL;

    fwd_document_add(&document, "name", remote->name);
    fwd_document_add(&document, "underlay/address", remote->address);
    while ((stage = fwd_config_next(chain, "stage", stage))) {
        if (strcmp(fwd_config_text(stage, "service"), service)
            || !fwd_config_next(stage, "instance", NULL)) {
            continue;
        }
        fwd_document_add_number(
            &document, offered_weight(stage),
            "chains/chain[chain-label='%s'][egress-label='%s']/"
            "stage[number='%s']/offered-weight",
            fwd_config_text(chain, "chain-label"),
            fwd_config_text(chain, "egress-label"),
            fwd_config_text(stage, "number"));
    }
    return fwd_document_print(&document);
}

static void
post_offers(struct fwd_remote *remote, const struct lyd_node *chain)
{
    const struct lyd_node *stage = NULL;

    while ((stage = fwd_config_next(chain, "stage", stage))) {
        const char *service = fwd_config_text(stage, "service");
        char topic[TOPIC_SIZE], *offer;

        if (!fwd_config_next(stage, "instance", NULL)) {
            continue;
        }
        snprintf(topic, sizeof topic, "/c%s/e%s/vnf_%s/site_%s_forwarders",
                 fwd_config_text(chain, "chain-label"),
                 fwd_config_text(chain, "egress-label"), service,
                 remote->site);
        offer = write_offer(remote, chain, service);
        fwd_notices_post(remote->notices, topic, offer);
        free(offer);
    }
}

static void
post_state(struct fwd_remote *remote)
{
    char *state = write_state(remote);

    fwd_notices_post(remote->notices, remote->state_topic, state);
    free(state);
}

void
fwd_remote_applied(struct fwd_remote *remote, const struct fwd_config *config)
{
    const struct lyd_node *chains, *chain = NULL;

    if (!remote) {
        return;
    }
    chains = fwd_config_at(config->root, "chains");
    snprintf(remote->generation, sizeof remote->generation, "%s",
             fwd_config_text(config->root, "generation"));
    remote->refused[0] = '\0';
    fwd_notices_begin(remote->notices);
    while (chains && (chain = fwd_config_next(chains, "chain", chain))) {
        post_offers(remote, chain);
    }
    post_state(remote);
    fwd_notices_end(remote->notices);
}

/* Takes a document as the rules. Returns 0, or a positive errno with the
 * reason in 'reason'. */
static int
take_rules(struct fwd_remote *remote, const char *publisher,
           const char *text, char reason[FWD_REASON_SIZE])
{
    struct fwd_config config = {0};
    char *copy;
    int error;

    if (strcmp(publisher, remote->switchboard)) {
        snprintf(reason, FWD_REASON_SIZE, "rules come from %s only",
                 remote->switchboard);
        return EPERM;
    }
    copy = g_strdup(text);
    error = fwd_config_parse(remote->models, copy, &config, reason);
    g_free(copy);
    if (!error && strcmp(fwd_config_text(config.root, "name"),
                         remote->name)) {
        snprintf(reason, FWD_REASON_SIZE, "for forwarder %s, this is %s",
                 fwd_config_text(config.root, "name"), remote->name);
        error = EINVAL;
    }
    if (!error) {
        error = fwd_control_apply(remote->control, &config, reason);
    }
    if (!error) {
        fwd_remote_applied(remote, &config);
    }
    fwd_config_destroy(&config);
    return error;
}

/* Takes a document as the rules, or tells why not. */
static int
take_or_tell(struct fwd_remote *remote, const char *publisher,
             const char *text, char reason[FWD_REASON_SIZE])
{
    int error = take_rules(remote, publisher, text, reason);

    if (error) {
        fprintf(stderr, "sluice-forwarder: rules of %s refused: %s\n",
                publisher, reason);
        snprintf(remote->refused, sizeof remote->refused, "%s", publisher);
        snprintf(remote->reason, sizeof remote->reason, "%s", reason);
        post_state(remote);
    }
    fwd_notices_publish(remote->notices);
    return error;
}

static void
hear_rules(const char *topic, const char *publisher, const char *body,
           size_t size, void *aux)
{
    char reason[FWD_REASON_SIZE];

    (void) topic;
    if (size) {
        take_or_tell(aux, publisher, body, reason);
    }
}

/* What follows a gap replaces what is gone. */
static void
ignore_gap(const char *topic, const char *publisher, uint64_t n_messages,
           const char *reason, void *aux)
{
    (void) topic;
    (void) publisher;
    (void) n_messages;
    (void) reason;
    (void) aux;
}

static char *
answer_rules(const char *asker, const char *body, size_t size,
             char reason[BUS_REASON_SIZE], void *aux)
{
    G_STATIC_ASSERT(BUS_REASON_SIZE == FWD_REASON_SIZE);
    (void) size;
    return take_or_tell(aux, asker, body, reason) ? NULL : write_state(aux);
}

static int
connect_client(struct fwd_remote *remote, const struct lyd_node *bus,
               char reason[FWD_REASON_SIZE])
{
    char *node = g_strdup_printf("%s/%s", remote->site, remote->name);
    char *address = g_strdup_printf("tcp://%s:%s",
                                    fwd_config_text(bus, "proxy/address"),
                                    fwd_config_text(bus, "proxy/port"));
    struct bus_remote proxy = {
        .address = address, .key = fwd_config_text(bus, "proxy/public-key"),
    };
    uint64_t epoch;
    int error;

    error = bus_keys_load(fwd_config_text(bus, "keys-file"), &proxy.keys,
                          reason);
    if (!error) {
        error = bus_epoch_next(fwd_config_text(bus, "epoch-file"),
                               (uint64_t) g_get_real_time() / 1000, &epoch,
                               reason);
    }
    if (!error) {
        error = bus_client_create(node, epoch, &proxy, &BUS_LIMITS_DEFAULT,
                                  &remote->client, reason);
    }
    explicit_bzero(&proxy.keys, sizeof proxy.keys);
    g_free(address);
    g_free(node);
    return error;
}

static void
join(struct fwd_remote *remote)
{
    struct bus_node *node = bus_client_node(remote->client);
    const struct bus_listener listener = {
        .message = hear_rules, .gap = ignore_gap, .aux = remote,
    };

    remote->notices = fwd_notices_create(node);
    remote->traffic = fwd_notices_create(node);
    bus_node_subscribe(node, remote->rules_topic, &listener);
    bus_node_handle(node, answer_rules, remote);
}

int
fwd_remote_create(struct fwd_control *control, const struct ly_ctx *models,
                  const struct fwd_config *config,
                  struct fwd_remote **remotep, char reason[FWD_REASON_SIZE])
{
    const struct lyd_node *bus = fwd_config_at(config->root, "bus");
    struct fwd_remote *remote;
    int error;

    *remotep = NULL;
    if (!bus) {
        return 0;
    }
    remote = g_new0(struct fwd_remote, 1);
    remote->control = control;
    remote->models = models;
    remote->name = g_strdup(fwd_config_text(config->root, "name"));
    remote->site = g_strdup(fwd_config_text(bus, "site"));
    remote->address = g_strdup(fwd_config_text(config->root,
                                               "underlay/address"));
    remote->interval_us = G_USEC_PER_SEC
                          * (gint64) fwd_config_number(bus,
                                                       "report-interval");
    remote->switchboard = g_strdup_printf(
        "%s/%s", remote->site, fwd_config_text(bus, "switchboard"));
    snprintf(remote->rules_topic, TOPIC_SIZE, "/forwarder/%s/site_%s_rules",
             remote->name, remote->site);
    snprintf(remote->state_topic, TOPIC_SIZE, "/forwarder/%s/site_%s_state",
             remote->name, remote->site);
    error = connect_client(remote, bus, reason);
    if (error) {
        fwd_remote_destroy(remote);
        return error;
    }
    join(remote);
    fwd_remote_applied(remote, config);
    *remotep = remote;
    return 0;
}

void
fwd_remote_destroy(struct fwd_remote *remote)
{
    if (remote) {
        fwd_notices_destroy(remote->notices);
        fwd_notices_destroy(remote->traffic);
        bus_client_destroy(remote->client);
        g_free(remote->name);
        g_free(remote->site);
        g_free(remote->address);
        g_free(remote->switchboard);
        g_free(remote);
    }
}

/* Does what is due by time. */
static void
tick(struct fwd_remote *remote)
{
    if (g_get_monotonic_time() >= remote->report_us) {
        remote->report_us = g_get_monotonic_time() + remote->interval_us;
        fwd_report_post(remote->control, remote->models, remote->site,
                        remote->name, remote->traffic);
    }
    fwd_notices_publish(remote->notices);
    fwd_notices_publish(remote->traffic);
}

void
fwd_remote_wait(struct fwd_remote *remote, int fd)
{
    if (!remote) {
        poll(&(struct pollfd) {.fd = fd, .events = POLLIN}, 1, -1);
        return;
    }
    do {
        tick(remote);
    } while (!bus_client_wait(remote->client, fd, TICK_MS));
}
