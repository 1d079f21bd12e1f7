// SPDX-License-Identifier: EPL-2.0
#include "report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "document.h"
#include "ports.h"

#define TOPIC_SIZE 256 /* Bytes with the final zero. */
#define PLACE_SIZE 384 /* Of a path in the model, likewise. */

/* Adds counts by direction, given as those of the first worker, to what is at
 * 'place'. */
static void
add_counts(struct fwd_document *document, const struct fwd_crew *crew,
           const char *place, const struct fwd_count counts[2])
{
    struct fwd_count sums[2];

    fwd_crew_count(crew, counts, sums);
    for (int i = FWD_FORWARD; i <= FWD_RETURN; i++) {
        fwd_document_add_number(document, sums[i].packets,
                                "%s/traffic/%s-packets", place,
                                fwd_direction_name(i));
        fwd_document_add_number(document, sums[i].bytes,
                                "%s/traffic/%s-bytes", place,
                                fwd_direction_name(i));
    }
}

/* Adds what of a stage was dropped, likewise. */
static void
add_drops(struct fwd_document *document, const struct fwd_crew *crew,
          const char *place, uint32_t stage)
{
    struct fwd_stage_drop drops[FWD_MAX_STAGE_DROPS];
    uint32_t n = fwd_crew_stage_drops(crew, stage, drops);

    for (uint32_t i = 0; i < n; i++) {
        fwd_document_add_number(document, drops[i].packets,
                                "%s/traffic/drop[reason='%s']/%s-packets",
                                place, fwd_drop_name(drops[i].reason),
                                fwd_direction_name(drops[i].direction));
    }
}

/* Adds what a hop, named peer/x or instance/x, has to do. */
static void
add_hop(struct fwd_document *document, const struct fwd_crew *crew,
        uint32_t number, const char *name)
{
    int kind_length = (int) strcspn(name, "/");
    char place[PLACE_SIZE];

    snprintf(place, sizeof place, "%.*ss/%.*s[name='%s']", kind_length, name,
             kind_length, name, name + kind_length + 1);
    fwd_document_add_number(document, fwd_crew_flows(crew, number),
                            "%s/flows", place);
    add_counts(document, crew, place,
               crew->workers[0]->counters->hops[number]);
}

/* Adds what the device of a port lost. */
static void
add_losses(struct fwd_document *document, const struct fwd_port *port)
{
    struct fwd_losses losses = fwd_port_losses(port);
    const char *name = port->name;

    fwd_document_add_number(document, losses.missed,
                            "ports/port[name='%s']/losses/missed", name);
    fwd_document_add_number(document, losses.errors,
                            "ports/port[name='%s']/losses/errors", name);
    fwd_document_add_number(document, losses.no_buffer,
                            "ports/port[name='%s']/losses/no-buffer", name);
}

static void
post_all(const struct fwd_control *control, struct fwd_document *document,
         const char *topic, struct fwd_notices *notices)
{
    const struct fwd_crew *crew = control->crew;
    const struct fwd_counters *first = crew->workers[0]->counters;
    const struct fwd_rules *rules = crew->rules;
    char *text;

    fwd_document_add_number(document, fwd_crew_sum(crew, &first->n_received),
                            "traffic/received");
    fwd_document_add_number(document, fwd_crew_sum(crew, &first->n_sent),
                            "traffic/sent");
    fwd_document_add_number(document, fwd_crew_sum(crew, &first->n_heard),
                            "traffic/heard");
    fwd_document_add_number(document, fwd_crew_sum(crew, &first->n_made),
                            "traffic/made");
    fwd_document_add_number(document, fwd_crew_sum(crew, &first->n_flows),
                            "traffic/flows");
    for (int i = FWD_DROP_NONE + 1; i < FWD_N_DROPS; i++) {
        uint64_t n = fwd_crew_sum(crew, &first->drops[i]);

        if (n) {
            fwd_document_add_number(document, n,
                                    "traffic/drop[reason='%s']/packets",
                                    fwd_drop_name(i));
        }
    }
    for (uint8_t i = 0; i < control->n_ports; i++) {
        add_losses(document, &control->ports[i]);
    }
    for (uint32_t i = 1; i < rules->n_hops; i++) {
        if (rules->hops[i].kind != FWD_HOP_GONE) {
            add_hop(document, crew, i, control->numbers.hops.names[i]);
        }
    }
    text = fwd_document_print(document);
    fwd_notices_post(notices, topic, text);
    free(text);
}

static void
post_chain(const struct fwd_control *control, const struct fwd_chain *chain,
           struct fwd_document *document, const char *topic,
           struct fwd_notices *notices)
{
    const struct fwd_crew *crew = control->crew;
    char *text;

    for (uint8_t i = 0; i < chain->n_stages; i++) {
        const struct fwd_stage *stage = &chain->stages[i];
        char place[PLACE_SIZE];

        snprintf(place, sizeof place,
                 "chains/chain[chain-label='%u'][egress-label='%u']/"
                 "stage[number='%u']",
                 chain->chain, chain->egress, stage->number);
        add_counts(document, crew, place,
                   crew->workers[0]->counters->stages[stage->counters]);
        add_drops(document, crew, place, stage->counters);
    }
    text = fwd_document_print(document);
    fwd_notices_post(notices, topic, text);
    free(text);
}

void
fwd_report_post(const struct fwd_control *control,
                const struct ly_ctx *models, const char *site,
                const char *name, struct fwd_notices *notices)
{
    const struct fwd_rules *rules = control->crew->rules;
    struct fwd_document document = {.models = models};
    char topic[TOPIC_SIZE];

    fwd_notices_begin(notices);
    snprintf(topic, sizeof topic, "/forwarder/%s/site_%s_traffic", name,
             site);
    fwd_document_add(&document, "name", name);
    post_all(control, &document, topic, notices);
    for (uint32_t i = 0; i < rules->n_chains; i++) {
        const struct fwd_chain *chain = &rules->chains[i];

        snprintf(topic, sizeof topic, "/c%u/e%u/site_%s_traffic",
                 chain->chain, chain->egress, site);
        fwd_document_add(&document, "name", name);
        post_chain(control, chain, &document, topic, notices);
    }
    fwd_notices_end(notices);
}
