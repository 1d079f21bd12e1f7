// SPDX-License-Identifier: EPL-2.0
#include "verdict.h"

#include <stdio.h>

#include "document.h"

void
fwd_verdict_take(struct fwd_verdict *verdict, const struct fwd_config *config)
{
    snprintf(verdict->generation, sizeof verdict->generation, "%s",
             fwd_config_text(config->root, "generation"));
    verdict->reason[0] = '\0';
}

char *
fwd_verdict_write(const struct fwd_verdict *verdict,
                  const struct ly_ctx *models, const char *name)
{
    struct fwd_document document = {.models = models};

    fwd_document_add(&document, "name", name);
    fwd_document_add(&document, "state/generation", verdict->generation);
    fwd_document_add_number(&document, verdict->n_refused,
                            "state/refused-documents");
    if (verdict->reason[0]) {
        fwd_document_add(&document, "state/refusal", verdict->reason);
    }
    return fwd_document_print(&document);
}
