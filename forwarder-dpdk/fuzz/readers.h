// SPDX-License-Identifier: EPL-2.0
/* The readers of packets, alone. */
#ifndef FUZZ_READERS_H
#define FUZZ_READERS_H

#include "wire.h"

/* Runs each of them wherever in a frame its header may be. The frame stands at
 * the very end of its own allocation, as no packet's buffer does. */
void readers_run(const struct wire *wire);

#endif
