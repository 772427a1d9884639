/* Systems of FMUs according to the standard System Structure and Parameterization (SSP): a .ssp archive as a model
 * file of hooke.
 *
 * Every FMU of the archive becomes an item of `fmus`; connections become expressions of the
 * FMU's inputs, and parameter sets become its start values.  Nested systems are flattened;
 * connectors of the outermost system become inputs and sensors. */
#ifndef HK_IMPORT_SSP_H
#define HK_IMPORT_SSP_H
#include "import/archive.h"
#include <hooke/base.h>

typedef struct hk_ssp_options {
  const char *system; /* name of a .ssd file in the archive; NULL: SystemStructure.ssd */
  /* period at which all FMUs exchange data [s]; 0: the step size of their default experiments */
  double period;
  bool linear; /* `signals: linear` for all FMUs */
} hk_ssp_options;

typedef struct hk_ssp_counts {
  int fmus, connections, inputs, outputs;
} hk_ssp_counts;

/* *text: the model file, allocated with malloc; NULL: failed, the reasons are in diag. `name`: name of the archive,
 * for messages. */
hk_status hk_ssp_convert(const hk_archive *a, const char *name, const hk_ssp_options *options,
                         char **text, hk_ssp_counts *counts, hk_diag *diag);
#endif
