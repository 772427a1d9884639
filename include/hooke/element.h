/* Functions that a type provides, by category.  Elements receive frames (frame.h) and scalars; they do not access bodies,
 steppers or matrices.
 */
#ifndef HOOKE_ELEMENT_H
#define HOOKE_ELEMENT_H
#include <hooke/param.h>
#include <hooke/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- channels ---- */

/* Rank of a channel in listings: primary quantity; component or derivative; internal quantity of a composite joint. */
typedef enum hk_show { HK_SHOW_FIRST, HK_SHOW_DETAIL, HK_SHOW_INSIDE, HK_N_SHOW } hk_show;

/* One line of a table of channels. The channel is named after the item: "strut.force". A name that contains "[i]"
 * stands for several channels, "mesh.pair[0].load", ...; the function `repeats` returns their number. Such lines must
 * be at the end of the table; the values of repetition 0 come first, then those of repetition 1, and so on. */
typedef struct hk_quantity {
  const char *name, *unit, *doc;
  hk_show show;
} hk_quantity;
#define HK_CHANNELS(table) .channel = table, .n_channels = (int)(sizeof(table) / sizeof((table)[0]))
enum { HK_MAX_OWN_CHANNELS = 640 };

/* ---- bodies ---- */

/* Kinds of coordinates of a body. Each body has one of the following kinds. */
typedef struct hk_node_type hk_node_type;
HK_API extern const hk_node_type hk_node_rigid; /* six coordinates */
HK_API extern const hk_node_type hk_node_point; /* three */
HK_API extern const hk_node_type hk_node_rotor; /* one angle about a fixed axis */
/* three translations; the rotation is a prescribed function of time */
HK_API extern const hk_node_type hk_node_guided;

/* First member of the parameter struct of every body. */
typedef struct hk_body_common {
  hk_vec3 position; /* position of the body's origin, world axes */
  hk_quat orientation;
  hk_vec3 velocity;         /* velocity of the body's origin */
  hk_vec3 angular_velocity; /* world axes */
  int fixed;                /* coordinates held during assembly: hk_fixed */
} hk_body_common;
typedef enum hk_fixed {
  HK_FIXED_NONE,
  HK_FIXED_POSITION,
  HK_FIXED_ORIENTATION,
  HK_FIXED_ALL
} hk_fixed;

typedef struct hk_mass_properties {
  double mass;
  hk_vec3 center;    /* centre of mass, body axes from the body's origin */
  double inertia[6]; /* about the centre, body axes: xx yy zz xy xz yz (matrix elements) */
  /* Rotors only: */
  hk_vec3 axis;       /* body axes; zero: z */
  double angle, rate; /* initial angle and angular velocity */
} hk_mass_properties;

/* A marker that a body type defines, such as the ends of a rod. */
typedef struct hk_builtin_marker {
  const char *name;
  hk_vec3 at;
} hk_builtin_marker;

typedef struct hk_body_ops {
  const hk_node_type *node;
  hk_status (*mass)(const hk_item *item, hk_mass_properties *out, hk_error *err);
  /* Fills at most 6 markers and returns their number; NULL: no markers. */
  int (*markers)(const hk_item *item, hk_builtin_marker *out);
  /* Guided bodies: R = R0 Rx(tilt) Rz(spin), both functions of time. */
  void (*guide)(const hk_item *item, const hk_expr *angle[2]);
  /* Rotors whose inertia depends on their angle: J, dJ/dangle, d2J/dangle2; NULL: constant. */
  void (*inertia)(const void *data, double angle, double J[3]);
  /* Rotors: a second coordinate that is a function of the angle, named "body.name"; NULL: none. */
  const hk_relation_type *(*follower)(const hk_item *item, const char **name, double *k);
  /* For types with any number of markers, instead of `markers`: writes marker i into *out. Returns false if the item
   * has no marker i. */
  bool (*marker)(const hk_item *item, int i, hk_builtin_marker *out);
} hk_body_ops;

/* ---- shapes of bodies ---- */

/* First member of the parameter struct of every shape. */
typedef struct hk_shape_common {
  const char *body; /* or "ground" */
  hk_vec3 offset;
  hk_quat rotation;
  const char *color;
} hk_shape_common;

/* ---- joints and motions ---- */

/* First member of the parameter struct of every joint. The joint frames are the frames `a` and `b`; if `at` or `axis`
 * is given, both joint frames are the same frame in world axes, fixed to the bodies in the initial position of the
 * model file. */
