/* What a type must provide, by category.  Elements see frames (frame.h) and scalars; they know
 * neither bodies nor steppers nor matrices.
 */
#ifndef HOOKE_ELEMENT_H
#define HOOKE_ELEMENT_H
#include <hooke/param.h>
#include <hooke/relation.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- channels ---- */

/* Which channels are shown first: what one looks for; components and derivatives; what a composite
 * joint is made of. */
typedef enum hk_show { HK_SHOW_FIRST, HK_SHOW_DETAIL, HK_SHOW_INSIDE, HK_N_SHOW } hk_show;

/* One line of a table of channels.  With the item's name before it: "strut.force".  A name with "[i]" in it
 * stands for as many channels, "mesh.pair[0].load", ..., as the function `repeats` says; such lines stand at
 * the end of the table, and their values one i after the other. */
typedef struct hk_quantity {
  const char *name, *unit, *doc;
  hk_show show;
} hk_quantity;
#define HK_CHANNELS(table) .channel = table, .n_channels = (int)(sizeof(table) / sizeof((table)[0]))
enum { HK_MAX_OWN_CHANNELS = 640 };

/* ---- bodies ---- */

/* How a body moves: one of these. */
typedef struct hk_node_type hk_node_type;
HK_API extern const hk_node_type hk_node_rigid;  /* six coordinates */
HK_API extern const hk_node_type hk_node_point;  /* three */
HK_API extern const hk_node_type hk_node_rotor;  /* one angle about a fixed axis */
HK_API extern const hk_node_type hk_node_guided; /* three, turning as functions of time say */

/* Head of every body's parameter struct. */
typedef struct hk_body_common {
  hk_vec3 position;         /* of the body's origin, world axes */
  hk_quat orientation;
  hk_vec3 velocity;         /* of the body's origin */
  hk_vec3 angular_velocity; /* world axes */
  int fixed;                /* what assembly may not move: hk_fixed */
} hk_body_common;
typedef enum hk_fixed { HK_FIXED_NONE, HK_FIXED_POSITION, HK_FIXED_ORIENTATION, HK_FIXED_ALL } hk_fixed;

typedef struct hk_mass_properties {
  double mass;
  hk_vec3 center;    /* of mass, body axes from the body's origin */
  double inertia[6]; /* about the centre, body axes: xx yy zz xy xz yz (matrix elements) */
  /* Rotors only: */
  hk_vec3 axis;       /* body axes; zero: z */
  double angle, rate; /* at the start */
} hk_mass_properties;

/* A marker that comes with a body type, such as the ends of a rod. */
typedef struct hk_builtin_marker {
  const char *name;
  hk_vec3 at;
} hk_builtin_marker;

typedef struct hk_body_ops {
  const hk_node_type *node;
  hk_status (*mass)(const hk_item *item, hk_mass_properties *out, hk_error *err);
  /* Fills at most 6 markers, returns how many; NULL: none. */
  int (*markers)(const hk_item *item, hk_builtin_marker *out);
  /* Guided bodies: R = R0 Rx(tilt) Rz(spin), both functions of time. */
  void (*guide)(const hk_item *item, const hk_expr *angle[2]);
  /* Rotors whose inertia depends on their angle: J, dJ/dangle, d2J/dangle2; NULL: constant. */
  void (*inertia)(const void *data, double angle, double J[3]);
  /* Rotors: another coordinate that follows from the angle, named "body.name"; NULL: none. */
  const hk_relation_type *(*follower)(const hk_item *item, const char **name, double *k);
} hk_body_ops;

/* ---- shapes of bodies ---- */

/* Head of every shape's parameter struct. */
typedef struct hk_shape_common {
  const char *body; /* or "ground" */
  hk_vec3 offset;
  hk_quat rotation;
  const char *color;
} hk_shape_common;

/* ---- joints and motions ---- */

/* Head of every joint's parameter struct.  The joint frame is the frames a and b themselves, or,
 * with `at` or `axis` given, one frame in the world where the bodies stand in the file. */
typedef struct hk_joint_common {
  const char *a, *b;
  hk_vec3 at;
  hk_vec3 axis, x_axis;
} hk_joint_common;

/* Collects what a joint is made of; given to hk_joint_ops.build. */
typedef struct hk_joint_builder hk_joint_builder;
struct hk_joint_builder {
  const hk_item *item;
  const hk_frame *A, *B; /* joint frames as the bodies stand in the file; NULL without frames */
  const struct hk_joint_builder_ops *ops; /* of whoever asks: the compiler, or hk_joint_coordinate_type */
  void *context;                          /* ... its own */
  hk_status status;                       /* once not HK_OK, nothing is added any more */
};
/* Hold a relation at zero.  `names` names its rows, separated by commas ("x,y,z"). */
HK_API void hk_joint_hold(hk_joint_builder *b, const hk_relation_type *type, const double *k, int nk,
                   const char *names);
