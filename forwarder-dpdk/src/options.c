// SPDX-License-Identifier: EPL-2.0
#include "options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

static const char help[] =
    "sluice-forwarder: labels, balances and pins the connections of service\n"
    "chains.\n"
    "\n"
    "  sluice-forwarder [DPDK's options --] --config FILE [options]\n"
    "\n"
    "  -c, --config FILE    configuration, see sluice-forwarder.json\n"
    "  -m, --models FOLDER  where sluice-forwarder.yang is\n"
    "                       (" FWD_MODELS ")\n"
    "  -u, --take-over PATH go on where the process was that listens there\n"
    "                       (take-over-socket in its configuration)\n"
    "  -U, --upgrade        the same with the take-over-socket of FILE, in "
    "the\n"
    "                       background; leaves once the new process "
    "forwards\n"
    "  -t, --check          check the configuration, devices apart, and "
    "leave\n"
    "  -h, --help           this text\n"
    "\n"
    "DPDK needs two lcores or more, for instance -l 0,1: the first one waits\n"
    "for signals, the others forward, each with a part of the flow table and\n"
    "a queue of every port. Without huge pages add --no-huge -m 512; see\n"
    "https://doc.dpdk.org for all of its options.\n"
    "\n"
    "Signals: SIGHUP reads the configuration again; a wrong one changes\n"
    "nothing. SIGTERM and SIGINT end the program. With a bus in the\n"
    "configuration rules come over it, too; the latest are in force.\n"
    "Counters, and traces of packets: dpdk-telemetry.py, commands\n"
    "/sluice/...; for Prometheus at /metrics, if the configuration says "
    "where.\n"
    "Exit status: 0, or 1 with the reason on standard error.\n";

int
fwd_options_count_dpdk(int argc, char *argv[])
{
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--")) {
            return i;
        }
    }
    return 1;
}

int
fwd_options_read(int argc, char *argv[], struct fwd_options *options)
{
    static const struct option names[] = {
        {"config", required_argument, NULL, 'c'},
        {"models", required_argument, NULL, 'm'},
        {"take-over", required_argument, NULL, 'u'},
        {"upgrade", no_argument, NULL, 'U'},
        {"check", no_argument, NULL, 't'},
        {"help", no_argument, NULL, 'h'},
        {NULL, 0, NULL, 0},
    };
    int option;

    *options = (struct fwd_options) {.models = FWD_MODELS};
    while ((option = getopt_long(argc, argv, "c:m:u:Uth", names, NULL))
           != -1) {
        switch (option) {
        case 'c': options->config = optarg; break;
        case 'm': options->models = optarg; break;
        case 'u': options->take_over = optarg; break;
        case 'U': options->is_upgrade = true; break;
        case 't': options->only_check = true; break;
        case 'h': fputs(help, stdout); return 0;
        default: return 1;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "sluice-forwarder: '%s' is no option; see --help\n",
                argv[optind]);
        return 1;
    }
    if (!options->config) {
        fputs("sluice-forwarder: --config is required; see --help\n", stderr);
        return 1;
    }
    if (options->is_upgrade && options->take_over) {
        fputs("sluice-forwarder: --upgrade takes over at the socket in the "
              "configuration: leave --take-over out\n", stderr);
        return 1;
    }
    return -1;
}
