/* Gear pairs as forces between frames: balance, exact tangents, invariance, both flanks, energy and memory,
 * for spur, helical and ring gears, dry and lubricated, aligned and not. */
#include "support/gear_subject.h"

static void move(hk_frame *f, int i, double d) {
  double x[6] = {0};
  x[i] = d;
  f->x = hk_add(f->x, hk_v3(x[0], x[1], x[2]));
  hk_mat3 R = hk_quat_matrix(hk_quat_exp(hk_v3(x[3], x[4], x[5])));
  f->R = hk_matmul(&R, &f->R);
}

static void push(hk_frame *f, int i, double d) {
  double x[6] = {0};
  x[i] = d;
  f->v = hk_add(f->v, hk_v3(x[0], x[1], x[2]));
  f->w = hk_add(f->w, hk_v3(x[3], x[4], x[5]));
}

/* A state with all effects: load, tilt, offset, motions, and a film with memory. */
static subject moment(const kind *k, double turn, double overlap) {
  subject s = make(k);
  put_frames(&s, turn, 1500 * RPM);
  press(&s, overlap);
  accept(&s, INFINITY);
  static const double off[6] = {6e-7, -9e-7, 4e-6, 3e-5, -4e-5, 5e-6},
                      v[6] = {1e-3, -2e-3, 3e-3, 0.1, -0.2, 0.3};
  press(&s, -k->slip * s.p->geometry.tan_base); /* helical gears move axially relative to each other */
  s.B.x = hk_add(s.B.x, hk_scale(k->slip, hk_column(&s.A.R, 2)));
  for (int i = 0; i < 6; i++) {
    move(&s.B, i, off[i]);
    push(&s.B, i, v[i]);
    push(&s.A, i, -0.7 * v[5 - i]);
  }
  return s;
}

/* n: for messages. */
static void check_tangent(const kind *k, int n, double turn, bool back) {
  double overlap = back ? -(1e-4 + 12e-6) : 12e-6, dt = n % 2 ? 1e-5 : INFINITY;
  subject s = moment(k, turn, overlap);
  hk_force_out o = eval(&s, &s.A, &s.B, dt, true);
  double size = 0;
  for (int i = 0; i < 12; i++) size = fmax(size, fabs(o.w[i]));
  if (!(size > 100)) fail_msg("kind %d is not pressed: %g N", n, size);
  for (int j = 0; j < 24; j++) {
    double step = j >= 12 ? 1e-4 : (j % 6 < 3 ? 1e-9 : 2e-8), d[12] = {0};
    static const double at[4] = {-2, -1, 1, 2}, weight[4] = {1, -8, 8, -1};
    for (int q = 0; q < 4; q++) {
      hk_frame A = s.A, B = s.B;
      (j >= 12 ? push : move)(j % 12 < 6 ? &A : &B, j % 6, at[q] * step);
      hk_force_out p = eval(&s, &A, &B, dt, false);
      for (int i = 0; i < 12; i++) d[i] -= weight[q] * p.w[i] / (12 * step);
    }
    double most = 0, (*M)[12] = j < 12 ? o.K : o.C;
    for (int i = 0; i < 144; i++) {
      double scale =
          (i / 12 % 6 < 3 ? 1 : 14) * (i % 12 % 6 < 3 ? 1 : 14); /* moments: over 70 mm */
      most = fmax(most, scale * fabs(M[i / 12][i % 12]));
    }
    for (int i = 0; i < 12; i++) {
      double scale = (i % 6 < 3 ? 1 : 14) * (j % 6 < 3 ? 1 : 14);
      double floor = j < 12 ? 1 : 1e-6 * size;
      if (!(fabs(M[i][j % 12] - d[i]) * scale <= 2e-5 * (most + floor)))
        fail_msg("kind %d, flank %d: %s (%d, %d) is %.9g, by differences %.9g (largest %.3g)", n,
                 back, j < 12 ? "K" : "C", i, j % 12, M[i][j % 12], d[i], most);
    }
  }
  unmake(&s);
}

static void tangent(void **state) {
  for (int n = 0; n < N_KINDS; n++)
    for (int back = 0; back < 2; back++) check_tangent(&KINDS[n], n, 0.35 + 0.4 * n, back);
}

