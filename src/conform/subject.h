/* A model around one item of any type, with random parameters.
 *
 * This is independent of particular types: values come from the parameter table, frames and coordinates from a small
 * test world of bodies and joints, and a draw that compilation refuses is repeated.  If no draw is accepted, the
 * check fails with the last refusal. */
#ifndef HK_CONFORM_SUBJECT_H
#define HK_CONFORM_SUBJECT_H
#include "conform/trial.h"
#include "core/work.h"
#include <hooke/sim.h>

/* The kind of body that a frame of the subject is on. */
typedef enum hk_side {
  HK_ON_BODY,
  HK_ON_GROUND,
  HK_ON_POINT,
  HK_ON_ROTOR,
  HK_ON_OTHER, /* see hk_world_other */
  HK_N_SIDES
} hk_side;
extern const char *const HK_SIDE_A[], *const HK_SIDE_B[];

typedef struct hk_between {
  hk_side a, b;
  bool rotors;   /* coordinates may be those of rotors */
  bool feedback; /* expressions read channels, otherwise time only */
} hk_between;

/* ---- test_world.c ---- */
void hk_world_build(hk_trial *t, hk_spec *spec);
/* A body type of another library whose node supports joints; NULL: the registry has no such type. */
const hk_type *hk_world_other(const hk_trial *t);
hk_item *hk_world_add(hk_trial *t, hk_spec *spec, hk_category category, const char *type,
                      const char *name);
/* Both functions add a body with a marker m at a random position; the second one adds a body of type hk_world_other. */
void hk_world_body(hk_trial *t, hk_spec *spec, const char *type, const char *name);
void hk_world_other_body(hk_trial *t, hk_spec *spec, const char *name);
/* Ties a body under test to the body "first" by a bushing, a point by a spring, so that forces act on it. */
hk_status hk_world_tie(hk_trial *t, hk_spec *spec, hk_item *body, hk_error *err);
void hk_world_inertia(hk_trial *t, hk_item *body, double size);

/* ---- draw_parameters.c ---- */
double hk_draw_real(hk_trial *t, const hk_param *p);
void hk_draw_reals(hk_trial *t, double *x, int count);
/* Writes a random expression for parameter p.  A parameter with two units uses the one of the item's coordinate. */
void hk_draw_expression(hk_trial *t, const hk_item *item, const hk_param *p, bool feedback,
                        char *text, size_t size);
const char *hk_draw_coordinate(hk_trial *t, bool rotors);
/* Draws random values for parameters that were not drawn before. Their realistic defaults, such
 * as the regularisation velocity of friction or the density of steel, are too small or too
 * large for test bodies of kilograms that move by metres per second. large = false: only
 * defaults that are too small are replaced. */
void hk_draw_soften(hk_trial *t, hk_item *item, bool large);
/* Sets either all frames or none, every required parameter and some of the optional parameters
 * to random values. */
hk_status hk_draw_item(hk_trial *t, hk_item *item, const hk_between *s, hk_error *err);

/* ---- subject.c ---- */
/* Draws until one is accepted.  Returns NULL if no draw with these sides is accepted; `why` gives the reason. */
hk_model *hk_subject_try(hk_trial *t, const hk_type *type, const hk_between *s, char why[1024]);
/* Same as hk_subject_try; a rejected subject makes the check fail. The second function draws a model with closed
 * joints. */
hk_model *hk_subject(hk_trial *t, const hk_type *type, const hk_between *s);
hk_model *hk_subject_closed(hk_trial *t, const hk_type *type, const hk_between *s);
/* A simulation of a model of the trial.  If it cannot start, the first function returns NULL with the reason, the
 * second makes the check fail. */
hk_sim *hk_subject_sim_try(hk_trial *t, const hk_model *m, const hk_sim_options *options,
                           hk_error *err);
hk_sim *hk_subject_sim(hk_trial *t, const hk_model *m, const hk_sim_options *options);
/* The value of channel "owner.what", which must exist; updates the simulation's output. */
double hk_subject_value(hk_trial *t, hk_sim *sim, const char *owner, const char *what);
/* Index of the subject's force, or -1. */
int hk_subject_force(const hk_model *m);
/* Returns true if a joint is always fixed to the ground: it cannot be tested between two free bodies. */
bool hk_subject_needs_ground(const hk_type *type);
/* Calls `check` for random models of the type on every pair of sides. A pair that the type
 * rejects is skipped; it is an error if the type rejects all pairs. */
typedef void hk_subject_check(hk_trial *t, const hk_model *m, const hk_type *type,
                              const hk_between *s);
void hk_subject_each(hk_trial *t, int draws, hk_subject_check *check);
/* Calls check this number of times, at least once for each variant that can be drawn between these sides. */
void hk_subject_repeat(hk_trial *t, int draws, uint64_t seed, const hk_between *s,
                       void (*check)(hk_trial *t, const hk_between *s));

/* ---- draw_state.c ---- */
/* A random state. */
typedef struct hk_check_state {
  const hk_model *model;
  hk_work *work;
  double t, h, *q, *v, *lambda, *turn, *memory, *block;
} hk_check_state;
/* Returns false if every draw is too close to a position at which an angle or distance is undefined. */
bool hk_check_state_try(hk_trial *t, const hk_model *m, hk_check_state *out);
hk_check_state hk_check_state_create(hk_trial *t, const hk_model *m);
void hk_check_state_free(hk_trial *t, hk_check_state *s);
hk_instant hk_check_state_instant(const hk_check_state *s);
/* The state as placed in the file. */
void hk_check_state_as_placed(hk_trial *t, hk_check_state *s);
/* Sets the internal variables of elements to their values for this state, as if it had lasted for an infinite time. */
void hk_check_state_begin(hk_trial *t, hk_check_state *s);
/* Returns true if all joints are closed there (except for motions). */
bool hk_check_state_is_closed(const hk_check_state *s);
/* Computes frames, constraints, bias and forces of the state in its work. */
void hk_check_state_evaluate(hk_trial *t, const hk_check_state *s, const double *q, const double *v,
                             const double *lambda, double time);
/* G as a dense [nc][nv] matrix. */
double *hk_check_state_jacobian(hk_trial *t, const hk_work *w);

/* ---- draw_variation.c ---- */
/* Applies the trial's rig after the subject has been placed. */
hk_status hk_rig_vary(hk_trial *t, hk_spec *spec, hk_item *subject, hk_error *err);

/* ---- draw_placement.c ---- */
/* Whether the type is a composite joint. */
bool hk_subject_is_composite(const hk_type *type);
/* Returns true if its frames need a certain relative position. */
bool hk_subject_is_staged(const hk_type *type);
/* Provides a law for the subject if it needs one, sizes that suit bodies of kilograms and metres, and places its
 * bodies.  The trial then has the stage. */
hk_status hk_stage_set(hk_trial *t, hk_spec *spec, hk_item *item, hk_error *err);
/* Returns true if any part of the subject acts in this state, which has been evaluated. `pressed`: one of its
 * contacts. */
bool hk_stage_acts(hk_trial *t, const hk_check_state *s, bool pressed);
/* Such a type is tested with every combination of its first two parameters that are choices
 * ("fidelity: lubricated"). The functions give the number of combinations, the choice of
 * parameter i in the present variant (-1: any), and a note about choices with which no model
 * was accepted. */
int hk_stage_variants(const hk_type *type);
int hk_stage_choice(const hk_trial *t, const hk_type *type, int i);
void hk_stage_note(const hk_trial *t, char *text, size_t size);
#endif
