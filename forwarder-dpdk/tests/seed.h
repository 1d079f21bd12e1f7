// SPDX-License-Identifier: EPL-2.0
/* Random tests: each run is another one, and FWD_SEED repeats it. */
#ifndef TEST_SEED_H
#define TEST_SEED_H

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* Seeds random() and prints the seed. */
static inline void
seed_random(void)
{
    const char *given = getenv("FWD_SEED");
    unsigned int seed = given ? (unsigned int) strtoul(given, NULL, 10)
                              : (unsigned int) time(NULL);

    fprintf(stderr, "FWD_SEED=%u\n", seed);
    srandom(seed);
}

#endif
