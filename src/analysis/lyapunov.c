/* Largest Lyapunov exponent, including motions with impacts: see lyapunov.h.
 *
 * [Benettin, Galgani, Giorgilli, Strelcyn 1980; Stefanski 2000 for impacts].  A second trajectory starts at
 * a distance d0. Whenever the second trajectory is rescaled to the distance d0, along the line to the first one,
 * ln(d/d0) is added to a sum. Only the simulation itself is used, so the jumps of impacts need no saltation matrix.
 *
 * - The distance includes all positions and velocities; rotations by the logarithm of the group.  A radian
 *   is weighted by the model's length; velocities are multiplied by a time scale.
 * - Both trajectories take the same steps and renew factorizations at the same times, so that errors of
 *   time discretisation and of Newton's method cancel in their difference.
 * - The error control of adaptive steps considers the motion, not the difference: at rest and in steady
 *   motion it allows steps during which a neighbouring trajectory oscillates many times.  Therefore the
 *   difference itself is controlled.  From time to time, and whenever steps have become longer, both
 *   trajectories repeat a step with halved lengths until the difference does not change any more; no later
 *   step is longer than that length.
 * - Differences of two states on the constraints are scaled.  They are tangent to the constraints up to
 *   O(d^2), which the next step removes, so no projection is needed.
 * - Between an impact of one trajectory and the same impact of the other, velocities differ by the change
 *   due to the impact, whatever d0.  Rescaling at this time would be wrong.  Therefore rescaling waits
 *   until the distance changes by less than a factor of 3 in a step and the same contacts are closed.  If a
 *   contact is closed in one state and open in the other, there is no straight line between them: the
 *   scaled second state would overlap, or hold surfaces together that do not touch.
 * - An integrator with impacts only at the ends of its steps h does not resolve the time d/v by which the impact of the
 *   second trajectory is later, unless d/v is many steps. If d is much smaller than v h, both trajectories have the
 *   impact in the same step, and the difference of their positions is not reflected (bouncing ball: factor 1 instead
 *   of -e). Therefore d0 must then be large compared with v h, as the default is. */
#include "analysis/lyapunov.h"
#include "base/random.h"
#include "control/controller.h"
#include <stdlib.h>
#include <string.h>

enum {
  LOOK_EVERY = 16, /* number of steps between two checks of the distance within a section */
  MOST_WAIT = 64,  /* maximum number of steps after an impact until the distance must be steady */
  /* number of steps after which the same contacts must be closed in both trajectories */
  MOST_APART = 512,
  ALIGN_MOST = 20, /* number of sections that are not counted, at most a fifth of all */
  BLOCKS = 10,
  MOST_HALVES = 12 /* maximum number of halvings of a step, to find its length */
};
/* steps are short enough if half the step size changes the difference of the trajectories by less
 * than this fraction */
static const double SAME = 1e-7;
/* the distance is rescaled if it is above this multiple of d0, or below d0 divided by it */
static const double FAR = 1e3;
/* a distance below this fraction of the magnitude of the state is round-off */
static const double MERGED = 1e-15;

struct hk_lyapunov {
  hk_sim *sim, *other;
  hk_sim *
      /* copy of the first trajectory, used to repeat a step as several shorter steps; NULL: steps are fixed, or there
       * are rigid contacts */
      shadow;
  double *x0, *y0; /* states of both trajectories before the step */
  double *first;   /* [2 nv] a difference */
  /* step length that resolves the difference of the trajectories; 0: not known yet */
  double longest;
  double allowed; /* maximum step of the options, 0: no limit */
  int unchecked;  /* number of steps since the last check */
  double d0, time_scale;
  uint64_t random;
  double *x, *y; /* states of both */
  double *d;     /* [nv] */
  double sum;    /* sum of ln(d/d0) since the section began */
  double last;   /* distance after the previous step; 0: not known */
  int steps, waited;
  bool due; /* the distance is rescaled as soon as it has settled */
  int merged;
  double *log, *time; /* [n] growth and duration of each section */
  int n, room;
};

