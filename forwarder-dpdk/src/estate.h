// SPDX-License-Identifier: EPL-2.0
/* What a forwarder leaves to the process that takes over from it: the memory
 * of its flow table, the names of the hops whose numbers the entries hold,
 * the document in force, the MAC addresses of neighbours, and its clock. All
 * but the clock are files without names, which go over a socket.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_ESTATE_H
#define FWD_ESTATE_H

#include "config.h"
#include "names.h"
#include "neighbours.h"
#include "worker.h"

/* The file 'papers' has, each with a final zero: the names of the hops by
 * number from 1 on, an empty string, the document. 'known' has a record for
 * each neighbour. */
struct fwd_estate {
    uint64_t now_ms;             /* The clock. */
    int papers;                  /* A memfd, or -1. */
    int known;                   /* Likewise. */
    int tables[FWD_MAX_WORKERS]; /* Memfds, or -1: taken. */
    uint16_t n_tables;
};

/* Fills 'estate' with files of its own. Returns 0 or a positive errno. */
int fwd_estate_write(struct fwd_estate *estate, const struct fwd_names *hops,
                     struct fwd_neighbours *neighbours,
                     const char *document);

/* Numbers the hops as they were, in 'hops', which is empty, and stores the
 * document, from malloc(), in '*documentp'. Returns 0, or a positive errno:
 * EPROTO, the papers are not in order. */
int fwd_estate_read(const struct fwd_estate *estate, struct fwd_names *hops,
                    char **documentp);

/* Tells 'neighbours', who follow the rules, what was known of them. They are
 * asked again soon. Returns 0 or a positive errno. */
int fwd_estate_introduce(const struct fwd_estate *estate,
                         struct fwd_neighbours *neighbours);

/* Closes the files that nobody took. */
void fwd_estate_close(struct fwd_estate *estate);

#endif
