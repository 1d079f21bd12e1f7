// SPDX-License-Identifier: EPL-2.0
/* The benchmark's packets: those written fast are those written plainly. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "stamp.h"

#define N_FLOWS 100000
#define N_INSTANCES 4

static void
check_kind(const struct bench_kind *kind)
{
    struct bench_stamp stamp;

    bench_stamp_make(&stamp, kind);
    for (uint32_t flow = 0; flow < N_FLOWS; flow++) {
        uint8_t plain[BENCH_MAX_FRAME], fast[BENCH_MAX_FRAME];
        uint32_t instance = flow % N_INSTANCES;
        uint16_t size = kind->write(plain, flow, instance);

        assert_int_equal(bench_stamp_write(&stamp, fast, flow, instance),
                         size);
        assert_memory_equal(fast, plain, size);
    }
}

static void
stamped_packets_are_those_written_plainly(void **state)
{
    static const char *const names[] = {"plain", "edge", "chain"};

    (void) state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct bench_mode *mode = bench_find_mode(names[i]);

        for (int kind = 0; kind < mode->n_kinds; kind++) {
            check_kind(&mode->kinds[kind]);
        }
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stamped_packets_are_those_written_plainly),
    };

    return cmocka_run_group_tests_name("stamp", tests, NULL, NULL);
}
