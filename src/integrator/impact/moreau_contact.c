/* The contact problem of one of Moreau's steps: see moreau.c. */
#include "integrator/impact/moreau.h"
#include "sim/quality.h"
#include <float.h>
#include <stdlib.h>

hk_status hk_moreau_create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  if (m->n_states && hk_moreau_keys_of(s)->explicit_published)
    return hk_fail(err, HK_EINPUT,
                   "moreau with `explicit_published` cannot integrate states such as '%s'",
                   m->state[0].name);
  hk_moreau *k = calloc(1, sizeof *k);
  if (!k) return hk_fail(err, HK_ENOMEM, "out of memory");
  s->own = k;
  k->n_rows = hk_contact_rows_count(m);
  k->row = calloc((size_t)k->n_rows + 1, sizeof *k->row);
  k->closed = calloc((size_t)k->n_rows + 1, sizeof *k->closed);
  if (!k->row || !k->closed) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_contact_rows_bind(m, k->row);
  k->dim = 2;
  for (int i = 0; i < k->n_rows; i++)
    if (k->row[i].tangents > 1 && k->row[i].mu > 0) k->dim = 3;
  for (int i = 0; i < k->n_rows; i++) k->in_turn = k->in_turn || k->row[i].in_turn;
  for (int i = 0; i < m->n_markers; i++) k->moving = k->moving || m->marker[i].moving;
  for (int i = 0; i < m->n_nodes; i++)
    k->moving = k->moving || m->node[i].moves != HK_MOVES_RIGID || m->node[i].guided;
  for (int i = 0; i < m->n_nodes; i++) k->turning = k->turning || m->node[i].turn >= 0;
  size_t n = (size_t)k->n_rows, nd = n * (size_t)k->dim, size = (size_t)m->nv + (size_t)m->nc;
  size_t more = k->in_turn ? nd * (nd + 5) + n : 0;
  k->doubles = (int)(4 * nd + n + size + more + 1);
  k->block = calloc((size_t)k->doubles, sizeof *k->block);
  if (!k->block) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *at = k->block;
  k->b = at, at += nd;
  k->P = at, at += nd;
  k->xi = at, at += nd;
  k->before = at, at += nd;
  k->mu = at, at += n;
  k->z = at, at += size;
  if (k->in_turn) {
    k->turned = at, at += nd;
    k->rate = at, at += nd;
    k->part_mu = at, at += n;
    k->part = at;
    k->part_of = calloc(n, sizeof *k->part_of);
    if (!k->part_of) return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  k->d = hk_delassus_create(m, k->n_rows, err);
  return k->d ? HK_OK : HK_ENOMEM;
}

void hk_moreau_destroy(hk_sim *s) {
  hk_moreau *k = s->own;
  hk_delassus_destroy(k->d);
  free(k->row);
  free(k->closed);
  free(k->part_of);
  free(k->block);
  free(k);
  s->own = NULL;
}

void hk_moreau_poison(hk_sim *s) {
  hk_moreau *k = s->own;
  hk_fill_nan(k->block, k->doubles);
  hk_contact_rows_poison(k->row, k->n_rows);
  hk_delassus_poison(k->d);
}

/* Round-off of positions that were corrected to a gap of zero. */
static const double stand_off = 1e-12;

/* Contacts that overlap at the middle of the step are closed. With projection, a loaded contact has a gap of zero at
 * the end of the step. It also counts as closed in the next step if it separates slightly: its remaining normal
 * velocity then decays, and the contact does not open for one step. */
static void find_closed(hk_sim *s, const double *x0, double h) {
  hk_moreau *k = s->own;
  const hk_model *m = s->model;
  bool projection = hk_moreau_projects(s);
  k->n = 0;
  for (int i = 0; i < k->n_rows && projection; i++)
    k->row[i].wanted = x0[m->at.touch + k->row[i].point * HK_N_TOUCH + HK_TOUCH_IMPULSE_N] > 0;
  /* Bodies that are placed in contact touch, even if the last bits of their positions leave a gap. */
  double touching = 16 * DBL_EPSILON * m->length;
  if (hk_contact_rows_at(s->work, touching, k->row) == 0) return;
  for (int i = 0; i < k->n_rows; i++) {
    const hk_contact_row *r = &k->row[i];
    bool closed = r->gap <= touching || r->two_sided;
    if (!closed && r->wanted)
      closed = r->gap - hk_moreau_theta(s) * h * hk_contact_row_rate(r, HK_DIR_N, x0 + m->at.v) <=
               stand_off * m->length;
    if (closed) k->closed[k->n++] = i;
  }
}

