/* Rolling bearing: balls or rollers between two rings, in equilibrium at every instant.
 *
 * Frame a is on the outer ring, b on the inner ring, both with z along the bearing axis and at
 * the middle of its rows; unloaded they coincide. The elements have no coordinates:
 * bearing/ball.h, roller.h and four_point.h compute their positions, bearing/pierce.h the
 * relative motion of the rings there, bearing/act.h the total action, and rolling_bearing_eval.c
 * converts this into forces on the frames.
 *
 * Limits: rigid rings; tilts of some mrad; the cage moves as the elements roll, without slip. */
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
                                         .damping_depth = 1e-7,
                                         .contamination = 0.5};

#define WAVES(member, doc)                                                                       \
  HK_PARAM_AS(#member, HK_PARAM_REALS, rolling_bearing, member, "m", HK_UP_TO | HK_COUNTED, doc, \
              .count = HK_BEARING_MAX_ORDERS)
#define PHASES(member, doc)                                                           \
  HK_PARAM_AS(#member, HK_PARAM_REALS, rolling_bearing, member, "rad", HK_UP_TO, doc, \
              .count = HK_BEARING_MAX_ORDERS)

static const hk_param params[] = {
    HK_FRAME(rolling_bearing, a, 0,
             "outer ring: z along the axis, origin in the middle of the rows"),
    HK_FRAME(rolling_bearing, b, HK_REQUIRED, "inner ring; unloaded if its frame coincides with a"),
    HK_ENUM(rolling_bearing, kind, KINDS, 0, "kind of bearing"),
    HK_ENUM(rolling_bearing, dynamics, DYNAMICS, 0,
            "inertia of the elements: none, centrifugal force, or gyroscopic moment as well"),
    HK_ENUM(rolling_bearing, control, CONTROLS, 0,
            "race that resists the gyroscopic moment; `load`: both, in proportion to their loads"),
    HK_INT(rolling_bearing, elements, HK_REQUIRED, "balls or rollers in each row",
           HK_RANGE(3, HK_BEARING_MAX_ELEMENTS)),
    HK_REAL(rolling_bearing, element_diameter, "m", HK_REQUIRED | HK_POSITIVE,
            "diameter of a ball, or of a roller at its middle"),
    HK_REAL(rolling_bearing, pitch_diameter, "m", HK_REQUIRED | HK_POSITIVE,
            "diameter of the circle of element centres"),
    HK_REAL(rolling_bearing, conformity_inner, NULL, 0,
            "radius of the inner groove divided by the ball diameter", HK_RANGE(0.5, 1)),
    HK_REAL(rolling_bearing, conformity_outer, NULL, 0,
            "radius of the outer groove divided by the ball diameter", HK_RANGE(0.5, 1)),
    HK_REAL(rolling_bearing, contact_angle, "rad", 0,
            "unloaded contact angle of angular_contact and four_point; at the outer race, of "
            "tapered_roller",
            HK_RANGE(0, 1.5)),
    HK_REAL(rolling_bearing, clearance, "m", 0,
            "diametral clearance before mounting; negative: interference", HK_RANGE(-1, 1)),
    HK_INT(rolling_bearing, rows, 0, "rows of elements", HK_RANGE(1, HK_BEARING_MAX_ROWS)),
    HK_ENUM(
        rolling_bearing, arrangement, ARRANGEMENTS, 0,
        "orientation of rows with a contact angle: all in the same direction, or in two groups"),
    HK_ENUM(rolling_bearing, thrust, THRUSTS, 0,
            "direction of the forces on b that `tandem` rows support: +z or -z"),
    HK_INT(rolling_bearing, forward_rows, 0,
           "rows that support forces on b along +z, if there are two groups; 0: half of the rows",
           HK_RANGE(0, HK_BEARING_MAX_ROWS)),
    HK_REAL(rolling_bearing, row_distance, "m", 0, "distance between neighbouring rows, along z",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, preload, "N", 0,
            "axial force of each group of rows if the frames coincide", HK_MIN(0)),
    HK_REAL(rolling_bearing, preload_displacement, "m", 0,
            "axial preload displacement of each row, instead of preload", HK_RANGE(-1, 1)),
    HK_REAL(rolling_bearing, roller_length, "m", 0, "length of a roller in contact with the races",
            HK_MIN(0)),
    HK_INT(rolling_bearing, slices, 0, "number of slices of a roller",
           HK_RANGE(1, HK_ROLLER_MAX_SLICES)),
    HK_ENUM(rolling_bearing, profile, PROFILES, 0, "profile of the rollers along their length"),
    HK_REAL(rolling_bearing, taper, "rad", 0, "half of the cone angle of a tapered roller",
            HK_RANGE(0, 0.5)),
    HK_REAL(rolling_bearing, rib_height, "m", 0,
            "height of the rib contact over the inner race; default: 0.15 roller diameters",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, shoulder_inner, "m", 0, "height of the inner shoulder over its groove",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, shoulder_outer, "m", 0, "height of the outer shoulder over its groove",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, youngs_modulus, "Pa", HK_POSITIVE, "Young's modulus of the rings"),
    HK_REAL(rolling_bearing, poisson_ratio, NULL, 0, "Poisson's ratio of the rings",
            HK_RANGE(0, 0.49)),
    HK_REAL(rolling_bearing, element_youngs_modulus, "Pa", HK_POSITIVE,
            "Young's modulus of the elements; default: as the rings"),
    HK_REAL(rolling_bearing, element_poisson_ratio, NULL, 0,
            "Poisson's ratio of the elements; default: as the rings", HK_RANGE(0, 0.49)),
    HK_REAL(rolling_bearing, density, "kg/m^3", HK_POSITIVE,
            "density of the elements and of the inner ring"),
    HK_REAL(rolling_bearing, bore, "m", 0,
            "bore diameter of the inner ring, for fits and centrifugal growth", HK_MIN(0)),
    HK_REAL(rolling_bearing, outside, "m", 0, "outside diameter of the outer ring, for fits",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, shaft_bore, "m", 0, "inner diameter of a hollow shaft", HK_MIN(0)),
    HK_REAL(rolling_bearing, housing_outside, "m", 0,
            "outside diameter of the housing; 0: very thick", HK_MIN(0)),
    HK_REAL(rolling_bearing, interference_shaft, "m", 0,
            "diametral interference between inner ring and shaft", HK_RANGE(0, 1)),
    HK_REAL(rolling_bearing, interference_housing, "m", 0,
            "diametral interference between outer ring and housing", HK_RANGE(0, 1)),
    HK_REAL(rolling_bearing, temperature_difference, "K", 0,
            "temperature of inner ring and elements minus that of the outer ring; steel",
            HK_RANGE(-1000, 1000)),
    HK_REAL(rolling_bearing, friction, NULL, 0,
            "coefficient of rolling friction: moment divided by half the pitch diameter and by the "
            "sum of all loads",
            HK_RANGE(0, 1)),
    HK_REAL(rolling_bearing, spin_friction, NULL, 0,
            "coefficient of friction for drilling (spinning) of balls on the inner race",
            HK_RANGE(0, 1)),
    HK_REAL(rolling_bearing, viscous_factor, NULL, 0, "f0 of Palmgren's viscous moment", HK_MIN(0)),
    HK_REAL(rolling_bearing, viscosity, "Pa s", 0, "dynamic viscosity of the oil", HK_MIN(0)),
    HK_REAL(rolling_bearing, pressure_viscosity, "1/Pa", 0,
            "pressure-viscosity coefficient of the oil", HK_MIN(0)),
    HK_REAL(rolling_bearing, roughness, "m", 0, "combined r.m.s. roughness of race and element",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, damping, "N s/m", 0,
            "damping of the films of one loaded element, along its contacts", HK_MIN(0)),
    HK_REAL(rolling_bearing, damping_depth, "m", HK_POSITIVE,
            "contact deflection at which that damping is fully effective"),
    HK_PARAM_AS("size_error", HK_PARAM_REALS, rolling_bearing, size_error, "m",
                HK_UP_TO | HK_COUNTED,
                "deviation of the diameter of each element from nominal, row by row",
                .count = HK_BEARING_MAX_SIZES, .each = "element"),
    WAVES(waviness_inner,
          "material removed from the inner race: amplitudes of the orders 1, 2, ..."),
    WAVES(waviness_outer,
          "material removed from the outer race: amplitudes of the orders 1, 2, ..."),
    PHASES(waviness_inner_phase, "angles of b at which these waves have their maximum"),
    PHASES(waviness_outer_phase, "angles of a at which these waves have their maximum"),
    HK_REAL(rolling_bearing, spall_inner, "m", 0, "depth of a spall on the inner race", HK_MIN(0)),
    HK_REAL(rolling_bearing, spall_outer, "m", 0, "depth of a spall on the outer race", HK_MIN(0)),
    HK_REAL(rolling_bearing, spall_element, "m", 0, "depth of a spall on one element", HK_MIN(0)),
    HK_REAL(rolling_bearing, spall_inner_at, "rad", 0,
            "angle of the inner spall from the x axis of b"),
    HK_REAL(rolling_bearing, spall_outer_at, "rad", 0,
            "angle of the outer spall from the x axis of a"),
    HK_REAL(rolling_bearing, spall_width, "rad", 0, "angular width of the spalls", HK_RANGE(0, 3)),
    HK_INT(rolling_bearing, spalled_element, 0, "index of the element with a spall",
           HK_RANGE(0, HK_BEARING_MAX_ELEMENTS - 1)),
    HK_REAL(rolling_bearing, rating, "N", 0, "basic dynamic load rating of one row, for life",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, fatigue_load, "N", 0, "fatigue load limit, for the modified life",
            HK_MIN(0)),
    HK_REAL(rolling_bearing, contamination, NULL, 0, "e_C of ISO 281", HK_RANGE(0, 1)),
    HK_VEC3(rolling_bearing, load, "N", 0, "force on b, in the axes of a, for `hooke bearing`"),
    HK_VEC3(rolling_bearing, moment, "N m", 0,
            "moment on b, in the axes of a, for `hooke bearing`"),
    HK_REAL(rolling_bearing, speed, "rad/s", 0,
            "angular velocity of b relative to a, for `hooke bearing`"),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const rolling_bearing *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->moment_a = b->moment_b = true;
  return HK_OK;
}

