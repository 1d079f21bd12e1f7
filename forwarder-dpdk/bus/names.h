// SPDX-License-Identifier: EPL-2.0
/* Names on the bus (docs/wire/bus.md):
 *
 *   site    B
 *   node    B/forwarder-1
 *   topic   /c1/e3/vnf_O/site_B_forwarders
 *   filter  a topic, or a prefix of topics that ends in '/'
 *
 * Thread-safety: functions of their arguments. */
#ifndef BUS_NAMES_H
#define BUS_NAMES_H

#include <stdbool.h>
#include <stddef.h>

#define BUS_NAME_LENGTH 255 /* Characters of the longest topic or filter. */

bool bus_is_site(const char *text);
bool bus_is_node(const char *text);
bool bus_is_topic(const char *text);
bool bus_is_filter(const char *text);

/* Characters of the site's name at the beginning of 'node'. */
size_t bus_node_site(const char *node);

/* The site that 'topic' names, of '*length' characters, or null. */
const char *bus_topic_site(const char *topic, size_t *length);

/* Whether 'topic' names the site of 'node', or none: then it may publish
 * there. */
bool bus_topic_is_of(const char *topic, const char *node);

/* Whether a message on 'topic' is wanted by 'filter'. */
bool bus_filter_matches(const char *filter, const char *topic);

#endif
