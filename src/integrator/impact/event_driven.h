/* Private parts of the event-driven integrator: closed and open contacts, the motion for a given set of contact
 * states, and the events that change it. */
#ifndef HK_INTEGRATOR_IMPACT_EVENT_DRIVEN_H
#define HK_INTEGRATOR_IMPACT_EVENT_DRIVEN_H
#include "integrator/impact/delassus.h"
#include "sim/sim.h"

typedef struct hk_event_point {
  hk_touch_mode mode;
  double side;    /* sign of the normal force of a two-sided point; 1 for other points */
  double slip[2]; /* direction of sliding, unit */
  bool frozen;    /* the point is nearly at rest: its direction of sliding is kept constant */
  /* the point slides so slowly that its direction is an unknown: see event_driven_stick_slip.c */
  bool slow;
  double pull;       /* largest acceleration of a slow point that its friction can cause */
  bool hit, stopped; /* kind of the present event */
  bool struck;       /* received an impulse in this step */
  bool propped; /* the point is at its friction limit, but other points prevent it from sliding */
  /* begins to slide because its friction is at the limit, not because of its velocity */
  bool limit;
  bool idle;  /* the point is closed, but carries no normal force */
  bool open;  /* assumed to stick until the next change; its normal force is not unique */
  bool fresh; /* the point has just closed; its velocity determines whether it slides */
  double rate[HK_N_DIR], bias[HK_N_DIR]; /* velocity; acceleration without the part caused by z */
  double force[HK_N_DIR];                /* normal force >= 0 along `side`, friction */
  /* acceleration that no contact force can cancel, in a direction in which the contact is
   * closed or sticks */
  double torn[HK_N_DIR];
  double impulse[HK_N_DIR]; /* impulses of the impacts at the end of the step */
  double approach;          /* velocity of the last impact */
  int impacts;              /* number of impacts in this step */
  double early;             /* difference between the assumed and the true end time of chatter */
  int first, unknowns; /* first unknown and number of unknowns in the matrix of held directions */
} hk_event_point;

/* A velocity below this share of the fastest one is 0 except for round-off. */
static const double hk_event_still = 1e-12;

static inline bool hk_event_held(const hk_event_point *p) { return p->mode >= HK_MODE_STICK; }

/* Integrated quantities: displacement from the start of the step, velocity, the powers of the energy integrals, and
 * the power of sliding friction at each point. */
enum { HK_EVENT_STAGES = 7, HK_EVENT_POWERS = 3, HK_EVENT_MOST_SLOW = 64 /* points */ };

