// SPDX-License-Identifier: EPL-2.0
#include "control.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "ports.h"

#define POOL_CACHE 256 /* Packet buffers that an lcore keeps. */
#define NAME_SIZE 26   /* Bytes of a name of DPDK's with the final zero. */

int
fwd_control_check(const struct fwd_config *config,
                  char reason[FWD_REASON_SIZE])
{
    struct fwd_port ports[FWD_MAX_PORTS] = {0};
    struct fwd_numbers numbers;
    struct fwd_rules *rules;
    uint8_t n_ports;
    int error;

    if (fwd_numbers_init(&numbers)) {
        snprintf(reason, FWD_REASON_SIZE, "out of memory");
        return ENOMEM;
    }
    error = fwd_ports_read(config, ports, &n_ports, reason);
    if (!error) {
        error = fwd_rules_create(config, ports, n_ports, &numbers, &rules,
                                 reason);
    }
    if (!error) {
        fwd_rules_destroy(rules);
    }
    fwd_numbers_destroy(&numbers);
    return error;
}

/* Makes a table for each worker, a part of the whole. */
static int
make_tables(uint64_t capacity, const struct fwd_timeouts *timeouts,
            uint16_t n_workers, struct fwd_table *tables[])
{
    uint64_t seed;
    int error = getrandom(&seed, sizeof seed, 0) == sizeof seed ? 0 : errno;

    for (uint16_t i = 0; i < n_workers && !error; i++) {
        uint64_t part = capacity * (i + 1u) / n_workers
                        - capacity * i / n_workers;

        error = fwd_table_create(part, seed, timeouts, &tables[i]);
    }
    return error;
}

/* Takes the tables that another process left. */
static int
take_tables(struct fwd_estate *estate, uint64_t capacity,
            const struct fwd_timeouts *timeouts, uint16_t n_workers,
            struct fwd_table *tables[], char reason[FWD_REASON_SIZE])
{
    uint64_t sum = 0;

    if (estate->n_tables != n_workers) {
        snprintf(reason, FWD_REASON_SIZE,
                 "%u lcores forward there, %u here; a change needs a new "
                 "start", estate->n_tables, n_workers);
        return EINVAL;
    }
    for (uint16_t i = 0; i < n_workers; i++) {
        int error = fwd_table_open(estate->tables[i], timeouts, &tables[i]);

        if (error) {
            snprintf(reason, FWD_REASON_SIZE, "its flow table: %s",
                     error == EPROTO ? "another format" : strerror(error));
            return error;
        }
        estate->tables[i] = -1;
        sum += tables[i]->head->capacity;
    }
    if (sum != capacity) {
        snprintf(reason, FWD_REASON_SIZE,
                 "its flow table has capacity %" PRIu64 ", not %" PRIu64
                 "; a change needs a new start", sum, capacity);
        return EINVAL;
    }
    return 0;
}

static int
make_crew(struct fwd_control *control, const struct fwd_config *config,
          struct fwd_estate *estate, uint64_t now_ms,
          char reason[FWD_REASON_SIZE])
{
    const struct lyd_node *node = fwd_config_at(config->root, "flow-table");
    const struct fwd_timeouts timeouts = {
        .tcp_established_s = fwd_config_number(node, "tcp-established"),
        .tcp_transitory_s = fwd_config_number(node, "tcp-transitory"),
        .udp_s = fwd_config_number(node, "udp"),
        .other_s = fwd_config_number(node, "other"),
        .fragment_s = fwd_config_number(node, "fragment"),
    };
    uint64_t capacity = fwd_config_number(node, "capacity");
    struct fwd_table *tables[FWD_MAX_WORKERS] = {0};
    uint16_t n = control->n_workers;
    int error = estate ? take_tables(estate, capacity, &timeouts, n, tables,
                                     reason)
                       : make_tables(capacity, &timeouts, n, tables);

    if (error) {
        for (uint16_t i = 0; i < n; i++) {
            fwd_table_destroy(tables[i]);
        }
        return error;
    }
    return fwd_crew_create(tables, n,
                           fwd_config_number(node, "sweep-interval"), now_ms,
                           &control->crew);
}

/* Makes the neighbours, of whom nothing is known. */
static int
make_neighbours(struct fwd_control *control)
{
    int error = fwd_exchange_init(&control->exchange, control->ports,
                                  control->n_ports, control->pool);

    if (!error) {
        control->neighbours = fwd_neighbours_create(&control->exchange);
        control->crew->exchange = &control->exchange;
    }
    return error;
}

int
fwd_control_make(const struct fwd_config *config, struct fwd_estate *estate,
                 uint16_t n_workers, uint32_t n_buffers, uint64_t now_ms,
                 struct fwd_control **controlp, char reason[FWD_REASON_SIZE])
{
    struct fwd_control *control = calloc(1, sizeof *control);
    char name[NAME_SIZE];
    int error;

    snprintf(reason, FWD_REASON_SIZE, "out of memory");
    if (!control || fwd_numbers_init(&control->numbers)) {
        free(control);
        return ENOMEM;
    }
    pthread_mutex_init(&control->rules_lock, NULL);
    control->n_workers = n_workers;
    error = fwd_ports_read(config, control->ports, &control->n_ports, reason);
    if (!error) {
        snprintf(name, sizeof name, "sluice-%" PRIxPTR, (uintptr_t) control);
        control->pool = rte_pktmbuf_pool_create(
            name, n_buffers * n_workers, POOL_CACHE, 0,
            fwd_ports_buffer_size(control->ports, control->n_ports),
            SOCKET_ID_ANY);
        error = control->pool ? 0 : ENOMEM;
    }
    if (!error) {
        error = make_crew(control, config, estate, now_ms, reason);
    }
    if (!error) {
        error = make_neighbours(control);
    }
    if (error) {
        fwd_control_destroy(control);
        return error;
    }
    *controlp = control;
    return 0;
}

