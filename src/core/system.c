/* Pattern, matrix and solver for one choice of kept constraint rows, and the addresses in the matrix to which each
 * element adds its blocks. The addresses are determined only once; each assembly then only adds numbers at known
 * addresses. */
#include "base/hot.h"
#include "core/force.h"
#include "core/work.h"
#include <stdlib.h>
#include <string.h>

static int node_of_port(const hk_model *m, int port) { return m->marker[m->port[port]].node; }

static hk_status couple_ports(hk_system *s, int port, int n, bool cross) {
  const hk_model *m = s->model;
  for (int p = 0; cross && p < n; p++)
    for (int q = 0; q < p; q++) {
      int i = node_of_port(m, port + p), j = node_of_port(m, port + q);
      if (i == HK_GROUND || j == HK_GROUND || i == j) continue;
      hk_status status = hk_block_pattern_add(s->pattern, i, j);
      if (status) return status;
    }
  return HK_OK;
}

/* Returns the block of the joint whose load determines a friction force (thread = 0), or the
 * block of the coupled row of that joint (thread = 1); -1: none. */
static int load_block(const hk_system *s, const hk_force *f, int thread) {
  int i = f->joint;
  if (i >= 0 && thread) i = s->model->constraint[i].thread ? s->model->constraint[i].thread : -1;
  return i >= 0 ? s->constraint_block[i] : -1;
}

static hk_status build_pattern(hk_system *s) {
  const hk_model *m = s->model;
  int nb = m->n_nodes;
  for (int i = 0; i < m->n_constraints; i++) {
    int kept = 0;
    for (int r = 0; r < m->constraint[i].n_rows; r++) kept += s->kept[m->constraint[i].row + r];
    s->constraint_block[i] = kept ? nb++ : -1;
  }
  int *size = malloc((size_t)(nb + 1) * sizeof *size);
  uint8_t *multiplier = calloc((size_t)nb + 1, 1);
  if (!size || !multiplier) {
    free(size);
    free(multiplier);
    return HK_ENOMEM;
  }
  for (int i = 0; i < m->n_nodes; i++) size[i] = m->node[i].nv;
  for (int i = 0; i < m->n_constraints; i++) {
    int block = s->constraint_block[i];
    if (block < 0) continue;
    multiplier[block] = 1;
    size[block] = 0;
    for (int r = 0; r < m->constraint[i].n_rows; r++)
      size[block] += s->kept[m->constraint[i].row + r];
  }
  s->pattern = hk_block_pattern_create(nb, size, multiplier);
  free(size);
  free(multiplier);
  if (!s->pattern) return HK_ENOMEM;
  hk_status status = HK_OK;
  for (int i = 0; i < m->n_constraints && !status; i++) {
    const hk_constraint *c = &m->constraint[i];
    for (int p = 0; p < c->n_ports && s->constraint_block[i] >= 0 && !status; p++) {
      int node = node_of_port(m, c->port + p);
      if (node != HK_GROUND)
        status = hk_block_pattern_add(s->pattern, s->constraint_block[i], node);
    }
    if (!status) status = couple_ports(s, c->port, c->n_ports, s->full);
  }
  for (int i = 0; i < m->n_forces && !status; i++) {
    const hk_force *f = &m->force[i];
    status = couple_ports(s, f->port, f->n_ports, true);
    for (int k = 0; k < 2; k++) {
      int block = load_block(s, f, k);
      for (int p = 0; p < f->n_ports && p < 2 && block >= 0 && !status; p++) {
        int node = node_of_port(m, f->port + p);
        if (node != HK_GROUND) status = hk_block_pattern_add(s->pattern, block, node);
      }
    }
  }
  for (int i = 0; i < m->n_contacts && !status; i++)
    status = couple_ports(s, m->contact[i].port, 2, true);
  return status ? status : hk_block_pattern_finish(s->pattern);
}

static hk_slot slot(const hk_system *s, int i, int j) {
  hk_slot at = {NULL, 0};
  if (i >= 0 && j >= 0) at.at = hk_block_matrix_at(s->matrix, i, j, &at.stride);
  return at;
}

static void find_pairs(hk_system *s, int element, int port, int n) {
  const hk_model *m = s->model;
  hk_slot *pair = s->pair + s->pair_start[element];
  for (int p = 0; p < n; p++)
    for (int q = 0; q < n; q++)
      pair[p * n + q] = slot(s, node_of_port(m, port + p), node_of_port(m, port + q));
}

/* Inverse inertia of the ports of a constraint: 1/mass along a length, 1/inertia about an axis. */
static double softness(const hk_model *m, const hk_constraint *c, bool angular) {
  double sum = 0;
  for (int p = 0; p < c->n_ports; p++) {
    int i = node_of_port(m, c->port + p);
    if (i == HK_GROUND) continue;
    const hk_node *n = &m->node[i];
    double k = c->n_held ? 1 : m->term[c->term + p / 2].factor;
    double resistance = n->type->resistance(n, angular, m->length);
    if (resistance > 0) sum += k * k / resistance;
  }
  return sum;
}

