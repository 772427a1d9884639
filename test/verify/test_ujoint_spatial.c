/* The universal joint with clearance at its two fidelities: the composite of rotors against the
 * same model written out, the joint in space against the reduced one in cases in which they must
 * agree, and limiting cases: zero clearance, zero articulation angle, small clearance, free
 * motion. */
#include "verify/verify.h"
#include <hooke/run.h>

static const char TABLE[] = "ujoint_spatial";

/* ---- the paper's shafts at both fidelities ---- */

typedef struct setup {
  const char *fidelity; /* parameters of the joint that only this fidelity has */
  const char *output;   /* the output shaft's orientation */
  const char *phi;      /* channel of the cross's angle */
  double C_um, beta_deg, mu, dt, periods;
} setup;

static const setup REDUCED = {.fidelity = "fidelity: reduced, bend: beta",
                              .output = "",
                              .phi = "joint.cross.angle",
                              .beta_deg = 5,
                              .dt = 1e-5,
                              .periods = 3};
static const setup SPATIAL = {
    .fidelity = "fidelity: spatial, bores: round, cross_mass: 1 kg, length: 0.02 m, fitted_mu: 0",
    .output = ", orientation: {axis: y, angle: beta}",
    .phi = "phi1c",
    .beta_deg = 5,
    .dt = 1e-5,
    .periods = 3};

/* The pins have no clearance along the shaft: the assumption of the reduced joint. */
static setup slotted(void) {
  setup s = SPATIAL;
  s.fidelity = "fidelity: spatial, bores: slotted, cross_mass: 1 kg, length: 0.02 m, fitted_mu: 0";
  return s;
}

static const char PAPER[] =
    "format: 1\n"
    "parameters:\n"
    "  C: %.17g um\n"
    "  beta: %.17g deg\n"
    "  mu: %.17g\n"
    "  dt: %.17g s\n"
    "  period: 2*pi*(1 rad)/(100 rad/s)\n"
    "  settle: %g*period\n"
    "  L: 0.04 m\n"
    "  T0: 1 N*m\n"
    "  Omega: 100 rad/s\n"
    "bodies:\n"
    "  input: {type: rotor, inertia: 0.014 kg*m^2}\n"
    "  output: {type: rotor, inertia: 0.012 kg*m^2%s}\n"
    "joints:\n"
    "  joint: {type: universal_clearance_joint, a: input, b: output, %s, clearance_a: C, arm: L,\n"
    "          pin_radius: 0.02 m, law: steel, cross_inertia: [0.00202 kg*m^2, 0.00111 kg*m^2,\n"
    "          0.00111 kg*m^2]}\n"
    "forces:\n"
    "  drive: {type: actuator, coordinate: input.angle, force: T0*sin(Omega*t)}\n"
    "  shaft: {type: torsion_spring, coordinate: output.angle, stiffness: 1000 N*m/rad,\n"
    "          damping: 5 N*m*s/rad}\n"
    "laws:\n"
    "  steel: {type: signorini, mu: mu, restitution_normal: 0.45, restitution_tangential: 0.45,\n"
    "          count_above: 4e-4 m/s}\n"
    "sensors:\n"
    "  phi1c: {type: angle, b: joint.cross}\n"
    "measures:\n"
    "  phi1c_rms: {of: %s, take: rms, from: settle}\n"
    "  phi1c_max: {of: %s, take: max_abs, from: settle}\n"
    "  delta_max: {of: joint.delta_a, take: max_abs, from: settle}\n"
    "  ddelta_rms: {of: joint.delta_a_rate, take: rms, from: settle}\n"
    "  ddelta_max: {of: joint.delta_a_rate, take: max_abs, from: settle}\n"
    "  pn_max: {of: joint.impulse_a, take: max, from: settle}\n"
    "  contact_fraction: {of: joint.closed_a, take: mean, from: settle}\n"
    "  energy_error: {of: energy.balance_error, take: change, from: settle}\n"
    "  dissipated: {of: energy.dissipated, take: change, from: settle}\n"
    "analysis: {duration: settle + %g*period, step: dt, stepper: moreau, output_step: "
    "period/200}\n";

