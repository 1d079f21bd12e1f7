// SPDX-License-Identifier: EPL-2.0
/* Gives documents to a forwarder that has rules: over the bus, published or
 * as a request, and from a file, as at a start or a reload. One that is
 * refused has a reason and changes nothing; with the rules of one that is
 * taken packets flow, neighbours are asked, and counters are told.
 *
 * An input that begins with { or / is a document, taken all ways. Any other
 * is a way, which scene, scene.json or SMALL_SCENE, and edits of it. */
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../bus/identity.h"
#include "edit.h"
#include "fake_client.h"
#include "network.h"
#include "remote.h"
#include "rings.h"

#define MOST_EDITS 6 /* Of an input: after more, nothing is sound. */

/* Too little to forward, so that names that others refer to can go. */
#define SMALL_SCENE \
    "{\"sluice-forwarder:forwarder\": {\"name\": \"F\", " \
    "\"ports\": {\"port\": [{\"name\": \"wan\", \"device\": \"null\"}]}, " \
    "\"underlay\": {\"port\": \"wan\", \"address\": \"192.0.2.1\"}}}"

enum way { WAY_PUBLISHED, WAY_REQUEST, WAY_RELOAD, WAY_START, N_WAYS };

static struct rings rings;
static struct proxy *proxy; /* Of the forwarder that runs. */
static char *scene;

/* In place of bus/identity.c, which reads files. */
int
bus_keys_load(const char *path, struct bus_keys *keys,
              char reason[BUS_REASON_SIZE])
{
    (void) reason;
    require(path, "there is a file of keys");
    *keys = (struct bus_keys) {0};
    return 0;
}

int
bus_epoch_next(const char *path, uint64_t now_ms, uint64_t *epoch,
               char reason[BUS_REASON_SIZE])
{
    (void) path;
    (void) now_ms;
    (void) reason;
    *epoch = 1;
    return 0;
}

static const struct fwd_rules *
rules(void)
{
    return atomic_load(&rings.control->crew->rules);
}

/* One refused is one with a reason, and leaves all as it was. */
static void
check_outcome(bool is_refused, bool is_told, const struct fwd_rules *before)
{
    require(is_refused == (rules() == before),
            "a document changes the rules unless it is refused");
    require(!is_refused || is_told, "a document is refused with a reason");
}

/* As the switchboard publishes it, whom nobody answers. */
static void
publish(const GString *text)
{
    proxy_give_counted(proxy, (struct bus_frame) {
        .kind = BUS_DATA, .epoch = 1, .sequence = proxy->n_counted + 1u,
        .node = "A/board", .topic = "/forwarder/F/site_A_rules",
        .body = text->str, .body_size = text->len,
    });
}

static void
request(const GString *text, const char *asker)
{
    const struct fwd_rules *before = rules();
    bool is_refused = false, is_told = false;
    struct bus_frame *frame;

    proxy_forget(proxy);
    proxy_give_counted(proxy, (struct bus_frame) {
        .kind = BUS_REQUEST, .epoch = 1, .sequence = 1, .node = asker,
        .topic = "A/F", .body = text->str, .body_size = text->len,
    });
    while ((frame = g_queue_pop_head(&proxy->sent))) {
        if (frame->kind == BUS_REFUSED) {
            is_refused = true;
            is_told = frame->body_size;
        }
        bus_frame_release(frame);
    }
    check_outcome(is_refused, is_told, before);
}

/* Reads the document from a file. */
static bool
load(const GString *text, struct fwd_config *config)
{
    char path[32], reason[FWD_REASON_SIZE] = "";
    int fd = memfd_create("document", MFD_CLOEXEC);
    bool is_read;

    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    require(write(fd, text->str, text->len) == (ssize_t) text->len,
            "the document is written");
    is_read = !fwd_config_load(rings.models, path, config, reason);
    require(is_read || reason[0], "a document is refused with a reason");
    close(fd);
    return is_read;
}

/* As SIGHUP has it read again. */
static void
reload(const GString *text, struct fwd_remote *remote)
{
    const struct fwd_rules *before = rules();
    char reason[FWD_REASON_SIZE] = "";
    struct fwd_config config;
    int error;

    if (!load(text, &config)) {
        return;
    }
    error = fwd_control_apply(rings.control, &config, reason);
    check_outcome(error, reason[0], before);
    if (!error) {
        fwd_remote_applied(remote, &config, reason);
    }
    fwd_config_destroy(&config);
}

