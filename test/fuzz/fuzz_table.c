/* Any bytes as the file of a table, CSV or HDF5.  The first line may name the requested columns and units, as
 * `#!x,y,unit of x,unit of y`, each of which may be empty; the values read are finite, and those of x
 * increase. */
#include "fuzz_hdf5.h"
#include "prepare/prepare.h"
#include <math.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool ok) {
  if (!ok) abort();
}

/* Reads the requests of the first line; the remaining lines are the file. */
static void take_wishes(hk_table_request *q, char line[128], const uint8_t **data, size_t *size) {
  const char **wish[4] = {&q->x, &q->y, &q->x_unit, &q->y_unit};
  const uint8_t *end =
      *size > 2 && memcmp(*data, "#!", 2) == 0 ? memchr(*data, '\n', *size) : NULL;
  if (!end || end - *data > 120) return;
  size_t n = (size_t)(end - *data) - 2;
  memcpy(line, *data + 2, n);
  line[n] = 0;
  for (int i = 0; i < 4 && line; i++) {
    char *comma = strchr(line, ',');
    if (comma) *comma = 0;
    if (*line) *wish[i] = line;
    line = comma ? comma + 1 : NULL;
  }
  *size -= (size_t)(end + 1 - *data);
  *data = end + 1;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const hk_location here = {"fuzz.yaml", 1, 1};
  char line[128];
  hk_table_request q = {.from = &here};
  hk_table_points points;
  hk_diag diag;
  fuzz_hdf5_begin();
  hk_diag_init(&diag);
  take_wishes(&q, line, &data, &size);
  q.path = fuzz_file(data, size);
  bool ok = hk_table_file_read(&q, hk_table_hdf5_read, &points, &diag);
  require(ok == (diag.n_errors == 0));
  for (int i = 0; ok && i < points.n; i++)
    require(isfinite(points.x[i]) && isfinite(points.y[i]) &&
            (i == 0 || points.x[i] > points.x[i - 1]));
  require(!ok || points.n >= 2);
  hk_table_points_free(&points);
  hk_diag_free(&diag);
  return 0;
}
