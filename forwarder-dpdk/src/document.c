// SPDX-License-Identifier: EPL-2.0
#include "document.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

#define PATH_SIZE 512 /* Bytes with the final zero. */

void
fwd_document_add(struct fwd_document *document, const char *path,
                 const char *value)
{
    char full[PATH_SIZE];
    struct lyd_node *made = NULL;

    snprintf(full, sizeof full, "/sluice-forwarder:forwarder/%s", path);
    lyd_new_path(document->tree, document->models, full, value, 0, &made);
    if (!document->tree) {
        document->tree = made;
    }
}

void
fwd_document_add_number(struct fwd_document *document, uint64_t value,
                        const char *path, ...)
{
    char full[PATH_SIZE], text[24];
    va_list arguments;

    va_start(arguments, path);
    vsnprintf(full, sizeof full, path, arguments);
    va_end(arguments);
    snprintf(text, sizeof text, "%" PRIu64, value);
    fwd_document_add(document, full, text);
}

char *
fwd_document_print(struct fwd_document *document)
{
    char *text = NULL;

    lyd_print_mem(&text, document->tree, LYD_JSON,
                  LYD_PRINT_SHRINK | LYD_PRINT_WITHSIBLINGS);
    lyd_free_all(document->tree);
    document->tree = NULL;
    return text;
}
