/* Setting parameters by their tables: shared by the C setters and the model file reader. */
#ifndef HK_SPEC_ITEM_H
#define HK_SPEC_ITEM_H
#include <hooke/element.h>
#include "spec/type.h"

/* Writes a label such as "body 'cage'" or "the analysis". */
int hk_item_label(const hk_item *item, char *buf, size_t size);
/* Dimension of a parameter's unit; false for HK_ANY_UNIT. */
bool hk_param_dim(const hk_param *p, hk_dim *dim);
/* Dimension of the parameter's second unit, for angles; false: the parameter has only one unit. */
bool hk_param_angular_dim(const hk_param *p, hk_dim *dim);
/* Checks the dimension of a value: rejects it if it fits no unit of the parameter; if the parameter
 * has two units, records the one that fits.  A plain 0 (`zero`) fits all units. */
hk_status hk_item_check_dim(hk_item *item, int index, hk_dim dim, bool zero, hk_error *err);
/* Writes the error text for a value with the wrong dimension: "length of body 'rod' needs a unit:
 * m, mm, um". */
hk_status hk_dim_misfit(const char *param, const char *owner, hk_dim dim, hk_dim wanted,
                        hk_error *err);

/* Marks the parameter as not given, without changing its value. */
void hk_item_forget(hk_item *item, const char *param);
/* Sets a compiled expression as a parameter of kind EXPR or EXPR3; checks dimension and range. */
hk_status hk_item_set_expr(hk_item *item, int index, int component, hk_expr *e, hk_error *err);
/* Sets the points of a table with known dimensions. */
hk_status hk_item_set_points(hk_item *item, int index, const hk_points *points, hk_error *err);
/* Removes the default terms, so that new terms are not appended to them. */
void hk_item_clear_terms(hk_item *item, int index);

/* Internal name table.  Markers have a separate category and the name "body.marker". */
enum { HK_NAME_MARKER = HK_N_CATEGORIES };
const hk_marker_spec *hk_spec_find_marker(const hk_spec *spec, const char *full_name);
/* Rotates and displaces the vectors that the item gives in the axes of the model. */
/* Writes "force 'f' at model.yaml:3:10" into text, as snprintf does: the item and the location of its expression, if
 * known. */
int hk_expression_describe(const hk_item *item, const hk_expr *expr, char *text, size_t size);
void hk_item_place(hk_item *item, hk_vec3 origin, hk_quat rotation);
/* For hk_type.mirror: mirrors the deviations of n parts distributed evenly around an axis; sign -1: circumferential
 * deviations. */
void hk_mirror_ring(double *list, int n, double sign);
/* Find marker i that the type of a body defines, or the one with this name; false: there is none. */
bool hk_body_marker(const hk_item *body, int i, hk_builtin_marker *out);
bool hk_body_marker_find(const hk_item *body, const char *name, hk_builtin_marker *out);
#endif
