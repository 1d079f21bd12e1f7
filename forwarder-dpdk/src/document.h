// SPDX-License-Identifier: EPL-2.0
/* Documents that the forwarder writes: JSON (RFC 7951) of its model.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_DOCUMENT_H
#define FWD_DOCUMENT_H

#include <stdint.h>

#include <libyang/libyang.h>

struct fwd_document {
    const struct ly_ctx *models;
    struct lyd_node *tree; /* Null: empty. */
};

/* Adds the node at 'path' below the forwarder. */
void fwd_document_add(struct fwd_document *document, const char *path,
                      const char *value);

/* Adds a number; 'path' is a format for what follows it. */
void fwd_document_add_number(struct fwd_document *document, uint64_t value,
                             const char *path, ...)
    __attribute__((format(printf, 3, 4)));

/* Returns the text, from malloc(), and empties the document. */
char *fwd_document_print(struct fwd_document *document);

#endif
