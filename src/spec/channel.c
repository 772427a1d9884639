/* The tables of channels: see channel.h. */
#include "spec/channel.h"

#define OUT HK_NEEDS_OUTPUT
#define ACC (HK_NEEDS_OUTPUT | HK_NEEDS_ACCELERATIONS)
#define LOAD (HK_NEEDS_OUTPUT | HK_NEEDS_LOADS)
#define DETAIL HK_SHOW_DETAIL

/* Three lines of the table of channels: the components x, y, z, with the indices first, first + 1, first + 2. */
#define XYZ(prefix, unit, doc, show, first, needs, of)           \
  {{prefix "x", unit, doc, show}, (first), needs, of},           \
      {{prefix "y", unit, doc, show}, (first) + 1, needs, of}, { \
    {prefix "z", unit, doc, show}, (first) + 2, needs, of        \
  }

static const hk_owner_quantity frame_table[] = {
    XYZ("", "m", "position", 0, HK_FRAME_X, 0, 0),
    XYZ("v", "m/s", "velocity", 0, HK_FRAME_VX, 0, 0),
    XYZ("w", "rad/s", "angular velocity, world axes", 0, HK_FRAME_WX, 0, 0),
    {{"qw", "1", "orientation quaternion", DETAIL}, HK_FRAME_QW, OUT},
    XYZ("q", "1", "orientation quaternion", DETAIL, HK_FRAME_QW + 1, OUT, 0),
    XYZ("a", "m/s^2", "acceleration", DETAIL, HK_FRAME_AX, ACC, 0),
    XYZ("alpha", "rad/s^2", "angular acceleration, world axes", DETAIL, HK_FRAME_ALPHAX, ACC, 0),
};

/* Channels named like their items: an empty name means the name of the item. */
static const hk_owner_quantity sensor_table[] = {{{"", "as given", "sensor"}, 0, 0}};
static const hk_owner_quantity input_table[] = {{{"", "as given", "input"}, 0, 0}};
static const hk_owner_quantity state_table[] = {
    {{"", "as given", "state"}, 0, 0},
    {{"rate", "as given, per s", "rate of a state"}, 1, 0},
};

static const hk_owner_quantity force_table[] = {
    {{"force", "N",
      "force along its coordinate; > 0 increases the coordinate, pushes the ends apart"},
     HK_FORCE_ALONG,
     0,
     HK_ALONG_LENGTH},
    {{"torque", "N*m", "torque along its angle; > 0 increases the angle"},
     HK_FORCE_ALONG,
     0,
     HK_ALONG_ANGLE},
    {{"force", "N", "magnitude of the force"}, HK_FORCE_SIZE, 0, HK_BETWEEN_FRAMES},
    {{"torque", "N*m", "magnitude of the moment on b"}, HK_FORCE_TORQUE, 0, HK_BETWEEN_FRAMES},
    {{"power", "W", "power given to the bodies"}, HK_FORCE_POWER, OUT},
    {{"loss", "W", "power lost in damping or friction"}, HK_FORCE_LOSS, OUT, HK_PAIR},
    {{"energy", "J", "stored energy"}, HK_FORCE_ENERGY, OUT},
    XYZ("f", "N", "force on b, world axes", DETAIL, HK_FORCE_FX, 0, HK_PAIR),
    XYZ("t", "N*m", "moment on b about its origin, world axes", DETAIL, HK_FORCE_FX + 3, 0,
        HK_PAIR),
    XYZ("local_f", "N", "force on b, local axes of b", DETAIL, HK_FORCE_OWN_FX, 0, HK_PAIR),
    XYZ("local_t", "N*m", "moment on b about its origin, local axes of b", DETAIL,
        HK_FORCE_OWN_FX + 3, 0, HK_PAIR),
};

static const hk_owner_quantity joint_table[] = {
    XYZ("f", "N", "joint force on b, world axes", 0, HK_JOINT_FX, ACC, 0),
    XYZ("t", "N*m", "joint moment on b about the joint, world axes", 0, HK_JOINT_FX + 3, ACC, 0),
    XYZ("local_f", "N", "joint force on b, local axes of the joint", DETAIL, HK_JOINT_OWN_FX, ACC,
        0),
    XYZ("local_t", "N*m", "joint moment on b about the joint, local axes of the joint", DETAIL,
        HK_JOINT_OWN_FX + 3, ACC, 0),
};

