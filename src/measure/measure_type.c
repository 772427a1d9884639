/* Parameter table of measures: one number from a channel (see measure/measure.h). */
#include "measure/measure.h"
#include <hooke/param.h>

/* In the order of hk_measure_kind. */
static const char *const TAKE[] = {"min",     "max",        "mean",     "rms",    "peak_to_peak",
                                   "max_abs", "integral",   "initial",  "final",  "at",
                                   "change",  "rate",       "harmonic", "events", "event_time",
                                   "order",   "percentile", NULL};
_Static_assert(sizeof TAKE / sizeof TAKE[0] == HK_MEASURE_N_KINDS + 1, "one name for each kind");

/* In the order of hk_crossing. */
static const char *const CROSSING[] = {"both", "rising", "falling", NULL};

static const hk_measure_params defaults = {.take = HK_MEASURE_FINAL, .order = 1, .n = 1};

static const hk_param params[] = {
    HK_CHANNEL(hk_measure_params, of, HK_REQUIRED, "channel to measure, such as `bob.x`"),
    HK_ENUM(hk_measure_params, take, TAKE, HK_REQUIRED, "quantity to compute from the channel"),
    HK_REAL(hk_measure_params, from, "s", 0, "start of the window; default: start of the run"),
    HK_REAL(hk_measure_params, to, "s", 0, "end of the window; default: end of the run"),
    HK_REAL(hk_measure_params, at, "s", 0, "time, for `take: at`"),
    HK_REAL(hk_measure_params, period, "s", HK_POSITIVE,
            "for `take: harmonic`: the fundamental period; choose a window of whole periods"),
    HK_REAL(hk_measure_params, order, NULL, HK_POSITIVE,
            "for `take: harmonic`: multiple of the fundamental frequency; for `take: order`: "
            "cycles per revolution"),
    HK_CHANNEL(hk_measure_params, over, 0,
               "for `take: order`: angle of the shaft, such as `spin.angle`"),
    HK_INT(hk_measure_params, n, 0,
           "for `take: event_time`: number of the event, 1 = the first in the window", HK_MIN(1)),
    HK_REAL(hk_measure_params, share, NULL, 0,
            "for `take: percentile`: share of the time for which the channel is at or below the "
            "value, such as 95 %",
            HK_MIN(0)),
    HK_EXPR(hk_measure_params, level, NULL, HK_ANY_UNIT,
            "for `take: events` and `event_time`: level; a crossing of this value is an event; "
            "default: 0; for the channel `impacts` of a contact or joint every impact is an event"),
    HK_EXPR(hk_measure_params, every, NULL, HK_ANY_UNIT,
            "for `take: events` and `event_time`: distance of further levels on both sides, such "
            "as 360 deg of an angle"),
    HK_ENUM(hk_measure_params, crossing, CROSSING, 0,
            "for `take: events` and `event_time`: count crossings upwards, downwards, or both"),
};

const hk_type hk_type_measure_channel = {
    .name = "channel",
    .category = HK_MEASURE,
    .doc = "One number from a channel over a time window.",
    .source = "definition",
    .size = sizeof(hk_measure_params),
    .defaults = &defaults,
    HK_TABLE(params),
};
