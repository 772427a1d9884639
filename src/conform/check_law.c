/* Every law of the registry.
 *
 * Compliant laws: N >= 0, and N = 0 without overlap; N_depth, N_rate by differences; the elastic part is the slope of
 * the potential; the rest dissipates energy; friction acts against sliding, spinning and rolling, with the stated
 * slopes.  Set-valued laws provide their three numbers. */
#include "conform/checks.h"
#include "conform/subject.h"
#include "core/contact.h"
#include <stdio.h>
#include <string.h>

enum { DRAWS = 60 };
static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};

static const hk_law_ops *ops_of(const hk_type *type) { return type->ops; }

static void give_back_spec(void *spec) { hk_spec_destroy(spec); }

static void draw_law(hk_trial *t, const hk_type *type, double k[HK_LAW_CONSTANTS]) {
  const hk_between s = {HK_ON_BODY, HK_ON_BODY, false, false};
  const hk_curvature radii[] = {
      {INFINITY, -1.3, 1, 1}, {-1.3, -1.3, 1, 1}, {INFINITY, -1.3, INFINITY, 1, .length = 0.7}};
  hk_error err = {0};
  for (int i = 0; i < 2000; i++) {
    hk_spec *spec = hk_spec_create_with(t->types);
    hk_trial_keep(t, spec, give_back_spec);
    hk_item *item = hk_world_add(t, spec, HK_LAW, type->name, "subject");
    memset(k, 0, HK_LAW_CONSTANTS * sizeof *k);
    const int pick = hk_random_pick(t, 4);
    bool ok = !hk_draw_item(t, item, &s, &err) &&
              !ops_of(type)->prepare(item, pick ? &radii[pick - 1] : NULL, k, &err);
    hk_trial_drop(t, spec);
    if (ok) return;
  }
  hk_trial_fail(t, "all random parameters of law '%s' are rejected: %s", type->name, err.text);
}

/* Returns true if two finite differences agree. They do not agree if there is a kink between their points. */
static bool is_smooth(const double f[4]) {
  double slope1 = (f[2] - f[1]) / 2, slope2 = (f[3] - f[0]) / 4;
  return fabs(slope1 - slope2) <= 1e-5 * (fabs(slope1) + fabs(slope2)) + 1e-12;
}

static void draw_memory(hk_trial *t, const hk_law_ops *ops, const double *k) {
  const double ago[] = {0, hk_random(t, 0.1, 1), INFINITY};
  const hk_law_in in = {
      .depth = hk_random(t, -0.5, 0.5), .rate = hk_random(t, -1, 1), .h = INFINITY};
  hk_trial_claim(t, ops->memory < 64 && ops->scratch == 0);
  if (ops->accept) (ops->start ? ops->start : ops->accept)(k, &in, t->memory);
  t->since = ago[hk_random_pick(t, 3)];
}

static void evaluate(hk_trial *t, const hk_law_ops *ops, const double *k, double depth, double rate,
                     hk_normal *out) {
  const hk_law_in in = {.depth = depth, .rate = rate, .h = t->since, .memory = t->memory};
  out->failed = NULL;
  ops->normal(k, &in, out);
  if (t->numerical) {
    hk_contact contact = {.law = ops};
    memcpy(contact.l, k, sizeof contact.l);
    hk_law_differences(&contact, &in, out);
  }
  if (out->failed) hk_trial_fail(t, "it fails: %s", out->failed);
}

/* Evaluates the law again with an output that was filled with NaN, to detect members that the law does not set:
 * contacts do not clear the output before they call a law. */
static void evaluate_all(hk_trial *t, const hk_law_ops *ops, const double *k, double depth,
                         double rate, hk_normal *out) {
  *out = (hk_normal){NAN, NAN, NAN, NAN, NAN, NULL};
  evaluate(t, ops, k, depth, rate, out);
}

