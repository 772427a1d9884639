/* Ball-type CV joint, plunging or fixed: balls in tracks of an inner and an outer race, held in the homokinetic plane
 * by a cage [Marter2020].
 *
 * `a` is the frame of the outer race and `b` the frame of the inner race. Both are at the joint's centre, with z along
 * the axis of the race. The joint adds these items, whose names begin with the name of the joint:
 *
 *   bodies     cage, ball[k]
 *   contacts   inner[k], outer[k] (ball in groove), window[k] (ball in window); with guide radii also
 *              outer_guide, inner_guide
 *   forces     cage_bearing, cage_drag: support of the cage in directions without contacts
 *   markers    <joint>_track[k] on the inner race: axes of the track, x radial, z along it; in fixed joints
 *              at the arc's centre with z along the race's axis, and <joint>_outer_track[k]
 *   sensors    articulation_angle, cage_angle, transmission_error, plunge, stroke[k], track_force_max, track_force_min,
 *              unloaded_force_max, outer_unloaded_force_max, cage_force_max, window_force_max,
 *              window_force_min; in fixed joints also outer_stroke[k], window_radius[k]
 *
 * cross_groove: tracks lie at the azimuths 2 pi k/n with signs that alternate, s_k = (-1)^k. Their angles are s_k alpha
 * and s_k beta on the inner race, the opposite on the outer one, with alpha = track_skew_angle and beta =
 * track_inclination. With torque_direction: forward (the inner race pushes the balls in + direction about z) beta
 * unloads the cage.
 *
 * double_offset: straight tracks along the axes. The cage is guided by two spheres. Their centres are on both sides of
 * the balls' plane, at the distance cage_offset: one sphere is in the bore of the outer race, the other on the inner
 * race. At the articulation angle beta the spheres hold the plane of the balls at beta/2. With guide_outer_radius and
 * guide_inner_radius the spheres are contacts with clearance, otherwise springs.
 *
 * rzeppa, undercut_free: fixed joints. Tracks lie in planes through the axes, around centres at z = +track_offset
 * (outer race) and z = -track_offset (inner race) from the joint's centre, so that they form a funnel that opens to +z
 * and pushes the balls against their windows. The cage is held by a sphere in each race.
 *
 * fidelity: ideal adds only one joint, plunging_constant_velocity or constant_velocity.
 *
 * Tolerances, one value per ball: pitch_error and radial_error move a track of the inner race, outer_pitch_error a
 * track of the outer race. depth_error adds a gap at the flanks of both tracks, size_error increases the ball's radius
 * and reduces these gaps. window_error moves the ball's window along the cage's axis and window_width_error widens it.
 *
 * The publication does not cover supports, clearance and tolerances. In a cross groove joint the cage does not touch
 * the races. Balls and cage start between the races in the initial position, without load. */
#include "composite/cv_ball_joint.h"
#include <stdio.h>

static const hk_cv_ball_joint defaults = {
    .joint = HK_JOINT_COMMON_DEFAULTS,
    .balls = 6,
    .contact_angle = 0.7853981633974483,
    .ball_density = 7850,
    .cage_density = 7850,
    .sphere_stiffness = 1e9,
    .sphere_damping = 1e4,
};

static const char *const DIRECTIONS[] = {"forward", "reverse", NULL};
static const char *const FIDELITIES[] = {"full", "ideal", NULL};
static const char *const FAMILIES[] = {"cross_groove", "double_offset", "rzeppa", "undercut_free",
                                       NULL};

