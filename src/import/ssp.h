/* Systems of FMUs after the standard System Structure and Parameterization: a .ssp archive as a model file of hooke.
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
  double period;      /* of all FMUs [s]; 0: the step size of their default experiments */
  bool linear;        /* `signals: linear` for all FMUs */
} hk_ssp_options;

typedef struct hk_ssp_counts {
  int fmus, connections, inputs, outputs;
} hk_ssp_counts;

/* *text: the model file, from malloc; NULL with the reasons in diag.  `name`: of the archive, for messages. */
hk_status hk_ssp_convert(const hk_archive *a, const char *name, const hk_ssp_options *options,
                         char **text, hk_ssp_counts *counts, hk_diag *diag);
#endif
