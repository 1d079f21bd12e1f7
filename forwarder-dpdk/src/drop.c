// SPDX-License-Identifier: EPL-2.0
#include "drop.h"

static const char *const names[] = {
#define FWD_DROP_NAME(symbol, name, text) name,
    FWD_DROPS(FWD_DROP_NAME)
#undef FWD_DROP_NAME
};

static const char *const texts[] = {
#define FWD_DROP_TEXT(symbol, name, text) text,
    FWD_DROPS(FWD_DROP_TEXT)
#undef FWD_DROP_TEXT
};

const char *
fwd_drop_name(enum fwd_drop reason)
{
    return names[reason];
}

const char *
fwd_drop_text(enum fwd_drop reason)
{
    return texts[reason];
}
