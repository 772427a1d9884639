/* Geometry of a pin in a bore, for friction in all directions (pin_in_bush) or only around the
 * pin (trunnion_in_bore). */
#ifndef HK_CONTACT_PIN_IN_BUSH_H
#define HK_CONTACT_PIN_IN_BUSH_H
#include <hooke/gap.h>

typedef struct hk_pin_in_bush {
  hk_contact_common common;
  double bore_radius, pin_radius, length;
} hk_pin_in_bush;

enum { HK_PIN_IN_BUSH_PARAMS = 3 };
extern const hk_param hk_pin_in_bush_params[HK_PIN_IN_BUSH_PARAMS];
extern const char *const hk_pin_in_bush_points[2];
struct hk_drawing;
void hk_pin_in_bush_draw(const hk_item *item, struct hk_drawing *d);
hk_status hk_pin_in_bush_prepare(const hk_item *item, double *k, hk_error *err);
double hk_pin_in_bush_deepest(const double *k);
/* The first tangent is along the pin. */
void hk_pin_in_bush_eval(const double *k, const hk_frame *A, const hk_frame *B, double near,
                         bool with_t, hk_gap *out);
/* Radii of curvature of bore and pin in the circumferential direction; each end represents half of
 * the length. */
hk_curvature hk_pin_in_bush_radii(const double *k);
#endif
