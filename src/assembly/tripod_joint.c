/* Tripod joint: three spherical rollers on the trunnions of a spider run in straight tracks of a
 * housing, along its axis.
 *
 * a is the frame of the housing, b that of the spider, both at the joint's centre with z along
 * their axes.  The joint adds, named after itself,
 *
 *   bodies     roller[k]
 *   contacts   track[k] (ball in groove)
 *   forces     trunnion[k]: bearing that carries the roller and lets it slide and turn on its pin
 *   markers    <joint>_trunnion[k] on the spider, z along the pin
 *   sensors    bend, twist, plunge, slide[k] (of the roller along its pin), track_force_max
 *
 * Bent by beta, the spider's centre runs around the housing's axis three times per turn on a
 * circle of radius R (1/cos(beta) - 1)/2 if it is free to do so.  Tolerances are a number per
 * roller: pitch_error moves its track, depth_error opens the flanks, size_error closes them.  A roller is a sphere that may
 * turn in any direction: the needle bearing's resistance to other turns than about the pin is left
 * out, so that losses come out too small.
 */
#include "assembly/assembly.h"
#include <hooke/joint.h>
#include "shape/drawing.h"
#include <stdio.h>

enum { ROLLERS = 3 };

typedef struct tripod_joint {
  hk_joint_common joint;
  int load;
  double pitch_radius, roller_radius, track_radius, contact_angle, flank_play;
  const char *law;
  double roller_mass, roller_density;
  double trunnion_stiffness, trunnion_damping, sliding_damping, spin_damping;
  double pitch_error[ROLLERS], depth_error[ROLLERS], size_error[ROLLERS];
} tripod_joint;

static const tripod_joint defaults = {
    .joint = HK_JOINT_COMMON_DEFAULTS,
    .contact_angle = 1.3962634015954636,
    .roller_density = 7850,
};

static const char *const LOADS[] = {"forward", "reverse", NULL};

