/* Constraints that are active only during assembly: parts of composite joints on their lines and planes.  These rows are
 * stored after all other rows of the model and are not included in its counts.  A second view of the model, hk_model.start,
 * includes them: the same arrays with larger counts and another layout.  Assembly uses this view; steps do not. */
#include "model/compile.h"
#include <string.h>

static bool add_row(hk_compiler *c, hk_constraint *k, double x, double y, double z) {
  hk_held *h = HK_PUSH(&c->held);
  const char **name = h ? HK_PUSH(&c->row_name) : NULL;
  bool *angular = name ? HK_PUSH(&c->row_angular) : NULL;
  if (!angular) return false;
  h->type = &hk_relation_along;
  h->k[0] = x, h->k[1] = y, h->k[2] = z;
  *name = "start";
  k->n_held++;
  k->n_rows++;
  c->m->nc++;
  return true;
}

static bool add_hold(hk_compiler *c, const hk_start_hold *hold) {
  int a = hk_compile_find_marker(c, hold->a), b = hk_compile_find_marker(c, hold->b);
  if (a < 0 || b < 0) return true; /* already reported */
  const hk_marker on = c->marker.at[a];
  hk_mat3 R = hk_matmul(&on.R, &hold->axes);
  a = hk_compile_add_marker(c, NULL, on.node, hk_add(on.s, hk_mul(&on.R, hold->at)), R);
  if (a >= 0) c->marker.at[a].interface = on.interface;
  hk_constraint *k = a < 0 ? NULL : HK_PUSH(&c->constraint);
  if (!k) return false;
  *k = (hk_constraint){.name = hold->joint->name,
                       .item = hold->joint,
                       .row = c->m->nc,
                       .port = c->port.n,
                       .n_ports = 2,
                       .held = c->held.n,
                       .term = c->term.n};
  if (!hk_compile_ports(c, a, b)) return false;
  if (hold->plane) return add_row(c, k, 0, 0, 1);
  return add_row(c, k, 1, 0, 0) && add_row(c, k, 0, 1, 0);
}

void hk_compile_starts(hk_compiler *c) {
  for (int i = 0; i < c->spec->n_holds && !c->out_of_memory; i++)
    if (!add_hold(c, &c->spec->hold[i])) c->out_of_memory = true;
}
