/* Models of beams as text, for the tests of beams and shafts. */
#ifndef BEAM_MODEL_H
#define BEAM_MODEL_H
#include "verify/verify.h"
#include <hooke/linear.h>

/* ---- text, written piece by piece ---- */

typedef struct bm_text {
  char text[60000];
  size_t n;
} bm_text;

static inline void bm_put(bm_text *w, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static inline void bm_put(bm_text *w, const char *format, ...) {
  va_list args;
  va_start(args, format);
  int n = vsnprintf(w->text + w->n, sizeof w->text - w->n, format, args);
  va_end(args);
  assert_true(n >= 0 && w->n + (size_t)n < sizeof w->text);
  w->n += (size_t)n;
}

/* ---- beams ---- */

typedef struct bm_stiffness {
  double EA, GAy, GAz, GJ, EIy, EIz, damping;
} bm_stiffness;

static inline bm_stiffness bm_round(double EA, double GA, double GJ, double EI) {
  return (bm_stiffness){EA, GA, GA, GJ, EI, EI, 0};
}

/* Steel, 210 GPa and nu 0.3, with Cowper's shear factor. */
static inline bm_stiffness bm_steel(double outer, double inner) {
  double ro = outer / 2, ri = inner / 2, nu = 0.3, E = 2.1e11, G = E / 2.6, q = ri / ro;
  double A = M_PI * (ro * ro - ri * ri), I = M_PI / 4 * (pow(ro, 4) - pow(ri, 4));
  double s = (1 + q * q) * (1 + q * q);
  double k = 6 * (1 + nu) * s / ((7 + 6 * nu) * s + (20 + 12 * nu) * q * q);
  return bm_round(E * A, k * G * A, 2 * G * I, E * I);
}

static inline void bm_put_beam(bm_text *w, const char *name, const char *a, const char *b, double h,
                               const bm_stiffness *s) {
  bm_put(w,
         "  %s: {type: beam, a: %s, b: %s, length: %.17g m, axial_stiffness: %.17g N,\n"
         "    shear_stiffness_y: %.17g N, shear_stiffness_z: %.17g N, torsion_stiffness: %.17g "
         "N*m^2,\n"
         "    bending_stiffness_y: %.17g N*m^2, bending_stiffness_z: %.17g N*m^2, damping: %.17g "
         "s}\n",
         name, a, b, h, s->EA, s->GAy, s->GAz, s->GJ, s->EIy, s->EIz, s->damping);
}

/* ---- rows of bodies with beams between them ---- */

/* The bodies n0 ... nn along x, with masses as in src/composite/shaft.c. */
typedef struct bm_row {
  int n;
  double length;
  bm_stiffness s;
  double rhoA, rhoI, rhoIp; /* per length; rhoA = 0: without mass */
  double spin;              /* about x [rad/s] */
  bool held;                /* the masses of the two ends are fixed and have no effect */
} bm_row;

static inline void bm_put_body(bm_text *w, const bm_row *r, int k) {
  double h = r->length / r->n, share = k == 0 || k == r->n ? 0.5 : 1;
  double off = r->held ? 0 : k == 0 ? h / 6 : k == r->n ? -h / 6 : 0;
  bm_put(w,
         "  n%d: {mass: %.17g kg, position: [%.17g m, 0, 0], angular_velocity: [%.17g rad/s, 0, 0]",
         k, share * r->rhoA * h, h * k, r->spin);
  if (r->rhoA > 0)
    bm_put(w,
           ",\n    center_of_mass: [%.17g m, 0, 0], inertia: [%.17g kg*m^2, %.17g kg*m^2, %.17g "
           "kg*m^2]",
           off, share * r->rhoIp * h, share * r->rhoI * h, share * r->rhoI * h);
  bm_put(w, "}\n");
}

static inline void bm_put_bodies(bm_text *w, const bm_row *r) {
  bm_put(w, "format: 1\nbodies:\n");
  for (int k = 0; k <= r->n; k++) bm_put_body(w, r, k);
}

/* beam0 ... ; further lines of the section `forces:` may follow. */
static inline void bm_put_beams(bm_text *w, const bm_row *r) {
  bm_put(w, "forces:\n");
  for (int k = 0; k < r->n; k++) {
    char name[3][20];
    snprintf(name[0], sizeof name[0], "beam%d", k);
    snprintf(name[1], sizeof name[1], "n%d", k);
    snprintf(name[2], sizeof name[2], "n%d", k + 1);
    bm_put_beam(w, name[0], name[1], name[2], r->length / r->n, &r->s);
  }
}

/* Both ends pinned, the far one free along the axis; the row of beams may rotate about it. */
static inline void bm_put_pinned(bm_text *w, const bm_row *r) {
  bm_put(w,
         "joints:\n  left: {type: spherical, b: n0}\n"
         "  right: {type: point_on_line, b: n%d, at: [%.17g m, 0, 0], axis: x}\n",
         r->n, r->length);
}

/* ---- answers ---- */

static inline void bm_compile(vf_case *c, const bm_text *w) {
  *c = (vf_case){0};
  hk_diag_init(&c->diag);
  vf_compile(c, hk_model_text_read("model", w->text, w->n, NULL, 0, &c->diag));
}

static inline void bm_at_rest(vf_case *c, const bm_text *w) {
  hk_static_report report;
  bm_compile(c, w);
  if (hk_static_solve(c->model, NULL, &c->sim, &report, &c->diag, &c->err))
    fail_msg("%s", c->err.text);
}

static inline double bm_at(vf_case *c, int node, const char *coordinate) {
  char name[40];
  snprintf(name, sizeof name, "n%d.%s", node, coordinate);
  return vf_value(c, name);
}

/* Eigenvalues about the initial state of the model, including its velocities. */
static inline void bm_modes(vf_case *c, hk_modes *modes) {
  hk_linear *linear;
  vf_start(c, NULL);
  if (hk_linear_create(c->sim, NULL, &linear, &c->diag, &c->err) ||
      hk_modes_solve(linear, &(hk_modes_options){.values_only = true}, modes, &c->err))
    fail_msg("%s", c->err.text);
  hk_linear_destroy(linear);
}

/* The eigenvalue whose imaginary part is nearest to w. */
static inline hk_mode bm_nearest(const hk_modes *modes, double w) {
  hk_mode best = {.im = INFINITY};
  for (int i = 0; i < modes->n; i++)
    if (fabs(modes->mode[i].im - w) < fabs(best.im - w)) best = modes->mode[i];
  return best;
}
#endif