/* Without friction there is no force along the tangents. */
static bool has_row(const hk_contact_row *r, int direction) {
  return direction == 0 || (direction <= r->tangents && r->mu > 0);
}

/* Sets up the Delassus operator and the vector `b`, which is xi without impulses. A direction that a contact does not
 * have gets an equation with the solution zero. */
static void set_up(hk_sim *s, const double *v) {
  hk_moreau *k = s->own;
  const int dim = k->dim;
  hk_delassus_begin(k->d, s->system->n);
  for (int i = 0; i < k->n; i++) {
    const hk_contact_row *r = &k->row[k->closed[i]];
    k->mu[i] = r->mu;
    for (int a = 0; a < dim; a++) {
      const int j = i * dim + a;
      hk_direction f = {.row = has_row(r, a) ? r : NULL, .k = a, .sign = 1};
      f.c[a] = 1;
      hk_delassus_add(k->d, &f);
      double rate = f.row ? hk_contact_row_rate(r, a, v) : 0;
      k->before[j] = rate;
      k->b[j] =
          f.row ? hk_contact_row_rate(r, a, k->z) - r->drift[a] + (1 + (a ? r->eT : r->eN)) * rate
                : 0;
    }
  }
  s->stats.solves += hk_delassus_set_up(k->d, s->system->solver);
  hk_delassus_ease(k->d, dim);
}

/* The loaded side of contact i: 1 or -1. */
static double side_of(const hk_moreau *k, int i) { return k->d->at[i * k->dim].sign; }

static void press_on(hk_moreau *k, int i, double side) {
  if (side_of(k, i) == side) return;
  hk_delassus_flip(k->d, i * k->dim);
  k->b[i * k->dim] = -k->b[i * k->dim];
}

/* Solves the problem. A contact without clearance can be loaded on either side. At first it is treated like any other
 * contact, which is loaded on one side only. If the solution contains a tensile force at this contact, the contact is
 * loaded on the other side. */
static hk_status solve(hk_sim *s) {
  hk_moreau *k = s->own;
  const int dim = k->dim;
  for (int i = 0; i < k->n; i++)
    if (k->row[k->closed[i]].two_sided && k->b[i * dim] > 0) press_on(k, i, -1);
  for (int pass = 0; pass < 4 * k->n + 4; pass++) {
    hk_status status = hk_delassus_solve(k->d, dim, k->b, k->mu, 0, k->P, k->xi);
    s->stats.contact_pivots += k->d->result.pivots + k->d->result.iterations;
    s->stats.contact_merit = status < 0 ? INFINITY : k->d->result.merit;
    if (status) return HK_RETRY;
    bool settled = true;
    for (int i = 0; i < k->n && settled; i++) {
      if (!k->row[k->closed[i]].two_sided || k->P[i * dim] > 0) continue;
      settled = k->xi[i * dim] <= 0;
      if (!settled) press_on(k, i, -side_of(k, i));
    }
    if (settled) break;
  }
  return HK_OK;
}

hk_status hk_moreau_contacts(hk_sim *s, const double *x0, double h) {
  hk_moreau *k = s->own;
  const hk_model *m = s->model;
  find_closed(s, x0, h);
  if (k->n == 0) return HK_OK;
  set_up(s, x0 + m->at.v);
  hk_moreau_find_paradox(s, x0);
  double share = x0[m->at.h] > 0 ? h / x0[m->at.h] : 1;
  /* the first guess of the impulses is the result of the last step */
  for (int i = 0; i < k->n; i++) {
    const double *x = x0 + m->at.touch + k->row[k->closed[i]].point * HK_N_TOUCH;
    for (int a = 0; a < k->dim; a++) k->P[i * k->dim + a] = share * x[HK_TOUCH_IMPULSE_N + a];
  }
  hk_status status = k->in_turn ? hk_moreau_in_turn(s) : HK_OK;
  if (!status) status = solve(s);
  if (status) return status;
  for (int j = 0; j < k->n * k->dim && k->in_turn; j++) k->P[j] += k->turned[j];
  hk_delassus_apply(k->d, k->P, s->system->n, k->z);
  for (int i = 0; i < k->n; i++)
    k->P[i * k->dim] *= side_of(k, i); /* a negative load acts on the other side */
  return HK_OK;
}

