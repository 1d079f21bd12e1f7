// SPDX-License-Identifier: EPL-2.0
/* The bus from the command line: sluice-bus --help. */
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "client.h"

#define WAIT_MS 50   /* Between looks at whether a command is done. */
#define NEVER -1     /* A time that doesn't come. */
#define NO_NUMBER -2

static const char help[] =
    "sluice-bus: speaks on Sluice's message bus as a node of a site.\n"
    "\n"
    "  sluice-bus make-keys FILE           writes a key pair, prints the\n"
    "                                      public key\n"
    "  sluice-bus [options] publish TOPIC BODY\n"
    "                                      BODY - is read from standard "
    "input;\n"
    "                                      '' withdraws the last value\n"
    "  sluice-bus [options] subscribe FILTER...\n"
    "                                      prints TOPIC PUBLISHER BODY\n"
    "  sluice-bus [options] request NODE BODY\n"
    "                                      prints the reply\n"
    "\n"
    "  -p, --proxy ADDRESS   tcp://host:port of the site's proxy\n"
    "  -k, --proxy-key KEY   its public key\n"
    "  -i, --keys FILE       this node's key pair\n"
    "  -n, --node SITE/NAME  this node's name, as the proxy's list has it\n"
    "  -e, --epoch FILE      where the number of the last start is kept;\n"
    "                        without it the clock alone tells starts apart\n"
    "  -c, --count N         leave after N messages (subscribe)\n"
    "  -t, --timeout SECONDS give up after this time (10; subscribe: never)\n"
    "  -h, --help            this text\n"
    "\n"
    "docs/wire/bus.md has the form of topics and filters.\n"
    "Exit status: 0, or 1 with the reason on standard error.\n";

struct options {
    const char *proxy;
    const char *proxy_key;
    const char *keys;
    const char *node;
    const char *epoch;
    long count;     /* Messages; 0: no end. */
    long timeout_s; /* NEVER: none given. */
};

/* What a command waits for. */
struct progress {
    long n_wanted; /* Messages; 0: no end. */
    long n_heard;
    bool is_over;
    int status;
};

static int
fail(const char *reason)
{
    fprintf(stderr, "sluice-bus: %s\n", reason);
    return 1;
}

static int
make_keys(const char *path)
{
    char reason[BUS_REASON_SIZE];
    struct bus_keys keys;

    if (bus_keys_make(path, &keys, reason)) {
        return fail(reason);
    }
    puts(keys.public_key);
    return 0;
}

static int
connect_client(const struct options *options, struct bus_client **client)
{
    struct bus_remote remote = {
        .address = options->proxy, .key = options->proxy_key,
    };
    uint64_t now_ms = (uint64_t) g_get_real_time() / 1000;
    uint64_t epoch = bus_start_epoch(bus_start_after(0, now_ms));
    char reason[BUS_REASON_SIZE];

    if (!options->proxy || !options->proxy_key || !options->keys
        || !options->node) {
        return fail("--proxy, --proxy-key, --keys and --node are required; "
                    "see --help");
    }
    if (bus_keys_load(options->keys, &remote.keys, reason)
        || (options->epoch
            && bus_epoch_next(options->epoch, now_ms, &epoch, reason))
        || bus_client_create(options->node, epoch, &remote,
                             &BUS_LIMITS_DEFAULT, client, reason)) {
        return fail(reason);
    }
    return 0;
}

/* All of standard input, with a zero behind it; null with errno set. */
static char *
read_input(void)
{
    size_t room = 0;
    char *text = NULL;

    if (getdelim(&text, &room, '\0', stdin) < 0) {
        free(text);
        return ferror(stdin) ? NULL : strdup("");
    }
    return text;
}

static void
print_message(const char *topic, const char *publisher, const char *body,
              size_t size, void *aux)
{
    struct progress *progress = aux;

    (void) size;
    if (!progress->is_over) {
        printf("%s %s %s\n", topic, publisher, body);
        fflush(stdout);
        progress->n_heard++;
        progress->is_over = progress->n_heard == progress->n_wanted;
    }
}

static void
print_gap(const char *topic, const char *publisher, uint64_t n_messages,
          const char *reason, void *aux)
{
    (void) aux;
    fprintf(stderr, "sluice-bus: %s %s: %" PRIu64 " messages gone: %s\n",
            topic, publisher, n_messages, reason);
}

static void
print_answer(enum bus_outcome outcome, const char *text, size_t size,
             void *aux)
{
    struct progress *progress = aux;

    (void) size;
    progress->is_over = true;
    if (outcome == BUS_REPLIED) {
        puts(text);
    } else {
        progress->status = fail(outcome == BUS_DENIED ? text
                                : "no answer in time");
    }
}

/* Tries until the bus takes it or has a reason not to. */
static int
retry(struct bus_client *client, gint64 end_us,
      int (*try)(struct bus_node *, char **, void *), char *words[],
      void *aux)
{
    int error;

    while ((error = try(bus_client_node(client), words, aux)) == EAGAIN
           && g_get_monotonic_time() < end_us) {
        bus_client_wait(client, -1, WAIT_MS);
    }
    return error;
}

static int
publish(struct bus_node *node, char *words[], void *aux)
{
    (void) aux;
    return bus_node_publish(node, words[0], words[1], strlen(words[1]));
}

static int
request(struct bus_node *node, char *words[], void *progress)
{
    return bus_node_request(node, words[0], words[1], strlen(words[1]),
                            print_answer, progress);
}

