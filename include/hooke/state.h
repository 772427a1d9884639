/* Meaning of the entries of a state, and the poses of bodies at a state.
 *
 * A state (hk_sim_state_get) is an array of doubles.  Each entry has a name, a unit and belongs to a part:
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
  HK_PART_POSITION, /* coordinates of bodies and states: "arm.x", "arm.qw", "wheel.angle" */
  /* rates of these coordinates, rotations in body axes: "arm.x.rate", "arm.rx.rate" */
  HK_PART_VELOCITY,
  HK_PART_ACCELERATION, /* "arm.x.acceleration" */
  HK_PART_MULTIPLIER,   /* generalised forces of constraint rows: "hinge.point x.multiplier" */
  HK_PART_ANGLE,        /* angles counted without wrapping: "hinge.angle" */
  HK_PART_CONTACT,      /* data of each contact point: "foot.impacts" */
  HK_PART_ENERGY,       /* work and losses since the start, and their powers */
  HK_PART_MEMORY,       /* internal variables of forces and contact laws */
  HK_PART_INPUT,        /* hk_sim_input_set */
  HK_PART_STEPPER,      /* history and internal data of the stepper */
  HK_PART_FMU           /* states of FMUs, as they save them */
} hk_state_part;

typedef struct hk_state_entry {
  hk_state_part part;
  char name[256];   /* unique */
  const char *unit; /* SI; "1": dimensionless; "": internal to the stepper or element */
} hk_state_entry;

/* Number of doubles in a state. */
HK_API int hk_sim_state_count(const hk_sim *sim);
/* Fills *out with the description of entry i.  HK_EINPUT: no such entry. */
HK_API hk_status hk_sim_state_entry(const hk_sim *sim, int i, hk_state_entry *out);
/* Index of the entry with this name; -1: none. */
HK_API int hk_sim_state_find(const hk_sim *sim, const char *name);

/* Computes the difference of two states of a simulation: the displacement of the positions from `from` to `to`
 * (rotations by the logarithm of the rotation group, in body axes), followed by the difference of the velocities, out[2
 * nv]; nv: hk_model_velocity_count. */
HK_API hk_status hk_sim_state_difference(const hk_sim *sim, const void *from, const void *to,
                                         double *out);
/* The inverse of hk_sim_state_difference: changes positions and velocities of a state by d[2 nv]. The
 * rest of the state is unchanged, and joints may open: see hk_sim_project. */
HK_API hk_status hk_sim_state_move(const hk_sim *sim, void *state, const double *d);

typedef struct hk_body_info {
  const char *name, *type; /* live as long as the model */
  double mass;             /* [kg]; 0: a rotor without a given mass */
  hk_vec3 center;          /* centre of mass, from the body's origin in body axes */
  double inertia[3][3];    /* inertia about the centre of mass, in body axes [kg m^2] */
  /* offsets of the body's positions and velocities in the state, and their numbers */
  int q, nq, v, nv;
} hk_body_info;

/* Number of bodies, including parts of composite joints, without the ground. */
HK_API int hk_model_body_count(const hk_model *model);
HK_API hk_status hk_model_body_info(const hk_model *model, int i, hk_body_info *out);
HK_API int hk_model_body_find(const hk_model *model, const char *name); /* -1: none */

/* The frame of a body: origin, orientation and their velocities, in world axes. */
typedef struct hk_body_pose {
  hk_vec3 position;
  hk_quat orientation;
  hk_vec3 velocity, angular_velocity;
} hk_body_pose;

/* Computes the pose at a state of hk_sim_state_get; state NULL: the initial position of the model
 * file, before assembly.  HK_EINPUT: no such body, or the body has no frame. */
HK_API hk_status hk_model_body_pose(const hk_model *model, int i, const void *state,
                                    hk_body_pose *out);
/* Computes the pose at the present state of a simulation. */
HK_API hk_status hk_sim_body_pose(const hk_sim *sim, int i, hk_body_pose *out);

#ifdef __cplusplus
}
#endif
#endif
