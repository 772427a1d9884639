/* Matrices and input files of parts: for any bytes the result is a matrix with valid indices, or
 * a message.  The bytes are three or four files, separated by lines of '='. The first letter
 * selects the format. */
#include "reduce/matrices.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check(hk_status status, hk_part_mesh *m, hk_nodal_matrix *A, const hk_error *err) {
  if (status && !err->text[0]) abort();
  if (status) return;
  for (size_t e = 0; A && e < A->first[A->n]; e++)
    if (A->column[e] < 0 || A->column[e] >= A->n) abort();
  for (size_t k = 0; !A && k < m->first[m->n_elements]; k++)
    if (m->node[k] < 0 || m->node[k] >= m->n_nodes) abort();
  for (int i = 0; i < m->n_sets; i++)
    for (int k = 0; k < m->set[i].n; k++)
      if (m->set[i].node[k] < 0 || m->set[i].node[k] >= m->n_nodes) abort();
  if (A) hk_nodal_matrix_free(A);
  hk_part_mesh_free(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const hk_part_units units = {1, 1, 1};
  if (size < 2) return 0;
  char *text = malloc(size + 1);
  if (!text) return 0;
  memcpy(text, data, size);
  text[size] = 0;
  hk_part_text part[4];
  char *at = text + 2;
  for (int i = 0; i < 4; i++) {
    char *end = strstr(at, "\n====\n");
    if (end) end[1] = 0;
    part[i] = (hk_part_text){"file", at, strlen(at)};
    at = end ? end + 6 : at + strlen(at);
  }
  hk_part_mesh m = {0};
  hk_nodal_matrix A = {0};
  hk_error err = {0};
  if (text[0] == 'm')
    check(hk_matrix_market_parse(part[0], part[1], part[2], units, &m, &A, &err), &m, &A, &err);
  else if (text[0] == 'c')
    check(hk_calculix_parse(part[0], part[1], part[2], part[3], units, &m, &A, &err), &m, &A, &err);
  else
    check(hk_inp_parse("file", part[0].bytes, part[0].size, 1, false, &m, &err), &m, NULL, &err);
  free(text);
  return 0;
}
