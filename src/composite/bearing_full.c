/* Ball bearing with fidelity: full.  Every ball and the cage of every row are bodies.
 *
 *   bodies    ball[k], row by row; cage, or cage[row] if there are several rows
 *   contacts  inner[k], outer[k] (ball_in_ring), pocket[k] (ball in its pocket of the cage),
 *             land or land[row] (cage on the shoulders of a ring)
 *   laws      race_law: Hertz with traction over the contact ellipse; cage_law
 *   sensors   load_max, pressure_max, loaded, friction_torque, cage_angle, slip_max, angle_inner[k], angle_outer[k]
 *
 * Grooves, preload and fits are those of the quasi-static bearing (bearing/design.h), so that the full and the
 * quasi-static bearing are at rest in the same position. Balls start in the equilibrium that the quasi-static bearing
 * has in the initial position at the initial speed, rolling without slip; the pitch of their axes is that of
 * outer-race control.
 *
 * Pockets are cylinders with a radial axis, which hold the cage along its axis; a cage guided by balls has spherical pockets,
 * which also hold it radially. */
#include "bearing/ring_force.h"
#include "composite/bearing_joint.h"
#include "spec/item.h"
#include <stdio.h>
#include <string.h>

const char *const hk_bearing_guidance_names[] = {"balls", "inner_ring", "outer_ring", NULL};
const char *const hk_bearing_traction_names[] = {"pade", "integrated", NULL};

typedef struct build {
  const hk_item *item;
  const hk_bearing_joint *p;
  hk_rolling_bearing_params of;
  hk_bearing b;
  hk_stand A, B;
  hk_vec3 u;    /* position of `b` in the axes of `a` */
  hk_mat3 R, Q; /* axes of `a` in the world, of `b` in `a` */
  double spin;  /* speed of `b` relative to `a` about z */
  double orbit; /* mean of the balls */
  hk_bearing_element *element;
  hk_parts parts;
} build;

/* ---- checks ---- */

static hk_status check_applies(const build *k, hk_error *err) {
  static const char *const DAMAGE[] = {"waviness_inner", "waviness_outer", "spall_inner",
                                       "spall_outer",    "spall_element",  NULL};
  static const char *const OTHER[] = {"spin_friction", "viscous_factor", NULL};
  if (k->of.kind == HK_BEARING_FOUR_POINT)
    return hk_fail(err, HK_EINPUT, "kind four_point has no fidelity full; use quasi_static");
  for (int i = 0; DAMAGE[i]; i++)
    if (hk_item_has(k->item, DAMAGE[i]))
      return hk_fail(err, HK_EINPUT,
                     "%s has no effect with fidelity full, in which races are exact; use "
                     "quasi_static",
                     DAMAGE[i]);
  for (int i = 0; OTHER[i]; i++)
    if (hk_item_has(k->item, OTHER[i]))
      hk_part_say(
          &k->parts, HK_NOTE,
          "%s is not used with fidelity full: friction is that of traction and cage_friction",
          OTHER[i]);
  return HK_OK;
}

static double pocket_clearance(const build *k) {
  return hk_item_has(k->item, "pocket_clearance") ? k->p->full.pocket_clearance
                                                  : 0.02 * k->of.element_diameter;
}

static hk_status check_pockets(const build *k, hk_error *err) {
  const double D = k->of.element_diameter,
               apart = k->of.pitch_diameter * sin(M_PI / k->of.elements),
               pocket = D + pocket_clearance(k);
  double largest = 0;
  for (int i = 0; i < (int)k->of.size_error[HK_BEARING_MAX_SIZES]; i++)
    largest = fmax(largest, k->of.size_error[i]);
  if (!(pocket < apart))
    return hk_fail(err, HK_EINPUT,
                   "pockets of %.6g mm leave no bar between them: balls are %.6g mm apart; "
                   "pocket_clearance must be less than %.4g mm",
                   1e3 * pocket, 1e3 * apart, 1e3 * (apart - D));
  if (!(pocket_clearance(k) > largest))
    return hk_fail(err, HK_EINPUT,
                   "pocket_clearance %.4g mm must be larger than the largest size_error, %.4g mm",
                   1e3 * pocket_clearance(k), 1e3 * largest);
  return HK_OK;
}

/* ---- start ---- */

