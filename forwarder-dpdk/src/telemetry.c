// SPDX-License-Identifier: EPL-2.0
#include "telemetry.h"

#include <arpa/inet.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <rte_telemetry.h>
#include <rte_version.h>

#include "ports.h"
#include "trace_answer.h"

#define MAX_LISTED 500 /* Names in one answer; DPDK allows 512. */

/* Whose counters are told, or null; DPDK's callbacks get no argument of ours.
 * They run in a thread of DPDK's, so 'lock' is held while it is used. */
static struct fwd_control *told;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

/* Adds a number to a dictionary; DPDK 23.03 gave that another name. */
static void
add_number(struct rte_tel_data *data, const char *name, uint64_t number)
{
#if RTE_VERSION >= RTE_VERSION_NUM(23, 3, 0, 0)
    rte_tel_data_add_dict_uint(data, name, number);
#else
    rte_tel_data_add_dict_u64(data, name, number);
#endif
}

static int
tell_packets(const struct fwd_control *control, const char *parameters,
             struct rte_tel_data *data)
{
    const struct fwd_counters *first = control->crew->workers[0]->counters;
    const struct {
        const char *name;
        const uint64_t *counter;
    } sums[] = {
        {"received", &first->n_received},
        {"sent", &first->n_sent},
        {"handed_over", &first->n_handed},
        {"heard", &first->n_heard},
        {"made", &first->n_made},
        {"flows", &first->n_flows},
        {"repinned_flows", &first->n_repinned},
        {"unpinned_packets", &first->n_unpinned},
        {"replica_records_sent", &first->n_replicas_sent},
        {"replica_records_unsent", &first->n_replicas_unsent},
        {"replica_records_taken", &first->n_replicas_taken},
        {"replica_records_refused", &first->n_replicas_refused},
        {"recalled_flows", &first->n_recalled},
        {"strayed_packets", &first->n_strayed},
    };

    (void) parameters;
    rte_tel_data_start_dict(data);
    for (size_t i = 0; i < RTE_DIM(sums); i++) {
        add_number(data, sums[i].name,
                   fwd_crew_sum(control->crew, sums[i].counter));
    }
    add_number(data, "heard_unread",
               fwd_neighbours_n_unread(control->neighbours));
    add_number(data, "made_unsent", fwd_exchange_n_unsent(&control->exchange));
    return 0;
}

static int
tell_drops(const struct fwd_control *control, const char *parameters,
           struct rte_tel_data *data)
{
    const struct fwd_crew *crew = control->crew;

    (void) parameters;
    rte_tel_data_start_dict(data);
    for (int i = FWD_DROP_NONE + 1; i < FWD_N_DROPS; i++) {
        add_number(data, fwd_drop_name(i),
                   fwd_crew_sum(crew,
                                &crew->workers[0]->counters->drops[i]));
    }
    return 0;
}

static int
tell_ports(const struct fwd_control *control, const char *parameters,
           struct rte_tel_data *data)
{
    (void) parameters;
    rte_tel_data_start_array(data, RTE_TEL_STRING_VAL);
    for (uint8_t i = 0; i < control->n_ports; i++) {
        rte_tel_data_add_array_string(data, control->ports[i].name);
    }
    return 0;
}

static int
tell_port(const struct fwd_control *control, const char *parameters,
          struct rte_tel_data *data)
{
    for (uint8_t i = 0; parameters && i < control->n_ports; i++) {
        if (!strcmp(control->ports[i].name, parameters)) {
            struct fwd_losses losses = fwd_port_losses(&control->ports[i]);

            rte_tel_data_start_dict(data);
            add_number(data, "missed", losses.missed);
            add_number(data, "errors", losses.errors);
            add_number(data, "no_buffer", losses.no_buffer);
            return 0;
        }
    }
    return -EINVAL;
}

static int
tell_table(const struct fwd_control *control, const char *parameters,
           struct rte_tel_data *data)
{
    struct fwd_crew_use use = fwd_crew_use(control->crew);

