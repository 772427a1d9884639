/* Balance of one ball of a bearing under thrust, with friction mu tanh(v/v_g) summed over its two flat contact ellipses.
 *
 * Independent values of contact angles, loads, orbit and pitch for `fidelity: full`, from
 * algebraic equations of steady motion instead of a simulation, with many more points on the
 * ellipses.  `nominal`: the ball's centre on the pitch circle and contacts at half a diameter
 * from it, as in the reference; otherwise the actual radii, with contacts in the middle of the
 * overlap.  Gravity, cage and damping are absent.  (r, t, z): radial, circumferential and axial
 * axes at the ball. */
#ifndef BALL_BALANCE_H
#define BALL_BALANCE_H
#include "base/small_lu.h"
#include "bearing/bearing.h"
#include "verify.h"

enum { BALL_UNKNOWNS = 7 };
typedef struct ball_state {
  double b[2]; /* centre of the ball from the outer groove centre: r, z */
  double z;    /* displacement of the inner ring */
  double orbit, spin[3];
} ball_state;

typedef struct ball_task {
  const hk_bearing *p;
  double thrust, speed, mu, v_g; /* thrust of one ball */
  bool nominal;
} ball_task;

typedef struct ball_result {
  ball_state at;
  double angle[2], load[2], pitch, along[2]; /* inner, outer; along: friction along the ellipse */
} ball_result;

/* Friction of one ellipse: along t, along s, moment about the normal. */
static inline void ball_friction(double mu_Q, double v_g, const double half[2],
                                 const double slip[3], double out[3]) {
  enum { RINGS = 60, SPOKES = 200 };
  memset(out, 0, 3 * sizeof *out);
  for (int i = 0; i < RINGS; i++)
    for (int j = 0; j < SPOKES; j++) {
      const double q = (i + 0.5) / RINGS * M_PI / 2, phi = (j + 0.5) / SPOKES * 2 * M_PI,
                   dA = 1.5 / M_PI * cos(q) * cos(q) * sin(q) * (M_PI / 2 / RINGS) *
                        (2 * M_PI / SPOKES);
      const double x = half[0] * sin(q) * cos(phi), y = half[1] * sin(q) * sin(phi);
      const double t = slip[0] - slip[2] * y, s = slip[1] + slip[2] * x, v = hypot(t, s) + 1e-300,
                   f = -mu_Q * dA * tanh(v / v_g) / v;
      out[0] += f * t, out[1] += f * s, out[2] += f * (x * s - y * t);
    }
}

/* Unbalanced force and moment of the ball [N], and of the inner ring. */
static inline void ball_unbalanced(const ball_task *task, const double u[BALL_UNKNOWNS],
                                   double out[BALL_UNKNOWNS], ball_result *r) {
  const hk_bearing *p = task->p;
  const hk_bearing_row *row = &p->row[0];
  const double D = p->ball.D, mass = p->ball.mass, J = 0.1 * mass * D * D, wm = u[3];
  const hk_vec3 w = hk_v3(u[4], u[5], u[6]);
  const double R = task->nominal ? 0.5 * p->ball.dm : row->from[0][0] + u[0];
  hk_vec3 F = hk_v3(mass * wm * wm * R, 0, 0), M = hk_v3(0, 0, 0);
  double on_ring = 0;
  for (int race = 0; race < 2; race++) { /* inner, outer */
    const double K = race ? p->ball.K_o : p->ball.K_i, l0 = race ? p->ball.l_o : p->ball.l_i;
    const double x = race ? u[0] : row->R[0] - row->from[0][0] - u[0],
                 y = race ? u[1] : row->z[0] - row->from[0][1] + u[2] - u[1];
    const double l = hypot(x, y), deep = fmax(l - l0, 0), Q = K * deep * sqrt(deep);
    const hk_vec3 n = hk_scale((race ? 1 : -1) / l, hk_v3(x, 0, y)); /* out of the ball */
    const hk_vec3 arm = hk_scale(0.5 * (D - (task->nominal ? 0 : deep)), n), t = hk_v3(0, 1, 0),
                  s = hk_cross(n, t), ring = hk_v3(0, 0, race ? 0 : task->speed);
    const hk_vec3 v = hk_sub(hk_add(hk_v3(0, wm * R, 0), hk_cross(w, arm)),
                             hk_cross(ring, hk_add(hk_v3(R, 0, 0), arm)));
    const double slip[3] = {hk_dot(v, t), hk_dot(v, s), hk_dot(hk_sub(w, ring), n)},
                 half[2] = {p->hertz[race].half_t * cbrt(Q), p->hertz[race].half_s * cbrt(Q)};
    double f[3];
    ball_friction(task->mu * Q, task->v_g, half, slip, f);
    const hk_vec3 rub = hk_axpy(hk_scale(f[0], t), f[1], s);
    F = hk_axpy(hk_add(F, rub), -Q, n);
    M = hk_axpy(hk_add(M, hk_cross(arm, rub)), f[2], n);
    if (!race) on_ring = Q * n.z - rub.z;
    if (r) r->angle[race] = atan2(y, x), r->load[race] = Q, r->along[race] = fabs(f[1]);
  }
  M = hk_axpy(M, -J * wm, hk_cross(hk_v3(0, 0, 1), w));
  const double all[BALL_UNKNOWNS] = {
      F.x, F.y, F.z, 2 * M.x / D, 2 * M.y / D, 2 * M.z / D, on_ring + task->thrust};
  memcpy(out, all, sizeof all);
}

