/* The teeth of a gear pair: helices and tilted axes, flanks with additional material, pitch deviations, and
 * load sharing between the pairs in mesh. */
#include "support/gear_subject.h"
#include "gear/mesh_force.h"
#include "gear/quasistatic.h"
#include <stdlib.h>

/* As the helix angle tends to zero, a helical pair becomes a spur pair; many slices converge. */
static void helical_limits(void **state) {
  kind spur = {{23, 61}, false, 0, "ehl_line", "iso", 0, 0, 5e-6, 9}, almost = spur;
  almost.helix = 1e-7;
  double F[2];
  for (int i = 0; i < 2; i++) {
    subject s = make(i ? &almost : &spur);
    put_frames(&s, 0.3, 1500 * RPM);
    press(&s, 12e-6);
    F[i] = eval(&s, &s.A, &s.B, INFINITY, false).w[3];
    unmake(&s);
  }
  assert_about(F[1], F[0], 1e-4 * fabs(F[0]));
  double mean[4];
  for (int i = 0; i < 4; i++) {
    kind k = {{23, 61}, false, 0.25, "dry_line", "iso", 0, 0, 5e-6, 5 << i};
    subject s = make(&k);
    hk_gear_quasistatic q;
    hk_error err = {0};
    must(hk_gear_quasistatic_run(s.p, 100, 100, 64, &s.arena, &q, &err), &err);
    mean[i] = q.overlap.mean;
    unmake(&s);
  }
  assert_true(fabs(mean[3] - mean[2]) < 0.6 * fabs(mean[1] - mean[0]));
  assert_about(mean[3], mean[2], 2e-2 * mean[3]);
}

/* Axes tilted in the plane of action separate the flanks at one end of the face, like a lead slope. */
static void tilt_is_a_slope_of_the_lead(void **state) {
  kind k = KINDS[0];
  k.slices = 7;
  const double slope = 8e-6, width = 23e-3;
  subject s = make(&k);
  put_frames(&s, 0.3, 1500 * RPM);
  press(&s, 12e-6);
  hk_frame straight = s.B;
  hk_force_out plain = eval(&s, &s.A, &s.B, INFINITY, false);
  hk_vec3 z = hk_column(&s.A.R, 2), n = hk_unit3(hk_v3(plain.w[6], plain.w[7], plain.w[8]));
  hk_vec3 turn = hk_scale(slope / width, hk_cross(z, n));
  hk_mat3 R = hk_quat_matrix(hk_quat_exp(turn));
  s.B.R = hk_matmul(&R, &s.B.R);
  hk_force_out tilted = eval(&s, &s.A, &s.B, INFINITY, false);
  s.p->shape[1].lead_slope = slope;
  s.B = straight;
  hk_force_out sloped = eval(&s, &s.A, &s.B, INFINITY, false);
  double by = 0, off = 0;
  for (int i = 3; i < 6; i++) { /* moments on a, including those that would tilt it */
    by = fmax(by, fabs(sloped.w[i] - plain.w[i]));
    off = fmax(off, fabs(tilted.w[i] - sloped.w[i]));
  }
  if (!(by > 1 && off < 0.02 * by)) fail_msg("%g N m of %g", off, by);
  unmake(&s);
}

/* Slices of helical teeth enter the contact gradually, so that few slices give the same results as many: mean
 * and peak-to-peak transmission error, and the largest pressure. */
static void few_helical_slices(void **state) {
  static const int SLICES[] = {3, 5, 31};
  static const double MEAN[] = {3e-3, 1e-3}, WAVE[] = {0.06, 0.02}, PRESSURE[] = {0.15, 0.08};
  for (int soft = 0; soft < 2; soft++) {
    hk_gear_quasistatic q[3];
    for (int i = 0; i < 3; i++) {
      const kind k = {{17, 53}, false, 0.26, "dry_line", soft ? "iso" : "rigid",
                      0,        0,     0,    SLICES[i]};
      hk_error err = {0};
      subject s = make(&k);
      must(hk_gear_quasistatic_run(s.p, 80, 0, 200, &s.arena, &q[i], &err), &err);
      unmake(&s);
    }
    const hk_gear_quasistatic *many = &q[2];
    double wave = many->overlap.most - many->overlap.least;
    for (int i = 0; i < 2; i++) {
      assert_about(q[i].overlap.mean, many->overlap.mean, MEAN[i] * many->overlap.mean);
      assert_about(q[i].overlap.most - q[i].overlap.least, wave, WAVE[i] * wave);
      assert_about(q[i].pressure.most, many->pressure.most, PRESSURE[i] * many->pressure.most);
    }
  }
}

