/* Bearings in motion, compared with an independent program: variable compliance, a rotor in
 * clearance, balls that slide and spin (fidelity: full). */
#include "ball_balance.h"
#include "bearing_cases.h"

/* ---- variable compliance ---- */

/* Quasi-static: the cage moves through one pitch. */
static void variable_compliance(void **state) {
  static const struct {
    double W, x_max, x_min, x_pp, y_pp, torque;
  } row[] = {{60, 8.83762e-06, 8.644758e-06, 1.928621e-07, 9.981389e-07, 2.994417e-05},
             {500, 1.538915e-05, 1.52015e-05, 1.876526e-07, 6.548012e-07, 0.0001637003}};
  enum { POINTS = 720 };
  hk_bearing_design d = design(DESIGN_6206);
  hk_bearing p = make(&d);
  for (int n = 0; n < 2; n++) {
    double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY}, torque = 0, sum = 0;
    for (int i = 0; i < POINTS; i++) {
      hk_bearing_task t = {.load = {row[n].W},
                           .free = {1, 1},
                           .speed.cage = NAN,
                           .linear = true,
                           .cage = 2 * M_PI / 9 * i / POINTS};
      hk_bearing_balance b;
      solve("V0", &p, &t, &b, NULL);
      x[0] = fmin(x[0], b.q[0]), x[1] = fmax(x[1], b.q[0]);
      y[0] = fmin(y[0], b.q[1]), y[1] = fmax(y[1], b.q[1]);
      /* dV/dcage at a fixed position of the ring: its moment about the axis, with the cage at
       * rest. */
      double moment = b.q[0] * b.F[1] - b.q[1] * b.F[0];
      torque = fmax(torque, fabs(moment));
      sum += moment / POINTS;
    }
    near_to("V0", "largest x", x[1], row[n].x_max, 1e-5, 0);
    near_to("V0", "smallest x", x[0], row[n].x_min, 1e-5, 0);
    near_to("V0", "x peak to peak", x[1] - x[0], row[n].x_pp, 1e-5, 0);
    near_to("V0", "y peak to peak", y[1] - y[0], row[n].y_pp, 1e-5, 0);
    near_to("V0", "torque on the cage", torque, row[n].torque, 1e-4, 0);
    vf_bound(TABLE, "V0", "its mean over a pitch", fabs(sum), 1e-10, SOURCE);
  }
}

typedef struct rotor {
  const hk_bearing *p;
  double w_cage;
} rotor;

static void accelerate(const rotor *r, double t, const double q[4], double out[4]) {
  double cage = r->w_cage * t, c = cos(cage), s = sin(cage);
  hk_bearing_place at = {.u = hk_v3(c * q[0] + s * q[1], c * q[1] - s * q[0], 0),
                         .Q = hk_mat3_identity(),
                         .speed.cage = NAN,
                         .linear = true};
  hk_bearing_action a;
  const double M = 6, damping = 200, W = 60;
  assert_null(hk_bearing_act(r->p, &at, false, &a, NULL));
  out[0] = q[2], out[1] = q[3];
  out[2] = (W + c * a.Q[0] - s * a.Q[1] - damping * q[2]) / M;
  out[3] = (s * a.Q[0] + c * a.Q[1] - damping * q[3]) / M;
}

static void march(const rotor *r, double t, double h, double q[4]) {
  static const double AT[4] = {0, 0.5, 0.5, 1}, WEIGHT[4] = {1, 2, 2, 1};
  double k[4] = {0}, next[4] = {q[0], q[1], q[2], q[3]};
  for (int stage = 0; stage < 4; stage++) {
    double y[4];
    for (int i = 0; i < 4; i++) y[i] = q[i] + AT[stage] * h * k[i];
    accelerate(r, t + AT[stage] * h, y, k);
    for (int i = 0; i < 4; i++) next[i] += h / 6 * WEIGHT[stage] * k[i];
  }
  memcpy(q, next, sizeof next);
}

/* A rigid rotor of 6 kg, 60 N: period 1, period 2, chaos or quasi-periodic motion, depending on the
 * speed. */
