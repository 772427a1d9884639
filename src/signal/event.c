/* Event: a condition of time and channels that becomes true during a run. It is counted, and from a given count on it sets
 * inputs or stops the run. See control/event.c. */
#include "spec/event.h"

static const hk_event_params defaults = {.after = 1};

static const hk_param params[] = {
    HK_EXPR(
        hk_event_params, when, NULL, HK_REQUIRED | HK_ANY_UNIT,
        "condition of t and channels, such as `wheel.z < 0 m`; the event is the instant at which "
        "it becomes true"),
    HK_INT(hk_event_params, after, 0, "number of times that it must become true before it acts",
           HK_RANGE(1, 1e9)),
    HK_BOOL(hk_event_params, stop, 0, "stop the run"),
    HK_TERMS(hk_event_params, set, 0, "inputs with their new values, such as {brake: 20 N*m}"),
};

const hk_event_number hk_event_table[HK_EVENT_NUMBERS] = {[HK_EVENT_COUNT] = {"count", "1"},
                                                          [HK_EVENT_TIME] = {"time", "s"},
                                                          [HK_EVENT_ACTIVE] = {"active", "1"}};

const hk_type hk_type_event_event = {
    .name = "event",
    .category = HK_EVENT,
    .doc = "Condition that becomes true: it is counted, sets inputs or stops the run.",
    .source = "definition",
    .size = sizeof(hk_event_params),
    .defaults = &defaults,
    HK_TABLE(params),
};
