/* Runs of one model with many tolerances, and their errors: for test_tolerance.c.
 *
 * Errors are those of channels, in three kinds: positions, velocities and forces (applied forces,
 * reactions, accelerations).  Channels of one unit have one scale, the largest value of all of
 * them, and errors are relative to it. A run is compared at fixed times, which are within its steps
 * and are interpolated by its polynomial, and at the ends of the steps around these times. A
 * reference is a run with a tolerance of 1e-13 whose states are stored. Its value at any time is
 * that of a step that ends there, so that no interpolation is involved. */
#ifndef TOLERANCE_RUN_H
#define TOLERANCE_RUN_H
#include "sim/sim.h"
#include "verify/verify.h"

enum { MOST_CHANNELS = 4000, MOST_GROUPS = 12, N_TIMES = 12 };
typedef enum kind { POSITION, VELOCITY, FORCE, N_KINDS } kind;
typedef enum place { AT_ENDS, BETWEEN, N_PLACES } place;
typedef double tol_values[MOST_CHANNELS];

/* ---- what is compared ---- */

typedef struct tol_channels {
  int n, index[MOST_CHANNELS], group[MOST_CHANNELS];
  bool signless[MOST_CHANNELS]; /* quaternions: q and -q are the same orientation */
  int n_groups;
  const char *unit[MOST_GROUPS];
  kind kind[MOST_GROUPS];
} tol_channels;

/* Units, and the value that moves a mass [kg] by a length [m] within a time [s]. */
static const struct {
  const char *unit;
  kind kind;
  int mass, length, time; /* exponents */
} UNIT[] = {{"m", POSITION, 0, 1, 0},     {"rad", POSITION, 0, 0, 0},    {"1", POSITION, 0, 0, 0},
            {"m/s", VELOCITY, 0, 1, -1},  {"rad/s", VELOCITY, 0, 0, -1}, {"m/s^2", FORCE, 0, 1, -2},
            {"rad/s^2", FORCE, 0, 0, -2}, {"N", FORCE, 1, 1, -2},        {"N*m", FORCE, 1, 2, -2}};
enum { N_UNITS = sizeof UNIT / sizeof *UNIT };

/* Contact points jump between positions; energies and solver statistics have separate tests. */
static bool is_compared(const hk_channel *c, kind k) {
  switch (c->owner) {
    case HK_OF_FRAME:
    case HK_OF_COORDINATE:
    case HK_OF_STATE:
      return true;
    case HK_OF_FORCE:
    case HK_OF_JOINT:
    case HK_OF_ROW:
    case HK_OF_BODY:
      return k == FORCE;
    default:
      return false;
  }
}

static void tol_find_channels(const hk_model *m, tol_channels *out) {
  int group[N_UNITS];
  out->n = out->n_groups = 0;
  for (int u = 0; u < N_UNITS; u++) group[u] = -1;
  for (int i = 0; i < m->n_channels && out->n < MOST_CHANNELS; i++) {
    const hk_channel *c = &m->channel[i];
    for (int u = 0; u < N_UNITS; u++) {
      if (strcmp(hk_model_channel_unit(m, i), UNIT[u].unit) != 0 || !is_compared(c, UNIT[u].kind))
        continue;
      if (group[u] < 0) {
        group[u] = out->n_groups;
        out->unit[out->n_groups] = UNIT[u].unit;
        out->kind[out->n_groups++] = UNIT[u].kind;
      }
      out->signless[out->n] =
          c->owner == HK_OF_FRAME && c->component >= HK_FRAME_QW && c->component < HK_FRAME_AX;
      out->index[out->n] = i;
      out->group[out->n++] = group[u];
    }
  }
}

/* ---- runs ---- */

/* Data common to all runs of a model. */
typedef struct tol_subject {
  const hk_model *model;
  tol_channels channels;
  double end, times[N_TIMES]; /* [s] */
  double scale[MOST_GROUPS];  /* scales of the groups of channels */
  long most;                  /* steps of a run */
} tol_subject;

static hk_sim *tol_sim(const tol_subject *k, const char *stepper, double rtol, hk_error *err) {
  const hk_sim_options o = {.stepper = stepper, .rtol = rtol, .atol = 0.01 * rtol};
  hk_sim *s = NULL;
  return hk_sim_create(k->model, &o, &s, NULL, err) ? NULL : s;
}

