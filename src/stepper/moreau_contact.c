/* The contact problem of one of Moreau's steps: see moreau.c. */
#include "stepper/moreau.h"
#include <stdlib.h>

hk_status hk_moreau_create(hk_sim *s, hk_error *err) {
  const hk_model *m = s->model;
  if (m->n_states && hk_moreau_keys_of(s)->paper)
    return hk_fail(err, HK_EINPUT, "moreau with `paper` cannot integrate states such as '%s'",
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
    if (k->row[i].tangents > 1) k->dim = 3;
  size_t n = (size_t)k->n_rows, nd = n * (size_t)k->dim, size = (size_t)m->nv + (size_t)m->nc;
  k->doubles = (int)(nd * size + 2 * nd * nd + 5 * nd + 2 * n + size + 1);
  k->block = calloc((size_t)k->doubles, sizeof *k->block);
  k->solver = hk_contact_work_create(k->dim, k->n_rows, 0, 0);
  if (!k->block || !k->solver) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *d = k->block;
  k->X = d, d += nd * size;
  k->G = d, d += nd * nd;
  k->Gs = d, d += nd * nd;
  k->b = d, d += nd;
  k->bs = d, d += nd;
  k->P = d, d += nd;
  k->xi = d, d += nd;
  k->before = d, d += nd;
  k->mu = d, d += n;
  k->side = d, d += n;
  k->z = d;
  return HK_OK;
}

void hk_moreau_destroy(hk_sim *s) {
  hk_moreau *k = s->own;
  hk_contact_work_free(k->solver);
  free(k->row);
  free(k->closed);
  free(k->block);
  free(k);
  s->own = NULL;
}

void hk_moreau_poison(hk_sim *s) {
  hk_moreau *k = s->own;
  hk_fill_nan(k->block, k->doubles);
  hk_contact_rows_poison(k->row, k->n_rows);
  hk_contact_work_poison(k->solver);
}

/* Round-off of positions that were pushed apart to a gap of zero. */
static const double stand_off = 1e-12;

/* Closed are the contacts that overlap at the middle of the step.  With projection a pressed
 * contact ends its step at a gap of zero; it stays closed whatever way it moves, so that what is
 * left of its normal velocity dies away instead of lifting it off for a step. */
static void find_closed(hk_sim *s, const double *x0, double h) {
  hk_moreau *k = s->own;
  const hk_model *m = s->model;
  bool projection = hk_moreau_projects(s);
  k->n = 0;
  for (int i = 0; i < k->n_rows && projection; i++)
    k->row[i].wanted = x0[m->at.touch + k->row[i].point * HK_N_TOUCH + HK_TOUCH_IMPULSE_N] > 0;
  if (hk_contact_rows_at(s->work, 0, k->row) == 0) return;
  for (int i = 0; i < k->n_rows; i++) {
    const hk_contact_row *r = &k->row[i];
    bool closed = r->gap <= 0 || r->two_sided;
    if (!closed && r->wanted)
      closed = r->gap - hk_moreau_theta(s) * h * hk_contact_row_rate(r, HK_DIR_N, x0 + m->at.v) <=
               stand_off * m->length;
    if (closed) k->closed[k->n++] = i;
  }
}

static bool has_row(const hk_contact_row *r, int direction) { return direction <= r->tangents; }

/* Columns A^-1 W, the Delassus matrix G = W^T A^-1 W and b = xi without impulses.  A direction that
 * a contact lacks gets an equation of its own with the solution zero. */
static void set_up(hk_sim *s, const double *v) {
  hk_moreau *k = s->own;
  const int dim = k->dim, nd = k->n * dim, size = s->system->n;
  for (int i = 0; i < k->n; i++) {
    const hk_contact_row *r = &k->row[k->closed[i]];
    k->mu[i] = r->mu;
    for (int a = 0; a < dim; a++) {
      const int j = i * dim + a;
      double *X = k->X + (size_t)j * (size_t)size, rate = 0;
      hk_zero(X, size);
      if (has_row(r, a)) {
        rate = hk_contact_row_rate(r, a, v);
        hk_contact_row_add(r, a, 1, X);
        hk_linear_solver_solve(s->system->solver, X);
        s->stats.solves++;
      }
      k->before[j] = rate;
      k->b[j] = has_row(r, a) ? hk_contact_row_rate(r, a, k->z) - r->drift[a] +
                                    (1 + (a ? r->eT : r->eN)) * rate
                              : 0;
    }
  }
  for (int i = 0; i < nd; i++) {
    const hk_contact_row *r = &k->row[k->closed[i / dim]];
    const int a = i % dim;
    for (int j = 0; j < nd; j++)
      k->G[i * nd + j] =
          has_row(r, a) ? hk_contact_row_rate(r, a, k->X + (size_t)j * (size_t)size) - r->drift[a]
                        : 0;
  }
  for (int i = 0; i < nd; i++)
    if (!has_row(&k->row[k->closed[i / dim]], i % dim))
      k->G[i * nd + i] = k->G[(i - i % dim) * nd + i - i % dim];
}

/* The problem with the two-sided contacts pressing on their chosen sides. */
static void choose_sides(hk_moreau *k) {
  const int dim = k->dim, nd = k->n * dim;
  for (int i = 0; i < nd; i++) {
    double si = i % dim ? 1 : k->side[i / dim];
    k->bs[i] = si * k->b[i];
    for (int j = 0; j < nd; j++)
      k->Gs[i * nd + j] = si * (j % dim ? 1 : k->side[j / dim]) * k->G[i * nd + j];
  }
}

/* A contact without play presses on the side that would open the other: on one side it answers as
 * any contact does, with xi_N = 0 unless it is the wrong one; then it is tried on the other. */
static hk_status solve(hk_sim *s) {
  hk_moreau *k = s->own;
  const int dim = k->dim;
  bool sided = false;
  for (int i = 0; i < k->n; i++) {
    bool two = k->row[k->closed[i]].two_sided;
    k->side[i] = two && k->b[i * dim] > 0 ? -1 : 1;
    sided = sided || two;
  }
  for (int pass = 0; pass < 4 * k->n + 4; pass++) {
    if (sided) choose_sides(k);
    const hk_contact_problem p = {.dim = dim,
                                  .contacts = k->n,
                                  .G = sided ? k->Gs : k->G,
                                  .b = sided ? k->bs : k->b,
                                  .mu = k->mu};
    hk_contact_result r;
    hk_status status = hk_contact_solve(&p, k->P, k->xi, k->solver, &r);
    s->stats.contact_pivots += r.pivots + r.iterations;
    s->stats.contact_merit = r.merit;
    if (status < 0) s->stats.contact_merit = INFINITY;
    if (status) return HK_RETRY;
    bool settled = true;
    for (int i = 0; i < k->n && settled; i++) {
      if (!k->row[k->closed[i]].two_sided || k->P[i * dim] > 0) continue;
      settled = k->xi[i * dim] <= 0;
      if (!settled) k->side[i] = -k->side[i];
    }
    if (settled) break;
  }
  for (int i = 0; i < k->n; i++) k->P[i * dim] *= k->side[i];
  return HK_OK;
}

hk_status hk_moreau_contacts(hk_sim *s, const double *x0, double h) {
  hk_moreau *k = s->own;
  const hk_model *m = s->model;
  find_closed(s, x0, h);
  if (k->n == 0) return HK_OK;
  set_up(s, x0 + m->at.v);
  double share = x0[m->at.h] > 0 ? h / x0[m->at.h] : 1;
  for (int i = 0; i < k->n; i++) { /* a first guess: the impulses of the last step */
    const double *x = x0 + m->at.touch + k->row[k->closed[i]].point * HK_N_TOUCH;
    for (int a = 0; a < k->dim; a++) k->P[i * k->dim + a] = share * x[HK_TOUCH_IMPULSE_N + a];
  }
  hk_status status = solve(s);
  if (status) return status;
  const int nd = k->n * k->dim, size = s->system->n;
  for (int j = 0; j < nd; j++) {
    const double *X = k->X + (size_t)j * (size_t)size, P = k->P[j];
    if (P == 0) continue;
    for (int i = 0; i < size; i++) k->z[i] += P * X[i];
  }
  return HK_OK;
}

bool hk_moreau_push_apart(hk_sim *s, double *d) {
  hk_moreau *k = s->own;
  const int dim = k->dim, n = k->n, nd = n * dim, size = s->system->n;
  bool moves = false;
  hk_contact_rows_at(s->work, -INFINITY, k->row);
  for (int i = 0; i < n; i++) {
    const hk_contact_row *r = &k->row[k->closed[i]];
    bool held = r->two_sided || (r->wanted && k->P[i * dim] != 0);
    double gap = held ? r->gap : fmax(0, r->gap);
    moves = moves || (held && fabs(gap) > 0.1 * stand_off * s->model->length);
    k->side[i] = held && gap > 0 ? -1 : 1;
    for (int a = 0; a < dim; a++) k->b[i * dim + a] = a ? 0 : gap;
    k->mu[i] = 0;
  }
  if (!moves) return false;
  choose_sides(k);
  /* Contacts in parallel, such as two pins of a yoke, differ by round-off in what they ask for: a
   * trace of compliance lets them share it. */
  for (int i = 0; i < nd; i++) k->Gs[i * nd + i] *= 1 + 1e-8;
  const hk_contact_problem p = {.dim = dim, .contacts = n, .G = k->Gs, .b = k->bs, .mu = k->mu};
  hk_zero(k->P, nd);
  if (hk_contact_solve(&p, k->P, k->xi, k->solver, NULL)) return false;
  hk_zero(d, s->model->nv);
  for (int i = 0; i < n; i++) {
    const double *X = k->X + (size_t)(i * dim) * (size_t)size, P = k->side[i] * k->P[i * dim];
    for (int j = 0; j < s->model->nv; j++) d[j] += P * X[j];
  }
  return true;
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
    for (int a = 0; a <= r->tangents; a++) {
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
    }
  }
}