/* Quasi-static equilibrium of all balls, used as initial state. */
static hk_status find_balls(build *k, hk_error *err) {
  hk_bearing b = k->b;
  hk_bearing_action action;
  const hk_bearing_place at = {.u = k->u, .Q = k->Q, .speed = {k->spin, 0, NAN}};
  b.dynamics = b.ball.dynamics = k->spin != 0 ? HK_BEARING_GYROSCOPIC : HK_BEARING_STATIC;
  b.damping = 0;
  const char *failed = hk_bearing_act(&b, &at, false, &action, k->element);
  if (failed) { /* friction cannot balance the gyroscopic moments: the equilibrium without inertia is used */
    b.dynamics = b.ball.dynamics = HK_BEARING_STATIC;
    failed = hk_bearing_act(&b, &at, false, &action, k->element);
  }
  return failed ? hk_fail(err, HK_EINPUT, "in the initial position %s", failed) : HK_OK;
}

/* One ball in its half plane: position (r, z), contact angles, orbit and spin (r, z) relative to `a`. */
typedef struct ball {
  double c, s, at[2], orbit, spin[2], radius;
} ball;

static ball start_ball(const build *k, int i) {
  const hk_bearing *b = &k->b;
  const hk_bearing_element *e = &k->element[i];
  const hk_bearing_row *row = &b->row[i / b->n];
  const double size = b->size[i / b->n][i % b->n], L = hypot(e->d[0], e->d[1]);
  double a_o = atan2(e->d[1], e->d[0]), a_i = a_o, reach = b->ball.l_o - 0.5 * size;
  /* total deflection of both contacts; < 0: the ball does not touch both races */
  const double gap = L - b->ball.A + size;
  if (e->Q_o > 0) {
    a_o = e->angle_o, a_i = e->Q_i > 0 ? e->angle_i : e->angle_o;
    reach += pow(e->Q_o / b->ball.K_o, 2.0 / 3);
  } else {
    reach += 0.5 * fmin(gap, 0);
  }
  ball o = {.c = b->cosine[i % b->n],
            .s = b->sine[i % b->n],
            .at = {row->from[0][0] + reach * cos(a_o), row->from[0][1] + reach * sin(a_o)},
            .radius = 0.5 * (b->ball.D + size)};
  const double rho = o.at[0];
  o.orbit = k->spin * (rho - o.radius * cos(a_i)) / (rho * (1 + cos(a_i - a_o)));
  const double turn = -o.orbit * rho / o.radius;
  o.spin[0] = -turn * sin(a_o), o.spin[1] = turn * cos(a_o);
  return o;
}

/* A body at x with velocities relative to `a`, all in the axes of `a`. */
static void put_body(build *k, hk_vec3 x, hk_vec3 v, hk_vec3 w) {
  const hk_vec3 arm = hk_mul(&k->R, x);
  hk_parts *s = &k->parts;
  hk_part_vec3(s, "position", hk_add(k->A.x, arm));
  hk_part_rotation(s, "orientation", k->A.q);
  hk_part_guess(s, "velocity", hk_add(hk_add(k->A.v, hk_cross(k->A.w, arm)), hk_mul(&k->R, v)));
  hk_part_guess(s, "angular_velocity", hk_add(k->A.w, hk_mul(&k->R, w)));
}

static void add_ball(build *k, int i) {
  const ball o = start_ball(k, i);
  const hk_vec3 r = hk_v3(o.c, o.s, 0), t = hk_v3(-o.s, o.c, 0), z = hk_v3(0, 0, 1);
  hk_part_add(&k->parts, HK_BODY, "sphere", "ball", i);
  hk_part_real(&k->parts, "radius", o.radius);
  hk_part_real(&k->parts, "density", k->of.density);
  put_body(k, hk_axpy(hk_scale(o.at[0], r), o.at[1], z), hk_scale(o.orbit * o.at[0], t),
           hk_axpy(hk_scale(o.spin[0], r), o.spin[1], z));
  k->orbit += o.orbit / (k->b.rows * k->b.n);
}

/* ---- cage ---- */

/* A ring with cylindrical pockets. */
typedef struct cage {
  double inner, outer, width,
      land; /* land: radius of the ring shoulders that guide the cage; 0: none */
  double mass, axial, transverse;
} cage;

