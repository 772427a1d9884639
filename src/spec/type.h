/* A spec from inside: items, markers and the variables of expressions. */
#ifndef HK_TYPE_H
#define HK_TYPE_H
#include "base/arena.h"
#include "expr/expr.h"
#include <hooke/type.h>

typedef struct hk_marker_spec {
  const char *name;    /* without the body's name */
  const hk_item *body; /* NULL: ground */
  hk_vec3 at;
  hk_quat orientation;
  hk_place place;
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
  hk_start_hold *hold;
  int n_holds, hold_capacity;
  hk_variable *variable;
  int n_variables, variable_capacity;
  struct hk_name_table *names; /* (category, name) -> item */
  const hk_item *expanding;    /* the composite joint whose parts are being added, or NULL */
};

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
