/* Beginning and end of sliding in space.
 *
 * In a plane the velocity u of a sliding point satisfies u' = a - p u/|u|, where p is the
 * maximum effect of friction. The direction of u changes at a rate of about p/|u|, which is unbounded as |u| goes to
 * zero, at the beginning of sliding as at its end, so that an explicit method would need steps that decrease with |u|.
 * Such steps use the method Radau IIA with three stages, of order five and stiffly accurate [HairerWanner1996, IV.5,
 * IV.8]. Of its equations only the velocities u of the slow points at the stages are solved by Newton's method, with
 *
 *   d u_i = -h sum_j A_ij B d(u_j/|u_j|),   B = mobility of the points along their tangents, times mu N
 *
 * with all other held directions fixed; the rest of the motion is not stiff and is iterated
 * until it converges.
 *
 * A point that comes to rest is approached by steps that halve the remaining time. When the
 * remaining sliding distance is far below the tolerance of positions, the direction is kept
 * constant, and the instant of rest is located like any other event. */
#include "integrator/impact/event_driven.h"
#include "base/small_lu.h"
#include <string.h>

enum { STAGES = 3, MOST_SWEEPS = 60 };
#define ROOT6 2.449489742783178
static const double C[STAGES] = {(4 - ROOT6) / 10, (4 + ROOT6) / 10, 1};
/* Weights of the stages 0 (the start), 1, 2, 3. */
static const double A[STAGES][1 + STAGES] = {
    {0, (88 - 7 * ROOT6) / 360, (296 - 169 * ROOT6) / 1800, (-2 + 3 * ROOT6) / 225},
    {0, (296 + 169 * ROOT6) / 1800, (88 + 7 * ROOT6) / 360, (-2 - 3 * ROOT6) / 225},
    {0, (16 - ROOT6) / 36, (16 + ROOT6) / 36, 1.0 / 9}};

/* Weights d_i of the local error, gamma (h K_0 + sum_i d_i z_i) with the increment z_i of stage i
 * [HairerWanner1996, IV.8.19]. */
void hk_event_slow_error(double weight[4]) {
  static const double gamma = 0.27488882959567734;
  static const double d[STAGES] = {-(13 + 7 * ROOT6) / 3, (-13 + 7 * ROOT6) / 3, -1.0 / 3};
  weight[0] = gamma;
  for (int j = 1; j <= STAGES; j++) {
    weight[j] = 0;
    for (int i = 0; i < STAGES; i++) weight[j] += gamma * d[i] * A[i][j];
  }
}

/* ---- which points, and how far ---- */

static bool slides_in_space(const hk_event_driven *e, int i) {
  return e->point[i].mode == HK_MODE_SLIP && e->row[i].tangents == 2 && e->row[i].mu > 0 &&
         !e->point[i].frozen;
}

/* Maximum effect of friction on each slow point, as an acceleration; returns their number. */
static int find_pull(hk_sim *s, hk_event_driven *e) {
  int candidates = 0, j = 0;
  for (int i = 0; i < e->n; i++) candidates += e->point[i].slow = slides_in_space(e, i);
  if (candidates == 0) return 0;
  int m = hk_event_mobility(s, e);
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    if (!p->slow) continue;
    double most = e->row[i].mu * p->force[HK_DIR_N];
    p->pull = 0;
    for (int b = j; b < j + 2; b++) {
      p->pull = fmax(p->pull, most * e->mobility[b * m + b]);
      for (int a = 0; a < m; a++) e->mobility[a * m + b] *= most;
    }
    j += 2;
  }
  return candidates;
}

/* A point is practically at rest if one of three quantities is below its limit: the remaining sliding distance
 * (rest_way, as a fraction of the tolerance), the velocity (rest_speed, as a fraction of the largest velocity), or the
 * remaining time (rest_time, as a fraction of the present time, at least of 1 s). */
static const double rest_way = 1e-5, rest_speed = 1e-9, rest_time = 1e-11;

/* Limits the step of points that come to rest to half of the remaining time; keeps the sliding direction constant for
 * points that are practically at rest. */
