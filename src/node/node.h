/* Nodes: the moving parts of a model. A node has coordinates q and velocities v and carries
 * frames, its markers; a table of functions (hk_node_type) defines its behaviour. All other
 * code, from elements to integrators and analyses, uses only frames, velocities and this table,
 * never the type of a node.
 *
 * A small displacement of a node is d, with as many numbers as v. q (+) d is the configuration q displaced by d: q + d
 * for all coordinates except rotations, which are multiplied. The frame of a marker moves by (dx, dtheta) = T d, in
 * world axes. The table defines T only by its effect on a row: a row (jx, jt) that is multiplied by (dx, dtheta)
 * becomes the row T^T (jx, jt) that is multiplied by d. A force and a moment at the frame are converted in the same
 * way.
 *
 * A new node is one file, with its table and the type of body that uses it, and one line in
 * src/registry/types.list; a node used by several types of bodies is declared in nodes.list. */
#ifndef HK_NODE_NODE_H
#define HK_NODE_NODE_H
#include "spec/type.h"
#include <hooke/element.h>

enum {
  /* The arrays of the fast loops have this many entries for the coordinates d of a node, and one more for q. Nodes
   * with more coordinates (HK_MOVES_CUSTOM only) are handled separately: see hk_model.widest. */
  HK_NODE_FEW = 6
};

/* Motion of frames with the node, for the fast loops, which contain inline code for these kinds.
 * The functions of the table must give the same results. */
typedef enum hk_moves {
  HK_MOVES_CUSTOM,      /* custom: as defined by the table */
  HK_MOVES_RIGID,       /* d = (dx of the reference point, R^T dtheta); q = (x, unit quaternion) */
  HK_MOVES_TRANSLATION, /* d = dx; the orientation is not a coordinate */
  HK_MOVES_AXIS         /* d = angle about a fixed axis: z of R0, through x0 */
} hk_moves;

/* One of the coordinates d. */
typedef struct hk_node_coordinate {
  const char *name;     /* "x", "angle" */
  const char *equation; /* kind of its equilibrium equation: "force", "moment" */
  bool angular;         /* the coordinate is in radians; otherwise it is a length */
} hk_node_coordinate;

/* The members that every loop over the nodes reads come first and fit into one cache line. The members that only the
 * fast loops read follow. */
typedef struct hk_node {
  const hk_node_type *type;
  hk_moves moves; /* copy of type->moves */
  bool placed;    /* type->place must be called in every evaluation, because of the private data */
  bool guided;    /* copy of type->guided */
  bool counted;   /* an unwrapped angle depends on the rotation of this node */
  int turn;       /* copy of type->turn */
  int q, v, nq, nv; /* offsets in q and v of the state; numbers of coordinates */
  /* private data in hk_work.node_own: offset and number of doubles; type->own or, after prepare,
   * fewer */
  int own, n_own;
  double arm; /* lever arm that converts a rotation of the node to a displacement: see
                     * hk_error_norm */
  double mass;
  hk_mat3 inertia; /* inertia about the centre of mass, body axes; rotor: m[2][2] */
  const char *name;
  const hk_item *item;
  const hk_node_coordinate *coordinate; /* [nv] */
  hk_vec3 center;                       /* centre of mass, from the origin of the body, body axes */
  hk_vec3 x0;                           /* position of the body in the model file */
  /* axes in the model file; for nodes that rotate about an axis: z along this axis, at the angle
   * zero */
  hk_mat3 R0;
  void (*vary)(const void *data, double angle, double J[3]); /* rotor: hk_body_ops.inertia */
  const void *data; /* result of type->prepare, in the arena of the model */
  hk_fixed fixed;
  char whole_lines[16];
} hk_node;
_Static_assert(offsetof(hk_node, mass) + sizeof(double) == 64 && sizeof(hk_node) % 64 == 0,
               "the first cache line of each node holds the members that all loops read");

enum { HK_GROUND = -1 };
typedef struct hk_marker {
  const char *name; /* "crank.tip"; "crank" for the frame of the body itself */
  int node;         /* or HK_GROUND */
  hk_vec3 s;        /* position from the node's reference point (centre of mass), node axes */
  hk_mat3 R;        /* axes of the marker in node axes */
  int interface;    /* flexible body: interface to which the marker is fixed; -1: none */
  bool aligned;     /* R is the identity */
  bool active;      /* an element needs the marker in every evaluation */
  bool moving;      /* an element needs the velocity of the marker too */
} hk_marker;