/* Gears shifted axially in the initial position, and then further. */
static void tangent_where_shifted(void **state) {
  for (int n = 0; n < N_KINDS; n++)
    for (int back = 0; back < 2; back++) {
      kind k = KINDS[n];
      k.shift = back ? -4e-3 : 6e-3;
      check_tangent(&k, n, 0.35 + 0.4 * n, back);
      k.slip = 1.5e-3;
      check_tangent(&k, n, 0.35 + 0.4 * n, back);
    }
}

/* Slices that extend beyond both tips at once. */
static void tangent_of_wide_slices(void **state) {
  const kind k = {{25, 31}, false, 0.55, "dry_line", "iso", 0, 0, 0, 1};
  for (int i = 0; i < 7; i++) check_tangent(&k, 0, 0.3 + 2 * M_PI / 25 * (i + 0.5) / 7, false);
}

static void balance(void **state) {
  for (int n = 0; n < N_KINDS; n++) {
    subject s = moment(&KINDS[n], 1.7, 15e-6);
    hk_force_out o = eval(&s, &s.A, &s.B, 1e-5, false);
    hk_vec3 F[2], M[2];
    for (int i = 0; i < 2; i++) {
      F[i] = hk_v3(o.w[6 * i], o.w[6 * i + 1], o.w[6 * i + 2]);
      M[i] = hk_v3(o.w[6 * i + 3], o.w[6 * i + 4], o.w[6 * i + 5]);
    }
    assert_true(hk_norm(hk_add(F[0], F[1])) < 1e-10 * hk_norm(F[0]));
    hk_vec3 turn = hk_add(hk_add(M[0], M[1]), hk_cross(hk_sub(s.B.x, s.A.x), F[1]));
    assert_true(hk_norm(turn) < 1e-10 * hk_norm(M[0]));
    unmake(&s);
  }
}

/* Force of a spur pair: along the line of action, with the torque base radius times load.  For a helical pair,
 * the axial force is tan(base helix angle) times the transverse one. */
static void directions(void **state) {
  for (int n = 0; n < N_KINDS; n++) {
    kind k = KINDS[n];
    k.mu = 0, k.damping = 0;
    subject s = make(&k);
    put_frames(&s, 0.6, 1500 * RPM);
    press(&s, 15e-6);
    hk_force_out o = eval(&s, &s.A, &s.B, INFINITY, false);
    const hk_involute *g = &s.p->geometry;
    hk_vec3 z = hk_column(&s.A.R, 2), e = hk_unit3(hk_sub(s.B.x, s.A.x));
    hk_vec3 F = hk_v3(o.w[6], o.w[7], o.w[8]), M1 = hk_v3(o.w[3], o.w[4], o.w[5]);
    double axial = hk_dot(F, z), radial = hk_dot(F, e), along = hk_dot(F, hk_cross(z, e));
    double across = hypot(radial, along);
    assert_about(fabs(axial) / across, fabs(g->tan_base), 1e-9);
    assert_about(hk_dot(M1, z), -across * g->base_radius[0], 1e-9 * across);
    assert_about(fabs(radial / along), tan(g->working_pressure_angle), 1e-8);
    assert_true(g->sign * radial > 0); /* external gears are pushed apart, a ring gear is pulled towards the
                                        * contact */
    assert_true(g->sign * along > 0);
    assert_true(axial * k.helix <=
                0); /* a right-handed gear a that rotates counter-clockwise pushes b towards -z */
    unmake(&s);
  }
}

/* A rotation by one pitch has no effect, over several revolutions; nor has a rotation of the whole model. */
static void periodic(void **state) {
  kind k = KINDS[1];
  subject s = make(&k);
  put_frames(&s, 0.2, 1500 * RPM);
  press(&s, 12e-6);
  hk_force_out first = eval(&s, &s.A, &s.B, INFINITY, false);
  double F = hk_dot(hk_v3(1, 2, 3), hk_v3(first.w[6], first.w[7], first.w[8]));
  for (int i = 1; i < 140; i += 13) {
    put_frames(&s, 0.2 + 2 * M_PI * i / 57, 1500 * RPM);
    press(&s, 12e-6);
    hk_force_out o = eval(&s, &s.A, &s.B, INFINITY, false);
    assert_about(hk_dot(hk_v3(1, 2, 3), hk_v3(o.w[6], o.w[7], o.w[8])), F, 1e-6 * fabs(F));
  }
  unmake(&s);
}

