/* Composite joints in the compiled model: lists of their constraints, forces and contacts, for the sums of forces and moments
 * on the joined bodies. */
#include "model/compile.h"

static void add_member(hk_compiler *c, hk_composite *k, hk_owner kind, int index) {
  hk_member *m = HK_PUSH(&c->member);
  if (!m) {
    c->out_of_memory = true;
    return;
  }
  *m = (hk_member){kind, index};
  k->n_members++;
}

/* Finds the members by hk_item.made_by and not by name, because an unrelated item may have a
 * name with the same prefix. */
static void find_members(hk_compiler *c, const hk_item *joint, hk_composite *k) {
  k->member = c->member.n;
  k->needs = HK_NEEDS_OUTPUT;
  for (int i = 0; i < c->constraint.n; i++)
    if (c->constraint.at[i].item->made_by == joint) {
      add_member(c, k, HK_OF_JOINT, i);
      k->needs |= HK_NEEDS_ACCELERATIONS;
    }
  for (int i = 0; i < c->force.n; i++)
    if (!c->force.at[i].field && c->force.at[i].item->made_by == joint) {
      add_member(c, k, HK_OF_FORCE, i);
      if (c->force.at[i].joint >= 0) k->needs |= HK_NEEDS_ACCELERATIONS;
    }
  for (int i = 0; i < c->contact.n; i++)
    if (c->contact.at[i].item->made_by == joint) add_member(c, k, HK_OF_CONTACT, i);
}

void hk_compile_composites(hk_compiler *c) {
  for (int i = 0; i < c->spec->n[HK_JOINT] && !c->out_of_memory; i++) {
    const hk_item *item = c->spec->item[HK_JOINT][i];
    const hk_joint_common *j = item->data;
    if (!((const hk_joint_ops *)item->type->ops)->expand) continue;
    hk_composite *k = HK_PUSH(&c->composite);
    if (!k) {
      c->out_of_memory = true;
      return;
    }
    *k = (hk_composite){.name = item->name};
    k->end[0] = hk_compile_frame(c, item, "a", j->a ? j->a : "ground");
    /* there is no frame b if the joint is a shaft with a free end */
    k->end[1] = j->b ? hk_compile_frame(c, item, "b", j->b) : -1;
    find_members(c, item, k);
  }
}