enum { PHI_RMS, PHI_MAX, DELTA_MAX, DDELTA_RMS, DDELTA_MAX, PN_MAX, CLOSED, ENERGY, LOST, N_SHOWN };
static const char *const NAME[] = {"phi1c_rms",        "phi1c_max",    "delta_max",
                                   "ddelta_rms",       "ddelta_max",   "pn_max",
                                   "contact_fraction", "energy_error", "dissipated"};

typedef struct outcome {
  double x[N_SHOWN];
} outcome;

static double measured(const hk_run_report *r, const char *name) {
  for (int i = 0; i < r->n_measures; i++)
    if (strcmp(r->measure[i].name, name) == 0) return r->measure[i].value;
  fail_msg("no measure '%s'", name);
  return NAN;
}

static outcome run_setup(const setup *s, double settle) {
  char text[6000];
  outcome o;
  vf_case c = {0};
  hk_run_report report;
  int n = snprintf(text, sizeof text, PAPER, s->C_um, s->beta_deg, s->mu, s->dt, settle, s->output,
                   s->fidelity, s->phi, s->phi, s->periods);
  assert_true(n > 0 && n < (int)sizeof text);
  hk_diag_init(&c.diag);
  hk_spec *spec = hk_model_text_read("model", text, (size_t)n, NULL, 0, &c.diag);
  vf_compile(&c, spec);
  if (hk_run(c.model, NULL, &report, &c.diag)) fail_msg("%s", report.error.text);
  for (int i = 0; i < N_SHOWN; i++) o.x[i] = measured(&report, NAME[i]);
  hk_run_report_free(&report);
  vf_close(&c);
  return o;
}

static setup with(setup s, double C_um, double mu) {
  s.C_um = C_um, s.mu = mu;
  return s;
}

static void compare(const char *text, const outcome *ours, const outcome *reference, int first,
                    int last, double tolerance, const char *source) {
  for (int i = first; i <= last; i++)
    vf_check(TABLE, text, NAME[i], ours->x[i], reference->x[i], tolerance * fabs(reference->x[i]),
             source);
}

/* ---- where both fidelities are the same ---- */

static void the_composite_is_the_model_written_out(void **state) {
  (void)state;
  static const double C[] = {0, 0.05, 50};
  for (int i = 0; i < 3; i++) {
    char text[60], um[40];
    setup s = with(REDUCED, C[i], 0.8);
    outcome ours = run_setup(&s, 4), written;
    vf_case c;
    hk_run_report r;
    snprintf(um, sizeof um, "%g um", C[i]);
    const hk_override set[] = {
        {"parameters.C", um}, {"parameters.settle", "4"}, {"parameters.periods", "3"}};
    vf_file(&c, "examples/ujoint_clearance/paper.yaml", set, 3);
    if (hk_run(c.model, NULL, &r, &c.diag)) fail_msg("%s", r.error.text);
    for (int k = 0; k < N_SHOWN; k++) written.x[k] = k == LOST ? NAN : measured(&r, NAME[k]);
    hk_run_report_free(&r);
    vf_close(&c);
    snprintf(text, sizeof text, "reduced, C = %s", um);
    compare(text, &ours, &written, PHI_RMS, PHI_MAX, 1e-8, "paper.yaml");
    compare(text, &ours, &written, PN_MAX, PN_MAX, 1e-6, "paper.yaml");
    if (C[i] > 0) compare(text, &ours, &written, DELTA_MAX, DDELTA_MAX, 1e-7, "paper.yaml");
  }
}

/* A straight joint does not tilt its cross: with round bores it equals the reduced joint at any
 * clearance. */
