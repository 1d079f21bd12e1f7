// SPDX-License-Identifier: EPL-2.0
#include "scrape.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ports.h"

#define PREFIX "sluice_forwarder_"
#define LABELS_SIZE 128 /* Bytes of a sample's labels with the final zero. */

/* Values of labels are numbers, words of ours and the model's object-names,
 * so none has a character that has to be escaped. */

/* Writes what stands before the samples of a metric. */
static void
begin(FILE *out, const char *name, const char *type, const char *help)
{
    fprintf(out, "# HELP " PREFIX "%s %s\n# TYPE " PREFIX "%s %s\n", name,
            help, name, type);
}

static void
write_one(FILE *out, const char *name, const char *type, const char *help,
          uint64_t value)
{
    begin(out, name, type, help);
    fprintf(out, PREFIX "%s %" PRIu64 "\n", name, value);
}

static void
write_drops(FILE *out, const struct fwd_crew *crew)
{
    begin(out, "drops_total", "counter", "Packets dropped, by reason.");
    for (int i = FWD_DROP_NONE + 1; i < FWD_N_DROPS; i++) {
        fprintf(out, PREFIX "drops_total{reason=\"%s\"} %" PRIu64 "\n",
                fwd_drop_name(i),
                fwd_crew_sum(crew, &crew->workers[0]->counters->drops[i]));
    }
}

/* A counter, given as that of the first worker. */
struct sum {
    const char *name;
    const char *help;
    const uint64_t *counter;
};

static void
write_sums(FILE *out, const struct fwd_crew *crew, const struct sum *sums,
           size_t n)
{
    for (size_t i = 0; i < n; i++) {
        write_one(out, sums[i].name, "counter", sums[i].help,
                  fwd_crew_sum(crew, sums[i].counter));
    }
}

/* Writes what became of all packets and flows. */
static void
write_totals(FILE *out, const struct fwd_control *control)
{
    const struct fwd_counters *first = control->crew->workers[0]->counters;
    const struct sum sums[] = {
        {"received_packets_total", "Packets that came in.",
         &first->n_received},
        {"sent_packets_total", "Packets that left.", &first->n_sent},
        {"handed_over_packets_total", "Packets handed to another lcore.",
         &first->n_handed},
        {"heard_packets_total",
         "ARP, neighbour discovery and replicas that came in.",
         &first->n_heard},
        {"made_packets_total",
         "ARP, neighbour discovery, ICMP errors and replicas made here.",
         &first->n_made},
        {"pinned_flows_total", "Flows that were pinned to their hops.",
         &first->n_flows},
        {"repinned_flows_total",
         "Flows that were pinned anew, their hop being gone.",
         &first->n_repinned},
        {"unpinned_packets_total",
         "Packets sent by hash, the flow table being full.",
         &first->n_unpinned},
    };

    write_sums(out, control->crew, sums, RTE_DIM(sums));
    write_one(out, "heard_unread_packets_total", "counter",
              "Of those heard, neither sound ARP nor neighbour discovery.",
              fwd_neighbours_n_unread(control->neighbours));
    write_one(out, "made_unsent_packets_total", "counter",
              "ARP and neighbour discovery that found no buffer or no room.",
              fwd_exchange_n_unsent(&control->exchange));
}

/* Writes what became of the entries that peers tell each other. */
static void
write_replicas(FILE *out, const struct fwd_crew *crew)
{
    const struct fwd_counters *first = crew->workers[0]->counters;
    const struct sum sums[] = {
        {"replica_records_sent_total",
         "Entries told to peers that keep replicas, again and again.",
         &first->n_replicas_sent},
        {"replica_records_unsent_total",
         "Of those to be told, not sent: no buffer, or no room.",
         &first->n_replicas_unsent},
        {"replica_records_taken_total", "Entries that peers told.",
         &first->n_replicas_taken},
        {"replica_records_refused_total",
         "Entries that peers told and that there is no room for.",
         &first->n_replicas_refused},
        {"recalled_flows_total",
         "Flows that were pinned as a peer had told.", &first->n_recalled},
        {"strayed_packets_total",
         "Packets sent by way of the peer that had told of their flow.",
         &first->n_strayed},
    };

    write_sums(out, crew, sums, RTE_DIM(sums));
}

