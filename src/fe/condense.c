/* Condensation of a sector to its cuts: see condense.h. */
#include "fe/condense.h"
#include "fe/hexahedron.h"
#include <cblas.h>
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A part of the section, condensed to the nodes on its boundary. */
typedef struct part {
  int nodes, size; /* number of nodes in the section; total number of displacements */
  int *node;       /* ascending */
  int *cells;      /* [nodes] number of cells of this part at each node */
  double *K;       /* [size][size], lower half */
  double *G;       /* [size][vectors]; NULL: all zero */
} part;

typedef struct job {
  const hk_fe_mesh *m;
  const int *number;
  const double *F;
  int displacements, vectors;
  int *around; /* [nodes of the section] number of all cells at each node */
  double *work;
  hk_fe_material material;
  const hk_fe_progress *progress;
  hk_error *err;
  hk_status status;
} job;

static void *fail(job *j, hk_status status, const char *what) {
  if (!j->status) j->status = hk_fail(j->err, status, "%s", what);
  return NULL;
}

static void free_part(part *p) {
  if (!p) return;
  free(p->node);
  free(p->cells);
  free(p->K);
  free(p->G);
  free(p);
}

int *hk_fe_number(const hk_fe_mesh *m, hk_arena *arena, int *total) {
  int nodes = (2 * m->columns + 1) * (2 * m->rows + 1);
  int *number = HK_NEW_ARRAY(arena, int, nodes + 1);
  for (int i = 0; i < nodes && number; i++) number[i + 1] = number[i] + m->dim * m->count[i];
  if (number) *total = number[nodes];
  return number;
}

static part *new_part(job *j, int nodes, const int *node) {
  part *p = calloc(1, sizeof *p);
  if (!p) return fail(j, HK_ENOMEM, "out of memory");
  p->nodes = nodes;
  p->node = malloc(sizeof *p->node * (size_t)(nodes + 1));
  p->cells = calloc((size_t)nodes + 1, sizeof *p->cells);
  for (int i = 0; i < nodes; i++) p->size += j->m->dim * j->m->count[node[i]];
  p->K = calloc((size_t)p->size * (size_t)p->size + 1, sizeof *p->K);
  if (!p->node || !p->cells || !p->K) {
    free_part(p);
    return fail(j, HK_ENOMEM, "out of memory");
  }
  memcpy(p->node, node, sizeof *node * (size_t)nodes);
  return p;
}

static bool need_loads(job *j, part *p) {
  if (!p->G) p->G = calloc((size_t)p->size * (size_t)j->vectors + 1, sizeof *p->G);
  return p->G || fail(j, HK_ENOMEM, "out of memory");
}

/* ---- single cells of the section ---- */

/* Adds one element of the stack; offset: position of the displacements of each node in the part,
 * -1 if fixed. */
static bool add_element(job *j, part *p, const int *section, const int *offset, int layer) {
  double x[HK_HEX_NODES][3], K[3 * HK_HEX_NODES][3 * HK_HEX_NODES];
  int at[HK_HEX_NODES], dim = j->m->dim;
  for (int n = 0; n < HK_HEX_NODES; n++) {
    int s = section[n % 9], a = 2 * layer + n / 9;
    hk_fe_mesh_point(j->m, s, a, x[n]);
    at[n] = offset[n % 9] < 0 ? -1 : offset[n % 9] + dim * (a - j->m->first[s]);
  }
  if (!hk_hex_stiffness(x, j->material, K)) {
    fail(j, HK_EINPUT,
         "the gear cannot be meshed: an element is inverted; its teeth or its web are too thin");
    return false;
  }
  for (int a = 0; a < HK_HEX_NODES; a++)
    for (int b = 0; b < HK_HEX_NODES && at[a] >= 0; b++)
      for (int i = 0; i < dim && at[b] >= 0; i++)
        for (int k = 0; k < dim; k++)
          p->K[(size_t)(at[b] + k) * (size_t)p->size + (size_t)(at[a] + i)] +=
              K[3 * a + i][3 * b + k];
  return true;
}

