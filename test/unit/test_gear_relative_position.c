/* Point of action of a gear pair: gears exchanged, mirrored, rotated as a whole, shifted, tilted and at another
 * centre distance; forces at the contact, on both gears. */
#include "support/check.h"
#include "support/gear_subject.h"
#include "gear/mesh_force.h"
#include "gear/relative_position.h"

static hk_vec3 part(const hk_force_out *o, int at) {
  return hk_v3(o->w[at], o->w[at + 1], o->w[at + 2]);
}

/* Without friction, so that all forces are along the common normal. */
static kind smooth(int n) {
  kind k = KINDS[n];
  k.mu = 0, k.damping = 0, k.crown = 0;
  if (k.slices % 2 == 0) k.slices++;
  return k;
}

/* Tilts b by this angle about its centre. */
static void tilt(subject *s, double x, double y) {
  hk_mat3 R = hk_quat_matrix(hk_quat_exp(hk_mul(&s->A.R, hk_v3(x, y, 0))));
  s->B.R = hk_matmul(&R, &s->B.R);
}

/* Forces along one normal have no moment about it, on either gear: a moment applied to the wrong gear would be
 * detected.  Their line touches the base cylinder of a, and lies on the path of contact in the middle of the
 * common face. */
static void forces_act_at_the_contact(void **state) {
  for (int n = 0; n < N_KINDS; n++)
    for (int at = 0; at < 5; at++) {
      kind k = smooth(n);
      k.shift = at < 3 ? 0 : 7e-3;
      subject s = make(&k);
      const hk_involute *g = &s.p->geometry;
      put_frames(&s, 0.07 * at, 1500 * RPM);
      press(&s, 12e-6);
      hk_force_out o = eval(&s, &s.A, &s.B, INFINITY, false);
      hk_vec3 F = part(&o, 0), M = part(&o, 3), N = part(&o, 9);
      double size = hk_norm(F);
      assert_true(size > 100);
      assert_about(hk_dot(F, M) / (size * hk_norm(M)), 0, 1e-9);
      assert_about(hk_dot(part(&o, 6), N) / (size * hk_norm(N)), 0, 1e-9);
      /* The point of the line of force in the plane of the common middle, relative to the centre of a. */
      hk_vec3 z = hk_column(&s.A.R, 2), across = hk_sub(F, hk_scale(hk_dot(F, z), z)),
              l = hk_unit3(across), foot = hk_scale(1 / (size * size), hk_cross(F, M));
      double sine = fabs(hk_dot(F, z)) / size;
      if (sine > 1e-6) { /* helical: along the line to its point in the middle section */
        double way = (0.5 * k.shift - hk_dot(foot, z)) / hk_dot(F, z);
        hk_vec3 P = hk_add(foot, hk_scale(way, F));
        double roll = sqrt(hk_dot(P, P) - pow(0.5 * k.shift, 2) - pow(g->base_radius[0], 2));
        assert_about(hk_norm(hk_cross(hk_sub(P, hk_scale(0.5 * k.shift, z)), l)), g->base_radius[0],
                     1e-9);
        assert_true(roll > g->path[0] - 1e-4 && roll < g->path[1] + 1e-4);
      } else { /* spur: the whole line is in that plane */
        assert_about(hk_dot(foot, z), 0.5 * k.shift, 1e-9);
        hk_vec3 plane = hk_sub(foot, hk_scale(0.5 * k.shift, z));
        assert_about(hk_norm(hk_cross(plane, l)), g->base_radius[0], 1e-9);
      }
      unmake(&s);
    }
}

/* Gears of 23 and 40 mm, in both orders: the common face is the overlap of the two, and the force acts at its
 * centre. */
