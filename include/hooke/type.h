/* Types and their parameter tables.
 *
 * A type (a joint, a force, a body shape, ...) is one const struct in one file.  Its parameter
 * table feeds the model-file reader, defaults, ranges, units, `hooke types`, the JSON schema and
 * the C setters; nothing else repeats what it says.  Defaults are a const instance of the parameter
 * struct.
 */
#ifndef HOOKE_TYPE_H
#define HOOKE_TYPE_H
#include <hooke/dim.h>
#include <hooke/spec.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_expr hk_expr; /* a compiled expression */

/* Memory with one owner: what a type makes for the model lives as long as that.  Zeroed; NULL when out of
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
  HK_PARAM_FRAME,      /* const char *: a body ("crank", "ground") or marker ("crank.tip") */
  HK_PARAM_JOINT,      /* const char *: a joint */
  HK_PARAM_LAW,        /* const char *: an item of `laws` */
  HK_PARAM_COORDINATE, /* const char *: "hinge.angle", or a rotor's name for its angle */
  HK_PARAM_CHANNEL,    /* const char *: any channel, "crank.tip.x", "energy.kinetic", a sensor */
  HK_PARAM_EXPR,       /* hk_expr *: expression of t and channels; NULL when not given */
  HK_PARAM_EXPR3,      /* hk_expr *[3] */
  HK_PARAM_TERMS,      /* hk_terms */
  HK_PARAM_POINTS,     /* hk_points: a list of pairs of quantities */
  HK_PARAM_STEPPER /* const char *: a type of HK_STEPPER, or "auto".  The keys of that stepper are set on
                       * the same item */
} hk_param_kind;

/* Weighted coordinates of a coupling; in the file a map `hinge1.angle: 2.5`. */
typedef struct hk_term {
  const char *coordinate;
  double factor;
  hk_dim dim;   /* of the factor */
  bool has_dim; /* from a model file; a number in C is in SI units, whichever are due */
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
  HK_POSITIVE = 2, /* > 0 (min is then ignored) */
  HK_ANY_UNIT = 4, /* any unit will do (sensor expressions), or the type checks it itself */
  HK_UP_TO = 8,    /* REALS: may have fewer than count numbers, the rest are zero */
  HK_COUNTED = 16, /* REALS: behind the last one stands how many were given */
  HK_FILE = 32,    /* STRING: may name a file, which is read with the model */
  HK_WORLD_AXES =
      64, /* VEC3, DIRECTION, ROTATION: given in the axes of the model; the orientation of a part turns it */
  HK_WORLD_PLACE =
      128 /* VEC3: a place in the model; the orientation and position of a part turn and shift it */
};

typedef struct hk_param {
  const char *name;
  hk_param_kind kind;
  size_t offset;
  const char *unit; /* SI unit the value is stored in; NULL or "1": a plain number */
  unsigned flags;
  const char *doc;  /* after the flags: see hooke/param.h */
  const char *angular_unit; /* REAL, EXPR: the unit if the item's coordinate is an angle, `unit` then being
                               that along a length; NULL: there is one unit */
  double min, max;  /* inclusive range; both 0: unlimited */
  const char *const *choices; /* ENUM: NULL-terminated names */
  int count;                  /* REALS: how many */
  const char *each;           /* REALS: what a number belongs to, "ball"; NULL: nothing of the kind.
                                 Then `joint.ball[2].pitch_error` is number 2 of pitch_error. */
  const char
      *each_count; /* ... INT parameter that says how many of these there are; NULL: `count` */
} hk_param;

/* Names another item, or chooses: what must be known of an item to say which channels it has. */
static inline bool hk_param_is_name(const hk_param *p) {
  return p->kind == HK_PARAM_FRAME || p->kind == HK_PARAM_JOINT || p->kind == HK_PARAM_COORDINATE ||
         p->kind == HK_PARAM_LAW || p->kind == HK_PARAM_ENUM;
}

/* Where conformance tries an item whose frames a and b must stand to each other in some way: a composite joint, a force
 * with `place`.  Before the type fills it in, b stands on a, with the sizes said here. */
typedef struct hk_stage {
  hk_vec3 at;           /* of b in the axes of a, as the bodies stand */
  hk_quat turn;         /* ... and its axes */
  double length, angle; /* states are off from there by up to so much: 0.1 m, 0.1 rad */
  double speed;         /* ... and move so fast: 0.5 m/s and rad/s */
  double exact;         /* relative error that an inner iteration may leave in derivatives: 1e-7 */
  bool round_b;         /* turning b about its z axis changes nothing */
  bool slides_b;        /* moving b along its z axis, within its body, changes nothing */
  int fold; /* turning both about their z axes by this part of a turn changes nothing; 0: not known */
  bool stressed; /* its parts press on each other as they stand: a preload */
} hk_stage;

/* Changes of a model after which conformance expects the same motion of the bodies, or its mirror image.  Parameters in
 * pairs (`clearance_a`, `clearance_b`) are exchanged with the frames. */
enum {
  HK_SWAPS = 1,  /* a and b exchanged */
  HK_MIRRORS = 2 /* all bodies and frames mirrored, and parameters as by hk_type.mirror */
};

