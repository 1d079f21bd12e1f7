// SPDX-License-Identifier: EPL-2.0
/* What DPDK's telemetry is told, and when. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "network.h"
#include "rings.h"
#include "telemetry.h"

static struct rings rings;

/* Asks as DPDK does; returns what it gets. */
static int
ask(const char *command, const char *parameters)
{
    struct rte_tel_data *data = rte_tel_data_alloc();
    int error = fwd_telemetry_answer(command, parameters, data);

    rte_tel_data_free(data);
    return error;
}

static void
commands_are_answered_while_there_is_a_forwarder(void **state)
{
    static const struct {
        const char *command;
        const char *parameters;
        int error;
    } questions[] = {
        {"/sluice/packets", NULL, 0},
        {"/sluice/drops", NULL, 0},
        {"/sluice/ports", NULL, 0},
        {"/sluice/port", "wan", 0},
        {"/sluice/port", "nobody", -EINVAL},
        {"/sluice/port", NULL, -EINVAL},
        {"/sluice/table", NULL, 0},
        {"/sluice/stages", NULL, 0},
        {"/sluice/stage", "100/203/1", 0},
        {"/sluice/stage", "100/203/9", -EINVAL},
        {"/sluice/stage", NULL, -EINVAL},
        {"/sluice/hops", NULL, 0},
        {"/sluice/hop", "peer/A", 0},
        {"/sluice/hop", "peer/nobody", -EINVAL},
        {"/sluice/bus", NULL, 0},
        {"/sluice/trace", "wan,00", 0},
        {"/sluice/trace", NULL, 0}, /* The reason is told. */
        {"/sluice/neighbours", NULL, 0},
    };
    struct network network = network_even();

    (void) state;
    network_start(&network, &rings);
    assert_int_equal(fwd_telemetry_start(rings.control), 0);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        assert_int_equal(ask(questions[i].command, questions[i].parameters),
                         questions[i].error);
    }
    fwd_telemetry_stop();
    rings_stop(&rings);
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        assert_int_equal(ask(questions[i].command, questions[i].parameters),
                         -ENOENT);
    }
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(commands_are_answered_while_there_is_a_forwarder),
    };

    if (rings_init(&rings)) {
        return 1;
    }
    return cmocka_run_group_tests_name("telemetry", tests, NULL, NULL);
}
