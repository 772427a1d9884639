/* Event sources: what a step must not pass unnoticed.
 *
 * Times at which loads switch, jumps of inputs, expressions and tables along the motion, rotations counted in
 * revolutions: each is a source with the same interface, independent of the others.  Before a step each source
 * reports what has been reached and when its next event may occur; after an attempt it reports whether the step
 * passed an event.  A new source is a struct and a line in source.c. */
#ifndef HK_CONTROL_SOURCE_H
#define HK_CONTROL_SOURCE_H
#include "sim/sim.h"

typedef enum hk_seen {
  HK_SEEN_NOTHING,
  HK_SEEN_EARLIER, /* the step has to end earlier */
  HK_SEEN_HERE     /* an event is so near that it must be handled before a step is taken */
} hk_seen;

typedef struct hk_source {
  const char *what; /* reason for short steps, as a text for the user: see hk_sim_step_limit */
  bool fixed;       /* the source also applies to steps of fixed length */
  bool (*present)(const hk_sim *s);
  /* Before a step from s->x: moves the state past the event that it has reached, if any; time may advance, but not
   * beyond t_end. */
  hk_status (*meet)(hk_sim *s, double t_end, hk_error *err);
  /* The latest end time of a step from s->x; INFINITY: no limit. */
  double (*due)(const hk_sim *s);
  /* The longest step from s->x, for which the controller requests the length h. */
  double (*longest)(const hk_sim *s, double h);
  /* After an attempt from s->x to s->x_next, successful or not: reduces *end, the length of the attempt, to the
   * required one; `may_meet`: an event may be handled before the next attempt.  *next: the longest following step. */
  hk_seen (*look)(hk_sim *s, bool good, bool may_meet, double *end, double *next);
  /* The expression that kept the last step short, and its item in *item; NULL: not known. */
  const hk_expr *(*who)(const hk_sim *s, const hk_item **item);
  /* After a step of length h has been accepted, in s->x; 0: velocities have jumped. */
  void (*accept)(hk_sim *s, double h);
} hk_source;

/* Calls all sources in turn. */
hk_status hk_sources_meet(hk_sim *s, double t_end, hk_error *err);
/* The plan of a step before it is attempted. */
typedef struct hk_plan {
  double h, due;
  const char *limit; /* limit of this step; NULL: the error */
} hk_plan;
/* A step of the length `wanted`, or shorter: near t_end or another due time the remaining time is divided into equal
 * steps. */
hk_plan hk_sources_plan(const hk_sim *s, double wanted, double t_end);
/* *limit: the limit found. */
hk_seen hk_sources_look(hk_sim *s, bool good, bool may_meet, double *end, double *next,
                        const char **limit);

void hk_sources_accept(hk_sim *s, double h);

/* From this number of steps before an end on they have equal length, so that the last one reaches it; earlier steps
 * do not depend on it. */
enum { HK_EVEN_STEPS = 20 };

/* The sources. */
extern const hk_source hk_source_exchange, hk_source_input, hk_source_breakpoint, hk_source_peak,
    hk_source_scan, hk_source_table, hk_source_turn, hk_source_max_step;
#endif
