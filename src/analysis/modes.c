/* Eigenvalues and eigenvectors of a linear model.
 *
 * Dense method: M1 z'' + L1 z' + K1 z = 0 after reduced.c, in the coordinates C^T z in which the mass matrix is the
 * identity.  Without L it is an eigenvalue problem in s^2, of half the size and without the defective pairs that each
 * free motion causes at s = 0.  Directions z0 that have damping but no mass require QZ:
 *
 *   [ 1  0   0  ] [z1]'   [  0    1    0  ] [z1]
 *   [ 0  M11 L10] [v1]  = [-K11 -L11 -K10 ] [v1]
 *   [ 0  0   L00] [z0]    [-K01 -L01 -K00 ] [z0]
 *
 * Eigenvalues s of QZ that are more than 1e8 times as large as the others count as infinite. */
#include "base/options.h"
#include "base/required.h"
#include "analysis/deflate.h"
#include "analysis/dense_matrix.h"
#include "analysis/linearise.h"
#include <complex.h>
#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- functions common to all methods ---- */

hk_status hk_modes_allocate(hk_modes *out, int n, int coordinates, hk_error *err) {
  size_t size = 2 * (size_t)n * (size_t)coordinates;
  out->mode = calloc((size_t)n + 1, sizeof *out->mode);
  out->block = calloc(size + 1, sizeof *out->block);
  if (!out->mode || !out->block) return hk_fail(err, HK_ENOMEM, "out of memory for %d modes", n);
  for (int i = 0; i < n; i++) out->mode[i].shape = out->block + 2 * (size_t)i * coordinates;
  return HK_OK;
}

void hk_modes_free(hk_modes *m) {
  if (!m) return;
  free(m->mode);
  free(m->block);
  *m = (hk_modes){0};
}

/* ---- order of modes: zeros, then by ascending |s|; modes that are equal within rounding by
 * descending real part; conjugate pairs are adjacent, positive imaginary part first.  "Equal within
 * rounding" is not transitive and cannot be used for sorting, so the modes are sorted exactly, and
 * groups of equal modes are then sorted again. ---- */

static double size_of(const hk_mode *m) { return m->zero ? -1 : hypot(m->re, m->im); }

static int by_size(const void *a, const void *b) {
  double x = size_of(a), y = size_of(b);
  return (x > y) - (x < y);
}

static int by_real_part(const void *a, const void *b) {
  double x = ((const hk_mode *)a)->re, y = ((const hk_mode *)b)->re;
  return (x < y) - (x > y);
}

static int by_imaginary_part(const void *a, const void *b) {
  double x = ((const hk_mode *)a)->im, y = ((const hk_mode *)b)->im;
  return (x < y) - (x > y);
}

/* The modes m[0 .. n) have the same real part and decreasing imaginary parts, so that the last mode is the conjugate
 * of the first. */
static void pair_up(hk_mode *m, int n) {
  int above = 0, below = 0;
  for (int i = 0; i < n; i++) above += m[i].im > 0, below += m[i].im < 0;
  for (int i = 0; i < above && above == below; i++) {
    hk_mode last = m[n - 1];
    memmove(m + 2 * i + 2, m + 2 * i + 1, (size_t)(n - 2 * i - 2) * sizeof *m);
    m[2 * i + 1] = last;
  }
}

static void sort_modes(hk_mode *m, int n) {
  qsort(m, (size_t)n, sizeof *m, by_size);
  for (int i = 0, j; i < n; i = j) {
    for (j = i + 1; j < n; j++) {
      double a = size_of(&m[j - 1]), b = size_of(&m[j]);
      if (b - a > (a > 0 ? 1e-9 * b : 0)) break;
    }
    qsort(m + i, (size_t)(j - i), sizeof *m, by_real_part);
    double scale = 2e-9 * size_of(&m[i]);
    for (int k = i, e; k < j && scale > 0; k = e) {
      for (e = k + 1; e < j && m[e - 1].re - m[e].re <= scale;) e++;
      qsort(m + k, (size_t)(e - k), sizeof *m, by_imaginary_part);
      pair_up(m + k, e - k);
    }
  }
}

double hk_modes_noise(int size) { return 64 * DBL_EPSILON * (size + 1); }

void hk_modes_finish(hk_modes *out, double zero, double noise) {
  out->n_unstable = 0;
  for (int i = 0; i < out->n; i++) {
    hk_mode *m = &out->mode[i];
    double r = hypot(m->re, m->im);
    m->zero = r <= zero;
    if (m->zero) m->re = m->im = r = 0;
    bool steady = m->zero || fabs(m->re) <= 1e-9 * r + noise;
    m->frequency = r / (2 * M_PI);
    m->re += 0.0, m->im += 0.0; /* no negative zeros */
    m->damping = m->zero ? 0 : -m->re / r + 0.0;
    m->time_constant = steady ? INFINITY : -1 / m->re;
    out->n_unstable += !steady && m->re > 0;
  }
  sort_modes(out->mode, out->n);
}

