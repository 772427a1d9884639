/* See bearing_joint.h. */
#include "composite/bearing_joint.h"
#include "mesh/drawing.h"
#include "spec/item.h"
#include <string.h>

const char *const hk_bearing_fidelity_names[] = {"ideal", "linear", "quasi_static", "full", NULL};
const char *const hk_bearing_dimension_names[] = {"given", "typical", NULL};

typedef struct build {
  const hk_item *item;
  const hk_bearing_joint *p;
  hk_parts parts;
  hk_rolling_bearing_params of; /* parameters, with estimated dimensions filled in */
} build;

static hk_bearing_kind kind_of(const hk_bearing_joint *p) {
  return (hk_bearing_kind)((int)p->words->first + p->of.kind);
}

static void add_between(build *k, hk_category category, const char *type, const char *name) {
  hk_part_add(&k->parts, category, type, name, -1);
  hk_part_text(&k->parts, "a", k->p->joint.a);
  hk_part_text(&k->parts, "b", k->p->joint.b);
}

/* ---- dimensions ---- */

/* Sets the dimensions that are typical of bearings in catalogues. The diameter of the elements is 0.3 times the difference
 * of the outer diameter and the bore, and there is little space between the elements. */
static void estimate(const hk_rolling_bearing_params *p, hk_rolling_bearing_params *out) {
  *out = *p;
  out->pitch_diameter = 0.5 * (p->bore + p->outside);
  out->element_diameter = 0.3 * (p->outside - p->bore);
  out->elements = (int)lround(1 + 1.67 / asin(out->element_diameter / out->pitch_diameter));
  if (out->elements > HK_BEARING_MAX_ELEMENTS) out->elements = HK_BEARING_MAX_ELEMENTS;
  out->roller_length = out->element_diameter;
}

static hk_status find_dimensions(build *k, hk_error *err) {
  const hk_rolling_bearing_params *p = &k->p->of;
  const hk_bearing_words *w = k->p->words;
  const bool rollers = w->first >= HK_BEARING_CYLINDRICAL_ROLLER;
  struct {
    const char *name;
    bool given;
  } need[] = {{w->elements, hk_item_has(k->item, w->elements)},
              {w->diameter, hk_item_has(k->item, w->diameter)},
              {"pitch_diameter", hk_item_has(k->item, "pitch_diameter")},
              {"roller_length", !rollers || hk_item_has(k->item, "roller_length")}};
  const char *missing = NULL;
  for (int i = 3; i >= 0; i--)
    if (!need[i].given) missing = need[i].name;
  k->of = *p;
  if (!missing) return HK_OK;
  if (!(p->bore > 0) || !(p->outside > p->bore))
    return hk_fail(
        err, HK_EINPUT,
        "fidelity '%s' needs %s, or 'dimensions: typical' with bore and a larger outside",
        hk_bearing_fidelity_names[k->p->fidelity], missing);
  hk_rolling_bearing_params guess;
  estimate(p, &guess);
  if (k->p->dimensions != HK_BEARING_TYPICAL)
    return hk_fail(
        err, HK_EINPUT,
        "fidelity '%s' needs %s; typical values for this bore and outside are %s: %d, %s: %.4g mm, "
        "pitch_diameter: %.4g mm; give them, or dimensions: typical",
        hk_bearing_fidelity_names[k->p->fidelity], missing, w->elements, guess.elements,
        w->diameter, 1e3 * guess.element_diameter, 1e3 * guess.pitch_diameter);
  if (!need[0].given) k->of.elements = guess.elements;
  if (!need[1].given) k->of.element_diameter = guess.element_diameter;
  if (!need[2].given) k->of.pitch_diameter = guess.pitch_diameter;
  if (!need[3].given) k->of.roller_length = guess.roller_length;
  const hk_filled filled[] = {{w->elements, k->of.elements, "", need[0].given},
                              {w->diameter, 1e3 * k->of.element_diameter, "mm", need[1].given},
                              {"pitch_diameter", 1e3 * k->of.pitch_diameter, "mm", need[2].given},
                              {"roller_length", 1e3 * k->of.roller_length, "mm", need[3].given}};
  hk_part_filled(&k->parts, filled, 4, "typical of bore and outside");
  return HK_OK;
}

/* ---- parts ---- */

