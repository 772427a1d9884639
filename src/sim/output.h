/* Reading channels at the current state: one function for each kind of owner (spec/channel.h). */
#ifndef HK_SIM_OUTPUT_H
#define HK_SIM_OUTPUT_H
#include "core/instant.h"
#include "sim/sim.h"

/* State of one pass over the channels. Values that all channels of an owner need are kept until the next owner, because
 * the channels of an owner follow each other. */
typedef struct hk_reading {
  hk_sim *sim;
  hk_instant in;
  const double *lambda;        /* the reactions for output: see hk_least_reactions */
  int joint, force, composite; /* owner of the values below; -1: none */
  double reaction[12];
  double force_value[HK_FORCE_OWN + HK_MAX_OWN_CHANNELS];
  double composite_value[2 * HK_N_SIDE];
} hk_reading;

/* Computes s->out.vd and s->out.lambda at the state of the simulation, unless they are known. HK_RETRY: they cannot be
 * computed, and the values stored in the state are used. */
hk_status hk_output_accelerations(hk_sim *s, hk_error *err);
/* Returns the reported multipliers at the state with frames and constraints in `work`: s->out.lambda,
 * or, for redundant rows, the multipliers of minimum norm. */
hk_status hk_least_reactions(hk_sim *s, const hk_instant *in, const double **out, hk_error *err);

double hk_output_joint(hk_reading *r, int constraint, int component);
double hk_output_force(hk_reading *r, int force, int component);
double hk_output_contact(hk_reading *r, int point, int term);
double hk_output_composite(hk_reading *r, int composite, int component);

/* Action of a contact point: force and couple that act on `b` at this point; the opposite acts on `a`. For a gap
 * between coordinates: the force along a row. For set-valued laws: mean values over the last step. */
typedef struct hk_touching {
  hk_vec3 at, force, couple;
  hk_row row;
} hk_touching;
void hk_output_touching(const hk_sim *s, const hk_contact *c, int point, hk_touching *out);
/* Adds the action of contacts with set-valued laws, at the points in s->out.point, to
 * s->out.load. */
void hk_output_rigid_loads(hk_sim *s);

static inline double hk_part(hk_vec3 v, int i) { return i == 0 ? v.x : i == 1 ? v.y : v.z; }
#endif
