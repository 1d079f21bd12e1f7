// SPDX-License-Identifier: EPL-2.0
#include "heirs.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

pid_t heir_old;

static struct wire_flow
flow_of(uint32_t i)
{
    return (struct wire_flow) {
        .ipv6 = i % 2, .protocol = 17,
        .source = 0x0a000000 + i, .destination = 0x0b000001,
        .source_port = (uint16_t) (1000 + i), .destination_port = 53,
    };
}

static void
add_replicas(FILE *files[CHILD_QUEUES])
{
    struct wire_record records[N_TOLD];
    struct wire wire = {.size = 0};

    for (uint32_t i = 0; i < N_TOLD; i++) {
        records[i] = (struct wire_record) {
            .chain = CHAIN, .egress = EGRESS, .stage = 1,
            .flow = flow_of(FIRST_TOLD + i),
            .next = wire_identity("instance/nat-3"),
            .previous = wire_identity("peer/A"),
        };
    }
    wire_replicas(&wire, PEER(0), OWN, wire_identity("peer/A"), records,
                  N_TOLD);
    child_add_input(files, 0, &wire);
}

void
heir_write_inputs(struct heir_input input)
{
    FILE *files[CHILD_QUEUES];
    uint32_t end = input.first + input.n;

    child_begin_input(WAN, files);
    if (input.is_told) {
        add_replicas(files);
    }
    for (uint32_t i = input.first; i < end; i++) {
        struct wire_flow flow = flow_of(i);
        struct wire ip = {.size = 0}, wire;

        wire_ip(&ip, &flow, 0, 20);
        wire = network_from_peer(0, 1, 0, &ip);
        child_add_input(files, i, &wire);
    }
    child_end_input(files);
    child_begin_input(LAN, files);
    for (uint32_t i = 0; input.has_return && i < N_FLOWS; i++) {
        struct wire_flow flow = flow_of(i), reverse = wire_reverse(&flow);
        struct wire ip = {.size = 0}, wire;

        wire_ip(&ip, &reverse, 0, 20);
        wire = network_from_vnf(NAT, OLD_NAT, 0, &ip);
        child_add_input(files, i + 1, &wire);
    }
    child_end_input(files);
}

void
heir_write_config(const char *name, int nat, const char *from, const char *to)
{
    struct network network = network_even();
    char text[CHILD_TEXT_SIZE], device[512];
    FILE *file = fopen(child_path(name), "w");

    assert_non_null(file);
    network.has_replicas = true;
    memset(network.weight[NAT], 0, sizeof network.weight[NAT]);
    network.weight[NAT][nat] = 1;
    network.gone[NAT][NEW_NAT] = nat != NEW_NAT;
    network_write(&network, text, sizeof text);
    for (int port = WAN; port <= LAN; port++) {
        child_device(port, device, sizeof device);
        child_replace(text, port == WAN ? "%0" : "%1", device);
    }
    snprintf(device, sizeof device, "\"take-over-socket\": \"%s\", \"ports\"",
             child_path("socket"));
    child_replace(text, "\"ports\"", device);
    if (from) {
        child_replace(text, from, to);
    }
    fputs(text, file);
    fclose(file);
}

int
heir_start_old(void **state)
{
    uint32_t nats[N_VNFS], peers[N_PEERS];

    (void) state;
    heir_write_inputs((struct heir_input) {.n = N_FLOWS, .is_told = true});
    heir_write_config("old.json", OLD_NAT, NULL, NULL);
    heir_old = child_run("old.json", LCORES, NULL, "old.log");
    child_wait_for_output(LAN, N_FLOWS, nats, peers);
    assert_int_equal(nats[OLD_NAT], N_FLOWS);
    return 0;
}

int
heir_stop_old(void **state)
{
    (void) state;
    kill(heir_old, SIGTERM);
    waitpid(heir_old, NULL, 0);
    child_clear();
    return 0;
}
