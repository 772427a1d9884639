/* Commands about one force of a model: selection of the force, reporting of errors. */
#ifndef TOOL_FORCE_H
#define TOOL_FORCE_H
#include "load.h"
#include "model/model.h"

/* Reports an error of the command line or of an output; returns its code. */
hk_status tool_model_refuse(tool_model *t, const hk_error *err);
/* Reports a failure of a force at its line in the model; returns its code. */
hk_status tool_force_failed(tool_model *t, const hk_force *force, hk_error *err);
/* Finds the force of a type with this name, or the only one if `name` is NULL; otherwise reports an
 * error. */
hk_status tool_find_force(tool_model *t, const hk_type *type, const char *name,
                          const hk_force **out);
#endif