/* Copies the parameters of the joint to the force. */
static void hand_over(build *k, const hk_param *to) {
  hk_parts *s = &k->parts;
  const int index = hk_type_param_find(hk_item_type(k->item), to->name);
  if (index < 0 || !hk_item_has(k->item, to->name)) return;
  const void *value =
      (const char *)hk_item_data(k->item) + hk_type_param(hk_item_type(k->item), index)->offset;
  switch (to->kind) {
    case HK_PARAM_REAL:
      hk_part_real(s, to->name, *(const double *)value);
      break;
    case HK_PARAM_INT:
      hk_part_int(s, to->name, *(const int *)value);
      break;
    case HK_PARAM_ENUM:
      hk_part_text(s, to->name, to->choices[*(const int *)value]);
      break;
    case HK_PARAM_VEC3:
      hk_part_vec3(s, to->name, *(const hk_vec3 *)value);
      break;
    case HK_PARAM_REALS:
      hk_part_reals(s, to->name, value,
                    to->flags & HK_COUNTED ? (int)((const double *)value)[to->count] : to->count);
      break;
    default:
      break;
  }
}

static void add_force(build *k) {
  static const char *const own[] = {
      "a", "b", "kind", "elements", "element_diameter", "pitch_diameter", "linear", NULL};
  const hk_type *type = &hk_type_force_rolling_bearing;
  hk_parts *s = &k->parts;
  add_between(k, HK_FORCE, type->name, k->p->words->elements);
  hk_part_text(s, "kind", hk_bearing_kind_names[kind_of(k->p)]);
  for (int i = 0; i < type->n_params; i++) {
    bool mine = false;
    for (int j = 0; own[j]; j++) mine = mine || strcmp(own[j], type->params[i].name) == 0;
    if (!mine) hand_over(k, &type->params[i]);
  }
  hk_part_int(s, "elements", k->of.elements);
  hk_part_real(s, "element_diameter", k->of.element_diameter);
  hk_part_real(s, "pitch_diameter", k->of.pitch_diameter);
  if (k->p->words->first >= HK_BEARING_CYLINDRICAL_ROLLER)
    hk_part_real(s, "roller_length", k->of.roller_length);
  if (k->p->fidelity == HK_BEARING_LINEARISED) hk_part_bool(s, "linear", true);
}

/* Adds the sensors. A linearised bearing has only the first sensors of the list, and an ideal bearing has no tilt, except with
 * spherical rollers. */
static void add_sensors(build *k) {
  static const char *const element[] = {"tilt",   "load_max",        "pressure_max",
                                        "loaded", "friction_torque", "cage_angle"};
  static const int count[] = {[HK_BEARING_IDEAL] = 0,
                              [HK_BEARING_LINEARISED] = 1,
                              [HK_BEARING_QUASI_STATIC] = 6,
                              [HK_BEARING_FULL] = 0};
  hk_parts *s = &k->parts;
  add_between(k, HK_SENSOR, "angle", "angle");
  add_between(k, HK_SENSOR, "displacement", "axial");
  hk_part_vec3(s, "axis", hk_v3(0, 0, 1));
  for (int i = 0; i < count[k->p->fidelity]; i++) {
    hk_part_add(s, HK_SENSOR, "expression", element[i], -1);
    hk_part_expression(s, "value", "%s.%s.%s", s->owner, k->p->words->elements, element[i]);
  }
  if (k->p->fidelity != HK_BEARING_IDEAL) return;
  if (kind_of(k->p) == HK_BEARING_SPHERICAL_ROLLER) {
    add_between(k, HK_SENSOR, "articulation_angle", "tilt");
    return;
  }
  hk_part_add(s, HK_SENSOR, "expression", "tilt", -1);
  hk_part_expression(s, "value", "0 rad");
}

