// SPDX-License-Identifier: EPL-2.0
/* Sends frames, sound or damaged or just bytes, through a forwarder of two
 * chains with one lcore to four, whose rules change meanwhile. Every packet is
 * sent, heard or counted as dropped, and its buffer comes back; what the
 * readers of ARP, neighbour discovery and replicas read is written as it was.
 *
 * An input is the settings of a forwarder, then steps: a byte that says what
 * comes next, then its numbers. At the end the number of packets is told. */
#include <inttypes.h>

#include "input.h"
#include "network.h"
#include "readers.h"
#include "rings.h"

#define SMALL_MTU 118 /* Of the underlay: just enough for some. */
#define SOME_VNFS 2   /* Of each kind, at the start. */
#define RULES_EACH 4  /* Most changes of rules in an input that has any: each
                       * takes as long as a hundred packets, and so does the
                       * start of the next forwarder. */
#define EXPIRY_MS 36000000 /* Longer than an entry may be idle. */

enum {
    STEP_RAW,
    STEP_TICK,
    STEP_RULES,
    STEP_NEIGHBOUR,
    STEP_REPLICAS,
    STEP_FROM_PEER,
    STEP_FROM_VNF,
    N_STEPS,
};

static struct rings rings;
static uint64_t n_passed; /* Packets of all inputs. */

/* Of the forwarder that runs. */
static struct network network;
static uint8_t settings;
static bool may_change;     /* The rules, by one input in eight. */
static int n_changes;       /* Of its rules. */
static uint64_t n_injected; /* Packets. */

/* Takes what was sent; the oldest first. */
static void
take_all(void)
{
    struct fate fate;

    while (rings_take(&rings, &fate)) {
    }
}

static void
pass(int port, const struct wire *wire, uint8_t queue)
{
    readers_run(wire);
    rings_inject(&rings, port, queue % rings.n_workers, wire);
    rings_poll(&rings);
    n_injected++;
    n_passed++;
}

/* Time passes, so that entries come and go. */
static void
tick(uint16_t ms)
{
    rings.now_ms += ms;
    rings_tick(&rings);
    take_all();
}

static uint64_t
sum(const uint64_t *counter)
{
    return fwd_crew_sum(rings.control->crew, counter);
}

static void
check_exits(void)
{
    const struct fwd_counters *first = rings_worker(&rings)->counters;
    uint64_t n_dropped = 0;

    for (int i = 0; i < FWD_N_DROPS; i++) {
        n_dropped += sum(&first->drops[i]);
    }
    require(sum(&first->n_received) == n_injected,
            "every packet is received");
    require(sum(&first->n_sent) + sum(&first->n_heard) + n_dropped
                == n_injected + sum(&first->n_made),
            "every packet is sent, heard or counted as dropped");
    require(!rte_mempool_in_use_count(rings.control->pool),
            "every packet's buffer comes back");
}

/* An IP packet of some kind; small numbers, so that flows meet. */
static struct wire
some_ip(struct input *input)
{
    static const uint8_t protocols[] = {6, 17, 1, 50};
    uint8_t kind = input_byte(input), hosts = input_byte(input);
    struct wire_flow flow = {
        .ipv6 = kind & 1,
        .whole = kind >> 1 & 1,
        .protocol = protocols[kind >> 2 & 3],
        .source = hosts & 3,
        .destination = hosts >> 2 & 3,
        .source_port = hosts >> 4 & 3,
        .destination_port = hosts >> 6,
    };
    struct wire wire = {.size = 0};

    switch (kind >> 4 & 3) {
    case 0:
        wire_fragment(&wire, &flow, (uint16_t) (64 * (kind >> 6 & 1)),
                      kind >> 7, input_below(input, 4));
        break;
    case 1:
        flow.protocol = flow.protocol == 50 ? 6 : flow.protocol;
        wire_icmp_error(&wire, &flow, 1);
        break;
    default:
        wire_ip(&wire, &flow, input_byte(input) & 0x17, input_byte(input));
    }
    input_damage(input, wire.data, wire.size);
    return wire;
}

/* A packet as some peer sends it, of either chain. */
static struct wire
from_peer(struct input *input)
{
    uint8_t where = input_byte(input);
    struct wire ip = some_ip(input), wire = {.size = 0};

    wire_tunnel(&wire, PEER(where & 3u), OWN,
                network_vni(where >> 2 & 7, where >> 5 & 1),
                (uint16_t) (8 + ip.size));
    wire_labels(&wire, CHAIN + (where >> 6 & 1), EGRESS, 64);
    memcpy(wire.data + wire.size, ip.data, ip.size);
    wire.size = (uint16_t) (wire.size + ip.size);
    return wire;
}

/* A packet as some instance sends it. */
static struct wire
from_vnf(struct input *input)
{
    uint8_t where = input_byte(input);
    struct wire ip = some_ip(input);

    return where >> 4 & 1
               ? network_from_single(where >> 1 & 3, where >> 3 & 1, &ip)
               : network_from_vnf(where & 1, where >> 1 & 3, where >> 3 & 1,
                                  &ip);
}

/* What some neighbour says to the forwarder or about itself, which may be
 * another address of it. */
static struct wire
some_message(struct input *input, int port)
{
    uint8_t who = input_byte(input);
    int kind = who & 1, i = who >> 1 & 3, egress = who >> 3 & 1;
    uint16_t vlan = network_vlan(kind, i, egress);
    uint64_t mac = network_vnf_mac(kind, i, egress);
    struct wire wire = {.size = 0};

    if (port == WAN) {
        wire_arp(&wire, 0, 1 + (who >> 4 & 1), network_peer_mac(i),
                 PEER((uint32_t) i), OWN);
    } else if (kind == NAT) {
        wire_arp(&wire, vlan, 1 + (who >> 4 & 1), mac,
                 network_address(vlan, false), network_address(vlan, true));
    } else {
        wire_nd(&wire, vlan, 135 + (who >> 4 & 1), mac,
                who >> 5 & 1 ? 0 : network_address(vlan, false),
                network_address(vlan, who >> 6 & 1));
    }
    return wire;
}

