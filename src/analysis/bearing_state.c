/* A rolling bearing under load: see bearing_state.h. */
#include "analysis/bearing_state.h"
#include "analysis/dense_matrix.h"
#include <math.h>
#include <string.h>

static const double RPM = 30 / M_PI;

void hk_bearing_state_init(hk_bearing_state *s, const hk_rolling_bearing_params *p,
                           const hk_rolling_bearing *made) {
  s->whole = *made;
  s->whole.bearing.linear.on = false;
  s->made = &s->whole;
  s->task =
      (hk_bearing_task){.load = {p->load.x, p->load.y, p->load.z, p->moment.x, p->moment.y},
                        .free = {true, true, made->bearing.kind != HK_BEARING_CYLINDRICAL_ROLLER},
                        .speed = {p->speed, 0, NAN}};
}

bool hk_bearing_state_is_free(const hk_bearing_state *s) {
  double size = 0;
  for (int i = 0; i < 6; i++) size += fabs(s->task.load[i]);
  return !(size > 0 || s->made->bearing.preload_displacement != 0 ||
           s->made->bearing.clearance < 0);
}

double hk_bearing_viscosity_ratio(const hk_rolling_bearing *made, double speed) {
  const hk_bearing *p = &made->bearing;
  double n = fabs(speed) * RPM, nu = 1e6 * made->oil.viscosity / 870;
  double dm = 1e3 * (hk_bearing_has_rollers(p) ? p->roller.dm : p->ball.dm);
  if (!(n > 0 && nu > 0)) return 0;
  return nu / ((n < 1000 ? 45000 * pow(n, -0.83) : 4500 / sqrt(n)) / sqrt(dm));
}

static void look_at(hk_bearing_state *s, int i) {
  const hk_bearing *p = &s->made->bearing;
  const hk_bearing_element *e = &s->element[i];
  double slice[2][HK_ROLLER_MAX_SLICES], central;
  const int row = i / p->n;
  const bool rollers = hk_bearing_has_rollers(p);
  const double side = hk_bearing_roller_side(p, row);
  const double d[4] = {e->d[0], side * e->d[1], e->d[2], side * e->d[3]};
  if (rollers)
    hk_roller_slices(&p->roller, d, p->size[row][i % p->n], &s->task.speed,
                     p->dynamics != HK_BEARING_STATIC, slice[0], slice[1]);
  for (int race = 0; race < 2; race++) {
    double Q = race ? e->Q_o : e->Q_i;
    hk_bearing_patch patch = hk_bearing_patch_at(p, race, Q, rollers ? slice[race] : NULL);
    s->contact[i].pressure[race] = patch.pressure;
    hk_bearing_film(p, race, Q, s->task.speed.inner, &s->made->oil, &s->contact[i].film[race],
                    &central);
    s->contact[i].truncated[race] =
        Q > 0 ? hk_bearing_truncation(p, race, race ? e->angle_o : e->angle_i, patch.half) : NAN;
  }
}

hk_status hk_bearing_state_hold(const hk_bearing_state *s, const hk_bearing_task *t,
                                hk_bearing_balance *balance, hk_bearing_element *element,
                                hk_error *err) {
  const char *failed = hk_bearing_hold(&s->made->bearing, t, balance, element);
  return failed ? hk_fail(err, HK_EFAIL, "%s", failed) : HK_OK;
}

/* Returns true if elements are loaded by the inner race. A load on the inner race that is much smaller
 * than that on the outer race is only an error of the equilibrium. */
static bool pressed(const hk_bearing *p, const hk_bearing_element *e) {
  double inner = 0, outer = 0;
  for (int i = 0; i < p->rows * p->n; i++) inner += e[i].Q_i, outer += e[i].Q_o;
  return inner > 1e-6 * outer;
}