static const char *ideal_joint(hk_bearing_kind kind) {
  if (kind == HK_BEARING_SPHERICAL_ROLLER) return "spherical";
  return kind == HK_BEARING_CYLINDRICAL_ROLLER ? "cylindrical" : "revolute";
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  const hk_bearing_joint *p = hk_item_data(item);
  build k = {
      .item = item, .p = p, .parts = {.spec = spec, .owner = hk_item_name(item), .err = err}};
  if (hk_item_has(item, "at") || hk_item_has(item, "axis") || hk_item_has(item, "x_axis"))
    return hk_fail(err, HK_EINPUT,
                   "a bearing joint uses the frames a and b; use markers, not at and axis");
  if (p->fidelity == HK_BEARING_IDEAL) {
    add_between(&k, HK_JOINT, ideal_joint(kind_of(p)), "pin");
  } else {
    hk_status status = find_dimensions(&k, err);
    if (status) return status;
    if (p->fidelity == HK_BEARING_FULL)
      k.parts.status = hk_bearing_full_expand(item, &k.of, kind_of(p), &k.parts);
    else
      add_force(&k);
  }
  add_sensors(&k);
  return k.parts.status;
}

static const hk_quantity channels[] = {
    {"angle", "rad", "turn of b about the axis of a"},
    {"tilt", "rad", "misalignment: angle between the axes of a and b"},
    {"axial", "m", "displacement of b along the axis of a"},
    {"load_max", "N", "largest load of an element on a race; quasi_static, full"},
    {"pressure_max", "Pa", "maximum Hertzian pressure; quasi_static, full"},
    {"loaded", "1", "number of elements loaded by the inner race; quasi_static, full"},
    {"friction_torque", "N*m", "friction moment on b about the axis; quasi_static, full"},
    {"cage_angle", "rad", "angle of the cage relative to a; quasi_static, full"}};

const hk_joint_ops hk_bearing_joint_ops = {.frames = true, .expand = expand, HK_CHANNELS(channels)};

/* ---- pictures and samples ---- */

void hk_bearing_joint_draw(const hk_item *item, struct hk_drawing *d) {
  const hk_bearing_joint *p = hk_item_data(item);
  hk_rolling_bearing_params of = p->of;
  if (!(of.pitch_diameter > 0) || !(of.element_diameter > 0)) {
    hk_rolling_bearing_params guess = of;
    if (!(of.bore > 0) || !(of.outside > of.bore))
      guess.bore = d->size, guess.outside = 2 * d->size;
    estimate(&guess, &of);
  }
  of.kind = (int)kind_of(p);
  of.a = p->joint.a, of.b = p->joint.b;
  hk_rolling_bearing_draw_as(&of, d);
}

/* Draws balls and cage with masses near 1 kg, like everything else in the test model. */
static hk_status sample_full(hk_item *item, hk_error *err) {
  static const char *const DAMAGE[] = {"waviness_inner",
                                       "waviness_outer",
                                       "spall_inner",
                                       "spall_outer",
                                       "spall_element",
                                       "cage_mass",
                                       "law",
                                       "cage_law",
                                       NULL};
  static const struct {
    const char *name;
    double value;
  } real[] = {{"pocket_clearance", 0.02},   {"guide_clearance", 0.02}, {"cage_density", 100},
              {"cage_youngs_modulus", 1e5}, {"traction", 0.1},         {"traction_velocity", 0.1}};
  for (int i = 0; DAMAGE[i]; i++) hk_item_forget(item, DAMAGE[i]);
  hk_bearing_joint *p = hk_item_edit(item);
  p->full.law = p->full.cage_law = NULL;
  p->full.cage_mass = 0;
  hk_status status = HK_OK;
  for (size_t i = 0; i < sizeof real / sizeof *real && !status; i++)
    status = hk_item_real(item, real[i].name, real[i].value, err);
  return status;
}

hk_status hk_bearing_joint_sample(hk_item *item, hk_error *err) {
  const hk_bearing_joint *p = hk_item_data(item);
  const bool full = p->fidelity == HK_BEARING_FULL;
  hk_status status = HK_OK;
  if (full && kind_of(p) == HK_BEARING_FOUR_POINT)
    status = hk_item_text(item, "kind", "angular_contact", err);
  if (status) return status;
  status = hk_rolling_bearing_sample_as(item, &p->of, kind_of(p), p->words->elements,
                                        p->words->diameter, err);
  return status || !full ? status : sample_full(item, err);
}

void hk_bearing_joint_stage(const hk_item *item, hk_stage *stage) {
  const hk_bearing_joint *p = hk_item_data(item);
  if (p->fidelity == HK_BEARING_IDEAL) return;
  hk_rolling_bearing_stage(item, stage);
  stage->stressed = true;
}
