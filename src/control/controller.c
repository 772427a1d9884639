/* Step size controller: see controller.h. */
#include "control/controller.h"

/* Safety factor: steps are shorter than the error estimate alone would require. */
static const double safety = 0.9;
/* Limits of the reduction of a rejected step. The first limit makes the next attempt clearly shorter. The second
 * limit prevents that one wrong estimate makes the step extremely short. */
static const double least_cut = 0.9, most_cut = 0.2;
/* Limit of the growth of an accepted step; larger if the error is negligible.  A growth of less than a quarter is not
 * used, because the next step would be rejected more often. */
static const double growth = 2, idle_growth = 4, idle_error = 1e-4, worth = 1.25;
/* A step with equations that cannot be solved is halved. After a number of halvings without success its length is
 * probably not the cause, and it is reduced faster. */
static const double halved = 0.5, cut_hard = 0.125;
enum { HALVINGS = 6 };

hk_step_verdict hk_control_verdict(const hk_sim *s, hk_status returned, const hk_attempt *a) {
  if (returned) return HK_STEP_UNSOLVED;
  if (a->elsewhere) return HK_STEP_ELSEWHERE;
  return hk_sim_adapts(s) && !(a->error <= 1) ? HK_STEP_TOO_LONG : HK_STEP_GOOD;
}

/* Returns the growth factor of the step size that follows from the error. */
static double stretch(const hk_sim *s, const hk_attempt *a) {
  int order = a->order > 0 ? a->order : hk_integrator_of(s)->order;
  return a->error > 0 ? safety * pow(a->error, -1.0 / (order + 1)) : idle_growth;
}

/* A step that is shorter than this fraction of the wanted length was shortened by an event, and its length does not
 * limit the next step. cut_short applies to integrators that suggest the length of the next step, hardly_cut to all
 * others. */
static const double cut_short = 0.99, hardly_cut = 0.9;

/* Length of the next step from the error, or as suggested by the integrator. */
static double next_by_error(const hk_sim *s, const hk_attempt *a, double h) {
  double wanted = a->wanted;
  if (a->next > 0) return h < cut_short * wanted && a->next >= h ? fmax(a->next, wanted) : a->next;
  if (a->judged < h || !(a->reached > 0))
    return wanted; /* an event has shortened this step, so the length of the next step must not be derived from its length */
  double ratio = stretch(s, a);
  if (ratio >= 1 && ratio <= worth) return wanted;
  double most = a->rejected ? 1 : a->error < idle_error ? idle_growth : growth;
  double next = fmin(ratio, most) * h; /* the next attempt must be shorter than the failed one */
  return next > wanted || ratio < 1 || h >= hardly_cut * wanted ? next : wanted;
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
      /* If a suggested length is below the user's minimum step, it is used for one step only. */
      return a->next > 0 && next < smallest && h > 1.01 * smallest ? smallest : next;
    }
    default:
      return h;
  }
}

void hk_control_arrive(hk_sim *s, double t_end, double next) {
  double *t = &s->x[s->model->at.t];
  if (t_end - *t < 1e-13 * fmax(1, fabs(t_end))) *t = t_end;
  *hk_control_wanted(s, s->x) = next;
}

const char *hk_control_limit(const hk_sim *s, const hk_attempt *a, const hk_plan *plan) {
  if (!hk_sim_adapts(s)) return "the fixed step";
  if (a->reached < plan->h) return "an impact";
  if (a->memory->unsolved) return "equations that could not be solved for a longer step";
  return plan->limit ? plan->limit : "the error that a longer step would make";
}

/* Length of the first step. first_share: fraction of the time in which the accelerations alone cause a displacement
 * equal to the tolerance. first_part: the step is at most the duration of the run divided by this number.
 * longest_first: maximum [s]. idle_first: length if all accelerations are zero [s]. */
static const double first_share = 0.1, first_part = 100, longest_first = 1e-2, idle_first = 1e-3;

double hk_first_step(const hk_sim *s) {
  const hk_model *m = s->model;
  const hk_analysis_dynamics *o = &s->option;
  if (o->step > 0) return o->step;
  if (o->initial_step > 0) return o->initial_step;
  /* The error of the first step grows as h^3 |v''|/12, but v'' is unknown. The bound h^2 |v'| gives a shorter step,
   * which the controller doubles within a few steps. */
  double norm = hk_error_norm(s, s->x + m->at.vd);
  double h = norm > 0 ? first_share * sqrt(1 / norm) : idle_first;
  if (o->duration > 0) h = fmin(h, o->duration / first_part);
  return fmin(h, longest_first);
}
