// SPDX-License-Identifier: EPL-2.0
#include "flow.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define HUGE_PAGE_SIZE ((uint64_t) 2 << 20) /* Bytes. */
#define PROTOCOL_TCP 6
#define PROTOCOL_UDP 17

/* Bytes of memory with 'n_lines' lines. */
static uint64_t
memory_size(uint64_t n_lines)
{
    uint64_t size = sizeof(struct fwd_head)
                    + n_lines * sizeof(struct fwd_line);

    return (size + HUGE_PAGE_SIZE - 1) / HUGE_PAGE_SIZE * HUGE_PAGE_SIZE;
}

/* Maps 'size' bytes of a file, and touches all of them with MAP_POPULATE in
 * 'flags'. */
static int
map(struct fwd_table *table, uint64_t size, int flags)
{
    void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
                        MAP_SHARED | flags, table->fd, 0);

    if (memory == MAP_FAILED) {
        return errno;
    }
    table->head = memory;
    table->lines = (struct fwd_line *) (table->head + 1);
    return 0;
}

/* Maps a new file of zeros with flags of memfd_create(). */
static int
map_new(struct fwd_table *table, uint64_t size, unsigned int flags)
{
    int error;

    table->fd = memfd_create("sluice-flows", MFD_CLOEXEC | flags);
    if (table->fd < 0) {
        return errno;
    }
    error = ftruncate(table->fd, (off_t) size) ? errno : map(table, size, 0);
    if (error) {
        close(table->fd);
    }
    return error;
}

/* Makes memory, on huge pages if there are enough. */
static int
make_memory(struct fwd_table *table, uint64_t size)
{
    int error = map_new(table, size, MFD_HUGETLB);

    if (!error) {
        table->head->huge = 1;
        return 0;
    }
    error = map_new(table, size, 0);
    if (!error) {
        madvise(table->head, size, MADV_HUGEPAGE);
    }
    return error;
}

int
fwd_table_create(uint64_t capacity, uint64_t seed,
                 const struct fwd_timeouts *timeouts,
                 struct fwd_table **tablep)
{
    struct fwd_table *table = calloc(1, sizeof *table);
    int error;

    if (!table) {
        return ENOMEM;
    }
    table->n_lines = capacity / 4 * 3 + 3;
    table->seed = seed;
    table->timeouts = *timeouts;
    error = make_memory(table, memory_size(table->n_lines));
    if (error) {
        free(table);
        return error;
    }
    table->head->format = FWD_TABLE_FORMAT;
    table->head->n_lines = table->n_lines;
    table->head->capacity = capacity;
    table->head->seed = seed;
    *tablep = table;
    return 0;
}

/* Reads what a file's head says; 0 if it is of no table that is known. */
static uint64_t
read_n_lines(int fd)
{
    struct fwd_head head;
    struct stat status;

    return pread(fd, &head, sizeof head, 0) == sizeof head
                   && head.format == FWD_TABLE_FORMAT && !fstat(fd, &status)
                   && head.n_lines < UINT32_MAX
                   && head.swept <= head.n_lines
                   && memory_size(head.n_lines) == (uint64_t) status.st_size
               ? head.n_lines
               : 0;
}

int
fwd_table_open(int fd, const struct fwd_timeouts *timeouts,
               struct fwd_table **tablep)
{
    uint64_t n_lines = read_n_lines(fd);
    struct fwd_table *table;
    int error;

    if (!n_lines) {
        return EPROTO;
    }
    table = calloc(1, sizeof *table);
    if (!table) {
        return ENOMEM;
    }
    table->fd = fd;
    error = map(table, memory_size(n_lines), MAP_POPULATE);
    if (error) {
        free(table);
        return error;
    }
    table->n_lines = n_lines;
    table->seed = table->head->seed;
    table->timeouts = *timeouts;
    *tablep = table;
    return 0;
}

void
fwd_table_destroy(struct fwd_table *table)
{
    if (table) {
        munmap(table->head, memory_size(table->n_lines));
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

/* Counts an entry, or with a 'change' of -1 forgets it. */
static void
count_entry(struct fwd_head *head, const struct fwd_flow *flow, int change)
{
    uint64_t slots = fwd_key_slots(flow->context) * (uint64_t) change;
    uint32_t origin = fwd_key_origin(flow->context);

    head->used += slots;
    if (origin) {
        head->n_replicas += slots;
        head->origins[origin].n += (uint64_t) change;
    } else {
        head->hop_flows[flow->next] += (uint32_t) change;
        head->hop_flows[flow->prev] += (uint32_t) change;
    }
}

struct fwd_flow *
fwd_table_insert(struct fwd_table *table, const struct fwd_key *key,
                 uint64_t hash, uint16_t next, uint16_t prev, uint32_t now_s)
{
    uint64_t home = fwd_table_home(table, hash), i = home;

    if (table->head->used + fwd_key_slots(key->context)
        > table->head->capacity) {
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
            count_entry(table->head, flow, 1);
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
    count_entry(table->head, flow, -1);
    flow->context = 0;
    if (key.context & FWD_KEY_IPV6) {
        memset(&line->second, 0, sizeof line->second);
    }
}

void
fwd_table_repin(struct fwd_table *table, struct fwd_flow *flow,
                uint16_t next, uint16_t prev)
{
    table->head->hop_flows[flow->next]--;
    table->head->hop_flows[flow->prev]--;
    flow->next = next;
    flow->prev = prev;
    table->head->hop_flows[next]++;
    table->head->hop_flows[prev]++;
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
sweep_slot(struct fwd_table *table, struct fwd_line *line,
           struct fwd_flow *flow, uint32_t now_s, fwd_swept *tell, void *aux)
{
    bool is_gone;

    if (!flow->context) {
        return;
    }
    is_gone = now_s - flow->seen_s
              > fwd_flow_timeout_s(flow, &table->timeouts);
    if (tell && !fwd_key_origin(flow->context)) {
        const struct fwd_key key = key_of(line, flow);

        tell(aux, &key, flow, is_gone);
    }
    if (is_gone) {
        fwd_table_remove(table, flow);
    }
}

void
fwd_table_sweep(struct fwd_table *table, uint64_t n, uint32_t now_s,
                fwd_swept *tell, void *aux)
{
    while (n--) {
        struct fwd_line *line = &table->lines[table->head->swept];

        if (!(line->first.context & FWD_KEY_IPV6)) {
            sweep_slot(table, line, &line->second, now_s, tell, aux);
        }
        sweep_slot(table, line, &line->first, now_s, tell, aux);
        if (++table->head->swept >= table->n_lines) {
            table->head->swept = 0;
        }
    }
}
