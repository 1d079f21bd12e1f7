// SPDX-License-Identifier: EPL-2.0
/* A stretch of time with so many packets a second, however many come back,
 * in which is listened for silence. */
#ifndef BENCH_STRETCH_H
#define BENCH_STRETCH_H

#include "load.h"

/* Sends packets of random connections for so many seconds, 'rate' of them a
 * second, less where the program comes late: it makes up for one burst at
 * most. Then waits for what is under way, and prints one JSON object:
 * seconds, packets 'sent' and 'lost'; packets that strayed to another
 * instance than the connection's first, and connections that have 'moved',
 * each told once; the longest time in which nothing came from 'wan' and from
 * 'lan', as this program found it, and the longest in which it did not look,
 * both in milliseconds. */
void bench_stretch(struct bench_load *load, uint64_t rate, double seconds);

#endif
