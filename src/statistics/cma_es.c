/* CMA-ES with restarts: see optimiser.h.  Names as in [Hansen2016]. */
#include "base/random.h"
#include "lapack/lapack.h"
#include "statistics/distribution.h"
#include "statistics/optimiser.h"
#include <lapacke.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct strategy {
  int n, lambda, mu;
  double *weight; /* [lambda] weights: the first mu are positive, the others negative */
  double mu_eff, c_sigma, d_sigma, c_c, c_1, c_mu, chi;
  double sigma, *m, *p_c, *p_sigma;
  double *C, *B, *D; /* B: eigenvectors of C as columns; D: square roots of its eigenvalues */
  double *y, *x;     /* [lambda][n] steps and points */
  hk_score *score;   /* [lambda] */
  int *order;
  double *work; /* [3 n] */
  int64_t generation, eigen_at;
  double *memory;
  /* Best value of each of the last generations. */
  double *history;
  int n_history, history_room;
} strategy;

bool hk_score_better(const hk_score *a, const hk_score *b) {
  if (isnan(a->value) || isnan(b->value)) return !isnan(a->value);
  if (a->violation != b->violation) return a->violation < b->violation;
  return a->value < b->value;
}

static void set_weights(strategy *s) {
  double n = s->n, sum = 0, square = 0, negative = 0, neg_square = 0;
  s->mu = s->lambda / 2;
  for (int i = 0; i < s->lambda; i++) {
    s->weight[i] = log((s->lambda + 1) / 2.0) - log(i + 1);
    if (i < s->mu)
      sum += s->weight[i], square += s->weight[i] * s->weight[i];
    else
      negative += s->weight[i], neg_square += s->weight[i] * s->weight[i];
  }
  s->mu_eff = sum * sum / square;
  double mu_neg = neg_square > 0 ? negative * negative / neg_square : 0;
  s->c_c = (4 + s->mu_eff / n) / (n + 4 + 2 * s->mu_eff / n);
  s->c_sigma = (s->mu_eff + 2) / (n + s->mu_eff + 5);
  s->d_sigma = 1 + 2 * fmax(0, sqrt((s->mu_eff - 1) / (n + 1)) - 1) + s->c_sigma;
  s->c_1 = 2 / ((n + 1.3) * (n + 1.3) + s->mu_eff);
  s->c_mu = fmin(1 - s->c_1,
                 2 * (0.25 + s->mu_eff + 1 / s->mu_eff - 2) / ((n + 2) * (n + 2) + s->mu_eff));
  double alpha = fmin(fmin(1 + s->c_1 / s->c_mu, 1 + 2 * mu_neg / (s->mu_eff + 2)),
                      (1 - s->c_1 - s->c_mu) / (n * s->c_mu));
  for (int i = 0; i < s->lambda; i++)
    s->weight[i] = i < s->mu      ? s->weight[i] / sum
                   : negative < 0 ? alpha * s->weight[i] / -negative
                                  : 0;
  s->chi = sqrt(n) * (1 - 1 / (4 * n) + 1 / (21 * n * n));
}

static hk_status open_strategy(strategy *s, int n, int lambda, const double *start, double sigma,
                               hk_error *err) {
  size_t N = (size_t)n, L = (size_t)lambda;
  *s = (strategy){.n = n, .lambda = lambda, .sigma = sigma, .eigen_at = -1};
  s->memory = calloc(2 * N * N + 8 * N + L * (2 * N + 1), sizeof *s->memory);
  s->score = calloc(L, sizeof *s->score);
  s->order = calloc(L, sizeof *s->order);
  s->history_room = 20 + 30 * n;
  s->history = calloc((size_t)s->history_room, sizeof *s->history);
  if (!s->memory || !s->score || !s->order || !s->history)
    return hk_fail(err, HK_ENOMEM, "out of memory");
  double *at = s->memory;
  s->C = at, at += N * N;
  s->B = at, at += N * N;
  s->D = at, at += N;
  s->m = at, at += N;
  s->p_c = at, at += N;
  s->p_sigma = at, at += N;
  s->work = at, at += 3 * N;
  s->weight = at, at += L;
  s->y = at, at += L * N;
  s->x = at;
  memcpy(s->m, start, N * sizeof *s->m);
  for (int i = 0; i < n; i++) s->C[i * n + i] = s->B[i * n + i] = s->D[i] = 1;
  set_weights(s);
  return HK_OK;
}

static void close_strategy(strategy *s) {
  free(s->memory);
  free(s->score);
  free(s->order);
  free(s->history);
}

/* Computes B and D of C = B D^2 B^T. This is not done in every generation, so that it costs no
 * more than the sampling. HK_RETRY: C is singular. */