static const hk_owner_quantity contact_table[] = {
    {{"gap", "m", "gap between the surfaces; < 0: penetration"}, HK_CONTACT_GAP, OUT},
    {{"normal_force", "N", "normal force"}, HK_CONTACT_NORMAL_FORCE, OUT},
    {{"friction_force", "N", "magnitude of the friction force"}, HK_CONTACT_FRICTION_FORCE, OUT},
    {{"slip", "m/s", "sliding speed while touching"}, HK_CONTACT_SLIP, OUT},
    {{"power", "W", "power lost"}, HK_CONTACT_POWER, OUT},
    {{"sliding_work", "J", "energy lost in sliding since the start"}, HK_CONTACT_SLIDING_WORK, OUT},
    {{"energy", "J", "stored energy", DETAIL}, HK_CONTACT_ENERGY, OUT, HK_COMPLIANT},
    XYZ("f", "N", "force on b, world axes", DETAIL, HK_CONTACT_FX, OUT, 0),
    {{"pressure", "Pa", "maximum contact pressure"}, HK_CONTACT_PRESSURE, OUT, HK_CURVED},
    {{"semi_axis_t", "m", "semi-axis of the contact ellipse"}, HK_CONTACT_HALF_T, OUT, HK_CURVED},
    {{"semi_axis_s", "m", "semi-axis of the contact ellipse"}, HK_CONTACT_HALF_S, OUT, HK_CURVED},
    {{"impulse", "N*s", "normal impulse of the last step"}, HK_CONTACT_IMPULSE, OUT, HK_SET_VALUED},
    {{"approach_velocity", "m/s", "approach velocity of the last impact"},
     HK_CONTACT_APPROACH,
     OUT},
    {{"impacts", "1", "number of impacts since the start"}, HK_CONTACT_IMPACTS, OUT},
    {{"closed", "1", "1 in contact, else 0"}, HK_CONTACT_CLOSED, OUT},
    {{"closed_time", "s", "time in contact since the start"}, HK_CONTACT_CLOSED_TIME, OUT},
};

static const hk_owner_quantity body_table[] = {
    XYZ("load_f", "N", "force of contacts and forces, without gravity", DETAIL, 0, LOAD, 0),
    XYZ("load_t", "N*m", "moment of contacts and forces about the centre of mass", DETAIL, 3, LOAD,
        0),
};

/* Lines with "[i]" are repeated for every mode, from 1. */
static const hk_owner_quantity deformation_table[] = {
    {{"elastic_energy", "J", "energy of the deformation", DETAIL},
     HK_DEFORMATION_ENERGY,
     OUT,
     HK_OF_WHOLE},
    {{"mode[i]", "m", "coordinate of a mode: root mean square of its displacement", DETAIL},
     HK_DEFORMATION_MODE,
     0,
     HK_OF_WHOLE},
    {{"mode_rate[i]", "m/s", "rate of the coordinate of a mode", HK_SHOW_INSIDE},
     HK_DEFORMATION_RATE,
     0,
     HK_OF_WHOLE},
    XYZ("deflection_", "m", "displacement by deformation, axes of the body", DETAIL,
        HK_DEFORMATION_MOVED, OUT, HK_OF_INTERFACE),
    XYZ("rotation_", "rad", "rotation vector of the deformation, axes of the body", DETAIL,
        HK_DEFORMATION_TURNED, OUT, HK_OF_INTERFACE),
};

/* Three lines of one side of a composite joint. */
#define SIDE_XYZ(s, prefix, unit, doc, first)                   \
  {{prefix "x_" s, unit, doc, DETAIL}, (first), OUT},           \
      {{prefix "y_" s, unit, doc, DETAIL}, (first) + 1, OUT}, { \
    {prefix "z_" s, unit, doc, DETAIL}, (first) + 2, OUT        \
  }