static double guide_clearance(const build *k) {
  return hk_item_has(k->item, "guide_clearance") ? k->p->full.guide_clearance
                                                 : 0.02 * k->of.element_diameter;
}

static double land_radius(const build *k, bool outer) {
  const double D = k->of.element_diameter,
               given = outer ? k->of.shoulder_outer : k->of.shoulder_inner,
               height = given > 0 ? given : 0.2 * D, r = 0.5 * k->of.pitch_diameter;
  return outer ? r + 0.5 * D - height : r - 0.5 * D + height;
}

static cage make_cage(build *k) {
  const double D = k->of.element_diameter, r = 0.5 * k->of.pitch_diameter, thick = 0.3 * D,
               hole = 0.5 * (D + pocket_clearance(k)), rho = k->p->full.cage_density;
  cage c = {.inner = r - 0.5 * thick, .outer = r + 0.5 * thick, .width = 2.6 * hole};
  if (k->p->full.guidance == HK_BEARING_BY_OUTER) {
    c.land = land_radius(k, true);
    c.outer = c.land - 0.5 * guide_clearance(k), c.inner = c.outer - thick;
  } else if (k->p->full.guidance == HK_BEARING_BY_INNER) {
    c.land = land_radius(k, false);
    c.inner = c.land + 0.5 * guide_clearance(k), c.outer = c.inner + thick;
  }
  const double middle = 0.5 * (c.inner + c.outer);
  const double ring = rho * M_PI * (c.outer * c.outer - c.inner * c.inner) * c.width,
               cut = k->b.n * rho * M_PI * hole * hole * thick;
  const double cut_axial = cut * (middle * middle + thick * thick / 12 + 0.25 * hole * hole);
  c.axial = 0.5 * ring * (c.inner * c.inner + c.outer * c.outer) - cut_axial;
  c.transverse = 0.25 * ring * (c.inner * c.inner + c.outer * c.outer) +
                 ring * c.width * c.width / 12 - 0.5 * cut_axial - 0.25 * cut * hole * hole;
  c.mass = ring - cut;
  const double scale = k->p->full.cage_mass > 0 ? k->p->full.cage_mass / c.mass : 1;
  if (k->p->full.cage_mass > 0)
    hk_part_expect(&k->parts, "cage_mass", k->p->full.cage_mass, 0.05 * c.mass, 20 * c.mass, "kg");
  c.mass *= scale, c.axial *= scale, c.transverse *= scale;
  return c;
}

static void part_name(const build *k, const char *name, int row, char *out, size_t size) {
  if (k->b.rows > 1)
    snprintf(out, size, "%s.%s[%d]", k->parts.owner, name, row);
  else
    snprintf(out, size, "%s.%s", k->parts.owner, name);
}

static void add_cage(build *k, const cage *c, int row) {
  hk_parts *s = &k->parts;
  hk_part_add(s, HK_BODY, "rigid_body", "cage", k->b.rows > 1 ? row : -1);
  hk_part_real(s, "mass", c->mass);
  hk_part_vec3(s, "inertia", hk_v3(c->transverse, c->transverse, c->axial));
  put_body(k, hk_v3(0, 0, k->b.row[row].at), hk_v3(0, 0, 0), hk_v3(0, 0, k->orbit));
}

/* Markers of the pockets: in the middle of the balls, z radial. */
static void add_pockets(build *k, int row) {
  hk_parts *s = &k->parts;
  char body[256], frame[300];
  part_name(k, "cage", row, body, sizeof body);
  const hk_stand on = {.body = hk_spec_find(s->spec, HK_BODY, body), .turn = {1, 0, 0, 0}};
  const double D = k->of.element_diameter, r = 0.5 * k->of.pitch_diameter;
  const bool balls = k->p->full.guidance == HK_BEARING_BY_BALLS;
  for (int i = 0; i < k->b.n; i++) {
    const double c = k->b.cosine[i], sn = k->b.sine[i];
    const int which = row * k->b.n + i;
    const hk_mat3 axes = {{{-sn, 0, c}, {c, 0, sn}, {0, 1, 0}}};
    hk_part_marker(s, &on, "pocket", i, hk_v3(r * c, r * sn, 0), &axes);
    hk_part_add(s, HK_CONTACT, balls ? "sphere_in_socket" : "sphere_in_bore", "pocket", which);
    snprintf(frame, sizeof frame, "%s.pocket[%d]", body, i);
    hk_part_text(s, "a", frame);
    hk_part_frame(s, "b", "ball", which);
    hk_part_real(s, balls ? "socket_radius" : "bore_radius", 0.5 * (D + pocket_clearance(k)));
    hk_part_real(s, balls ? "ball_radius" : "sphere_radius", 0.5 * (D + k->b.size[row][i]));
    if (k->p->full.cage_law)
      hk_part_text(s, "law", k->p->full.cage_law);
    else
      hk_part_frame(s, "law", "cage_law", -1);
  }
}