typedef struct hk_joint_common {
  const char *a, *b;
  hk_vec3 at;
  hk_vec3 axis, x_axis;
} hk_joint_common;

/* Collects the relations of a joint; argument of hk_joint_ops.build. */
typedef struct hk_joint_builder hk_joint_builder;
struct hk_joint_builder {
  const hk_item *item;
  const hk_frame *A, *B; /* joint frames in the initial position; NULL without frames */
  const struct hk_joint_builder_ops
      *ops;         /* functions of the caller: model compilation, or hk_joint_coordinate_type */
  void *context;    /* data of the caller */
  hk_status status; /* if not HK_OK, further calls have no effect */
};
/* Hold a relation at zero.  `names` names its rows, separated by commas ("x,y,z"). */
HK_API void hk_joint_hold(hk_joint_builder *b, const hk_relation_type *type, const double *k,
                          int nk, const char *names);
/* Declare a free coordinate, known as "joint.name". */
HK_API void hk_joint_free(hk_joint_builder *b, const char *name, const hk_relation_type *type,
                          const double *k, int nk);
/* Hold sum_i factor_i coordinate_i - value(t) at zero; coordinates by full name, as in "hinge.angle", or ".angle" for a
 * coordinate of this joint.  `value` may be NULL. */
typedef struct hk_sum_term {
  const char *coordinate;
  double factor;
} hk_sum_term;
HK_API void hk_joint_sum(hk_joint_builder *b, const char *row, const hk_sum_term *term, int n,
                         const hk_expr *value, bool start_as_is);
