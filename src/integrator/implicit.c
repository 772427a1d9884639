/* Newton's iteration at the end of a step: see implicit.h. */
#include "integrator/implicit.h"
#include "base/hot.h"

/* The most accurate multipliers that are available within the step: lambda plus the shift of
 * the previous step. The sum is of second order. */
static const double *full_lambda(const hk_sim *s, const double *x1) {
  const hk_model *m = s->model;
  const double *lambda = x1 + m->at.lambda, *shift = x1 + m->at.lambda_shift;
  if (!m->friction) return lambda;
  for (int r = 0; r < m->nc; r++) s->full[r] = lambda[r] + shift[r];
  return s->full;
}

/* The instant at the end of the step, with the present x1. */
static hk_instant step_end(const hk_sim *s, const hk_implicit *k, const double *x1) {
  hk_instant in = hk_instant_with(s->model, x1, full_lambda(s, x1));
  in.h = k->h;
  return in;
}

/* r = k (a - b) */
HK_HOT static void scaled_difference(double k, int n, const double *restrict a,
                                     const double *restrict b, double *restrict r) {
  for (int i = 0; i < n; i++) r[i] = k * (a[i] - b[i]);
}

/* Writes the residuals with reversed sign into s->r: the residual of the equations of motion,
 * divided by ca, and the residual of the constraints. `ahead`: the matrix is needed at the same
 * x1. */
static hk_status residual_of(hk_sim *s, const hk_implicit *k, const double *x1, bool ahead) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const hk_instant in = step_end(s, k, x1);
  hk_kinematics(w, &in, HK_FRAMES_STEP);
  hk_status status = ahead ? hk_forces_ahead(w, &in) : hk_forces(w, &in);
  hk_constraints_with_force(w, &in, x1 + m->at.lambda, w->f);
  hk_mass_multiply(w, x1 + m->at.vd, s->u);
  scaled_difference(1 / k->ca, m->nv, w->f, s->u, s->r);
  hk_put_rows(s, w->g);
  /* Rolling has no position constraint: its rows are velocity constraints, divided by dv/dD. */
  for (int i = 0; i < m->n_velocity_rows; i++) {
    int row = m->velocity_row[i];
    if (s->kept[row])
      s->r[s->system->row_at[row]] = -(hk_constraint_row_rate(w, row, in.v) + w->gt[row]) / k->cv;
  }
  return status;
}

static hk_status residual(hk_sim *s, const hk_implicit *k, const double *x1) {
  return residual_of(s, k, x1, false);
}

/* Near a singular position one combination of the constraint rows becomes nearly zero. The
 * multiplier of this combination is only round-off, amplified by the inverse square of the
 * distance from the position. With this regularization, the multipliers of such combinations
 * keep their predicted values. The others converge as fast as without it. */
static const double softened = 1e-9;

/* The geometric stiffness of joints is omitted if it is less than this fraction of the inertia: in short steps Newton's
 * iteration converges equally well without it, and it accounts for half the cost of the matrix. With `tangent: full` it
 * is never omitted. */
static const double slight = 0.01;

static hk_status factor(hk_sim *s, const hk_implicit *k, const double *x1, bool ideal, bool ahead) {
  double soft = k->soft > 0 ? k->soft : softened;
  const hk_coefficients c = {1,
                             k->cv / k->ca,
                             1 / k->ca,
                             k->D,
                             soft,
                             ideal,
                             s->option.tangent == HK_TANGENT_FULL ? 0 : slight,
                             ahead};
  const hk_instant in = step_end(s, k, x1);
  hk_status status = hk_assemble(s->system, s->work, &c, &in);
  s->stats.factorizations++;
  if (!status) status = hk_linear_solver_factor(s->system->solver, s->system->matrix);
  return status;
}

/* The remaining residual of Newton's iteration must be small compared with the error of the step. */
static const double newton_share = 1e-3;
static const double constraint_tolerance = 2e-11; /* m and rad */

/* The iteration for the accelerations ends when a correction moves no body by more than this, relative to the
 * tolerance, within a step. */
static const double acceleration_share = 0.1;
/* The first correction is about as large as the error of the predicted values, and so about as large as the error of
 * the step. If a correction exceeds this error by more than this factor, it is round-off that a nearby singular
 * position has amplified. */
static const double magnified = 10;

/* Computes an upper bound of the next displacement, relative to the tolerance, from the
 * residual in s->r. The bound is the sum of two terms. The first term is the forces divided by the masses, because a
 * body moves no farther than it would without joints. The second term is the constraint error g. */
HK_HOT HK_FLAT static double leftover(hk_sim *s, double g) {
  const hk_model *m = s->model;
  if (m->massless) return INFINITY;
  for (int i = 0; i < m->nv; i++) s->u[i] = m->give[i] * s->r[i];
  return hk_error_norm(s, s->u) + g * fmax(1, m->length) / hk_tolerance(s);
}

/* Friction changes at speeds far below the resolution of the position tolerance: a correction that is a small
 * displacement may leave a large force error. Therefore the force residual must be below this fraction of the largest
 * load, unless it has no effect or no longer decreases. */
