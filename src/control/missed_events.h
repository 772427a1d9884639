/* Events that steps of fixed length may have missed: switches and pulses of loads, and contacts that close and open
 * again within a step.
 *
 * Adaptive integrators end their steps at such events (scan.h, gap_scan.h). Steps of fixed length are not changed: each
 * completed step is searched in the same way, and events within it give warnings. */
#ifndef HK_CONTROL_MISSED_EVENTS_H
#define HK_CONTROL_MISSED_EVENTS_H
#include "core/contact_rows.h"
#include "sim/sim.h"

typedef struct hk_passed_count {
  long n;
  double first; /* time of the first missed event */
} hk_passed_count;

typedef struct hk_passed {
  hk_passed_count *load, *contact; /* [n_watched], [n_contacts] */
  /* [n_rows] rows of set-valued contacts that a step could pass through; n_rows = 0: there are none */
  hk_contact_row *row;
  double *gap; /* [2 n_rows] gaps at both ends of the step */
  /* [n_rows] relative velocity at which the gap closed; the zero vector: the gap is open */
  hk_vec3 *entered;
  hk_vec3 *before; /* [n_rows] relative velocities at the start of the step: scratch */
  bool *search;    /* [n_rows] scratch */
  int n_rows;
  bool compliant; /* the model has compliant contacts that a step could pass through */
  bool on;        /* the model has loads or contacts to check */
} hk_passed;

/* Does nothing unless steps have a fixed length. */
hk_status hk_passed_create(hk_passed *p, const hk_sim *s);
void hk_passed_free(hk_passed *p);
/* After a step. */
void hk_passed_step(hk_passed *p, hk_sim *s);
/* One warning for each load and each contact.  Fails only when out of memory. */
hk_status hk_passed_report(const hk_passed *p, const hk_model *m, hk_quality *out);
#endif
