/* Data packed with the model in an FMU, which replace HDF5 files and finite elements: compliances of gears in the folder
 * `resources/gears`, tables as CSV next to their files (src/fmu/resources.c). */
#ifndef FMU_CARRIED_H
#define FMU_CARRIED_H
#include "read/preparation.h"

/* `gears`: path of the folder; the text must remain valid as long as the result is used. */
hk_preparation fmu_preparation(const char *gears);
#endif
