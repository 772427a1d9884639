/* The checks, each of the type of a trial: conform.c says which categories they are meant for. */
#ifndef HK_CHECKS_H
#define HK_CHECKS_H
#include "conform/subject.h"

void hk_check_parameters(hk_trial *t); /* check_parameters.c */
void hk_check_jacobian(hk_trial *t);   /* check_constraint.c */
void hk_check_bias(hk_trial *t);
void hk_check_tangent(hk_trial *t); /* check_tangent.c; and of any model: */
void hk_check_tangent_model(hk_trial *t, const hk_model *m, const hk_type *type,
                            const hk_between *at);
/* The matrix at a moment; false: a kink is too near for differences to tell. */
bool hk_check_tangent_at(hk_trial *t, const hk_moment *s, const char *who);
void hk_check_balance(hk_trial *t); /* check_balance.c */
void hk_check_balance_at(hk_trial *t, const hk_moment *s, const char *who);
void hk_check_power_at(hk_trial *t, hk_moment *s, const char *who);
void hk_check_power(hk_trial *t);
void hk_check_invariance(hk_trial *t);
void hk_check_work(hk_trial *t); /* check_motion.c */
void hk_check_ledger(hk_trial *t);
/* A run with a fixed step, in which contacts may begin pressed. */
hk_sim *hk_check_sim(hk_trial *t, const hk_model *m, double h);
/* Largest error of the energy balance of such a run until `end`. */
double hk_check_balance_error(hk_trial *t, const hk_model *m, double h, double end, double *energy);
void hk_check_contact_tangent(hk_trial *t); /* check_contact.c: a gap with every law that fits */
void hk_check_contact_balance(hk_trial *t);
void hk_check_contact_power(hk_trial *t);
void hk_check_contact_ledger(hk_trial *t);
void hk_check_gap(hk_trial *t); /* check_gap.c */
void hk_check_finite(hk_trial *t);
void hk_check_law(hk_trial *t); /* check_law.c */
struct hk_line_ops;
void hk_check_line(hk_trial *t, const struct hk_line_ops *ops); /* check_line.c */
#endif
