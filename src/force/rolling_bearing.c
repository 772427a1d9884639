/* Rolling bearing: balls or rollers between two rings, in equilibrium at every instant.
 *
 * Frame `a` is on the outer ring, frame `b` on the inner ring. Both are in the middle of the rows with z along the
 * bearing axis, and they coincide if the bearing is unloaded. The elements have no coordinates: bearing/ball.h,
 * roller.h and four_point.h compute the positions of the elements, bearing/plane_intersection.h the relative motion of
 * the rings at an element, bearing/ring_force.h the total force and moment, and rolling_bearing_eval.c converts this
 * into forces on the frames.
 *
 * Limits: rigid rings; tilts of some mrad; the cage moves as the elements roll, without slip. */
#include "force/rolling_bearing.h"
#include "force/rolling_bearing_params.h"
#include <stdio.h>
#include <string.h>

typedef hk_rolling_bearing_params rolling_bearing;

const char *const hk_bearing_kind_names[] = {
    "deep_groove",    "angular_contact",  "four_point", "cylindrical_roller",
    "tapered_roller", "spherical_roller", NULL};
const char *const hk_bearing_dynamics_names[] = {"static", "centrifugal", "gyroscopic", NULL};
const char *const hk_bearing_control_names[] = {"outer", "inner", "load", NULL};
const char *const hk_bearing_arrangement_names[] = {"tandem", "back_to_back", "face_to_face", NULL};
const char *const hk_bearing_thrust_names[] = {"forward", "backward", NULL};
const char *const hk_bearing_profile_names[] = {"logarithmic", "straight", NULL};

static const rolling_bearing defaults = {.a = "ground", HK_BEARING_DEFAULTS};

static const hk_param params[] = {
    HK_FRAME(rolling_bearing, a, 0,
             "outer ring: z along the axis, origin in the middle of the rows"),
    HK_FRAME(rolling_bearing, b, HK_REQUIRED, "inner ring; unloaded if its frame coincides with a"),
    HK_PARAM_AS("kind", HK_PARAM_ENUM, rolling_bearing, kind, NULL, 0, "kind of bearing",
                .choices = hk_bearing_kind_names),
    HK_PARAM_AS("linear", HK_PARAM_BOOL, rolling_bearing, linear, NULL, 0,
                "force linearised about the position under `load` and `moment` at `speed`"),
    HK_PARAM_AS("elements", HK_PARAM_INT, rolling_bearing, elements, NULL, HK_REQUIRED,
                "balls or rollers in each row", HK_RANGE(3, HK_BEARING_MAX_ELEMENTS)),
    HK_PARAM_AS("element_diameter", HK_PARAM_REAL, rolling_bearing, element_diameter, "m",
                HK_REQUIRED | HK_POSITIVE, "diameter of a ball, or of a roller at its middle"),
    HK_PARAM_AS("pitch_diameter", HK_PARAM_REAL, rolling_bearing, pitch_diameter, "m",
                HK_REQUIRED | HK_POSITIVE, "diameter of the circle of element centres"),
    HK_BEARING_COMMON_PARAMS(rolling_bearing, ),
    HK_BEARING_BALL_PARAMS(rolling_bearing, ),
    HK_BEARING_ROLLER_PARAMS(rolling_bearing, ),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const rolling_bearing *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->moment_a = b->moment_b = true;
  return HK_OK;
}

/* Rejects positions beyond the limits within which the kinematics of the rings is valid. */
static hk_status stand(const hk_item *item, const hk_frame *A, const hk_frame *B, hk_error *err) {
  const rolling_bearing *p = hk_item_data(item);
  const double most = 0.1, c = hk_dot(hk_column(&A->R, 2), hk_column(&B->R, 2));
  double tilt = acos(fmax(-1, fmin(1, c))), off = hk_norm(hk_sub(B->x, A->x));
  if (tilt > most)
    return hk_fail(err, HK_EINPUT,
                   "the z axes of a and b differ by %.4g deg; both must be along the bearing axis "
                   "within %.2g deg",
                   tilt * 180 / M_PI, most * 180 / M_PI);
  if (off > 0.5 * p->element_diameter)
    return hk_fail(
        err, HK_EINPUT,
        "the frames a and b are %.6g mm apart; both must be at the middle of the bearing within "
        "half an element diameter (%.4g mm)",
        1e3 * off, 500 * p->element_diameter);
  return HK_OK;
}

/* ---- internal variables ---- */

/* Rotation of the cage per rotation of frame `b`, from the rolling of the elements: mean over the elements that have
 * an orbit speed. */
static double cage_ratio(const hk_bearing *p, double w, const hk_bearing_element *e) {
  double sum = 0;
  for (int k = 0; k < p->rows * p->n; k++) sum += e[k].wm;
  return sum / (p->rows * p->n * w);
}