static const double rubbing_share = 1e-4, nothing = 1e-5;
enum { YOUNG = 6 };

static bool rubs_on(const hk_sim *s, const hk_implicit *k, const double *x1, double left,
                    bool stuck) {
  const hk_model *m = s->model;
  if (!m->friction || left <= nothing || stuck) return false;
  double most = hk_max_abs(x1 + m->at.lambda, m->nc, NULL);
  return k->ca * hk_max_abs(s->r, m->nv, NULL) > rubbing_share * most;
}

enum { EARLY = 5, LATE = 8 }; /* iterations before the first one, and from the second one on */
/* Largest correction that is accepted as noise in early iterations, and bound of the correction above which a correction is
 * more than noise: relative to the tolerance. */
static const double early_noise = 0.2, told_noise = 0.02;

/* Largest correction, relative to the tolerance, that is accepted as noise. `told` is the bound
 * of the correction from the residual. A correction that is much larger consists of noise only.
 * If this noise does not persist in later steps, it is better to accept it than to reject the
 * step. */
static double most_noise(const hk_sim *s, int iteration, double told) {
  if (iteration < EARLY) return early_noise;
  return iteration < LATE || told > told_noise || !s->noise_fades ? 1 : HK_MOST_NOISE;
}

static void push_multipliers(const hk_sim *s, const hk_implicit *k, double *x1) {
  const hk_system *sys = s->system;
  double *lambda = x1 + s->model->at.lambda;
  for (int i = 0; i < sys->n_kept; i++) lambda[sys->kept_row[i]] += k->ca * s->r[s->model->nv + i];
}

/* Applies the correction in s->r, multiplied by `relax`, to multipliers and positions, and computes the new residual. 
 * Returns the magnitude of the full correction relative to the tolerance; NaN: no residual. */
static double improve(hk_sim *s, const hk_implicit *k, double relax, double *x1) {
  const hk_system *sys = s->system;
  if (relax < 1)
    for (int i = 0; i < sys->n; i++) s->r[i] *= relax;
  push_multipliers(s, k, x1);
  double size = k->move(s, k, s->r, x1);
  return isfinite(size) && residual(s, k, x1) ? NAN : size / relax;
}

/* Computes the correction for the residual in s->r, into s->r. A correction that is small enough is not applied. The
 * end of the step is then the present x1, for which the forces are already known, and s->r contains the residual
 * again. */
static bool solve(hk_sim *s, const hk_implicit *k, double enough, double *x1) {
  int nv = s->model->nv;
  if (enough > 0) hk_copy(s->u, s->r, nv);
  hk_linear_solver_solve(s->system->solver, s->r);
  s->stats.solves++;
  s->stats.newton++;
  if (!(enough > 0 && hk_error_norm(s, s->r) <= enough)) return false;
  push_multipliers(
      s, k,
      x1); /* the equations are linear in the multipliers, and all other unknowns stay constant */
  hk_copy(s->r, s->u, nv);
  return true;
}

/* Limits for the ratio of two successive corrections. Above hard_loose (iterations with contacts and a loose
 * tolerance) or hard_else (all others) the factorization is computed again. Above slow_rate corrections count as no
 * longer decreasing. Above `swinging`, with contacts, corrections are shortened, down to the factor least_relax. With
 * contacts a ratio below least_trusted is replaced by least_trusted. */
static const double hard_loose = 0.5, hard_else = 0.35, slow_rate = 0.3, swinging = 0.8,
                    least_relax = 0.25, least_trusted = 0.1;
/* If the corrections no longer decrease, a correction below this limit, relative to the tolerance, is accepted. From
 * PATIENT iterations on, larger joint errors are accepted. */
static const double small_noise = 0.02;
enum { PATIENT = 6 };

/* Every step computes a factorization at the predicted position.  Then one correction is nearly always enough, and a
 * step depends only on its initial state. */