/* Difference of states x and y in the metric of distances, positions and velocities; returns its norm. */
static double difference(const hk_lyapunov *l, const double *x, const double *y, double *out) {
  const hk_model *m = l->sim->model;
  double sum = 0, length = m->length > 0 ? m->length : 1;
  hk_configuration_sub(m, y + m->at.q, x + m->at.q, out);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *node = &m->node[i];
    for (int k = 0; k < node->nv; k++) {
      int j = node->v + k;
      double scale = node->coordinate[k].angular ? 1 : 1 / length;
      out[j] *= scale;
      out[m->nv + j] = (y[m->at.v + j] - x[m->at.v + j]) * l->time_scale * scale;
      sum += out[j] * out[j] + out[m->nv + j] * out[m->nv + j];
    }
  }
  return sqrt(sum);
}

static double distance(hk_lyapunov *l) { return difference(l, l->sim->x, l->other->x, l->d); }

/* Returns true if the same set-valued contacts are closed in both. */
static bool same_contacts(const hk_lyapunov *l) {
  const hk_model *m = l->sim->model;
  for (int i = 0; i < m->n_points; i++) {
    const double *a = l->sim->x + m->at.touch + i * HK_N_TOUCH;
    const double *b = l->other->x + m->at.touch + i * HK_N_TOUCH;
    if (a[HK_TOUCH_MODE] != b[HK_TOUCH_MODE]) return false;
    if ((a[HK_TOUCH_IMPULSE_N] > 0) != (b[HK_TOUCH_IMPULSE_N] > 0)) return false;
  }
  return true;
}

double hk_lyapunov_speed(const hk_sim *sim) {
  const hk_model *m = sim->model;
  double most = 0, length = m->length > 0 ? m->length : 1;
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      bool turn = m->node[i].coordinate[k].angular;
      most = fmax(most, fabs(sim->x[m->at.v + m->node[i].v + k]) / (turn ? 1 : length));
    }
  return most;
}

double hk_lyapunov_distance(const hk_sim *sim, double speed) {
  const double least = 1e-6, most = 1e-3, steps = 20;
  const hk_integrator *k = hk_integrator_of(sim);
  bool grid = (k->can & HK_IMPACTS) && !(k->can & HK_ADAPTIVE) && sim->model->n_points > 0;
  return grid ? fmin(most, fmax(least, steps * sim->option.step * speed)) : least;
}

/* Sets the second trajectory to x + k (y - from) in the parts of the state that vary smoothly; x: state of the first
 * trajectory. The rest (revolution counts, energy ledger, contact counters) remains as it is in the second trajectory. */
static void place(hk_lyapunov *l, const double *from, double k) {
  const hk_model *m = l->sim->model;
  hk_sim_state_get(l->sim, l->x);
  hk_sim_state_get(l->other, l->y);
  hk_configuration_sub(m, l->y + m->at.q, from + m->at.q, l->d);
  for (int i = 0; i < m->nv; i++) l->d[i] *= k;
  hk_configuration_add(m, l->x + m->at.q, l->d, l->y + m->at.q);
  const struct {
    int at, n;
  } part[] = {{m->at.v, m->nv},
              {m->at.vd, m->nv},
              {m->at.lambda, m->nc},
              {m->at.lambda_shift, m->nc},
              {m->at.turn, m->n_turns},
              {m->at.memory, m->n_memory},
              {m->at.memory_old, m->n_memory}};
  for (size_t p = 0; p < sizeof part / sizeof *part; p++)
    for (int i = part[p].at; i < part[p].at + part[p].n; i++)
      l->y[i] = l->x[i] + k * (l->y[i] - from[i]);
  l->y[m->at.h] = l->x[m->at.h];
  *hk_control_wanted(l->other, l->y) = *hk_control_wanted(l->sim, l->x);
  /* the history of a multistep method belongs to the previous trajectory */
  if (hk_integrator_can(l->sim, HK_KEEPS_PAST))
    hk_integrator_of(l->sim)->restart(l->sim, l->y);
  else
    for (int i = m->at.size; i < l->sim->state_size; i++)
      l->y[i] = l->x[i] + k * (l->y[i] - from[i]);
  hk_sim_state_set(l->sim, l->x);
  hk_sim_state_set(l->other, l->y);
}

