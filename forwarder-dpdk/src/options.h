// SPDX-License-Identifier: EPL-2.0
/* The program's own options, which follow DPDK's.
 *
 * Thread-safety: for the main thread. */
#ifndef FWD_OPTIONS_H
#define FWD_OPTIONS_H

#include <stdbool.h>

struct fwd_options {
    const char *config;    /* Path of the configuration. */
    const char *models;    /* Folder of the models. */
    const char *take_over; /* Path of a socket, or null. */
    bool is_upgrade;       /* Take over at the socket in the configuration,
                            * in the background. */
    bool only_check;       /* The configuration. */
};

/* Number of arguments up to "--", which are DPDK's, or 1 if there is none. */
int fwd_options_count_dpdk(int argc, char *argv[]);

/* Reads 'argc' arguments. Returns -1, or the status to leave with at once,
 * with the reason or the help told. */
int fwd_options_read(int argc, char *argv[], struct fwd_options *options);

#endif
