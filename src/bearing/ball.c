/* See ball.h: the equilibrium of a fast ball, by Newton's method for b.
 *
 * All quantities depend on the ball position `b` only through the loads Q and the contact angles of the two contacts.
 * Derivatives are taken with respect to these four numbers and to the speeds of the rings, and converted at the end to
 * derivatives with respect to `b` and d. */
#include "bearing/ball.h"
#include "base/hot.h"
#include <string.h>

/* Deflection, relative to the ball diameter, at which loads are micronewtons. If round-off prevents the equilibrium
 * at such small loads, the load without inertia forces is used. */
static const double SMALL = 1e-8;

static double length_of(double x, double y) { return sqrt(x * x + y * y); }

/* A contact at the distance `length` of the centres, along (c, s). */
typedef struct touch {
  double length, per, c, s, Q, k; /* per = 1/length, k = dQ/dlength */
} touch;

static touch press(double x, double y, double l, double K) {
  touch t;
  t.length = length_of(x, y);
  double delta = t.length - l, root = delta > 0 ? sqrt(delta) : 0;
  t.per = 1 / t.length;
  t.c = x * t.per, t.s = y * t.per;
  t.k = 1.5 * K * root;
  t.Q = delta > 0 ? K * root * delta : 0;
  return t;
}

/* Orbit speed and inertia.  Suffix _i, _o: derivative with respect to the angle of the inner and
 * of the outer contact; _w: with respect to the speed of the inner ring. */
typedef struct inertia {
  double wm, wm_i, wm_o, wm_w;
  double Fc, Fc_i, Fc_o;
  double Mg, m, m_i, m_o; /* m = M_g/D */
  /* fraction carried by the outer race, with its derivatives with respect to the loads */
  double lambda, by_i, by_o;
  double seen, X, turn, sine;
} inertia;

static bool inner_controls(const hk_ball *p) {
  return p->control == HK_BEARING_INNER_CONTROL && p->dynamics == HK_BEARING_GYROSCOPIC;
}

/* Speed relative to space. */
static double seen_speed(const hk_bearing_speed *w, double wm) {
  return isnan(w->cage) ? wm + w->outer : wm;
}

static void orbit(const hk_ball *p, const touch *i, const touch *o, const hk_bearing_speed *w,
                  inertia *out) {
  if (!isnan(w->cage)) {
    out->wm = w->cage;
    out->wm_i = out->wm_o = out->wm_w = 0;
    return;
  }
  double cross = i->c * o->c + i->s * o->s, sine = i->s * o->c - i->c * o->s, per = 1 / (1 + cross);
  bool inner = inner_controls(p);
  double top = inner ? cross - p->gp * o->c : 1 - p->gp * i->c, ratio = top * per;
  double top_i = inner ? -sine : p->gp * i->s, top_o = inner ? sine + p->gp * o->s : 0;
  out->wm = w->inner * ratio;
  out->wm_i = w->inner * per * (top_i + ratio * sine);
  out->wm_o = w->inner * per * (top_o - ratio * sine);
  out->wm_w = ratio;
}

static void share(const hk_ball *p, const touch *i, const touch *o, inertia *out) {
  double sum = i->Q + o->Q;
  out->lambda = p->control == HK_BEARING_INNER_CONTROL ? 0 : 2;
  out->by_i = out->by_o = 0;
  if (p->control != HK_BEARING_LOAD_SHARED || !(sum > 0)) return;
  out->lambda = 2 * o->Q / sum;
  out->by_i = -2 * o->Q / (sum * sum);
  out->by_o = 2 * i->Q / (sum * sum);
}