static void rescale(hk_lyapunov *l, double k) { place(l, l->sim->x, k); }

/* Displaces the second trajectory in a random direction, in velocities only; these are projected onto the constraints
 * like those of any initial state. */
static hk_status part_ways(hk_lyapunov *l, hk_error *err) {
  const hk_model *m = l->sim->model;
  double length = m->length > 0 ? m->length : 1;
  hk_sim_state_get(l->sim, l->x);
  memcpy(l->y, l->x, hk_sim_state_size(l->sim));
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      bool turn = m->node[i].coordinate[k].angular;
      l->y[m->at.v + m->node[i].v + k] +=
          l->d0 / l->time_scale * (turn ? 1 : length) * hk_random_signed(&l->random);
    }
  hk_sim_state_set(l->other, l->y);
  hk_status status = hk_initial_velocities(l->other, err);
  if (status) return status;
  double d = distance(l);
  if (!(d > 0))
    return hk_fail(err, HK_EINPUT,
                   "the model has no free motion and therefore no Lyapunov exponent");
  rescale(l, l->d0 / d);
  return HK_OK;
}

/* ---- step sizes that resolve the difference ---- */

static void limit_steps(hk_lyapunov *l, double longest) {
  double *wanted = hk_control_wanted(l->sim, l->sim->x);
  l->sim->option.max_step = l->allowed > 0 ? fmin(l->allowed, longest) : longest;
  *wanted = fmin(*wanted, l->sim->option.max_step);
}

static void remember(hk_lyapunov *l) {
  hk_sim_state_get(l->sim, l->x0);
  hk_sim_state_get(l->other, l->y0);
}

/* Advances to t in one step, whatever its error is, so that both trajectories have the same steps. Methods that use
 * past steps, and steps that contain an impact or cannot be solved, choose their own lengths. */
static hk_status follow(hk_sim *s, double t, hk_error *err) {
  double *wanted = hk_control_wanted(s, s->x);
  *wanted = fmax(*wanted, t - hk_sim_time(s));
  bool alone = s->model->n_points == 0 && !hk_integrator_can(s, HK_KEEPS_PAST);
  if (alone && !hk_sim_step_exactly(s, t, 1, &(hk_error){0})) return HK_OK;
  return hk_sim_advance(s, t, err);
}

/* Advances both trajectories from the start of the step to t, in n parts. */
static hk_status follow_in_parts(hk_lyapunov *l, double t, int n, hk_error *err) {
  double t0 = l->x0[l->sim->model->at.t];
  hk_status status = hk_sim_state_set(l->shadow, l->x0);
  if (!status) status = hk_sim_state_set(l->other, l->y0);
  for (int i = 1; i <= n && !status; i++) {
    double at = i < n ? t0 + (t - t0) * i / n : t;
    status = follow(l->shadow, at, err);
    if (!status) status = follow(l->other, at, err);
  }
  return status;
}

/* Repeats the last step of both trajectories in more and more parts until their difference stays
 * the same. */
static hk_status control(hk_lyapunov *l, double t, hk_error *err) {
  int n = 2 * l->sim->model->nv, parts = 1;
  double h = t - l->x0[l->sim->model->at.t], change = INFINITY, before;
  difference(l, l->sim->x, l->other->x, l->first);
  do {
    before = change;
    hk_status status = follow_in_parts(l, t, 2 * parts, err);
    if (status) return status;
    double size = difference(l, l->shadow->x, l->other->x, l->d), sum = 0;
    for (int i = 0; i < n; i++) sum += (l->d[i] - l->first[i]) * (l->d[i] - l->first[i]);
    change = size > 0 ? sqrt(sum) / size : 0;
    memcpy(l->first, l->d, (size_t)n * sizeof *l->d);
    if (change > SAME) parts *= 2;
    /* The change no longer decreases. The change is caused by an impact or by round-off, and shorter steps have no
     * effect. */
    if (!(change < before)) break;
  } while (change > SAME && parts < 1 << MOST_HALVES);
  bool found = change <= SAME;
  if (found) l->longest = h / parts * fmin(2, cbrt(SAME / fmax(change, 1e-30)));
  place(l, l->shadow->x, 1);
  if (found) limit_steps(l, l->longest);
  l->unchecked = 0;
  return HK_OK;
}

