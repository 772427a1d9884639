/* Step size controller: see controller.h. */
#include "control/controller.h"

/* Error that steps aim at, as a part of the tolerance, and b of the digital filter: see docs/step-control.md. */
static const double set_point = 0.7, filter_b = 4;
/* Limits of the reduction of a rejected step: one estimate neither reduces it to almost zero nor by so little that it
 * fails again. */
static const double least_cut = 0.9, most_cut = 0.2;
/* Limit of the growth of an accepted step; larger if the error is negligible. */
static const double growth = 2, idle_growth = 4, idle_error = 1e-4;
/* A step with equations that cannot be solved is halved; after this number of halvings there is another cause. */
static const double halved = 0.5, cut_hard = 0.125;
enum { HALVINGS = 6 };

hk_step_verdict hk_control_verdict(const hk_sim *s, hk_status returned, const hk_attempt *a) {
  if (returned) return HK_STEP_UNSOLVED;
  if (a->elsewhere) return HK_STEP_ELSEWHERE;
  return hk_sim_adapts(s) && !(a->error <= 1) ? HK_STEP_TOO_LONG : HK_STEP_GOOD;
}

static double order_of(const hk_sim *s, const hk_attempt *a) {
  return (a->order > 0 ? a->order : hk_integrator_of(s)->order) + 1;
}

/* Growth factor according to the error of the attempt alone. */
static double stretch(const hk_sim *s, const hk_attempt *a) {
  return a->error > 0 ? pow(set_point / a->error, 1 / order_of(s, a)) : idle_growth;
}

/* H211b [Soderlind2003]: the errors of the last two steps and the last growth, so that the step does not follow the noise of the
 * estimate.  The state before the step, with the length of the step that led to it, is in s->x_next. */
static double filtered(const hk_sim *s, const hk_attempt *a, double h) {
  const hk_model *m = s->model;
  double before = s->x_next[m->at.last_error], h0 = s->x_next[m->at.h];
  if (a->rejected || !(before > 0 && h0 > 0 && a->error > 0)) return stretch(s, a);
  double exponent = 1 / (filter_b * order_of(s, a));
  return pow(set_point * set_point / (a->error * before), exponent) * pow(h / h0, -1 / filter_b);
}

/* According to the error, or as suggested by the integrator. */
static double next_by_error(const hk_sim *s, const hk_attempt *a, double h) {
  double wanted = a->wanted;
  if (a->next > 0) return h < 0.99 * wanted && a->next >= h ? fmax(a->next, wanted) : a->next;
  if (a->judged < h || !(a->reached > 0))
    return wanted; /* an event has shortened it, so its length has no meaning for the next */
  double ratio = filtered(s, a, h);
  double most = a->rejected ? 1 : a->error < idle_error ? idle_growth : growth;
  double next =
      fmin(ratio, most) * h; /* a length that has just failed is not attempted again at once */
  return next > wanted || ratio < 1 || h >= 0.9 * wanted ? next : wanted;
}

double hk_control_next(const hk_sim *s, const hk_attempt *a, double h, double most) {
  return hk_sim_adapts(s) ? fmin(next_by_error(s, a, h), most) : a->wanted;
}

double hk_control_again(const hk_sim *s, hk_step_verdict verdict, const hk_attempt *a, double h) {
  double smallest = hk_smallest_step(s);
  switch (verdict) {
    case HK_STEP_UNSOLVED:
      return h * (a->rejected <= HALVINGS ? halved : cut_hard);
    case HK_STEP_ELSEWHERE:
      return a->next;
    case HK_STEP_TOO_LONG: {
      double cut = fmax(most_cut, fmin(least_cut, stretch(s, a))) * a->judged;
      double next = a->next > 0 ? a->next : cut;
      /* A suggestion below the user's minimum is accepted once. */
      return a->next > 0 && next < smallest && h > 1.01 * smallest ? smallest : next;
    }
    default:
      return h;
  }
}

void hk_control_arrive(hk_sim *s, double t_end, double next, double error) {
  double *t = &s->x[s->model->at.t];
  if (t_end - *t < 1e-13 * fmax(1, fabs(t_end))) *t = t_end;
  *hk_control_wanted(s, s->x) = next;
  s->x[s->model->at.last_error] = error;
}

const char *hk_control_limit(const hk_sim *s, const hk_attempt *a, const hk_plan *plan) {
  if (!hk_sim_adapts(s)) return "the step that is given";
  if (a->reached < plan->h) return "an impact";
  if (a->memory->unsolved) return "equations that could not be solved for a longer step";
  return plan->limit ? plan->limit : "the error that a longer step would make";
}

double hk_first_step(const hk_sim *s) {
  const hk_model *m = s->model;
  const hk_analysis_dynamics *o = &s->option;
  if (o->step > 0) return o->step;
  if (o->initial_step > 0) return o->initial_step;
  /* The error of a first step grows as h^3 |v''|/12.  Since v'' is unknown, h^2 |v'| is used as a bound, and the
   * first step is small: the controller doubles it within a few steps. */
  double norm = hk_error_norm(s, s->x + m->at.vd);
  double h = norm > 0 ? 0.1 * sqrt(1 / norm) : 1e-3;
  if (o->duration > 0) h = fmin(h, o->duration / 100);
  return fmin(h, 1e-2);
}
