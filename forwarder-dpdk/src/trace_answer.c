// SPDX-License-Identifier: EPL-2.0
#include "trace_answer.h"

#include <errno.h>
#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

#include "explain.h"

#define FRAME_SHOWN 512 /* Bytes of a traced frame; all that one can ask. */
#define LINE_BYTES 32   /* Of a frame. */

/* Adds the first bytes of a frame as lines in hexadecimal. */
static void
add_frame(struct rte_tel_data *data, const uint8_t *frame, uint32_t size)
{
    struct rte_tel_data *lines = rte_tel_data_alloc();

    if (!lines) {
        return;
    }
    rte_tel_data_start_array(lines, RTE_TEL_STRING_VAL);
    size = RTE_MIN(size, FRAME_SHOWN);
    for (uint32_t i = 0; i < size; i += LINE_BYTES) {
        char line[2 * LINE_BYTES + 1];

        for (uint32_t j = i; j < size && j < i + LINE_BYTES; j++) {
            sprintf(line + 2 * (j - i), "%02x", frame[j]);
        }
        rte_tel_data_add_array_string(lines, line);
    }
    rte_tel_data_add_dict_container(data, "frame", lines, 0);
}

static void
add_steps(const struct fwd_control *control, const struct fwd_trace *trace,
          struct rte_tel_data *data)
{
    struct fwd_steps steps;

    fwd_explain(control, trace, &steps);
    for (int i = 0; i < steps.n; i++) {
        rte_tel_data_add_dict_string(data, steps.step[i].name,
                                     steps.step[i].text);
    }
    if (!trace->drop) {
        add_frame(data, rte_pktmbuf_mtod(&trace->packet, const uint8_t *),
                  rte_pktmbuf_pkt_len(&trace->packet));
    }
}

int
fwd_trace_answer(const struct fwd_control *control, const char *parameters,
                 struct rte_tel_data *data)
{
    struct fwd_trace *trace = aligned_alloc(alignof(struct fwd_trace),
                                            sizeof *trace);
    char reason[FWD_REASON_SIZE];

    if (!trace) {
        return -ENOMEM;
    }
    rte_tel_data_start_dict(data);
    if (fwd_trace_read(control, parameters, trace, reason)
        || fwd_trace_run(control, trace, reason)) {
        rte_tel_data_add_dict_string(data, "refused", reason);
    } else {
        add_steps(control, trace, data);
    }
    free(trace);
    return 0;
}
