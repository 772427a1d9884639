/* Registry: the types that items may have (types of the library, of the program and of plugins).
 *
 *   hk_registry *types = hk_registry_create();                 the types of the library
 *   hk_registry_add(types, &my_spring, &err);                  and one more
 *   hk_spec *spec = hk_spec_create_with(types);                or hk_model_file_read_with
 *
 * A registry must outlive every spec and model that uses it, and must not be changed after the first of them was created.
 * How a type is written: docs/develop/extending.md.
 */
#ifndef HOOKE_REGISTRY_H
#define HOOKE_REGISTRY_H
#include <hooke/draw.h>
#include <hooke/element.h>
#include <hooke/integrator.h>
#include <hooke/joint.h>
#include <hooke/state.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Adds a type of any category.  The registry keeps the pointer, so the type must outlive the
 * registry.  HK_EINPUT: the name exists already, or the table or functions of the type are
 * invalid. */
HK_API hk_status hk_registry_add(hk_registry *registry, const hk_type *type, hk_error *err);
/* The types of a category, by index and by name; NULL: no such type. */
HK_API int hk_registry_count(const hk_registry *registry, hk_category category);
HK_API const hk_type *hk_registry_at(const hk_registry *registry, hk_category category, int i);
HK_API const hk_type *hk_registry_find(const hk_registry *registry, hk_category category,
                                       const char *name);

/* Allow model files read with this registry to refer to files (included files, tables, meshes, compliances) outside of their
 * folder.  By default this is rejected (links are resolved), so that a model file from an untrusted source cannot read other
 * files of this machine. */
HK_API void hk_registry_allow_outside(hk_registry *registry);

/* Allows the FMUs of models that are read with this registry to run. Native code runs only if the program or its user
 * requests it, with this function or hk_registry_load, never because a model file names it. Without permission such a
 * model is read and checked; a simulation of it fails with HK_EINPUT before any of its code is loaded. */
HK_API void hk_registry_allow_native(hk_registry *registry);

/* Runs the FMUs of models that are read with this registry in the process of the program. This is faster, but a crash
 * of an FMU then ends the program. By default each FMU has its own process. */
HK_API void hk_registry_fmus_in_process(hk_registry *registry);

/* ---- plugins: types in a shared object ---- */

/* Table of a plugin, exported by the shared object as hk_plugin_table.  The macro HK_PLUGIN defines it:
 *
 *   HK_PLUGIN(&square, &magnet)
 */
enum { HK_PLUGIN_N_SIZES = 12 };
typedef struct hk_plugin {
  int version; /* HK_VERSION_NUMBER of the headers it was compiled with */
  /* Sizes of the structs that types use, four per array element: a plugin compiled with other
   * headers is detected and rejected. */
  unsigned long long size[HK_PLUGIN_N_SIZES];
  int n_types;
  const hk_type *const *type;
} hk_plugin;
#define HK_PLUGIN_FOUR(a, b, c, d)                                       \
  ((unsigned long long)sizeof(a) | (unsigned long long)sizeof(b) << 16 | \
   (unsigned long long)sizeof(c) << 32 | (unsigned long long)sizeof(d) << 48)
#define HK_PLUGIN_SIZES                                                                        \
  {                                                                                            \
    HK_PLUGIN_FOUR(hk_type, hk_param, hk_mat3, hk_quantity),                                   \
        HK_PLUGIN_FOUR(hk_terms, hk_term, hk_points, hk_contact_common),                       \
        HK_PLUGIN_FOUR(hk_frame, hk_row, hk_relation_type, hk_sensor_binding),                 \
        HK_PLUGIN_FOUR(hk_body_ops, hk_body_common, hk_mass_properties, hk_builtin_marker),    \
        HK_PLUGIN_FOUR(hk_joint_ops, hk_joint_common, hk_joint_builder, hk_joint_builder_ops), \
        HK_PLUGIN_FOUR(hk_force_ops, hk_force_binding, hk_force_in, hk_force_out),             \
        HK_PLUGIN_FOUR(hk_gap_ops, hk_gap, hk_ball_gap, hk_gap_rows),                          \
        HK_PLUGIN_FOUR(hk_law_ops, hk_law_in, hk_normal, hk_curvature),                        \
        HK_PLUGIN_FOUR(hk_stage, hk_sum_term, hk_shape_common, hk_sensor_ops),                 \
        HK_PLUGIN_FOUR(hk_plain_joint, hk_shaft_joint, hk_error, hk_location),                 \
        HK_PLUGIN_FOUR(hk_integrator, hk_attempt, hk_state_parts, hk_draw_style),              \
        HK_PLUGIN_FOUR(hk_group, hk_dim, hk_vec3, hk_known_case)                               \
  }
#define HK_PLUGIN(...)                                                                        \
  static const hk_type *const hk_plugin_types[] = {__VA_ARGS__};                              \
  HK_API extern const hk_plugin hk_plugin_table;                                              \
  const hk_plugin hk_plugin_table = {HK_VERSION_NUMBER, HK_PLUGIN_SIZES,                      \
                                     (int)(sizeof hk_plugin_types / sizeof *hk_plugin_types), \
                                     hk_plugin_types};

/* Adds the types of a shared object.  `path` is its location ("./mine.so"); no folders are
 * searched.  HK_EIO: it cannot be opened.  HK_EINPUT: it is not a plugin, was built for another
 * version, or has a type that hk_registry_add rejects.  The shared object stays loaded until the
 * registry is destroyed. */
HK_API hk_status hk_registry_load(hk_registry *registry, const char *path, hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
