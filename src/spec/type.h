/* Internals of a spec: items, markers and the variables of expressions. */
#ifndef HK_SPEC_TYPE_H
#define HK_SPEC_TYPE_H
#include "base/arena.h"
#include "expr/expr.h"
#include <hooke/type.h>
#include <stdatomic.h>

/* State of one parameter of an item: bits of hk_item.param_state. */
enum {
  HK_PARAM_GIVEN = 1,  /* set by the user */
  HK_PARAM_LINEAR = 2, /* the parameter has two units and was given in the unit for a length */
  HK_PARAM_ANGULAR = 4 /* ... in the unit for an angle */
};

struct hk_item {
  const hk_type *type;
  const char *name;
  hk_location place;
  void *data;                 /* the parameter struct */
  unsigned char *param_state; /* [number of parameters]: HK_PARAM_GIVEN, ... */
  hk_location *param_place;   /* [number of parameters]; zero if unknown */
  hk_spec *spec;
  bool expanded; /* true for a composite joint after its parts have been added */
  const hk_item
      *made_by; /* the composite joint that the item is a part of; NULL: the user added it */
};

typedef struct hk_marker_spec {
  const char *name;    /* name of the marker, without the body's name */
  const hk_item *body; /* NULL: ground */
  hk_vec3 at;
  hk_quat orientation;
  hk_location place;
  const hk_item *made_by; /* the composite joint that added the marker, or NULL */
} hk_marker_spec;

/* Start condition of a part of a composite joint: the origin of frame `b` is on the z axis, or in the plane of x and
 * y, of axes fixed to frame `a`.  It is active during assembly only, not in the run. */
typedef struct hk_start_hold {
  const hk_item *joint;
  const char *a, *b;
  hk_vec3 at;
  hk_mat3 axes;
  bool plane;
} hk_start_hold;

/* A channel used in an expression; slot 0 is always t. */
typedef struct hk_variable {
  const char *name;
  hk_dim dim;
} hk_variable;

/* A file from which the spec was read in addition to `file`: an include, table, mesh, compliance or FMU. */
typedef struct hk_read_file {
  const char *path;
  bool included; /* another model file */
  struct hk_read_file *next;
} hk_read_file;

/* A top-level parameter of a model file: hk_parameter without its reserved room. */
typedef struct hk_parameter_spec {
  const char *name, *unit, *text;
  double value;
} hk_parameter_spec;

struct hk_spec {
  hk_arena arena;
  const hk_registry *registry; /* not owned */
  const char *title;
  const char *file;
  hk_read_file *read;
  hk_item **item[HK_N_CATEGORIES];
  int n[HK_N_CATEGORIES], capacity[HK_N_CATEGORIES];
  hk_marker_spec *marker;
  int n_markers, marker_capacity;
  hk_parameter_spec *parameter; /* written by the reader of model files */
  int n_parameters;
  hk_start_hold *hold;
  int n_holds, hold_capacity;
  hk_variable *variable;
  int n_variables, variable_capacity;
  struct hk_name_table *names; /* (category, name) -> item */
  const hk_item *expanding;    /* the composite joint that is being expanded, or NULL */
  hk_diag *diag;               /* receives notes while parts are added, or NULL */
  hk_error error;              /* the first error of a call whose `err` was NULL; code 0: none */
  /* Copies use the constant data (mainly texts and expressions) of the original spec: its memory is kept until the
   * last copy is destroyed. */
  hk_spec *origin;
  atomic_int owners;
};

/* For setters that were called without `err`: if they fail, stores the error *own in the spec,
 * unless the spec already has one. Returns status. */
hk_status hk_spec_note(hk_spec *spec, const hk_error *err, hk_status status, const hk_error *own);

/* Returns the slot of a channel for use in an expression; the first use creates the slot. -1:
 * there is no such channel (hint, size 256, then contains a suggestion). */
int hk_spec_variable(hk_spec *spec, const char *name, hk_dim *dim, char *hint);

/* The table with this name for use in an expression (hk_symbol); NULL: unknown or without points, with the reason in
 * err. */
const hk_curve *hk_spec_table(const hk_spec *spec, const char *name, hk_error *err);

/* Stores a copy of the condition; false: out of memory. */
bool hk_spec_hold(hk_spec *spec, const hk_start_hold *hold);

/* Adds the parts of composite joints that have not been expanded yet; errors are added to diag. */
void hk_spec_expand(hk_spec *spec, hk_diag *diag);
/* Expands one composite joint. */
void hk_item_expand(hk_item *item, hk_spec *spec, hk_diag *diag);

/* Start time of the analysis, needed because prescribed motions are functions of time. */
double hk_spec_start_time(const hk_spec *spec);

/* Returns the name, of n names, that is most similar to a misspelt one; NULL if none is similar. */
const char *hk_nearest_name(const char *wrong, const char *const *names, int n);
#endif
