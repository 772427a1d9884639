/* Switching between backward differentiation (BDF) and Adams' formulas during a run: the family with the longer
 * steps is used.
 *
 * For smooth motion without stiffness, Adams' formulas have smaller error constants and higher orders.  If the model
 * is stiff, their steps are limited by stability, however small the error is, and BDF takes longer steps.  The model
 * alone does not show which family is better: a mass may fly for a long time before it meets a stiff stop, or rest
 * on one before it is released.  So every few steps the step lengths of both families are compared [Petzold1983]:
 *
 *   - By error.  The history holds positions, velocities and their rates.  So the error that the other family would have made in the
 *     last step is computed with its own error formula, for all of its orders.
 *   - By stability.  With equal steps, Adams' formula of order k is stable for lambda h > -2/|sum_j g_j 2^j|, j < k, where g_j are its
 *     coefficients by backward differences: 6, 3, 1.84, 1.18, 0.77, 0.49, 0.31, 0.19 for orders 3 to 10.  The largest lambda
 *     follows from the Newton matrix A = M + b C + b^2 K, b = hg, which the step has factored: 1 - A^-1 M has the eigenvalues
 *     z/(1 + z), with z = b lambda for dampers and z = (b lambda)^2 for springs, in the directions that the joints leave free.  A
 *     few multiplications by this matrix leave the stiff motions and remove the others.
 *
 * Near its limit of stability, a formula of Adams leaves noise of the size of the tolerance in the history.  The
 * errors of other orders and of the other family are then hidden by this noise, and only lambda h shows that steps
 * are limited by stability.
 *
 * The family is changed only for a clear gain, and not again for some steps.  Comparisons without a change become
 * rarer; rejected attempts bring the next one forward. */
#include "integrator/smooth/multistep.h"

/* Returns true if the history contains the data of both families of formulas. If Adams' formulas do not support the
 * model, it contains only the data of BDF. */
static bool fits_both(const hk_model *m) { return hk_adams_supports(m, NULL) == HK_OK; }
static int room_of(const hk_model *m) {
  return fits_both(m) ? HK_ADAMS_MOST_ORDER - 1 : HK_BDF_MOST_ORDER;
}
static unsigned parts_of(const hk_model *m) {
  return fits_both(m) ? HK_PAST_PLACES | HK_PAST_RATES : HK_PAST_PLACES;
}

/* ---- when ---- */

/* Number of steps between comparisons of the two families: after a change of family, before the
 * first comparison, and the maximum. */
enum { REST_AFTER_CHANGE = 40, FIRST_REST = 12, LONGEST_REST = 96 };
/* A rejected attempt of Adams' formulas counts as REFUSED_COUNTS steps.  Within the limit of stability fewer than
 * one attempt in SELDOM_REFUSED is rejected (measured: one in eight if loads switch often), beyond it one in four
 * and more. */
enum { REFUSED_COUNTS = 8, SELDOM_REFUSED = 6 };

/* Ratio of step lengths that justifies a change to the other family.  A step of Adams' formulas costs one evaluation
 * of forces and one solve more than a step of BDF, about a fifth, and a change itself costs a few short steps. */
static const double to_adams = 1.5, to_bdf = 1.3;

/* ---- Adams' limit of stability ---- */

/* Coefficients by backward differences: -1/2, -1/12, ... [ShampineGordon1975].  Order 2, the trapezoidal rule, is
 * always stable, but stiff motions are multiplied by (2 - z)/(2 + z) per step, z = -lambda h, and hardly decay if z
 * is large: at 6, the limit of order 3, half of them remains after each step.  Order 1 damps all stiff motions. */
