// SPDX-License-Identifier: EPL-2.0
#include "sets.h"

#include <errno.h>
#include <string.h>

#include <glib.h>

#include "key.h"

struct shared {
    struct fwd_set set; /* With slots: others cost nothing. */
    uint32_t n_users;
    uint32_t n;
    struct fwd_member members[];
};

struct fwd_sets {
    GHashTable *by_members; /* struct shared by itself. */
    GHashTable *by_slots;   /* The same by its slots. */
};

static guint
hash_members(gconstpointer pointer)
{
    const struct shared *shared = pointer;
    uint64_t hash = shared->n;

    for (uint32_t i = 0; i < shared->n; i++) {
        const struct fwd_member *member = &shared->members[i];

        hash = fwd_mix(hash ^ member->name,
                       0x9e3779b97f4a7c15ULL + member->weight);
    }
    return (guint) hash;
}

static gboolean
have_same_members(gconstpointer a_, gconstpointer b_)
{
    const struct shared *a = a_, *b = b_;
    bool is_same = a->n == b->n;

    for (uint32_t i = 0; i < a->n && is_same; i++) {
        const struct fwd_member *x = &a->members[i], *y = &b->members[i];

        is_same = x->name == y->name && x->weight == y->weight
                  && x->hop == y->hop;
    }
    return is_same;
}

struct fwd_sets *
fwd_sets_create(void)
{
    struct fwd_sets *sets = g_new(struct fwd_sets, 1);

    sets->by_members = g_hash_table_new(hash_members, have_same_members);
    sets->by_slots = g_hash_table_new(NULL, NULL);
    return sets;
}

void
fwd_sets_destroy(struct fwd_sets *sets)
{
    if (sets) {
        g_hash_table_destroy(sets->by_members);
        g_hash_table_destroy(sets->by_slots);
        g_free(sets);
    }
}

/* Makes a set that nobody has yet, but not its slots. */
static struct shared *
make(const struct fwd_member *members, uint32_t n)
{
    struct shared *shared = g_malloc0(sizeof *shared + n * sizeof *members);

    shared->n = n;
    memcpy(shared->members, members, n * sizeof *members);
    return shared;
}

int
fwd_sets_take(struct fwd_sets *sets, const struct fwd_member *members,
              uint32_t n, struct fwd_set *set)
{
    struct shared *fresh = make(members, n);
    struct shared *shared = g_hash_table_lookup(sets->by_members, fresh);
    int error = 0;

    if (!shared) {
        error = fwd_set_init(&fresh->set, members, n);
        *set = fresh->set;
    }
    if (!error && fresh->set.slots) {
        shared = g_steal_pointer(&fresh);
        g_hash_table_add(sets->by_members, shared);
        g_hash_table_insert(sets->by_slots, shared->set.slots, shared);
    }
    if (shared) {
        shared->n_users++;
        *set = shared->set;
    }
    g_free(fresh);
    return error;
}

void
fwd_sets_drop(struct fwd_sets *sets, const struct fwd_set *set)
{
    struct shared *shared =
        set->slots ? g_hash_table_lookup(sets->by_slots, set->slots) : NULL;

    if (shared && !--shared->n_users) {
        g_hash_table_remove(sets->by_members, shared);
        g_hash_table_remove(sets->by_slots, shared->set.slots);
        fwd_set_destroy(&shared->set);
        g_free(shared);
    }
}

uint32_t
fwd_sets_count(const struct fwd_sets *sets)
{
    return g_hash_table_size(sets->by_members);
}