/* Parameters that a model file writes in a map of their own: with {"gear_a", "_a"}, `gear_a: {teeth: 20}` is the same as
 * `teeth_a: 20`.  Every parameter that ends in the suffix belongs to the group. */
typedef struct hk_group {
  const char *name, *suffix, *doc;
} hk_group;

typedef struct hk_drawing hk_drawing; /* hooke/draw.h */
typedef struct hk_type {
  const char *name;
  hk_category category;
  const char *doc;    /* what it is, in a sentence or two */
  const char *source; /* where its equations come from */
  size_t size;        /* of the parameter struct, which begins with the category's common part */
  const void *defaults;
  const hk_param *params; /* own parameters, after the category's common ones */
  int n_params;
  const void *ops; /* hk_body_ops, hk_joint_ops, ... by category */
  /* Its derivatives are differences, by the library or by its own use of hooke/numerical.h.  Whoever compiles
   * a model is told, once.  A type that gives none need not say so: it is found out. */
  bool numerical;
  /* What its results must not be trusted for, in one sentence; NULL: nothing that need be said.  `hooke
   * types` shows it, and whoever compiles a model with such an item is warned, once. */
  const char *caution;
  /* What it takes for granted, a sentence each, up to NULL: `hooke types` shows them.  NULL: nothing beyond `doc`. */
  const char *const *assumptions;
  /* Its items need what only a C program can give, such as a function: model files are told so. */
  bool in_programs_only;
  /* Adds the solids that an item looks like (hooke/draw.h); NULL: it is not drawn. */
  void (*draw)(const hk_item *item, hk_drawing *drawing);
  /* Conformance draws each parameter at random.  A type whose parameters must fit each other, and a world
   * of bodies that are metres apart, makes them fit here; NULL: any will do. */
  hk_status (*sample)(struct hk_item *item, hk_error *err);
  /* ... and says where its frames must stand; NULL: anywhere, or, of a composite joint and a force with `place`, in
   * each other. */
  void (*stage)(const struct hk_item *item, hk_stage *stage);
  int symmetry; /* HK_SWAPS | HK_MIRRORS; 0: neither is expected */
  /* With HK_MIRRORS: sets the parameters of the mirror image.  Angles and speeds about an axis change their sign, and
   * parts that are counted around the axis change places.  NULL: the mirrored frames are enough. */
  void (*mirror)(struct hk_item *item);
  const hk_group *groups; /* up to one without a name; NULL: none */
  /* With HK_SWAPS: sets the parameters of the item that acts the same with a and b exchanged, after those named _a and _b
   * have been; false: this item has none.  NULL: these are enough. */
  bool (*swap)(struct hk_item *item);
} hk_type;

/* Parameters that every type of a category has: their struct is the head of each type's own. */
HK_API const hk_param *hk_category_params(hk_category category, int *n);
/* "body", "bodies" */
HK_API const char *hk_category_name(hk_category category);
HK_API const char *hk_category_section(hk_category category);
/* The type of an item that names none ("rigid_body" for bodies), or NULL: it must name one. */
HK_API const char *hk_category_default_type(hk_category category);
/* The i-th parameter of a type, common ones first; NULL behind the last. */
HK_API const hk_param *hk_type_param(const hk_type *type, int i);
/* The group that a parameter belongs to, or NULL. */
HK_API const hk_group *hk_type_group(const hk_type *type, const hk_param *param);
/* Number of parameters, common ones included. */
HK_API int hk_type_param_count(const hk_type *type);
/* Index of a parameter by its name or a former name (spec/renamed.list), or -1. */
HK_API int hk_type_param_index(const hk_type *type, const char *name);

/* State of one parameter of an item: bits of hk_item.param_state. */
enum {
  HK_PARAM_GIVEN = 1,  /* set by the user */
  HK_PARAM_LINEAR = 2, /* has two units, and was given in the one along a length */
  HK_PARAM_ANGULAR = 4 /* ... in the one along an angle */
};

struct hk_item {
  const hk_type *type;
  const char *name;
  hk_location place;
  void *data;            /* the parameter struct */
  unsigned char *param_state; /* [number of parameters]: HK_PARAM_GIVEN, ... */
  hk_location *param_place; /* [number of parameters]; zero where unknown */
  hk_spec *spec;
  bool expanded;          /* a composite joint whose parts have been added */
  const hk_item *made_by; /* the composite joint that it is a part of; NULL: it was given */
};
#define HK_DATA(item, type) ((const type *)(item)->data)
static inline bool hk_item_given(const hk_item *item, int index) {
  return index >= 0 && (item->param_state[index] & HK_PARAM_GIVEN);
}
/* A number that is only meant where it is positive, and what counts instead. */
static inline double hk_given_or(double given, double otherwise) {
  return given > 0 ? given : otherwise;
}
/* Where a message about this parameter should point: its value, else the item. */
HK_API const hk_location *hk_item_where(const hk_item *item, const char *param);
/* The same of the parameter that holds this expression. */
HK_API const hk_location *hk_item_where_expression(const hk_item *item, const hk_expr *expr);

#ifdef __cplusplus
}
#endif
#endif
