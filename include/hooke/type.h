/* Types and their parameter tables.
 *
 * A type (a joint, a force, a body shape, ...) is one const struct in one file. The model-file reader, defaults,
 * ranges, units, `hooke types`, the JSON schema and the C setters all use its parameter table; no other file repeats
 * its contents. Defaults are a const instance of the parameter struct. */
#ifndef HOOKE_TYPE_H
#define HOOKE_TYPE_H
#include <hooke/dim.h>
#include <hooke/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_expr hk_expr; /* a compiled expression */

/* Memory that belongs to a model and is released with it.  Allocated memory is zeroed; NULL: out of
 * memory. */
typedef struct hk_arena hk_arena;
HK_API void *hk_arena_alloc(hk_arena *arena, size_t bytes);

typedef enum hk_param_kind {
  HK_PARAM_REAL,       /* double */
  HK_PARAM_INT,        /* int */
  HK_PARAM_BOOL,       /* bool */
  HK_PARAM_ENUM,       /* int, index into choices */
  HK_PARAM_STRING,     /* const char * */
  HK_PARAM_VEC3,       /* hk_vec3; a list of three quantities */
  HK_PARAM_DIRECTION,  /* hk_vec3 of length 1; x, -y, z or a list of three numbers */
  HK_PARAM_ROTATION,   /* hk_quat; forms in docs/model-file.md */
  HK_PARAM_INERTIA,    /* double[6]: Ixx Iyy Izz Ixy Ixz Iyz, matrix elements; 3 or 6 numbers */
  HK_PARAM_REALS,      /* double[count]; a list, or a list of lists row by row */
  HK_PARAM_FRAME,      /* const char *: a body ("crank", "ground") or a marker ("crank.tip") */
  HK_PARAM_JOINT,      /* const char *: a joint */
  HK_PARAM_LAW,        /* const char *: an item of `laws` */
  HK_PARAM_COORDINATE, /* const char *: "hinge.angle", or a rotor's name for its angle */
  /* const char *: any channel, such as "crank.tip.x", "energy.kinetic" or a sensor */
  HK_PARAM_CHANNEL,
  HK_PARAM_EXPR,   /* hk_expr *: expression of t and channels; NULL when not given */
  HK_PARAM_EXPR3,  /* hk_expr *[3] */
  HK_PARAM_TERMS,  /* hk_terms */
  HK_PARAM_POINTS, /* hk_points: a list of pairs of quantities */
  HK_PARAM_STEPPER /* const char *: a type of HK_STEPPER, or "auto".  The keys of that stepper are set on
                       * the same item */
} hk_param_kind;

/* One term of a coupling: a coordinate with its weight, written in the model file as a map entry such as `hinge1.angle:
 * 2.5`. */
typedef struct hk_term {
  const char *coordinate;
  double factor;
  hk_dim dim; /* of the factor */
  /* true for terms of a model file; factors given in C are in SI units of the required dimension */
  bool has_dim;
  hk_location place;
} hk_term;
typedef struct hk_terms {
  int n;
  hk_term *term;
} hk_terms;

/* Pairs x, y in SI units, with the dimensions of both. */
typedef struct hk_points {
  int n;
  const double *x, *y;
  hk_dim x_dim, y_dim;
} hk_points;

enum {
  HK_REQUIRED = 1, /* must be given */
  HK_POSITIVE = 2, /* must be > 0 (min is then ignored) */
  HK_ANY_UNIT =
      4,        /* any unit is accepted (sensor expressions), or the type itself checks the unit */
  HK_UP_TO = 8, /* REALS: may have fewer than count numbers, the rest are zero */
  HK_COUNTED = 16, /* REALS: the number of given values is stored after the last value */
  HK_FILE = 32,    /* STRING: may be the name of a file, which is read with the model */
  HK_WORLD_AXES =
      64, /* VEC3, DIRECTION, ROTATION: given in the axes of the model; rotated with the part that contains the item */
  HK_WORLD_PLACE =
      128 /* VEC3: a position in the model; rotated and shifted with the part that contains the item */
};