static double halve_time_left(const hk_sim *s, hk_event_driven *e, double h, bool *frozen) {
  const double near = rest_way * hk_tolerance(s);
  const double moment = rest_time * fmax(1, fabs(e->start[s->model->at.t]));
  *frozen = false;
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    if (!p->slow) continue;
    double v = 0, a = 0;
    for (int k = 0; k < 2; k++) {
      v += p->slip[k] * p->rate[1 + k];
      a += p->slip[k] * (hk_event_along(&e->row[i], 1 + k, e->z) + p->bias[1 + k]);
    }
    double left = a < 0 ? -v / a : INFINITY, change = p->pull * left;
    /* the point comes to rest only after this step, or sliding has just begun */
    if (!(v > 1e-13 * e->speed) || !(left < 2 * h)) continue;
    if (0.5 * change * left <= near || change <= rest_speed * e->speed || left < moment)
      p->frozen = *frozen = true;
    h = fmin(h, (p->frozen ? 4 : 0.5) * left);
  }
  return h;
}

/* Computes velocity, acceleration and direction of every slow point at the start of the step. */
static void keep_start(hk_event_driven *e) {
  const int m = 2 * e->n_slow;
  double *u = e->u, *a = u + m, *slip = a + m;
  for (int i = 0; i < e->n; i++) {
    const hk_event_point *p = &e->point[i];
    for (int k = 0; k < 2 && p->slow; k++) {
      *u++ = p->rate[1 + k];
      *a++ = hk_event_along(&e->row[i], 1 + k, e->z) + p->bias[1 + k];
      *slip++ = p->slip[k];
    }
  }
}

double hk_event_near_rest(hk_sim *s, hk_event_driven *e, double h) {
  bool any = false, frozen;
  e->n_slow = 0;
  int candidates = find_pull(s, e);
  if (candidates == 0) return h;
  h = halve_time_left(s, e, h, &frozen);
  if (frozen) candidates = find_pull(s, e);
  for (int i = 0; i < e->n; i++) {
    const hk_event_point *p = &e->point[i];
    any = any || (p->slow && hypot(p->rate[HK_DIR_T], p->rate[HK_DIR_S]) < 2 * h * p->pull);
  }
  if (any && candidates <= HK_EVENT_MOST_SLOW) e->n_slow = candidates;
  for (int i = 0; i < e->n && e->n_slow == 0; i++) e->point[i].slow = false;
  if (e->n_slow) keep_start(e);
  return h;
}

/* ---- the step ---- */

static double *stage(const hk_event_driven *e, int i) {
  return e->K + (size_t)i * (size_t)e->width;
}

/* Velocities at the stages, extrapolated from the start. */
static void guess(const hk_event_driven *e, double h, double *u) {
  const int m = 2 * e->n_slow;
  const double *u0 = e->u, *a0 = u0 + m, *slip = a0 + m;
  for (int i = 0; i < STAGES; i++)
    for (int j = 0; j < m; j += 2) {
      double *x = u + i * m + j, along = 0;
      for (int k = 0; k < 2; k++) {
        x[k] = u0[j + k] + C[i] * h * a0[j + k];
        along += x[k] * slip[j + k];
      }
      along = fmax(along, 1e-14 * e->speed);
      for (int k = 0; k < 2; k++) x[k] = along * slip[j + k];
    }
}

static void set_directions(hk_event_driven *e, const double *u) {
  for (int i = 0; i < e->n; i++) {
    hk_event_point *p = &e->point[i];
    if (!p->slow) continue;
    double size = hypot(u[0], u[1]);
    for (int k = 0; k < 2 && size > 0; k++) p->slip[k] = u[k] / size;
    u += 2;
  }
}

/* Recomputes all stages from the present K; *moved is their change relative to the tolerance. */
static hk_status sweep(hk_sim *s, hk_event_driven *e, double h, const double *u, double *moved) {
  const hk_model *m = s->model;
  const int slow = 2 * e->n_slow;
  const size_t bytes = (size_t)e->width * sizeof *e->K;
  for (int i = 0; i < STAGES; i++) {
    set_directions(e, u + i * slow);
    hk_status status = hk_event_stage(s, e, h, C[i], A[i], 1 + STAGES, 1 + STAGES + i);
    if (status) return status;
    memcpy(e->at_stage + (size_t)i * (size_t)e->n, e->row, (size_t)e->n * sizeof *e->row);
  }
  *moved = 0;
  for (int i = 0; i < STAGES; i++) {
    double *old = stage(e, 1 + i), *new = stage(e, 1 + STAGES + i);
    for (int part = 0; part < 2; part++) {
      for (int k = 0; k < m->nv; k++)
        e->d[k] = h * (new[part * m->nv + k] - old[part * m->nv + k]) * (part ? h : 1);
      *moved = fmax(*moved, hk_error_norm(s, e->d));
    }
    memcpy(old, new, bytes);
  }
  return HK_OK;
}

