/* Table: a function of one argument through points of a file or of a list. Its name is the name
 * of the function: `road(v*t)`. See expr/curve.h for the interpolation, read/table_file.h for the
 * files. */
#include "spec/signal.h"
#include <hooke/element.h>

/* In the order of hk_interpolation and hk_outside. */
static const char *const INTERPOLATION[] = {"linear", "akima", "pchip", "cubic", NULL};
static const char *const EXTRAPOLATION[] = {"error", "constant", "linear", "periodic", NULL};

static const hk_table_params defaults = {.points_per_step = 2};

static const hk_param params[] = {
    HK_TEXT(hk_table_params, file, 0,
            "CSV or HDF5 file with the points, relative to the model file; also a results file of "
            "hooke"),
    HK_TEXT(hk_table_params, x, 0,
            "column of the argument, by name or number; default: the time, or the first one"),
    HK_TEXT(
        hk_table_params, y, 0,
        "column of the value, by name or number; default: the second one if the file has just two"),
    HK_TEXT(hk_table_params, x_unit, 0, "unit of x if the file gives none"),
    HK_TEXT(hk_table_params, y_unit, 0, "unit of y if the file gives none"),
    HK_POINTS(hk_table_params, points, 0, "list of points, [[x, y], ...], instead of a file"),
    HK_ENUM(hk_table_params, interpolation, INTERPOLATION, 0,
            "interpolation between the points: linear; akima, smooth and local; pchip, monotone if "
            "the points are; cubic, with continuous curvature, suitable for prescribed motions"),
    HK_ENUM(hk_table_params, extrapolation, EXTRAPOLATION, 0,
            "extrapolation beyond the ends: an error, the end value, linear with the end slope, or "
            "periodic"),
    HK_INT(hk_table_params, points_per_step, 0,
           "maximum number of points that one adaptive step may pass; 0: no limit",
           HK_RANGE(0, 1e9)),
};

const hk_type hk_type_table_table = {
    .name = "table",
    .category = HK_TABLE,
    .doc = "Function of one argument through measured or listed points.",
    .source = "[Akima1970], [FritschButland1984]",
    .size = sizeof(hk_table_params),
    .defaults = &defaults,
    HK_TABLE(params),
};
