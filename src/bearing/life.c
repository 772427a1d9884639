/* See life.h. */
#include "bearing/life.h"
#include <string.h>

hk_bearing_frequencies hk_bearing_frequencies_at(const hk_bearing *p, double angle) {
  const bool rollers = hk_bearing_has_rollers(p);
  double ratio = rollers ? p->roller.D / p->roller.dm : p->ball.gp, g = ratio * cos(angle);
  return (hk_bearing_frequencies){0.5 * (1 - g), 0.5 * p->n * (1 - g), 0.5 * p->n * (1 + g),
                                  0.5 * (1 - g * g) / ratio};
}

/* ---- contacts ---- */

static double rolling_radius(const hk_bearing *p, int race) {
  double D = hk_bearing_has_rollers(p) ? p->roller.D : p->ball.D;
  return 0.5 * D * (race ? 1 + p->g : 1 - p->g);
}

void hk_bearing_film(const hk_bearing *p, int race, double Q, double w, const hk_oil *oil,
                     double *least, double *central) {
  const bool rollers = hk_bearing_has_rollers(p);
  double dm = rollers ? p->roller.dm : p->ball.dm, u = 0.25 * fabs(w) * dm * (1 - p->g * p->g);
  double R = rolling_radius(p, race), U = oil->viscosity * u / (p->modulus * R),
         G = oil->pressure_viscosity * p->modulus;
  *least = *central = 0;
  if (!(U > 0 && G > 0 && Q > 0)) return;
  if (rollers) {
    double W = Q / (p->modulus * R * 2 * p->roller.half);
    *least = 2.65 * R * pow(U, 0.7) * pow(G, 0.54) * pow(W, -0.13);
    *central = *least / 0.75;
    return;
  }
  double W = Q / (p->modulus * R * R), k = p->hertz[race].half_s / p->hertz[race].half_t;
  *least = 3.63 * R * pow(U, 0.68) * pow(G, 0.49) * pow(W, -0.073) * (1 - exp(-0.68 * k));
  *central = 2.69 * R * pow(U, 0.67) * pow(G, 0.53) * pow(W, -0.067) * (1 - 0.61 * exp(-0.73 * k));
}

hk_bearing_patch hk_bearing_patch_at(const hk_bearing *p, int race, double Q, const double *slice) {
  hk_bearing_patch out = {0};
  if (!(Q > 0)) return out;
  if (!hk_bearing_has_rollers(p)) {
    double third = cbrt(Q);
    out.half = p->hertz[race].half_s * third;
    out.width = p->hertz[race].half_t * third;
    out.pressure = 1.5 * Q / (M_PI * out.half * out.width);
    return out;
  }
  const hk_roller *r = &p->roller;
  double most = 0;
  for (int i = 0; slice && i < r->slices; i++) most = fmax(most, slice[i]);
  double load = most > 0 ? most * r->slices / (2 * r->half) : Q / (2 * r->half); /* N/m */
  out.half = r->half;
  out.pressure = sqrt(load * p->modulus / (2 * M_PI * rolling_radius(p, race)));
  out.width = 2 * load / (M_PI * out.pressure);
  return out;
}

double hk_bearing_truncation(const hk_bearing *p, int race, double angle, double half) {
  double h = p->shoulder[race];
  if (!(h > 0) || hk_bearing_has_rollers(p)) return NAN;
  double edge = acos(fmax(1 - 2 * h / p->ball.D, -1)), radius = p->conformity[race] * p->ball.D;
  /* position along the groove, measured from the middle of the contact */
  double room = (edge - fabs(angle)) * radius;
  return 1 - room / half;
}

/* ---- life ---- */

double hk_bearing_a_iso(bool rollers, double kappa, double x) {
  if (!(kappa > 0) || !(x > 0)) return 0.1;
  double k = fmin(kappa, 4), c = k < 0.4 ? 0.054381 : k < 1 ? 0.19087 : 0.071739, B, a;
  if (rollers) {
    B = k < 0.4 ? 1.3993 : 1.2348;
    double base = 1 - (1.5859 - B / pow(k, c)) * pow(x, 0.4);
    a = base > 0 ? 0.1 * pow(base, -9.185) : 50;
  } else {
    B = k < 0.4 ? 2.2649 : 1.9987;
    double base = 1 - pow(2.5671 - B / pow(k, c), 0.83) * cbrt(x);
    a = base > 0 ? 0.1 * pow(base, -9.3) : 50;
  }
  return fmin(a, 50);
}

void hk_bearing_rated_loads(const hk_bearing *p, double rating, double Q_c[2]) {
  double g = p->g, ratio = (1 - g) / (1 + g), n = p->n;
  if (hk_bearing_has_rollers(p)) {
    double t = 1.038 * pow(ratio, 143.0 / 108), c = rating / (0.83 * n * cos(p->nominal_angle));
    Q_c[0] = c / 0.378 * pow(1 + pow(t, 4.5), 2.0 / 9);
    Q_c[1] = c / 0.364 * pow(1 + pow(t, -4.5), 2.0 / 9);
    return;
  }
  double D = p->ball.D, ri = p->conformity[0] * D, ro = p->conformity[1] * D;
  double t = 1.044 * pow(ratio, 1.72) * pow(ri / ro * (2 * ro - D) / (2 * ri - D), 0.41);
  double c = rating / (n * pow(cos(p->nominal_angle), 0.7));
  Q_c[0] = c / 0.407 * pow(1 + pow(t, 10.0 / 3), 0.3);
  Q_c[1] = c / 0.389 * pow(1 + pow(t, -10.0 / 3), 0.3);
}

