// SPDX-License-Identifier: EPL-2.0
/* Sends frames, sound or damaged or just bytes, through a forwarder of two
 * chains with one lcore to four, whose rules change meanwhile. Every packet is
 * sent, heard or counted as dropped, and its buffer comes back; what the
 * readers of ARP, neighbour discovery and replicas read is written as it was.
 *
 * An input is the settings of a forwarder, then steps: a byte that says what
 * comes next, then its numbers. A packet comes in a burst, whose others are
 * made of the same numbers but for some. Once the steps are done they are done
 * again, some of their numbers changed, until PACKETS_EACH have passed. The
 * changes are the same each time. At the end the number of packets is told. */
#include <inttypes.h>

#include "frames.h"
#include "input.h"
#include "network.h"
#include "readers.h"
#include "rings.h"

#define SMALL_MTU 118 /* Of the underlay: just enough for some. */
#define SOME_VNFS 2   /* Of each kind, at the start. */
#define RULES_EACH 4  /* Most changes of rules in an input that has any: each
                       * takes as long as a hundred packets. */
#define PACKETS_EACH 256 /* Of an input, or more: to start a forwarder takes
                          * as long as hundreds of packets. */
#define ROUNDS_EACH 32   /* Most rounds, if packets are few. */
#define STEP_SIZE 1700 /* Most bytes of a step. */
#define BUFFERS_EACH 511 /* Of a worker: what can be under way, since to make
                          * them takes time. */
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

/* Lets a packet in. */
static void
pass(int port, const struct wire *wire, uint8_t queue)
{
    readers_run(wire);
    rings_inject(&rings, port, queue % rings.n_workers, wire);
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

/* The rest of a frame's numbers: its port and queue, damage, a cut. Returns
 * the one that says so, and what burst the frame is the first of. */
static uint8_t
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
    return how;
}

/* Makes a step's packet and lets it in. */
static uint8_t
pass_step(struct input *input, uint8_t step)
{
    struct wire wire;
    int port = LAN;

    switch (step) {
    case STEP_RAW:
        wire = frames_bytes(input);
        break;
    case STEP_NEIGHBOUR:
        port = input_below(input, N_RINGS);
        wire = frames_neighbour(input, port);
        break;
    case STEP_REPLICAS:
        port = WAN;
        wire = frames_replicas(input);
        break;
    case STEP_FROM_PEER:
        port = WAN;
        wire = frames_from_peer(input);
        break;
    default:
        wire = frames_from_vnf(input);
    }
    return pass_frame(input, port, &wire);
}

/* Changes some of 'size' numbers, at most one in eight and one more. */
static void
change(uint8_t *numbers, size_t size)
{
    for (size_t n = size ? 1 + (size_t) random() % (size / 8 + 1) : 0; n--;) {
        numbers[(size_t) random() % size] = (uint8_t) random();
    }
}

/* A step's packet and, each changed, the others of its burst; they may stay
 * at the ports until there is no room. */
static void
pass_burst(struct input *input, uint8_t step)
{
    static const uint8_t sizes[] = {1, 4, 16, FWD_BURST};
    struct input as_said = *input;
    uint8_t how = pass_step(input, step);
    size_t size = as_said.left - input->left;

    for (uint8_t n = sizes[how >> 6]; n > 1; n--) {
        uint8_t numbers[STEP_SIZE];
        struct input changed = {numbers, size};

        memcpy(numbers, as_said.at, size);
        change(numbers, size);
        pass_step(&changed, step);
    }
    rings_poll(&rings);
    if (how >> 5 & 1) {
        take_all();
    }
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
    uint8_t step = input_below(input, N_STEPS);

    if (step == STEP_TICK) {
        tick(input_word(input));
    } else if (step != STEP_RULES) {
        pass_burst(input, step);
    } else if (may_change && n_changes < RULES_EACH) {
        n_changes++;
        change_rules(input);
    }
}

static void
run_steps(struct input input)
{
    while (input.left) {
        run_step(&input);
    }
}

/* Runs the steps, and again with some numbers changed. */
static void
run_rounds(const struct input *steps)
{
    uint64_t enough = n_passed + PACKETS_EACH;
    uint8_t *numbers = malloc(steps->left + 1);

    run_steps(*steps);
    for (int i = 1; i < ROUNDS_EACH && n_passed < enough; i++) {
        memcpy(numbers, steps->at, steps->left);
        change(numbers, steps->left);
        run_steps((struct input) {numbers, steps->left});
    }
    free(numbers);
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
    if (rings_init(&rings)) {
        return 1;
    }
    rings.n_buffers = BUFFERS_EACH;
    return 0;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct input input = {data, size};

    srandom(1); /* The order in which workers poll, and the changes. */
    renew(input_byte(&input));
    may_change = input_below(&input, 8) == 7;
    run_rounds(&input);
    tick(0);
    check_exits();
    return 0;
}