static bool take_step(const tol_subject *k, hk_sim *s, double end, hk_error *err) {
  if (hk_sim_step(s, end, err)) return false;
  if (hk_sim_statistics(s).steps <= k->most) return true;
  hk_fail(err, HK_EFAIL, "more than %ld steps", k->most);
  return false;
}

/* ---- references ---- */

typedef struct tol_reference {
  const char *stepper;
  hk_sim *sim;
  double **state, *t; /* at the ends of its steps */
  int n, room;
  double (*at)[MOST_CHANNELS]; /* [N_TIMES] values at the fixed times */
} tol_reference;

static void tol_reference_free(tol_reference *r) {
  for (int i = 0; i < r->n; i++) free(r->state[i]);
  free(r->state);
  free(r->t);
  free(r->at);
  hk_sim_destroy(r->sim);
  *r = (tol_reference){0};
}

static void keep_state(tol_reference *r) {
  if (r->n == r->room) {
    r->room = r->room ? 2 * r->room : 256;
    r->state = realloc(r->state, (size_t)r->room * sizeof *r->state);
    r->t = realloc(r->t, (size_t)r->room * sizeof *r->t);
    assert_true(r->state && r->t);
  }
  r->state[r->n] = malloc(hk_sim_state_size(r->sim));
  assert_non_null(r->state[r->n]);
  hk_sim_state_get(r->sim, r->state[r->n]);
  r->t[r->n++] = hk_sim_time(r->sim);
}

/* The last state before t from which a step to t is not much shorter than those of the run. */
static int state_before(const tol_reference *r, double t) {
  int low = 0, high = r->n;
  while (high - low > 1) {
    int middle = (low + high) / 2;
    *(r->t[middle] <= t ? &low : &high) = middle;
  }
  bool short_step = low + 1 < r->n && t - r->t[low] < 0.3 * (r->t[low + 1] - r->t[low]);
  return low > 0 && t > r->t[low] && short_step ? low - 1 : low;
}

static bool tol_values_at(const tol_subject *k, tol_reference *r, double t, double *out,
                          hk_error *err) {
  if (hk_sim_state_set(r->sim, r->state[state_before(r, t)])) return false;
  return !hk_sim_advance(r->sim, t, err) &&
         !hk_sim_values(r->sim, k->channels.index, k->channels.n, out, err);
}

/* A change of the state at the start of a run, or NULL. */
typedef bool tol_change(hk_sim *s, void *context);

/* false: the run fails, or takes too many steps. */
static bool tol_reference_run(const tol_subject *k, const char *stepper, double rtol,
                              tol_change *change, void *context, tol_reference *r, hk_error *err) {
  *r = (tol_reference){.stepper = stepper, .sim = tol_sim(k, stepper, rtol, err)};
  if (!r->sim) return false;
  r->at = calloc(N_TIMES, sizeof *r->at);
  assert_non_null(r->at);
  bool good = !change || change(r->sim, context);
  if (good) keep_state(r);
  while (good && hk_sim_time(r->sim) < k->end) {
    good = take_step(k, r->sim, k->end, err);
    if (good) keep_state(r);
  }
  for (int i = 0; i < N_TIMES && good; i++) good = tol_values_at(k, r, k->times[i], r->at[i], err);
  if (!good) tol_reference_free(r);
  return good;
}

/* ---- errors ---- */

typedef struct tol_errors {
  bool good;
  long steps;
  double
      contact; /* relative error of the velocities that a step into a compliant contact may leave: contact_error.c */
  bool told;   /* the round-off of positions is below the tolerance: hk_least_told */
  double error[N_KINDS][N_PLACES];
  int worst[N_KINDS][N_PLACES]; /* channel */
  char why[200];                /* if not good */
} tol_errors;

/* The largest value of each group; at least the one that moves the heaviest body by the model's
 * size within the run. */
