/* See ball.h: the equilibrium of a fast ball, by Newton's method for b. */
#include "bearing/ball.h"
#include "base/hot.h"
#include <string.h>

/* A contact at the distance `length` of the centres, along (c, s). */
typedef struct touch {
  double length, c, s, Q, k; /* k = dQ/dlength */
} touch;

static touch press(const double v[2], double l, double K) {
  touch t;
  t.length = sqrt(v[0] * v[0] + v[1] * v[1]);
  double delta = t.length - l, root = delta > 0 ? sqrt(delta) : 0;
  t.c = v[0] / t.length, t.s = v[1] / t.length;
  t.k = 1.5 * K * root;
  t.Q = K * root * delta;
  if (!(delta > 0)) t.Q = 0;
  return t;
}

/* Orbit speed, transverse spin and the inertia forces, with derivatives with respect to (a_i,
 * a_o, Q_i, Q_o, w, w_o). */
enum { BY_AI, BY_AO, BY_QI, BY_QO, BY_W, BY_WO, N_BY };
typedef struct inertia {
  double wm, Mg, Fc, T[2], Ti[2]; /* T: friction forces of both races; Ti: of the inner race only */
  double Fc_d[N_BY], T_d[2][N_BY], Ti_d[2][N_BY];
} inertia;

static double orbit(const hk_ball *p, const touch *i, const touch *o, const hk_bearing_speed *w,
                    double d[N_BY]) {
  double cross = i->c * o->c + i->s * o->s, sine = i->s * o->c - i->c * o->s, per = 1 / (1 + cross);
  memset(d, 0, N_BY * sizeof *d);
  if (!isnan(w->cage)) return w->cage;
  bool inner = p->control == HK_BEARING_INNER_CONTROL && p->dynamics == HK_BEARING_GYROSCOPIC;
  double top = inner ? cross - p->gp * o->c : 1 - p->gp * i->c, ratio = top * per;
  double top_i = inner ? -sine : p->gp * i->s, top_o = inner ? sine + p->gp * o->s : 0;
  d[BY_AI] = w->inner * per * (top_i + ratio * sine);
  d[BY_AO] = w->inner * per * (top_o - ratio * sine);
  d[BY_W] = ratio;
  return w->inner * ratio;
}

static void share(const hk_ball *p, const touch *i, const touch *o, double *outer, double *by_i,
                  double *by_o) {
  *by_i = *by_o = 0;
  *outer = p->control == HK_BEARING_INNER_CONTROL ? 0 : 2;
  if (p->control != HK_BEARING_LOAD_SHARED) return;
  double sum = i->Q + o->Q;
  if (!(sum > 0)) return;
  *outer = 2 * o->Q / sum;
  *by_i = -2 * o->Q / (sum * sum);
  *by_o = 2 * i->Q / (sum * sum);
}

static void find_inertia(const hk_ball *p, const touch *i, const touch *o,
                         const hk_bearing_speed *w, inertia *out) {
  double wm_d[N_BY], X_d[N_BY] = {0}, mr = 0.5 * p->mass * p->dm;
  memset(out, 0, sizeof *out);
  out->wm = orbit(p, i, o, w, wm_d);
  double seen = isnan(w->cage) ? out->wm + w->outer : out->wm; /* absolute, relative to space */
  double seen_d[N_BY];
  memcpy(seen_d, wm_d, sizeof seen_d);
  seen_d[BY_WO] = isnan(w->cage) ? 1 : 0;
  out->Fc = mr * seen * seen;
  for (int n = 0; n < N_BY; n++) out->Fc_d[n] = 2 * mr * seen * seen_d[n];
  if (p->dynamics != HK_BEARING_GYROSCOPIC) return;
  bool inner = p->control == HK_BEARING_INNER_CONTROL;
  double turn = inner ? w->inner - out->wm : out->wm, sine = inner ? i->s : o->s;
  double X = turn * sine / p->gp; /* wR sin(beta) */
  for (int n = 0; n < N_BY; n++) X_d[n] = (inner ? (n == BY_W) - wm_d[n] : wm_d[n]) * sine / p->gp;
  X_d[inner ? BY_AI : BY_AO] += turn * (inner ? i->c : o->c) / p->gp;
  double J = 0.1 * p->mass * p->D * p->D, lambda, by_i, by_o;
  out->Mg = J * seen * X;
  share(p, i, o, &lambda, &by_i, &by_o);
  double m = out->Mg / p->D;
  const double to[2] = {o->s, -o->c}, ti[2] = {-i->s, i->c};
  for (int a = 0; a < 2; a++) {
    out->Ti[a] = (2 - lambda) * m * ti[a];
    out->T[a] = lambda * m * to[a] + out->Ti[a];
  }
  for (int n = 0; n < N_BY; n++) {
    double m_d = J * (seen_d[n] * X + seen * X_d[n]) / p->D;
    double l_d = n == BY_QI ? by_i : n == BY_QO ? by_o : 0;
    for (int a = 0; a < 2; a++) {
      double turned_o = n == BY_AO ? (a ? o->s : o->c) : 0;
      double turned_i = n == BY_AI ? (a ? -i->s : -i->c) : 0;
      double outer = lambda * (m_d * to[a] + m * turned_o) + l_d * m * to[a];
      out->Ti_d[a][n] = (2 - lambda) * (m_d * ti[a] + m * turned_i) - l_d * m * ti[a];
      out->T_d[a][n] = outer + out->Ti_d[a][n];
    }
  }
}

