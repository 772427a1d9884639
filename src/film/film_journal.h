/* Reynolds' equation in a cylindrical bearing of finite length with its ends at ambient
 * pressure.
 *
 * The angle theta is measured from the direction of the eccentricity, chi is the direction of the velocity, z = zeta
 * L/2 is the position along the axis, L the length, r the radius, c the radial clearance, eps the eccentricity as a
 * fraction of c, mu the viscosity. The pressure is 12 mu r^2/c^3 times the velocity times g, where g is the solution
 * of
 *   (H^3 g_theta)_theta + (2 r/L)^2 H^3 g_zetazeta = -cos(theta - chi),   H = 1 - eps cos(theta)
 * with g >= 0. At the edges of the film both the pressure and its gradient are zero (Reynolds or
 * Swift-Stieber condition), the complementarity of pressure and inflow. Along the axis g is a
 * sum of cos(lambda_k zeta), lambda_k = (k + 1/2) pi, each with an independent equation; the
 * edges of the film are straight along the axis, at the angle at which the mean pressure ends
 * with zero gradient. The force is 12 mu r^3 L/c^3 times the velocity times (R, S). */
#ifndef HK_FILM_FILM_JOURNAL_H
#define HK_FILM_FILM_JOURNAL_H
#include "film/film_table.h"

/* Range of length/diameter for which the solution is accurate to about 1 %. */
static const double HK_FILM_LEAST_SLENDERNESS = 0.005, HK_FILM_MOST_SLENDERNESS = 4;

/* Makes the table. Peak pressures are in units of 12 mu r^2/c^3 times velocity. */
hk_status hk_film_journal_make(hk_arena *arena, double slenderness, double cut, hk_film_table *out,
                               hk_error *err);
#endif