static void find_slots(hk_system *s) {
  const hk_model *m = s->model;
  for (int i = 0; i < m->n_nodes; i++) s->diagonal[i] = slot(s, i, i);
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    int block = s->constraint_block[i];
    for (int p = 0; p < c->n_ports; p++) {
      int node = node_of_port(m, c->port + p);
      s->to_row[c->port + p] = slot(s, block, node);
      s->to_node[c->port + p] = slot(s, node, block);
    }
    find_pairs(s, i, c->port, c->n_ports);
    s->multiplier[i] = slot(s, block, block);
    int at = block < 0 ? 0 : hk_block_pattern_offset(s->pattern, block);
    for (int r = c->row; r < c->row + c->n_rows; r++) {
      s->row_at[r] = s->kept[r] ? at++ : -1;
      if (!s->kept[r]) continue;
      s->softness[s->n_kept] = softness(m, c, m->row_angular[r]);
      s->kept_row[s->n_kept++] = r;
    }
  }
  for (int i = 0; i < m->n_contacts; i++)
    find_pairs(s, m->n_constraints + m->n_forces + i, m->contact[i].port, 2);
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    find_pairs(s, m->n_constraints + i, f->port, f->n_ports);
    for (int k = 0; k < 4; k++) {
      int p = k % 2, block = load_block(s, f, k / 2);
      s->load[4 * i + k] =
          p < f->n_ports ? slot(s, node_of_port(m, f->port + p), block) : (hk_slot){NULL, 0};
    }
  }
}

/* Lists all pairs of a node and a joint that are coupled by load-dependent friction; each pair is listed once. */
static hk_status find_loaded(hk_system *s) {
  const hk_model *m = s->model;
  uint8_t *seen = calloc((size_t)s->matrix->n_value + 1, 1);
  s->loaded = calloc(4 * (size_t)m->n_forces + 1, sizeof *s->loaded);
  if (!seen || !s->loaded) {
    free(seen);
    return HK_ENOMEM;
  }
  for (int i = 0; i < 4 * m->n_forces; i++) {
    const hk_force *f = &m->force[i / 4];
    const double *column = s->load[i].at;
    if (!column || seen[column - s->matrix->value]) continue;
    seen[column - s->matrix->value] = 1;
    int node = node_of_port(m, f->port + i % 2), block = load_block(s, f, i % 4 / 2);
    s->loaded[s->n_loaded++] = (hk_loaded){column,
                                           slot(s, block, node).at,
                                           m->node[node].v,
                                           m->node[node].nv,
                                           hk_block_pattern_offset(s->pattern, block) - m->nv,
                                           s->pattern->size[block]};
  }
  free(seen);
  return HK_OK;
}

static void mark_block(const hk_system *s, int i, int j, uint8_t *mark) {
  const hk_block_pattern *p = s->pattern;
  const double *at = slot(s, i, j).at;
  if (at) memset(mark + (at - s->matrix->value), 1, (size_t)p->size[i] * (size_t)p->size[j]);
}

/* Finds the ranges of the matrix that contain all entries except the blocks of constraints between two rigid bodies. */
static hk_status find_sums(hk_system *s) {
  const hk_model *m = s->model;
  size_t n = s->matrix->n_value;
  uint8_t *whole = calloc(n + 1, 1);
  if (!whole) return HK_ENOMEM;
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_constraint *c = &m->constraint[i];
    int block = s->constraint_block[i];
    if (!hk_constraint_is_wide(m, c) || node_of_port(m, c->port) == node_of_port(m, c->port + 1))
      continue;
    for (int p = 0; p < 2; p++) {
      int node = node_of_port(m, c->port + p);
      mark_block(s, block, node, whole);
      mark_block(s, node, block, whole);
    }
  }
  for (size_t k = 0; k < n; k++) s->n_sums += !whole[k] && (k == 0 || whole[k - 1]);
  s->sum = malloc(((size_t)s->n_sums + 1) * sizeof *s->sum);
  hk_matrix_run *run = s->sum;
  for (size_t k = 0, end; s->sum && k < n; k = end + 1) {
    for (end = k; end < n && !whole[end];) end++;
    if (end > k) *run++ = (hk_matrix_run){k, end - k};
  }
  free(whole);
  return s->sum ? HK_OK : HK_ENOMEM;
}

