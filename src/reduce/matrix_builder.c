/* Matrices from lists of entries: see matrix_builder.h. */
#include "reduce/matrix_builder.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static hk_status no_memory(hk_error *err) { return hk_fail(err, HK_ENOMEM, "out of memory"); }

hk_status hk_matrix_add(hk_matrix_list *l, int row, int column, double value, hk_error *err) {
  if (l->n == l->room) {
    size_t room = l->room ? 2 * l->room : 4096;
    hk_matrix_entry *grown = realloc(l->entry, sizeof *grown * room);
    if (!grown) return no_memory(err);
    l->entry = grown, l->room = room;
  }
  l->entry[l->n++] = (hk_matrix_entry){row, column, value};
  return HK_OK;
}

void hk_matrix_list_free(hk_matrix_list *l) {
  free(l->entry);
  *l = (hk_matrix_list){0};
}

/* ---- pattern ---- */

static int compare_int(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b;
  return (x > y) - (x < y);
}

/* Counts (columns NULL) or stores the node pairs of a list, in both directions. */
static void pairs(const hk_matrix_list *l, size_t *at, int *column) {
  for (size_t e = 0; e < l->n; e++) {
    int a = l->entry[e].row / 3, b = l->entry[e].column / 3;
    if (a == b) continue; /* the pattern always contains the diagonal */
    if (column) column[at[a]] = b, column[at[b]] = a;
    at[a]++, at[b]++;
  }
}

static hk_status make_pattern(int nodes, const hk_matrix_list *K, const hk_matrix_list *M,
                              hk_nodal_matrix *out, hk_error *err) {
  size_t n = (size_t)nodes, total = 2 * (K->n + M->n) + n;
  size_t *start = calloc(n + 1, sizeof *start), *at = calloc(n + 1, sizeof *at);
  out->n = nodes;
  out->first = calloc(n + 1, sizeof *out->first);
  out->column = malloc(sizeof *out->column * (total + 1));
  if (!start || !at || !out->first || !out->column) {
    free(start);
    free(at);
    return no_memory(err);
  }
  pairs(K, at, NULL);
  pairs(M, at, NULL);
  size_t used = 0;
  for (size_t i = 0; i < n; i++) {
    start[i] = used;
    used += at[i] + 1;
    at[i] = start[i];
    out->column[at[i]++] = (int)i; /* the diagonal */
  }
  start[n] = used;
  pairs(K, at, out->column);
  pairs(M, at, out->column);
  used = 0;
  for (size_t i = 0; i < n; i++) {
    int *row = out->column + start[i];
    size_t count = start[i + 1] - start[i];
    qsort(row, count, sizeof *row, compare_int);
    out->first[i] = used;
    for (size_t k = 0; k < count; k++)
      if (k == 0 || row[k] != out->column[used - 1]) out->column[used++] = row[k];
  }
  out->first[n] = used;
  free(start);
  free(at);
  out->K = calloc(9 * used + 1, sizeof *out->K);
  out->m = calloc(used + 1, sizeof *out->m);
  return out->K && out->m ? HK_OK : no_memory(err);
}

/* ---- numbers ---- */

static void add(double *block, const hk_nodal_matrix *A, int row, int column, double value) {
  size_t e = hk_nodal_entry(A, row / 3, column / 3);
  block[9 * e + 3 * (size_t)(row % 3) + (size_t)(column % 3)] += value;
}

/* Fills blocks[entries][9] from a list. */
static void fill(const hk_matrix_list *l, double factor, const hk_nodal_matrix *A, double *block) {
  for (size_t e = 0; e < l->n; e++) {
    const hk_matrix_entry *x = &l->entry[e];
    add(block, A, x->row, x->column, factor * x->value);
    if (l->halved && x->row != x->column) add(block, A, x->column, x->row, factor * x->value);
  }
}

/* Largest magnitude of all blocks. */
static double largest(const hk_nodal_matrix *A, const double *block) {
  double most = 0;
  for (size_t e = 0; e < 9 * A->first[A->n]; e++) most = fmax(most, fabs(block[e]));
  return most;
}

static hk_status check_symmetry(const hk_nodal_matrix *A, const double *block, const long *label,
                                const char *name, hk_error *err) {
  double bound = 1e-9 * largest(A, block);
  for (int i = 0; i < A->n; i++)
    for (size_t e = A->first[i]; e < A->first[i + 1]; e++) {
      size_t back = hk_nodal_entry(A, A->column[e], i);
      for (int k = 0; k < 9; k++) {
        double a = block[9 * e + (size_t)k], b = block[9 * back + (size_t)(3 * (k % 3) + k / 3)];
        if (fabs(a - b) > bound)
          return hk_fail(err, HK_EINPUT,
                         "'%s' is not symmetric: the entries of nodes %ld and %ld are %.9g and "
                         "%.9g; friction, "
                         "damping and gyroscopic "
                         "terms cannot be reduced",
                         name, label[i], label[A->column[e]], a, b);
      }
    }
  return HK_OK;
}

/* Checks that the mass of each pair of nodes is a number times the unit matrix. */
static hk_status check_mass(const hk_nodal_matrix *A, const double *block, const long *label,
                            const char *name, hk_error *err) {
  double bound = 1e-9 * largest(A, block);
  for (int i = 0; i < A->n; i++)
    for (size_t e = A->first[i]; e < A->first[i + 1]; e++) {
      const double *m = block + 9 * e;
      double off = 0;
      for (int k = 0; k < 9; k++) off = fmax(off, fabs(k % 4 ? m[k] : m[k] - m[0]));
      if (off > bound)
        return hk_fail(err, HK_EINPUT,
                       "'%s' has rotary inertia or a mass that differs with direction: for nodes "
                       "%ld and %ld it is not a "
                       "number times the unit matrix (%.2g of the largest entry); only solid "
                       "elements and masses at "
                       "nodes can be reduced, not beams, shells or rigid bodies",
                       name, label[i], label[A->column[e]], off / (bound * 1e9));
    }
  return HK_OK;
}

hk_status hk_matrix_build(int nodes, const long *label, const hk_matrix_list *K, const char *K_name,
                          double K_factor, const hk_matrix_list *M, const char *M_name,
                          double M_factor, hk_nodal_matrix *out, hk_error *err) {
  *out = (hk_nodal_matrix){0};
  hk_status status = make_pattern(nodes, K, M, out, err);
  double *mass = status ? NULL : calloc(9 * out->first[nodes] + 1, sizeof *mass);
  if (!status && !mass) status = no_memory(err);
  if (!status) {
    fill(K, K_factor, out, out->K);
    fill(M, M_factor, out, mass);
    status = check_symmetry(out, out->K, label, K_name, err);
  }
  if (!status) status = check_symmetry(out, mass, label, M_name, err);
  if (!status) status = check_mass(out, mass, label, M_name, err);
  for (size_t e = 0; !status && e < out->first[nodes]; e++)
    out->m[e] = (mass[9 * e] + mass[9 * e + 4] + mass[9 * e + 8]) / 3;
  free(mass);
  if (status) hk_nodal_matrix_free(out);
  return status;
}
