// SPDX-License-Identifier: EPL-2.0
/* Says what it likes to a forwarder that hands over, or hands it a damaged
 * estate when it wants to take over. Whatever was said, each side ends with
 * what it asked for or with a reason, and at once, since nothing more comes.
 *
 * An input is the side that is spoken to, damage to the estate, and the
 * messages. */
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "handover.h"
#include "input.h"
#include "network.h"
#include "rings.h"
#include "upgrade.h"

#define HEAD_SIZE 64  /* Bytes of a table's head that tell of its lines. */
#define N_BUFFERS 511 /* Of the new one. */
#define MOST_FILES 80 /* In a message: more than are taken. */
#define MOST_OPEN 1024 /* Files, before the first input. */

enum { SIDE_OLD, SIDE_NEW, N_SIDES };
enum { PAPERS, KNOWN, TABLE, N_PARTS }; /* Of an estate. */

static struct rings rings; /* The old forwarder. */
static struct fwd_config config; /* Of the new one, the same. */
static char folder[] = "/tmp/fuzz-handover-XXXXXX";
static char path[sizeof folder + 8];
static int listener;

/* A copy of what tells of the table; its lines are empty. */
static int
copy_table(int fd)
{
    int copy = memfd_create("table", MFD_CLOEXEC);
    char head[HEAD_SIZE];
    off_t size = lseek(fd, 0, SEEK_END);

    require(!ftruncate(copy, size)
            && pread(fd, head, sizeof head, 0) == sizeof head
            && pwrite(copy, head, sizeof head, 0) == sizeof head,
            "the table is copied");
    return copy;
}

/* Changes a byte of a part, or its size. */
static void
damage_part(int fd, struct input *input)
{
    off_t size = lseek(fd, 0, SEEK_END), at = input_word(input);
    uint8_t how = input_byte(input), value = input_byte(input);

    if (how % 4 == 0) {
        require(!ftruncate(fd, at), "a part has another size");
    } else if (size) {
        require(pwrite(fd, &value, 1, at % size) == 1, "a part is changed");
    }
}

/* What the old one leaves, damaged. */
static struct fwd_estate
some_estate(struct input *input)
{
    struct fwd_estate estate;
    int table;

    require(!fwd_upgrade_leave(rings.control, rings.now_ms, &estate),
            "there is an estate");
    table = estate.tables[0];
    estate.tables[0] = copy_table(table);
    close(table);
    for (uint8_t n = input_below(input, 8); n--;) {
        const int parts[] = {estate.papers, estate.known, estate.tables[0]};

        damage_part(parts[input_below(input, N_PARTS)], input);
    }
    return estate;
}

/* Sends a message of some size, with some files. */
static void
send_message(int fd, struct input *input, const struct fwd_estate *estate)
{
    uint8_t how = input_byte(input);
    struct fwd_message message = {
        .version = FWD_HANDOVER_VERSION - (how >> 3 & 1),
        .word = how & 7,
        .value = input_byte(input),
    };
    char octets[sizeof message + 8] = {0};
    int files[MOST_FILES] = {estate->papers, estate->known,
                             estate->tables[0]};
    union {
        struct cmsghdr header;
        char room[CMSG_SPACE(sizeof files)];
    } room = {0};
    struct iovec part = {octets, sizeof message};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};
    size_t n_files = message.word == FWD_WORD_ESTATE ? N_PARTS : 0;

    for (int i = N_PARTS; i < MOST_FILES; i++) {
        files[i] = estate->papers;
    }
    if (how >> 4 & 1) {
        part.iov_len = input_below(input, sizeof octets + 1);
    }
    if (how >> 5 & 1) {
        n_files = input_below(input, MOST_FILES + 1);
    }
    memcpy(octets, &message, sizeof message);
    if (n_files) {
        room.header.cmsg_level = SOL_SOCKET;
        room.header.cmsg_type = SCM_RIGHTS;
        room.header.cmsg_len = CMSG_LEN(n_files * sizeof *files);
        memcpy(CMSG_DATA(&room.header), files, n_files * sizeof *files);
        header.msg_control = &room;
        header.msg_controllen = CMSG_SPACE(n_files * sizeof *files);
    }
    sendmsg(fd, &header, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Says all that there is, and no more after that. */
static void
send_all(int fd, struct input *input, const struct fwd_estate *estate)
{
    while (input->left) {
        send_message(fd, input, estate);
    }
    shutdown(fd, SHUT_WR);
}

static int
connect_to_listener(void)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int fd = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);

    memcpy(address.sun_path, path, sizeof path);
    require(!connect(fd, (struct sockaddr *) &address, sizeof address),
            "the old one listens");
    return fd;
}