static const hk_param params[] = {
    HK_ENUM(hk_cv_ball_joint, fidelity, FIDELITIES, 0,
            "full: ball by ball; ideal: one homokinetic joint that may plunge"),
    HK_ENUM(
        hk_cv_ball_joint, track_family, FAMILIES, 0,
        "cross_groove: inclined crossed tracks; double_offset: tracks along the axes, the cage "
        "guided by two spheres; rzeppa: fixed joint, tracks around centres next to the joint's; "
        "undercut_free: the same, straight towards the open ends"),
    HK_INT(
        hk_cv_ball_joint, balls, 0,
        "number of balls; even in a cross_groove joint, because the signs of the tracks alternate",
        HK_RANGE(2, HK_CV_MAX_BALLS)),
    HK_REAL(hk_cv_ball_joint, pcd, "m", HK_REQUIRED | HK_POSITIVE, "pitch circle diameter"),
    HK_REAL(hk_cv_ball_joint, ball_radius, "m", HK_REQUIRED | HK_POSITIVE, "radius of the balls"),
    HK_REAL(hk_cv_ball_joint, track_radius, "m", HK_REQUIRED | HK_POSITIVE,
            "radius of the tracks' flanks, larger than the balls'"),
    HK_REAL(hk_cv_ball_joint, contact_angle, "rad", 0,
            "angle of the contact normal to the radial direction"),
    HK_REAL(hk_cv_ball_joint, track_skew_angle, "rad", 0,
            "skew angle of the tracks, circumferential"),
    HK_REAL(hk_cv_ball_joint, track_inclination, "rad", 0, "radial inclination of the tracks"),
    HK_REAL(hk_cv_ball_joint, window_clearance, "m", 0,
            "width of the cage's windows minus the ball diameter; < 0 (interference) in fixed "
            "joints only"),
    HK_REAL(hk_cv_ball_joint, flank_clearance, "m", 0, "gap at each flank of a centred ball",
            HK_MIN(0)),
    HK_ENUM(hk_cv_ball_joint, torque_direction, DIRECTIONS, 0,
            "forward: the inner race pushes the balls in + direction about z; defines which flanks "
            "are called loaded"),
    HK_LAW_NAME(hk_cv_ball_joint, law, HK_REQUIRED, "law between balls and tracks"),
    HK_LAW_NAME(hk_cv_ball_joint, cage_law, 0, "law between balls and cage; default: `law`"),
    HK_LAW_NAME(hk_cv_ball_joint, guide_law, 0,
                "law between the cage's spheres and the races; default: `cage_law`"),
    HK_REAL(hk_cv_ball_joint, ball_mass, "kg", HK_POSITIVE, "mass of a ball; this or ball_density"),
    HK_REAL(hk_cv_ball_joint, ball_density, "kg/m^3", HK_POSITIVE, "density of the balls"),
    HK_REAL(hk_cv_ball_joint, cage_density, "kg/m^3", HK_POSITIVE,
            "density of the cage, if cage_mass is omitted"),
    HK_REAL(hk_cv_ball_joint, cage_mass, "kg", HK_POSITIVE,
            "mass of the cage; default: from the geometry and cage_density"),
    HK_REAL(
        hk_cv_ball_joint, cage_axial_inertia, "kg m^2", HK_POSITIVE,
        "moment of inertia of the cage about its axis; default: from the geometry and the mass"),
    HK_REAL(hk_cv_ball_joint, cage_transverse_inertia, "kg m^2", HK_POSITIVE,
            "moment of inertia of the cage about a transverse axis; default: from the geometry and "
            "the mass"),
    HK_FRAME(
        hk_cv_ball_joint, housing, 0,
        "frame that carries the cage's support, at the joint's centre with z along the axis of "
        "the outer race; default: `a`"),
    HK_REAL(hk_cv_ball_joint, cage_stiffness, "N/m", 0, "radial stiffness of the cage's support",
            HK_MIN(0)),
    HK_REAL(hk_cv_ball_joint, cage_damping, "N s/m", 0, "radial damping of the cage's support",
            HK_MIN(0)),
    HK_REAL(hk_cv_ball_joint, cage_spin_damping, "N m s/rad", 0,
            "viscous drag between cage and inner race about the bisector of their axes", HK_MIN(0)),
    HK_REAL(hk_cv_ball_joint, cage_offset, "m", 0,
            "double_offset: distance of the spheres' centres from the plane of the balls",
            HK_MIN(0)),
    HK_REAL(hk_cv_ball_joint, sphere_stiffness, "N/m", HK_POSITIVE,
            "double_offset without guide radii: stiffness of the spheres"),
    HK_REAL(hk_cv_ball_joint, sphere_damping, "N s/m", 0,
            "double_offset without guide radii: damping of the spheres", HK_MIN(0)),
    HK_REAL(
        hk_cv_ball_joint, track_offset, "m", 0,
        "rzeppa, undercut_free: distance of the arcs' centres from the joint's, along +z of the "
        "outer race and -z of the inner one; the funnel of the tracks opens to +z"),
    HK_REAL(hk_cv_ball_joint, guide_outer_radius, "m", 0,
            "radius of the cage's outer sphere, in the outer race; needed for rzeppa and "
            "undercut_free, for "
            "double_offset instead of sphere_stiffness",
            HK_MIN(0)),
    HK_REAL(hk_cv_ball_joint, guide_inner_radius, "m", 0,
            "radius of the inner race's sphere, in the cage; required as guide_outer_radius",
            HK_MIN(0)),
    HK_REAL(hk_cv_ball_joint, guide_clearance, "m", 0,
            "radial clearance of each of the cage's spheres"),
    HK_REALS_EACH(hk_cv_ball_joint, pitch_error, HK_CV_MAX_BALLS, "m", "ball",
                  "circumferential error of the inner race's track, along the pitch circle"),
    HK_REALS_EACH(hk_cv_ball_joint, radial_error, HK_CV_MAX_BALLS, "m", "ball",
                  "added to the pitch radius of the inner race's track"),
    HK_REALS_EACH(hk_cv_ball_joint, outer_pitch_error, HK_CV_MAX_BALLS, "m", "ball",
                  "circumferential error of the outer race's track, along the pitch circle"),
    HK_REALS_EACH(hk_cv_ball_joint, depth_error, HK_CV_MAX_BALLS, "m", "ball",
                  "gap added at each flank of both tracks"),
    HK_REALS_EACH(hk_cv_ball_joint, size_error, HK_CV_MAX_BALLS, "m", "ball",
                  "added to the ball's radius"),
    HK_REALS_EACH(hk_cv_ball_joint, window_error, HK_CV_MAX_BALLS, "m", "ball",
                  "axial error of the window's centre in the cage"),
    HK_REALS_EACH(hk_cv_ball_joint, window_width_error, HK_CV_MAX_BALLS, "m", "ball",
                  "added to the width of the window"),
};

