/* Shared by the files of the scan; not for others. */
#ifndef HK_CONTROL_SCAN_PRIVATE_H
#define HK_CONTROL_SCAN_PRIVATE_H
#include "control/scan.h"

/* Two times this near to each other are one: no step is that short. */
static inline double hk_scan_near(double t) { return 1e-13 * fmax(1, fabs(t)); }

/* What the state knows of switches (hk_layout.scan). */
typedef struct hk_scan_memory {
  double due, reach; /* a switch is expected at this time, and may be crossed from this distance; reach 0: none */
  double pace; /* length of steps before they were cut short */
} hk_scan_memory;

/* The path of all channels along a step: cubics through values and rates at both ends. */
typedef struct hk_scan_path {
  double t, h;
  const double *y0, *r0, *y1, *r1; /* by slot */
} hk_scan_path;

/* Scratch of the scan, and what follows from the model alone. */
struct hk_scan {
  double
      *give; /* [n_watched] [m] displacement per unit of the expression and s^2/2 (s for states) */
  double *end[2];   /* [2 n_variables] values and rates at the start and at the end of the step */
  double *key;      /* the part of the state of which end[0] is */
  bool known;       /* end[0] has been computed, for `key` */
  double *last[2]; /* the same of the last step, for sensors: see hk_scan_last_step */
  double *variable; /* [n_variables] scratch */
  hk_flow *flow;    /* [n_variables] scratch */
  double *block;
};

static inline hk_scan_memory *hk_scan_memory_of(const hk_sim *s, double *x) {
  return (hk_scan_memory *)(void *)(x + s->model->at.scan);
}

/* Values and rates of channels, at the state x: of those that expressions of the motion read, or of all variables. */
void hk_scan_look(hk_sim *s, const double *x, bool all, double *out);
/* From the ends that have been looked at. */
hk_scan_path hk_scan_path_of(const hk_sim *s, double t, double h);
/* An expression along a part of the path; its value at a place; value and rate there.  Places from 0 to 1. */
hk_flow hk_scan_flow(const hk_sim *s, const hk_watched *k, const hk_scan_path *p, double from,
                     double to);
double hk_scan_value(const hk_sim *s, const hk_watched *k, const hk_scan_path *p, double at);

/* The effect that a jump of an expression and of its rate may have within a time, over tolerance. */
double hk_scan_effect(const hk_sim *s, int watched, double jump, double rate_jump, double over);

/* Whether all expressions are as good as constant on a part of the path: what they change there moves nothing, not by the
 * velocity it leaves over a usual step either. */
bool hk_scan_is_calm(const hk_sim *s, const hk_scan_path *p, double from, double to, double over);
/* What to do where a switch lies this time behind the start of a step of length *h, which becomes shorter; p: the path
 * to it. */
hk_seen hk_scan_approach(hk_sim *s, const hk_scan_path *p, double after, double *h);

/* A step that was rejected for another reason, whose end may know of the other side of a switch already: switches alone,
 * along the Taylor polynomial of s->x. */
hk_seen hk_scan_rejected(hk_sim *s, double *h);
/* Before a step from s->x: carries the state over the switch that it has come to, if there is one, but not beyond t_end. */
hk_status hk_scan_cross(hk_sim *s, double t_end, hk_error *err);

/* Pieces in which a step is searched. */
enum { HK_SCAN_PIECES = 1000 };

typedef struct hk_scan_bend {
  double left, right;     /* places on the path */
  double jump, rate_jump; /* of the expression */
} hk_scan_bend;
/* The first corner or jump between two places that matters over a time.  *pieces counts down; false and 0: it did not
 * suffice. */
bool hk_scan_first_bend(const hk_sim *s, int watched, const hk_scan_path *p, double from, double to,
                        double over, int *pieces, hk_scan_bend *out);
#endif
