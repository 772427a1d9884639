/* Forks and crosses of universal joints: see mesh.h. */
#include "mesh/mesh.h"

static void add_moved(hk_mesh *m, hk_mesh *part, const hk_mat3 *R, hk_vec3 by) {
  hk_mesh_move(part, R, by);
  hk_mesh_append(m, part);
  hk_mesh_free(part);
}

void hk_mesh_yoke(hk_mesh *m, double arm, double bore, double width) {
  const hk_mat3 I = hk_mat3_identity(),
                along_x = hk_quat_matrix(hk_quat_exp(hk_v3(0, M_PI / 2, 0)));
  double R = 1.75 * bore, base = arm + 0.6 * bore, middle = arm - 0.5 * width;
  hk_mesh part = {0};
  for (int i = -1; i <= 1; i += 2) {
    hk_mesh_cylinder(&part, R, bore, width);
    add_moved(m, &part, &along_x, hk_v3(i * middle, 0, 0));
    hk_mesh_box(&part, hk_v3(width, 1.6 * bore, base - 0.9 * R));
    add_moved(m, &part, &I, hk_v3(i * middle, 0, -0.5 * (base + 0.9 * R)));
  }
  hk_mesh_box(&part, hk_v3(2 * arm, 1.9 * bore, 0.9 * bore));
  add_moved(m, &part, &I, hk_v3(0, 0, -base - 0.4 * bore));
  hk_mesh_cylinder(&part, 1.2 * bore, 0, 2.2 * arm);
  add_moved(m, &part, &I, hk_v3(0, 0, -base - 0.8 * bore - 1.1 * arm));
}

void hk_mesh_cross(hk_mesh *m, double arm, double radius) {
  const hk_mat3 I = hk_mat3_identity(),
                along_x = hk_quat_matrix(hk_quat_exp(hk_v3(0, M_PI / 2, 0))),
                along_y = hk_quat_matrix(hk_quat_exp(hk_v3(-M_PI / 2, 0, 0)));
  hk_mesh part = {0};
  hk_mesh_cylinder(&part, radius, 0, 2.05 * arm);
  add_moved(m, &part, &along_x, hk_v3(0, 0, 0));
  hk_mesh_cylinder(&part, radius, 0, 2.05 * arm);
  add_moved(m, &part, &along_y, hk_v3(0, 0, 0));
  hk_mesh_box(&part, hk_v3(2.6 * radius, 2.6 * radius, 2.2 * radius));
  add_moved(m, &part, &I, hk_v3(0, 0, 0));
}
