// SPDX-License-Identifier: EPL-2.0
#include "children.h"

#include "replica_wire.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#define PCAP_MAGIC 0xa1b2c3d4u

static const char *program;
static char folder[] = "/tmp/sluice-children-XXXXXX";
static const char *const ports[] = {"wan", "lan"};

int
child_begin(const char *path)
{
    program = path;
    return mkdtemp(folder) ? 0 : -1;
}

void
child_clear(void)
{
    char command[sizeof folder + 16];

    snprintf(command, sizeof command, "rm -f %s/*", folder);
    assert_int_equal(system(command), 0);
}

void
child_end(void)
{
    rmdir(folder);
}

const char *
child_path(const char *name)
{
    static char paths[8][256];
    static int next;
    char *path = paths[next++ % 8];

    snprintf(path, sizeof paths[0], "%s/%s", folder, name);
    return path;
}

static const char *
queue_path(int port, int queue, const char *direction)
{
    char name[32];

    snprintf(name, sizeof name, "%s-%s%d", ports[port], direction, queue);
    return child_path(name);
}

static FILE *
create(const char *path)
{
    FILE *file = fopen(path, "w");

    assert_non_null(file);
    return file;
}

void
child_pause(long ms)
{
    nanosleep(&(struct timespec) {0, ms * 1000000}, NULL);
}

struct pcap_header {
    uint32_t magic;
    uint16_t version[2];
    uint32_t zone[2];
    uint32_t max_size;
    uint32_t link; /* 1: Ethernet. */
};

struct pcap_record {
    uint32_t time[2];
    uint32_t size;
    uint32_t whole;
};

void
child_begin_input(int port, FILE *files[CHILD_QUEUES])
{
    const struct pcap_header header = {
        .magic = PCAP_MAGIC, .version = {2, 4}, .max_size = 65535, .link = 1,
    };

    for (int i = 0; i < CHILD_QUEUES; i++) {
        files[i] = create(queue_path(port, i, "in"));
        fwrite(&header, sizeof header, 1, files[i]);
    }
}

void
child_add_input(FILE *files[CHILD_QUEUES], uint32_t i,
                const struct wire *wire)
{
    struct pcap_record record = {.size = wire->size, .whole = wire->size};
    FILE *file = files[i / 3 % CHILD_QUEUES];

    fwrite(&record, sizeof record, 1, file);
    fwrite(wire->data, wire->size, 1, file);
}

void
child_end_input(FILE *files[CHILD_QUEUES])
{
    for (int i = 0; i < CHILD_QUEUES; i++) {
        fclose(files[i]);
    }
}

/* Whether a frame is of no chain: to all, an announcement; or replicas. */
static bool
is_aside(int port, const struct wire *wire)
{
    return wire->data[0] & 1
           || (port == 0 && wire_get16(wire, 36) == FWD_REPLICA_PORT);
}

/* Shows each frame that left by a port to 'look'. */
static void
look_at_output(int port, void (*look)(int port, const struct wire *wire,
                                      void *aux), void *aux)
{
    for (int i = 0; i < CHILD_QUEUES; i++) {
        FILE *file = fopen(queue_path(port, i, "out"), "r");
        struct pcap_record record;
        struct wire wire;

        if (!file) {
            continue;
        }
        fseek(file, sizeof(struct pcap_header), SEEK_SET);
        while (fread(&record, sizeof record, 1, file) == 1
               && record.size <= sizeof wire.data
               && fread(wire.data, record.size, 1, file) == 1) {
            wire.size = (uint16_t) record.size;
            look(port, &wire, aux);
        }
        fclose(file);
    }
}

/* Packets that left by a port. */
struct count {
    uint32_t n;
    uint32_t *to_nats;
    uint32_t *to_peers;
};

static void
count_packet(int port, const struct wire *wire, void *aux)
{
    struct count *count = aux;
    struct place place;

    if (is_aside(port, wire)) {
        return;
    }
    place = network_place(port, wire);
    ++*(place.is_peer ? &count->to_peers[place.peer]
                      : &count->to_nats[place.vnf]);
    count->n++;
}

