/* A model before it is compiled: a list of items, each of a registered type with named parameters.
 *
 * The reader of model files builds such a list, and a C program builds the same one with the same names:
 *
 *   hk_spec *s = hk_spec_create();
 *   hk_item *bob = hk_spec_add(s, HK_BODY, "point_mass", "bob", NULL);
 *   hk_item_real(bob, "mass", 1.0, NULL);
 *   hk_item_vec3(bob, "position", hk_v3(-1, 0, 0), NULL);
 *   hk_model *m = hk_model_compile(s, &diag);              NULL: diag gives the reason, even of
 *   failed calls above
 *
 * All numbers are in SI units.  A call that fails returns HK_EINPUT (< 0) or NULL.  If `err` is given, the error is written
 * there and the caller decides what to do.  If `err` is NULL, the spec keeps the first error: hk_spec_error returns it, and
 * hk_model_compile reports it and fails.  A setter called with a NULL item (the result of a failed hk_spec_add) fails and
 * changes nothing.
 *
 * A spec belongs to one thread at a time.  Copies of it are independent.
 */
#ifndef HOOKE_SPEC_H
#define HOOKE_SPEC_H
#include <hooke/base.h>
#include <hooke/math3.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The sections of a model file. Steppers have no section: their keys are part of the section `analysis`. */
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
  HK_FMU,
  HK_EVENT,
  HK_MEASURE,
  HK_ANALYSIS,
  HK_STEPPER,
  HK_N_CATEGORIES
} hk_category;

typedef struct hk_spec hk_spec;
typedef struct hk_item hk_item;

/* The set of types that items may have.  A new registry contains the types of the library; a
 * program can add more.  The registry must outlive every spec and model that uses it. */
typedef struct hk_registry hk_registry;
HK_API hk_registry *hk_registry_create(void); /* returns NULL if out of memory */
HK_API void hk_registry_destroy(hk_registry *registry);

/* Creates an empty spec that accepts the types of the library, or those of a registry.  NULL: out
 * of memory. */
HK_API hk_spec *hk_spec_create(void);
HK_API hk_spec *hk_spec_create_with(const hk_registry *registry);
HK_API void hk_spec_destroy(hk_spec *spec);
HK_API hk_status hk_spec_title(hk_spec *spec, const char *title);
/* Returns the first error of a call whose `err` was NULL; NULL: no error. */
HK_API const hk_error *hk_spec_error(const hk_spec *spec);
/* Returns an independent copy that can be changed and compiled; the original is not changed.  In
 * this way a file is read once for many variants.  NULL: out of memory. */
HK_API hk_spec *hk_spec_copy(const hk_spec *spec);

/* Adds an item with the defaults of its type.  NULL: the type is unknown or the name is already
 * used. */
HK_API hk_item *hk_spec_add(hk_spec *spec, hk_category category, const char *type, const char *name,
                            hk_error *err);
HK_API hk_item *hk_spec_find(const hk_spec *spec, hk_category category, const char *name);
/* The items of a category in the order in which they were added; NULL: no such item. */
HK_API int hk_spec_count(const hk_spec *spec, hk_category category);
HK_API hk_item *hk_spec_at(const hk_spec *spec, hk_category category, int i);
/* A named frame fixed to a body, given in the body's axes.  Its full name is "body.marker". */
HK_API hk_status hk_spec_marker(hk_spec *spec, hk_item *body, const char *name, hk_vec3 at,
                                hk_quat orientation, hk_error *err);

HK_API hk_status hk_item_real(hk_item *item, const char *param, double value, hk_error *err);
HK_API hk_status hk_item_int(hk_item *item, const char *param, long value, hk_error *err);
HK_API hk_status hk_item_bool(hk_item *item, const char *param, bool value, hk_error *err);
HK_API hk_status hk_item_vec3(hk_item *item, const char *param, hk_vec3 value, hk_error *err);
HK_API hk_status hk_item_rotation(hk_item *item, const char *param, hk_quat value, hk_error *err);
HK_API hk_status hk_item_reals(hk_item *item, const char *param, const double *value, int n,
                               hk_error *err);
/* Sets a name, a choice or a text: frames ("crank.tip", "ground"), coordinates ("hinge.angle"), channels, enumerations.
 * The keys of a stepper are set on the analysis, as in the file. */
HK_API hk_status hk_item_text(hk_item *item, const char *param, const char *value, hk_error *err);
/* Sets an expression of t and of channels, in the syntax of the model file. component: 0 to 2 for parameters with three
 * expressions, otherwise 0. */
HK_API hk_status hk_item_expression(hk_item *item, const char *param, int component,
                                    const char *text, hk_error *err);
/* Sets the points of a table, in SI units. x_unit and y_unit give only the quantity: "s" is a time, "mm" a length;
 * NULL: dimensionless. */
HK_API hk_status hk_item_points(hk_item *item, const char *param, const double *x, const double *y,
                                int n, const char *x_unit, const char *y_unit, hk_error *err);
/* Sets one term of a coupling: factor times coordinate. The first call replaces the default terms. */
HK_API hk_status hk_item_term(hk_item *item, const char *param, const char *coordinate,
                              double factor, hk_error *err);

/* Replaces the internal variables of forces (such as the tension of a Maxwell element) by states of the model. Call
 * this function before hk_model_compile if the model is to be linearised: then the internal variables are among the
 * coordinates and modes. The motion stays the same up to the integration error. */
HK_API hk_status hk_spec_first_order(hk_spec *spec, hk_error *err);

/* ---- reading back ---- */

/* Name and type of an item; they live as long as its spec or model. */
HK_API const char *hk_item_name(const hk_item *item);
HK_API const char *hk_item_type_name(const hk_item *item);
HK_API hk_category hk_item_category(const hk_item *item);
/* The spec that holds the item. */
HK_API hk_spec *hk_item_spec(const hk_item *item);
/* Returns the composite joint that added the item to the spec; NULL: the model file or the program
 * added it. */
HK_API const hk_item *hk_item_made_by(const hk_item *item);
/* Writes the value of a parameter, given or default, into buf in the syntax of model files: "5
 * N*m", "[0 m, 1 m, 0 m]", "crank.tip", "sin(t)".  Expressions are returned as written in the file,
 * with the names of top-level parameters.  Returns the length that the text needs, as snprintf
 * does; -1: unknown parameter. */
HK_API int hk_item_get(const hk_item *item, const char *param, char *buf, size_t size);
/* Reads the numeric values of a parameter in SI units, at most `capacity` of them: real, integer,
 * boolean and choice (its index) have one value, vectors and directions 3, rotations 4 (w, x, y,
 * z), lists their length.  Returns the number of values; -1: unknown parameter, or not a numeric
 * constant. */
HK_API int hk_item_get_reals(const hk_item *item, const char *param, double *out, int capacity);
/* Returns true if the parameter was set, by the model file or a setter. */
HK_API bool hk_item_has(const hk_item *item, const char *param);

#ifdef __cplusplus
}
#endif
#endif
