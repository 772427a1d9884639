/* Rolling bearing: balls or rollers between two rings, each in balance at every moment.
 *
 * Frame a on the outer ring, b on the inner ring, both with their z axes along that of the bearing, in the middle of its
 * rows; unloaded they coincide.  No ball has coordinates of its own: bearing/ball.h, roller.h and four_point.h find where it
 * is, bearing/pierce.h how the rings move against each other there, bearing/act.h what all exert together, and
 * rolling_bearing_eval.c turns that into forces on the frames.
 *
 * Limits: rigid rings; tilts of some mrad; the cage turns as the elements roll, without slip.
 */
#include "force/rolling_bearing.h"
#include <string.h>

typedef hk_rolling_bearing_params rolling_bearing;

static const char *const KINDS[] = {"deep_groove",        "angular_contact", "four_point",
                                    "cylindrical_roller", "tapered_roller",  NULL};
static const char *const DYNAMICS[] = {"static", "centrifugal", "gyroscopic", NULL};
static const char *const CONTROLS[] = {"outer", "inner", "load", NULL};
static const char *const ARRANGEMENTS[] = {"tandem", "back_to_back", "face_to_face", NULL};
static const char *const THRUSTS[] = {"forward", "backward", NULL};
static const char *const PROFILES[] = {"logarithmic", "straight", NULL};

static const rolling_bearing defaults = {.a = "ground",
                                         .rows = 1,
                                         .elements = 9,
                                         .slices = 30,
                                         .conformity_inner = 0.52,
                                         .conformity_outer = 0.53,
                                         .taper = 0.035,
                                         .youngs_modulus = 208e9,
                                         .poisson_ratio = 0.3,
                                         .element_youngs_modulus = 208e9,
                                         .element_poisson_ratio = 0.3,
                                         .density = 7800,
                                         .ramp = 1e-7,
                                         .contamination = 0.5};

#define WAVES(member, doc)                                                                       \
  HK_PARAM_AS(#member, HK_PARAM_REALS, rolling_bearing, member, "m", HK_UP_TO | HK_COUNTED, doc, \
              .count = HK_BEARING_MAX_ORDERS)
#define PHASES(member, doc)                                                           \
  HK_PARAM_AS(#member, HK_PARAM_REALS, rolling_bearing, member, "rad", HK_UP_TO, doc, \
              .count = HK_BEARING_MAX_ORDERS)