#define SIDE(s, first)                                                                           \
  {{"axial_force_" s, "N", "force on " s " along its z axis"}, (first) + HK_SIDE_AXIAL, OUT},    \
      {{"radial_force_" s, "N", "magnitude of the force on " s " across its z axis"},            \
       (first) + HK_SIDE_RADIAL,                                                                 \
       OUT},                                                                                     \
      {{"torque_" s, "N*m", "moment on " s " about its z axis"}, (first) + HK_SIDE_TORQUE, OUT}, \
      {{"secondary_torque_" s, "N*m", "magnitude of the moment on " s " across its z axis"},     \
       (first) + HK_SIDE_SECONDARY,                                                              \
       OUT},                                                                                     \
      SIDE_XYZ(s, "f", "N", "force on " s ", world axes", (first) + HK_SIDE_FX),                 \
      SIDE_XYZ(s, "t", "N*m", "moment on " s " about its origin, world axes",                    \
               (first) + HK_SIDE_FX + 3),                                                        \
      SIDE_XYZ(s, "local_f", "N", "force on " s ", its local axes", (first) + HK_SIDE_OWN_FX),   \
      SIDE_XYZ(s, "local_t", "N*m", "moment on " s " about its origin, its local axes",          \
               (first) + HK_SIDE_OWN_FX + 3)

static const hk_owner_quantity composite_table[] = {SIDE("a", 0), SIDE("b", HK_N_SIDE)};

static const hk_owner_quantity energy_table[] = {
    {{"kinetic", "J", "kinetic energy"}, HK_ENERGY_KINETIC, OUT},
    {{"potential", "J", "potential energy of gravity and springs"}, HK_ENERGY_POTENTIAL, OUT},
    {{"dissipated", "J", "energy lost in dampers and friction"}, HK_ENERGY_DISSIPATED, OUT},
    {{"motion_work", "J", "work done by prescribed motions"}, HK_ENERGY_MOTION_WORK, OUT},
    {{"applied_work", "J", "work done by applied loads and actuators"},
     HK_ENERGY_APPLIED_WORK,
     OUT},
    {{"balance_error", "J", "kinetic + potential + dissipated - work - energy at the start"},
     HK_ENERGY_BALANCE_ERROR,
     OUT},
};

static const hk_owner_quantity solver_table[] = {
    {{"step", "s", "step size", DETAIL}, HK_SOLVER_STEP, OUT},
    {{"newton", "1", "Newton iterations since the start", DETAIL}, HK_SOLVER_NEWTON, OUT},
    {{"constraint_error", "1", "largest violation of a joint, in m or rad", DETAIL},
     HK_SOLVER_CONSTRAINT_ERROR,
     OUT},
    {{"velocity_error", "1", "largest violation of a joint's velocity, in m/s or rad/s", DETAIL},
     HK_SOLVER_VELOCITY_ERROR,
     OUT},
    {{"contact_merit", "1", "relative residual of the contact equations", DETAIL},
     HK_SOLVER_CONTACT_MERIT,
     OUT,
     HK_SET_VALUED},
    {{"contact_pivots", "1", "pivots of the contact solver since the start", DETAIL},
     HK_SOLVER_CONTACT_PIVOTS,
     OUT,
     HK_SET_VALUED},
};

const hk_coordinate_quantity hk_coordinate_table[HK_N_ORDERS] = {
    {"", {"m", "rad"}, "coordinate", HK_SHOW_FIRST, 0},
    {"_rate", {"m/s", "rad/s"}, "its rate", HK_SHOW_FIRST, 0},
    {"_acc", {"m/s^2", "rad/s^2"}, "its second derivative", DETAIL, ACC},
};

const hk_quantity hk_effort = {
    "effort", "N or N*m",
    "generalised force along the coordinate (or weighted sum of coordinates)"};

#define TABLE(t) \
  { t, (int)(sizeof(t) / sizeof((t)[0])) }

const hk_owner_quantity *hk_owner_table(hk_owner owner, int *n) {
  static const struct {
    const hk_owner_quantity *line;
    int n;
  } table[HK_N_OWNERS] = {
      [HK_OF_FRAME] = TABLE(frame_table),   [HK_OF_FORCE] = TABLE(force_table),
      [HK_OF_JOINT] = TABLE(joint_table),   [HK_OF_CONTACT] = TABLE(contact_table),
      [HK_OF_BODY] = TABLE(body_table),     [HK_OF_COMPOSITE] = TABLE(composite_table),
      [HK_OF_ENERGY] = TABLE(energy_table), [HK_OF_SOLVER] = TABLE(solver_table),
      [HK_OF_SENSOR] = TABLE(sensor_table), [HK_OF_INPUT] = TABLE(input_table),
      [HK_OF_STATE] = TABLE(state_table),   [HK_OF_DEFORMATION] = TABLE(deformation_table),
  };
  *n = table[owner].n;
  return table[owner].line;
}