/* Replicas from A, damaged before their checksum was made. */
static struct wire
some_replicas(struct input *input)
{
    static const char *const names[] = {
        "peer/A", "peer/F", "instance/nat-0", "instance/nowhere",
    };
    struct wire_record records[4];
    struct wire wire = {.size = 0};
    int n = input_below(input, 5);

    for (int i = 0; i < n; i++) {
        uint8_t kind = input_byte(input), hosts = input_byte(input);

        records[i] = (struct wire_record) {
            .is_gone = kind & 1,
            .state = kind >> 3,
            .idle_s = input_byte(input),
            .chain = CHAIN,
            .egress = EGRESS,
            .stage = 1 + (hosts & 3) % 3,
            .flow = {
                .ipv6 = kind >> 1 & 1,
                .protocol = 6,
                .source = hosts >> 2 & 3,
                .destination = hosts >> 4 & 3,
            },
            .next = wire_identity(names[hosts >> 6]),
            .previous = wire_identity(names[kind >> 1 & 3]),
        };
    }
    wire_replicas(&wire, PEER(0), OWN, wire_identity("peer/A"), records, n);
    input_damage(input, wire.data, wire.size);
    wire_sum_udp(&wire, 14);
    return wire;
}

/* The rest of a frame's numbers: its port and queue, damage, a cut. */
static void
pass_frame(struct input *input, int port, struct wire *wire)
{
    uint8_t how = input_byte(input);

    if (how & 1) {
        input_damage(input, wire->data, wire->size);
    }
    if (how & 2) {
        wire->size = input_word(input) % (wire->size + 1u);
    }
    pass(how & 4 ? !port : port, wire, how >> 3);
}

static void
pass_raw(struct input *input)
{
    struct wire wire;
    uint16_t size = input_word(input) % 1600;

    wire.size = (uint16_t) input_bytes(input, wire.data, size);
    pass_frame(input, LAN, &wire);
}

/* Other weights and instances. */
static void
change_rules(struct input *input)
{
    uint8_t which = input_byte(input);

    network.weight[which & 1][which >> 1 & 3] = input_below(input, 4);
    network.gone[which >> 3 & 1][which >> 4 & 3] ^= which >> 6 & 1;
    network.asks = which >> 7;
    require(!network_apply(&network, &rings), "sound rules are taken");
}

static void
run_step(struct input *input)
{
    struct wire wire;
    uint8_t step = input_below(input, N_STEPS);
    int port = LAN;

    switch (step) {
    case STEP_TICK:
        tick(input_word(input));
        return;
    case STEP_RULES:
        if (may_change && n_changes < RULES_EACH) {
            n_changes++;
            change_rules(input);
        }
        return;
    case STEP_RAW:
        pass_raw(input);
        return;
    case STEP_NEIGHBOUR:
        port = input_below(input, N_RINGS);
        wire = some_message(input, port);
        break;
    case STEP_REPLICAS:
        port = WAN;
        wire = some_replicas(input);
        break;
    case STEP_FROM_PEER:
        port = WAN;
        wire = from_peer(input);
        break;
    default:
        wire = from_vnf(input);
    }
    pass_frame(input, port, &wire);
}

static void
start(void)
{
    network = network_even();
    for (int i = SOME_VNFS; i < N_VNFS; i++) {
        network.gone[NAT][i] = network.gone[FIREWALL][i] = true;
    }
    network.has_second_chain = true;
    network.mtu = settings & 1 ? SMALL_MTU : 1500;
    network.asks = settings >> 1 & 1;
    network.has_replicas = settings >> 2 & 1;
    network.is_mute = settings >> 3 & 1;
    network.single = settings >> 4 & 1;
    network.capacity = settings >> 5 & 1 ? 64 : 1024;
    rings.n_workers = 1 + (settings >> 6);
    network_start(&network, &rings);
    n_changes = 0;
    n_injected = 0;
}

/* So much time passes that the tables are empty. */
static void
expire(void)
{
    const struct fwd_crew *crew = rings.control->crew;

    rings.now_ms += EXPIRY_MS;
    for (uint16_t i = 0; i < crew->n_workers; i++) {
        struct fwd_table *table = crew->workers[i]->table;

        fwd_table_sweep(table, table->n_lines,
                        (uint32_t) (rings.now_ms / 1000), NULL, NULL);
    }
    require(!fwd_crew_use(crew).used, "every entry expires");
}

/* A forwarder with these settings, whose tables are empty: a new one, which
 * takes as long again, only if it has to be. */
static void
renew(uint8_t wanted)
{
    if (rings.control && settings == wanted && !n_changes) {
        expire();
    } else {
        settings = wanted;
        start();
    }
}

static void
tell_packets(void)
{
    printf("%" PRIu64 " packets\n", n_passed);
}

int
LLVMFuzzerInitialize(int *argc, char ***argv)
{
    (void) argc;
    (void) argv;
    atexit(tell_packets);
    return rings_init(&rings);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};

    srandom(1); /* The order in which workers poll. */
    renew(input_byte(&input));
    may_change = input_below(&input, 8) == 7;
    while (input.left) {
        run_step(&input);
    }
    tick(0);
    check_exits();
    return 0;
}
