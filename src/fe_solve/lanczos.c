/* Block Lanczos iteration: see lanczos.h. */
#include "fe_solve/lanczos.h"
#include "base/random.h"
#include "lapack/lapack.h"
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK = 6 };
/* A mode has converged if its residual, relative to its eigenvalue, is below this value. */
static const double CONVERGED = 1e-10;
/* A direction is considered round-off if orthogonalization reduces its length below this fraction. */
static const double VANISHED = 1e-10;

typedef struct job {
  const hk_lanczos_task *t;
  double *V, *H;       /* basis; projected operator H [room][room], stored by columns */
  double *next, *mass; /* a block, and M times it */
  double *y, *theta;   /* eigenvectors and eigenvalues of H, ascending */
  /* The operator is applied to the last block, and the components along V are removed. This matrix contains the
   * coordinates of the result in the vectors of the next block: [vectors of the last block][BLOCK]. */
  double rest[BLOCK * BLOCK];
  int n, room, last; /* number of vectors; capacity; number of vectors of the last block */
  int wide;          /* number of vectors of the next block */
} job;

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

static bool grow(job *j) {
  int room = j->room ? j->room + j->room / 2 : 10 * BLOCK;
  size_t length = j->t->length, side = (size_t)room;
  double *V = realloc(j->V, sizeof *V * length * side);
  if (V) j->V = V;
  double *H = calloc(side * side, sizeof *H), *y = malloc(sizeof *y * side * side),
         *theta = malloc(sizeof *theta * side);
  if (!V || !H || !y || !theta) {
    free(H);
    free(y);
    free(theta);
    return false;
  }
  for (int c = 0; c < j->n; c++)
    memcpy(H + (size_t)c * side, j->H + (size_t)c * (size_t)j->room, sizeof *H * (size_t)j->n);
  free(j->H);
  free(j->y);
  free(j->theta);
  j->H = H, j->y = y, j->theta = theta, j->room = room;
  return true;
}

static void multiply_mass(job *j, int vectors) {
  j->t->mass(j->t->problem, j->next, vectors, j->mass);
}

/* Computes the lengths of the vectors of the next block in the metric of M. */
static void measure(job *j, int vectors, double *size) {
  size_t length = j->t->length;
  multiply_mass(j, vectors);
  for (int v = 0; v < vectors; v++)
    size[v] = sqrt(fmax(0, cblas_ddot((int)length, j->next + (size_t)v * length, 1,
                                      j->mass + (size_t)v * length, 1)));
}

/* Makes the next block orthogonal to the basis. If h is given, adds the removed coefficients to
 * h[vectors][room]. */
static void take_out(job *j, int vectors, double *h) {
  if (!j->n) return;
  int length = (int)j->t->length;
  double *c = j->y;
  cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, j->n, vectors, length, 1, j->V, length,
              j->mass, length, 0, c, j->n);
  cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, length, vectors, j->n, -1, j->V, length, c,
              j->n, 1, j->next, length);
  for (int v = 0; v < vectors && h; v++)
    for (int i = 0; i < j->n; i++) h[(size_t)v * (size_t)j->room + (size_t)i] += c[v * j->n + i];
}

/* Orthonormalizes the next block in the metric of M and removes directions that have become round-off. before[v]:
 * lengths before the orthogonalization. Writes j->rest, the coordinates of the old vectors in the new ones. */
static void orthonormalize(job *j, int vectors, const double *before) {
  int length = (int)j->t->length, kept = 0;
  memset(j->rest, 0, sizeof j->rest);
  for (int v = 0; v < vectors; v++) {
    double *x = j->next + (size_t)v * j->t->length, *mx = j->mass;
    for (int pass = 0; pass < 2; pass++) {
      j->t->mass(j->t->problem, x, 1, mx);
      for (int k = 0; k < kept; k++) {
        double *u = j->next + (size_t)k * j->t->length, c = cblas_ddot(length, u, 1, mx, 1);
        cblas_daxpy(length, -c, u, 1, x, 1);
        j->rest[v * BLOCK + k] += c;
      }
    }
    j->t->mass(j->t->problem, x, 1, mx);
    double size = sqrt(fmax(0, cblas_ddot(length, x, 1, mx, 1)));
    if (!(size > VANISHED * before[v])) continue;
    cblas_dscal(length, 1 / size, x, 1);
    j->rest[v * BLOCK + kept] = size;
    if (kept != v) memcpy(j->next + (size_t)kept * j->t->length, x, sizeof *x * j->t->length);
    kept++;
  }
  j->wide = kept;
}

/* Appends the next block of vectors to the basis V and applies the operator to this block. */
static hk_status extend(job *j, hk_error *err) {
  size_t length = j->t->length;
  int vectors = j->wide, first = j->n;
  if (j->n + vectors + BLOCK > j->room && !grow(j)) return no_memory(err);
  memcpy(j->V + (size_t)first * length, j->next, sizeof *j->V * length * (size_t)vectors);
  j->n += vectors;
  j->last = vectors;
  multiply_mass(j, vectors);
  memcpy(j->next, j->mass, sizeof *j->next * length * (size_t)vectors);
  hk_status status = j->t->solve(j->t->problem, vectors, j->next, err);
  if (status) return status;
  double before[BLOCK];
  measure(j, vectors, before);
  double *h = j->H + (size_t)first * (size_t)j->room;
  take_out(j, vectors, h);
  multiply_mass(j, vectors);
  take_out(j, vectors, h);
  for (int v = 0; v < vectors; v++)
    for (int i = 0; i < first; i++)
      j->H[(size_t)i * (size_t)j->room + (size_t)(first + v)] =
          h[(size_t)v * (size_t)j->room + (size_t)i];
  orthonormalize(j, vectors, before);
  return HK_OK;
}

