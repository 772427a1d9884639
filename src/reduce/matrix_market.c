/* Matrices in Matrix Market files with a table of nodes: see matrices.h. */
#include "reduce/matrices.h"
#include "reduce/matrix_builder.h"
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Reads the table of nodes. */
static hk_status read_nodes(hk_part_text file, double unit, hk_part_mesh *out, hk_error *err) {
  hk_text t = hk_text_of(file.name, file.bytes, file.size, err);
  hk_part_builder b = {.name = file.name, .err = err, .nodes_only = true};
  hk_status status = HK_OK;
  bool first = true;
  while (!status && t.at < t.end) {
    if (hk_text_line_ends(&t) || *t.at == '#' || *t.at == '%') {
      hk_text_skip_line(&t);
      continue;
    }
    if (first && (isalpha((unsigned char)*t.at) || *t.at == '"')) { /* names of the columns */
      hk_text_skip_line(&t);
      first = false;
      continue;
    }
    first = false;
    long label;
    double x[3];
    bool good = hk_text_integer(&t, &label);
    for (int d = 0; d < 3 && good; d++) {
      hk_text_comma(&t);
      good = !hk_text_line_ends(&t) && hk_text_number(&t, &x[d]);
    }
    if (!good || !hk_text_line_ends(&t)) {
      status = hk_text_fail(&t, "a line needs the number of a node and x, y, z");
      break;
    }
    if (b.mesh.n_nodes && label <= b.mesh.label[b.mesh.n_nodes - 1])
      status = hk_text_fail(
          &t, "node %ld follows node %ld; the numbers must ascend, in the order of the matrices",
          label, b.mesh.label[b.mesh.n_nodes - 1]);
    if (!status) status = hk_part_add_node(&b, label, x);
    hk_text_skip_line(&t);
  }
  if (!status && b.mesh.n_nodes == 0)
    status = hk_fail(err, HK_EINPUT, "'%s' has no nodes", file.name);
  if (!status) status = hk_part_finish(&b, unit, out);
  hk_part_mesh_free(&b.mesh);
  return status;
}

static bool has_word(const char *line, size_t length, const char *word) {
  size_t n = strlen(word);
  for (size_t i = 0; i + n <= length; i++) {
    size_t k = 0;
    while (k < n && tolower((unsigned char)line[i + k]) == word[k]) k++;
    if (k == n) return true;
  }
  return false;
}

/* Reads a matrix with `nodes` or 3 nodes rows; *scalar: true if it has one row per node. */
static hk_status read_matrix(hk_part_text file, int nodes, bool may_be_scalar, hk_matrix_list *out,
                             hk_error *err) {
  hk_text t = hk_text_of(file.name, file.bytes, file.size, err);
  const char *line;
  size_t length;
  if (!hk_text_line(&t, &line, &length) || length < 14 || memcmp(line, "%%MatrixMarket", 14) != 0)
    return hk_text_fail(
        &t, "this is no Matrix Market file: its first line must begin with %%%%MatrixMarket");
  if (!has_word(line, length, "coordinate") ||
      !(has_word(line, length, "real") || has_word(line, length, "integer")))
    return hk_text_fail(&t,
                        "the matrix must be 'coordinate real'; arrays, patterns and complex "
                        "matrices are not supported");
  if (has_word(line, length, "skew-symmetric"))
    return hk_text_fail(&t, "the matrix is skew-symmetric; stiffness and mass are symmetric");
  out->halved = has_word(line, length, "symmetric");
  if (!out->halved && !has_word(line, length, "general"))
    return hk_text_fail(&t, "the matrix must be 'symmetric' or 'general'");
  while (t.at < t.end && (*t.at == '%' || hk_text_line_ends(&t))) hk_text_skip_line(&t);
  long rows, columns, n, i, k;
  if (!hk_text_integer(&t, &rows) || !hk_text_integer(&t, &columns) || !hk_text_integer(&t, &n))
    return hk_text_fail(&t, "the numbers of rows, columns and entries are missing");
  bool scalar = may_be_scalar && rows == nodes;
  if (rows != columns || (rows != 3L * nodes && !scalar))
    return hk_text_fail(&t,
                        "the matrix has %ld rows and %ld columns, but the table has %d nodes, "
                        "which have %ld unknowns",
                        rows, columns, nodes, 3L * nodes);
  hk_status status = HK_OK;
  double value;
  for (long e = 0; e < n && !status; e++) {
    if (!hk_text_integer(&t, &i) || !hk_text_integer(&t, &k) || !hk_text_number(&t, &value))
      return hk_text_fail(&t, "entry %ld of %ld is missing or no number", e + 1, n);
    if (i < 1 || i > rows || k < 1 || k > rows)
      return hk_text_fail(&t, "entry %ld is in row %ld and column %ld of a matrix with %ld rows",
                          e + 1, i, k, rows);
    for (int d = 0; d < (scalar ? 3 : 1) && !status; d++)
      status = scalar ? hk_matrix_add(out, 3 * (int)(i - 1) + d, 3 * (int)(k - 1) + d, value, err)
                      : hk_matrix_add(out, (int)(i - 1), (int)(k - 1), value, err);
  }
  if (!status && hk_text_integer(&t, &i))
    return hk_text_fail(&t, "there are more entries than the %ld that are stated", n);
  return status;
}

hk_status hk_matrix_market_parse(hk_part_text stiffness, hk_part_text mass, hk_part_text nodes,
                                 hk_part_units units, hk_part_mesh *mesh, hk_nodal_matrix *A,
                                 hk_error *err) {
  hk_matrix_list K = {0}, M = {0};
  hk_status status = read_nodes(nodes, units.length, mesh, err);
  if (status) return status;
  status = read_matrix(stiffness, mesh->n_nodes, false, &K, err);
  if (!status) status = read_matrix(mass, mesh->n_nodes, true, &M, err);
  if (!status)
    status = hk_matrix_build(mesh->n_nodes, mesh->label, &K, stiffness.name, units.stiffness, &M,
                             mass.name, units.mass, A, err);
  hk_matrix_list_free(&K);
  hk_matrix_list_free(&M);
  if (status) hk_part_mesh_free(mesh);
  return status;
}

hk_status hk_matrix_market_read(const char *stiffness, const char *mass, const char *nodes,
                                hk_part_units units, hk_part_mesh *mesh, hk_nodal_matrix *A,
                                hk_error *err) {
  const char *path[3] = {stiffness, mass, nodes};
  char *bytes[3] = {NULL, NULL, NULL};
  hk_part_text text[3];
  hk_status status = HK_OK;
  for (int i = 0; i < 3 && !status; i++) {
    text[i].name = path[i];
    status = hk_text_load(path[i], &bytes[i], &text[i].size, err);
    text[i].bytes = bytes[i];
  }
  if (!status) status = hk_matrix_market_parse(text[0], text[1], text[2], units, mesh, A, err);
  for (int i = 0; i < 3; i++) free(bytes[i]);
  return status;
}
