/* Laws of line contacts: loads are never negative; slopes are compared with differences; the energy is that of the
 * deformation; film thicknesses and derived quantities are positive; friction acts against sliding. */
#include "conform/checks.h"
#include "conform/subject.h"
#include "gear/line.h"

enum { DRAWS = 60 };
static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};

static void give_back_spec(void *spec) { hk_spec_destroy(spec); }

static const void *draw_law(hk_trial *t) {
  const hk_between s = {HK_ON_BODY, HK_ON_BODY, false, false};
  hk_error err = {0};
  hk_spec *spec = hk_spec_create_with(t->types);
  hk_trial_keep(t, spec, give_back_spec);
  hk_item *item = hk_world_add(t, spec, HK_LAW, t->type->name, "subject");
  if (hk_draw_item(t, item, &s, &err)) hk_trial_fail(t, "%s", err.text);
  return item->data;
}

static hk_line_spot draw_spot(hk_trial *t) {
  return (hk_line_spot){.width = hk_random(t, 1e-3, 1e-2),
                        .radius = hk_random(t, 5e-3, 3e-2),
                        .depth2 = hk_random(t, 1e-6, 2e-5),
                        .speed = hk_random(t, -10, 10),
                        .modulus = hk_random(t, 1e11, 3e11),
                        .poisson = hk_random(t, 2e-12, 5e-12)};
}

/* The argument with respect to which a derivative is computed. */
typedef enum by { BY_X, BY_RADIUS, BY_SPEED, BY_DEPTH, N_BY } by;

static hk_line_load at(const hk_line_ops *ops, const void *law, hk_line_spot s,
                       const hk_line_past *past, double x, by which, double way) {
  hk_line_load out;
  if (which == BY_RADIUS) s.radius *= 1 + way;
  if (which == BY_SPEED) s.speed *= 1 + way;
  if (which == BY_DEPTH) s.depth2 *= exp(way);
  const hk_line_call call = {&s, past, x + (which == BY_X ? way : 0), &out};
  ops->ready(law, &call, 1);
  ops->load(law, &call, 1);
  return out;
}

/* Computes slopes by finite differences with the displacement h. */
typedef struct slopes {
  double F, y, energy, q, part;
} slopes;

/* Returns false if cavitation begins here. */
static bool differ(const hk_line_ops *ops, const void *law, hk_line_spot s,
                   const hk_line_past *past, double x, by b, double h, slopes *out) {
  const bool presses = at(ops, law, s, past, x, BY_X, 0).F > 0;
  *out = (slopes){0};
  for (int i = 0; i < 4; i++) {
    hk_line_load k = at(ops, law, s, past, x, b, AT[i] * h);
    if ((k.F > 0) != presses) return false;
    out->F += WEIGHT[i] / (12 * h) * k.F;
    out->y += WEIGHT[i] / (12 * h) * k.y;
    out->energy += WEIGHT[i] / (12 * h) * k.energy;
    out->q += WEIGHT[i] / (12 * h) * k.deformation;
    out->part += WEIGHT[i] / (12 * h) * k.part;
  }
  return true;
}

static bool is_near(double got, double wanted, double tolerance) {
  return fabs(got - wanted) <= tolerance * (1 + fabs(wanted));
}

static void check_slopes(hk_trial *t, const hk_line_ops *ops, const void *law, hk_line_spot s,
                         const hk_line_past *past, double x) {
  static const char *const NAME[] = {"ln of the load", "radius", "speed", "depth"};
  hk_line_load o = at(ops, law, s, past, x, BY_X, 0);
  hk_trial_claim(t, o.F >= 0 && o.steady > 0 && o.film >= 0 && o.damping >= 0 && o.deformation > 0);
  hk_trial_claim(t, o.part >= 0 && o.part <= 1);
  const double F[] = {o.F_x, o.F_r * s.radius, o.F_u * s.speed, 0};
  const double y[] = {o.y_x, o.y_r * s.radius, o.y_u * s.speed, o.y_k};
  const double size = o.F + o.damping * (past->dt > 0 ? 1e-6 / past->dt : 0) + 1e-9;
  for (by b = 0; b < N_BY; b++) {
    slopes d = {0};
    /* Repeats the comparison with shorter displacements: a law may have a kink within a displacement, but a real
     * error does not depend on the length. */
    for (double h = 1e-3; h > 5e-6; h /= 10) {
      if (!differ(ops, law, s, past, x, b, h, &d)) return;
      if (is_near(F[b] / size, d.F / size, 1e-6) && is_near(y[b] * 1e6, d.y * 1e6, 1e-7)) break;
    }
    hk_trial_near(t, F[b] / size, d.F / size, 1e-6, "%s: slope of the load by %s", t->type->name,
                  NAME[b]);
    hk_trial_near(t, y[b] * 1e6, d.y * 1e6, 1e-7, "%s: slope of the approach by %s", t->type->name,
                  NAME[b]);
    if (b != BY_X) continue;
    hk_trial_near(t, d.energy / o.energy, o.steady * d.q / o.energy, 1e-7, "%s: energy",
                  t->type->name);
    hk_trial_near(t, o.part_film * o.film_x, d.part, 1e-6, "%s: the part that is left by the film",
                  t->type->name);
  }
}