static const hk_param params[] = {
    HK_FRAME(rolling_bearing, a, 0,
             "outer ring: z is the axis, the origin in the middle of the rows"),
    HK_FRAME(rolling_bearing, b, HK_REQUIRED, "inner ring; unloaded its frame is that of a"),
    HK_ENUM(rolling_bearing, kind, KINDS, 0, "kind of bearing"),
    HK_ENUM(rolling_bearing, dynamics, DYNAMICS, 0,
            "inertia of the elements: none, centrifugal force, or gyroscopic moment as well"),
    HK_ENUM(rolling_bearing, control, CONTROLS, 0,
            "race that holds the gyroscopic moment; `load`: both, by their loads"),
    HK_INT(rolling_bearing, elements, HK_REQUIRED, "balls or rollers in each row",
           HK_RANGE(3, HK_BEARING_MAX_ELEMENTS)),
    HK_REAL(rolling_bearing, element_diameter, "m", HK_REQUIRED | HK_POSITIVE,
            "of a ball, or of a roller in its middle"),
    HK_REAL(rolling_bearing, pitch_diameter, "m", HK_REQUIRED | HK_POSITIVE,
            "of the circle of the elements' centres"),
    HK_REAL(rolling_bearing, conformity_inner, NULL, 0,
            "radius of the inner groove over the ball diameter", HK_RANGE(0.5, 1)),
    HK_REAL(rolling_bearing, conformity_outer, NULL, 0,
            "radius of the outer groove over the ball diameter", HK_RANGE(0.5, 1)),
    HK_REAL(rolling_bearing, contact_angle, "rad", 0,
            "unloaded, of angular_contact, four_point and, at the outer race, tapered_roller",
            HK_RANGE(0, 1.5)),
    HK_REAL(rolling_bearing, clearance, "m", 0,
            "diametral, before mounting; negative: interference", HK_RANGE(-1, 1)),
    HK_INT(rolling_bearing, rows, 0, "rows of elements", HK_RANGE(1, HK_BEARING_MAX_ROWS)),
    HK_ENUM(rolling_bearing, arrangement, ARRANGEMENTS, 0,
            "how rows with a contact angle face: all one way, or in two groups"),
    HK_ENUM(rolling_bearing, thrust, THRUSTS, 0,
            "forces on b that `tandem` rows take: along +z or -z"),
    HK_INT(rolling_bearing, forward_rows, 0,
           "rows that take forces on b along +z, of two groups; 0: half of them",
           HK_RANGE(0, HK_BEARING_MAX_ROWS)),
    HK_REAL(rolling_bearing, row_distance, "m", 0, "between neighbouring rows, along z", HK_MIN(0)),
    HK_REAL(rolling_bearing, preload, "N", 0,
            "axial force of each group of rows where the frames coincide", HK_MIN(0)),
    HK_REAL(rolling_bearing, preload_displacement, "m", 0,
            "axial, of each row, in place of preload", HK_RANGE(-1, 1)),
    HK_REAL(rolling_bearing, roller_length, "m", 0, "that touches the races", HK_MIN(0)),
    HK_INT(rolling_bearing, slices, 0, "of a roller", HK_RANGE(1, HK_ROLLER_MAX_SLICES)),
    HK_ENUM(rolling_bearing, profile, PROFILES, 0, "of rollers along their length"),
    HK_REAL(rolling_bearing, taper, "rad", 0, "half of the cone angle of a tapered roller",
            HK_RANGE(0, 0.5)),
    HK_REAL(rolling_bearing, rib_height, "m", 0,
            "of the rib's contact over the inner race; 0.15 roller diameters if left out",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, shoulder_inner, "m", 0, "height of the inner shoulder over its groove",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, shoulder_outer, "m", 0, "height of the outer shoulder over its groove",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, youngs_modulus, "Pa", HK_POSITIVE, "Young's modulus of the rings"),
    HK_REAL(rolling_bearing, poisson_ratio, NULL, 0, "Poisson's ratio of the rings",
            HK_RANGE(0, 0.49)),
    HK_REAL(rolling_bearing, element_youngs_modulus, "Pa", HK_POSITIVE,
            "of the elements; as the rings if left out"),
    HK_REAL(rolling_bearing, element_poisson_ratio, NULL, 0,
            "of the elements; as the rings if left out", HK_RANGE(0, 0.49)),
    HK_REAL(rolling_bearing, density, "kg/m^3", HK_POSITIVE,
            "of the elements, and of the inner ring"),
    HK_REAL(rolling_bearing, bore, "m", 0, "of the inner ring, for fits and growth at speed",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, outside, "m", 0, "diameter of the outer ring, for fits", HK_MIN(0)),
    HK_REAL(rolling_bearing, shaft_bore, "m", 0, "of a hollow shaft", HK_MIN(0)),
    HK_REAL(rolling_bearing, housing_outside, "m", 0, "diameter of the housing; 0: thick",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, interference_shaft, "m", 0, "of the inner ring's fit, on the diameter",
            HK_RANGE(0, 1)),
    HK_REAL(rolling_bearing, interference_housing, "m", 0,
            "of the outer ring's fit, on the diameter", HK_RANGE(0, 1)),
    HK_REAL(rolling_bearing, temperature_difference, "K", 0,
            "of inner ring and elements over the outer ring; steel", HK_RANGE(-1000, 1000)),
    HK_REAL(rolling_bearing, friction, NULL, 0,
            "rolling friction: moment over half the pitch diameter and the sum of all loads",
            HK_RANGE(0, 1)),
    HK_REAL(rolling_bearing, spin_friction, NULL, 0,
            "coefficient of friction where balls spin on the inner race", HK_RANGE(0, 1)),
    HK_REAL(rolling_bearing, viscous_factor, NULL, 0, "f0 of Palmgren's viscous moment", HK_MIN(0)),
    HK_REAL(rolling_bearing, viscosity, "Pa s", 0, "of the oil", HK_MIN(0)),
    HK_REAL(rolling_bearing, pressure_viscosity, "1/Pa", 0, "of the oil", HK_MIN(0)),
    HK_REAL(rolling_bearing, roughness, "m", 0, "of race and element together, r.m.s.", HK_MIN(0)),
    HK_REAL(rolling_bearing, damping, "N s/m", 0,
            "of the films of one loaded element, along its contacts", HK_MIN(0)),
    HK_REAL(rolling_bearing, ramp, "m", HK_POSITIVE, "depth over which that damping sets in"),
    HK_PARAM_AS("size_error", HK_PARAM_REALS, rolling_bearing, size_error, "m",
                HK_UP_TO | HK_COUNTED, "diameter of each element beyond nominal, row by row",
                .count = HK_BEARING_MAX_SIZES, .each = "element"),
    WAVES(waviness_inner, "material off the inner race: amplitudes of the orders 1, 2, ..."),
    WAVES(waviness_outer, "material off the outer race: amplitudes of the orders 1, 2, ..."),
    PHASES(waviness_inner_phase, "angles of b at which these are largest"),
    PHASES(waviness_outer_phase, "angles of a at which these are largest"),
    HK_REAL(rolling_bearing, spall_inner, "m", 0, "depth of a spall of the inner race", HK_MIN(0)),
    HK_REAL(rolling_bearing, spall_outer, "m", 0, "depth of a spall of the outer race", HK_MIN(0)),
    HK_REAL(rolling_bearing, spall_element, "m", 0, "depth of a spall of one element", HK_MIN(0)),
    HK_REAL(rolling_bearing, spall_inner_at, "rad", 0, "its angle from the x axis of b"),
    HK_REAL(rolling_bearing, spall_outer_at, "rad", 0, "its angle from the x axis of a"),
    HK_REAL(rolling_bearing, spall_width, "rad", 0, "angle over which spalls reach",
            HK_RANGE(0, 3)),
    HK_INT(rolling_bearing, spalled_element, 0, "number of the element with a spall",
           HK_RANGE(0, HK_BEARING_MAX_ELEMENTS - 1)),
    HK_REAL(rolling_bearing, rating, "N", 0, "basic dynamic load rating of one row, for life",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, fatigue_load, "N", 0, "fatigue load limit, for modified life",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, contamination, NULL, 0, "e_C of ISO 281", HK_RANGE(0, 1)),
    HK_VEC3(rolling_bearing, load, "N", 0, "on b, in the axes of a, for `hooke bearing`"),
    HK_VEC3(rolling_bearing, moment, "N m", 0, "on b, in the axes of a, for `hooke bearing`"),
    HK_REAL(rolling_bearing, speed, "rad/s", 0, "of b against a, for `hooke bearing`"),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const rolling_bearing *p = item->data;
  b->a = p->a;
  b->b = p->b;
  b->moment_a = b->moment_b = true;
  return HK_OK;
}

