/* See load_sharing.h. */
#include "gear/load_sharing.h"
#include "base/small_lu.h"
#include <math.h>
#include <stddef.h>

enum { ROUNDS = 60, TRIES = 3 };
/* Convergence is quadratic: after a step of size LAST, the next step would be about the square of this size. */
static const double STEP = 2.5, LAST = 1e-5;

/* Scratch memory: J[n][n], its pivots, the residual, the calls of the law. */
enum { CALL = (sizeof(hk_line_call) + sizeof(double) - 1) / sizeof(double) };
int hk_mesh_scratch(int n) { return n * n + 2 * n + CALL * n; }

/* The slices that share a load, and memory for the calls of their law. */
typedef struct mesh {
  const hk_line_ops *ops;
  const void *law;
  hk_mesh_slice *slice;
  int n;
  const double *C;
  double *J, *pivot, *r;
  hk_line_call *call;
  double least;
} mesh;

/* Approximate load of a single slice for a given penetration. */
static double alone(const hk_mesh_slice *s, double C, double overlap) {
  double local = 25 / (M_PI * s->spot.modulus * s->spot.width);
  return overlap / (s->weight * C + local);
}

/* Lower limit of the initial load. The limit is small for films, which carry load without penetration. For dry slices
 * the limit is well above their minimum load, because otherwise the iteration would open and close these slices again
 * and again. */
static double lightest(const hk_mesh_slice *s, double least) {
  return least > -INFINITY ? 10 * exp(least) : 100 * s->spot.width;
}
static double guess(const hk_mesh_slice *s, double C, double overlap, double least) {
  return log(fmax(alone(s, C, overlap), lightest(s, least)));
}

static void set_open(hk_mesh_slice *s, double x) {
  s->open = true;
  s->x = x;
  s->load = (hk_line_load){0};
}

static hk_line_call call_of(hk_mesh_slice *s) {
  return (hk_line_call){&s->spot, &s->past, s->x, &s->load};
}

/* Slices that were open after the last step are open at the start of the iteration. If the iteration started with
 * these slices closed, their load would first have to decrease to zero in steps of STEP. */
static void begin(const mesh *m) {
  double reach = m->ops->reach ? m->ops->reach(m->law) : 0;
  int asked = 0;
  for (int i = 0; i < m->n; i++) {
    hk_mesh_slice *s = &m->slice[i];
    s->open = false;
    s->tries = 0;
    /* the loads of other slices can only increase the gap of this slice */
    if (s->overlap <= -reach) {
      set_open(s, m->least);
      continue;
    }
    m->call[asked++] = call_of(s);
    if (isnan(s->x))
      s->x = guess(s, m->C[i * m->n + i], s->overlap, m->least);
    else if (!(s->x > m->least))
      set_open(s, m->least);
  }
  m->ops->ready(m->law, m->call, asked);
}

/* A slice with a fraction of its width in contact carries that fraction of the load, at the same
 * line load and film thickness. */
static void weigh(hk_line_load *l, double w) {
  if (w == 1) return;
  l->F *= w, l->F_x *= w, l->F_r *= w, l->F_u *= w;
  l->steady *= w, l->damping *= w;
  l->energy *= w, l->coenergy_r *= w, l->coenergy_k *= w;
}

/* Computes the loads of all slices that are not open. */
static void set_loads(const mesh *m) {
  int asked = 0;
  for (int i = 0; i < m->n; i++)
    if (!m->slice[i].open) m->call[asked++] = call_of(&m->slice[i]);
  m->ops->load(m->law, m->call, asked);
  for (int i = 0; i < m->n; i++)
    if (!m->slice[i].open) weigh(&m->slice[i].load, m->slice[i].weight);
}

/* Returns the gap of slice i under the loads of the other slices if slice i is open. If it is closed, returns its
 * residual. */
static double gap(const mesh *m, int i) {
  double sum = m->slice[i].load.y - m->slice[i].overlap;
  for (int j = 0; j < m->n; j++) sum += m->C[i * m->n + j] * m->slice[j].load.F;
  return sum;
}

/* Closes the open slices that would have a load above the minimum. Returns true if a slice was closed. */
static bool close_pressed(const mesh *m) {
  bool changed = false;
  for (int i = 0; i < m->n; i++) {
    hk_mesh_slice *s = &m->slice[i];
    if (!s->open || !(s->overlap > 0)) continue;
    double more = -gap(m, i), C = m->C[i * m->n + i];
    if (!(more > 0) || !(alone(s, C, more) > lightest(s, m->least))) continue;
    s->open = false;
    changed = true;
    s->x = guess(s, C, more, m->least);
    const hk_line_call one = call_of(s);
    m->ops->load(m->law, &one, 1);
    weigh(&s->load, s->weight);
  }
  return changed;
}

/* Computes residuals and Jacobian at x. */
static void set_equations(const mesh *m) {
  int n = m->n;
  for (int i = 0; i < n; i++) {
    bool open = m->slice[i].open;
    double *row = m->J + i * n;
    m->r[i] = open ? 0 : gap(m, i);
    for (int j = 0; j < n; j++) row[j] = open ? 0 : m->C[i * n + j] * m->slice[j].load.F_x;
    row[i] = open ? 1 : row[i] + m->slice[i].load.y_x;
  }
}

/* Newton step of a slice, dx = -step in x. A dry law is nearly linear in the load: there the step is taken in the
 * load, by F step, and the slice opens if its load becomes zero. If it has been closed again too often, the load
 * decreases in x instead, which is slower but always converges. */
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

/* Applies the last step, to first order in all results: the error of x is of the order of the
 * square of the step, and the law need not be evaluated again. */
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
  l->part += l->part_film * l->film_x * dx;
}

int hk_mesh_solve(const hk_line_ops *ops, const void *law, hk_mesh_slice *slice, int n,
                  const double *C, double *room) {
  double *pivot = room + (size_t)n * (size_t)n;
  const mesh m = {.ops = ops,
                  .law = law,
                  .slice = slice,
                  .n = n,
                  .C = C,
                  .J = room,
                  .pivot = pivot,
                  .r = pivot + n,
                  .call = (hk_line_call *)(pivot + 2 * n),
                  .least = ops->least ? ops->least(law) : -INFINITY};
  begin(&m);
  for (int round = 0; round < ROUNDS; round++) {
    set_loads(&m);
    bool changed = close_pressed(&m);
    set_equations(&m);
    double most = 0;
    if (!hk_small_lu_factor(m.J, pivot, n, 0)) return -1;
    hk_small_lu_solve(m.J, pivot, n, m.r, 1);
    for (int i = 0; i < n; i++) most = fmax(most, slice[i].open ? 0 : fabs(m.r[i]));
    if (!(most < INFINITY)) return -1;
    bool last = most <= LAST && !changed;
    for (int i = 0; i < n; i++) {
      if (slice[i].open) continue;
      if (last)
        finish(&slice[i], m.r[i]);
      else
        advance(&slice[i], m.r[i], m.least);
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
