/* Spring and damper along the line between two points.
 *   F = -(k (l - l0) + d l' + preload),  l = |xB - xA|
 * F < 0 pulls the points together. Potential k (l - l0)^2/2 + preload (l - l0). Undefined if the
 * points coincide: the line between them then has no direction. */
#include <hooke/element.h>
#include "mesh/drawing.h"

typedef struct spring_damper {
  const char *a, *b;
  double stiffness, damping, free_length, preload;
} spring_damper;

static const spring_damper defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(spring_damper, a, 0, "first end"),
    HK_FRAME(spring_damper, b, HK_REQUIRED, "second end"),
    HK_REAL(spring_damper, stiffness, "N/m", 0, "force per elongation", HK_MIN(0)),
    HK_REAL(spring_damper, damping, "N s/m", 0, "force per rate of elongation", HK_MIN(0)),
    HK_REAL(spring_damper, free_length, "m", HK_REQUIRED, "free length", HK_MIN(0)),
    HK_REAL(spring_damper, preload, "N", 0, "tension at the free length"),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const spring_damper *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_distance;
  return HK_OK;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const spring_damper *p = data;
  double stretch = in->c - p->free_length;
  out->F = -(p->stiffness * stretch + p->damping * in->rate + p->preload);
  out->F_c = -p->stiffness;
  out->F_rate = -p->damping;
  out->potential = (0.5 * p->stiffness * stretch + p->preload) * stretch;
  out->dissipated = p->damping * in->rate * in->rate;
}

static const hk_force_ops ops = {.bind = bind, .eval = eval};

static void draw(const hk_item *item, hk_drawing *d) {
  const spring_damper *p = hk_item_data(item);
  if (p->stiffness > 0)
    hk_draw_spring(d, HK_DRAW_A, HK_DRAW_B, 1.1 * d->size, 9);
  else
    hk_draw_rod(d, HK_DRAW_A, HK_DRAW_B, 0.5 * d->size, (hk_draw_style){.paint = HK_PAINT_SPRING});
}

const hk_type hk_type_force_spring_damper = {
    .name = "spring_damper",
    .category = HK_FORCE,
    .doc = "Linear spring and damper along the line between two points.",
    .source = "Hooke's law, viscous damping",
    .size = sizeof(spring_damper),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .symmetry = HK_SWAPS | HK_MIRRORS,
};
