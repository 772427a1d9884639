/* See element.h. The forces of a fast element follow from its equilibrium. The power of the difference between these
 * forces and the forces without inertia counts as supplied by the motion of the element. Films are squeezed along the
 * line between the races. */
#include "bearing/element.h"
#include <string.h>

static const char NO_BALANCE[] = "a ball has no equilibrium at this speed and load";
static const char THROWN_OFF[] =
    "a ball is thrown off the inner race: its contact angles at both races differ by more than 90 "
    "deg; the speed is too high for this load and preload";
static const char NO_ROLLER_BALANCE[] = "a roller has no equilibrium at this speed and load";
static const char NO_ARC_BALANCE[] =
    "a ball between four arcs has no equilibrium at this speed and load";

/* Growth of the inner race with its speed, and its derivative with respect to each of the two
 * speeds. */
static double growth(const hk_bearing *p, const hk_bearing_speed *w, double *by_speed) {
  double inner = w->inner + w->outer;
  *by_speed = 2 * p->growth * inner;
  return p->growth * inner * inner;
}

static void add_ball_drag(const hk_bearing *p, const double d[2], const hk_ball_load *b,
                          hk_element_out *out) {
  double by_Q, by_s, L = sqrt(d[0] * d[0] + d[1] * d[1]), s = b->n_i[1];
  out->drag = hk_ball_drag(p, b->Q_i, s, &by_Q, &by_s);
  for (int a = 0; a < 2; a++)
    out->drag_d[a] = by_Q * b->k_i * b->n_i[a] + by_s * ((a == 1) - s * b->n_i[a]) / L;
}

/* Adds the damping of the film along n = d/|d|; b->Q_i is the load without this damping. */
static void damp_ball(const hk_bearing *p, const hk_element_in *in, double size,
                      const hk_ball_load *b, hk_element_out *out) {
  const double *d = in->d, *v = in->rate, *n = b->n_i;
  double L = sqrt(d[0] * d[0] + d[1] * d[1]), depth = L - p->ball.A + size;
  double z = fmin(depth / p->ramp, 1), F_v = p->damping * z * z * (3 - 2 * z);
  double slope = p->damping * 6 * z * (1 - z) / p->ramp, rate = n[0] * v[0] + n[1] * v[1];
  double F = F_v * rate, F_d = slope * rate;
  if (b->Q_i + F < 0) F = -b->Q_i, F_v = 0, F_d = -b->k_i; /* no tensile force */
  out->dissipated += F * rate;
  out->f[0] -= F * n[0], out->f[1] -= F * n[1];
  for (int a = 0; a < 2 && in->tangent; a++)
    for (int c = 0; c < 2; c++) {
      out->k[a][c] += F_d * n[a] * n[c] + F_v * n[a] * (v[c] - rate * n[c]) / L +
                      F * ((a == c) - n[a] * n[c]) / L;
      out->c[a][c] += F_v * n[a] * n[c];
    }
}

static void take_speed(const hk_bearing *p, const hk_bearing_speed *w, int rows,
                       hk_element_out *out) {
  double by_speed;
  growth(p, w, &by_speed);
  for (int i = 0; i < rows; i++)
    for (int s = 0; s < 2 && by_speed != 0; s++)
      for (int j = 0; j < rows; j += 2) out->f_w[s][i] -= out->k[i][j] * by_speed;
}

/* A ball has one contact point on the inner ring, so only the first two rows are used. */
static void clear_ball(hk_element_out *out) {
  for (int a = 0; a < 2; a++) {
    out->drag_d[a] = 0;
    for (int c = 0; c < 2; c++) out->c[a][c] = out->f_w[a][c] = 0;
  }
  out->potential = out->dissipated = out->applied = out->drag = 0;
}

