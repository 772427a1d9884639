/* Change of clearance by fits, temperature and speed: thick rings by Lame.
 *
 * A ring of bore d and raceway F on a shaft (bore d1) with the diametral interference I has the
 * pressure
 *   p = I/(d (((k^2 + 1)/(k^2 - 1) + nu)/E + ((1 + c^2)/(1 - c^2) - nu)/E_s)),   k = F/d, c = d1/d
 * and its raceway grows by 2 p F/(E (k^2 - 1)); an outer ring in a housing shrinks accordingly.
 * If inner ring and balls are warmer by dT, the clearance decreases by expansion dT (dm + D). A
 * rotating ring grows by rho w^2 b/(4 E) ((1 - nu) b^2 + (3 + nu) a^2) at its outer radius b. */
#include "bearing/design.h"

static double inner_race(const hk_bearing_design *d) {
  return d->pitch_diameter - d->element_diameter;
}
static double outer_race(const hk_bearing_design *d) {
  return d->pitch_diameter + d->element_diameter;
}

static double shaft_fit(const hk_bearing_design *d) {
  const hk_bearing_fit *f = &d->fit;
  double E = d->youngs_modulus, nu = d->poisson_ratio, F = inner_race(d);
  double E_s = f->youngs_modulus_shaft > 0 ? f->youngs_modulus_shaft : E;
  double k = F / f->bore, c = f->shaft_bore / f->bore;
  double soft = ((k * k + 1) / (k * k - 1) + nu) / E + ((1 + c * c) / (1 - c * c) - nu) / E_s;
  double p = f->interference_shaft / (f->bore * soft);
  return 2 * p * F / (E * (k * k - 1));
}

static double housing_fit(const hk_bearing_design *d) {
  const hk_bearing_fit *f = &d->fit;
  double E = d->youngs_modulus, nu = d->poisson_ratio, B = f->outside;
  double E_h = f->youngs_modulus_housing > 0 ? f->youngs_modulus_housing : E;
  double c = outer_race(d) / B, around = f->housing_outside > 0 ? B / f->housing_outside : 0;
  double soft = ((1 + c * c) / (1 - c * c) - nu) / E +
                ((1 + around * around) / (1 - around * around) + nu) / E_h;
  double p = f->interference_housing / (B * soft);
  return 2 * p * outer_race(d) / (E * (1 - c * c));
}

double hk_bearing_fit_loss(const hk_bearing_design *d) {
  const hk_bearing_fit *f = &d->fit;
  double loss = f->expansion * f->temperature_difference * outer_race(d);
  if (f->bore > 0 && f->interference_shaft > 0) loss += shaft_fit(d);
  if (f->outside > 0 && f->interference_housing > 0) loss += housing_fit(d);
  return loss;
}

double hk_bearing_growth(const hk_bearing_design *d) {
  double b = 0.5 * inner_race(d), a = 0.5 * d->fit.bore, nu = d->poisson_ratio;
  if (!(a > 0)) return 0;
  return d->density * b / (4 * d->youngs_modulus) * ((1 - nu) * b * b + (3 + nu) * a * a);
}
