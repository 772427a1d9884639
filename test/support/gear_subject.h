/* A gear pair as a force between two frames, without a model around it. */
#ifndef HK_TEST_GEAR_SUBJECT_H
#define HK_TEST_GEAR_SUBJECT_H
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "spec/type.h"
#include "base/arena.h"
#include "force/gear_pair.h"
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
  double shift, apart;
} subject;

static inline void must(hk_status status, const hk_error *err) {
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
  double shift, apart; /* initial displacement of b along the axes and away from a */
  double slip;         /* further displacement along the axes after placement */
  const char *stand;   /* NULL: forward */
  double wide_b;       /* face width of b; 0: as that of a, 23 mm */
} kind;

/* Frames of meshing gears: gear a rotated by the angle `turn`, gear b placed along the direction `along`. */
static inline void put_frames(subject *s, double turn, double speed) {
  const hk_involute *g = &s->p->geometry;
  hk_quat world = hk_quat_exp(hk_v3(0.3, -0.2, 0.5)); /* no axis is parallel to a world axis */
  hk_mat3 W = hk_quat_matrix(world);
  hk_quat spin = hk_quat_axis_angle(hk_v3(0, 0, 1), turn);
  double ratio = g->sign * g->teeth[0] / g->teeth[1];
  hk_quat back = hk_quat_axis_angle(hk_v3(0, 0, 1), -ratio * turn);
  hk_mat3 Ra = hk_quat_matrix(spin), Rb = hk_quat_matrix(back);
  memset(&s->A, 0, sizeof s->A);
  memset(&s->B, 0, sizeof s->B);
  s->A.x = hk_v3(0.1, 0.2, -0.3);
  double distance = g->center_distance + s->apart;
  s->B.x = hk_add(s->A.x, hk_mul(&W, hk_v3(distance * cos(0.4), distance * sin(0.4), s->shift)));
  s->A.R = hk_matmul(&W, &Ra);
  s->B.R = hk_matmul(&W, &Rb);
  s->A.w = hk_mul(&W, hk_v3(0, 0, speed));
  s->B.w = hk_mul(&W, hk_v3(0, 0, -ratio * speed));
}

static inline subject make(const kind *k) {
  hk_error err = {0};
  const void *constants;
  subject s = {.spec = hk_spec_create(), .shift = k->shift, .apart = k->apart};
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
  if (k->wide_b > 0) must(hk_item_real(s.pair, "face_width_b", k->wide_b, &err), &err);
  must(hk_item_real(s.pair, "backlash", k->backlash > 0 ? k->backlash : 1e-4, &err), &err);
  must(hk_item_bool(s.pair, "corner", k->corner, &err), &err);
  must(hk_item_real(s.pair, "crown_b", k->crown, &err), &err);
  must(hk_item_real(s.pair, "lead_crown_a", k->crown / 3, &err), &err);
  must(hk_item_int(s.pair, "slices", k->slices, &err), &err);
  must(hk_item_text(s.pair, "compliance", k->compliance, &err), &err);
  must(hk_item_text(s.pair, "stand", k->stand ? k->stand : "forward", &err), &err);
  must(hk_item_text(s.pair, "law", "law", &err), &err);
  s.ops = s.pair->type->ops;
  must(s.ops->prepare(s.pair, &s.arena, &constants, &err), &err);
  s.p = (hk_gear_pair *)constants;
  put_frames(&s, 0, 0);
  must(s.ops->set_placement(s.pair, &s.A, &s.B, s.p, &s.arena, &err), &err);
  int n_memory, n_scratch;
  s.ops->sizes(s.pair->data, s.p, &n_memory, &n_scratch);
  s.memory = calloc((size_t)n_memory, sizeof *s.memory);
  s.scratch = calloc((size_t)n_scratch, sizeof *s.scratch);
  return s;
}

static inline void unmake(subject *s) {
  free(s->memory);
  free(s->scratch);
  hk_arena_free(&s->arena);
  hk_spec_destroy(s->spec);
}

static inline hk_force_out eval(const subject *s, const hk_frame *A, const hk_frame *B, double h,
                                bool tangent) {
  hk_force_in in = {
      .h = h, .A = A, .B = B, .constants = s->p, .memory = s->memory, .scratch = s->scratch};
  hk_force_out out = {.tangent = tangent};
  s->ops->eval(s->pair->data, &in, &out);
  if (out.failed) fail_msg("%s", out.failed);
  return out;
}

static inline hk_force_in input(const subject *s, double h) {
  return (hk_force_in){.h = h,
                       .A = &s->A,
                       .B = &s->B,
                       .constants = s->p,
                       .memory = s->memory,
                       .scratch = s->scratch};
}

/* Accepts the step that ends here. */
static inline void accept(subject *s, double h) {
  hk_force_in in = input(s, h);
  s->ops->accept(s->pair->data, &in, s->memory);
}

/* Rotates gear a about its axis until the flank has this penetration. */
static inline void press(subject *s, double overlap) {
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
#endif
