/* See mesh.h. */
#include "gear/mesh.h"
#include "base/small_lu.h"
#include <math.h>
#include <stddef.h>

enum { ROUNDS = 60, TRIES = 3 };
/* After a step of LAST or less the next one would be about its square. */
static const double STEP = 2.5, LAST = 1e-5;

/* J[n][n], its pivots, the residual. */
int hk_mesh_room(int n) { return n * n + 2 * n; }

/* A load to begin with: that of a slice alone that has to take up `overlap`; a light one without any. */
static double guess(const hk_mesh_slice *s, double C, double overlap) {
  double local = 25 / (M_PI * s->spot.modulus * s->spot.width);
  double least = 100 * s->spot.width, F = overlap / (s->weight * C + local);
  return log(fmax(F, least));
}

static void set_open(hk_mesh_slice *s, double x) {
  s->open = true;
  s->x = x;
  s->load = (hk_line_load){0};
}

/* Slices that were open begin so: were they closed each time only to be found open, their load would have to
 * fall to nothing by steps of STEP first. */
static void begin(const hk_line_ops *ops, const void *law, hk_mesh_slice *slice, int n,
                  const double *C, double least) {
  double reach = ops->reach ? ops->reach(law) : 0;
  for (int i = 0; i < n; i++) {
    hk_mesh_slice *s = &slice[i];
    s->open = false;
    s->tries = 0;
    if (s->overlap <= -reach) { /* the others can only widen the gap */
      set_open(s, least);
      continue;
    }
    ops->ready(law, &s->spot);
    if (isnan(s->x))
      s->x = guess(s, C[i * n + i], s->overlap);
    else if (!(s->x > least))
      set_open(s, least);
  }
}

/* With a part of its width a slice carries that part of the load, at the same line load and film. */
static void set_load(const hk_line_ops *ops, const void *law, hk_mesh_slice *s) {
  hk_line_load *l = &s->load;
  double w = s->weight;
  ops->load(law, &s->spot, &s->past, s->x, l);
  if (w == 1) return;
  l->F *= w, l->F_x *= w, l->F_r *= w, l->F_u *= w;
  l->steady *= w, l->damping *= w;
  l->energy *= w, l->coenergy_r *= w, l->coenergy_k *= w;
}

/* Gap of slice i were it open, under the loads of the others; with its own, the residual. */
static double gap(const hk_mesh_slice *slice, int n, const double *C, int i) {
  double sum = slice[i].load.y - slice[i].overlap;
  for (int j = 0; j < n; j++) sum += C[i * n + j] * slice[j].load.F;
  return sum;
}

/* Residuals and Jacobian at x; an open slice that would be pressed is closed.  True if one was. */
static bool evaluate(const hk_line_ops *ops, const void *law, hk_mesh_slice *slice, int n,
                     const double *C, double *J, double *r) {
  bool changed = false;
  for (int i = 0; i < n; i++)
    if (!slice[i].open) set_load(ops, law, &slice[i]);
  for (int i = 0; i < n; i++) {
    hk_mesh_slice *s = &slice[i];
    if (!s->open || !(s->overlap > 0)) continue;
    double more = -gap(slice, n, C, i);
    if (!(more > 0)) continue;
    s->open = false;
    changed = true;
    s->x = guess(s, C[i * n + i], more);
    set_load(ops, law, s);
  }
  for (int i = 0; i < n; i++) {
    bool open = slice[i].open;
    r[i] = open ? 0 : gap(slice, n, C, i);
    for (int j = 0; j < n; j++) J[i * n + j] = open ? 0 : C[i * n + j] * slice[j].load.F_x;
    J[i * n + i] = open ? 1 : J[i * n + i] + slice[i].load.y_x;
  }
  return changed;
}

/* Newton's step of a slice, dx = -step in x.  A dry law is nearly linear in the load: its step is the one in the
 * load, by F step, and where that leaves none to press with the slice opens.  Should it have to close again too
 * often the load goes down in x, which is slow and sure. */
static void advance(hk_mesh_slice *s, double step, double least) {
  bool dry = least > -INFINITY;
  if (dry && step >= 1 && s->tries < TRIES) {
    s->tries++;
    set_open(s, least);
    return;
  }
  double dx = dry && step < 1 ? log1p(-step) : -step;
  s->x += fmax(-STEP, fmin(STEP, dx));
  if (s->x < least) set_open(s, least);
}

/* The last step, to first order in everything that comes of it: x is off by the square of the step, and the law
 * need not be asked again. */
static void finish(hk_mesh_slice *s, double step) {
  hk_line_load *l = &s->load;
  double dx = -step;
  s->x += dx;
  l->F += l->F_x * dx;
  l->y += l->y_x * dx;
  l->energy += l->steady * l->deformation_x * dx;
  l->steady += l->steady * dx;
  l->deformation += l->deformation_x * dx;
  l->film += l->film_x * dx;
}

int hk_mesh_solve(const hk_line_ops *ops, const void *law, hk_mesh_slice *slice, int n,
                  const double *C, double *room) {
  double *J = room, *pivot = J + (size_t)n * (size_t)n, *r = pivot + n;
  double least = ops->least ? ops->least(law) : -INFINITY;
  begin(ops, law, slice, n, C, least);
  for (int round = 0; round < ROUNDS; round++) {
    bool changed = evaluate(ops, law, slice, n, C, J, r);
    double most = 0;
    if (!hk_small_lu_factor(J, pivot, n, 0)) return -1;
    hk_small_lu_solve(J, pivot, n, r, 1);
    for (int i = 0; i < n; i++) most = fmax(most, slice[i].open ? 0 : fabs(r[i]));
    if (!(most < INFINITY)) return -1;
    bool last = most <= LAST && !changed;
    for (int i = 0; i < n; i++) {
      if (slice[i].open) continue;
      if (last)
        finish(&slice[i], r[i]);
      else
        advance(&slice[i], r[i], least);
    }
    if (last) return round + 1;
  }
  return -1;
}

void hk_mesh_respond(const hk_mesh_slice *slice, int n, const double *room, double *z, int m) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) z[i * m + j] = slice[i].open ? 0 : -z[i * m + j];
  hk_small_lu_solve(room, room + (size_t)n * (size_t)n, n, z, m);
}
