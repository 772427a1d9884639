/* The list of the variables of an FMU, stored next to the model in its folder `resources`.
 *
 *   fmu: 1
 *   token: "{...}"
 *   model: half_shaft.yaml
 *   stepper: generalized_alpha
 *   rtol: 1e-5
 *   set: [["parts.left.length", "0.4 m"]]
 *   inputs: [torque]
 *   outputs: [shaft.rate]
 *   parameters: [stiffness]
 *   arrays: [[1, 3]]
 *   exchange: true
 *
 * Written by src/fmu/fmu_export.c.  Value references follow from the order: 0 is the time, then come inputs, outputs,
 * parameters and the rates of the inputs.  arrays: value references of their first elements, and sizes.  exchange: also for model exchange; then states, their derivatives and event
 * indicators follow. */
#ifndef FMU_MANIFEST_H
#define FMU_MANIFEST_H
#include "base/arena.h"
#include "read/model_file.h"

typedef struct fmu_names {
  const char **name;
  int n;
} fmu_names;

typedef struct fmu_array {
  unsigned
      first; /* value reference of the array and of its first element; those of the others follow */
  int n;
} fmu_array;

typedef struct fmu_manifest {
  hk_arena arena;
  const char *token, *model, *stepper;
  double rtol; /* tolerance of this stepper; 0: its steps have a fixed length */
  hk_override *set;
  int n_set;
  fmu_names input, output, parameter;
  fmu_array *array;
  int n_arrays;
  bool exchange;
} fmu_manifest;

/* Reads resources/hooke.yaml. On failure the errors are in diag. Free the manifest in any case. */
hk_status fmu_manifest_read(fmu_manifest *m, const char *resources, hk_diag *diag);
void fmu_manifest_free(fmu_manifest *m);
#endif
