/* Static displacements of a part with held interfaces: see held.h. */
#include "reduce/held.h"
#include "base/small_lu.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }
static size_t length(const hk_held *h) { return 3 * (size_t)h->A->n; }

void hk_held_free(hk_held *h) {
  hk_cholesky_free(h->factor);
  for (int i = 0; h->row && i < h->n_interfaces; i++) free(h->row[i]);
  free(h->row);
  free(h->held);
  free(h->Z);
  free(h->S);
  free(h->pivot);
  *h = (hk_held){0};
}

void hk_held_motion(const hk_held *h, int interface, const double *u, double motion[6]) {
  hk_part_interface_motion(&h->interface[interface], h->row[interface], u, motion);
}

void hk_held_load(const hk_held *h, int interface, const double load[6], double *force) {
  const hk_part_interface *b = &h->interface[interface];
  for (int j = 0; j < 6; j++)
    for (int i = 0; i < b->n; i++)
      for (int d = 0; d < 3; d++)
        force[3 * (size_t)b->node[i] + (size_t)d] +=
            load[j] * h->row[interface][3 * ((size_t)j * (size_t)b->n + (size_t)i) + (size_t)d];
}

/* Computes the values of all constraints at the displacements u: the fitted motions of the averaging interfaces, then
 * the elongations of the added springs. */
static void constraints(const hk_held *h, const double *u, double *value) {
  int k = 0;
  for (int i = 0; i < h->n_interfaces; i++)
    if (h->interface[i].average) hk_held_motion(h, i, u, value + k), k += 6;
  for (int s = 0; s < h->springs; s++) {
    const double *v = u + 3 * (size_t)h->spring[s].node, *d = h->spring[s].direction;
    value[k + s] = d[0] * v[0] + d[1] * v[1] + d[2] * v[2];
  }
}

/* ---- supports without a rigid interface ---- */

static double distance(const double a[3], const double b[3]) {
  return sqrt((a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) +
              (a[2] - b[2]) * (a[2] - b[2]));
}

static void cross(const double a[3], const double b[3], double c[3]) {
  for (int d = 0; d < 3; d++)
    c[d] = a[(d + 1) % 3] * b[(d + 2) % 3] - a[(d + 2) % 3] * b[(d + 1) % 3];
}

static void normalize(double v[3]) {
  double size = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int d = 0; d < 3; d++) v[d] /= size;
}

/* Three springs support a first node of the mesh, two springs a second node, and one spring a third node. The three
 * nodes are far from each other. */
static void place_springs(hk_held *h) {
  const double(*x)[3] = h->x;
  int n = h->A->n, a = 0, b = 0, c = 0, k = 0;
  for (int i = 0; i < n; i++)
    if (distance(x[i], x[0]) > distance(x[a], x[0])) a = i;
  for (int i = 0; i < n; i++)
    if (distance(x[i], x[a]) > distance(x[b], x[a])) b = i;
  double along[3], across[3], normal[3], best = -1, v[3], w[3], stiffness = 0;
  for (int d = 0; d < 3; d++) along[d] = x[b][d] - x[a][d];
  normalize(along);
  for (int i = 0; i < n; i++) {
    for (int d = 0; d < 3; d++) v[d] = x[i][d] - x[a][d];
    cross(along, v, w);
    double size = w[0] * w[0] + w[1] * w[1] + w[2] * w[2];
    if (size > best) best = size, c = i, memcpy(normal, w, sizeof w);
    size_t e = hk_nodal_entry(h->A, i, i);
    for (int d = 0; d < 3; d++) stiffness += h->A->K[9 * e + 4 * (size_t)d] / (3.0 * n);
  }
  normalize(normal);
  cross(normal, along, across);
  const double *direction[6] = {along, across, normal, across, normal, normal};
  const int node[6] = {a, a, a, b, b, c};
  for (; k < 6; k++) {
    h->spring[k] = (hk_nodal_spring){.node = node[k], .stiffness = stiffness};
    memcpy(h->spring[k].direction, direction[k], sizeof along);
  }
  h->springs = 6;
}

/* ---- multipliers ---- */

static hk_status make_multipliers(hk_held *h, hk_error *err) {
  size_t n = length(h), size = (size_t)h->size;
  h->Z = calloc(n * size + 1, sizeof *h->Z);
  h->S = calloc(size * size + 1, sizeof *h->S);
  h->pivot = malloc(sizeof *h->pivot * (size + 1));
  double *column = malloc(sizeof *column * (size + 1));
  if (!h->Z || !h->S || !h->pivot || !column) {
    free(column);
    return no_memory(err);
  }
  int k = 0;
  for (int i = 0; i < h->n_interfaces; i++)
    for (int j = 0; j < 6 && h->interface[i].average; j++, k++) {
      double load[6] = {0};
      load[j] = 1;
      hk_held_load(h, i, load, h->Z + (size_t)k * n);
    }
  for (int s = 0; s < h->springs; s++, k++)
    for (int d = 0; d < 3; d++)
      h->Z[(size_t)k * n + 3 * (size_t)h->spring[s].node + (size_t)d] = h->spring[s].direction[d];
  hk_status status = hk_cholesky_solve(h->factor, h->size, h->Z, err);
  for (k = 0; k < h->size && !status; k++) {
    constraints(h, h->Z + (size_t)k * n, column);
    for (int r = 0; r < h->size; r++) {
      /* If a load acts along one of the springs, this spring alone carries the load. The load and the force of the
       * spring then add up to zero and cause no displacement. */
      bool springs = r >= h->size - h->springs && k >= h->size - h->springs;
      h->S[r * h->size + k] = springs ? 0 : column[r];
    }
  }
  free(column);
  if (!status && !hk_small_lu_factor(h->S, h->pivot, h->size, 0))
    status = hk_fail(err, HK_EFAIL,
                     "the interfaces cannot move independently of each other; remove one of them");
  return status;
}