static double stable_length(int order) {
  static const double g[HK_ADAMS_MOST_ORDER] = {
      1,          -1.0 / 2,       -1.0 / 12,      -1.0 / 24,          -19.0 / 720,
      -3.0 / 160, -863.0 / 60480, -275.0 / 24192, -33953.0 / 3628800, -8183.0 / 1036800};
  double sum = 0;
  for (int j = order > 3 ? order - 1 : 2; j >= 0; j--) sum = 2 * sum + g[j];
  return order > 1 ? -2 / sum : INFINITY;
}

/* Number of multiplications that isolate the stiffest motion; each reduces a motion with z = 0.1 to a tenth.  If a
 * fraction of less than died_out remains, the model is not stiff, and further multiplications would amplify
 * round-off. */
enum { POWERS = 6 };
static const double died_out = 1e-9;
/* Fractions of the limit of stability: Adams' formulas are selected below the first and abandoned above the second.
 * Errors of a stiff motion are reduced to 62 % in a step of order 3 at the first fraction, to 73 % at the second. */
static const double stable_share = 0.5, unstable_share = 0.6;

/* Start vector: a motion with components of all others, in the metric of the masses. Coordinates that do not move at
 * all, such as the third direction of a plane motion, are omitted: such a coordinate is not excited, however stiff it
 * is. */
static void begin_anywhere(const hk_model *m, const double *x1, double *w) {
  const double *v = x1 + m->at.v, *vd = x1 + m->at.vd;
  unsigned random = 1;
  for (int i = 0; i < m->nv; i++) {
    random = random * 1103515245u + 12345u;
    w[i] = v[i] == 0 && vd[i] == 0 ? 0 : sqrt(m->give[i]) * (random >> 31 ? 1 : -1);
  }
}

/* w = (1 - A^-1 M) w; at the start w = A^-1 M w, which satisfies the constraints. */
static void raise_power(hk_sim *s, bool begins, double *w) {
  const hk_model *m = s->model;
  hk_mass_multiply(s->work, w, s->r);
  hk_zero(s->r + m->nv, m->nc);
  hk_linear_solver_solve(s->system->solver, s->r);
  s->stats.solves++;
  for (int k = 0; k < m->nv; k++) w[k] = begins ? s->r[k] : w[k] - s->r[k];
}

/* The largest lambda, computed with the factorization of the last step. A spring and a damper with the same z cannot
 * be distinguished, so the smaller of the two possible values of lambda is used. If z is below 1, this is the value
 * for a damper; the lambda of a spring is imaginary and affects stability far less. If z is above 1, both are beyond
 * every limit. */
static double fastest_decay(hk_sim *s, const double *x1) {
  const hk_multistep *b = s->own;
  double *w = s->d;
  begin_anywhere(s->model, x1, w);
  double first = hk_error_norm(s, w), share = 0;
  raise_power(s, true, w);
  double size = hk_error_norm(s, w); /* zero if joints and motions leave no degree of freedom */
  for (int i = 0; i < POWERS && size > died_out * first; i++) {
    double before = size;
    raise_power(s, false, w);
    size = hk_error_norm(s, w);
    share = fmin(size / before, 1);
  }
  double z = share / (1 - share);
  return fmin(z, sqrt(z)) / b->hg;
}

/* ---- comparison ---- */

typedef struct choice {
  int order;
  double stretch;
} choice;

static choice best_bdf(hk_sim *s, const double *x0, double h, const double *x1) {
  const hk_multistep *b = s->own;
  choice best = {0, 0};
  int most = hk_multistep_most(s->model, HK_BDF_MOST_ORDER);
  for (int k = hk_bdf_least_order(s->model, most); k <= most; k++) {
    double f = hk_multistep_stretch(b->weight * hk_bdf_error_of(s, x0, h, k, x1), k);
    if (f > best.stretch) best = (choice){k, f};
  }
  return best;
}