static part *build_cell(job *j, int u, int v) {
  int layers[2], section[9], free_node[9], offset[9], n = 0, used = 0;
  if (!hk_fe_mesh_cell(j->m, u, v, layers)) return NULL;
  for (int q = 0; q < 9; q++) {
    section[q] = hk_fe_mesh_node(j->m, 2 * u + q % 3, 2 * v + q / 3);
    offset[q] = -1;
  }
  for (int q = 0; q < 9; q++) { /* ascending order */
    if (!j->m->count[section[q]]) continue;
    offset[q] = used;
    used += j->m->dim * j->m->count[section[q]];
    free_node[n++] = section[q];
  }
  part *p = new_part(j, n, free_node);
  for (int i = 0; i < n && p; i++) p->cells[i] = 1;
  for (int a = layers[0]; a < layers[1] && p; a++)
    if (!add_element(j, p, section, offset, a)) {
      free_part(p);
      return NULL;
    }
  return p;
}

/* ---- joining two parts ---- */

static void add_into(const job *j, part *to, const part *from) {
  int dim = j->m->dim, *at = malloc(sizeof *at * (size_t)(from->size + 1)), used = 0, place = 0,
      k = 0;
  for (int i = 0; i < from->nodes && at; i++) {
    while (to->node[k] != from->node[i]) place += dim * j->m->count[to->node[k++]];
    to->cells[k] += from->cells[i];
    for (int d = 0; d < dim * j->m->count[from->node[i]]; d++) at[used++] = place + d;
  }
  for (int b = 0; b < from->size && at; b++) {
    double *column = to->K + (size_t)at[b] * (size_t)to->size;
    const double *given = from->K + (size_t)b * (size_t)from->size;
    /* both lists of indices ascend, so that the entries below the diagonal stay below the diagonal */
    for (int a = b; a < from->size; a++) column[at[a]] += given[a];
  }
  for (int c = 0; c < j->vectors && from->G && at; c++)
    for (int a = 0; a < from->size; a++)
      to->G[(size_t)c * (size_t)to->size + (size_t)at[a]] +=
          from->G[(size_t)c * (size_t)from->size + (size_t)a];
  free(at);
}

static part *merge(job *j, part *a, part *b) {
  if (!a || !b) return a ? a : b;
  int *node = malloc(sizeof *node * (size_t)(a->nodes + b->nodes)), n = 0;
  for (int i = 0, k = 0; node && (i < a->nodes || k < b->nodes);) {
    int next =
        k == b->nodes || (i < a->nodes && a->node[i] <= b->node[k]) ? a->node[i] : b->node[k];
    if (i < a->nodes && a->node[i] == next) i++;
    if (k < b->nodes && b->node[k] == next) k++;
    node[n++] = next;
  }
  part *both = node ? new_part(j, n, node) : fail(j, HK_ENOMEM, "out of memory");
  if (both && (!(a->G || b->G) || need_loads(j, both))) {
    add_into(j, both, a);
    add_into(j, both, b);
  }
  free(node);
  free_part(a);
  free_part(b);
  return both;
}

/* ---- elimination ---- */

static bool is_inner(const job *j, const part *p, int i) {
  int across = p->node[i] % (2 * j->m->columns + 1);
  return p->cells[i] == j->around[p->node[i]] && across != 0 && across != 2 * j->m->columns;
}

/* Order with inner nodes first. Fills order[size] with the old positions; returns the number of
 * inner displacements. */
static int order_inner(const job *j, part *p, int *order, int *nodes_kept) {
  int inner = 0, used = 0, *keep = order + p->size, kept = 0, dim = j->m->dim;
  *nodes_kept = 0;
  for (int i = 0; i < p->nodes; i++) {
    int n = dim * j->m->count[p->node[i]];
    bool out = is_inner(j, p, i);
    for (int d = 0; d < n; d++, used++) *(out ? &order[inner++] : &keep[kept++]) = used;
  }
  memmove(order + inner, keep, sizeof *order * (size_t)kept);
  for (int i = 0; i < p->nodes; i++) {
    if (is_inner(j, p, i)) continue;
    p->node[*nodes_kept] = p->node[i];
    p->cells[(*nodes_kept)++] = p->cells[i];
  }
  return inner;
}

/* Adds the loads of nodes that will be eliminated next. */
static bool add_loads(job *j, part *p) {
  int used = 0;
  for (int i = 0; i < p->nodes; i++) {
    int s = p->node[i], n = j->m->dim * j->m->count[s];
    for (int c = 0; c < j->vectors && is_inner(j, p, i); c++) {
      const double *f = j->F + (size_t)c * (size_t)j->displacements + j->number[s];
      for (int d = 0; d < n; d++) {
        if (f[d] == 0) continue;
        if (!need_loads(j, p)) return false;
        p->G[(size_t)c * (size_t)p->size + (size_t)(used + d)] += f[d];
      }
    }
    used += n;
  }
  return true;
}

