/* See roller.h. */
#include "bearing/roller.h"
#include "base/simd4.h"
#include "base/small_lu.h"
#include <string.h>

/* Sums over the slices of one line contact: force, moment, their derivatives with respect to
 * depth and tilt, energy. */
typedef struct sums {
  double F, M, k0, k1, k2, V;
} sums;

/* Slices at the depth  a + s x - factor * relief. */
HK_HOT static void press_line(const hk_roller *p, double c, double a, double s, double factor,
                              sums *out) {
  const hk_v4 none = hk_all4(0), least = hk_all4(1e-300);
  hk_v4 F = none, M = none, k0 = none, k1 = none, k2 = none, V = none;
  for (int i = 0; i < p->padded; i += 4) {
    hk_v4 x = HK_V4C(p->x + i), depth = a + s * x - factor * HK_V4C(p->relief + i);
    hk_m4 in = depth > least;
    if (!hk_any4(in)) continue;
    hk_v4 deep = hk_where4(in, depth, least);
    hk_v4 slope = hk_only4(in, c * hk_exp4(hk_log4(deep) / 9)), q = slope * deep;
    F += q, M += q * x;
    slope *= 10.0 / 9;
    hk_v4 sx = slope * x;
    k0 += slope, k1 += sx, k2 += sx * x;
    V += q * deep;
  }
  *out = (sums){hk_v4_sum(F),  hk_v4_sum(M),  hk_v4_sum(k0),
                hk_v4_sum(k1), hk_v4_sum(k2), 9.0 / 19 * hk_v4_sum(V)};
}

/* Motion of the inner race at the roller: displacement a and tilt s (see roller.h), displacement e of the rib along the
 * roller axis; row: their derivatives with respect to d. */
typedef struct moved {
  double a, s, e, row[3][4];
} moved;

static moved move(const hk_roller *p, const double d[4]) {
  moved m = {0};
  for (int i = 0; i < 2; i++) {
    m.row[0][i] = m.row[0][2 + i] = 0.5 * p->n_i[i];
    m.row[1][i] = 0.5 * p->n_i[i] / p->half;
    m.row[1][2 + i] = -m.row[1][i];
    for (int side = 0; side < 2; side++)
      m.row[2][2 * side + i] = 0.5 * p->axis[i] - p->rib_height * m.row[1][2 * side + i];
  }
  for (int j = 0; j < 4; j++)
    m.a += m.row[0][j] * d[j], m.s += m.row[1][j] * d[j], m.e += m.row[2][j] * d[j];
  return m;
}

/* Converts derivatives with respect to (a, s, e) to derivatives with respect to displacements: f = -row^T g, k = row^T
 * H row. */
static void spread(const moved *m, const double g[3], double H[3][3], hk_roller_load *out) {
  for (int i = 0; i < 4; i++) {
    double h[3] = {0};
    for (int a = 0; a < 3; a++) {
      out->f[i] -= m->row[a][i] * g[a];
      for (int b = 0; b < 3; b++) h[b] += m->row[a][i] * H[a][b];
    }
    for (int j = 0; j < 4; j++)
      out->k[i][j] = h[0] * m->row[0][j] + h[1] * m->row[1][j] + h[2] * m->row[2][j];
    out->Q_d[i] = m->row[0][i] * H[0][0] + m->row[1][i] * H[0][1] + m->row[2][i] * H[0][2];
  }
}

static void press_both(const hk_roller *p, const moved *m, double size, hk_roller_load *out) {
  sums t;
  press_line(p, p->c, m->a - p->clearance + size, m->s, 2, &t);
  if (!(t.F > 0)) return;
  const double g[3] = {t.F, t.M, 0};
  double H[3][3] = {{t.k0, t.k1, 0}, {t.k1, t.k2, 0}, {0, 0, 0}};
  spread(m, g, H, out);
  out->Q_i = out->Q_o = t.F;
  out->potential = t.V;
}

/* All quantities that depend on the position of the roller (w_r, w_z, t). */
typedef struct trial {
  sums i, o;
  double rib_F, rib_k, V, g[3];
} trial;

