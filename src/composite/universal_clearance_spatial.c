/* Spatial universal joint with clearance: yokes and cross are bodies, pins rotate in bores.
 *
 * The frames `a` and `b` are at the joint's centre, with z along the shafts. The pins of yoke `a` are along the x axis
 * of this yoke, the pins of yoke `b` along the y axis of that yoke. The x axis of the cross is along the pins of `a`,
 * its y axis along the pins of `b`.
 *
 * On a side with clearance:
 *   contacts bore_a[0], bore_a[1]: the pins at -x and +x in their bores, each with both ends of its bore
 *   joint    axial_a: holds the cross along the pins, centred between the bottoms of the bores
 *   joints   slot_a, level_a (slotted bores): both pins stay in the plane of the bores normal to the shaft.  slot_a
 *            transmits a moment, which holds the pins perpendicular to the shaft; level_a transmits a thrust, which holds
 *            the centre of the cross
 * On a side without clearance:
 *   joints   trunnion_a[0], [1]: one short bearing on each arm; axial_a as above
 *   forces   friction_a[0], [1]: friction under the loads of these bearings
 * If each yoke is a rotor or the ground, and the other side has no clearance and thus holds the centre of the cross,
 * axial_a and level_a would be redundant and are omitted.
 *
 * The parts of a side without clearance together are a revolute joint with Coulomb's friction. If the bearings of the
 * shafts and the other yoke hold the centre of the cross, the distribution of the load over two parallel pins with
 * clearance is indeterminate for rigid bodies; only their sum is unique. */
#include "composite/universal_clearance.h"
#include "node/node.h"
#include <stdio.h>
#include <string.h>

typedef hk_universal_clearance universal;

static const char LETTER[] = "ab";

/* Rotation from the axes of a pin (z along it) to those of the yoke or the cross; columns are the axes of the pin. */
static const hk_mat3 PIN[2] = {{{{0, 0, 1}, {1, 0, 0}, {0, 1, 0}}},
                               {{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}}};
/* Axes of markers for which x is along the pin, and z is that of the yoke. */
static const hk_mat3 ALONG[2] = {{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}},
                                 {{{0, -1, 0}, {1, 0, 0}, {0, 0, 1}}}};
/* Axes of markers for which z is outwards along the pin, for the negative and the positive side. */
static const hk_mat3 OUTWARD[2][2] = {
    {{{{0, 0, -1}, {0, 1, 0}, {1, 0, 0}}}, {{{0, 0, 1}, {0, 1, 0}, {-1, 0, 0}}}},
    {{{{1, 0, 0}, {0, 0, -1}, {0, 1, 0}}}, {{{1, 0, 0}, {0, 0, 1}, {0, -1, 0}}}}};

static hk_vec3 on_pin(int side, double at) {
  return side == HK_SIDE_A ? hk_v3(at, 0, 0) : hk_v3(0, at, 0);
}

static const hk_stand *yoke_of(const hk_universal_build *u, int side) {
  return side == HK_SIDE_A ? &u->a : &u->b;
}

static double bore_length(const universal *p) { return p->length > 0 ? p->length : 0.5 * p->arm; }

/* ---- checks ---- */

static double degrees(double angle) { return 57.29577951308232 * angle; }

/* Checks that the pins are inside their bores in the initial position: assembly does not consider
 * contacts. */