/* State of a node at one instant: the data that its functions read in addition to q and v. */
typedef struct hk_pose {
  const hk_node *node;
  const hk_mat3 *R;
  const double *own;
} hk_pose;

/* Coefficients of the inertia in the Newton matrix: cM M + cC C + cK K, where C and K are the derivatives of the
 * forces computed by `force`. D: displacement of the step, see hk_coefficients.step_rotation; NULL: not used. */
typedef struct hk_inertia_weights {
  double cM, cC, cK;
  const double *v, *D;
} hk_inertia_weights;

/* A field that acts on every mass: acceleration and potential per mass at a position. */
typedef struct hk_field {
  hk_vec3 (*at)(const void *data, double t, hk_vec3 x, double *potential);
  const void *data;
  double t;
} hk_field;

typedef enum hk_mass_rank {
  HK_MASS_NONE,     /* no inertia at all */
  HK_MASS_SINGULAR, /* a direction without inertia exists */
  HK_MASS_FULL
} hk_mass_rank;

typedef enum hk_frame_records {
  HK_RECORDS_NONE,  /* the frame has no channels; the node has named coordinates instead */
  HK_RECORDS_PLACE, /* position, velocity, acceleration */
  /* all frame channels, including orientation, angular velocity and acceleration */
  HK_RECORDS_ALL
} hk_frame_records;

static inline bool hk_records(hk_frame_records records, bool turning) {
  return records >= (turning ? HK_RECORDS_ALL : HK_RECORDS_PLACE);
}

struct hk_node_type {
  const char *name; /* "rigid" */
  const char *noun; /* name in messages: "point mass" */
  int nv;
  /* Number of coordinates of the node of a body, if it depends on the body: `prepare` then sets node->coordinate.
   * NULL: it is always nv. */
  int (*count)(const hk_item *item);
  const hk_node_coordinate *coordinate; /* [nv] */
  hk_moves moves;
  /* First of three coordinates that are a rotation vector in node axes, for which q has a unit
   * quaternion; -1: none. All others are additive: q (+) d = q + d. */
  int turn;
  int own; /* number of doubles of private data that `place` computes for the other functions */
  /* The node has a prescribed rotation: its private data begin with the prescribed angular velocity
   * and acceleration, functions of time. */
  bool guided;
  bool number;          /* not a body but a scalar state with a rate equation; no mass, no forces */
  bool pointlike;       /* its frames have neither meaningful axes nor an offset */
  bool translates;      /* the first three coordinates are a displacement in world axes */
  bool axis;            /* rotates about one axis; its frames store their angle: hk_frame.angle */
  const char *no_joint; /* reason why no joint may be attached; NULL: joints are allowed */
  hk_frame_records records;
  /* Named coordinate between the ground and the frame of the node: "shaft.angle". */
  const char *free_name;
  const hk_relation_type *free_relation;
  void (*free_constants)(const hk_node *n, double *k); /* NULL: zero */

  /* ---- when the model is compiled ---- */
  /* Optional: computes constants into node->data and checks the parameters; *param: the invalid
   * parameter. */
  hk_status (*prepare)(hk_node *n, hk_arena *arena, const char **param, hk_error *err);
  /* Sets initial q and v, and node->R0 and node->x0 if they differ from those of the body. */
  void (*start)(hk_node *n, const hk_mass_properties *p, double *q, double *v);
  /* Converts a frame that is given relative to the origin and the axes of the body to the node. NULL: only the
   * position of the centre of mass is subtracted. */
  void (*mount)(const hk_node *n, hk_vec3 at, const hk_mat3 *R, hk_vec3 *s, hk_mat3 *in_node);
  hk_mass_rank (*rank)(const hk_node *n);
  /* Radius of gyration; NULL: none. */
  double (*gyration)(const hk_node *n);
  /* Computes [nv] diagonal of the mass matrix at the initial state. */
  void (*diagonal)(const hk_node *n, double *out);
  /* Approximate inertia against a force along a length, or a moment about an angle. */
  double (*resistance)(const hk_node *n, bool angular, double length);

  /* For flexible bodies. The first function returns the number of interfaces, the second one the position of interface
   * i in node axes. NULL: no interfaces. */
  int (*interfaces)(const hk_node *n);
  hk_vec3 (*interface)(const hk_node *n, int i);
  /* Returns true if an interface has no modes: such an interface follows the deformation, but a load on it would cause
   * no deformation. */
  bool (*observed)(const hk_node *n, int i);

