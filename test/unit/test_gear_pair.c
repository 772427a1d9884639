/* Gear pairs as forces between frames: balance, exact tangents, invariance, both flanks, energy and memory,
 * for spur, helical and ring gears, dry and lubricated, aligned and not. */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "base/arena.h"
#include "force/gear_pair.h"
#include "gear/act.h"
#include "gear/quasistatic.h"
#include <hooke/spec.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define assert_about(got, wanted, tolerance)                                                 \
  do {                                                                                       \
    double got_ = (got), wanted_ = (wanted);                                                 \
    if (!(fabs(got_ - wanted_) <= (tolerance))) fail_msg("%.12g, not %.12g", got_, wanted_); \
  } while (0)

static const double RPM = M_PI / 30;

typedef struct subject {
  hk_spec *spec;
  hk_arena arena;
  hk_item *pair;
  const hk_force_ops *ops;
  hk_gear_pair *p;
  double *memory, *scratch;
  hk_frame A, B;
} subject;

static void must(hk_status status, const hk_error *err) {
  if (status) fail_msg("%s", err->text);
}

typedef struct kind {
  int teeth[2];
  bool ring;
  double helix;
  const char *law, *compliance;
  double mu, damping, crown;
  int slices;
  double backlash; /* 0: 0.1 mm */
  bool corner;
} kind;

/* Frames where the gears mesh: gear a turned by `turn`, gear b placed along the direction `along`. */
static void put_frames(subject *s, double turn, double speed) {
  const hk_involute *g = &s->p->geometry;
  hk_quat world = hk_quat_exp(hk_v3(0.3, -0.2, 0.5)); /* nothing along the world's axes */
  hk_mat3 W = hk_quat_matrix(world);
  hk_quat spin = hk_quat_axis_angle(hk_v3(0, 0, 1), turn);
  double ratio = g->sign * g->teeth[0] / g->teeth[1];
  hk_quat back = hk_quat_axis_angle(hk_v3(0, 0, 1), -ratio * turn);
  hk_mat3 Ra = hk_quat_matrix(spin), Rb = hk_quat_matrix(back);
  memset(&s->A, 0, sizeof s->A);
  memset(&s->B, 0, sizeof s->B);
  s->A.x = hk_v3(0.1, 0.2, -0.3);
  s->B.x = hk_add(
      s->A.x, hk_mul(&W, hk_v3(g->center_distance * cos(0.4), g->center_distance * sin(0.4), 0)));
  s->A.R = hk_matmul(&W, &Ra);
  s->B.R = hk_matmul(&W, &Rb);
  s->A.w = hk_mul(&W, hk_v3(0, 0, speed));
  s->B.w = hk_mul(&W, hk_v3(0, 0, -ratio * speed));
}

static subject make(const kind *k) {
  hk_error err = {0};
  const void *constants;
  subject s = {.spec = hk_spec_create()};
  hk_arena_init(&s.arena);
  hk_item *law = hk_spec_add(s.spec, HK_LAW, k->law, "law", &err);
  if (strcmp(k->law, "ehl_line") == 0) must(hk_item_real(law, "viscosity", 0.025, &err), &err);
  if (k->mu > 0) must(hk_item_real(law, "mu", k->mu, &err), &err);
  if (k->mu < 0) must(hk_item_text(law, "friction", "mixed", &err), &err);
  if (k->damping > 0) must(hk_item_real(law, "damping", k->damping, &err), &err);
  s.pair = hk_spec_add(s.spec, HK_FORCE, "gear_pair", "mesh", &err);
  must(hk_item_int(s.pair, "teeth_a", k->teeth[0], &err), &err);
  must(hk_item_int(s.pair, "teeth_b", k->teeth[1], &err), &err);
  must(hk_item_bool(s.pair, "ring", k->ring, &err), &err);
  must(hk_item_real(s.pair, "module", 2.6e-3, &err), &err);
  must(hk_item_real(s.pair, "helix_angle", k->helix, &err), &err);
  must(hk_item_real(s.pair, "face_width", 23e-3, &err), &err);
  must(hk_item_real(s.pair, "backlash", k->backlash > 0 ? k->backlash : 1e-4, &err), &err);
  must(hk_item_bool(s.pair, "corner", k->corner, &err), &err);
  must(hk_item_real(s.pair, "crown_b", k->crown, &err), &err);
  must(hk_item_real(s.pair, "lead_crown_a", k->crown / 3, &err), &err);
  must(hk_item_int(s.pair, "slices", k->slices, &err), &err);
  must(hk_item_text(s.pair, "compliance", k->compliance, &err), &err);
  must(hk_item_text(s.pair, "stand", "forward", &err), &err);
  must(hk_item_text(s.pair, "law", "law", &err), &err);
  s.ops = s.pair->type->ops;
  must(s.ops->prepare(s.pair, &s.arena, &constants, &err), &err);
  s.p = (hk_gear_pair *)constants;
  put_frames(&s, 0, 0);
  must(s.ops->place(s.pair, &s.A, &s.B, s.p, &s.arena, &err), &err);
  int n_memory, n_scratch;
  s.ops->sizes(s.pair->data, s.p, &n_memory, &n_scratch);
  s.memory = calloc((size_t)n_memory, sizeof *s.memory);
  s.scratch = calloc((size_t)n_scratch, sizeof *s.scratch);
  return s;
}

