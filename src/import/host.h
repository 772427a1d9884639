/* A running FMU for a simulation: unpacked, in a separate process or in this one.  See
 * spec/coupling.h. */
#ifndef HK_IMPORT_HOST_H
#define HK_IMPORT_HOST_H
#include "import/archive.h"
#include "import/slave.h"
#include "spec/coupling.h"

/* Functions of a coupling whose data is an hk_fmu_plan. */
extern const hk_coupling_ops hk_fmu_coupling;

/* Reads the description of the FMU in an archive; if this fails, err gives the reason. */
hk_status hk_fmu_read_archive(const hk_archive *a, hk_arena *arena, hk_fmu_description *out,
                              hk_error *err);
/* Description of the FMU in a file, and whether it has a binary for this platform; on failure err
 * has the reason. */
hk_status hk_fmu_read(const char *path, hk_arena *arena, hk_fmu_description *out, hk_error *err);
#endif
