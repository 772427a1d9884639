/* Reduction of a part: see reduce.h. */
#include "reduce/reduce.h"
#include "lapack/lapack.h"
#include "reduce/reduce_private.h"
#include "fe_solve/lanczos.h"
#include <cblas.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

bool hk_reduction_tell(const hk_reduction *r, const char *what, double done) {
  hk_progress now = {.what = what, .done = done, .time = NAN};
  return !r->t->progress || r->t->progress(r->t->context, &now);
}

/* ---- rigid body ---- */

static hk_status rigid_body(hk_reduction *r, hk_reduce_report *report, hk_error *err) {
  const hk_nodal_matrix *A = r->t->A;
  const double(*x)[3] = r->t->x;
  double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
  for (int i = 0; i < A->n; i++) {
    for (int d = 0; d < 3; d++) low[d] = fmin(low[d], x[i][d]), high[d] = fmax(high[d], x[i][d]);
    for (size_t e = A->first[i]; e < A->first[i + 1]; e++) {
      r->mass += A->m[e];
      for (int d = 0; d < 3; d++) r->center[d] += A->m[e] * x[i][d];
    }
  }
  for (int d = 0; d < 3; d++) r->center[d] /= r->mass, report->size[d] = high[d] - low[d];
  if (!(r->mass > 0))
    return hk_fail(err, HK_EINPUT, "the mass of the part is %.4g kg; it must be positive", r->mass);
  r->rigid = malloc(sizeof *r->rigid * 6 * r->length);
  double *moved = malloc(sizeof *moved * 6 * r->length);
  if (!r->rigid || !moved) {
    free(moved);
    return no_memory(err);
  }
  for (int j = 0; j < 6; j++)
    for (int i = 0; i < A->n; i++)
      hk_part_rigid_motion(j, r->center, x[i], r->rigid + (size_t)j * r->length + 3 * (size_t)i);
  hk_nodal_mass_times(A, r->rigid, 6, moved);
  for (int j = 0; j < 9; j++)
    r->J0[j] = cblas_ddot((int)r->length, r->rigid + (size_t)(3 + j / 3) * r->length, 1,
                          moved + (size_t)(3 + j % 3) * r->length, 1);
  /* Returns the largest force that a rigid motion causes, divided by the sum of the magnitudes
   * of its terms. The result is zero for a correct stiffness. */
  hk_nodal_stiffness_times(A, r->rigid, 6, moved);
  double largest = 0;
  int worst = 0;
  for (int j = 0; j < 6; j++) {
    double scale = 0, force = 0;
    int at = 0;
    for (int i = 0; i < A->n; i++)
      for (int d = 0; d < 3; d++) {
        double parts = 0;
        for (size_t e = A->first[i]; e < A->first[i + 1]; e++)
          for (int k = 0; k < 3; k++)
            parts += fabs(A->K[9 * e + (size_t)(3 * d + k)] *
                          r->rigid[(size_t)j * r->length + 3 * (size_t)A->column[e] + (size_t)k]);
        double f = fabs(moved[(size_t)j * r->length + 3 * (size_t)i + (size_t)d]);
        if (f > force) force = f, at = i;
        scale = fmax(scale, parts);
      }
    if (force / scale > largest) largest = force / scale, worst = at;
  }
  free(moved);
  report->strain_of_rigid = largest;
  if (largest > 1e-6)
    return hk_fail(err, HK_EINPUT,
                   "the stiffness is not that of a free part: a rigid motion causes a force, which "
                   "is %.2g of the sum of its terms at node %ld "
                   "(%.4g, %.4g, %.4g) m; export the matrices without supports, contacts and "
                   "springs to the ground",
                   largest, r->t->label ? r->t->label[worst] : worst + 1L, x[worst][0], x[worst][1],
                   x[worst][2]);
  if (largest > 1e-10)
    return hk_fail(err, HK_EINPUT,
                   "the stiffness has too few digits: a rigid motion causes a force, which is %.2g "
                   "of the sum of its terms (at most 1e-10 is accepted); write the matrices and "
                   "the nodes with at least 14 digits",
                   largest);
  return HK_OK;
}

/* ---- Craig and Bampton's basis ---- */

