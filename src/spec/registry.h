/* Internals of a registry.  The spec has a pointer to the registry, so that lower folders do not
 * depend on the list of types. */
#ifndef HK_SPEC_REGISTRY_H
#define HK_SPEC_REGISTRY_H
#include "spec/type.h"
#include <hooke/registry.h>

struct hk_registry {
  const hk_type **type; /* types in the order of `hooke types` */
  int n, capacity;      /* capacity 0: constant, not allocated */
  int n_added;          /* number of types added by hk_registry_add */
  bool outside;         /* model files may include files of other folders */
  bool native;          /* FMUs in models may be executed */
  bool in_process;      /* FMUs in models run in the process of the program */
  /* Slot of a channel for use in an expression: see hk_spec_variable. */
  int (*variable)(hk_spec *spec, const char *name, hk_dim *dim, char *hint);
  /* Converts a former name of a channel to the current name; false if the name is already current
   * or is unknown. */
  bool (*current_channel)(const hk_spec *spec, const char *name, char *out, size_t size,
                          bool *note);
  /* Shared objects of plugins, released with the registry. */
  void **library;
  int n_libraries;
  void (*close)(void *library);
};

/* Returns a registry with the same types, to which others can be added; NULL: out of memory. */
hk_registry *hk_registry_copy(const hk_registry *from);
/* Keeps a shared object until the registry is destroyed; false: out of memory. */
bool hk_registry_keep(hk_registry *r, void *library, void (*close)(void *library));
/* The checks of hk_registry_add: see type_sound.c. */
hk_status hk_type_sound(const hk_type *type, hk_error *err);
/* Number of bytes of a parameter in its struct. */
size_t hk_param_size(const hk_param *p);
#endif
