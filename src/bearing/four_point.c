/* See four_point.h. */
#include "bearing/four_point.h"
#include <string.h>

typedef struct arc {
  /* direction from the outer centre to the ball, or from the ball to the inner centre */
  double n[2];
  double Q, k, across, V;
} arc;

typedef struct trial {
  arc arc[4]; /* outer two, then inner two */
  double V, g[2], H[2][2], load;
} trial;

static arc press(const double v[2], double l, double K) {
  double L = sqrt(v[0] * v[0] + v[1] * v[1]), depth = L - l;
  arc a = {.n = {v[0] / L, v[1] / L}};
  if (!(depth > 0)) return a;
  double root = sqrt(depth);
  a.Q = K * root * depth;
  a.k = 1.5 * K * root;
  a.across = a.Q / L;
  a.V = 0.4 * a.Q * depth;
  return a;
}

/* k n n^T + across (1 - n n^T) */
static double bend(const arc *a, int i, int j) {
  return (a->k - a->across) * a->n[i] * a->n[j] + (i == j ? a->across : 0);
}

static void weigh(const hk_ball *ball, const double centre[4][2], double half, double Fc,
                  const double b[2], trial *t) {
  memset(t, 0, sizeof *t);
  for (int i = 0; i < 4; i++) {
    const bool outer = i < 2;
    const double sign = outer ? 1 : -1,
                 v[2] = {sign * (b[0] - centre[i][0]), sign * (b[1] - centre[i][1])};
    t->arc[i] = press(v, (outer ? ball->l_o : ball->l_i) - half, outer ? ball->K_o : ball->K_i);
    t->V += t->arc[i].V;
    t->load += t->arc[i].Q;
    for (int a = 0; a < 2; a++) {
      t->g[a] += sign * t->arc[i].Q * t->arc[i].n[a];
      for (int c = 0; c < 2; c++) t->H[a][c] += bend(&t->arc[i], a, c);
    }
  }
  t->V -= Fc * (b[0] - centre[0][0]);
  t->g[0] -= Fc;
}

static bool solve2(double M[2][2], const double r[2], double x[2]) {
  double det = M[0][0] * M[1][1] - M[0][1] * M[1][0];
  if (!(fabs(det) > 0)) return false;
  x[0] = (M[1][1] * r[0] - M[0][1] * r[1]) / det;
  x[1] = (M[0][0] * r[1] - M[1][0] * r[0]) / det;
  return isfinite(x[0]) && isfinite(x[1]);
}

/* Negligible force, relative to the force of a relative deflection of 1e-6. */
static double no_force(const hk_ball *ball) { return 1e-9 * ball->K_n * pow(1e-6 * ball->D, 1.5); }

/* Effect of the round-off of the ball position on the forces. */
static double rounding(const trial *t, const double b[2]) {
  return 4e-16 * fabs(b[0]) * (t->H[0][0] + t->H[1][1]);
}

static bool find_place(const hk_ball *ball, const double centre[4][2], double half, double Fc,
                       double b[2], trial *t) {
  const double none = no_force(ball), soft = 1e-12 * ball->K_n * sqrt(1e-6 * ball->D);
  weigh(ball, centre, half, Fc, b, t);
  for (int round = 0; round < 100; round++) {
    double step[2], to[2], part = 1, force = t->load + Fc;
    if (force <= none || hypot(t->g[0], t->g[1]) <= 1e-15 * force + rounding(t, b)) return true;
    double H[2][2] = {{t->H[0][0] + soft, t->H[0][1]}, {t->H[1][0], t->H[1][1] + soft}};
    if (!solve2(H, t->g, step)) return false;
    /* H has no meaning without contact, so the step is limited */
    part = fmin(1, 0.05 * ball->A / hypot(step[0], step[1]));
    trial next;
    bool better = false;
    for (int cut = 0; cut < 40 && !better; cut++, part *= 0.5) {
      to[0] = b[0] - part * step[0], to[1] = b[1] - part * step[1];
      weigh(ball, centre, half, Fc, to, &next);
      better = next.V < t->V || hypot(next.g[0], next.g[1]) < hypot(t->g[0], t->g[1]);
    }
    if (!better) return hypot(t->g[0], t->g[1]) <= 1e-9 * force + 10 * rounding(t, b);
    *t = next;
    b[0] = to[0], b[1] = to[1];
  }
  return hypot(t->g[0], t->g[1]) <= 1e-9 * (t->load + Fc);
}

bool hk_four_point_press(const hk_ball *ball, const hk_four_point *p, const double d[4],
                         double size, const hk_bearing_speed *w, bool fast,
                         hk_four_point_load *out) {
  double wm = isnan(w->cage) ? ball->free_ratio * w->inner : w->cage;
  double seen = isnan(w->cage) ? wm + w->outer : wm;
  double Fc = fast ? 0.5 * ball->mass * ball->dm * seen * seen : 0;
  double centre[4][2], b[2];
  trial t;
  memcpy(centre, p->outer, sizeof p->outer);
  for (int i = 0; i < 4; i++) centre[2 + i / 2][i % 2] = p->inner[i / 2][i % 2] + d[i];
  b[0] = 0.25 * (centre[0][0] + centre[1][0] + centre[2][0] + centre[3][0]);
  b[1] = 0.25 * (centre[0][1] + centre[1][1] + centre[2][1] + centre[3][1]);
  memset(out, 0, sizeof *out);
  if (!find_place(ball, centre, 0.5 * size, Fc, b, &t)) return false;
  out->wm = wm, out->centrifugal = Fc;
  if (t.load + Fc <= no_force(ball)) return true; /* not loaded */
  out->potential = t.V;
  /* Y = db/dd = -H^-1 V_bd = H^-1 (stiffness of the inner contacts): displacement of the ball per displacement of the
   * inner race; by_Fc = -db/dF_c. */
  double by_Fc[2], e[2] = {-1, 0}, Y[2][4];
  if (!solve2(t.H, e, by_Fc)) return false;
  for (int j = 0; j < 4; j++) {
    const double r[2] = {bend(&t.arc[2 + j / 2], 0, j % 2), bend(&t.arc[2 + j / 2], 1, j % 2)};
    double x[2];
    if (!solve2(t.H, r, x)) return false;
    Y[0][j] = x[0], Y[1][j] = x[1];
  }
  for (int i = 0; i < 4; i++) {
    const arc *a = &t.arc[2 + i / 2];
    out->f[i] = -a->Q * a->n[i % 2];
    for (int j = 0; j < 4; j++) {
      out->k[i][j] = i / 2 == j / 2 ? bend(a, i % 2, j % 2) : 0;
      for (int n = 0; n < 2; n++) out->k[i][j] -= bend(a, i % 2, n) * Y[n][j];
    }
    /* f = -Q n; a displacement of the ball by -by_Fc dF_c relieves the inner contact */
    double f_F = -(bend(a, i % 2, 0) * by_Fc[0] + bend(a, i % 2, 1) * by_Fc[1]);
    double F_w = ball->mass * ball->dm * seen;
    if (fast && isnan(w->cage))
      out->f_w[0][i] = f_F * F_w * ball->free_ratio, out->f_w[1][i] = f_F * F_w;
  }
  for (int i = 0; i < 2; i++) {
    out->Q_o[i] = t.arc[i].Q, out->Q_i[i] = t.arc[2 + i].Q;
    memcpy(out->n_o[i], t.arc[i].n, sizeof out->n_o[i]);
    memcpy(out->n_i[i], t.arc[2 + i].n, sizeof out->n_i[i]);
  }
  return true;
}