static hk_status decompose(strategy *s, hk_error *err) {
  int n = s->n;
  double every = s->lambda > 0 ? 1 / ((s->c_1 + s->c_mu) * n * 10) : 1;
  if (s->eigen_at >= 0 && (double)(s->generation - s->eigen_at) < every) return HK_OK;
  s->eigen_at = s->generation;
  memcpy(s->B, s->C, (size_t)n * (size_t)n * sizeof *s->B);
  lapack_int info = LAPACKE_dsyev(LAPACK_COL_MAJOR, 'V', 'U', n, s->B, n, s->D);
  if (info && hk_lapack_fail(info, "the covariance's eigenvalues", err) == HK_ENOMEM)
    return HK_ENOMEM;
  if (info) return HK_RETRY;
  double top = s->D[n - 1];
  if (!(s->D[0] > 0) || top > 1e14 * s->D[0]) return HK_RETRY;
  for (int i = 0; i < n; i++) s->D[i] = sqrt(s->D[i]);
  return HK_OK;
}

/* Maps a coordinate into [0, 1] by reflection at 0 and 1: the search itself is unbounded. */
static double inside(double g) {
  double r = fmod(fabs(g), 2);
  return r > 1 ? 2 - r : r;
}

static void sample(strategy *s, uint64_t *random) {
  int n = s->n;
  for (int k = 0; k < s->lambda; k++) {
    double *z = s->work, *y = s->y + (size_t)k * (size_t)n;
    for (int i = 0; i < n; i++)
      z[i] = s->D[i] * hk_normal_quantile(((double)(hk_random_next(random) >> 12) + 0.5) * 0x1p-52);
    for (int i = 0; i < n; i++) {
      y[i] = 0;
      for (int j = 0; j < n; j++) y[i] += s->B[i + j * n] * z[j];
      s->x[(size_t)k * (size_t)n + (size_t)i] = inside(s->m[i] + s->sigma * y[i]);
    }
  }
}

static void rank(strategy *s) {
  for (int k = 0; k < s->lambda; k++) {
    int at = k;
    for (; at > 0 && hk_score_better(&s->score[k], &s->score[s->order[at - 1]]); at--)
      s->order[at] = s->order[at - 1];
    s->order[at] = k;
  }
}

/* C^(-1/2) v */
static void whiten(const strategy *s, const double *v, double *out) {
  int n = s->n;
  double *t = s->work + n;
  for (int j = 0; j < n; j++) {
    t[j] = 0;
    for (int i = 0; i < n; i++) t[j] += s->B[i + j * n] * v[i];
    t[j] /= s->D[j];
  }
  for (int i = 0; i < n; i++) {
    out[i] = 0;
    for (int j = 0; j < n; j++) out[i] += s->B[i + j * n] * t[j];
  }
}

static double length(const double *v, int n) {
  double sum = 0;
  for (int i = 0; i < n; i++) sum += v[i] * v[i];
  return sqrt(sum);
}

static void update_covariance(strategy *s, bool moving) {
  int n = s->n;
  double sum = 0;
  for (int k = 0; k < s->lambda; k++) sum += s->weight[k];
  double keep = 1 + s->c_1 * (moving ? 0 : 1) * s->c_c * (2 - s->c_c) - s->c_1 - s->c_mu * sum;
  for (int i = 0; i < n * n; i++) s->C[i] *= keep;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) s->C[i * n + j] += s->c_1 * s->p_c[i] * s->p_c[j];
  for (int k = 0; k < s->lambda; k++) {
    const double *y = s->y + (size_t)s->order[k] * (size_t)n;
    double w = s->weight[k];
    if (w < 0) { /* a negative weight is scaled by the length of the step in the metric of C */
      whiten(s, y, s->work + 2 * n);
      double l = length(s->work + 2 * n, n);
      w *= n / (l * l + 1e-300);
    }
    for (int i = 0; i < n; i++)
      for (int j = 0; j < n; j++) s->C[i * n + j] += s->c_mu * w * y[i] * y[j];
  }
  for (int i = 0; i < n; i++)
    for (int j = 0; j < i; j++)
      s->C[i * n + j] = s->C[j * n + i] = 0.5 * (s->C[i * n + j] + s->C[j * n + i]);
}

static void adapt(strategy *s) {
  int n = s->n;
  double *step = s->work + 2 * n, *white = s->work;
  memset(step, 0, (size_t)n * sizeof *step);
  for (int k = 0; k < s->mu; k++)
    for (int i = 0; i < n; i++)
      step[i] += s->weight[k] * s->y[(size_t)s->order[k] * (size_t)n + (size_t)i];
  for (int i = 0; i < n; i++) s->m[i] += s->sigma * step[i];
  whiten(s, step, white);
  double a = sqrt(s->c_sigma * (2 - s->c_sigma) * s->mu_eff);
  for (int i = 0; i < n; i++) s->p_sigma[i] = (1 - s->c_sigma) * s->p_sigma[i] + a * white[i];
  double l = length(s->p_sigma, n);
  double fade = 1 - pow(1 - s->c_sigma, 2.0 * (double)(s->generation + 1));
  bool moving = l / sqrt(fade) < (1.4 + 2.0 / (n + 1)) * s->chi;
  double b = moving ? sqrt(s->c_c * (2 - s->c_c) * s->mu_eff) : 0;
  for (int i = 0; i < n; i++) s->p_c[i] = (1 - s->c_c) * s->p_c[i] + b * step[i];
  update_covariance(s, moving);
  s->sigma *= exp(fmin(1, s->c_sigma / s->d_sigma * (l / s->chi - 1)));
  s->generation++;
}