static void find_inertia(const hk_ball *p, const touch *i, const touch *o,
                         const hk_bearing_speed *w, inertia *out) {
  const double mr = 0.5 * p->mass * p->dm;
  orbit(p, i, o, w, out);
  out->seen = seen_speed(w, out->wm);
  out->Fc = mr * out->seen * out->seen;
  out->Fc_i = 2 * mr * out->seen * out->wm_i, out->Fc_o = 2 * mr * out->seen * out->wm_o;
  if (p->dynamics != HK_BEARING_GYROSCOPIC) {
    out->Mg = out->m = out->m_i = out->m_o = out->by_i = out->by_o = 0;
    out->X = out->sine = out->turn = 0;
    out->lambda = 2;
    return;
  }
  /* wR sin(beta) = X = turn sine */
  const bool inner = inner_controls(p);
  const double J = 0.1 * p->mass * p->D; /* moment of inertia divided by D */
  out->sine = (inner ? i->s : o->s) / p->gp;
  out->turn = inner ? w->inner - out->wm : out->wm;
  out->X = out->turn * out->sine;
  double X_i = (inner ? -out->wm_i : out->wm_i) * out->sine,
         X_o = (inner ? -out->wm_o : out->wm_o) * out->sine;
  if (inner)
    X_i += out->turn * i->c / p->gp;
  else
    X_o += out->turn * o->c / p->gp;
  out->m = J * out->seen * out->X;
  out->m_i = J * (out->wm_i * out->X + out->seen * X_i);
  out->m_o = J * (out->wm_o * out->X + out->seen * X_o);
  out->Mg = out->m * p->D;
  share(p, i, o, out);
}

/* All quantities of the equilibrium at one position `b` of the ball. */
typedef struct balance {
  touch i, o;
  inertia t;
  double r[2], size;
} balance;

static void weigh(const hk_ball *p, const double d[2], double half, const double b[2],
                  const hk_bearing_speed *w, balance *out) {
  const touch i = press(d[0] - b[0], d[1] - b[1], p->l_i - half, p->K_i),
              o = press(b[0], b[1], p->l_o - half, p->K_o);
  out->i = i, out->o = o;
  find_inertia(p, &i, &o, w, &out->t);
  const double outer = out->t.lambda * out->t.m, inner = (2 - out->t.lambda) * out->t.m;
  out->r[0] = i.Q * i.c - o.Q * o.c + out->t.Fc + outer * o.s - inner * i.s;
  out->r[1] = i.Q * i.s - o.Q * o.s - outer * o.c + inner * i.c;
  out->size = length_of(out->r[0], out->r[1]);
}

/* Derivatives of the residual R: with respect to `b` through the outer contact (matrix B), and with respect to e
 * through the inner contact (matrix E). The derivative of a direction (c, s) with respect to its angle is (-s, c). */
static void slopes(const balance *at, double B[2][2], double E[2][2]) {
  const touch *i = &at->i, *o = &at->o;
  const inertia *t = &at->t;
  const double ni[2] = {i->c, i->s}, no[2] = {o->c, o->s}, ti[2] = {-i->s, i->c},
               to[2] = {o->s, -o->c}, inner = 2 - t->lambda;
  for (int a = 0; a < 2; a++) {
    double more = t->m * (to[a] - ti[a]), Q_i = ni[a] + t->by_i * more,
           Q_o = -no[a] + t->by_o * more;
    double a_i =
        i->Q * ti[a] + t->lambda * t->m_i * to[a] + inner * (t->m_i * ti[a] - t->m * ni[a]);
    double a_o =
        o->Q * to[a] + t->lambda * (t->m_o * to[a] + t->m * no[a]) + inner * t->m_o * ti[a];
    if (a == 0) a_i += t->Fc_i, a_o += t->Fc_o;
    a_i *= i->per, a_o *= o->per, Q_i *= i->k, Q_o *= o->k;
    B[a][0] = Q_o * o->c - a_o * o->s, B[a][1] = Q_o * o->s + a_o * o->c;
    E[a][0] = Q_i * i->c - a_i * i->s, E[a][1] = Q_i * i->s + a_i * i->c;
  }
}