typedef struct hk_param {
  const char *name;
  hk_param_kind kind;
  size_t offset;
  const char *unit; /* SI unit in which the value is stored; NULL or "1": a plain number */
  unsigned flags;
  /* description; further members are usually set by the macros of hooke/param.h */
  const char *doc;
  const char *
      angular_unit; /* REAL, EXPR: the unit if the item's coordinate is an angle; `unit` is then the unit for a
                             * length.  NULL: only one unit */
  double min, max;            /* inclusive range; both 0: unlimited */
  const char *const *choices; /* ENUM: NULL-terminated names */
  int count;                  /* REALS: number of values */
  const char *each; /* REALS: the kind of part to which each value belongs, such as "ball", so that
                               * `joint.ball[2].pitch_error` is value 2 of pitch_error; NULL: no such part */
  const char *
      each_count; /* name of the INT parameter that holds the number of these parts; NULL: `count` */
} hk_param;

/* Returns true if the parameter is a reference to another item or the choice of a variant. Only such parameters
 * affect the channels of an item. */
static inline bool hk_param_is_name(const hk_param *p) {
  return p->kind == HK_PARAM_FRAME || p->kind == HK_PARAM_JOINT || p->kind == HK_PARAM_COORDINATE ||
         p->kind == HK_PARAM_LAW || p->kind == HK_PARAM_ENUM;
}

/* Placement and size of motion with which the conformance tests check an item whose frames `a` and `b` must be in a
 * certain relative position: a composite joint, or a force with `set_placement`. On entry frame `b` is at frame `a`,
 * and the other members have the values given below. */
typedef struct hk_stage {
  hk_vec3 at;           /* position of `b` in the axes of `a`, for the initial position */
  hk_quat turn;         /* orientation of `b` in the axes of `a` */
  double length, angle; /* largest deviation of tested states from this position: 0.1 m, 0.1 rad */
  double speed;         /* largest velocity of tested states: 0.5 m/s and rad/s */
  double exact;         /* relative error that an inner iteration may cause in derivatives: 1e-7 */
  bool round_b;         /* true: a rotation of `b` about its z axis has no effect */
  /* true: a displacement of `b` within its body along its z axis has no effect */
  bool slides_b;
  /* a rotation of both frames about their z axes by 1/fold of a revolution has no effect; 0: unknown */
  int fold;
  bool stressed; /* true: the parts carry a preload in the initial position */
  /* value of `fold` for frame `b`, if it differs; < 0: `b` rotates in the opposite direction */
  int fold_b;
} hk_stage;

/* A case with known forces, for the conformance tests. Frame `a` is at the origin and at rest; the position and the
 * velocity of frame `b` are given in world axes. */
typedef struct hk_known_case {
  const char *what;      /* name of the case, in a few words; NULL ends the list */
  const char *values;    /* values in SI units: "teeth_a 18, ring true, law hertz, law.mu 0.1" */
  hk_vec3 at, turn;      /* position and rotation vector of `b` */
  hk_vec3 v, w;          /* velocity and angular velocity of `b` */
  hk_vec3 force, moment; /* on `b`, the moment about its frame */
  /* allowed deviations, from the accuracy of the reference or of the model */
  double force_error, moment_error;
} hk_known_case;

/* Changes of a model after which the conformance tests expect the same motion of the bodies, or its
 * mirror image.  Parameters in pairs (`clearance_a`, `clearance_b`) are exchanged together with the
 * frames. */
enum {
  HK_SWAPS = 1,  /* a and b exchanged */
  HK_MIRRORS = 2 /* all bodies and frames mirrored, and parameters changed by hk_type.mirror */
};

/* Parameters that a model file writes in a nested map: with {"gear_a", "_a"}, `gear_a: {teeth: 20}` is the same as `teeth_a:
 * 20`.  Every parameter that ends in the suffix belongs to the group. */
typedef struct hk_group {
  const char *name, *suffix, *doc;
} hk_group;

