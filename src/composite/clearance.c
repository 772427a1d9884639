/* See clearance.h. */
#include "composite/clearance.h"
#include <stdio.h>

const char *const hk_clearance_fidelities[] = {"ideal", "compliant", "clearance", "lubricated",
                                               NULL};

/* Initial distance of the frames, in clearances, above which the input is rejected. */
static const double MOST_APART = 20;

static hk_status check_size(const char *fidelity, const char *name, double value, double unit,
                            const char *as, bool given, hk_error *err) {
  if (!given) return hk_fail(err, HK_EINPUT, "fidelity '%s' needs %s", fidelity, name);
  if (value > 0 && isfinite(value)) return HK_OK;
  return hk_fail(err, HK_EINPUT, "%s is %g %s: with fidelity '%s' it must be greater than 0", name,
                 unit * value, as, fidelity);
}

static hk_status check_play(const hk_clearance_build *k, hk_error *err) {
  const hk_clearance *p = k->p;
  const char *fidelity = hk_clearance_fidelities[p->fidelity];
  hk_status status = check_size(fidelity, "clearance", p->clearance, 1e6, "um",
                                hk_item_has(k->item, "clearance"), err);
  if (!status)
    status =
        check_size(fidelity, "radius", p->radius, 1e3, "mm", hk_item_has(k->item, "radius"), err);
  if (!status && !p->law)
    status = hk_fail(err, HK_EINPUT, "fidelity '%s' needs a contact law%s", fidelity,
                     p->fidelity == HK_JOINT_LUBRICATED ? " for gaps below the roughness" : "");
  if (!status && !(p->clearance < p->radius))
    status = hk_fail(err, HK_EINPUT, "clearance %g mm must be smaller than radius %g mm",
                     1e3 * p->clearance, 1e3 * p->radius);
  if (status || p->fidelity != HK_JOINT_LUBRICATED) return status;
  status = check_size(fidelity, "viscosity", p->viscosity, 1, "Pa s",
                      hk_item_has(k->item, "viscosity"), err);
  double rough = hk_clearance_roughness(k);
  if (!status && !(rough >= 0 && rough < p->clearance))
    status =
        hk_fail(err, HK_EINPUT,
                "roughness %g um must be at least 0 and less than clearance %g um, or the surfaces "
                "always touch",
                1e6 * rough, 1e6 * p->clearance);
  return status;
}

hk_status hk_clearance_begin(hk_clearance_build *k, const char *what) {
  const hk_clearance *p = k->p;
  hk_error *err = k->parts.err;
  if (hk_item_has(k->item, "at") || hk_item_has(k->item, "axis") || hk_item_has(k->item, "x_axis"))
    return hk_fail(err, HK_EINPUT,
                   "a joint with clearance uses the frames a and b; use markers, not at and axis");
  hk_status status = hk_stand_find(k->parts.spec, p->joint.a, &k->a, err);
  if (!status) status = hk_stand_find(k->parts.spec, p->joint.b, &k->b, err);
  if (!status && p->fidelity >= HK_JOINT_CLEARANCE) status = check_play(k, err);
  if (!status && p->fidelity == HK_JOINT_COMPLIANT)
    status = check_size("compliant", "stiffness", p->stiffness, 1, "N/m",
                        hk_item_has(k->item, "stiffness"), err);
  if (status || p->fidelity < HK_JOINT_CLEARANCE) return status;
  double apart = hk_norm(hk_sub(k->b.x, k->a.x));
  if (apart <= MOST_APART * p->clearance) return HK_OK;
  return hk_fail(
      err, HK_EINPUT,
      "%s of a and b are %g mm apart in the initial position, %.3g times the clearance of %g um",
      what, 1e3 * apart, apart / p->clearance, 1e6 * p->clearance);
}

void hk_clearance_part(hk_clearance_build *k, hk_category category, const char *type,
                       const char *name) {
  hk_part_add(&k->parts, category, type, name, -1);
  hk_part_text(&k->parts, "a", k->p->joint.a);
  hk_part_text(&k->parts, "b", k->p->joint.b);
}

double hk_clearance_roughness(const hk_clearance_build *k) {
  return hk_item_has(k->item, "roughness") ? k->p->roughness : 1e-3 * k->p->clearance;
}

