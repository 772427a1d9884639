/* Advances a simulation from one Poincare section to the next. */
#ifndef HK_ANALYSIS_POINCARE_H
#define HK_ANALYSIS_POINCARE_H
#include <hooke/nonlinear.h>

typedef struct hk_section_walk {
  hk_sim *sim;
  const hk_section *section;
  double base;               /* stroboscopic: time of section 0 */
  int64_t index;             /* stroboscopic: time of the next section */
  double last;               /* event: value of the channel at the present state */
  double seen;               /* event: time of the last crossing, or of the start */
  void *before, *after, *at; /* event: states */
  bool
      more; /* event, with a modulus: the last step may contain further levels after the level `from` */
  double from; /* event: level that was crossed at `seen` */
  /* Called after every step, if not NULL. */
  hk_status (*stepped)(void *context, hk_error *err);
  void *context;
} hk_section_walk;

/* Finds the first level of an event section that the channel crosses between a (excluded) and b (included); false:
 * no crossing in the specified direction. */
bool hk_section_level(const hk_section *s, double a, double b, double *level);
/* Starts at the present state of sim; periods are counted from the time `origin`. */
hk_status hk_section_walk_begin(hk_section_walk *w, hk_sim *sim, const hk_section *section,
                                double origin, hk_error *err);
void hk_section_walk_end(hk_section_walk *w);
/* Advances to the next section.  A stroboscopic section leaves the simulation there.  An event section leaves it at
 * the end of the crossing step, so that the observation does not change the motion; the values of channels at the
 * section are in out, the state in w->at. */
hk_status hk_section_next(hk_section_walk *w, const int *channel, int n, double *time, double *out,
                          hk_error *err);
#endif
