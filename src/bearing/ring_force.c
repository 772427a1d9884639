/* See ring_force.h. */
#include "bearing/ring_force.h"
#include "bearing/ring_force_fast.h"
#include "bearing/defect.h"
#include "bearing/element.h"
#include "bearing/linear.h"
#include "bearing/point.h"
#include <stddef.h>
#include <string.h>

enum { N = HK_BEARING_COORDINATES };

HK_INLINE double dot8(const double a[N], const double b[N]) {
  double sum = 0;
  for (int i = 0; i < N; i++) sum += a[i] * b[i];
  return sum;
}

/* Change of the rate D.v in one direction g of the half plane with position, at constant v. */
HK_INLINE void rate_row(const hk_pierce *k, hk_vec3 g, const double v[N], double row[N]) {
  double Et[N], A[N];
  hk_pierce_row(hk_v3(-k->s, k->c, 0), k->p, Et);
  hk_pierce_turn(k, g, Et, A);
  hk_vec3 turned = hk_cross(g, hk_v3(v[3], v[4], v[5]));
  double across = 0, r = turned.x * k->c + turned.y * k->s;
  for (int i = 0; i < 6; i++) across += Et[i] * v[i];
  for (int i = 0; i < 6; i++) row[i] = r * k->Dr[i] + turned.z * k->Dz[i] - across * A[i];
  row[0] -= turned.x, row[1] -= turned.y, row[2] -= turned.z;
  row[6] = row[7] = 0;
}

/* K += D_0 (k_0 X)^T + D_1 (k_1 X)^T for the two rows of a point, where k X is the sum of k_b X_b over m rows. */
HK_INLINE void add_products(const double *D0, const double *D1, const double *k0, const double *k1,
                            const double *const *X, int m, double K[N][N]) {
  for (int half = 0; half < N; half += 4) {
    hk_v4 W0 = k0[0] * HK_V4C(X[0] + half), W1 = k1[0] * HK_V4C(X[0] + half);
    for (int b = 1; b < m; b++) {
      const hk_v4 x = HK_V4C(X[b] + half);
      W0 += k0[b] * x, W1 += k1[b] * x;
    }
#pragma GCC unroll 8
    for (int i = 0; i < N; i++) HK_V4(K[i] + half) += D0[i] * W0 + D1[i] * W1;
  }
}

/* Adds the derivatives of an element. D: its rows, 2 for each point. */
HK_INLINE void add_tangent(const hk_bearing_place *at, const hk_pierce *point, int points,
                           const hk_defect *h, const hk_element_out *e, bool damped,
                           hk_bearing_action *out) {
  const int m = 2 * points;
  const double *D[HK_ELEMENT_ROWS], *rates[HK_ELEMENT_ROWS];
  double B[HK_ELEMENT_ROWS][N];
  for (int i = 0; i < points; i++) D[2 * i] = point[i].Dr, D[2 * i + 1] = point[i].Dz;
  for (int i = 0; i < points && damped; i++) {
    rates[2 * i] = B[2 * i], rates[2 * i + 1] = B[2 * i + 1];
    memset(B[2 * i], 0, sizeof B[0]), memset(B[2 * i + 1], 0, sizeof B[0]);
    if (!at->linear) {
      rate_row(&point[i], hk_pierce_gr(&point[i]), at->rate, B[2 * i]);
      rate_row(&point[i], hk_pierce_gz(&point[i]), at->rate, B[2 * i + 1]);
    }
    for (int a = 0; a < 2; a++)
      B[2 * i][6 + a] -= h->bend[a][0] * at->rate[6] + h->bend[a][1] * at->rate[7];
  }
  for (int a = 0; a < m; a += 2) {
    add_products(D[a], D[a + 1], e->k[a], e->k[a + 1], D, m, out->K);
    if (!damped) continue;
    add_products(D[a], D[a + 1], e->c[a], e->c[a + 1], rates, m, out->K);
    add_products(D[a], D[a + 1], e->c[a], e->c[a + 1], D, m, out->C);
  }
  for (int i = 0; i < points; i++) {
    if (!at->linear) hk_add_geometric(&point[i], e->f[2 * i], e->f[2 * i + 1], out->K);
    for (int a = 0; a < 4; a++) out->K[6 + a / 2][6 + a % 2] += e->f[2 * i] * h->bend[a / 2][a % 2];
  }
}

static void add_friction(const hk_bearing *p, const hk_bearing_place *at, const hk_bearing_drag *d,
                         bool tangent, hk_bearing_action *out) {
  const hk_bearing_friction *r = &p->friction;
  double w = at->rate[HK_BEARING_TURN], sign = tanh(w / r->rest);
  double size2 = w * w + r->rest * r->rest;
  const double root = r->viscous > 0 ? pow(size2, -1.0 / 6) : 0;
  double M = d->sum * sign + r->viscous * w * root;
  out->Q[HK_BEARING_TURN] -= M;
  out->friction = -M;
  out->dissipated += M * w;
  out->moves = true;
  if (!tangent) return;
  for (int j = 0; j < N; j++) out->K[HK_BEARING_TURN][j] += sign * d->row[j];
  out->C[HK_BEARING_TURN][HK_BEARING_TURN] +=
      d->sum * (1 - sign * sign) / r->rest + r->viscous * root * (1 - w * w / (3 * size2));
}