/* Returns the largest fraction of a contact ellipse that is beyond the shoulder. */
static double truncation(const hk_bearing *p, const hk_bearing_element *e) {
  double most = 0;
  for (int k = 0; k < p->rows * p->n; k++)
    for (int race = 0; race < 2; race++) {
      const double Q = race ? e[k].Q_o : e[k].Q_i, angle = race ? e[k].angle_o : e[k].angle_i;
      if (!(Q > 0) || !(p->shoulder[race] > 0)) continue;
      const double half = p->hertz[race].half_s * cbrt(Q);
      most = fmax(most, hk_bearing_truncation(p, race, angle, half));
    }
  return most;
}

/* Quantities that follow from the loads of the elements: ratio of cage and ring, largest truncation. */
static void look_at_loads(const hk_bearing *p, const hk_force_in *in, bool shoulders, double *ratio,
                          double *edge) {
  hk_bearing_element e[HK_BEARING_MAX_ROWS * HK_BEARING_MAX_ELEMENTS];
  hk_bearing_action act;
  hk_bearing_pose s;
  hk_rolling_bearing_pose(p, in, &s);
  const double w = s.place.speed.inner;
  const bool turns = p->dynamics != HK_BEARING_STATIC && w != 0;
  if (turns) *ratio = s.ratio;
  if (!(shoulders || turns) || hk_bearing_act(p, &s.place, false, &act, e)) return;
  if (turns) *ratio = cage_ratio(p, w, e);
  if (shoulders) *edge = truncation(p, e);
}

static void accept(const void *data, const hk_force_in *in, double *memory) {
  const hk_bearing *p = &((const hk_rolling_bearing *)in->constants)->bearing;
  const double D = ((const rolling_bearing *)data)->element_diameter,
               far = hk_norm(hk_sub(in->B->x, in->A->x)) / (0.5 * D);
  const bool shoulders = !hk_bearing_has_rollers(p) && p->shoulder[0] + p->shoulder[1] > 0;
  double ratio = p->linear.on ? 0 : p->kappa, edge = 0;
  hk_bearing_turn now;
  hk_rolling_bearing_turn(p, in, &now);
  if (!p->linear.on && (shoulders || p->dynamics != HK_BEARING_STATIC))
    look_at_loads(p, in, shoulders, &ratio, &edge);
  memory[HK_BEARING_MEMORY_FAR] = fmax(memory[HK_BEARING_MEMORY_FAR], far);
  memory[HK_BEARING_MEMORY_EDGE] = fmax(memory[HK_BEARING_MEMORY_EDGE], edge);
  memory[HK_BEARING_MEMORY_TURN] = now.turn;
  memory[HK_BEARING_MEMORY_CAGE] = now.cage;
  memory[HK_BEARING_MEMORY_RATIO] = ratio;
}

static bool invalid(const void *data, const double *memory, double *amount, double *limit,
                    char *text, size_t size) {
  const rolling_bearing *p = data;
  const double edge = memory[HK_BEARING_MEMORY_EDGE], far = memory[HK_BEARING_MEMORY_FAR];
  *amount = edge, *limit = 0;
  if (far > 1) {
    *amount = far, *limit = 1;
    snprintf(text, size,
             "the inner ring moved by %.3g mm, more than half an element diameter: the bearings do "
             "not hold the shaft in this direction, as when `thrust` of two single-row bearings is "
             "the same; do not trust this run",
             500 * far * p->element_diameter);
    return true;
  }
  if (!(edge > 0)) return false;
  snprintf(text, size,
           "a contact ellipse reached beyond its shoulder by %.3g of its semi-axis; pressures at "
           "the edge are higher than computed; use a higher shoulder or a smaller load",
           edge);
  return true;
}

/* Characteristic length: the clearance, or a thousandth of the element diameter, within which an
 * element load develops. */
static double fine(const void *data) {
  const rolling_bearing *p = data;
  return p->clearance > 0 ? p->clearance : 1e-3 * p->element_diameter;
}

/* ---- channels ---- */

