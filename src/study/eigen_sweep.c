/* Eigenvalues over a parameter: see eigen_sweep.h. */
#include "base/number.h"
#include "study/eigen_sweep.h"
#include "model/model.h"
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- branches ---- */

hk_status hk_eigen_sweep_init(hk_eigen_sweep *s, const double *parameter, int n, hk_error *err) {
  *s = (hk_eigen_sweep){.n = n};
  s->parameter = calloc((size_t)n + 1, sizeof *s->parameter);
  if (!s->parameter) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(s->parameter, parameter, (size_t)n * sizeof *parameter);
  return HK_OK;
}

void hk_eigen_sweep_free(hk_eigen_sweep *s) {
  for (int i = 0; i < s->n_branches; i++) {
    free(s->branch[i].re);
    free(s->branch[i].im);
    free(s->branch[i].mac);
  }
  free(s->branch);
  free(s->parameter);
  free(s->shape);
  free((char *)s->first_place.file);
  *s = (hk_eigen_sweep){0};
}

/* Allocates up to n branches, NaN at all points. */
static hk_status grow(hk_eigen_sweep *s, int n, hk_error *err) {
  if (n <= s->n_branches) return HK_OK;
  hk_branch *grown = realloc(s->branch, (size_t)n * sizeof *grown);
  if (grown) s->branch = grown;
  size_t shape_size = (size_t)n * (size_t)s->size * 2;
  double *shape = grown ? realloc(s->shape, (shape_size + 1) * sizeof *shape) : NULL;
  if (!shape) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->shape = shape;
  for (size_t i = (size_t)s->n_branches * (size_t)s->size * 2; i < shape_size; i++) shape[i] = 0;
  while (s->n_branches < n) {
    hk_branch b = {.re = malloc((size_t)s->n * sizeof(double)),
                   .im = malloc((size_t)s->n * sizeof(double)),
                   .mac = malloc((size_t)s->n * sizeof(double))};
    if (!b.re || !b.im || !b.mac) {
      free(b.re);
      free(b.im);
      free(b.mac);
      return hk_fail(err, HK_ENOMEM, "out of memory");
    }
    for (int i = 0; i < s->n; i++) b.re[i] = b.im[i] = b.mac[i] = NAN;
    s->branch[s->n_branches++] = b;
  }
  return HK_OK;
}

static double mac(const double *a, const double *b, int n, const double *weight) {
  double complex ab = 0;
  double aa = 0, bb = 0;
  for (int i = 0; i < n; i++) {
    double w = weight ? weight[i] * weight[i] : 1;
    double complex x = a[2 * i] + I * a[2 * i + 1], y = b[2 * i] + I * b[2 * i + 1];
    ab += w * conj(x) * y;
    aa += w * creal(conj(x) * x);
    bb += w * creal(conj(y) * y);
  }
  double d = aa * bb;
  return d > 0 ? creal(conj(ab) * ab) / d : 0;
}

/* Expected value of a branch at the next point, by linear extrapolation; NaN if the branch has ended. */
static double complex expected(const hk_eigen_sweep *s, int branch) {
  const hk_branch *b = &s->branch[branch];
  int k = s->n_done - 1;
  while (k >= 0 && isnan(b->re[k])) k--;
  if (k < 0) return NAN;
  double complex now = b->re[k] + I * b->im[k];
  if (k == 0 || k != s->n_done - 1 || isnan(b->re[k - 1])) return now;
  double h = s->parameter[k] - s->parameter[k - 1], next = s->parameter[s->n_done];
  double complex before = b->re[k - 1] + I * b->im[k - 1];
  return h != 0 ? now + (now - before) * ((next - s->parameter[k]) / h) : now;
}

/* Assignment of minimum cost [Kuhn 1955] by shortest augmenting paths: column[i] for row i, both of n.  cost [n][n];
 * scratch [4 n + 4]. */
static void assign(const double *cost, int n, int *column, double *potential, int *scratch) {
  double *u = potential, *v = u + n + 1, *least = v + n + 1;
  int *match = scratch, *way = match + n + 1, *used = way + n + 1;
  memset(potential, 0, (size_t)(3 * (n + 1)) * sizeof *potential);
  memset(match, 0, (size_t)(n + 1) * sizeof *match);
  for (int i = 1; i <= n; i++) {
    int j0 = 0;
    match[0] = i;
    for (int j = 0; j <= n; j++) least[j] = INFINITY, used[j] = 0;
    do {
      int i0 = match[j0], j1 = 0;
      double delta = INFINITY;
      used[j0] = 1;
      for (int j = 1; j <= n; j++) {
        if (used[j]) continue;
        double c = cost[(size_t)(i0 - 1) * (size_t)n + (size_t)(j - 1)] - u[i0] - v[j];
        if (c < least[j]) least[j] = c, way[j] = j0;
        if (least[j] < delta) delta = least[j], j1 = j;
      }
      for (int j = 0; j <= n; j++)
        if (used[j])
          u[match[j]] += delta, v[j] -= delta;
        else
          least[j] -= delta;
      j0 = j1;
    } while (match[j0]);
    do {
      int j1 = way[j0];
      match[j0] = match[j1];
      j0 = j1;
    } while (j0);
  }
  for (int j = 1; j <= n; j++) column[match[j] - 1] = j - 1;
}

