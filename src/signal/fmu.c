/* FMU: a model of another program (Functional Mock-up Unit, fmi-standard.org) that is simulated along with the mechanism.  Its
 * outputs are read by name in expressions, `motor.torque`.  See spec/coupling.h for the exchange, import/ for the files. */
#include "spec/coupling.h"
#include <hooke/element.h>

/* In the order of hk_between_samples. */
static const char *const SIGNALS[] = {"held", "linear", NULL};

static const hk_fmu_params defaults = {.time_limit = 60};

static const hk_param params[] = {
    HK_TEXT(
        hk_fmu_params, file, HK_REQUIRED,
        "FMU for co-simulation, FMI 2.0 or 3.0, relative to the model file. Its code is executed"),
    HK_REAL(
        hk_fmu_params, period, "s", HK_POSITIVE,
        "time between two exchanges of values; default: step size of the FMU's default experiment"),
    HK_ENUM(hk_fmu_params, signals, SIGNALS, 0,
            "between two exchanges: held, both sides see the last value; linear, outputs are "
            "extrapolated from the "
            "last two values and inputs of the FMU are interpolated"),
    HK_REAL(hk_fmu_params, time_limit, "s", HK_POSITIVE,
            "longest time on the clock for one call of the FMU, which is then ended"),
};

const hk_type hk_type_fmu_fmu = {
    .name = "fmu",
    .category = HK_FMU,
    .doc =
        "Model of another program that runs along with the mechanism and exchanges values with it.",
    .source = "[FMI 2.0.4], [FMI 3.0.2]",
    .size = sizeof(hk_fmu_params),
    .defaults = &defaults,
    HK_TABLE(params),
};