/* Declare a free coordinate, known as "joint.name". */
HK_API void hk_joint_free(hk_joint_builder *b, const char *name, const hk_relation_type *type,
                   const double *k, int nk);
/* Hold sum_i factor_i coordinate_i - value(t) at zero; coordinates by full name, as in
 * "hinge.angle", or by the joint's own ("angle") with a leading '.'.  `value` may be NULL. */
typedef struct hk_sum_term {
  const char *coordinate;
  double factor;
} hk_sum_term;
HK_API void hk_joint_sum(hk_joint_builder *b, const char *row, const hk_sum_term *term, int n,
                  const hk_expr *value, bool start_as_is);
/* Refuse the joint with a message at the given parameter (or NULL). */
HK_API void hk_joint_refuse(hk_joint_builder *b, const char *param, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));

/* Who builds: each as above, NULL where it does not care. */
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
  bool frames; /* stands between the frames a and b */
  bool ground; /* ... of which a must be the ground */
  /* Between shafts that may stand bent in the file: axes of the frame on b whose z axis is given, beside
   * those on a.  Its struct begins with hk_shaft_joint (hooke/joint.h). */
  hk_mat3 (*bent)(const hk_mat3 *a, hk_vec3 z);
  void (*build)(hk_joint_builder *b);
  /* A composite joint has this instead of build: adds the items that it is made of, named
   * "joint.part", to the spec, with hk_spec_add and the setters of include/hooke/spec.h. */
  hk_status (*expand)(const hk_item *item, hk_spec *spec, hk_error *err);
  /* The sensors of a composite joint that are worth knowing, "bend" of "joint.bend", so that `hooke types` lists
   * them: a table (HK_CHANNELS).  One for each of several parts is called "stroke[i]". */
  const hk_quantity *channel;
  int n_channels;
} hk_joint_ops;
/* Motions (category HK_MOTION) use the same ops; their struct has no common head. */

/* ---- what forces and laws may own ---- */

/* Besides its parameters a force or a law of contact may own, all of it optional:
 *   constants  of any size, made once when the model is compiled and never written again;
 *   memory     doubles that are part of the state, written only when a step is accepted, so that
 *              rejecting a step, checkpoints and restarts need nothing more.  Nearby motions have
 *              nearby memories: Lyapunov exponents mix those of two;
 *   scratch    doubles for one evaluation, which hold anything when it begins;
 *   channels   values of its own that can be recorded.
 * An inner unknown (a film's thickness, the force of a slice) is eliminated within the evaluation, from
 * `memory` over the length `h` of the step that ends here, and the derivatives returned are those of the
 * result at fixed memory and h.  Two lengths have a meaning of their own:
 *   h = 0         no time has passed since the memory was written;
 *   h = INFINITY  the present positions and velocities have lasted for ever, whatever the memory says:
 *                 so equilibria, linearisation and modes see the element, and the start of a run.
 */

/* ---- forces ---- */

enum { HK_FORCE_MAX_EXPR = 6 };

/* Filled by bind: what the force acts on. */
typedef struct hk_force_binding {
  const char *a, *b;          /* frames; NULL: none (b on its own is allowed: a = ground) */
  const char *coordinate;     /* named coordinate the force acts along, or NULL */
  bool along_angle;           /* that coordinate has to be an angle */
  const hk_relation_type *relation; /* coordinate made for this force between a and b */
  double k[HK_RELATION_CONSTANTS];
  const char *joint;          /* joint whose reaction loads this force (friction), or NULL */
  const hk_expr *expr[HK_FORCE_MAX_EXPR];
  int n_expr;
  bool moment_a, moment_b;    /* exerts a moment there, which a point mass cannot take */
  bool field;                 /* acts on every mass: see hk_force_ops.field */
} hk_force_binding;

typedef struct hk_force_in {
  double t, h;                /* h: see above */
  const hk_frame *A, *B;      /* where frames are bound */
  bool a_rests;               /* A stands on the ground: its rows and columns of K and C are not read */
  double c, rate;             /* where a coordinate is bound */
  double load;                /* where a joint is bound: its reaction force [N] */
  double e[HK_FORCE_MAX_EXPR];/* values of the expressions */
  const void *constants;      /* what prepare made */
  const double *memory;       /* at the last accepted step */
  double *scratch;
} hk_force_in;