static void rotor_in_clearance(void **state) {
  static const struct {
    const char *id;
    double rpm, x_mean, x_pp, y_pp, band;
    int period; /* 0: none */
  } row[] = {{"V1", 2400, 8.7529e-06, 3.8494e-07, 1.89946e-06, 1e-3, 1},
             {"V2", 4500, 8.72443e-06, 3.4447e-07, 5.3381e-07, 1e-3, 1},
             {"V3", 8000, 8.72917e-06, 5.8811e-07, 1.1149e-07, 1e-3, 1},
             {"V4", 5800, 8.61229e-06, 6.8079e-07, 3.93314e-06, 2e-3, 2},
             {"V5", 6500, 8.64009e-06, 2.66734e-06, 5.84839e-06, 0.15, 0},
             {"V6", 9400, 8.69341e-06, 1.32749e-06, 2.22554e-06, 0.05, 0}};
  enum { STEPS = 800 }; /* per passage of a ball */
  hk_bearing_design d = design(DESIGN_6206);
  hk_bearing p = make(&d);
  for (int n = 0; n < 6; n++) {
    rotor r = {&p, p.kappa * row[n].rpm * M_PI / 30};
    double pass = 2 * M_PI / 9 / r.w_cage, h = pass / STEPS, q[4] = {9e-6, 0.1e-6};
    double x[2] = {INFINITY, -INFINITY}, y[2] = {INFINITY, -INFINITY}, mean = 0, back[2] = {0},
           kept[3] = {0};
    const int skip = (int)ceil(1.2 / pass), look = row[n].period ? 40 : 400;
    for (int k = 0; k < skip + look; k++) {
      if (k >= skip) { /* distance from the position one and two ball passages earlier */
        if (k >= skip + 2)
          back[0] = fmax(back[0], fabs(q[1] - kept[1])),
          back[1] = fmax(back[1], fabs(q[1] - kept[0]));
        kept[0] = kept[1], kept[1] = q[1];
      }
      for (int i = 0; i < STEPS; i++) {
        march(&r, k * pass + i * h, h, q);
        if (k < skip) continue;
        x[0] = fmin(x[0], q[0]), x[1] = fmax(x[1], q[0]);
        y[0] = fmin(y[0], q[1]), y[1] = fmax(y[1], q[1]);
        mean += q[0] / ((double)look * STEPS);
      }
    }
    near_to(row[n].id, "mean of x", mean, row[n].x_mean, row[n].period ? 1e-5 : 5e-3, 0);
    near_to(row[n].id, "x peak to peak", x[1] - x[0], row[n].x_pp, row[n].band, 0);
    near_to(row[n].id, "y peak to peak", y[1] - y[0], row[n].y_pp, row[n].band, 0);
    const double size = y[1] - y[0];
    int period = back[0] < 1e-4 * size ? 1 : back[1] < 1e-4 * size ? 2 : 0;
    vf_check(TABLE, row[n].id, "period in passages of a ball; 0: more than two", period,
             row[n].period, 0, SOURCE);
  }
}

/* ---- fidelity: full ---- */

/* Friction on ball 0 in the plane through the axis: the part of the force of a race that is perpendicular to its normal. */
static double friction_along(vf_case *c, bool outer) {
  const double x = vf_value(c, "front.ball[0].x"), y = vf_value(c, "front.ball[0].y");
  const double angle = vf_value(c, outer ? "front.angle_outer[0]" : "front.angle_inner[0]");
  const double fx = vf_value(c, outer ? "front.outer[0].fx" : "front.inner[0].fx"),
               fy = vf_value(c, outer ? "front.outer[0].fy" : "front.inner[0].fy"),
               fz = vf_value(c, outer ? "front.outer[0].fz" : "front.inner[0].fz");
  return fabs((x * fx + y * fy) / hypot(x, y) * sin(angle) - fz * cos(angle));
}

typedef struct thrust_case {
  const char *id;
  double rpm, mu, angle_i, angle_o, Q_i, Q_o, ratio, pitch, z, along_o, along_i;
} thrust_case;
static const thrust_case thrust_cases[] = {
    {"A7", 6000, 0.06, 44.17259, 39.11173, 1988.672, 2144.309, 0.4364876, 35.27459, 3.953505e-5,
     48.87209, 6.795635},
    {"A8", 10000, 0.06, 47.94132, 34.59517, 1841.684, 2281.906, 0.4430757, 32.76213, 3.013247e-5,
     115.4266, 34.70692},
    {"A9", 10000, 0.1, 48.59638, 33.74496, 1849.937, 2301.297, 0.4480365, 29.35791, 2.772029e-5,
     135.0072, 4.60269}};
enum { THRUST_CASES = sizeof thrust_cases / sizeof *thrust_cases };
static const char reference_balance[] = "independent program, balance of one ball";

/* Balance near the state of the reference, whose ball rolls on the outer race. */
static ball_result balance_of(const thrust_case *c, const hk_bearing *p, bool nominal) {
  const double w = c->rpm * M_PI / 30, wm = c->ratio * w, ao = c->angle_o * M_PI / 180,
               pitch = c->pitch * M_PI / 180, l = p->ball.l_o + pow(c->Q_o / p->ball.K_o, 2.0 / 3),
               roll = wm * (p->ball.dm / p->ball.D + cos(ao)) / cos(pitch - ao);
  const ball_task task = {p, 22250.0 / 16, w, c->mu, 0.02, nominal};
  const ball_state near = {
      {l * cos(ao), l * sin(ao)}, c->z, wm, {roll * sin(pitch), 0, wm - roll * cos(pitch)}};
  return ball_balance(&task, &near);
}