static void try_place(const hk_roller *p, const moved *m, double half, double Fc, const double w[3],
                      trial *out) {
  double along_i = p->n_i[0] * w[0] + p->n_i[1] * w[1];
  double along_o = p->n_o[0] * w[0] + p->n_o[1] * w[1];
  press_line(p, p->c_1, along_o + half, w[2], 1, &out->o);
  press_line(p, p->c_1, m->a - p->clearance - along_i + half, m->s - w[2], 1, &out->i);
  double depth =
      p->tapered ? m->e - p->axis[0] * w[0] - p->axis[1] * w[1] - p->rib_offset * w[2] : 0;
  double root = depth > 0 ? sqrt(depth) : 0;
  out->rib_F = p->rib * root * depth;
  out->rib_k = 1.5 * p->rib * root;
  if (!(depth > 0)) out->rib_F = 0;
  out->V = out->o.V + out->i.V + 0.4 * out->rib_F * depth - Fc * w[0];
  for (int a = 0; a < 2; a++)
    out->g[a] = p->n_o[a] * out->o.F - p->n_i[a] * out->i.F - p->axis[a] * out->rib_F;
  out->g[0] -= Fc;
  out->g[2] = out->o.M - out->i.M - p->rib_offset * out->rib_F;
  if (!p->tapered) out->g[1] = 0;
}

/* If only one slice of each race is loaded, the roller could tilt freely: a negligibly small
 * stiffness prevents this. */
static double tilt_hold(const hk_roller *p) {
  return 1e-10 * p->c_1 * p->slices * pow(1e-6 * p->D, 1.0 / 9) * p->half * p->half;
}

/* Second derivatives of V with respect to the position of the roller, and mixed with (a, s, e). */
static void bend(const hk_roller *p, const trial *t, double H[9], double X[9]) {
  const double r[3] = {p->axis[0], p->axis[1], p->rib_offset};
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      double na = a < 2 ? p->n_o[a] : 1, nb = b < 2 ? p->n_o[b] : 1;
      double ia = a < 2 ? p->n_i[a] : 1, ib = b < 2 ? p->n_i[b] : 1;
      const int order = (a == 2) + (b == 2);
      double ko = order == 0 ? t->o.k0 : order == 1 ? t->o.k1 : t->o.k2;
      double ki = order == 0 ? t->i.k0 : order == 1 ? t->i.k1 : t->i.k2;
      H[3 * a + b] = na * nb * ko + ia * ib * ki + (p->tapered ? r[a] * r[b] * t->rib_k : 0);
    }
  H[8] += tilt_hold(p);
  for (int a = 0; a < 3; a++) {
    double ia = a < 2 ? p->n_i[a] : 1;
    X[3 * a] = -ia * (a < 2 ? t->i.k0 : t->i.k1);
    X[3 * a + 1] = -ia * (a < 2 ? t->i.k1 : t->i.k2);
    X[3 * a + 2] = p->tapered ? -r[a] * t->rib_k : 0;
  }
  if (p->tapered) return;
  /* cylindrical rollers cannot be displaced along z */
  for (int a = 0; a < 3; a++) H[3 + a] = H[3 * a + 1] = X[3 + a] = 0;
  H[4] = 1;
}

static double norm3(const hk_roller *p, const double g[3]) {
  return sqrt(g[0] * g[0] + g[1] * g[1] + g[2] * g[2] / (p->half * p->half));
}

/* Negligible force, relative to the force of a relative deflection of 1e-6. */
static double no_force(const hk_roller *p) {
  return 1e-6 * p->c_1 * p->slices * pow(1e-6 * p->D, 10.0 / 9);
}

/* V is convex: Newton's method, damped by a stiffness that is added until V decreases (Levenberg
 * and Marquardt).  Shorter Newton steps are not sufficient: along a direction with hardly any
 * stiffness the step is so long that the other components would become negligible. */
static bool find_place(const hk_roller *p, const moved *m, double half, double Fc, double w[3],
                       trial *out) {
  const double none = no_force(p), soft = 1e-6 * none / (1e-6 * p->D);
  double damping = soft; /* [N/m]; the axial direction may have no stiffness yet */
  try_place(p, m, half, Fc, w, out);
  for (int round = 0; round < 200; round++) {
    double H[9], X[9], to[3];
    double force = out->i.F + out->o.F + Fc + out->rib_F;
    double rounded = 1e-15 * (fabs(m->a) + fabs(w[0]) + fabs(w[1])) * (out->i.k0 + out->o.k0);
    if (force <= none || norm3(p, out->g) <= 1e-15 * force + rounded) return true;
    bend(p, out, H, X);
    trial next;
    bool better = false;
    for (int harder = 0; harder < 40 && !better; harder++) {
      double A[9], pivot[3], step[3] = {out->g[0], out->g[1], out->g[2]};
      memcpy(A, H, sizeof A);
      A[0] += damping, A[4] += damping;
      if (damping > soft) A[8] += damping * p->half * p->half;
      if (!hk_small_lu_factor(A, pivot, 3, 0)) return false;
      hk_small_lu_solve(A, pivot, 3, step, 1);
      for (int a = 0; a < 3; a++) to[a] = w[a] - step[a];
      try_place(p, m, half, Fc, to, &next);
      better = next.V < out->V || norm3(p, next.g) < norm3(p, out->g);
      damping = better ? fmax(soft, 1e-3 * damping) : fmax(10 * damping, 1e-6 * H[0]);
    }
    if (!better) return norm3(p, out->g) <= 1e-9 * force + 10 * rounded;
    *out = next;
    memcpy(w, to, sizeof to);
  }
  return norm3(p, out->g) <= 1e-9 * (out->i.F + out->o.F + Fc);
}

