/* Inside of the event-driven stepper: contacts that are held or open, the motion for one such
 * choice, and what happens where the choice changes. */
#ifndef HK_EVENT_DRIVEN_H
#define HK_EVENT_DRIVEN_H
#include "integrator/impact/delassus.h"
#include "sim/sim.h"

typedef struct hk_event_point {
  hk_touch_mode mode;
  double side;       /* 1; of a two-sided point the sign of its pressure */
  double slip[2];    /* direction of sliding, unit */
  bool frozen;       /* ... which no longer follows the velocity: before rest */
  bool slow;         /* ... or is given: near rest, see event_driven_rest.c */
  double pull;       /* what friction can do there, as an acceleration */
  bool hit, stopped; /* what the event at hand is */
  bool struck;       /* took an impulse in this step */
  bool propped;      /* at its limit, but others hold it */
  bool limit;        /* begins to slide because friction is at its limit, nothing else */
  bool idle;         /* held, but needs no pressure */
  bool open;         /* sticks for now, with a pressure that is one of many */
  bool fresh;        /* held, but whether it slides is to be seen from its velocity */
  double rate[HK_N_DIR], bias[HK_N_DIR]; /* velocity; acceleration less that which z makes */
  double force[HK_N_DIR];                /* pressure >= 0 along `side`, friction */
  double torn[HK_N_DIR];    /* acceleration along a held direction that no force could hold */
  double impulse[HK_N_DIR]; /* of the impacts at the end of the step */
  double approach;          /* velocity of the last impact */
  int impacts;              /* in this step */
  double early;             /* time by which chatter was closed before its end */
  int first, unknowns;      /* in the matrix of held directions */
} hk_event_point;

static inline bool hk_event_held(const hk_event_point *p) { return p->mode >= HK_MODE_STICK; }

/* What is integrated: displacement from the step's start, velocity, powers, sliding powers. */
enum { HK_EVENT_STAGES = 7, HK_EVENT_POWERS = 3, HK_EVENT_MOST_SLOW = 64 /* points */ };

typedef struct hk_event_driven {
  int n;               /* points */
  int N;               /* unknowns of the accelerations: velocities and kept multipliers */
  int width;           /* of K */
  hk_contact_row *row; /* [3 n]: here, behind and ahead; at_stage is behind these */
  hk_event_point *point;
  hk_delassus *delassus;   /* of the problem at hand, or of the held directions: hk_event_columns */
  int *list;               /* [n] points of the problem at hand */
  double *z;               /* [N] accelerations and multipliers */
  double *z_free;          /* [N] those without contact forces */
  double *r;               /* [3 n] */
  double *b, *P, *xi, *mu; /* contact problem */
  double *weight;          /* [3 n] by which forces that are not unique are shared */
  double power[HK_EVENT_POWERS], *sliding; /* at the last evaluation; [n] */
  double *K;                               /* [stages][width] */
  double *sum;                             /* [width] weighted sum of K: what a step adds */
  double *d, *q, *v;                       /* a stage */
  double *shifted;                         /* [nq] along the motion, for biases */
  double *start;                           /* [state] where the step begins, modes settled */
  double *lo, *hi, *probe; /* [2 n] event functions at the ends of a bracket and within it */
  double *sample;          /* [stages][2 n] the same at the stages, the last one being the end */
  double sample_at[HK_EVENT_STAGES];      /* ... and where in the step those are */
  double *lo_rate, *hi_rate, *probe_rate; /* [n] rates of the gaps */
  double jump[HK_EVENT_POWERS];           /* energies of impacts: lost, by motions, by guides */
  double *lost_sliding;                   /* [n] its part in sliding */
  double chatter;     /* time within which a series of impacts counts as ended */
  double flight;      /* the same for the next one alone; 0: does not count */
  double height;      /* up to which such a flight may lead */
  bool impulses_only; /* no biases: only velocities will change */
  bool any_forces;    /* forces that are not unique will do */
  double speed; /* what velocities are judged by: the largest at the last evaluation, at least */
  double usual_speed;       /* ... this: hk_event_scale */
  hk_direction *mover;      /* [2 n] tangents of slow points */
  double *mobility;         /* [2 n][2 n] accelerations along them by unit forces, all else held */
  double *alone;            /* [2 n] its diagonal, were nothing held but the joints */
  hk_contact_row *at_stage; /* [3 n] at the stages of an implicit step */
  double *newton, *u, *du;  /* its matrix, velocities of slow points and their corrections */
  int n_slow;               /* how many those are; 0: the step is explicit */
  const char *why;          /* a refusal while stepping */
  char text[700];
  double *block;
  int doubles; /* of the block */
} hk_event_driven;

/* ---- contact_acceleration.c ---- */

/* Everything at (t, q, v) but contact forces: z without them, gaps, directions, rates and biases.
 */
hk_status hk_event_evaluate(hk_sim *s, hk_event_driven *e, double t, const double *q,
                            const double *v);
