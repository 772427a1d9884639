/* Shared by the files of the nonsmooth generalized-alpha integrator. */
#ifndef HK_INTEGRATOR_IMPACT_NONSMOOTH_ALPHA_H
#define HK_INTEGRATOR_IMPACT_NONSMOOTH_ALPHA_H
#include "integrator/impact/delassus.h"
#include "integrator/impact/event_driven.h"
#include "integrator/smooth/generalized_alpha.h"
#include "sim/sim.h"

typedef enum hk_nonsmooth_scheme { HK_SCHEME_CURED, HK_SCHEME_PLAIN } hk_nonsmooth_scheme;

/* Keys of this integrator in the analysis. */
typedef struct hk_nonsmooth_keys {
  int scheme; /* hk_nonsmooth_scheme */
  double rho; /* spectral radius at infinite frequency of the method for the smooth motion */
  /* flights shorter than this fraction of the step are ignored: the contact closes */
  double chatter_fraction;
  int max_impacts_per_step; /* maximum number of impacts that are located within one step */
} hk_nonsmooth_keys;
static inline const hk_nonsmooth_keys *hk_nonsmooth_keys_of(const hk_sim *s) {
  return s->parameter;
}

/* The part of the state that belongs to this integrator. In the state, this part follows the part of
 * generalized-alpha. */
typedef struct hk_nonsmooth_state {
  double grid;    /* end time of the step before an impact shortened this step; 0: no impact */
  double impacts; /* since its start */
  double pressed; /* 1: `push` contains the value of the last step */
  double push[];  /* [nv] acceleration due to contacts; its change gives the error */
} hk_nonsmooth_state;
static inline hk_nonsmooth_state *hk_nonsmooth_state_of(const hk_model *m, double *x) {
  return (hk_nonsmooth_state *)(x + hk_alpha_at(m).end);
}
static inline const hk_nonsmooth_state *hk_nonsmooth_state_in(const hk_model *m, const double *x) {
  return (const hk_nonsmooth_state *)(x + hk_alpha_at(m).end);
}

/* Data of joints and contacts at one position. These data are used again if exactly the same position occurs again. */
typedef struct hk_nonsmooth_place {
  double *q;           /* [1 + nq] time and coordinates */
  double *G, *gt;      /* Jacobian of the joints, rates of motions */
  hk_contact_row *row; /* [n] rows of the points that were closed */
} hk_nonsmooth_place;

/* hk_sim.own: memory for the contact problems of a step. Only the identity of the rows persists between steps, and the
 * data in `from` and `to`, which would be identical to the last bit if they were computed again. */
typedef struct hk_nonsmooth {
  int n;                   /* points of all contacts */
  hk_nonsmooth_place from; /* start of the step */
  hk_nonsmooth_place
      to;              /* data at the end of the last step, which is often the start of the next */
  hk_contact_row *row; /* [n] its position */
  int *closed, n_closed;   /* contact points that are closed in the present contact problem */
  int dim;                 /* number of contact directions of each point in the velocity stage: 2 or
                            * 3 */
  hk_delassus *d;          /* Delassus operator of the closed contact points */
  hk_event_driven *event;  /* impacts */
  double *q_free, *v_free; /* end of the step without contacts */
  /* [nv] h times the impulses of sticking points that are already known before the position
   * stage */
  double *fixed;
  double *start; /* [nv] h times all impulses that act along the directions of the start */
  /* [nv + nc] displacement that these impulses cause, and h times the joint impulses that belong to this displacement */
  double *U;
  double *r;            /* [nv + nc] residuals, then corrections */
  double *joint;        /* [nc] joints' impulses of the velocity stage */
  double *all;          /* [nc] multipliers of all rows */
  double *nu, *nu_next; /* [2 n] h times the normal impulses of the position stage */
  double *share;        /* [3 n] impulses that act at the start of the step */
  double *
      /* [3 n] the same impulses in the form in which the law counts them at the end of the step: see turn_credit */
      credit;
  /* [3 n] impulses of the step: `credit` plus the impulses that the velocity stage adds */
  double *P;
  double *step, *b, *xi; /* [3 n] impulses of the contact problem */
  /* [3 n] velocities at the start, multiplied by the restitution for points with an impact */
  double *before;
  double *mu; /* [n] */
  double *block;
  int doubles;
} hk_nonsmooth;

