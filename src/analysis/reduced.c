/* Massless directions of a reduced linear model.
 *
 * Bodies without mass make N^T M N singular: the eigenvalues at infinity form Jordan blocks of length two, and QZ
 * returns huge finite numbers for them. Therefore the massless directions are separated first. They are the null space
 * of a matrix that contains 1 for each direction with mass, however small this mass is. So small masses are not
 * confused with zero. Without damping, these directions follow the others statically (Guyan condensation, exact here):
 *   K00 z0 + K01 z1 = 0.
 * If neither stiffness nor damping resists a massless direction, its motion has no equation at all. */
#include "analysis/dense_matrix.h"
#include "analysis/linearise.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

void hk_reduced_free(hk_reduced *r) {
  free(r->block);
  *r = (hk_reduced){0};
}

hk_status hk_inertia_directions(const hk_linear *l, int node, double *P, int *massless,
                                hk_error *err) {
  const hk_block_pattern *p = l->inside->sys->pattern;
  const double *A = l->inside->M + p->value_start[hk_block_pattern_find(p, node, node)];
  int nv = l->model->node[node].nv;
  double value[HK_NODE_FEW];
  memset(P, 0, (size_t)(nv * nv) * sizeof *P);
  *massless = nv;
  /* Translation and rotation are scaled separately, because they have different units; then each mode of a flexible
   * body. */
  for (int first = 0, size; first < nv; first += size) {
    size = nv < 6 ? nv : first < 6 ? 3 : 1;
    double B[HK_NODE_FEW * HK_NODE_FEW];
    for (int i = 0; i < size; i++)
      for (int j = 0; j < size; j++) B[i * size + j] = A[(first + i) * nv + first + j];
    hk_status status = hk_dense_symmetric(B, size, value, err);
    if (status) return status;
    for (int k = 0; k < size; k++) {
      if (!(value[k] > 1e-12 * value[size - 1])) continue;
      --*massless;
      for (int i = 0; i < size; i++)
        for (int j = 0; j < size; j++)
          P[(first + i) * nv + first + j] += B[i * size + k] * B[j * size + k];
    }
  }
  return HK_OK;
}

/* S N [n][dof]: the part of the free motions that moves mass. */
static hk_status moving_mass(const hk_linear *l, double *out, hk_error *err) {
  const hk_model *m = l->model;
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *node = &m->node[i];
    double P[node->nv * node->nv];
    int massless;
    hk_status status = hk_inertia_directions(l, i, P, &massless, err);
    if (status) return status;
    hk_dense_multiply(node->nv, l->dof, node->nv, P, l->N + (size_t)node->v * l->dof,
                      out + (size_t)node->v * l->dof);
  }
  return HK_OK;
}

static hk_status find_massless(const hk_linear *l, hk_reduced *r, double *scratch, hk_error *err) {
  int n = l->dof;
  hk_svd svd;
  hk_status status = moving_mass(l, scratch, err);
  if (!status) status = hk_svd_make_right(scratch, l->n, n, 1e-10, &svd, err);
  if (status) return status;
  r->n1 = svd.rank;
  r->n0 = n - svd.rank;
  r->Q0 = r->Q1 + (size_t)n * (size_t)r->n1;
  for (int j = 0; j < n; j++) {
    for (int k = 0; k < r->n1; k++) r->Q1[(size_t)j * r->n1 + k] = svd.Vt[(size_t)k * n + j];
    for (int k = 0; k < r->n0; k++)
      r->Q0[(size_t)j * r->n0 + k] = svd.Vt[(size_t)(r->n1 + k) * n + j];
  }
  if (r->n0 == 0) { /* without massless directions the basis needs no rotation */
    memset(r->Q1, 0, (size_t)n * (size_t)n * sizeof *r->Q1);
    for (int j = 0; j < n; j++) r->Q1[(size_t)j * n + j] = 1;
  }
  hk_svd_free(&svd);
  return HK_OK;
}