static inline double ball_norm(const double F[BALL_UNKNOWNS]) {
  double sum = 0;
  for (int i = 0; i < BALL_UNKNOWNS; i++) sum += F[i] * F[i];
  return sqrt(sum);
}

/* Newton's method with differences, and steps that are halved until the unbalanced force decreases; `near`: a state close
 * to the solution. */
static inline ball_result ball_balance(const ball_task *task, const ball_state *near) {
  const double step[BALL_UNKNOWNS] = {1e-9, 1e-9, 1e-9, 1e-3, 1e-3, 1e-3, 1e-3};
  double u[BALL_UNKNOWNS] = {near->b[0],    near->b[1],    near->z,      near->orbit,
                             near->spin[0], near->spin[1], near->spin[2]};
  double F[BALL_UNKNOWNS], K[BALL_UNKNOWNS * BALL_UNKNOWNS], pivot[BALL_UNKNOWNS];
  ball_unbalanced(task, u, F, NULL);
  for (int round = 0; round < 60 && ball_norm(F) > 1e-6; round++) {
    double to[BALL_UNKNOWNS], at[BALL_UNKNOWNS], part = 1;
    for (int j = 0; j < BALL_UNKNOWNS; j++) {
      double up[BALL_UNKNOWNS];
      memcpy(at, u, sizeof at);
      at[j] += step[j];
      ball_unbalanced(task, at, up, NULL);
      for (int i = 0; i < BALL_UNKNOWNS; i++) K[BALL_UNKNOWNS * i + j] = (up[i] - F[i]) / step[j];
    }
    memcpy(to, F, sizeof to);
    assert_true(hk_small_lu_factor(K, pivot, BALL_UNKNOWNS, 0));
    hk_small_lu_solve(K, pivot, BALL_UNKNOWNS, to, 1);
    const double before = ball_norm(F);
    for (int cut = 0; cut < 20; cut++, part *= 0.5) {
      for (int i = 0; i < BALL_UNKNOWNS; i++) at[i] = u[i] - part * to[i];
      ball_unbalanced(task, at, F, NULL);
      if (ball_norm(F) < before) break;
    }
    memcpy(u, at, sizeof u);
  }
  assert_true(ball_norm(F) <= 1e-6);
  ball_result r = {.at = {{u[0], u[1]}, u[2], u[3], {u[4], u[5], u[6]}}};
  ball_unbalanced(task, u, F, &r);
  r.pitch = atan2(u[4], u[3] - u[6]);
  return r;
}
#endif
