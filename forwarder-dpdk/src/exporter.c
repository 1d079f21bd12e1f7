// SPDX-License-Identifier: EPL-2.0
#include "exporter.h"

#include <errno.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <microhttpd.h>

#include "scrape.h"

#define PATH "/metrics"
#define BACKLOG 16         /* Connections that wait to be accepted. */
#define MAX_CONNECTIONS 16u
#define TIMEOUT_S 10u      /* Of a connection that says nothing. */
#define PLACE_SIZE 64      /* Bytes of address and port with the final zero. */

struct fwd_exporter {
    struct fwd_control *control;
    struct MHD_Daemon *daemon; /* Null: not listening. */
    char place[PLACE_SIZE];    /* Where it listens; empty: nowhere. */
};

/* Queues an answer and releases 'response', which may be null. */
static enum MHD_Result
reply(struct MHD_Connection *connection, unsigned int status,
      struct MHD_Response *response, const char *header, const char *value)
{
    enum MHD_Result result = MHD_NO;

    if (response) {
        MHD_add_response_header(response, header, value);
        result = MHD_queue_response(connection, status, response);
        MHD_destroy_response(response);
    }
    return result;
}

static enum MHD_Result
refuse(struct MHD_Connection *connection, unsigned int status, char *text)
{
    return reply(connection, status,
                 MHD_create_response_from_buffer(strlen(text), text,
                                                 MHD_RESPMEM_PERSISTENT),
                 MHD_HTTP_HEADER_ALLOW, "GET, HEAD");
}

static enum MHD_Result
tell(struct fwd_exporter *exporter, struct MHD_Connection *connection)
{
    size_t size;
    char *text = fwd_scrape(exporter->control, &size);
    struct MHD_Response *response = text
        ? MHD_create_response_from_buffer(size, text, MHD_RESPMEM_MUST_FREE)
        : NULL;

    if (!response) {
        free(text);
    }
    return reply(connection, MHD_HTTP_OK, response,
                 MHD_HTTP_HEADER_CONTENT_TYPE,
                 "text/plain; version=0.0.4; charset=utf-8");
}

/* Answers a request; called by libmicrohttpd. */
static enum MHD_Result
answer(void *aux, struct MHD_Connection *connection, const char *path,
       const char *method, const char *version, const char *body,
       size_t *body_size, void **state)
{
    (void) version;
    (void) body;
    (void) body_size;
    (void) state;
    if (strcmp(path, PATH)) {
        return refuse(connection, MHD_HTTP_NOT_FOUND,
                      "Counters are at " PATH ".\n");
    }
    if (strcmp(method, MHD_HTTP_METHOD_GET)
        && strcmp(method, MHD_HTTP_METHOD_HEAD)) {
        return refuse(connection, MHD_HTTP_METHOD_NOT_ALLOWED,
                      "Counters are only read.\n");
    }
    return tell(aux, connection);
}

/* Opens a socket that listens and stores it in '*fd'. Returns 0 or a positive
 * errno. */
static int
listen_at(const char *address, const char *port, int *fd)
{
    const struct addrinfo hints = {
        .ai_flags = AI_NUMERICHOST | AI_NUMERICSERV,
        .ai_socktype = SOCK_STREAM,
    };
    struct addrinfo *info;
    int error = 0;

    if (getaddrinfo(address, port, &hints, &info)) {
        return EINVAL;
    }
    *fd = socket(info->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
                 0);
    if (*fd < 0
        || setsockopt(*fd, SOL_SOCKET, SO_REUSEADDR, &(int) {1}, sizeof(int))
        || bind(*fd, info->ai_addr, info->ai_addrlen)
        || listen(*fd, BACKLOG)) {
        error = errno;
        if (*fd >= 0) {
            close(*fd);
        }
    }
    freeaddrinfo(info);
    return error;
}

/* Starts to serve at 'address' and 'port' and stores the result in
 * '*daemonp'. Returns 0 or a positive errno. */
static int
start(struct fwd_exporter *exporter, const char *address, const char *port,
      struct MHD_Daemon **daemonp)
{
    int fd, error = listen_at(address, port, &fd);

    if (error) {
        return error;
    }
    *daemonp = MHD_start_daemon(
        MHD_USE_AUTO_INTERNAL_THREAD, 0, NULL, NULL, answer, exporter,
        MHD_OPTION_LISTEN_SOCKET, fd,
        MHD_OPTION_CONNECTION_LIMIT, MAX_CONNECTIONS,
        MHD_OPTION_CONNECTION_TIMEOUT, TIMEOUT_S, MHD_OPTION_END);
    if (!*daemonp) {
        close(fd);
        return ENOMEM;
    }
    return 0;
}

static void
stop(struct fwd_exporter *exporter)
{
    if (exporter->daemon) {
        MHD_stop_daemon(exporter->daemon);
        exporter->daemon = NULL;
    }
}

int
fwd_exporter_create(struct fwd_control *control,
                    const struct fwd_config *config,
                    struct fwd_exporter **exporterp,
                    char reason[FWD_REASON_SIZE])
{
    struct fwd_exporter *exporter = calloc(1, sizeof *exporter);
    int error;

    if (!exporter) {
        snprintf(reason, FWD_REASON_SIZE, "out of memory");
        return ENOMEM;
    }
    exporter->control = control;
    error = fwd_exporter_apply(exporter, config, reason);
    if (error) {
        fwd_exporter_destroy(exporter);
        return error;
    }
    *exporterp = exporter;
    return 0;
}

int
fwd_exporter_apply(struct fwd_exporter *exporter,
                   const struct fwd_config *config,
                   char reason[FWD_REASON_SIZE])
{
    const struct lyd_node *metrics = fwd_config_at(config->root, "metrics");
    struct MHD_Daemon *daemon = NULL;
    char place[PLACE_SIZE] = "";

    if (!exporter) {
        return 0;
    }
    if (metrics) {
        const char *address = fwd_config_text(metrics, "address");
        const char *port = fwd_config_text(metrics, "port");
        int error;

        snprintf(place, sizeof place, "%s port %s", address, port);
        if (!strcmp(place, exporter->place)) {
            return 0;
        }
        error = start(exporter, address, port, &daemon);
        if (error) {
            snprintf(reason, FWD_REASON_SIZE, "metrics at %s: %s", place,
                     strerror(error));
            return error;
        }
    }
    stop(exporter);
    exporter->daemon = daemon;
    strcpy(exporter->place, place);
    return 0;
}

void
fwd_exporter_destroy(struct fwd_exporter *exporter)
{
    if (exporter) {
        stop(exporter);
        free(exporter);
    }
}