/* Rejects the joint with a message that refers to the given parameter (or NULL: to the joint). */
HK_API void hk_joint_refuse(hk_joint_builder *b, const char *param, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* The functions that the caller of `build` provides for the calls above; NULL: the call is ignored. */
typedef struct hk_joint_builder_ops {
  void (*hold)(hk_joint_builder *b, const hk_relation_type *type, const double *k, int nk,
               const char *names);
  void (*free)(hk_joint_builder *b, const char *name, const hk_relation_type *type, const double *k,
               int nk);
  void (*sum)(hk_joint_builder *b, const char *row, const hk_sum_term *term, int n,
              const hk_expr *value, bool start_as_is);
  void (*refuse)(hk_joint_builder *b, const char *param, const char *text);
} hk_joint_builder_ops;

typedef struct hk_joint_ops {
  bool frames; /* acts between the frames `a` and `b` */
  bool ground; /* the frame `a` must be on the ground */
  /* For joints between shafts with an articulation angle in the initial position: returns the axes of the frame on
   * `b`, given its z axis and the axes of the frame on `a`. The parameter struct begins with hk_shaft_joint
   * (hooke/joint.h). */
  hk_mat3 (*articulated)(const hk_mat3 *a, hk_vec3 z);
  void (*build)(hk_joint_builder *b);
  /* A composite joint has this function instead of build.  It adds its parts, named "joint.part", to the spec, with
   * hk_spec_add and the setters of hooke/spec.h. */
  hk_status (*expand)(const hk_item *item, hk_spec *spec, hk_error *err);
  /* The main sensors of a composite joint, such as "stroke" for "joint.stroke": a table (HK_CHANNELS) for `hooke types`.
   * "stroke[i]": one sensor per part. */
  const hk_quantity *channel;
  int n_channels;
} hk_joint_ops;
/* Motions (category HK_MOTION) use hk_joint_ops too; their parameter structs have no common first member. */

/* ---- data of forces and contact laws ---- */

/* In addition to its parameters, a force or a contact law may have the following data, all optional:
 *   constants  of any size, computed once during compilation and never changed;
 *   memory     internal variables: doubles that are part of the state, written only when a step is accepted, so that rejected
 *              steps, checkpoints and restarts need no further code.  They must depend continuously on the motion, because
 *              Lyapunov exponents combine the states of two nearby motions;
 *   scratch    doubles for one evaluation, with undefined initial values;
 *   channels   further values that can be recorded.
 * An element may have an inner unknown, such as the thickness of a film or the force of a
 * slice. The evaluation is at the end of a step. It computes the unknown from its value in
 * `memory` at the start of this step and from the length `h` of the step. The derivatives that it returns are those of
 * the result at constant internal variables and constant h. Two values of h have a special meaning:
 *   h = 0         no time has passed since the memory was written;
 *   h = INFINITY the present positions and velocities have lasted for an infinite time; the memory has no influence.  Used for
 *   equilibria, linearisation, modes and the start of a run. */

/* ---- forces ---- */

enum { HK_FORCE_MAX_EXPR = 6 };

/* Filled by bind: the frames, coordinates and expressions of a force. */
typedef struct hk_force_binding {
  const char *a, *b; /* names of the frames; NULL: none. If only `b` is given, `a` is the ground */
  /* coordinate along which the force acts, given by its name; NULL: none */
  const char *coordinate;
  bool along_angle;                 /* the coordinate must be an angle */
  const hk_relation_type *relation; /* coordinate between `a` and `b` that only this force uses */
  double k[HK_RELATION_CONSTANTS];
  /* for friction: the joint whose reaction determines the friction force; NULL: none */
  const char *joint;
  const hk_expr *expr[HK_FORCE_MAX_EXPR];
  int n_expr;
  bool moment_a,
      /* the force exerts a moment on this frame, so the frame must not belong to a point mass */
      moment_b;
  bool field; /* acts on every mass: see hk_force_ops.field */
} hk_force_binding;

typedef struct hk_force_in {
  double t, h;           /* h: see above */
  const hk_frame *A, *B; /* frames of the force; NULL if no frames are bound */
  bool a_rests;   /* A is fixed to the ground: its rows and columns of K and C are not read */
  double c, rate; /* coordinate and its rate, if a coordinate is bound */
  double load;    /* magnitude of the joint's reaction force [N], if a joint is bound */
  double e[HK_FORCE_MAX_EXPR]; /* values of the expressions */
  const void *constants;       /* data computed by prepare */
  const double *memory;        /* internal variables at the end of the last accepted step */
  double *scratch;
} hk_force_in;

/* All members are zero on entry. A force along a coordinate fills F and its derivatives. A
 * force between frames fills w (force and moment on A, then on B, world axes) and, if `tangent`
 * is true, the negative derivatives K and C. */
typedef struct hk_force_out {
  bool tangent;
  /* set it to a short reason if the force cannot be computed.  The step is then repeated with a smaller size; if all
   * attempts fail, the reason is reported */
  const char *failed;
  double F, F_c, F_rate, F_load, F_e[HK_FORCE_MAX_EXPR];
  double w[12], w_load[12], w_e[HK_FORCE_MAX_EXPR][12];
  double K[12][12], C[12][12];
  bool has_K, has_C;
  double potential;  /* stored energy [J] */
  double dissipated; /* dissipated power [W], >= 0 */
  double applied;    /* power supplied from outside the model [W] */
} hk_force_out;

typedef struct hk_force_ops {
  hk_status (*bind)(const hk_item *item, hk_force_binding *b, hk_error *err);
  void (*eval)(const void *data, const hk_force_in *in, hk_force_out *out);
  /* Rejects initial positions of the frames that the force does not support; NULL: all are supported. */
  hk_status (*check_placement)(const hk_item *item, const hk_frame *A, const hk_frame *B,
                               hk_error *err);
  /* Field force: returns the acceleration of a mass at x; *potential: potential per unit mass. */
  hk_vec3 (*field)(const void *data, double t, hk_vec3 x, double *potential);
  /* Computes the constants, once per model, after all other checks of the model have passed. */
  hk_status (*prepare)(const hk_item *item, hk_arena *arena, const void **constants, hk_error *err);
  /* Forces whose frames must be in a certain relative position, such as gears in mesh: given the frames in the initial
   * position, rejects them or completes the constants. */
  hk_status (*set_placement)(const hk_item *item, const hk_frame *A, const hk_frame *B,
                             void *constants, hk_arena *arena, hk_error *err);
  /* number of internal variables and of scratch doubles; if these numbers depend on the constants, `sizes` returns
   * them */
  int memory, scratch;
  void (*sizes)(const void *data, const void *constants, int *memory, int *scratch);
  /* true: the internal variables only count quantities that the positions of the frames do not contain, such as whole
   * revolutions. The force is then smooth across steps, and integrators of high order stay accurate. */
  bool memory_smooth;
  /* Computes the internal variables at the end of the accepted step `in`. On entry `memory` holds in->memory. */
  void (*accept)(const void *data, const hk_force_in *in, double *memory);
  /* Computes the internal variables at the start of a run. NULL: `accept` is called with h = INFINITY. */
  void (*start)(const void *data, const hk_force_in *in, double *memory);
  /* Characteristic length over which the force changes strongly, if it is small compared with the bodies, such as the
   * clearance of a film. The default tolerances are adapted to the smallest of these lengths, and position errors that
   * are not small compared with this length raise a quality warning. NULL: none. */
  double (*length_scale)(const void *data);
  /* For a force with regularised friction: returns the sliding velocity [m/s] at `in`, and the speed at which friction
   * reaches 99 % of its value. Sliding below this speed for a long time raises a quality warning. NULL: no such
   * friction. */
  hk_vec3 (*sliding)(const void *data, const hk_force_in *in, double *full_speed);
  bool
      /* true: `eval` needs only the rate of its coordinate; the library then passes c = 0 and
       * does not compute an angle */
      rate_only;
  bool own_axes_b; /* true: channels local_fx, ... are in the axes of `b`; false: of `a` */
  /* Name by which the expressions of the force read its coordinate, and with "_rate" its rate; also the name of the
   * coordinate of `relation` in channels.  NULL: the expressions have no such name, and channels have "length" or "angle". */
  const char *coordinate_name;
  /* Channels in addition to those of every force: a table (HK_CHANNELS), at most HK_MAX_OWN_CHANNELS with repetitions.
   * `read` computes their values after eval has filled `out`. */
  const hk_quantity *channel;
  int n_channels;
  int (*repeats)(
      const void *constants); /* number of repetitions of lines with "[i]"; NULL: no such lines */
  void (*read)(const void *data, const hk_force_in *in, const hk_force_out *out, double *value);
  /* For linear analyses of an element whose internal variables obey a differential equation: adds states and sensors
   * to `spec` and changes the item so that it reads these instead of its internal variables; see hk_spec_first_order.
   * NULL: there is no such form. */
  hk_status (*first_order)(hk_item *item, hk_spec *spec, hk_error *err);
  /* Returns true if the force has left the range in which it is valid, according to its internal variables at the end
   * of a run. Also returns the largest amount so far, the limit of this amount, and a sentence for the message, which
   * follows the name of the force. NULL: the force is valid everywhere. */
  bool (*invalid)(const void *data, const double *memory, double *amount, double *limit, char *text,
                  size_t size);
} hk_force_ops;

/* ---- contacts: a gap (geometry) combined with a law (physics) ---- */

enum { HK_CONTACT_MAX_POINTS = 4, HK_GAP_CONSTANTS = 32, HK_LAW_CONSTANTS = 24 };

/* First member of the parameter struct of every contact. */
typedef struct hk_contact_common {
  const char *a, *b; /* frames */
  const char *law;   /* name of a law in the section `laws` */
} hk_contact_common;

/* One possible point of contact.  The force on B is N n + T, the force on A is opposite; both act
 * at the point c, on the common normal and halfway between the two surfaces, so that an exchange of A
 * and B changes nothing.  The rate of the gap is exactly n . (velocity of B at c - velocity of A at
 * c), for any c on the normal. */
typedef struct hk_gap {
  double gap; /* < 0: penetration of -gap */
  hk_vec3 n;  /* unit normal in world axes, pointing from A's material into B's */
  hk_vec3 c;  /* world */
  hk_vec3 t;  /* first tangent: a unit vector normal to n; the second is n x t */
  /* If requested: derivatives with respect to (xA, thetaA, xB, thetaB), the motions of the frames. */
  double n_d[3][12], c_d[3][12], t_d[3][12];
} hk_gap;

/* Same as hk_gap, for a ball on B centred at B's origin, for inner loops: c = xB - (radius + gap/2) n. */
typedef struct hk_ball_gap {
  double gap, radius;
  hk_vec3 n; /* n and n_u are valid only if gap < near */
  /* If requested: derivative of n with respect to the displacement of the ball relative to A.  This
   * is the second derivative of the gap, a symmetric matrix. */
  hk_mat3 n_u;
} hk_ball_gap;

/* A gap between generalised coordinates, such as the angles of two rotors: defined by rows instead
 * of a point. */
typedef struct hk_gap_rows {
  double gap;
  hk_row N;    /* gap' = N . (velocities of A and B) */
  hk_row T[2]; /* sliding velocities */
} hk_gap_rows;

/* Principal radii of curvature of the surfaces at a point, along t and along n x t; < 0: concave; INFINITY: flat. */
typedef struct hk_curvature {
  double a_t, a_s, b_t, b_s;
  /* length of the line contact of two cylinders that belongs to this point; 0: point contact */
  double length;
} hk_curvature;

struct hk_gap_four;
typedef struct hk_gap_ops {
  int points;                     /* possible points of contact */
  const char *const *point_names; /* [points]; NULL if there is just one */
  int tangents; /* number of tangential directions: 2; 1 for motion in a plane (only t); 0 without sliding */
  /* Checks the parameters and fills the constants that eval reads. */
  hk_status (*prepare)(const hk_item *item, double *k, hk_error *err);
  /* A type gives either `eval`, for gaps between points of the bodies, or `rows`, for gaps
   * between coordinates; the other one is NULL. Fills `points` entries. Derivatives are needed
   * only for points with gap < near (near = -INFINITY: for no point), and t_d only if `with_t`. */
  void (*eval)(const double *k, const hk_frame *A, const hk_frame *B, double near, bool with_t,
               hk_gap *out);
  void (*rows)(const double *k, const hk_frame *A, const hk_frame *B, hk_gap_rows *out);
  /* Fast form of eval for contacts in which every point belongs to a ball centred at B's origin;
   * NULL: not available. */
  void (*ball)(const double *k, const hk_frame *A, const hk_frame *B, double near, bool derivatives,
               hk_ball_gap *out);
  /* Only for types of the library: evaluates four contacts in one call.  NULL: one at a time. */
  const struct hk_gap_four *four;
  /* For a gap with two points that are the two sides of one clearance: returns true if the clearance is zero.
   * Then one equation replaces both points, and its impulse may have either sign. NULL: never. */
  bool (*tight)(const double *k);
  /* Assume that one body moves past the other in a straight line. True: the gap is smallest at the beginning or at the
   * end of this movement, as for a ball in a socket or a ball above a plane. False: it may be smallest in between, as
   * for two balls; each step is then searched for a gap that closes and opens again within the step. */
  bool concave;
  /* Penetration [m] up to which the geometry is meaningful: at this penetration the middle of the smaller body reaches
   * the surface of the other one. A compliant contact with a deeper penetration raises a quality warning. NULL: no
   * limit. */
  double (*deepest)(const double *k);
  /* Fills the radii of curvature.  NULL: unknown, so that a law cannot compute its stiffness from them. */
  void (*curvature)(const double *k, int point, hk_curvature *out);
  /* the surfaces are cylinders that touch along a line; only laws of conformal contact use the curvature */
  bool line;
  /* The gap depends on the origins of the frames only (two balls), so rotation cannot close it. */
  bool round;
  /* Characteristic deformation of a compliant contact [m]. Contacts give it if their traction
   * is sensitive to position errors of the order of the model's default tolerance. The default tolerances are adapted
   * to the smallest of these deformations. NULL: none. */
  double (*length_scale)(const double *k);
} hk_gap_ops;

/* Normal force of a compliant law.  Unlike hk_force_out, this struct is not initialised when
 * `normal` is called, except for `failed`, which is NULL: there are many contacts, and laws write
 * all members anyway.  A law must start with *out = (hk_normal){0} or fill every member, even if
 * the normal force is zero.  The conformance tests fill the struct with NaN first. */
typedef struct hk_normal {
  double N, N_depth, N_rate; /* normal force (>= 0) and its derivatives */
  double elastic;            /* conservative part of N */
  double potential;          /* [J] */
  const char *failed;        /* NULL on entry: see hk_force_out */
} hk_normal;

typedef struct hk_law_in {
  double depth, rate; /* depth = -gap and its rate; rate > 0 while the bodies approach */
  /* step size, as for forces; `memory`: internal variables of the contact point */
  double h;
  const double *memory;
  const void *constants;
  double *scratch;
} hk_law_in;

/* Relative velocity of B with respect to A, in the axes (t, n x t, n), without the normal component: sliding, spin,
 * rolling. */
enum { HK_SLIDE_T, HK_SLIDE_S, HK_SPIN, HK_ROLL_T, HK_ROLL_S, HK_N_SLIP };

struct hk_line_ops; /* both are opaque */
struct hk_law_four;
typedef struct hk_law_ops {
  bool set_valued;
  /* Law of line contacts, such as gear teeth; all other members are then NULL.  NULL: a law of point contacts. */
  const struct hk_line_ops *line;
  /* Checks the parameters and fills the constants.  `radii` is NULL if the gap does not provide radii of curvature. */
  hk_status (*prepare)(const hk_item *law, const hk_curvature *radii, double *k, hk_error *err);
  void (*normal)(const double *k, const hk_law_in *in, hk_normal *out);
  /* The gap below which the law acts; > 0 for a law that acts before the bodies touch, such as a film.  NULL: 0. */
  double (*reach)(const double *k);
  /* Isotropic friction: returns f = mu(v)/v, finite at v = 0, and f' = df/dv; T = -N f v_t.  NULL:
   * no friction, or general friction (`friction`). */
  double (*slide)(const double *k, double v, double *f_v);
  /* General friction: force and moment on B for the velocities slip[HK_N_SLIP], in the axes of `slip`, at the normal
   * force N. If J is not NULL, also computes J[i][j] = d out[i]/d slip[j] and by_N, the derivative with respect to N. */
  void (*friction)(const double *k, double N, const double slip[HK_N_SLIP], double out[HK_N_SLIP],
                   double J[HK_N_SLIP][HK_N_SLIP], double by_N[HK_N_SLIP]);
  /* Compliant laws whose parameters decide between slide and friction: returns the function in use
   * (HK_FRICTION_NONE, _SLIDE, _GENERAL). */
  int (*friction_kind)(const double *k);
  /* Compliant laws with regularised friction: the sliding speed [m/s] at which friction reaches 99 % of its value.  Slower
   * sliding over a long time raises a quality warning.  NULL: unknown. */
  double (*full_speed)(const double *k);
  /* Only for types of the library: `normal` and `slide` of four contacts in one call.  NULL: one at
   * a time. */
  const struct hk_law_four *four;
  /* Compliant laws: approach velocity above which a closing contact is counted as an impact.  NULL: 0. */
  double (*count_above)(const hk_item *law);
  /* Computes the semi-axes of the contact ellipse and the peak pressure, if the law has the radii
   * of curvature; returns false if they are not available. */
  bool (*pressure)(const double *k, double depth, double N, double *half_t, double *half_s,
                   double *peak);
  /* Constants in addition to k, and the numbers of internal variables (`memory`) and scratch doubles as for forces,
   * for each point of each contact. */
  hk_status (*prepare_data)(const hk_item *law, const double *k, hk_arena *arena,
                            const void **constants, hk_error *err);
  int memory, scratch;
  bool
      /* true: the internal variables change only when a contact closes or opens, so that integrators of high order
       * stay accurate between these times */
      memory_constant;
  /* Computes the internal variables at the end of an accepted step. Called for open points too; their depth is
   * negative. */
  void (*accept)(const double *k, const hk_law_in *in, double *memory);
  void (*start)(const double *k, const hk_law_in *in, double *memory);
  /* Compliant laws: additional channels of every contact point, as in hk_force_ops; `normal` holds the result of the function
   * `normal`. */
  const hk_quantity *channel;
  int n_channels;
  void (*read)(const double *k, const hk_law_in *in, const hk_normal *normal, double *value);
} hk_law_ops;
enum { HK_FRICTION_NONE, HK_FRICTION_SLIDE, HK_FRICTION_GENERAL };
/* Set-valued laws fill these constants: Newton's restitution in both directions, Coulomb's mu, the approach velocity above
 * which an impact is counted, and whether simultaneous contacts are treated in sequence (1) or simultaneously (0). */
enum { HK_SET_RESTITUTION_N, HK_SET_RESTITUTION_T, HK_SET_MU, HK_SET_COUNT, HK_SET_IN_TURN };

/* ---- sensors ---- */

typedef struct hk_sensor_binding {
  const hk_expr *expr; /* an expression of channels; NULL: the sensor is the following relation */
  const char *a, *b;   /* frames of the relation */
  const hk_relation_type *relation;
  double k[HK_RELATION_CONSTANTS];
  const char *unit; /* unit of the relation's value */
  /* limit of the relation's value; exceeding it raises a quality warning; 0: no limit */
  double limit;
} hk_sensor_binding;
typedef struct hk_sensor_ops {
  hk_status (*bind)(const hk_item *item, hk_sensor_binding *b, hk_error *err);
} hk_sensor_ops;

/* Returns the relation of a free coordinate of a joint, without compiling the model; NULL: unknown
 * coordinate.  coordinate NULL: the first coordinate of the joint. */
HK_API const hk_relation_type *hk_joint_coordinate_type(const hk_item *joint,
                                                        const char *coordinate);

#ifdef __cplusplus
}
#endif
#endif
