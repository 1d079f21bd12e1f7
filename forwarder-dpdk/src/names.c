// SPDX-License-Identifier: EPL-2.0
#include "names.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"

uint64_t
fwd_name_hash(const char *name)
{
    uint64_t hash = 0xcbf29ce484222325ULL; /* FNV-1a, 64 bits. */

    for (; *name; name++) {
        hash = (hash ^ (unsigned char) *name) * 0x100000001b3ULL;
    }
    return fwd_mix(hash, 0x9e3779b97f4a7c15ULL);
}

int
fwd_names_init(struct fwd_names *names, uint32_t most)
{
    uint32_t n_buckets = 1;

    while (n_buckets < most * 2) {
        n_buckets *= 2;
    }
    *names = (struct fwd_names) {
        .names = calloc(most + 1, sizeof *names->names),
        .n = 1,
        .most = most,
        .buckets = calloc(n_buckets, sizeof *names->buckets),
        .n_buckets = n_buckets,
    };
    if (names->names && names->buckets) {
        return 0;
    }
    fwd_names_destroy(names);
    return ENOMEM;
}

void
fwd_names_destroy(struct fwd_names *names)
{
    for (uint32_t i = 1; names->names && i < names->n; i++) {
        free(names->names[i]);
    }
    free(names->names);
    free(names->buckets);
}

/* The bucket that has 'name', or the free one where it would be. */
static uint32_t
bucket_of(const struct fwd_names *names, const char *name)
{
    uint32_t mask = names->n_buckets - 1;
    uint32_t i = (uint32_t) fwd_name_hash(name) & mask;

    while (names->buckets[i]
           && strcmp(names->names[names->buckets[i]], name)) {
        i = (i + 1) & mask;
    }
    return i;
}

uint32_t
fwd_names_find(const struct fwd_names *names, const char *name)
{
    return names->buckets[bucket_of(names, name)];
}

uint32_t
fwd_names_number(struct fwd_names *names, const char *name)
{
    uint32_t i = bucket_of(names, name);
    char *copy;

    if (names->buckets[i]) {
        return names->buckets[i];
    }
    copy = names->n <= names->most ? strdup(name) : NULL;
    if (!copy) {
        return 0;
    }
    names->names[names->n] = copy;
    names->buckets[i] = names->n;
    return names->n++;
}

/* Last one first: so each was the last to look for a free bucket, and leaves
 * no gap before another one's. */
void
fwd_names_take_back(struct fwd_names *names, uint32_t n)
{
    while (names->n > n) {
        char *name = names->names[names->n - 1];

        names->buckets[bucket_of(names, name)] = 0;
        free(name);
        names->names[--names->n] = NULL;
    }
}
