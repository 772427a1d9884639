/* The parameter table of measures: one number out of a channel (see measure/measure.h). */
#include "measure/measure.h"
#include <hooke/param.h>

/* In the order of hk_measure_kind. */
static const char *const TAKE[] = {"min",     "max",      "mean",     "rms",    "peak_to_peak",
                                   "max_abs", "integral", "initial",  "final",  "at",
                                   "change",  "rate",     "harmonic", "events", "event_time",
                                   "order",   NULL};
_Static_assert(sizeof TAKE / sizeof TAKE[0] == HK_MEASURE_N_KINDS + 1, "one name for each kind");

/* In the order of hk_crossing. */
static const char *const CROSSING[] = {"both", "rising", "falling", NULL};

static const hk_measure_params defaults = {.take = HK_MEASURE_FINAL, .order = 1, .n = 1};

static const hk_param params[] = {
    HK_CHANNEL(hk_measure_params, of, HK_REQUIRED, "channel to measure, such as `bob.x`"),
    HK_ENUM(hk_measure_params, take, TAKE, HK_REQUIRED, "which number to take from it"),
    HK_REAL(hk_measure_params, from, "s", 0, "start of the window; that of the run if not given"),
    HK_REAL(hk_measure_params, to, "s", 0, "end of the window; that of the run if not given"),
    HK_REAL(hk_measure_params, at, "s", 0, "time, for `take: at`"),
    HK_REAL(hk_measure_params, period, "s", HK_POSITIVE,
            "for `take: harmonic`: the fundamental period; choose a window of whole periods"),
    HK_REAL(hk_measure_params, order, NULL, HK_POSITIVE,
            "for `take: harmonic`: which multiple of the fundamental frequency; for `take: order`: "
            "cycles per "
            "turn"),
    HK_CHANNEL(hk_measure_params, over, 0,
               "for `take: order`: angle of the shaft whose turns count, such as `spin.angle`"),
    HK_INT(hk_measure_params, n, 0,
           "for `take: event_time`: which event, 1 the first in the window", HK_MIN(1)),
    HK_EXPR(
        hk_measure_params, level, NULL, HK_ANY_UNIT,
        "for `take: events` and `event_time`: value whose crossing is an event, 0 if not given; of "
        "the `impacts` of a contact or joint every impact is one"),
    HK_EXPR(
        hk_measure_params, every, NULL, HK_ANY_UNIT,
        "for the same: further levels at this distance on both sides, such as 360 deg of an angle"),
    HK_ENUM(hk_measure_params, crossing, CROSSING, 0,
            "for the same: crossings upwards, downwards, or both"),
};

const hk_type hk_type_measure_channel = {
    .name = "channel",
    .category = HK_MEASURE,
    .doc = "One number out of a channel over a window of time.",
    .source = "definition",
    .size = sizeof(hk_measure_params),
    .defaults = &defaults,
    HK_TABLE(params),
};