/* The speed by which events at the state x and after it are judged. */
void hk_event_scale(const hk_model *m, hk_event_driven *e, const double *x);
/* Velocities of the points at v, the rest being evaluated. */
void hk_event_rates(const hk_model *m, hk_event_driven *e, const double *v);
/* Matrix of the held directions at the last evaluation. */
void hk_event_columns(hk_sim *s, hk_event_driven *e);
/* The direction k of point i, with the friction of sliding in its pressure. */
hk_direction hk_event_direction(const hk_event_driven *e, int i, int k);
/* e->mobility of the slow points, two directions each; returns how many.  The columns are these, too. */
int hk_event_mobility(hk_sim *s, hk_event_driven *e);
/* Forces of the held contacts, z and powers with them. */
void hk_event_forces(hk_sim *s, hk_event_driven *e);
/* The three in one. */
hk_status hk_event_motion(hk_sim *s, hk_event_driven *e, double t, const double *q,
                          const double *v);
/* v of x onto joints and held contacts, along their directions; needs the columns at x.  Returns the work
 * of motions in it. */
double hk_event_hold_velocity(hk_sim *s, hk_event_driven *e, double *x);
/* q and v of x onto them. */
hk_status hk_event_project(hk_sim *s, hk_event_driven *e, double *x);
/* W[k] . y without drift. */
static inline double hk_event_along(const hk_contact_row *r, int k, const double *y) {
  double sum = 0;
  for (int i = 0; i < r->na; i++) sum += r->W[k][i] * y[r->va + i];
  for (int i = 0; i < r->nb; i++) sum += r->W[k][6 + i] * y[r->vb + i];
  return sum;
}

/* ---- event_driven_doubt.c ---- */

hk_status hk_event_refuse(hk_event_driven *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
const char *hk_event_point_name(const hk_sim *s, const hk_event_driven *e, int i);
/* Refuses a motion that the forces of the columns do not determine. */
hk_status hk_event_unique(const hk_sim *s, hk_event_driven *e, double t);
/* Marks the points that stick in the columns with a pressure that is one of many ... */
void hk_event_find_open(hk_event_driven *e);
/* ... and tells, modes being settled, if some of them slide where others stick. */
void hk_event_doubt_slide(hk_sim *s, const hk_event_driven *e, double t);
/* Tells that points beyond their limits (f of hk_event_functions) stick all the same, by pressures that could be
 * larger. */
void hk_event_doubt_hold(hk_sim *s, const hk_event_driven *e, const double *f);
/* Of all forces in e->r that do the same, those that are furthest from the limits of friction. */
void hk_event_share(hk_event_driven *e);
/* Accelerations along dependent directions that the forces have left; size: of those without contact. */
void hk_event_find_torn(hk_event_driven *e, double size);
/* Says why the n listed points have no forces. */
hk_status hk_event_no_forces(hk_sim *s, hk_event_driven *e, int n, int dim, double t);

/* ---- event_driven_rest.c ---- */

/* Before a step over h: which points slide so slowly that their directions are part of the unknowns; those
 * that are about to rest are frozen.  Returns the length that the step may have. */
double hk_event_near_rest(hk_sim *s, hk_event_driven *e, double h);
/* The stages of an implicit step: see hk_event_integrate. */
hk_status hk_event_integrate_slow(hk_sim *s, hk_event_driven *e, double h);
/* Weights of stages 0 to 3 in its local error. */
void hk_event_slow_error(double weight[4]);

/* ---- event_driven.c ---- */

/* Its room; NULL: out of memory. */
hk_event_driven *hk_event_create(const hk_model *m);
void hk_event_destroy(hk_event_driven *e);
void hk_event_poison(hk_event_driven *e);
/* The points as the state x has them; energies of impacts begin at zero. */
void hk_event_load(const hk_model *m, hk_event_driven *e, const double *x);

/* Stages over h from e->start, stage 0 being known; the end is in e->sum, e->q and e->v. */
hk_status hk_event_integrate(hk_sim *s, hk_event_driven *e, double h);
/* The state and the motion at a time c h from the start, K of n stages weighed by a; its own K becomes that of
 * stage `to`. */
hk_status hk_event_stage(hk_sim *s, hk_event_driven *e, double h, double c, const double *a, int n,
                         int to);

/* ---- event_driven_find.c ---- */

/* Event functions at the motion just evaluated, an event where one is negative: of an open point
 * the gap; of a held one the pressure and either what friction is short of its limit or the
 * sliding. */
void hk_event_functions(hk_sim *s, hk_event_driven *e, double *f, double *rate);
/* Is there an event in the step just made over *h?  Then *h becomes its time and the step is made
 * again up to it. */
hk_status hk_event_find(hk_sim *s, hk_event_driven *e, double *h, bool *event);
/* Marks the points whose event it is. */
void hk_event_mark(const hk_sim *s, hk_event_driven *e);

/* ---- event_driven_mode.c ---- */

/* Modes at a state that comes without: touching contacts, impacts of those that approach. */
hk_status hk_event_begin(hk_sim *s, hk_event_driven *e, double *x);
/* Are there forces at the motion just evaluated with which all that stick go on to do so? */
bool hk_event_can_stick(hk_sim *s, hk_event_driven *e);
/* After an event: impacts, closing of chatter, new modes.  Leaves the motion at x evaluated. */
hk_status hk_event_pass(hk_sim *s, hk_event_driven *e, double *x);
#endif
