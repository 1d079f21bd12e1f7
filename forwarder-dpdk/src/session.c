// SPDX-License-Identifier: EPL-2.0
#include "session.h"

#include <string.h>

#include <glib.h>

/* Stores the keys of 'bus' in '*keys'. */
static int
load_keys(const struct lyd_node *bus, struct bus_keys *keys,
          char reason[FWD_REASON_SIZE])
{
    return bus_keys_load(fwd_config_text(bus, "keys-file"), keys, reason);
}

/* Stores the epoch of a new start in '*epoch'. */
static int
draw_epoch(const struct lyd_node *bus, uint64_t *epoch,
           char reason[FWD_REASON_SIZE])
{
    return bus_epoch_next(fwd_config_text(bus, "epoch-file"),
                          (uint64_t) g_get_real_time() / 1000, epoch, reason);
}

int
fwd_session_check(const struct fwd_config *config,
                  char reason[FWD_REASON_SIZE])
{
    const struct lyd_node *bus = fwd_config_at(config->root, "bus");
    struct bus_keys keys;
    uint64_t epoch;
    int error;

    if (!bus) {
        return 0;
    }
    error = load_keys(bus, &keys, reason);
    explicit_bzero(&keys, sizeof keys);
    return error ? error : draw_epoch(bus, &epoch, reason);
}

int
fwd_session_open(struct bus_client **clientp, const char *site,
                 const char *name, const struct lyd_node *bus,
                 char reason[FWD_REASON_SIZE])
{
    char *node = g_strdup_printf("%s/%s", site, name);
    char *address = g_strdup_printf("tcp://%s:%s",
                                    fwd_config_text(bus, "proxy/address"),
                                    fwd_config_text(bus, "proxy/port"));
    struct bus_remote proxy = {
        .address = address, .key = fwd_config_text(bus, "proxy/public-key"),
    };
    uint64_t epoch;
    int error = load_keys(bus, &proxy.keys, reason);

    if (!error && *clientp) {
        error = bus_client_reconnect(*clientp, &proxy, reason);
    } else if (!error) {
        error = draw_epoch(bus, &epoch, reason);
        if (!error) {
            error = bus_client_create(node, epoch, &proxy,
                                      &BUS_LIMITS_DEFAULT, clientp, reason);
        }
        if (!error) {
            bus_node_make_ephemeral(bus_client_node(*clientp));
        }
    }
    explicit_bzero(&proxy.keys, sizeof proxy.keys);
    g_free(address);
    g_free(node);
    return error;
}
