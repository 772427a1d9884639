/* Nelder and Mead's simplex search in the unit cube: see optimiser.h. */
#include "statistics/optimiser.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct simplex {
  int n;
  double *x;       /* [n + 1][n] corners, the best first */
  hk_score *score; /* [n + 1] */
  double *centre, *try;
  double expand, contract, shrink;
} simplex;

static double *corner(const simplex *s, int k) { return s->x + (size_t)k * (size_t)s->n; }

static void sort(simplex *s) {
  for (int i = 1; i <= s->n; i++)
    for (int k = i; k > 0 && hk_score_better(&s->score[k], &s->score[k - 1]); k--) {
      hk_score t = s->score[k];
      s->score[k] = s->score[k - 1];
      s->score[k - 1] = t;
      for (int j = 0; j < s->n; j++) {
        double v = corner(s, k)[j];
        corner(s, k)[j] = corner(s, k - 1)[j];
        corner(s, k - 1)[j] = v;
      }
    }
}

static hk_status evaluate(const hk_objective *f, const double *x, int count, hk_score *score,
                          hk_search *out, hk_error *err) {
  out->evaluations += count;
  return f->evaluate(f->context, x, count, score, err);
}

/* Evaluates the point centre + a (worst - centre), limited to the cube. */
static hk_status probe(const hk_objective *f, simplex *s, double a, hk_score *score, hk_search *out,
                       hk_error *err) {
  for (int j = 0; j < s->n; j++)
    s->try[j] = fmin(1, fmax(0, s->centre[j] + a * (corner(s, s->n)[j] - s->centre[j])));
  return evaluate(f, s->try, 1, score, out, err);
}

static void replace_worst(simplex *s, const hk_score *score) {
  memcpy(corner(s, s->n), s->try, (size_t)s->n * sizeof *s->try);
  s->score[s->n] = *score;
}

static hk_status shrink(const hk_objective *f, simplex *s, hk_search *out, hk_error *err) {
  for (int k = 1; k <= s->n; k++)
    for (int j = 0; j < s->n; j++)
      corner(s, k)[j] = corner(s, 0)[j] + s->shrink * (corner(s, k)[j] - corner(s, 0)[j]);
  return evaluate(f, corner(s, 1), s->n, s->score + 1, out, err);
}

static hk_status step(const hk_objective *f, simplex *s, hk_search *out, hk_error *err) {
  int n = s->n;
  hk_score r, second;
  memset(s->centre, 0, (size_t)n * sizeof *s->centre);
  for (int k = 0; k < n; k++)
    for (int j = 0; j < n; j++) s->centre[j] += corner(s, k)[j] / n;
  hk_status status = probe(f, s, -1, &r, out, err);
  if (status) return status;
  bool best = hk_score_better(&r, &s->score[0]);
  if (!best && hk_score_better(&r, &s->score[n - 1])) {
    replace_worst(s, &r);
    return HK_OK;
  }
  if (best) {
    double *kept = malloc((size_t)n * sizeof *kept);
    if (!kept) return hk_fail(err, HK_ENOMEM, "out of memory");
    memcpy(kept, s->try, (size_t)n * sizeof *kept);
    status = probe(f, s, -s->expand, &second, out, err);
    if (!status && !hk_score_better(&second, &r)) {
      memcpy(s->try, kept, (size_t)n * sizeof *kept);
      second = r;
    }
    free(kept);
    if (!status) replace_worst(s, &second);
    return status;
  }
  bool outside = hk_score_better(&r, &s->score[n]);
  status = probe(f, s, outside ? -s->contract : s->contract, &second, out, err);
  if (status) return status;
  if (hk_score_better(&second, outside ? &r : &s->score[n])) {
    replace_worst(s, &second);
    return HK_OK;
  }
  return shrink(f, s, out, err);
}

static bool finished(const simplex *s, double tolerance, double spread) {
  double size = 0;
  for (int k = 1; k <= s->n; k++)
    for (int j = 0; j < s->n; j++) size = fmax(size, fabs(corner(s, k)[j] - corner(s, 0)[j]));
  const hk_score *a = &s->score[0], *b = &s->score[s->n];
  bool flat = a->violation == b->violation && fabs(b->value - a->value) <= tolerance * spread;
  return size < 1e-12 || (flat && size < 1e-4);
}

static void start(simplex *s, const double *x, double size) {
  for (int k = 0; k <= s->n; k++) {
    memcpy(corner(s, k), x, (size_t)s->n * sizeof *x);
    if (k) corner(s, k)[k - 1] += x[k - 1] + size <= 1 ? size : -size;
  }
}

hk_status hk_nelder_mead(const hk_objective *f, const hk_search_options *o, hk_search *out,
                         hk_error *err) {
  int n = f->n;
  size_t N = (size_t)n;
  int64_t most = o->evaluations > 0 ? o->evaluations : 100LL * (n + 1) * (n + 1);
  simplex s = {.n = n, .expand = 1 + 2.0 / n, .contract = 0.75 - 0.5 / n, .shrink = 1 - 1.0 / n};
  if (n == 1) s.expand = 2, s.contract = 0.5, s.shrink = 0.5;
  double *memory = malloc((N * (N + 1) + 2 * N) * sizeof *memory);
  s.score = malloc((N + 1) * sizeof *s.score);
  if (!memory || !s.score) {
    free(memory);
    free(s.score);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  s.x = memory;
  s.centre = memory + N * (N + 1);
  s.try = s.centre + N;
  out->evaluations = 0;
  out->restarts = 0;
  out->best = (hk_score){NAN, INFINITY};
  hk_status status = HK_OK;
  double tolerance = o->tolerance > 0 ? o->tolerance : 1e-12, spread = 0;
  bool better = true;
  /* A small simplex may have collapsed; a new one around its best corner shows whether this corner
   * is a minimum. */
  for (; !status && better && out->evaluations < most; out->restarts++) {
    start(&s, out->x, o->size > 0 ? o->size : 0.1);
    status = evaluate(f, s.x, n + 1, s.score, out, err);
    if (!status) sort(&s);
    if (!status && spread == 0) spread = fabs(s.score[n].value - s.score[0].value);
    if (!(spread > 0) || !isfinite(spread)) spread = 1;
    out->ended = "all evaluations are used";
    while (!status && out->evaluations < most) {
      if (finished(&s, tolerance, spread)) {
        out->ended = "the simplex is small";
        break;
      }
      status = step(f, &s, out, err);
      if (!status) sort(&s);
    }
    if (status) break;
    better = isnan(out->best.value) || s.score[0].violation < out->best.violation ||
             out->best.value - s.score[0].value > tolerance * spread;
    out->best = s.score[0];
    memcpy(out->x, s.x, N * sizeof *out->x);
  }
  if (status) out->ended = "stopped";
  free(memory);
  free(s.score);
  return status;
}