static void check_sliding(hk_trial *t, const hk_line_ops *ops, const void *law, hk_line_spot s) {
  double F = hk_random(t, 1, 1000), v = hk_random(t, -5, 5), h = 1e-4;
  hk_line_friction o = ops->friction(law, &s, F, v);
  hk_trial_claim(t, o.T * v >= 0);
  double by_F = 0, by_v = 0, by_r = 0, by_u = 0;
  for (int i = 0; i < 4; i++) {
    hk_line_spot wide = s, fast = s;
    wide.radius *= 1 + AT[i] * h;
    fast.speed *= 1 + AT[i] * h;
    by_F += WEIGHT[i] / (12 * h) * ops->friction(law, &s, F * (1 + AT[i] * h), v).T;
    by_v += WEIGHT[i] / (12 * h) * ops->friction(law, &s, F, v * (1 + AT[i] * h)).T;
    by_r += WEIGHT[i] / (12 * h) * ops->friction(law, &wide, F, v).T;
    by_u += WEIGHT[i] / (12 * h) * ops->friction(law, &fast, F, v).T;
  }
  hk_trial_near(t, o.T_F * F, by_F, 1e-7, "%s: friction by load", t->type->name);
  hk_trial_near(t, o.T_v * v, by_v, 1e-7, "%s: friction by sliding", t->type->name);
  hk_trial_near(t, o.T_r * s.radius, by_r, 1e-7, "%s: friction by radius", t->type->name);
  hk_trial_near(t, o.T_u * s.speed, by_u, 1e-7, "%s: friction by speed", t->type->name);
}

static void check_drag(hk_trial *t, const hk_line_ops *ops, const void *law,
                       const hk_line_spot *s) {
  double F = hk_random(t, 0.1, 100), rate = hk_random(t, -1, 1) * 1e-2, h = 1e-4, by_F = 0,
         by_rate = 0;
  hk_line_drag o = ops->drag(law, s, F, rate);
  hk_trial_claim(t, o.value * rate >= 0 && F + o.value >= 0);
  for (int i = 0; i < 4; i++) {
    by_F += WEIGHT[i] / (12 * h) * ops->drag(law, s, F * (1 + AT[i] * h), rate).value;
    by_rate += WEIGHT[i] / (12 * h) * ops->drag(law, s, F, rate * (1 + AT[i] * h)).value;
  }
  hk_trial_near(t, o.by_load * F, by_F, 1e-7, "%s: damper by load", t->type->name);
  hk_trial_near(t, o.by_rate * rate, by_rate, 1e-7, "%s: damper by rate", t->type->name);
}

void hk_check_line(hk_trial *t, const hk_line_ops *ops) {
  for (int draw = 0; draw < DRAWS; draw++) {
    const void *law = draw_law(t);
    t->check->cases++;
    for (int n = 0; n < 10; n++) {
      hk_line_spot s = draw_spot(t);
      double x = hk_random(t, -3, 8);
      hk_line_past none = {0};
      hk_line_load now = at(ops, law, s, &none, x, BY_X, 0);
      hk_line_past past = {hk_random(t, 0.7, 1.5) * now.film, 1e-5};
      check_slopes(t, ops, law, s, n % 2 ? &past : &none, x);
      check_sliding(t, ops, law, s);
      if (ops->drag) check_drag(t, ops, law, &s);
    }
    hk_trial_case(t);
  }
}