typedef struct hk_event_driven {
  int n;     /* points */
  int N;     /* unknowns of the accelerations: velocities and kept multipliers */
  int width; /* of K */
  /* [3 n] rows of the points at this instant, shortly before it and shortly after it; followed by at_stage */
  hk_contact_row *row;
  hk_event_point *point;
  /* Delassus operator of the present contact problem, or of the constrained contact directions: see hk_event_columns */
  hk_delassus *delassus;
  int *list;               /* [n] contact points of the present contact problem */
  double *z;               /* [N] accelerations and multipliers */
  double *z_free;          /* [N] accelerations and multipliers without contact forces */
  double *r;               /* [3 n] */
  double *b, *P, *xi, *mu; /* contact problem */
  double *weight;          /* [3 n] weights for the distribution of forces that are not unique */
  /* powers of the energy integrals at the last evaluation; [n] power of sliding friction */
  double power[HK_EVENT_POWERS], *sliding;
  double *K;         /* [stages][width] */
  double *sum;       /* [width] weighted sum of K: the increment of a step */
  double *d, *q, *v; /* a stage */
  double *shifted;   /* [nq] positions a short time ahead or back along the motion, for biases */
  double *start;     /* [state] start of the step, contact states determined */
  double *lo, *hi, *probe; /* [2 n] event functions at the ends of a bracket and within it */
  double *sample; /* [stages][2 n] event functions at the stages, the last one being the end */
  double sample_at[HK_EVENT_STAGES];      /* positions of the stages in the step */
  double *lo_rate, *hi_rate, *probe_rate; /* [n] rates of the gaps */
  /* energies of impacts: lost energy, work of motions, work of bodies with prescribed rotation */
  double jump[HK_EVENT_POWERS];
  double *lost_sliding; /* [n] part of the lost energy due to sliding */
  double chatter;       /* time within which a series of impacts counts as ended */
  double flight;        /* replaces `chatter` for the next series of rebounds only; 0: not used */
  double height;        /* latest end time of the flight for which `flight` has been computed */
  /* true: biases are not computed, because only velocities change afterwards */
  bool impulses_only;
  bool any_forces; /* accept forces that are not unique */
  /* scale of velocities: not less than the largest velocity of the last evaluation */
  double speed;
  double usual_speed;  /* minimum of the scale of velocities: see hk_event_scale */
  hk_direction *mover; /* [2 n] tangents of slow points */
  /* [2 n][2 n] accelerations along the tangents of `mover` that unit forces along them cause. All other
   * directions are held. */
  double *mobility;
  double *alone;            /* [2 n] diagonal of `mobility` if only the joints are constraints */
  hk_contact_row *at_stage; /* [3 n] contact points at the stages of an implicit step */
  double *newton;           /* matrix of an implicit step */
  double *u, *du;           /* velocities of slow points and their corrections */
  int n_slow;               /* number of slow points; 0: the step is explicit */
  const char *why;          /* a refusal while stepping */
  char text[700];
  double *block;
  int doubles; /* size of the block */
} hk_event_driven;

/* ---- contact_acceleration.c ---- */

/* Evaluates everything except contact forces at (t, q, v): gaps, directions, rates, biases, and z without contact
 * forces. */
hk_status hk_event_evaluate(hk_sim *s, hk_event_driven *e, double t, const double *q,
                            const double *v);
/* Computes the reference speed for events, which applies at the state x and in the step after
 * it. */
void hk_event_scale(const hk_model *m, hk_event_driven *e, const double *x);
/* Computes the velocities of the points for the velocities v; everything else must have been evaluated. */
void hk_event_rates(const hk_model *m, hk_event_driven *e, const double *v);
/* Computes the matrix of the constrained contact directions at the last evaluated motion. */
void hk_event_columns(hk_sim *s, hk_event_driven *e);
/* The direction k of point i; its normal force includes the friction of sliding. */
hk_direction hk_event_direction(const hk_event_driven *e, int i, int k);
/* Computes e->mobility of the slow points, two directions each, and returns their number. The columns are not changed. */
int hk_event_mobility(hk_sim *s, hk_event_driven *e);
/* Computes the forces of the closed contacts, and then z and the powers, which include these
 * forces. */
void hk_event_forces(hk_sim *s, hk_event_driven *e);
/* Calls the three functions above in sequence. */
hk_status hk_event_motion(hk_sim *s, hk_event_driven *e, double t, const double *q,
                          const double *v);
/* Projects the velocities of x onto the constraints of joints and closed contacts, along their force directions; the
 * columns must have been computed at x.  Returns the work that prescribed motions do in the projection. */
double hk_event_hold_velocity(hk_sim *s, hk_event_driven *e, double *x);
/* Projects q and v of x onto joints and closed contacts. */
hk_status hk_event_project(hk_sim *s, hk_event_driven *e, double *x);
/* W[k] . y without drift. */
static inline double hk_event_along(const hk_contact_row *r, int k, const double *y) {
  double sum = 0;
  for (int i = 0; i < r->na; i++) sum += r->W[k][i] * y[r->va + i];
  for (int i = 0; i < r->nb; i++) sum += r->W[k][6 + i] * y[r->vb + i];
  return sum;
}

/* ---- event_driven_indeterminate.c ---- */

