/* Constants and internal variables of forces and contacts.
 *
 * Constants of forces may take long to compute (solution of a film, finite elements of a gear).  They are therefore computed
 * last, so that other errors of the model are reported at once. */
#include "model/compile.h"

static bool accept(hk_compiler *c, const hk_force *f, hk_status status, const hk_error *err) {
  if (status == HK_ENOMEM) c->out_of_memory = true;
  if (status && status != HK_ENOMEM) hk_compile_error(c, f->item, NULL, "%s", err->text);
  return !status;
}

static bool set_constants(hk_compiler *c, hk_force *f) {
  const hk_force_ops *ops = f->ops;
  hk_error err = {0};
  if (ops->prepare && !accept(c, f, ops->prepare(f->item, &c->m->arena, &f->constants, &err), &err))
    return false;
  if (ops->set_placement && f->a >= 0) {
    hk_frame A = hk_compile_frame_at(c, f->a), B = hk_compile_frame_at(c, f->b);
    /* These data are const for all other code; only this function, which builds them, may write to them. */
    void *constants = (void *)f->constants;
    if (!accept(c, f, ops->set_placement(f->item, &A, &B, constants, &c->m->arena, &err), &err))
      return false;
  }
  return true;
}

static void own_force(hk_compiler *c, hk_force *f) {
  const hk_force_ops *ops = f->ops;
  if (!set_constants(c, f)) return;
  if (ops->length_scale && f->a >= 0) f->fine = ops->length_scale(f->item->data);
  int memory = ops->memory, scratch = ops->scratch;
  if (ops->sizes) ops->sizes(f->item->data, f->constants, &memory, &scratch);
  f->memory = hk_compile_memory(c, memory, scratch);
  if (!ops->memory_smooth) c->m->n_moving += memory;
  f->n_memory = memory;
  hk_compile_force_differences(c, f, scratch);
}

static void own_contact(hk_compiler *c, hk_contact *k) {
  int memory = k->n_points * k->law->memory;
  k->memory = hk_compile_memory(c, memory, k->law->scratch);
  if (!k->law->memory_constant) c->m->n_moving += memory;
}

void hk_compile_owned(hk_compiler *c) {
  for (int i = 0; i < c->force.n && !c->out_of_memory; i++)
    /* exclude rates of states, which are compiled as forces too */
    if (c->force.at[i].item->type->category == HK_FORCE) own_force(c, &c->force.at[i]);
  for (int i = 0; i < c->contact.n; i++) own_contact(c, &c->contact.at[i]);
}
