/* Input: a number that the calling program sets during a simulation (hk_sim_input_set): the
 * output of an external controller, a switch, a slider. It is constant between two settings. */
#include "spec/signal.h"
#include <hooke/element.h>

static const hk_signal_params defaults = {0};

static const hk_param params[] = {
    HK_TEXT(hk_signal_params, unit, 0, "unit of the input; default: that of `initial_value`"),
    HK_EXPR(hk_signal_params, initial_value, NULL, HK_ANY_UNIT,
            "initial value, until another one is set; default: 0"),
};

const hk_type hk_type_input_input = {
    .name = "input",
    .category = HK_INPUT,
    .doc = "Number that is set from outside while the simulation runs; expressions use it by name.",
    .source = "definition",
    .size = sizeof(hk_signal_params),
    .defaults = &defaults,
    HK_TABLE(params),
};