/* Beyond, the kinematics of rings in each other says nothing. */
static hk_status stand(const hk_item *item, const hk_frame *A, const hk_frame *B, hk_error *err) {
  const rolling_bearing *p = item->data;
  const double most = 0.1, c = hk_dot(hk_column(&A->R, 2), hk_column(&B->R, 2));
  double tilt = acos(fmax(-1, fmin(1, c))), off = hk_norm(hk_sub(B->x, A->x));
  if (tilt > most)
    return hk_fail(err, HK_EINPUT,
                   "the z axes of a and b are %.4g deg apart; both are the bearing's axis, within "
                   "%.2g deg",
                   tilt * 180 / M_PI, most * 180 / M_PI);
  if (off > 0.5 * p->element_diameter)
    return hk_fail(err, HK_EINPUT,
                   "a and b are %.6g mm apart; both are the middle of the bearing, within half an "
                   "element diameter (%.4g mm)",
                   1e3 * off, 500 * p->element_diameter);
  return HK_OK;
}

/* ---- memory ---- */

/* How far the cage turns with b: as the elements roll, in the mean of those that have an orbit. */
static double cage_ratio(const hk_bearing *p, const hk_bearing_pose *s) {
  hk_bearing_element e[HK_BEARING_MAX_ROWS * HK_BEARING_MAX_ELEMENTS];
  hk_bearing_action act;
  const double w = s->place.speed.inner;
  if (p->dynamics == HK_BEARING_STATIC || w == 0) return p->kappa;
  if (hk_bearing_act(p, &s->place, false, &act, e)) return s->ratio;
  double sum = 0;
  for (int k = 0; k < p->rows * p->n; k++) sum += e[k].wm;
  return sum / (p->rows * p->n * w);
}

