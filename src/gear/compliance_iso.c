/* Tooth stiffness of ISO 6336-1:2019, clause 9, method B, as a compliance table. See
 * compliance.h.
 *
 *   q' = 1/c'th = C1 + C2/zn1 + C3/zn2 + C4 x1 + C5 x1/zn1 + C6 x2 + C7 x2/zn2 + C8 x1^2 + C9 x2^2
 *   c' = c'th C_M C_R C_B cos(beta),  c_gamma = c' (0.75 eps_alpha + 0.25)
 * in N/(mm um), with the virtual numbers of teeth zn = z/cos^3(beta). C_M = 0.8 corrects for the
 * difference between the series and measurements, C_R for a web, C_B for the basic rack. */
#include "gear/compliance.h"
#include <math.h>

static const double C_M = 0.8, PER_MM_UM = 1e9, FULL_LOAD = 1e5, STEEL = 206e9;

static double flexibility(const hk_iso_pair *p) {
  double cubed = pow(cos(p->helix_angle), 3), x1 = p->x1, x2 = p->z2 > 0 ? p->x2 : 0;
  double n1 = cubed / p->z1, n2 = p->z2 > 0 ? cubed / p->z2 : 0; /* 1/zn */
  return 0.04723 + 0.15551 * n1 + 0.25791 * n2 - 0.00635 * x1 - 0.11654 * x1 * n1 - 0.00193 * x2 -
         0.24188 * x2 * n2 + 0.00529 * x1 * x1 + 0.00182 * x2 * x2;
}

/* Factor C_R for gears with a web: see the diagram of the standard. Web and rim thickness are limited to the range of
 * this diagram. The diagram assumes that the mating gear is at least as stiff. So if both gears have a web, only the
 * smaller factor is used, that of the more compliant gear. */
static double web_factor(const hk_iso_pair *p) {
  double factor = 1;
  for (int i = 0; i < 2; i++) {
    if (!(p->web[i] > 0)) continue;
    double web = fmin(1.2, fmax(0.2, p->web[i] / p->face_width));
    factor = fmin(factor, 1 + log(web) / (5 * exp(fmax(1, p->rim[i] / p->module) / 5)));
  }
  return factor;
}

static double rack_factor(const hk_iso_pair *p) {
  double degrees = p->pressure_angle * 180 / M_PI;
  return (1 + 0.5 * (1.2 - p->dedendum)) * (1 - 0.02 * (20 - degrees));
}

/* Modulus relative to that of steel, for which the coefficients were determined. For all steels
 * the ratio is 1. */
static double material_factor(const hk_iso_pair *p) {
  double E1 = p->youngs_modulus[0], E2 = p->youngs_modulus[1], E = 2 * E1 * E2 / (E1 + E2);
  return fabs(E / STEEL - 1) < 0.05 ? 1 : E / STEEL;
}

hk_status hk_iso_stiffness_of(const hk_iso_pair *p, hk_iso_stiffness *out, hk_error *err) {
  double q = flexibility(p), rack = rack_factor(p);
  if (!(q > 0) || !(rack > 0))
    return hk_fail(err, HK_EINPUT,
                   "ISO 6336 has no stiffness for these teeth (flexibility %.4g mm um/N, factor of "
                   "the rack %.4g): they are outside its range",
                   q, rack);
  double load = p->line_load > 0 ? fmin(1, p->line_load / FULL_LOAD) : 1;
  out->theoretical = PER_MM_UM / q;
  out->single = out->theoretical * C_M * web_factor(p) * rack * cos(p->helix_angle) *
                material_factor(p) * pow(load, 0.25);
  out->mesh = out->single * (0.75 * p->contact_ratio + 0.25);
  return HK_OK;
}

enum { ISO_STATIONS = 25 };

hk_status hk_gear_compliance_iso(hk_arena *arena, const hk_iso_stiffness *iso,
                                 const hk_iso_teeth *teeth, const hk_gear_flank *flank,
                                 hk_gear_compliance *out, hk_error *err) {
  int n = flank->slices;
  double *roll = HK_NEW_ARRAY(arena, double, ISO_STATIONS);
  double *c = HK_NEW_ARRAY(arena, double, hk_gear_compliance_size(ISO_STATIONS, n, 0));
  if (!roll || !c) return hk_fail(err, HK_ENOMEM, "out of memory");
  *out = (hk_gear_compliance){ISO_STATIONS, n, 0, roll, c};
  /* Computes k such that the mean of c'(1 - k u^2) over -1 < u < 1 equals c' (0.75 + 0.25/eps),
   * which is c_gamma/eps. */
  double k = 0.75 * (1 - 1 / fmax(teeth->contact_ratio, 1)), bulk[ISO_STATIONS];
  for (int r = 0; r < ISO_STATIONS; r++) {
    double u = 2.0 * r / (ISO_STATIONS - 1) - 1, cosine = teeth->cos_base;
    double pair = cosine * cosine / (iso->single * (1 - k * u * u)), local = cosine * teeth->local;
    roll[r] = flank->roll_first + 0.5 * (u + 1) * (flank->roll_last - flank->roll_first);
    bulk[r] = pair - local;
    if (!(bulk[r] > 0))
      return hk_fail(err, HK_EINPUT,
                     "the deflection of the local contact, %.4g mm um/N, is larger than that of "
                     "the whole pair by ISO 6336 (%.4g): use 'compliance: fe'",
                     1e9 * local, 1e9 * pair);
  }
  /* Two stations of one tooth are never loaded at the same time: their coupling is the mean. */
  for (int r = 0; r < ISO_STATIONS; r++)
    for (int s = 0; s < ISO_STATIONS; s++)
      for (int i = 0; i < n; i++) {
        size_t at = ((size_t)(r * n + i) * ISO_STATIONS + (size_t)s) * (size_t)n + (size_t)i;
        c[at] = 0.25 * (bulk[r] + bulk[s]) * n / teeth->face_width;
      }
  return HK_OK;
}