static void check_normal(hk_trial *t, const hk_type *type, const double *k) {
  const hk_law_ops *ops = ops_of(type);
  hk_normal at, out;
  double depth = hk_random(t, 0.02, 1), rate = hk_random(t, -1, 1),
         reach = ops->reach ? ops->reach(k) : 0;
  draw_memory(t, ops, k);
  evaluate_all(t, ops, k, depth, rate, &at);
  if (!(at.N >= 0 && at.elastic > 0 && at.potential > 0))
    hk_trial_fail(
        t,
        "%s at a depth of %g m: N = %g N must not be negative, and its elastic part %g N and "
        "potential %g J be > 0",
        type->name, depth, at.N, at.elastic, at.potential);
  /* not if the internal variables belong to an earlier time, because the law then computes the rate itself */
  if (t->since == 0 || !ops->memory)
    if ((at.N - at.elastic) * rate < 0) hk_trial_fail(t, "%s makes energy", type->name);
  for (int by_rate = 0; by_rate < 2; by_rate++) {
    const double h = 1e-5;
    double slope = 0, energy = 0, f[4];
    for (int i = 0; i < 4; i++) {
      evaluate_all(t, ops, k, depth + (by_rate ? 0 : AT[i] * h), rate + (by_rate ? AT[i] * h : 0),
                   &out);
      f[i] = out.N;
      slope += WEIGHT[i] / (12 * h) * out.N;
      energy += WEIGHT[i] / (12 * h) * out.potential;
    }
    if (is_smooth(f))
      hk_trial_near(t, by_rate ? at.N_rate : at.N_depth, slope, 1e-7, "%s: slope of N by %s",
                    type->name, by_rate ? "rate" : "depth");
    hk_trial_near(t, energy, by_rate ? 0 : at.elastic, 1e-7, "%s: slope of the potential",
                  type->name);
  }
  for (int i = 0; i < 3; i++) { /* beyond its range of action the law must exert no force */
    const double none[] = {-reach, -reach - 1e-9, -reach - 1};
    evaluate_all(t, ops, k, none[i], rate, &out);
    if (out.N != 0 || out.N_depth != 0 || out.N_rate != 0 || out.potential != 0 || out.elastic != 0)
      hk_trial_fail(t,
                    "%s returns non-zero values (N = %g N, potential = %g J) at a gap of %g m, "
                    "beyond its range of action of %g m",
                    type->name, out.N, out.potential, -none[i], reach);
  }
}

static void check_slide(hk_trial *t, const hk_type *type, const double *k) {
  const hk_law_ops *ops = ops_of(type);
  const double v[] = {0, 1e-12, hk_random(t, 0, 0.05), hk_random(t, 0, 0.5), hk_random(t, 0, 4),
                      50};
  for (int j = 0; j < 6; j++) {
    double f_v, slope = 0, f[4], unused, h = 1e-4 * v[j];
    double value = ops->slide(k, v[j], &f_v);
    hk_trial_claim(t, isfinite(value) && isfinite(f_v) && value >= 0);
    if (v[j] < 1e-6) continue;
    for (int i = 0; i < 4; i++) {
      f[i] = ops->slide(k, v[j] + AT[i] * h, &unused);
      slope += WEIGHT[i] / (12 * h) * f[i];
    }
    if (is_smooth(f) &&
        value >
            0) /* relative to f/v, so that the tolerance for round-off is the same at all speeds */
      hk_trial_near(t, f_v * v[j] / value, slope * v[j] / value, 1e-7, "%s: f' at v = %g",
                    type->name, v[j]);
  }
}