hk_status hk_held_solve(const hk_held *h, int vectors, double *b, const double *motion,
                        hk_error *err) {
  size_t n = length(h);
  hk_status status = hk_cholesky_solve(h->factor, vectors, b, err);
  if (status || !h->size) return status;
  double *value = malloc(sizeof *value * (size_t)h->size);
  if (!value) return no_memory(err);
  for (int v = 0; v < vectors; v++) {
    constraints(h, b + (size_t)v * n, value);
    for (int k = 0; k < 6 * h->averages && motion; k++) value[k] -= motion[v * 6 * h->averages + k];
    hk_small_lu_solve(h->S, h->pivot, h->size, value, 1);
    for (int k = 0; k < h->size; k++)
      for (size_t i = 0; i < n; i++) b[(size_t)v * n + i] -= value[k] * h->Z[(size_t)k * n + i];
  }
  free(value);
  return HK_OK;
}

/* ---- construction ---- */

static hk_status factorize(hk_held *h, hk_progress_fn *progress, void *context, hk_error *err) {
  int node = 0;
  hk_cholesky_task task = {.A = h->A,
                           .x = h->x,
                           .held = h->held,
                           .n_springs = h->springs,
                           .spring = h->spring,
                           .progress = progress,
                           .context = context};
  hk_status status = hk_cholesky_create(&task, &h->factor, &node, err);
  if (status != HK_EFAIL) return status;
  return hk_fail(
      err, HK_EINPUT,
      "the stiffness matrix is not positive definite with the interfaces held; the part can move "
      "without strain "
      "near (%.4g, %.4g, %.4g) m: nodes or parts are not connected there, or elements are "
      "degenerate",
      h->x[node][0], h->x[node][1], h->x[node][2]);
}

hk_status hk_held_make(const hk_nodal_matrix *A, const double (*x)[3], int n_interfaces,
                       const hk_part_interface *interface, hk_progress_fn *progress, void *context,
                       hk_held *out, hk_error *err) {
  *out = (hk_held){.A = A, .x = x, .n_interfaces = n_interfaces, .interface = interface};
  out->held = calloc((size_t)A->n + 1, 1);
  out->row = calloc((size_t)n_interfaces + 1, sizeof *out->row);
  hk_status status = out->held && out->row ? HK_OK : no_memory(err);
  for (int i = 0; i < n_interfaces && !status; i++) {
    const hk_part_interface *b = &interface[i];
    out->row[i] = malloc(sizeof **out->row * 18 * (size_t)b->n);
    if (!out->row[i]) {
      status = no_memory(err);
      break;
    }
    hk_part_interface_rows(b, x, out->row[i]);
    out->averages += b->average;
    for (int k = 0; k < b->n && !b->average; k++) out->held[b->node[k]] = 1;
  }
  if (!status && out->averages == n_interfaces) place_springs(out);
  out->size = 6 * out->averages + out->springs;
  if (!status) status = factorize(out, progress, context, err);
  if (!status && out->size) status = make_multipliers(out, err);
  if (status) hk_held_free(out);
  return status;
}

/* ---- constraint modes ---- */

hk_status hk_held_constraint_modes(const hk_held *h, double *mode, hk_error *err) {
  size_t n = length(h), all = 6 * (size_t)h->n_interfaces;
  double *motion = calloc(all * 6 * (size_t)h->averages + 1, sizeof *motion),
         *given = malloc(sizeof *given * n);
  hk_status status = motion && given ? HK_OK : no_memory(err);
  int average = -1;
  for (int i = 0; i < h->n_interfaces && !status; i++)
    for (int j = 0; j < 6; j++) {
      const hk_part_interface *b = &h->interface[i];
      if (j == 0 && b->average) average++;
      size_t k = 6 * (size_t)i + (size_t)j;
      if (b->average) {
        memset(mode + k * n, 0, sizeof *mode * n);
        motion[k * 6 * (size_t)h->averages + (size_t)(6 * average + j)] = 1;
        continue;
      }
      memset(given, 0, sizeof *given * n);
      for (int q = 0; q < b->n; q++)
        hk_part_rigid_motion(j, b->center, h->x[b->node[q]], given + 3 * (size_t)b->node[q]);
      hk_nodal_stiffness_times(h->A, given, 1, mode + k * n);
      for (size_t q = 0; q < n; q++) mode[k * n + q] = -mode[k * n + q];
    }
  if (!status) status = hk_held_solve(h, (int)all, mode, h->averages ? motion : NULL, err);
  for (int i = 0; i < h->n_interfaces && !status; i++)
    for (int j = 0; j < 6 && !h->interface[i].average; j++) {
      const hk_part_interface *b = &h->interface[i];
      for (int q = 0; q < b->n; q++)
        hk_part_rigid_motion(j, b->center, h->x[b->node[q]],
                             mode + (6 * (size_t)i + (size_t)j) * n + 3 * (size_t)b->node[q]);
    }
  free(motion);
  free(given);
  return status;
}