static void project_blocks(const hk_linear *l, hk_reduced *r, double *scratch) {
  int n = l->dof, n1 = r->n1, n0 = r->n0;
  hk_dense_project(n, n1, n1, r->Q1, l->Mr, r->Q1, scratch, r->C);
  hk_dense_project(n, n1, n1, r->Q1, l->Kr, r->Q1, scratch, r->K11);
  hk_dense_project(n, n1, n1, r->Q1, l->Lr, r->Q1, scratch, r->L11);
  hk_dense_project(n, n1, n0, r->Q1, l->Kr, r->Q0, scratch, r->K10);
  hk_dense_project(n, n1, n0, r->Q1, l->Lr, r->Q0, scratch, r->L10);
  hk_dense_project(n, n0, n1, r->Q0, l->Kr, r->Q1, scratch, r->K01);
  hk_dense_project(n, n0, n1, r->Q0, l->Lr, r->Q1, scratch, r->L01);
  hk_dense_project(n, n0, n0, r->Q0, l->Kr, r->Q0, scratch, r->K00);
  hk_dense_project(n, n0, n0, r->Q0, l->Lr, r->Q0, scratch, r->L00);
}

hk_status hk_dangling(const hk_linear *l, const double *d, hk_error *err) {
  const hk_model *m = l->model;
  const char *name = "";
  double most = -1;
  for (int i = 0; i < m->n_nodes; i++) {
    double size = 0;
    for (int k = 0; k < m->node[i].nv; k++) size += d[m->node[i].v + k] * d[m->node[i].v + k];
    if (size > most) most = size, name = m->node[i].name;
  }
  hk_fail(err, HK_EINPUT,
          "body '%s' has no mass and is not fully constrained: neither stiffness nor damping nor "
          "inertia resists one of its motions, so this motion has no equation. Give it mass and "
          "inertia, or constrain it",
          name);
  hk_error_about(err, name, NAN, -1);
  return HK_EINPUT;
}

/* Reports the body that moves most in the massless direction z0. */
static hk_status dangling(const hk_linear *l, const hk_reduced *r, const double *z0,
                          hk_error *err) {
  double *z = calloc((size_t)l->dof + (size_t)l->n + 1, sizeof *z);
  if (!z) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_dense_multiply(l->dof, 1, r->n0, r->Q0, z0, z);
  hk_dense_multiply(l->n, 1, l->dof, l->N, z, z + l->dof);
  hk_status status = hk_dangling(l, z + l->dof, err);
  free(z);
  return status;
}

/* Stiffness and damping of the massless directions, stacked: tests whether they have a null space. */
static hk_status check_held(const hk_linear *l, const hk_reduced *r, double *scratch,
                            hk_error *err) {
  int n0 = r->n0, n1 = r->n1;
  size_t square = (size_t)n0 * (size_t)n0;
  /* Relative to the whole matrices: smaller values are rounding. */
  double k = fmax(hk_dense_max(r->K11, (size_t)n1 * (size_t)n1), hk_dense_max(r->K00, square));
  double d = fmax(hk_dense_max(r->L11, (size_t)n1 * (size_t)n1), hk_dense_max(r->L00, square));
  for (size_t i = 0; i < square; i++) {
    scratch[i] = k > 0 ? r->K00[i] / k : 0;
    scratch[square + i] = d > 0 ? r->L00[i] / d : 0;
  }
  hk_svd svd;
  hk_status status = hk_svd_make(scratch, 2 * n0, n0, 0, &svd, err);
  if (status) return status;
  if (!(svd.s[n0 - 1] > 1e-11)) status = dangling(l, r, svd.Vt + (size_t)(n0 - 1) * n0, err);
  hk_svd_free(&svd);
  return status;
}

