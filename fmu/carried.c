/* Data that travels with the model: see carried.h. The functions that src/prepare calls to read HDF5 files and to
 * compute finite elements are not reached, because such data is packed. */
#include "carried.h"
#include "fe/gear_fe.h"
#include "fmu/pack_name.h"
#include "prepare/body_file.h"
#include "prepare/gear_file.h"
#include "prepare/prepare.h"
#include <string.h>

bool hk_table_hdf5_read(const hk_table_request *q, hk_table_points *out, hk_diag *diag) {
  char name[4200];
  if (!hk_pack_table_name(q->path, q->x, q->y, name, sizeof name)) {
    hk_diag_add(diag, HK_ERROR, q->from, "the name of '%s' is too long", q->path);
    return false;
  }
  const hk_table_request packed = {.path = name, .from = q->from, .quiet = q->quiet};
  return hk_table_csv_read(&packed, out, diag);
}

hk_status hk_gear_file_read(const char *path, const char *group, bool quiet, hk_arena *arena,
                            hk_gear_compliance *out, hk_error *err) {
  return hk_fail(err, HK_EINPUT, "an FMU does not read '%s'", path);
}

hk_status hk_body_file_read(const char *path, bool surface, bool quiet, hk_arena *arena,
                            hk_flexible_data *out, hk_error *err) {
  return hk_fail(err, HK_EINPUT, "an FMU does not read '%s'", path);
}

hk_status hk_fe_gear_solve(const hk_fe_gear *g, hk_arena *arena, const hk_fe_progress *progress,
                           hk_gear_compliance *out, hk_error *err) {
  return hk_fail(err, HK_EINPUT, "an FMU does not compute finite elements");
}

hk_preparation fmu_preparation(const char *folder) {
  hk_preparation p = hk_preparation_full;
  p.packed = folder;
  return p;
}
