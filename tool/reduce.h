/* hooke reduce: data of the command. */
#ifndef TOOL_REDUCE_H
#define TOOL_REDUCE_H
#include "command.h"
#include "import/folder.h"
#include "reduce/matrices.h"
#include "reduce/reduce.h"
#include "progress.h"

enum { TOOL_MOST_INTERFACES = 100 };

typedef struct tool_reduce {
  const tool_args *args;
  hk_part_units units;
  hk_part_mesh mesh;
  hk_nodal_matrix A;
  hk_part_material material;
  bool has_mesh;            /* elements, not only matrices */
  int n_read, n_interfaces; /* all interfaces; those after the first ones are only observed */
  hk_part_interface interface[TOOL_MOST_INTERFACES];
  int *node[TOOL_MOST_INTERFACES];
  int n_fixed;
  double frequency; /* [Hz]; 0: by number */
  /* accuracy as a fraction; 0: not given, all modes up to the frequency are used */
  double error;
  hk_arena arena;
  hk_flexible_data data;
  hk_reduce_report report;
  tool_progress progress;
} tool_reduce;

/* Reads the files of the command and computes the matrices (reduce_input.c). */
hk_status tool_reduce_read(tool_reduce *r, hk_error *err);
/* Reads the options --interface and --modes (reduce_input.c). */
hk_status tool_reduce_options(tool_reduce *r, hk_error *err);
/* Meshes a CAD file by gmsh into a new file in a private folder, to be removed by the caller if HK_OK is returned
 * (reduce_cad.c).  size [unit of the file]: of the elements. */
hk_status tool_reduce_cad(const char *path, double size, hk_private_folder *folder, char mesh[1024],
                          hk_error *err);
void tool_reduce_print(const tool_reduce *r, FILE *out);
void tool_reduce_json(const tool_reduce *r, FILE *out);
#endif