void hk_modes_put_shape(const double complex *d, int n, double *shape) {
  int worst = 0;
  for (int i = 1; i < n; i++)
    if (cabs(d[i]) > cabs(d[worst]) * (1 + 1e-9)) worst = i;
  double complex factor = n && cabs(d[worst]) > 0 ? 1 / d[worst] : 1;
  for (int i = 0; i < n; i++) {
    shape[2 * i] = creal(d[i] * factor);
    shape[2 * i + 1] = cimag(d[i] * factor);
  }
}

void hk_eigenvector_unpack(const double *V, int n, int j, const double *im, double complex *out,
                           int rows) {
  for (int i = 0; i < rows; i++) {
    const double *v = V + (size_t)i * n;
    out[i] = im[j] == 0 ? v[j] : im[j] > 0 ? v[j] + v[j + 1] * I : v[j - 1] - v[j] * I;
  }
}

/* ---- free motions ---- */

/* conj(u) A w for u, w [3] at most, with rows of length `width` in A; adds to *size the sum of magnitudes without
 * cancellation, with `most` the largest component of the whole vector. */
static double complex form_part(const double *A, int width, const double complex *u, int rows,
                                const double complex *w, int columns, double most, double *size) {
  double complex sum = 0;
  double a = 0, x = 0;
  for (int r = 0; r < rows; r++)
    for (int c = 0; c < columns; c++) {
      sum += A[r * width + c] * conj(u[r]) * w[c];
      a = fmax(a, fabs(A[r * width + c]));
      x = fmax(x, cabs(u[r]) + cabs(w[c]));
    }
  *size += a * x * most;
  return sum;
}

/* x^H A x over the nodes, separately for translations and rotations, which have different units. */
static double complex form(const hk_linear *l, const double *A, const double complex *x,
                           double *size) {
  const hk_block_pattern *p = l->inside->sys->pattern;
  int nodes = l->model->n_nodes;
  double complex sum = 0;
  double most = 0;
  *size = 0;
  for (int i = 0; i < l->n; i++) most = fmax(most, cabs(x[i]));
  for (int i = 0; i < nodes; i++)
    for (int e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] < nodes; e++) {
      int j = p->column[e], rows = p->size[i], columns = p->size[j];
      for (int r = 0; r < rows; r += 3)
        for (int c = 0; c < columns; c += 3)
          sum += form_part(A + p->value_start[e] + (size_t)(r * columns + c), columns,
                           x + p->offset[i] + r, rows < 3 ? rows : 3, x + p->offset[j] + c,
                           columns < 3 ? columns : 3, most, size);
    }
  return sum;
}

/* Decides whether s is only the rounding of zero. An eigenvector x satisfies x^H (s^2 M + s L +
 * K) x = 0. If s is rounding, these terms do not add up to zero, or they are negligible
 * compared with the uncertainty of K. */
bool hk_modes_is_zero(const hk_linear *l, double s_re, double s_im, const double complex *x) {
  const struct hk_linear_inside *in = l->inside;
  double complex s = s_re + I * s_im;
  double m, d, k;
  double complex inertia = s * s * form(l, in->M, x, &m), damping = s * form(l, in->L, x, &d);
  double complex stiffness = form(l, in->K, x, &k);
  double most = fmax(cabs(inertia), fmax(cabs(damping), cabs(stiffness)));
  return most <= 1e-14 * k || cabs(inertia + damping + stiffness) > 0.1 * most;
}

/* ---- errors of a moving state ---- */

/* If a state was reached by time steps, its motion is steady only up to a relative error e of
 * the loads. The loads have the magnitude M w^2, where w is the speed of the motion, and so
 * have the terms that cancel in the stiffness of a free motion. Therefore a double zero s^2 = 0
 * becomes s^2 = e w^2, and simple eigenvalues change by e w. */
static const double MARGIN = 4;

/* Largest imbalance of the bodies, weighted by their amplitudes in x: bodies that do not move in
 * this mode have no influence on it. */
static double imbalance(const hk_linear *l, const double complex *x) {
  const hk_model *m = l->model;
  double most = 0, size = 0;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      int at = m->node[i].v + k;
      double way = x ? cabs(x[at]) * (m->node[i].coordinate[k].angular ? m->length : 1) : 1;
      size = fmax(size, way);
      most = fmax(most, way * l->inside->imbalance[at]);
    }
  return size > 0 ? most / size : 0;
}