/* As a forwarder that starts, and joins the bus. */
static void
start_another(const GString *text)
{
    struct fwd_remote *remote = NULL;
    char reason[FWD_REASON_SIZE] = "";
    struct fwd_config config;

    if (!load(text, &config)) {
        return;
    }
    if (fwd_control_check(&config, reason)) {
        require(reason[0], "a document is refused with a reason");
    } else {
        fwd_remote_create(rings.control, rings.models, &config, &remote,
                          reason);
    }
    fwd_remote_destroy(remote);
    fwd_config_destroy(&config);
}

static void
take(const GString *text, enum way way, struct fwd_remote *remote)
{
    switch (way) {
    case WAY_PUBLISHED:
        publish(text);
        break;
    case WAY_REQUEST:
        request(text, "A/board");
        request(text, "A/another");
        break;
    case WAY_RELOAD:
        reload(text, remote);
        break;
    default:
        start_another(text);
    }
}

static void
pass(int port, uint16_t vlan, uint32_t stage)
{
    const struct wire_flow flow = {.protocol = 6, .source = 1};
    struct wire ip = {.size = 0}, wire = {.size = 0};

    wire_ip(&ip, &flow, 2, 64);
    if (port == WAN) {
        wire_tunnel(&wire, PEER(0), OWN, 128 + network_vni(stage, 0),
                    (uint16_t) (8 + ip.size));
        wire_labels(&wire, CHAIN, EGRESS, 64);
    } else {
        wire_ethernet(&wire, vlan, 0x0800);
    }
    memcpy(wire.data + wire.size, ip.data, ip.size);
    wire.size = (uint16_t) (wire.size + ip.size);
    rings_inject(&rings, port, 0, &wire);
    rings_poll(&rings);
}

/* Lets the rules in force be used, by packets and by who tells of them. */
static void
use_rules(struct fwd_remote *remote)
{
    struct fate fate;

    for (uint32_t stage = 0; stage < 4; stage++) {
        pass(WAN, 0, stage);
        pass(LAN, (uint16_t) (20 + stage), 0);
    }
    rings_tick(&rings);
    fwd_remote_wait(remote, -1, 0);
    while (rings_take(&rings, &fate)) {
    }
}

/* Starts a forwarder with the scene, on the bus. */
static struct fwd_remote *
start(void)
{
    char reason[FWD_REASON_SIZE];
    struct fwd_config config;
    struct fwd_remote *remote = NULL;
    char *text;

    rings_start(&rings, scene);
    text = strdup(rings.control->document);
    require(!fwd_config_parse(rings.models, text, &config, reason)
            && !fwd_remote_create(rings.control, rings.models, &config,
                                  &remote, reason),
            "the scene is taken");
    proxy = fake_client_proxy();
    fwd_config_destroy(&config);
    free(text);
    return remote;
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void) argc;
    (void) argv;
    return !g_file_get_contents(FUZZ_SCENE, &scene, NULL, NULL)
           || rings_init(&rings);
}

/* The forwarder, a new one if the rules of the last one were changed. */
static struct fwd_remote *
renew(void)
{
    static const struct fwd_rules *at_start;
    static struct fwd_remote *remote;

    if (!remote || rules() != at_start) {
        fwd_remote_destroy(remote);
        remote = start();
        at_start = rules();
    }
    proxy_forget(proxy);
    return remote;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};
    struct fwd_remote *remote = renew();
    GString *text = g_string_new(rings.control->document);
    const struct fwd_rules *before = rules();
    unsigned int first = size ? data[0] : 0;

    if (first == '{' || first == '/') {
        g_string_truncate(text, 0);
        g_string_append_len(text, (const char *) data, (gssize) size);
        for (enum way way = 0; way < N_WAYS; way++) {
            take(text, way, remote);
        }
    } else {
        enum way way = input_below(&input, N_WAYS);

        if (input_below(&input, 4) == 1) {
            g_string_assign(text, SMALL_SCENE);
        }
        for (int i = 0; i < MOST_EDITS && input.left; i++) {
            edit_text(text, &input);
        }
        take(text, way, remote);
    }
    if (rules() != before) {
        use_rules(remote);
    }
    g_string_free(text, TRUE);
    return 0;
}
