// SPDX-License-Identifier: EPL-2.0
/* Numbers for names, from 1 on. A name keeps its number, and a number is
 * never given to another name, so what holds a number stays right when the
 * configuration changes; only numbers that nothing has come to hold can be
 * taken back.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_NAMES_H
#define FWD_NAMES_H

#include <stdint.h>

struct fwd_names {
    char **names;      /* By number; [0] is null. */
    uint32_t n;        /* Numbers given, and 0. */
    uint32_t most;     /* Largest number that may be given. */
    uint32_t *buckets; /* Numbers by hash, 0: free. */
    uint32_t n_buckets; /* A power of two. */
};

/* Makes 'names' empty. Returns 0 or a positive errno. */
int fwd_names_init(struct fwd_names *names, uint32_t most);

void fwd_names_destroy(struct fwd_names *names);

/* The number of 'name', which is given one if it has none; 0 if there are
 * none left. */
uint32_t fwd_names_number(struct fwd_names *names, const char *name);

/* Takes back the numbers given since there were 'n', as names->n counts. */
void fwd_names_take_back(struct fwd_names *names, uint32_t n);

/* The number of 'name', or 0 if it has none. */
uint32_t fwd_names_find(const struct fwd_names *names, const char *name);

/* Hash of a string, the same everywhere. */
uint64_t fwd_name_hash(const char *name);

#endif