/* r = velocities of the slow points that follow from the present stages, minus u. Returns the largest difference
 * relative to its u; the differences have the round-off of the largest velocities. */
static double residual(const hk_sim *s, hk_event_driven *e, double h, const double *u, double *r) {
  const hk_model *m = s->model;
  const int slow = 2 * e->n_slow;
  double worst = 0;
  for (int i = 0; i < STAGES; i++) {
    for (int k = 0; k < m->nv; k++) {
      e->v[k] = e->start[m->at.v + k];
      for (int j = 1; j <= STAGES; j++) e->v[k] += h * A[i][j] * stage(e, j)[m->nv + k];
    }
    for (int p = 0, j = i * slow; p < e->n; p++) {
      if (!e->point[p].slow) continue;
      const hk_contact_row *row = &e->at_stage[i * e->n + p];
      for (int k = 0; k < 2; k++) r[j + k] = hk_contact_row_rate(row, 1 + k, e->v) - u[j + k];
      worst = fmax(worst, hypot(r[j], r[j + 1]) / (hypot(u[j], u[j + 1]) + 1e-5 * e->speed));
      j += 2;
    }
  }
  return worst;
}

/* I + h A x (B P/|u|), where x is the Kronecker product and P projects onto the direction perpendicular to u. */
static void newton_matrix(const hk_event_driven *e, double h, const double *u) {
  const int m = 2 * e->n_slow, n = STAGES * m;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j += 2) {
      const double *x = u + j, size = hypot(x[0], x[1]);
      const double across[2] = {-x[1] / size, x[0] / size};
      const double *B = e->mobility + (i % m) * m + j % m;
      double f = h * A[i / m][1 + j / m] * (B[0] * across[0] + B[1] * across[1]) / size;
      for (int k = 0; k < 2; k++) e->newton[i * n + j + k] = (i == j + k) + f * across[k];
    }
}

/* A correction rotates a direction by at most 45 degrees. */
static void correct(const hk_event_driven *e, const double *du, double *u) {
  for (int j = 0; j < STAGES * 2 * e->n_slow; j += 2) {
    double size = hypot(u[j], u[j + 1]), along[2] = {u[j] / size, u[j + 1] / size};
    double fore = size + du[j] * along[0] + du[j + 1] * along[1];
    double across = du[j + 1] * along[0] - du[j] * along[1];
    fore = fmax(fore, 0.1 * size);
    across = fmax(-fore, fmin(fore, across));
    u[j] = fore * along[0] - across * along[1];
    u[j + 1] = fore * along[1] + across * along[0];
  }
}

/* Accepted change of directions in an iteration; accepted error of the velocities; error that is accepted if it no
 * longer decreases. */
static const double settled = 1e-5, exact = 1e-11, nearly_exact = 1e-8;

hk_status hk_event_integrate_slow(hk_sim *s, hk_event_driven *e, double h) {
  const int n = STAGES * 2 * e->n_slow;
  double *u = e->u + 6 * e->n_slow, moved = 0, worst = INFINITY;
  double pivot[STAGES * 2 * HK_EVENT_MOST_SLOW];
  guess(e, h, u);
  for (int i = 1; i <= STAGES; i++) hk_copy(stage(e, i), stage(e, 0), e->width);
  for (int count = 0; count < MOST_SWEEPS; count++) {
    hk_status status = sweep(s, e, h, u, &moved);
    if (status) return status;
    double last = worst;
    worst = residual(s, e, h, u, e->du);
    if (!isfinite(worst) || !isfinite(moved)) return HK_RETRY;
    if (moved <= settled && (worst <= exact || (worst <= nearly_exact && worst >= 0.5 * last))) {
      set_directions(e, u + n - 2 * e->n_slow);
      return hk_event_stage(s, e, h, C[STAGES - 1], A[STAGES - 1], 1 + STAGES, 2 * STAGES);
    }
    newton_matrix(e, h, u);
    if (!hk_small_lu_factor(e->newton, pivot, n, 0)) return HK_RETRY;
    hk_small_lu_solve(e->newton, pivot, n, e->du, 1);
    correct(e, e->du, u);
  }
  return HK_RETRY;
}