/* Finds branch[i] of mode i; modes without a matching branch begin new branches. */
static hk_status join(const hk_eigen_sweep *s, const hk_modes *m, const double *weight, int *branch,
                      hk_error *err) {
  int n = m->n > s->n_branches ? m->n : s->n_branches;
  double *cost = calloc((size_t)n * (size_t)n + 1, sizeof *cost);
  double *potential = calloc(3 * ((size_t)n + 1), sizeof *potential);
  int *scratch = calloc(4 * ((size_t)n + 1), sizeof *scratch);
  if (!cost || !potential || !scratch) {
    free(cost);
    free(potential);
    free(scratch);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  double size = 1e-300;
  for (int i = 0; i < m->n; i++) size = fmax(size, hypot(m->mode[i].re, m->mode[i].im));
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) {
      double *c = &cost[(size_t)i * (size_t)n + (size_t)k];
      *c = 10; /* there is no mode, or the branch has not begun */
      if (i >= m->n || k >= s->n_branches) continue;
      double complex value = m->mode[i].re + I * m->mode[i].im, target = expected(s, k);
      if (isnan(creal(target))) continue;
      double gap = cabs(value - target) / (cabs(value) + cabs(target) + 1e-6 * size);
      *c = 1 - mac(s->shape + (size_t)k * (size_t)s->size * 2, m->mode[i].shape, s->size, weight) +
           gap;
    }
  assign(cost, n, scratch + 3 * (n + 1), potential, scratch);
  memcpy(branch, scratch + 3 * (n + 1), (size_t)m->n * sizeof *branch);
  free(cost);
  free(potential);
  free(scratch);
  return HK_OK;
}

hk_status hk_eigen_sweep_add(hk_eigen_sweep *s, const hk_modes *m, int size, const double *weight,
                             hk_error *err) {
  if (s->n_done >= s->n) return hk_fail(err, HK_EINPUT, "the sweep has no more points");
  if (s->n_branches && size != s->size)
    return hk_fail(err, HK_EINPUT,
                   "the model has %d coordinates at this point and %d at the previous one: modes "
                   "cannot be matched",
                   size, s->size);
  s->size = size;
  int *branch = calloc((size_t)m->n + 1, sizeof *branch);
  if (!branch) return hk_fail(err, HK_ENOMEM, "out of memory");
  int old = s->n_branches;
  hk_status status = join(s, m, weight, branch, err);
  int most = old;
  for (int i = 0; i < m->n; i++)
    if (branch[i] >= most) most = branch[i] + 1;
  if (!status) status = grow(s, most, err);
  for (int i = 0; i < m->n && !status; i++) {
    hk_branch *b = &s->branch[branch[i]];
    double *shape = s->shape + (size_t)branch[i] * (size_t)size * 2;
    /* Neutral modes: the real part is within rounding and is set to 0. */
    b->re[s->n_done] = isfinite(m->mode[i].time_constant) ? m->mode[i].re : 0;
    b->im[s->n_done] = m->mode[i].zero ? 0 : m->mode[i].im;
    if (branch[i] < old) b->mac[s->n_done] = mac(shape, m->mode[i].shape, size, weight);
    memcpy(shape, m->mode[i].shape, (size_t)size * 2 * sizeof *shape);
  }
  if (!status) s->n_done++;
  free(branch);
  return status;
}

void hk_eigen_sweep_skip(hk_eigen_sweep *s, hk_status status, const hk_error *why) {
  if (s->n_done >= s->n) return;
  if (s->n_failed++ == 0) {
    s->first_failure = *why;
    s->first_status = status;
  }
  s->n_done++;
}

/* ---- points ---- */