hk_status hk_event_refuse(hk_event_driven *e, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
const char *hk_event_point_name(const hk_sim *s, const hk_event_driven *e, int i);
/* Rejects the motion if the contact forces of the present columns do not determine it uniquely. */
hk_status hk_event_unique(const hk_sim *s, hk_event_driven *e, double t);
/* Finds the sticking points of the present columns whose normal force is not unique, and sets their flag. */
void hk_event_find_open(hk_event_driven *e);
/* Reports, after the contact states are determined, if some of the marked points slide while others stick. */
void hk_event_doubt_slide(hk_sim *s, const hk_event_driven *e, double t);
/* Reports points that stick although they exceed their limits (f of hk_event_functions), because the normal forces
 * could be larger. */
void hk_event_doubt_hold(hk_sim *s, const hk_event_driven *e, const double *f);
/* Selects, of all equivalent forces in e->r, those farthest from the limits of friction. */
void hk_event_share(hk_event_driven *e);
/* Computes the accelerations along dependent directions that remain with the contact forces.
 * size: magnitude of the accelerations without contact forces. */
void hk_event_find_torn(hk_event_driven *e, double size);
/* Reports why no contact forces were found for the n listed points. */
hk_status hk_event_no_forces(hk_sim *s, hk_event_driven *e, int n, int dim, double t);

/* ---- event_driven_stick_slip.c ---- */

/* Call before a step of length h. Finds the points that slide so slowly that their directions must be unknowns. Keeps
 * the directions constant for the points that are about to come to rest. Returns the maximum length of the step. */
double hk_event_near_rest(hk_sim *s, hk_event_driven *e, double h);
/* The stages of an implicit step: see hk_event_integrate. */
hk_status hk_event_integrate_slow(hk_sim *s, hk_event_driven *e, double h);
/* Weights of the stages 0 to 3 in the local error of an implicit step. */
void hk_event_slow_error(double weight[4]);

/* ---- event_driven.c ---- */

/* Allocates the memory of the integrator; NULL: out of memory. */
hk_event_driven *hk_event_create(const hk_model *m);
void hk_event_destroy(hk_event_driven *e);
void hk_event_poison(hk_event_driven *e);
/* Reads the points from the state x; the energies of impacts are set to zero. */
void hk_event_load(const hk_model *m, hk_event_driven *e, const double *x);

/* Computes the stages of a step of length h from e->start; stage 0 is known already. The end of
 * the step is written into e->sum, e->q and e->v. */
hk_status hk_event_integrate(hk_sim *s, hk_event_driven *e, double h);
/* Computes state and motion at the time c h after the start, from the K of the first n stages, weighted by `a`. Stores
 * the K of this state as that of stage `to`. */
hk_status hk_event_stage(hk_sim *s, hk_event_driven *e, double h, double c, const double *a, int n,
                         int to);

/* ---- event_driven_locate.c ---- */

/* Event functions at the last evaluated motion; negative values are events: for an open point
 * the gap; for a closed one the normal force, and a second function: the friction limit minus
 * the friction if it sticks, the sliding velocity if it slides. */
void hk_event_functions(hk_sim *s, hk_event_driven *e, double *f, double *rate);
/* Returns true if there was an event in the last step of length *h. Then *h becomes the time of the event, and the
 * step is repeated up to this time. */
hk_status hk_event_find(hk_sim *s, hk_event_driven *e, double *h, bool *event);
/* Marks the points of the event. */
void hk_event_mark(const hk_sim *s, hk_event_driven *e);

/* ---- event_driven_mode.c ---- */

/* Determines the contact states if they are unknown: closes the contacts that touch, and computes the impacts of
 * contacts that approach. */
hk_status hk_event_begin(hk_sim *s, hk_event_driven *e, double *x);
/* Returns true if forces exist at the last evaluated motion with which all sticking points continue to stick. */
bool hk_event_can_stick(hk_sim *s, hk_event_driven *e);
/* After an event: impacts, closing of chatter, new contact states.  Leaves the motion at x evaluated. */
hk_status hk_event_pass(hk_sim *s, hk_event_driven *e, double *x);
#endif