static void tol_find_scales(tol_subject *k, const tol_reference *r) {
  const hk_model *m = k->model;
  double mass = 0;
  for (int i = 0; i < m->nv; i++) mass = fmax(mass, m->give[i] > 0 ? 1 / m->give[i] : 0);
  for (int g = 0; g < k->channels.n_groups; g++)
    for (int u = 0; u < N_UNITS; u++)
      if (strcmp(UNIT[u].unit, k->channels.unit[g]) == 0)
        k->scale[g] =
            pow(mass, UNIT[u].mass) * pow(m->length, UNIT[u].length) * pow(k->end, UNIT[u].time);
  for (int i = 0; i < N_TIMES; i++)
    for (int c = 0; c < k->channels.n; c++) {
      double *scale = &k->scale[k->channels.group[c]];
      *scale = fmax(*scale, fabs(r->at[i][c]));
    }
}

/* Adds the differences of two sets of values.  If a value is larger than at all fixed times, as
 * near a singular position, the value itself is the scale. */
static void tol_add(const tol_subject *k, const double *y, const double *exact, place w,
                    tol_errors *e) {
  const tol_channels *c = &k->channels;
  double scale[MOST_GROUPS];
  memcpy(scale, k->scale, sizeof scale);
  for (int i = 0; i < c->n; i++) scale[c->group[i]] = fmax(scale[c->group[i]], fabs(exact[i]));
  for (int i = 0; i < c->n; i++) {
    kind is = c->kind[c->group[i]];
    double off = c->signless[i] ? fabs(y[i]) - fabs(exact[i]) : y[i] - exact[i];
    off = fabs(off) / scale[c->group[i]];
    if (off > e->error[is][w] || isnan(off)) e->error[is][w] = off, e->worst[is][w] = c->index[i];
  }
}

static void tol_compare(const tol_subject *k, const tol_reference *a, const tol_reference *b,
                        tol_errors *e) {
  *e = (tol_errors){.good = true};
  for (int i = 0; i < N_TIMES; i++) tol_add(k, a->at[i], b->at[i], AT_ENDS, e);
}

/* Whether the reference jumps near t, at an impact or when a rigid contact opens.  The side of the
 * jump on which a step ended is not an error; `apart` is the time by which the event may be early
 * or late. */
static bool jumps_at(const tol_subject *k, tol_reference *r, double t, double apart) {
  static tol_values before, after;
  tol_errors e = {0};
  hk_error err = {0};
  if (!tol_values_at(k, r, fmax(t - apart, 0), before, &err) ||
      !tol_values_at(k, r, fmin(t + apart, k->end), after, &err))
    return true;
  tol_add(k, after, before, AT_ENDS, &e);
  return fmax(e.error[VELOCITY][AT_ENDS], e.error[FORCE][AT_ENDS]) > 1e-3;
}

/* The errors of a run. */
static void tol_run(const tol_subject *k, const char *stepper, double rtol, tol_reference *r,
                    tol_errors *e) {
  static tol_values y, exact;
  const tol_channels *c = &k->channels;
  const hk_model *m = k->model;
  hk_error err = {0};
  *e = (tol_errors){.good = true};
  hk_sim *s = tol_sim(k, stepper, rtol, &err);
  bool good = s != NULL, dense = s && hk_sim_interpolates(s);
  for (int i = 0; i < N_TIMES && good; i++) {
    double t = k->times[i];
    while (good && hk_sim_time(s) < t) good = take_step(k, s, dense ? k->end : t, &err);
    if (good && dense) {
      good = !hk_sim_values_at(s, t, c->index, c->n, y, &err);
      if (good) tol_add(k, y, r->at[i], BETWEEN, e);
    }
    t = hk_sim_time(s);
    good =
        good && !hk_sim_values(s, c->index, c->n, y, &err) && tol_values_at(k, r, t, exact, &err);
    if (good && !(m->set_valued && jumps_at(k, r, t, fmax(1e-7, 10 * rtol) * k->end)))
      tol_add(k, y, exact, AT_ENDS, e);
  }
  if (s && m->n_points > 0 && !m->set_valued) e->contact = 0.5e-5 * s->judge.share;
  if (s) e->told = s->option.atol + s->option.rtol * m->length >= hk_least_told(s);
  e->good = good;
  if (!good) snprintf(e->why, sizeof e->why, "%.190s", err.text);
  if (s) e->steps = hk_sim_statistics(s).steps;
  hk_sim_destroy(s);
}

/* ---- sensitivity ---- */

