/* Event sources: events that a step must not pass over.
 *
 * Examples: times at which loads switch, jumps of inputs, kinks of expressions and points of tables along the motion,
 * rotations counted in revolutions. All sources have the same interface and are independent of each other. Before a
 * step, each source handles the events that have been reached and returns the time of its next possible event. After an
 * attempt, it reports whether the step passed an event. A new source is a struct and a line in source.c. */
#ifndef HK_CONTROL_SOURCE_H
#define HK_CONTROL_SOURCE_H
#include "sim/sim.h"

typedef enum hk_seen {
  HK_SEEN_NOTHING,
  HK_SEEN_EARLIER, /* the step has to end earlier */
  HK_SEEN_HERE     /* an event is so near that it must be handled before the next step */
} hk_seen;

typedef struct hk_source {
  const char *what; /* reason for short steps, as a text for the user: see hk_sim_step_limit */
  bool fixed;       /* the source also applies to steps of fixed length */
  bool (*present)(const hk_sim *s);
  /* Before a step from s->x: moves the state past an event that has been reached, if any. The time may advance, but not
   * beyond t_end. */
  hk_status (*meet)(hk_sim *s, double t_end, hk_error *err);
  /* The latest end time of a step from s->x; INFINITY: no limit. */
  double (*due)(const hk_sim *s);
  /* The longest allowed step from s->x; h: the length that the controller requests. */
  double (*longest)(const hk_sim *s, double h);
  /* Call after every attempt from s->x to s->x_next, successful or not. If an event requires a shorter step, reduces
   * *end, the length of the attempt. may_meet: events may be handled before the next attempt. *next receives the
   * maximum length of the following step. */
  hk_seen (*look)(hk_sim *s, bool good, bool may_meet, double *end, double *next);
  /* Finds the expression that limited the length of the last step, and its item in *item; NULL: not known. */
  const hk_expr *(*who)(const hk_sim *s, const hk_item **item);
  /* After a step of length h to s->x has been accepted. h = 0: velocities have jumped. */
  void (*accept)(hk_sim *s, double h);
} hk_source;

/* Calls all sources in turn. */
hk_status hk_sources_meet(hk_sim *s, double t_end, hk_error *err);
/* The plan of a step before it is attempted. */
typedef struct hk_plan {
  double h, due;
  const char *limit; /* reason for the length of this step; NULL: the error test */
} hk_plan;
/* Plans a step of length `wanted` or shorter. Near t_end, or near another time at which a step must end, the
 * remaining time is divided into equal steps. */
hk_plan hk_sources_plan(const hk_sim *s, double wanted, double t_end);
/* *limit receives the reason for the returned length. */
hk_seen hk_sources_look(hk_sim *s, bool good, bool may_meet, double *end, double *next,
                        const char **limit);

void hk_sources_accept(hk_sim *s, double h);

/* If at most this number of steps remains before such a time, they are made equally long, so that the last one ends
 * there. Earlier steps do not depend on this time. */
enum { HK_EVEN_STEPS = 20 };

/* The sources. */
extern const hk_source hk_source_exchange, hk_source_input, hk_source_breakpoint, hk_source_peak,
    hk_source_scan, hk_source_table, hk_source_turn, hk_source_max_step;
#endif
