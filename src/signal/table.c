/* Table: a function of one argument through points of a file or of a list.  Its name is that of the
 * function: `road(v*t)`.  See expr/curve.h for the interpolation, io/table_file.h for the files. */
#include "spec/signal.h"
#include <hooke/element.h>

/* In the order of hk_interpolation and hk_outside. */
static const char *const INTERPOLATION[] = {"linear", "akima", "pchip", "cubic", NULL};
static const char *const OUTSIDE[] = {"error", "hold", "line", "periodic", NULL};

static const hk_table_params defaults = {.points_per_step = 2};

static const hk_param params[] = {
    HK_TEXT(
        hk_table_params, file, 0,
        "CSV or HDF5 file with the points, relative to the model file; hooke's own results too"),
    HK_TEXT(hk_table_params, x, 0,
            "column of the argument, by name or number; the first one, or the time, if not given"),
    HK_TEXT(hk_table_params, y, 0,
            "column of the value, by name or number; the second one if the file has just two"),
    HK_TEXT(hk_table_params, x_unit, 0, "unit of x where the file gives none"),
    HK_TEXT(hk_table_params, y_unit, 0, "unit of y where the file gives none"),
    HK_POINTS(hk_table_params, points, 0,
              "the points themselves, [[x, y], ...], instead of a file"),
    HK_ENUM(
        hk_table_params, interpolation, INTERPOLATION, 0,
        "straight between the points; akima, smooth and local; pchip, monotone where the points "
        "are; cubic, with continuous curvature, as a motion wants it"),
    HK_ENUM(hk_table_params, outside, OUTSIDE, 0,
            "beyond the ends: an error, the end's value, on along the end's slope, or over again"),
    HK_INT(hk_table_params, points_per_step, 0,
           "points that one step of adaptive length may pass; 0: any number", HK_RANGE(0, 1e9)),
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
