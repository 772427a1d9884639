/* A spec from inside: items, markers and the variables of expressions. */
#ifndef HK_TYPE_H
#define HK_TYPE_H
#include "base/arena.h"
#include "expr/expr.h"
#include <hooke/type.h>
#include <stdatomic.h>

typedef struct hk_marker_spec {
  const char *name;    /* without the body's name */
  const hk_item *body; /* NULL: ground */
  hk_vec3 at;
  hk_quat orientation;
  hk_location place;
  const hk_item *made_by; /* the composite joint that added it, or NULL */
} hk_marker_spec;

/* Where parts of a composite joint begin: the origin of frame b lies on the z axis, or in the plane of x and
 * y, of the axes that stand on frame a.  It holds while the bodies are placed, and not in the run. */
typedef struct hk_start_hold {
  const hk_item *joint;
  const char *a, *b;
  hk_vec3 at;
  hk_mat3 axes;
  bool plane;
} hk_start_hold;

/* A channel named in an expression; slot 0 is always t. */
typedef struct hk_variable {
  const char *name;
  hk_dim dim;
} hk_variable;

/* A file that the spec was read from beside `file`: an included one. */
typedef struct hk_read_file {
  const char *path;
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
  hk_read_file *included;
  hk_item **item[HK_N_CATEGORIES];
  int n[HK_N_CATEGORIES], capacity[HK_N_CATEGORIES];
  hk_marker_spec *marker;
  int n_markers, marker_capacity;
  hk_parameter_spec *parameter; /* by the reader of model files */
  int n_parameters;
  hk_start_hold *hold;
  int n_holds, hold_capacity;
  hk_variable *variable;
  int n_variables, variable_capacity;
  struct hk_name_table *names; /* (category, name) -> item */
  const hk_item *expanding;    /* the composite joint whose parts are being added, or NULL */
  hk_error error; /* the first failure of a call without an error of its own; code 0: none */
  /* Copies share what never changes, texts and expressions above all, with the spec that they come from: its memory stays
   * until the last of them is gone. */
  hk_spec *origin;
  atomic_int owners;
};

/* For calls that may fail without an `err` of the caller: keeps *own as the first failure of the spec.  Returns status. */
hk_status hk_spec_note(hk_spec *spec, const hk_error *err, hk_status status, const hk_error *own);

/* Slot of a channel for use in an expression, interning it on first use.  Returns -1 if there is
 * no such channel (hint, size 256, then says what was perhaps meant). */
int hk_spec_variable(hk_spec *spec, const char *name, hk_dim *dim, char *hint);

/* The table of this name for use in an expression: what hk_symbol says, NULL if there is none or it has
 * no points, which err then says. */
const hk_curve *hk_spec_table(const hk_spec *spec, const char *name, hk_error *err);

/* Keeps a copy; false: out of memory. */
bool hk_spec_hold(hk_spec *spec, const hk_start_hold *hold);

/* Adds the parts of composite joints that have not been added yet: errors go to diag. */
void hk_spec_expand(hk_spec *spec, hk_diag *diag);
/* One item of them. */
void hk_item_expand(hk_item *item, hk_spec *spec, hk_diag *diag);

/* When the run begins, by the analysis: guides and motions are functions of time. */
double hk_spec_start_time(const hk_spec *spec);

/* The nearest of n names to a misspelt one, or NULL if none is near. */
const char *hk_nearest_name(const char *wrong, const char *const *names, int n);
#endif
