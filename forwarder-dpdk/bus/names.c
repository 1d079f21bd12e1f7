// SPDX-License-Identifier: EPL-2.0
#include "names.h"

#include <string.h>

#define ALNUM                                                                 \
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
#define SITE_CHARACTERS ALNUM "-"
#define CHARACTERS ALNUM "._-"
#define SITE_MARK "site_"
#define MAX_SITE 31    /* Characters. */
#define MAX_SEGMENT 63
#define MAX_KIND 26    /* Of what stands behind a topic's site. */
#define MAX_SEGMENTS 8

/* Characters of the name at 'text', or 0 if it is longer than 'limit'. */
static size_t
name_length(const char *text, const char *characters, size_t limit)
{
    size_t length = strspn(text, characters);

    return length <= limit ? length : 0;
}

static size_t
site_length(const char *text)
{
    return name_length(text, SITE_CHARACTERS, MAX_SITE);
}

static bool
names_site(const char *segment)
{
    return !strncmp(segment, SITE_MARK, strlen(SITE_MARK));
}

/* Whether 'text' is site_<site>_<kind> and nothing else. */
static bool
is_site_segment(const char *text)
{
    const char *site = text + strlen(SITE_MARK), *kind;
    size_t length;

    if (!names_site(text) || !site_length(site)
        || site[site_length(site)] != '_') {
        return false;
    }
    kind = site + site_length(site) + 1;
    length = name_length(kind, CHARACTERS, MAX_KIND);
    return length && !kind[length];
}

/* Passes up to 'limit' segments, each with the '/' before it, none of which
 * names a site; stores their number in '*n'. */
static const char *
pass_segments(const char *text, unsigned int limit, unsigned int *n)
{
    for (*n = 0; *n < limit && text[0] == '/'; ++*n) {
        size_t length = name_length(text + 1, CHARACTERS, MAX_SEGMENT);

        if (!length || names_site(text + 1)) {
            break;
        }
        text += 1 + length;
    }
    return text;
}

bool
bus_is_site(const char *text)
{
    return site_length(text) && !text[site_length(text)];
}

bool
bus_is_node(const char *text)
{
    size_t site = site_length(text), name;

    if (!site || text[site] != '/') {
        return false;
    }
    name = name_length(text + site + 1, CHARACTERS, MAX_SEGMENT);
    return name && !text[site + 1 + name];
}

bool
bus_is_topic(const char *text)
{
    unsigned int n;
    const char *rest = pass_segments(text, MAX_SEGMENTS, &n);

    return strlen(text) <= BUS_NAME_LENGTH
           && ((n && !*rest)
               || (n < MAX_SEGMENTS && rest[0] == '/'
                   && is_site_segment(rest + 1)));
}

bool
bus_is_filter(const char *text)
{
    unsigned int n;
    const char *rest = pass_segments(text, MAX_SEGMENTS - 1, &n);

    return bus_is_topic(text)
           || (strlen(text) <= BUS_NAME_LENGTH && !strcmp(rest, "/"));
}

size_t
bus_node_site(const char *node)
{
    return strcspn(node, "/");
}

const char *
bus_topic_site(const char *topic, size_t *length)
{
    const char *last = strrchr(topic, '/') + 1;

    if (!names_site(last)) {
        return NULL;
    }
    *length = site_length(last + strlen(SITE_MARK));
    return last + strlen(SITE_MARK);
}

bool
bus_topic_is_of(const char *topic, const char *node)
{
    size_t length;
    const char *site = bus_topic_site(topic, &length);

    return !site || (length == bus_node_site(node)
                     && !strncmp(site, node, length));
}

bool
bus_filter_matches(const char *filter, const char *topic)
{
    size_t length = strlen(filter);

    return filter[length - 1] == '/' ? !strncmp(filter, topic, length)
                                     : !strcmp(filter, topic);
}
