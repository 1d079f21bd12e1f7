// SPDX-License-Identifier: EPL-2.0
/* Sets that rules share: those with the same members and weights are made
 * once, so that other rules cost what is new in them. Weights and names decide
 * what is in a set (set.h), and a hop keeps its number.
 *
 * Rules hold a set from when they are made until they are destroyed, which is
 * after the last worker has read them.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_SETS_H
#define FWD_SETS_H

#include "set.h"

struct fwd_sets;

struct fwd_sets *fwd_sets_create(void);

/* Frees 'sets', which may be null, after all that it had were dropped. */
void fwd_sets_destroy(struct fwd_sets *sets);

/* Stores the set of 'n' members in '*set'; made, unless somebody has it.
 * Returns 0 or a positive errno. */
int fwd_sets_take(struct fwd_sets *sets, const struct fwd_member *members,
                  uint32_t n, struct fwd_set *set);

/* Frees a set that was taken, which may be empty, unless others have it. */
void fwd_sets_drop(struct fwd_sets *sets, const struct fwd_set *set);

/* How many there are that have slots. */
uint32_t fwd_sets_count(const struct fwd_sets *sets);

#endif