/* Everything is zero on entry.  A force along a coordinate fills F and its derivatives; a force
 * between frames fills w (force and moment on A, then on B, world axes) and, if `tangent`, the
 * negative derivatives K and C. */
typedef struct hk_force_out {
  bool tangent;
  const char *failed;         /* to be set where no force can be found: what happened, in words.  The
                               * step is then tried again, shorter, and if none succeeds they are told */
  double F, F_c, F_rate, F_load, F_e[HK_FORCE_MAX_EXPR];
  double w[12], w_load[12], w_e[HK_FORCE_MAX_EXPR][12];
  double K[12][12], C[12][12];
  bool has_K, has_C;
  double potential;           /* stored energy [J] */
  double dissipated;          /* power lost [W], >= 0 */
  double applied;             /* power fed in from outside [W] */
} hk_force_out;

typedef struct hk_force_ops {
  hk_status (*bind)(const hk_item *item, hk_force_binding *b, hk_error *err);
  void (*eval)(const void *data, const hk_force_in *in, hk_force_out *out);
  /* Refuses frames that stand, in the model file, where it cannot act; NULL: it can anywhere. */
  hk_status (*stand)(const hk_item *item, const hk_frame *A, const hk_frame *B, hk_error *err);
  /* Field: acceleration of a mass at x; potential per unit mass. */
  hk_vec3 (*field)(const void *data, double t, hk_vec3 x, double *potential);
  /* What it owns; computed once per model, when all else in it has been found right. */
  hk_status (*prepare)(const hk_item *item, hk_arena *arena, const void **constants, hk_error *err);
  /* Forces between frames that must stand to each other in some way, as gears in mesh do: given the frames
   * as the bodies stand in the file, refuses them or completes the constants. */
  hk_status (*place)(const hk_item *item, const hk_frame *A, const hk_frame *B, void *constants,
                     hk_arena *arena, hk_error *err);
  int memory, scratch; /* doubles; or by `sizes`, where they depend on the constants */
  void (*sizes)(const void *data, const void *constants, int *memory, int *scratch);
  /* The memory at the end of the step that `in` ends, into `memory`, which holds in->memory. */
  void (*accept)(const void *data, const hk_force_in *in, double *memory);
  /* At the start of a run.  NULL: accept with h = INFINITY. */
  void (*start)(const void *data, const hk_force_in *in, double *memory);
  /* A length, small beside its bodies, within which its force changes altogether: the clearance of a film.  Default
   * tolerances follow the smallest, and a run whose steps may be wrong by a part of it says so.  NULL: there is none. */
  double (*fine)(const void *data);
  /* Friction that is rounded off at rest: its sliding velocity [m/s] at `in`, and the speed at which friction reaches 99 % of its
   * value.  Motion below that speed for long raises a quality warning.  NULL: there is no such friction. */
  hk_vec3 (*sliding)(const void *data, const hk_force_in *in, double *full_speed);
  bool rate_only;  /* of its coordinate eval reads the rate, and c stays 0: values of angles cost more than it */
  bool own_axes_b; /* the axes of its channels own_fx, ... are those of b; else those of a */
  /* Channels of its own besides those that every force has: a table (HK_CHANNELS), at most
   * HK_MAX_OWN_CHANNELS with repetitions, and their values where eval has filled `out`. */
  const hk_quantity *channel;
  int n_channels;
  int (*repeats)(const void *constants); /* of lines with "[i]"; NULL: there are none */
  void (*read)(const void *data, const hk_force_in *in, const hk_force_out *out, double *value);
  /* Memory that obeys a differential equation, for linear analyses: adds states and sensors to `spec` and changes the item
   * so that it reads these instead of its memory; see hk_spec_first_order.  NULL: there is no such form. */
  hk_status (*first_order)(hk_item *item, hk_spec *spec, hk_error *err);
} hk_force_ops;

/* ---- contacts: a gap (geometry) times a law (physics) ---- */

enum { HK_CONTACT_MAX_POINTS = 4, HK_GAP_CONSTANTS = 32, HK_LAW_CONSTANTS = 24 };

/* Head of every contact's parameter struct. */
typedef struct hk_contact_common {
  const char *a, *b; /* frames */
  const char *law;   /* name of an item of `laws` */
} hk_contact_common;

/* One possible point of contact.  The force on B is N n + T, that on A its opposite, both at c, which
 * lies on the common normal.  Then the gap's rate is n . (velocity of B at c - velocity of A at c),
 * exactly, wherever on the normal c lies. */
