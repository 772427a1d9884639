/* Steppers tried against each other: see trial.h. */
#include "start/trial.h"
#include <stdlib.h>

/* A run that comes this far with so many tries of a step is short enough as it is. */
enum { MOST_TRIES = 400 };
static const double part_of_run = 1.0 / 6;

/* Steps that have to be longer by this to be worth a change.  With equal tolerances a method of second order is less exact than
 * one of high order, and tolerances that make up for it cost it about twice the steps; one of higher order has steps that cost
 * more; and the trial sees but the beginning. */
static const double much_longer = 4, longer = 2.5;

typedef struct trial {
  const hk_model *model;
  hk_sim_options option;
  hk_sim_maker *make;
  double end, run_end;
} trial;

/* The way in time of a try, over the latter half of them; NaN: one failed, infinite: the end was reached. */
static double try_steps(const trial *k, hk_sim *s, bool whole) {
  double at[MOST_TRIES + 1] = {hk_sim_time(s)};
  int n = 0;
  while (n < MOST_TRIES && at[n] < k->end) {
    if (hk_sim_step(s, k->run_end, NULL)) return NAN;
    const hk_sim_stats made = hk_sim_statistics(s);
    double before = at[n];
    for (long now = made.steps + made.rejected; n < MOST_TRIES && n < now;) at[++n] = before;
    at[n] = hk_sim_time(s);
  }
  if (whole && at[n] >= k->end) return INFINITY;
  return (at[n] - at[n / 2]) / (n - n / 2);
}

static double try_stepper(trial *k, const hk_type *type, bool whole) {
  hk_sim *s = NULL;
  k->option.stepper = type->name;
  double way = k->make(k->model, &k->option, &s, NULL, NULL) ? NAN : try_steps(k, s, whole);
  hk_sim_destroy(s);
  return way;
}

/* Tolerances become those that the stepper would use. */
static bool set_tolerances(trial *k, const hk_type *type) {
  hk_sim other = {.model = k->model};
  k->option.stepper = type->name;
  bool found = !hk_sim_choose(&other, &k->option, NULL, NULL);
  free(other.parameter);
  k->option.rtol = other.option.rtol, k->option.atol = other.option.atol;
  return found;
}

const hk_type *hk_trial_winner(const hk_sim *s, const hk_sim_options *options, hk_sim_maker *make,
                               const char **why) {
  const hk_type *damps = hk_sim_rival(s, options, false), *follows = hk_sim_rival(s, options, true);
  double start = hk_sim_time(s), duration = s->option.duration;
  trial k = {.model = s->model,
             .option = options ? *options : (hk_sim_options){0},
             .make = make,
             .end = start + part_of_run * duration,
             .run_end = start + duration};
  if (!damps || !(duration > 0) || !set_tolerances(&k, damps)) return NULL;
  double way = try_stepper(&k, s->stepper, true);
  if (!(way < INFINITY)) return NULL;
  *why = "modes without damping, which keep formulas of high order to short steps";
  if (try_stepper(&k, damps, false) > much_longer * way) return damps;
  *why = "many steps, and nothing stiff";
  k.option.rtol = s->option.rtol, k.option.atol = s->option.atol;
  way = follows ? try_stepper(&k, s->stepper, true) : NAN;
  return way < INFINITY && try_stepper(&k, follows, false) > longer * way ? follows : NULL;
}
