/* The description of a model before it is compiled: a list of items, each of a registered type
 * with named parameters.  The model file reader builds one of these, and a C program can build
 * the same one with the same names:
 *
 *   hk_spec *s = hk_spec_create();
 *   hk_item *bob = hk_spec_add(s, HK_BODY, "point_mass", "bob", &err);
 *   hk_item_real(bob, "mass", 1.0, &err);
 *   hk_item_vec3(bob, "position", hk_v3(-1, 0, 0), &err);
 *
 * All numbers are in SI units.  A setter that fails returns HK_EINPUT (< 0) and fills err; so does a setter on NULL,
 * the item of a failed hk_spec_add.
 */
#ifndef HOOKE_SPEC_H
#define HOOKE_SPEC_H
#include <hooke/base.h>
#include <hooke/math3.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The sections of a model file; steppers have none, their keys stand in the analysis. */
typedef enum hk_category {
  HK_BODY,
  HK_JOINT,
  HK_FORCE,
  HK_LAW,
  HK_CONTACT,
  HK_MOTION,
  HK_TABLE,
  HK_INPUT,
  HK_STATE,
  HK_SENSOR,
  HK_SHAPE,
  HK_MEASURE,
  HK_ANALYSIS,
  HK_STEPPER,
  HK_N_CATEGORIES
} hk_category;

typedef struct hk_spec hk_spec;
typedef struct hk_item hk_item;

/* The types that items may have.  A registry begins with the types that come with the library; a
 * program can add its own.  It must outlive every spec and model that uses it. */
typedef struct hk_registry hk_registry;
HK_API hk_registry *hk_registry_create(void); /* NULL when out of memory */
HK_API void hk_registry_destroy(hk_registry *registry);

/* A spec of the types that come with the library, or of a registry's.  NULL when out of memory. */
HK_API hk_spec *hk_spec_create(void);
HK_API hk_spec *hk_spec_create_with(const hk_registry *registry);
HK_API void hk_spec_destroy(hk_spec *spec);
HK_API hk_status hk_spec_title(hk_spec *spec, const char *title);

/* Add an item with the defaults of its type.  NULL if the type is unknown or the name is taken. */
HK_API hk_item *hk_spec_add(hk_spec *spec, hk_category category, const char *type, const char *name,
                            hk_error *err);
HK_API hk_item *hk_spec_find(const hk_spec *spec, hk_category category, const char *name);
/* A named frame fixed to a body, in the body's axes: later known as "body.marker". */
HK_API hk_status hk_spec_marker(hk_spec *spec, hk_item *body, const char *name, hk_vec3 at,
                                hk_quat orientation, hk_error *err);

HK_API hk_status hk_item_real(hk_item *item, const char *param, double value, hk_error *err);
HK_API hk_status hk_item_int(hk_item *item, const char *param, long value, hk_error *err);
HK_API hk_status hk_item_bool(hk_item *item, const char *param, bool value, hk_error *err);
HK_API hk_status hk_item_vec3(hk_item *item, const char *param, hk_vec3 value, hk_error *err);
HK_API hk_status hk_item_rotation(hk_item *item, const char *param, hk_quat value, hk_error *err);
HK_API hk_status hk_item_reals(hk_item *item, const char *param, const double *value, int n,
                               hk_error *err);
/* Names, choices and texts: frames ("crank.tip", "ground"), coordinates ("hinge.angle"),
 * channels, enumerations.  The keys of a stepper are set on the analysis, as in the file. */
HK_API hk_status hk_item_text(hk_item *item, const char *param, const char *value, hk_error *err);
/* An expression of t and of channels, in the syntax of the model file; `component` 0..2 for
 * parameters with three expressions, else 0. */
HK_API hk_status hk_item_expression(hk_item *item, const char *param, int component,
                                    const char *text, hk_error *err);
/* Points of a table, in SI units; the units say which quantities they are ("s", "mm" means a length), NULL:
 * plain numbers. */
HK_API hk_status hk_item_points(hk_item *item, const char *param, const double *x, const double *y,
                                int n, const char *x_unit, const char *y_unit, hk_error *err);
/* One term of a coupling: factor times coordinate. */
HK_API hk_status hk_item_term(hk_item *item, const char *param, const char *coordinate,
                              double factor, hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
