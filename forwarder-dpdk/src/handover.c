// SPDX-License-Identifier: EPL-2.0
#include "handover.h"

#include <errno.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#define OWN_FILES 2 /* Before the tables. */
#define MAX_FILES (FWD_MAX_WORKERS + OWN_FILES)
#define HELLO_MS 1000   /* Limits to wait: who connects says at once what
                         * for. */
#define ANSWER_MS 10000 /* The old one may be about to publish rules. */
#define STOP_MS 30000   /* The new one opens ports and makes rules. */
#define START_MS 5000   /* The new one opens the others; nobody forwards. */

#define REASON(reason, ...) snprintf(reason, FWD_REASON_SIZE, __VA_ARGS__)

/* Room for the files that go with a message. */
union files {
    struct cmsghdr header;
    char room[CMSG_SPACE(MAX_FILES * sizeof(int))];
};

static int
say(int fd, enum fwd_word word, uint64_t value, const int *files,
    size_t n_files)
{
    struct fwd_message message = {
        .version = FWD_HANDOVER_VERSION, .word = word, .value = value,
    };
    struct iovec part = {&message, sizeof message};
    union files room = {0};
    struct msghdr header = {.msg_iov = &part, .msg_iovlen = 1};

    if (n_files) {
        room.header.cmsg_level = SOL_SOCKET;
        room.header.cmsg_type = SCM_RIGHTS;
        room.header.cmsg_len = CMSG_LEN(n_files * sizeof *files);
        memcpy(CMSG_DATA(&room.header), files, n_files * sizeof *files);
        header.msg_control = &room;
        header.msg_controllen = CMSG_SPACE(n_files * sizeof *files);
    }
    return sendmsg(fd, &header, MSG_NOSIGNAL) < 0 ? errno : 0;
}

/* Copies the files that came with a message; returns their number. */
static size_t
take_files(struct msghdr *header, int files[MAX_FILES])
{
    struct cmsghdr *control = CMSG_FIRSTHDR(header);
    size_t size;

    if (!control || control->cmsg_level != SOL_SOCKET
        || control->cmsg_type != SCM_RIGHTS) {
        return 0;
    }
    size = control->cmsg_len - CMSG_LEN(0);
    memcpy(files, CMSG_DATA(control), size);
    return size / sizeof *files;
}

/* Waits for a message, and for its files unless 'files' is null. Returns 0 or
 * a positive errno. Of a message of another version only that is known. */
static int
hear(int fd, int limit_ms, struct fwd_message *message, int *files,
     size_t *n_files)
{
    struct iovec part = {message, sizeof *message};
    union files room;
    struct msghdr header = {
        .msg_iov = &part, .msg_iovlen = 1,
        .msg_control = files ? &room : NULL,
        .msg_controllen = files ? sizeof room : 0,
    };
    struct pollfd event = {.fd = fd, .events = POLLIN};
    ssize_t size;

    if (poll(&event, 1, limit_ms) != 1) {
        return ETIMEDOUT;
    }
    size = recvmsg(fd, &header, MSG_CMSG_CLOEXEC);
    if (size <= 0) {
        return size ? errno : ECONNRESET;
    }
    if (files) {
        *n_files = take_files(&header, files);
    }
    return size == sizeof *message
                   || (size >= (ssize_t) sizeof message->version
                       && message->version != FWD_HANDOVER_VERSION)
               ? 0 : EPROTO;
}

/* Waits for one word. */
static int
expect(int fd, int limit_ms, enum fwd_word word, struct fwd_message *message,
       char reason[FWD_REASON_SIZE])
{
    int error = hear(fd, limit_ms, message, NULL, NULL);

    if (!error && (message->version != FWD_HANDOVER_VERSION
                   || message->word != word)) {
        error = EPROTO;
    }
    if (error) {
        REASON(reason, "the other process: %s", strerror(error));
    }
    return error;
}

static int
make_socket(const char *path, int *fdp, struct sockaddr_un *address)
{
    *address = (struct sockaddr_un) {.sun_family = AF_UNIX};
    snprintf(address->sun_path, sizeof address->sun_path, "%s", path);
    *fdp = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    return *fdp < 0 ? errno : 0;
}

/* Connects to who listens at 'path'. */
static int
connect_to(const char *path, int *fdp)
{
    struct sockaddr_un address;
    int error;

    if (strlen(path) >= sizeof address.sun_path) {
        return ENAMETOOLONG;
    }
    error = make_socket(path, fdp, &address);
    if (!error
        && connect(*fdp, (struct sockaddr *) &address, sizeof address)) {
        error = errno;
        close(*fdp);
    }
    return error;
}

/* Removes a socket that nobody listens at. */
static int
make_room(const char *path)
{
    struct stat status;
    int fd;

    if (!connect_to(path, &fd)) {
        close(fd);
        return EADDRINUSE;
    }
    if (!lstat(path, &status) && S_ISSOCK(status.st_mode)) {
        unlink(path);
    }
    return 0;
}

int
fwd_handover_listen(const char *path, int *fdp, char reason[FWD_REASON_SIZE])
{
    struct sockaddr_un address;
    int error = make_room(path), fd;

    if (!error) {
        error = make_socket(path, &fd, &address);
    }
    if (!error
        && (bind(fd, (struct sockaddr *) &address, sizeof address)
            || chmod(path, 0600) || listen(fd, 1))) {
        error = errno;
        close(fd);
    }
    if (error) {
        REASON(reason, "take-over-socket %s: %s", path, strerror(error));
        return error;
    }
    *fdp = fd;
    return 0;
}