/* Writes what the devices of the ports lost. */
static void
write_losses(FILE *out, const struct fwd_control *control)
{
    static const struct {
        const char *name;
        const char *help;
        size_t offset;
    } losses[] = {
        {"port_missed_packets_total",
         "Packets lost before an lcore got them: the port's queues were full.",
         offsetof(struct fwd_losses, missed)},
        {"port_errors_total", "Packets that came in damaged.",
         offsetof(struct fwd_losses, errors)},
        {"port_no_buffer_total",
         "Packets lost before an lcore got them: there was no buffer.",
         offsetof(struct fwd_losses, no_buffer)},
    };

    for (size_t i = 0; i < RTE_DIM(losses); i++) {
        begin(out, losses[i].name, "counter", losses[i].help);
        for (uint8_t j = 0; j < control->n_ports; j++) {
            const struct fwd_port *port = &control->ports[j];
            struct fwd_losses its = fwd_port_losses(port);
            uint64_t n;

            memcpy(&n, (const char *) &its + losses[i].offset, sizeof n);
            fprintf(out, PREFIX "%s{port=\"%s\"} %" PRIu64 "\n",
                    losses[i].name, port->name, n);
        }
    }
}

static void
write_table(FILE *out, const struct fwd_crew *crew)
{
    struct fwd_crew_use use = fwd_crew_use(crew);

    write_one(out, "flow_table_capacity_entries", "gauge",
              "Entries of IPv4 that the flow table may have; one of IPv6 "
              "counts as two.", use.capacity);
    write_one(out, "flow_table_used_entries", "gauge",
              "Of those in use.", use.used);
    write_one(out, "flow_table_replica_entries", "gauge",
              "Of those in use, entries of peers; at most half of all.",
              use.replicas);
    write_one(out, "flow_table_size_bytes", "gauge",
              "Memory of the flow table.", use.size);
}

/* Writes a sample for each direction; the counts are given as those of the
 * first worker. */
static void
write_counts(FILE *out, const struct fwd_crew *crew, const char *name,
             const char *labels, const struct fwd_count counts[2],
             bool in_bytes)
{
    struct fwd_count sums[2];

    fwd_crew_count(crew, counts, sums);
    for (int i = FWD_FORWARD; i <= FWD_RETURN; i++) {
        fprintf(out, PREFIX "%s{%s,direction=\"%s\"} %" PRIu64 "\n", name,
                labels, fwd_direction_name(i),
                in_bytes ? sums[i].bytes : sums[i].packets);
    }
}

/* Writes a sample for each reason for which packets of the stage were dropped,
 * by direction. */
static void
write_drops_of(FILE *out, const struct fwd_crew *crew, const char *name,
               const char *labels, const struct fwd_stage *stage)
{
    struct fwd_stage_drop drops[FWD_MAX_STAGE_DROPS];
    uint32_t n = fwd_crew_stage_drops(crew, stage->counters, drops);

    for (uint32_t i = 0; i < n; i++) {
        fprintf(out, PREFIX "%s{%s,direction=\"%s\",reason=\"%s\"} %" PRIu64
                "\n", name, labels, fwd_direction_name(drops[i].direction),
                fwd_drop_name(drops[i].reason), drops[i].packets);
    }
}

/* What is told of stages. */
enum stage_metric { STAGE_PACKETS, STAGE_BYTES, STAGE_DROPS };

static void
write_stage(FILE *out, const struct fwd_crew *crew,
            const struct fwd_stage *stage, enum stage_metric metric,
            const char *name, const char *labels)
{
    if (metric == STAGE_DROPS) {
        write_drops_of(out, crew, name, labels, stage);
    } else {
        write_counts(out, crew, name, labels,
                     crew->workers[0]->counters->stages[stage->counters],
                     metric == STAGE_BYTES);
    }
}

/* Writes a metric of all stages. */
static void
write_stages(FILE *out, const struct fwd_crew *crew, enum stage_metric metric,
             const char *name, const char *help)
{
    const struct fwd_rules *rules = crew->rules;

    begin(out, name, "counter", help);
    for (uint32_t i = 0; i < rules->n_chains; i++) {
        const struct fwd_chain *chain = &rules->chains[i];

        for (uint8_t j = 0; j < chain->n_stages; j++) {
            const struct fwd_stage *stage = &chain->stages[j];
            char labels[LABELS_SIZE];

            snprintf(labels, sizeof labels, "chain_label=\"%u\","
                     "egress_label=\"%u\",stage=\"%u\"", chain->chain,
                     chain->egress, stage->number);
            write_stage(out, crew, stage, metric, name, labels);
        }
    }
}

/* What is told of hops. */
enum hop_metric { HOP_PACKETS, HOP_BYTES, HOP_FLOWS };