    (void) parameters;
    rte_tel_data_start_dict(data);
    add_number(data, "capacity", use.capacity);
    add_number(data, "used", use.used);
    add_number(data, "replicas", use.replicas);
    add_number(data, "bytes", use.size);
    add_number(data, "huge_pages", use.huge);
    return 0;
}

static int
tell_names(const struct fwd_names *names, struct rte_tel_data *data)
{
    rte_tel_data_start_array(data, RTE_TEL_STRING_VAL);
    for (uint32_t i = 1; i < names->n && i <= MAX_LISTED; i++) {
        rte_tel_data_add_array_string(data, names->names[i]);
    }
    return 0;
}

static int
tell_stages(const struct fwd_control *control, const char *parameters,
            struct rte_tel_data *data)
{
    (void) parameters;
    return tell_names(&control->numbers.stages, data);
}

static int
tell_hops(const struct fwd_control *control, const char *parameters,
          struct rte_tel_data *data)
{
    (void) parameters;
    return tell_names(&control->numbers.hops, data);
}

/* Adds counts by direction, given as those of the first worker. */
static void
add_counts(struct rte_tel_data *data, const struct fwd_crew *crew,
           const struct fwd_count counts[2])
{
    struct fwd_count sums[2];

    fwd_crew_count(crew, counts, sums);
    add_number(data, "forward_packets", sums[0].packets);
    add_number(data, "forward_bytes", sums[0].bytes);
    add_number(data, "return_packets", sums[1].packets);
    add_number(data, "return_bytes", sums[1].bytes);
}

/* The number that a name in 'parameters' has; 0 if it has none. */
static uint32_t
number_of(const struct fwd_names *names, const char *parameters)
{
    return parameters ? fwd_names_find(names, parameters) : 0;
}

/* Adds why packets of a stage were dropped, as far as some were. */
static void
add_stage_drops(struct rte_tel_data *data, const struct fwd_crew *crew,
                uint32_t stage)
{
    struct fwd_stage_drop drops[FWD_MAX_STAGE_DROPS];
    uint32_t n = fwd_crew_stage_drops(crew, stage, drops);

    for (uint32_t i = 0; i < n; i++) {
        char name[RTE_TEL_MAX_STRING_LEN];

        snprintf(name, sizeof name, "%s_dropped_%s",
                 fwd_direction_name(drops[i].direction),
                 fwd_drop_name(drops[i].reason));
        add_number(data, name, drops[i].packets);
    }
}

static int
tell_stage(const struct fwd_control *control, const char *parameters,
           struct rte_tel_data *data)
{
    uint32_t number = number_of(&control->numbers.stages, parameters);

    if (!number) {
        return -EINVAL;
    }
    rte_tel_data_start_dict(data);
    add_counts(data, control->crew,
               control->crew->workers[0]->counters->stages[number]);
    add_stage_drops(data, control->crew, number);
    return 0;
}

static int
tell_hop(const struct fwd_control *control, const char *parameters,
         struct rte_tel_data *data)
{
    uint32_t number = number_of(&control->numbers.hops, parameters);

    if (!number) {
        return -EINVAL;
    }
    rte_tel_data_start_dict(data);
    add_number(data, "flows", fwd_crew_flows(control->crew, number));
    add_counts(data, control->crew,
               control->crew->workers[0]->counters->hops[number]);
    return 0;
}

static int
tell_bus(const struct fwd_control *control, const char *parameters,
         struct rte_tel_data *data)
{
    const struct bus_link_state *bus = &control->bus;

    (void) parameters;
    rte_tel_data_start_dict(data);
    if (control->has_bus) {
        add_number(data, "up", bus->is_up);
        add_number(data, "messages", bus->n_messages);
        add_number(data, "unconfirmed", bus->n_unconfirmed);
        add_number(data, "waiting", bus->n_waiting);
        add_number(data, "deferred", bus->n_deferred);
        add_number(data, "renewals", bus->n_renewals);
        add_number(data, "gaps", bus->n_gaps);
        add_number(data, "duplicates", bus->n_duplicates);
        add_number(data, "malformed", bus->n_malformed);
        add_number(data, "refused", bus->n_refused);
    }
    return 0;
}

