/* Memory for the contact problems of nonsmooth generalized-alpha. */
#include "integrator/impact/nonsmooth_alpha.h"
#include <math.h>
#include <stdlib.h>

static size_t place_size(const hk_model *m) {
  return 1 + (size_t)m->nq + (size_t)m->jacobian_size + (size_t)m->nc;
}

static double *lay_out_place(hk_nonsmooth_place *p, const hk_model *m, double *at) {
  p->q = at, at += 1 + m->nq;
  p->G = at, at += m->jacobian_size;
  p->gt = at, at += m->nc;
  p->q[0] = NAN; /* NaN: not located yet */
  hk_contact_rows_bind(m, p->row);
  return at;
}

static bool allocate(hk_nonsmooth *k, const hk_model *m) {
  size_t n = (size_t)k->n, nv = (size_t)m->nv, nc = (size_t)m->nc, all = nv + nc;
  k->from.row = calloc(n + 1, sizeof *k->row);
  k->to.row = calloc(n + 1, sizeof *k->row);
  k->row = calloc(n + 1, sizeof *k->row);
  k->closed = calloc(n + 1, sizeof *k->closed);
  size_t total = 2 * place_size(m) + 2 * nc + (size_t)m->nq + 3 * nv + 2 * all + 29 * n + 1;
  double *at = k->block = calloc(total, sizeof *at);
  k->doubles = (int)total;
  k->d = hk_delassus_create(m, k->n, NULL);
  k->event = hk_event_create(m);
  if (!k->from.row || !k->to.row || !k->row || !k->closed || !at || !k->d || !k->event)
    return false;
  at = lay_out_place(&k->from, m, at);
  at = lay_out_place(&k->to, m, at);
  k->joint = at, at += nc;
  k->all = at, at += nc;
  k->q_free = at, at += m->nq;
  k->v_free = at, at += nv;
  k->fixed = at, at += nv;
  k->start = at, at += nv;
  k->U = at, at += all;
  k->r = at, at += all;
  k->nu = at, at += 2 * n;
  k->nu_next = at, at += 2 * n;
  k->P = at, at += HK_N_DIR * n;
  k->share = at, at += HK_N_DIR * n;
  k->credit = at, at += HK_N_DIR * n;
  k->step = at, at += HK_N_DIR * n;
  k->b = at, at += HK_N_DIR * n;
  k->xi = at, at += HK_N_DIR * n;
  k->before = at, at += HK_N_DIR * n;
  k->mu = at;
  hk_contact_rows_bind(m, k->row);
  return true;
}

hk_nonsmooth *hk_nonsmooth_create(const hk_model *m) {
  hk_nonsmooth *k = calloc(1, sizeof *k);
  if (!k) return NULL;
  k->n = hk_contact_rows_count(m);
  if (allocate(k, m)) return k;
  hk_nonsmooth_destroy(k);
  return NULL;
}

void hk_nonsmooth_destroy(hk_nonsmooth *k) {
  if (!k) return;
  hk_delassus_destroy(k->d);
  hk_event_destroy(k->event);
  free(k->from.row);
  free(k->to.row);
  free(k->row);
  free(k->closed);
  free(k->block);
  free(k);
}

void hk_nonsmooth_poison(hk_nonsmooth *k) {
  hk_fill_nan(k->block, k->doubles);
  hk_contact_rows_poison(k->from.row, k->n);
  hk_contact_rows_poison(k->to.row, k->n);
  hk_contact_rows_poison(k->row, k->n);
  hk_delassus_poison(k->d);
  hk_event_poison(k->event);
}
