/* The squeeze film between a ball and its socket in closed form [MecanicaComputacional2022, eqs
 * 10 to 15].
 *
 * With half of the film at ambient pressure, the resistance of the ball at the eccentricity
 * ratio x (x < 0 if it moves away from the near wall) is kappa B(x) per velocity,
 *   kappa = 6 pi mu r^4/c^3,   B(x) = ln(1 - x)/x^3 + 1/(x^2 (1 - x)) - 1/(2 x)
 *                                   = 2/3 + 3/4 x + 4/5 x^2 + ...
 * The closed form loses all digits near x = 0, so that the series is used there. */
#ifndef HK_FILM_SQUEEZE_H
#define HK_FILM_SQUEEZE_H

/* B(0). */
static const double HK_SQUEEZE_CENTRE = 2.0 / 3;

/* (B(x) - B(0))/x and its derivative, for |x| < 1. */
double hk_squeeze_rest(double x, double *slope);
/* B(x) and its derivative. */
double hk_squeeze(double x, double *slope);
#endif
