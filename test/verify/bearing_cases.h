/* Bearings of the reference cases, shared by test_bearing and test_bearing_motion. */
#ifndef BEARING_CASES_H
#define BEARING_CASES_H
#include "bearing/balance.h"
#include "bearing/design.h"
#include "data/bearing.h"
#include "verify.h"

static const char TABLE[] = "bearings", SOURCE[] = "independent program";

static inline hk_bearing_design steel(hk_bearing_kind kind, int n, double D, double dm, double fi,
                                      double fo) {
  return (hk_bearing_design){.kind = kind,
                             .rows = 1,
                             .elements = n,
                             .element_diameter = D,
                             .pitch_diameter = dm,
                             .conformity = {fi, fo},
                             .youngs_modulus = 208e9,
                             .poisson_ratio = 0.3,
                             .element_youngs_modulus = 208e9,
                             .element_poisson_ratio = 0.3,
                             .density = 7800,
                             .preload = NAN};
}

static inline hk_bearing_design design(int which) {
  hk_bearing_design d;
  if (which == DESIGN_6206) {
    d = steel(HK_BEARING_DEEP_GROOVE, 9, 9.525e-3, 46e-3, 0.515, 0.525);
    d.clearance = 12e-6;
  } else if (which == DESIGN_6208) {
    d = steel(HK_BEARING_DEEP_GROOVE, 9, 11.906e-3, 60e-3, 0.515, 0.525);
    d.clearance = -5e-6;
  } else {
    d = steel(HK_BEARING_ANGULAR_CONTACT, 16, 22.23e-3, 125.26e-3, 0.5232, 0.5232);
    d.contact_angle = 40 * M_PI / 180;
  }
  return d;
}

static inline hk_bearing make(const hk_bearing_design *d) {
  hk_bearing p;
  hk_error err = {0};
  if (hk_bearing_make(d, &p, &err)) fail_msg("%s", err.text);
  return p;
}

/* Numbers with seven digits can be compared only to half a unit of the last digit. */
static inline void near_to(const char *id, const char *what, double ours, double reference,
                           double band, double size) {
  vf_check(TABLE, id, what, ours, reference, band * fmax(fabs(reference), size), SOURCE);
}
static inline void solve(const char *id, const hk_bearing *p, const hk_bearing_task *t,
                         hk_bearing_balance *b, hk_bearing_element *e) {
  const char *failed = hk_bearing_hold(p, t, b, e);
  if (failed) fail_msg("%s: %s", id, failed);
}
#endif