double hk_modes_state_zero(const hk_linear *l, const double complex *x) {
  return l->moving ? MARGIN * sqrt(imbalance(l, x)) * l->inside->speed : 0;
}

double hk_modes_state_noise(const hk_linear *l) {
  return l->moving ? MARGIN * imbalance(l, NULL) * l->inside->speed : 0;
}

static void drop_state_errors(const hk_linear *l, hk_modes *out) {
  double zero = hk_modes_state_zero(l, NULL);
  double complex x[l->n + 1];
  for (int i = 0; i < out->n; i++) {
    hk_mode *m = &out->mode[i];
    if (hypot(m->re, m->im) > zero) continue;
    for (int k = 0; k < l->n; k++) x[k] = m->shape[2 * k] + I * m->shape[2 * k + 1];
    if (hypot(m->re, m->im) <= hk_modes_state_zero(l, x)) m->re = m->im = 0;
  }
}

/* ---- dense ---- */

typedef struct dense {
  const hk_linear *l;
  hk_reduced r;
  hk_modes *out;
  bool shapes;
  bool judge;            /* zeros are identified by hk_modes_is_zero */
  double complex *z, *d; /* [dof], [n] */
} dense;

/* B <- C^-1 B, B [n][columns] */
static void forward(const double *C, int n, double *B, int columns) {
  for (int i = 0; i < n; i++) {
    double *b = B + (size_t)i * columns;
    for (int k = 0; k < i; k++) {
      double c = C[(size_t)i * n + k];
      const double *a = B + (size_t)k * columns;
      if (c != 0)
        for (int j = 0; j < columns; j++) b[j] -= c * a[j];
    }
    for (int j = 0; j < columns; j++) b[j] /= C[(size_t)i * n + i];
  }
}

static void transpose(double *A, int n) {
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++) {
      double a = A[(size_t)i * n + j];
      A[(size_t)i * n + j] = A[(size_t)j * n + i];
      A[(size_t)j * n + i] = a;
    }
}

/* A <- C^-1 A C^-T */
static void scale_by_mass(const double *C, int n, double *A) {
  forward(C, n, A, n);
  transpose(A, n);
  forward(C, n, A, n);
  transpose(A, n);
}

/* Adds a mode from z1 (in the coordinates with identity mass matrix, if `scaled`) and z0. */
static void add_mode(dense *s, double complex eigenvalue, double complex *z1,
                     const double complex *z0, bool scaled) {
  const hk_reduced *r = &s->r;
  hk_mode *mode = &s->out->mode[s->out->n];
  mode->re = creal(eigenvalue);
  mode->im = cimag(eigenvalue);
  s->out->n++;
  if (!s->shapes && !s->judge) return;
  int n1 = r->n1, n0 = r->n0;
  double complex y[n1 + 1];
  memcpy(y, z1, (size_t)n1 * sizeof *y);
  for (int i = n1 - 1; scaled && i >= 0; i--) { /* C^T z = y */
    for (int k = i + 1; k < n1; k++) y[i] -= r->C[(size_t)k * n1 + i] * y[k];
    y[i] /= r->C[(size_t)i * n1 + i];
  }
  for (int i = 0; i < r->n; i++) {
    s->z[i] = 0;
    for (int k = 0; k < n1; k++) s->z[i] += r->Q1[(size_t)i * n1 + k] * y[k];
    for (int k = 0; k < n0; k++) {
      double complex c = 0;
      if (z0)
        c = z0[k];
      else if (r->condensed)
        for (int j = 0; j < n1; j++) c -= r->X[(size_t)k * n1 + j] * y[j];
      s->z[i] += r->Q0[(size_t)i * n0 + k] * c;
    }
  }
  for (int i = 0; i < s->l->n; i++) {
    s->d[i] = 0;
    for (int k = 0; k < r->n; k++) s->d[i] += s->l->N[(size_t)i * r->n + k] * s->z[k];
  }
  if (s->judge && hk_modes_is_zero(s->l, mode->re, mode->im, s->d)) mode->re = mode->im = 0;
  if (s->shapes) hk_modes_put_shape(s->d, s->l->n, (double *)mode->shape);
}

