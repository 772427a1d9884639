/* Input: a number that the program around a simulation sets while it runs (hk_sim_input_set): the output
 * of a controller elsewhere, a switch, a slider.  Between two settings it is constant. */
#include "spec/signal.h"
#include <hooke/element.h>

static const hk_signal_params defaults = {0};

static const hk_param params[] = {
    HK_TEXT(hk_signal_params, unit, 0, "its unit; that of `start` if not given"),
    HK_EXPR(hk_signal_params, start, NULL, HK_ANY_UNIT,
            "value until another one is set; 0 if not given"),
};

const hk_type hk_type_input_input = {
    .name = "input",
    .category = HK_INPUT,
    .doc =
        "Number that is set from outside while the simulation runs; expressions read it by name.",
    .source = "definition",
    .size = sizeof(hk_signal_params),
    .defaults = &defaults,
    HK_TABLE(params),
};