static void unequal_widths(void **state) {
  static const double SHIFT[] = {0, 4e-3, -7e-3, 20e-3, -28e-3};
  for (int wide = 0; wide < 2; wide++)
    for (int i = 0; i < 5; i++) {
      double w[2] = {23e-3, wide ? 40e-3 : 12e-3}, z = SHIFT[i];
      if (!wide && fabs(z) > 15e-3) continue;
      kind k = smooth(0);
      k.helix = 0, k.wide_b = w[1], k.shift = z;
      subject s = make(&k);
      put_frames(&s, 0.07, 1500 * RPM);
      press(&s, 12e-6);
      /* Relative to the centre of a. */
      double low = fmax(-w[0] / 2, z - w[1] / 2), high = fmin(w[0] / 2, z + w[1] / 2);
      hk_gear_face f = hk_gear_face_at(w, z);
      assert_about(f.width, high - low, 2e-3 * w[0]);
      assert_about(f.middle + 0.5 * z, 0.5 * (low + high), 1e-3 * w[0]);
      hk_force_out o = eval(&s, &s.A, &s.B, INFINITY, false);
      hk_vec3 F = part(&o, 0), M = part(&o, 3), axis = hk_column(&s.A.R, 2);
      hk_vec3 foot = hk_scale(1 / hk_dot(F, F), hk_cross(F, M));
      assert_true(hk_norm(F) > 50);
      assert_about(hk_dot(foot, axis), f.middle + 0.5 * z, 1e-9);
      unmake(&s);
    }
}

/* A number of a fixed pseudo-random sequence, -1 to 1. */
static double next_number(uint32_t *x) {
  *x = *x * 1664525u + 1013904223u;
  return *x / 2147483648.0 - 1;
}

/* With a and b exchanged, the forces agree to round-off, with friction and damping, at any position, shifted,
 * apart, with two face widths and tilted.  A ring is always b. */
static void swapped(void **state) {
  uint32_t x = 7;
  double worst = 0;
  for (int draw = 0; draw < 200; draw++) {
    kind k = KINDS[draw % 4], other;
    k.crown = 0;
    k.wide_b = 23e-3 + 5e-3 * next_number(&x);
    k.shift = draw % 8 < 4 ? 0 : 8e-3 * next_number(&x);
    k.apart = 2e-4 * next_number(&x);
    k.helix *= 0.6 + 0.4 * next_number(&x);
    k.stand = draw % 3 ? "forward" : "backward";
    other = k;
    other.teeth[0] = k.teeth[1], other.teeth[1] = k.teeth[0], other.helix = -k.helix;
    other.shift = -k.shift;
    subject s = make(&k), o = make(&other);
    put_frames(&s, 3 * next_number(&x), 1500 * RPM * next_number(&x));
    press(&s, (draw % 3 ? 1 : -1) * 14e-6);
    if (draw % 16 > 7) tilt(&s, 1e-3 * next_number(&x), 1e-3 * next_number(&x));
    s.B.v = hk_scale(0.01, hk_v3(next_number(&x), next_number(&x), next_number(&x)));
    /* If exchanged, face_width is that of b.  The first gear of a pair has a tooth on its x axis. */
    o.p->face_of[0] = s.p->face_of[1], o.p->face_of[1] = s.p->face_of[0];
    o.p->shift = -s.p->shift, o.p->middle = s.p->middle;
    hk_mat3 R = hk_quat_matrix(hk_quat_axis_angle(hk_v3(0, 0, 1), s.p->phase));
    o.A = s.B, o.B = s.A, o.p->phase = 0;
    o.A.R = hk_matmul(&s.B.R, &R);
    hk_force_out one = eval(&s, &s.A, &s.B, INFINITY, false),
                 two = eval(&o, &o.A, &o.B, INFINITY, false);
    double F = hk_norm(part(&one, 0)), arm = s.p->geometry.center_distance;
    if (!(F > 10)) fail_msg("kind %d, draw %d: %g N", draw % 4, draw, F);
    for (int i = 0; i < 12; i++) {
      double off = fabs(one.w[i] - two.w[(i + 6) % 12]) / (i % 6 < 3 ? F : arm * F);
      worst = fmax(worst, off);
      if (!(off < 1e-8)) fail_msg("draw %d: number %d off by %g", draw, i, off);
    }
    assert_about(two.potential, one.potential, 1e-8 * one.potential);
    assert_about(two.dissipated, one.dissipated, 1e-8 * fabs(one.dissipated) + 1e-9);
    unmake(&s);
    unmake(&o);
  }
  print_message("exchanged gears: %.2g of the force at most\n", worst);
}

