/* SPDX-License-Identifier: EPL-2.0 */
/* delayline: a link with a delay. Passes frames between two interfaces of its
 * namespace, each so many microseconds after it came.
 *
 * A frame's time is the kernel's stamp of its arrival, so what this process
 * is late with taking it is not added. Frames keep their order. What comes
 * while LIMIT frames wait is dropped and counted.
 *
 * Ends by SIGTERM and prints "<frames passed> <frames dropped>", a line for
 * each direction.
 *
 * Thread-safety: one thread. */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#define LIMIT 65536             /* Frames that wait, in each direction. */
#define FRAME_BYTES 2048
#define BATCH 64                /* Frames taken before others are served. */
#define BUFFER_BYTES (16 << 20) /* Of a socket. */
#define RETRY_NS 100000         /* When the interface had no room. */
#define NS_PER_S UINT64_C(1000000000)

struct frame {
    uint64_t due_ns; /* on the monotonic clock */
    size_t size;
    uint8_t bytes[FRAME_BYTES];
};

/* From one interface to the other; the frames that wait are a ring. */
struct direction {
    int in;
    int out;
    struct frame *ring;
    uint64_t first; /* frames that left the ring */
    uint64_t next;  /* frames that entered it */
    uint64_t dropped;
};

static volatile sig_atomic_t is_over;

static void
end(int number)
{
    (void) number;
    is_over = 1;
}

static void
fail(const char *what)
{
    perror(what);
    exit(1);
}

static uint64_t
now_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t) now.tv_sec * NS_PER_S + (uint64_t) now.tv_nsec;
}

static void
set(int socket, int level, int option, int value)
{
    if (setsockopt(socket, level, option, &value, sizeof value)) {
        fail("setsockopt");
    }
}

static int
open_interface(const char *name)
{
    int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK, 0);
    struct sockaddr_ll address = {
        .sll_family = AF_PACKET,
        .sll_protocol = htons(ETH_P_ALL),
        .sll_ifindex = (int) if_nametoindex(name),
    };
    struct packet_mreq all = {.mr_ifindex = address.sll_ifindex, .mr_type = PACKET_MR_PROMISC};
    if (fd < 0) {
        fail("socket");
    }
    set(fd, SOL_SOCKET, SO_RCVBUFFORCE, BUFFER_BYTES);
    set(fd, SOL_SOCKET, SO_SNDBUFFORCE, BUFFER_BYTES);
    set(fd, SOL_SOCKET, SO_TIMESTAMPNS, 1);
    set(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, 1);
    if (setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &all, sizeof all) ||
        bind(fd, (struct sockaddr *) &address, sizeof address)) {
        fail(name);
    }
    return fd;
}

/* When the frame of a message came, on the monotonic clock. */
static uint64_t
arrival_ns(struct msghdr *message)
{
    struct cmsghdr *control = CMSG_FIRSTHDR(message);
    struct timespec stamp;
    if (!control || control->cmsg_type != SO_TIMESTAMPNS) {
        return now_ns(CLOCK_MONOTONIC);
    }
    memcpy(&stamp, CMSG_DATA(control), sizeof stamp);
    return (uint64_t) stamp.tv_sec * NS_PER_S + (uint64_t) stamp.tv_nsec + now_ns(CLOCK_MONOTONIC) -
           now_ns(CLOCK_REALTIME);
}

/* Takes a frame; returns false if none is there. */
static int
take(struct direction *way, uint64_t delay_ns)
{
    static struct frame waste;
    int is_full = way->next - way->first == LIMIT;
    struct frame *frame = is_full ? &waste : &way->ring[way->next % LIMIT];
    uint8_t control[CMSG_SPACE(sizeof(struct timespec))];
    struct iovec part = {.iov_base = frame->bytes, .iov_len = sizeof frame->bytes};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
    ssize_t size = recvmsg(way->in, &message, 0);
    if (size < 0) {
        return 0;
    }
    frame->size = (size_t) size;
    frame->due_ns = arrival_ns(&message) + delay_ns;
    way->dropped += is_full;
    way->next += !is_full;
    return 1;
}

/* Sends what is due; returns when the next frame is, or 0 if none waits. */
static uint64_t
give(struct direction *way)
{
    while (way->first < way->next) {
        const struct frame *frame = &way->ring[way->first % LIMIT];
        if (frame->due_ns > now_ns(CLOCK_MONOTONIC)) {
            return frame->due_ns;
        }
        if (send(way->out, frame->bytes, frame->size, 0) < 0) {
            if (errno == EAGAIN || errno == ENOBUFS) {
                return now_ns(CLOCK_MONOTONIC) + RETRY_NS;
            }
            way->dropped++;
        }
        way->first++;
    }
    return 0;
}

static uint64_t
earlier(uint64_t one, uint64_t other)
{
    return !one || (other && other < one) ? other : one;
}

int
main(int argc, char **argv)
{
    if (argc != 4) {
        fprintf(stderr, "usage: delayline INTERFACE INTERFACE DELAY_US\n");
        return 2;
    }
    uint64_t delay_ns = strtoull(argv[3], NULL, 10) * 1000;
    int one = open_interface(argv[1]), other = open_interface(argv[2]);
    struct direction ways[] = {{.in = one, .out = other}, {.in = other, .out = one}};
    int timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
    struct pollfd events[] = {{one, POLLIN, 0}, {other, POLLIN, 0}, {timer, POLLIN, 0}};
    struct sigaction action = {.sa_handler = end};
    sigset_t ending, before;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigprocmask(SIG_BLOCK, &ending, &before); /* but while it waits */
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGINT, &action, NULL);
    for (int i = 0; i < 2; i++) {
        ways[i].ring = calloc(LIMIT, sizeof(struct frame));
        if (!ways[i].ring) {
            fail("memory");
        }
    }
    while (!is_over) {
        uint64_t due = 0;
        for (int i = 0; i < 2; i++) {
            for (int n = 0; n < BATCH && take(&ways[i], delay_ns); n++) {
            }
            due = earlier(due, give(&ways[i]));
        }
        struct itimerspec wake = {.it_value = {(time_t) (due / NS_PER_S), (long) (due % NS_PER_S)}};
        timerfd_settime(timer, TFD_TIMER_ABSTIME, &wake, NULL);
        ppoll(events, 3, NULL, &before);
    }
    for (int i = 0; i < 2; i++) {
        printf("%llu %llu\n", (unsigned long long) ways[i].first, (unsigned long long) ways[i].dropped);
    }
    return 0;
}