/* An answer about neighbours. */
struct listing {
    struct rte_tel_data *data;
    const struct fwd_port *ports;
};

static void
add_neighbour(void *listing_, uint8_t port, const struct fwd_arp_nd *known)
{
    const struct listing *listing = listing_;
    char address[INET6_ADDRSTRLEN], mac[RTE_ETHER_ADDR_FMT_SIZE];
    bool ipv4 = fwd_address_is_ipv4(&known->about);
    char text[160];

    inet_ntop(ipv4 ? AF_INET : AF_INET6, &known->about.s6_addr[ipv4 ? 12 : 0],
              address, sizeof address);
    rte_ether_format_addr(mac, sizeof mac, &known->mac);
    snprintf(text, sizeof text, "%s %u %s %s", listing->ports[port].name,
             known->vlan, address,
             rte_is_zero_ether_addr(&known->mac) ? "unknown" : mac);
    rte_tel_data_add_array_string(listing->data, text);
}

static int
tell_neighbours(const struct fwd_control *control, const char *parameters,
                struct rte_tel_data *data)
{
    struct listing listing = {.data = data, .ports = control->ports};

    (void) parameters;
    rte_tel_data_start_array(data, RTE_TEL_STRING_VAL);
    fwd_neighbours_tell(control->neighbours, add_neighbour, &listing);
    return 0;
}

static const struct {
    const char *name;
    int (*tell)(const struct fwd_control *control, const char *parameters,
                struct rte_tel_data *data);
    const char *text;
} commands[] = {
    {"/sluice/packets", tell_packets, "Packets and flows."},
    {"/sluice/drops", tell_drops, "Dropped packets by reason."},
    {"/sluice/ports", tell_ports, "Names of ports."},
    {"/sluice/port", tell_port, "What the device of a port lost. Its name."},
    {"/sluice/table", tell_table, "The flow table."},
    {"/sluice/stages", tell_stages, "Names of stages."},
    {"/sluice/stage", tell_stage, "Traffic of a stage. Its name."},
    {"/sluice/hops", tell_hops, "Names of hops."},
    {"/sluice/hop", tell_hop, "Flows and traffic of a hop. Its name."},
    {"/sluice/bus", tell_bus, "The node of the bus and its messages."},
    {"/sluice/trace", fwd_trace_answer,
     "What would become of a packet. Port, hex."},
    {"/sluice/neighbours", tell_neighbours,
     "Neighbours that are asked for: port, VLAN, address, MAC address."},
};

#define N_COMMANDS (sizeof commands / sizeof *commands)

int
fwd_telemetry_answer(const char *command, const char *parameters,
                     struct rte_tel_data *data)
{
    int error = -ENOENT;

    pthread_mutex_lock(&lock);
    for (size_t i = 0; told && i < N_COMMANDS; i++) {
        if (!strcmp(commands[i].name, command)) {
            pthread_mutex_lock(&told->rules_lock);
            error = commands[i].tell(told, parameters, data);
            pthread_mutex_unlock(&told->rules_lock);
        }
    }
    pthread_mutex_unlock(&lock);
    return error;
}

static void
tell_of(struct fwd_control *control)
{
    pthread_mutex_lock(&lock);
    told = control;
    pthread_mutex_unlock(&lock);
}

int
fwd_telemetry_start(struct fwd_control *control)
{
    tell_of(control);
    for (size_t i = 0; i < N_COMMANDS; i++) {
        int error = rte_telemetry_register_cmd(
            commands[i].name, fwd_telemetry_answer, commands[i].text);

        if (error) {
            return -error;
        }
    }
    return 0;
}

void
fwd_telemetry_stop(void)
{
    tell_of(NULL);
}