/* Finds the best order of Adams' formulas. longest: stable step lengths, relative to the step. */
static choice best_adams(hk_sim *s, const double *x0, const double *x1, const double *longest) {
  const hk_multistep *b = s->own;
  choice best = {0, 0};
  int most = hk_multistep_most(s->model, HK_ADAMS_MOST_ORDER - 1);
  for (int k = 1; k <= most; k++) {
    double f = hk_multistep_stretch(b->weight * hk_adams_error_of(s, x0, k, x1), k);
    f = fmin(f, longest ? longest[k] : INFINITY);
    if (f > best.stretch) best = (choice){k, f};
  }
  return best;
}

static choice stable_adams(hk_sim *s, const double *x0, double h, const double *x1) {
  double longest[HK_ADAMS_MOST_ORDER + 1], lambda = fastest_decay(s, x1);
  for (int k = 1; k <= HK_ADAMS_MOST_ORDER; k++)
    longest[k] = lambda > 0 ? stable_share * stable_length(k) / (lambda * h) : INFINITY;
  return best_adams(s, x0, x1, longest);
}

static void change(hk_sim *s, double h, choice to, hk_family family, double *x1, hk_attempt *info) {
  hk_history *past = hk_history_of(s->model, x1);
  past->family = family;
  past->order = to.order;
  past->since = 0;
  past->rest = REST_AFTER_CHANGE;
  info->next = fmin(fmax(info->next, h), to.stretch * h);
}

/* Returns true if the last steps of Adams' formulas were limited by stability and not by their error. Noise then hides how long
 * the steps of BDF could be: `bdf`, the length of these steps according to the errors relative to the last step, is
 * only a lower bound.
 *   - Many attempts of orders 1 and 2 are rejected. The cause may be a stiff effect that the ends of steps do not show, such as
 *     friction that changes its sign within a step; Adams' formulas of these orders have no advantage there.
 *   - Many attempts are rejected, and lambda h is beyond the limit.
 *   - lambda h is near the limit, so that noise hardly decays, and BDF is not so much worse that the next comparison would lead back
 *     to Adams' formulas. The last condition excludes undamped springs, which lambda cannot distinguish from dampers. */
static bool is_at_limit(hk_sim *s, double h, double bdf, const double *x1) {
  const hk_multistep *b = s->own;
  const hk_history *past = hk_history_in(s->model, x1);
  bool often = past->refused * SELDOM_REFUSED >= past->rested;
  if (often && past->used < 3) return true;
  if (!often && to_adams * bdf < b->stretch) return false;
  double share = often ? 1 : unstable_share;
  return fastest_decay(s, x1) * h > share * stable_length((int)past->used);
}

/* Starts BDF without a history, because the history is full of noise. In the first step the accelerations move no body
 * by more than a hundredth of the tolerance. */
static void begin_anew(hk_sim *s, double h, double *x1, hk_attempt *info) {
  const hk_model *m = s->model;
  double norm = hk_error_norm(s, x1 + m->at.vd);
  change(s, h, (choice){1, 1}, HK_FAMILY_BDF, x1, info);
  hk_history *past = hk_history_of(m, x1);
  past->count = 0;
  past->starting = 1;
  info->next = fmin(h, 0.1 / sqrt(norm));
}

static void leave_adams(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  const hk_multistep *b = s->own;
  choice bdf = best_bdf(s, x0, h, x1);
  if (bdf.stretch > to_bdf * b->stretch)
    change(s, h, bdf, HK_FAMILY_BDF, x1, info);
  else if (is_at_limit(s, h, bdf.stretch, x1))
    begin_anew(s, h, x1, info);
}

static hk_status leave_bdf(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  const hk_multistep *b = s->own;
  double enough = to_adams * b->stretch;
  if (best_adams(s, x0, x1, NULL).stretch <= enough) return HK_OK;
  choice adams = stable_adams(s, x0, h, x1);
  if (adams.stretch <= enough) return HK_OK;
  /* The rates with which Adams' formulas continue also satisfy the second derivatives of the constraints. */
  const hk_implicit f = hk_multistep_equations(s, b, x0, h);
  hk_status status = hk_implicit_accelerations(s, &f, x1, info);
  if (!status) change(s, h, adams, HK_FAMILY_ADAMS, x1, info);
  return status;
}

