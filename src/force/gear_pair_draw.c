/* Drawing of a gear pair: two toothed bodies. A gear in several pairs is drawn once. */
#include "force/gear_pair.h"
#include "mesh/drawing.h"
#include "spec/type.h"
#include <string.h>

enum {
  FLANK = 4,
  PERIOD = 2 * FLANK + 1
}; /* number of points of a flank, and of a tooth with half of the adjacent land on each side */

/* Half of the angular width of a tooth (ring: of a space) at radius r. */
static double half_angle(const hk_involute *g, int gear, double r) {
  double rb = g->base_radius[gear];
  return g->half_angle[gear] - (r > rb ? hk_involute_of(acos(rb / r)) : 0);
}

/* One period of the outline: radius and angle from the middle of the tooth (ring: of the space). */
static void outline(const hk_involute *g, int gear, double r[PERIOD], double angle[PERIOD]) {
  bool ring = gear == 1 && g->sign < 0;
  double low = ring ? g->tip_radius[gear] : g->root_radius[gear];
  double high = ring ? g->root_radius[gear] : g->tip_radius[gear], land = M_PI / g->teeth[gear];
  r[0] = low;
  angle[0] = -land;
  for (int i = 0; i < FLANK; i++) {
    double at = low + (high - low) * i / (FLANK - 1.0), half = half_angle(g, gear, at);
    half = half > 0 ? (half < land ? half : land) : 0;
    r[1 + i] = r[PERIOD - 1 - i] = at;
    angle[1 + i] = -half;
    angle[PERIOD - 1 - i] = half;
  }
}

static hk_vec3 point(double r, double angle, double z) {
  return hk_v3(r * cos(angle), r * sin(angle), z);
}

/* Adds the body between the outline and a circle: the bore, or the outside of a ring. */
static void add_body(hk_mesh *m, const hk_involute *g, int gear, double width, double circle,
                     double phase) {
  double r[PERIOD], angle[PERIOD], b = width / 2;
  bool ring = gear == 1 && g->sign < 0;
  int z = g->teeth[gear], layers = g->tan_base != 0 ? 4 : 1;
  /* In an external pair the helix of the second gear has the opposite hand. */
  double twist = (gear == 1 && !ring ? -1 : 1) * g->tan_base / g->base_radius[gear];
  outline(g, gear, r, angle);
  for (int k = 0; k < z * PERIOD; k++) {
    int i = k % PERIOD, j = (k + 1) % PERIOD;
    double a = phase + 2 * M_PI * (k / PERIOD) / z + angle[i];
    double c = phase + 2 * M_PI * ((k + 1) / PERIOD) / z + angle[j];
    for (int l = 0; l < layers; l++) {
      double z0 = b * (2.0 * l / layers - 1), z1 = b * (2.0 * (l + 1) / layers - 1);
      hk_vec3 p = point(r[i], a + twist * z0, z0), q = point(r[j], c + twist * z0, z0);
      hk_vec3 s = point(r[j], c + twist * z1, z1), t = point(r[i], a + twist * z1, z1);
      if (ring)
        hk_mesh_face(m, q, p, t, s);
      else
        hk_mesh_face(m, p, q, s, t);
    }
    for (int end = -1; end <= 1; end += 2) { /* both sides */
      double at = end * b, t = twist * at;
      hk_vec3 p = point(r[i], a + t, at), q = point(r[j], c + t, at);
      hk_vec3 s = point(circle, c + t, at), o = point(circle, a + t, at);
      if ((end > 0) != ring)
        hk_mesh_face(m, q, s, o, p);
      else
        hk_mesh_face(m, p, o, s, q);
    }
    hk_vec3 p = point(circle, a - twist * b, -b), q = point(circle, c - twist * b, -b);
    hk_vec3 s = point(circle, c + twist * b, b), t = point(circle, a + twist * b, b);
    if (ring)
      hk_mesh_face(m, p, q, s, t);
    else
      hk_mesh_face(m, q, p, t, s);
  }
}

/* Returns true if an earlier gear pair of the model has the same gear. */
static bool is_drawn(const hk_item *item, const char *frame, int teeth) {
  for (int i = 0; i < item->spec->n[HK_FORCE]; i++) {
    const hk_item *other = item->spec->item[HK_FORCE][i];
    if (other == item) return false;
    if (other->type != hk_item_type(item)) continue;
    const hk_gear_pair_params *p = hk_item_data(other);
    if ((p->teeth[0] == teeth && strcmp(p->a, frame) == 0) ||
        (p->teeth[1] == teeth && strcmp(p->b, frame) == 0))
      return true;
  }
  return false;
}

void hk_gear_pair_draw(const hk_item *item, hk_drawing *d) {
  const hk_gear_pair_params *p = hk_item_data(item);
  hk_involute g;
  hk_error err = {0};
  if (hk_gear_pair_design(item, &g, &err)) return;
  for (int i = 0; i < 2; i++) {
    bool ring = i == 1 && p->ring;
    const char *frame = i ? p->b : p->a;
    if (is_drawn(item, frame, g.teeth[i])) continue;
    double circle =
        ring ? g.root_radius[1] + 2.5 * g.module : fmax(p->bore[i] / 2, 0.3 * g.root_radius[i]);
    hk_mesh mesh = {0};
    add_body(&mesh, &g, i, hk_gear_pair_face(item, i), circle, i ? p->drawn_phase : 0);
    hk_draw(d, i ? HK_DRAW_B : HK_DRAW_A, &mesh,
            (hk_draw_style){.paint = HK_PAINT_STEEL, .part = true});
  }
}
