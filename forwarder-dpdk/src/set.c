// SPDX-License-Identifier: EPL-2.0
#include "set.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "key.h"

static double
score(const struct fwd_member *member, uint32_t slot)
{
    uint64_t hash = fwd_mix(member->name ^ 0xa0761d6478bd642fULL,
                            (slot + 1) * 0x9e3779b97f4a7c15ULL);
    double u = ((double) (fwd_mix(hash, 0xe7037ed1a0b428dbULL) >> 11) + 0.5)
               * 0x1p-53;

    return -(double) member->weight / log(u);
}

static uint16_t
winner(const struct fwd_member *members, uint32_t n, uint32_t slot)
{
    double best_score = 0;
    uint16_t best = 0;

    for (uint32_t i = 0; i < n; i++) {
        double its = score(&members[i], slot);

        if (its > best_score) {
            best_score = its;
            best = members[i].hop;
        }
    }
    return best;
}

int
fwd_set_init(struct fwd_set *set, const struct fwd_member *members,
             uint32_t n)
{
    uint32_t n_weighted = 0;

    *set = (struct fwd_set) {0};
    for (uint32_t i = 0; i < n; i++) {
        if (members[i].weight) {
            set->only = members[i].hop;
            n_weighted++;
        }
    }
    if (n_weighted < 2) {
        return 0;
    }
    set->slots = malloc(FWD_SET_SLOTS * sizeof *set->slots);
    if (!set->slots) {
        return ENOMEM;
    }
    for (uint32_t slot = 0; slot < FWD_SET_SLOTS; slot++) {
        set->slots[slot] = winner(members, n, slot);
    }
    return 0;
}

void
fwd_set_destroy(struct fwd_set *set)
{
    free(set->slots);
}
