// SPDX-License-Identifier: EPL-2.0
#include "config.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int
fwd_models_load(const char *folder, struct ly_ctx **contextp)
{
    ly_log_options(LY_LOSTORE_LAST);
    if (ly_ctx_new(folder, LY_CTX_DISABLE_SEARCHDIR_CWD, contextp)) {
        return EINVAL;
    }
    if (!ly_ctx_load_module(*contextp, "sluice-forwarder", NULL, NULL)) {
        ly_ctx_destroy(*contextp);
        return ENOENT;
    }
    return 0;
}

/* Turns comment lines into blanks; line numbers stay. */
static void
blank_comments(char *text)
{
    while (*text) {
        size_t indent = strspn(text, " \t"), size = strcspn(text, "\n");

        if (!strncmp(text + indent, "//", 2)) {
            memset(text, ' ', size);
        }
        text += size + (text[size] == '\n');
    }
}

int
fwd_config_parse(const struct ly_ctx *context, char *text,
                 struct fwd_config *config, char reason[FWD_REASON_SIZE])
{
    *config = (struct fwd_config) {0};
    blank_comments(text);
    if (lyd_parse_data_mem(context, text, LYD_JSON, LYD_PARSE_STRICT,
                           LYD_VALIDATE_NO_STATE | LYD_VALIDATE_PRESENT,
                           &config->tree)) {
        const char *message = ly_errmsg(context);
        const char *path = ly_errpath(context);

        snprintf(reason, FWD_REASON_SIZE, "%s%s%s",
                 message ? message : "can't be read", path ? " " : "",
                 path ? path : "");
        return EINVAL;
    }
    config->root = fwd_config_at(config->tree, "/sluice-forwarder:forwarder");
    if (!config->root) {
        fwd_config_destroy(config);
        snprintf(reason, FWD_REASON_SIZE,
                 "there is no sluice-forwarder:forwarder");
        return EINVAL;
    }
    return 0;
}

/* Returns the text of a file, or null with errno set. */
static char *
read_file(const char *path)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t size = 0;

    if (!file) {
        return NULL;
    }
    if (getdelim(&text, &size, '\0', file) < 0) {
        free(text);
        text = ferror(file) ? NULL : strdup("");
    }
    fclose(file);
    return text;
}

int
fwd_config_load(const struct ly_ctx *context, const char *path,
                struct fwd_config *config, char reason[FWD_REASON_SIZE])
{
    char *text = read_file(path);
    int error;

    if (!text) {
        snprintf(reason, FWD_REASON_SIZE, "%s: %s", path, strerror(errno));
        return EINVAL;
    }
    error = fwd_config_parse(context, text, config, reason);
    free(text);
    return error;
}

char *
fwd_config_print(const struct fwd_config *config)
{
    char *text = NULL;

    return lyd_print_mem(&text, config->tree, LYD_JSON,
                         LYD_PRINT_WITHSIBLINGS | LYD_PRINT_SHRINK)
               ? NULL : text;
}

void
fwd_config_destroy(struct fwd_config *config)
{
    lyd_free_all(config->tree);
    *config = (struct fwd_config) {0};
}

const struct lyd_node *
fwd_config_at(const struct lyd_node *node, const char *path)
{
    struct lyd_node *match;

    return node && !lyd_find_path(node, path, 0, &match) ? match : NULL;
}

const char *
fwd_config_text(const struct lyd_node *node, const char *path)
{
    const struct lyd_node *leaf = fwd_config_at(node, path);

    return leaf ? lyd_get_value(leaf) : NULL;
}

uint32_t
fwd_config_number(const struct lyd_node *node, const char *path)
{
    return (uint32_t) strtoul(fwd_config_text(node, path), NULL, 10);
}

const struct lyd_node *
fwd_config_next(const struct lyd_node *parent, const char *name,
                const struct lyd_node *entry)
{
    const struct lyd_node *node = entry ? entry->next : lyd_child(parent);

    while (node && strcmp(node->schema->name, name)) {
        node = node->next;
    }
    return node;
}