int
fwd_control_open(struct fwd_control *control, bool all,
                 char reason[FWD_REASON_SIZE])
{
    int error = 0;

    pthread_mutex_lock(&control->rules_lock);
    for (uint8_t i = 0; i < control->n_ports && !error; i++) {
        struct fwd_port *port = &control->ports[i];

        if (!port->is_open && (all || fwd_port_is_sharable(port))) {
            error = fwd_port_open(port, control->n_workers, control->pool,
                                  reason);
        }
    }
    pthread_mutex_unlock(&control->rules_lock);
    return error;
}

bool
fwd_control_is_open(const struct fwd_control *control)
{
    for (uint8_t i = 0; i < control->n_ports; i++) {
        if (!control->ports[i].is_open) {
            return false;
        }
    }
    return true;
}

void
fwd_control_discard(const struct fwd_control *control)
{
    for (uint8_t i = 0; i < control->n_ports; i++) {
        if (control->ports[i].is_open) {
            fwd_port_discard(&control->ports[i]);
        }
    }
}

void
fwd_control_close(struct fwd_control *control)
{
    pthread_mutex_lock(&control->rules_lock);
    for (uint8_t i = 0; i < control->n_ports; i++) {
        if (control->ports[i].is_open) {
            fwd_port_close(&control->ports[i]);
        }
    }
    pthread_mutex_unlock(&control->rules_lock);
}

int
fwd_control_create(const struct fwd_config *config, uint16_t n_workers,
                   uint32_t n_buffers, uint64_t now_ms,
                   struct fwd_control **controlp,
                   char reason[FWD_REASON_SIZE])
{
    struct fwd_control *control;
    int error = fwd_control_make(config, NULL, n_workers, n_buffers, now_ms,
                                 &control, reason);

    if (error) {
        return error;
    }
    error = fwd_control_open(control, true, reason);
    if (!error) {
        error = fwd_control_apply(control, config, reason);
    }
    if (error) {
        fwd_control_destroy(control);
        return error;
    }
    *controlp = control;
    return 0;
}

void
fwd_control_destroy(struct fwd_control *control)
{
    fwd_control_close(control);
    fwd_crew_destroy(control->crew);
    fwd_neighbours_destroy(control->neighbours);
    fwd_exchange_destroy(&control->exchange);
    rte_mempool_free(control->pool);
    fwd_numbers_destroy(&control->numbers);
    pthread_mutex_destroy(&control->rules_lock);
    free(control->document);
    free(control);
}

/* Checks that a document has the ports that there are. */
static int
check_ports(const struct fwd_control *control,
            const struct fwd_config *config, char reason[FWD_REASON_SIZE])
{
    struct fwd_port ports[FWD_MAX_PORTS];
    uint8_t n_ports;
    int error = fwd_ports_read(config, ports, &n_ports, reason);

    if (!error && !fwd_ports_equal(ports, n_ports, control->ports,
                                   control->n_ports)) {
        snprintf(reason, FWD_REASON_SIZE,
                 "ports changed, which needs a new start");
        error = EINVAL;
    }
    return error;
}

/* Makes the rules of a document, and publishes them. */
static int
publish(struct fwd_control *control, const struct fwd_config *config,
        char reason[FWD_REASON_SIZE])
{
    struct fwd_rules *rules;
    int error;

    pthread_mutex_lock(&control->rules_lock);
    error = fwd_rules_create(config, control->ports, control->n_ports,
                             &control->numbers, &rules, reason);
    if (!error) {
        fwd_neighbours_follow(control->neighbours, rules);
        fwd_crew_publish(control->crew, rules);
    }
    pthread_mutex_unlock(&control->rules_lock);
    return error;
}

int
fwd_control_apply(struct fwd_control *control,
                  const struct fwd_config *config,
                  char reason[FWD_REASON_SIZE])
{
    char *document = fwd_config_print(config);
    int error = check_ports(control, config, reason);

    if (!document) {
        snprintf(reason, FWD_REASON_SIZE, "out of memory");
        error = ENOMEM;
    }
    if (!error) {
        error = publish(control, config, reason);
    }
    if (error) {
        free(document);
        return error;
    }
    free(control->document);
    control->document = document;
    return 0;
}

int
fwd_control_read(const struct fwd_control *control,
                 const struct ly_ctx *models, struct fwd_config *config,
                 char reason[FWD_REASON_SIZE])
{
    char *text = strdup(control->document);
    int error;

    if (!text) {
        snprintf(reason, FWD_REASON_SIZE, "out of memory");
        return ENOMEM;
    }
    error = fwd_config_parse(models, text, config, reason);
    free(text);
    return error;
}

int
fwd_control_renew(struct fwd_control *control, const struct ly_ctx *models,
                  char reason[FWD_REASON_SIZE])
{
    struct fwd_config config;
    int error = fwd_control_read(control, models, &config, reason);

    if (!error) {
        error = fwd_control_apply(control, &config, reason);
        fwd_config_destroy(&config);
    }
    return error;
}