static void without_bend(void **state) {
  (void)state;
  setup r = with(REDUCED, 50, 0.8), s = with(SPATIAL, 50, 0.8);
  r.beta_deg = s.beta_deg = 0;
  outcome reduced = run_setup(&r, 4), spatial = run_setup(&s, 4);
  compare("articulation angle 0, C = 50 um", &spatial, &reduced, PHI_RMS, PN_MAX, 1e-6, "reduced");
}

/* With the tilt held, friction and impacts of both are the same at any clearance and articulation
 * angle. */
static void slotted_bores(void **state) {
  (void)state;
  static const double C[] = {0.05, 10, 50, 50}, mu[] = {0.8, 0.8, 0, 0.8}, bend[] = {5, 5, 5, 30};
  for (int i = 0; i < 4; i++) {
    char text[120];
    setup r = with(REDUCED, C[i], mu[i]), s = with(slotted(), C[i], mu[i]);
    r.beta_deg = s.beta_deg = bend[i];
    outcome reduced = run_setup(&r, 4), spatial = run_setup(&s, 4);
    snprintf(text, sizeof text, "slotted, C = %g um, mu = %g, articulation angle %g deg", C[i],
             mu[i], bend[i]);
    compare(text, &spatial, &reduced, PHI_RMS, PN_MAX, 1e-5, "reduced");
    vf_check(TABLE, text, "contact_fraction", spatial.x[CLOSED], reduced.x[CLOSED], 1e-3,
             "reduced");
  }
}

/* ---- where they differ: pins roll in round bores, and slide at the friction angle ---- */

/* A pin that slides in a round bore has climbed it by atan(mu); the moment of its friction is then
 * R F mu/sqrt(1 + mu^2) under the load F, not mu R F.  Before that it rolls through C atan(mu),
 * which vanishes as C tends to zero. */
static void small_play(void **state) {
  (void)state;
  static const double C[] = {0.2, 0.05, 0.0125}, rms[] = {8e-3, 5e-3, 3e-3},
                      max[] = {3e-3, 1.5e-3, 1e-3};
  double off[3];
  for (int i = 0; i < 3; i++) {
    char text[60];
    setup r = with(REDUCED, C[i], 0.8 / sqrt(1.64)), s = with(SPATIAL, C[i], 0.8);
    s.dt = r.dt = 5e-6;
    outcome reduced = run_setup(&r, 4), spatial = run_setup(&s, 4);
    snprintf(text, sizeof text, "round, C = %g um, mu = 0.8", C[i]);
    compare(text, &spatial, &reduced, PHI_RMS, PHI_RMS, rms[i], "reduced, mu/sqrt(1 + mu^2)");
    compare(text, &spatial, &reduced, PHI_MAX, PHI_MAX, max[i], "reduced, mu/sqrt(1 + mu^2)");
    off[i] = fabs(spatial.x[PHI_RMS] / reduced.x[PHI_RMS] - 1);
  }
  assert_true(off[1] < 0.8 * off[0] && off[2] < 0.8 * off[1]);
  setup r = with(REDUCED, 0.05, 0), s = with(SPATIAL, 0.05, 0);
  outcome reduced = run_setup(&r, 4), spatial = run_setup(&s, 4);
  const char text[] = "round, C = 0.05 um, mu = 0";
  compare(text, &spatial, &reduced, PHI_RMS, PHI_MAX, 5e-4, "reduced");
  compare(text, &spatial, &reduced, DDELTA_MAX, DDELTA_MAX, 1e-2, "reduced");
}

/* At 50 um a pin rolls 2 um back and forth and never slides: friction dissipates nothing.  The
 * remaining difference from the reduced joint without friction is that the pin touches away from
 * the middle. */
