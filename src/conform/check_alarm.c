/* Runs with the default tolerances, and analyses of elements on their own with the default values of their tables:
 *
 *   alarm     a run that is accurate raises no warning about its energy balance, with any adaptive integrator
 *   analysis  an analysis of the element alone, as by `hooke gear` and `hooke bearing`, accepts all default values */
#include "analysis/machine.h"
#include "conform/checks.h"
#include "conform/subject.h"
#include "sim/sim.h"
#include <hooke/quality.h>
#include <stdio.h>

/* ---- analysis ---- */

/* Torque [N m] or force [N] on an element whose parameters do not define a load. */
static const double SOME_LOAD = 1;

static void judge_analyses(hk_trial *t, const hk_model *m) {
  hk_error err = {0};
  for (int i = 0; i < m->n_forces; i++)
    if (hk_machine_analyse(m, &m->force[i], SOME_LOAD, &err) == HK_EINPUT)
      hk_trial_fail(t, "the analysis of '%s' alone refuses values of its table: %s",
                    m->force[i].name, err.text);
}

/* ---- alarm ---- */

/* Runs the model; returns false if the integrator does not support it or the run fails.  x: positions at the end. */
static bool run(hk_trial *t, const hk_model *m, const char *stepper, double tightened, double *x,
                bool *alarm, char *sentence, size_t size) {
  enum { MOST_STEPS = 4000 };
  const double end = 0.5;
  hk_error err = {0};
  hk_quality *q = NULL;
  hk_sim *sim = hk_subject_sim_try(t, m, &(hk_sim_options){.stepper = stepper}, &err);
  if (!sim) return false;
  const double rtol = sim->option.rtol * tightened, atol = sim->option.atol * tightened;
  if (tightened < 1) {
    hk_trial_drop(t, sim);
    sim = hk_subject_sim_try(
        t, m, &(hk_sim_options){.stepper = stepper, .rtol = rtol, .atol = atol}, &err);
    if (!sim) return false;
  }
  bool well = true;
  for (int i = 0; i < MOST_STEPS && well && hk_sim_time(sim) < end; i++)
    well = !hk_sim_step(sim, end, &err);
  well = well && hk_sim_time(sim) >= end && !hk_sim_quality(sim, &q, &err);
  if (well) {
    const hk_indicator *k = hk_quality_find(q, HK_QUALITY_ENERGY);
    *alarm = k && k->level == HK_LEVEL_DOUBT;
    snprintf(sentence, size, "%s", k ? k->sentence : "");
    for (int i = 0; i < m->nq; i++) x[i] = sim->x[m->at.q + i];
  }
  hk_quality_destroy(q);
  hk_trial_drop(t, sim);
  return well;
}

static double most(const double *d, int n) {
  double out = 0;
  for (int i = 0; i < n; i++) out = fmax(out, fabs(d[i]));
  return out;
}

/* A warning is justified if a run with a hundredth of the tolerance ends at clearly different positions. */
static void judge_alarm(hk_trial *t, const hk_model *m, const char *stepper) {
  /* difference of the final positions of the two runs, as a fraction of the motion */
  const double accurate = 1e-3;
  double *x = hk_trial_room(t, 2 * (size_t)m->nq + 2 * (size_t)m->nv + 1, sizeof *x),
         *y = x + m->nq, *d = y + m->nq, *way = d + m->nv;
  char sentence[1024], other[1024];
  bool alarm = false, again = false;
  if (!run(t, m, stepper, 1, x, &alarm, sentence, sizeof sentence) || !alarm) return;
  if (!run(t, m, stepper, 0.01, y, &again, other, sizeof other)) return;
  hk_configuration_sub(m, x, y, d);
  hk_configuration_sub(m, y, m->q0, way);
  if (most(d, m->nv) <= accurate * most(way, m->nv))
    hk_trial_fail(
        t,
        "integrator '%s' warns although a hundredth of the tolerance changes the positions "
        "at the end only by %.2g; the largest coordinate of the motion is %.2g: %s",
        stepper, most(d, m->nv), most(way, m->nv), sentence);
}

void hk_check_alarm(hk_trial *t, const hk_model *m) {
  judge_analyses(t, m);
  for (int i = 0; i < hk_registry_count(t->types, HK_STEPPER); i++) {
    const hk_type *type = hk_registry_at(t->types, HK_STEPPER, i);
    const hk_integrator *of = type->ops;
    if (of->can & HK_ADAPTIVE) judge_alarm(t, m, type->name);
  }
}