static double at_or_mirrored(const part *p, int a, int b) {
  return a >= b ? p->K[(size_t)b * (size_t)p->size + (size_t)a]
                : p->K[(size_t)a * (size_t)p->size + (size_t)b];
}

/* Eliminates the inner displacements (index 1) by K11 = L L^T. The equations of the other displacements (index 2) then
 * have the matrix K22 - L21 L21^T and the right-hand sides G2 - L21 L^-1 G1. */
static bool eliminate(job *j, part *p, const int *order, int inner, double *K, double *G) {
  int n = p->size, kept = n - inner;
  for (int b = 0; b < n; b++)
    for (int a = b; a < n; a++)
      K[(size_t)b * (size_t)n + (size_t)a] = at_or_mirrored(p, order[a], order[b]);
  double *below = K + inner, *rest = K + (size_t)inner * (size_t)n + inner;
  if (LAPACKE_dpotrf(LAPACK_COL_MAJOR, 'L', inner, K, n)) {
    fail(j, HK_EFAIL,
         "the stiffness matrix of the gear is not positive definite: the mesh is degenerate");
    return false;
  }
  if (kept) {
    cblas_dtrsm(CblasColMajor, CblasRight, CblasLower, CblasTrans, CblasNonUnit, kept, inner, 1, K,
                n, below, n);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasNoTrans, kept, inner, -1, below, n, 1, rest, n);
  }
  if (p->G) {
    for (int c = 0; c < j->vectors; c++)
      for (int a = 0; a < n; a++)
        G[(size_t)c * (size_t)n + (size_t)a] = p->G[(size_t)c * (size_t)n + (size_t)order[a]];
    cblas_dtrsm(CblasColMajor, CblasLeft, CblasLower, CblasNoTrans, CblasNonUnit, inner, j->vectors,
                1, K, n, G, n);
    if (kept)
      cblas_dgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, kept, j->vectors, inner, -1, below, n,
                  G, n, 1, G + inner, n);
    cblas_dsyrk(CblasColMajor, CblasLower, CblasTrans, j->vectors, inner, 1, G, n, 1, j->work,
                j->vectors);
  }
  for (int b = 0; b < kept; b++)
    memcpy(p->K + (size_t)b * (size_t)kept, rest + (size_t)b * (size_t)n,
           sizeof(double) * (size_t)kept);
  for (int c = 0; c < j->vectors && p->G; c++)
    memcpy(p->G + (size_t)c * (size_t)kept, G + (size_t)c * (size_t)n + inner,
           sizeof(double) * (size_t)kept);
  p->size = kept;
  return true;
}

static part *reduce(job *j, part *p) {
  if (!p || j->status || !add_loads(j, p)) {
    free_part(p);
    return NULL;
  }
  int kept, size = p->size, *order = malloc(sizeof *order * 2 * (size_t)(size + 1));
  int inner = order ? order_inner(j, p, order, &kept) : 0;
  bool ok = order || fail(j, HK_ENOMEM, "out of memory");
  if (inner) {
    double *K = malloc(sizeof *K * (size_t)size * (size_t)size);
    double *G = p->G ? malloc(sizeof *G * (size_t)size * (size_t)j->vectors) : NULL;
    if (!K || (p->G && !G))
      ok = fail(j, HK_ENOMEM, "out of memory");
    else
      ok = eliminate(j, p, order, inner, K, G);
    free(K);
    free(G);
    p->nodes = kept;
  }
  free(order);
  if (ok) return p;
  free_part(p);
  return NULL;
}

/* A rectangle of cells of the section, and its fraction of the total work. */
typedef struct block {
  int u0, u1, v0, v1;
  double from, to;
} block;

/* The cost of joining two halves is proportional to the third power of the length between them,
 * so that the last join takes about 0.3 of the total. */
static const double LAST_JOIN = 0.3;

static part *build(job *j, block of) {
  if (j->status) return NULL;
  if (of.u1 - of.u0 == 1 && of.v1 - of.v0 == 1) return reduce(j, build_cell(j, of.u0, of.v0));
  block a = of, b = of;
  if (of.u1 - of.u0 > of.v1 - of.v0)
    a.u1 = b.u0 = (of.u0 + of.u1) / 2;
  else
    a.v1 = b.v0 = (of.v0 + of.v1) / 2;
  double halves = of.to - LAST_JOIN * (of.to - of.from);
  a.to = b.from = 0.5 * (of.from + halves);
  b.to = halves;
  part *first = build(j, a), *second = build(j, b);
  hk_fe_tell(j->progress, halves);
  return reduce(j, merge(j, first, second));
}

