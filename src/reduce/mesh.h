/* Finite-element mesh of a part: nodes, solid elements and named sets of nodes, as read from a file.
 *
 * Coordinates are in metres.  Nodes that no solid element uses are omitted. */
#ifndef HK_REDUCE_MESH_H
#define HK_REDUCE_MESH_H
#include "fe/solid.h"
#include <hooke/base.h>

enum { HK_PART_NAME = 128, HK_PART_MAX_NODES = 20000000 };

typedef struct hk_part_set {
  char name[HK_PART_NAME];
  int n, capacity, *node; /* ascending, each node once */
} hk_part_set;

typedef struct hk_part_mesh {
  int n_nodes;
  double (*x)[3];
  long *label; /* [n] numbers of the nodes in the file, ascending */
  int n_elements;
  unsigned char *kind; /* hk_solid_kind */
  size_t *first;       /* [n_elements + 1] into `node` */
  int *node;
  long *element_label;
  int n_sets;
  hk_part_set *set; /* physical groups, node sets */
} hk_part_mesh;

void hk_part_mesh_free(hk_part_mesh *m);
/* The set with this name; NULL: there is none. */
const hk_part_set *hk_part_mesh_set(const hk_part_mesh *m, const char *name);
/* Index of the node that has this number in the file; -1: there is none. */
int hk_part_mesh_node(const hk_part_mesh *m, long label);

/* Reads a gmsh file, format 2.2 or 4.1 as text; coordinates are multiplied by `unit`. */
hk_status hk_gmsh_read(const char *path, double unit, hk_part_mesh *out, hk_error *err);
hk_status hk_gmsh_parse(const char *name, const char *bytes, size_t size, double unit,
                        hk_part_mesh *out, hk_error *err);

/* Reads an input file of CalculiX or Abaqus: *NODE, *ELEMENT, *NSET; names of sets become capital letters.
 * only_nodes: elements are ignored, and all nodes are kept. */
hk_status hk_inp_read(const char *path, double unit, bool only_nodes, hk_part_mesh *out,
                      hk_error *err);
hk_status hk_inp_parse(const char *name, const char *bytes, size_t size, double unit,
                       bool only_nodes, hk_part_mesh *out, hk_error *err);

/* ---- for readers ---- */

/* Keeps only the nodes i with keep[i], also in the sets. The result has no elements. */
hk_status hk_part_mesh_keep(hk_part_mesh *m, const unsigned char *keep, hk_error *err);

/* A mesh while a file is read: nodes and elements in the order of the file. */
typedef struct hk_part_builder {
  const char *name; /* of the file */
  bool nodes_only;  /* elements may be missing, and all nodes are kept */
  /* true: the format writes an element once for each of its groups, so that repeated elements are ignored; false: a
   * repeated element is an error */
  bool repeats;
  hk_part_mesh mesh;
  size_t node_room, element_room, corner_room;
  hk_error *err;
} hk_part_builder;

hk_status hk_part_add_node(hk_part_builder *b, long label, const double x[3]);
/* Adds an element. Nodes are given by their numbers in the file, in the order of hk_solid_type. */
hk_status hk_part_add_element(hk_part_builder *b, long label, hk_solid_kind kind, const long *node);
/* Index of the set with this name. If it does not exist, it is created; -1: out of memory. */
int hk_part_need_set(hk_part_builder *b, const char *name);
/* Adds nodes to a set, by their numbers in the file. */
hk_status hk_part_add_to_set(hk_part_builder *b, int set, const long *node, int n);
/* Completes the mesh: replaces numbers by indices, checks that every node exists, and removes unused nodes. */
hk_status hk_part_finish(hk_part_builder *b, double unit, hk_part_mesh *out);
#endif