typedef struct hk_drawing hk_drawing; /* hooke/draw.h */
typedef struct hk_type {
  const char *name;
  hk_category category;
  const char *doc;    /* description in one or two sentences */
  const char *source; /* source of the type's equations */
  /* size of the parameter struct, which begins with the category's common part */
  size_t size;
  const void *defaults;
  const hk_param *params; /* parameters of the type, which follow the common ones of the category */
  int n_params;
  const void *ops; /* hk_body_ops, hk_joint_ops, ..., depending on the category */
  /* The derivatives of the type are finite differences, computed by the library or with
   * hooke/numerical.h.  Compilation adds a note, once per type.  Optional: the library also detects
   * a type that gives no derivatives. */
  bool numerical;
  /* Known limitation of the type's results, in one sentence; NULL: none.  `hooke types` shows this
   * sentence, and compiling a model with such an item adds a warning, once. */
  const char *caution;
  /* Assumptions, one sentence each, NULL-terminated: `hooke types` shows them.  NULL: none beyond `doc`. */
  const char *const *assumptions;
  /* Items of this type need data that only a C program can provide, such as a function; model files
   * with this type are rejected with a message. */
  bool in_programs_only;
  /* Adds the solids that represent an item (hooke/draw.h); NULL: the item is not drawn. */
  void (*draw)(const hk_item *item, hk_drawing *drawing);
  /* The conformance tests draw each parameter at random.  This function changes the values if parameters must fit each other
   * or the test model, whose bodies are metres apart; NULL: any values are valid. */
  hk_status (*sample)(struct hk_item *item, hk_error *err);
  /* Gives the relative position that the frames must have.  NULL: any position; for a composite
   * joint and a force with `set_placement`, coincident frames. */
  void (*stage)(const struct hk_item *item, hk_stage *stage);
  int symmetry; /* HK_SWAPS | HK_MIRRORS; 0: neither */
  /* With HK_MIRRORS: sets the parameters of the mirror image.  Angles and speeds about an axis change sign, and parts that
   * are numbered around the axis are renumbered.  NULL: the mirrored frames are enough. */
  void (*mirror)(struct hk_item *item);
  const hk_group *groups; /* groups of parameters; the last entry has no name; NULL: no groups */
  /* With HK_SWAPS: sets the parameters so that the item with exchanged frames `a` and `b` acts as before; parameters
   * named _a and _b have been exchanged before the call. Returns false if there is no such item. NULL: no further
   * changes are needed. */
  bool (*swap)(struct hk_item *item);
  /* Cases with forces that are known from outside of the type's equations; NULL: none. They
   * detect errors that the other checks cannot find, because the forces are in balance and act
   * the same in every position. */
  const hk_known_case *known;
} hk_type;

/* Parameters that every type of a category has. Their struct is the first member of the parameter struct of each type. */
HK_API const hk_param *hk_category_params(hk_category category, int *n);
/* "body", "bodies" */
HK_API const char *hk_category_name(hk_category category);
HK_API const char *hk_category_section(hk_category category);
/* The type of an item without the key `type` ("rigid_body" for bodies); NULL: the key is required. */
HK_API const char *hk_category_default_type(hk_category category);
/* The i-th parameter of a type, common ones first; NULL after the last. */
HK_API const hk_param *hk_type_param(const hk_type *type, int i);
/* The group that a parameter belongs to, or NULL. */
HK_API const hk_group *hk_type_group(const hk_type *type, const hk_param *param);
/* Number of parameters, including the common ones. */
HK_API int hk_type_param_count(const hk_type *type);
/* Index of a parameter by its name or a former name, or -1. */
HK_API int hk_type_param_find(const hk_type *type, const char *name);

/* The parameter struct of an item, as hk_type.size and .defaults describe it; NULL for a NULL item.
 * Intended for the functions of a type; programs use the setters and hk_item_get. */
HK_API const void *hk_item_data(const hk_item *item);
/* Returns the parameter struct of an item for changes by hk_type.sample, mirror and swap. */
HK_API void *hk_item_edit(hk_item *item);
#define HK_DATA(item, type) ((const type *)hk_item_data(item))
/* Return the type of an item, and whether its parameter number `index` was set by the model file or
 * a setter; NULL and false for a NULL item. */
HK_API const hk_type *hk_item_type(const hk_item *item);
HK_API bool hk_item_given(const hk_item *item, int index);
/* Returns `given` if it is positive, else `otherwise`: for parameters for which 0 means that
 * they are not given. */
static inline double hk_given_or(double given, double otherwise) {
  return given > 0 ? given : otherwise;
}
/* Location for messages about this parameter: the location of its value if it was given, else of
 * the item. */
HK_API const hk_location *hk_item_location(const hk_item *item, const char *param);
/* Location for messages about the parameter that holds this expression. */
HK_API const hk_location *hk_item_expression_location(const hk_item *item, const hk_expr *expr);

#ifdef __cplusplus
}
#endif
#endif
