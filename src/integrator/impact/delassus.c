/* See delassus.h. */
#include "integrator/impact/delassus.h"
#include "base/hot.h"
#include <math.h>
#include <stdlib.h>

hk_delassus *hk_delassus_create(const hk_model *m, int points, hk_error *err) {
  hk_delassus *d = calloc(1, sizeof *d);
  if (!d) return hk_fail(err, HK_ENOMEM, "out of memory"), NULL;
  size_t n = HK_N_DIR * (size_t)points, more = (size_t)points;
  d->most_rows = m->nv + m->nc;
  d->capacity = (int)(n + more);
  d->doubles = (n + more) * (size_t)d->most_rows + 2 * n * n + n * more + 1;
  d->at = calloc(n + more + 1, sizeof *d->at);
  d->pivot = calloc(2 * n + 1, sizeof *d->pivot);
  d->block = calloc(d->doubles, sizeof *d->block);
  for (int k = 0; k < 2; k++)
    d->work[k] = hk_contact_work_create(2 + k, points > 0 ? points : 1, 0, 0);
  if (!d->at || !d->pivot || !d->block || !d->work[0] || !d->work[1]) {
    hk_delassus_destroy(d);
    return hk_fail(err, HK_ENOMEM, "out of memory"), NULL;
  }
  d->X = d->block;
  d->G = d->X + (n + more) * (size_t)d->most_rows;
  d->Z = d->G + n * n;
  d->E = d->Z + n * n;
  return d;
}

void hk_delassus_destroy(hk_delassus *d) {
  if (!d) return;
  for (int k = 0; k < 2; k++) hk_contact_work_free(d->work[k]);
  free(d->at);
  free(d->pivot);
  free(d->block);
  free(d);
}

void hk_delassus_poison(hk_delassus *d) {
  for (size_t i = 0; i < d->doubles; i++) d->block[i] = NAN;
  for (int k = 0; k < 2; k++) hk_contact_work_poison(d->work[k]);
  d->n = d->more = d->size = 0;
}

int hk_delassus_set_up(hk_delassus *d, hk_linear_solver *solver) {
  int solves = 0;
  for (int j = 0; j < d->n + d->more; j++) {
    const hk_direction *f = &d->at[j];
    const hk_contact_row *push = f->push ? f->push : f->row;
    double *X = hk_delassus_column(d, j);
    /* there is no force in this direction, so the column of this direction is never read */
    if (!f->row) continue;
    for (int i = 0; i < d->size; i++) X[i] = 0;
    for (int a = 0; a <= push->tangents; a++)
      if (f->c[a] != 0) hk_contact_row_add(push, a, f->c[a], X);
    hk_linear_solver_solve(solver, X);
    solves++;
  }
  hk_delassus_look(d);
  return solves;
}

/* A coupling is weak if its square is below this share of the product of the two directions' own terms. */
static const double weak_coupling = 1e-4;

bool hk_delassus_couples(const hk_delassus *d, int i, int j) {
  const double *G = d->G;
  const int n = d->n;
  return G[i * n + j] * G[i * n + j] > weak_coupling * G[i * n + i] * G[j * n + j];
}

HK_HOT void hk_delassus_look(hk_delassus *d) {
  const int n = d->n, all = n + d->more;
  for (int i = 0; i < n; i++) {
    const hk_direction *r = &d->at[i];
    double *G = d->G + (size_t)i * (size_t)n;
    for (int j = 0; j < n; j++)
      G[j] = r->row && d->at[j].row ? hk_direction_along(r, hk_delassus_column(d, j)) : 0;
    for (int j = n; j < all; j++)
      d->E[(size_t)i * (size_t)d->more + (size_t)(j - n)] =
          r->row ? hk_direction_along(r, hk_delassus_column(d, j)) : 0;
  }
  for (int i = 0; i < n; i++)
    if (!d->at[i].row) {
      int normal = i - d->at[i].k;
      d->G[i * n + i] = fabs(d->G[normal * n + normal]);
    }
}

void hk_delassus_symmetrise(hk_delassus *d) {
  double *G = d->G;
  const int n = d->n;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) G[i * n + j] = G[j * n + i] = 0.5 * (G[i * n + j] + G[j * n + i]);
}

/* Mobility below this fraction of the largest is round-off. */
static const double held_share = 1e-11;
/* Compliance that is used for a direction in which joints hold the contact. This compliance is so small that a
 * direction with a prescribed motion still slides with full friction. It is so large that round-off of the velocity in
 * this direction causes only an impulse of the magnitude of round-off. */
static const double eased_share = 1e-6;

/* Adds compliance to each tangent direction in which the joints prevent any motion of the bodies. G: the entries of
 * two tangents, within a matrix with rows of n entries. */
static void ease_tangents(double *G, int n, double normal) {
  double a = G[0], b = 0.5 * (G[1] + G[n]), c = G[n + 1];
  double most = 0.5 * (a + c) + hypot(0.5 * (a - c), b), scale = fmax(most, normal);
  double least = most > 0 ? (a * c - b * b) / most : 0;
  if (least > held_share * scale) return;
  if (!(most > held_share * scale)) { /* both directions are constrained */
    G[0] += eased_share * scale;
    G[n + 1] += eased_share * scale;
    return;
  }
  double x = a > c ? -b : most - a, y = a > c ? most - c : -b,
         k = eased_share * scale / (x * x + y * y);
  G[0] += k * x * x;
  G[1] += k * x * y;
  G[n] += k * x * y;
  G[n + 1] += k * y * y;
}

