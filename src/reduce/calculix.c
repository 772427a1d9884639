/* Matrices that CalculiX stores (*FREQUENCY, SOLVER=MATRIXSTORAGE): see matrices.h.
 *
 * .dof: lines "node.direction", one per unknown; .sti and .mas: lines "row column value", the upper half. Unknowns
 * with supports are missing. The reader detects this, because such nodes have fewer than three directions. */
#include "reduce/matrices.h"
#include "reduce/matrix_builder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct unknowns {
  int n, room;
  int *at; /* 3 node + direction */
} unknowns;

/* Reads the unknowns. kept[i]: one bit for each direction of node i that is in the file. */
static hk_status read_unknowns(hk_part_text file, const hk_part_mesh *mesh, unknowns *u,
                               unsigned char *there, hk_error *err) {
  hk_text t = hk_text_of(file.name, file.bytes, file.size, err);
  const char *line;
  size_t length;
  while (t.at < t.end) {
    if (hk_text_line_ends(&t)) {
      hk_text_skip_line(&t);
      continue;
    }
    hk_text own = t;
    hk_text_line(&t, &line, &length);
    long node = 0;
    size_t i = 0;
    while (i < length && line[i] >= '0' && line[i] <= '9' && node < 1000000000L)
      node = 10 * node + (line[i++] - '0');
    if (i == 0 || i + 2 != length || line[i] != '.' || line[i + 1] < '1' || line[i + 1] > '9')
      return hk_text_fail(&own, "an unknown must have the form NODE.DIRECTION, such as 17.3");
    int direction = line[i + 1] - '1', at = hk_part_mesh_node(mesh, node);
    if (direction > 2)
      return hk_text_fail(&own,
                          "node %ld has a rotation as an unknown; only solid elements can be "
                          "reduced, not beams and shells",
                          node);
    if (at < 0) return hk_text_fail(&own, "node %ld has no coordinates in the input file", node);
    if (there[at] & 1 << direction)
      return hk_text_fail(&own, "direction %d of node %ld is there twice", direction + 1, node);
    there[at] |= (unsigned char)(1 << direction);
    if (u->n == u->room) {
      int room = u->room ? 2 * u->room : 4096,
          *grown = realloc(u->at, sizeof *grown * (size_t)room);
      if (!grown) return hk_fail(err, HK_ENOMEM, "out of memory");
      u->at = grown, u->room = room;
    }
    u->at[u->n++] = 3 * at + direction;
  }
  int nodes = 0;
  for (int i = 0; i < mesh->n_nodes; i++) {
    nodes += there[i] == 7;
    if (there[i] && there[i] != 7)
      return hk_fail(err, HK_EINPUT,
                     "'%s' lacks direction %d of node %ld: it has a support; export the matrices "
                     "without *BOUNDARY",
                     file.name,
                     !(there[i] & 1)   ? 1
                     : !(there[i] & 2) ? 2
                                       : 3,
                     mesh->label[i]);
  }
  if (nodes == 0) return hk_fail(err, HK_EINPUT, "'%s' has no unknowns", file.name);
  return HK_OK;
}

static hk_status read_matrix(hk_part_text file, const unknowns *u, hk_matrix_list *out,
                             hk_error *err) {
  hk_text t = hk_text_of(file.name, file.bytes, file.size, err);
  long i, k;
  double value;
  hk_status status = HK_OK;
  out->halved = true;
  while (!status && hk_text_integer(&t, &i)) {
    if (!hk_text_integer(&t, &k) || !hk_text_number(&t, &value))
      return hk_text_fail(&t, "a line needs row, column and value");
    if (i < 1 || i > u->n || k < 1 || k > u->n)
      return hk_text_fail(&t, "row %ld, column %ld: the matrix has %d unknowns", i, k, u->n);
    if (value != 0) status = hk_matrix_add(out, u->at[i - 1], u->at[k - 1], value, err);
  }
  if (!status && t.at < t.end) return hk_text_fail(&t, "a line needs row, column and value");
  return status;
}

hk_status hk_calculix_parse(hk_part_text stiffness, hk_part_text mass, hk_part_text dof,
                            hk_part_text input, hk_part_units units, hk_part_mesh *mesh,
                            hk_nodal_matrix *A, hk_error *err) {
  unknowns u = {0};
  hk_matrix_list K = {0}, M = {0};
  hk_status status =
      hk_inp_parse(input.name, input.bytes, input.size, units.length, true, mesh, err);
  if (status) return status;
  unsigned char *there = calloc((size_t)mesh->n_nodes + 1, 1);
  int *number = malloc(sizeof *number * ((size_t)mesh->n_nodes + 1)), n = 0;
  status = there && number ? read_unknowns(dof, mesh, &u, there, err)
                           : hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < mesh->n_nodes && !status; i++) number[i] = there[i] ? n++ : -1;
  for (int i = 0; i < u.n && !status; i++) u.at[i] = 3 * number[u.at[i] / 3] + u.at[i] % 3;
  if (!status) status = hk_part_mesh_keep(mesh, there, err);
  if (!status) status = read_matrix(stiffness, &u, &K, err);
  if (!status) status = read_matrix(mass, &u, &M, err);
  if (!status)
    status = hk_matrix_build(mesh->n_nodes, mesh->label, &K, stiffness.name, units.stiffness, &M,
                             mass.name, units.mass, A, err);
  free(there);
  free(number);
  free(u.at);
  hk_matrix_list_free(&K);
  hk_matrix_list_free(&M);
  if (status) hk_part_mesh_free(mesh);
  return status;
}

hk_status hk_calculix_read(const char *stiffness, hk_part_units units, hk_part_mesh *mesh,
                           hk_nodal_matrix *A, hk_error *err) {
  static const char *const tail[4] = {"sti", "mas", "dof", "inp"};
  char path[4][1024], *bytes[4] = {NULL, NULL, NULL, NULL};
  hk_part_text text[4];
  size_t length = strlen(stiffness);
  hk_status status = HK_OK;
  if (length < 4 || length + 1 > sizeof path[0])
    return hk_fail(err, HK_EINPUT, "'%s' must be the name of a file with the ending .sti",
                   stiffness);
  for (int i = 0; i < 4 && !status; i++) {
    memcpy(path[i], stiffness, length + 1);
    memcpy(path[i] + length - 3, tail[i], 3);
    text[i].name = path[i];
    status = hk_text_load(path[i], &bytes[i], &text[i].size, err);
    text[i].bytes = bytes[i];
  }
  if (!status) status = hk_calculix_parse(text[0], text[1], text[2], text[3], units, mesh, A, err);
  for (int i = 0; i < 4; i++) free(bytes[i]);
  return status;
}
