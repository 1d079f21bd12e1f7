// SPDX-License-Identifier: EPL-2.0
#include "edit.h"

#include <stdbool.h>

#define MAX_DEPTH 64   /* Nodes deeper than that are none. */
#define MAX_SIZE 32768 /* Bytes; a text that is larger grows no more. */

/* A member or an element: from its beginning up to the comma or bracket. */
struct node {
    gsize begin;
    gsize end;
};

enum edit {
    EDIT_REMOVE,
    EDIT_DOUBLE,
    EDIT_MOVE,
    EDIT_COPY,
    EDIT_NAME,
    EDIT_VALUE,
    EDIT_LITERAL,
    EDIT_BYTE,
    N_EDITS,
};

static const char *const values[] = {
    "0", "1", "15", "16", "63", "64", "100", "128", "203", "4094", "4095",
    "65535", "65536", "1000000", "1048575", "16777088", "4294967295",
    "4294967296", "-1", "1.5", "1e9", "null", "true", "false", "[null]", "{}",
    "[]", "\"\"", "\"0\"", "\"18446744073709551615\"", "\"A\"", "\"B\"",
    "\"F\"", "\"nat-0\"", "\"nat-1\"", "\"fw-0\"", "\"nat\"", "\"fw\"",
    "\"lan\"", "\"wan\"", "\"0.0.0.0\"", "\"192.0.2.1\"", "\"192.0.2.10\"",
    "\"255.255.255.255\"", "\"::\"", "\"::ffff:192.0.2.1\"", "\"fe80::1\"",
    "\"02:00:00:00:00:00\"", "\"ff:ff:ff:ff:ff:ff\"", "\"site_A\"",
    "\"\\u0000\"", "\"\\u00e9\"",
    "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
    "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\"",
};

/* Where the string that begins at 'at' ends: at its last quotation mark. */
static gsize
string_end(const GString *text, gsize at)
{
    do {
        at += text->str[at] == '\\' ? 2 : 1;
    } while (at < text->len && text->str[at] != '"');
    return MIN(at, text->len);
}

/* All nodes, in the order in which they begin. */
static GArray *
find_nodes(const GString *text)
{
    GArray *nodes = g_array_new(FALSE, FALSE, sizeof(struct node));
    guint open[MAX_DEPTH + 1] = {0}; /* Number of the node at each depth. */
    int depth = 0;

    for (gsize at = 0; at < text->len; at++) {
        char c = text->str[at];
        bool is_end = c == '}' || c == ']';
        bool is_begin = c == '{' || c == '[';

        if (c == '"') {
            at = string_end(text, at);
        }
        if ((c == ',' || is_end) && depth) {
            g_array_index(nodes, struct node, open[depth]).end = at;
            depth -= is_end;
        }
        if ((c == ',' && depth) || (is_begin && depth < MAX_DEPTH)) {
            const struct node node = {at + 1, text->len};

            depth += is_begin;
            open[depth] = nodes->len;
            g_array_append_val(nodes, node);
        }
    }
    return nodes;
}

/* Some node; a number beyond the last begins again with the first. */
static struct node
choose(const GString *text, struct input *input)
{
    GArray *nodes = find_nodes(text);
    uint16_t number = input_word(input);
    struct node node = {0, text->len};

    if (nodes->len) {
        node = g_array_index(nodes, struct node, number % nodes->len);
    }
    g_array_unref(nodes);
    return node;
}

/* Where the value of a node begins: behind its name, if it has one. */
static gsize
value_of(const GString *text, const struct node *node)
{
    gsize at = node->begin + strspn(text->str + node->begin, " \n");

    if (at < node->end && text->str[at] == '"') {
        at = string_end(text, at) + 1;
        if (at < node->end && text->str[at] == ':') {
            return at + 1;
        }
    }
    return node->begin;
}

static void
replace(GString *text, gsize begin, gsize end, const char *by, gsize size)
{
    char *copy = g_strndup(by, size); /* It may stand in the text. */

    g_string_erase(text, (gssize) begin, (gssize) (end - begin));
    g_string_insert(text, (gssize) begin, copy);
    g_free(copy);
}

/* Takes a node out, with a comma beside it. */
static void
cut(GString *text, struct node node)
{
    if (node.end < text->len && text->str[node.end] == ',') {
        node.end++;
    } else if (node.begin && text->str[node.begin - 1] == ',') {
        node.begin--;
    }
    replace(text, node.begin, node.end, "", 0);
}

static void
insert_behind(GString *text, const struct node *node, const char *what)
{
    g_string_insert(text, (gssize) node->end, what);
    g_string_insert_c(text, (gssize) node->end, ',');
}

/* Cuts 'node' out and puts it behind another one; or only the latter. */
static void
put_elsewhere(GString *text, const struct node *node, bool is_moved,
              struct input *input)
{
    char *what = g_strndup(text->str + node->begin, node->end - node->begin);
    struct node other = *node;

    if (is_moved) {
        cut(text, *node);
        other = choose(text, input);
    }
    insert_behind(text, &other, what);
    g_free(what);
}

/* Puts another node's name, or the whole of it, in the place of 'node's. */
static void
copy_over(GString *text, const struct node *node, bool is_name,
          struct input *input)
{
    struct node other = choose(text, input);
    gsize end = is_name ? value_of(text, node) : node->end;
    gsize other_end = is_name ? value_of(text, &other) : other.end;

    replace(text, node->begin, end, text->str + other.begin,
            other_end - other.begin);
}

static void
set_value(GString *text, const struct node *node, struct input *input)
{
    const char *value = values[input_below(input, G_N_ELEMENTS(values))];

    replace(text, value_of(text, node), node->end, value, strlen(value));
}

static void
set_literal(GString *text, const struct node *node, struct input *input)
{
    char literal[64];
    gsize size = input_bytes(input, literal, input_below(input, 64));

    replace(text, value_of(text, node), node->end, literal, size);
}

static void
set_byte(GString *text, const struct node *node, struct input *input)
{
    gsize at = node->begin + input_byte(input);
    char value = (char) input_byte(input);

    if (at < text->len && value) {
        text->str[at] = value;
    }
}

void
edit_text(GString *text, struct input *input)
{
    enum edit edit = input_below(input, N_EDITS);
    const struct node node = choose(text, input);

    if (text->len > MAX_SIZE) {
        edit = EDIT_REMOVE;
    }
    switch (edit) {
    case EDIT_DOUBLE:
    case EDIT_MOVE:
        put_elsewhere(text, &node, edit == EDIT_MOVE, input);
        break;
    case EDIT_COPY:
    case EDIT_NAME:
        copy_over(text, &node, edit == EDIT_NAME, input);
        break;
    case EDIT_VALUE:
        set_value(text, &node, input);
        break;
    case EDIT_LITERAL:
        set_literal(text, &node, input);
        break;
    case EDIT_BYTE:
        set_byte(text, &node, input);
        break;
    default:
        cut(text, node);
    }
}
