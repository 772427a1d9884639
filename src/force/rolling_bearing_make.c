/* Constants of a rolling bearing from its parameters. */
#include "base/arena.h"
#include "bearing/linear.h"
#include "force/rolling_bearing.h"
#include <string.h>

typedef hk_rolling_bearing_params params;

static const double EXPANSION = 11.7e-6; /* thermal expansion of steel, 1/K */
static const double OIL_DENSITY = 870;   /* kg/m^3 */
static const double REST = 1;            /* rad/s: regularization velocity of friction */

hk_bearing_design hk_rolling_bearing_design(const hk_item *item, const params *p) {
  const bool ceramic = hk_item_has(item, "element_youngs_modulus");
  return (hk_bearing_design){
      .kind = (hk_bearing_kind)p->kind,
      .rows = p->rows,
      .forward = p->forward_rows,
      .elements = p->elements,
      .arrangement = (hk_bearing_arrangement)p->arrangement,
      .backward = p->thrust == 1,
      .row_distance = p->row_distance,
      .element_diameter = p->element_diameter,
      .pitch_diameter = p->pitch_diameter,
      .conformity = {p->conformity_inner, p->conformity_outer},
      .contact_angle = p->contact_angle,
      .clearance = p->clearance,
      .shoulder = {p->shoulder_inner, p->shoulder_outer},
      .roller_length = p->roller_length,
      .taper = p->taper,
      .rib_height = p->rib_height,
      .osculation = p->osculation,
      .slices = p->slices,
      .profile = (hk_roller_profile)p->profile,
      .youngs_modulus = p->youngs_modulus,
      .poisson_ratio = p->poisson_ratio,
      .element_youngs_modulus = ceramic ? p->element_youngs_modulus : p->youngs_modulus,
      .element_poisson_ratio =
          hk_item_has(item, "element_poisson_ratio") ? p->element_poisson_ratio : p->poisson_ratio,
      .density = p->density,
      .preload = hk_item_has(item, "preload") ? p->preload : NAN,
      .preload_displacement = p->preload_displacement,
      .dynamics = (hk_bearing_dynamics)p->dynamics,
      .control = (hk_bearing_control)p->control,
      .fit = {.bore = p->bore,
              .outside = p->outside,
              .shaft_bore = p->shaft_bore,
              .housing_outside = p->housing_outside,
              .interference_shaft = p->interference_shaft,
              .interference_housing = p->interference_housing,
              .temperature_difference = p->temperature_difference,
              .expansion = EXPANSION}};
}

/* Palmgren: M = 1e-7 f0 (nu n)^(2/3) dm^3 in N mm, mm^2/s, 1/min, mm. */
static void set_friction(const params *p, hk_bearing *b) {
  double nu = 1e6 * p->viscosity / OIL_DENSITY, dm = 1e3 * p->pitch_diameter;
  b->friction.load = p->friction;
  b->friction.spin = p->spin_friction;
  b->friction.rest = REST;
  b->friction.viscous = 1e-10 * p->viscous_factor * pow(nu * 30 / M_PI, 2.0 / 3) * dm * dm * dm;
  b->damping = p->damping;
  b->ramp = p->damping_depth;
}

/* Size errors and waviness are small manufacturing deviations. These deviations change only the gaps: contacts are
 * computed with the curvatures of ideal races. */
static const double MOST_DEVIATION = 0.01; /* of the element diameter */

static hk_status check_deviations(const char *name, const double *value, int n, double D,
                                  hk_error *err) {
  for (int i = 0; i < n; i++)
    if (!(fabs(value[i]) <= MOST_DEVIATION * D))
      return hk_fail(
          err, HK_EINPUT,
          "%s has a value of %.4g um; not more than 1 %% of element_diameter, %.4g um, is "
          "supported",
          name, 1e6 * value[i], 1e6 * MOST_DEVIATION * D);
  return HK_OK;
}

