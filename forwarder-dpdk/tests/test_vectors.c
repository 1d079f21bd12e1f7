// SPDX-License-Identifier: EPL-2.0
/* The test vectors of docs/wire/forwarder.md: lines of hexadecimal bytes
 * after "in PORT" or "out PORT", where .. is a byte that the sender chooses.
 * Every "in" is followed by its "out". */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"

static struct rings rings;

/* One packet of the page. */
struct vector {
    bool is_in;
    int port;
    uint16_t size;
    uint8_t data[200];
    bool is_free[200]; /* The sender chooses this byte. */
};

/* Reads a line of bytes; false if it is none. */
static bool
read_bytes(const char *line, struct vector *vector)
{
    for (; line[0] > ' '; line += 3) {
        char *end;

        vector->is_free[vector->size] = !strncmp(line, "..", 2);
        vector->data[vector->size] = (uint8_t) strtoul(line, &end, 16);
        if (!vector->is_free[vector->size] && end != line + 2) {
            return false;
        }
        vector->size++;
        if (line[2] != ' ') {
            return true;
        }
    }
    return false;
}

/* Reads the next packet from the page; false at its end. */
static bool
read_vector(FILE *page, struct vector *vector)
{
    char line[200], way[4], port[4];

    *vector = (struct vector) {0};
    while (fgets(line, sizeof line, page)) {
        if (sscanf(line, "%3[inout] %3[wanl]", way, port) == 2) {
            vector->is_in = !strcmp(way, "in");
            vector->port = strcmp(port, "wan") ? LAN : WAN;
            while (fgets(line, sizeof line, page)
                   && read_bytes(line, vector)) {
            }
            return true;
        }
    }
    return false;
}

static void
check(const struct vector *expected, const struct fate *fate)
{
    assert_int_equal(fate->drop, FWD_DROP_NONE);
    assert_int_equal(fate->port, expected->port);
    assert_int_equal(fate->wire.size, expected->size);
    for (uint16_t i = 0; i < expected->size; i++) {
        if (!expected->is_free[i] && fate->wire.data[i] != expected->data[i]) {
            fail_msg("byte %u: %02x, not %02x", i, fate->wire.data[i],
                     expected->data[i]);
        }
    }
}

/* Lets the forwarder announce itself, unheard. */
static void
settle(void)
{
    struct fate fate;

    for (int i = 0; i < 2; i++) {
        rings_tick(&rings);
        while (rings_take(&rings, &fate)) {
        }
        rings.now_ms += 2000;
    }
}

/* What becomes of a packet, or is answered to it. */
static struct fate
pass(const struct vector *in)
{
    struct wire wire = {.size = in->size};
    struct fate fate;

    memcpy(wire.data, in->data, in->size);
    fate = rings_pass(&rings, in->port, &wire);
    if (fate.drop == FWD_DROP_NEIGHBOUR) {
        rings_tick(&rings);
        assert_true(rings_take(&rings, &fate));
    }
    return fate;
}

static void
vectors_of_the_page_hold(void **state)
{
    struct network network = network_even();
    FILE *page = fopen(FWD_WIRE_PAGE, "r");
    struct vector in, out;
    int n = 0;

    (void) state;
    assert_non_null(page);
    for (int i = 1; i < N_VNFS; i++) {
        network.weight[NAT][i] = network.weight[FIREWALL][i] = 0;
    }
    network.next_weight[1] = 0;
    network.mtu = 128;
    network_start(&network, &rings);
    settle();
    while (read_vector(page, &in)) {
        struct fate fate;

        assert_true(in.is_in && read_vector(page, &out) && !out.is_in);
        fate = pass(&in);
        check(&out, &fate);
        n++;
    }
    fclose(page);
    assert_int_equal(n, 9);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(vectors_of_the_page_hold),
    };

    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("vectors", tests, NULL, NULL);
}
