/* JSON Schema (draft 2020-12) of the model file, generated from the parameter tables, so that
 * editors complete and check the keys and values that the reader accepts. */
#ifndef HK_REFERENCE_SCHEMA_H
#define HK_REFERENCE_SCHEMA_H
#include <hooke/spec.h>

/* Text to be freed by the caller; NULL when out of memory. */
char *hk_schema_json(const hk_registry *types);
#endif
