/* Checks of body shapes. The dynamics does not use shapes; errors in shapes are reported here with their locations. */
#include "shape/shape.h"
#include "mesh/drawing.h"
#include "model/compile.h"
#include <string.h>

static void check_colour(hk_compiler *c, const hk_item *item, const char *color) {
  unsigned rgb;
  if (!color || hk_colour_parse(color, &rgb)) return;
  int n = 0;
  while (hk_colour_names[n]) n++;
  const char *near = hk_nearest_name(color, hk_colour_names, n);
  if (near)
    hk_compile_error(c, item, "color", "color '%.60s' is unknown; did you mean '%s'?", color, near);
  else
    hk_compile_error(c, item, "color",
                     "color '%.60s' is neither \"#rrggbb\" nor a name such as steel", color);
}

void hk_compile_shapes(hk_compiler *c) {
  for (int i = 0; i < c->spec->n[HK_SHAPE] && !c->out_of_memory; i++) {
    const hk_item *item = c->spec->item[HK_SHAPE][i];
    const hk_shape_common *p = item->data;
    const char *body = p->body ? p->body : "";
    check_colour(c, item, p->color);
    if (strcmp(body, "ground") != 0 && !hk_spec_find(c->spec, HK_BODY, body)) {
      hk_compile_error(c, item, "body", "there is no body '%s'", body);
      continue;
    }
    hk_mesh mesh = {0};
    hk_error err = {0};
    hk_status status = hk_shape_mesh(item, &mesh, &err);
    if (status == HK_ENOMEM) c->out_of_memory = true;
    if (status) hk_compile_error(c, item, "file", "%s", err.text);
    hk_mesh_free(&mesh);
  }
}