static void unmake(subject *s) {
  free(s->memory);
  free(s->scratch);
  hk_arena_free(&s->arena);
  hk_spec_destroy(s->spec);
}

static hk_force_out eval(const subject *s, const hk_frame *A, const hk_frame *B, double h,
                         bool tangent) {
  hk_force_in in = {
      .h = h, .A = A, .B = B, .constants = s->p, .memory = s->memory, .scratch = s->scratch};
  hk_force_out out = {.tangent = tangent};
  s->ops->eval(s->pair->data, &in, &out);
  if (out.failed) fail_msg("%s", out.failed);
  return out;
}

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

/* Presses the flank by turning gear a (about its own axis) by as much as makes this overlap. */
static void press(subject *s, double overlap) {
  hk_mat3 R = hk_quat_matrix(
      hk_quat_axis_angle(hk_column(&s->A.R, 2), overlap / s->p->geometry.base_radius[0]));
  s->A.R = hk_matmul(&R, &s->A.R);
}

static const kind KINDS[] = {
    {{57, 57}, false, 0, "dry_line", "iso", 0, 0, 10e-6, 3},
    {{57, 57}, false, 0, "ehl_line", "iso", 0, 0, 10e-6, 3},
    {{23, 61}, false, 0.25, "ehl_line", "iso", -1, 0, 5e-6, 7},
    {{23, 61}, false, -0.25, "dry_line", "iso", 0.08, 3000, 0, 5},
    {{21, 75}, true, 0, "ehl_line", "iso", 0.05, 0, 4e-6, 3},
    {{21, 75}, true, 0.2, "dry_line", "rigid", 0.05, 0, 0, 4},
};
enum { N_KINDS = sizeof KINDS / sizeof *KINDS };

/* A moment with everything that can be there: load, tilt, offset, motions, and a film that remembers. */
static subject moment(const kind *k, double turn, double overlap) {
  subject s = make(k);
  put_frames(&s, turn, 1500 * RPM);
  press(&s, overlap);
  hk_force_in in = {.h = INFINITY,
                    .A = &s.A,
                    .B = &s.B,
                    .constants = s.p,
                    .memory = s.memory,
                    .scratch = s.scratch};
  s.ops->accept(s.pair->data, &in, s.memory);
  static const double off[6] = {6e-7, -9e-7, 4e-6, 3e-5, -4e-5, 5e-6},
                      v[6] = {1e-3, -2e-3, 3e-3, 0.1, -0.2, 0.3};
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
    double step = j >= 12 ? 1e-3 : (j % 6 < 3 ? 1e-9 : 2e-8), d[12] = {0};
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

/* Force of a spur pair: along the line of action, torque base radius times load; of a helical one the axial
 * force is tan(base helix angle) times the transverse one. */
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
    assert_true(g->sign * radial > 0); /* external gears are pushed apart, a ring is pulled over */
    assert_true(g->sign * along > 0);
    assert_true(axial * k.helix <=
                0); /* a right-handed gear a that turns to the left pushes b towards -z */
    unmake(&s);
  }
}