/* ---- parts ---- */

/* Places the cage of a double offset joint. The two spheres of the cage are on the axes of the races, at the distance
 * c on both sides of the plane of the balls. The inner race holds one sphere at the distance c behind the frame `b`: x
 * = xB - c zB + c n, with the normal n of the bisecting plane. With the articulation angle beta, all parts fit if the
 * axes of the races intersect at the distance c (1/cos(beta/2) - 1) in front of `b`. If the axes intersect at `b`
 * itself, the balls are displaced by this distance times sin(beta), and hk_place_parts moves the races if the
 * displacement is too large. */
static void stand_on_axes(hk_cv_build *j) {
  const double c = j->p->cage_offset;
  hk_mat3 B = hk_quat_matrix(j->b.q), middle = hk_quat_matrix(j->q);
  hk_vec3 back = hk_scale(-c, hk_column(&B, 2)), out = hk_scale(c, hk_column(&middle, 2));
  j->x = hk_add(hk_add(j->b.x, back), out);
  j->v = hk_add(hk_add(j->b.v, hk_cross(j->b.w, back)), hk_cross(j->w, out));
}

/* Places balls and cage in the bisecting plane of the articulation angle. */
static void stand_between(hk_cv_build *j) {
  hk_quat turn = hk_quat_mul(hk_quat_conj(j->a.q), j->b.q);
  j->q = hk_quat_mul(j->a.q, hk_quat_exp(hk_scale(0.5, hk_quat_log(turn))));
  j->x = hk_scale(0.5, hk_add(j->a.x, j->b.x));
  j->v = hk_scale(0.5, hk_add(j->a.v, j->b.v));
  j->w = hk_scale(0.5, hk_add(j->a.w, j->b.w));
  if (j->p->track_family == HK_CV_DOUBLE_OFFSET) stand_on_axes(j);
}

/* Checks that track k of one race and track k of the other face each other, with the ball between
 * them. */
