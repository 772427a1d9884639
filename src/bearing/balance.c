/* See balance.h: Newton's method with step sizes that are reduced until the unbalanced load
 * decreases. */
#include "bearing/balance.h"
#include "base/small_lu.h"
#include <string.h>

/* Transforms vectors and matrices from the axes of the cage to those of the outer ring. */
static void turn_out(double cage, const hk_bearing_action *a, hk_bearing_balance *out) {
  double c = cos(cage), s = sin(cage), R[6][6] = {{0}}, T[6][6] = {{0}};
  for (int b = 0; b < 6; b += 3) {
    R[b][b] = R[b + 1][b + 1] = c;
    R[b][b + 1] = -s, R[b + 1][b] = s;
    R[b + 2][b + 2] = 1;
  }
  memset(out->K, 0, sizeof out->K);
  memset(out->F, 0, sizeof out->F);
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++) {
      out->F[i] += R[i][j] * a->Q[j];
      for (int k = 0; k < 6; k++) T[i][j] += R[i][k] * a->K[k][j];
    }
  for (int i = 0; i < 6; i++)
    for (int j = 0; j < 6; j++)
      for (int k = 0; k < 6; k++) out->K[i][j] += T[i][k] * R[j][k];
}

static hk_vec3 turned(double angle, hk_vec3 v) {
  double c = cos(angle), s = sin(angle);
  return hk_v3(c * v.x - s * v.y, s * v.x + c * v.y, v.z);
}

const char *hk_bearing_at(const hk_bearing *p, const hk_bearing_task *t, const double q[6],
                          hk_bearing_balance *out, hk_bearing_element *element) {
  hk_vec3 theta = turned(-t->cage, hk_v3(q[3], q[4], q[5]));
  out->place = (hk_bearing_place){.u = turned(-t->cage, hk_v3(q[0], q[1], q[2])),
                                  .Q = hk_quat_matrix(hk_quat_exp(theta)),
                                  .cage = t->cage,
                                  .speed = t->speed,
                                  .linear = t->linear,
                                  .theta = theta};
  memcpy(out->q, q, sizeof out->q);
  const char *failed = hk_bearing_act(p, &out->place, true, &out->action, element);
  if (!failed) turn_out(t->cage, &out->action, out);
  return failed;
}

static double unbalanced(const hk_bearing_task *t, const hk_bearing_balance *b, double arm,
                         double r[6]) {
  double sum = 0;
  for (int i = 0; i < 6; i++) {
    r[i] = t->free[i] ? t->load[i] + b->F[i] : 0;
    double size = i < 3 ? r[i] : r[i] / arm;
    sum += size * size;
  }
  return sqrt(sum);
}

/* Scale for an unbalanced load: the load, or the stiffness times a small displacement (1 nm for a radius of 25 mm). */
static double force_scale(const hk_bearing_balance *b, double size, double arm) {
  double most = 0;
  for (int i = 0; i < 3; i++) most = fmax(most, fabs(b->K[i][i]));
  return size + 4e-8 * arm * most;
}

/* Solves K dq = r for the free coordinates; a small stiffness is added to coordinates without
 * stiffness. */
static bool newton_step(const hk_bearing_task *t, hk_bearing_balance *b, double arm, double more,
                        const double r[6], double step[6]) {
  double K[36], pivot[6], most = 0;
  for (int i = 0; i < 6; i++)
    if (t->free[i]) most = fmax(most, fabs(b->K[i][i]) / (i < 3 ? 1 : arm * arm));
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) K[6 * i + j] = t->free[i] && t->free[j] ? b->K[i][j] : i == j;
    if (t->free[i]) K[7 * i] += more * most * (i < 3 ? 1 : arm * arm);
    step[i] = r[i];
  }
  if (!hk_small_lu_factor(K, pivot, 6, 0)) return false;
  hk_small_lu_solve(K, pivot, 6, step, 1);
  for (int i = 0; i < 6; i++)
    if (!isfinite(step[i])) return false;
  return true;
}

static void move(const hk_bearing_task *t, const double q[6], const double step[6], double part,
                 double out[6]) {
  for (int i = 0; i < 3; i++) out[i] = q[i] + part * step[i];
  if (t->linear) {
    for (int i = 3; i < 6; i++) out[i] = q[i] + part * step[i];
    return;
  }
  hk_quat by = hk_quat_exp(hk_scale(part, hk_v3(step[3], step[4], step[5])));
  hk_vec3 to = hk_quat_log(hk_quat_mul(by, hk_quat_exp(hk_v3(q[3], q[4], q[5]))));
  out[3] = to.x, out[4] = to.y, out[5] = to.z;
}

