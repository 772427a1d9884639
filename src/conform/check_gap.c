/* Every gap of the registry: properties that hold for any geometry.
 *
 * Parameters are drawn at random from the parameter tables, and frames are placed at random. The points that overlap
 * are checked.
 *   gap' = n . (vB(c) - vA(c)), by differences in all twelve motions
 *   n_d, c_d, t_d against differences of n, c, t
 *   |n| = |t| = 1, t . n = 0; a common rigid motion changes nothing
 * Gaps of coordinates: the rows are the slopes by the two angles. */
#include "conform/checks.h"
#include "conform/subject.h"
#include <stdio.h>
#include <string.h>
#include <hooke/gap.h>
#include <hooke/numerical.h>

enum { DRAWS = 40, TRIES = 3000 };
static const double AT[4] = {-2, -1, 1, 2}, WEIGHT[4] = {1, -8, 8, -1};

static const hk_gap_ops *ops_of(const hk_type *type) { return type->ops; }

static void give_back_spec(void *spec) { hk_spec_destroy(spec); }

/* Constants of a random gap; an error if all random parameters are rejected. */
static void draw_gap(hk_trial *t, const hk_type *type, double k[HK_GAP_CONSTANTS]) {
  const hk_between s = {HK_ON_BODY, HK_ON_BODY, false, false};
  hk_error err = {0};
  for (int i = 0; i < 400; i++) {
    hk_spec *spec = hk_spec_create_with(t->types);
    hk_trial_keep(t, spec, give_back_spec);
    hk_item *item = hk_world_add(t, spec, HK_CONTACT, type->name, "subject");
    memset(k, 0, HK_GAP_CONSTANTS * sizeof *k);
    bool ok = !hk_draw_item(t, item, &s, &err) && !ops_of(type)->prepare(item, k, &err);
    hk_trial_drop(t, spec);
    if (ok) return;
  }
  hk_trial_fail(t, "all random parameters of contact '%s' are rejected: %s", type->name, err.text);
}

static hk_frame random_frame(hk_trial *t, double size) {
  hk_frame f = {
      .x = hk_random_vector(t, size), .v = hk_random_vector(t, 1), .w = hk_random_vector(t, 1)};
  f.R = hk_quat_matrix(hk_random_rotation(t));
  f.angle = hk_random(t, -3, 3);
  return f;
}

static hk_frame moved(const hk_frame *f, hk_vec3 x, hk_vec3 theta) {
  hk_frame g = *f;
  hk_mat3 R = hk_quat_matrix(hk_quat_exp(theta));
  g.x = hk_add(f->x, x);
  g.R = hk_matmul(&R, &f->R);
  return g;
}

/* Displaces both frames by h along motion j of the twelve. */
static void displace(hk_frame f[2], int j, double h) {
  double d[3] = {0};
  d[j % 3] = h;
  hk_vec3 v = hk_v3(d[0], d[1], d[2]), zero = {0, 0, 0};
  hk_frame *g = &f[j / 6];
  *g = j / 3 % 2 ? moved(g, zero, v) : moved(g, v, zero);
}

static double component(hk_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }

/* Returns true if the geometry is smooth enough for finite differences. Near a centre, derivatives are very large. */
static bool is_mild_gap(const hk_gap *g) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 12; j++)
      if (!(fabs(g->n_d[i][j]) < 20 && fabs(g->c_d[i][j]) < 20)) return false;
  return true;
}

static void check_slopes(hk_trial *t, const hk_type *type, const double *k, const hk_frame f[2],
                         int point, const hk_gap *at) {
  const hk_gap_ops *ops = ops_of(type);
  const double h = 1e-4;
  hk_vec3 ra = hk_sub(at->c, f[0].x), rb = hk_sub(at->c, f[1].x);
  hk_vec3 ta = hk_cross(at->n, ra), tb = hk_cross(rb, at->n);
  for (int j = 0; j < 12; j++) {
    double gap = 0, n[3] = {0}, c[3] = {0}, along[3] = {0};
    for (int i = 0; i < 4; i++) {
      hk_frame g[2] = {f[0], f[1]};
      hk_gap out[HK_CONTACT_MAX_POINTS];
      displace(g, j, AT[i] * h);
      ops->eval(k, &g[0], &g[1], -INFINITY, false, out);
      double w = WEIGHT[i] / (12 * h);
      gap += w * out[point].gap;
      for (int r = 0; r < 3; r++) {
        n[r] += w * component(out[point].n, r);
        c[r] += w * component(out[point].c, r);
        along[r] += w * component(out[point].t, r);
      }
    }
    hk_vec3 row = j < 3 ? hk_neg(at->n) : j < 6 ? ta : j < 9 ? at->n : tb;
    hk_trial_near(t, gap, component(row, j % 3), 1e-8, "%s: rate of the gap by motion %d",
                  type->name, j);
    for (int r = 0; r < 3; r++) {
      hk_trial_near(t, at->n_d[r][j], n[r], 1e-7, "%s: n_d[%d][%d]", type->name, r, j);
      hk_trial_near(t, at->c_d[r][j], c[r], 1e-7, "%s: c_d[%d][%d]", type->name, r, j);
      hk_trial_near(t, at->t_d[r][j], along[r], 1e-7, "%s: t_d[%d][%d]", type->name, r, j);
    }
  }
}