hk_status hk_bearing_state_solve(hk_bearing_state *s, hk_error *err) {
  const hk_bearing *p = &s->made->bearing;
  hk_bearing_balance aligned;
  hk_bearing_element other[HK_BEARING_MOST];
  hk_bearing_task straight = s->task;
  hk_status status = hk_bearing_state_hold(s, &s->task, &s->balance, s->element, err);
  straight.start[3] = straight.start[4] = 0;
  straight.free[3] = straight.free[4] = false;
  if (!status) status = hk_bearing_state_hold(s, &straight, &aligned, other, err);
  if (status) return status;
  for (int i = 0; i < p->rows * p->n; i++) look_at(s, i);
  s->oil = s->made->lubrication;
  s->oil.kappa = hk_bearing_viscosity_ratio(s->made, s->task.speed.inner);
  s->life = hk_bearing_life_of(p, s->element, &s->task.speed, s->made->rating, &s->oil,
                               s->outer_turns, true);
  s->aligned =
      hk_bearing_life_of(p, other, &s->task.speed, s->made->rating, &s->oil, s->outer_turns, true);
  hk_bearing_catalogue_life(p, s->made->rating, s->task.load, &s->catalogue);
  if (pressed(p, s->element) || !(fabs(s->task.speed.inner) > 0)) return HK_OK;
  const double most = hk_bearing_state_lift_off(s);
  if (!(most > 0))
    return hk_fail(err, HK_EFAIL,
                   "at %.6g rpm all rolling elements lift off the inner race; increase the load",
                   s->task.speed.inner * RPM);
  return hk_fail(err, HK_EFAIL,
                 "at %.6g rpm all rolling elements lift off the inner race; under this load they "
                 "stay in contact up to %.4g rpm; increase the load or reduce the speed",
                 s->task.speed.inner * RPM, most * RPM);
}

double hk_bearing_state_lift_off(const hk_bearing_state *s) {
  hk_bearing_balance balance;
  hk_bearing_element e[HK_BEARING_MOST];
  hk_bearing_task t = s->task;
  double low = 0, high = fabs(t.speed.inner);
  for (int i = 0; i < 60 && high - low > 1e-4 * high; i++) {
    t.speed.inner = 0.5 * (low + high);
    const bool stays =
        !hk_bearing_hold(&s->made->bearing, &t, &balance, e) && pressed(&s->made->bearing, e);
    *(stays ? &low : &high) = t.speed.inner;
  }
  return low > 0 ? low : NAN;
}

int hk_bearing_state_natural(const hk_bearing_state *s, double mass, hk_vec3 center,
                             const hk_mat3 *inertia, double frequency[5]) {
  enum { N = 5 };
  const hk_mat3 arm = hk_skew(center);
  double M[N * N] = {0}, K[N * N], value[N], half[N * N] = {0};
  for (int i = 0; i < 3; i++) M[(N + 1) * i] = mass;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 2; j++) M[N * i + 3 + j] = M[N * (3 + j) + i] = -mass * arm.m[i][j];
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2; j++) {
      double steiner = 0;
      for (int k = 0; k < 3; k++) steiner += arm.m[k][i] * arm.m[k][j];
      M[N * (3 + i) + 3 + j] = inertia->m[i][j] + mass * steiner;
    }
  for (int i = 0; i < N; i++)
    for (int j = 0; j < N; j++) K[N * i + j] = 0.5 * (s->balance.K[i][j] + s->balance.K[j][i]);
  if (hk_dense_cholesky(M, N)) return 0;
  for (int side = 0; side < 2; side++) { /* L^-1 K L^-T */
    for (int j = 0; j < N; j++)
      for (int i = 0; i < N; i++) {
        double sum = K[N * i + j];
        for (int k = 0; k < i; k++) sum -= M[N * i + k] * half[N * k + j];
        half[N * i + j] = sum / M[(N + 1) * i];
      }
    for (int i = 0; i < N; i++)
      for (int j = 0; j < N; j++) K[N * i + j] = half[N * j + i];
  }
  hk_error err;
  int n = 0;
  if (hk_dense_symmetric(K, N, value, &err)) return 0;
  for (int i = 0; i < N; i++)
    if (value[i] > 1e-12 * fabs(value[N - 1])) frequency[n++] = sqrt(value[i]) / (2 * M_PI);
  return n;
}

double hk_bearing_state_angle(const hk_bearing_state *s) {
  const hk_bearing *p = &s->made->bearing;
  double Q = 0, angle = p->nominal_angle;
  for (int i = 0; i < p->rows * p->n; i++)
    if (s->element[i].Q_i > Q) Q = s->element[i].Q_i, angle = s->element[i].angle_i;
  return angle;
}

double hk_bearing_state_film(const hk_bearing_state *s) {
  const hk_bearing *p = &s->made->bearing;
  double least = INFINITY;
  for (int i = 0; i < p->rows * p->n; i++)
    for (int race = 0; race < 2 && s->element[i].Q_i > 0; race++)
      least = fmin(least, s->contact[i].film[race]);
  return isfinite(least) ? least : 0;
}