/* Sum of (Q_e/Q_c)^m of both races of a row of balls: L = sum^(-9/10). */
static double ball_damage(const hk_bearing *p, const hk_bearing_element *e, const double Q_c[2],
                          bool outer_turns) {
  double turning = 0, standing = 0;
  for (int k = 0; k < p->n; k++) {
    double t = outer_turns ? e[k].Q_o : e[k].Q_i, s = outer_turns ? e[k].Q_i : e[k].Q_o;
    turning += pow(t, 3) / p->n;
    standing += pow(s, 10.0 / 3) / p->n;
  }
  double of_turning = cbrt(turning) / Q_c[outer_turns],
         of_standing = pow(standing, 0.3) / Q_c[!outer_turns];
  return pow(of_turning, 10.0 / 3) + pow(of_standing, 10.0 / 3);
}

/* Life factor of a row of rollers from its slices: L = (sum over the slices)^(-8/9). */
static void roller_damage(const hk_bearing *p, int row, const hk_bearing_element *e,
                          const hk_bearing_speed *w, const double Q_c[2], bool outer_turns,
                          bool edges, double *damage) {
  const hk_roller *r = &p->roller;
  const int n = r->slices;
  const double side = hk_bearing_roller_side(p, row);
  double turning[HK_ROLLER_MAX_SLICES] = {0}, standing[HK_ROLLER_MAX_SLICES] = {0};
  for (int k = 0; k < p->n; k++) {
    double load[2][HK_ROLLER_MAX_SLICES];
    const double d[4] = {e[k].d[0], side * e[k].d[1], e[k].d[2], side * e[k].d[3]};
    hk_roller_slices(r, d, p->size[row][k], w, p->dynamics != HK_BEARING_STATIC, load[0], load[1]);
    for (int i = 0; i < n; i++) {
      double at = 1.985 * fabs((2 * (i + 1) - n - 1) / (2.0 * n - 2));
      double f = edges && n > 1 && at > 0 ? 1 - 0.01 / log(at) : 1;
      turning[i] += pow(f * load[outer_turns][i], 4) / p->n;
      standing[i] += pow(f * load[!outer_turns][i], 4.5) / p->n;
    }
  }
  double per = pow(n, 7.0 / 9); /* q_c = Q_c n^(-7/9) */
  for (int i = 0; i < n; i++)
    damage[i] = pow(pow(turning[i], 0.25) * per / Q_c[outer_turns], 4.5) +
                pow(pow(standing[i], 1 / 4.5) * per / Q_c[!outer_turns], 4.5);
}

static double slow_down(bool rollers, const hk_bearing_lubrication *oil, double load) {
  if (!oil || !(oil->kappa > 0) || !(oil->fatigue_load > 0) || !(load > 0)) return 1;
  return hk_bearing_a_iso(rollers, oil->kappa, oil->contamination * oil->fatigue_load / load);
}

hk_bearing_life hk_bearing_life_of(const hk_bearing *p, const hk_bearing_element *element,
                                   const hk_bearing_speed *w, double rating,
                                   const hk_bearing_lubrication *oil, bool outer_turns,
                                   bool edges) {
  const bool rollers = hk_bearing_has_rollers(p);
  const double root = rollers ? 9.0 / 8 : 10.0 / 9, power = rollers ? 0.3 : 1.0 / 3;
  double Q_c[2], sum = 0, modified = 0, damage[HK_ROLLER_MAX_SLICES];
  hk_bearing_rated_loads(p, rating, Q_c);
  for (int row = 0; row < p->rows; row++) {
    const hk_bearing_element *e = element + row * p->n;
    if (rollers) {
      roller_damage(p, row, e, w, Q_c, outer_turns, edges, damage);
      for (int i = 0; i < p->roller.slices; i++) {
        if (!(damage[i] > 0)) continue;
        double alone = pow(p->roller.slices * damage[i],
                           -1 / root); /* ratio of loads if all slices carried this load */
        double a = slow_down(true, oil, rating / pow(alone, power));
        sum += damage[i];
        modified += damage[i] * pow(a, -root);
      }
      continue;
    }
    double D = ball_damage(p, e, Q_c, outer_turns);
    if (!(D > 0)) continue;
    /* The lives of the rows are combined by adding L^(-10/9); the exponent of the sum is -9/10. */
    sum += D;
    modified += D * pow(slow_down(false, oil, rating / pow(pow(D, -0.9), power)), -root);
  }
  hk_bearing_life out = {.L10r = INFINITY, .L10mr = INFINITY, .a_iso = 1};
  if (!(sum > 0)) return out;
  out.L10r = pow(sum, -1 / root);
  out.equivalent = rating / pow(out.L10r, power);
  out.L10mr = pow(modified, -1 / root) * (oil && oil->reliability > 0 ? oil->reliability : 1);
  out.a_iso = pow(modified, -1 / root) / out.L10r;
  return out;
}

double hk_bearing_life_over(const double *life, const double *share, int n) {
  double sum = 0, all = 0;
  for (int i = 0; i < n; i++) sum += share[i] / life[i], all += share[i];
  return sum > 0 ? all / sum : INFINITY;
}
