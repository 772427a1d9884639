/* Nodes: what moves.  A node has coordinates q and velocities v and carries frames, its markers; one
 * table of functions says how.  Everything else, from the elements to the steppers and analyses, knows
 * frames, velocities and this table, and no type of node.
 *
 * A small motion of a node is d, as wide as v; q (+) d is q + d but for rotations, which multiply.  A
 * marker's frame moves by (dx, dtheta) = T d, in world axes.  The table gives T only by what it does to a row: a row
 * (jx, jt) over (dx, dtheta) becomes T^T (jx, jt) over d, and so does a force and moment at the frame.
 *
 * A new node is one file, with its table and the type of body that stands on it, and one line in
 * src/registry/types.list; a node that several types of bodies share is declared in nodes.list.
 */
#ifndef HK_NODE_H
#define HK_NODE_H
#include "spec/type.h"
#include <hooke/element.h>

enum {
  HK_NODE_MAX = 6,     /* most coordinates d of a node; q may have one more */
  HK_NODE_OWN_MAX = 64 /* most numbers of its own */
};

/* How frames move with the node, for the hot loops, which have these written out.  The functions of the
 * table must say the same. */
typedef enum hk_moves {
  HK_MOVES_OWN,   /* as the table says */
  HK_MOVES_RIGID, /* d = (dx of the reference point, R^T dtheta); q = (x, unit quaternion) */
  HK_MOVES_PLACE, /* d = dx; the orientation is none of its coordinates */
  HK_MOVES_AXIS   /* d = angle about an axis that does not move: z of R0, through x0 */
} hk_moves;

/* One of the coordinates d. */
typedef struct hk_node_coordinate {
  const char *name;     /* "x", "angle" */
  const char *equation; /* whose balance it is: "force", "moment" */
  bool angular;         /* in radians, otherwise a length */
} hk_node_coordinate;

/* What every loop over the nodes reads comes first and fits a cache line, what the hot ones read is behind it. */
typedef struct hk_node {
  const hk_node_type *type;
  hk_moves moves;   /* those of its type */
  bool placed;      /* by its table in every evaluation, for the sake of its own numbers */
  bool guided;      /* that of its type */
  bool counted;     /* an angle beside it is counted over whole turns */
  int turn;         /* that of its type */
  int q, v, nq, nv; /* offsets into the state's q and v; widths */
  int own, n_own;   /* its own numbers in hk_work.node_own; type->own or, after prepare, fewer */
  double arm;       /* at which a turning of the node counts as a way: see hk_error_norm */
  double mass;
  hk_mat3 inertia; /* about the centre of mass, body axes; rotor: m[2][2] */
  const char *name;
  const hk_item *item;
  const hk_node_coordinate *coordinate; /* [nv] */
  hk_vec3 center; /* of mass, from the body's origin, body axes */
  hk_vec3 x0;     /* where the body stands in the file */
  hk_mat3 R0;     /* its axes there; with an axis of its own: z along that, at angle zero */
  void (*vary)(const void *data, double angle, double J[3]); /* rotor: hk_body_ops.inertia */
  const void *data; /* what type->prepare made, in the model's arena */
  hk_fixed fixed;
  char whole_lines[16];
} hk_node;
_Static_assert(offsetof(hk_node, mass) + sizeof(double) == 64 && sizeof(hk_node) % 64 == 0,
               "the first line of each node holds what all loops read");

enum { HK_GROUND = -1 };
typedef struct hk_marker {
  const char *name; /* "crank.tip"; "crank" for a body's own frame */
  int node;         /* or HK_GROUND */
  hk_vec3 s;        /* from the node's reference point (centre of mass), node axes */
  hk_mat3 R;        /* axes in node axes */
  bool aligned;     /* R is the identity */
  bool active;      /* an element needs it in every evaluation */
  bool moving;      /* ... and its velocity too */
} hk_marker;

/* A node as it stands: what its functions read besides q and v. */
typedef struct hk_pose {
  const hk_node *node;
  const hk_mat3 *R;
  const double *own;
} hk_pose;

/* Coefficients of the inertia in the Newton matrix: cM M + cC C + cK K, C and K of the node's own
 * forces (see `force`).  D, or NULL: the step's displacement, see hk_coefficients.step_rotation. */
typedef struct hk_inertia_weights {
  double cM, cC, cK;
  const double *v, *D;
} hk_inertia_weights;

/* A field that pulls on every mass: acceleration and potential per mass at a place. */
typedef struct hk_field {
  hk_vec3 (*at)(const void *data, double t, hk_vec3 x, double *potential);
  const void *data;
  double t;
} hk_field;

typedef enum hk_mass_rank {
  HK_MASS_NONE,     /* nothing resists */
  HK_MASS_SINGULAR, /* a direction has no inertia */
  HK_MASS_FULL
} hk_mass_rank;

typedef enum hk_frame_records {
  HK_RECORDS_NONE,  /* of its own frame: it has coordinates by name instead */
  HK_RECORDS_PLACE, /* position, velocity, acceleration */
  HK_RECORDS_ALL    /* and orientation, angular velocity and acceleration */
} hk_frame_records;
static inline bool hk_records(hk_frame_records records, bool turning) {
  return records >= (turning ? HK_RECORDS_ALL : HK_RECORDS_PLACE);
}

