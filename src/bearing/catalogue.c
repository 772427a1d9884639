/* See catalogue.h.  Table of factors: ISO 281:2007, table 3 (balls); sections 8 and 10 (rollers). */
#include "bearing/catalogue.h"
#include <math.h>

enum { LOADS = 9, STEEP = 6 };

/* Relative axial load F_a/(i Z D^2) [N/mm^2] of the columns below. */
static const double LOAD[LOADS] = {0.172, 0.345, 0.689, 1.03, 1.38, 2.07, 3.45, 5.17, 6.89};

/* Flat contact angles, whose factors depend on the relative axial load.  Y1, X2, Y2: two opposite rows below and above e. */
static const struct flat {
  double angle, X, X2, Y[LOADS], Y1[LOADS], Y2[LOADS], e[LOADS], e2[LOADS];
} FLAT[] = {{5,
             0.56,
             0.78,
             {2.30, 1.99, 1.71, 1.55, 1.45, 1.31, 1.15, 1.04, 1.00},
             {2.78, 2.40, 2.07, 1.87, 1.75, 1.58, 1.39, 1.26, 1.21},
             {3.74, 3.23, 2.78, 2.52, 2.36, 2.13, 1.87, 1.69, 1.63},
             {0.19, 0.22, 0.26, 0.28, 0.30, 0.34, 0.38, 0.42, 0.44},
             {0.23, 0.26, 0.30, 0.34, 0.36, 0.40, 0.45, 0.50, 0.52}},
            {10,
             0.46,
             0.75,
             {1.88, 1.71, 1.52, 1.41, 1.34, 1.23, 1.10, 1.01, 1.00},
             {2.18, 1.98, 1.76, 1.63, 1.55, 1.42, 1.27, 1.17, 1.16},
             {3.06, 2.78, 2.47, 2.29, 2.18, 2.00, 1.79, 1.64, 1.63},
             {0.29, 0.32, 0.36, 0.38, 0.40, 0.44, 0.49, 0.54, 0.54},
             {0.29, 0.32, 0.36, 0.38, 0.40, 0.44, 0.49, 0.54, 0.54}},
            {15,
             0.44,
             0.72,
             {1.47, 1.40, 1.30, 1.23, 1.19, 1.12, 1.02, 1.00, 1.00},
             {1.65, 1.57, 1.46, 1.38, 1.34, 1.26, 1.14, 1.12, 1.12},
             {2.39, 2.28, 2.11, 2.00, 1.93, 1.82, 1.66, 1.63, 1.63},
             {0.38, 0.40, 0.43, 0.46, 0.47, 0.50, 0.55, 0.56, 0.56},
             {0.38, 0.40, 0.43, 0.46, 0.47, 0.50, 0.55, 0.56, 0.56}}};
static const struct steep {
  double angle, X, Y, Y1, X2, Y2, e;
} STEEP_ANGLE[STEEP] = {
    {20, 0.43, 1.00, 1.09, 0.70, 1.63, 0.57}, {25, 0.41, 0.87, 0.92, 0.67, 1.41, 0.68},
    {30, 0.39, 0.76, 0.78, 0.63, 1.24, 0.80}, {35, 0.37, 0.66, 0.66, 0.60, 1.07, 0.95},
    {40, 0.35, 0.57, 0.55, 0.57, 0.93, 1.14}, {45, 0.33, 0.50, 0.47, 0.54, 0.81, 1.34}};

/* Factors of one contact angle. */
typedef struct factors {
  double e, X1, Y1, X2, Y2; /* X1, Y1: for F_a/F_r up to e; X2, Y2: for larger ratios */
} factors;

static double between(double a, double b, double part) { return a + part * (b - a); }

/* Value of a column at a relative axial load, constant beyond the table. */
static double column(const double v[LOADS], double load) {
  int i = 0;
  while (i < LOADS - 2 && load > LOAD[i + 1]) i++;
  const double part = fmax(0, fmin(1, (load - LOAD[i]) / (LOAD[i + 1] - LOAD[i])));
  return between(v[i], v[i + 1], part);
}

static factors row_of(int i, bool opposite, double load) {
  enum { N = sizeof FLAT / sizeof *FLAT };
  if (i < N) {
    const struct flat *f = &FLAT[i];
    if (!opposite) return (factors){column(f->e, load), 1, 0, f->X, column(f->Y, load)};
    return (factors){column(f->e2, load), 1, column(f->Y1, load), f->X2, column(f->Y2, load)};
  }
  const struct steep *s = &STEEP_ANGLE[i - N];
  if (!opposite) return (factors){s->e, 1, 0, s->X, s->Y};
  return (factors){s->e, 1, s->Y1, s->X2, s->Y2};
}

/* Interpolates the factors linearly between the contact angles of the table. Beyond the ends of the table the first or last
 * row is used. */
static factors of_balls(double angle, bool opposite, double load) {
  const double a = angle * 180 / M_PI, at = fmax(0, fmin(8, a / 5 - 1));
  const int i = at >= 8 ? 7 : (int)at;
  const factors f = row_of(i, opposite, load), g = row_of(i + 1, opposite, load);
  const double s = at - i;
  return (factors){between(f.e, g.e, s), 1, between(f.Y1, g.Y1, s), between(f.X2, g.X2, s),
                   between(f.Y2, g.Y2, s)};
}

static factors of_rollers(double angle, bool opposite) {
  const double cot = angle > 0 ? 1 / tan(angle) : 0, e = angle > 0 ? 1.5 * tan(angle) : INFINITY;
  if (opposite) return (factors){e, 1, 0.45 * cot, 0.67, 0.67 * cot};
  return (factors){e, 1, 0, 0.4, 0.4 * cot};
}

bool hk_bearing_catalogue_life(const hk_bearing *p, double rating, const double force[3],
                               hk_bearing_catalogue *out) {
  const bool rollers = hk_bearing_has_rollers(p);
  const double radial = hypot(force[0], force[1]), axial = fabs(force[2]);
  int forward = 0, backward = 0;
  *out = (hk_bearing_catalogue){0};
  if (p->kind == HK_BEARING_FOUR_POINT || !(rating > 0) || !(radial + axial > 0)) return false;
  for (int i = 0; i < p->rows; i++) forward += p->row[i].side > 0, backward += p->row[i].side < 0;
  const bool opposite = forward > 0 && backward > 0;
  const double D = 1e3 * p->ball.D,
               angle = rollers ? fabs(atan2(p->roller.n_o[1], p->roller.n_o[0])) : p->nominal_angle;
  const factors f = rollers ? of_rollers(angle, opposite)
                            : of_balls(angle, opposite, axial / (p->rows * p->n * D * D));
  const bool much = axial > f.e * radial;
  out->e = f.e, out->X = much ? f.X2 : f.X1, out->Y = much ? f.Y2 : f.Y1;
  out->rating = rating * pow(p->rows, rollers ? 7.0 / 9 : 0.7);
  out->equivalent = out->X * radial + out->Y * axial;
  if (!rollers && !opposite) out->equivalent = fmax(out->equivalent, radial);
  out->L10 = pow(out->rating / out->equivalent, rollers ? 10.0 / 3 : 3);
  return true;
}