/* Computes the same derivatives for the force f = -Q_i n_i - (2 - lambda) m t_i. */
static void force_slopes(const balance *at, double B[2][2], double E[2][2]) {
  const touch *i = &at->i, *o = &at->o;
  const inertia *t = &at->t;
  const double ni[2] = {i->c, i->s}, ti[2] = {-i->s, i->c}, inner = 2 - t->lambda;
  for (int a = 0; a < 2; a++) {
    double Q_i = (t->by_i * t->m * ti[a] - ni[a]) * i->k, Q_o = t->by_o * t->m * ti[a] * o->k;
    double a_i = (-i->Q * ti[a] - inner * (t->m_i * ti[a] - t->m * ni[a])) * i->per;
    double a_o = -inner * t->m_o * ti[a] * o->per;
    B[a][0] = Q_o * o->c - a_o * o->s, B[a][1] = Q_o * o->s + a_o * o->c;
    E[a][0] = Q_i * i->c - a_i * i->s, E[a][1] = Q_i * i->s + a_i * i->c;
  }
}

static bool invert(double B[2][2], double E[2][2], double M[2][2]) {
  const double a = B[0][0] - E[0][0], b = B[0][1] - E[0][1], c = B[1][0] - E[1][0],
               d = B[1][1] - E[1][1], per = 1 / (a * d - b * c);
  M[0][0] = per * d, M[0][1] = -per * b, M[1][0] = -per * c, M[1][1] = per * a;
  return isfinite(per);
}

/* Initial position: both grooves load the ball equally; a lightly loaded ball is placed by the centrifugal force at
 * the outer intersection of both grooves.  `depth`: outer deflection under the centrifugal force. */
static void first_place(const hk_ball *p, const double d[2], double half, double depth,
                        double b[2]) {
  double L = length_of(d[0], d[1]), little = 0.5 * depth;
  double outer = p->l_o - half + little, inner = p->l_i - half + little;
  double along, across = 0, n[2] = {d[0] / L, d[1] / L};
  if (L < outer + inner) {
    along = 0.5 * (L * L + outer * outer - inner * inner) / L;
    across = sqrt(fmax(outer * outer - along * along, 0));
    if (n[1] > 0) across = -across; /* (-s, c) points inwards there */
  } else {
    along = outer + (L - outer - inner) * p->outer_part;
  }
  b[0] = along * n[0] - across * n[1], b[1] = along * n[1] + across * n[0];
}

/* Residual that the round-off of distances may cause. At small loads it exceeds a tolerance that is relative to the
 * loads. */
static double noise(const balance *at) {
  return 1e-15 * (at->i.k * at->i.length + at->o.k * at->o.length);
}

/* A lightly loaded ball has hardly any stiffness perpendicular to the contact direction. A long
 * step in this direction changes both deflections at second order, and this change may be larger
 * than the deflections. This function restores the equilibrium along the contact direction. */
static void settle(const hk_ball *p, const double d[2], double half, const hk_bearing_speed *w,
                   double b[2], balance *at) {
  for (int round = 0; round < 8; round++) {
    const double n[2] = {at->o.c, at->o.s}, k = at->i.k + at->o.k;
    if (!(k > 0)) return;
    const double step = (at->r[0] * n[0] + at->r[1] * n[1]) / k;
    b[0] += step * n[0], b[1] += step * n[1];
    weigh(p, d, half, b, w, at);
  }
}

/* db/dd = -M R_e */
static void move_with(double M[2][2], double E[2][2], double b_d[2][2]) {
  for (int a = 0; a < 2; a++)
    for (int c = 0; c < 2; c++) b_d[a][c] = -M[a][0] * E[0][c] - M[a][1] * E[1][c];
}