typedef struct tol_disturbance {
  double size; /* error of positions, relative to the model's length */
  double
      speed; /* [1/s] error of velocities: this value times that of positions, in addition to `size`
              * relative to the velocities */
} tol_disturbance;

/* +-0.5 to 1, reproducible */
static double any_number(unsigned *seed) {
  *seed = *seed * 1103515245u + 12345u;
  double size = 0.5 + 0.5 * ((*seed >> 8) & 0xffff) / 65536.0;
  return (*seed >> 28 & 1) ? size : -size;
}

static double displacement(const hk_model *m, const hk_node *n, const double *q, int k,
                           double size) {
  if (n->type->number) return size * fmax(1, fabs(q[n->q]));
  return size * m->length / (n->coordinate[k].angular ? fmax(n->arm, 1e-3 * m->length) : 1);
}

/* Displaces all bodies at random and projects them onto the joints. */
static bool tol_disturb(hk_sim *s, void *context) {
  const tol_disturbance *by = context;
  const hk_model *m = s->model;
  double *q = s->x + m->at.q, *v = s->x + m->at.v;
  double *d = calloc((size_t)m->nv + 1, sizeof *d), *old = calloc((size_t)m->nq + 1, sizeof *old);
  uint8_t *kept = calloc((size_t)m->nc + 1, 1);
  assert_true(d && old && kept);
  unsigned seed = 12345;
  memcpy(old, q, (size_t)m->nq * sizeof *old);
  memcpy(kept, s->kept, (size_t)m->nc);
  for (int i = 0; i < m->n_nodes; i++) {
    const hk_node *n = &m->node[i];
    for (int k = 0; k < n->nv; k++) {
      double size = displacement(m, n, q, k, by->size), *vk = &v[n->v + k];
      if (!n->fixed) d[n->v + k] = size * any_number(&seed);
      *vk += (by->size * fabs(*vk) + by->speed * size) * any_number(&seed);
    }
  }
  hk_configuration_add(m, old, d, q);
  hk_error err = {0};
  if (hk_initial_positions(s, &err)) memcpy(q, old, (size_t)m->nq * sizeof *old);
  memcpy(s->kept, kept, (size_t)m->nc); /* closing the joints needs all rows */
  free(d);
  free(old);
  free(kept);
  return !hk_initial_velocities(s, &err) && !hk_build_systems(s, false, &err) &&
         !hk_sim_restart(s, &err);
}

/* Factor by which a relative displacement of bodies changes the kinds of channels (displacements
 * are 0.5 to 1 times `size`, and counted as 0.5 of it): immediately, at some ends of steps of the
 * reference (which are denser in fast phases), and later, from the start on.  Velocities are
 * displaced by the same amount per step of the reference. */
static void tol_sensitivity(const tol_subject *k, tol_reference *r, double out[N_KINDS]) {
  static tol_values before, after;
  enum { SAMPLES = 12 };
  const double size = 1e-9;
  tol_errors now = {0}, later = {0};
  hk_error err = {0};
  for (int i = 0; i < SAMPLES; i++) {
    tol_disturbance by = {size, r->n / k->end};
    if (hk_sim_state_set(r->sim, r->state[i * (r->n - 1) / SAMPLES])) continue;
    if (!hk_sim_values(r->sim, k->channels.index, k->channels.n, before, &err) &&
        tol_disturb(r->sim, &by) &&
        !hk_sim_values(r->sim, k->channels.index, k->channels.n, after, &err))
      tol_add(k, after, before, AT_ENDS, &now);
  }
  tol_reference other;
  tol_disturbance by = {size, 0};
  if (tol_reference_run(k, r->stepper, 1e-13, tol_disturb, &by, &other, &err)) {
    tol_compare(k, r, &other, &later);
    tol_reference_free(&other);
  }
  for (int i = 0; i < N_KINDS; i++)
    out[i] = fmax(1, fmax(now.error[i][AT_ENDS], later.error[i][AT_ENDS]) / (0.5 * size));
}

/* Largest displacement of the bodies, relative to the scale of positions. */
static double tol_way(const tol_subject *k, const tol_reference *r) {
  tol_errors e = {0};
  for (int i = 1; i < N_TIMES; i++) tol_add(k, r->at[i], r->at[0], AT_ENDS, &e);
  return e.error[POSITION][AT_ENDS];
}
#endif