/* Offers the estate to who says hello. */
static int
offer(int fd, const struct fwd_estate *estate,
      const struct fwd_waiting *waiting, char reason[FWD_REASON_SIZE])
{
    int files[MAX_FILES] = {estate->papers, estate->known};
    struct fwd_message message;
    int error;

    waiting->wait(fd, HELLO_MS, waiting->aux);
    error = hear(fd, 0, &message, NULL, NULL);
    if (!error && message.version != FWD_HANDOVER_VERSION) {
        REASON(reason, "a process of another version wants to take over");
        say(fd, FWD_WORD_REFUSAL, 0, NULL, 0);
        return EPROTO;
    }
    if (!error && message.word != FWD_WORD_HELLO) {
        error = EPROTO;
    }
    memcpy(files + OWN_FILES, estate->tables,
           estate->n_tables * sizeof *estate->tables);
    if (!error) {
        error = say(fd, FWD_WORD_ESTATE, estate->now_ms, files,
                    estate->n_tables + OWN_FILES);
    }
    if (error) {
        REASON(reason, "the other process: %s", strerror(error));
    }
    return error;
}

int
fwd_handover_offer(int listener, const struct fwd_estate *estate,
                   const struct fwd_waiting *waiting, int *fdp,
                   bool *needs_ports, char reason[FWD_REASON_SIZE])
{
    struct fwd_message message;
    int error;

    *fdp = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (*fdp < 0) {
        error = errno;
        REASON(reason, "the other process: %s", strerror(error));
        return error;
    }
    error = offer(*fdp, estate, waiting, reason);
    if (!error) {
        waiting->wait(*fdp, STOP_MS, waiting->aux);
        error = expect(*fdp, 0, FWD_WORD_STOP, &message, reason);
    }
    if (error) {
        close(*fdp);
        return error;
    }
    *needs_ports = message.value;
    return 0;
}

int
fwd_handover_finish(int fd, uint64_t now_ms,
                    const struct fwd_waiting *waiting,
                    char reason[FWD_REASON_SIZE])
{
    struct fwd_message message;
    int error = say(fd, FWD_WORD_STOPPED, now_ms, NULL, 0);

    if (error) {
        REASON(reason, "the other process: %s", strerror(error));
        return error;
    }
    waiting->wait(fd, START_MS, waiting->aux);
    /* What was not said yet can't be said any more. */
    shutdown(fd, SHUT_RD);
    return expect(fd, 0, FWD_WORD_START, &message, reason);
}

/* Hears the answer to a hello. */
static int
hear_estate(int fd, struct fwd_estate *estate, char reason[FWD_REASON_SIZE])
{
    struct fwd_message message = {.version = FWD_HANDOVER_VERSION};
    int files[MAX_FILES];
    size_t n_files = 0;
    int error = hear(fd, ANSWER_MS, &message, files, &n_files);

    if (!error && (message.version != FWD_HANDOVER_VERSION
                   || message.word != FWD_WORD_ESTATE
                   || n_files < OWN_FILES)) {
        error = EPROTO;
    }
    if (error) {
        REASON(reason, "%s", message.version == FWD_HANDOVER_VERSION
                                 ? strerror(error)
                                 : "another version: end it, and start this "
                                   "one");
        while (n_files) {
            close(files[--n_files]);
        }
        return error;
    }
    *estate = (struct fwd_estate) {
        .now_ms = message.value, .papers = files[0], .known = files[1],
        .n_tables = (uint16_t) (n_files - OWN_FILES),
    };
    memcpy(estate->tables, files + OWN_FILES,
           estate->n_tables * sizeof *files);
    return 0;
}

int
fwd_handover_ask(const char *path, int *fdp, struct fwd_estate *estate,
                 char reason[FWD_REASON_SIZE])
{
    char its_reason[FWD_REASON_SIZE];
    int error = connect_to(path, fdp);

    if (error) {
        REASON(reason, "nobody to take over from: %s: %s", path,
               strerror(error));
        return error;
    }
    error = say(*fdp, FWD_WORD_HELLO, 0, NULL, 0);
    if (!error) {
        error = hear_estate(*fdp, estate, its_reason);
    } else {
        REASON(its_reason, "%s", strerror(error));
    }
    if (error) {
        REASON(reason, "the process at %s: %.128s", path, its_reason);
        close(*fdp);
    }
    return error;
}

int
fwd_handover_stop(int fd, bool needs_ports, uint64_t *now_ms,
                  char reason[FWD_REASON_SIZE])
{
    struct fwd_message message;
    int error = say(fd, FWD_WORD_STOP, needs_ports, NULL, 0);

    if (error) {
        REASON(reason, "the other process: %s", strerror(error));
        return error;
    }
    error = expect(fd, ANSWER_MS, FWD_WORD_STOPPED, &message, reason);
    *now_ms = message.value;
    return error;
}

int
fwd_handover_start(int fd, char reason[FWD_REASON_SIZE])
{
    int error = say(fd, FWD_WORD_START, 0, NULL, 0);

    if (error) {
        REASON(reason, "the other process goes on: %s", strerror(error));
    }
    return error;
}
