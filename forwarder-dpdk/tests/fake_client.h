// SPDX-License-Identifier: EPL-2.0
/* A client of the bus without a socket, in place of bus/client.c: its node is
 * beside a proxy of proxy.h, in a session from the beginning. */
#ifndef TEST_FAKE_CLIENT_H
#define TEST_FAKE_CLIENT_H

#include "proxy.h"

/* The proxy of the client that was made last. */
struct proxy *fake_client_proxy(void);

#endif
