/* Shared by the error estimates of contacts one by one (contact_error.c) and four at once (contact_error_four.c). */
#ifndef HK_CONTROL_CONTACT_ERROR_PRIVATE_H
#define HK_CONTROL_CONTACT_ERROR_PRIVATE_H
#include "control/contact_error.h"

/* Energy that a step may generate or lose in a contact: as a fraction of the energy of this contact
 * (hk_judge_own_share), and as a fraction of the largest contact energy of its bodies (hk_judge_body_share).
 * hk_judge_load_share: fraction of the tolerance by which a lasting load may press the bodies together. */
static const double hk_judge_own_share = 1e-5, hk_judge_body_share = 3e-5,
                    hk_judge_load_share = 0.1;
/* A velocity counts as zero if its displacement within a step is below hk_judge_velocity_floor times the tolerance of
 * lengths, or below the round-off of a difference of positions. This round-off is hk_judge_grain times the model's
 * length. */
static const double hk_judge_velocity_floor = 1e-7, hk_judge_grain = 16 * 0x1p-52;
/* A load counts as lasting if it acts for at least this phase angle [rad] of the contact's fastest
 * oscillation. */
static const double hk_judge_lasting = 100;

/* Same as fmin and fmax for numbers, but inlined. */
static inline double hk_least(double a, double b) { return a < b ? a : b; }
static inline double hk_most(double a, double b) { return a > b ? a : b; }
/* The larger error; NaN is the largest. */
static inline double hk_worse(double error, double worst) {
  return error > worst || isnan(error) ? error : worst;
}

static inline double *hk_note_of(const hk_model *m, double *x, int point) {
  return x + m->at.touch + point * HK_N_TOUCH;
}

/* The largest contact energy of a marker's body; unlimited for the ground. */
static inline double hk_body_energy(const hk_sim *s, int marker) {
  int node = s->model->marker[marker].node;
  return node == HK_GROUND ? INFINITY : s->judge.energy[node];
}

/* A contact point under evaluation. */
typedef struct hk_judged {
  const hk_contact *c;
  int number; /* within the contact */
  double mobility;
  double off; /* error of the normal velocity at the end of the step */
  const double *at0;
  double *at1;
} hk_judged;

/* Records the contact that makes the step too long, if it is the first such contact. */
void hk_look_ahead(hk_sim *s, const hk_judged *p, double h, const hk_instant *in,
                   const hk_step_rule *rule);
/* Velocities below this value count as zero in a step of length h. */
static inline double hk_judge_noise(const hk_sim *s, const hk_step_rule *rule, double h) {
  return rule->noise > 0 ? rule->noise : s->judge.grain / h;
}

/* The first function evaluates a batch of contacts: it writes their values into x1, adds the
 * energies of their bodies at x0, and stores a preliminary result. The second function computes
 * the error when the energies of all contacts are known. */
void hk_batch_judge(hk_sim *s, int batch, const double *x0, double h, double *x1,
                    const hk_step_rule *rule, const double *off);
double hk_batch_error(hk_sim *s, int batch, const double *x0, double h, double *x1,
                      const hk_instant *in, const hk_step_rule *rule);
#endif
