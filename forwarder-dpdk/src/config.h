// SPDX-License-Identifier: EPL-2.0
/* Configuration documents: JSON (RFC 7951) of sluice-forwarder.yang, where
 * lines that begin with // are comments. The model's tree is the
 * configuration; there is no second description of it here.
 *
 * Thread-safety: owned by the control thread. */
#ifndef FWD_CONFIG_H
#define FWD_CONFIG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <libyang/libyang.h>

#define FWD_REASON_SIZE 256 /* Bytes of a reason with its final zero. */

struct fwd_config {
    struct lyd_node *tree;
    const struct lyd_node *root; /* /sluice-forwarder:forwarder in it. */
};

/* Loads the models from 'folder' and stores the context in '*contextp'.
 * Returns 0 or a positive errno. */
int fwd_models_load(const char *folder, struct ly_ctx **contextp);

/* Whether what came as a document is text, without a zero; if not, the reason
 * is in 'reason'. */
bool fwd_config_is_text(const char *data, size_t size,
                        char reason[FWD_REASON_SIZE]);

/* Reads a document from text, which is changed. Returns 0, or a positive
 * errno with the reason in 'reason'. */
int fwd_config_parse(const struct ly_ctx *context, char *text,
                     struct fwd_config *config,
                     char reason[FWD_REASON_SIZE]);

/* Reads a document from a file; the same otherwise. */
int fwd_config_load(const struct ly_ctx *context, const char *path,
                    struct fwd_config *config, char reason[FWD_REASON_SIZE]);

/* The document as text, from malloc(); null: out of memory. */
char *fwd_config_print(const struct fwd_config *config);

void fwd_config_destroy(struct fwd_config *config);

/* Text of the leaf at 'path' below 'node', or null if there is none. */
const char *fwd_config_text(const struct lyd_node *node, const char *path);

/* Number at 'path', which the model guarantees to be there. */
uint32_t fwd_config_number(const struct lyd_node *node, const char *path);

/* The container at 'path' below 'node', or null. */
const struct lyd_node *fwd_config_at(const struct lyd_node *node,
                                     const char *path);

/* The next entry of the list 'name' in 'parent' after 'entry' (null: the
 * first one), or null. */
const struct lyd_node *fwd_config_next(const struct lyd_node *parent,
                                       const char *name,
                                       const struct lyd_node *entry);

#endif