static const hk_param params[] = {
    HK_REAL(tripod_joint, pitch_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "distance of the tracks from the housing's axis"),
    HK_REAL(tripod_joint, roller_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the rollers"),
    HK_REAL(tripod_joint, track_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the tracks' flanks, larger than the rollers'"),
    HK_REAL(tripod_joint, contact_angle, "rad", 0,
            "of the contact normal against the radial direction"),
    HK_REAL(tripod_joint, flank_play, "m", 0, "gap of each flank around a roller in its middle",
            HK_MIN(0)),
    HK_ENUM(tripod_joint, load, LOADS, 0,
            "forward: the spider pushes the rollers in + direction about z"),
    HK_LAW_NAME(tripod_joint, law, HK_REQUIRED, "law between rollers and tracks"),
    HK_REAL(tripod_joint, roller_mass, "kg", HK_POSITIVE, "mass of a roller; this or density"),
    HK_REAL(tripod_joint, roller_density, "kg/m^3", HK_POSITIVE, "density of the rollers"),
    HK_REAL(tripod_joint, trunnion_stiffness, "N/m", HK_REQUIRED | HK_POSITIVE,
            "of the rollers' bearings across the pin"),
    HK_REAL(tripod_joint, trunnion_damping, "N s/m", 0, "across the pin", HK_MIN(0)),
    HK_REAL(tripod_joint, sliding_damping, "N s/m", 0, "along the pin", HK_MIN(0)),
    HK_REAL(tripod_joint, spin_damping, "N m s/rad", 0, "against turning of a roller on its pin",
            HK_MIN(0)),
    HK_REALS_EACH(tripod_joint, pitch_error, ROLLERS, "m", "roller",
                  "of the housing's track around the axis, along the pitch circle"),
    HK_REALS_EACH(tripod_joint, depth_error, ROLLERS, "m", "roller",
                  "gap added at each flank of the track"),
    HK_REALS_EACH(tripod_joint, size_error, ROLLERS, "m", "roller", "added to the roller's radius"),
};

static hk_status check(const tripod_joint *p, hk_error *err) {
  double e = p->track_radius - p->roller_radius, angle = p->contact_angle * 57.29577951308232;
  if (!(angle > 0.6 && angle < 89.4))
    return hk_fail(err, HK_EINPUT, "contact_angle %g deg must lie between 0.6 deg and 89.4 deg",
                   angle);
  if (!(2 * p->pitch_radius * sin(M_PI / ROLLERS) > 2 * p->roller_radius))
    return hk_fail(err, HK_EINPUT,
                   "the rollers overlap: their centres are %g mm apart, less than their diameter "
                   "%g mm",
                   2e3 * p->pitch_radius * sin(M_PI / ROLLERS), 2e3 * p->roller_radius);
  if (!(e > 0))
    return hk_fail(err, HK_EINPUT, "track_radius %g mm must be larger than roller_radius %g mm",
                   1e3 * p->track_radius, 1e3 * p->roller_radius);
  if (!(p->flank_play < e))
    return hk_fail(err, HK_EINPUT,
                   "the tracks never touch the rollers: flank_play %g um must be smaller than "
                   "track_radius - roller_radius = %g um",
                   1e6 * p->flank_play, 1e6 * e);
  return HK_OK;
}

typedef struct build {
  const tripod_joint *p;
  hk_parts parts;
  hk_stand a, b;
  char marker[256]; /* of the pins */
  char pin[600];    /* full name of the one in hand */
} build;

/* Rollers start on their pins. */
static void add_roller(build *j, int k) {
  const tripod_joint *p = j->p;
  hk_parts *s = &j->parts;
  double phi = 2 * M_PI * k / ROLLERS, c = cos(phi), d = sin(phi);
  hk_mat3 R = hk_quat_matrix(j->b.q), axes = {{{-d, 0, c}, {c, 0, d}, {0, 1, 0}}};
  hk_vec3 at = hk_v3(p->pitch_radius * c, p->pitch_radius * d, 0), arm = hk_mul(&R, at);
  hk_part_marker(s, &j->b, j->marker, k, at, &axes);
  hk_part_add(s, HK_BODY, "sphere", "roller", k);
  hk_part_real(s, "radius", p->roller_radius + p->size_error[k]);
  if (p->roller_mass > 0)
    hk_part_real(s, "mass", p->roller_mass);
  else
    hk_part_real(s, "density", p->roller_density);
  hk_part_vec3(s, "position", hk_add(j->b.x, arm));
  hk_part_rotation(s, "orientation", j->b.q);
  hk_part_guess(s, "velocity", hk_add(j->b.v, hk_cross(j->b.w, arm)));
  hk_part_guess(s, "angular_velocity", j->b.w);
}

/* A roller begins on its pin and in its track. */
static void add_beginning(build *j, const hk_item *joint, int k) {
  const tripod_joint *p = j->p;
  double turn = 2 * M_PI * k / ROLLERS, c = cos(turn), d = sin(turn);
  const hk_mat3 I = hk_mat3_identity(), pin = {{{-d, 0, c}, {c, 0, d}, {0, 1, 0}}};
  hk_part_begin(&j->parts, joint, p->joint.b, hk_v3(0, 0, 0), &pin, "roller", k, HK_PART_ON_LINE);
  hk_part_begin(&j->parts, joint, p->joint.a, hk_scale(p->pitch_radius, hk_v3(c, d, 0)),
                &I, "roller", k, HK_PART_ON_LINE);
}

static void add_bearing(build *j, int k) {
  const tripod_joint *p = j->p;
  hk_parts *s = &j->parts;
  snprintf(j->pin, sizeof j->pin, "%s.%s[%d]", j->b.body ? j->b.body->name : "ground", j->marker,
           k);
  hk_part_add(s, HK_FORCE, "bearing", "trunnion", k);
  hk_part_text(s, "a", j->pin);
  hk_part_frame(s, "b", "roller", k);
  hk_part_real(s, "radial_stiffness", p->trunnion_stiffness);
  hk_part_real(s, "radial_damping", p->trunnion_damping);
  hk_part_real(s, "axial_damping", p->sliding_damping);
  hk_part_real(s, "spin_damping", p->spin_damping);
  hk_part_add(s, HK_SENSOR, "displacement", "slide", k);
  hk_part_text(s, "a", j->pin);
  hk_part_frame(s, "b", "roller", k);
}

static void add_track(build *j, int k) {
  const tripod_joint *p = j->p;
  hk_parts *s = &j->parts;
  hk_part_add(s, HK_CONTACT, "ball_in_groove", "track", k);
  hk_part_text(s, "a", p->joint.a);
  hk_part_frame(s, "b", "roller", k);
  hk_part_text(s, "law", p->law);
  hk_part_text(s, "race", "outer");
  hk_part_text(s, "load", LOADS[p->load]);
  hk_part_real(s, "azimuth", 2 * M_PI * k / ROLLERS + p->pitch_error[k] / p->pitch_radius);
  hk_part_real(s, "pitch_radius", p->pitch_radius);
  hk_part_real(s, "ball_radius", p->roller_radius + p->size_error[k]);
  hk_part_real(s, "track_radius", p->track_radius);
  hk_part_real(s, "contact_angle", p->contact_angle);
  hk_part_real(s, "play", p->flank_play + p->depth_error[k] - p->size_error[k]);
}

static void add_sensors(build *j) {
  static const char *const pair[][2] = {
      {"bend", "bend"}, {"twist", "twist"}, {"displacement", "plunge"}};
  hk_parts *s = &j->parts;
  for (int i = 0; i < 3; i++) {
    hk_part_add(s, HK_SENSOR, pair[i][0], pair[i][1], -1);
    hk_part_text(s, "a", j->p->joint.a);
    hk_part_text(s, "b", j->p->joint.b);
  }
  const char *o = s->owner;
  hk_part_add(s, HK_SENSOR, "expression", "track_force_max", -1);
  hk_part_expression(s, "value",
                     "max(%s.track[0].loaded.normal_force, %s.track[1].loaded.normal_force, "
                     "%s.track[2].loaded.normal_force)",
                     o, o, o);
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  build j = {.p = item->data, .parts = {.spec = spec, .owner = item->name, .err = err}};
  if (hk_item_has(item, "at") || hk_item_has(item, "axis") || hk_item_has(item, "x_axis"))
    return hk_fail(err, HK_EINPUT,
                   "a tripod joint stands on the frames a and b; use markers, not at and axis");
  hk_status status = check(j.p, err);
  if (!status) status = hk_stand_find(spec, j.p->joint.a, &j.a, err);
  if (!status) status = hk_stand_find(spec, j.p->joint.b, &j.b, err);
  if (status) return status;
  hk_part_marker_name(&j.parts, "trunnion", j.marker, sizeof j.marker);
  for (int k = 0; k < ROLLERS; k++) {
    add_roller(&j, k);
    add_bearing(&j, k);
    add_track(&j, k);
    add_beginning(&j, item, k);
  }
  add_sensors(&j);
  return j.parts.status;
}

static const hk_joint_ops ops = {.frames = true, .expand = expand};

/* A housing with three tracks, a spider with three pins; the rollers are bodies. */
static void draw(const hk_item *item, hk_drawing *d) {
  const tripod_joint *p = item->data;
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
}

const hk_type hk_type_joint_tripod_joint = {
    .name = "tripod_joint",
    .category = HK_JOINT,
    .doc =
        "Tripod joint, roller by roller: housing a, spider b; adds rollers, contacts, bearings "
        "and sensors named after the joint.",
    .caution =
        "its rollers are free balls that may tumble off their pins, so that they roll where real "
        "ones slide: axial_force and losses come out far too small",
    .source = "contact of [Marter2020, eqs 8 to 13] with straight tracks",
    .size = sizeof(tripod_joint),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
};