typedef struct hk_gap {
  double gap; /* < 0: the bodies overlap by -gap */
  hk_vec3 n;  /* unit, world axes: out of A's material into B's */
  hk_vec3 c;  /* world */
  hk_vec3 t;  /* unit, normal to n: first tangent; the second is n x t */
  /* If asked, derivatives with respect to (xA, thetaA, xB, thetaB), the motions of the frames. */
  double n_d[3][12], c_d[3][12], t_d[3][12];
} hk_gap;

/* The same of a ball of B around B's origin, for the hot loops: c = xB - (radius + gap) n. */
typedef struct hk_ball_gap {
  double gap, radius;
  hk_vec3 n; /* filled where gap < near, as is the next */
  /* If asked, change of n with the displacement of the ball as seen from A: the second derivative of
   * the gap, symmetric. */
  hk_mat3 n_u;
} hk_ball_gap;

/* A gap between generalised coordinates, such as two rotors' angles: rows instead of a point. */
typedef struct hk_gap_rows {
  double gap;
  hk_row N;    /* gap' = N . (velocities of A and B) */
  hk_row T[2]; /* sliding velocities */
} hk_gap_rows;

/* Principal radii of the surfaces at a point, along t and along n x t; < 0: hollow; INFINITY: flat. */
typedef struct hk_curvature {
  double a_t, a_s, b_t, b_s;
  double length; /* length along which cylinders touch, for the load of this point; 0: they touch in a point */
} hk_curvature;

struct hk_gap_four;
typedef struct hk_gap_ops {
  int points;                     /* possible points of contact */
  const char *const *point_names; /* [points]; NULL if there is just one */
  int tangents;                   /* 2; 1: motion in a plane, the tangent is t; 0: no sliding */
  /* Checks the parameters and fills the constants that eval reads. */
  hk_status (*prepare)(const hk_item *item, double *k, hk_error *err);
  /* Fills `points` entries, their derivatives where gap < near (-INFINITY: nowhere); t_d may then stay
   * untouched unless `with_t`.  Point gaps have eval, gaps of coordinates have rows; the other is
   * NULL. */
  void (*eval)(const double *k, const hk_frame *A, const hk_frame *B, double near, bool with_t,
               hk_gap *out);
  void (*rows)(const double *k, const hk_frame *A, const hk_frame *B, hk_gap_rows *out);
  /* Besides eval, where every point is one of a ball around B's origin; NULL: it is not. */
  void (*ball)(const double *k, const hk_frame *A, const hk_frame *B, double near, bool derivatives,
               hk_ball_gap *out);
  /* For types of the library: four contacts in one call.  NULL: one by one. */
  const struct hk_gap_four *four;
  /* Two points that are the sides of one play: true if the constants leave none, so that both together
   * are one row whose impulse may have either sign.  NULL: never. */
  bool (*tight)(const double *k);
  /* True if, while one body moves past the other in a straight line, the gap is smallest at the beginning or at the end of
   * that motion: a ball in a socket, a ball above a plane.  If false (two balls), steps are searched for a gap that closes
   * and opens again between their ends. */
  bool concave;
  /* Depth [m] up to which the geometry is meaningful: there the middle of the smaller body reaches the surface of the other.
   * A compliant contact that is pressed deeper raises a quality warning.  NULL: no limit. */
  double (*deepest)(const double *k);
  /* NULL: not known, so that a law cannot compute its stiffness. */
  void (*curvature)(const double *k, int point, hk_curvature *out);
  bool line; /* the surfaces are cylinders that touch along a line: only laws of conformal contact use the curvature */
} hk_gap_ops;

/* Normal force of a compliant law.  Unlike hk_force_out it is not zero when `normal` is called, because contacts are
 * many and laws write all of it anyway: only `failed` is NULL.  A law begins with *out = (hk_normal){0} or fills
 * every member, where it does not act too.  Conformance calls it with numbers that are none. */
typedef struct hk_normal {
  double N, N_depth, N_rate; /* pressure >= 0 and its derivatives */
  double elastic;            /* the part of N that a potential stores */
  double potential;          /* [J] */
  const char *failed;        /* NULL on entry: see hk_force_out */
} hk_normal;

typedef struct hk_law_in {
  double depth, rate;    /* -gap, and its rate: > 0 while the bodies approach */
  double h;              /* as that of forces, as is the rest; the memory is that of the point */
  const double *memory;
  const void *constants;
  double *scratch;
} hk_law_in;

/* Sliding and turning of B over A, in the axes (t, n x t, n): all but the normal velocity. */
enum { HK_SLIDE_T, HK_SLIDE_S, HK_SPIN, HK_ROLL_T, HK_ROLL_S, HK_N_SLIP };