static hk_status step_both(hk_lyapunov *l, double t, hk_error *err) {
  double h = t - (l->shadow ? l->x0[l->sim->model->at.t] : hk_sim_time(l->other));
  hk_status status = follow(l->other, t, err);
  if (status || !l->shadow) return status;
  if (h > 1.001 * l->longest || ++l->unchecked >= LOOK_EVERY) status = control(l, t, err);
  if (!status && l->longest > 0) limit_steps(l, l->longest);
  if (!status) remember(l);
  return status;
}

hk_status hk_lyapunov_create(hk_sim *sim, const hk_sim_options *options, double d0,
                             double time_scale, uint64_t seed, hk_lyapunov **out, hk_error *err) {
  *out = NULL;
  hk_lyapunov *l = calloc(1, sizeof *l);
  if (!l) return hk_fail(err, HK_ENOMEM, "out of memory");
  size_t size = hk_sim_state_size(sim);
  hk_diag quiet;
  hk_diag_init(&quiet);
  *l = (hk_lyapunov){.sim = sim,
                     .d0 = d0,
                     .time_scale = time_scale,
                     .random = hk_random_stream(seed, 0),
                     .allowed = sim->option.max_step,
                     .x = malloc(size),
                     .y = malloc(size),
                     .x0 = malloc(size),
                     .y0 = malloc(size),
                     .d = calloc(2 * (size_t)sim->model->nv + 1, sizeof *l->d),
                     .first = calloc(2 * (size_t)sim->model->nv + 1, sizeof *l->first)};
  hk_status status = l->x && l->y && l->x0 && l->y0 && l->d && l->first
                         ? hk_sim_create(sim->model, options, &l->other, &quiet, err)
                         : hk_fail(err, HK_ENOMEM, "out of memory");
  /* Rigid contacts: the state of a closed contact cannot be restored from the start of a step. */
  if (!status && !(sim->option.step > 0) && sim->model->n_points == 0)
    status = hk_sim_create(sim->model, options, &l->shadow, &quiet, err);
  hk_diag_free(&quiet);
  if (!status) status = part_ways(l, err);
  if (!status && l->shadow) {
    limit_steps(l, 0.1 * time_scale);
    remember(l);
  }
  if (status)
    hk_lyapunov_destroy(l);
  else
    *out = l;
  return status;
}

void hk_lyapunov_destroy(hk_lyapunov *l) {
  if (!l) return;
  hk_sim_destroy(l->other);
  hk_sim_destroy(l->shadow);
  if (l->shadow) l->sim->option.max_step = l->allowed;
  free(l->x0);
  free(l->y0);
  free(l->first);
  free(l->x);
  free(l->y);
  free(l->d);
  free(l->log);
  free(l->time);
  free(l);
}

static hk_status bring_near(hk_lyapunov *l, double d, hk_error *err) {
  const hk_model *m = l->sim->model;
  hk_status status = HK_OK;
  double size = 1;
  for (int i = 0; i < m->nv; i++) size = fmax(size, l->time_scale * fabs(l->sim->x[m->at.v + i]));
  if (d > MERGED * size) {
    l->sum += log(d / l->d0);
    rescale(l, l->d0 / d);
  } else { /* both trajectories are identical: stuck, or merged by an impact without rebound */
    l->sum += log(MERGED * size / l->d0);
    l->merged++;
    status = part_ways(l, err);
  }
  l->due = false;
  l->waited = l->steps = 0;
  l->last = 0;
  if (l->shadow) remember(l);
  return status;
}

