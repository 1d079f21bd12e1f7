/* SPDX-License-Identifier: EPL-2.0 */
/* probe: numbered UDP probes at a fixed interval, both ways.
 *
 * Two probes are started with each other's address and one start time. Each
 * sends probe i at start + i * interval, and notes when the other's arrive:
 *
 *   +-------------------------------+------------------+
 *   | number, from 0 (8, big-endian)| zeros up to size |
 *   +-------------------------------+------------------+
 *
 * A size of 0 sends nothing: the probe only listens. SIGTERM ends the sending
 * before all are sent; whoever ends both counts what the other sent.
 *
 * Printed at the end, as one JSON object:
 *   sent, received    probes (duplicates count once)
 *   lost              probes of the other side that never came
 *   longest_us        longest time without an arrival, from the first arrival
 *                     to the end of the other's sending
 *   gaps_ns           [from, to] of each such time above the limit
 *   losses            [first, last] numbers of each run of lost probes
 * Times are CLOCK_MONOTONIC: comparable between processes of one machine.
 *
 * Thread-safety: one thread. */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)
#define NS_PER_US INT64_C(1000)
#define DRAIN_NS (NS_PER_S / 2)     /* Listening time after the last probe. */
#define MAX_SIZE 1472               /* Bytes of UDP payload in one frame. */
#define MAX_GAPS 10000
#define N_ARGUMENTS 9

static const char usage[] =
    "usage: probe ADDRESS PORT PEER-ADDRESS PEER-PORT START-NS INTERVAL-US\n"
    "             COUNT SIZE-BYTES LIMIT-US\n";

struct span {
    int64_t from;
    int64_t to;
};

struct probe {
    /* Set once, from the command line. */
    int64_t start_ns;           /* When probe 0 is due. */
    int64_t interval_ns;        /* Between two probes. */
    int64_t limit_ns;           /* Times without arrival above it are kept. */
    uint64_t count;             /* Probes of either side. */
    size_t size;                /* Bytes of a probe; 0 sends none. */
    int fd;                     /* Connected socket. */

    /* Written while probing. */
    uint64_t n_sent;
    uint64_t n_received;
    uint8_t *seen;              /* One flag for each of the other's probes. */
    int64_t last_ns;            /* Last arrival; 0 before the first. */
    int64_t longest_ns;
    struct span gaps[MAX_GAPS];
    size_t n_gaps;              /* At most MAX_GAPS; later ones are dropped. */
};

static volatile sig_atomic_t stopped;

static void
stop(int signal_number)
{
    (void) signal_number;
    stopped = 1;
}

static void
die(const char *what)
{
    fprintf(stderr, "probe: %s: %s\n", what, strerror(errno));
    exit(EXIT_FAILURE);
}

static int64_t
now_ns(void)
{
    struct timespec ts;

    clock_gettime(CLOCK_MONOTONIC, &ts);
    return ts.tv_sec * NS_PER_S + ts.tv_nsec;
}

static struct sockaddr_in
address(const char *host, const char *port)
{
    struct sockaddr_in a = { .sin_family = AF_INET };

    a.sin_port = htons((uint16_t) strtoul(port, NULL, 10));
    if (inet_pton(AF_INET, host, &a.sin_addr) != 1) {
        errno = EINVAL;
        die(host);
    }
    return a;
}

static int
connected_socket(char *argv[])
{
    struct sockaddr_in local = address(argv[1], argv[2]);
    struct sockaddr_in peer = address(argv[3], argv[4]);
    int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);

    if (fd < 0
        || bind(fd, (struct sockaddr *) &local, sizeof local)
        || connect(fd, (struct sockaddr *) &peer, sizeof peer)) {
        die("socket");
    }
    return fd;
}

/* Sends the next probe. One that the kernel refuses (no route, full queue,
 * peer not yet there) counts as sent: the other side misses it. */
static void
send_one(struct probe *p)
{
    uint8_t frame[MAX_SIZE] = { 0 };

    for (int i = 0; i < 8; i++) {
        frame[i] = (uint8_t) (p->n_sent >> 8 * (7 - i));
    }
    (void) !send(p->fd, frame, p->size, 0);
    p->n_sent++;
}