/* ---- centres closer or further apart than drawn ---- */

/* Number of pairs with a contact in this section that is at most this far beyond either tip. */
static int pairs_within(const hk_involute *g, const double roll[2], double beyond) {
  int n = 0;
  for (int k = -20; k <= 20; k++) {
    double first = roll[0] + k * g->base_pitch - g->end_roll[0];
    double other = g->sign * (roll[1] - g->end_roll[1]) - k * g->base_pitch;
    n += first <= beyond && other <= beyond;
  }
  return n;
}

/* The path of contact becomes longer as the centres approach: every pair on it is in contact, and no other. */
static void pairs_of_moved_centres(void **state) {
  for (int n = 0; n < 2; n++)
    for (int place = 0; place < 64 * 7; place++) {
      kind k = {{23, 61}, n == 1, 0, "dry_line", "iso", 0, 0, 5e-6, 1};
      subject s = make(&k);
      const hk_involute *g = &s.p->geometry;
      double apart = (place % 7 - 3) * 0.1 * g->base_pitch, margin = hk_gear_path_margin(s.p);
      double R1 = g->pitch_roll[0] + place / 7 / 64.0 * g->base_pitch,
             R2 = g->center_distance * sin(g->working_pressure_angle) + apart - g->sign * R1;
      hk_gear_section section = {.roll = {R1, R2}, .overlap = 20e-6, .part = 1};
      const hk_gear_side side = {.flank = 1};
      hk_gear_flank_load l;
      double *room = calloc((size_t)hk_gear_flank_scratch(s.p), sizeof *room);
      assert_non_null(room);
      hk_gear_flank_lay(s.p, room, &l);
      assert_true(hk_gear_flank_solve(s.p, &section, &side, &(hk_gear_recall){0}, false, &l));
      int least = pairs_within(g, section.roll, -margin),
          most = pairs_within(g, section.roll, margin);
      if (l.n < least || l.n > most)
        fail_msg("%d pairs, not %d to %d, at %g of the base pitch", l.n, least, most,
                 apart / g->base_pitch);
      free(room);
      unmake(&s);
    }
}

/* ---- flanks with more material than drawn ---- */

/* A profile trace with uniform additional material is equivalent to a rotated gear, on either flank: contact
 * then begins while the nominal flanks are far apart.  The contact stays half way between the nominal flanks if
 * each gear has half of the material. */
static void thick_teeth(void **state) {
  const double more = 250e-6, at[2] = {0, 0.2}, off[2] = {-more, -more};
  for (int wet = 0; wet < 2; wet++) {
    kind k = KINDS[wet];
    k.backlash = 3 * more;
    subject s = make(&k);
    hk_error err = {0};
    const hk_curve *trace =
        hk_curve_create(&s.arena, at, off, 2, HK_INTERPOLATION_LINEAR, HK_OUTSIDE_ERROR, &err);
    assert_non_null(trace);
    put_frames(&s, 0.3, 1500 * RPM);
    press(&s, 12e-6);
    hk_force_out drawn = eval(&s, &s.A, &s.B, INFINITY, false);
    assert_true(fabs(s.p->least_shape) == 0);
    s.p->shape[0].profile = trace;
    s.p->least_shape = hk_gear_shape_least(&s.p->shape[0], 0);
    assert_true(s.p->least_shape <= -more);
    put_frames(&s, 0.3 + 0.5 * more / s.p->geometry.base_radius[0], 1500 * RPM);
    press(&s, 12e-6 - more);
    hk_force_out thick = eval(&s, &s.A, &s.B, INFINITY, false);
    hk_vec3 F = hk_v3(drawn.w[0], drawn.w[1], drawn.w[2]),
            G = hk_v3(thick.w[0], thick.w[1], thick.w[2]);
    assert_true(hk_norm(F) > 1000);
    if (!(fabs(hk_norm(G) / hk_norm(F) - 1) < 1e-6))
      fail_msg("%.9g N, not %g", hk_norm(G), hk_norm(F));
    unmake(&s);
  }
}

/* ---- pitch errors ---- */