static const hk_quantity channels[] = {
    {"radial", "m", "distance of b from the axis of a"},
    {"axial", "m", "displacement of b along the axis of a"},
    {"tilt", "rad", "misalignment: angle between the axes"},
    {"load_max", "N", "largest load of an element on a race"},
    {"pressure_max", "Pa", "maximum Hertzian pressure"},
    {"loaded", "1", "number of elements loaded by the inner race"},
    {"min_film_thickness", "m", "smallest film thickness; 0: no oil"},
    {"friction_torque", "N m", "friction moment on b about the axis"},
    {"cage_angle", "rad", "angle of the cage relative to a"},
    {"cage_speed", "rad/s", "angular velocity of the cage relative to a"},
    {"truncation", "1",
     "largest part of a contact ellipse beyond the shoulder, as a fraction of its semi-axis; 0: "
     "none, or no shoulder is given",
     HK_SHOW_DETAIL},
    {"speed", "rad/s", "angular velocity of b relative to a about the axis"},
    {"element_speed", "rad/s",
     "angular velocity of an element about its own axis, relative to the cage"},
    {"life", "1",
     "L10r in millions of revolutions if the present loads stayed; 0: no rating is given",
     HK_SHOW_DETAIL},
    {"element[i].azimuth", "rad", "angle of the element about the axis, from x of a"},
    {"element[i].load_inner", "N", "load of one element on the inner race"},
    {"element[i].load_outer", "N", "load of one element on the outer race", HK_SHOW_DETAIL},
    {"element[i].angle_inner", "rad", "contact angle on the inner race", HK_SHOW_DETAIL},
    {"element[i].angle_outer", "rad", "contact angle on the outer race", HK_SHOW_DETAIL},
    {"element[i].pressure_inner", "Pa", "maximum Hertzian pressure on the inner race",
     HK_SHOW_DETAIL},
    {"element[i].pressure_outer", "Pa", "maximum Hertzian pressure on the outer race",
     HK_SHOW_DETAIL},
    {"element[i].film_inner", "m", "minimum film thickness on the inner race", HK_SHOW_DETAIL},
    {"element[i].film_outer", "m", "minimum film thickness on the outer race", HK_SHOW_DETAIL},
    {"element[i].spin_inner", "rad/s",
     "spin of a ball on the inner race: relative rotation about the contact normal",
     HK_SHOW_DETAIL},
    {"element[i].spin_to_roll", "1", "spin on the inner race over the relative rolling rotation",
     HK_SHOW_DETAIL},
    {"element[i].gyro_moment", "N m", "gyroscopic moment resisted by friction", HK_SHOW_DETAIL},
};
enum { PER_ELEMENT = 12, PLAIN = sizeof channels / sizeof *channels - PER_ELEMENT };

/* Number of elements that have channels: the first elements, up to the maximum number of channels. */
static int repeats(const void *constants) {
  const hk_bearing *p = &((const hk_rolling_bearing *)constants)->bearing;
  int all = p->rows * p->n, most = (HK_MAX_OWN_CHANNELS - PLAIN) / PER_ELEMENT;
  return all < most ? all : most;
}

/* Returns the ratio of spinning to rolling at the inner race. The inclination of the ball's
 * axis of rotation follows from the race that controls the ball; without inertia both contact
 * angles are equal. */
static double spin_to_roll(const hk_bearing *p, const hk_bearing_element *e) {
  if (hk_bearing_has_rollers(p) || p->kind == HK_BEARING_FOUR_POINT || !(e->Q_i > 0)) return 0;
  const double gp = p->ball.gp, ci = cos(e->angle_i), si = sin(e->angle_i);
  if (p->ball.control == HK_BEARING_INNER_CONTROL) return 0;
  const double pitch = atan2(sin(e->angle_o), cos(e->angle_o) + gp);
  return (1 - gp * ci) * tan(e->angle_i - pitch) + gp * si;
}

/* Computes the channels of an element; `film_1`: film thickness of both races at 1 N. */
static void read_element(const hk_rolling_bearing *c, int row, int k, const hk_bearing_pose *s,
                         const hk_bearing_element *e, const double film_1[2],
                         double value[PER_ELEMENT], double *truncated) {
  const hk_bearing *p = &c->bearing;
  double slice[2][HK_ROLLER_MAX_SLICES], film[2], pressure[2];
  const bool rollers = hk_bearing_has_rollers(p);
  const double side = hk_bearing_roller_side(p, row);
  const double d[4] = {e->d[0], side * e->d[1], e->d[2], side * e->d[3]};
  if (rollers)
    hk_roller_slices(&p->roller, d, p->size[row][k], &s->place.speed,
                     p->dynamics != HK_BEARING_STATIC, slice[0], slice[1]);
  for (int race = 0; race < 2; race++) {
    const double Q = race ? e->Q_o : e->Q_i;
    hk_bearing_patch patch = hk_bearing_patch_at(p, race, Q, rollers ? slice[race] : NULL);
    film[race] = film_1[race] > 0 && Q > 0 ? film_1[race] * pow(Q, hk_bearing_film_power(p)) : 0;
    pressure[race] = patch.pressure;
    double off =
        Q > 0 ? hk_bearing_truncation(p, race, race ? e->angle_o : e->angle_i, patch.half) : 0;
    if (off > *truncated) *truncated = off;
  }
  const double spin = spin_to_roll(p, e), w = s->place.speed.inner,
               orbit = e->wm != 0 ? e->wm : p->kappa * w;
  const double all[PER_ELEMENT] = {s->place.cage + 2 * M_PI * k / p->n,
                                   e->Q_i,
                                   e->Q_o,
                                   e->angle_i,
                                   e->angle_o,
                                   pressure[0],
                                   pressure[1],
                                   film[0],
                                   film[1],
                                   spin != 0 ? spin * (w - orbit) / p->ball.gp : 0,
                                   spin,
                                   e->gyro};
  memcpy(value, all, sizeof all);
}