/* Turning one pitch on changes nothing, through whole turns; nor does turning all of the model. */
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

/* Both flanks are alike: the overlap that presses one with a force presses the other with the same, beyond
 * the backlash; in between there is none. */
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
    /* At the pitch point of the forward flank the other is elsewhere on its path: compare means. */
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

/* Through a pitch with a load that swings, by prescribed motions: what the balance of work, energy fed in, lost
 * and stored is off by, over the largest energy stored. */
static double ledger(const kind *k, int steps) {
  subject s = make(k);
  const hk_involute *g = &s.p->geometry;
  double speed = 1500 * RPM, dt = 2 * M_PI / g->teeth[0] / speed / steps, sum = 0, start = 0,
         end = 0, most = 0;
  for (int i = 0; i <= steps; i++) {
    double phase = 2 * M_PI * 3 * i / steps, rate = 2e-6 * 2 * M_PI * 3 / (steps * dt) * cos(phase);
    put_frames(&s, speed * i * dt, speed);
    press(&s, 12e-6 + 2e-6 * sin(phase));
    s.A.w = hk_add(s.A.w, hk_scale(rate / g->base_radius[0], hk_column(&s.A.R, 2)));
    hk_force_in in = {.h = i ? dt : INFINITY,
                      .A = &s.A,
                      .B = &s.B,
                      .constants = s.p,
                      .memory = s.memory,
                      .scratch = s.scratch};
    hk_force_out o = eval(&s, &s.A, &s.B, in.h, false);
    assert_true(o.dissipated >= 0);
    sum += (i == 0 || i == steps ? 0.5 * dt : dt) * (power_of(&o, &s) - o.applied + o.dissipated);
    if (i == 0) start = o.potential;
    end = o.potential;
    most = fmax(most, o.potential);
    s.ops->accept(s.pair->data, &in, s.memory);
  }
  assert_true(most > 1e-3);
  unmake(&s);
  return fabs(sum + end - start) / most;
}

/* Power = fed in - lost - d(stored)/dt.  Where a pair enters, things happen within a five hundredth of the pitch,
 * in which the film closes: that takes fine steps. */
static void energy(void **state) {
  for (int n = 0; n < N_KINDS; n++) {
    double coarse = ledger(&KINDS[n], 4000), fine = ledger(&KINDS[n], 16000);
    if (!(fine < 0.45 * coarse || fine < 2e-3))
      fail_msg("kind %d: off by %g, then by %g", n, coarse, fine);
    assert_true(fine < 0.15);
  }
}

/* Tips that touch beyond the path of contact: in some of the places through a pitch they do, of either gear. */
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

/* As the helix angle goes to zero a helical pair becomes the spur one; many slices converge. */
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

/* Axes that are tilted in the plane of action open the flanks at one end of the face as a slope of the lead
 * does. */
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
  for (int i = 3; i < 6; i++) { /* moments on a: also those that would tilt it */
    by = fmax(by, fabs(sloped.w[i] - plain.w[i]));
    off = fmax(off, fabs(tilted.w[i] - sloped.w[i]));
  }
  if (!(by > 1 && off < 0.02 * by)) fail_msg("%g N m of %g", off, by);
  unmake(&s);
}

/* Slices of helical teeth come into contact bit by bit, so that few of them say what many do: mean and peak to peak of
 * the transmission error, and the largest pressure. */
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

/* ---- flanks with more material than drawn ---- */

/* A trace that adds material all over is a gear that is turned, on either flank: contact then begins where the drawn
 * flanks are far apart. */
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
    s.p->least_shape = hk_gear_shape_least(&s.p->shape[0], s.p->axial, s.p->slices, 0);
    assert_true(s.p->least_shape <= -more);
    put_frames(&s, 0.3 + more / s.p->geometry.base_radius[0],
               1500 * RPM); /* gear a stands as before */
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