static double torque_at(subject *s, double turn, double overlap, double ahead_a, double ahead_b) {
  put_frames(s, turn, 1500 * RPM);
  press(s, overlap);
  for (int i = 0; i < 2; i++) {
    hk_frame *f = i ? &s->B : &s->A;
    hk_mat3 R = hk_quat_matrix(hk_quat_axis_angle(hk_column(&f->R, 2), i ? ahead_b : ahead_a));
    f->R = hk_matmul(&R, &f->R);
  }
  hk_force_out o = eval(s, &s->A, &s->B, INFINITY, false);
  return hk_dot(hk_v3(o.w[3], o.w[4], o.w[5]), hk_column(&s->A.R, 2));
}

/* An equal displacement of all teeth is equivalent to a rotation of the gear: for either gear, on either
 * flank. */
static void pitch_error_of_all(void **state) {
  const double error = 3e-6;
  double list[80];
  for (int i = 0; i < 80; i++) list[i] = error;
  for (int n = 0; n < N_KINDS; n++)
    for (int back = 0; back < 2; back++)
      for (int gear = 0; gear < 2; gear++) {
        subject s = make(&KINDS[n]);
        double overlap = back ? -(1e-4 / s.p->geometry.cos_base + 12e-6) : 12e-6;
        double angle = error / s.p->geometry.reference_radius[gear];
        double turned = torque_at(&s, 0.35, overlap, gear ? 0 : angle, gear ? angle : 0);
        double plain = torque_at(&s, 0.35, overlap, 0, 0);
        s.p->shape[gear].teeth = s.p->geometry.teeth[gear];
        s.p->shape[gear].pitch_error = list;
        /* Displaced teeth are at another point of the path, which matters where slices enter it. */
        assert_about(torque_at(&s, 0.35, overlap, 0, 0), turned, 0.03 * fabs(turned - plain));
        assert_true(fabs(turned - plain) > 0.05 * fabs(plain));
        unmake(&s);
      }
}

/* One displaced tooth has an effect while it is in mesh, once per revolution of its gear, and at no other time.
 * Tooth 0 is on the x axis of its frame, and tooth k is k pitches counter-clockwise of it. */
static void pitch_error_of_one(void **state) {
  for (int n = 0; n < N_KINDS; n++)
    for (int gear = 0; gear < 2; gear++)
      for (int tooth = 0; tooth < 8; tooth += 7) {
        subject s = make(&KINDS[n]);
        const hk_involute *g = &s.p->geometry;
        double list[80] = {0}, pitch = 2 * M_PI / g->teeth[gear];
        double ratio =
            gear ? -g->sign * g->teeth[0] / g->teeth[1] : 1; /* revolutions of this gear per revolution of a */
        /* The line of centres is at 0.4 rad; gear b, and a gear in a ring, mesh at its other end. */
        double meets = (0.4 + (gear || g->sign < 0 ? M_PI : 0) - tooth * pitch) / ratio;
        list[tooth] = 4e-6;
        s.p->shape[gear].teeth = g->teeth[gear];
        for (int away = -5; away <= 5; away += 5) {
          double turn = meets + away * 2 * M_PI / g->teeth[0];
          s.p->shape[gear].pitch_error = NULL;
          double plain = torque_at(&s, turn, 12e-6, 0, 0);
          s.p->shape[gear].pitch_error = list;
          double with = torque_at(&s, turn, 12e-6, 0, 0);
          double again = torque_at(&s, turn + 2 * M_PI / ratio, 12e-6, 0, 0);
          if (away)
            assert_about(with, plain, 1e-9 * fabs(plain));
          else
            assert_true(fabs(with - plain) > 0.02 * fabs(plain));
          assert_about(again, with, 1e-6 * fabs(with));
        }
        unmake(&s);
      }
}

/* ---- load sharing ---- */

/* Columns of the channels; the last two are repeated. */
enum { LOAD = 2, PAIRS = 3, PLAIN = 10, MOST = 48 };

static void read_channels(const subject *s, double h, double value[MOST]) {
  hk_force_in in = input(s, h);
  hk_force_out out = eval(s, &s->A, &s->B, h, false);
  s->ops->read(s->pair->data, &in, &out, value);
}

/* Over a whole revolution in both directions: the loads of the pairs add up to the load, their fractions to
 * one, and a slot keeps its pair from entry to exit: its load has no jumps, even when the tooth numbers
 * restart. */