void hk_delassus_ease(hk_delassus *d, int dim) {
  const int n = d->n;
  for (int i = 0; i < n; i += dim) {
    double normal = fabs(d->G[i * n + i]), *tangent = &d->G[(i + 1) * n + i + 1];
    if (dim == 3)
      ease_tangents(tangent, n, normal);
    else if (!(*tangent > held_share * normal))
      *tangent += eased_share * normal;
  }
}

void hk_delassus_flip(hk_delassus *d, int i) {
  hk_direction *r = &d->at[i];
  double *X = hk_delassus_column(d, i);
  r->sign = -r->sign;
  for (int a = 0; a < HK_N_DIR; a++) r->c[a] = -r->c[a];
  for (int k = 0; k < d->size && r->row; k++) X[k] = -X[k];
  for (int j = 0; j < d->n; j++) {
    if (j == i) continue;
    d->G[i * d->n + j] = -d->G[i * d->n + j];
    d->G[j * d->n + i] = -d->G[j * d->n + i];
  }
  for (int j = 0; j < d->more; j++) d->E[i * d->more + j] = -d->E[i * d->more + j];
}

hk_status hk_delassus_solve(hk_delassus *d, int dim, const double *b, const double *mu,
                            double speed, double *P, double *xi) {
  const hk_contact_problem p = {
      .dim = dim, .contacts = d->n / dim, .G = d->G, .b = b, .mu = mu, .speed = speed};
  return hk_contact_solve(&p, P, xi, d->work[dim - 2], &d->result);
}

HK_HOT void hk_delassus_apply(const hk_delassus *d, const double *P, int rows, double *restrict z) {
  for (int j = 0; j < d->n; j++) {
    const double *restrict X = hk_delassus_column(d, j), p = P[j];
    if (p == 0 || !d->at[j].row) continue;
    for (int i = 0; i < rows; i++) z[i] += p * X[i];
  }
}

/* ---- all directions held ---- */

static void exchange(double *a, double *b) {
  double keep = *a;
  *a = *b;
  *b = keep;
}

/* pivot[] contains the permutation of rows, then of columns. */
static void eliminate(hk_delassus *d) {
  double *A = d->G, scale = 0;
  const int n = d->n;
  int *row = d->pivot, *column = d->pivot + n;
  d->reversed = false;
  for (int i = 0; i < n * n; i++) scale = fmax(scale, fabs(A[i]));
  for (d->rank = 0; d->rank < n; d->rank++) {
    int j = d->rank, r = j, c = j;
    for (int i = j; i < n; i++)
      for (int k = j; k < n; k++)
        if (fabs(A[i * n + k]) > fabs(A[r * n + c])) r = i, c = k;
    if (!(fabs(A[r * n + c]) > 1e-11 * scale)) return;
    row[j] = r;
    column[j] = c;
    d->reversed ^= (r != j) ^ (c != j) ^ (A[r * n + c] < 0);
    for (int k = 0; k < n && r != j; k++) exchange(&A[j * n + k], &A[r * n + k]);
    for (int k = 0; k < n && c != j; k++) exchange(&A[k * n + j], &A[k * n + c]);
    for (int i = j + 1; i < n; i++) {
      double f = A[i * n + j] /= A[j * n + j];
      for (int k = j + 1; k < n; k++) A[i * n + k] -= f * A[j * n + k];
    }
  }
}

/* Computes x = U^-1 x for the independent unknowns and writes the result in the original order
 * of the directions. */
static void substitute_back(const hk_delassus *d, double *x) {
  const double *A = d->G;
  const int n = d->n, *column = d->pivot + n;
  for (int i = d->rank - 1; i >= 0; i--) {
    for (int k = i + 1; k < d->rank; k++) x[i] -= A[i * n + k] * x[k];
    x[i] /= A[i * n + i];
  }
  for (int i = d->rank - 1; i >= 0; i--)
    if (column[i] != i) exchange(&x[i], &x[column[i]]);
}

void hk_delassus_factor(hk_delassus *d) {
  const int n = d->n;
  eliminate(d);
  for (int k = d->rank; k < n; k++) {
    double *z = d->Z + (size_t)(k - d->rank) * (size_t)n;
    for (int i = 0; i < n; i++) z[i] = i < d->rank ? -d->G[i * n + k] : i == k;
    substitute_back(d, z);
  }
}

void hk_delassus_hold(hk_delassus *d, double *x) {
  const double *A = d->G;
  const int n = d->n, rank = d->rank, *row = d->pivot;
  for (int i = 0; i < rank; i++)
    if (row[i] != i) exchange(&x[i], &x[row[i]]);
  for (int i = 0; i < rank; i++)
    for (int k = 0; k < i; k++) x[i] -= A[i * n + k] * x[k];
  for (int i = rank; i < n; i++) x[i] = 0;
  substitute_back(d, x);
  hk_delassus_share(d, NULL, x);
}

static double weighted(const double *weight, const double *a, const double *b, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += (weight ? weight[i] * weight[i] : 1) * a[i] * b[i];
  return sum;
}

/* Orthogonalises the combinations of forces that have no effect (Gram-Schmidt); their span does not change. */
void hk_delassus_share(hk_delassus *d, const double *weight, double *x) {
  const int n = d->n, free = n - d->rank;
  for (int k = 0; k < free; k++) {
    double *z = d->Z + (size_t)k * (size_t)n;
    for (int l = 0; l <= k; l++) { /* subtracts from z the previous vectors, then z from x */
      const double *from = d->Z + (size_t)l * (size_t)n;
      double *a = l < k ? z : x, square = weighted(weight, from, from, n);
      double f = square > 0 ? weighted(weight, from, a, n) / square : 0;
      for (int i = 0; i < n; i++) a[i] -= f * from[i];
    }
  }
}
