/* What the numbers of a state mean, and the bodies with their poses at a state.
 *
 * A state (hk_sim_state_get) is an array of doubles.  Entry i of it has a name, a unit and a part to which it
 * belongs:
 *
 *   hk_state_entry e;
 *   for (int i = 0; i < hk_sim_state_count(sim); i++)
 *     if (hk_sim_state_entry(sim, i, &e) == HK_OK) printf("%d %s [%s]\n", i, e.name, e.unit);
 *
 * Positions and velocities of body i begin at hk_body_info.q and .v of the state.
 */
#ifndef HOOKE_STATE_H
#define HOOKE_STATE_H
#include <hooke/sim.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hk_state_part {
  HK_PART_TIME,
  HK_PART_POSITION,     /* coordinates of bodies and states: "arm.x", "arm.qw", "wheel.angle" */
  HK_PART_VELOCITY,     /* their rates, rotations in body axes: "arm.x.rate", "arm.rx.rate" */
  HK_PART_ACCELERATION, /* "arm.x.acceleration" */
  HK_PART_MULTIPLIER,   /* generalised forces of constraint rows: "hinge.point x.multiplier" */
  HK_PART_ANGLE,        /* angles counted without wrapping: "hinge.angle" */
  HK_PART_CONTACT,      /* what is kept of each contact point: "foot.impacts" */
  HK_PART_ENERGY,       /* work and losses since the start, and their powers */
  HK_PART_MEMORY,       /* what forces and laws of contact remember */
  HK_PART_INPUT,        /* hk_sim_input_set */
  HK_PART_STEPPER       /* past and bookkeeping of the stepper */
} hk_state_part;

typedef struct hk_state_entry {
  hk_state_part part;
  char name[256]; /* no two entries have the same */
  const char
      *unit; /* SI; "1" where dimensionless, "" where only the stepper or the element knows */
} hk_state_entry;

/* Number of doubles in a state. */
HK_API int hk_sim_state_count(const hk_sim *sim);
/* HK_EINPUT where there is no such entry. */
HK_API hk_status hk_sim_state_entry(const hk_sim *sim, int i, hk_state_entry *out);
/* Offset of the entry of this name; -1: there is none. */
HK_API int hk_sim_state_find(const hk_sim *sim, const char *name);

typedef struct hk_body_info {
  const char *name, *type; /* live as long as the model */
  double mass;             /* [kg]; 0 of a rotor that was given none */
  hk_vec3 center;          /* of mass, from the body's origin in body axes */
  double inertia[3][3];    /* about the centre of mass, body axes [kg m^2] */
  int q, nq, v, nv;        /* where its positions and velocities begin in the state, and how many */
} hk_body_info;

/* All bodies, those inside composite joints too; the ground is none of them. */
HK_API int hk_model_body_count(const hk_model *model);
HK_API hk_status hk_model_body_info(const hk_model *model, int i, hk_body_info *out);
HK_API int hk_model_body_find(const hk_model *model, const char *name); /* -1: none */

/* A body's own frame: origin and axes, and how they move, in world axes. */
typedef struct hk_body_pose {
  hk_vec3 position;
  hk_quat orientation;
  hk_vec3 velocity, angular_velocity;
} hk_body_pose;

/* At a state, as hk_sim_state_get gives it; NULL: as the bodies stand in the model file, before assembly.
 * HK_EINPUT where there is no such body or it carries no frame. */
HK_API hk_status hk_model_body_pose(const hk_model *model, int i, const void *state,
                                    hk_body_pose *out);
/* ... at the simulation's own. */
HK_API hk_status hk_sim_body_pose(const hk_sim *sim, int i, hk_body_pose *out);

#ifdef __cplusplus
}
#endif
#endif
