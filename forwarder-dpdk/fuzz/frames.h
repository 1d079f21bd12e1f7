// SPDX-License-Identifier: EPL-2.0
/* Frames of the network of tests/network.h, as a fuzzer's input says. */
#ifndef FUZZ_FRAMES_H
#define FUZZ_FRAMES_H

#include "input.h"
#include "wire.h"

/* A packet as some peer sends it, of either chain. */
struct wire frames_from_peer(struct input *input);

/* A packet as some instance sends it. */
struct wire frames_from_vnf(struct input *input);

/* What some neighbour on 'port' says to the forwarder or about itself, which
 * may be another address of it. */
struct wire frames_neighbour(struct input *input, int port);

/* Replicas from A, damaged before their checksum was made. */
struct wire frames_replicas(struct input *input);

/* Just bytes. */
struct wire frames_bytes(struct input *input);

#endif
