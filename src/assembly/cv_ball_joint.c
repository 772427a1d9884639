/* Plunging ball joint: balls in crossed, inclined tracks of an inner and an outer race, kept in the
 * homokinetic plane by a cage [Marter2020].
 *
 * a is the frame of the outer race, b that of the inner one, both at the joint's centre with z
 * along their axes.  The joint adds bodies    cage, ball[k] contacts  inner[k], outer[k] (ball in
 * groove), window[k] (ball in window) forces    cage_bearing, cage_drag: a soft support that the
 * contacts leave undetermined markers   <joint>_track[k] on the inner race: the axes of the track,
 * x radial, z along it sensors   bend, cage_angle, twist, plunge, stroke[k], track_force_max,
 * track_force_min, counter_force_max, cage_force_max, contact_power Tracks lie at the azimuths 2 pi
 * k/n with signs that alternate, s_k = (-1)^k; their angles are s_k alpha and s_k beta on the inner
 * race, the opposite on the outer one.  With these signs and load: forward (the inner race pushes
 * the balls in + direction about z) beta unloads the cage.
 *
 * Deviations from print: the supports and the play are not there; no cage-to-race contact.  Balls
 * and cage start between the races as these stand in the file, turning with them, without load.
 */
#include "assembly/assembly.h"
#include "joint/joint.h"
#include <stdio.h>
#include <string.h>

enum { MAX_BALLS = 64 };

typedef struct cv_ball_joint {
  hk_joint_common joint;
  int balls, load;
  double pcd, ball_radius, track_radius, contact_angle, track_alpha, track_beta;
  double window_clearance, flank_play;
  const char *law, *cage_law, *housing;
  double ball_mass, ball_density;
  double cage_mass, cage_axial_inertia, cage_transverse_inertia;
  double cage_stiffness, cage_damping, cage_spin_damping;
} cv_ball_joint;

static const cv_ball_joint defaults = {
    .joint = HK_JOINT_COMMON_DEFAULTS,
    .balls = 6,
    .contact_angle = 0.7853981633974483,
    .ball_density = 7850,
};

static const char *const LOADS[] = {"forward", "reverse", NULL};