static void check_friction(hk_trial *t, const hk_type *type, const double *k) {
  const hk_law_ops *ops = ops_of(type);
  double slip[HK_N_SLIP], out[HK_N_SLIP], J[HK_N_SLIP][HK_N_SLIP], by_N[HK_N_SLIP];
  double N = hk_random(t, 0.5, 5), speed = hk_random_pick(t, 2) ? 0.1 : 2, power = 0;
  const double h = 1e-5;
  for (int i = 0; i < HK_N_SLIP; i++) slip[i] = hk_random(t, -speed, speed);
  ops->friction(k, N, slip, out, J, by_N);
  for (int i = 0; i < HK_N_SLIP; i++) power += out[i] * slip[i];
  if (power > 0) hk_trial_fail(t, "friction of %s generates energy", type->name);
  for (int j = 0; j <= HK_N_SLIP; j++) { /* the last one: N */
    double d[HK_N_SLIP] = {0}, f[HK_N_SLIP][4];
    for (int i = 0; i < 4; i++) {
      double x[HK_N_SLIP], y[HK_N_SLIP];
      memcpy(x, slip, sizeof x);
      if (j < HK_N_SLIP) x[j] += AT[i] * h;
      ops->friction(k, N + (j < HK_N_SLIP ? 0 : AT[i] * h), x, y, NULL, NULL);
      for (int r = 0; r < HK_N_SLIP; r++) {
        d[r] += WEIGHT[i] / (12 * h) * y[r];
        f[r][i] = y[r];
      }
    }
    for (int r = 0; r < HK_N_SLIP; r++)
      if (is_smooth(f[r]))
        hk_trial_near(t, j < HK_N_SLIP ? J[r][j] : by_N[r], d[r], 1e-7, "%s: friction %d by %d",
                      type->name, r, j);
  }
  double zero[HK_N_SLIP] = {0};
  ops->friction(k, N, zero, out, J, by_N);
  for (int i = 0; i < HK_N_SLIP; i++) {
    hk_trial_claim(t, out[i] == 0);
    for (int j = 0; j < HK_N_SLIP; j++) hk_trial_claim(t, isfinite(J[i][j]));
  }
  ops->friction(k, 0, slip, out, J, by_N);
  for (int i = 0; i < HK_N_SLIP; i++) hk_trial_claim(t, out[i] == 0 && isfinite(by_N[i]));
}

static void check_compliant(hk_trial *t, const hk_type *type, const double *k) {
  const hk_law_ops *ops = ops_of(type);
  double half_t, half_s, peak;
  check_normal(t, type, k);
  int kind = ops->friction_kind ? ops->friction_kind(k) : HK_FRICTION_NONE;
  hk_trial_claim(t, kind >= HK_FRICTION_NONE && kind <= HK_FRICTION_GENERAL);
  if (kind == HK_FRICTION_SLIDE) check_slide(t, type, k);
  if (kind == HK_FRICTION_GENERAL) check_friction(t, type, k);
  if (ops->pressure && ops->pressure(k, 0.1, 3, &half_t, &half_s, &peak)) {
    hk_trial_claim(t, half_t > 0 && half_s > 0);
    /* The force that Hertz's pressure carries, integrated over the ellipse, must equal N. */
    hk_trial_near(t, 2.0 / 3 * acos(-1) * half_t * half_s * peak, 3, 1e-12, "%s: peak", type->name);
  }
}

/* Returns true if the type leaves all derivatives to the library, as determined by compile_differences.c for the
 * models. */
static bool gives_none(hk_trial *t, const hk_law_ops *ops, const double *k) {
  draw_memory(t, ops, k);
  for (int i = 0; i < 40; i++) {
    hk_normal out = {0};
    evaluate(t, ops, k, hk_random(t, 0, 1), hk_random(t, -1, 1), &out);
    if (out.N_depth != 0 || out.N_rate != 0) return false;
  }
  return true;
}

void hk_check_law(hk_trial *t) {
  const hk_type *type = t->type;
  const hk_law_ops *ops = ops_of(type);
  hk_random_seed(t, 0);
  if (ops->line) {
    hk_check_line(t, ops->line);
    return;
  }
  for (int draw = 0; draw < DRAWS; draw++) {
    double k[HK_LAW_CONSTANTS];
    draw_law(t, type, k);
    if (draw == 0 && !ops->set_valued) t->numerical = gives_none(t, ops, k);
    t->check->cases++;
    if (ops->set_valued) {
      hk_trial_claim(t, k[HK_SET_RESTITUTION_N] >= 0 && k[HK_SET_RESTITUTION_N] <= 1);
      hk_trial_claim(t, k[HK_SET_RESTITUTION_T] >= 0 && k[HK_SET_RESTITUTION_T] <= 1);
      hk_trial_claim(t, k[HK_SET_MU] >= 0);
      continue;
    }
    for (int n = 0; n < 10; n++) check_compliant(t, type, k);
  }
}