  /* ---- frames; all NULL: the node carries no markers ---- */
  /* Computes the rotation matrix of the node, and its private data; `still`: prescribed motion is
   * frozen. On entry both contain the results of the last call, or the data are zeros or NaN:
   * values that have not changed need not be computed again. */
  void (*place)(const hk_node *n, double t, bool still, const double *q, const double *v,
                hk_mat3 *R, double *own);
  void (*frame)(const hk_pose *p, const hk_marker *k, const double *q, const double *v,
                hk_frame *F);
  /* out = T^T (jx, jt) */
  void (*map)(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jx, hk_vec3 jt,
              double *out);
  /* out += c d(T^T (f, m))/dd at constant f and m: [nv][nv].  NULL: T is constant. */
  void (*geometric)(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 f, hk_vec3 m,
                    double c, double *out, int stride);
  /* out += d(jv . F->v + jw . F->w)/dd at constant v.  NULL: T is constant. */
  void (*turning)(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 jv, hk_vec3 jw,
                  double *out);
  /* Acceleration of the frame at zero acceleration of the node. NULL: none. */
  void (*bias)(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 *a, hk_vec3 *alpha);

  /* ---- inertia ---- */
  void (*multiply)(const hk_pose *p, const double *x, double *y); /* y = M x */
  double (*energy)(const hk_pose *p, const double *v);
  /* Computes the inertia forces and internal forces of the node without -M v'. These forces depend on q and v:
   * gyroscopic forces, and the elastic and damping forces whose energy and power `stored` returns. */
  void (*force)(const hk_pose *p, const double *v, double *out);
  /* out += cM M + cC C + cK K, with C and K the derivatives of -force: [nv][nv]. */
  void (*tangent)(const hk_pose *p, const hk_inertia_weights *c, double *out, int stride);
  /* *potential += energy of the deformation of the node, *dissipated += power of its damping. NULL: both are zero. */
  void (*stored)(const hk_pose *p, const double *v, double *potential, double *dissipated);
  /* Flexible bodies: value of a channel of a marker, see HK_DEFORMATION_*. NULL: none. */
  double (*deformation)(const hk_pose *p, const hk_marker *k, int component);
  /* Smallest and largest stiffness of the deformation of the node [N/m]. NULL if `stored` is NULL. */
  void (*stiffness)(const hk_node *n, double out[2]);
  /* f += force of a field on its mass, *potential += its energy. NULL: no effect. */
  void (*field)(const hk_pose *p, const double *q, const hk_field *field, double *f,
                double *potential);
  /* out -= c df/dd of the force of `field` in a uniform field: [nv][nv]. NULL: the force is
   * constant. */
  void (*field_tangent)(const hk_pose *p, const double *q, const hk_field *field, double c,
                        double *out, int stride);
};

/* Returns true if the first three coordinates are a displacement in world axes. */
static inline bool hk_node_translates(const hk_node *n) {
  return n->moves == HK_MOVES_RIGID || n->moves == HK_MOVES_TRANSLATION || n->type->translates;
}

/* Adds the force of a field on a mass with its position in the first three coordinates. */
static inline void hk_node_center_field(double mass, hk_vec3 x, const hk_field *field, double *f,
                                        double *potential) {
  if (mass == 0) return;
  double per_mass = 0;
  hk_vec3 a = field->at(field->data, field->t, x, &per_mass);
  f[0] += mass * a.x, f[1] += mass * a.y, f[2] += mass * a.z;
  *potential += mass * per_mass;
}

/* Number of coordinates of the node of a body. */
int hk_node_count(const hk_item *item);
/* Creates the node of a body with its initial q and v; the caller has set its offsets. *param:
 * the invalid parameter, if any. */
hk_status hk_node_make(const hk_item *item, const hk_mass_properties *p, hk_arena *arena,
                       hk_node *n, double *q, double *v, const char **param, hk_error *err);
/* Converts a frame from body axes and body origin to a marker of the node. */
void hk_node_mount(const hk_node *n, hk_vec3 at, const hk_mat3 *R, hk_vec3 *s, hk_mat3 *in_node);
/* Frame of a marker at a given time, position and velocity, outside a simulation. */
void hk_node_start_frame(const hk_node *n, const hk_marker *k, double t, const double *q,
                         const double *v, hk_frame *F);

#define HK_NODE(name) extern const hk_node_type hk_node_##name;
#include "node/nodes.list"
#undef HK_NODE
#endif