static void large_play_rolls(void **state) {
  (void)state;
  setup none = with(REDUCED, 50, 0), r = with(REDUCED, 50, 0.8), s = with(SPATIAL, 50, 0.8);
  outcome free_of = run_setup(&none, 4), reduced = run_setup(&r, 4), spatial = run_setup(&s, 4);
  const char text[] = "round, C = 50 um, mu = 0.8";
  compare(text, &spatial, &free_of, PHI_RMS, PHI_MAX, 1e-2, "reduced, mu = 0");
  compare(text, &spatial, &free_of, DDELTA_RMS, DDELTA_MAX, 2e-2, "reduced, mu = 0");
  vf_note(TABLE, text, "phi1c_rms over reduced, same mu", spatial.x[PHI_RMS] / reduced.x[PHI_RMS],
          "");
  assert_true(spatial.x[PHI_RMS] > 1.02 * reduced.x[PHI_RMS]);
}

/* ---- no play ---- */

/* Statically determinate bearings: the pin loads of the joint then follow from statics. */
static const char FITTED[] =
    "parameters: {beta: %g deg, mu: %g, T0: 1 N*m, span: 0.3 m, Omega: 100 rad/s, settle: %g s}\n"
    "bodies:\n"
    "  ground: {markers: {far: {at: [span * sin(beta), 0, span * cos(beta)], orientation: {axis: "
    "y, "
    "angle: beta}}}}\n"
    "  input: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.014 kg*m^2]}\n"
    "  output: {mass: 1 kg, inertia: [0.01 kg*m^2, 0.01 kg*m^2, 0.012 kg*m^2], orientation: {axis: "
    "y, angle: beta}, markers: {far: [0, 0, span]}}\n"
    "joints:\n"
    "  bearing: {type: revolute, b: input}\n"
    "  far: {type: trunnion, a: ground.far, b: output.far}\n"
    "  joint: {%s}\n"
    "forces:\n"
    "  drive: {type: actuator, coordinate: bearing.angle, force: %s}\n"
    "  shaft: {type: torsion_spring, coordinate: far.angle, stiffness: %s, damping: 5 N*m*s/rad}\n"
    "laws: {steel: {type: signorini, mu: mu, restitution_normal: 0.45, restitution_tangential: "
    "0.45}}\n"
    "measures:\n"
    "  phi_rms: {of: bearing.angle, take: rms, from: settle}\n"
    "  phi_max: {of: bearing.angle, take: max_abs, from: settle}\n"
    "  energy_error: {of: energy.balance_error, take: max_abs}\n"
    "analysis: {duration: settle + 4*pi*(1 rad)/Omega, step: %g s, stepper: %s}\n";

static void run_fitted(double mu, const char *stepper, double h, hk_run_report *r, vf_case *c) {
  const char joint[] =
      "type: universal_clearance_joint, a: input, b: output, fidelity: spatial, cross_mass: 1 kg, "
      "friction_velocity: 1e-6 m/s, arm: 0.04 m, pin_radius: 0.02 m, law: steel, cross_inertia: "
      "[0.00202 kg*m^2, 0.00111 kg*m^2, 0.00111 kg*m^2]";
  vf_text(c, FITTED, 5.0, mu, 0.3, joint, "T0*sin(Omega*t)", "1000 N*m/rad", h, stepper);
  if (hk_run(c->model, NULL, r, &c->diag)) fail_msg("%s", r->error.text);
}

static void fitted_with_friction(void **state) {
  (void)state;
  static const char *const stepper[] = {"moreau", "generalized_alpha"};
  for (int i = 0; i < 2; i++) {
    vf_case c;
    hk_run_report r;
    char text[60];
    snprintf(text, sizeof text, "no clearance, mu = 0.8, %s", stepper[i]);
    run_fitted(0.8, stepper[i], 1e-5, &r, &c);
    assert_false(vf_said(&c.diag, "redundant"));
    vf_check(TABLE, text, "phi1c_rms", measured(&r, "phi_rms"), 7.73184e-4, 5e-5 * 7.73184e-4,
             "event driven, reduced");
    vf_check(TABLE, text, "phi1c_max", measured(&r, "phi_max"), 1.083352e-3, 5e-5 * 1.083352e-3,
             "event driven, reduced");
    hk_run_report_free(&r);
    vf_close(&c);
  }
  vf_case c;
  hk_run_report r;
  run_fitted(0, "moreau", 1e-5, &r, &c);
  vf_check(TABLE, "no clearance, mu = 0", "phi1c_max", measured(&r, "phi_max"), 1.1217036e-3, 1e-8,
           "closed form");
  hk_run_report_free(&r);
  vf_close(&c);
}