static void
wait_for(int fd, uint64_t limit_ms, void *aux)
{
    struct pollfd polled = {.fd = fd, .events = POLLIN};

    (void) aux;
    poll(&polled, 1, (int) limit_ms);
}

static const struct fwd_waiting waiting = {.wait = wait_for};

static void
give(struct input *input)
{
    struct fwd_estate estate = some_estate(input);
    char reason[FWD_REASON_SIZE] = "";
    int client = connect_to_listener(), fd;
    bool needs_ports;

    send_all(client, input, &estate);
    if (!fwd_handover_offer(listener, &estate, &waiting, &fd, &needs_ports,
                            reason)) {
        require(!fwd_handover_finish(fd, rings.now_ms, &waiting, reason)
                    || reason[0],
                "the old one goes on with a reason");
        close(fd);
    } else {
        require(reason[0], "the old one goes on with a reason");
    }
    close(client);
    fwd_estate_close(&estate);
}

/* The old one, in a thread. */
struct giver {
    struct input *input;
    const struct fwd_estate *estate;
};

static void *
run_giver(void *argument)
{
    struct giver *giver = argument;
    int fd = accept4(listener, NULL, NULL, SOCK_CLOEXEC);

    send_all(fd, giver->input, giver->estate);
    return (void *) (intptr_t) fd;
}

/* Goes on with what was inherited, as fwd_upgrade_take() does, but without
 * lcores. */
static void
go_on(int fd, struct fwd_estate *estate, char reason[FWD_REASON_SIZE])
{
    struct fwd_control *control;
    struct fwd_table *table;
    uint64_t now_ms;

    if (fwd_upgrade_inherit(estate, rings.models, &config, 1, N_BUFFERS,
                            estate->now_ms, &control, reason)) {
        require(reason[0], "the new one ends with a reason");
        return;
    }
    table = control->crew->workers[0]->table;
    fwd_table_sweep(table, table->n_lines, 1, NULL, NULL);
    require((!fwd_handover_stop(fd, true, &now_ms, reason)
             && !fwd_handover_start(fd, reason)) || reason[0],
            "the new one ends with a reason");
    fwd_control_destroy(control);
}

static void
take(struct input *input)
{
    struct fwd_estate left = some_estate(input), taken;
    struct giver giver = {input, &left};
    char reason[FWD_REASON_SIZE] = "";
    pthread_t thread;
    int fd;

    require(!pthread_create(&thread, NULL, run_giver, &giver),
            "a thread is the old one");
    if (!fwd_handover_ask(path, &fd, &taken, reason)) {
        go_on(fd, &taken, reason);
        fwd_estate_close(&taken);
        close(fd);
    } else {
        require(reason[0], "the new one ends with a reason");
    }
    pthread_join(thread, NULL);
    fwd_estate_close(&left);
}

static void
remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

/* Closes the files of messages that were refused: the process ends then. */
static void
close_files(void)
{
    static int first; /* That an input opens; 0: not known yet. */

    if (!first) {
        for (first = MOST_OPEN; fcntl(first - 1, F_GETFD) < 0; first--) {
        }
    }
    close_range((unsigned int) first, ~0U, 0);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    struct network network = network_even();
    char reason[FWD_REASON_SIZE];

    (void) argc;
    (void) argv;
    if (rings_init(&rings) || !mkdtemp(folder)) {
        return 1;
    }
    atexit(remove_folder);
    snprintf(path, sizeof path, "%s/socket", folder);
    network.capacity = 64;
    network_start(&network, &rings);
    require(!fwd_config_parse(rings.models, rings.control->document, &config,
                              reason)
            && !fwd_handover_listen(path, &listener, reason),
            "there is an old one and a new one");
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};

    close_files();
    if (input_below(&input, N_SIDES) == SIDE_NEW) {
        take(&input);
    } else {
        give(&input);
    }
    return 0;
}