static void loads_of_pairs(void **state) {
  for (int n = 0; n < N_KINDS; n++)
    for (int back = 0; back < 2; back++) {
      subject s = make(&KINDS[n]);
      const hk_involute *g = &s.p->geometry;
      s.p->edge = 0.1 * g->base_pitch; /* ten steps */
      int slots = s.ops->repeats(s.p), steps = 100 * (g->teeth[0] + 2), used[16] = {0};
      double speed = (back ? -1500 : 1500) * RPM, dt = 2 * M_PI / (100 * g->teeth[0] * fabs(speed));
      double last[16] = {0}, most = 0, jump = 0;
      assert_int_equal(slots, (int)ceil(g->total_ratio + 0.1));
      for (int i = 0; i < steps; i++) {
        double h = i ? dt : INFINITY, v[MOST], load = 0, share = 0;
        put_frames(&s, speed * i * dt, speed);
        press(&s, back ? -(1e-4 / g->cos_base + 12e-6) : 12e-6);
        read_channels(&s, h, v);
        accept(&s, h);
        for (int k = 0; k < slots; k++) {
          double of = v[PLAIN + 2 * k], part = v[PLAIN + 2 * k + 1];
          load += of, share += part;
          assert_true(part >= 0 && of * (back ? -1 : 1) >= 0);
          assert_about(part, of / v[LOAD], 1e-12);
          most = fmax(most, fabs(of));
          if (i) jump = fmax(jump, fabs(of - last[k]));
          used[k] += of != 0;
          last[k] = of;
        }
        assert_about(load, v[LOAD], 1e-9 * fabs(v[LOAD]));
        assert_about(share, 1, 1e-12);
      }
      if (!(most > 100 && jump < 0.25 * most))
        fail_msg("kind %d: jumps by %g of %g", n, jump, most);
      for (int k = 0; k < slots; k++) assert_true(used[k] > steps / 20); /* every pair occurs */
      unmake(&s);
    }
}

/* In slow rotation the pairs share the load as `hooke gear` predicts, except where a pair enters and its film
 * is squeezed; this effect does not depend on the speed, because slow films are thin. */
static void shares_of_slow_gears(void **state) {
  enum { POINTS = 64 };
  for (int wet = 0; wet < 2; wet++) {
    subject s = make(&KINDS[wet]);
    const hk_involute *g = &s.p->geometry;
    double speed = 2 * RPM, dt = 2 * M_PI / (POINTS * g->teeth[0] * speed), off = 0, least = 1;
    hk_gear_quasistatic q;
    hk_error err = {0};
    s.p->edge = 1e-3 * g->base_pitch;
    must(hk_gear_quasistatic_run(s.p, 150, speed, POINTS, &s.arena, &q, &err), &err);
    for (int i = 0; i < 3 * POINTS; i++) {
      const hk_gear_point *at = &q.point[i % POINTS];
      double v[MOST], way = at->way + (double)(i / POINTS) * g->base_pitch;
      /* R1 = rb (turn - 0.4 + half_angle + working pressure angle), which includes the penetration; the contact
       * is half of the penetration back. */
      double turn = (g->pitch_roll[0] + way - 0.5 * at->overlap) / g->base_radius[0] + 0.4 -
                    g->half_angle[0] - g->working_pressure_angle;
      put_frames(&s, turn, speed);
      /* The flanks were placed in contact at turn 0 without load: any further rotation is penetration. */
      press(&s, at->overlap);
      read_channels(&s, i ? dt : INFINITY, v);
      accept(&s, i ? dt : INFINITY);
      assert_about(v[LOAD], q.load, (wet ? 5e-3 : 1e-6) * q.load);
      for (int k = 0; k < 2; k++) { /* each slot has one of the pairs on the path */
        double nearest = 1;
        for (int m = i % POINTS; m < q.n_passes; m += POINTS)
          nearest = fmin(nearest, fabs(v[PLAIN + 2 * k + 1] - q.pass[m].share));
        off = fmax(off, nearest);
        least = fmin(least, fmax(v[PLAIN + 1], v[PLAIN + 3]));
      }
    }
    if (!(off < (wet ? 5e-3 : 1e-6) && least < 0.7))
      fail_msg("law %d: off by %g, shared down to %g", wet, off, least);
    unmake(&s);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(helical_limits),      cmocka_unit_test(tilt_is_a_slope_of_the_lead),
      cmocka_unit_test(few_helical_slices),  cmocka_unit_test(pairs_of_moved_centres),
      cmocka_unit_test(thick_teeth),         cmocka_unit_test(pitch_error_of_all),
      cmocka_unit_test(pitch_error_of_one),  cmocka_unit_test(loads_of_pairs),
      cmocka_unit_test(shares_of_slow_gears)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
