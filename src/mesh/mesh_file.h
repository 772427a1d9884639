/* Surfaces from files: STL, binary or text, and Wavefront OBJ.
 *
 * The format is determined by the file name: .stl or .obj. File contents are not trusted: counts
 * are compared with the size of the file before memory is allocated, coordinates must be finite,
 * indices must exist. */
#ifndef HK_MESH_MESH_FILE_H
#define HK_MESH_MESH_FILE_H
#include "mesh/mesh.h"

enum { HK_MESH_MAX_BYTES = 256 << 20, HK_MESH_MAX_TRIANGLES = 2000000 };

/* Reads a file.  Coordinates are multiplied by `unit`. Normals are recomputed, with sharp edges
 * where faces meet at more than 40 degrees. The triangles of a closed surface that face inwards are
 * reversed. Messages contain the file name, and the line or the triangle. */
hk_status hk_mesh_read(const char *path, double unit, hk_mesh *out, hk_error *err);
/* Reads from memory; `name` determines the format and is used in messages. */
hk_status hk_mesh_parse(const char *name, const char *bytes, size_t size, double unit, hk_mesh *out,
                        hk_error *err);
#endif
