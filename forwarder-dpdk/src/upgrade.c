// SPDX-License-Identifier: EPL-2.0
#include "upgrade.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "lcores.h"

int
fwd_upgrade_leave(const struct fwd_control *control, uint64_t now_ms,
                  struct fwd_estate *estate)
{
    const struct fwd_crew *crew = control->crew;

    *estate = (struct fwd_estate) {
        .now_ms = now_ms, .papers = -1, .known = -1,
    };
    for (uint16_t i = 0; i < crew->n_workers; i++) {
        int copy = fcntl(crew->workers[i]->table->fd, F_DUPFD_CLOEXEC, 0);

        if (copy < 0) {
            return errno;
        }
        estate->tables[estate->n_tables++] = copy;
    }
    return fwd_estate_write(estate, &control->numbers.hops,
                            control->neighbours, control->document);
}

/* Offers all that there is; see fwd_handover_offer(). */
static int
offer(int listener, const struct fwd_control *control,
      const struct fwd_waiting *waiting, int *fdp, bool *needs_ports,
      char reason[FWD_REASON_SIZE])
{
    struct fwd_estate estate;
    int error = fwd_upgrade_leave(control, fwd_clock_ms(), &estate);

    if (error) {
        snprintf(reason, FWD_REASON_SIZE, "nothing to hand over: %s",
                 strerror(error));
    } else {
        error = fwd_handover_offer(listener, &estate, waiting, fdp,
                                   needs_ports, reason);
    }
    fwd_estate_close(&estate);
    return error;
}

/* Opens the ports that are closed, and makes the rules anew with their MAC
 * addresses. */
static int
open_all(struct fwd_control *control, const struct ly_ctx *models,
         char reason[FWD_REASON_SIZE])
{
    int error = fwd_control_open(control, true, reason);

    return error ? error : fwd_control_renew(control, models, reason);
}

/* Goes on as before the other process asked, which has failed. */
static enum fwd_outcome
resume(struct fwd_control *control, const struct ly_ctx *models,
       bool has_closed, char reason[FWD_REASON_SIZE])
{
    char its_reason[FWD_REASON_SIZE];

    if (has_closed && open_all(control, models, its_reason)) {
        snprintf(reason, FWD_REASON_SIZE, "%s", its_reason);
        return FWD_LOST;
    }
    fwd_lcores_start(control->crew);
    return FWD_KEPT;
}

enum fwd_outcome
fwd_upgrade_give(int listener, struct fwd_control *control,
                 const struct ly_ctx *models,
                 const struct fwd_waiting *waiting, int *fdp,
                 char reason[FWD_REASON_SIZE])
{
    bool needs_ports;

    if (offer(listener, control, waiting, fdp, &needs_ports, reason)) {
        return FWD_KEPT;
    }
    fwd_lcores_stop(control->crew);
    if (needs_ports) {
        fwd_control_close(control);
    }
    if (!fwd_handover_finish(*fdp, fwd_clock_ms(), waiting, reason)) {
        return FWD_GIVEN;
    }
    close(*fdp);
    return resume(control, models, needs_ports, reason);
}

/* Reads the papers of another process: the numbers of its hops, and the
 * document that is in force. */
static int
read_papers(const struct fwd_estate *estate, const struct ly_ctx *models,
            const struct fwd_config *config, struct fwd_names *hops,
            struct fwd_config *in_force, char reason[FWD_REASON_SIZE])
{
    const char *name = fwd_config_text(config->root, "name");
    char *document;
    int error = fwd_estate_read(estate, hops, &document);

    if (error) {
        snprintf(reason, FWD_REASON_SIZE, "its papers: %s", strerror(error));
        return error;
    }
    error = fwd_config_parse(models, document, in_force, reason);
    free(document);
    if (!error
        && (!name || strcmp(fwd_config_text(in_force->root, "name"), name))) {
        snprintf(reason, FWD_REASON_SIZE, "it is forwarder %s, this is %s",
                 fwd_config_text(in_force->root, "name"),
                 name ? name : "nobody");
        fwd_config_destroy(in_force);
        error = EINVAL;
    }
    return error;
}

/* Makes known who is known. */
static int
introduce(const struct fwd_estate *estate, struct fwd_control *control,
          char reason[FWD_REASON_SIZE])
{
    int error = fwd_estate_introduce(estate, control->neighbours);

    if (error) {
        snprintf(reason, FWD_REASON_SIZE, "its neighbours: %s",
                 strerror(error));
    }
    return error;
}

/* Puts the papers of another process in force, and makes known who is
 * known. */
static int
succeed(const struct fwd_estate *estate, const struct ly_ctx *models,
        const struct fwd_config *config, struct fwd_control *control,
        char reason[FWD_REASON_SIZE])
{
    struct fwd_config in_force;
    int error = read_papers(estate, models, config, &control->numbers.hops,
                            &in_force, reason);

    if (error) {
        return error;
    }
    error = fwd_control_open(control, false, reason);
    if (!error) {
        error = fwd_control_apply(control, &in_force, reason);
    }
    fwd_config_destroy(&in_force);
    return error ? error : introduce(estate, control, reason);
}

int
fwd_upgrade_inherit(struct fwd_estate *estate, const struct ly_ctx *models,
                    const struct fwd_config *config, uint16_t n_workers,
                    uint32_t n_buffers, uint64_t now_ms,
                    struct fwd_control **controlp,
                    char reason[FWD_REASON_SIZE])
{
    struct fwd_control *control;
    int error = fwd_control_make(config, estate, n_workers, n_buffers, now_ms,
                                 &control, reason);

    if (error) {
        return error;
    }
    error = succeed(estate, models, config, control, reason);
    if (error) {
        fwd_control_destroy(control);
        return error;
    }
    *controlp = control;
    return 0;
}

/* Has the other process stopped, and takes its place. */
static int
replace(int fd, struct fwd_control *control, const struct ly_ctx *models,
        char reason[FWD_REASON_SIZE])
{
    bool needs_ports = !fwd_control_is_open(control);
    uint64_t now_ms;
    int error = fwd_handover_stop(fd, needs_ports, &now_ms, reason);

    if (error) {
        return error;
    }
    fwd_clock_catch_up(now_ms);
    fwd_control_discard(control);
    if (needs_ports) {
        error = open_all(control, models, reason);
    }
    if (!error) {
        error = fwd_handover_start(fd, reason);
    }
    if (!error) {
        fwd_lcores_start(control->crew);
    }
    return error;
}

int
fwd_upgrade_take(const char *path, const struct ly_ctx *models,
                 const struct fwd_config *config, uint16_t n_workers,
                 uint32_t n_buffers, int *fdp, struct fwd_control **controlp,
                 char reason[FWD_REASON_SIZE])
{
    struct fwd_control *control;
    struct fwd_estate estate;
    int error = fwd_handover_ask(path, fdp, &estate, reason);

    if (error) {
        return error;
    }
    fwd_clock_set(estate.now_ms);
    error = fwd_upgrade_inherit(&estate, models, config, n_workers, n_buffers,
                                fwd_clock_ms(), &control, reason);
    fwd_estate_close(&estate);
    if (!error) {
        error = replace(*fdp, control, models, reason);
        if (error) {
            fwd_control_destroy(control);
        }
    }
    if (error) {
        close(*fdp);
        return error;
    }
    *controlp = control;
    return 0;
}