/* The axial width of the ring shoulders is assumed equal to that of the cage. */
static void add_land(build *k, const cage *c, int row) {
  hk_parts *s = &k->parts;
  if (!(c->land > 0)) return;
  const bool outer = k->p->full.guidance == HK_BEARING_BY_OUTER;
  const hk_stand *ring = outer ? &k->A : &k->B;
  char body[256], frame[600], marker[300];
  part_name(k, "cage", row, body, sizeof body);
  snprintf(frame, sizeof frame, "%s", outer ? k->p->joint.a : k->p->joint.b);
  if (k->b.rows > 1) {
    hk_part_marker_name(s, "row", marker, sizeof marker);
    hk_part_marker(s, ring, marker, row, hk_v3(0, 0, k->b.row[row].at), NULL);
    snprintf(frame, sizeof frame, "%s.%s[%d]", ring->body ? hk_item_name(ring->body) : "ground",
             marker, row);
  }
  hk_part_add(s, HK_CONTACT, "pin_in_bush", "land", k->b.rows > 1 ? row : -1);
  hk_part_text(s, "a", outer ? frame : body);
  hk_part_text(s, "b", outer ? body : frame);
  hk_part_real(s, "bore_radius", outer ? c->land : c->inner);
  hk_part_real(s, "pin_radius", outer ? c->outer : c->land);
  hk_part_real(s, "length", c->width);
  if (k->p->full.cage_law)
    hk_part_text(s, "law", k->p->full.cage_law);
  else
    hk_part_frame(s, "law", "cage_law", -1);
}

/* ---- races ---- */

/* The two contacts of a ball act in series. Each gets twice the damping coefficient, so that
 * both together have the given one. */
static void add_laws(build *k) {
  const hk_bearing_full *f = &k->p->full;
  const hk_rolling_bearing_params *of = &k->of;
  hk_parts *s = &k->parts;
  if (!f->law) {
    hk_part_add(s, HK_LAW, "hertz", "race_law", -1);
    hk_part_text(s, "method", "elliptic");
    hk_part_real(s, "youngs_modulus", of->youngs_modulus);
    hk_part_real(s, "poisson_ratio", of->poisson_ratio);
    if (hk_item_has(k->item, "element_youngs_modulus") ||
        hk_item_has(k->item, "element_poisson_ratio")) {
      const bool given = hk_item_has(k->item, "element_youngs_modulus");
      hk_part_real(s, "youngs_modulus_b", given ? of->element_youngs_modulus : of->youngs_modulus);
      hk_part_real(s, "poisson_ratio_b",
                   hk_item_has(k->item, "element_poisson_ratio") ? of->element_poisson_ratio
                                                                 : of->poisson_ratio);
    }
    hk_part_real(s, "damping", 2 * of->damping);
    hk_part_real(s, "damping_depth", of->damping_depth);
    hk_part_text(s, "friction", hk_bearing_traction_names[f->traction_form]);
    hk_part_real(s, "mu", f->traction);
    hk_part_real(s, "friction_velocity", f->traction_velocity);
    /* The relative rotations of both contacts add up to spin dm/D. */
    hk_part_real(s, "rolling_resistance", 0.5 * of->friction * of->element_diameter);
  }
  if (f->cage_law) return;
  const double nu = 0.3, soft = (1 - nu * nu) / f->cage_youngs_modulus,
               hard = (1 - of->poisson_ratio * of->poisson_ratio) / of->youngs_modulus;
  hk_part_add(s, HK_LAW, "hunt_crossley", "cage_law", -1);
  hk_part_real(s, "stiffness", 4.0 / 3 / (soft + hard) * sqrt(0.5 * of->element_diameter));
  hk_part_real(s, "restitution", f->cage_restitution);
  hk_part_text(s, "friction", "tanh");
  hk_part_real(s, "mu", f->cage_friction);
  hk_part_real(s, "friction_velocity", f->traction_velocity);
}