static hk_status boundary_modes(hk_reduction *r, hk_error *err) {
  size_t n = (size_t)r->n_boundary;
  r->boundary = malloc(sizeof *r->boundary * n * r->length);
  r->K = malloc(sizeof *r->K * n * n);
  double *forces = malloc(sizeof *forces * n * r->length);
  hk_status status = r->boundary && r->K && forces ? HK_OK : no_memory(err);
  if (!status) status = hk_held_constraint_modes(&r->held, r->boundary, err);
  if (!status) {
    hk_nodal_stiffness_times(r->t->A, r->boundary, r->n_boundary, forces);
    cblas_dgemm(CblasColMajor, CblasTrans, CblasNoTrans, r->n_boundary, r->n_boundary,
                (int)r->length, 1, r->boundary, (int)r->length, forces, (int)r->length, 0, r->K,
                r->n_boundary);
  }
  free(forces);
  return status;
}

static hk_status solve_held(void *problem, int vectors, double *b, hk_error *err) {
  const hk_reduction *r = problem;
  return hk_held_solve(&r->held, vectors, b, NULL, err);
}

/* Multiplies by the mass matrix; displacements of held nodes are set to zero. */
static void mass_of_held(void *problem, const double *x, int vectors, double *y) {
  const hk_reduction *r = problem;
  hk_nodal_mass_times(r->t->A, x, vectors, y);
}

static hk_status fixed_modes(hk_reduction *r, int wanted, hk_error *err) {
  const hk_reduce_task *t = r->t;
  double w = t->error > 0 ? 0 : 2 * M_PI * t->frequency;
  hk_lanczos_task task = {.length = r->length,
                          .solve = solve_held,
                          .mass = mass_of_held,
                          .problem = r,
                          .wanted = wanted,
                          .limit = w * w,
                          .progress = t->progress,
                          .context = t->context};
  hk_lanczos_modes modes;
  hk_status status = hk_lanczos(&task, &modes, err);
  if (status) return status;
  r->n_fixed = modes.n, r->fixed = modes.mode, r->fixed_w2 = modes.w2;
  return HK_OK;
}

/* ---- result ---- */

static double *keep(hk_arena *arena, const double *from, size_t n) {
  double *to = HK_NEW_ARRAY(arena, double, n + 1);
  if (to && n) memcpy(to, from, sizeof *to * n);
  return to;
}

/* Computes the motion of a set of nodes in all modes. */
static hk_status fill_interface(const hk_reduction *r, const hk_part_interface *b,
                                const double *row, hk_flexible_interface *out, hk_error *err) {
  size_t m = (size_t)r->m;
  double *phi = HK_NEW_ARRAY(r->arena, double, 6 * m), motion[6];
  const char *name = hk_arena_strdup(r->arena, b->name);
  if (!phi || !name) return no_memory(err);
  for (size_t k = 0; k < m; k++) {
    hk_part_interface_motion(b, row, r->mode + k * r->length, motion);
    for (size_t j = 0; j < 6; j++) phi[j * m + k] = motion[j];
  }
  *out =
      (hk_flexible_interface){.name = name,
                              .s = hk_v3(b->center[0] - r->center[0], b->center[1] - r->center[1],
                                         b->center[2] - r->center[2]),
                              .phi = phi,
                              .psi = phi + 3 * m};
  return HK_OK;
}

static hk_status fill_observed(const hk_reduction *r, hk_flexible_interface *out, hk_error *err) {
  hk_status status = HK_OK;
  for (int i = 0; i < r->t->n_observed && !status; i++) {
    const hk_part_interface *b = &r->t->observed[i];
    double *row = malloc(sizeof *row * 18 * (size_t)b->n);
    if (!row) return no_memory(err);
    hk_part_interface_rows(b, r->t->x, row);
    status = fill_interface(r, b, row, &out[i], err);
    out[i].observed = true;
    free(row);
  }
  return status;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const hk_flexible_interface *)a)->name, ((const hk_flexible_interface *)b)->name);
}