hk_status hk_lyapunov_step(hk_lyapunov *l, hk_error *err) {
  double t = hk_sim_time(l->sim);
  hk_status status = step_both(l, t, err);
  if (status) return status;
  if (!l->due && !l->shadow && ++l->steps % LOOK_EVERY) return HK_OK;
  double d = distance(l), before = l->last;
  if (!isfinite(d))
    return hk_fail(err, HK_EFAIL, "the simulation of the second trajectory failed at t = %g s", t);
  bool far = d > FAR * l->d0 || d < l->d0 / FAR;
  l->last = d;
  if (!l->due) {
    l->due = far;
    return HK_OK;
  }
  bool same = same_contacts(l), quiet = same && before > 0 && d < 3 * before && 3 * d > before;
  if (quiet || d == 0 || ++l->waited > (same ? MOST_WAIT : MOST_APART))
    return bring_near(l, d, err);
  return HK_OK;
}

hk_status hk_lyapunov_section(hk_lyapunov *l, hk_error *err) {
  if (l->n == l->room) {
    int room = l->room ? 2 * l->room : 256;
    double *grown = realloc(l->log, (size_t)room * sizeof *grown);
    if (grown) l->log = grown;
    double *time = grown ? realloc(l->time, (size_t)room * sizeof *time) : NULL;
    if (!time) return hk_fail(err, HK_ENOMEM, "out of memory");
    l->time = time;
    l->room = room;
  }
  /* The entry is the sum of ln(d/d0) up to the present time, including the growth since the last rescaling. */
  double d = distance(l), since = d > 0 && !l->due ? log(d / l->d0) : 0;
  l->log[l->n] = l->sum + since;
  l->time[l->n++] = hk_sim_time(l->sim);
  l->sum = -since;
  l->due = true;
  l->waited = 0;
  l->last = d;
  return HK_OK;
}

/* Weight of section i of n, sin^2: it fades at both ends, so that an oscillation of the distance, as of a complex pair of
 * multipliers, changes the mean by 1/n^3 instead of 1/n. */
static double weight(int i, int n) {
  double w = sin(M_PI * (i + 0.5) / n);
  return w * w;
}

static double mean(const double *x, int from, int to) {
  double sum = 0, weights = 0;
  for (int i = from; i < to; i++) {
    double w = weight(i - from, to - from);
    sum += w * x[i], weights += w;
  }
  return sum / weights;
}

/* Mean duration of the sections, with the same weights. */
static double mean_time(const double *t, int from, int to) {
  double sum = 0, weights = 0;
  for (int i = from; i < to; i++) {
    double w = weight(i - from, to - from);
    sum += w * (t[i] - t[i - 1]), weights += w;
  }
  return sum / weights;
}

hk_exponent hk_lyapunov_result(const hk_lyapunov *l) {
  int first = l->n / 5 < ALIGN_MOST ? l->n / 5 : ALIGN_MOST;
  if (first < 1) first = 1;
  hk_exponent e = {.merged = l->merged, .error = NAN, .per_section = NAN, .per_second = NAN};
  int n = l->n - first;
  if (n < 1) return e;
  e.sections = n;
  e.per_section = mean(l->log, first, l->n);
  e.per_second = e.per_section / mean_time(l->time, first, l->n);
  e.second_half = mean(l->log, l->n - (n + 1) / 2, l->n);
  if (n < 2 * BLOCKS) return e;
  double sum = 0, sum2 = 0;
  for (int b = 0; b < BLOCKS; b++) {
    double block = mean(l->log, first + b * n / BLOCKS, first + (b + 1) * n / BLOCKS);
    sum += block, sum2 += block * block;
  }
  e.error = sqrt(fmax(0, sum2 / BLOCKS - sum * sum / BLOCKS / BLOCKS) / (BLOCKS - 1));
  return e;
}