static hk_status check_stand(const hk_universal_build *u, hk_error *err) {
  const universal *p = u->p;
  hk_mat3 A = hk_quat_matrix(u->a.q), B = hk_quat_matrix(u->b.q);
  double bend = acos(fmax(-1, fmin(1, hk_dot(hk_column(&A, 2), hk_column(&B, 2)))));
  if (!(bend < 1.5))
    return hk_fail(err, HK_EINPUT,
                   "the articulation angle is %g deg and must be less than 85.9 deg: at 90 deg a "
                   "universal joint transmits no rotation",
                   degrees(bend));
  if (hk_item_has(u->item, "articulation_angle") &&
      !(fabs(fabs(p->articulation_angle) - bend) < 1e-6))
    return hk_fail(err, HK_EINPUT,
                   "the z axes of a and b give an articulation angle of %g deg, but "
                   "articulation_angle is %g deg; change one of them",
                   degrees(bend), degrees(p->articulation_angle));
  double play = p->clearance_a + p->clearance_b, apart = hk_norm(hk_sub(u->a.x, u->b.x));
  if (!(play > 0)) return HK_OK;
  if (!(apart <= play + 1e-9 * p->arm))
    return hk_fail(err, HK_EINPUT,
                   "the centres of the yokes are %g um apart at the start, more than the clearance "
                   "of %g um",
                   1e6 * apart, 1e6 * play);
  double turn = fabs(asin(fmax(-1, fmin(1, hk_dot(hk_column(&A, 0), hk_column(&B, 1))))));
  if (!(turn <= play / p->arm + 1e-9))
    return hk_fail(err, HK_EINPUT,
                   "the pins of the two yokes are %g deg from perpendicular in the initial "
                   "position, more than the clearance allows, %g deg; rotate one of the shafts",
                   degrees(turn), degrees(play / p->arm));
  return HK_OK;
}

static hk_status check(const hk_universal_build *u, hk_error *err) {
  const universal *p = u->p;
  if (!(bore_length(p) < p->arm))
    return hk_fail(err, HK_EINPUT, "bores of length %g mm must be shorter than the arm of %g mm",
                   1e3 * bore_length(p), 1e3 * p->arm);
  return check_stand(u, err);
}

/* ---- parts ---- */

/* Adds the cross. The side without clearance places it; if both sides have clearance, the side `a`. */
static void add_cross(hk_universal_build *u) {
  const universal *p = u->p;
  hk_parts *s = &u->parts;
  const bool on_b = p->clearance_a > 0 && !(p->clearance_b > 0);
  hk_mat3 A = hk_quat_matrix(u->a.q), B = hk_quat_matrix(u->b.q);
  hk_vec3 x = hk_column(&A, 0), y = hk_column(&B, 1);
  if (on_b)
    x = hk_unit3(hk_axpy(x, -hk_dot(x, y), y));
  else
    y = hk_unit3(hk_axpy(y, -hk_dot(x, y), x));
  hk_vec3 z = hk_cross(x, y), turn = hk_sub(u->b.w, u->a.w);
  hk_mat3 R = {{{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}}};
  hk_vec3 w = on_b ? hk_axpy(u->b.w, -hk_dot(turn, y), y) : hk_axpy(u->a.w, hk_dot(turn, x), x);
  bool both = p->clearance_a > 0 && p->clearance_b > 0;
  hk_vec3 at = both ? hk_scale(0.5, hk_add(u->a.x, u->b.x)) : on_b ? u->b.x : u->a.x;
  hk_part_add(s, HK_BODY, "rigid_body", "cross", -1);
  hk_part_real(s, "mass", u->mass);
  hk_part_vec3(s, "inertia", hk_v3(u->inertia[0], u->inertia[1], u->inertia[2]));
  hk_part_vec3(s, "position", at);
  hk_part_rotation(s, "orientation", hk_quat_from_matrix(&R));
  if (hk_norm(u->a.w) > 0 || hk_norm(u->b.w) > 0 || hk_norm(u->a.v) > 0 || hk_norm(u->b.v) > 0) {
    hk_part_vec3(s, "velocity", on_b ? u->b.v : u->a.v);
    hk_part_vec3(s, "angular_velocity", w);
  }
}

typedef struct names {
  char bore[160], pin[160], along[160], end[40]; /* markers */
  char part[60];
} names;

static void name_side(const hk_universal_build *u, int side, names *n) {
  snprintf(n->bore, sizeof n->bore, "%s_bore_%c", u->prefix, LETTER[side]);
  snprintf(n->pin, sizeof n->pin, "%s_pin_%c", u->prefix, LETTER[side]);
  snprintf(n->along, sizeof n->along, "%s_along_%c", u->prefix, LETTER[side]);
  snprintf(n->end, sizeof n->end, "end_%c", LETTER[side]);
}

static const char *part_name(names *n, const char *what, int side) {
  snprintf(n->part, sizeof n->part, "%s_%c", what, LETTER[side]);
  return n->part;
}