/* Derivatives of R and of the force f = -Q_i n_i - T_i with respect to the six scalars. */
static void by_scalars(const touch *i, const touch *o, const inertia *t, double R[2][N_BY],
                       double f[2][N_BY]) {
  const double ni[2] = {i->c, i->s}, no[2] = {o->c, o->s}, ti[2] = {-i->s, i->c},
               to[2] = {-o->s, o->c};
  for (int a = 0; a < 2; a++) {
    for (int n = 0; n < N_BY; n++) {
      R[a][n] = t->T_d[a][n] + (a == 0 ? t->Fc_d[n] : 0);
      f[a][n] = -t->Ti_d[a][n];
    }
    R[a][BY_QI] += ni[a], R[a][BY_AI] += i->Q * ti[a];
    R[a][BY_QO] -= no[a], R[a][BY_AO] -= o->Q * to[a];
    f[a][BY_QI] -= ni[a], f[a][BY_AI] -= i->Q * ti[a];
  }
}

/* Converts S[2][N_BY] to derivatives with respect to b through the outer contact, and to e
 * through the inner one. */
static void chain(double S[2][N_BY], const touch *i, const touch *o, double by_b[2][2],
                  double by_e[2][2]) {
  for (int a = 0; a < 2; a++) {
    double q = S[a][BY_QO] * o->k, t = S[a][BY_AO] / o->length;
    by_b[a][0] = q * o->c - t * o->s, by_b[a][1] = q * o->s + t * o->c;
    q = S[a][BY_QI] * i->k, t = S[a][BY_AI] / i->length;
    by_e[a][0] = q * i->c - t * i->s, by_e[a][1] = q * i->s + t * i->c;
  }
}

static bool solve2(double M[2][2], const double r[2], double x[2]) {
  double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  if (!(fabs(det) > 0)) return false;
  x[0] = (M[1][1] * r[0] - M[0][1] * r[1]) / det;
  x[1] = (M[0][0] * r[1] - M[1][0] * r[0]) / det;
  return isfinite(x[0]) && isfinite(x[1]);
}

/* All quantities of the equilibrium at one b. */
typedef struct balance {
  touch i, o;
  inertia t;
  double r[2], size;
} balance;

static void weigh(const hk_ball *p, const double d[2], double half, const double b[2],
                  const hk_bearing_speed *w, balance *out) {
  const double e[2] = {d[0] - b[0], d[1] - b[1]};
  out->i = press(e, p->l_i - half, p->K_i);
  out->o = press(b, p->l_o - half, p->K_o);
  find_inertia(p, &out->i, &out->o, w, &out->t);
  out->r[0] = out->i.Q * out->i.c - out->o.Q * out->o.c + out->t.Fc + out->t.T[0];
  out->r[1] = out->i.Q * out->i.s - out->o.Q * out->o.s + out->t.T[1];
  out->size = hypot(out->r[0], out->r[1]);
}

/* Initial position: equally loaded by both grooves; a lightly loaded ball is placed by the
 * centrifugal force at the outer intersection of both grooves. */
static void first_place(const hk_ball *p, const double d[2], double half, double Fc, double b[2]) {
  double L = hypot(d[0], d[1]), little = 0.5 * cbrt((Fc / p->K_o) * (Fc / p->K_o));
  double outer = p->l_o - half + little, inner = p->l_i - half + little;
  double along, across = 0, n[2] = {d[0] / L, d[1] / L};
  if (L < outer + inner) {
    along = 0.5 * (L * L + outer * outer - inner * inner) / L;
    across = sqrt(fmax(outer * outer - along * along, 0));
    if (n[1] > 0) across = -across; /* (-s, c) points inwards there */
  } else {
    double ratio = cbrt((p->K_o / p->K_i) * (p->K_o / p->K_i)); /* ratio of the inner to the outer
                                                      * deflection */
    along = outer + (L - outer - inner) / (1 + ratio);
  }
  b[0] = along * n[0] - across * n[1], b[1] = along * n[1] + across * n[0];
}

