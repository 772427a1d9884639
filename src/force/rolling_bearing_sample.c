/* Rolling bearing for hk_type.sample: dimensions of metres, of a material that deforms under
 * newtons, with a preload so large that no element loses contact, because finite differences
 * across that kink are inaccurate. */
#include "force/rolling_bearing.h"
#include "spec/item.h"

static const double D = 0.3;

static bool has(const hk_item *item, const char *name) {
  return hk_type_param_find(hk_item_type(item), name) >= 0;
}

static double part(double drawn) { return fmin(fabs(drawn), 1); }

static hk_status set_lists(hk_item *item, const hk_rolling_bearing_params *p, hk_error *err) {
  double size[4], wave[3], phase[3];
  for (int i = 0; i < 4; i++) size[i] = 1e-3 * D * p->size_error[i];
  for (int i = 0; i < 3; i++) wave[i] = 1e-3 * D * p->waviness_inner[i], phase[i] = 0.3 * i;
  hk_status status = hk_item_reals(item, "size_error", size, 4, err);
  if (!status) status = hk_item_reals(item, "waviness_inner", wave, 3, err);
  for (int i = 0; i < 3; i++) wave[i] = 1e-3 * D * p->waviness_outer[i];
  if (!status) status = hk_item_reals(item, "waviness_outer", wave, 3, err);
  if (!status) status = hk_item_reals(item, "waviness_inner_phase", phase, 3, err);
  return status ? status : hk_item_reals(item, "waviness_outer_phase", phase, 3, err);
}

hk_status hk_rolling_bearing_sample_as(hk_item *item, const hk_rolling_bearing_params *p,
                                       hk_bearing_kind kind, const char *elements,
                                       const char *diameter, hk_error *err) {
  const bool directed = kind == HK_BEARING_ANGULAR_CONTACT || kind == HK_BEARING_TAPERED_ROLLER,
             ball = kind <= HK_BEARING_ANGULAR_CONTACT;
  const bool spherical = kind == HK_BEARING_SPHERICAL_ROLLER;
  const double angle = kind == HK_BEARING_TAPERED_ROLLER                                     ? 0.3
                       : spherical && p->rows > 4                                            ? 0.3
                       : kind == HK_BEARING_ANGULAR_CONTACT || kind == HK_BEARING_FOUR_POINT ? 0.5
                                                                                             : 0;
  const struct {
    const char *name;
    double value;
  } real[] = {{diameter, D},
              {"pitch_diameter", 1.5},
              {"conformity_inner", 0.55},
              {"conformity_outer", 0.56},
              {"contact_angle", angle},
              {"clearance", directed ? 0 : -0.05 * D},
              {"row_distance", 0.5},
              {"preload_displacement", directed ? 0.07 * D : 0},
              {"roller_length", D},
              {"osculation", 0.9},
              {"taper", 0.03},
              {"rib_height", 0.04},
              {"shoulder_inner", 0},
              {"shoulder_outer", 0},
              {"youngs_modulus", 2e5},
              {"element_youngs_modulus", 3e5},
              {"density", 300},
              {"bore", 0},
              {"outside", 0},
              {"shaft_bore", 0},
              {"housing_outside", 0},
              {"interference_shaft", 0},
              {"interference_housing", 0},
              {"temperature_difference", 0},
              {"friction", 0.1 * part(p->friction)},
              {"spin_friction", 0.1 * part(p->spin_friction)},
              {"viscous_factor", 1e-3 * part(p->viscous_factor)},
              {"viscosity", 1e-3},
              {"damping", part(p->damping)},
              {"damping_depth", 0.005},
              {"spall_inner", 1e-3 * D * part(p->spall_inner)},
              {"spall_outer", 1e-3 * D * part(p->spall_outer)},
              {"spall_element", 1e-3 * D * part(p->spall_element)},
              {"spall_width", 1}};
  hk_status status = hk_item_int(item, elements, 7, err);
  if (!status) status = hk_item_int(item, "rows", p->rows > 4 ? 2 : 1, err);
  if (!status) status = hk_item_int(item, "forward_rows", 0, err);
  if (!status && has(item, "slices")) status = hk_item_int(item, "slices", 7, err);
  if (!status) status = hk_item_int(item, "spalled_element", 1, err);
  if (!status && spherical) status = hk_item_text(item, "dynamics", "static", err);
  if (!status && !spherical && !ball && p->dynamics == HK_BEARING_GYROSCOPIC)
    status = hk_item_text(item, "dynamics", "centrifugal", err);
  for (size_t i = 0; i < sizeof real / sizeof *real && !status; i++)
    if (has(item, real[i].name)) status = hk_item_real(item, real[i].name, real[i].value, err);
  if (!status && has(item, "profile")) status = hk_item_text(item, "profile", "straight", err);
  if (!status) status = hk_item_vec3(item, "load", hk_v3(0, 0, 0), err);
  if (!status)
    hk_item_forget(item, "moment"); /* the position without a load: all elements are in contact */
  if (!status) hk_item_forget(item, "preload"); /* the random preload is discarded */
  return status ? status : set_lists(item, p, err);
}

hk_status hk_rolling_bearing_sample(hk_item *item, hk_error *err) {
  const hk_rolling_bearing_params *p = hk_item_data(item);
  return hk_rolling_bearing_sample_as(item, p, (hk_bearing_kind)p->kind, "elements",
                                      "element_diameter", err);
}

void hk_rolling_bearing_stage(const hk_item *item, hk_stage *stage) {
  stage->length = 0.01 * D;
  stage->angle = 0.004;
  stage->speed = 0.05;
  stage->exact = 1e-6; /* accuracy of the element equilibrium */
}