/* Sets a parameter to a marker of the user's body. */
static void yoke_frame(hk_universal_build *u, const char *param, int side, const char *marker,
                       int index) {
  char frame[420];
  const hk_item *body = yoke_of(u, side)->body;
  int n = snprintf(frame, sizeof frame, "%s.%s", body ? body->name : "ground", marker);
  if (index >= 0 && n < (int)sizeof frame)
    snprintf(frame + n, sizeof frame - (size_t)n, "[%d]", index);
  hk_part_text(&u->parts, param, frame);
}

static void cross_frame(hk_universal_build *u, const char *param, const char *marker, int index) {
  char name[220];
  snprintf(name, sizeof name, "cross.%s", marker);
  hk_part_frame(&u->parts, param, name, index);
}

/* Middle of a bore; the forward direction around the shaft is +y for the pin at +x and -x for the
 * pin at +y. */
static hk_vec3 bore_middle(const universal *p, int side, int i) {
  double sign = i ? 1 : -1, ahead = sign * p->pitch_error[2 * side + i];
  hk_vec3 at = on_pin(side, sign * (p->arm - 0.5 * bore_length(p)));
  hk_vec3 off = side == HK_SIDE_A ? hk_v3(0, ahead, 0) : hk_v3(-ahead, 0, 0);
  return hk_add(at, hk_add(off, hk_v3(0, 0, p->axial_error[2 * side + i])));
}

static void add_markers(hk_universal_build *u, int side, const hk_stand *cross, const names *n) {
  const universal *p = u->p;
  const hk_stand *yoke = yoke_of(u, side);
  hk_parts *s = &u->parts;
  const hk_vec3 centre = {0, 0, 0};
  hk_part_marker(s, yoke, n->pin, -1, centre, &PIN[side]);
  hk_part_marker(s, cross, n->pin, -1, centre, &PIN[side]);
  hk_part_marker(s, yoke, n->along, -1, centre, &ALONG[side]);
  hk_part_marker(s, cross, n->along, -1, centre, &ALONG[side]);
  for (int i = 0; i < 2; i++) {
    double sign = i ? 1 : -1;
    hk_part_marker(s, cross, n->end, i, on_pin(side, sign * p->arm), &PIN[side]);
    hk_part_marker(s, yoke, n->bore, i, bore_middle(p, side, i), &OUTWARD[side][i]);
  }
}

/* Friction coefficient of a side without clearance. */
static double mu_no_clearance(const hk_universal_build *u) {
  if (hk_item_has(u->item, "mu_no_clearance")) return u->p->mu_no_clearance;
  int i = u->law ? hk_type_param_find(u->law->type, "mu") : -1;
  const hk_param *param = i >= 0 ? hk_type_param(u->law->type, i) : NULL;
  if (!param || param->kind != HK_PARAM_REAL) return 0;
  double mu;
  memcpy(&mu, (const char *)u->law->data + param->offset, sizeof mu);
  return mu;
}

static void add_fitted(hk_universal_build *u, int side, names *n) {
  const universal *p = u->p;
  hk_parts *s = &u->parts;
  const double mu = mu_no_clearance(u);
  char coordinate[300];
  for (int i = 0; i < 2; i++) {
    hk_part_add(s, HK_JOINT, "trunnion", part_name(n, "trunnion", side), i);
    yoke_frame(u, "a", side, n->pin, -1);
    cross_frame(u, "b", n->end, i);
  }
  for (int i = 0; i < 2 && mu > 0; i++) {
    hk_part_add(s, HK_FORCE, "joint_friction", part_name(n, "friction", side), i);
    hk_part_frame(s, "joint", part_name(n, "trunnion", side), i);
    snprintf(coordinate, sizeof coordinate, "%s.%s[%d].angle", s->owner, n->part, i);
    hk_part_text(s, "coordinate", coordinate);
    hk_part_real(s, "mu", mu);
    hk_part_real(s, "radius", p->pin_radius);
    hk_part_real(s, "friction_velocity", p->friction_velocity);
  }
}

/* Returns true if the cross is held along the pins of this side. The centres of rotors do not move, so that the side
 * without clearance alone holds the centre of the cross: a second constraint would be redundant, and pin loads would
 * not be unique. */
