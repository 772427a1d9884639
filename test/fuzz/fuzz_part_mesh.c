/* Meshes of gmsh: for any bytes the result is a mesh with valid indices, or a message. */
#include "reduce/assemble.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const hk_part_material steel = {.young = 2e11, .poisson = 0.3, .density = 7850};
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  hk_part_mesh m = {0};
  hk_error err = {0};
  hk_status status = hk_gmsh_parse("a.msh", text, size, 1, &m, &err);
  free(text);
  if (status && !err.text[0]) abort();
  if (status) return 0;
  for (size_t k = 0; k < m.first[m.n_elements]; k++)
    if (m.node[k] < 0 || m.node[k] >= m.n_nodes) abort();
  for (int i = 0; i < m.n_sets; i++)
    for (int k = 0; k < m.set[i].n; k++)
      if (m.set[i].node[k] < 0 || m.set[i].node[k] >= m.n_nodes) abort();
  hk_nodal_matrix A;
  if (hk_part_assemble(&m, &steel, &A, &err) == HK_OK) {
    hk_part_check_connected(&A, (const double(*)[3])m.x, NULL, &err);
    hk_nodal_matrix_free(&A);
  } else if (!err.text[0]) {
    abort();
  }
  hk_part_mesh_free(&m);
  return 0;
}
