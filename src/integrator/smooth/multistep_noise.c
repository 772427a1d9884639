/* Multistep methods near singular positions, at which round-off is magnified: shifted step ends, noise in the
 * history, and steps that are never accepted.  See docs/theory.md. */
#include "integrator/smooth/multistep.h"

static const double earlier = 0.8, most_crept = 0.1;
enum { MOST_BESIDE = 2 };

bool hk_multistep_noisy(const hk_attempt *info) { return info->memory->crept > most_crept; }

/* ---- shifted step ends ---- */

static void try_again(double h, hk_attempt *info) {
  info->elsewhere = true;
  info->next = h;
}

bool hk_multistep_beside(const hk_history *past, double h, int stage, hk_attempt *info) {
  hk_step_beside *k = &info->memory->beside;
  if (!hk_multistep_noisy(info) || info->due || info->error > 1 || k->settled) return false;
  if (info->memory->crept <= past->noise) return false;
  if (!(k->h > 0) || stage > k->stage || (stage == k->stage && info->memory->crept < k->crept))
    k->h = h, k->crept = info->memory->crept, k->stage = stage;
  if (k->tries < MOST_BESIDE) {
    k->tries++;
    try_again(earlier * h, info);
    return true;
  }
  k->settled = true;
  if (k->h == h) return false;
  k->tries++;
  try_again(k->h, info);
  return true;
}

bool hk_multistep_back(const hk_sim *s, double h, hk_attempt *info) {
  hk_step_beside *k = &info->memory->beside;
  bool lost = s->noise_fades && hk_multistep_noisy(info) && info->memory->crept <= HK_MOST_NOISE;
  if (k->settled) return false;
  if (lost && !info->due && k->tries < MOST_BESIDE) {
    k->tries++;
    try_again(earlier * h, info);
    return true;
  }
  if (!(k->h > 0)) return false;
  k->settled = true;
  k->tries++;
  try_again(k->h, info);
  return true;
}

/* ---- noise of the past ---- */

/* Factor between the noise of a step end and its effect on later steps: an extrapolation of order 5 multiplies the
 * newest end by six, and velocities are differences of positions. */
static const double seen = 10;

double hk_multistep_patience(const hk_history *past) { return fmax(1, seen * past->noise); }

bool hk_multistep_remember_noise(const hk_sim *s, hk_history *past, int k, double h,
                                 hk_attempt *info) {
  past->noisy = info->memory->crept > 0 ? k + 1 : fmax(0, past->noisy - 1);
  if (!s->noise_fades) return false;
  if (past->noisy == 0) past->noise = 0;
  if (hk_multistep_noisy(info))
    past->noise = fmax(past->noise, fmin(info->memory->crept, HK_MOST_NOISE));
  if (past->noise == 0) return false;
  past->pace = fmax(h, past->pace);
  info->next = fmax(h, fmin(past->pace, 3 * h));
  return true;
}

/* ---- steps that are never taken ---- */

/* Criteria for a jump of velocities: the step is far shorter than the previous ones, and the kinetic energy changes by
 * a significant fraction and by more than the forces can cause. */
static const double far_shorter = 1e-3, changed = 1e-3, margin = 10;

static bool is_driven(const hk_model *m) {
  for (int i = 0; i < m->n_constraints; i++)
    if (m->constraint[i].value) return true;
  return false;
}

static bool is_kicked(hk_sim *s, const double *x0, double h, const double *x1) {
  const hk_model *m = s->model;
  const double *v0 = x0 + m->at.v, *v1 = x1 + m->at.v;
  if (h > far_shorter * hk_history_in(m, x0)->pace || is_driven(m)) return false;
  for (int i = 0; i < m->nv; i++) s->u[i] = h * (v1[i] - v0[i]);
  if (hk_error_norm(s, s->u) <= margin * hk_round_off(s)) return false;
  hk_instant in = hk_instant_at(m, x1);
  in.h = h;
  hk_kinematics(s->work, &in, HK_FRAMES_MOVING);
  double T0 = hk_kinetic_energy(s->work, v0), T1 = hk_kinetic_energy(s->work, v1), work = 0;
  if (fabs(T1 - T0) <= changed * fmax(T0, T1) || hk_forces(s->work, &in)) return false;
  for (int i = 0; i < m->nv; i++) work += h * fabs(s->work->f[i]) * fmax(fabs(v0[i]), fabs(v1[i]));
  return fabs(T1 - T0) > margin * work;
}

hk_status hk_multistep_guard(hk_sim *s, const double *x0, double h, const double *x1,
                             hk_attempt *info) {
  if (!is_kicked(s, x0, h, x1)) return HK_OK;
  info->why =
      "velocities jump because of round-off near a singular position of the joints; use a larger "
      "rtol or another stepper";
  return HK_RETRY;
}
