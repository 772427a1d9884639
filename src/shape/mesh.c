/* A surface from an STL or OBJ file. The file name is relative to the model file that contains
 * it. */
#include "shape/shape.h"
#include "mesh/mesh_file.h"
#include <stdio.h>
#include <string.h>

typedef struct mesh_shape {
  hk_shape_common shape;
  const char *file;
  double unit;
} mesh_shape;

static const mesh_shape defaults = {.shape = HK_SHAPE_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_PARAM_AS("file", HK_PARAM_STRING, mesh_shape, file, NULL, HK_REQUIRED,
                "STL file, binary or text, or OBJ file; relative to the model file"),
    HK_REAL(mesh_shape, unit, "m", HK_REQUIRED | HK_POSITIVE,
            "length of one unit of the file, such as 1 mm"),
};

static hk_status mesh(const hk_item *item, hk_mesh *out, hk_error *err) {
  const mesh_shape *p = hk_item_data(item);
  const char *model = hk_item_location(item, NULL)->file;
  const char *slash = model && p->file[0] != '/' ? strrchr(model, '/') : NULL;
  char path[4096];
  int folder = slash ? (int)(slash - model) + 1 : 0;
  if (snprintf(path, sizeof path, "%.*s%s", folder, model ? model : "", p->file) >=
      (int)sizeof path)
    return hk_fail(err, HK_EINPUT, "the name of its file is too long");
  return hk_mesh_read(path, p->unit, out, err);
}

static const hk_shape_ops ops = {mesh, NULL};

const hk_type hk_type_shape_mesh = {
    .name = "mesh",
    .category = HK_SHAPE,
    .doc = "Surface from an STL or OBJ file.",
    .source = "geometry",
    .size = sizeof(mesh_shape),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