/* Accuracy of the gap at which an impact is located (m). */
static const double hk_nonsmooth_located = 5e-13;
/* A gap within round-off. */
static inline double hk_nonsmooth_nothing(const hk_sim *s) {
  return 1e-13 * fmax(1e-2, s->model->length);
}
static inline hk_touch_mode hk_nonsmooth_mode(const hk_model *m, const hk_nonsmooth *k,
                                              const double *x, int i) {
  return (hk_touch_mode)(int)x[m->at.touch + k->row[i].point * HK_N_TOUCH + HK_TOUCH_MODE];
}
static inline bool hk_nonsmooth_is_open(const hk_sim *s, const hk_nonsmooth *k, const double *x,
                                        int i) {
  hk_touch_mode mode = hk_nonsmooth_mode(s->model, k, x, i);
  return mode != HK_MODE_STICK && mode != HK_MODE_SLIP;
}

hk_nonsmooth *hk_nonsmooth_create(const hk_model *m);
void hk_nonsmooth_destroy(hk_nonsmooth *k);
void hk_nonsmooth_poison(hk_nonsmooth *k);

/* Computes frames, joints and closed points at (t, q, v) of x, for a step of length h. */
void hk_nonsmooth_frames(hk_sim *s, hk_nonsmooth *k, const double *x, double h);

/* Position stage: computes x1's positions, and k->nu, U and start, such that no gap of the closed points is negative
 * and joints are closed. Impulses act along k->old and k->G0 or, if `implicit`, along the directions at the end. Uses
 * the matrix in s->system and its factorization. HK_RETRY: the directions rotate too far within the step, or there is
 * no convergence. */
hk_status hk_nonsmooth_positions(hk_sim *s, hk_nonsmooth *k, bool implicit, double h, double *x1);
/* Velocity stage at these positions: computes x1's velocities, k->P and k->joint. Uses a factorization of its own. */
hk_status hk_nonsmooth_velocities(hk_sim *s, hk_nonsmooth *k, double h, double *x1);
/* Computes the matrix M + h C, or M + h C + h^2 K if `moves`, and its factorization, from the frames, forces and
 * joints in `work`. */
hk_status hk_nonsmooth_factor(hk_sim *s, double h, bool moves, const double *x1);

/* Makes a step from x0 over h with the contacts that are closed at x0: all stages, and the gaps of all points at the
 * end. */
hk_status hk_nonsmooth_advance(hk_sim *s, hk_nonsmooth *k, const double *x0, double h, double *x1,
                               hk_attempt *info);

/* ---- nonsmooth_impact.c ---- */

/* Whether a point that was open at x0 overlaps at x1, whose gaps are in k->row. */
bool hk_nonsmooth_overlaps(const hk_sim *s, const hk_nonsmooth *k, const double *x0,
                           const double *x1);
/* Shortens the step so that its end is the instant at which the first gap closes: makes the step again with other
 * lengths until this instant is found. *h becomes the length of this step; 0: a gap closes at the start. *point: the
 * contact point whose gap closes. */
hk_status hk_nonsmooth_locate(hk_sim *s, hk_nonsmooth *k, const double *x0, double *h, double *x1,
                              int *point, hk_attempt *info);
/* The impact at x0, a step of zero length: for the points listed in x0, and for `which` (-1: none).  `begin`: contact
 * states at x0 are determined for the first time. */
hk_status hk_nonsmooth_jump(hk_sim *s, hk_nonsmooth *k, const double *x0, bool begin, int which,
                            double h, double *x1, hk_attempt *info);
/* Recomputes accelerations and multipliers of the smooth motion at x1 without a history: after a jump, and after
 * steps so short that multipliers are round-off of positions over h^2. */
hk_status hk_nonsmooth_forget_past(hk_sim *s, double *x1);

/* ---- nonsmooth_record.c ---- */

/* Stores the results of the stages in the state and in its energy integrals. */
void hk_nonsmooth_record(hk_sim *s, hk_nonsmooth *k, const double *x0, double h, double *x1);
#endif