static bool is_held_along(const hk_universal_build *u, int side) {
  const universal *p = u->p;
  if (!(hk_universal_play(p, side) > 0) || hk_universal_play(p, 1 - side) > 0) return false;
  for (int i = HK_SIDE_A; i <= HK_SIDE_B; i++) {
    const hk_item *body = yoke_of(u, i)->body;
    const hk_body_ops *ops = body ? body->type->ops : NULL;
    if (ops && !ops->node->axis) return false;
  }
  return true;
}

static void add_bores(hk_universal_build *u, int side, names *n) {
  const universal *p = u->p;
  const char *type = p->friction == HK_UNIVERSAL_FULL ? "pin_in_bush" : "trunnion_in_bore";
  hk_parts *s = &u->parts;
  for (int i = 0; i < 2; i++) {
    hk_part_add(s, HK_CONTACT, type, part_name(n, "bore", side), i);
    yoke_frame(u, "a", side, n->bore, i);
    cross_frame(u, "b", n->pin, -1);
    hk_part_text(s, "law", p->law);
    hk_part_real(s, "bore_radius",
                 p->pin_radius + hk_universal_play(p, side) + p->clearance_error[2 * side + i]);
    hk_part_real(s, "pin_radius", p->pin_radius);
    hk_part_real(s, "length", bore_length(p));
  }
  if (p->bores != HK_UNIVERSAL_SLOTTED) return;
  hk_part_add(s, HK_JOINT, "perpendicular_axes", part_name(n, "slot", side), -1);
  cross_frame(u, "a", n->along, -1);
  yoke_frame(u, "b", side, n->along, -1);
  if (is_held_along(u, side)) return;
  hk_part_add(s, HK_JOINT, "point_on_plane", part_name(n, "level", side), -1);
  yoke_frame(u, "a", side, n->along, -1);
  hk_part_frame(s, "b", "cross", -1);
}

/* Adds the sensor of the sum of a channel over all four ends of the bores. */
static void add_sum(hk_universal_build *u, int side, const char *what, const char *channel) {
  static const char *const END[] = {"near", "far"};
  char text[1200];
  size_t used = 0;
  for (int i = 0; i < 4 && used < sizeof text; i++)
    used +=
        (size_t)snprintf(text + used, sizeof text - used, "%s%s.bore_%c[%d].%s.%s", i ? " + " : "",
                         u->parts.owner, LETTER[side], i / 2, END[i % 2], channel);
  hk_universal_sensor(u, side, what, text);
}

static void add_sensors(hk_universal_build *u, int side, names *n) {
  hk_parts *s = &u->parts;
  hk_part_add(s, HK_SENSOR, "angle", part_name(n, "delta", side), -1);
  cross_frame(u, "a", n->along, -1);
  yoke_frame(u, "b", side, n->along, -1);
  if (!(hk_universal_play(u->p, side) > 0)) {
    hk_universal_fitted(u, side);
  } else if (((const hk_law_ops *)u->law->type->ops)->set_valued) {
    add_sum(u, side, "impulse", "impulse");
    add_sum(u, side, "impacts", "impacts");
    hk_universal_closed(u, side);
  } else {
    add_sum(u, side, "force", "normal_force");
  }
}

hk_status hk_universal_expand_spatial(hk_universal_build *u) {
  hk_parts *s = &u->parts;
  hk_status status = check(u, s->err);
  if (status) return status;
  add_cross(u);
  if (s->status) return s->status;
  char body[220];
  hk_stand cross;
  snprintf(body, sizeof body, "%s.cross", s->owner);
  status = hk_stand_find(s->spec, body, &cross, s->err);
  if (status) return status;
  for (int side = HK_SIDE_A; side <= HK_SIDE_B; side++) {
    names n = {0};
    name_side(u, side, &n);
    add_markers(u, side, &cross, &n);
    if (!is_held_along(u, side)) {
      hk_part_add(s, HK_JOINT, "point_on_plane", part_name(&n, "axial", side), -1);
      yoke_frame(u, "a", side, n.pin, -1);
      hk_part_frame(s, "b", "cross", -1);
    }
    if (hk_universal_play(u->p, side) > 0)
      add_bores(u, side, &n);
    else
      add_fitted(u, side, &n);
    add_sensors(u, side, &n);
  }
  return s->status;
}