/* Moves far enough along the load that the rings are in contact: within the clearance there is
 * no stiffness. */
static const char *first_touch(const hk_bearing *p, const hk_bearing_task *t, double arm,
                               double size, double q[6], hk_bearing_balance *b) {
  double way[6] = {0};
  for (int i = 0; i < 6; i++)
    if (t->free[i]) way[i] = t->load[i] / (i < 3 ? 1 : arm * arm) / size;
  const char *failed = NULL;
  double work = 0;
  for (double far = 1e-7; far < 0.02 * arm; far *= 1.5) {
    work = 0;
    move(t, t->start, way, far, q);
    failed = hk_bearing_at(p, t, q, b, NULL);
    if (failed) return failed;
    for (int i = 0; i < 6; i++) work -= b->F[i] * way[i];
    if (work > 0.02 * size) return NULL;
  }
  if (work > 0)
    return "the load is too large for this bearing: with a deflection of 2 % of the radius it does "
           "not carry 2 % of it";
  return "the bearing cannot carry this load: it has no stiffness in that direction";
}

/* Rows that all support the same axial direction leave the ring if the axial force is too small. */
static const char *no_position(const hk_bearing *p, const hk_bearing_task *t) {
  bool one_way = t->free[2] && !p->roller.barrel;
  for (int i = 0; i < p->rows; i++)
    one_way = one_way && p->row[i].side != 0 && p->row[i].side == p->row[0].side;
  if (!one_way) return "no equilibrium position of the inner ring was found for this load";
  return p->row[0].side > 0
             ? "no equilibrium position of the inner ring was found for this load: this bearing "
               "supports forces on b along +z only, and a radial load needs an axial force in that "
               "direction of about the radial load times the tangent of the contact angle, or more"
             : "no equilibrium position of the inner ring was found for this load: this bearing "
               "supports forces on b along -z only, and a radial load needs an axial force in that "
               "direction of about the radial load times the tangent of the contact angle, or more";
}

static const char *hold(const hk_bearing *p, const hk_bearing_task *t, hk_bearing_balance *out,
                        hk_bearing_element *element) {
  const double arm = p->row[0].R[0];
  double size = 0, q[6], r[6];
  for (int i = 0; i < 6; i++)
    if (t->free[i]) size += pow(t->load[i] / (i < 3 ? 1 : arm), 2);
  size = sqrt(size);
  memcpy(q, t->start, sizeof q);
  const char *failed = hk_bearing_at(p, t, q, out, NULL);
  if (failed) return failed;
  double off = unbalanced(t, out, arm, r), more = 0;
  if (size > 0 && !(off < 0.9 * size)) {
    failed = first_touch(p, t, arm, size, q, out);
    if (failed) return failed;
    off = unbalanced(t, out, arm, r);
  }
  for (int round = 0; round < 300; round++) {
    double step[6], to[6], part = 1;
    if (off <= 1e-13 * force_scale(out, size, arm)) break;
    hk_bearing_balance next;
    bool better = false, solved = newton_step(t, out, arm, more, r, step);
    for (int cut = 0; solved && cut < 12 && !better; cut++, part *= 0.4) {
      double r_next[6], off_next;
      move(t, q, step, part, to);
      if (hk_bearing_at(p, t, to, &next, NULL)) continue;
      off_next = unbalanced(t, &next, arm, r_next);
      better = off_next < off;
      if (!better) continue;
      off = off_next, *out = next;
      memcpy(r, r_next, sizeof r), memcpy(q, to, sizeof q);
    }
    if (better) more *= 0.1;
    if (better && more < 1e-9) more = 0;
    if (better) continue;
    if (off <= 1e-8 * force_scale(out, size, arm)) break;
    more = more > 0 ? 10 * more : 1e-6;
    if (more > 1e6) return no_position(p, t);
  }
  if (!(off <= 1e-8 * force_scale(out, size, arm))) return no_position(p, t);
  return hk_bearing_at(p, t, q, out, element);
}

const char *hk_bearing_hold(const hk_bearing *p, const hk_bearing_task *t, hk_bearing_balance *out,
                            hk_bearing_element *element) {
  if (!p->roller.barrel) return hold(p, t, out, element);
  /* Spherical rollers transmit no moment. Therefore the bearing is in equilibrium at every tilt, and the given tilt is
   * kept. */
  hk_bearing_task aligned = *t;
  for (int i = 3; i < 6; i++) {
    if (t->free[i] && t->load[i] != 0)
      return "a spherical roller bearing transmits no moment: use a load without one";
    aligned.free[i] = false;
  }
  return hold(p, &aligned, out, element);
}
