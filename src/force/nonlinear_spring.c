/* Spring and damper given by tables or expressions, along the line between two points, an angle or a coordinate.
 *   F = -(spring + damper)
 * The expressions may read the coordinate of the force as `deflection` and its rate as `deflection_rate`. A spring
 * that reads only its own deflection stores the energy int_0^deflection spring. Any other spring is not conservative:
 * its power -spring deflection_rate counts as work of a load. The damper dissipates the power damper deflection_rate;
 * if this is negative, it also counts as work of a load. */
#include "expr/expr.h"
#include "force/angle_between.h"
#include <hooke/element.h>
#include "mesh/drawing.h"
#include "spec/own_name.h"

typedef struct nonlinear_spring {
  const char *coordinate, *a, *b;
  int along;
  double free_length;
  hk_expr *spring, *damper;
} nonlinear_spring;

enum { LENGTH, ANGLE };
static const char *const ALONG[] = {"length", "angle", NULL};

static const nonlinear_spring defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_COORDINATE(nonlinear_spring, coordinate, 0,
                  "coordinate to act on, such as `hinge.angle`: it is the deflection"),
    HK_FRAME(nonlinear_spring, a, 0, "instead of coordinate: rotor or frame on the first side"),
    HK_FRAME(nonlinear_spring, b, 0, "instead of coordinate: rotor or frame on the second side"),
    HK_ENUM(nonlinear_spring, along, ALONG, 0,
            "between a and b: length, the deflection is the distance of the points minus "
            "free_length; angle, the deflection is the angle of b relative to a"),
    HK_REAL(nonlinear_spring, free_length, "m", 0, "between a and b, along the length: free length",
            HK_MIN(0)),
    HK_EXPR(nonlinear_spring, spring, "N", 0,
            "force against the deflection: an expression of `deflection`, tables, t and channels",
            HK_OR_ALONG_ANGLE("N m")),
    HK_EXPR(nonlinear_spring, damper, "N", 0,
            "force against the rate: an expression of `deflection_rate` and all that `spring` may "
            "read",
            HK_OR_ALONG_ANGLE("N m")),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const nonlinear_spring *p = hk_item_data(item);
  bool has_coordinate = p->coordinate && *p->coordinate, has_b = p->b && *p->b;
  b->expr[0] = p->spring;
  b->expr[1] = p->damper;
  b->n_expr = 2;
  if (has_coordinate == has_b)
    return hk_fail(err, HK_EINPUT,
                   "it acts either along a coordinate or between a and b; give exactly one of "
                   "coordinate and b");
  bool length = !has_coordinate && p->along == LENGTH, given = hk_item_has(item, "free_length");
  if (has_coordinate) {
    b->coordinate = p->coordinate;
  } else if (length) {
    b->a = p->a;
    b->b = p->b;
    b->relation = &hk_relation_distance;
    b->k[0] = p->free_length;
  } else {
    hk_status status = hk_bind_angle(item, p->a, p->b, b, err);
    if (status) return status;
  }
  if (length && !given)
    return hk_fail(err, HK_EINPUT, "free_length is missing, at which the deflection is zero");
  if (!length && given)
    return hk_fail(
        err, HK_EINPUT,
        "free_length is a parameter of springs along the length between a and b; along a "
        "coordinate or an angle write 'deflection - 10 deg' in the expressions");
  return HK_OK;
}

/* Constant of the element: the stored energy as a function of the deflection; NULL if the spring reads anything else. */
typedef struct constants {
  const hk_integral *energy;
} constants;

static hk_status prepare(const hk_item *item, hk_arena *arena, const void **out, hk_error *err) {
  const nonlinear_spring *p = hk_item_data(item);
  constants *c = HK_NEW(arena, constants);
  if (!c) return hk_fail(err, HK_ENOMEM, "out of memory");
  *c = (constants){0};
  *out = c;
  if (!p->spring || !hk_item_reads_own_only(item, p->spring)) return HK_OK;
  c->energy = hk_expr_integral(arena, p->spring);
  return c->energy ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const constants *c = in->constants;
  (void)data;
  out->F = -(in->e[0] + in->e[1]);
  out->F_e[0] = out->F_e[1] = -1;
  double damped = in->e[1] * in->rate;
  out->dissipated = fmax(0, damped);
  out->applied = fmax(0, -damped);
  if (!c->energy) out->applied -= in->e[0] * in->rate;
  /* an evaluation needs either the energies or the derivatives, never both */
  else if (!out->tangent)
    out->potential = hk_integral_value(c->energy, in->c);
}

static const hk_force_ops ops = {
    .bind = bind, .eval = eval, .prepare = prepare, .coordinate_name = "deflection"};

static void draw(const hk_item *item, hk_drawing *d) {
  const nonlinear_spring *p = hk_item_data(item);
  if (!p->b || !*p->b) return;
  if (p->along == ANGLE)
    hk_draw_rod(d, HK_DRAW_A, HK_DRAW_B, 0.35 * d->size, (hk_draw_style){.paint = HK_PAINT_SPRING});
  else
    hk_draw_spring(d, HK_DRAW_A, HK_DRAW_B, 1.1 * d->size, 9);
}

/* For the conformance tests: chooses parameters that fit together. */
static hk_status sample(hk_item *item, hk_error *err) {
  nonlinear_spring *p = hk_item_edit(item);
  (void)err;
  p->coordinate = NULL;
  p->along = LENGTH;
  return HK_OK;
}

const hk_type hk_type_force_nonlinear_spring = {
    .name = "nonlinear_spring",
    .category = HK_FORCE,
    .doc =
        "Spring and damper by tables or expressions of its deflection and rate, between two "
        "points, "
        "along an angle or along a coordinate.",
    .source = "definition",
    .size = sizeof(nonlinear_spring),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .sample = sample,
    .draw = draw,
};
