// SPDX-License-Identifier: EPL-2.0
/* Who a node is, from files of its own: a CURVE key pair, and the number of
 * its last start (docs/wire/bus.md, "Streams").
 *
 * Thread-safety: functions of their arguments and files. */
#ifndef BUS_IDENTITY_H
#define BUS_IDENTITY_H

#include <stdbool.h>
#include <stdint.h>

#include "requests.h"

#define BUS_KEY_LENGTH 40 /* Characters of a key in Z85. */

struct bus_keys {
    char public_key[BUS_KEY_LENGTH + 1];
    char secret_key[BUS_KEY_LENGTH + 1];
};

/* Whether 'text' can be a key. */
bool bus_is_key(const char *text);

/* Reads a file of two lines, the public and the secret key, which only its
 * owner may read. Returns 0, or a positive errno with the reason in
 * 'reason'. */
int bus_keys_load(const char *path, struct bus_keys *keys,
                  char reason[BUS_REASON_SIZE]);

/* Writes a new pair to a new file of mode 0600. Returns 0, or a positive
 * errno with the reason in 'reason'. */
int bus_keys_make(const char *path, struct bus_keys *keys,
                  char reason[BUS_REASON_SIZE]);

/* The number of a start after 'last', which is 0 if none is known. */
uint64_t bus_start_after(uint64_t last, uint64_t now_ms);

/* The first epoch of a start; its topics use higher ones after they were
 * forgotten. */
uint64_t bus_start_epoch(uint64_t start);

/* Stores the epoch of a new start in '*epoch', after its number was written
 * to the file, which belongs to one node. 'now_ms' is in milliseconds since
 * 1970. Returns 0, or a positive errno with the reason in 'reason'; then there
 * is no epoch. */
int bus_epoch_next(const char *path, uint64_t now_ms, uint64_t *epoch,
                   char reason[BUS_REASON_SIZE]);

#endif