/* Number of converged modes, counted from the lowest frequency without gaps; the eigenvectors are in y. */
static int converged(job *j) {
  int n = j->n;
  for (int c = 0; c < n; c++)
    for (int r = 0; r < n; r++)
      j->y[c * n + r] = 0.5 * (j->H[(size_t)c * (size_t)j->room + (size_t)r] +
                               j->H[(size_t)r * (size_t)j->room + (size_t)c]);
  if (LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', n, j->y, n, j->theta)) return -1;
  int count = 0;
  for (int i = n - 1; i >= 0; i--, count++) {
    const double *y = j->y + (size_t)i * (size_t)n + (size_t)(n - j->last);
    double residual = 0;
    for (int k = 0; k < j->wide; k++) {
      double sum = 0;
      for (int v = 0; v < j->last; v++) sum += j->rest[v * BLOCK + k] * y[v];
      residual += sum * sum;
    }
    if (!(j->theta[i] > 1e-13 * j->theta[n - 1]) || sqrt(residual) > CONVERGED * j->theta[i]) break;
  }
  return count;
}

/* Returns true if enough modes have converged; *n: their number. */
static bool enough(const job *j, int count, int *n) {
  double least = j->t->limit > 0 ? 1 / j->t->limit : 0;
  int below = 0;
  while (below < count && j->theta[j->n - 1 - below] >= least) below++;
  *n = below < j->t->wanted ? below : j->t->wanted;
  return j->wide == 0 || count >= j->t->wanted + (j->t->limit > 0) ||
         (j->t->limit > 0 && below < count);
}

static hk_status take_modes(job *j, int n, hk_lanczos_modes *out, hk_error *err) {
  size_t length = j->t->length;
  out->w2 = malloc(sizeof *out->w2 * ((size_t)n + 1));
  out->mode = malloc(sizeof *out->mode * (length * (size_t)n + 1));
  if (!out->w2 || !out->mode) return no_memory(err);
  out->n = n;
  for (int i = 0; i < n; i++) {
    const double *y = j->y + (size_t)(j->n - 1 - i) * (size_t)j->n;
    out->w2[i] = 1 / j->theta[j->n - 1 - i];
    cblas_dgemv(CblasColMajor, CblasNoTrans, (int)length, j->n, 1, j->V, (int)length, y, 1, 0,
                out->mode + (size_t)i * length, 1);
  }
  return HK_OK;
}

static hk_status start(job *j, hk_error *err) {
  double before[BLOCK];
  uint64_t seed = hk_random_stream(0, 0);
  for (size_t i = 0; i < BLOCK * j->t->length; i++) j->next[i] = hk_random_signed(&seed);
  multiply_mass(j, BLOCK);
  memcpy(j->next, j->mass, sizeof *j->next * BLOCK * j->t->length);
  hk_status status =
      j->t->solve(j->t->problem, BLOCK, j->next, err); /* satisfies the constraints */
  if (status) return status;
  measure(j, BLOCK, before);
  orthonormalize(j, BLOCK, before);
  return HK_OK;
}

static hk_status iterate(job *j, hk_lanczos_modes *out, hk_error *err) {
  hk_status status = start(j, err);
  int most = 20 * j->t->wanted + 300, n = 0;
  while (!status && j->wide) {
    status = extend(j, err);
    if (status) break;
    int count = converged(j);
    if (count < 0) return hk_fail(err, HK_EFAIL, "the modes of a part did not converge");
    hk_progress now = {
        .what = "modes", .done = (double)count / (j->t->wanted + 1), .time = NAN, .count = count};
    if (j->t->progress && !j->t->progress(j->t->context, &now))
      return hk_fail(err, HK_STOPPED, "stopped");
    if (enough(j, count, &n)) break;
    if (j->n > most)
      return hk_fail(err, HK_EFAIL, "%d of %d modes have converged after %d solutions", count,
                     j->t->wanted, j->n);
  }
  if (!status && j->t->limit > 0 && j->wide && n == j->t->wanted &&
      1 / j->theta[j->n - 1 - n] <= j->t->limit)
    return hk_fail(err, HK_EFAIL,
                   "there are more than %d modes below this frequency; choose a lower one", n);
  return status ? status : take_modes(j, n, out, err);
}

hk_status hk_lanczos(const hk_lanczos_task *t, hk_lanczos_modes *out, hk_error *err) {
  *out = (hk_lanczos_modes){0};
  hk_status status = hk_lapack_begin("the modes of a part", err);
  if (status || t->wanted == 0) return status;
  job j = {.t = t};
  j.next = malloc(sizeof *j.next * BLOCK * t->length);
  j.mass = malloc(sizeof *j.mass * BLOCK * t->length);
  status = j.next && j.mass && grow(&j) ? iterate(&j, out, err) : no_memory(err);
  free(j.V);
  free(j.H);
  free(j.y);
  free(j.theta);
  free(j.next);
  free(j.mass);
  if (status) hk_lanczos_free(out);
  return status;
}

void hk_lanczos_free(hk_lanczos_modes *m) {
  free(m->w2);
  free(m->mode);
  *m = (hk_lanczos_modes){0};
}
