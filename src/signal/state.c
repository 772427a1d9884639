/* State: a number whose rate is an expression, z' = rate: the memory of a controller, a pressure, a lag of
 * first order.  It is integrated together with the mechanism; expressions read `z` and `z.rate`. */
#include "spec/signal.h"
#include <hooke/element.h>

static const hk_state_params defaults = {{0}};

static const hk_param params[] = {
    HK_PARAM_AS("unit", HK_PARAM_STRING, hk_state_params, signal.unit, NULL, 0,
                "its unit; that of `start` if not given"),
    HK_PARAM_AS("start", HK_PARAM_EXPR, hk_state_params, signal.start, NULL, HK_ANY_UNIT,
                "value at the start; 0 if not given"),
    HK_EXPR(hk_state_params, rate, NULL, HK_REQUIRED | HK_ANY_UNIT,
            "its derivative by time, an expression of t and channels, itself among them"),
    HK_EXPR(
        hk_state_params, scale, NULL, HK_ANY_UNIT,
        "size at which its error counts: steps keep it to rtol of this, or of its value where that is "
        "larger; |start|, or 1 in SI units where it starts from 0"),
};

static const hk_body_ops no_body = {0};

const hk_type hk_type_state_state = {
    .name = "state",
    .category = HK_STATE,
    .doc =
        "Number with a rate of its own, integrated with the mechanism: a controller, a pressure, a "
        "lag.",
    .source = "definition",
    .size = sizeof(hk_state_params),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &no_body,
};

/* The rate as a force on the state's frame: its coordinate is z/S, so that a force F there is S F on it. */
static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const hk_state_params *p = data;
  double per = 1 / (p->size * p->size);
  out->w[6] = per * in->e[0];
  out->w_e[0][6] = per;
}

const hk_force_ops hk_state_rate = {.eval = eval};
