/* Compliance of gears in HDF5, as other finite-element programs write it:
 *
 *   roll_length  [stations], unit m
 *   compliance   [2 reach + 1][stations][slices][stations][slices], unit m/N; axes: tooth offset; station
 *                and slice where the displacement is read; station and slice where the unit force acts
 *
 * in the root of the file or in a group per gear.  Units may be others of the same kind, in an attribute
 * `unit` of each dataset; without it they are m and m/N.  What it means: gear/compliance.h.
 */
#ifndef HK_GEAR_FILE_H
#define HK_GEAR_FILE_H
#include "gear/compliance.h"

/* group: NULL for the root, or the only group if the root has no table.  The numbers are checked
 * (hk_gear_compliance_check); whether they are those of the gear at hand is another question
 * (hk_gear_compliance_fits).  Made exactly symmetric.
 * quiet: the file may lie outside of the model's folder; messages then quote nothing of it. */
hk_status hk_gear_file_read(const char *path, const char *group, bool quiet, hk_arena *arena,
                            hk_gear_compliance *out, hk_error *err);
#endif
