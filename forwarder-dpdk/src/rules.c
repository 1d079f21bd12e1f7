// SPDX-License-Identifier: EPL-2.0
#include "build.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

int
fwd_numbers_init(struct fwd_numbers *numbers)
{
    memset(numbers, 0, sizeof *numbers);
    if (fwd_names_init(&numbers->hops, FWD_HOP_SELF - 1)
        || fwd_names_init(&numbers->services, UINT16_MAX)
        || fwd_names_init(&numbers->stages, FWD_MAX_STAGE_NUMBERS)) {
        fwd_numbers_destroy(numbers);
        return ENOMEM;
    }
    numbers->sets = fwd_sets_create();
    return 0;
}

void
fwd_numbers_destroy(struct fwd_numbers *numbers)
{
    fwd_names_destroy(&numbers->hops);
    fwd_names_destroy(&numbers->services);
    fwd_names_destroy(&numbers->stages);
    fwd_sets_destroy(numbers->sets);
}

static int
read_underlay(struct fwd_build *build)
{
    const struct lyd_node *root = build->config->root;

    build->rules->underlay = (uint8_t) fwd_build_port(
        build->rules, fwd_config_text(root, "underlay/port"));
    build->rules->vni_base = fwd_config_number(root, "underlay/vni-base");
    inet_pton(AF_INET, fwd_config_text(root, "underlay/address"),
              &build->rules->address);
    return 0;
}

/* Finds the hop of a member of the list 'list' of 'stage'. */
static int
read_member(struct fwd_build *build, const struct fwd_stage *stage,
            const char *list, const struct lyd_node *node,
            struct fwd_member *member)
{
    const char *name = fwd_config_text(node, "name");
    bool is_instance = !strcmp(list, "instance");
    uint32_t number = fwd_build_hop(build, is_instance ? "instance" : "peer",
                                 name, false);
    struct fwd_rules *rules = build->rules;

    member->name = fwd_name_hash(name);
    member->weight = fwd_config_number(node, "weight");
    if (!is_instance
        && !strcmp(name, fwd_config_text(build->config->root, "name"))) {
        member->hop = FWD_HOP_SELF;
        return 0;
    }
    if (!number || number >= rules->n_hops
        || rules->hops[number].kind == FWD_HOP_GONE) {
        return REFUSE(build, "stage %u: there is no %s %s", stage->number,
                      is_instance ? "instance" : "peer", name);
    }
    if (rules->hops[number].kind == FWD_HOP_MOVED) {
        return REFUSE(build, "stage %u: instance %s has moved to a peer",
                      stage->number, name);
    }
    if (is_instance && rules->hops[number].service != stage->service) {
        return REFUSE(build, "stage %u: instance %s is of another service",
                      stage->number, name);
    }
    member->hop = (uint16_t) number;
    return 0;
}

static int
read_set(struct fwd_build *build, const struct fwd_stage *stage,
         const struct lyd_node *node, const char *list, struct fwd_set *set)
{
    uint32_t n = fwd_build_count(node, list), i = 0;
    struct fwd_member *members = calloc(n + 1, sizeof *members);
    const struct lyd_node *entry = NULL;
    int error = members ? 0 : ENOMEM;

    while (!error && (entry = fwd_config_next(node, list, entry))) {
        error = read_member(build, stage, list, entry, &members[i++]);
    }
    if (!error) {
        error = fwd_sets_take(build->numbers->sets, members, n, set);
    }
    free(members);
    return error;
}

static int
read_stage(struct fwd_build *build, const struct fwd_chain *chain,
           const struct lyd_node *node, struct fwd_stage *stage)
{
    char name[40];
    int error;

    stage->number = (uint8_t) fwd_config_number(node, "number");
    stage->place = fwd_key_place(chain->chain, chain->egress, stage->number);
    stage->service = (uint16_t) fwd_names_number(
        &build->numbers->services, fwd_config_text(node, "service"));
    snprintf(name, sizeof name, "%u/%u/%u", chain->chain, chain->egress,
             stage->number);
    stage->counters = (uint16_t) fwd_names_number(&build->numbers->stages,
                                                  name);
    if (!stage->service || !stage->counters) {
        return REFUSE(build, "too many stages or services since the start");
    }
    error = read_set(build, stage, node, "instance", &stage->instances);
    if (!error) {
        error = read_set(build, stage, node, "next-hop", &stage->next_hops);
    }
    if (!error) {
        error = read_set(build, stage, node, "previous-hop",
                         &stage->previous_hops);
    }
    return error;
}

static int
compare_stages(const void *a, const void *b)
{
    return ((const struct fwd_stage *) a)->number
           - ((const struct fwd_stage *) b)->number;
}

/* Checks that the service of an instance tells the stage of what it sends
 * (fwd_chain_stage_of()): that no two elements share one, unless they are the
 * chain's ends. 'chain' has its stages in order. */
