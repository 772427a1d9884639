/* M, C, K and G of a state as compressed rows: see hooke/matrices.h. */
#include "sim/sim.h"
#include "base/required.h"
#include <hooke/matrices.h>
#include <stdlib.h>
#include <string.h>

void hk_matrices_free(hk_matrices *m) {
  if (!m) return;
  free(m->block);
  *m = (hk_matrices){0};
}

/* Number of scalar columns that block row i has in node blocks, that is, in block columns below `nodes`. The other
 * columns belong to multipliers. */
static int width_of(const hk_block_pattern *p, int i, int nodes) {
  int width = 0;
  for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++)
    if (p->column[e] < nodes) width += p->size[p->column[e]];
  return width;
}

/* Counts the entries of the scalar rows of blocks first to last - 1 in the columns of nodes. */
static int count(const hk_block_pattern *p, int first, int last, int nodes) {
  int n = 0;
  for (int i = first; i < last; i++) n += p->size[i] * width_of(p, i, nodes);
  return n;
}

static void fill_pattern(const hk_block_pattern *p, int first, int last, int nodes, hk_csr *out) {
  int n = 0, row = 0;
  for (int i = first; i < last; i++)
    for (int r = 0; r < p->size[i]; r++, row++) {
      out->start[row] = n;
      for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++)
        for (int c = 0; p->column[e] < nodes && c < p->size[p->column[e]]; c++)
          out->column[n++] = p->offset[p->column[e]] + c;
    }
  out->start[row] = n;
}

static void fill_values(const hk_system *sys, int first, int last, int nodes, hk_csr *out) {
  const hk_block_pattern *p = sys->pattern;
  double *value = out->value;
  for (int i = first; i < last; i++)
    for (int r = 0; r < p->size[i]; r++)
      for (int e = p->row_start[i]; e < p->row_start[i + 1]; e++) {
        int width = p->size[p->column[e]];
        const double *A = sys->matrix->value + p->value_start[e] + (size_t)r * (size_t)width;
        if (p->column[e] >= nodes) continue;
        memcpy(value, A, (size_t)width * sizeof *value);
        value += width;
      }
}

/* Makes one allocation for all arrays: values, then starts and columns. */
static hk_status lay_out(const hk_model *m, const hk_block_pattern *p, hk_matrices *out) {
  int nodes = m->n_nodes, square = count(p, 0, nodes, nodes), G = count(p, nodes, p->nb, nodes);
  hk_csr *csr[4] = {&out->M, &out->C, &out->K, &out->G};
  size_t doubles = 3 * (size_t)square + (size_t)G,
         ints = doubles + 3 * ((size_t)m->nv + 1) + (size_t)m->nc + 1;
  out->block = calloc(1, doubles * sizeof(double) + (ints + 1) * sizeof(int));
  if (!out->block) return HK_ENOMEM;
  double *value = out->block;
  void *behind = value + doubles;
  int *at = behind;
  for (int k = 0; k < 4; k++) {
    int n = k < 3 ? square : G, rows = k < 3 ? m->nv : m->nc;
    *csr[k] = (hk_csr){
        .rows = rows, .columns = m->nv, .value = value, .start = at, .column = at + rows + 1};
    value += n, at += rows + 1 + n;
    fill_pattern(p, k < 3 ? 0 : nodes, k < 3 ? nodes : p->nb, nodes, csr[k]);
  }
  return HK_OK;
}

hk_status hk_sim_matrices(hk_sim *s, hk_matrices *out, hk_error *err) {
  HK_REQUIRE(out, err);
  *out = (hk_matrices){0};
  if (!s) return hk_fail(err, HK_EINPUT, "the simulation is NULL");
  const hk_model *m = s->model;
  hk_system *sys;
  hk_status status = hk_system_create(m, NULL, true, HK_SOLVER_BLOCK, &sys, err);
  if (status) return status;
  status = lay_out(m, sys->pattern, out);
  if (status) {
    hk_system_destroy(sys);
    return hk_fail(err, status, "out of memory");
  }
  const hk_coefficients unit[3] = {{.cM = 1}, {.cC = 1}, {.cK = 1}};
  hk_csr *csr[3] = {&out->M, &out->C, &out->K};
  const hk_instant in = hk_instant_last(m, s->x, s->x + m->at.lambda);
  s->out.have_frames = s->out.have_loads = s->out.have_variables = false;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  hk_constraints(s->work, &in);
  status = hk_forces(s->work, &in);
  for (int k = 0; k < 3 && !status; k++) {
    status = hk_assemble(sys, s->work, &unit[k], &in);
    fill_values(sys, 0, m->n_nodes, m->n_nodes, csr[k]);
  }
  fill_values(sys, m->n_nodes, sys->pattern->nb, m->n_nodes, &out->G);
  hk_system_destroy(sys);
  return status ? hk_work_failed(s->work, err) : HK_OK;
}
