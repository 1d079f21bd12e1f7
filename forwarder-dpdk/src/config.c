// SPDX-License-Identifier: EPL-2.0
#include "config.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#define VALUE_SIZE 64              /* Bytes of a value in a reason. */
#define TWICE "Duplicate instance" /* The beginning of libyang's message. */

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

bool
fwd_config_is_text(const char *data, size_t size, char reason[FWD_REASON_SIZE])
{
    const char *zero = memchr(data, '\0', size);

    if (zero) {
        snprintf(reason, FWD_REASON_SIZE, "byte %zu of the document is zero: "
                 "end the document before it", (size_t) (zero - data) + 1);
    }
    return !zero;
}

/* Whether an error at 'path' is about 'node'. A node whose value its type does
 * not allow is known by its name alone, since keys of lists around it may not
 * have been read when it was refused. */
static bool
is_about(const struct lyd_node *node, const char *path)
{
    char *where = lyd_path(node, LYD_PATH_STD, NULL, 0);
    char *end = g_strdup_printf("%s\"", node->schema || !where
                                             ? where : strrchr(where, '/'));
    bool is_found = where && strstr(path, end);

    g_free(end);
    free(where);
    return is_found;
}

/* Stores in 'value' the value in 'text' that an error at 'path' is about;
 * empty if there is none. */
static void
find_refused(const struct ly_ctx *context, const char *text, const char *path,
             char value[VALUE_SIZE])
{
    struct lyd_node *tree = NULL, *top, *node;

    value[0] = '\0';
    lyd_parse_data_mem(context, text, LYD_JSON,
                       LYD_PARSE_ONLY | LYD_PARSE_OPAQ, 0, &tree);
    LY_LIST_FOR(tree, top) {
        LYD_TREE_DFS_BEGIN(top, node) {
            const char *found = lyd_get_value(node);

            if (found && !value[0] && is_about(node, path)) {
                snprintf(value, VALUE_SIZE, "%s", found);
            }
            LYD_TREE_DFS_END(top, node);
        }
    }
    lyd_free_all(tree);
}

/* Writes why libyang refused 'text': the value unless its message has it,
 * the message, what to do if it does not say so, and where. */
static void
explain(const struct ly_ctx *context, const char *text,
        char reason[FWD_REASON_SIZE])
{
    const char *said = ly_errmsg(context), *at = ly_errpath(context);
    bool is_of_data = ly_vecode(context) == LYVE_DATA;
    char *message = g_strdup(said ? said : "can't be read");
    char *path = g_strdup(at ? at : "");
    char value[VALUE_SIZE] = "";
    bool is_twice = g_str_has_prefix(message, TWICE);

    if (is_of_data) {
        find_refused(context, text, path, value);
    }
    if (strstr(message, value)) {
        value[0] = '\0';
    }
    snprintf(reason, FWD_REASON_SIZE, "%s%s%s%s%s%s%s", value,
             value[0] ? ": " : "", message,
             g_str_has_suffix(message, ".") ? "" : ".",
             is_twice ? " Remove all but one." : "", path[0] ? " " : "", path);
    g_free(message);
    g_free(path);
}

/* Refuses what follows the document, from 'rest' on. */
static int
check_end(const char *text, const char *rest, char reason[FWD_REASON_SIZE])
{
    uint32_t line = 1;

    rest += strspn(rest, " \t\r\n");
    if (!*rest) {
        return 0;
    }
    for (const char *at = text; at < rest; at++) {
        line += *at == '\n';
    }
    snprintf(reason, FWD_REASON_SIZE, "line %" PRIu32 ": the document has "
             "ended, remove what follows: %.32s", line, rest);
    return EINVAL;
}

/* Reads the one document that is in 'text'. */
static int
read_tree(const struct ly_ctx *context, const char *text,
          struct lyd_node **tree, char reason[FWD_REASON_SIZE])
{
    struct ly_in *in;
    int error;

    if (ly_in_new_memory(text, &in)) {
        snprintf(reason, FWD_REASON_SIZE, "out of memory");
        return ENOMEM;
    }
    if (lyd_parse_data(context, NULL, in, LYD_JSON, LYD_PARSE_STRICT,
                       LYD_VALIDATE_NO_STATE | LYD_VALIDATE_PRESENT, tree)) {
        explain(context, text, reason);
        error = EINVAL;
    } else {
        error = check_end(text, text + ly_in_parsed(in), reason);
    }
    ly_in_free(in, 0);
    return error;
}

int
fwd_config_parse(const struct ly_ctx *context, char *text,
                 struct fwd_config *config, char reason[FWD_REASON_SIZE])
{
    int error;

    *config = (struct fwd_config) {0};
    blank_comments(text);
    error = read_tree(context, text, &config->tree, reason);
    if (error) {
        fwd_config_destroy(config);
        return error;
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

/* Returns the text of a file up to its first zero, if it has one: 'size'
 * includes that. Returns null with errno set if it can't be read. */
static char *
read_file(const char *path, size_t *sizep)
{
    FILE *file = fopen(path, "r");
    char *text = NULL;
    size_t room = 0;
    ssize_t size;

    if (!file) {
        return NULL;
    }
    size = getdelim(&text, &room, '\0', file);
    if (size < 0) {
        free(text);
        text = ferror(file) ? NULL : strdup("");
        size = 0;
    }
    *sizep = (size_t) size;
    fclose(file);
    return text;
}

int
fwd_config_load(const struct ly_ctx *context, const char *path,
                struct fwd_config *config, char reason[FWD_REASON_SIZE])
{
    size_t size;
    char *text = read_file(path, &size);
    int error = EINVAL;

    if (!text) {
        snprintf(reason, FWD_REASON_SIZE, "%s: %s", path, strerror(errno));
        return EINVAL;
    }
    if (fwd_config_is_text(text, size, reason)) {
        error = fwd_config_parse(context, text, config, reason);
    }
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
