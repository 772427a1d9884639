/* The checks, each for the type of a trial: conform.c assigns them to categories. */
#ifndef HK_CONFORM_CHECKS_H
#define HK_CONFORM_CHECKS_H
#include "conform/subject.h"

void hk_check_parameters(hk_trial *t); /* check_parameters.c */
void hk_check_jacobian(hk_trial *t);   /* check_constraint.c */
void hk_check_bias(hk_trial *t);
void hk_check_tangent(hk_trial *t); /* check_tangent.c; the next function is for any model: */
void hk_check_tangent_model(hk_trial *t, const hk_model *m, const hk_type *type,
                            const hk_between *at);
/* Tests the matrix at an instant; false: a kink is too near for differences. */
bool hk_check_tangent_at(hk_trial *t, const hk_check_state *s, const char *who);
void hk_check_balance(hk_trial *t); /* check_balance.c */
void hk_check_balance_at(hk_trial *t, const hk_check_state *s, const char *who);
void hk_check_power_at(hk_trial *t, hk_check_state *s, const char *who);
void hk_check_power(hk_trial *t);
void hk_check_invariance(hk_trial *t);
void hk_check_work(hk_trial *t); /* check_motion.c */
void hk_check_ledger(hk_trial *t);
void hk_check_restart(hk_trial *t);                      /* check_restart.c */
void hk_check_step(hk_trial *t);                         /* check_step.c */
void hk_check_load_path(hk_trial *t);                    /* check_load_path.c */
void hk_check_known(hk_trial *t);                        /* check_known.c */
void hk_check_places(hk_trial *t, const hk_between *at); /* check_symmetry.c */
bool hk_check_stands_in_world(const hk_model *m); /* the subject acts in the axes of the model */
/* Returns true if one of the laws of the model acts before contact. At the centre of a bore the direction of the force
 * of such a law is undefined. */
bool hk_check_reaches(const hk_model *m);
void hk_check_order(hk_trial *t); /* check_integrator.c */
void hk_check_tolerance(hk_trial *t);
void hk_check_dense(hk_trial *t);
void hk_check_future(hk_trial *t);
void hk_check_allocation(hk_trial *t);
void hk_check_contact_path(hk_trial *t);             /* check_contact_path.c */
void hk_check_channels(hk_trial *t, hk_sim *sim);    /* check_channels.c */
void hk_check_alarm(hk_trial *t, const hk_model *m); /* check_alarm.c */
/* All angles stay clearly below 180 degrees during a run. */
#define HK_MILD_TURN 0.4
/* Creates a simulation with a fixed step. Parameters are drawn until the model with these two sides can be assembled. */
hk_sim *hk_check_moving(hk_trial *t, const hk_between *at, hk_model **model);
/* Creates a simulation with a fixed step; contacts may be closed at the start. */
hk_sim *hk_check_sim(hk_trial *t, const hk_model *m, double h);
/* Largest error of the energy balance of such a run until `end`. */
double hk_check_balance_error(hk_trial *t, const hk_model *m, double h, double end, double *energy);
/* Tests that this error decreases with the square of the step. */
void hk_check_closes(hk_trial *t, const hk_model *m, double end, const char *who);
/* Returns true if a run reaches its end without a jump of a gap. A gap jumps if a ball is pushed over the edge of a
 * flank, for which no energy is defined. */
bool hk_check_runs(hk_trial *t, const hk_model *m, double h, double end, hk_error *err);
void hk_check_contact_tangent(hk_trial *t); /* check_contact.c: a gap with every suitable law */
void hk_check_contact_balance(hk_trial *t);
void hk_check_contact_power(hk_trial *t);
void hk_check_contact_ledger(hk_trial *t);
void hk_check_gap(hk_trial *t); /* check_gap.c */
void hk_check_finite(hk_trial *t);
void hk_check_law(hk_trial *t); /* check_law.c */
struct hk_line_ops;
void hk_check_line(hk_trial *t, const struct hk_line_ops *ops); /* check_line.c */
/* check_momentum.c: runs the model with this integrator (NULL: auto) at rtol 1e-12.  Returns the momentum that its bodies
 * exchanged; 0: there was no run. */
double hk_check_momentum(hk_trial *t, const hk_model *m, const char *stepper, const char *who);
#endif