static hk_status solve_squared(dense *s, double *A, double *V, double *value, hk_error *err) {
  int n = s->r.n1;
  double *re = value, *im = value + n, asymmetry = 0;
  memcpy(A, s->r.K11, (size_t)n * (size_t)n * sizeof *A);
  scale_by_mass(s->r.C, n, A);
  double size = hk_dense_max(A, (size_t)n * (size_t)n);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      asymmetry = fmax(asymmetry, fabs(A[(size_t)i * n + j] - A[(size_t)j * n + i]));
  memset(im, 0, (size_t)n * sizeof *im);
  hk_status status;
  if (asymmetry <= 1e-13 * size) {
    status = hk_dense_symmetric(A, n, re, err);
    memcpy(V, A, (size_t)n * (size_t)n * sizeof *V);
  } else {
    status = hk_dense_eigen(A, n, re, im, V, err);
  }
  double complex z[n + 1];
  s->judge = hk_linear_is_ideal(s->l);
  for (int j = 0; j < n && !status; j++) {
    double complex kappa = re[j] + I * im[j], root = csqrt(-kappa);
    hk_eigenvector_unpack(V, n, j, im, z, n);
    /* Adds both roots. The conjugates of these roots are added with the conjugate mode. */
    add_mode(s, im[j] == 0 && creal(root) == 0 ? I * fabs(cimag(root)) : root, z, NULL, true);
    add_mode(s, im[j] == 0 && creal(root) == 0 ? -I * fabs(cimag(root)) : -root, z, NULL, true);
  }
  return status;
}

static hk_status solve_damped(dense *s, double *A, double *V, double *value, hk_error *err) {
  int n = s->r.n1, n2 = 2 * n;
  double *re = value, *im = value + n2;
  /* K and L share the memory of V, which is not used until the solution */
  double *K = V, *L = V + (size_t)n * (size_t)n;
  memcpy(K, s->r.K11, (size_t)n * (size_t)n * sizeof *K);
  memcpy(L, s->r.L11, (size_t)n * (size_t)n * sizeof *L);
  scale_by_mass(s->r.C, n, K);
  scale_by_mass(s->r.C, n, L);
  memset(A, 0, (size_t)n2 * (size_t)n2 * sizeof *A);
  /* With w z instead of z, where w is the fastest frequency, all blocks have the same magnitude; otherwise the unit
   * of time would decide which singular values count as zero. */
  double stiffest = hk_dense_max(K, (size_t)n * (size_t)n), w = stiffest > 0 ? sqrt(stiffest) : 1;
  for (int i = 0; i < n; i++) {
    A[(size_t)i * n2 + n + i] = w;
    for (int j = 0; j < n; j++) {
      A[(size_t)(n + i) * n2 + j] = -K[(size_t)i * n + j] / w;
      A[(size_t)(n + i) * n2 + n + j] = -L[(size_t)i * n + j];
    }
  }
  int zeros;
  hk_status status = hk_deflated_eigen(A, NULL, n2, 1e-13, re, im, V, &zeros, err);
  double complex z[n + 1];
  for (int j = 0; j < n2 && !status; j++) {
    hk_eigenvector_unpack(V, n2, j, im, z, n);
    add_mode(s, re[j] + I * im[j], z, NULL, true);
  }
  return status;
}

static void put_block(double *A, int n, int row, int column, const double *B, int rows, int columns,
                      double factor) {
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++)
      A[(size_t)(row + i) * n + column + j] = factor * B[(size_t)i * columns + j];
}

static void fill_pencil(const hk_reduced *r, double *A, double *E) {
  int n1 = r->n1, n0 = r->n0, n = 2 * n1 + n0;
  memset(A, 0, (size_t)n * (size_t)n * sizeof *A);
  memset(E, 0, (size_t)n * (size_t)n * sizeof *E);
  for (int i = 0; i < n1; i++) A[(size_t)i * n + n1 + i] = E[(size_t)i * n + i] = 1;
  for (int i = 0; i < n1; i++)
    for (int j = 0; j < n1; j++)
      for (int k = 0; k < n1; k++)
        E[(size_t)(n1 + i) * n + n1 + j] += r->C[(size_t)i * n1 + k] * r->C[(size_t)j * n1 + k];
  put_block(E, n, n1, 2 * n1, r->L10, n1, n0, 1);
  put_block(E, n, 2 * n1, 2 * n1, r->L00, n0, n0, 1);
  put_block(A, n, n1, 0, r->K11, n1, n1, -1);
  put_block(A, n, n1, n1, r->L11, n1, n1, -1);
  put_block(A, n, n1, 2 * n1, r->K10, n1, n0, -1);
  put_block(A, n, 2 * n1, 0, r->K01, n0, n1, -1);
  put_block(A, n, 2 * n1, n1, r->L01, n0, n1, -1);
  put_block(A, n, 2 * n1, 2 * n1, r->K00, n0, n0, -1);
}