bool hk_moreau_push_apart(hk_sim *s, bool moved, double *d) {
  hk_moreau *k = s->own;
  const int dim = k->dim, n = k->n, nd = n * dim;
  bool moves = false;
  hk_contact_rows_at(s->work, -INFINITY, k->row);
  for (int i = 0; i < n; i++) {
    const hk_contact_row *r = &k->row[k->closed[i]];
    bool held = r->two_sided || (r->wanted && k->P[i * dim] != 0);
    double by = moved ? hk_contact_row_rate(r, HK_DIR_N, d) - r->drift[HK_DIR_N] : 0;
    double gap = held ? r->gap + by : fmax(0, r->gap + by);
    moves = moves || (held && fabs(gap) > 0.1 * stand_off * s->model->length);
    press_on(k, i, held && gap > 0 ? -1 : 1);
    for (int a = 0; a < dim; a++) k->b[i * dim + a] = a ? 0 : side_of(k, i) * gap;
    k->mu[i] = 0;
  }
  if (!moves) return false;
  /* Parallel contacts, such as two pins of a yoke, differ by round-off in their loads: a small compliance
   * distributes the load evenly. */
  for (int i = 0; i < nd; i++) k->d->G[i * nd + i] *= 1 + 1e-8;
  hk_zero(k->P, nd);
  if (hk_delassus_solve(k->d, dim, k->b, k->mu, 0, k->P, k->xi)) return false;
  for (int i = 0; i < nd; i++) k->P[i] = i % dim ? 0 : k->P[i];
  hk_delassus_apply(k->d, k->P, s->model->nv, d);
  return true;
}

/* An impact is transmitted if the other impulse is not smaller than this share of its own; a slower approach than this
 * share is none. */
static const double least_impulse = 0.05, no_approach = 1e-9;

/* Returns true if the impact of contact i was transmitted through one that touched but did not approach. The load of
 * a contact at rest is small compared with an impact. */
static bool pushes_on(const hk_moreau *k, int i) {
  const int dim = k->dim;
  for (int j = 0; j < k->n; j++) {
    if (j == i || k->row[k->closed[j]].in_turn || !(k->P[j * dim] > least_impulse * k->P[i * dim]))
      continue;
    if (!(k->row[k->closed[i]].eN > 0) || k->before[j * dim] < no_approach * k->before[i * dim])
      continue;
    if (hk_delassus_couples(k->d, i * dim, j * dim)) return true;
  }
  return false;
}

void hk_moreau_record(hk_sim *s, const double *x0, double h, double *x1, double *dissipated,
                      double *applied) {
  const hk_moreau *k = s->own;
  const hk_model *m = s->model;
  const int dim = k->dim;
  const double *vE = x1 + m->at.v;
  for (int p = 0; p < m->n_points; p++) {
    double *x = x1 + m->at.touch + p * HK_N_TOUCH;
    x[HK_TOUCH_IMPULSE_N] = x[HK_TOUCH_IMPULSE_T] = x[HK_TOUCH_IMPULSE_S] = 0;
    x[HK_TOUCH_SLIDING_POWER] = 0;
  }
  for (int i = 0; i < k->n; i++) {
    const hk_contact_row *r = &k->row[k->closed[i]];
    const double *P = k->P + i * dim, *before = k->before + i * dim;
    if (P[0] == 0) continue;
    int point = r->point + (P[0] < 0), at = m->at.touch + point * HK_N_TOUCH;
    double sign = P[0] < 0 ? -1 : 1, approach = -sign * before[0], sliding = 0;
    double *x = x1 + at;
    for (int a = 0; a < dim && has_row(r, a); a++) {
      double after = hk_contact_row_rate(r, a, vE), lost = -0.5 * P[a] * (before[a] + after);
      *dissipated += lost;
      *applied -= P[a] * r->drift[a];
      if (a) sliding += lost;
      x[HK_TOUCH_IMPULSE_N + a] = a ? P[a] : fabs(P[a]);
    }
    x[HK_TOUCH_SLIDING_WORK] += sliding;
    x[HK_TOUCH_SLIDING_POWER] = sliding / h;
    x[HK_TOUCH_CLOSED] += h;
    bool was = x0[at + HK_TOUCH_IMPULSE_N] > 0;
    if (!was && approach > r->count_above && !r->two_sided) {
      x[HK_TOUCH_APPROACH] = approach;
      x[HK_TOUCH_IMPACTS] += 1;
      if (pushes_on(k, i)) hk_quality_event(s, HK_QUALITY_SIMULTANEOUS, 0, x1[m->at.t], NULL, NULL);
    }
  }
}