struct hk_line_ops; /* opaque, as is the next */
struct hk_law_four;
typedef struct hk_law_ops {
  bool set_valued;
  /* A law of line contacts, as those of gear teeth; all else is then NULL.  NULL: it is one of points. */
  const struct hk_line_ops *line;
  /* Checks the parameters and fills the constants.  `radii` is NULL where the gap knows none. */
  hk_status (*prepare)(const hk_item *law, const hk_curvature *radii, double *k, hk_error *err);
  void (*normal)(const double *k, const hk_law_in *in, hk_normal *out);
  /* The gap below which it acts, > 0 for a law that is felt before the bodies touch, as a film is; NULL:
   * 0. */
  double (*reach)(const double *k);
  /* Isotropic friction: returns f = mu(v)/v, finite at v = 0, and f' = df/dv; T = -N f v_t.  NULL:
   * no friction, or the general one. */
  double (*slide)(const double *k, double v, double *f_v);
  /* General: force and moment on B per slip[HK_N_SLIP], in the same axes, under pressure N; with
   * derivatives by slip, J[i][j] = d out[i]/d slip[j], and by N if J is not NULL. */
  void (*friction)(const double *k, double N, const double slip[HK_N_SLIP], double out[HK_N_SLIP],
                   double J[HK_N_SLIP][HK_N_SLIP], double by_N[HK_N_SLIP]);
  /* Compliant laws choose between slide and friction by their parameters: returns the one in use
   * (HK_FRICTION_NONE, _SLIDE, _GENERAL). */
  int (*friction_kind)(const double *k);
  /* Compliant laws whose friction is rounded off at rest: the sliding speed [m/s] at which it reaches 99 % of its value.
   * Contacts that slide more slowly for long raise a quality warning.  NULL: not known. */
  double (*full_speed)(const double *k);
  /* For types of the library: normal and slide of four contacts in one call.  NULL: one by one. */
  const struct hk_law_four *four;
  /* Compliant laws: approach velocity above which a touch is counted as an impact.  NULL: 0. */
  double (*count_above)(const hk_item *law);
  /* Contact ellipse and peak pressure of a law that knows its curvatures; false: it does not. */
  bool (*pressure)(const double *k, double depth, double N, double *half_t, double *half_s,
                   double *peak);
  /* What it owns, for each point of each contact, as forces do; `more` makes constants beyond k. */
  hk_status (*more)(const hk_item *law, const double *k, hk_arena *arena, const void **constants,
                    hk_error *err);
  int memory, scratch;
  bool still; /* `normal` sees its memory change only as a point closes or opens: formulas of high order hold between */
  /* For open points too, where the depth is negative. */
  void (*accept)(const double *k, const hk_law_in *in, double *memory);
  void (*start)(const double *k, const hk_law_in *in, double *memory);
  /* Compliant laws: channels of their own at every contact point, as hk_force_ops has them; `normal` is
   * what the function of that name has filled. */
  const hk_quantity *channel;
  int n_channels;
  void (*read)(const double *k, const hk_law_in *in, const hk_normal *normal, double *value);
} hk_law_ops;
enum { HK_FRICTION_NONE, HK_FRICTION_SLIDE, HK_FRICTION_GENERAL };
/* Set-valued laws fill these constants: Newton's restitution in both directions, Coulomb's mu, the
 * approach velocity above which an impact is counted, and whether contacts that touch take impulses in turn (1) or
 * all at once (0). */
enum { HK_SET_RESTITUTION_N, HK_SET_RESTITUTION_T, HK_SET_MU, HK_SET_COUNT, HK_SET_IN_TURN };

/* ---- sensors ---- */

typedef struct hk_sensor_binding {
  const hk_expr *expr;              /* either an expression of channels ... */
  const char *a, *b;                /* ... or a relation between two frames */
  const hk_relation_type *relation;
  double k[HK_RELATION_CONSTANTS];
  const char *unit;                 /* of the relation's value */
  double limit;                     /* of the relation: a run that goes beyond is doubted; 0: none */
} hk_sensor_binding;
typedef struct hk_sensor_ops {
  hk_status (*bind)(const hk_item *item, hk_sensor_binding *b, hk_error *err);
} hk_sensor_ops;

/* The relation behind a joint's free coordinate, without compiling; NULL: it has none of that name.
 * Without a name: its first. */
HK_API const hk_relation_type *hk_joint_coordinate_type(const hk_item *joint, const char *coordinate);

#ifdef __cplusplus
}
#endif
#endif