static void judge(const thrust_case *c, const char *route, const ball_result *b, double orbit,
                  const char *source) {
  const double DEG = 180 / M_PI;
  const struct {
    const char *what;
    double ours, wanted, limit;
  } row[] = {{"inner contact angle", DEG * b->angle[0], c->angle_i, 0.05},
             {"outer contact angle", DEG * b->angle[1], c->angle_o, 0.05},
             {"inner load", b->load[0], c->Q_i, 1e-3 * c->Q_i},
             {"outer load", b->load[1], c->Q_o, 1e-3 * c->Q_o},
             {"orbit over speed", b->at.orbit / (c->rpm * M_PI / 30), orbit, 1e-4 * c->ratio},
             {"pitch of the ball's axis", DEG * b->pitch, c->pitch, 0.3},
             {"friction along the outer ellipse", b->along[1], c->along_o, 0.02 * c->along_o},
             {"friction along the inner ellipse", b->along[0], c->along_i, 0.02 * c->along_i}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char what[80];
    snprintf(what, sizeof what, "%s%s", route, row[i].what);
    vf_check(TABLE, c->id, what, row[i].ours, row[i].wanted, row[i].limit,
             strstr(row[i].what, "orbit") ? source : reference_balance);
  }
}

/* A bearing under thrust at speed, balls and cage as bodies, friction integrated over the contact ellipses: contact angles and
 * the pitch of the balls' axes are results.  Four of the sixteen balls under a quarter of the load.  The reference has balls on
 * the pitch circle and contacts at half a diameter; the balance of ball_balance.h with these radii meets it, and with the actual
 * radii its orbit is the one to which the simulation is compared. */
static void traction_over_ellipses(void **state) {
  (void)state;
  const hk_bearing_design d = design(DESIGN_218);
  const hk_bearing p = make(&d);
  for (int n = 0; n < THRUST_CASES; n++) {
    const thrust_case *row = &thrust_cases[n];
    const ball_result nominal = balance_of(row, &p, true), actual = balance_of(row, &p, false);
    judge(row, "balance, nominal radii: ", &nominal, row->ratio, reference_balance);
    vf_case c;
    vf_text(&c,
            "bodies:\n"
            "  rotor: {mass: 2 kg, inertia: [0.05 kg*m^2, 0.05 kg*m^2, 0.05 kg*m^2],\n"
            "          angular_velocity: [0, 0, %g rpm], position: [0, 0, %g m]}\n"
            "joints:\n"
            "  slide: {type: cylindrical, a: ground, b: rotor}\n"
            "  front: {type: ball_bearing, fidelity: full, kind: angular_contact, a: ground, b: "
            "rotor,\n"
            "          balls: 4, ball_diameter: 22.23 mm, pitch_diameter: 125.26 mm,\n"
            "          conformity_inner: 0.5232, conformity_outer: 0.5232, contact_angle: 40 deg,\n"
            "          traction: %g, traction_velocity: 0.02 m/s, traction_form: integrated,\n"
            "          damping: 3000 N*s/m, cage_friction: 0, cage_mass: 0.05 kg,\n"
            "          pocket_clearance: 0.5 mm}\n"
            "forces: {thrust: {type: load, b: rotor, force: [0 N, 0 N, 5562.5 N]}}\n"
            "motions: {turn: {coordinate: slide.angle, value: %g rpm * t}}\n"
            "analysis: {duration: 80 ms}\n",
            row->rpm, row->z, row->mu, row->rpm);
    vf_start(&c, NULL);
    vf_advance(&c, 80e-3);
    const double x = vf_value(&c, "front.ball[0].x"), y = vf_value(&c, "front.ball[0].y"),
                 r = hypot(x, y), wx = vf_value(&c, "front.ball[0].wx"),
                 wy = vf_value(&c, "front.ball[0].wy"), vx = vf_value(&c, "front.ball[0].vx"),
                 vy = vf_value(&c, "front.ball[0].vy"), orbit = (x * vy - y * vx) / (r * r);
    const ball_result full = {
        .at.orbit = orbit,
        .angle = {vf_value(&c, "front.angle_inner[0]"), vf_value(&c, "front.angle_outer[0]")},
        .load = {vf_value(&c, "front.inner[0].normal_force"),
                 vf_value(&c, "front.outer[0].normal_force")},
        .pitch = atan2((x * wx + y * wy) / r, orbit - vf_value(&c, "front.ball[0].wz")),
        .along = {friction_along(&c, false), friction_along(&c, true)}};
    judge(row, "", &full, actual.at.orbit / (row->rpm * M_PI / 30), "balance, actual radii");
    vf_close(&c);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(variable_compliance),
                                     cmocka_unit_test(rotor_in_clearance),
                                     cmocka_unit_test(traction_over_ellipses)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
