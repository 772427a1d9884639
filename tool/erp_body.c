/* Equivalent radiated power of flexible bodies: see erp.h. */
#include "erp.h"
#include "flexible/flexible_surface.h"
#include <stdlib.h>

hk_status tool_erp_begin(tool_erp *e, const hk_spec *spec, const char *name, hk_error *err) {
  hk_status status = tool_flexible_of_spec(&e->bodies, spec, name, err);
  if (status) return status;
  e->body = calloc((size_t)e->bodies.n, sizeof *e->body);
  if (!e->body) return hk_fail(err, HK_ENOMEM, "out of memory");
  e->n = e->bodies.n;
  for (int i = 0; i < e->n && !status; i++) {
    const hk_flexible_data *d = &e->bodies.body[i].data;
    size_t n = 6 + (size_t)d->m;
    e->body[i].body = &e->bodies.body[i];
    e->body[i].form = malloc(n * n * sizeof *e->body[i].form);
    status = e->body[i].form ? hk_flexible_surface_velocity(d, e->body[i].form, err)
                             : hk_fail(err, HK_ENOMEM, "out of memory");
  }
  return status;
}

void tool_erp_free(tool_erp *e) {
  for (int i = 0; i < e->n; i++) free(e->body[i].form), free(e->body[i].power);
  free(e->body);
  tool_flexible_free(&e->bodies);
}

void tool_erp_to_body(const hk_flexible_data *d, const hk_mat3 *R, double *v) {
  hk_vec3 w = hk_tmul(R, hk_v3(v[3], v[4], v[5]));
  hk_vec3 x = hk_add(hk_tmul(R, hk_v3(v[0], v[1], v[2])), hk_cross(w, d->center));
  v[0] = x.x, v[1] = x.y, v[2] = x.z;
  v[3] = w.x, v[4] = w.y, v[5] = w.z;
}

double tool_erp_form(const tool_erp_body *b, const double *v) {
  const int n = 6 + b->body->data.m;
  double sum = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k < n; k++) sum += v[i] * b->form[i * n + k] * v[k];
  return sum;
}