double hk_clearance_left(const hk_clearance_build *k) {
  return k->p->clearance - (k->p->fidelity == HK_JOINT_LUBRICATED ? hk_clearance_roughness(k) : 0);
}

/* Writes the expression of a channel of the contact: the value at its single point, or the sum or the maximum of the
 * values at its two points. */
static void tell_contact(const hk_clearance_build *k, const char *const points[2],
                         const char *channel, bool sum, char *text, size_t size) {
  const char *o = k->parts.owner;
  if (!points[1])
    snprintf(text, size, "%s.%s.%s", o, points[0], channel);
  else
    snprintf(text, size, sum ? "%s.%s.%s + %s.%s.%s" : "max(%s.%s.%s, %s.%s.%s)", o, points[0],
             channel, o, points[1], channel);
}

/* Adds a sensor that reads a counter of the contact. If the joint has no contact, its value is
 * `otherwise`. */
static void add_count(hk_clearance_build *k, const char *const points[2], const char *channel,
                      bool sum, const char *otherwise) {
  char text[700];
  tell_contact(k, points, channel, sum, text, sizeof text);
  hk_part_add(&k->parts, HK_SENSOR, "expression", channel, -1);
  hk_part_expression(&k->parts, "value", "%s",
                     k->p->fidelity >= HK_JOINT_CLEARANCE ? text : otherwise);
}

void hk_clearance_sensors(hk_clearance_build *k, int axes, const char *const points[2]) {
  static const char *const name[] = {"ex", "ey", "ez"};
  hk_parts *s = &k->parts;
  const char *o = s->owner;
  for (int i = 0; i < axes; i++) {
    hk_clearance_part(k, HK_SENSOR, "displacement", name[i]);
    hk_part_vec3(s, "axis", hk_v3(i == 0, i == 1, i == 2));
  }
  hk_part_add(s, HK_SENSOR, "expression", "eccentricity_distance", -1);
  if (axes == 3)
    hk_part_expression(s, "value", "hypot(hypot(%s.ex, %s.ey), %s.ez)", o, o, o);
  else
    hk_part_expression(s, "value", "hypot(%s.ex, %s.ey)", o, o);
  hk_part_add(s, HK_SENSOR, "expression", "gap", -1);
  hk_part_expression(s, "value", "%.17g m - %s.offset", k->p->clearance, o);
  hk_part_add(s, HK_SENSOR, "expression", "contact_state", -1);
  if (k->p->fidelity >= HK_JOINT_CLEARANCE) {
    char closed[700];
    tell_contact(k, points, "closed", false, closed, sizeof closed);
    hk_part_expression(
        s, "value",
        "if(%s > 0, if(abs(%s.ex*%s.ex_rate + %s.ey*%s.ey_rate%s%s%s%s%s) > 1 mm/s * %s.offset, "
        "2, 1), 0)",
        closed, o, o, o, o, axes == 3 ? " + " : "", axes == 3 ? o : "", axes == 3 ? ".ez*" : "",
        axes == 3 ? o : "", axes == 3 ? ".ez_rate" : "", o);
  } else {
    hk_part_expression(s, "value", "1");
  }
  add_count(k, points, "impacts", true, "0");
  add_count(k, points, "closed_time", false, "t");
}

hk_status hk_clearance_sample(hk_item *item, hk_error *err) {
  const hk_clearance *p = hk_item_data(item);
  const double c = 0.3 + 0.2 * fmin(fabs(p->clearance), 1), v = fmin(fabs(p->viscosity), 1);
  hk_status status = hk_item_real(item, "clearance", c, err);
  if (!status) status = hk_item_real(item, "radius", 0.5 + hk_given_or(p->radius, 1), err);
  if (!status) status = hk_item_real(item, "viscosity", 1e-3 * (0.5 + v), err);
  if (!status) status = hk_item_real(item, "stiffness", hk_given_or(p->stiffness, 1), err);
  if (!status && hk_type_param_find(hk_item_type(item), "length") >= 0 &&
      !hk_item_has(item, "length"))
    status = hk_item_real(item, "length", 1 + c, err);
  return status ? status : hk_item_real(item, "roughness", 0.2 * c, err);
}

void hk_clearance_stage(const hk_item *item, hk_stage *stage) {
  const hk_clearance *p = hk_item_data(item);
  if (p->fidelity >= HK_JOINT_CLEARANCE) stage->length = p->clearance;
  stage->round_b = true;
}