static hk_status check_turn(const hk_cv_build *j, hk_error *err) {
  const hk_cv_ball_joint *p = j->p;
  hk_quat turn = hk_quat_mul(hk_quat_conj(j->a.q), j->b.q);
  double twist = remainder(2 * atan2(turn.z, turn.w), 2 * M_PI);
  double off = 0.25 * p->pcd * fabs(twist);
  if (off < p->ball_radius) return HK_OK;
  return hk_fail(
      err, HK_EINPUT,
      "in the initial position the races are rotated relative to each other by %g deg about their "
      "axes: a ball of radius %g mm would be %g mm off the centre line of its tracks",
      hk_cv_degrees(twist), 1e3 * p->ball_radius, 1e3 * off);
}

/* Checks that both races are at the joint's centre; otherwise curved tracks do not meet. */
static hk_status check_centre(const hk_cv_build *j, hk_error *err) {
  double apart = hk_norm(hk_sub(j->b.x, j->a.x));
  if (!hk_cv_fixed(j->p) || apart <= 0.1 * j->p->ball_radius) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "the tracks do not meet: a fixed ball joint cannot plunge, but in the initial "
                 "position the frames a and b are %g mm apart; place both at its centre",
                 1e3 * apart);
}

static hk_status check_stand(const hk_cv_build *j, hk_error *err) {
  hk_status status = check_turn(j, err);
  if (!status) status = check_centre(j, err);
  if (status) return status;
  hk_mat3 A = hk_quat_matrix(j->a.q), B = hk_quat_matrix(j->b.q);
  double bend = acos(fmax(-1, fmin(1, hk_dot(hk_column(&A, 2), hk_column(&B, 2)))));
  return hk_cv_check_bend(j->p, bend, err);
}

static void put_body(hk_cv_build *j, hk_vec3 arm) {
  hk_part_vec3(&j->parts, "position", hk_add(j->x, arm));
  hk_part_rotation(&j->parts, "orientation", j->q);
  hk_part_guess(&j->parts, "velocity", hk_add(j->v, hk_cross(j->w, arm)));
  hk_part_guess(&j->parts, "angular_velocity", j->w);
}

hk_mat3 hk_cv_straight_axes(const hk_cv_ball_joint *p, int k, double side, hk_vec3 *at) {
  double a = side * hk_cv_sign(k) * p->track_skew_angle,
         b = side * hk_cv_sign(k) * p->track_inclination;
  double phi = hk_cv_azimuth(p, k), r = 0.5 * p->pcd;
  hk_mat3 local = {{{cos(b), sin(a) * sin(b), -cos(a) * sin(b)},
                    {0, cos(a), sin(a)},
                    {sin(b), -sin(a) * cos(b), cos(a) * cos(b)}}};
  hk_mat3 triad = {{{cos(phi), -sin(phi), 0}, {sin(phi), cos(phi), 0}, {0, 0, 1}}};
  *at = hk_scale(r, hk_v3(cos(phi), sin(phi), 0));
  return hk_matmul(&triad, &local);
}

/* Computes the axes of track k of a race at the point where the track meets the bisecting plane; z is the tangent of the
 * track. *at: this point. */
static hk_mat3 track_axes(const hk_cv_build *j, int k, double side, hk_vec3 *at) {
  if (!hk_cv_fixed(j->p)) return hk_cv_straight_axes(j->p, k, side, at);
  const hk_stand *race = side > 0 ? &j->b : &j->a;
  hk_mat3 R = hk_quat_matrix(race->q), middle = hk_quat_matrix(j->q);
  hk_vec3 n = hk_tmul(&R, hk_column(&middle, 2)), x = hk_tmul(&R, hk_sub(j->x, race->x)), z;
  double phi = hk_cv_azimuth(j->p, k);
  if (!hk_cv_arc_crossing(j->p, k, -side, n, x, at,
                          &z)) /* cannot fail: check_stand has verified the limits */
    return hk_cv_straight_axes(j->p, k, side, at);
  hk_vec3 y = hk_v3(-sin(phi), cos(phi), 0), out = hk_cross(y, z);
  return (hk_mat3){{{out.x, y.x, z.x}, {out.y, y.y, z.y}, {out.z, y.z, z.z}}};
}