static int
explain(int error, const char *name)
{
    fprintf(stderr, "sluice-bus: %s: %s\n", name,
            error == EAGAIN ? "the proxy can't be reached or refuses this key"
            : error == EINVAL ? "not a name of this kind, or another site's"
            : strerror(error));
    return 1;
}

/* Whether the proxy has all that was published. */
static bool
is_confirmed(struct bus_client *client)
{
    struct bus_link_state state =
        bus_node_link_state(bus_client_node(client));

    return state.is_up && !state.n_unconfirmed && !state.n_waiting;
}

static int
run_publish(struct bus_client *client, gint64 end_us, char *words[])
{
    int error = retry(client, end_us, publish, words, NULL);

    while (!error && !is_confirmed(client)) {
        if (g_get_monotonic_time() >= end_us) {
            error = EAGAIN;
        }
        bus_client_wait(client, -1, WAIT_MS);
    }
    return error ? explain(error, words[0]) : 0;
}

/* What became of the request is in 'progress' when the client is gone. */
static int
run_request(struct bus_client *client, gint64 end_us, char *words[],
            struct progress *progress)
{
    int error = retry(client, end_us, request, words, progress);

    while (!error && !progress->is_over && g_get_monotonic_time() < end_us) {
        bus_client_wait(client, -1, WAIT_MS);
    }
    return error ? explain(error, words[0]) : 0;
}

static int
run_subscribe(struct bus_client *client, gint64 end_us, char *filters[],
              int n, struct progress *progress)
{
    const struct bus_listener listener = {
        .message = print_message, .gap = print_gap, .aux = progress,
    };

    for (int i = 0; i < n; i++) {
        int error = bus_node_subscribe(bus_client_node(client), filters[i],
                                       &listener);

        if (error) {
            return explain(error, filters[i]);
        }
    }
    while (!progress->is_over) {
        if (g_get_monotonic_time() >= end_us) {
            return progress->n_wanted ? fail("not enough messages in time")
                                      : 0;
        }
        bus_client_wait(client, -1, WAIT_MS);
    }
    return 0;
}

/* Runs a command with its words, which follow its name. */
static int
run(const struct options *options, const char *command, char *words[], int n)
{
    long timeout_s = options->timeout_s != NEVER ? options->timeout_s : 10;
    bool is_subscribe = !strcmp(command, "subscribe");
    gint64 end_us = is_subscribe && options->timeout_s == NEVER
                    ? G_MAXINT64
                    : g_get_monotonic_time() + timeout_s * G_USEC_PER_SEC;
    bool is_publish = !strcmp(command, "publish");
    struct progress progress = {.n_wanted = options->count};
    struct bus_client *client;
    char *input = NULL;
    int status;

    if (!(is_subscribe ? n > 0
          : n == 2 && (is_publish || !strcmp(command, "request")))) {
        return fail("no such command; see --help");
    }
    if (!is_subscribe && !strcmp(words[1], "-")) {
        input = read_input();
        if (!input) {
            return fail(strerror(errno));
        }
        words[1] = input;
    }
    status = connect_client(options, &client);
    if (!status) {
        status = is_subscribe ? run_subscribe(client, end_us, words, n,
                                              &progress)
                 : is_publish ? run_publish(client, end_us, words)
                              : run_request(client, end_us, words,
                                            &progress);
        bus_client_destroy(client);
    }
    free(input);
    return status ? status : progress.status;
}

/* The number that 'text' is, or NO_NUMBER. */
static long
read_number(const char *text)
{
    char *end;
    long number = strtol(text, &end, 10);

    return *text && !*end && number >= 0 ? number : NO_NUMBER;
}

/* Reads the options. Returns -1, or the status to leave with at once. */
static int
read_options(int argc, char *argv[], struct options *options)
{
    static const struct option names[] = {
        {"proxy", required_argument, NULL, 'p'},
        {"proxy-key", required_argument, NULL, 'k'},
        {"keys", required_argument, NULL, 'i'},
        {"node", required_argument, NULL, 'n'},
        {"epoch", required_argument, NULL, 'e'},
        {"count", required_argument, NULL, 'c'},
        {"timeout", required_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;

    while ((option = getopt_long(argc, argv, "p:k:i:n:e:c:t:h", names, NULL))
           != -1) {
        switch (option) {
        case 'p': options->proxy = optarg; break;
        case 'k': options->proxy_key = optarg; break;
        case 'i': options->keys = optarg; break;
        case 'n': options->node = optarg; break;
        case 'e': options->epoch = optarg; break;
        case 'c': options->count = read_number(optarg); break;
        case 't': options->timeout_s = read_number(optarg); break;
        case 'h': fputs(help, stdout); return 0;
        default: return 1;
        }
    }
    if (options->count < 0 || options->timeout_s < NEVER) {
        return fail("--count and --timeout want a number");
    }
    return optind < argc ? -1 : fail("no command; see --help");
}

int
main(int argc, char *argv[])
{
    struct options options = {.timeout_s = NEVER};
    int status = read_options(argc, argv, &options);

    if (status >= 0) {
        return status;
    }
    if (!strcmp(argv[optind], "make-keys") && argc == optind + 2) {
        return make_keys(argv[optind + 1]);
    }
    return run(&options, argv[optind], argv + optind + 1,
               argc - optind - 1);
}
