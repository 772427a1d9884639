/* Largest Lyapunov exponent, across impacts too: see lyapunov.h.
 *
 * [Benettin, Galgani, Giorgilli, Strelcyn 1980; Stefanski 2000 for impacts].  A second trajectory
 * starts at a distance d0; whenever it is brought back to d0 along the line to the first one,
 * ln(d/d0) is added up.  Nothing but the simulation itself is asked, so the jumps of impacts need
 * no saltation matrix.
 *
 * - The distance is taken in all positions and velocities, rotations by the logarithm of the
 *   group; a radian counts as the model's length, velocities are multiplied by a time scale.
 * - Both trajectories take the same steps and lose their factors at the same times, so that errors
 *   of time discretisation and of Newton's method cancel in their difference.
 * - What is scaled are differences of two states on the constraints.  They are tangent to these up
 *   to O(d^2), which the next step takes away, so nothing has to be projected.
 * - Between an impact of one and the same impact of the other, velocities differ by what the impact
 *   changes, whatever d0.  To rescale then would be wrong; so one waits for the distance to be
 *   quiet: to change by less than a factor 3 in a step, and for the same contacts to be closed.  A
 *   contact that holds in one state and is open in the other has no straight line between: scaled,
 *   the second state would overlap, or hold what does not touch.
 * - A stepper that puts impacts on a grid of steps h does not see that the second trajectory hits
 *   d/v later, unless that is many steps: for d << v h both hit in the same step and positions are
 *   not reflected (bouncing ball: factor 1 instead of -e).  d0 must then be large beside v h; the
 *   default is.
 */
#include "analysis/lyapunov.h"
#include "base/random.h"
#include "control/controller.h"
#include <stdlib.h>
#include <string.h>

enum {
  LOOK_EVERY = 16,  /* steps between looks at the distance inside a section */
  MOST_WAIT = 64,   /* steps for the distance to become quiet */
  MOST_APART = 512, /* steps for the contacts to be the same */
  ALIGN_MOST = 20,  /* sections that are not counted, a fifth of all at most */
  BLOCKS = 10
};
static const double FAR = 1e3;      /* times d0, or 1/FAR: time to rescale */
static const double MERGED = 1e-15; /* times the size of the state: no distance left */

struct hk_lyapunov {
  hk_sim *sim, *other;
  double d0, time_scale;
  uint64_t random;
  double *x, *y; /* states of both */
  double *d;     /* [nv] */
  double sum;    /* of ln(d/d0) since the section began */
  double last;   /* distance after the step before; 0: not known */
  int steps, waited;
  bool due; /* rescale as soon as it is quiet */
  int merged;
  double *log, *time; /* [n] of each section */
  int n, room;
};

static double distance(hk_lyapunov *l) {
  const hk_model *m = l->sim->model;
  const double *x = l->sim->x, *y = l->other->x;
  double sum = 0, length = m->length > 0 ? m->length : 1;
  hk_configuration_sub(m, y + m->at.q, x + m->at.q, l->d);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *node = &m->node[i];
    for (int k = 0; k < node->nv; k++) {
      bool turn = node->coordinate[k].angular;
      int j = node->v + k;
      double dq = l->d[j], dv = (y[m->at.v + j] - x[m->at.v + j]) * l->time_scale;
      sum += (dq * dq + dv * dv) / (turn ? 1 : length * length);
    }
  }
  return sqrt(sum);
}

/* Are the same set-valued contacts closed in both? */
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

/* y = x + k (y - x) for the parts of the state that vary smoothly.  The rest (turns counted,
 * ledger, what contacts count) stays the second trajectory's own. */
static void rescale(hk_lyapunov *l, double k) {
  const hk_model *m = l->sim->model;
  hk_sim_state_get(l->sim, l->x);
  hk_sim_state_get(l->other, l->y);
  hk_configuration_sub(m, l->y + m->at.q, l->x + m->at.q, l->d);
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
      l->y[i] = l->x[i] + k * (l->y[i] - l->x[i]);
  l->y[m->at.h] = l->x[m->at.h];
  *hk_control_wanted(l->other, l->y) = *hk_control_wanted(l->sim, l->x);
  if (hk_integrator_can(l->sim, HK_KEEPS_PAST)) /* its past is not on this trajectory */
    hk_integrator_of(l->sim)->restart(l->sim, l->y);
  else
    for (int i = m->at.size; i < l->sim->state_size; i++)
      l->y[i] = l->x[i] + k * (l->y[i] - l->x[i]);
  hk_sim_state_set(l->sim, l->x);
  hk_sim_state_set(l->other, l->y);
}

/* Away from the first trajectory in a random direction, in velocities alone: these are put onto the
 * constraints by one linear projection, as those of any start. */
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
  if (!(d > 0)) return hk_fail(err, HK_EINPUT, "nothing can move freely: there is no exponent");
  rescale(l, l->d0 / d);
  return HK_OK;
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
                     .x = malloc(size),
                     .y = malloc(size),
                     .d = calloc((size_t)sim->model->nv + 1, sizeof *l->d)};
  hk_status status = l->x && l->y && l->d
                         ? hk_sim_create(sim->model, options, &l->other, &quiet, err)
                         : hk_fail(err, HK_ENOMEM, "out of memory");
  hk_diag_free(&quiet);
  if (!status) status = part_ways(l, err);
  if (status)
    hk_lyapunov_destroy(l);
  else
    *out = l;
  return status;
}

void hk_lyapunov_destroy(hk_lyapunov *l) {
  if (!l) return;
  hk_sim_destroy(l->other);
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
  } else { /* they are one: stuck, or thrown onto the same path by an impact without bounce */
    l->sum += log(MERGED * size / l->d0);
    l->merged++;
    status = part_ways(l, err);
  }
  l->due = false;
  l->waited = l->steps = 0;
  l->last = 0;
  return status;
}

hk_status hk_lyapunov_step(hk_lyapunov *l, hk_error *err) {
  double t = hk_sim_time(l->sim);
  /* In one step, if it works. */
  double *wanted = hk_control_wanted(l->other, l->other->x);
  *wanted = fmax(*wanted, t - hk_sim_time(l->other));
  hk_status status = hk_sim_advance(l->other, t, err);
  if (status) return status;
  if (!l->due && ++l->steps % LOOK_EVERY) return HK_OK;
  double d = distance(l), before = l->last;
  if (!isfinite(d)) return hk_fail(err, HK_EFAIL, "the second trajectory is lost at t = %g s", t);
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
  /* Summed up to here, whether or not it is rescaled here. */
  double d = distance(l), since = d > 0 && !l->due ? log(d / l->d0) : 0;
  l->log[l->n] = l->sum + since;
  l->time[l->n++] = hk_sim_time(l->sim);
  l->sum = -since;
  l->due = true;
  l->waited = 0;
  l->last = d;
  return HK_OK;
}

static double mean(const double *x, int from, int to) {
  double sum = 0;
  for (int i = from; i < to; i++) sum += x[i];
  return sum / (to - from);
}

hk_exponent hk_lyapunov_result(const hk_lyapunov *l) {
  int first = l->n / 5 < ALIGN_MOST ? l->n / 5 : ALIGN_MOST;
  if (first < 1) first = 1;
  hk_exponent e = {.merged = l->merged, .error = NAN, .per_section = NAN, .per_second = NAN};
  int n = l->n - first;
  if (n < 1) return e;
  e.sections = n;
  e.per_section = mean(l->log, first, l->n);
  e.per_second = e.per_section * n / (l->time[l->n - 1] - l->time[first - 1]);
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