/* Point where the track meets the bisecting plane. */
static hk_vec3 track_in_plane(const hk_cv_build *j, int k, double side, hk_vec3 normal) {
  const hk_stand *race = side > 0 ? &j->b : &j->a;
  hk_mat3 R = hk_quat_matrix(race->q);
  hk_vec3 at, axis;
  hk_mat3 axes = track_axes(j, k, side, &at);
  axis = hk_mul(&R, hk_column(&axes, 2));
  at = hk_add(race->x, hk_mul(&R, at));
  return hk_axpy(at, hk_dot(normal, hk_sub(j->x, at)) / hk_dot(normal, axis), axis);
}

/* The two tracks of a ball are mirror images and cross in the bisecting plane at every articulation angle; the ball starts
 * there. */
static hk_vec3 crossing(const hk_cv_build *j, int k) {
  hk_mat3 R = hk_quat_matrix(j->q);
  hk_vec3 normal = hk_column(&R, 2);
  return hk_sub(
      hk_scale(0.5, hk_add(track_in_plane(j, k, 1, normal), track_in_plane(j, k, -1, normal))),
      j->x);
}

static void add_bodies(hk_cv_build *j) {
  const hk_cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  const hk_cv_cage cage = hk_cv_cage_inertia(j);
  for (int k = 0; k < p->balls; k++) {
    hk_part_add(s, HK_BODY, "sphere", "ball", k);
    hk_part_real(s, "radius", p->ball_radius + p->size_error[k]);
    if (p->ball_mass > 0)
      hk_part_real(s, "mass", p->ball_mass);
    else
      hk_part_real(s, "density", p->ball_density);
    put_body(j, crossing(j, k));
  }
  hk_part_add(s, HK_BODY, "rigid_body", "cage", -1);
  hk_part_real(s, "mass", cage.mass);
  hk_part_vec3(s, "inertia", hk_v3(cage.transverse, cage.transverse, cage.axial));
  put_body(j, hk_v3(0, 0, 0));
}

static void add_groove(hk_cv_build *j, const char *name, const char *race, int k, double side) {
  const hk_cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  hk_part_add(s, HK_CONTACT, hk_cv_fixed(p) ? "ball_in_curved_groove" : "ball_in_groove", name, k);
  hk_part_text(s, "a", race);
  hk_part_frame(s, "b", "ball", k);
  hk_part_text(s, "law", p->law);
  hk_part_text(s, "race", name);
  hk_part_text(s, "torque_direction", DIRECTIONS[p->torque_direction]);
  double pitch = side > 0 ? p->pitch_error[k] : p->outer_pitch_error[k];
  hk_part_real(s, "azimuth", hk_cv_azimuth(p, k) + 2 * pitch / p->pcd);
  hk_part_real(s, "pitch_radius", 0.5 * p->pcd + (side > 0 ? p->radial_error[k] : 0));
  if (hk_cv_fixed(p)) {
    hk_part_real(s, "offset", -side * p->track_offset);
    hk_part_text(s, "track", FAMILIES[p->track_family]);
  } else {
    hk_part_real(s, "skew_angle", side * hk_cv_sign(k) * p->track_skew_angle);
    hk_part_real(s, "inclination", side * hk_cv_sign(k) * p->track_inclination);
  }
  hk_part_real(s, "ball_radius", p->ball_radius + p->size_error[k]);
  hk_part_real(s, "track_radius", p->track_radius);
  hk_part_real(s, "contact_angle", p->contact_angle);
  hk_part_real(s, "clearance", p->flank_clearance + p->depth_error[k] - p->size_error[k]);
}

static void add_contacts(hk_cv_build *j) {
  const hk_cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  for (int k = 0; k < p->balls; k++) {
    add_groove(j, "inner", p->joint.b, k, 1);
    add_groove(j, "outer", p->joint.a, k, -1);
    hk_part_add(s, HK_CONTACT, "ball_in_window", "window", k);
    hk_part_frame(s, "a", "cage", -1);
    hk_part_frame(s, "b", "ball", k);
    hk_part_text(s, "law", p->cage_law ? p->cage_law : p->law);
    hk_part_real(s, "half_width",
                 p->ball_radius + 0.5 * (p->window_clearance + p->window_width_error[k]));
    hk_part_real(s, "offset", p->window_error[k]);
    hk_part_real(s, "ball_radius", p->ball_radius + p->size_error[k]);
  }
}

