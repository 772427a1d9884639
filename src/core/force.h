/* Evaluation of one force, shared by the force loop and the tangent loop. */
#ifndef HK_CORE_FORCE_H
#define HK_CORE_FORCE_H
#include "core/work.h"

typedef struct hk_force_result {
  hk_force_in in;
  hk_force_out out;
  hk_row J;                   /* gradient of the coordinate, where one is bound */
} hk_force_result;

/* r->in and r->J alone. */
void hk_force_input(const hk_work *w, const hk_force *force, const hk_instant *in,
                    hk_force_result *r);
/* w->variable must hold the channels' values (hk_variables).  r->out.failed: see hk_force_out. */
void hk_force_evaluate(const hk_work *w, const hk_force *force, const hk_instant *in, bool tangent,
                       hk_force_result *r);
/* What a force that has been evaluated exerts: force and moment on the frame a, then on b, world axes,
 * about their origins. */
typedef struct hk_action {
  int a, b; /* markers */
  double w[12];
} hk_action;
void hk_force_action(const hk_model *m, const hk_force *force, const hk_force_result *r,
                     hk_action *out);
/* All channels of a force: [HK_FORCE_OWN], then those of its type. */
void hk_force_channels(const hk_work *w, const hk_force *force, const hk_instant *in, double *out);
/* Potential energy of all masses in a field, and the power it gives to them. */
void hk_field_energy(const hk_work *w, const hk_force *force, const hk_instant *in, double *energy,
                     double *power);
/* Keeps the first failure since w->failure.item was cleared. */
void hk_work_fail(hk_work *w, const hk_item *item, const char *what);
/* The derivatives of a force whose eval gives none: `out` holds its force at `in`. */
void hk_force_differences(const hk_force *force, const hk_force_in *in, hk_force_out *out);
/* Reaction force of a joint: length of its multipliers on length rows. */
double hk_joint_load(const hk_model *m, int constraint, const double *lambda);

/* Gradient of a channel that an expression may use, with respect to places and velocities of the nodes
 * behind its two ports, in their coordinates.  Sensors of expressions are not leaves: see
 * hk_channel_leaves. */
typedef struct hk_channel_gradient {
  int a, b; /* markers */
  double position[2][HK_NODE_MAX], velocity[2][HK_NODE_MAX];
} hk_channel_gradient;
void hk_channel_leaf_gradient(const hk_work *w, int channel, const hk_instant *in,
                              hk_channel_gradient *out);
/* The same of a channel that needs nothing (hk_channel.needs) of a force. */
void hk_force_channel_gradient(const hk_work *w, const hk_force *force, int component,
                               const hk_instant *in, hk_channel_gradient *out);
/* d rate/d place of a coordinate at constant velocities of the nodes, in their coordinates; untouched on
 * the ground. */
void hk_rate_gradient(const hk_work *w, const hk_relation_type *type, const double *k, int a, int b,
                      const hk_row *J, double curvature[12][12], double out[2][HK_NODE_MAX]);
#endif