static const hk_param params[] = {
    HK_INT(cv_ball_joint, balls, 0, "number of balls, even: the signs of the tracks alternate",
           HK_RANGE(2, MAX_BALLS)),
    HK_REAL(cv_ball_joint, pcd, "m", HK_REQUIRED | HK_POSITIVE, "pitch circle diameter"),
    HK_REAL(cv_ball_joint, ball_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the balls"),
    HK_REAL(cv_ball_joint, track_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the tracks' flanks, larger than the balls'"),
    HK_REAL(cv_ball_joint, contact_angle, "rad", 0,
            "of the contact normal against the radial direction"),
    HK_REAL(cv_ball_joint, track_alpha, "rad", 0, "inclination of the tracks, circumferential"),
    HK_REAL(cv_ball_joint, track_beta, "rad", 0, "inclination of the tracks, radial"),
    HK_REAL(cv_ball_joint, window_clearance, "m", 0,
            "width of the cage's windows less the diameter of the balls"),
    HK_REAL(cv_ball_joint, flank_play, "m", 0, "gap of each flank around a ball in its middle",
            HK_MIN(0)),
    HK_ENUM(cv_ball_joint, load, LOADS, 0,
            "forward: the inner race pushes the balls in + direction about z; says which flanks "
            "are called loaded"),
    HK_LAW_NAME(cv_ball_joint, law, HK_REQUIRED, "law between balls and tracks"),
    HK_LAW_NAME(cv_ball_joint, cage_law, 0, "law between balls and cage; `law` if left out"),
    HK_REAL(cv_ball_joint, ball_mass, "kg", HK_POSITIVE, "mass of a ball; this or ball_density"),
    HK_REAL(cv_ball_joint, ball_density, "kg/m^3", HK_POSITIVE, "density of the balls"),
    HK_REAL(cv_ball_joint, cage_mass, "kg", HK_REQUIRED | HK_POSITIVE, "mass of the cage"),
    HK_REAL(cv_ball_joint, cage_axial_inertia, "kg m^2", HK_REQUIRED | HK_POSITIVE,
            "moment of inertia of the cage about its axis"),
    HK_REAL(cv_ball_joint, cage_transverse_inertia, "kg m^2", HK_REQUIRED | HK_POSITIVE,
            "moment of inertia of the cage across its axis"),
    HK_FRAME(
        cv_ball_joint, housing, 0,
        "frame that carries the cage's support, at the joint's centre with z along the axis of "
        "the outer race; `a` if left out"),
    HK_REAL(cv_ball_joint, cage_stiffness, "N/m", 0, "support of the cage across the axis",
            HK_MIN(0)),
    HK_REAL(cv_ball_joint, cage_damping, "N s/m", 0, "damping of that support", HK_MIN(0)),
    HK_REAL(cv_ball_joint, cage_spin_damping, "N m s/rad", 0,
            "drag between cage and inner race about the cage's axis", HK_MIN(0)),
};

/* ---- input that makes no joint ------------------------------------------------------------------
 */

static double degrees(double angle) { return angle * 57.29577951308232; }

static hk_status check_angles(const cv_ball_joint *p, hk_error *err) {
  const struct {
    const char *name;
    double value;
  } angle[] = {{"contact_angle", p->contact_angle},
               {"track_alpha", p->track_alpha},
               {"track_beta", p->track_beta}};
  for (int i = 0; i < 3; i++)
    if (!(fabs(degrees(angle[i].value)) < 90 - 1e-9))
      return hk_fail(err, HK_EINPUT, "%s %g deg must be less than 90 deg", angle[i].name,
                     degrees(angle[i].value));
  if (!(p->contact_angle > 0.01))
    return hk_fail(err, HK_EINPUT, "contact_angle %g deg must be larger than %g deg",
                   degrees(p->contact_angle), degrees(0.01));
  return HK_OK;
}

static hk_status check(const cv_ball_joint *p, hk_error *err) {
  double ball = 2 * p->ball_radius, e = p->track_radius - p->ball_radius;
  double chord = p->pcd * sin(M_PI / p->balls);
  hk_status status = check_angles(p, err);
  if (status) return status;
  if (p->balls % 2)
    return hk_fail(err, HK_EINPUT,
                   "balls must be even, because the signs of the tracks alternate; got %d",
                   p->balls);
  if (!(p->pcd > ball))
    return hk_fail(err, HK_EINPUT, "pcd %g mm must be larger than the balls' diameter %g mm",
                   1e3 * p->pcd, 1e3 * ball);
  if (!(chord > ball))
    return hk_fail(err, HK_EINPUT,
                   "the balls overlap: on a pcd of %g mm the centres of %d balls are %g mm apart, "
                   "less than their diameter %g mm",
                   1e3 * p->pcd, p->balls, 1e3 * chord, 1e3 * ball);
  if (!(e > 0))
    return hk_fail(err, HK_EINPUT, "track_radius %g mm must be larger than ball_radius %g mm",
                   1e3 * p->track_radius, 1e3 * p->ball_radius);
  if (!(p->flank_play < e))
    return hk_fail(err, HK_EINPUT,
                   "the tracks never touch the balls: flank_play %g um must be smaller than "
                   "track_radius - ball_radius = %g um",
                   1e6 * p->flank_play, 1e6 * e);
  if (!(p->window_clearance >= 0))
    return hk_fail(err, HK_EINPUT, "the cage's windows are %g mm wide, less than the balls' %g mm",
                   1e3 * (ball + p->window_clearance), 1e3 * ball);
  return HK_OK;
}

/* ---- parts --------------------------------------------------------------------------------------
 */

typedef struct build {
  const cv_ball_joint *p;
  hk_parts parts;
  hk_stand a, b;
  hk_vec3 x, v, w; /* between the races */
  hk_quat q;
  char marker[256]; /* of the tracks */
} build;

static double sign_of(int k) { return k % 2 ? -1 : 1; }
static double azimuth(const cv_ball_joint *p, int k) { return 2 * M_PI * k / p->balls; }

/* Balls and cage stand in the plane that halves the bend. */
static void stand_between(build *j) {
  hk_quat turn = hk_quat_mul(hk_quat_conj(j->a.q), j->b.q);
  j->q = hk_quat_mul(j->a.q, hk_quat_exp(hk_scale(0.5, hk_quat_log(turn))));
  j->x = hk_scale(0.5, hk_add(j->a.x, j->b.x));
  j->v = hk_scale(0.5, hk_add(j->a.v, j->b.v));
  j->w = hk_scale(0.5, hk_add(j->a.w, j->b.w));
}

static void put_body(build *j, hk_vec3 arm) {
  hk_part_vec3(&j->parts, "position", hk_add(j->x, arm));
  hk_part_rotation(&j->parts, "orientation", j->q);
  hk_part_vec3(&j->parts, "velocity", hk_add(j->v, hk_cross(j->w, arm)));
  hk_part_vec3(&j->parts, "angular_velocity", j->w);
}

static void add_bodies(build *j) {
  const cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  double J = p->cage_transverse_inertia;
  hk_mat3 R = hk_quat_matrix(j->q);
  for (int k = 0; k < p->balls; k++) {
    double phi = azimuth(p, k), r = 0.5 * p->pcd;
    hk_part_add(s, HK_BODY, "sphere", "ball", k);
    hk_part_real(s, "radius", p->ball_radius);
    if (p->ball_mass > 0)
      hk_part_real(s, "mass", p->ball_mass);
    else
      hk_part_real(s, "density", p->ball_density);
    put_body(j, hk_mul(&R, hk_v3(r * cos(phi), r * sin(phi), 0)));
  }
  hk_part_add(s, HK_BODY, "rigid_body", "cage", -1);
  hk_part_real(s, "mass", p->cage_mass);
  hk_part_vec3(s, "inertia", hk_v3(J, J, p->cage_axial_inertia));
  put_body(j, hk_v3(0, 0, 0));
}

static void add_groove(build *j, const char *name, const char *race, int k, double side) {
  const cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  hk_part_add(s, HK_CONTACT, "ball_in_groove", name, k);
  hk_part_text(s, "a", race);
  hk_part_frame(s, "b", "ball", k);
  hk_part_text(s, "law", p->law);
  hk_part_text(s, "race", name);
  hk_part_text(s, "load", LOADS[p->load]);
  hk_part_real(s, "azimuth", azimuth(p, k));
  hk_part_real(s, "pitch_radius", 0.5 * p->pcd);
  hk_part_real(s, "alpha", side * sign_of(k) * p->track_alpha);
  hk_part_real(s, "beta", side * sign_of(k) * p->track_beta);
  hk_part_real(s, "ball_radius", p->ball_radius);
  hk_part_real(s, "track_radius", p->track_radius);
  hk_part_real(s, "contact_angle", p->contact_angle);
  hk_part_real(s, "play", p->flank_play);
}

static void add_contacts(build *j) {
  const cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  for (int k = 0; k < p->balls; k++) {
    add_groove(j, "inner", p->joint.b, k, 1);
    add_groove(j, "outer", p->joint.a, k, -1);
    hk_part_add(s, HK_CONTACT, "ball_in_window", "window", k);
    hk_part_frame(s, "a", "cage", -1);
    hk_part_frame(s, "b", "ball", k);
    hk_part_text(s, "law", p->cage_law ? p->cage_law : p->law);
    hk_part_real(s, "half_width", p->ball_radius + 0.5 * p->window_clearance);
    hk_part_real(s, "ball_radius", p->ball_radius);
  }
}

static void add_supports(build *j) {
  const cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  if (p->cage_stiffness > 0 || p->cage_damping > 0) {
    hk_part_add(s, HK_FORCE, "bearing", "cage_bearing", -1);
    hk_part_text(s, "a", p->housing ? p->housing : p->joint.a);
    hk_part_frame(s, "b", "cage", -1);
    hk_part_real(s, "radial_stiffness", p->cage_stiffness);
    hk_part_real(s, "radial_damping", p->cage_damping);
  }
  if (p->cage_spin_damping > 0) {
    hk_part_add(s, HK_FORCE, "bearing", "cage_drag", -1);
    hk_part_text(s, "a", p->joint.b);
    hk_part_frame(s, "b", "cage", -1);
    hk_part_real(s, "spin_damping", p->cage_spin_damping);
  }
}

/* The track's axes in the race's: see gap/ball_in_groove.c. */
static void add_track_marker(build *j, int k) {
  const cv_ball_joint *p = j->p;
  double a = sign_of(k) * p->track_alpha, b = sign_of(k) * p->track_beta, phi = azimuth(p, k);
  hk_mat3 local = {{{cos(b), sin(a) * sin(b), -cos(a) * sin(b)},
                    {0, cos(a), sin(a)},
                    {sin(b), -sin(a) * cos(b), cos(a) * cos(b)}}};
  hk_mat3 triad = {{{cos(phi), -sin(phi), 0}, {sin(phi), cos(phi), 0}, {0, 0, 1}}};
  hk_mat3 axes = hk_matmul(&triad, &local);
  hk_vec3 at = hk_scale(0.5 * p->pcd, hk_v3(cos(phi), sin(phi), 0));
  hk_part_marker(&j->parts, &j->b, j->marker, k, at, &axes);
}

static void add_relation_sensor(build *j, const char *type, const char *name, const char *a,
                                const char *b) {
  hk_part_add(&j->parts, HK_SENSOR, type, name, -1);
  hk_part_text(&j->parts, "a", a);
  hk_part_text(&j->parts, "b", b);
}

/* Reads `function`(all channels owner.contact[k].channel). */
static void add_over_balls(build *j, const char *name, const char *function, const char *separator,
                           const char *const *contact, const char *const *channel, int n) {
  char text[4096];
  size_t used = (size_t)snprintf(text, sizeof text, "%s(", function);
  for (int k = 0; k < j->p->balls; k++)
    for (int i = 0; i < n && used < sizeof text; i++)
      used += (size_t)snprintf(text + used, sizeof text - used, "%s%s.%s[%d].%s",
                               k || i ? separator : "", j->parts.owner, contact[i], k, channel[i]);
  hk_part_add(&j->parts, HK_SENSOR, "expression", name, -1);
  hk_part_expression(&j->parts, "value", used < sizeof text ? "%s)" : "%s", text);
}

static void add_sensors(build *j) {
  static const char *const inner[] = {"inner", "inner"}, *const window[] = {"window", "window"};
  static const char *const loaded[] = {"loaded.normal_force"};
  static const char *const counter[] = {"counter.normal_force"};
  static const char *const sides[] = {"front.normal_force", "back.normal_force"};
  const cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  char frame[300], cage[256];
  snprintf(cage, sizeof cage, "%s.cage", s->owner);
  add_relation_sensor(j, "bend", "bend", p->joint.a, p->joint.b);
  add_relation_sensor(j, "bend", "cage_angle", p->joint.a, cage);
  add_relation_sensor(j, "twist", "twist", p->joint.a, p->joint.b);
  add_relation_sensor(j, "displacement", "plunge", p->joint.a, p->joint.b);
  for (int k = 0; k < p->balls; k++) {
    snprintf(frame, sizeof frame, "%s.%s[%d]", j->b.body ? j->b.body->name : "ground", j->marker,
             k);
    hk_part_add(s, HK_SENSOR, "displacement", "stroke", k);
    hk_part_text(s, "a", frame);
    hk_part_frame(s, "b", "ball", k);
  }
  add_over_balls(j, "track_force_max", "max", ",", inner, loaded, 1);
  add_over_balls(j, "track_force_min", "min", ",", inner, loaded, 1);
  add_over_balls(j, "counter_force_max", "max", ",", inner, counter, 1);
  add_over_balls(j, "cage_force_max", "max", ",", window, sides, 2);
}

static void name_marker(build *j) {
  snprintf(j->marker, sizeof j->marker, "%s_track", j->parts.owner);
  for (char *c = j->marker; *c; c++)
    if (*c == '.' || *c == '[' || *c == ']') *c = '_';
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  build j = {.p = item->data, .parts = {.spec = spec, .owner = item->name, .err = err}};
  hk_status status = check(j.p, err);
  if (!status) status = hk_stand_find(spec, j.p->joint.a, &j.a, err);
  if (!status) status = hk_stand_find(spec, j.p->joint.b, &j.b, err);
  if (status) return status;
  stand_between(&j);
  name_marker(&j);
  add_bodies(&j);
  add_contacts(&j);
  add_supports(&j);
  for (int k = 0; k < j.p->balls; k++) add_track_marker(&j, k);
  add_sensors(&j);
  return j.parts.status;
}

static const hk_joint_ops ops = {.frames = true, .expand = expand};

const hk_type hk_type_joint_cv_ball_joint = {
    .name = "cv_ball_joint",
    .category = HK_JOINT,
    .doc =
        "Plunging constant velocity joint, ball by ball: races a (outer) and b (inner), balls in "
        "crossed tracks, cage; adds bodies, contacts and sensors named after the joint.",
    .source = "[Marter2020]",
    .size = sizeof(cv_ball_joint),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
