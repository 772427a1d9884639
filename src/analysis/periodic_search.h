/* The search for a periodic orbit: data shared by its start, its iterations and Newton's method. */
#ifndef HK_ANALYSIS_PERIODIC_SEARCH_H
#define HK_ANALYSIS_PERIODIC_SEARCH_H
#include "analysis/shooting.h"
#include <string.h>

typedef struct hk_search {
  const hk_periodic_options *o;
  hk_periodic *out;
  const hk_model *m;
  hk_sim *s, *accurate; /* see hk_search_sim */
  hk_shooter p;
  double *x, *end, *best; /* states */
  double *y, *g, *c, *r;  /* unknowns */
  double *A, *b;          /* bordered matrix and right side */
  double residual, best_residual, best_T;
  /* residual of the iterate at which the derivative p.P, p.E was computed */
  double derived_residual;
  /* [nv] velocities at the start, or their mean over the first guess of an unknown period */
  double *mean;
  /* period that the caller asked for, if the map simulates only a part of this period */
  double whole_T;
  double tolerance;
  const char *chosen; /* integrator of the search, if a run would not select it; NULL: none */
  /* true: the first guess of the unknown period contained several revolutions and was divided
   * by their number */
  bool divided;
  int most_runs;
} hk_search;

/* Checks the options, creates the simulation and the memory of the search, and simulates to `from`. */
hk_status hk_search_begin(hk_search *q, hk_diag *diag, hk_error *err);
/* Simulates one period from q->x to q->end. Writes the unknowns of both into y and g, and the residual into r. */
hk_status hk_search_period(hk_search *q, bool columns, hk_error *err);
/* Simulates at most this number of periods, each from the end of the previous one. */
hk_status hk_search_plain(hk_search *q, int most, hk_error *err);
hk_status hk_search_newton(hk_search *q, hk_error *err);
/* Creates the simulations of the search. The steps of *out have a derivative if the model allows it. *accurate: see
 * hk_shooter.accurate; NULL: none. *chosen: the integrator for runs from the orbit; NULL: the integrator of the
 * model. */
hk_status hk_search_sim(const hk_periodic_options *o, const hk_model *m, hk_sim **out,
                        hk_sim **accurate, const char **chosen, hk_diag *diag, hk_error *err);
/* Moves q->x by `share` times the step c of Newton's method. The new state is computed from the residual r and from
 * `end`, the end of the last period that was simulated with its derivative. Accelerations and internal variables
 * change with the state. */
hk_status hk_search_take(hk_search *q, const double *end, const double *c, double share,
                         const double *r, hk_error *err);
/* Simulates one period from q->x with the steps of an ordinary run, which become the grid; out->error is the change
 * over this period. */
hk_status hk_search_plan(hk_search *q, hk_error *err);

/* Copies x, a state of q->s, to a state for the caller, allocated by malloc. */
hk_status hk_search_copy(hk_search *q, const double *x, void **state, size_t *size, hk_error *err);

/* Describes the motion near the best state, for which no orbit was found. */
hk_status hk_search_diagnose(hk_search *q, char *text, size_t size, hk_error *err);

/* *wound: true if forces depend on the number of revolutions made in the period from q->x to q->end; `text` then
 * gives the reason. */
hk_status hk_search_revolutions(hk_search *q, char *text, size_t size, bool *wound, hk_error *err);

/* Returns the simulation whose states the caller receives. */
static inline hk_sim *hk_search_outer(const hk_search *q) {
  return q->accurate ? q->accurate : q->s;
}
static inline size_t hk_search_bytes(const hk_search *q) {
  return (size_t)q->s->state_size * sizeof(double);
}
static inline bool hk_search_done(const hk_search *q) { return q->residual <= q->tolerance; }
static inline bool hk_search_spent(const hk_search *q) { return q->p.runs >= q->most_runs; }
/* Starts the next period from the end of this period. */
static inline void hk_search_go_on(hk_search *q) { memcpy(q->x, q->end, hk_search_bytes(q)); }
#endif