/* Beyond these limits the kinematics of the rings is not valid. */
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
    return hk_fail(err, HK_EINPUT,
                   "a and b are %.6g mm apart; both must be at the middle of the bearing within "
                   "half an element diameter (%.4g mm)",
                   1e3 * off, 500 * p->element_diameter);
  return HK_OK;
}

/* ---- internal variables ---- */

/* Rotation of the cage per rotation of b, from the rolling of the elements: mean of the elements
 * that have an orbit speed. */
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
    {"cage_speed", "rad/s", "angular velocity of the cage relative to a", HK_SHOW_DETAIL},
    {"truncation", "1",
     "largest part of a contact ellipse beyond the shoulder, as a fraction of its semi-axis; 0: "
     "none, or no shoulder is given",
     HK_SHOW_DETAIL},
    {"element[i].load_inner", "N", "load of one element on the inner race", HK_SHOW_DETAIL},
    {"element[i].load_outer", "N", "load of one element on the outer race", HK_SHOW_DETAIL},
    {"element[i].angle_inner", "rad", "contact angle on the inner race", HK_SHOW_DETAIL},
    {"element[i].angle_outer", "rad", "contact angle on the outer race", HK_SHOW_DETAIL},
    {"element[i].pressure_inner", "Pa", "maximum Hertzian pressure on the inner race",
     HK_SHOW_DETAIL},
    {"element[i].pressure_outer", "Pa", "maximum Hertzian pressure on the outer race",
     HK_SHOW_DETAIL},
    {"element[i].min_film_thickness", "m", "smaller of the film thicknesses on both races", HK_SHOW_DETAIL},
    {"element[i].gyro_moment", "N m", "gyroscopic moment resisted by friction", HK_SHOW_DETAIL},
};
enum { PER_ELEMENT = 8, PLAIN = sizeof channels / sizeof *channels - PER_ELEMENT };

/* Number of elements with channels: the first ones, up to the maximum number of channels. */
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
  hk_bearing smooth = *p; /* for the moment without friction */
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

/* At the pitch circle; tanh(2.65) = 0.99. */
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
                                 .accept = accept,
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