/* Counts the packets that left by a port to NATs, or to peers. */
static uint32_t
count_output(int port, uint32_t to_nats[N_VNFS], uint32_t to_peers[N_PEERS])
{
    struct count count = {.to_nats = to_nats, .to_peers = to_peers};

    memset(to_nats, 0, N_VNFS * sizeof *to_nats);
    memset(to_peers, 0, N_PEERS * sizeof *to_peers);
    look_at_output(port, count_packet, &count);
    return count.n;
}

static void
read_source(int port, const struct wire *wire, void *source)
{
    if (!is_aside(port, wire)) {
        memcpy(source, wire->data + 6, 6);
    }
}

uint64_t
child_source(int port)
{
    uint64_t source = 0;

    look_at_output(port, read_source, &source);
    return source;
}

static void
count_announcement(int port, const struct wire *wire, void *n)
{
    (void) port;
    *(uint32_t *) n += wire->data[0] & 1;
}

uint32_t
child_count_announcements(int port)
{
    uint32_t n = 0;

    look_at_output(port, count_announcement, &n);
    return n;
}

void
child_wait_for_output(int port, uint32_t n, uint32_t to_nats[N_VNFS],
                      uint32_t to_peers[N_PEERS])
{
    for (int ms = 0; ms < CHILD_LIMIT_MS; ms += 10) {
        if (count_output(port, to_nats, to_peers) >= n) {
            break;
        }
        child_pause(10);
    }
    assert_int_equal(count_output(port, to_nats, to_peers), n);
}

void
child_clear_output(int port)
{
    for (int i = 0; i < CHILD_QUEUES; i++) {
        unlink(queue_path(port, i, "out"));
    }
}

void
child_replace(char *text, const char *from, const char *to)
{
    char copy[CHILD_TEXT_SIZE], *at = strstr(text, from);

    assert_non_null(at);
    snprintf(copy, sizeof copy, "%.*s%s%s", (int) (at - text), text, to,
             at + strlen(from));
    strcpy(text, copy);
}

void
child_device(int port, char *device, size_t size)
{
    snprintf(device, size, "net_pcap%d,rx_pcap=%s,tx_pcap=%s,rx_pcap=%s,"
             "tx_pcap=%s", port, queue_path(port, 0, "in"),
             queue_path(port, 0, "out"), queue_path(port, 1, "in"),
             queue_path(port, 1, "out"));
}

/* Starts the program with one more option, which may have a value. */
static pid_t
run(const char *config, const char *lcores, const char *option,
    const char *value, const char *log)
{
    pid_t pid = fork();
    const char *arguments[] = {
        program, "--no-huge", "-m", "160", "--no-pci", "--no-shconf",
        "--no-telemetry", "--lcores", lcores, "--", "--models", FWD_MODELS,
        "--config", child_path(config), option, value, NULL,
    };

    assert_true(pid >= 0);
    if (!pid) {
        if (!freopen(child_path(log), "w", stderr) || dup2(2, 1) < 0) {
            _exit(1);
        }
        execv(program, (char *const *) arguments);
        _exit(1);
    }
    return pid;
}

pid_t
child_run(const char *config, const char *lcores, const char *take_over,
          const char *log)
{
    return run(config, lcores, take_over ? "--take-over" : NULL, take_over,
               log);
}

pid_t
child_upgrade(const char *config, const char *lcores, const char *log)
{
    return run(config, lcores, "--upgrade", NULL, log);
}

int
child_status(pid_t pid)
{
    for (int ms = 0; ms < CHILD_LIMIT_MS; ms += 10) {
        int status;

        if (waitpid(pid, &status, WNOHANG) == pid) {
            return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        }
        child_pause(10);
    }
    return -1;
}

void
child_assert_said(const char *log, const char *words)
{
    char text[4096] = "";
    FILE *file = fopen(child_path(log), "r");

    assert_non_null(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    if (!strstr(text, words)) {
        fail_msg("'%s' instead of '%s'", text, words);
    }
}

bool
child_is_running(pid_t pid)
{
    return !waitpid(pid, NULL, WNOHANG);
}

