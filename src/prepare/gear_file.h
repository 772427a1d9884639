/* Compliance of gears in HDF5, as written by other finite-element programs:
 *
 *   roll_length  [stations], unit m
 *   compliance   [2 reach + 1][stations][slices][stations][slices], unit m/N; axes: tooth offset; station
 *                and slice of the displacement; station and slice of the unit force
 *
 * in the root of the file or in one group per gear.  The attribute `unit` of a dataset may give another unit of the
 * same dimension; the defaults are m and m/N.  Meaning of the table: gear/compliance.h. */
#ifndef HK_PREPARE_GEAR_FILE_H
#define HK_PREPARE_GEAR_FILE_H
#include "gear/compliance.h"

/* Reads a table and makes it exactly symmetric.  group: NULL for the root, or for the only group if the root has no table. 
 * The numbers are checked (hk_gear_compliance_check), but not whether they belong to a certain gear
 * (hk_gear_compliance_fits). quiet: the file may be outside of the model's folder; messages then do not show its contents.
 */
hk_status hk_gear_file_read(const char *path, const char *group, bool quiet, hk_arena *arena,
                            hk_gear_compliance *out, hk_error *err);
#endif