/* With a cross of negligible mass it equals the ideal joint, including whole revolutions and a
 * large articulation angle. */
static void fitted_is_the_ideal_joint(void **state) {
  (void)state;
  const char *joint[] = {
      "type: universal, a: input, b: output",
      "type: universal_clearance_joint, a: input, b: output, fidelity: spatial, cross_mass: 1e-6 "
      "kg, arm: 0.04 m, pin_radius: 0.02 m, cross_inertia: [1e-9 kg*m^2, 1e-9 kg*m^2, 1e-9 "
      "kg*m^2]"};
  double out[2][2];
  for (int i = 0; i < 2; i++) {
    vf_case c;
    vf_text(&c, FITTED, 30.0, 0.0, 0.3, joint[i], "400 * T0", "0 N*m/rad", 1e-4,
            "generalized_alpha");
    vf_start(&c, NULL);
    vf_advance(&c, 0.3);
    out[i][0] = vf_value(&c, "bearing.angle"), out[i][1] = vf_value(&c, "far.angle");
    vf_close(&c);
  }
  assert_true(out[0][0] > 2 * M_PI);
  const char text[] = "no clearance, articulation angle 30 deg, massless cross";
  vf_check(TABLE, text, "input angle", out[1][0], out[0][0], 1e-6 * out[0][0], "universal");
  vf_check(TABLE, text, "output angle", out[1][1], out[0][1], 1e-6 * out[0][0], "universal");
  double ideal = atan2(sin(out[1][0]), cos(M_PI / 6) * cos(out[1][0]));
  vf_check(TABLE, text, "sine of output angle", sin(out[1][1]), sin(ideal), 1e-9, "tan/cos b");
}

/* ---- energy ---- */

/* Free shafts that rotate at different speeds: every impact and every sliding phase dissipates
 * energy. */
