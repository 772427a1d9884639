/* The force of a film as a smooth table over eccentricity and direction of motion.
 *
 * If the film pressure follows from Reynolds' equation without inertia, the force depends on the
 * eccentricity eps and on the velocity of the journal (V towards the wall, W along it), relative to the mean rotation
 * of the two surfaces [Booker1965; ChildsMoesVanLeeuwen1977]. With the unit vectors n towards the wall and tau along
 * it, and a constant kappa of the bearing, the force is
 *   F = -kappa (R n + S tau),   R, S homogeneous of degree one in (V, W)
 * At the centre (eps = 0) the force is isotropic: R = base V and S = base W. For other eccentricities, R and S are
 * written as
 *   R = base V + eps r,   S = base W + eps s
 * so that the force and its derivatives are not singular there. r and s are cubic splines (twice
 * continuously differentiable) over -ln(1 - eps) and the angle psi = atan2(W, sigma V). With
 * sigma = (1 - eps)^-1/2, features of a thin film have the same width in psi at every eps.
 * Beyond the eccentricity `cut` the values at `cut` are used. */
#ifndef HK_FILM_FILM_TABLE_H
#define HK_FILM_FILM_TABLE_H
#include "base/arena.h"
#include <hooke/base.h>
#include <stdbool.h>

typedef struct hk_film_table {
  double cut, base;
  double growth[2];         /* r ~ (1 - eps)^-growth[0] at constant psi, s with [1] */
  int n, m;                 /* number of grid points along each axis */
  const double *s, *psi;    /* -ln(1 - eps), equally spaced; psi */
  const double (*at)[3][4]; /* [n * m] for r, s and peak: value, derivatives with respect to s
                             * and psi, mixed derivative */
} hk_film_table;

/* A solution of Reynolds' equation: `place` sets an eccentricity, then `solve` gives R, S and
 * the largest pressure for the unit velocity (cos chi, sin chi). */
typedef struct hk_film_solver {
  void *context;
  void (*place)(void *context, double eps);
  void (*solve)(void *context, double chi, double out[3]);
} hk_film_solver;

hk_status hk_film_table_make(hk_arena *arena, const hk_film_solver *solver, double cut, double base,
                             const double growth[2], hk_film_table *out, hk_error *err);

/* r, s and their derivatives; s_by_W = s/W, which has a limit at W = 0. */
typedef struct hk_film_rest {
  double r, r_eps, r_V, r_W;
  double s, s_eps, s_V, s_W, s_by_W;
} hk_film_rest;

/* W >= 0. */
void hk_film_table_read(const hk_film_table *t, double eps, double V, double W, hk_film_rest *out);
double hk_film_table_peak(const hk_film_table *t, double eps, double V, double W);
#endif