/* Both flanks are alike: the same penetration causes the same force on either flank beyond the backlash; within
 * the backlash there is no force. */
static void reversal(void **state) {
  kind k = KINDS[1];
  for (int helical = 0; helical < 2; helical++, k.helix = 0.2) {
    subject s = make(&k);
    double torque[2];
    for (int back = 0; back < 2; back++) {
      put_frames(&s, 0, 1500 * RPM * (back ? -1 : 1));
      press(&s, back ? -(1e-4 / s.p->geometry.cos_base + 10e-6) : 10e-6);
      hk_force_out o = eval(&s, &s.A, &s.B, INFINITY, false);
      torque[back] = hk_dot(hk_v3(o.w[3], o.w[4], o.w[5]), hk_column(&s.A.R, 2));
    }
    assert_true(torque[0] < -50);
    /* At the pitch point of the forward flank, the other flank is at another point of its path: means are
     * compared. */
    double sum[2] = {0};
    for (int i = 0; i < 40; i++)
      for (int back = 0; back < 2; back++) {
        put_frames(&s, 2 * M_PI / 57 * i / 40, 1500 * RPM * (back ? -1 : 1));
        press(&s, back ? -(1e-4 / s.p->geometry.cos_base + 10e-6) : 10e-6);
        hk_force_out o = eval(&s, &s.A, &s.B, INFINITY, false);
        sum[back] += hk_dot(hk_v3(o.w[3], o.w[4], o.w[5]), hk_column(&s.A.R, 2)) / 40;
      }
    assert_about(sum[1], -sum[0], 3e-3 * fabs(sum[0]));
    put_frames(&s, 0.1, 0);
    press(&s, -50e-6);
    hk_force_out o = eval(&s, &s.A, &s.B, INFINITY, false);
    for (int i = 0; i < 12; i++) assert_true(fabs(o.w[i]) < 1e-3);
    unmake(&s);
  }
}

static double power_of(const hk_force_out *o, const subject *s) {
  double sum = 0;
  for (int f = 0; f < 2; f++) {
    const hk_frame *F = f ? &s->B : &s->A;
    const double *w = o->w + 6 * f;
    sum += hk_dot(hk_v3(w[0], w[1], w[2]), F->v) + hk_dot(hk_v3(w[3], w[4], w[5]), F->w);
  }
  return sum;
}

/* Prescribed motions over one pitch with an oscillating load and axial sliding: error of the balance of work,
 * supplied, lost and stored energy, relative to the largest stored energy. */
static double ledger(const kind *k, int steps) {
  subject s = make(k);
  const hk_involute *g = &s.p->geometry;
  double speed = 1500 * RPM, dt = 2 * M_PI / g->teeth[0] / speed / steps, sum = 0, start = 0,
         end = 0, most = 0;
  for (int i = 0; i <= steps; i++) {
    double phase = 2 * M_PI * 3 * i / steps, rate = 2e-6 * 2 * M_PI * 3 / (steps * dt) * cos(phase);
    s.shift = k->shift + k->slip * sin(phase);
    put_frames(&s, speed * i * dt, speed);
    s.B.v = hk_scale(k->slip * 2 * M_PI * 3 / (steps * dt) * cos(phase), hk_column(&s.A.R, 2));
    press(&s, 12e-6 + 2e-6 * sin(phase));
    s.A.w = hk_add(s.A.w, hk_scale(rate / g->base_radius[0], hk_column(&s.A.R, 2)));
    double h = i ? dt : INFINITY;
    hk_force_out o = eval(&s, &s.A, &s.B, h, false);
    assert_true(o.dissipated >= 0);
    sum += (i == 0 || i == steps ? 0.5 * dt : dt) * (power_of(&o, &s) - o.applied + o.dissipated);
    if (i == 0) start = o.potential;
    end = o.potential;
    most = fmax(most, o.potential);
    accept(&s, h);
  }
  assert_true(most > 1e-3);
  unmake(&s);
  return fabs(sum + end - start) / most;
}