/* Newton steps are halved until the residual decreases; near the solution this is never needed. */
static bool find_balance(const hk_ball *p, const double d[2], double half,
                         const hk_bearing_speed *w, double b[2], balance *out) {
  weigh(p, d, half, b, w, out);
  for (int round = 0; round < 60; round++) {
    double R[2][N_BY], f[2][N_BY], by_b[2][2], by_e[2][2], M[2][2], step[2], part = 1;
    by_scalars(&out->i, &out->o, &out->t, R, f);
    chain(R, &out->i, &out->o, by_b, by_e);
    for (int a = 0; a < 2; a++)
      for (int c = 0; c < 2; c++) M[a][c] = by_b[a][c] - by_e[a][c];
    if (!solve2(M, out->r, step)) return false;
    /* Quadratic convergence: after a step of 1e-7 of the deflection the error is about 1e-14. */
    if (hypot(step[0], step[1]) <= 1e-7 * fabs(out->o.length - p->l_o + half)) {
      b[0] -= step[0], b[1] -= step[1];
      weigh(p, d, half, b, w, out);
      return true;
    }
    balance next;
    double to[2];
    for (int half_steps = 0; half_steps < 30; half_steps++, part *= 0.5) {
      to[0] = b[0] - part * step[0], to[1] = b[1] - part * step[1];
      weigh(p, d, half, to, w, &next);
      if (next.size < out->size && next.i.Q + next.o.Q > 0) break;
    }
    bool better = next.size < out->size;
    if (better) *out = next, b[0] = to[0], b[1] = to[1];
    if (out->size <= 1e-15 * (out->i.Q + out->o.Q)) return true;
    if (!better) return out->size <= 1e-9 * (out->i.Q + out->o.Q);
  }
  return false;
}

static double bottom(const hk_ball *p, double half, double seen, double *Fc) {
  *Fc = 0.5 * p->mass * p->dm * seen * seen;
  return p->l_o - half + cbrt((*Fc / p->K_o) * (*Fc / p->K_o));
}

/* The ball at the bottom of the outer groove. Returns true if the inner race does not touch it
 * there, at the speed that it would have at the start of contact. */
static bool lie_free(const hk_ball *p, const double d[2], double half, const hk_bearing_speed *w,
                     hk_ball_load *out) {
  double by[N_BY], Fc, outer = isnan(w->cage) ? w->outer : 0;
  out->wm = isnan(w->cage) ? p->free_ratio * w->inner : w->cage;
  double at = bottom(p, half, out->wm + outer, &out->centrifugal);
  out->Q_o = out->centrifugal;
  out->n_i[0] = out->n_o[0] = 1;
  for (int round = 0; round < 2; round++) {
    const double L = hypot(d[0] - at, d[1]);
    const touch inner = {.c = (d[0] - at) / L, .s = d[1] / L}, below = {.c = 1};
    at = bottom(p, half, orbit(p, &inner, &below, w, by) + outer, &Fc);
  }
  return hypot(d[0] - at, d[1]) <= p->l_i - half;
}

HK_HOT HK_FLAT bool hk_ball_fast(const hk_ball *p, const double d[2], double size,
                                 const hk_bearing_speed *w, hk_ball_load *out) {
  balance at;
  double half = 0.5 * size, b[2];
  memset(out, 0, sizeof *out);
  if (lie_free(p, d, half, w, out)) return true;
  first_place(p, d, half, out->centrifugal, b);
  /* A lightly loaded ball may have no equilibrium: friction cannot resist its moment. Then it is
   * at the bottom of the outer groove. If the load of the grooves alone exceeds the centrifugal
   * force, an equilibrium must exist. */
  if (!find_balance(p, d, half, w, b, &at)) {
    double depth = hypot(d[0], d[1]) - p->A + size;
    return !(depth > 0) || p->K_n * depth * sqrt(depth) < out->centrifugal;
  }
  double R[2][N_BY], f[2][N_BY], R_b[2][2], R_e[2][2], f_b[2][2], f_e[2][2], M[2][2];
  by_scalars(&at.i, &at.o, &at.t, R, f);
  chain(R, &at.i, &at.o, R_b, R_e);
  chain(f, &at.i, &at.o, f_b, f_e);
  for (int a = 0; a < 2; a++)
    for (int c = 0; c < 2; c++) M[a][c] = R_b[a][c] - R_e[a][c];
  /* b_x = -M^-1 R_x;  f_x + (f_b - f_e) b_x */
  for (int c = 0; c < 4; c++) {
    const int n = c == 2 ? BY_W : BY_WO;
    const double r[2] = {c < 2 ? R_e[0][c] : R[0][n], c < 2 ? R_e[1][c] : R[1][n]};
    double x[2];
    if (!solve2(M, r, x)) return false;
    for (int a = 0; a < 2; a++) {
      double df = (c < 2 ? f_e[a][c] : f[a][n]) - (f_b[a][0] - f_e[a][0]) * x[0] -
                  (f_b[a][1] - f_e[a][1]) * x[1];
      if (c < 2)
        out->k[a][c] = -df;
      else
        out->f_w[c - 2][a] = df;
    }
  }
  out->f[0] = -at.i.Q * at.i.c - at.t.Ti[0];
  out->f[1] = -at.i.Q * at.i.s - at.t.Ti[1];
  out->Q_i = at.i.Q, out->Q_o = at.o.Q;
  out->n_i[0] = at.i.c, out->n_i[1] = at.i.s;
  out->n_o[0] = at.o.c, out->n_o[1] = at.o.s;
  out->wm = at.t.wm, out->centrifugal = at.t.Fc, out->gyro = at.t.Mg;
  out->k_i = at.i.k;
  return true;
}
