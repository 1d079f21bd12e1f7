// SPDX-License-Identifier: EPL-2.0
/* What a forwarder and the process that takes over from it say to each other,
 * on a unix socket of mode 0600:
 *
 *   new                                                         old
 *    -- HELLO ------------------------------------------------->
 *    <-- ESTATE, files ---------- or REFUSAL: it has another version
 *       opens the ports that it can, makes the rules
 *    -- STOP, and whether it needs more ports ------------------>
 *                        its lcores stop, it closes its ports if asked
 *    <-- STOPPED, the clock --------------------------------------
 *       opens the other ports
 *    -- START ------------------------------------------------->
 *       forwards                                            ends
 *
 * The flow table is the old one's until START is there. If the connection
 * ends before that, or the new one takes too long, the old one goes on, and
 * the new one can't say START any more. While the old one waits it does its
 * other work.
 *
 * Each message is a packet (SOCK_SEQPACKET) in the order of this machine,
 * whose first 8 bytes are the version.
 *
 * Thread-safety: for the control thread. */
#ifndef FWD_HANDOVER_H
#define FWD_HANDOVER_H

#include "estate.h"

/* Of these messages and of the estate's papers: changes with any of them. */
#define FWD_HANDOVER_VERSION 0x536c756963655502ULL

enum fwd_word {
    FWD_WORD_HELLO,
    FWD_WORD_ESTATE,
    FWD_WORD_REFUSAL,
    FWD_WORD_STOP,
    FWD_WORD_STOPPED,
    FWD_WORD_START,
};

struct fwd_message {
    uint64_t version; /* FWD_HANDOVER_VERSION. */
    uint64_t word;    /* enum fwd_word. */
    uint64_t value;   /* ESTATE, STOPPED: clock, milliseconds; STOP: 1 if it
                       * needs ports, else 0. */
};

/* How the old one waits. */
struct fwd_waiting {
    /* Does other work until 'fd' is readable, or for 'limit_ms'. */
    void (*wait)(int fd, uint64_t limit_ms, void *aux);
    void *aux;
};

/* All return 0, or a positive errno with the reason in 'reason'. Where a
 * connection is stored, the caller closes it. */

/* Listens at 'path'; stores the socket in '*fdp'. */
int fwd_handover_listen(const char *path, int *fdp,
                        char reason[FWD_REASON_SIZE]);

/* The old one: takes a connection of the socket 'listener', offers 'estate',
 * and waits until the new one wants the lcores stopped. */
int fwd_handover_offer(int listener, const struct fwd_estate *estate,
                       const struct fwd_waiting *waiting, int *fdp,
                       bool *needs_ports, char reason[FWD_REASON_SIZE]);

/* The old one: tells that the lcores have stopped, and waits until the new
 * one starts. */
int fwd_handover_finish(int fd, uint64_t now_ms,
                        const struct fwd_waiting *waiting,
                        char reason[FWD_REASON_SIZE]);

/* The new one: asks the process that listens at 'path' for its estate. */
int fwd_handover_ask(const char *path, int *fdp, struct fwd_estate *estate,
                     char reason[FWD_REASON_SIZE]);

/* The new one: has the lcores of the old one stopped. */
int fwd_handover_stop(int fd, bool needs_ports, uint64_t *now_ms,
                      char reason[FWD_REASON_SIZE]);

/* The new one: takes the flow table. */
int fwd_handover_start(int fd, char reason[FWD_REASON_SIZE]);

#endif