typedef struct pass {
  const hk_bearing *p;
  const hk_bearing_place *at;
  hk_bearing_action *out;
  hk_bearing_drag drag;
  bool tangent;
  hk_ball_start start; /* start for the next ball of the row */
} pass;

HK_HOT static const char *add_element(pass *s, int row, int k, hk_bearing_element *tell) {
  const hk_bearing *p = s->p;
  const hk_bearing_place *at = s->at;
  const hk_bearing_row *r = &p->row[row];
  hk_bearing_action *out = s->out;
  hk_pierce point[2];
  hk_defect h = {0};
  hk_element_out e;
  double d[HK_ELEMENT_ROWS], rate[HK_ELEMENT_ROWS];
  const double c = p->cosine[k], sn = p->sine[k];
  const bool inertia = p->dynamics != HK_BEARING_STATIC, damped = p->damping > 0;
  bool loaded, rows = inertia || damped;
  if (p->defects) hk_defect_at(p, k, at->cage, at->turn, &h);
  for (int i = 0; i < p->points; i++) {
    if (!hk_point_find(at, r, i, c, sn, &point[i])) return "the rings are too far from each other";
    d[2 * i] = point[i].I[0] - r->from[i][0] - h.h;
    d[2 * i + 1] = point[i].I[1] - r->from[i][1];
    if (!rows) continue;
    hk_point_rows(at, r, i, c, sn, &point[i]);
    point[i].Dr[6] = -h.by[0], point[i].Dr[7] = -h.by[1];
    rate[2 * i] = dot8(point[i].Dr, at->rate);
    rate[2 * i + 1] = dot8(point[i].Dz, at->rate);
  }
  if (!rows) memset(rate, 0, sizeof rate);
  const hk_element_in in = {row, k, d, rate, &at->speed, s->tangent, &s->start};
  const char *failed = hk_element_press(p, &in, &loaded, &e, tell);
  if (tell) memcpy(tell->d, d, sizeof(double) * 2 * (size_t)p->points);
  if (failed || !loaded) return failed;
  out->potential += e.potential;
  out->dissipated += e.dissipated;
  out->applied += e.applied;
  s->drag.sum += e.drag;
  for (int i = 0; i < p->points; i++) {
    if (!rows) {
      hk_point_rows(at, r, i, c, sn, &point[i]);
      point[i].Dr[6] = -h.by[0], point[i].Dr[7] = -h.by[1];
    }
    const double f_r = e.f[2 * i], f_z = e.f[2 * i + 1];
    for (int j = 0; j < N; j += 4) {
      const hk_v4 r_j = HK_V4C(point[i].Dr + j), z_j = HK_V4C(point[i].Dz + j);
      HK_V4(out->Q + j) += f_r * r_j + f_z * z_j;
      if (s->tangent) HK_V4(s->drag.row + j) += e.drag_d[2 * i] * r_j + e.drag_d[2 * i + 1] * z_j;
    }
    for (int w = 0; w < 2 && inertia && s->tangent; w++)
      for (int j = 0; j < N; j++)
        out->Q_w[w][j] += e.f_w[w][2 * i] * point[i].Dr[j] + e.f_w[w][2 * i + 1] * point[i].Dz[j];
  }
  if (s->tangent) add_tangent(at, point, p->points, &h, &e, damped, out);
  return NULL;
}

static const char *add_elements(pass *s, hk_bearing_element *element) {
  const hk_bearing *p = s->p;
  s->out->moves = p->damping > 0;
  for (int row = 0; row < p->rows; row++) {
    s->start.known = false;
    for (int k = 0; k < p->n; k++) {
      hk_bearing_element *tell = element ? &element[row * p->n + k] : NULL;
      if (tell) memset(tell, 0, sizeof *tell);
      const char *failed = add_element(s, row, k, tell);
      if (failed) return failed;
    }
  }
  return NULL;
}

const char *hk_bearing_act(const hk_bearing *p, const hk_bearing_place *at, bool tangent,
                           hk_bearing_action *out, hk_bearing_element *element) {
  pass s = {.p = p, .at = at, .out = out, .tangent = tangent};
  memset(out, 0, tangent ? sizeof *out : offsetof(hk_bearing_action, K));
  if (p->linear.on) {
    hk_bearing_act_linear(p, at, tangent, out);
    if (element) memset(element, 0, sizeof *element * (size_t)(p->rows * p->n));
    s.drag.sum = p->linear.drag;
    add_friction(p, at, &s.drag, tangent, out);
    return NULL;
  }
  const char *failed = !element && hk_bearing_is_plain(p)
                           ? hk_bearing_act_plain(p, at, tangent, out, &s.drag)
                           : add_elements(&s, element);
  if (failed) return failed;
  if (p->friction.load > 0 || p->friction.spin > 0 || p->friction.viscous > 0)
    add_friction(p, at, &s.drag, tangent, out);
  return NULL;
}
