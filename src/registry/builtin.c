/* The built-in types: every one that a model can name, from types.list and integrators.list. */
#include "registry/builtin.h"
#include "model/compile.h"

#define HK_TYPE(category, name) extern const hk_type hk_type_##category##_##name;
#include "registry/types.list"
#include "integrator/integrators.list"
#undef HK_TYPE

#define HK_TYPE(category, name) &hk_type_##category##_##name,
static const hk_type *const TYPES[] = {
#include "registry/types.list"
#include "integrator/integrators.list"
};
#undef HK_TYPE

static const hk_registry BUILTIN = {
    .type = (const hk_type **)TYPES,
    .n = sizeof TYPES / sizeof TYPES[0],
    .variable = hk_channel_variable,
    .current_channel = hk_channel_current,
};

const hk_registry *hk_registry_builtin(void) { return &BUILTIN; }

hk_registry *hk_registry_create(void) { return hk_registry_copy(&BUILTIN); }

hk_spec *hk_spec_create(void) { return hk_spec_create_with(&BUILTIN); }