static hk_status set_sizes(const params *p, hk_bearing *b, hk_error *err) {
  int n = (int)p->size_error[HK_BEARING_MAX_SIZES], all = b->rows * b->n;
  if (n > all)
    return hk_fail(err, HK_EINPUT,
                   "size_error has %d values, but there are only %d rolling elements", n, all);
  hk_status status = check_deviations("size_error", p->size_error, n, p->element_diameter, err);
  if (status) return status;
  for (int i = 0; i < n; i++) b->size[i / b->n][i % b->n] = p->size_error[i];
  return HK_OK;
}

static void set_waves(const double *amplitude, const double *phase, hk_waviness *w) {
  w->orders = (int)amplitude[HK_BEARING_MAX_ORDERS];
  for (int i = 0; i < w->orders; i++)
    w->amplitude[i + 1] = amplitude[i], w->phase[i + 1] = phase[i];
}

static hk_status set_defects(const params *p, hk_bearing *b, hk_error *err) {
  const double D = p->element_diameter;
  hk_status status = check_deviations("waviness_inner", p->waviness_inner,
                                      (int)p->waviness_inner[HK_BEARING_MAX_ORDERS], D, err);
  if (!status)
    status = check_deviations("waviness_outer", p->waviness_outer,
                              (int)p->waviness_outer[HK_BEARING_MAX_ORDERS], D, err);
  if (status) return status;
  set_waves(p->waviness_inner, p->waviness_inner_phase, &b->wavy[0]);
  set_waves(p->waviness_outer, p->waviness_outer_phase, &b->wavy[1]);
  const double depth[3] = {p->spall_inner, p->spall_outer, p->spall_element},
               at[3] = {p->spall_inner_at, p->spall_outer_at, 0};
  bool spalled = false;
  for (int i = 0; i < 3; i++) {
    b->spall[i] = (hk_spall){at[i], 0.5 * p->spall_width, depth[i]};
    spalled = spalled || depth[i] > 0;
  }
  if (spalled && !(p->spall_width > 0)) return hk_fail(err, HK_EINPUT, "a spall needs spall_width");
  if (p->spalled_element >= b->n)
    return hk_fail(err, HK_EINPUT, "spalled_element %d is not in the range 0 to %d",
                   p->spalled_element, b->n - 1);
  b->spalled = depth[2] > 0 ? p->spalled_element : -1;
  b->defects = spalled || b->wavy[0].orders > 0 || b->wavy[1].orders > 0;
  return HK_OK;
}

static hk_status linearise(const hk_item *item, hk_bearing *b, hk_error *err) {
  const params *p = hk_item_data(item);
  const bool tilts = hk_item_has(item, "moment");
  const hk_bearing_task t = {
      .load = {p->load.x, p->load.y, p->load.z, p->moment.x, p->moment.y},
      .free = {true, true, b->kind != HK_BEARING_CYLINDRICAL_ROLLER, tilts, tilts},
      .speed = {p->speed, 0, NAN}};
  return hk_bearing_linearise(b, &t, err);
}

hk_status hk_rolling_bearing_prepare(const hk_item *item, hk_arena *arena, const void **constants,
                                     hk_error *err) {
  const params *p = hk_item_data(item);
  const hk_bearing_design d = hk_rolling_bearing_design(item, p);
  hk_rolling_bearing *made = HK_NEW(arena, hk_rolling_bearing);
  if (!made) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_status status = hk_bearing_make(&d, &made->bearing, err);
  if (status) return status;
  set_friction(p, &made->bearing);
  made->oil = (hk_oil){p->viscosity, p->pressure_viscosity, p->roughness};
  made->rating = p->rating;
  made->lubrication = (hk_bearing_lubrication){
      .contamination = p->contamination, .fatigue_load = p->fatigue_load, .reliability = 1};
  *constants = made;
  status = set_sizes(p, &made->bearing, err);
  if (!status) status = set_defects(p, &made->bearing, err);
  return status || !p->linear ? status : linearise(item, &made->bearing, err);
}
