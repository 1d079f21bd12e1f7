// SPDX-License-Identifier: EPL-2.0
/* The forwarder as a service: what it tells the manager of services that has
 * started it (sd_notify(3) of systemd; without one nothing is told), and an
 * upgrade as a command that ends when the new process forwards.
 *
 * Thread-safety: for the control thread. */
#ifndef FWD_SERVICE_H
#define FWD_SERVICE_H

#include <stdbool.h>

/* Packets flow. */
void fwd_service_is_ready(void);

/* The process at the other end of connection 'fd' is the service from now on;
 * this one ends. */
void fwd_service_is_there(int fd);

/* Goes on in the background, before there are threads. In this process it
 * returns the status to leave with once the one in the background has told
 * that it forwards, or has ended. There it returns -1, and '*fdp' is where to
 * tell. */
int fwd_service_detach(int *fdp);

/* In the background: tells that it forwards and 'is_whole', or that something
 * is amiss. */
void fwd_service_tell(int fd, bool is_whole);

#endif
