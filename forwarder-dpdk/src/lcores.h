// SPDX-License-Identifier: EPL-2.0
/* The lcores that forward, and the clock that they go by.
 *
 * Thread-safety: the clock is for all threads, the rest for the control
 * thread. */
#ifndef FWD_LCORES_H
#define FWD_LCORES_H

#include "crew.h"

/* Milliseconds; never goes back. */
uint64_t fwd_clock_ms(void);

/* Sets the clock to 'now_ms', before it is used: entries of the flow table
 * bear the clock of who wrote them. How fast the timer runs each process
 * measures for itself, so after weeks two clocks may be hours apart. */
void fwd_clock_set(uint64_t now_ms);

/* Sets the clock to 'now_ms' at least, while no lcore forwards. */
void fwd_clock_catch_up(uint64_t now_ms);

/* Lets every lcore but this one forward; there are as many as workers. */
void fwd_lcores_start(struct fwd_crew *crew);

/* Stops them between two polls, and forwards and tells what waits in them. */
void fwd_lcores_stop(struct fwd_crew *crew);

#endif
