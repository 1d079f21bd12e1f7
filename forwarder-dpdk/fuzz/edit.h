// SPDX-License-Identifier: EPL-2.0
/* Edits of a JSON text, as a fuzzer's input says: nodes, which are members
 * with their names and elements of arrays, are removed, doubled, moved and
 * copied over others, values and names are changed, bytes are damaged. */
#ifndef FUZZ_EDIT_H
#define FUZZ_EDIT_H

#include <glib.h>

#include "input.h"

/* Makes the next edit of 'text', which stays without zeros. */
void edit_text(GString *text, struct input *input);

#endif
