/* Tripod joint: three rollers on the pins of a spider run in straight tracks of a housing, along its
 * axis.
 *
 * `a` is the frame of the housing and `b` the frame of the spider. Both are at the joint's centre, with z along the
 * axis of the housing or the spider. The joint adds these items, whose names begin with the name of the joint:
 *
 *   bodies     roller[k], z along its axis
 *   contacts   track[k] (ball in groove)
 *   joints     pin[k]: the roller slides along its pin; with parallel rollers a body ring[k] slides instead, with the joints
 *              guide[k] to the track and needles[k] to the roller
 *   forces     slide[k], turn[k]: friction along the pin and about the roller's axis; with a plain bush rub[k], both in one
 *   markers    <joint>_pin[k] on the spider, z along the pin; <joint>_track[k] on the housing
 *   sensors    articulation_angle, transmission_error, plunge, track_force_max, track_force_min
 *
 * A simple roller rotates about its pin, slides along it and cannot tilt. At an articulation angle beta the joint
 * drags the roller along its pin over the track, which causes the axial force of order 3,
 *   |F3| = (2/pi) mu (T/R) sin(beta) for small mu
 * on the housing.  A parallel roller, on a ring or a spherical pin that lets it tilt, keeps its axis perpendicular
 * to its track and does not have this force.  The needles between roller and pin roll: sliding along the pin and
 * rotation about it have separate friction, both under the radial force on the pin.  The pin is rigid, or radially
 * elastic with viscous friction.
 *
 * At the articulation angle beta the spider's centre moves around the housing's axis three times per revolution, on the
 * ellipse with the semi-axes (R/2)(1/cos(beta) - 1) and (R/2)(1 - cos(beta)); it must be free to do so.  Rollers
 * start on their pins at the radius of their tracks.  Tolerances, one value per roller:
 * pitch_error moves its track, depth_error increases the gaps at the flanks, size_error reduces
 * them. */
#include "composite/parts.h"
#include "spec/item.h"
#include <hooke/joint.h>
#include "mesh/drawing.h"
#include <stdio.h>

enum { ROLLERS = 3 };

/* Largest articulation angle.  The smallest distance of a roller from the spider's centre is R (3 - 1/cos(beta))/2,
 * which is 0 at beta = acos(1/3).  Hubs and pins of a real joint reduce the limit; their sizes are not part of the
 * model. */
static const double most_bend = 1.2309594173407747;

typedef struct tripod_joint {
  hk_joint_common joint;
  int torque_direction, roller, bearing;
  double pitch_radius, roller_radius, track_radius, contact_angle, flank_clearance;
  const char *law;
  double roller_mass, roller_density, roller_inertia;
  double trunnion_radius, mu_trunnion, mu_needle, friction_velocity, friction_angular_velocity;
  double trunnion_stiffness, trunnion_damping, sliding_damping, spin_damping;
  double pitch_error[ROLLERS], depth_error[ROLLERS], size_error[ROLLERS];
} tripod_joint;

static const tripod_joint defaults = {
    .joint = HK_JOINT_COMMON_DEFAULTS,
    .contact_angle = 1.3962634015954636,
    .roller_density = 7850,
    .friction_velocity = 2e-4,
    .friction_angular_velocity = 0.02,
};

static const char *const DIRECTIONS[] = {"forward", "reverse", NULL};
static const char *const ROLLER[] = {"simple", "parallel", NULL};
enum { SIMPLE, PARALLEL };
static const char *const BEARING[] = {"needles", "bush", NULL};
enum { NEEDLES, BUSH };