static const char *press_in_groove(const hk_bearing *p, const hk_element_in *in, bool *loaded,
                                   hk_element_out *out, hk_bearing_element *tell) {
  hk_ball_load slow, quick;
  const bool fast = p->dynamics != HK_BEARING_STATIC;
  const double size = p->size[in->row][in->k];
  bool touches = hk_ball_static(&p->ball, in->d, size, &slow);
  *loaded = touches || fast;
  if (!*loaded) return NULL;
  clear_ball(out);
  const hk_ball_load *now = &slow;
  if (fast) {
    double by_speed, d[2] = {in->d[0] + growth(p, in->speed, &by_speed), in->d[1]};
    if (!hk_ball_fast(&p->ball, d, size, in->speed, in->tangent, in->start, &quick))
      return quick.thrown ? THROWN_OFF : NO_BALANCE;
    now = &quick;
  }
  memcpy(out->f, now->f, sizeof now->f);
  for (int a = 0; a < 2; a++) {
    memcpy(out->k[a], now->k[a], sizeof now->k[a]);
    if (!fast) continue;
    memcpy(out->f_w[a], now->f_w[a], sizeof now->f_w[a]);
    out->applied += (now->f[a] - (touches ? slow.f[a] : 0)) * in->rate[a];
  }
  if (fast) take_speed(p, in->speed, 2, out);
  if (touches) {
    out->potential = 0.4 * slow.Q_i * slow.Q_i / (slow.k_i / 1.5);
    if (p->friction.load > 0 || p->friction.spin > 0) add_ball_drag(p, in->d, &slow, out);
    if (p->damping > 0) damp_ball(p, in, size, &slow, out);
  }
  if (tell)
    *tell = (hk_bearing_element){.Q_i = now->Q_i,
                                 .Q_o = now->Q_o,
                                 .angle_i = now->Q_i > 0 ? atan2(now->n_i[1], now->n_i[0]) : 0,
                                 .angle_o = now->Q_o > 0 ? atan2(now->n_o[1], now->n_o[0]) : 0,
                                 .wm = fast ? now->wm : 0,
                                 .centrifugal = fast ? now->centrifugal : 0,
                                 .gyro = fast ? now->gyro : 0};
  return NULL;
}

static const char *press_ball(const hk_bearing *p, const hk_element_in *in, bool *loaded,
                              hk_element_out *out, hk_bearing_element *tell) {
  if (!hk_bearing_beyond_groove(&p->row[in->row], in->d))
    return press_in_groove(p, in, loaded, out, tell);
  const double d[2] = {in->d[0], 0}, rate[2] = {in->rate[0], 0};
  const hk_element_in straight = {in->row, in->k, d, rate, in->speed, in->tangent, in->start};
  const char *failed = press_in_groove(p, &straight, loaded, out, tell);
  if (failed || !*loaded) return failed;
  for (int i = 0; i < 2; i++) {
    out->k[1][i] = out->k[i][1] = out->c[1][i] = out->c[i][1] = out->f_w[i][1] = 0;
  }
  out->f[1] = out->drag_d[1] = 0;
  return NULL;
}

/* A row in the opposite direction is the mirror image: all z components change sign. */
static void mirror(hk_element_out *out) {
  for (int i = 0; i < HK_ELEMENT_ROWS; i++)
    for (int j = 0; j < HK_ELEMENT_ROWS; j++)
      if ((i + j) % 2) out->k[i][j] = -out->k[i][j], out->c[i][j] = -out->c[i][j];
  for (int i = 1; i < HK_ELEMENT_ROWS; i += 2) {
    out->f[i] = -out->f[i], out->drag_d[i] = -out->drag_d[i];
    out->f_w[0][i] = -out->f_w[0][i], out->f_w[1][i] = -out->f_w[1][i];
  }
}

