/* Channels: everything that can be recorded, measured and read by expressions.
 *
 * A channel belongs to an owner: a frame, a coordinate, a force, a joint, a contact point.  Each kind of owner has
 * one table of quantities with names, units and meanings.  The model's list of channels, names in expressions and
 * `hooke types` are generated from these tables.  Types of forces and laws add further quantities
 * (hk_force_ops.channel). */
#ifndef HK_SPEC_CHANNEL_H
#define HK_SPEC_CHANNEL_H
#include <hooke/element.h>
#include <string.h>

/* Kinds of owners; the comments say what hk_channel.index refers to. */
typedef enum hk_owner {
  HK_OF_TIME,
  HK_OF_FRAME,      /* markers */
  HK_OF_COORDINATE, /* coordinates */
  HK_OF_SENSOR,     /* sensors: expressions of channels */
  HK_OF_INPUT,      /* inputs */
  HK_OF_STATE,      /* states: value and rate */
  HK_OF_FORCE,      /* forces */
  HK_OF_JOINT,      /* constraints: their reactions */
  HK_OF_ROW,        /* rows of constraints: generalised forces of motions and couplings */
  HK_OF_CONTACT,    /* contact points */
  HK_OF_BODY,       /* nodes: loads on the bodies */
  HK_OF_COMPOSITE,  /* composite joints */
  HK_OF_ENERGY,
  HK_OF_SOLVER,
  HK_OF_DEFORMATION, /* markers of flexible bodies: of the body itself, or of an interface */
  HK_N_OWNERS
} hk_owner;

/* Data needed in addition to positions, velocities and time.  A channel that needs none of these can be read by
 * forces, with exact derivatives. */
enum {
  /* the channel needs a completed state at output, not an iterate within a step */
  HK_NEEDS_OUTPUT = 1,
  HK_NEEDS_ACCELERATIONS = 2, /* accelerations and multipliers */
  HK_NEEDS_LOADS = 4          /* the sums of forces on nodes */
};

typedef struct hk_owner_quantity {
  hk_quantity is;
  int component; /* component within the owner */
  unsigned needs;
  unsigned of; /* mask of the owners that have this quantity; 0: all owners */
} hk_owner_quantity;

/* Returns the table of an owner; empty if names are formed in another way (time, coordinates). */
const hk_owner_quantity *hk_owner_table(hk_owner owner, int *n);
/* Returns true if an owner has this quantity. is: mask of the kinds of the owner. */
static inline bool hk_owner_has(const hk_owner_quantity *line, unsigned is) {
  return !line->of || (line->of & is);
}

/* A coordinate has three channels: its value, rate and second derivative, with these suffixes. */
typedef struct hk_coordinate_quantity {
  /* units if the coordinate is a length and if it is an angle */
  const char *suffix, *unit[2], *doc;
  hk_show show;
  unsigned needs;
} hk_coordinate_quantity;
enum { HK_N_ORDERS = 3 };
extern const hk_coordinate_quantity hk_coordinate_table[HK_N_ORDERS];
/* Name of the coordinate of a force between two frames: "strut.length". */
static inline const char *hk_force_coordinate_name(const hk_force_ops *ops, bool angular) {
  return ops->coordinate_name ? ops->coordinate_name : angular ? "angle" : "length";
}

/* Channel of a row that is a sum of coordinates; with several rows the name contains the row: "effort_x". */
extern const hk_quantity hk_effort;

typedef struct hk_channel {
  const char *name, *unit, *doc;
  hk_owner owner;
  int index; /* index of the marker, coordinate, constraint, sensor, ..., depending on the owner */
  int component;
  unsigned needs; /* data needed; for a sensor, includes the data of all channels that it reads */
  hk_show show;
} hk_channel;

/* ---- components by owner ---- */

enum {
  HK_FRAME_X = 0, /* three components of each quantity, four of the quaternion */
  HK_FRAME_VX = 3,
  HK_FRAME_WX = 6,
  HK_FRAME_QW = 9,
  HK_FRAME_AX = 13,
  HK_FRAME_ALPHAX = 16
};
static inline bool hk_frame_quantity_turns(int component) {
  return (component >= HK_FRAME_WX && component < HK_FRAME_AX) || component >= HK_FRAME_ALPHAX;
}
/* Flexible bodies: mask of the channels of the body itself, and mask of the channels of its interfaces. */
enum { HK_OF_WHOLE = 1, HK_OF_INTERFACE = 2 };
enum {
  HK_DEFORMATION_ENERGY,
  HK_DEFORMATION_MOVED,      /* three components, body axes */
  HK_DEFORMATION_TURNED = 4, /* three components, body axes */
  HK_DEFORMATION_MODE = 7,   /* coordinate and rate of the first mode, of the second mode, ... */
  HK_DEFORMATION_RATE
};
/* Component of a line of the table for mode i; lines without modes have one component. */
static inline int hk_deformation_component(int line, int i) {
  return line < HK_DEFORMATION_MODE ? line : line + 2 * i;
}
enum { HK_COORDINATE_VALUE, HK_COORDINATE_RATE, HK_COORDINATE_ACC };

