/* Detection of elements without analytic derivatives.  Such an element leaves all derivatives zero.  Each element is
 * therefore evaluated in the initial position and at nearby positions and velocities: if its force changes but all
 * derivatives stay zero, the library uses finite differences (hooke/numerical.h), and compilation adds one note per type. 
 * For most elements one evaluation is enough.  An element with only a part of its derivatives is not detected here; `hooke
 * conform` reports it as an error. */
#include "model/compile.h"
#include <hooke/numerical.h>
#include <string.h>

void hk_compile_numerical(hk_compiler *c, const hk_item *item) {
  for (int i = 0; i < c->numerical.n; i++)
    if (c->numerical.at[i] == item->type) return;
  const hk_type **at = HK_PUSH(&c->numerical);
  if (!at) {
    c->out_of_memory = true;
    return;
  }
  *at = item->type;
  hk_diag_add(c->diag, HK_NOTE, hk_item_location(item, NULL),
              "%s '%s': the derivatives of type '%s' are finite differences",
              hk_category_name(item->type->category), item->name, item->type->name);
}

/* Observations of an element: whether it had a nonzero derivative, and whether its force
 * changed. */
typedef struct seen {
  bool any, derivatives, changes;
  double first[13], size;
} seen;

static void compare(seen *s, const double *x, int n) {
  for (int i = 0; i < n; i++) s->size = fmax(s->size, fabs(x[i]));
  if (!s->any) memcpy(s->first, x, (size_t)n * sizeof *x);
  s->any = true;
  for (int i = 0; i < n; i++) /* more than round-off */
    if (fabs(x[i] - s->first[i]) > 1e-12 * s->size) s->changes = true;
}

static bool any(const double *x, size_t n) {
  for (size_t i = 0; i < n; i++)
    if (x[i] != 0) return true;
  return false;
}

/* ---- forces ---- */

static void look_at_force(const hk_force *f, const hk_force_in *in, seen *s) {
  hk_force_out out;
  double x[13];
  memset(&out, 0, sizeof out);
  out.tangent = true;
  f->ops->eval(f->item->data, in, &out);
  if (out.failed) return;
  memcpy(x, out.w, sizeof out.w);
  x[12] = out.F;
  compare(s, x, 13);
  s->derivatives = s->derivatives || out.has_K || out.has_C || out.F_c != 0 || out.F_rate != 0 ||
                   out.F_load != 0 || any(out.F_e, HK_FORCE_MAX_EXPR) || any(out.w_load, 12) ||
                   any(&out.w_e[0][0], sizeof out.w_e / sizeof(double));
}

static void look_along(const hk_force *f, hk_force_in *in, double *x, double step, seen *s) {
  const double at = *x;
  for (int side = -1; side <= 1 && !s->derivatives; side += 2) {
    *x = at + side * step;
    look_at_force(f, in, s);
  }
  *x = at;
}

/* Displacements that are large enough to change a force and small compared with the dimensions
 * of machines. */
static const double STEP = 1e-4, SPEED = 0.1;

static void look_around(const hk_force *f, hk_force_in *in, seen *s) {
  const hk_frame *A = in->A, *B = in->B;
  look_at_force(f, in, s);
  if (f->coordinate >= 0) {
    look_along(f, in, &in->c, STEP * fmax(1, fabs(in->c)), s);
    look_along(f, in, &in->rate, SPEED, s);
  }
  if (f->joint >= 0) look_along(f, in, &in->load, 1, s);
  for (int i = 0; i < f->n_expr; i++) look_along(f, in, &in->e[i], 1, s);
  for (int j = 0; A && j < 48 && !s->derivatives; j++) {
    hk_frame varied[2];
    hk_frames_vary(A, B, j / 2, (j % 2 ? 1 : -1) * (j < 24 ? STEP : SPEED), varied);
    in->A = &varied[0];
    in->B = &varied[1];
    look_at_force(f, in, s);
  }
  in->A = A;
  in->B = B;
}