struct hk_node_type {
  const char *name; /* "rigid" */
  const char *noun; /* for people: "point mass" */
  int nv;
  const hk_node_coordinate *coordinate; /* [nv] */
  hk_moves moves;
  /* First of three coordinates that are a rotation vector in the node's own axes, for which q has a unit
   * quaternion; -1: there are none.  All others add: q (+) d = q + d. */
  int turn;
  int own; /* how many numbers of its own `place` computes for the other functions */
  /* It turns by itself: its own numbers begin with the angular velocity and acceleration that no
   * coordinate makes, functions of time. */
  bool guided;
  bool number;          /* no body: a number whose only equation is its rate; no mass, no forces */
  bool pointlike;       /* frames have no axes that mean anything, and no offset */
  bool axis;            /* turns about one axis; its frames count their angle: hk_frame.angle */
  const char *no_joint; /* why no joint may stand on it; NULL: it may */
  hk_frame_records records;
  /* A coordinate between the ground and the node's own frame that goes by name: "shaft.angle". */
  const char *free_name;
  const hk_relation_type *free_relation;
  void (*free_constants)(const hk_node *n, double *k); /* NULL: zero */

  /* ---- when the model is compiled ---- */
  /* Optional: constants into node->data, and whether the parameters can be used at all; *param: the one
   * to blame. */
  hk_status (*prepare)(hk_node *n, hk_arena *arena, const char **param, hk_error *err);
  /* q and v at the start, and node->R0, node->x0 where they mean something else than the body's. */
  void (*start)(hk_node *n, const hk_mass_properties *p, double *q, double *v);
  /* A frame given in body axes from the body's origin, in the node's; NULL: less the centre of mass. */
  void (*mount)(const hk_node *n, hk_vec3 at, const hk_mat3 *R, hk_vec3 *s, hk_mat3 *in_node);
  hk_mass_rank (*rank)(const hk_node *n);
  /* Radius of gyration; NULL: it has none. */
  double (*gyration)(const hk_node *n);
  /* [nv] diagonal of the mass matrix at the start. */
  void (*diagonal)(const hk_node *n, double *out);
  /* A length over which a pull and an angle over which a moment is resisted: mass or inertia, roughly. */
  double (*resistance)(const hk_node *n, bool angular, double length);

  /* ---- frames; NULL in all of them: no marker stands on it ---- */
  /* The node's rotation, and its own numbers; `still`: what moves by itself stands still.  Both are as the
   * last call has left them, or the numbers are zeros or none: what has not changed need not be found again. */
  void (*place)(const hk_node *n, double t, bool still, const double *q, const double *v, hk_mat3 *R,
                double *own);
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
  /* Acceleration of the frame where that of the node is zero.  NULL: none. */
  void (*bias)(const hk_pose *p, const hk_marker *k, const hk_frame *F, hk_vec3 *a, hk_vec3 *alpha);

  /* ---- inertia ---- */
  void (*multiply)(const hk_pose *p, const double *x, double *y); /* y = M x */
  double (*energy)(const hk_pose *p, const double *v);
  /* out = the node's own force, besides M v': what depends on v and q by itself (gyroscopic). */
  void (*force)(const hk_pose *p, const double *v, double *out);
  /* out += cM M + cC C + cK K, those of -force: [nv][nv]. */
  void (*tangent)(const hk_pose *p, const hk_inertia_weights *c, double *out, int stride);
  /* f += force of a field on its mass, *potential += its energy.  NULL: it feels none. */
  void (*field)(const hk_pose *p, const double *q, const hk_field *field, double *f,
                double *potential);
  /* out -= c df/dd of that force in a uniform field: [nv][nv].  NULL: it is the same everywhere. */
  void (*field_tangent)(const hk_pose *p, const double *q, const hk_field *field, double c,
                        double *out, int stride);
};

/* The field of a mass whose place is the first three coordinates. */
static inline void hk_node_center_field(double mass, hk_vec3 x, const hk_field *field, double *f,
                                        double *potential) {
  if (mass == 0) return;
  double per_mass = 0;
  hk_vec3 a = field->at(field->data, field->t, x, &per_mass);
  f[0] += mass * a.x, f[1] += mass * a.y, f[2] += mass * a.z;
  *potential += mass * per_mass;
}

/* The node of a body with its start q and v; the caller has set its offsets.  *param: what to blame. */
hk_status hk_node_make(const hk_item *item, const hk_mass_properties *p, hk_arena *arena,
                       hk_node *n, double *q, double *v, const char **param, hk_error *err);
/* A frame in body axes from the body's origin, as a marker of the node. */
void hk_node_mount(const hk_node *n, hk_vec3 at, const hk_mat3 *R, hk_vec3 *s, hk_mat3 *in_node);
/* A marker's frame at a time and place, outside of a simulation. */
void hk_node_start_frame(const hk_node *n, const hk_marker *k, double t, const double *q,
                         const double *v, hk_frame *F);

#define HK_NODE(name) extern const hk_node_type hk_node_##name;
#include "node/nodes.list"
#undef HK_NODE
#endif