/* Forces in the axes of a. */
static void seen_from_a(const subject *s, double w[12]) {
  hk_force_out o = eval(s, &s->A, &s->B, INFINITY, false);
  for (int i = 0; i < 4; i++) {
    hk_vec3 v = hk_tmul(&s->A.R, part(&o, 3 * i));
    w[3 * i] = v.x, w[3 * i + 1] = v.y, w[3 * i + 2] = v.z;
  }
}

/* The mirror image in the plane of the gears: helices of the opposite hand, shift and tilt with opposite sign,
 * and so are axial forces and tilting moments. */
static void mirrored(void **state) {
  for (int n = 0; n < N_KINDS; n++) {
    double w[2][12];
    for (int i = 0; i < 2; i++) {
      kind k = KINDS[n];
      double turn = i ? -1 : 1;
      k.helix *= turn, k.shift = turn * 3e-3;
      subject s = make(&k);
      put_frames(&s, 0.23, 1500 * RPM);
      press(&s, 14e-6);
      tilt(&s, turn * 3e-4, turn * -2e-4);
      press(&s, -turn * 1e-3 *
                    s.p->geometry.tan_base); /* helical gears move axially relative to each other */
      s.B.x = hk_add(s.B.x, hk_scale(turn * 1e-3, hk_column(&s.A.R, 2)));
      seen_from_a(&s, w[i]);
      unmake(&s);
    }
    for (int i = 0; i < 12; i++) {
      bool axial = i % 6 == 2 || i % 6 == 3 || i % 6 == 4;
      assert_about(w[1][i], (axial ? -1 : 1) * w[0][i], 5e-6 * fabs(w[0][0]));
    }
  }
}

/* A rotation and translation of the whole model rotates the forces. */
static void turned(void **state) {
  for (int n = 0; n < N_KINDS; n++) {
    double w[2][12];
    subject s = make(&KINDS[n]);
    put_frames(&s, 0.23, 1500 * RPM);
    press(&s, 14e-6);
    tilt(&s, 3e-4, 2e-4);
    seen_from_a(&s, w[0]);
    hk_mat3 R = hk_quat_matrix(hk_quat_exp(hk_v3(1.1, -0.7, 2.3)));
    hk_frame *f[2] = {&s.A, &s.B};
    for (int i = 0; i < 2; i++) {
      f[i]->R = hk_matmul(&R, &f[i]->R);
      f[i]->x = hk_add(hk_mul(&R, f[i]->x), hk_v3(3, -2, 1));
      f[i]->w = hk_mul(&R, f[i]->w);
    }
    seen_from_a(&s, w[1]);
    for (int i = 0; i < 12; i++) assert_about(w[1][i], w[0][i], 1e-6 * fabs(w[0][0]));
    unmake(&s);
  }
}

/* With an axial shift the contact becomes narrower and ends; the width is recorded. */
static void common_face(void **state) {
  enum { FACE = 9 };
  double F0 = 0;
  for (int i = 0; i < 4; i++)
    for (int later = 0; later < 2; later++) { /* shifted in the initial position, or afterwards */
      kind k = {{57, 57}, false, 0, "dry_line", "iso", 0, 0, 0, 5};
      double shift = i * 6e-3, value[48];
      if (!later) k.shift = shift;
      subject s = make(&k);
      put_frames(&s, 0.2, 0);
      press(&s, 10e-6);
      if (later) s.B.x = hk_add(s.B.x, hk_scale(shift, hk_column(&s.A.R, 2)));
      hk_force_out o = eval(&s, &s.A, &s.B, INFINITY, false);
      double F = hk_norm(part(&o, 0)), face = 23e-3 - shift + (i ? 23e-6 : 0);
      if (i == 0) F0 = F;
      assert_about(F / F0, face / 23e-3, 1e-4);
      hk_force_in in = input(&s, INFINITY);
      s.ops->read(s.pair->data, &in, &o, value);
      assert_about(value[FACE], face, 1e-7);
      s.B.x = hk_add(s.B.x, hk_scale(24e-3, hk_column(&s.A.R, 2)));
      o = eval(&s, &s.A, &s.B, INFINITY, true);
      assert_true(hk_norm(part(&o, 0)) == 0);
      s.ops->read(s.pair->data, &in, &o, value);
      assert_true(value[FACE] == 0);
      unmake(&s);
    }
  /* Without a common width in the initial position: rejected. */
  kind k = {{57, 57}, false, 0, "dry_line", "iso", 0, 0, 0, 5};
  subject s = make(&k);
  hk_error err = {0};
  s.B.x = hk_add(s.B.x, hk_scale(-25e-3, hk_column(&s.A.R, 2)));
  assert_int_equal(s.ops->set_placement(s.pair, &s.A, &s.B, s.p, &s.arena, &err), HK_EINPUT);
  assert_non_null(strstr(err.text, "b is shifted by -25 mm along z"));
  unmake(&s);
}