static hk_status condense(hk_reduced *r, double *scratch, hk_error *err) {
  int n0 = r->n0, n1 = r->n1;
  memcpy(scratch, r->K00, (size_t)n0 * (size_t)n0 * sizeof *scratch);
  memcpy(r->X, r->K01, (size_t)n0 * (size_t)n1 * sizeof *r->X);
  hk_status status = hk_dense_solve(scratch, n0, r->X, n1, 1e-15, err);
  if (status) return status;
  hk_dense_multiply(n1, n1, n0, r->K10, r->X, scratch);
  for (size_t i = 0; i < (size_t)n1 * (size_t)n1; i++) r->K11[i] -= scratch[i];
  r->condensed = true;
  return HK_OK;
}

/* Replaces the mass matrix by C.  With friction the left basis differs from the right one and the mass matrix is not
 * symmetric: then the equations are multiplied by its inverse instead. */
static hk_status factor_mass(hk_reduced *r, double *scratch, hk_error *err) {
  int n1 = r->n1;
  double asymmetry = 0, size = hk_dense_max(r->C, (size_t)n1 * (size_t)n1);
  for (int i = 0; i < n1; i++)
    for (int j = 0; j < i; j++)
      asymmetry = fmax(asymmetry, fabs(r->C[(size_t)i * n1 + j] - r->C[(size_t)j * n1 + i]));
  if (asymmetry <= 1e-12 * size) {
    if (hk_dense_cholesky(r->C, n1) == HK_OK) return HK_OK;
    return hk_fail(err, HK_EFAIL, "the mass matrix of the free motions is not positive definite");
  }
  double *part[] = {r->K11, r->L11, r->K10, r->L10};
  const int width[] = {n1, n1, r->n0, r->n0};
  for (int k = 0; k < 4; k++) {
    memcpy(scratch, r->C, (size_t)n1 * (size_t)n1 * sizeof *scratch);
    hk_status status = hk_dense_solve(scratch, n1, part[k], width[k], 1e-15, err);
    if (status) return status;
  }
  r->left_scaled = true;
  memset(r->C, 0, (size_t)n1 * (size_t)n1 * sizeof *r->C);
  for (int i = 0; i < n1; i++) r->C[(size_t)i * n1 + i] = 1;
  return HK_OK;
}

hk_status hk_reduced_make(const hk_linear *l, hk_reduced *out, hk_error *err) {
  size_t n = (size_t)l->dof, square = n * n;
  *out = (hk_reduced){.n = l->dof};
  if (l->sparse)
    return hk_fail(err, HK_EINPUT, "the model is too large for dense matrices (%d coordinates)",
                   l->n);
  out->block = calloc(11 * square + 2 * (size_t)l->n * n + 2 * square + 1, sizeof *out->block);
  if (!out->block) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *at = out->block;
  double **part[] = {&out->Q1,  &out->C,   &out->K11, &out->L11, &out->K10, &out->L10,
                     &out->K01, &out->L01, &out->K00, &out->L00, &out->X};
  for (int i = 0; i < 11; i++, at += square) *part[i] = at;
  hk_status status = find_massless(l, out, at, err);
  if (!status) {
    project_blocks(l, out, at);
    out->damped = hk_dense_max(l->Lr, square) > 0;
    if (out->n0) status = check_held(l, out, at, err);
  }
  bool held = hk_dense_max(out->L00, (size_t)out->n0 * (size_t)out->n0) == 0 &&
              hk_dense_max(out->L01, (size_t)out->n0 * (size_t)out->n1) == 0 &&
              hk_dense_max(out->L10, (size_t)out->n0 * (size_t)out->n1) == 0;
  if (!status && out->n0 && held) status = condense(out, at, err);
  if (!status) status = factor_mass(out, at, err);
  if (status > 0)
    status = hk_fail(err, HK_EFAIL,
                     "the stiffness that holds the massless bodies is too small; give them mass");
  if (status) hk_reduced_free(out);
  return status;
}