static void
note_gap(struct probe *p, int64_t until_ns)
{
    int64_t length = until_ns - p->last_ns;

    if (length > p->longest_ns) {
        p->longest_ns = length;
    }
    if (length > p->limit_ns && p->n_gaps < MAX_GAPS) {
        p->gaps[p->n_gaps++] = (struct span) { p->last_ns, until_ns };
    }
}

static void
receive_all(struct probe *p)
{
    uint8_t frame[MAX_SIZE];
    ssize_t n;

    while ((n = recv(p->fd, frame, sizeof frame, 0)) >= 0
           || errno == ECONNREFUSED) {
        int64_t now = now_ns();
        uint64_t number = 0;

        if (n < 8) {
            continue;
        }
        for (int i = 0; i < 8; i++) {
            number = number << 8 | frame[i];
        }
        if (number >= p->count || p->seen[number]) {
            continue;
        }
        p->seen[number] = 1;
        p->n_received++;
        if (p->last_ns) {
            note_gap(p, now);
        }
        p->last_ns = now;
    }
}

static void
run(struct probe *p)
{
    int64_t end_ns = p->start_ns + (int64_t) p->count * p->interval_ns;
    uint64_t to_send = p->size ? p->count : 0;
    struct pollfd pfd = { .fd = p->fd, .events = POLLIN };

    for (;;) {
        int64_t now = now_ns();
        int64_t due;

        if (stopped && now < end_ns) {
            end_ns = now;
            to_send = p->n_sent;
        }
        due = end_ns + DRAIN_NS;
        if (p->n_sent < to_send) {
            due = p->start_ns + (int64_t) p->n_sent * p->interval_ns;
        }
        if (now < due) {
            struct timespec wait = { (due - now) / NS_PER_S,
                                     (due - now) % NS_PER_S };

            ppoll(&pfd, 1, &wait, NULL);
            receive_all(p);
        } else if (p->n_sent < to_send) {
            send_one(p);
        } else {
            break;
        }
    }
    if (p->last_ns && !p->seen[p->count - 1] && p->last_ns < end_ns) {
        note_gap(p, end_ns);
    }
}

static void
print_losses(const struct probe *p)
{
    const char *comma = "";

    for (uint64_t i = 0; i < p->count; i++) {
        uint64_t first = i;

        while (i < p->count && !p->seen[i]) {
            i++;
        }
        if (i > first) {
            printf("%s[%" PRIu64 ", %" PRIu64 "]", comma, first, i - 1);
            comma = ", ";
        }
    }
}

static void
print(const struct probe *p)
{
    printf("{\"sent\": %" PRIu64 ", \"received\": %" PRIu64
           ", \"lost\": %" PRIu64 ", \"longest_us\": %" PRId64
           ", \"gaps_ns\": [",
           p->n_sent, p->n_received, p->count - p->n_received,
           p->longest_ns / NS_PER_US);
    for (size_t i = 0; i < p->n_gaps; i++) {
        printf("%s[%" PRId64 ", %" PRId64 "]", i ? ", " : "",
               p->gaps[i].from, p->gaps[i].to);
    }
    printf("], \"losses\": [");
    print_losses(p);
    printf("]}\n");
}

int
main(int argc, char *argv[])
{
    static struct probe p;

    if (argc != N_ARGUMENTS + 1) {
        fputs(usage, stderr);
        return EXIT_FAILURE;
    }
    p.start_ns = strtoll(argv[5], NULL, 10);
    p.interval_ns = strtoll(argv[6], NULL, 10) * NS_PER_US;
    p.count = strtoull(argv[7], NULL, 10);
    p.size = strtoul(argv[8], NULL, 10);
    p.limit_ns = strtoll(argv[9], NULL, 10) * NS_PER_US;
    if (p.interval_ns < 1 || !p.count || p.size > MAX_SIZE
        || (p.size && p.size < 8)) {
        fputs(usage, stderr);
        return EXIT_FAILURE;
    }
    p.seen = calloc(p.count, 1);
    if (!p.seen) {
        die("memory");
    }
    signal(SIGTERM, stop);
    p.fd = connected_socket(argv);
    run(&p);
    print(&p);
    free(p.seen);
    return 0;
}