static bool begins_with_adams(const hk_model *m) {
  const char *why;
  return fits_both(m) && hk_adams_score(m, &why) > 0;
}

/* Compares the two families after an accepted step. */
static hk_status compare(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  const hk_multistep *b = s->own;
  hk_history *past = hk_history_of(s->model, x1);
  hk_status status = HK_OK;
  if ((unsigned)past->parts != (HK_PAST_PLACES | HK_PAST_RATES)) return HK_OK;
  if (begins_with_adams(s->model))
    return HK_OK; /* the model contains no element that can become stiff */
  past->rested++;
  if (past->family == HK_FAMILY_ADAMS) past->refused += info->rejected;
  bool due =
      past->rested >= FIRST_REST && past->rested + REFUSED_COUNTS * past->refused >= past->rest;
  if (!due || past->starting > 0 || past->noisy > 0 || isnan(b->stretch)) return HK_OK;
  past->rest = fmin(fmax(2 * past->rest, FIRST_REST), LONGEST_REST);
  if (past->family == HK_FAMILY_ADAMS)
    leave_adams(s, x0, h, x1, info);
  else
    status = leave_bdf(s, x0, h, x1, info);
  past->rested = past->refused = 0;
  return status;
}

/* ---- the step ---- */

static hk_status attempt(hk_sim *s, const double *x0, double h, double *x1, hk_attempt *info) {
  const hk_model *m = s->model;
  bool adams = hk_history_in(m, x0)->family == HK_FAMILY_ADAMS;
  hk_status status = adams ? hk_adams_attempt(s, x0, h, HK_ADAMS_MOST_ORDER, x1, info)
                           : hk_bdf_attempt(s, x0, h, HK_BDF_MOST_ORDER, x1, info);
  if (status || info->elsewhere || !(info->error <= 1)) return status;
  hk_history_of(m, x1)->used_family = adams ? HK_FAMILY_ADAMS : HK_FAMILY_BDF;
  return compare(s, x0, h, x1, info);
}

static void dense(const hk_sim *s, double t, double *x) {
  if (hk_history_in(s->model, s->x)->used_family == HK_FAMILY_ADAMS)
    hk_adams_dense(s, t, x);
  else
    hk_bdf_dense(s, t, x);
}

/* ---- the type ---- */

static int state_size(const hk_model *m) { return hk_history_size(m, room_of(m), parts_of(m)); }

static void restart(const hk_sim *s, double *x) {
  hk_history *past = hk_history_of(s->model, x);
  if (past->room == 0 && begins_with_adams(s->model)) past->family = HK_FAMILY_ADAMS;
  hk_history_forget(s->model, x, room_of(s->model), parts_of(s->model));
}

static int score(const hk_model *m, const char **why) {
  return begins_with_adams(m) ? hk_adams_score(m, why) : hk_bdf_score(m, why);
}

static const hk_integrator ops = {.order = HK_ADAMS_MOST_ORDER,
                                  .can = HK_MULTISTEP_CAN | HK_EXCITES_MODES,
                                  HK_MULTISTEP_COMMON,
                                  .attempt = attempt,
                                  .restart = restart,
                                  .dense = dense,
                                  .state_size = state_size,
                                  .supports = hk_integrator_needs_smooth,
                                  .score = score};

const hk_type hk_type_stepper_multistep = {
    .name = "multistep",
    .category = HK_STEPPER,
    .doc =
        "Backward differentiation (bdf) where the motion is stiff, Adams' formulas (adams) where "
        "it is "
        "not, changed during the run; for smooth motion with joints, forces and compliant contacts "
        "to "
        "many digits.",
    .source = "[Petzold1983]",
    .ops = &ops,
};