/* True for a line of a composite joint's table that belongs to its side `b`: "fx_b". */
static inline bool hk_is_of_side_b(const char *name) {
  size_t n = strlen(name);
  return n > 2 && strcmp(name + n - 2, "_b") == 0;
}

/* Forces: masks of their channels. */
enum {
  HK_ALONG_LENGTH = 1,
  HK_ALONG_ANGLE = 2,
  HK_BETWEEN_FRAMES = 4,
  HK_PAIR = 7, /* mask of the three kinds above, which act on a pair of frames */
  HK_FIELD = 8
};
static inline unsigned hk_force_channel_mask(bool field, bool along, bool angular) {
  if (field) return HK_FIELD;
  return !along ? HK_BETWEEN_FRAMES : angular ? HK_ALONG_ANGLE : HK_ALONG_LENGTH;
}
enum {
  HK_FORCE_ALONG, /* along the coordinate */
  HK_FORCE_SIZE,  /* forces between frames: magnitudes of force and moment on `b` */
  HK_FORCE_TORQUE,
  HK_FORCE_POWER,
  HK_FORCE_LOSS,
  HK_FORCE_ENERGY,
  HK_FORCE_FX,                       /* six components on `b`, world axes */
  HK_FORCE_OWN_FX = HK_FORCE_FX + 6, /* six components on `b`, local axes */
  HK_FORCE_OWN = HK_FORCE_OWN_FX + 6 /* channels of the type */
};

enum { HK_JOINT_FX = 0, HK_JOINT_OWN_FX = 6 };

/* Composite joints: these quantities on side `a`, then on side `b`.  Local axes are those of the side's
 * frame. */
enum {
  HK_SIDE_AXIAL, /* force along the z axis of the side's frame, and perpendicular to it */
  HK_SIDE_RADIAL,
  HK_SIDE_TORQUE, /* moment about z; perpendicular to z */
  HK_SIDE_SECONDARY,
  HK_SIDE_FX, /* six, world axes */
  HK_SIDE_OWN_FX = HK_SIDE_FX + 6,
  HK_N_SIDE = HK_SIDE_OWN_FX + 6
};

typedef enum hk_energy_term {
  HK_ENERGY_KINETIC,
  HK_ENERGY_POTENTIAL,
  HK_ENERGY_DISSIPATED,
  HK_ENERGY_MOTION_WORK,
  HK_ENERGY_APPLIED_WORK,
  HK_ENERGY_BALANCE_ERROR, /* kinetic + potential + dissipated - works - start */
  HK_N_ENERGY
} hk_energy_term;

/* Contacts: masks of their channels.  HK_CURVED: the law has a contact pressure. */
enum { HK_COMPLIANT = 1, HK_SET_VALUED = 2, HK_CURVED = 4 };
typedef enum hk_contact_term {
  HK_CONTACT_GAP,
  HK_CONTACT_NORMAL_FORCE,
  HK_CONTACT_FRICTION_FORCE,
  HK_CONTACT_SLIP,
  HK_CONTACT_POWER,
  HK_CONTACT_SLIDING_WORK,
  HK_CONTACT_ENERGY,
  HK_CONTACT_FX, /* three */
  HK_CONTACT_PRESSURE = HK_CONTACT_FX + 3,
  HK_CONTACT_HALF_T,
  HK_CONTACT_HALF_S,
  HK_CONTACT_IMPULSE,
  HK_CONTACT_APPROACH,
  HK_CONTACT_IMPACTS,
  HK_CONTACT_CLOSED,
  HK_CONTACT_CLOSED_TIME,
  HK_CONTACT_OWN /* channels of the law's type */
} hk_contact_term;

typedef enum hk_solver_term {
  HK_SOLVER_STEP,
  HK_SOLVER_NEWTON,
  HK_SOLVER_CONSTRAINT_ERROR,
  HK_SOLVER_VELOCITY_ERROR,
  HK_SOLVER_CONTACT_MERIT,
  HK_SOLVER_CONTACT_PIVOTS,
  HK_N_SOLVER
} hk_solver_term;
#endif