/* Returns the reason to stop this search, or NULL. */
static const char *finished(strategy *s, double tolerance, double spread) {
  int n = s->n;
  const hk_score *best = &s->score[s->order[0]], *worst = &s->score[s->order[s->lambda - 1]];
  if (s->n_history == s->history_room) {
    memmove(s->history, s->history + 1, (size_t)(s->history_room - 1) * sizeof *s->history);
    s->n_history--;
  }
  s->history[s->n_history++] = best->value;
  double lo = INFINITY, hi = -INFINITY, widest = 0;
  int recent = 10 + (int)ceil(30.0 * n / s->lambda);
  for (int i = s->n_history > recent ? s->n_history - recent : 0; i < s->n_history; i++)
    lo = fmin(lo, s->history[i]), hi = fmax(hi, s->history[i]);
  if (s->n_history >= recent && best->violation == worst->violation &&
      hi - lo <= tolerance * spread && fabs(worst->value - best->value) <= tolerance * spread)
    return "values agree";
  for (int i = 0; i < n; i++) widest = fmax(widest, s->sigma * sqrt(s->C[i * n + i]));
  if (widest < 1e-12) return "steps vanish";
  if (s->n_history == s->history_room) { /* no progress over a long time */
    int half = s->history_room / 2;
    double old = INFINITY, new = INFINITY;
    for (int i = 0; i < half; i++) old = fmin(old, s->history[i]);
    for (int i = half; i < s->history_room; i++) new = fmin(new, s->history[i]);
    if (!(new < old)) return "no progress";
  }
  return NULL;
}

static hk_status one_search(const hk_objective *f, strategy *s, const hk_search_options *o,
                            int64_t most, uint64_t *random, double *spread, hk_search *out,
                            hk_error *err) {
  const char *why = NULL;
  while (!why) {
    if (out->evaluations + s->lambda > most) {
      why = "all evaluations are used";
      break;
    }
    hk_status status = decompose(s, err);
    if (status == HK_RETRY) {
      why = "the covariance is singular";
      break;
    }
    if (!status) {
      sample(s, random);
      status = f->evaluate(f->context, s->x, s->lambda, s->score, err);
    }
    if (status) {
      out->ended = "stopped";
      return status;
    }
    out->evaluations += s->lambda;
    rank(s);
    const hk_score *best = &s->score[s->order[0]];
    if (*spread == 0) {
      double lo = INFINITY, hi = -INFINITY;
      for (int k = 0; k < s->lambda; k++)
        if (isfinite(s->score[k].value))
          lo = fmin(lo, s->score[k].value), hi = fmax(hi, s->score[k].value);
      *spread = hi > lo ? hi - lo : 1;
    }
    if (hk_score_better(best, &out->best)) {
      out->best = *best;
      memcpy(out->x, s->x + (size_t)s->order[0] * (size_t)s->n, (size_t)s->n * sizeof *out->x);
    }
    adapt(s);
    why = finished(s, o->tolerance > 0 ? o->tolerance : 1e-12, *spread);
  }
  out->ended = why;
  return HK_OK;
}

hk_status hk_cma_es(const hk_objective *f, const hk_search_options *o, hk_search *out,
                    hk_error *err) {
  int n = f->n, lambda = o->population > 0 ? o->population : 4 + (int)(3 * log(n));
  int64_t most = o->evaluations > 0 ? o->evaluations : 100LL * (n + 1) * (n + 1);
  uint64_t random = hk_random_stream(o->seed, 1);
  double spread = 0;
  hk_status status = hk_lapack_begin("the search", err);
  if (status) return status;
  if (lambda < 4) lambda = 4;
  out->best = (hk_score){NAN, INFINITY};
  out->evaluations = 0;
  double *start = malloc((size_t)n * sizeof *start);
  if (!start) return hk_fail(err, HK_ENOMEM, "out of memory");
  memcpy(start, out->x, (size_t)n * sizeof *start);
  for (out->restarts = 0; !status; out->restarts++) {
    strategy s;
    status = open_strategy(&s, n, lambda, start, o->size > 0 ? o->size : 0.3, err);
    if (!status) status = one_search(f, &s, o, most, &random, &spread, out, err);
    close_strategy(&s);
    lambda *= 2;
    if (out->restarts >= (o->restarts < 0 ? 0 : o->restarts) || out->evaluations + lambda > most)
      break;
    for (int i = 0; i < n; i++) start[i] = 0.5 + 0.5 * hk_random_signed(&random);
  }
  free(start);
  return status;
}