/* Computes speed, centrifugal force and initial position of the roller. */
typedef struct state {
  double wm, seen, Fc, w[3];
} state;

static state begin(const hk_roller *p, const moved *m, const hk_bearing_speed *w, bool fast) {
  state s = {.wm = isnan(w->cage) ? p->free_ratio * w->inner : w->cage};
  s.seen = isnan(w->cage) ? s.wm + w->outer : s.wm;
  s.Fc = fast ? 0.5 * p->mass * p->dm * s.seen * s.seen : 0;
  double c = p->c_1 * p->slices;
  s.w[0] = 0.5 * (m->a - p->clearance) + 0.5 * pow(s.Fc / c, 0.9);
  s.w[2] = 0.5 * m->s;
  if (s.w[0] < 0 && s.Fc > 0) s.w[0] = pow(s.Fc / c, 0.9);
  return s;
}

static double barrel_depth(const hk_roller *p, const double d[2], double size) {
  return sqrt(d[0] * d[0] + d[1] * d[1]) - p->reach - p->clearance + size;
}

static void press_barrel(const hk_roller *p, const double d[2], double size, hk_roller_load *out) {
  const double L = sqrt(d[0] * d[0] + d[1] * d[1]), n[2] = {d[0] / L, d[1] / L};
  sums t;
  press_line(p, p->c, barrel_depth(p, d, size), 0, 2, &t);
  if (!(t.F > 0)) return;
  for (int a = 0; a < 2; a++) {
    out->f[a] = -t.F * n[a];
    out->Q_d[a] = t.k0 * n[a];
    for (int b = 0; b < 2; b++)
      out->k[a][b] = t.k0 * n[a] * n[b] + t.F / L * ((a == b) - n[a] * n[b]);
  }
  out->Q_i = out->Q_o = t.F;
  out->potential = t.V;
}

bool hk_roller_press(const hk_roller *p, const double d[4], double size, const hk_bearing_speed *w,
                     bool fast, hk_roller_load *out) {
  memset(out, 0, sizeof *out);
  if (p->barrel) {
    press_barrel(p, d, size, out);
    return true;
  }
  const moved m = move(p, d);
  if (!fast && !p->tapered) {
    press_both(p, &m, size, out);
    return true;
  }
  state s = begin(p, &m, w, fast);
  trial t;
  if (!find_place(p, &m, 0.5 * size, s.Fc, s.w, &t)) return false;
  out->wm = s.wm, out->centrifugal = s.Fc;
  out->Q_i = t.i.F, out->Q_o = t.o.F, out->Q_rib = t.rib_F;
  out->potential = t.V;
  if (t.i.F + t.o.F + t.rib_F <= no_force(p)) out->potential = out->Q_i = 0;
  if (t.i.F + t.o.F + t.rib_F <= no_force(p)) return true; /* not loaded */
  if (!(t.i.F > 0) && !(t.rib_F > 0)) return true;
  double H[9], X[9], Y[9], pivot[3], by_Fc[3] = {-1, 0, 0};
  bend(p, &t, H, X);
  memcpy(Y, X, sizeof Y);
  if (!hk_small_lu_factor(H, pivot, 3, 0)) return false;
  hk_small_lu_solve(H, pivot, 3, Y, 3);
  hk_small_lu_solve(H, pivot, 3, by_Fc, 1);
  const double g[3] = {t.i.F, t.i.M, t.rib_F};
  double G[3][3] = {{t.i.k0, t.i.k1, 0}, {t.i.k1, t.i.k2, 0}, {0, 0, t.rib_k}}, g_F[3] = {0};
  for (int a = 0; a < 3; a++)
    for (int b = 0; b < 3; b++) {
      g_F[a] -= X[3 * b + a] * by_Fc[b];
      for (int n = 0; n < 3; n++) G[a][b] -= X[3 * n + a] * Y[3 * n + b];
    }
  spread(&m, g, G, out);
  for (int a = 0; a < 3; a++)
    for (int j = 0; j < 4 && fast; j++) {
      double f_F = -m.row[a][j] * g_F[a] * p->mass * p->dm * s.seen;
      out->f_w[0][j] += isnan(w->cage) ? p->free_ratio * f_F : 0;
      out->f_w[1][j] += isnan(w->cage) ? f_F : 0;
    }
  return true;
}