static void add_race(build *k, bool outer, int i) {
  const hk_bearing_row *row = &k->b.row[i / k->b.n];
  const double D = k->of.element_diameter, size = k->b.size[i / k->b.n][i % k->b.n];
  hk_parts *s = &k->parts;
  hk_part_add(s, HK_CONTACT, "ball_in_ring", outer ? "outer" : "inner", i);
  hk_part_text(s, "a", outer ? k->p->joint.a : k->p->joint.b);
  hk_part_frame(s, "b", "ball", i);
  if (k->p->full.law)
    hk_part_text(s, "law", k->p->full.law);
  else
    hk_part_frame(s, "law", "race_law", -1);
  hk_part_text(s, "race", outer ? "outer" : "inner");
  hk_part_real(s, "ball_radius", 0.5 * (D + size));
  hk_part_real(s, "groove_radius", k->b.conformity[outer] * D);
  hk_part_real(s, "center_radius", outer ? row->from[0][0] : row->R[0]);
  hk_part_real(s, "center_offset", outer ? row->from[0][1] : row->z[0]);
  hk_part_real(s, "pitch_radius", 0.5 * k->of.pitch_diameter);
  hk_part_real(s, "contact_angle", k->b.nominal_angle);
  if (row->side != 0) hk_part_text(s, "shoulders", (row->side > 0) == outer ? "front" : "back");
}

/* ---- sensors ---- */

/* Computes the contact angle from the position of the ball along the axis of the ring. */
static void add_angle(build *k, bool outer, int i) {
  const hk_bearing_row *row = &k->b.row[i / k->b.n];
  hk_parts *s = &k->parts;
  const char *axial = outer ? "outer_axial" : "inner_axial";
  const double size = k->b.size[i / k->b.n][i % k->b.n];
  hk_part_add(s, HK_SENSOR, "displacement", axial, i);
  hk_part_text(s, "a", outer ? k->p->joint.a : k->p->joint.b);
  hk_part_frame(s, "b", "ball", i);
  hk_part_vec3(s, "axis", hk_v3(0, 0, 1));
  hk_part_add(s, HK_SENSOR, "expression", outer ? "angle_outer" : "angle_inner", i);
  hk_part_expression(
      s, "value", "%sasin(max(-1,min(1,(%s.%s[%d]-%.17g*(1 m))/(%.17g*(1 m)-%s.%s[%d].gap))))",
      outer ? "" : "-", s->owner, axial, i, outer ? row->from[0][1] : row->z[0],
      (outer ? k->b.ball.l_o : k->b.ball.l_i) - 0.5 * size, s->owner, outer ? "outer" : "inner", i);
}

static void add_displacement(build *k, const char *name, const char *frame, hk_vec3 axis) {
  hk_part_add(&k->parts, HK_SENSOR, "displacement", name, -1);
  hk_part_text(&k->parts, "a", k->p->joint.a);
  hk_part_text(&k->parts, "b", frame);
  hk_part_vec3(&k->parts, "axis", axis);
}

/* The axis of `b` in the axes of `a`, from two points at a distance of 1 m. The angle between the axes has no
 * derivative at zero. */
static void add_tilt(build *k) {
  hk_parts *s = &k->parts;
  const char *o = s->owner;
  char marker[300], frame[600];
  hk_part_marker_name(s, "axis", marker, sizeof marker);
  hk_part_marker(s, &k->B, marker, -1, hk_v3(0, 0, 1), NULL);
  snprintf(frame, sizeof frame, "%s.%s", k->B.body ? hk_item_name(k->B.body) : "ground", marker);
  add_displacement(k, "x", k->p->joint.b, hk_v3(1, 0, 0));
  add_displacement(k, "y", k->p->joint.b, hk_v3(0, 1, 0));
  add_displacement(k, "axis_x", frame, hk_v3(1, 0, 0));
  add_displacement(k, "axis_y", frame, hk_v3(0, 1, 0));
  hk_part_add(s, HK_SENSOR, "expression", "tilt", -1);
  hk_part_expression(s, "value", "asin(min(1,sqrt((%s.axis_x-%s.x)^2+(%s.axis_y-%s.y)^2)/(1 m)))",
                     o, o, o, o);
}