static const hk_param params[] = {
    HK_REAL(tripod_joint, pitch_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "distance of the tracks from the housing's axis"),
    HK_REAL(tripod_joint, roller_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the rollers"),
    HK_REAL(tripod_joint, track_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the tracks' flanks, larger than the rollers'"),
    HK_REAL(tripod_joint, contact_angle, "rad", 0,
            "angle of the contact normal to the radial direction"),
    HK_REAL(tripod_joint, flank_clearance, "m", 0, "gap at each flank of a centred roller",
            HK_MIN(0)),
    HK_ENUM(
        tripod_joint, torque_direction, DIRECTIONS, 0,
        "forward: the spider pushes the rollers in + direction about z; defines the loaded flank"),
    HK_LAW_NAME(tripod_joint, law, HK_REQUIRED, "law between rollers and tracks"),
    HK_ENUM(tripod_joint, roller, ROLLER, 0,
            "simple: a roller cannot tilt on its pin; parallel: it stays parallel to its track"),
    HK_ENUM(tripod_joint, bearing, BEARING, 0,
            "needles: sliding along the pin and rotation about it have separate friction, "
            "mu_trunnion and mu_needle; bush: common friction mu_trunnion at trunnion_radius"),
    HK_REAL(tripod_joint, roller_mass, "kg", HK_POSITIVE,
            "mass of a roller; default: from the geometry and roller_density"),
    HK_REAL(tripod_joint, roller_density, "kg/m^3", HK_POSITIVE, "density of the rollers"),
    HK_REAL(
        tripod_joint, roller_inertia, "kg m^2", HK_POSITIVE,
        "moment of inertia of a roller about all axes; default: from the geometry and the mass"),
    HK_REAL(tripod_joint, trunnion_radius, "m", HK_POSITIVE,
            "radius of the pins, at which needles or a bush run"),
    HK_REAL(tripod_joint, mu_trunnion, NULL, 0,
            "coefficient of friction of the roller's sliding along its pin", HK_MIN(0)),
    HK_REAL(tripod_joint, mu_needle, NULL, 0,
            "coefficient of friction of the roller's rotation about its axis, at trunnion_radius",
            HK_MIN(0)),
    HK_REAL(tripod_joint, friction_velocity, "m/s", HK_POSITIVE,
            "regularisation velocity of the friction along the pin"),
    HK_REAL(tripod_joint, friction_angular_velocity, "rad/s", HK_POSITIVE,
            "regularisation angular velocity of the friction about the roller's axis"),
    HK_REAL(tripod_joint, trunnion_stiffness, "N/m", HK_POSITIVE,
            "radial stiffness of an elastic pin, with viscous friction; default: rigid"),
    HK_REAL(tripod_joint, trunnion_damping, "N s/m", 0, "radial damping of an elastic pin",
            HK_MIN(0)),
    HK_REAL(tripod_joint, sliding_damping, "N s/m", 0, "damping of an elastic pin along its axis",
            HK_MIN(0)),
    HK_REAL(tripod_joint, spin_damping, "N m s/rad", 0,
            "damping of a roller's rotation about an elastic pin", HK_MIN(0)),
    HK_REALS_EACH(tripod_joint, pitch_error, ROLLERS, "m", "roller",
                  "circumferential error of the housing's track, along the pitch circle"),
    HK_REALS_EACH(tripod_joint, depth_error, ROLLERS, "m", "roller",
                  "gap added at each flank of the track"),
    HK_REALS_EACH(tripod_joint, size_error, ROLLERS, "m", "roller", "added to the roller's radius"),
};

static hk_status check(const tripod_joint *p, hk_error *err) {
  double e = p->track_radius - p->roller_radius, angle = p->contact_angle * 57.29577951308232;
  if (!(angle > 0.6 && angle < 89.4))
    return hk_fail(err, HK_EINPUT, "contact_angle %g deg must be between 0.6 deg and 89.4 deg",
                   angle);
  if (!(2 * p->pitch_radius * sin(M_PI / ROLLERS) > 2 * p->roller_radius))
    return hk_fail(err, HK_EINPUT,
                   "the rollers overlap: their centres are %g mm apart, less than their diameter "
                   "%g mm",
                   2e3 * p->pitch_radius * sin(M_PI / ROLLERS), 2e3 * p->roller_radius);
  if (p->mu_needle > 0 && !(p->trunnion_radius > 0))
    return hk_fail(err, HK_EINPUT, "mu_needle needs trunnion_radius, the radius at which it acts");
  if (p->bearing == BUSH && !(p->mu_trunnion > 0 && p->trunnion_radius > 0))
    return hk_fail(err, HK_EINPUT, "a plain bush needs mu_trunnion and trunnion_radius");
  if (p->bearing == BUSH && (p->mu_needle > 0 || p->roller == PARALLEL))
    return hk_fail(err, HK_EINPUT,
                   "a plain bush has one friction coefficient and simple rollers: omit mu_needle "
                   "and roller, or use bearing: needles");
  if (p->trunnion_stiffness > 0 &&
      (p->mu_trunnion > 0 || p->mu_needle > 0 || p->roller == PARALLEL))
    return hk_fail(err, HK_EINPUT,
                   "an elastic pin has no dry friction and no ring: omit trunnion_stiffness, or "
                   "mu_trunnion, mu_needle and roller");
  if (!(p->trunnion_stiffness > 0) &&
      (p->trunnion_damping > 0 || p->sliding_damping > 0 || p->spin_damping > 0))
    return hk_fail(err, HK_EINPUT,
                   "trunnion_damping, sliding_damping and spin_damping need trunnion_stiffness");
  if (!(p->trunnion_radius < p->roller_radius))
    return hk_fail(err, HK_EINPUT, "trunnion_radius %g mm must be smaller than roller_radius %g mm",
                   1e3 * p->trunnion_radius, 1e3 * p->roller_radius);
  if (!(e > 0))
    return hk_fail(err, HK_EINPUT, "track_radius %g mm must be larger than roller_radius %g mm",
                   1e3 * p->track_radius, 1e3 * p->roller_radius);
  if (!(p->flank_clearance < e))
    return hk_fail(err, HK_EINPUT,
                   "the tracks never touch the rollers: flank_clearance %g um must be smaller than "
                   "track_radius - roller_radius = %g um",
                   1e6 * p->flank_clearance, 1e6 * e);
  return HK_OK;
}

typedef struct build {
  const tripod_joint *p;
  hk_parts parts;
  hk_stand a, b;
  char pin[256], track[256]; /* names of the markers */
} build;

/* Writes the full name of a marker. */
static void name_marker(const hk_stand *frame, const char *marker, int k, char out[600]) {
  snprintf(out, 600, "%s.%s[%d]", frame->body ? frame->body->name : "ground", marker, k);
}

/* Distance of the roller centres from the axis if the rollers are in the middle between both flanks. */
static double seat(const tripod_joint *p) {
  return p->pitch_radius - (p->track_radius - p->roller_radius) * cos(p->contact_angle);
}

/* Computes the position along the pin at which the roller touches the bottom line of its track.
 * phi, pin: directions of track and pin in world axes. */
static double place_on_pin(const build *j, double phi, hk_vec3 pin) {
  hk_mat3 A = hk_quat_matrix(j->a.q);
  hk_vec3 out = hk_mul(&A, hk_v3(cos(phi), sin(phi), 0));
  double along = hk_dot(pin, out), r = seat(j->p);
  return along > 0.1 ? (r - hk_dot(hk_sub(j->b.x, j->a.x), out)) / along : r;
}

/* Axes with z along the pin, x around the joint. */
static hk_mat3 outwards(int k) {
  double phi = 2 * M_PI * k / ROLLERS, c = cos(phi), d = sin(phi);
  return (hk_mat3){{{-d, 0, c}, {c, 0, d}, {0, 1, 0}}};
}

/* Adds a massless ring that slides and tilts on the pin but does not rotate on it, because its
 * friction there is much larger than the friction of the needles.  The axis of the ring keeps a
 * fixed direction relative to its track, and the roller rotates about this axis. */
static void add_ring(build *j, int k, hk_vec3 position, hk_vec3 velocity) {
  hk_parts *s = &j->parts;
  hk_mat3 axes = outwards(k);
  char pin[600], track[600];
  name_marker(&j->b, j->pin, k, pin);
  name_marker(&j->a, j->track, k, track);
  hk_part_marker(s, &j->a, j->track, k, hk_v3(0, 0, 0), &axes);
  hk_part_add(s, HK_BODY, "rigid_body", "ring", k);
  hk_part_real(s, "mass", 0);
  hk_part_vec3(s, "position", position);
  hk_part_guess(s, "velocity", velocity);
  hk_part_rotation(s, "orientation", hk_quat_mul(j->a.q, hk_quat_from_matrix(&axes)));
  hk_part_guess(s, "angular_velocity", j->a.w);
  hk_part_add(s, HK_JOINT, "plunging_constant_velocity", "pin", k);
  hk_part_text(s, "a", pin);
  hk_part_frame(s, "b", "ring", k);
  hk_part_add(s, HK_JOINT, "parallel_axes", "guide", k);
  hk_part_text(s, "a", track);
  hk_part_frame(s, "b", "ring", k);
  hk_part_add(s, HK_JOINT, "revolute", "needles", k);
  hk_part_frame(s, "a", "ring", k);
  hk_part_frame(s, "b", "roller", k);
}

/* Adds an elastic pin: radially elastic, without tilt. */
static void add_elastic_pin(build *j, int k, const char *pin) {
  const tripod_joint *p = j->p;
  hk_parts *s = &j->parts;
  hk_part_add(s, HK_JOINT, "parallel_axes", "pin", k);
  hk_part_text(s, "a", pin);
  hk_part_frame(s, "b", "roller", k);
  hk_part_add(s, HK_FORCE, "bearing", "trunnion", k);
  hk_part_text(s, "a", pin);
  hk_part_frame(s, "b", "roller", k);
  hk_part_real(s, "radial_stiffness", p->trunnion_stiffness);
  hk_part_real(s, "radial_damping", p->trunnion_damping);
  hk_part_real(s, "axial_damping", p->sliding_damping);
  hk_part_real(s, "spin_damping", p->spin_damping);
}

static void add_pin(build *j, int k) {
  hk_parts *s = &j->parts;
  char pin[600];
  name_marker(&j->b, j->pin, k, pin);
  if (j->p->trunnion_stiffness > 0) {
    add_elastic_pin(j, k, pin);
    return;
  }
  hk_part_add(s, HK_JOINT, "cylindrical", "pin", k);
  hk_part_text(s, "a", pin);
  hk_part_frame(s, "b", "roller", k);
}

static void add_friction(build *j, const char *name, const char *joint, const char *coordinate,
                         int k, double mu, double radius, double velocity) {
  hk_parts *s = &j->parts;
  char full[2][300];
  if (!(mu > 0)) return;
  snprintf(full[0], sizeof full[0], "%s.%s[%d]", s->owner, joint, k);
  snprintf(full[1], sizeof full[1], "%s.%s[%d].%s", s->owner, joint, k,
           coordinate ? coordinate : "");
  hk_part_add(s, HK_FORCE, "joint_friction", name, k);
  hk_part_text(s, "joint", full[0]);
  if (coordinate) hk_part_text(s, "coordinate", full[1]);
  hk_part_real(s, "mu", mu);
  if (radius > 0) hk_part_real(s, "radius", radius);
  hk_part_real(s, "friction_velocity", velocity);
}

/* Half the width of a roller, and its bore: typical values if the model does not give them. */
static double roller_half_width(double radius) { return 0.6 * radius; }
static double roller_bore(const tripod_joint *p) {
  return hk_given_or(p->trunnion_radius, 0.5 * p->roller_radius);
}

/* Mass and axial inertia of a roller, as given or those of the zone |z| < w of a ball of radius r with a bore of
 * radius b:
 *   V = pi int (r^2 - z^2 - b^2) dz,   I = pi/2 int ((r^2 - z^2)^2 - b^4) dz. */
static void roller_inertia(const tripod_joint *p, double r, double *m, double *I) {
  const double w = roller_half_width(r), b = roller_bore(p), w2 = w * w, r2 = r * r, b2 = b * b;
  const double V = 2 * M_PI * w * (r2 - b2 - w2 / 3);
  const double J = M_PI * w * (r2 * r2 - 2.0 / 3 * r2 * w2 + w2 * w2 / 5 - b2 * b2);
  *m = hk_given_or(p->roller_mass, p->roller_density * V);
  *I = hk_given_or(p->roller_inertia, *m / V * J);
}

/* Adds a roller, its support and its friction. */
static void add_roller(build *j, int k) {
  const tripod_joint *p = j->p;
  hk_parts *s = &j->parts;
  bool parallel = p->roller == PARALLEL;
  double phi = 2 * M_PI * k / ROLLERS, r = p->roller_radius + p->size_error[k];
  double m, I;
  roller_inertia(p, r, &m, &I);
  const hk_mat3 axes = outwards(k);
  const hk_stand *carrier = parallel ? &j->a : &j->b;
  hk_mat3 B = hk_quat_matrix(j->b.q);
  hk_vec3 pin = hk_mul(&B, hk_v3(cos(phi), sin(phi), 0));
  hk_vec3 arm = hk_scale(place_on_pin(j, phi, pin), pin), at = hk_add(j->b.x, arm);
  hk_vec3 velocity = hk_add(j->b.v, hk_cross(j->b.w, arm));
  hk_part_marker(s, &j->b, j->pin, k, hk_v3(0, 0, 0), &axes);
  hk_part_add(s, HK_BODY, "rigid_body", "roller", k);
  hk_part_real(s, "mass", m);
  hk_part_reals(s, "inertia", (double[]){I, I, I}, 3);
  hk_part_vec3(s, "position", at);
  hk_part_rotation(s, "orientation", hk_quat_mul(carrier->q, hk_quat_from_matrix(&axes)));
  hk_part_guess(s, "velocity", velocity);
  hk_part_guess(s, "angular_velocity", carrier->w);
  if (parallel)
    add_ring(j, k, at, velocity);
  else
    add_pin(j, k);
  if (p->bearing == BUSH) {
    add_friction(j, "rub", "pin", NULL, k, p->mu_trunnion, p->trunnion_radius,
                 p->friction_velocity);
    return;
  }
  add_friction(j, "slide", "pin", "displacement", k, p->mu_trunnion, 0, p->friction_velocity);
  add_friction(j, "turn", parallel ? "needles" : "pin", "angle", k, p->mu_needle,
               p->trunnion_radius, p->friction_angular_velocity * p->trunnion_radius);
}

/* Adds start conditions: a roller is on its pin and in its track. */
static void add_beginning(build *j, const hk_item *joint, int k) {
  const hk_mat3 I = hk_mat3_identity();
  const hk_mat3 pin = outwards(k);
  double turn = 2 * M_PI * k / ROLLERS;
  if (j->p->trunnion_stiffness >
      0) /* without trunnion stiffness the joint of the pin holds the roller */
    hk_part_begin(&j->parts, joint, j->p->joint.b, hk_v3(0, 0, 0), &pin, "roller", k,
                  HK_PART_ON_LINE);
  hk_part_begin(&j->parts, joint, j->p->joint.a,
                hk_scale(seat(j->p), hk_v3(cos(turn), sin(turn), 0)), &I, "roller", k,
                HK_PART_ON_LINE);
}

static void add_track(build *j, int k) {
  const tripod_joint *p = j->p;
  hk_parts *s = &j->parts;
  hk_part_add(s, HK_CONTACT, "ball_in_groove", "track", k);
  hk_part_text(s, "a", p->joint.a);
  hk_part_frame(s, "b", "roller", k);
  hk_part_text(s, "law", p->law);
  hk_part_text(s, "race", "outer");
  hk_part_text(s, "torque_direction", DIRECTIONS[p->torque_direction]);
  hk_part_real(s, "azimuth", 2 * M_PI * k / ROLLERS + p->pitch_error[k] / p->pitch_radius);
  hk_part_real(s, "pitch_radius", p->pitch_radius);
  hk_part_real(s, "ball_radius", p->roller_radius + p->size_error[k]);
  hk_part_real(s, "track_radius", p->track_radius);
  hk_part_real(s, "contact_angle", p->contact_angle);
  hk_part_real(s, "clearance", p->flank_clearance + p->depth_error[k] - p->size_error[k]);
}

static void add_sensors(build *j) {
  static const char *const pair[][2] = {{"articulation_angle", "articulation_angle"},
                                        {"twist", "transmission_error"},
                                        {"displacement", "plunge"}};
  hk_parts *s = &j->parts;
  for (int i = 0; i < 3; i++) {
    hk_part_add(s, HK_SENSOR, pair[i][0], pair[i][1], -1);
    hk_part_text(s, "a", j->p->joint.a);
    hk_part_text(s, "b", j->p->joint.b);
    if (i == 0) hk_part_real(s, "limit", most_bend);
  }
  /* Uses the flanks with the larger total force: the torque may have the sign opposite to
   * `torque_direction`. */
  char flank[2][ROLLERS][320];
  for (int i = 0; i < 2; i++)
    for (int k = 0; k < ROLLERS; k++)
      snprintf(flank[i][k], sizeof flank[i][k], "%s.track[%d].%s.normal_force", s->owner, k,
               i ? "unloaded" : "loaded");
  for (int i = 0; i < 2; i++) {
    const char *most = i ? "min" : "max";
    hk_part_add(s, HK_SENSOR, "expression", i ? "track_force_min" : "track_force_max", -1);
    hk_part_expression(s, "value", "if(%s+%s+%s >= %s+%s+%s, %s(%s,%s,%s), %s(%s,%s,%s))",
                       flank[0][0], flank[0][1], flank[0][2], flank[1][0], flank[1][1], flank[1][2],
                       most, flank[0][0], flank[0][1], flank[0][2], most, flank[1][0], flank[1][1],
                       flank[1][2]);
  }
}

static hk_status check_bend(const build *j, hk_error *err) {
  hk_mat3 A = hk_quat_matrix(j->a.q), B = hk_quat_matrix(j->b.q);
  double bend = acos(fmax(-1, fmin(1, hk_dot(hk_column(&A, 2), hk_column(&B, 2)))));
  if (bend < most_bend) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the initial articulation angle is %g deg, but the geometry allows %.4g deg: "
                 "beyond this, rollers would pass through the centre of the spider",
                 bend * 180 / M_PI, most_bend * 180 / M_PI);
}

/* Reports values of the rollers that were not given, and checks given ones for plausibility. */
static void report_rollers(build *j) {
  const tripod_joint *p = j->p;
  const double r = p->roller_radius, ball = p->roller_density * 4 / 3 * M_PI * r * r * r;
  double m, I;
  roller_inertia(p, r, &m, &I);
  const hk_filled filled[] = {{"roller_mass", m, "kg", p->roller_mass > 0},
                              {"roller_inertia", I, "kg*m^2", p->roller_inertia > 0}};
  char from[128];
  snprintf(from, sizeof from, "a barrel %g mm wide with a bore of %g mm, roller_density %g kg/m^3",
           2e3 * roller_half_width(r), 2e3 * roller_bore(p), p->roller_density);
  hk_part_filled(&j->parts, filled, 2, from);
  if (p->roller_mass > 0) hk_part_expect(&j->parts, "roller_mass", m, 0.02 * ball, 5 * ball, "kg");
  if (p->roller_inertia > 0)
    hk_part_expect(&j->parts, "roller_inertia", p->roller_inertia, 0.05 * m * r * r, 2 * m * r * r,
                   "kg*m^2");
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  build j = {.p = item->data, .parts = {.spec = spec, .owner = hk_item_name(item), .err = err}};
  if (hk_item_has(item, "at") || hk_item_has(item, "axis") || hk_item_has(item, "x_axis"))
    return hk_fail(err, HK_EINPUT,
                   "a tripod joint uses the frames a and b; use markers, not at and axis");
  hk_status status = check(j.p, err);
  if (!status) status = hk_stand_find(spec, j.p->joint.a, &j.a, err);
  if (!status) status = hk_stand_find(spec, j.p->joint.b, &j.b, err);
  if (!status) status = check_bend(&j, err);
  if (status) return status;
  hk_part_marker_name(&j.parts, "pin", j.pin, sizeof j.pin);
  hk_part_marker_name(&j.parts, "track", j.track, sizeof j.track);
  report_rollers(&j);
  for (int k = 0; k < ROLLERS; k++) {
    add_roller(&j, k);
    add_track(&j, k);
    add_beginning(&j, item, k);
  }
  add_sensors(&j);
  return j.parts.status;
}

static const hk_quantity channels[] = {
    HK_TRACK_CHANNELS,
};

static const hk_joint_ops ops = {.frames = true, .expand = expand, HK_CHANNELS(channels)};

/* Mesh of a barrel-shaped roller with the bore of its pin: the zone of a ball, z along its axis. */
static void roller_mesh(hk_mesh *m, double radius, double bore) {
  enum { ARC = 8 };
  const double half = roller_half_width(radius);
  hk_profile_point o[ARC + 3];
  o[0] = (hk_profile_point){bore, -half};
  for (int i = 0; i <= ARC; i++) {
    double z = half * (2.0 * i / ARC - 1);
    o[i + 1] = (hk_profile_point){sqrt(radius * radius - z * z), z};
  }
  o[ARC + 2] = (hk_profile_point){bore, half};
  hk_mesh_lathe(m, o, ARC + 3, 32);
}

static void draw_rollers(const hk_item *item, hk_drawing *d) {
  const tripod_joint *p = hk_item_data(item);
  for (int k = 0; k < ROLLERS; k++) {
    char frame[300];
    hk_mesh m = {0};
    snprintf(frame, sizeof frame, "%s.roller[%d]", hk_item_name(item), k);
    roller_mesh(&m, p->roller_radius + p->size_error[k], roller_bore(p));
    hk_draw(d, frame, &m, (hk_draw_style){.paint = HK_PAINT_STEEL, .part = true});
  }
}

/* Draws a housing with three tracks, a spider with three pins, and rollers. */
static void draw(const hk_item *item, hk_drawing *d) {
  const tripod_joint *p = hk_item_data(item);
  double r = p->pitch_radius, b = p->roller_radius;
  hk_track track[ROLLERS];
  hk_mesh housing = {0}, spider = {0};
  hk_mesh_cylinder(&spider, 0.45 * r, 0, 1.6 * b);
  for (int k = 0; k < ROLLERS; k++) {
    double phi = 2 * M_PI * k / ROLLERS, c = cos(phi), s = sin(phi);
    hk_mat3 axes = {{{-s, 0, c}, {c, 0, s}, {0, 1, 0}}};
    hk_mesh pin = {0};
    track[k] = (hk_track){hk_v3(r * c, r * s, 0), hk_v3(0, 0, 1), p->track_radius};
    hk_mesh_cylinder(&pin, 0.45 * b, 0, r + 0.5 * b);
    hk_mesh_move(&pin, &axes, hk_scale(0.5 * (r + 0.5 * b), hk_v3(c, s, 0)));
    hk_mesh_append(&spider, &pin);
    hk_mesh_free(&pin);
  }
  hk_mesh_outer_race(&housing, 0.75 * r, r + 1.7 * b, 5 * b, track, ROLLERS);
  hk_draw(d, p->joint.a, &housing, (hk_draw_style){.paint = HK_PAINT_GLASS, .part = true});
  hk_draw(d, p->joint.b, &spider, (hk_draw_style){.part = true});
  draw_rollers(item, d);
}

/* For the conformance tests: a joint with sizes of about 1 m and low friction. */
static hk_status sample(hk_item *item, hk_error *err) {
  const tripod_joint *p = hk_item_data(item);
  hk_parts s = {.item = item, .err = err};
  const double R = 1 + 0.2 * p->pitch_radius, r = 0.4 * R, e = 0.3 * r;
  static const char *const errors[] = {"pitch_error", "depth_error", "size_error"};
  const double *const drawn[] = {p->pitch_error, p->depth_error, p->size_error};
  for (int i = 0; i < 3; i++) {
    double list[ROLLERS];
    for (int k = 0; k < ROLLERS; k++) list[k] = 0.05 * e * drawn[i][k];
    hk_part_reals(&s, errors[i], list, ROLLERS);
  }
  hk_part_real(&s, "pitch_radius", R);
  hk_part_real(&s, "roller_radius", r);
  hk_part_real(&s, "track_radius", r + e);
  hk_part_real(&s, "contact_angle", 1 + 0.3 * fmin(fabs(p->contact_angle), 1));
  hk_part_real(&s, "flank_clearance", 0.1 * e * fmin(p->flank_clearance, 1));
  hk_part_real(&s, "trunnion_radius", 0.3 * r);
  /* The rollers have one of three supports: needles, a plain bush or an elastic pin. */
  const bool elastic = p->trunnion_stiffness > 0,
             bush = p->bearing == BUSH && p->roller == SIMPLE && !elastic;
  hk_part_text(&s, "bearing", BEARING[bush ? BUSH : NEEDLES]);
  hk_part_real(&s, "mu_trunnion", elastic ? 0 : bush ? 0.05 : 0.04 * p->mu_trunnion);
  hk_part_real(&s, "mu_needle", elastic || bush ? 0 : 0.04 * p->mu_needle);
  if (elastic) return s.status;
  hk_part_real(&s, "trunnion_damping", 0);
  hk_part_real(&s, "sliding_damping", 0);
  hk_part_real(&s, "spin_damping", 0);
  return s.status;
}

static void stage(const hk_item *item, hk_stage *out) {
  const tripod_joint *p = hk_item_data(item);
  /* With rings and an articulation angle, the joint is closed only after assembly. */
  if (p->roller == SIMPLE) out->turn = hk_quat_exp(hk_v3(0.1, -0.05, 0));
  out->length = 0.3 * (p->track_radius - p->roller_radius);
  out->angle = out->length / p->pitch_radius;
  out->speed = 0.3;
  bool equal = true;
  for (int k = 0; k < ROLLERS; k++)
    equal = equal && p->pitch_error[k] == 0 && p->depth_error[k] == 0 && p->size_error[k] == 0;
  if (equal) out->fold = ROLLERS;
}

static void mirror(hk_item *item) {
  tripod_joint *p = hk_item_edit(item);
  hk_mirror_ring(p->pitch_error, ROLLERS, -1);
  hk_mirror_ring(p->depth_error, ROLLERS, 1);
  hk_mirror_ring(p->size_error, ROLLERS, 1);
}

static const char *const assumptions[] = {
    "Housing, spider and rollers are rigid bodies; only the contacts of rollers with tracks are "
    "compliant, and the pins if they have a trunnion_stiffness.",
    "The contact of a roller and its track is that of a ball of roller_radius in a groove of "
    "track_radius: two flanks, one point each.",
    "A simple roller rotates about its pin and slides along it, and cannot tilt; a parallel one "
    "has a massless ring that keeps its axis perpendicular to its track.",
    "Needles roll: sliding along the pin and rotation about it have separate friction "
    "coefficients, mu_trunnion and mu_needle, both under the radial force on the pin. The friction "
    "of an elastic pin is viscous.",
    "Tracks are straight, parallel to the housing's axis, and infinitely long.",
    "At an articulation angle, the spider's centre must be free to move around the housing's axis, "
    "three times per revolution.",
    NULL};

const hk_type hk_type_joint_tripod_joint = {
    .name = "tripod_joint",
    .assumptions = assumptions,
    .category = HK_JOINT,
    .doc =
        "Tripod joint, roller by roller: housing a, spider b; adds rollers, contacts, pins "
        "and sensors named after the joint.",
    .source = "contact of [Marter2020, eqs 8 to 13] with straight tracks",
    .size = sizeof(tripod_joint),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .sample = sample,
    .stage = stage,
    .symmetry = HK_MIRRORS,
    .mirror = mirror,
};
