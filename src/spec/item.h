/* Setting parameters by their tables: shared by the C setters and the model file reader. */
#ifndef HK_ITEM_H
#define HK_ITEM_H
#include "spec/type.h"

/* "body 'cage'", or "the analysis". */
int hk_item_label(const hk_item *item, char *buf, size_t size);
/* Dimension of a parameter's unit; false for HK_ANY_UNIT. */
bool hk_param_dim(const hk_param *p, hk_dim *dim);
/* Of its second unit, that along an angle; false if it has none. */
bool hk_param_angular_dim(const hk_param *p, hk_dim *dim);
/* A value of this dimension is being given: refused if it fits no unit of the parameter, else it is
 * noted which of two it has.  A plain 0 (zero) fits all. */
hk_status hk_item_check_dim(hk_item *item, int index, hk_dim dim, bool zero, hk_error *err);
/* Why a value of dimension `dim` does not fit: "length of body 'rod' needs a unit: m, mm, um". */
hk_status hk_dim_misfit(const char *param, const char *owner, hk_dim dim, hk_dim wanted,
                        hk_error *err);

/* The value stays, but does not count as given. */
void hk_item_forget(hk_item *item, const char *param);
/* Compiled expression as a parameter of kind EXPR or EXPR3; checks dimension and range. */
hk_status hk_item_set_expr(hk_item *item, int index, int component, hk_expr *e, hk_error *err);
/* The same with the dimensions known. */
hk_status hk_item_set_points(hk_item *item, int index, const hk_points *points, hk_error *err);
/* Drop what was given before, so that terms are not appended to those of the defaults. */
void hk_item_clear_terms(hk_item *item, int index);

/* Internal name table.  Markers have a category of their own and the name "body.marker". */
enum { HK_NAME_MARKER = HK_N_CATEGORIES };
const hk_marker_spec *hk_spec_find_marker(const hk_spec *spec, const char *full_name);
/* Turns and shifts what the item gives in the axes of the model. */
/* "force 'f' at model.yaml:3:10" into text, as snprintf does: the item and the place of its expression, as far as known. */
int hk_expression_describe(const hk_item *item, const hk_expr *expr, char *text, size_t size);
void hk_item_place(hk_item *item, hk_vec3 origin, hk_quat rotation);
/* For hk_type.mirror: deviations of n parts that stand evenly around an axis; sign -1 if they count around the axis. */
void hk_mirror_ring(double *list, int n, double sign);
#endif