static hk_status solve_pencil(dense *s, double *A, double *V, double *value, hk_error *err) {
  int n1 = s->r.n1, n = 2 * n1 + s->r.n0;
  double *re = value, *im = re + n, *beta = im + n;
  double *E = malloc((size_t)n * (size_t)n * sizeof *E);
  if (!E) return hk_fail(err, HK_ENOMEM, "out of memory");
  fill_pencil(&s->r, A, E);
  double a = hk_dense_max(A, (size_t)n * (size_t)n), e = hk_dense_max(E, (size_t)n * (size_t)n);
  hk_status status = hk_dense_pencil(A, E, n, re, im, beta, V, err);
  free(E);
  double complex z[n + 1];
  s->judge = hk_linear_is_ideal(s->l);
  for (int j = 0; j < n && !status; j++) {
    double size = hypot(re[j], im[j]);
    if (fabs(beta[j]) <= 1e-13 * e && size <= 1e-13 * a)
      return hk_fail(err, HK_EFAIL, "the motion of a massless body is not determined");
    if (fabs(beta[j]) <= 1e-13 * e || size / fabs(beta[j]) > 1e8 * fmax(1, sqrt(a / e))) continue;
    hk_eigenvector_unpack(V, n, j, im, z, n);
    add_mode(s, (re[j] + I * im[j]) / beta[j], z, z + 2 * n1, false);
  }
  return status;
}

hk_status hk_modes_dense(const hk_linear *l, const hk_modes_options *o, hk_modes *out,
                         hk_error *err) {
  /* If the model moves, the mode shapes are needed to detect eigenvalues that are zero. */
  dense s = {.l = l, .out = out, .shapes = l->moving || !o || !o->values_only};
  hk_status status = hk_reduced_make(l, &s.r, err);
  if (status) return status;
  bool free_form = s.r.n0 == 0 || s.r.condensed;
  size_t n = (size_t)(free_form ? 2 * s.r.n1 : 2 * s.r.n1 + s.r.n0);
  double *A = malloc((2 * n * n + 3 * n + 1) * sizeof *A);
  s.z = calloc((size_t)l->dof + 1, sizeof *s.z);
  s.d = calloc((size_t)l->n + 1, sizeof *s.d);
  if (!A || !s.z || !s.d) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = hk_modes_allocate(out, (int)n, s.shapes ? l->n : 0, err);
  if (!status) {
    double *V = A + n * n, *value = V + n * n;
    status = !free_form   ? solve_pencil(&s, A, V, value, err)
             : s.r.damped ? solve_damped(&s, A, V, value, err)
                          : solve_squared(&s, A, V, value, err);
  }
  /* Only the companion matrix is deflated; in the other cases rounding spreads a double zero to the square root of
   * eps. */
  double noise = hk_modes_noise(2 * l->dof), scale = 0;
  double unsure = free_form && s.r.damped ? noise : sqrt(noise);
  if (!status) status = hk_modes_slow(l, s.shapes, unsure, out, &scale, err);
  if (!status && free_form) status = hk_modes_drop_rounding(l, noise, out, err);
  if (!status) {
    if (l->moving) drop_state_errors(l, out);
    hk_modes_finish(out, 0, fmax(s.r.damped ? noise * scale : 0, hk_modes_state_noise(l)));
  }
  out->n_infinite = 2 * l->dof - out->n;
  out->complete = true;
  out->method = "dense";
  free(A);
  free(s.z);
  free(s.d);
  hk_reduced_free(&s.r);
  return status;
}

hk_status hk_modes_solve(const hk_linear *l, const hk_modes_options *given, hk_modes *out,
                         hk_error *err) {
  HK_REQUIRE(out, err);
  hk_modes_options taken, *o = &taken;
  HK_TAKE_OPTIONS(taken, given);
  *out = (hk_modes){.method = ""};
  if (!l) return hk_fail(err, HK_EINPUT, "the linear model is NULL");
  hk_modes_method method = o->method;
  if (method == HK_MODES_DENSE && l->sparse)
    return hk_fail(err, HK_EINPUT, "the model has %d coordinates, too many for the dense method",
                   l->n);
  bool sparse = l->sparse || method == HK_MODES_SPARSE;
  bool project = l->sparse && hk_modes_can_project(l, o);
  hk_status status = l->model->n_velocity_rows ? hk_modes_rolling(l, o, out, err)
                     : !sparse                 ? hk_modes_dense(l, o, out, err)
                     : project                 ? hk_modes_projected(l, o, out, err)
                                               : hk_modes_sparse(l, o, out, err);
  if (status) hk_modes_free(out);
  return status;
}