static hk_status fill(hk_reduction *r, hk_flexible_data *data, hk_error *err) {
  int n = r->t->n_interfaces;
  *data = (hk_flexible_data){
      .m = r->m, .mass = r->mass, .n_fixed = r->n_fixed, .source = "", .hash = ""};
  data->center = hk_v3(r->center[0], r->center[1], r->center[2]);
  memcpy(&data->J0, r->J0, sizeof r->J0);
  data->w2 = keep(r->arena, r->w2, (size_t)r->m);
  data->fixed_w2 = keep(r->arena, r->fixed_w2, (size_t)r->n_fixed);
  hk_flexible_interface *interface =
      HK_NEW_ARRAY(r->arena, hk_flexible_interface, n + r->t->n_observed);
  if (!data->w2 || !data->fixed_w2 || !interface) return no_memory(err);
  hk_status status = HK_OK;
  for (int i = 0; i < n && !status; i++)
    status = fill_interface(r, &r->t->interface[i], r->held.row[i], &interface[i], err);
  if (!status) status = fill_observed(r, interface + n, err);
  if (!status) status = hk_reduction_invariants(r, data, err);
  if (!status && r->t->stiffening) status = hk_reduction_stiffening(r, data, interface, err);
  if (!status && r->t->surface) status = hk_reduction_surface(r, &data->surface, err);
  data->n_interfaces = n + r->t->n_observed;
  data->interface = interface;
  if (!status) qsort(interface, (size_t)data->n_interfaces, sizeof *interface, by_name);
  return status;
}

/* Largest relative change of the free frequencies up to the limit when half of the fixed modes are omitted. */
static double change_by_half(const hk_reduction *r, const hk_reduce_report *report) {
  double worst = 0;
  for (int k = 0; k < r->m; k++) {
    double hz = sqrt(r->w2[k]) / (2 * M_PI), half = report->half_hz[k];
    if (hz > r->t->frequency) break;
    worst = isnan(half) ? INFINITY : fmax(worst, half / hz - 1);
  }
  return worst;
}

/* Computes the modes with held interfaces and the mean-axis modes. The number of modes with held interfaces is
 * doubled until the error is small enough. */
static hk_status choose_modes(hk_reduction *r, hk_reduce_report *report, hk_error *err) {
  const hk_reduce_task *t = r->t;
  int wanted = t->error > 0 ? 8 : t->n_fixed;
  for (;;) {
    hk_status status = fixed_modes(r, wanted, err);
    if (!status) status = hk_reduction_mean_axes(r, report, err);
    if (status || !(t->error > 0) || r->n_fixed < wanted) return status;
    double change = change_by_half(r, report);
    if (change <= t->error) return HK_OK;
    if (2 * wanted > t->n_fixed)
      return hk_fail(err, HK_EFAIL,
                     "with %d modes the free frequencies up to %.4g Hz still change by %.2g %% if "
                     "half of the modes are left "
                     "out; choose a larger error or a lower frequency",
                     wanted, t->frequency, 100 * change);
    wanted *= 2;
    free(r->fixed);
    free(r->fixed_w2);
    free(r->w2);
    free(r->mode);
    r->fixed = r->fixed_w2 = r->w2 = r->mode = NULL;
  }
}

static hk_status reduce(hk_reduction *r, hk_flexible_data *data, hk_reduce_report *report,
                        hk_error *err) {
  const hk_reduce_task *t = r->t;
  hk_status status = rigid_body(r, report, err);
  if (!status)
    status = hk_held_make(t->A, t->x, t->n_interfaces, t->interface, t->progress, t->context,
                          &r->held, err);
  if (!status) {
    report->factor_entries = hk_cholesky_sizes(r->held.factor).entries;
    report->factor_flops = hk_cholesky_sizes(r->held.factor).flops;
    status = boundary_modes(r, err);
  }
  if (!status) status = choose_modes(r, report, err);
  if (!status) status = fill(r, data, err);
  return status;
}

hk_status hk_reduce(const hk_reduce_task *t, hk_arena *arena, hk_flexible_data *data,
                    hk_reduce_report *report, hk_error *err) {
  *report = (hk_reduce_report){0};
  if (t->n_interfaces < 1)
    return hk_fail(err, HK_EINPUT,
                   "a body needs at least one interface, at which joints and forces are attached");
  hk_status status =
      hk_part_interfaces_check(t->n_interfaces, t->interface, t->x, t->A->n, t->label, err);
  for (int i = 0; i < t->n_observed && !status; i++) /* they may share nodes */
    status = hk_part_interfaces_check(1, &t->observed[i], t->x, t->A->n, t->label, err);
  if (!status) status = hk_lapack_begin("the reduction of a part", err);
  if (status) return status;
  hk_reduction r = {
      .t = t, .arena = arena, .length = 3 * (size_t)t->A->n, .n_boundary = 6 * t->n_interfaces};
  status = reduce(&r, data, report, err);
  hk_held_free(&r.held);
  free(r.rigid);
  free(r.boundary);
  free(r.K);
  free(r.fixed);
  free(r.fixed_w2);
  free(r.w2);
  free(r.mode);
  return status;
}