static void add_supports(hk_cv_build *j) {
  const hk_cv_ball_joint *p = j->p;
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

/* Centres of the cage's spheres: in a fixed joint both at the joint's centre, in a double offset
 * joint on both sides of this centre. */
typedef struct spheres {
  char outer[600], inner[600],
      inner_race[600]; /* names of the markers at two positions on the cage and at one position on
                        * the inner race */
} spheres;

static void place_spheres(hk_cv_build *j, spheres *at) {
  hk_parts *s = &j->parts;
  hk_vec3 front = hk_v3(0, 0, j->p->cage_offset), back = hk_neg(front);
  char marker[300];
  snprintf(at->outer, sizeof at->outer, "%s.cage", s->owner);
  snprintf(at->inner, sizeof at->inner, "%s.cage", s->owner);
  snprintf(at->inner_race, sizeof at->inner_race, "%s", j->p->joint.b);
  if (hk_cv_fixed(j->p)) return;
  hk_stand cage = {.body = hk_spec_find(s->spec, HK_BODY, at->outer), .turn = {1, 0, 0, 0}};
  hk_part_marker(s, &cage, "front", -1, front, NULL);
  hk_part_marker(s, &cage, "back", -1, back, NULL);
  snprintf(marker, sizeof marker, "%s_sphere", j->marker);
  hk_part_marker(s, &j->b, marker, -1, back, NULL);
  snprintf(at->outer, sizeof at->outer, "%s.cage.front", s->owner);
  snprintf(at->inner, sizeof at->inner, "%s.cage.back", s->owner);
  snprintf(at->inner_race, sizeof at->inner_race, "%s.%s",
           j->b.body ? hk_item_name(j->b.body) : "ground", marker);
}

/* Spheres as springs. */
static void add_elastic_guides(hk_cv_build *j, const spheres *at) {
  const hk_cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  hk_part_add(s, HK_FORCE, "bearing", "outer_guide", -1);
  hk_part_text(s, "a", p->joint.a);
  hk_part_text(s, "b", at->outer);
  hk_part_real(s, "radial_stiffness", p->sphere_stiffness);
  hk_part_real(s, "radial_damping", p->sphere_damping);
  hk_part_add(s, HK_FORCE, "bearing", "inner_guide", -1);
  hk_part_text(s, "a", at->inner_race);
  hk_part_text(s, "b", at->inner);
  hk_part_real(s, "radial_stiffness", p->sphere_stiffness);
  hk_part_real(s, "axial_stiffness", p->sphere_stiffness);
  hk_part_real(s, "radial_damping", p->sphere_damping);
  hk_part_real(s, "axial_damping", p->sphere_damping);
}

/* Adds two contacts: the cage's outer sphere in the outer race, which has a concave sphere in a
 * fixed joint and a cylindrical bore in a double offset joint; and the inner race's sphere in the
 * cage. */
static void add_guides(hk_cv_build *j) {
  const hk_cv_ball_joint *p = j->p;
  hk_parts *s = &j->parts;
  const char *law = p->guide_law ? p->guide_law : p->cage_law ? p->cage_law : p->law;
  bool fixed = hk_cv_fixed(p);
  spheres at = {{0}};
  if (p->track_family == HK_CV_CROSS_GROOVE) return;
  place_spheres(j, &at);
  if (!(p->guide_outer_radius > 0)) {
    add_elastic_guides(j, &at);
    return;
  }
  hk_part_add(s, HK_CONTACT, fixed ? "sphere_in_socket" : "sphere_in_bore", "outer_guide", -1);
  hk_part_text(s, "a", p->joint.a);
  hk_part_text(s, "b", at.outer);
  hk_part_text(s, "law", law);
  hk_part_real(s, fixed ? "socket_radius" : "bore_radius",
               p->guide_outer_radius + p->guide_clearance);
  hk_part_real(s, fixed ? "ball_radius" : "sphere_radius", p->guide_outer_radius);
  hk_part_add(s, HK_CONTACT, "sphere_in_socket", "inner_guide", -1);
  hk_part_text(s, "a", at.inner);
  hk_part_text(s, "b", at.inner_race);
  hk_part_text(s, "law", law);
  hk_part_real(s, "socket_radius", p->guide_inner_radius + p->guide_clearance);
  hk_part_real(s, "ball_radius", p->guide_inner_radius);
}

/* Adds start conditions: balls are on both tracks and in the plane of the cage; the spheres of a
 * double offset joint are on the axes of their races, the sphere of the inner race at its
 * centre. */
static void add_beginning(hk_cv_build *j, const hk_item *joint) {
  const hk_cv_ball_joint *p = j->p;
  const hk_mat3 I = hk_mat3_identity();
  const hk_vec3 none = hk_v3(0, 0, 0);
  char cage[256];
  snprintf(cage, sizeof cage, "%s.cage", j->parts.owner);
  if (p->track_family == HK_CV_DOUBLE_OFFSET) {
    hk_part_begin(&j->parts, joint, p->joint.a, none, &I, "cage.front", -1, HK_PART_ON_LINE);
    hk_part_begin(&j->parts, joint, p->joint.b, none, &I, "cage.back", -1, HK_PART_ON_LINE);
    hk_part_begin(&j->parts, joint, p->joint.b, hk_v3(0, 0, -p->cage_offset), &I, "cage.back", -1,
                  HK_PART_IN_PLANE);
  }
  for (int k = 0; k < p->balls; k++) {
    for (int side = -1; side <= 1; side += 2) {
      hk_vec3 at;
      hk_mat3 axes = track_axes(j, k, side, &at);
      hk_part_begin(&j->parts, joint, side > 0 ? p->joint.b : p->joint.a, at, &axes, "ball", k,
                    HK_PART_ON_LINE);
    }
    hk_part_begin(&j->parts, joint, cage, none, &I, "ball", k, HK_PART_IN_PLANE);
  }
}

static void add_track_marker(hk_cv_build *j, int k) {
  hk_vec3 at;
  hk_mat3 axes = hk_cv_straight_axes(j->p, k, 1, &at);
  if (hk_cv_fixed(j->p)) at = hk_v3(0, 0, -j->p->track_offset);
  hk_part_marker(&j->parts, &j->b, j->marker, k, at, &axes);
  if (hk_cv_fixed(j->p)) hk_part_marker(&j->parts, &j->a, j->outer_marker, k, hk_neg(at), &axes);
}

static hk_status expand_ideal(hk_cv_build *j) {
  hk_parts *s = &j->parts;
  hk_part_add(s, HK_JOINT, hk_cv_fixed(j->p) ? "constant_velocity" : "plunging_constant_velocity",
              "ideal", -1);
  hk_part_text(s, "a", j->p->joint.a);
  hk_part_text(s, "b", j->p->joint.b);
  hk_cv_add_race_sensors(j);
  return s->status;
}

static hk_status expand(const hk_item *item, hk_spec *spec, hk_error *err) {
  hk_cv_build j = {.p = hk_item_data(item),
                   .parts = {.spec = spec, .owner = hk_item_name(item), .err = err}};
  if (hk_item_has(item, "at") || hk_item_has(item, "axis") || hk_item_has(item, "x_axis"))
    return hk_fail(err, HK_EINPUT,
                   "a ball-type CV joint uses the frames a and b; use markers, not at and axis");
  hk_status status = hk_cv_ball_joint_check(j.p, err);
  if (!status && j.p->fidelity == HK_CV_IDEAL) return expand_ideal(&j);
  if (!status) status = hk_stand_find(spec, j.p->joint.a, &j.a, err);
  if (!status) status = hk_stand_find(spec, j.p->joint.b, &j.b, err);
  if (!status) status = check_stand(&j, err);
  if (status) return status;
  stand_between(&j);
  hk_part_marker_name(&j.parts, "track", j.marker, sizeof j.marker);
  hk_part_marker_name(&j.parts, "outer_track", j.outer_marker, sizeof j.outer_marker);
  add_bodies(&j);
  add_contacts(&j);
  add_supports(&j);
  add_guides(&j);
  for (int k = 0; k < j.p->balls; k++) add_track_marker(&j, k);
  add_beginning(&j, item);
  hk_cv_add_sensors(&j);
  return j.parts.status;
}

static const hk_quantity channels[] = {
    HK_TRACK_CHANNELS,
    {"unloaded_force_max", "N", "largest force of the unloaded flanks of the inner race"},
    {"outer_unloaded_force_max", "N", "largest force of the unloaded flanks of the outer race"},
    {"cage_angle", "rad", "angle between the axes of a and the cage"},
    {"cage_force_max", "N", "largest force of a ball on its window"},
    {"window_force_max", "N", "largest window force, positive on the side towards +z of the cage"},
    {"window_force_min", "N", "smallest window force, positive on the side towards +z of the cage"},
    {"stroke[i]", "m", "displacement of a ball along its track in b", HK_SHOW_DETAIL},
    {"outer_stroke[i]", "m", "displacement of a ball along its track in a, with curved tracks",
     HK_SHOW_DETAIL},
    {"window_radius[i]", "m", "distance of a ball from the centre of the cage, with curved tracks",
     HK_SHOW_DETAIL},
};

static const hk_joint_ops ops = {.frames = true, .expand = expand, HK_CHANNELS(channels)};

static const char *const assumptions[] = {
    "Races, balls and cage are rigid bodies; only the contacts of balls with tracks and windows "
    "are compliant.",
    "Tracks of plunging joints (cross_groove, double_offset) are straight and infinitely long; "
    "tracks of fixed joints (rzeppa, undercut_free) are in planes through the axes. The section of "
    "a flank is a circle of track_radius that touches its ball at contact_angle.",
    "Friction acts at the contact points and follows the contact laws; lubrication, heat and wear "
    "are not modelled.",
    "In a cross groove joint the cage does not touch the races: cage_stiffness, cage_damping and "
    "cage_spin_damping replace its support. In a double offset joint two frictionless springs of "
    "sphere_stiffness guide it or, if guide radii are given, two contacts. In fixed joints it is "
    "guided by one contact in each race.",
    "Balls and cage start between the races in the initial position, without load and without "
    "penetration.",
    "ideal: homokinetic at every articulation angle, without losses, clearance or axial force; "
    "free to plunge if the tracks are straight.",
    NULL};

/* Two races that are free to slide on each other, at an articulation angle: the spheres of the cage fit if the races part by
 * c (1/cos(angle/2) - 1), and then nothing is loaded. */
static const char BENT[] =
    "law hertz, law.stiffness 4e10, balls 6, pcd 0.062, ball_radius 0.0087313, track_radius "
    "0.00908, cage_mass 0.12, cage_axial_inertia 1.1e-4, cage_transverse_inertia 6.5e-5, "
    "track_family double_offset, cage_offset 0.008, sphere_stiffness 1e8";
static const hk_known_case known[] = {
    {.what = "a double offset joint that begins at an angle of 15 degrees",
     .values = BENT,
     .turn = {0.157, 0.209, 0},
     .force_error = 1e-3,
     .moment_error = 1e-5},
    {.what = "a double offset joint that begins at an angle of 6 degrees",
     .values = BENT,
     .turn = {0.063, 0.084, 0},
     .force_error = 1e-3,
     .moment_error = 1e-5},
    {0}};

const hk_type hk_type_joint_cv_ball_joint = {
    .name = "cv_ball_joint",
    .assumptions = assumptions,
    .category = HK_JOINT,
    .doc =
        "Constant velocity joint, plunging or fixed, ball by ball: races a (outer) and b (inner), "
        "balls in tracks, cage; adds bodies, contacts and sensors named after the joint.",
    .source = "[Marter2020]",
    .size = sizeof(hk_cv_ball_joint),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = hk_cv_ball_joint_draw,
    .sample = hk_cv_ball_joint_sample,
    .stage = hk_cv_ball_joint_stage,
    .known = known,
    .symmetry = HK_MIRRORS,
    .mirror = hk_cv_ball_joint_mirror,
};