static hk_status allocate(hk_system *s) {
  const hk_model *m = s->model;
  size_t nc = (size_t)m->nc + 1, nk = (size_t)m->n_constraints, nf = (size_t)m->n_forces;
  size_t nt = (size_t)m->n_contacts;
  s->constraint_block = malloc((nk + 1) * sizeof *s->constraint_block);
  s->kept = malloc(nc);
  s->row_at = malloc(nc * sizeof *s->row_at);
  s->kept_row = malloc(nc * sizeof *s->kept_row);
  s->softness = malloc(nc * sizeof *s->softness);
  s->multiplier = calloc(nk + 1, sizeof *s->multiplier);
  s->diagonal = calloc((size_t)m->n_nodes + 1, sizeof *s->diagonal);
  s->to_row = calloc((size_t)m->n_ports + 1, sizeof *s->to_row);
  s->to_node = calloc((size_t)m->n_ports + 1, sizeof *s->to_node);
  s->pair_start = malloc((nk + nf + nt + 1) * sizeof *s->pair_start);
  s->load = calloc(4 * nf + 1, sizeof *s->load);
  if (!s->constraint_block || !s->kept || !s->row_at || !s->kept_row || !s->softness ||
      !s->multiplier || !s->diagonal || !s->to_row || !s->to_node || !s->pair_start || !s->load)
    return HK_ENOMEM;
  int total = 0;
  for (int i = 0; i < m->n_constraints; i++) {
    s->pair_start[i] = total;
    total += m->constraint[i].n_ports * m->constraint[i].n_ports;
  }
  for (int i = 0; i < m->n_forces; i++) {
    s->pair_start[m->n_constraints + i] = total;
    total += m->force[i].n_ports * m->force[i].n_ports;
  }
  for (int i = 0; i < m->n_contacts; i++, total += 4)
    s->pair_start[m->n_constraints + m->n_forces + i] = total;
  s->pair = calloc((size_t)total + 1, sizeof *s->pair);
  return s->pair ? HK_OK : HK_ENOMEM;
}

hk_status hk_system_create(const hk_model *m, const uint8_t *kept, bool full,
                           hk_linear_solver_kind kind, hk_system **out, hk_error *err) {
  *out = NULL;
  hk_system *s = calloc(1, sizeof *s);
  if (!s) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->model = m;
  s->full = full;
  hk_status status = allocate(s);
  if (!status) {
    if (kept)
      memcpy(s->kept, kept, (size_t)m->nc);
    else
      memset(s->kept, 1, (size_t)m->nc);
    status = build_pattern(s);
  }
  if (!status) {
    s->matrix = hk_block_matrix_create(s->pattern);
    status = s->matrix ? HK_OK : HK_ENOMEM;
  }
  if (status) {
    hk_system_destroy(s);
    return hk_fail(err, status, "out of memory for the linear system");
  }
  s->n = hk_block_pattern_rows(s->pattern);
  find_slots(s);
  status = find_loaded(s);
  if (!status) status = find_sums(s);
  if (!status)
    status = hk_linear_solver_create(s->pattern, kind, &s->solver, err);
  else
    hk_fail(err, status, "out of memory for the linear system");
  if (status) {
    hk_system_destroy(s);
    return status;
  }
  *out = s;
  return HK_OK;
}

/* y += A x, one block. */
HK_INLINE void multiply_block(const double *A, const double *x, int rows, int width, double *y) {
  for (int k = 0; k < rows; k++, A += width) {
    double sum = 0;
    for (int l = 0; l < width; l++) sum += A[l] * x[l];
    y[k] += sum;
  }
}

/* y += A x for a block between two rigid bodies. */
HK_INLINE void multiply_rigid(const double *A, const double *x, double *y) {
  hk_v4 u = HK_V4C(x);
  for (int k = 0; k < 6; k++, A += 6)
    y[k] += hk_v4_sum(HK_V4C(A) * u) + (A[4] * x[4] + A[5] * x[5]);
}

HK_HOT void hk_system_node_multiply(const hk_system *s, const double *x, double *y) {
  const hk_block_pattern *p = s->pattern;
  int nodes = s->model->n_nodes;
  for (int i = 0; i < nodes; i++) {
    double *out = y + p->offset[i];
    for (int k = 0; k < p->size[i]; k++) out[k] = 0;
    for (int e = p->row_start[i]; e < p->row_start[i + 1] && p->column[e] < nodes; e++) {
      int j = p->column[e];
      const double *A = s->matrix->value + p->value_start[e], *u = x + p->offset[j];
      if (p->size[i] == 6 && p->size[j] == 6)
        multiply_rigid(A, u, out);
      else
        multiply_block(A, u, p->size[i], p->size[j], out);
    }
  }
}

/* y = F mu. The columns of the multipliers contain G^T + F, their rows only G: F is the difference. */
HK_HOT void hk_system_load_multiply(const hk_system *s, const double *mu, double *y) {
  for (int k = 0; k < s->model->nv; k++) y[k] = 0;
  for (const hk_loaded *l = s->loaded, *end = l + s->n_loaded; l < end; l++) {
    const double *u = mu + l->row, *D = l->column;
    double *out = y + l->v;
    for (int k = 0; k < l->nv; k++, D += l->rows) {
      const double *G = l->gradient + k;
      double sum = 0;
      for (int r = 0; r < l->rows; r++, G += l->nv) sum += (D[r] - *G) * u[r];
      out[k] += sum;
    }
  }
}

void hk_system_destroy(hk_system *s) {
  if (!s) return;
  hk_linear_solver_destroy(s->solver);
  hk_block_matrix_free(s->matrix);
  hk_block_pattern_free(s->pattern);
  free(s->constraint_block);
  free(s->kept);
  free(s->row_at);
  free(s->kept_row);
  free(s->softness);
  free(s->multiplier);
  free(s->diagonal);
  free(s->to_row);
  free(s->to_node);
  free(s->pair_start);
  free(s->pair);
  free(s->load);
  free(s->loaded);
  free(s->sum);
  free(s);
}
