/* What a step must not pass without notice: the sources of events.
 *
 * Times at which loads switch, values that inputs jump to, expressions and tables along the motion, rotations that are
 * counted in turns: each is a source with one face, and none knows of another.  Before a step they are asked what has been
 * reached and when something may happen next; after an attempt they are asked whether the step passed something.  A new one
 * is a struct and a line in source.c.
 */
#ifndef HK_CONTROL_SOURCE_H
#define HK_CONTROL_SOURCE_H
#include "sim/sim.h"

typedef enum hk_seen {
  HK_SEEN_NOTHING,
  HK_SEEN_EARLIER, /* the step has to end earlier */
  HK_SEEN_HERE     /* an event is so near that it is to be met before a step is taken */
} hk_seen;

typedef struct hk_source {
  const char *what; /* what keeps steps short, in words for the user: see hk_sim_step_limit */
  bool fixed;       /* it also counts where the length of steps is given */
  bool (*present)(const hk_sim *s);
  /* Before a step from s->x: brings the state past the event that it has reached, if it has; the time may advance, but not
   * beyond t_end. */
  hk_status (*meet)(hk_sim *s, double t_end, hk_error *err);
  /* The time at which a step from s->x has to end at the latest; INFINITY: whenever it likes. */
  double (*due)(const hk_sim *s);
  /* The longest step from s->x, which the controller would make h long. */
  double (*longest)(const hk_sim *s, double h);
  /* After an attempt, good or not, from s->x to s->x_next: *end, the length after which it ended, becomes that after which it
   * has to; `may_meet`: an event may be met before the next attempt.  *next, the longest step that may follow. */
  hk_seen (*look)(hk_sim *s, bool good, bool may_meet, double *end, double *next);
  /* After a step of length h has been accepted, in s->x; 0: velocities have jumped. */
  void (*accept)(hk_sim *s, double h);
} hk_source;

/* All sources in turn. */
hk_status hk_sources_meet(hk_sim *s, double t_end, hk_error *err);
/* What a step is to be, before it is attempted. */
typedef struct hk_plan {
  double h, due;
  const char *limit; /* what keeps it from being longer; NULL: the error */
} hk_plan;
/* A step of the length `wanted`, or shorter; where it comes near to t_end or another time that is due, it is one of a whole number
 * of equal steps up to there. */
hk_plan hk_sources_plan(const hk_sim *s, double wanted, double t_end);
/* *limit: what has been seen. */
hk_seen hk_sources_look(hk_sim *s, bool good, bool may_meet, double *end, double *next, const char **limit);

void hk_sources_accept(hk_sim *s, double h);

/* From so many steps before an end on they are of equal length, so that the last one comes to it; before, none depends on it. */
enum { HK_EVEN_STEPS = 20 };

/* The sources; each in the file of its name. */
extern const hk_source hk_source_input, hk_source_breakpoint, hk_source_peak, hk_source_scan, hk_source_table,
    hk_source_turn, hk_source_max_step;
#endif
