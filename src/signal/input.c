/* Input: a number that the calling program sets during a simulation (hk_sim_input_set): the
 * output of an external controller, a switch, a slider. It is constant between two settings.
 * With a file it follows measured values over time: see read/model_file_signal.c. */
#include "spec/signal.h"
#include <hooke/element.h>

/* In the order of hk_interpolation and hk_outside. */
static const char *const INTERPOLATION[] = {"linear", "akima", "pchip", "cubic", NULL};
static const char *const EXTRAPOLATION[] = {"error", "constant", "linear", "periodic", NULL};

static const hk_input_params defaults = {.points_per_step = 2};

static const hk_param params[] = {
    HK_PARAM_AS(
        "unit", HK_PARAM_STRING, hk_input_params, signal.unit, NULL, 0,
        "unit of the input; default: that of `initial_value`, or of the column of the file"),
    HK_PARAM_AS("initial_value", HK_PARAM_EXPR, hk_input_params, signal.initial_value, NULL,
                HK_ANY_UNIT, "initial value, until another one is set; default: 0"),
    HK_TEXT(hk_input_params, file, HK_FILE,
            "CSV or HDF5 file that the input follows over the time, relative to the model file"),
    HK_TEXT(
        hk_input_params, column, 0,
        "column of the value, by name or number; default: the second one if the file has just two"),
    HK_TEXT(hk_input_params, time, 0,
            "column of the time, by name or number; default: the first one"),
    HK_TEXT(hk_input_params, time_unit, 0, "unit of the time if the file gives none"),
    HK_ENUM(hk_input_params, interpolate, INTERPOLATION, 0,
            "interpolation between the rows of the file: linear; akima, smooth and local; pchip, "
            "monotone if the values are; cubic, with continuous curvature, suitable for motions"),
    HK_ENUM(hk_input_params, extrapolation, EXTRAPOLATION, 0,
            "before and after the times of the file: an error, the end value, linear with the end "
            "slope, or periodic"),
    HK_INT(hk_input_params, points_per_step, 0,
           "maximum number of rows that one adaptive step may pass; 0: no limit", HK_RANGE(0, 1e9)),
};

const hk_type hk_type_input_input = {
    .name = "input",
    .category = HK_INPUT,
    .doc =
        "Number that is set from outside while the simulation runs, or that follows a file; "
        "expressions use it by name.",
    .source = "definition",
    .size = sizeof(hk_input_params),
    .defaults = &defaults,
    HK_TABLE(params),
};