static void accept(const void *data, const hk_force_in *in, double *memory) {
  const hk_bearing *p = &((const hk_rolling_bearing *)in->constants)->bearing;
  hk_bearing_pose s;
  hk_rolling_bearing_pose(p, in, &s);
  memory[HK_BEARING_MEMORY_TURN] = s.place.turn;
  memory[HK_BEARING_MEMORY_CAGE] = s.place.cage;
  memory[HK_BEARING_MEMORY_RATIO] = cage_ratio(p, &s);
}

/* The clearance, or what a thousandth of an element is: within that a load comes and goes. */
static double fine(const void *data) {
  const rolling_bearing *p = data;
  return p->clearance > 0 ? p->clearance : 1e-3 * p->element_diameter;
}

/* ---- channels ---- */

static const hk_quantity channels[] = {
    {"radial", "m", "distance of b from the axis of a"},
    {"axial", "m", "displacement of b along the axis of a"},
    {"tilt", "rad", "angle between the axes"},
    {"load_max", "N", "largest load of an element on a race"},
    {"pressure_max", "Pa", "largest pressure, by Hertz"},
    {"loaded", "1", "elements that the inner race loads"},
    {"film_min", "m", "smallest film; 0: no oil"},
    {"friction_torque", "N m", "moment on b about the axis by friction"},
    {"cage_angle", "rad", "turn of the cage against a"},
    {"cage_speed", "rad/s", "of the cage against a", HK_SHOW_DETAIL},
    {"truncation", "1",
     "largest part of a contact's half length beyond the shoulder; 0: none, or no shoulder is "
     "known",
     HK_SHOW_DETAIL},
    {"element[i].load_inner", "N", "load of one element on the inner race", HK_SHOW_DETAIL},
    {"element[i].load_outer", "N", "load of one element on the outer race", HK_SHOW_DETAIL},
    {"element[i].angle_inner", "rad", "contact angle on the inner race", HK_SHOW_DETAIL},
    {"element[i].angle_outer", "rad", "contact angle on the outer race", HK_SHOW_DETAIL},
    {"element[i].pressure_inner", "Pa", "largest pressure on the inner race", HK_SHOW_DETAIL},
    {"element[i].pressure_outer", "Pa", "largest pressure on the outer race", HK_SHOW_DETAIL},
    {"element[i].film", "m", "smaller film of both races", HK_SHOW_DETAIL},
    {"element[i].gyro_moment", "N m", "gyroscopic moment that friction holds", HK_SHOW_DETAIL},
};
enum { PER_ELEMENT = 8, PLAIN = sizeof channels / sizeof *channels - PER_ELEMENT };

/* Elements that have channels: the first ones, as many as there is room for. */
static int repeats(const void *constants) {
  const hk_bearing *p = &((const hk_rolling_bearing *)constants)->bearing;
  int all = p->rows * p->n, most = (HK_MAX_OWN_CHANNELS - PLAIN) / PER_ELEMENT;
  return all < most ? all : most;
}

