/* A rolling bearing under load: equilibrium of the inner ring, loads of the elements, pressures, films, life.  Used by
 * `hooke bearing` and by hk_bearing_solve. */
#ifndef HK_ANALYSIS_BEARING_STATE_H
#define HK_ANALYSIS_BEARING_STATE_H
#include "bearing/catalogue.h"
#include "bearing/life.h"
#include "force/rolling_bearing.h"

enum { HK_BEARING_MOST = HK_BEARING_MAX_ROWS * HK_BEARING_MAX_ELEMENTS };

/* Contacts of one rolling element, inner race and outer race. */
typedef struct hk_bearing_contact {
  /* truncated: > 0 if the contact ellipse extends beyond the shoulder */
  double pressure[2], film[2], truncated[2];
} hk_bearing_contact;

typedef struct hk_bearing_state {
  /* the bearing with all its elements, even if the model uses the linearised form */
  hk_rolling_bearing whole;
  /* points into this struct, so the struct must not be copied */
  const hk_rolling_bearing *made;
  hk_bearing_task task;
  hk_bearing_balance balance;
  hk_bearing_element element[HK_BEARING_MOST];
  hk_bearing_contact contact[HK_BEARING_MOST];
  hk_bearing_life life, aligned;  /* life with the actual tilt; aligned: without tilt */
  hk_bearing_catalogue catalogue; /* L10 = 0: no rating, or no factors for this bearing */
  hk_bearing_lubrication oil;
  /* true: the outer ring rotates relative to the load; false: the inner ring does */
  bool outer_turns;
} hk_bearing_state;

/* Sets load and speed from the model; the axial direction is constrained if rollers cannot carry
 * axial load. */
void hk_bearing_state_init(hk_bearing_state *s, const hk_rolling_bearing_params *p,
                           const hk_rolling_bearing *made);
/* Returns true if neither a load nor a preload acts on the bearing. */
bool hk_bearing_state_is_free(const hk_bearing_state *s);
hk_status hk_bearing_state_hold(const hk_bearing_state *s, const hk_bearing_task *t,
                                hk_bearing_balance *balance, hk_bearing_element *element,
                                hk_error *err);
hk_status hk_bearing_state_solve(hk_bearing_state *s, hk_error *err);
/* Viscosity ratio kappa of ISO 281 at this speed [rad/s]. */
double hk_bearing_viscosity_ratio(const hk_rolling_bearing *made, double speed);
/* Computes the natural frequencies [Hz], ascending, of a rigid body that is supported by this bearing alone. The body
 * is given by its mass, the position of its centre of mass, and the inertia about this centre in the axes of the
 * inner ring. The rotation about the bearing axis and the asymmetric part of the stiffness are ignored. Returns the
 * number of frequencies; directions without stiffness are not counted. */
int hk_bearing_state_natural(const hk_bearing_state *s, double mass, hk_vec3 center,
                             const hk_mat3 *inertia, double frequency[5]);
/* Highest speed [rad/s] at which elements are still loaded by the inner race under the load of the task; NAN: none was found. */
double hk_bearing_state_lift_off(const hk_bearing_state *s);
/* Contact angle of the most loaded element. */
double hk_bearing_state_angle(const hk_bearing_state *s);
/* Smallest film thickness of the loaded elements [m]; 0: no film. */
double hk_bearing_state_film(const hk_bearing_state *s);
#endif