/* All teeth displaced alike are a gear that is turned: of either gear, on either flank. */
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
        /* Turned teeth are elsewhere on the path by as much, which counts where slices enter it. */
        assert_about(torque_at(&s, 0.35, overlap, 0, 0), turned, 0.03 * fabs(turned - plain));
        assert_true(fabs(turned - plain) > 0.05 * fabs(plain));
        unmake(&s);
      }
}

/* One displaced tooth is felt when it is in mesh, once in a turn of its gear, and at no other time.  Tooth 0
 * lies on the x axis of its frame, and tooth k k pitches to the left of it. */
static void pitch_error_of_one(void **state) {
  for (int n = 0; n < N_KINDS; n++)
    for (int gear = 0; gear < 2; gear++)
      for (int tooth = 0; tooth < 8; tooth += 7) {
        subject s = make(&KINDS[n]);
        const hk_involute *g = &s.p->geometry;
        double list[80] = {0}, pitch = 2 * M_PI / g->teeth[gear];
        double ratio =
            gear ? -g->sign * g->teeth[0] / g->teeth[1] : 1; /* turns of it per turn of a */
        /* The line of centres is at 0.4 rad; gear b, and a gear in a ring, mesh on its other end. */
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
enum { LOAD = 2, PAIRS = 3, PLAIN = 9, MOST = 48 };

static hk_force_in input(const subject *s, double h) {
  return (hk_force_in){.h = h,
                       .A = &s->A,
                       .B = &s->B,
                       .constants = s->p,
                       .memory = s->memory,
                       .scratch = s->scratch};
}

static void read_channels(const subject *s, double h, double value[MOST]) {
  hk_force_in in = input(s, h);
  hk_force_out out = eval(s, &s->A, &s->B, h, false);
  s->ops->read(s->pair->data, &in, &out, value);
}

static void accept(subject *s, double h) {
  hk_force_in in = input(s, h);
  s->ops->accept(s->pair->data, &in, s->memory);
}

/* Through a whole turn and both ways: the loads of the pairs add up to the load, their shares to one, and a
 * slot has the same pair from when it comes until it goes: its load has no jumps, though the teeth's numbers
 * begin anew. */
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
      for (int k = 0; k < slots; k++) assert_true(used[k] > steps / 20); /* each has its turn */
      unmake(&s);
    }
}

/* Slowly turned the pairs share the load as hooke gear says; but where a pair comes its film is squeezed, which
 * is the same at all speeds because slow films are thin. */
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
      /* R1 = rb (turn - 0.4 + half_angle + working pressure angle), of which pressing is a part. */
      double turn = (g->pitch_roll[0] + way - at->overlap) / g->base_radius[0] + 0.4 -
                    g->half_angle[0] - g->working_pressure_angle;
      put_frames(&s, turn, speed);
      /* The teeth were put in contact at turn 0, with the flanks touching: what is pressed is the overlap. */
      press(&s, at->overlap);
      read_channels(&s, i ? dt : INFINITY, v);
      accept(&s, i ? dt : INFINITY);
      assert_about(v[LOAD], q.load, (wet ? 5e-3 : 1e-6) * q.load);
      for (int k = 0; k < 2; k++) { /* either slot has one of the pairs on the path */
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
  const struct CMUnitTest tests[] = {cmocka_unit_test(tangent),
                                     cmocka_unit_test(balance),
                                     cmocka_unit_test(directions),
                                     cmocka_unit_test(periodic),
                                     cmocka_unit_test(reversal),
                                     cmocka_unit_test(energy),
                                     cmocka_unit_test(corners),
                                     cmocka_unit_test(helical_limits),
                                     cmocka_unit_test(tilt_is_a_slope_of_the_lead),
                                     cmocka_unit_test(few_helical_slices),
                                     cmocka_unit_test(thick_teeth),
                                     cmocka_unit_test(pitch_error_of_all),
                                     cmocka_unit_test(pitch_error_of_one),
                                     cmocka_unit_test(loads_of_pairs),
                                     cmocka_unit_test(shares_of_slow_gears)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