/* Newton steps are halved until the residual decreases; near the solution this is never needed. */
static bool find_balance(const hk_ball *p, const double d[2], double half,
                         const hk_bearing_speed *w, double b[2], double b_d[2][2], balance *out) {
  weigh(p, d, half, b, w, out);
  for (int round = 0; round < 60; round++) {
    double B[2][2], E[2][2], M[2][2], part = 1;
    slopes(out, B, E);
    if (!invert(B, E, M)) return false;
    move_with(M, E, b_d);
    const double step[2] = {M[0][0] * out->r[0] + M[0][1] * out->r[1],
                            M[1][0] * out->r[0] + M[1][1] * out->r[1]};
    /* Quadratic convergence: after a step of 1e-7 of the deflection the error is about 1e-14. */
    if (length_of(step[0], step[1]) <= 1e-7 * fabs(out->o.length - p->l_o + half)) {
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
      settle(p, d, half, w, to, &next);
      if (next.size < out->size && next.i.Q + next.o.Q > 0) break;
    }
    bool better = next.size < out->size && next.i.Q + next.o.Q > 0;
    if (better) *out = next, b[0] = to[0], b[1] = to[1];
    if (out->size <= 1e-15 * (out->i.Q + out->o.Q)) return true;
    if (!better) return out->size <= 1e-9 * (out->i.Q + out->o.Q) + noise(out);
  }
  return false;
}

/* Deflection of the outer race under the centrifugal force. */
static double depth_at(const hk_ball *p, double seen, double *Fc) {
  *Fc = 0.5 * p->mass * p->dm * seen * seen;
  return cbrt((*Fc / p->K_o) * (*Fc / p->K_o));
}

/* Places the ball at the bottom of the outer groove. Returns true if the inner race does not touch it there, at the
 * speed that it would have at the start of contact. */
static bool lie_free(const hk_ball *p, const double d[2], double half, const hk_bearing_speed *w,
                     double *depth, hk_ball_load *out) {
  const double ground = p->l_o - half, limit = p->l_i - half;
  out->wm = isnan(w->cage) ? p->free_ratio * w->inner : w->cage;
  *depth = depth_at(p, seen_speed(w, out->wm), &out->centrifugal);
  out->Q_o = out->centrifugal;
  out->n_i[0] = out->n_o[0] = 1;
  if (isnan(w->cage) && w->outer == 0) {
    /* A ball is not faster than its ring, and the depth is proportional to the power 4/3 of its speed. */
    const double most = *depth / (p->free_ratio * p->free_ratio);
    if (length_of(d[0] - ground - most, d[1]) > limit && d[0] > ground + most) return false;
  }
  double at = ground + *depth, Fc;
  for (int round = 0; round < 2; round++) {
    const double L = length_of(d[0] - at, d[1]);
    const touch inner = {.c = (d[0] - at) / L, .s = d[1] / L}, below = {.c = 1};
    inertia t;
    orbit(p, &inner, &below, w, &t);
    at = ground + depth_at(p, seen_speed(w, t.wm), &Fc);
  }
  return length_of(d[0] - at, d[1]) <= limit;
}

/* Derivatives of the force: b_x = -M^-1 R_x,  df = f_x + (f_b - f_e) b_x. */
static bool differentiate(const hk_ball *p, const balance *at, const hk_bearing_speed *w,
                          hk_ball_load *out) {
  double R_b[2][2], R_e[2][2], f_b[2][2], f_e[2][2], M[2][2], G[2][2];
  slopes(at, R_b, R_e);
  force_slopes(at, f_b, f_e);
  if (!invert(R_b, R_e, M)) return false;
  for (int a = 0; a < 2; a++)
    for (int c = 0; c < 2; c++)
      G[a][c] = (f_b[a][0] - f_e[a][0]) * M[0][c] + (f_b[a][1] - f_e[a][1]) * M[1][c];
  for (int a = 0; a < 2; a++)
    for (int c = 0; c < 2; c++)
      out->k[a][c] = G[a][0] * R_e[0][c] + G[a][1] * R_e[1][c] - f_e[a][c];
  const inertia *t = &at->t;
  const bool free = isnan(w->cage);
  const double by_seen[2] = {
      /* derivative of the absolute speed with respect to the two speeds of the rings */
      t->wm_w, free ? 1 : 0};
  const double by_turn[2] = {inner_controls(p) ? 1 - t->wm_w : t->wm_w, 0};
  for (int s = 0; s < 2; s++) {
    const double Fc = p->mass * p->dm * t->seen * by_seen[s],
                 m = 0.1 * p->mass * p->D * (by_seen[s] * t->X + t->seen * t->sine * by_turn[s]),
                 outer = t->lambda * m, inner = (2 - t->lambda) * m;
    const double R[2] = {Fc + outer * at->o.s - inner * at->i.s,
                         -outer * at->o.c + inner * at->i.c};
    out->f_w[s][0] = inner * at->i.s - G[0][0] * R[0] - G[0][1] * R[1];
    out->f_w[s][1] = -inner * at->i.c - G[1][0] * R[0] - G[1][1] * R[1];
  }
  return true;
}