static void energy_never_grows(void **state) {
  (void)state;
  static const double Ca[] = {50, 0, 50, 50}, Cb[] = {0, 50, 50, 50};
  static const char *const friction[] = {"around", "around", "around", "full"};
  for (int i = 0; i < 4; i++) {
    vf_case c;
    char text[60];
    vf_text(&c,
            "parameters: {beta: 20 deg}\n"
            "bodies:\n"
            "  input: {type: rotor, inertia: 0.014 kg*m^2, rate: 20 rad/s}\n"
            "  output: {type: rotor, inertia: 0.012 kg*m^2, orientation: {axis: y, angle: beta}, "
            "rate: 18 rad/s}\n"
            "joints:\n"
            "  joint: {type: universal_clearance_joint, a: input, b: output, fidelity: spatial, "
            "friction: %s, cross_mass: 1 kg, clearance_a: %g um, clearance_b: %g um, arm: 0.04 m, "
            "pin_radius: 0.01 m, law: steel, cross_inertia: [0.0011 kg*m^2, 0.0011 kg*m^2, 0.002 "
            "kg*m^2]}\n"
            "laws: {steel: {type: signorini, mu: 0.3, restitution_normal: 0.45, "
            "restitution_tangential: 0.45}}\n"
            "sensors: {total: {value: energy.kinetic}, hits: {value: joint.impacts_a + "
            "joint.impacts_b}}\n"
            "analysis: {duration: 0.2 s, step: 1e-5 s, stepper: moreau}\n",
            friction[i], Ca[i], Cb[i]);
    vf_start(&c, NULL);
    double start = vf_value(&c, "total"), energy = start, gain = 0, play = 0, fastest = 0;
    static const char *const rotation[] = {"joint.delta_a", "joint.delta_b"};
    double last[] = {vf_value(&c, rotation[0]), vf_value(&c, rotation[1])};
    for (int k = 1; k <= 20000; k++) {
      vf_advance(&c, k * 1e-5);
      const double clearance[] = {Ca[i] * 1e-6 / 0.04, Cb[i] * 1e-6 / 0.04};
      for (int side = 0; side < 2; side++) {
        double delta = vf_value(&c, rotation[side]);
        play = fmax(play, fabs(delta) - clearance[side]);
        fastest = fmax(fastest, fabs(delta - last[side]));
        last[side] = delta;
      }
      if (k % 10) continue;
      double now = vf_value(&c, "total");
      gain = fmax(gain, now - energy);
      energy = now;
    }
    snprintf(text, sizeof text, "free, Ca = %g um, Cb = %g um, %s", Ca[i], Cb[i], friction[i]);
    /* Between impacts the midpoint rule conserves energy up to its order of accuracy. */
    vf_bound(TABLE, text, "largest gain over 0.1 ms, of the whole", gain / start, 1e-12, "theory");
    /* moreau sees an impact at the end of the step in which it happens. */
    vf_bound(TABLE, text, "rotation beyond the clearance, relative", fmax(0, play) * 0.04 / 5e-5,
             fastest * 0.04 / 5e-5, "h |v|");
    assert_true(energy < 0.999 * start);
    assert_true(vf_value(&c, "hits") >= 5);
    vf_close(&c);
  }
}

/* ---- driveline ---- */

/* Whole revolutions, two joints, friction: slotted joints in space against reduced ones. */
static void driveline_in_space(void **state) {
  (void)state;
  static const hk_override space[] = {
      {"joints.joint_1.fidelity", "spatial"}, {"joints.joint_2.fidelity", "spatial"},
      {"joints.joint_1.bores", "slotted"},    {"joints.joint_2.bores", "slotted"},
      {"joints.joint_1.fitted_mu", "0"},      {"joints.joint_2.fitted_mu", "0"}};
  double x[2][4];
  for (int i = 0; i < 2; i++) {
    vf_case c;
    vf_file(&c, "examples/ujoint_clearance/driveline.yaml", space, i ? 6 : 0);
    vf_start(&c, NULL);
    vf_advance(&c, 0.05);
    x[i][0] = vf_value(&c, "input.angle"), x[i][1] = vf_value(&c, "output.angle");
    x[i][2] = vf_value(&c, "input.angle_rate"), x[i][3] = vf_value(&c, "output.angle_rate");
    assert_false(vf_said(&c.diag, "redundant"));
    vf_close(&c);
  }
  vf_check(TABLE, "driveline, slotted", "input angle", x[1][0], x[0][0], 1e-4, "reduced");
  vf_check(TABLE, "driveline, slotted", "output angle", x[1][1], x[0][1], 1e-4, "reduced");
  vf_check(TABLE, "driveline, slotted", "input speed", x[1][2], x[0][2], 2e-2, "reduced");
  vf_check(TABLE, "driveline, slotted", "output speed", x[1][3], x[0][3], 2e-2, "reduced");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_composite_is_the_model_written_out),
      cmocka_unit_test(without_bend),
      cmocka_unit_test(slotted_bores),
      cmocka_unit_test(small_play),
      cmocka_unit_test(large_play_rolls),
      cmocka_unit_test(fitted_with_friction),
      cmocka_unit_test(fitted_is_the_ideal_joint),
      cmocka_unit_test(energy_never_grows),
      cmocka_unit_test(driveline_in_space),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