static void add_sensors(build *k) {
  static const hk_part_terms over[] = {
      {"load_max", -1, "max", "@.inner[#].normal_force,@.outer[#].normal_force"},
      {"loaded", -1, "", "if(@.inner[#].normal_force > 0 N, 1, 0)"},
      {"slip_max", -1, "max", "@.inner[#].slip,@.outer[#].slip"},
      {"pocket_force_max", -1, "max", "@.pocket[#].normal_force"}};
  static const hk_part_terms pressure = {"pressure_max", -1, "max",
                                         "@.inner[#].pressure,@.outer[#].pressure"};
  const int n = k->b.rows * k->b.n;
  hk_parts *s = &k->parts;
  char body[256];
  for (size_t i = 0; i < sizeof over / sizeof *over; i++) hk_part_over(s, &over[i], n);
  if (!k->p->full.law) hk_part_over(s, &pressure, n);
  part_name(k, "cage", 0, body, sizeof body);
  hk_part_add(s, HK_SENSOR, "angle", "cage_angle", -1);
  hk_part_text(s, "a", k->p->joint.a);
  hk_part_text(s, "b", body);
  hk_part_add(s, HK_SENSOR, "expression", "friction_torque", -1);
  hk_part_expression(s, "value", "%s.torque_b", s->owner);
  add_tilt(k);
  for (int i = 0; i < n; i++) add_angle(k, true, i), add_angle(k, false, i);
}

/* ---- all parts ---- */

static hk_status find_frames(build *k, hk_error *err) {
  hk_status status = hk_stand_find(k->parts.spec, k->p->joint.a, &k->A, err);
  if (!status) status = hk_stand_find(k->parts.spec, k->p->joint.b, &k->B, err);
  if (status) return status;
  k->R = hk_quat_matrix(k->A.q);
  const hk_mat3 B = hk_quat_matrix(k->B.q);
  k->u = hk_tmul(&k->R, hk_sub(k->B.x, k->A.x));
  for (int j = 0; j < 3; j++) {
    const hk_vec3 c = hk_tmul(&k->R, hk_column(&B, j));
    k->Q.m[0][j] = c.x, k->Q.m[1][j] = c.y, k->Q.m[2][j] = c.z;
  }
  k->spin = hk_dot(hk_column(&k->R, 2), hk_sub(k->B.w, k->A.w));
  return HK_OK;
}

static hk_status set_sizes(build *k, hk_error *err) {
  const int n = (int)k->of.size_error[HK_BEARING_MAX_SIZES], all = k->b.rows * k->b.n;
  if (n > all) return hk_fail(err, HK_EINPUT, "size_error has %d numbers for %d balls", n, all);
  for (int i = 0; i < n; i++) k->b.size[i / k->b.n][i % k->b.n] = k->of.size_error[i];
  return HK_OK;
}

static void add_parts(build *k) {
  const int n = k->b.rows * k->b.n;
  add_laws(k);
  for (int i = 0; i < n; i++) add_ball(k, i);
  const cage c = make_cage(k);
  for (int row = 0; row < k->b.rows; row++) {
    add_cage(k, &c, row);
    add_pockets(k, row);
    add_land(k, &c, row);
  }
  for (int i = 0; i < n; i++) add_race(k, true, i), add_race(k, false, i);
  add_sensors(k);
}

hk_status hk_bearing_full_expand(const hk_item *item, const hk_rolling_bearing_params *of,
                                 hk_bearing_kind kind, const hk_parts *parts) {
  hk_bearing_element element[HK_BEARING_MAX_ROWS * HK_BEARING_MAX_ELEMENTS];
  build k = {.item = item, .p = hk_item_data(item), .of = *of, .element = element, .parts = *parts};
  hk_error *err = parts->err;
  k.of.kind = (int)kind;
  hk_status status = check_applies(&k, err);
  const hk_bearing_design d = hk_rolling_bearing_design(item, &k.of);
  if (!status) status = hk_bearing_make(&d, &k.b, err);
  if (!status) status = set_sizes(&k, err);
  if (!status) status = check_pockets(&k, err);
  if (!status) status = find_frames(&k, err);
  if (!status) status = find_balls(&k, err);
  if (status) return status;
  add_parts(&k);
  return k.parts.status;
}