/* Evaluates the force in the initial position, with h = INFINITY and the initial internal variables. */
void hk_compile_force_differences(hk_compiler *c, hk_force *f, int scratch) {
  const hk_force_ops *ops = f->ops;
  if (f->numerical || !ops->eval) return;
  double *room = calloc((size_t)f->n_memory + (size_t)scratch + 1, sizeof *room);
  if (!room) {
    c->out_of_memory = true;
    return;
  }
  hk_force_in in = {.h = INFINITY,
                    .load = 1,
                    .rate = SPEED,
                    .constants = f->constants,
                    .memory = room,
                    .scratch = room + f->n_memory};
  hk_frame A, B;
  if (f->a >= 0) {
    A = hk_compile_frame_at(c, f->a), B = hk_compile_frame_at(c, f->b);
    B.v = hk_v3(SPEED, SPEED, SPEED);
    in.A = &A, in.B = &B;
    in.a_rests = c->marker.at[f->a].node == HK_GROUND;
  } else if (f->coordinate >= 0) {
    const hk_coordinate *q = &c->coordinate.at[f->coordinate];
    A = hk_compile_frame_at(c, q->a), B = hk_compile_frame_at(c, q->b);
    q->type->value(q->k, &A, &B, &in.c);
  }
  if (ops->start)
    ops->start(f->item->data, &in, room);
  else if (ops->accept)
    ops->accept(f->item->data, &in, room);
  seen s = {0};
  look_around(f, &in, &s);
  f->numerical = s.changes && !s.derivatives;
  if (f->numerical) hk_compile_numerical(c, f->item);
  free(room);
}

/* ---- contacts ---- */

static void look_at_law(const hk_contact *k, const hk_law_in *in, seen *s) {
  hk_normal out = {0};
  k->law->normal(k->l, in, &out);
  if (out.failed) return;
  compare(s, &out.N, 1);
  s->derivatives = s->derivatives || out.N_depth != 0 || out.N_rate != 0;
}

/* Evaluates the law at depths measured from the gap at which it begins to act, over the range of
 * contacts of any stiffness. */
static bool law_gives_none(const hk_contact *k, double *room) {
  hk_law_in in = {
      .h = INFINITY, .constants = k->constants, .memory = room, .scratch = room + k->law->memory};
  seen s = {0};
  if (k->law->start)
    k->law->start(k->l, &in, room);
  else if (k->law->accept)
    k->law->accept(k->l, &in, room);
  for (int i = 0; i < 16 && !s.derivatives; i++) {
    in.depth = pow(10, -8 + i / 2) - k->reach;
    in.rate = i % 2 ? SPEED : 0;
    look_at_law(k, &in, &s);
  }
  return s.changes && !s.derivatives;
}

static void look_at_gap(const hk_contact *k, const hk_frame *A, const hk_frame *B, seen *s) {
  hk_gap gap[HK_CONTACT_MAX_POINTS];
  memset(gap, 0, sizeof gap);
  k->gap->eval(k->k, A, B, INFINITY, true, gap);
  for (int p = 0; p < k->n_points; p++) {
    if (p == 0) compare(s, &gap[p].n.x, 3);
    s->derivatives = s->derivatives || any(&gap[p].n_d[0][0], 36) || any(&gap[p].c_d[0][0], 36);
  }
}

static bool gap_gives_none(const hk_compiler *c, const hk_contact *k) {
  const hk_frame A = hk_compile_frame_at(c, k->a), B = hk_compile_frame_at(c, k->b);
  seen s = {0};
  look_at_gap(k, &A, &B, &s);
  for (int j = 0; j < 12 && !s.derivatives; j++) {
    hk_frame varied[2];
    hk_frames_vary(&A, &B, j, STEP, varied);
    look_at_gap(k, &varied[0], &varied[1], &s);
  }
  return s.changes && !s.derivatives;
}

void hk_compile_contact_differences(hk_compiler *c, hk_contact *k) {
  if (k->gap->eval && gap_gives_none(c, k)) {
    k->gap_numerical = true;
    k->ball = false; /* the fast path for balls has its own derivatives and cannot be used */
    hk_compile_numerical(c, k->item);
  }
  if (k->law->set_valued) return;
  double *room = calloc((size_t)k->law->memory + (size_t)k->law->scratch + 1, sizeof *room);
  if (!room) {
    c->out_of_memory = true;
    return;
  }
  k->law_numerical = law_gives_none(k, room);
  if (k->law_numerical) hk_compile_numerical(c, k->law_item);
  free(room);
}
