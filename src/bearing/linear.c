/* See linear.h. */
#include "bearing/linear.h"
#include <string.h>

enum { M = HK_BEARING_LINEAR, N = HK_BEARING_COORDINATES };

hk_status hk_bearing_linearise(hk_bearing *p, const hk_bearing_task *task, hk_error *err) {
  hk_bearing_balance b;
  hk_bearing_linear l = {.on = true};
  const char *failed = hk_bearing_hold(p, task, &b, NULL);
  if (failed) return hk_fail(err, HK_EINPUT, "it cannot be linearised: %s", failed);
  double stiff = 0;
  memcpy(l.q, b.q, sizeof l.q);
  memcpy(l.F, b.F, sizeof l.F);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < M; j++) {
      l.K[i][j] = b.K[i][j], l.C[i][j] = b.action.C[i][j];
      if (i == j && i < 3) stiff = fmax(stiff, l.K[i][j]);
    }
  if (!(stiff > 0))
    return hk_fail(err, HK_EINPUT,
                   "it cannot be linearised without a load: no element touches both rings; give "
                   "load, preload or a negative clearance");
  /* Evaluates the friction at the load, at a speed at which it is fully developed. */
  b.place.rate[HK_BEARING_TURN] = 100 * p->friction.rest;
  hk_bearing_action act;
  hk_bearing_act(p, &b.place, false, &act, NULL);
  const double w = b.place.rate[HK_BEARING_TURN], rest = p->friction.rest;
  l.drag = -act.friction - p->friction.viscous * w * pow(w * w + rest * rest, -1.0 / 6);
  p->linear = l;
  return HK_OK;
}

/* Change of the coordinates with displacements and rotations of the ring. */
static void rows_at(hk_vec3 n, double D[M][6]) {
  memset(D, 0, M * sizeof *D);
  for (int i = 0; i < 3; i++) D[i][i] = 1;
  D[3][3] = n.z, D[3][5] = -n.x;
  D[4][4] = n.z, D[4][5] = -n.y;
}

static void add_tangent(const hk_bearing_linear *l, const hk_bearing_place *at, hk_vec3 n,
                        double D[M][6], const double f[M], hk_bearing_action *out) {
  const double *v = at->rate;
  /* Change of the rates D v of the tilt at constant v. */
  const double R[2][3] = {{v[3] * n.y, -v[3] * n.x - v[5] * n.z, v[5] * n.y},
                          {v[4] * n.y + v[5] * n.z, -v[4] * n.x, -v[5] * n.x}};
  for (int i = 0; i < M; i++) {
    double W[6] = {0}, V[6] = {0};
    for (int j = 0; j < M; j++)
      for (int a = 0; a < 6; a++) W[a] += l->K[i][j] * D[j][a], V[a] += l->C[i][j] * D[j][a];
    for (int j = 0; j < 2; j++)
      for (int a = 0; a < 3; a++) W[3 + a] += l->C[i][3 + j] * R[j][a];
    for (int a = 0; a < 6; a++)
      for (int b = 0; b < 6; b++) out->K[a][b] += D[i][a] * W[b], out->C[a][b] += D[i][a] * V[b];
  }
  out->K[3][3] -= f[3] * n.y, out->K[3][4] += f[3] * n.x;
  out->K[5][4] += f[3] * n.z, out->K[5][5] -= f[3] * n.y;
  out->K[4][3] -= f[4] * n.y, out->K[4][4] += f[4] * n.x;
  out->K[5][5] += f[4] * n.x, out->K[5][3] -= f[4] * n.z;
}

void hk_bearing_act_linear(const hk_bearing *p, const hk_bearing_place *at, bool tangent,
                           hk_bearing_action *out) {
  const hk_bearing_linear *l = &p->linear;
  const hk_vec3 n = hk_column(&at->Q, 2);
  const double q[M] = {at->u.x, at->u.y, at->u.z, -n.y, n.x};
  double D[M][6], x[M], rate[M] = {0}, f[M];
  rows_at(n, D);
  for (int i = 0; i < M; i++) {
    x[i] = q[i] - l->q[i];
    for (int a = 0; a < 6; a++) rate[i] += D[i][a] * at->rate[a];
  }
  for (int i = 0; i < M; i++) {
    f[i] = l->F[i];
    out->potential -= l->F[i] * x[i];
    for (int j = 0; j < M; j++) {
      const double even = 0.5 * (l->K[i][j] + l->K[j][i]), odd = l->K[i][j] - even;
      f[i] -= l->K[i][j] * x[j] + l->C[i][j] * rate[j];
      out->potential += 0.5 * even * x[i] * x[j];
      out->applied -= odd * x[j] * rate[i]; /* the part due to inertia of the balls has no
                                             * potential */
      out->dissipated += l->C[i][j] * rate[i] * rate[j];
      out->moves = out->moves || l->C[i][j] != 0;
    }
  }
  for (int i = 0; i < M; i++)
    for (int a = 0; a < 6; a++) out->Q[a] += f[i] * D[i][a];
  if (tangent) add_tangent(l, at, n, D, f, out);
}