/* Neighbours have nearly the same equilibrium, from which Newton's method needs a few iterations.  A start far outside of
 * the grooves must not be used: both loads are so large there that round-off of their sum looks like an equilibrium. */
static bool from_neighbour(const hk_ball *p, const double d[2], double half,
                           const hk_bearing_speed *w, const hk_ball_start *start,
                           hk_ball_start *here, balance *at) {
  /* relative to the ball diameter; the deflections of neighbouring balls differ by about this much */
  static const double FAR = 0.05;
  const double more[2] = {d[0] - start->d[0], d[1] - start->d[1]};
  double step[2];
  for (int a = 0; a < 2; a++) {
    step[a] = start->b_d[a][0] * more[0] + start->b_d[a][1] * more[1];
    here->b[a] = start->b[a] + step[a];
  }
  if (!(length_of(step[0], step[1]) < FAR * p->D)) return false;
  return find_balance(p, d, half, w, here->b, here->b_d, at);
}

HK_HOT HK_FLAT bool hk_ball_fast(const hk_ball *p, const double d[2], double size,
                                 const hk_bearing_speed *w, bool slopes, hk_ball_start *start,
                                 hk_ball_load *out) {
  balance at;
  double half = 0.5 * size, depth;
  hk_ball_start here = {.known = true, .d = {d[0], d[1]}};
  memset(out, 0, sizeof *out);
  if (lie_free(p, d, half, w, &depth, out)) return true;
  if (w->inner == 0 && w->outer == 0 && (isnan(w->cage) || w->cage == 0)) { /* at rest */
    hk_ball_static(p, d, size, out);
    return true;
  }
  bool found = start && start->known && from_neighbour(p, d, half, w, start, &here, &at);
  if (!found) {
    first_place(p, d, half, depth, here.b);
    found = find_balance(p, d, half, w, here.b, here.b_d, &at);
  }
  /* A lightly loaded ball may have no equilibrium, because friction cannot resist its gyroscopic moment. The ball is
   * then at the bottom of the outer groove. If the load of the grooves alone exceeds the centrifugal force, an
   * equilibrium must exist. */
  if (!found || (slopes && !differentiate(p, &at, w, out))) {
    double deep = length_of(d[0], d[1]) - p->A + size;
    const bool held = deep > 0 && p->K_n * deep * sqrt(deep) >= out->centrifugal;
    if (held && deep < SMALL * p->D) return hk_ball_static(p, d, size, out);
    return !held;
  }
  /* Pure rolling at both races: the orbit speed tends to infinity as the contact angles differ more and more. */
  out->thrown = isnan(w->cage) && at.i.Q > 0 && at.i.c * at.o.c + at.i.s * at.o.s < 0;
  if (out->thrown) return false;
  if (start) *start = here;
  const double inner = (2 - at.t.lambda) * at.t.m;
  out->f[0] = -at.i.Q * at.i.c + inner * at.i.s;
  out->f[1] = -at.i.Q * at.i.s - inner * at.i.c;
  out->Q_i = at.i.Q, out->Q_o = at.o.Q;
  out->n_i[0] = at.i.c, out->n_i[1] = at.i.s;
  out->n_o[0] = at.o.c, out->n_o[1] = at.o.s;
  out->wm = at.t.wm, out->centrifugal = at.t.Fc, out->gyro = at.t.Mg;
  out->k_i = at.i.k;
  return true;
}