static void read(const void *data, const hk_force_in *in, const hk_force_out *out, double *value) {
  const hk_rolling_bearing *c = in->constants;
  const hk_bearing *p = &c->bearing;
  hk_bearing_element e[HK_BEARING_MAX_ROWS * HK_BEARING_MAX_ELEMENTS];
  hk_bearing_pose s;
  hk_bearing_action act;
  double load = 0, pressure = 0, film = INFINITY, truncated = 0;
  int loaded = 0, shown = repeats(c);
  hk_rolling_bearing_pose(p, in, &s);
  if (hk_bearing_act(p, &s.place, false, &act, e)) {
    for (int i = 0; i < PLAIN + PER_ELEMENT * shown; i++) value[i] = NAN;
    return;
  }
  double film_1[2], central;
  for (int race = 0; race < 2; race++)
    hk_bearing_film(p, race, 1, s.place.speed.inner, &c->oil, &film_1[race], &central);
  for (int k = 0; k < p->rows * p->n; k++) {
    double of[PER_ELEMENT];
    read_element(c, k / p->n, k % p->n, &s, &e[k], film_1, of, &truncated);
    load = fmax(load, fmax(of[1], of[2]));
    pressure = fmax(pressure, fmax(of[5], of[6]));
    loaded += of[1] > 0;
    if (of[1] > 0) film = fmin(film, fmin(of[7], of[8]));
    if (k < shown) memcpy(value + PLAIN + PER_ELEMENT * k, of, sizeof of);
  }
  const hk_vec3 d = hk_sub(in->B->x, in->A->x);
  const double along = hk_dot(d, s.z), spin = s.place.rate[HK_BEARING_TURN];
  const bool outer_turns = fabs(hk_dot(in->A->w, s.z)) > fabs(hk_dot(in->B->w, s.z));
  hk_bearing_life life = {0};
  if (c->rating > 0 && !p->linear.on)
    life = hk_bearing_life_of(p, e, &s.place.speed, c->rating, NULL, outer_turns, true);
  const double all[PLAIN] = {hk_norm(hk_axpy(d, -along, s.z)),
                             along,
                             atan2(hk_norm(hk_cross(s.z, s.n)), hk_dot(s.z, s.n)),
                             load,
                             pressure,
                             loaded,
                             isfinite(film) ? film : 0,
                             act.friction,
                             s.place.cage,
                             s.place.rate[HK_BEARING_CAGE],
                             truncated,
                             spin,
                             -p->spin_ratio * spin,
                             life.L10r};
  memcpy(value, all, sizeof all);
}

/* Sliding velocity at the pitch circle; tanh(2.65) = 0.99. */
static hk_vec3 sliding(const void *data, const hk_force_in *in, double *full_speed) {
  const rolling_bearing *p = data;
  double radius = 0.5 * p->pitch_diameter;
  hk_vec3 z = hk_column(&in->A->R, 2), turn = hk_sub(in->B->w, in->A->w);
  const hk_rolling_bearing *c = in->constants;
  *full_speed = p->friction > 0 ? 2.65 * c->bearing.friction.rest * radius : 0;
  return hk_scale(radius * hk_dot(z, turn), z);
}

static const hk_force_ops ops = {.bind = bind,
                                 .eval = hk_rolling_bearing_eval,
                                 .sliding = sliding,
                                 .check_placement = stand,
                                 .prepare = hk_rolling_bearing_prepare,
                                 .memory = HK_BEARING_MEMORY,
                                 .memory_smooth = true,
                                 .accept = accept,
                                 .invalid = invalid,
                                 .length_scale = fine,
                                 .read = read,
                                 .repeats = repeats,
                                 HK_CHANNELS(channels)};

const hk_type hk_type_force_rolling_bearing = {
    .name = "rolling_bearing",
    .category = HK_FORCE,
    .doc =
        "Ball or roller bearing: Hertzian contacts of every element, clearance or preload, inertia "
        "of the balls, friction, variable compliance, waviness and spalls.",
    .source = "[Jones1960; DeMul1989; ISO16281]",
    .size = sizeof(rolling_bearing),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = hk_rolling_bearing_draw,
    .sample = hk_rolling_bearing_sample,
    .stage = hk_rolling_bearing_stage,
};