static const char *press_roller(const hk_bearing *p, const hk_element_in *in, bool *loaded,
                                hk_element_out *out, hk_bearing_element *tell) {
  hk_roller_load slow, quick;
  const bool fast = p->dynamics != HK_BEARING_STATIC;
  const bool barrel = p->roller.barrel; /* one point; d is in the axes of the bearing */
  const double size = p->size[in->row][in->k], side = hk_bearing_roller_side(p, in->row);
  double d[4] = {in->d[0], side * in->d[1]}, rate[4] = {in->rate[0], side * in->rate[1]};
  for (int i = 0; i < 2 && !barrel; i++) {
    d[2 + i] = (i ? side : 1) * in->d[2 + i];
    rate[2 + i] = (i ? side : 1) * in->rate[2 + i];
  }
  if (!hk_roller_press(&p->roller, d, size, in->speed, false, &slow)) return NO_ROLLER_BALANCE;
  *loaded = slow.Q_i > 0 || fast;
  if (!*loaded) return NULL;
  memset(out, 0, sizeof *out);
  const hk_roller_load *now = &slow;
  if (fast) {
    double by_speed, more = growth(p, in->speed, &by_speed);
    const double grown[4] = {d[0] + more, d[1], d[2] + more, d[3]};
    if (!hk_roller_press(&p->roller, grown, size, in->speed, true, &quick))
      return NO_ROLLER_BALANCE;
    now = &quick;
  }
  memcpy(out->f, now->f, sizeof out->f);
  memcpy(out->k, now->k, sizeof out->k);
  memcpy(out->f_w, now->f_w, sizeof out->f_w);
  for (int a = 0; a < 4; a++) out->applied += (now->f[a] - slow.f[a]) * rate[a];
  if (fast) take_speed(p, in->speed, 4, out);
  out->potential = slow.potential;
  out->drag = 0.5 * p->friction.load * p->roller.dm * slow.Q_i;
  for (int a = 0; a < 4; a++) out->drag_d[a] = 0.5 * p->friction.load * p->roller.dm * slow.Q_d[a];
  if (p->damping > 0)
    out->dissipated +=
        hk_roller_damp(&p->roller, d, rate, size, p->damping, p->ramp, out->f, out->k, out->c);
  if (side < 0) mirror(out);
  if (tell)
    *tell = (hk_bearing_element){
        .Q_i = now->Q_i,
        .Q_o = now->Q_o,
        .angle_i = barrel ? atan2(d[1], d[0]) : side * atan2(p->roller.n_i[1], p->roller.n_i[0]),
        .angle_o = barrel ? atan2(d[1], d[0]) : side * atan2(p->roller.n_o[1], p->roller.n_o[0]),
        .wm = now->wm,
        .centrifugal = now->centrifugal,
        .rib = now->Q_rib};
  return NULL;
}

static const char *press_four(const hk_bearing *p, const hk_element_in *in, bool *loaded,
                              hk_element_out *out, hk_bearing_element *tell) {
  hk_four_point_load slow, quick;
  const bool fast = p->dynamics != HK_BEARING_STATIC;
  const double size = p->size[in->row][in->k];
  if (!hk_four_point_press(&p->ball, &p->four, in->d, size, in->speed, false, &slow))
    return NO_ARC_BALANCE;
  *loaded = slow.Q_i[0] + slow.Q_i[1] > 0 || fast;
  if (!*loaded) return NULL;
  memset(out, 0, sizeof *out);
  const hk_four_point_load *now = &slow;
  if (fast) {
    double by_speed, more = growth(p, in->speed, &by_speed);
    const double d[4] = {in->d[0] + more, in->d[1], in->d[2] + more, in->d[3]};
    if (!hk_four_point_press(&p->ball, &p->four, d, size, in->speed, true, &quick))
      return NO_ARC_BALANCE;
    now = &quick;
  }
  memcpy(out->f, now->f, sizeof out->f);
  memcpy(out->k, now->k, sizeof out->k);
  memcpy(out->f_w, now->f_w, sizeof out->f_w);
  for (int a = 0; a < 4; a++) out->applied += (now->f[a] - slow.f[a]) * in->rate[a];
  if (fast) take_speed(p, in->speed, 4, out);
  out->potential = slow.potential;
  double roll = 0.5 * p->friction.load * p->ball.dm;
  out->drag = roll * (slow.Q_i[0] + slow.Q_i[1]);
  for (int a = 0; a < 4; a++)
    for (int j = 0; j < 4; j++) out->drag_d[a] += roll * slow.n_i[j / 2][j % 2] * slow.k[j][a];
  if (tell) {
    int i = now->Q_i[1] > now->Q_i[0], o = now->Q_o[1] > now->Q_o[0];
    *tell = (hk_bearing_element){.Q_i = now->Q_i[i],
                                 .Q_o = now->Q_o[o],
                                 .angle_i = atan2(now->n_i[i][1], now->n_i[i][0]),
                                 .angle_o = atan2(now->n_o[o][1], now->n_o[o][0]),
                                 .wm = now->wm,
                                 .centrifugal = now->centrifugal};
  }
  return NULL;
}

const char *hk_element_press(const hk_bearing *p, const hk_element_in *in, bool *loaded,
                             hk_element_out *out, hk_bearing_element *tell) {
  if (p->kind == HK_BEARING_FOUR_POINT) return press_four(p, in, loaded, out, tell);
  if (hk_bearing_has_rollers(p)) return press_roller(p, in, loaded, out, tell);
  return press_ball(p, in, loaded, out, tell);
}
