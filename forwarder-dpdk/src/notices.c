// SPDX-License-Identifier: EPL-2.0
#include "notices.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

struct notice {
    char *text;      /* Empty: to be withdrawn. */
    bool is_told;    /* The bus has it, or will not take it. */
    uint64_t round;  /* Of the last post. */
};

struct fwd_notices {
    struct bus_node *node;
    GHashTable *all; /* By topic. */
    uint64_t round;
};

static void
free_notice(void *pointer)
{
    g_free(((struct notice *) pointer)->text);
    g_free(pointer);
}

struct fwd_notices *
fwd_notices_create(struct bus_node *node)
{
    struct fwd_notices *notices = g_new0(struct fwd_notices, 1);

    notices->node = node;
    notices->all = g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                                         free_notice);
    return notices;
}

void
fwd_notices_destroy(struct fwd_notices *notices)
{
    if (notices) {
        g_hash_table_destroy(notices->all);
        g_free(notices);
    }
}

static void
set_text(struct notice *notice, const char *text)
{
    if (strcmp(notice->text, text)) {
        g_free(notice->text);
        notice->text = g_strdup(text);
        notice->is_told = false;
    }
}

void
fwd_notices_post(struct fwd_notices *notices, const char *topic,
                 const char *text)
{
    struct notice *notice = g_hash_table_lookup(notices->all, topic);

    if (!notice) {
        notice = g_new0(struct notice, 1);
        notice->text = g_strdup("");
        g_hash_table_insert(notices->all, g_strdup(topic), notice);
    }
    set_text(notice, text);
    notice->round = notices->round;
}

void
fwd_notices_begin(struct fwd_notices *notices)
{
    notices->round++;
}

void
fwd_notices_end(struct fwd_notices *notices)
{
    GHashTableIter each;
    void *pointer;

    g_hash_table_iter_init(&each, notices->all);
    while (g_hash_table_iter_next(&each, NULL, &pointer)) {
        struct notice *notice = pointer;

        if (notice->round != notices->round) {
            set_text(notice, "");
        }
    }
}

void
fwd_notices_publish(struct fwd_notices *notices)
{
    GHashTableIter each;
    void *topic, *pointer;

    g_hash_table_iter_init(&each, notices->all);
    while (g_hash_table_iter_next(&each, &topic, &pointer)) {
        struct notice *notice = pointer;
        int error = notice->is_told ? 0
                    : bus_node_publish(notices->node, topic, notice->text,
                                       strlen(notice->text));

        if (error && error != EAGAIN) {
            fprintf(stderr, "sluice-forwarder: %s is not published: %s\n",
                    (const char *) topic, strerror(error));
        }
        notice->is_told = error != EAGAIN;
        if (notice->is_told && !notice->text[0]) {
            g_hash_table_iter_remove(&each);
        }
    }
}
