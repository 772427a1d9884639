/* Shared by the files of the scan only. */
#ifndef HK_CONTROL_SCAN_PRIVATE_H
#define HK_CONTROL_SCAN_PRIVATE_H
#include "control/outlook.h"
#include "control/scan.h"

/* Times that differ by less than this count as equal, because no step is that short. */
static inline double hk_scan_near(double t) { return 1e-13 * fmax(1, fabs(t)); }

/* Part of the state about switches (hk_layout.scan). */
typedef struct hk_scan_memory {
  double due; /* expected time of a switch */
  /* a step that starts less than this time before `due` may cross the switch; 0: no switch is expected */
  double reach;
  double pace; /* length of the steps before they were shortened because of a switch */
} hk_scan_memory;

/* The path of all channels along a step: cubics through values and rates at both ends. */
typedef struct hk_scan_path {
  double t, h;
  const double *y0, *r0, *y1, *r1; /* by slot */
} hk_scan_path;

/* Slots of the channels that expressions read. Time and sensors are excluded, because they are computed from other
 * values. */
typedef struct hk_scan_leaves {
  int *slot, n;
  bool needs_forces; /* some channel belongs to a force, which may depend on any variable */
} hk_scan_leaves;

/* Working memory of the scan, and data that depend on the model only. */
struct hk_scan {
  /* [n_watched] sensitivity: displacement [m] that a change of the expression by 1 causes
   * within a time s, divided by s^2/2 (for rates of states: divided by s) */
  double *give;
  double *end[2]; /* [2 n_variables] values and rates at the start and at the end of the step */
  double *key;    /* copy of the part of the state from which end[0] was computed */
  bool known;     /* true: end[0] belongs to the state in `key` */
  int trouble;    /* the watched expression that last shortened a step */
  /* channels that the watched expressions read; channels that these expressions or the sensors read */
  hk_scan_leaves watched, all;
  bool same_leaves; /* both are the same */
  bool moves;       /* at least one watched expression depends on the motion */
  /* [n_watched] for watched expressions of time only; [n_bulging] for expressions that may have narrow peaks */
  hk_outlook *ahead, *peaks_ahead;
  /* same as `end`, but for the last accepted step and the leaves of sensors too: see hk_scan_last_step */
  double *last[2];
  double *last_key; /* copy of the part of the state from which last[1] was computed */
  bool last_known;  /* true: last[1] has been computed */
  double *variable; /* [n_variables] scratch */
  hk_flow *flow;    /* [n_variables] scratch */
  double *block;
};

static inline hk_scan_memory *hk_scan_memory_of(const hk_sim *s, double *x) {
  return (hk_scan_memory *)(void *)(x + s->model->at.scan);
}

/* Computes the values and rates at the state x of all channels that the watched expressions read; `all`: also of the
 * channels that sensors read. */
void hk_scan_look(hk_sim *s, const double *x, bool all, double *out);
/* The part of the state that determines the channels; it begins with the time. */
static inline size_t hk_scan_key_size(const hk_model *m) {
  return (size_t)(m->at.lambda - m->at.t) * sizeof(double);
}
/* Computes the path from the evaluated ends. */
hk_scan_path hk_scan_path_of(const hk_sim *s, double t, double h);
/* The next functions evaluate an expression: on a part of the path, its value at a position, and its value and rate
 * at a position. Positions are from 0 to 1. */
hk_flow hk_scan_flow(const hk_sim *s, const hk_watched *k, const hk_scan_path *p, double from,
                     double to);
double hk_scan_value(const hk_sim *s, const hk_watched *k, const hk_scan_path *p, double at);

/* Computes the displacement of the bodies, relative to the tolerance, that a jump of an
 * expression and a jump of its rate cause within a given time. */
double hk_scan_effect(const hk_sim *s, int watched, double jump, double rate_jump, double over);

/* Returns true if all expressions are nearly constant on a part of the path. Their changes then cause no significant
 * displacement within this part. The resulting change of velocity causes no significant displacement within a step of
 * usual length. */
bool hk_scan_is_calm(const hk_sim *s, const hk_scan_path *p, double from, double to, double over);
/* Decides how to proceed if there is a switch at the time `after` from the start of a step of length *h, which is
 * shortened. p: the path to the switch. */
hk_seen hk_scan_approach(hk_sim *s, const hk_scan_path *p, double after, double *h);

/* For a step that was rejected for another reason. The end of such a step may already be affected by a switch.
 * Therefore only switches are searched, along the Taylor polynomial of s->x. */
hk_seen hk_scan_rejected(hk_sim *s, double *h);
/* Call before a step from s->x. If the state has reached a switch, extrapolates it across the switch, but not beyond
 * t_end. */
hk_status hk_scan_cross(hk_sim *s, double t_end, hk_error *err);

/* Number of parts of a path that the search of a step may examine. */
enum { HK_SCAN_PIECES = 1000 };

typedef struct hk_scan_bend {
  double left, right;     /* positions on the path */
  double jump, rate_jump; /* jumps of the value and of the rate of the expression */
  double change;          /* change of the value, with its sign */
} hk_scan_bend;
/* Finds the first significant kink or jump between two positions of a path. A kink is significant if its effect within
 * a given time is. *pieces is the number of parts of the path that may still be examined; each examined part reduces
 * it by one. Returns false if this number was not sufficient; *pieces is then 0. */
bool hk_scan_first_bend(const hk_sim *s, int watched, const hk_scan_path *p, double from, double to,
                        double over, int *pieces, hk_scan_bend *out);
#endif