static void check_axes(hk_trial *t, const hk_type *type, const hk_gap *g) {
  hk_trial_near(t, hk_norm(g->n), 1, 1e-14, "%s: |n|", type->name);
  hk_trial_near(t, hk_norm(g->t), 1, 1e-14, "%s: |t|", type->name);
  hk_trial_near(t, hk_dot(g->n, g->t), 0, 1e-14, "%s: n . t", type->name);
}

static void assert_same(hk_trial *t, hk_vec3 a, hk_vec3 b, const char *name, const char *what) {
  for (int i = 0; i < 3; i++)
    hk_trial_near(t, component(a, i), component(b, i), 1e-12, "%s: %s moved along", name, what);
}

static void check_invariance(hk_trial *t, const hk_type *type, const double *k, const hk_frame f[2],
                             int points) {
  hk_gap a[HK_CONTACT_MAX_POINTS], b[HK_CONTACT_MAX_POINTS];
  hk_mat3 Q = hk_quat_matrix(hk_random_rotation(t));
  hk_vec3 x = hk_random_vector(t, 2);
  hk_frame g[2] = {f[0], f[1]};
  for (int i = 0; i < 2; i++) {
    g[i].x = hk_add(x, hk_mul(&Q, f[i].x));
    g[i].R = hk_matmul(&Q, &f[i].R);
  }
  ops_of(type)->eval(k, &f[0], &f[1], -INFINITY, false, a);
  ops_of(type)->eval(k, &g[0], &g[1], -INFINITY, false, b);
  for (int p = 0; p < points; p++) {
    hk_trial_near(t, b[p].gap, a[p].gap, 1e-12, "%s: gap after a rigid motion", type->name);
    assert_same(t, b[p].n, hk_mul(&Q, a[p].n), type->name, "n");
    assert_same(t, b[p].t, hk_mul(&Q, a[p].t), type->name, "t");
    assert_same(t, b[p].c, hk_add(x, hk_mul(&Q, a[p].c)), type->name, "c");
  }
}

/* Compares the fast path for balls with the general one: its derivative of n with respect to the ball's position must
 * equal the derivative with respect to xB. */
static void check_ball(hk_trial *t, const hk_type *type, const double *k, const hk_frame *f,
                       double near, const hk_gap *g) {
  hk_ball_gap b[HK_CONTACT_MAX_POINTS];
  ops_of(type)->ball(k, &f[0], &f[1], near, true, b);
  for (int p = 0; p < ops_of(type)->points; p++) {
    hk_trial_near(t, b[p].gap, g[p].gap, 1e-12, "%s: gap of its ball", type->name);
    if (!(g[p].gap < near)) continue;
    assert_same(t, b[p].n, g[p].n, type->name, "n of its ball");
    assert_same(t, hk_axpy(f[1].x, -(b[p].radius + 0.5 * b[p].gap), b[p].n), g[p].c, type->name,
                "c of its ball");
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        hk_trial_near(t, b[p].n_u.m[i][j], g[p].n_d[i][HK_GAP_XB + j], 1e-10, "%s: n_u",
                      type->name);
  }
}

/* Returns true if the type leaves all derivatives to the library, as determined by compile_differences.c for the
 * models. */
static bool gives_none(hk_trial *t, const hk_gap_ops *ops, const double *k) {
  for (int i = 0; i < 20; i++) {
    hk_frame f[2] = {random_frame(t, 1), random_frame(t, 2)};
    hk_gap out[HK_CONTACT_MAX_POINTS] = {0};
    ops->eval(k, &f[0], &f[1], INFINITY, true, out);
    for (int p = 0; p < ops->points; p++)
      for (int j = 0; j < 36; j++)
        if (out[p].n_d[j / 12][j % 12] != 0 || out[p].c_d[j / 12][j % 12] != 0) return false;
  }
  return t->numerical = true;
}