static int
check_services(struct fwd_build *build, const struct fwd_chain *chain)
{
    const struct fwd_stage *stages = chain->stages;

    for (uint8_t i = 0; i < chain->n_stages; i++) {
        for (uint8_t j = i + 1; j < chain->n_stages; j++) {
            bool are_ends = !stages[i].number && j == chain->n_stages - 1;

            if (stages[i].service == stages[j].service && !are_ends) {
                return REFUSE(build, "chain %u/%u: stages %u and %u have the "
                              "same service; give each element its own",
                              chain->chain, chain->egress, stages[i].number,
                              stages[j].number);
            }
        }
    }
    return 0;
}

static int
read_chain(struct fwd_build *build, const struct lyd_node *node,
           struct fwd_chain *chain)
{
    const struct lyd_node *stage = NULL;

    chain->chain = fwd_config_number(node, "chain-label");
    chain->egress = fwd_config_number(node, "egress-label");
    chain->stateful = !strcmp(fwd_config_text(node, "stateful"), "true");
    chain->stages = calloc(fwd_build_count(node, "stage") + 1,
                           sizeof *chain->stages);
    if (!chain->stages) {
        return ENOMEM;
    }
    while ((stage = fwd_config_next(node, "stage", stage))) {
        int error = read_stage(build, chain, stage,
                               &chain->stages[chain->n_stages++]);

        if (error) {
            return error;
        }
    }
    qsort(chain->stages, chain->n_stages, sizeof *chain->stages,
          compare_stages);
    for (uint8_t i = 0; i < chain->n_stages; i++) {
        chain->at[chain->stages[i].number] = (uint8_t) (i + 1);
    }
    return check_services(build, chain);
}

static int
read_chains(struct fwd_build *build)
{
    struct fwd_rules *rules = build->rules;
    const struct lyd_node *chains = fwd_config_at(build->config->root,
                                                  "chains");
    const struct lyd_node *node = NULL;
    uint32_t n = fwd_build_count(chains, "chain"), size = fwd_build_size(n);

    rules->chains = calloc(n + 1, sizeof *rules->chains);
    rules->chain_index = calloc(size, sizeof *rules->chain_index);
    if (!rules->chains || !rules->chain_index) {
        return ENOMEM;
    }
    rules->chain_mask = size - 1;
    while ((node = fwd_config_next(chains, "chain", node))) {
        struct fwd_chain *chain = &rules->chains[rules->n_chains++];
        int error = read_chain(build, node, chain);
        uint32_t i;

        if (error) {
            return error;
        }
        i = fwd_labels_hash(chain->chain, chain->egress) & rules->chain_mask;
        while (rules->chain_index[i]) {
            i = (i + 1) & rules->chain_mask;
        }
        rules->chain_index[i] = rules->n_chains;
    }
    return 0;
}

int
fwd_rules_create(const struct fwd_config *config,
                 const struct fwd_port *ports, uint8_t n_ports,
                 struct fwd_numbers *numbers, struct fwd_rules **rulesp,
                 char reason[FWD_REASON_SIZE])
{
    static int (*const parts[])(struct fwd_build *) = {
        read_underlay,       fwd_build_number_hops,
        fwd_build_addresses, fwd_build_peers,
        fwd_build_instances, fwd_build_identities,
        read_chains,
    };
    struct fwd_rules *rules = calloc(1, sizeof *rules);
    struct fwd_build build = {config, numbers, rules, reason};
    uint32_t n_hops = numbers->hops.n, n_services = numbers->services.n;
    uint32_t n_stages = numbers->stages.n;
    int error = rules ? 0 : ENOMEM;

    snprintf(reason, FWD_REASON_SIZE, "out of memory");
    if (rules) {
        rules->ports = ports;
        rules->n_ports = n_ports;
        rules->sets = numbers->sets;
    }
    for (size_t i = 0; i < sizeof parts / sizeof *parts && !error; i++) {
        error = parts[i](&build);
    }
    if (error) {
        fwd_names_take_back(&numbers->hops, n_hops);
        fwd_names_take_back(&numbers->services, n_services);
        fwd_names_take_back(&numbers->stages, n_stages);
        fwd_rules_destroy(rules);
        return error;
    }
    *rulesp = rules;
    return 0;
}

static void
destroy_chain(struct fwd_sets *sets, struct fwd_chain *chain)
{
    for (uint8_t i = 0; i < chain->n_stages; i++) {
        fwd_sets_drop(sets, &chain->stages[i].instances);
        fwd_sets_drop(sets, &chain->stages[i].next_hops);
        fwd_sets_drop(sets, &chain->stages[i].previous_hops);
    }
    free(chain->stages);
}

void
fwd_rules_destroy(struct fwd_rules *rules)
{
    if (!rules) {
        return;
    }
    for (uint32_t i = 0; i < rules->n_chains; i++) {
        destroy_chain(rules->sets, &rules->chains[i]);
    }
    for (size_t i = 0; i < FWD_MAX_PORTS; i++) {
        free(rules->sides[i]);
    }
    free(rules->chains);
    free(rules->chain_index);
    free(rules->peers);
    free(rules->ways);
    free(rules->identities);
    free(rules->named);
    free(rules->interfaces);
    free(rules->targets);
    free(rules->hops);
    free(rules);
}
