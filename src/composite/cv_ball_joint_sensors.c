/* Sensors of a ball-type CV joint: see cv_ball_joint.c. */
#include "composite/cv_ball_joint.h"
#include <stdio.h>

static void add_relation_sensor(hk_cv_build *j, const char *type, const char *name, const char *a,
                                const char *b) {
  hk_part_add(&j->parts, HK_SENSOR, type, name, -1);
  hk_part_text(&j->parts, "a", a);
  hk_part_text(&j->parts, "b", b);
}

void hk_cv_add_race_sensors(hk_cv_build *j) {
  const char *a = j->p->joint.a, *b = j->p->joint.b;
  add_relation_sensor(j, "articulation_angle", "articulation_angle", a, b);
  if (j->p->fidelity == HK_CV_FULL) hk_part_real(&j->parts, "limit", hk_cv_bend_limit(j->p));
  add_relation_sensor(j, "twist", "transmission_error", a, b);
  add_relation_sensor(j, "displacement", "plunge", a, b);
}

/* Adds the sensor of the displacement of a ball along a curved track: around the arc's centre, and
 * along its tangent. */
static void add_stroke(hk_cv_build *j, int k, bool outer) {
  static const char *const part[2][3] = {{"inner_radial", "inner_axial", "stroke"},
                                         {"outer_radial", "outer_axial", "outer_stroke"}};
  const hk_stand *race = outer ? &j->a : &j->b;
  hk_parts *s = &j->parts;
  const char *o = s->owner, *const *name = part[outer];
  double r = hk_cv_arc_radius(j->p);
  char frame[600];
  snprintf(frame, sizeof frame, "%s.%s[%d]", race->body ? hk_item_name(race->body) : "ground",
           outer ? j->outer_marker : j->marker, k);
  for (int i = 0; i < 2; i++) {
    hk_part_add(s, HK_SENSOR, "displacement", name[i], k);
    hk_part_text(s, "a", frame);
    hk_part_frame(s, "b", "ball", k);
    hk_part_vec3(s, "axis", i ? hk_v3(0, 0, 1) : hk_v3(1, 0, 0));
  }
  hk_part_add(s, HK_SENSOR, "expression", name[2], k);
  if (j->p->track_family == HK_CV_ARC)
    hk_part_expression(s, "value", "%.17g*(1 m)*atan2(%s.%s[%d],%s.%s[%d])/(1 rad)", r, o, name[1],
                       k, o, name[0], k);
  else /* min and max separate the arc from the straight part */
    hk_part_expression(
        s, "value", "%.17g*(1 m)*atan2(%s(%s.%s[%d],0 m),%s.%s[%d])/(1 rad)+%s(%s.%s[%d],0 m)", r,
        outer == (j->p->track_offset > 0) ? "min" : "max", o, name[1], k, o, name[0], k,
        outer == (j->p->track_offset > 0) ? "max" : "min", o, name[1], k);
}

static void add_ball_sensors(hk_cv_build *j, int k) {
  hk_parts *s = &j->parts;
  char frame[600];
  if (hk_cv_fixed(j->p)) {
    add_stroke(j, k, false);
    add_stroke(j, k, true);
    hk_part_add(s, HK_SENSOR, "distance", "window_radius", k);
    hk_part_frame(s, "a", "cage", -1);
    hk_part_frame(s, "b", "ball", k);
    return;
  }
  snprintf(frame, sizeof frame, "%s.%s[%d]", j->b.body ? hk_item_name(j->b.body) : "ground",
           j->marker, k);
  hk_part_add(s, HK_SENSOR, "displacement", "stroke", k);
  hk_part_text(s, "a", frame);
  hk_part_frame(s, "b", "ball", k);
}

/* The names of the flanks follow the parameter `torque_direction`, but the torque may have the
 * opposite sign.  The track forces below are therefore the forces of those flanks whose total force
 * is larger. */
static void add_flanks(hk_cv_build *j) {
  static const hk_part_terms flanks[] = {
      {"flank_sum", 0, "", "@.inner[#].loaded.normal_force"},
      {"flank_sum", 1, "", "@.inner[#].counter.normal_force"},
      {"flank_max", 0, "max", "@.inner[#].loaded.normal_force"},
      {"flank_max", 1, "max", "@.inner[#].counter.normal_force"},
      {"flank_min", 0, "min", "@.inner[#].loaded.normal_force"},
      {"flank_min", 1, "min", "@.inner[#].counter.normal_force"},
      {"outer_flank_max", 0, "max", "@.outer[#].loaded.normal_force"},
      {"outer_flank_max", 1, "max", "@.outer[#].counter.normal_force"}};
  static const struct {
    const char *name, *of;
    int loaded;
  } chosen[] = {{"track_force_max", "flank_max", 0},
                {"track_force_min", "flank_min", 0},
                {"unloaded_force_max", "flank_max", 1},
                {"outer_unloaded_force_max", "outer_flank_max", 1}};
  const char *o = j->parts.owner;
  for (size_t i = 0; i < sizeof flanks / sizeof *flanks; i++)
    hk_part_over(&j->parts, &flanks[i], j->p->balls);
  for (size_t i = 0; i < sizeof chosen / sizeof *chosen; i++) {
    hk_part_add(&j->parts, HK_SENSOR, "expression", chosen[i].name, -1);
    hk_part_expression(&j->parts, "value",
                       "if(%s.flank_sum[0] >= %s.flank_sum[1], %s.%s[%d], %s.%s[%d])", o, o, o,
                       chosen[i].of, chosen[i].loaded, o, chosen[i].of, !chosen[i].loaded);
  }
}

void hk_cv_add_sensors(hk_cv_build *j) {
  static const hk_part_terms windows[] = {
      {"cage_force_max", -1, "max", "@.window[#].front.normal_force,@.window[#].back.normal_force"},
      {"window_force_max", -1, "max",
       "@.window[#].front.normal_force-@.window[#].back.normal_force"},
      {"window_force_min", -1, "min",
       "@.window[#].front.normal_force-@.window[#].back.normal_force"}};
  char cage[256];
  snprintf(cage, sizeof cage, "%s.cage", j->parts.owner);
  hk_cv_add_race_sensors(j);
  add_relation_sensor(j, "articulation_angle", "cage_angle", j->p->joint.a, cage);
  for (int k = 0; k < j->p->balls; k++) add_ball_sensors(j, k);
  add_flanks(j);
  for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
    hk_part_over(&j->parts, &windows[i], j->p->balls);
}
