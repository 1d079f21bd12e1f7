// SPDX-License-Identifier: EPL-2.0
#include "flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#define HUGE_PAGE_SIZE ((uint64_t) 2 << 20) /* Bytes. */
#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17

static uint64_t
memory_size(const struct fwd_table *table)
{
    uint64_t size = table->n_lines * sizeof(struct fwd_line);

    return (size + HUGE_PAGE_SIZE - 1) / HUGE_PAGE_SIZE * HUGE_PAGE_SIZE;
}

/* Maps a new file of zeros with flags of memfd_create(). */
static int
map_file(struct fwd_table *table, unsigned int flags)
{
    uint64_t size = memory_size(table);
    void *memory;
    int error;

    table->fd = memfd_create("sluice-flows", MFD_CLOEXEC | flags);
    if (table->fd < 0) {
        return errno;
    }
    if (!ftruncate(table->fd, (off_t) size)) {
        memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED,
                      table->fd, 0);
        if (memory != MAP_FAILED) {
            table->lines = memory;
            return 0;
        }
    }
    error = errno;
    close(table->fd);
    return error;
}

static int
map_lines(struct fwd_table *table)
{
    int error = map_file(table, MFD_HUGETLB);

    table->huge = !error;
    if (error) {
        error = map_file(table, 0);
        if (!error) {
            madvise(table->lines, memory_size(table), MADV_HUGEPAGE);
        }
    }
    return error;
}

int
fwd_table_create(uint64_t capacity, const struct fwd_timeouts *timeouts,
                 struct fwd_table **tablep)
{
    struct fwd_table *table = calloc(1, sizeof *table);
    int error;

    if (!table) {
        return ENOMEM;
    }
    table->capacity = capacity;
    table->n_lines = capacity / 4 * 3 + 3;
    table->timeouts = *timeouts;
    if (getrandom(&table->seed, sizeof table->seed, 0)
        != sizeof table->seed) {
        error = errno;
    } else {
        error = map_lines(table);
    }
    if (error) {
        free(table);
        return error;
    }
    *tablep = table;
    return 0;
}

void
fwd_table_destroy(struct fwd_table *table)
{
    if (table) {
        munmap(table->lines, memory_size(table));
        close(table->fd);
        free(table);
    }
}

/* A free slot of 'line' for 'key', or null. */
static struct fwd_flow *
free_slot(struct fwd_line *line, const struct fwd_key *key)
{
    if (line->first.context & FWD_KEY_IPV6) {
        return NULL;
    }
    if (key->context & FWD_KEY_IPV6) {
        return line->first.context || line->second.context ? NULL
                                                           : &line->first;
    }
    if (!line->first.context) {
        return &line->first;
    }
    return line->second.context ? NULL : &line->second;
}

static uint64_t
slots_of(uint64_t context)
{
    return context & FWD_KEY_IPV6 ? 2 : 1;
}

/* Adds 'change' to 'passed' of the lines from 'home' up to 'end'. */
static void
count_passed(struct fwd_table *table, uint64_t home, uint64_t end, int change)
{
    while (home != end) {
        struct fwd_flow *first = &table->lines[home].first;

        first->passed = (uint16_t) (first->passed + change);
        home = home + 1 == table->n_lines ? 0 : home + 1;
    }
}

static void
write_entry(struct fwd_line *line, struct fwd_flow *flow,
            const struct fwd_key *key)
{
    flow->context = key->context;
    flow->address = key->address[0];
    flow->ports = key->ports;
    flow->state = 0;
    if (key->context & FWD_KEY_IPV6) {
        memcpy(line->address, &key->address[1], 3 * sizeof(uint64_t));
    }
}

struct fwd_flow *
fwd_table_insert(struct fwd_table *table, const struct fwd_key *key,
                 uint64_t hash, uint16_t next, uint16_t prev, uint32_t now_s)
{
    uint64_t home = fwd_table_home(table, hash), i = home;

    if (table->used + slots_of(key->context) > table->capacity) {
        return NULL;
    }
    for (int n = 0; n < FWD_MAX_PASSED; n++) {
        struct fwd_flow *flow = free_slot(&table->lines[i], key);

        if (flow) {
            count_passed(table, home, i, 1);
            write_entry(&table->lines[i], flow, key);
            flow->seen_s = now_s;
            flow->next = next;
            flow->prev = prev;
            table->used += slots_of(key->context);
            table->hop_flows[next]++;
            table->hop_flows[prev]++;
            return flow;
        }
        i = i + 1 == table->n_lines ? 0 : i + 1;
    }
    return NULL;
}

static struct fwd_key
key_of(const struct fwd_line *line, const struct fwd_flow *flow)
{
    struct fwd_key key = {
        .context = flow->context,
        .address = {flow->address},
        .ports = flow->ports,
    };

    if (flow->context & FWD_KEY_IPV6) {
        memcpy(&key.address[1], line->address, 3 * sizeof(uint64_t));
    }
    return key;
}

void
fwd_table_remove(struct fwd_table *table, struct fwd_flow *flow)
{
    uint64_t i = (uint64_t) (flow - &table->lines[0].first) / 2;
    struct fwd_line *line = &table->lines[i];
    struct fwd_key key = key_of(line, flow);
    uint64_t hash = fwd_key_hash(&key, table->seed);

    count_passed(table, fwd_table_home(table, hash), i, -1);
    table->used -= slots_of(flow->context);
    table->hop_flows[flow->next]--;
    table->hop_flows[flow->prev]--;
    flow->context = 0;
    if (key.context & FWD_KEY_IPV6) {
        memset(&line->second, 0, sizeof line->second);
    }
}

void
fwd_table_repin(struct fwd_table *table, struct fwd_flow *flow,
                uint16_t next, uint16_t prev)
{
    table->hop_flows[flow->next]--;
    table->hop_flows[flow->prev]--;
    flow->next = next;
    flow->prev = prev;
    table->hop_flows[next]++;
    table->hop_flows[prev]++;
}

uint32_t
fwd_flow_timeout_s(const struct fwd_flow *flow,
                   const struct fwd_timeouts *timeouts)
{
    const uint8_t both = FWD_SEEN_FORWARD | FWD_SEEN_RETURN;
    const uint8_t fins = FWD_FIN_FORWARD | FWD_FIN_RETURN;

    if (flow->context & FWD_KEY_FRAGMENT) {
        return timeouts->fragment_s;
    }
    switch (fwd_key_protocol(flow->context)) {
    case PROTOCOL_TCP:
        return (flow->state & both) == both && (flow->state & fins) != fins
                       && !(flow->state & FWD_RESET)
                   ? timeouts->tcp_established_s
                   : timeouts->tcp_transitory_s;
    case PROTOCOL_UDP:
        return timeouts->udp_s;
    default:
        return timeouts->other_s;
    }
}

static void
sweep_slot(struct fwd_table *table, struct fwd_flow *flow, uint32_t now_s)
{
    if (flow->context
        && now_s - flow->seen_s
               > fwd_flow_timeout_s(flow, &table->timeouts)) {
        fwd_table_remove(table, flow);
    }
}

void
fwd_table_sweep(struct fwd_table *table, uint64_t n, uint32_t now_s)
{
    while (n--) {
        struct fwd_line *line = &table->lines[table->swept];

        if (!(line->first.context & FWD_KEY_IPV6)) {
            sweep_slot(table, &line->second, now_s);
        }
        sweep_slot(table, &line->first, now_s);
        table->swept = table->swept + 1 == table->n_lines ? 0
                                                          : table->swept + 1;
    }
}
