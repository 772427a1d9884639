/* State: a number with a rate given by an expression, z' = rate: a controller state, a pressure, a first-order lag.
 * The state is integrated together with the mechanism; expressions read it as `z` and its rate as `z.rate`. */
#include "spec/signal.h"
#include <hooke/element.h>

static const hk_state_params defaults = {{0}};

static const hk_param params[] = {
    HK_PARAM_AS("unit", HK_PARAM_STRING, hk_state_params, signal.unit, NULL, 0,
                "unit of the state; default: that of `initial_value`"),
    HK_PARAM_AS("initial_value", HK_PARAM_EXPR, hk_state_params, signal.initial_value, NULL,
                HK_ANY_UNIT, "initial value; default: 0"),
    HK_EXPR(hk_state_params, rate, NULL, HK_REQUIRED | HK_ANY_UNIT,
            "time derivative of the state, an expression of t and channels, including the state "
            "itself"),
    HK_EXPR(hk_state_params, scale, NULL, HK_ANY_UNIT,
            "nominal magnitude for error control: the error tolerance is rtol times this, or times "
            "its value if that is larger; default: |initial_value|, or 1 in SI units if it starts "
            "from 0"),
};

static const hk_body_ops no_body = {0};

const hk_type hk_type_state_state = {
    .name = "state",
    .category = HK_STATE,
    .doc =
        "Number with a rate equation, integrated with the mechanism: a controller state, a "
        "pressure, a time lag.",
    .source = "definition",
    .size = sizeof(hk_state_params),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &no_body,
};

/* Evaluates the rate as a force on the frame of the state. The coordinate is z/S, where S is the scale, so a force F
 * on the frame is S F on the coordinate. */
static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const hk_state_params *p = data;
  double per = 1 / (p->size * p->size);
  out->w[6] = per * in->e[0];
  out->w_e[0][6] = per;
}

const hk_force_ops hk_state_rate = {.eval = eval};
