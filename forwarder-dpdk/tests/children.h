// SPDX-License-Identifier: EPL-2.0
/* Real processes of the program, in the network of network.h, with two lcores
 * that forward. Their ports read and write files (net_pcap): packets that
 * wait there when a port is opened come in at once.
 *
 * What can't be done fails the test. */
#ifndef TEST_CHILDREN_H
#define TEST_CHILDREN_H

#include <stdio.h>
#include <sys/types.h>

#include "network.h"

#define CHILD_QUEUES 2        /* Of each port. */
#define CHILD_LIMIT_MS 60000  /* To wait for anything. */
#define CHILD_TEXT_SIZE (NETWORK_TEXT_SIZE + 2048)

/* Says where the program is, and makes a folder for all files. Returns 0 on
 * success. */
int child_begin(const char *path);

/* Removes all files, and in the end the folder. */
void child_clear(void);
void child_end(void);

/* The path of a file; valid for a few calls more. */
const char *child_path(const char *name);

void child_pause(long ms);

/* Makes the input of a port (0: wan, 1: lan) empty; adds packet number 'i' at
 * one of its queues; writes it. */
void child_begin_input(int port, FILE *files[CHILD_QUEUES]);
void child_add_input(FILE *files[CHILD_QUEUES], uint32_t i,
                     const struct wire *wire);
void child_end_input(FILE *files[CHILD_QUEUES]);

/* Waits until 'n' packets have left by a port, and no more; counts them by
 * NAT and by peer. Announcements of addresses and replicas don't count. */
void child_wait_for_output(int port, uint32_t n, uint32_t to_nats[N_VNFS],
                           uint32_t to_peers[N_PEERS]);

/* The MAC address that a packet which has left by a port comes from. */
uint64_t child_source(int port);

/* Announcements of addresses that have left by a port. */
uint32_t child_count_announcements(int port);

/* Removes what has left by a port. */
void child_clear_output(int port);

/* The device of a port, for a configuration. */
void child_device(int port, char *device, size_t size);

/* Replaces the first 'from' in 'text' of CHILD_TEXT_SIZE bytes. */
void child_replace(char *text, const char *from, const char *to);

/* Starts the program; what it says goes to the file 'log'. */
pid_t child_run(const char *config, const char *lcores, const char *take_over,
                const char *log);

/* Starts one that takes over in the background. */
pid_t child_upgrade(const char *config, const char *lcores, const char *log);

/* Waits until a process ends; returns its status, -1 if it does not. */
int child_status(pid_t pid);

bool child_is_running(pid_t pid);

/* Checks that a process said 'words'. */
void child_assert_said(const char *log, const char *words);

#endif
