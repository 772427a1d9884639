/* Evaluation of one force, shared by the force loop and the tangent loop. */
#ifndef HK_CORE_FORCE_H
#define HK_CORE_FORCE_H
#include "core/work.h"

typedef struct hk_force_result {
  hk_force_in in;
  hk_force_out out;
  hk_row J; /* gradient of the coordinate, if the force acts along one */
} hk_force_result;

/* Computes only r->in and r->J. */
void hk_force_input(const hk_work *w, const hk_force *force, const hk_instant *in,
                    hk_force_result *r);
/* Evaluates a force. w->variable must hold the values of the channels (hk_variables). r->out.failed: see
 * hk_force_out. */
void hk_force_evaluate(const hk_work *w, const hk_force *force, const hk_instant *in, bool tangent,
                       hk_force_result *r);
/* Forces that hk_forces_ahead evaluates with tangents. */
static inline bool hk_force_goes_ahead(const hk_force *f) { return f->b >= 0 && f->coordinate < 0; }
/* Force and moment on frame `a`, then on frame `b`, of an evaluated force; in world axes, about the
 * frame origins. */
typedef struct hk_action {
  int a, b; /* markers */
  double w[12];
} hk_action;
void hk_force_action(const hk_model *m, const hk_force *force, const hk_force_result *r,
                     hk_action *out);
/* Computes all channels of a force: HK_FORCE_OWN common channels, then the channels of its type. */
void hk_force_channels(const hk_work *w, const hk_force *force, const hk_instant *in, double *out);
/* Computes the potential energy of all masses in a field, and the power that the field delivers. */
void hk_field_energy(const hk_work *w, const hk_force *force, const hk_instant *in, double *energy,
                     double *power);
/* Stores a failure unless one is stored already; w->failure.item is NULL as long as there is
 * none. */
void hk_work_fail(hk_work *w, const hk_item *item, const char *what);
/* Computes the derivatives by finite differences, for a force type that provides no derivatives. On entry `out` holds
 * the force at `in`. */
void hk_force_differences(const hk_force *force, const hk_force_in *in, hk_force_out *out);
/* Magnitude of the reaction force of a joint: the norm of its multipliers on the rows with units
 * of length. */
double hk_joint_load(const hk_model *m, int constraint, const double *lambda);

/* Gradient of a channel that an expression may use, with respect to positions and velocities of
 * the nodes at its two ports, in node coordinates. Sensors with an expression are resolved into
 * the channels that they use: see hk_channel_leaves. */
typedef struct hk_channel_gradient {
  int a, b;                          /* markers */
  double *position[2], *velocity[2]; /* [widest] each */
} hk_channel_gradient;
/* Returns a gradient whose arrays are in the memory room[4 widest]. */
static inline hk_channel_gradient hk_channel_gradient_in(const hk_model *m, double *room) {
  int n = m->widest;
  return (hk_channel_gradient){-1, -1, {room, room + n}, {room + 2 * n, room + 3 * n}};
}
void hk_channel_leaf_gradient(const hk_work *w, int channel, const hk_instant *in,
                              hk_channel_gradient *out);
/* Computes the gradient of a channel of a force with hk_channel.needs = 0. */
void hk_force_channel_gradient(const hk_work *w, const hk_force *force, int component,
                               const hk_instant *in, hk_channel_gradient *out);
/* Computes d(rate)/d(position) of a coordinate at constant velocities of the nodes, in node
 * coordinates. Entries of ports on the ground are not written. */
void hk_rate_gradient(const hk_work *w, const hk_relation_type *type, const double *k, int a, int b,
                      const hk_row *J, double curvature[12][12], double *const out[2]);
#endif
