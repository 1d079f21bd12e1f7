// SPDX-License-Identifier: EPL-2.0
#include "service.h"

#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

/* Tells the manager 'words', if there is one. */
static void
notify(const char *words)
{
    const char *path = getenv("NOTIFY_SOCKET");
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    size_t size = path ? strlen(path) : 0;
    int fd;

    if (!size || size >= sizeof address.sun_path) {
        return;
    }
    memcpy(address.sun_path, path, size);
    if (path[0] == '@') {
        address.sun_path[0] = '\0'; /* An abstract address. */
    }
    fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (fd < 0
        || sendto(fd, words, strlen(words), MSG_NOSIGNAL,
                  (struct sockaddr *) &address,
                  (socklen_t) (offsetof(struct sockaddr_un, sun_path)
                               + size)) < 0) {
        perror("sluice-forwarder: the manager of services is not told");
    }
    if (fd >= 0) {
        close(fd);
    }
}

void
fwd_service_is_ready(void)
{
    notify("READY=1");
}

void
fwd_service_is_there(int fd)
{
    struct ucred other;
    socklen_t size = sizeof other;
    char words[32];

    if (!getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &other, &size)) {
        snprintf(words, sizeof words, "MAINPID=%d", (int) other.pid);
        notify(words);
    }
}

/* Waits until the other end of 'fd' tells something, or is closed. */
static int
wait_for_word(int fd)
{
    char word;

    return read(fd, &word, sizeof word) == sizeof word ? 0 : 1;
}

int
fwd_service_detach(int *fdp)
{
    int fds[2];
    pid_t between;

    if (pipe2(fds, O_CLOEXEC)) {
        perror("sluice-forwarder: pipe");
        return 1;
    }
    between = fork();
    if (between) {
        close(fds[1]);
        waitpid(between, NULL, 0);
        return between < 0 ? 1 : wait_for_word(fds[0]);
    }
    /* Its parent ends at once, so that the manager becomes that. */
    if (setsid() < 0 || fork()) {
        _exit(0);
    }
    close(fds[0]);
    *fdp = fds[1];
    return -1;
}

void
fwd_service_tell(int fd, bool is_whole)
{
    const char word = '\n';

    if (is_whole && write(fd, &word, sizeof word) != sizeof word) {
        perror("sluice-forwarder: nobody waits for the upgrade any more");
    }
    close(fd);
}