/* The teeth are centred in the backlash of the actual position of the bodies, not in the nominal one. */
static void stands_as_placed(void **state) {
  static const char *const STAND[] = {"centered", "forward", "backward"};
  for (int n = 0; n < N_KINDS; n++)
    for (int i = 0; i < 9; i++) {
      kind k = KINDS[n];
      k.stand = STAND[i % 3];
      k.apart = (i / 3 - 1) * 0.1e-3;
      k.backlash = 3e-4;
      subject s = make(&k);
      hk_gear_relative at;
      hk_gear_relate(&s.A, &s.B, &at);
      double forward = hk_gear_overlap(s.p, &at, 1, s.scratch),
             backward = hk_gear_overlap(s.p, &at, -1, s.scratch);
      const hk_involute *g = &s.p->geometry;
      double B = g->base_radius[1] + g->sign * g->base_radius[0],
             wider = hk_involute_of(acos(B / (g->center_distance + k.apart))) -
                     hk_involute_of(g->working_pressure_angle);
      assert_about(-forward - backward, g->backlash + 2 * g->sign * B * wider * g->cos_base, 1e-12);
      assert_about(i % 3 == 0 ? forward - backward : i % 3 == 1 ? forward : backward, 0, 1e-12);
      unmake(&s);
    }
}

/* Gears that are drawn with a tooth opposite a tooth: without pressure and exactly between both flanks, for every number
 * of teeth.  The gap on each side is half of the backlash. */
static void teeth_in_spaces(void **state) {
  static const int TEETH[][2] = {{20, 60}, {60, 20}, {20, 40}, {40, 20}, {18, 24}, {24, 18},
                                 {30, 30}, {17, 24}, {25, 32}, {22, 28}, {15, 20}, {21, 35}};
  static const double BACKLASH[] = {0, 20e-6, 100e-6};
  for (size_t n = 0; n < sizeof TEETH / sizeof *TEETH; n++)
    for (int i = 0; i < 6; i++) {
      char text[600];
      const double helix = i % 2 ? 0.35 : 0, J = BACKLASH[i / 2];
      snprintf(text, sizeof text,
               "format: 1\n"
               "bodies: {one: {type: rotor, inertia: 1 kg*m^2}, two: {type: rotor, inertia: 1 "
               "kg*m^2, position: [%.17g m, 0, 0]}}\n"
               "forces: {mesh: {type: gear_pair, a: one, b: two, teeth_a: %d, teeth_b: %d, module: "
               "2 mm, face_width: 20 mm, helix_angle: %.17g rad, backlash: %.17g m}}\n",
               1e-3 * (TEETH[n][0] + TEETH[n][1]) / cos(helix), TEETH[n][0], TEETH[n][1], helix, J);
      hk_model *m = model_of(text);
      hk_sim *sim = sim_of(m, NULL);
      const double deep = channel(sim, m, "mesh.mesh_deflection");
      assert_about(deep, i < 2 ? 0 : -0.5 * J, 1e-9);
      assert_about(channel(sim, m, "energy.potential"), 0, 1e-9);
      hk_sim_destroy(sim);
      hk_model_destroy(m);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(forces_act_at_the_contact),
                                     cmocka_unit_test(unequal_widths),
                                     cmocka_unit_test(swapped),
                                     cmocka_unit_test(mirrored),
                                     cmocka_unit_test(turned),
                                     cmocka_unit_test(common_face),
                                     cmocka_unit_test(stands_as_placed),
                                     cmocka_unit_test(teeth_in_spaces)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