static void check_point_gap(hk_trial *t, const hk_type *type) {
  const hk_gap_ops *ops = ops_of(type);
  int seen[HK_CONTACT_MAX_POINTS] = {0};
  for (int draw = 0; draw < DRAWS; draw++) {
    double k[HK_GAP_CONSTANTS];
    draw_gap(t, type, k);
    const bool none = gives_none(t, ops, k);
    int checked[HK_CONTACT_MAX_POINTS] = {0};
    const double near = draw % 3 ? 0 : 0.2; /* a law may act before the surfaces touch */
    for (int i = 0; i < TRIES; i++) {
      hk_frame f[2] = {random_frame(t, 1), random_frame(t, 2)};
      hk_gap out[HK_CONTACT_MAX_POINTS] = {0};
      ops->eval(k, &f[0], &f[1], near, true, out);
      if (none) hk_gap_differences(ops, k, &f[0], &f[1], out);
      if (ops->ball) check_ball(t, type, k, f, near, out);
      for (int p = 0; p < ops->points; p++) {
        if (!(out[p].gap < near - 1e-3) || checked[p] || !is_mild_gap(&out[p])) continue;
        check_axes(t, type, &out[p]);
        check_slopes(t, type, k, f, p, &out[p]);
        checked[p] = 1, seen[p]++;
        t->check->cases++;
      }
      if (i == 0) check_invariance(t, type, k, f, ops->points);
    }
  }
  for (int p = 0; p < ops->points; p++)
    if (seen[p] < DRAWS / 4)
      hk_trial_fail(t, "point %d of '%s' overlapped in only %d of %d random states", p, type->name,
                    seen[p], DRAWS);
}

static double about_axis(hk_vec3 v, const hk_frame *f) { return hk_dot(v, hk_column(&f->R, 2)); }

/* Gaps between two angles: the row of the normal force is the derivative of the gap with
 * respect to the angles, and every row is a moment about the axis. */
static void check_rows_gap(hk_trial *t, const hk_type *type) {
  const hk_gap_ops *ops = ops_of(type);
  for (int draw = 0; draw < DRAWS; draw++) {
    t->check->cases++;
    double k[HK_GAP_CONSTANTS];
    draw_gap(t, type, k);
    hk_frame f[2] = {random_frame(t, 1), random_frame(t, 1)};
    hk_gap_rows at[HK_CONTACT_MAX_POINTS] = {0}, out[2][HK_CONTACT_MAX_POINTS];
    ops->rows(k, &f[0], &f[1], at);
    for (int p = 0; p < ops->points; p++) {
      for (int j = 0; j < 2; j++) {
        for (int i = 0; i < 2; i++) {
          hk_frame g[2] = {f[0], f[1]};
          memset(out[i], 0, sizeof out[i]);
          g[j].angle += i ? 1e-5 : -1e-5;
          ops->rows(k, &g[0], &g[1], out[i]);
        }
        double slope = (out[1][p].gap - out[0][p].gap) / 2e-5;
        hk_trial_near(t, about_axis(j ? at[p].N.tb : at[p].N.ta, &f[j]), slope, 1e-8,
                      "%s: N by angle %d", type->name, j);
      }
      const hk_row *row[3] = {&at[p].N, &at[p].T[0], &at[p].T[1]};
      for (int r = 0; r < 1 + ops->tangents; r++) {
        hk_trial_near(t, hk_norm(row[r]->xa) + hk_norm(row[r]->xb), 0, 1e-15, "%s: forces",
                      type->name);
        hk_trial_near(t, hk_norm(hk_cross(row[r]->tb, hk_column(&f[1].R, 2))), 0, 1e-14, "%s: axis",
                      type->name);
      }
    }
  }
}

void hk_check_gap(hk_trial *t) {
  hk_random_seed(t, 0);
  (ops_of(t->type)->eval ? check_point_gap : check_rows_gap)(t, t->type);
}

/* Checks that all values are finite for frames that coincide, are far apart or rotated by 180 degrees. */
void hk_check_finite(hk_trial *t) {
  const hk_type *type = t->type;
  const hk_gap_ops *ops = ops_of(type);
  if (!ops->eval) hk_trial_not_meant(t, "it is a gap between coordinates");
  double k[HK_GAP_CONSTANTS];
  hk_random_seed(t, 0);
  draw_gap(t, type, k);
  const hk_vec3 at[] = {{0, 0, 0}, {1e-300, 0, 0}, {0, 1e-12, 0}, {0, 0, 1}, {1e6, -1e6, 1e6}};
  for (int j = 0; j < 10; j++) {
    hk_frame A = {.R = hk_mat3_identity()}, B = A;
    B.x = at[j % 5];
    if (j >= 5) B.R = (hk_mat3){{{-1, 0, 0}, {0, 1, 0}, {0, 0, -1}}};
    hk_gap out[HK_CONTACT_MAX_POINTS];
    memset(out, 0, sizeof out);
    ops->eval(k, &A, &B, j % 2 ? INFINITY : 0, true, out);
    const double *x = (const double *)out;
    for (size_t p = 0; p < (size_t)ops->points * sizeof(hk_gap) / sizeof(double); p++)
      if (!isfinite(x[p]))
        hk_trial_fail(t, "%s: value %zu of the result is not finite at position %d", type->name, p,
                      j);
    for (int p = 0; p < ops->points; p++)
      hk_trial_near(t, hk_norm(out[p].n), 1, 1e-12, "%s: |n| at position %d", type->name, j);
  }
  t->check->cases = 10;
}