static void read_element(const hk_rolling_bearing *c, int row, int k, const hk_bearing_pose *s,
                         const hk_bearing_element *e, double value[PER_ELEMENT],
                         double *truncated) {
  const hk_bearing *p = &c->bearing;
  double slice[2][HK_ROLLER_MAX_SLICES], film[2], central, pressure[2];
  const bool rollers = hk_bearing_has_rollers(p);
  const double side = p->row[row].side < 0 ? -1 : 1;
  const double d[4] = {e->d[0], side * e->d[1], e->d[2], side * e->d[3]};
  if (rollers)
    hk_roller_slices(&p->roller, d, p->size[row][k], &s->place.speed,
                     p->dynamics != HK_BEARING_STATIC, slice[0], slice[1]);
  for (int race = 0; race < 2; race++) {
    const double Q = race ? e->Q_o : e->Q_i;
    hk_bearing_patch patch = hk_bearing_patch_at(p, race, Q, rollers ? slice[race] : NULL);
    hk_bearing_film(p, race, Q, s->place.speed.inner, &c->oil, &film[race], &central);
    pressure[race] = patch.pressure;
    double off =
        Q > 0 ? hk_bearing_truncation(p, race, race ? e->angle_o : e->angle_i, patch.half) : 0;
    if (off > *truncated) *truncated = off;
  }
  bool carries = e->Q_i > 0;
  const double all[PER_ELEMENT] = {e->Q_i,
                                   e->Q_o,
                                   e->angle_i,
                                   e->angle_o,
                                   pressure[0],
                                   pressure[1],
                                   carries ? fmin(film[0], film[1]) : 0,
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
  for (int k = 0; k < p->rows * p->n; k++) {
    double of[PER_ELEMENT];
    read_element(c, k / p->n, k % p->n, &s, &e[k], of, &truncated);
    load = fmax(load, fmax(of[0], of[1]));
    pressure = fmax(pressure, fmax(of[4], of[5]));
    loaded += of[0] > 0;
    if (of[0] > 0) film = fmin(film, of[6]);
    if (k < shown) memcpy(value + PLAIN + PER_ELEMENT * k, of, sizeof of);
  }
  hk_bearing smooth = *p; /* what is left of the moment without friction */
  smooth.friction = (hk_bearing_friction){0};
  hk_bearing_action without;
  hk_bearing_act(&smooth, &s.place, false, &without, NULL);
  const hk_vec3 d = hk_sub(in->B->x, in->A->x);
  const double along = hk_dot(d, s.z);
  const double all[PLAIN] = {hk_norm(hk_axpy(d, -along, s.z)),
                             along,
                             atan2(hk_norm(hk_cross(s.z, s.n)), hk_dot(s.z, s.n)),
                             load,
                             pressure,
                             loaded,
                             isfinite(film) ? film : 0,
                             act.Q[HK_BEARING_TURN] - without.Q[HK_BEARING_TURN],
                             s.place.cage,
                             s.place.rate[HK_BEARING_CAGE],
                             truncated};
  memcpy(value, all, sizeof all);
}

static const hk_force_ops ops = {.bind = bind,
                                 .eval = hk_rolling_bearing_eval,
                                 .stand = stand,
                                 .prepare = hk_rolling_bearing_prepare,
                                 .memory = HK_BEARING_MEMORY,
                                 .accept = accept,
                                 .fine = fine,
                                 .read = read,
                                 .repeats = repeats,
                                 HK_CHANNELS(channels)};

const hk_type hk_type_force_rolling_bearing = {
    .name = "rolling_bearing",
    .category = HK_FORCE,
    .doc =
        "Ball or roller bearing: Hertz contacts of every element, clearance or preload, inertia of "
        "the balls, friction, variable compliance, waviness and spalls.",
    .source = "[Jones1960; DeMul1989; ISO16281]",
    .size = sizeof(rolling_bearing),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = hk_rolling_bearing_draw,
    .sample = hk_rolling_bearing_sample,
    .stage = hk_rolling_bearing_stage,
};