/* ---- whole sector ---- */

static void count_cells(job *j) {
  int layers[2];
  for (int v = 0; v < j->m->rows; v++)
    for (int u = 0; u < j->m->columns; u++) {
      if (!hk_fe_mesh_cell(j->m, u, v, layers)) continue;
      for (int q = 0; q < 9; q++) j->around[hk_fe_mesh_node(j->m, 2 * u + q % 3, 2 * v + q / 3)]++;
    }
}

static hk_fe_material material_of(const hk_fe_body *b) {
  double E = b->youngs_modulus, nu = b->poisson_ratio;
  hk_fe_material m = {E * nu / ((1 + nu) * (1 - 2 * nu)), E / (2 * (1 + nu))};
  if (b->kind == HK_FE_PLANE_STRESS) m.lambda = 2 * m.lambda * m.mu / (m.lambda + 2 * m.mu);
  return m;
}

/* Arranges the nodes of the left cut, then of the right cut, both from the bore upwards. */
static hk_status arrange(job *j, const part *p, hk_fe_sector *s) {
  int n = p->size, *order = malloc(sizeof *order * (size_t)(n + 1)), used = 0, left = 0,
      right = n / 2;
  s->n = n / 2;
  s->stiffness = malloc(sizeof(double) * (size_t)n * (size_t)n);
  s->cut_force = calloc((size_t)n * (size_t)j->vectors + 1, sizeof(double));
  s->cut_node = calloc((size_t)p->nodes + 1, sizeof(int));
  if (!order || !s->stiffness || !s->cut_force || !s->cut_node) {
    free(order);
    return hk_fail(j->err, HK_ENOMEM, "out of memory");
  }
  for (int i = 0, k = 0; i < p->nodes; i++) {
    bool is_left = p->node[i] % (2 * j->m->columns + 1) == 0;
    if (is_left) s->cut_node[k++] = p->node[i];
    for (int d = 0; d < j->m->dim * j->m->count[p->node[i]]; d++)
      order[is_left ? left++ : right++] = used++;
  }
  for (int b = 0; b < n; b++)
    for (int a = 0; a < n; a++)
      s->stiffness[(size_t)b * (size_t)n + (size_t)a] = at_or_mirrored(p, order[a], order[b]);
  for (int c = 0; c < j->vectors && p->G; c++)
    for (int a = 0; a < n; a++)
      s->cut_force[(size_t)c * (size_t)n + (size_t)a] =
          p->G[(size_t)c * (size_t)n + (size_t)order[a]];
  free(order);
  return HK_OK;
}

hk_status hk_fe_condense(const hk_fe_mesh *m, const int *number, const double *F, int displacements,
                         int vectors, const hk_fe_progress *progress, hk_fe_sector *out,
                         hk_error *err) {
  job j = {.m = m,
           .number = number,
           .F = F,
           .displacements = displacements,
           .vectors = vectors,
           .material = material_of(m->body),
           .progress = progress,
           .err = err};
  *out = (hk_fe_sector){.vectors = vectors};
  j.around = calloc((size_t)(2 * m->columns + 1) * (size_t)(2 * m->rows + 1), sizeof *j.around);
  j.work = calloc((size_t)vectors * (size_t)vectors + 1, sizeof *j.work);
  part *whole = NULL;
  if (!j.around || !j.work) {
    fail(&j, HK_ENOMEM, "out of memory");
  } else {
    count_cells(&j);
    whole = build(&j, (block){0, m->columns, 0, m->rows, 0, 1});
    if (!j.status) j.status = arrange(&j, whole, out);
  }
  for (int a = 0; a < vectors && j.work; a++)
    for (int b = 0; b < a; b++) j.work[a * vectors + b] = j.work[b * vectors + a];
  free(j.around);
  free_part(whole);
  out->work = j.work;
  if (j.status) hk_fe_sector_free(out);
  return j.status;
}

void hk_fe_sector_free(hk_fe_sector *s) {
  free(s->stiffness);
  free(s->cut_force);
  free(s->work);
  free(s->cut_node);
  *s = (hk_fe_sector){0};
}
