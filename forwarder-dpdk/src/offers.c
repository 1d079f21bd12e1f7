// SPDX-License-Identifier: EPL-2.0
#include "offers.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../bus/names.h"
#include "document.h"

#define TOPIC_SIZE 512 /* Bytes with the final zero; more than is allowed. */

/* A stage with instances, and its chain. */
struct offer {
    const struct lyd_node *chain;
    const struct lyd_node *stage;
};

/* Goes on to the next stage that has instances, in all chains; returns false
 * if there is none. 'offer' is zero at first. */
static bool
next_offer(const struct fwd_config *config, struct offer *offer)
{
    const struct lyd_node *chains = fwd_config_at(config->root, "chains");

    while (chains) {
        if (offer->chain) {
            offer->stage = fwd_config_next(offer->chain, "stage",
                                           offer->stage);
        }
        if (offer->stage) {
            if (fwd_config_next(offer->stage, "instance", NULL)) {
                return true;
            }
        } else {
            offer->chain = fwd_config_next(chains, "chain", offer->chain);
            chains = offer->chain ? chains : NULL;
        }
    }
    return false;
}

static void
write_topic(const struct offer *offer, const char *site,
            char topic[TOPIC_SIZE])
{
    snprintf(topic, TOPIC_SIZE, "/c%s/e%s/vnf_%s/site_%s_forwarders",
             fwd_config_text(offer->chain, "chain-label"),
             fwd_config_text(offer->chain, "egress-label"),
             fwd_config_text(offer->stage, "service"), site);
}

int
fwd_offers_check(const struct fwd_config *config, const char *site,
                 char reason[FWD_REASON_SIZE])
{
    struct offer offer = {0};
    char topic[TOPIC_SIZE];

    while (next_offer(config, &offer)) {
        write_topic(&offer, site, topic);
        if (!bus_is_topic(topic)) {
            snprintf(reason, FWD_REASON_SIZE,
                     "service %s is too long for a topic of the bus",
                     fwd_config_text(offer.stage, "service"));
            return EINVAL;
        }
    }
    return 0;
}

/* Sum of the weights of a stage's instances. */
static uint64_t
weight_of(const struct lyd_node *stage)
{
    const struct lyd_node *instance = NULL;
    uint64_t sum = 0;

    while ((instance = fwd_config_next(stage, "instance", instance))) {
        sum += fwd_config_number(instance, "weight");
    }
    return sum;
}

/* All stages of the chain that have the service of 'offer', as a document
 * from malloc(). */
static char *
write_offer(const struct fwd_config *config, const struct offer *offer,
            const struct ly_ctx *models)
{
    const char *service = fwd_config_text(offer->stage, "service");
    struct fwd_document document = {.models = models};
    const struct lyd_node *stage = NULL;

    fwd_document_add(&document, "name",
                     fwd_config_text(config->root, "name"));
    fwd_document_add(&document, "underlay/address",
                     fwd_config_text(config->root, "underlay/address"));
    while ((stage = fwd_config_next(offer->chain, "stage", stage))) {
        if (!strcmp(fwd_config_text(stage, "service"), service)
            && fwd_config_next(stage, "instance", NULL)) {
            fwd_document_add_number(
                &document, weight_of(stage),
                "chains/chain[chain-label='%s'][egress-label='%s']/"
                "stage[number='%s']/offered-weight",
                fwd_config_text(offer->chain, "chain-label"),
                fwd_config_text(offer->chain, "egress-label"),
                fwd_config_text(stage, "number"));
        }
    }
    return fwd_document_print(&document);
}

void
fwd_offers_post(const struct fwd_config *config, const char *site,
                const struct ly_ctx *models, struct fwd_notices *notices)
{
    struct offer offer = {0};
    char topic[TOPIC_SIZE];

    while (next_offer(config, &offer)) {
        char *text = write_offer(config, &offer, models);

        write_topic(&offer, site, topic);
        fwd_notices_post(notices, topic, text);
        free(text);
    }
}
