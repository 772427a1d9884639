/* The parameter table of the time simulation. */
#include <hooke/param.h>
#include "sim/dynamics.h"

static const char *const INITIAL_STATE[] = {"as_placed", "equilibrium", NULL};
static const char *const PENETRATION[] = {"refuse", "allow", NULL};
static const char *const TANGENT[] = {"auto", "full", "reduced", NULL};

const hk_analysis_dynamics hk_dynamics_defaults = {.max_newton = 10, .stepper = "auto"};

static const hk_param params[] = {
    HK_REAL(hk_analysis_dynamics, duration, "s", HK_REQUIRED | HK_POSITIVE, "simulated time"),
    HK_REAL(hk_analysis_dynamics, start, "s", 0, "time at the start"),
    HK_REAL(hk_analysis_dynamics, output_step, "s", 0,
            "time between recorded points; duration/400 if not given", HK_MIN(0)),
    HK_REAL(hk_analysis_dynamics, step, "s", 0, "fixed step; 0: adaptive", HK_MIN(0)),
    HK_REAL(hk_analysis_dynamics, max_step, "s", 0, "largest step; 0: no limit", HK_MIN(0)),
    HK_REAL(hk_analysis_dynamics, min_step, "s", 0,
            "smallest step before giving up; 0: chosen from the duration", HK_MIN(0)),
    HK_REAL(hk_analysis_dynamics, initial_step, "s", 0, "first step; 0: chosen", HK_MIN(0)),
    HK_REAL(
        hk_analysis_dynamics, rtol, NULL, HK_POSITIVE,
        "relative tolerance of the local error of a step; if not given that of the stepper: 1e-10 "
        "of multistep, bdf, adams and event_driven, 1e-7 of generalized_alpha, nonsmooth_alpha and "
        "trapezoidal",
        .max = 1),
    HK_REAL(hk_analysis_dynamics, atol, NULL, HK_POSITIVE,
            "absolute tolerance of the local error of a step, in m and rad; if not given a "
            "hundredth of "
            "rtol"),
    HK_ENUM(hk_analysis_dynamics, initial_state, INITIAL_STATE, 0,
            "initial state: as placed in the model file, or the static equilibrium near it, "
            "moving "
            "on with motions, guides and loads"),
    HK_STEPPER_NAME(hk_analysis_dynamics, stepper, 0,
                    "time integrator; auto: the most suitable one for the model. Its keys are "
                    "given in the same map"),
    HK_INT(hk_analysis_dynamics, max_newton, 0, "Newton iterations before a step is cut",
           HK_RANGE(1, 100)),
    HK_ENUM(
        hk_analysis_dynamics, tangent, TANGENT, 0,
        "geometric stiffness of joints in the Newton matrix: full, all of it; reduced, without "
        "what "
        "couples bodies and what is below a hundredth of the inertia; auto, reduced until a step "
        "needs the coupling"),
    HK_ENUM(hk_analysis_dynamics, initial_penetration, PENETRATION, 0,
            "contacts with an initial penetration above 5 % of the model's size (compliant ones: "
            "above 50 %)"),
};

const hk_type hk_type_analysis_dynamics = {
    .name = "dynamics",
    .category = HK_ANALYSIS,
    .doc = "Simulation over time.",
    .source = "see the steppers",
    .size = sizeof(hk_analysis_dynamics),
    .defaults = &hk_dynamics_defaults,
    HK_TABLE(params),
};