static void slice_loads(const hk_roller *p, double c, double a, double s, double factor,
                        double *out) {
  for (int i = 0; i < p->slices; i++) {
    double depth = a + s * p->x[i] - factor * p->relief[i];
    out[i] = depth > 0 ? c * depth * pow(depth, 1.0 / 9) : 0;
  }
}

void hk_roller_slices(const hk_roller *p, const double d[4], double size, const hk_bearing_speed *w,
                      bool fast, double *inner, double *outer) {
  if (p->barrel) {
    slice_loads(p, p->c, barrel_depth(p, d, size), 0, 2, inner);
    memcpy(outer, inner, (size_t)p->slices * sizeof *outer);
    return;
  }
  const moved m = move(p, d);
  if (!fast && !p->tapered) {
    slice_loads(p, p->c, m.a - p->clearance + size, m.s, 2, inner);
    memcpy(outer, inner, (size_t)p->slices * sizeof *outer);
    return;
  }
  state s = begin(p, &m, w, fast);
  trial t;
  find_place(p, &m, 0.5 * size, s.Fc, s.w, &t);
  double along_i = p->n_i[0] * s.w[0] + p->n_i[1] * s.w[1],
         along_o = p->n_o[0] * s.w[0] + p->n_o[1] * s.w[1];
  slice_loads(p, p->c_1, m.a - p->clearance - along_i + 0.5 * size, m.s - s.w[2], 1, inner);
  slice_loads(p, p->c_1, along_o + 0.5 * size, s.w[2], 1, outer);
}

/* Squeeze damping of the film of a barrel-shaped roller, along the line through the centres of
 * its races. */
static double damp_barrel(const hk_roller *p, const double d[2], const double rate[2], double size,
                          double damping, double ramp, double f[4], double k[4][4],
                          double c[4][4]) {
  const double L = sqrt(d[0] * d[0] + d[1] * d[1]), n[2] = {d[0] / L, d[1] / L},
               depth = barrel_depth(p, d, size), v = n[0] * rate[0] + n[1] * rate[1];
  sums t;
  if (!(depth > 0)) return 0;
  press_line(p, p->c, depth, 0, 2, &t);
  const double z = fmin(depth / ramp, 1), slope = damping * 6 * z * (1 - z) / ramp;
  double F_v = damping * z * z * (3 - 2 * z), F = F_v * v, F_d = slope * v;
  if (t.F + F < 0) F = -t.F, F_v = 0, F_d = -t.k0; /* no tensile force */
  for (int a = 0; a < 2; a++) {
    f[a] -= F * n[a];
    for (int b = 0; b < 2; b++) {
      k[a][b] += F_d * n[a] * n[b] + F_v * n[a] * (rate[b] - v * n[b]) / L +
                 F * ((a == b) - n[a] * n[b]) / L;
      c[a][b] += F_v * n[a] * n[b];
    }
  }
  return F * v;
}

double hk_roller_damp(const hk_roller *p, const double d[4], const double rate[4], double size,
                      double damping, double ramp, double f[4], double k[4][4], double c[4][4]) {
  if (p->barrel) return damp_barrel(p, d, rate, size, damping, ramp, f, k, c);
  const moved m = move(p, d), v = move(p, rate);
  double C[2][2] = {{0}}, K[2][2] = {{0}}, g[2] = {0}, lost = 0, most = damping / p->slices;
  for (int i = 0; i < p->slices; i++) {
    double x = p->x[i], depth = m.a - p->clearance + size + m.s * x - 2 * p->relief[i],
           v_k = v.a + v.s * x;
    if (!(depth > 0)) continue;
    double z = fmin(depth / ramp, 1), q = z * z * (3 - 2 * z), slope = 6 * z * (1 - z) / ramp;
    double load = p->c * depth * pow(depth, 1.0 / 9), F = most * q * v_k, F_v = most * q,
           F_d = most * slope * v_k;
    if (load + F < 0) F = -load, F_v = 0, F_d = -10.0 / 9 * load / depth; /* no tensile force */
    g[0] += F, g[1] += F * x;
    lost += F * v_k;
    for (int a = 0; a < 2; a++)
      for (int b = 0; b < 2; b++) {
        double xx = (a ? x : 1) * (b ? x : 1);
        C[a][b] += F_v * xx, K[a][b] += F_d * xx;
      }
  }
  for (int i = 0; i < 4; i++) {
    f[i] -= m.row[0][i] * g[0] + m.row[1][i] * g[1];
    for (int j = 0; j < 4; j++)
      for (int a = 0; a < 2; a++)
        for (int b = 0; b < 2; b++) {
          k[i][j] += m.row[a][i] * K[a][b] * m.row[b][j];
          c[i][j] += m.row[a][i] * C[a][b] * m.row[b][j];
        }
  }
  return lost;
}