/* Writes a metric of all hops of a kind. */
static void
write_hops(FILE *out, const struct fwd_control *control,
           enum fwd_hop_kind kind, enum hop_metric metric, const char *name,
           const char *help)
{
    const struct fwd_crew *crew = control->crew;
    const struct fwd_rules *rules = crew->rules;

    begin(out, name, metric == HOP_FLOWS ? "gauge" : "counter", help);
    for (uint32_t i = 1; i < rules->n_hops; i++) {
        const char *hop = control->numbers.hops.names[i]; /* peer/x ... */
        int length = (int) strcspn(hop, "/");
        char labels[LABELS_SIZE];

        if (rules->hops[i].kind != kind
            && (rules->hops[i].kind != FWD_HOP_MOVED
                || kind != FWD_HOP_INSTANCE)) {
            continue;
        }
        snprintf(labels, sizeof labels, "%.*s_name=\"%s\"", length, hop,
                 hop + length + 1);
        if (metric == HOP_FLOWS) {
            fprintf(out, PREFIX "%s{%s} %" PRIu64 "\n", name, labels,
                    fwd_crew_flows(crew, i));
        } else {
            write_counts(out, crew, name, labels,
                         crew->workers[0]->counters->hops[i],
                         metric == HOP_BYTES);
        }
    }
}

/* Writes what became of the node of the bus and of its messages. */
static void
write_bus(FILE *out, const struct bus_link_state *bus)
{
    write_one(out, "bus_up", "gauge",
              "1 if there is a session with the site's proxy, else 0.",
              bus->is_up);
    write_one(out, "bus_messages_total", "counter",
              "Messages sent to the site's proxy.", bus->n_messages);
    write_one(out, "bus_unconfirmed_frames", "gauge",
              "Frames that the proxy has yet to confirm.",
              bus->n_unconfirmed);
    write_one(out, "bus_waiting", "gauge",
              "Filters, values and answers that wait to be sent.",
              bus->n_waiting);
    write_one(out, "bus_deferred_total", "counter",
              "Times that something could not be sent at once.",
              bus->n_deferred);
    write_one(out, "bus_renewals_total", "counter",
              "Sessions with the proxy that were given up, to begin another "
              "one.", bus->n_renewals);
    write_one(out, "bus_gaps_total", "counter",
              "Times that messages did not come and can't be had any more.",
              bus->n_gaps);
    write_one(out, "bus_duplicates_total", "counter",
              "Messages that came and were there already.",
              bus->n_duplicates);
    write_one(out, "bus_malformed_total", "counter",
              "What came from the proxy and is no frame.",
              bus->n_malformed);
    write_one(out, "bus_refused_total", "counter",
              "Values that the bus did not take: too large, or too many "
              "topics.", bus->n_refused);
}

static void
write_all(FILE *out, const struct fwd_control *control)
{
    write_totals(out, control);
    write_replicas(out, control->crew);
    write_losses(out, control);
    write_drops(out, control->crew);
    write_table(out, control->crew);
    write_stages(out, control->crew, STAGE_PACKETS, "stage_packets_total",
                 "Packets carried on this link of the chain, by direction; "
                 "drops of port_full are among them.");
    write_stages(out, control->crew, STAGE_BYTES, "stage_bytes_total",
                 "Of those, bytes of IP packets without labels and link "
                 "headers.");
    write_stages(out, control->crew, STAGE_DROPS, "stage_drops_total",
                 "Packets of this link of the chain that were dropped, by "
                 "direction and reason; but not for a full port or lcore.");
    write_hops(out, control, FWD_HOP_PEER, HOP_PACKETS, "peer_packets_total",
               "Packets given to the port towards this forwarder, by "
               "direction; drops of port_full are among them.");
    write_hops(out, control, FWD_HOP_PEER, HOP_BYTES, "peer_bytes_total",
               "Of those, bytes of IP packets.");
    write_hops(out, control, FWD_HOP_PEER, HOP_FLOWS, "peer_flows",
               "Flows that are pinned to this forwarder.");
    write_hops(out, control, FWD_HOP_INSTANCE, HOP_PACKETS,
               "instance_packets_total",
               "Packets given to the port towards this instance, by "
               "direction; drops of port_full are among them.");
    write_hops(out, control, FWD_HOP_INSTANCE, HOP_BYTES,
               "instance_bytes_total", "Of those, bytes of IP packets.");
    write_hops(out, control, FWD_HOP_INSTANCE, HOP_FLOWS, "instance_flows",
               "Flows that are pinned to this instance.");
    if (control->has_bus) {
        write_bus(out, &control->bus);
    }
}

char *
fwd_scrape(struct fwd_control *control, size_t *size)
{
    char *text = NULL;
    FILE *out = open_memstream(&text, size);

    if (!out) {
        return NULL;
    }
    pthread_mutex_lock(&control->rules_lock);
    write_all(out, control);
    pthread_mutex_unlock(&control->rules_lock);
    if (fclose(out)) {
        free(text);
        return NULL;
    }
    return text;
}
