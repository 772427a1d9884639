/* Drawing of a rolling bearing: two rings and the elements at their unloaded positions. */
#include "force/rolling_bearing.h"
#include "mesh/drawing.h"

static hk_quat across(double azimuth, double angle) {
  hk_quat about_z = hk_quat_axis_angle(hk_v3(0, 0, 1), azimuth);
  return hk_quat_mul(about_z, hk_quat_axis_angle(hk_v3(0, 1, 0), -angle));
}

static void draw_elements(const hk_rolling_bearing_params *p, double z, double side,
                          hk_drawing *d) {
  const bool rollers = p->kind >= HK_BEARING_CYLINDRICAL_ROLLER;
  for (int k = 0; k < p->elements; k++) {
    double phi = 2 * M_PI * k / p->elements, r = 0.5 * p->pitch_diameter;
    hk_mesh m = {0};
    if (rollers)
      hk_mesh_cylinder(&m, 0.5 * p->element_diameter, 0, p->roller_length);
    else
      hk_mesh_sphere(&m, 0.5 * p->element_diameter, 0);
    double lean = p->kind == HK_BEARING_TAPERED_ROLLER     ? side * (p->contact_angle - p->taper)
                  : p->kind == HK_BEARING_SPHERICAL_ROLLER ? side * p->contact_angle
                                                           : 0;
    hk_draw_at(d, HK_DRAW_A, hk_v3(r * cos(phi), r * sin(phi), z), across(phi, lean), &m,
               (hk_draw_style){.paint = HK_PAINT_STEEL});
  }
}

void hk_rolling_bearing_draw_as(const hk_rolling_bearing_params *p, hk_drawing *d) {
  const bool spherical = p->kind == HK_BEARING_SPHERICAL_ROLLER;
  double D = p->element_diameter, dm = p->pitch_diameter,
         apart = spherical ? dm * tan(p->contact_angle) : p->row_distance,
         width = p->rows > 1 ? apart : 1.6 * D;
  if (p->kind >= HK_BEARING_CYLINDRICAL_ROLLER) width = fmax(width, 1.3 * p->roller_length);
  for (int i = 0; i < p->rows; i++) {
    double z = (i - 0.5 * (p->rows - 1)) * apart;
    hk_mesh outer = {0}, inner = {0};
    double out = p->outside > 0 ? 0.5 * p->outside : 0.5 * dm + 0.8 * D,
           in = p->bore > 0 ? 0.5 * p->bore : 0.5 * dm - 0.8 * D;
    hk_mesh_cylinder(&outer, out, 0.5 * dm + 0.3 * D, width);
    hk_mesh_cylinder(&inner, 0.5 * dm - 0.3 * D, in, width);
    hk_draw_at(d, HK_DRAW_A, hk_v3(0, 0, z), hk_quat_identity(), &outer,
               (hk_draw_style){.paint = HK_PAINT_GLASS});
    hk_draw_at(d, HK_DRAW_B, hk_v3(0, 0, z), hk_quat_identity(), &inner,
               (hk_draw_style){.paint = HK_PAINT_STEEL});
    draw_elements(p, z, (i < (p->rows + 1) / 2) != spherical ? 1 : -1, d);
  }
  d->clearance = p->clearance;
}

void hk_rolling_bearing_draw(const hk_item *item, hk_drawing *d) {
  hk_rolling_bearing_draw_as(hk_item_data(item), d);
}
