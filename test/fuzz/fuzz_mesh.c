/* STL and OBJ files: for any bytes the result is a mesh with valid indices, or a message. */
#include "mesh/mesh_file.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const name[] = {"a.stl", "a.obj"};
  for (int i = 0; i < 2; i++) {
    hk_mesh m = {0};
    hk_error err = {0};
    hk_status status = hk_mesh_parse(name[i], (const char *)data, size, 1e-3, &m, &err);
    if (status == HK_OK && m.n_triangles == 0) {
      /* Triangles with two corners at one vertex are dropped; their vertices stay. */
      if (m.n_vertices == 0) abort();
    }
    for (size_t k = 0; status == HK_OK && k < 3 * m.n_triangles; k++)
      if (m.triangle[k] >= m.n_vertices) abort();
    if (status != HK_OK && !err.text[0]) abort();
    hk_volume v;
    if (status == HK_OK) hk_mesh_volume(&m, &v, &err);
    hk_mesh_free(&m);
  }
  return 0;
}
