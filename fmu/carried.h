/* Data packed with the model in an FMU, which replace HDF5 files and finite elements: compliances of gears and flexible
 * bodies in the folder `resources/prepared`, tables as CSV next to their files (src/fmu/resources.c). */
#ifndef FMU_CARRIED_H
#define FMU_CARRIED_H
#include "read/preparation.h"

/* folder: path of the prepared data; the text must remain valid as long as the result is used. */
hk_preparation fmu_preparation(const char *folder);
#endif
