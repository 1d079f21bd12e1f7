// SPDX-License-Identifier: EPL-2.0
/* Identities of hops (replica_wire.h), and the peers that keep replicas. */
#include "build.h"

#include <stdlib.h>
#include <string.h>

#include "replica_wire.h"

/* Makes 'hop' known by its identity. */
static int
add_named(struct fwd_build *build, uint64_t identity, uint16_t hop)
{
    struct fwd_rules *rules = build->rules;
    uint32_t i = (uint32_t) (identity >> 32) & rules->named_mask;

    for (; rules->named[i].hop; i = (i + 1) & rules->named_mask) {
        if (rules->named[i].identity == identity) {
            return REFUSE(build, "two names have the hash %016llx: change "
                          "one", (unsigned long long) identity);
        }
    }
    rules->named[i] = (struct fwd_named) {identity, hop};
    return 0;
}

/* Reads which peers keep replicas. */
static int
read_replicas(struct fwd_build *build)
{
    struct fwd_rules *rules = build->rules;
    const struct lyd_node *peers = fwd_config_at(build->config->root,
                                                 "peers");
    const struct lyd_node *peer = NULL;

    while ((peer = fwd_config_next(peers, "peer", peer))) {
        if (strcmp(fwd_config_text(peer, "replica"), "true")) {
            continue;
        }
        if (rules->n_replica_peers == FWD_MAX_REPLICA_PEERS) {
            return REFUSE(build, "more than %u peers keep replicas",
                          FWD_MAX_REPLICA_PEERS);
        }
        rules->replica_peers[rules->n_replica_peers++]
            = (uint16_t) fwd_build_hop(build, "peer",
                                       fwd_config_text(peer, "name"), false);
    }
    return rules->n_replica_peers
                   && rules->ports[rules->underlay].mtu
                          < FWD_REPLICA_HEAD_SIZE + FWD_REPLICA_RECORD_MAX
               ? REFUSE(build, "replicas need an underlay whose mtu is %u or "
                        "more", FWD_REPLICA_HEAD_SIZE + FWD_REPLICA_RECORD_MAX)
               : 0;
}

int
fwd_build_identities(struct fwd_build *build)
{
    struct fwd_rules *rules = build->rules;
    uint32_t size = fwd_build_size(rules->n_hops + 1);
    char own[80];
    int error;

    rules->named = calloc(size, sizeof *rules->named);
    rules->identities = calloc(rules->n_hops, sizeof *rules->identities);
    if (!rules->named || !rules->identities) {
        return ENOMEM;
    }
    rules->named_mask = size - 1;
    snprintf(own, sizeof own, "peer/%s",
             fwd_config_text(build->config->root, "name"));
    rules->identity = fwd_identity(own);
    error = add_named(build, rules->identity, FWD_HOP_SELF);
    for (uint32_t i = 1; i < rules->n_hops && !error; i++) {
        rules->identities[i] = fwd_identity(build->numbers->hops.names[i]);
        if (rules->hops[i].kind != FWD_HOP_GONE) {
            error = add_named(build, rules->identities[i], (uint16_t) i);
        }
    }
    return error ? error : read_replicas(build);
}
