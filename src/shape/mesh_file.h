/* Surfaces from files: STL, binary or text, and Wavefront OBJ.
 *
 * The format is told by the name: .stl or .obj.  Nothing in the file is believed: counts are
 * compared with the size of the file before memory is asked for, coordinates must be finite,
 * indices must exist.
 */
#ifndef HK_SHAPE_MESH_FILE_H
#define HK_SHAPE_MESH_FILE_H
#include "shape/mesh.h"

enum { HK_MESH_MAX_BYTES = 256 << 20, HK_MESH_MAX_TRIANGLES = 2000000 };

/* Coordinates are multiplied by `unit`.  Normals are made anew, sharp where faces meet at more than
 * 40 degrees.  Messages name the file, and the line or the triangle. */
hk_status hk_mesh_read(const char *path, double unit, hk_mesh *out, hk_error *err);
/* The same from memory; `name` tells the format and stands in messages. */
hk_status hk_mesh_parse(const char *name, const char *bytes, size_t size, double unit, hk_mesh *out,
                        hk_error *err);
#endif
