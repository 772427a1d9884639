/* The types that come with the library. */
#ifndef HK_REGISTRY_BUILTIN_H
#define HK_REGISTRY_BUILTIN_H
#include "spec/registry.h"

const hk_registry *hk_registry_builtin(void);
#endif
