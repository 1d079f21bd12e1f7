// SPDX-License-Identifier: EPL-2.0
#include "telemetry.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>

#include <rte_telemetry.h>

#define MAX_LISTED 500 /* Names in one answer; DPDK allows 512. */

/* Whose counters are told, or null; DPDK's callbacks get no argument of ours.
 * They run in a thread of DPDK's, so 'lock' is held while it is used. */
static struct fwd_control *told;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static int
tell_packets(const struct fwd_control *control, const char *parameters,
             struct rte_tel_data *data)
{
    const struct fwd_counters *counters = control->worker->counters;

    (void) parameters;
    rte_tel_data_start_dict(data);
    rte_tel_data_add_dict_u64(data, "received", counters->n_received);
    rte_tel_data_add_dict_u64(data, "sent", counters->n_sent);
    rte_tel_data_add_dict_u64(data, "flows", counters->n_flows);
    rte_tel_data_add_dict_u64(data, "repinned_flows", counters->n_repinned);
    rte_tel_data_add_dict_u64(data, "unpinned_packets",
                              counters->n_unpinned);
    return 0;
}

static int
tell_drops(const struct fwd_control *control, const char *parameters,
           struct rte_tel_data *data)
{
    (void) parameters;
    rte_tel_data_start_dict(data);
    for (int i = FWD_DROP_NONE + 1; i < FWD_N_DROPS; i++) {
        rte_tel_data_add_dict_u64(data, fwd_drop_name(i),
                                  control->worker->counters->drops[i]);
    }
    return 0;
}

static int
tell_table(const struct fwd_control *control, const char *parameters,
           struct rte_tel_data *data)
{
    const struct fwd_table *table = control->worker->table;

    (void) parameters;
    rte_tel_data_start_dict(data);
    rte_tel_data_add_dict_u64(data, "capacity", table->capacity);
    rte_tel_data_add_dict_u64(data, "used", table->used);
    rte_tel_data_add_dict_u64(data, "bytes",
                              table->n_lines * sizeof *table->lines);
    rte_tel_data_add_dict_u64(data, "huge_pages", table->huge);
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

static void
add_counts(struct rte_tel_data *data, const struct fwd_count counts[2])
{
    rte_tel_data_add_dict_u64(data, "forward_packets", counts[0].packets);
    rte_tel_data_add_dict_u64(data, "forward_bytes", counts[0].bytes);
    rte_tel_data_add_dict_u64(data, "return_packets", counts[1].packets);
    rte_tel_data_add_dict_u64(data, "return_bytes", counts[1].bytes);
}

/* The number that a name in 'parameters' has; 0 if it has none. */
static uint32_t
number_of(const struct fwd_names *names, const char *parameters)
{
    return parameters ? fwd_names_find(names, parameters) : 0;
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
    add_counts(data, control->worker->counters->stages[number]);
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
    rte_tel_data_add_dict_u64(data, "flows",
                              control->worker->table->hop_flows[number]);
    add_counts(data, control->worker->counters->hops[number]);
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
    {"/sluice/table", tell_table, "The flow table."},
    {"/sluice/stages", tell_stages, "Names of stages."},
    {"/sluice/stage", tell_stage, "Traffic of a stage. Its name."},
    {"/sluice/hops", tell_hops, "Names of hops."},
    {"/sluice/hop", tell_hop, "Flows and traffic of a hop. Its name."},
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
            pthread_mutex_lock(&told->numbers_lock);
            error = commands[i].tell(told, parameters, data);
            pthread_mutex_unlock(&told->numbers_lock);
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