/* Power = supplied - lost - d(stored)/dt.  When a pair enters the mesh, its film closes within one
 * five-hundredth of the pitch, which requires small steps. */
static void energy(void **state) {
  for (int n = 0; n < N_KINDS; n++) {
    double coarse = ledger(&KINDS[n], 4000), fine = ledger(&KINDS[n], 16000);
    if (!(fine < 0.45 * coarse || fine < 2e-3))
      fail_msg("kind %d: off by %g, then by %g", n, coarse, fine);
    assert_true(fine < 0.15);
  }
}

static void energy_of_gears_that_slip(void **state) {
  for (int ring = 0; ring < 2; ring++) {
    kind k = {{21, 75}, ring, 0, "dry_line", "iso", 0, 0, 9e-6, 3, .shift = 3e-3, .slip = 2.5e-3};
    double coarse = ledger(&k, 4000), fine = ledger(&k, 16000);
    if (!(fine < 2e-3)) fail_msg("off by %g, then by %g", coarse, fine);
  }
}

/* Flanks approach from beyond the range of their films until they carry load, slice by slice: the stored energy
 * starts at zero and equals the work of the motion minus the losses of the film. */
static double approach(const kind *k, int steps) {
  subject s = make(k);
  const hk_involute *g = &s.p->geometry;
  double speed = 1500 * RPM, dt = 4e-6 / steps, first = -55e-6, last = -40e-6,
         rate = (last - first) / (steps * dt), sum = 0;
  hk_force_out o = {0};
  for (int i = 0; i <= steps; i++) {
    put_frames(&s, 0.3 + speed * i * dt, speed);
    press(&s, first + rate * i * dt);
    s.A.w = hk_add(s.A.w, hk_scale(rate / g->base_radius[0], hk_column(&s.A.R, 2)));
    double h = i ? dt : INFINITY;
    o = eval(&s, &s.A, &s.B, h, false);
    if (i == 0) assert_true(o.potential == 0);
    sum += (i == 0 || i == steps ? 0.5 * dt : dt) * (power_of(&o, &s) - o.applied + o.dissipated);
    accept(&s, h);
  }
  unmake(&s);
  return fabs(sum + o.potential) / o.potential;
}

static void films_that_begin(void **state) {
  const kind k = {{57, 57}, false, 0, "ehl_line", "iso", 0, 0, 10e-6, 3, .backlash = 3e-4};
  double coarse = approach(&k, 2000), fine = approach(&k, 8000);
  if (!(fine < 0.3 * coarse && fine < 1e-3)) fail_msg("off by %g, then by %g", coarse, fine);
}

/* Tips that touch beyond the path of contact: this occurs at some positions within a pitch, for the tips of
 * both gears. */
static const kind CORNERS[] = {
    {{21, 75}, false, 0, "dry_line", "iso", 0, 0, 0, 2, .corner = true},
    {{21, 75}, true, 0, "ehl_line", "iso", 0, 0, 2e-6, 2, .corner = true},
    {{23, 61}, false, 0.2, "dry_line", "rigid", 0, 0, 0, 3, .corner = true},
};

static void corners(void **state) {
  for (int n = 0; n < 3; n++) {
    const kind *k = &CORNERS[n];
    for (int i = 0; i < 7; i++)
      check_tangent(k, n, 0.3 + 2 * M_PI / k->teeth[0] * (i + 0.5) / 7, i % 2);
    double coarse = ledger(k, 1000), fine = ledger(k, 4000);
    if (!((fine < 0.3 * coarse && fine < 0.02) || fine < 2e-4))
      fail_msg("corners, kind %d: off by %g, then by %g", n, coarse, fine);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(tangent),
                                     cmocka_unit_test(tangent_where_shifted),
                                     cmocka_unit_test(tangent_of_wide_slices),
                                     cmocka_unit_test(balance),
                                     cmocka_unit_test(directions),
                                     cmocka_unit_test(periodic),
                                     cmocka_unit_test(reversal),
                                     cmocka_unit_test(energy),
                                     cmocka_unit_test(energy_of_gears_that_slip),
                                     cmocka_unit_test(films_that_begin),
                                     cmocka_unit_test(corners)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