hk_status hk_implicit_solve(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info) {
  double previous = 0, rate = 1, relax = 1, spare = 0;
  /* A correction may be small by chance if a contact closes or opens within the iteration. */
  bool touch = hk_has_kinks(s->model), loose = touch && k->loose > 0;
  double share = loose ? k->loose : newton_share, hard = loose ? hard_loose : hard_else,
         round_off = hk_round_off(s);
  /* Far from the origin positions have fewer digits. */
  double closed = fmax(constraint_tolerance, round_off * hk_tolerance(s));
  info->memory->hopeless = false;
  info->memory->crept = 0;
  if (residual_of(s, k, x1, true)) return HK_RETRY;
  for (int iteration = 1;; iteration++) {
    if (iteration == 1 || rate > hard) {
      hk_status status = factor(s, k, x1, false, iteration == 1);
      if (status) return status;
    }
    info->newton = iteration;
    if (solve(s, k, spare, x1)) return HK_OK;
    double size = improve(s, k, relax, x1);
    if (!isfinite(size)) return HK_RETRY;
    rate = previous > 0 ? size / previous : 0;
    /* Largest violation of the active rows in the residual; redundant rows are checked after the step.
     */
    double g = hk_max_abs(s->r + s->model->nv, s->system->n_kept, NULL);
    info->error = k->error(s, k, x1);
    bool shrinks = previous > 0 && rate < 1;
    /* For a one-step method the error test of contacts includes the remaining residual: see contact_error.h. */
    double enough = share * fmin(1, info->error);
    double trusted = fmax(rate, touch ? least_trusted : 0), left = leftover(s, g);
    bool done = size <= round_off ||
                (shrinks && size * fmin(1, trusted / (1 - trusted)) <= enough) || left <= enough;
    /* Near a singular position round-off is magnified. A correction that no longer decreases is accepted if it is small
     * or, finally, if it is below the allowed error of a step. With contacts such a correction is a force error, and it
     * is accepted only if the positions contain noise. */
    done =
        done || ((!touch || k->noisy) && iteration >= 3 && rate > slow_rate && size <= small_noise);
    done = done || (k->noisy && !touch && iteration >= 3 && rate > 0.5 &&
                    size <= most_noise(s, iteration, left / size));
    bool stuck = size <= round_off || (iteration >= YOUNG && rate > 0.5);
    bool rubs = rubs_on(s, k, x1, left, stuck);
    done = done && !rubs;
    info->memory->crept =
        !touch && !s->model->friction && iteration >= 3 && rate > slow_rate ? size : 0;
    if (done && g <= closed * (iteration < PATIENT ? 1 : 4)) return HK_OK;
    if (k->hopeless && rate > hard && (info->memory->hopeless = k->hopeless(s, k, x1, info)))
      return HK_RETRY;
    if (iteration >= s->option.max_newton || rate > 2) return HK_RETRY;
    /* If friction changes its sign, Newton's iteration may oscillate. Shorter corrections prevent this oscillation. */
    relax = touch && rate > swinging ? fmax(least_relax, 0.5 * relax) : fmin(1, 2 * relax);
    previous = size;
    spare = loose && !rubs && relax == 1 && g <= closed ? enough : 0;
  }
}

hk_status hk_implicit_project(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info) {
  hk_projected told;
  hk_status status = hk_velocity_project(s, k->h, k->noisy, x1, &told);
  if (told.noise > 0) info->memory->crept = fmax(info->memory->crept, told.noise);
  if (!told.rubs) return status;
  /* The matrix contains friction that depends on the loads of joints, but the velocity must be corrected along G^T
   * only. */
  status = factor(s, k, x1, true, false);
  return status ? status : hk_velocity_project(s, k->h, k->noisy, x1, &told);
}

/* Writes the residual of M v' + G^T lambda = f, G v' + bias = 0 at x1 into s->r with reversed sign; the forces
 * and the bias at x1 are in `work`. */
static void acceleration_residual(hk_sim *s, const double *x1) {
  const hk_model *m = s->model;
  hk_work *w = s->work;
  const double *vd = x1 + m->at.vd;
  hk_copy(s->u, w->f, m->nv);
  hk_constraint_accelerations(w, vd, x1 + m->at.lambda, s->u, s->y);
  hk_mass_multiply(w, vd, s->u + m->nv);
  scaled_difference(1, m->nv, s->u, s->u + m->nv, s->r);
  hk_put_rows(s, s->y);
}

hk_status hk_implicit_accelerations(hk_sim *s, const hk_implicit *k, double *x1, hk_attempt *info) {
  const hk_model *m = s->model;
  double size = 0, first = 0;
  const hk_system *sys = s->system;
  double *vd = x1 + m->at.vd, *lambda = x1 + m->at.lambda;
  hk_zero(x1 + m->at.lambda_shift, m->nc);
  const hk_instant in = step_end(s, k, x1);
  /* Frames and constraints at these positions are in `work` already. */
  hk_kinematic_speeds(s->work, &in);
  hk_constraint_bias(s->work, &in);
  /* Without constraints the projection changes nothing, so the forces of the last residual are still the forces of
   * x1. */
  const bool known = m->nc == 0 && m->n_points == 0;
  for (int pass = 0; pass < 4; pass++) {
    const hk_instant now = step_end(s, k, x1); /* friction is evaluated with the new multipliers */
    if (((pass == 0 && !known) || m->friction) && hk_forces(s->work, &now)) return HK_RETRY;
    acceleration_residual(s, x1);
    hk_linear_solver_solve(sys->solver, s->r);
    s->stats.solves++;
    for (int i = 0; i < m->nv; i++) vd[i] += s->r[i];
    for (int i = 0; i < sys->n_kept; i++) lambda[sys->kept_row[i]] += s->r[m->nv + i];
    for (int i = 0; i < m->nv; i++) s->r[i] *= 1 / k->ca;
    size = hk_error_norm(s, s->r);
    if (!isfinite(size)) return HK_RETRY;
    if (pass == 0) first = size;
    if (size <= acceleration_share) break;
  }
  /* Near a singular position, at which Newton's iteration may have converged, the accelerations are noise. */
  if (size > acceleration_share) info->memory->crept = fmax(info->memory->crept, size);
  bool smooth = m->n_points == 0 && !m->friction;
  if (smooth && first > magnified * fmax(acceleration_share, info->error))
    info->memory->crept = fmax(info->memory->crept, first);
  return HK_OK;
}