hk_status hk_operating_point_make(const hk_model *model, const hk_operating_point *point,
                                  hk_sim **sim, hk_linear **linear, hk_diag *diag, hk_error *err) {
  hk_static_report report;
  *sim = NULL;
  *linear = NULL;
  hk_status status;
  if (point->mode == HK_OPERATE_STATIC) {
    status = hk_static_solve(model, NULL, sim, &report, diag, err);
  } else {
    status = hk_sim_create(model, &(hk_sim_options){.no_stepping = true}, sim, diag, err);
    if (!status && point->at > hk_sim_time(*sim)) status = hk_sim_advance(*sim, point->at, err);
  }
  hk_linear_options o = point->linear;
  o.frozen = point->mode == HK_OPERATE_STATIC;
  if (!status) status = hk_linear_create(*sim, &o, linear, diag, err);
  if (!status) return HK_OK;
  hk_sim_destroy(*sim);
  *sim = NULL;
  return status;
}

/* Weights of the coordinates of shapes: a radian is weighted by the characteristic length. */
static double *shape_weights(const hk_linear *l) {
  double *w = malloc(((size_t)l->n + 1) * sizeof *w);
  double length = l->model->length > 0 ? l->model->length : 1;
  for (int i = 0; w && i < l->n; i++)
    w[i] = strcmp(hk_linear_coordinate_unit(l, i), "rad") == 0 ? length : 1;
  return w;
}

static hk_status modes_of_point(hk_eigen_sweep *s, const hk_model *model,
                                const hk_operating_point *point, hk_diag *diag, hk_error *err) {
  hk_sim *sim;
  hk_linear *linear;
  hk_modes modes = {0};
  hk_status status = hk_operating_point_make(model, point, &sim, &linear, diag, err);
  if (status) return status;
  double *weight = shape_weights(linear);
  status =
      weight ? hk_modes_solve(linear, NULL, &modes, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = hk_eigen_sweep_add(s, &modes, linear->n, weight, err);
  free(weight);
  hk_modes_free(&modes);
  hk_linear_destroy(linear);
  hk_sim_destroy(sim);
  return status;
}

/* Location of the first failure, copied because the model that contains it is destroyed before the sweep ends. */
static void keep_place(hk_eigen_sweep *s, const hk_model *model) {
  s->first_place = hk_error_location(model, &s->first_failure);
  if (s->first_place.file) s->first_place.file = strdup(s->first_place.file);
}

static hk_model *read_model(const hk_registry *types, const char *path, const hk_override *set,
                            int n, hk_diag *diag) {
  hk_spec *spec = hk_model_file_read_with(types, path, set, n, diag);
  hk_error err = {0};
  if (spec && hk_spec_first_order(spec, &err)) hk_diag_add(diag, HK_ERROR, NULL, "%s", err.text);
  return spec ? hk_model_compile(spec, diag) : NULL;
}

hk_status hk_eigen_sweep_run(hk_eigen_sweep *s, const hk_registry *types, const char *path,
                             const hk_override *set, int n_set, const hk_sweep_axis *axis,
                             const hk_operating_point *point, hk_diag *diag, hk_error *err) {
  hk_override *all = calloc((size_t)n_set + 1, sizeof *all);
  if (!all) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (n_set) memcpy(all, set, (size_t)n_set * sizeof *all);
  hk_status status = HK_OK;
  for (int i = s->n_done; i < s->n && !status; i++) {
    char value[128];
    hk_diag quiet;
    hk_diag_init(&quiet);
    hk_number_print(value, sizeof value, "%.17g%s%.60s", s->parameter[i], axis->unit[0] ? " " : "",
                    axis->unit);
    all[n_set] = (hk_override){axis->path, value};
    /* Only the first point reports warnings: those of the other points would be the same. */
    hk_diag *d = i == 0 ? diag : &quiet;
    hk_model *model = read_model(types, path, all, n_set + 1, d);
    hk_error why = {0};
    if (!model) {
      if (d != diag) hk_model_destroy(read_model(types, path, all, n_set + 1, diag));
      status = hk_fail(err, HK_EINPUT, "the model cannot be read with %s = %s", axis->path, value);
    } else {
      hk_status failed = modes_of_point(s, model, point, d, &why);
      if (failed == HK_ENOMEM) status = hk_fail(err, HK_ENOMEM, "%s", why.text);
      if (failed) hk_eigen_sweep_skip(s, failed, &why);
      if (failed && s->n_failed == 1) keep_place(s, model);
    }
    hk_model_destroy(model);
    hk_diag_free(&quiet);
  }
  free(all);
  if (!status && s->n_failed == s->n) {
    status = hk_fail(err, s->first_status, "%s", s->first_failure.text);
    if (!diag->n_errors) hk_diag_add(diag, HK_ERROR, &s->first_place, "%s", s->first_failure.text);
  }
  return status;
}
