/* Contacts: combination of gap and law, with checks and constants. */
#include "model/compile.h"
#include <string.h>

static const hk_item *find_law(hk_compiler *c, const hk_item *item, const char *name) {
  const hk_item *law = hk_spec_find(c->spec, HK_LAW, name);
  if (law) return law;
  int n = c->spec->n[HK_LAW];
  const char **names = malloc(((size_t)n + 1) * sizeof *names), *near = NULL;
  for (int i = 0; names && i < n; i++) names[i] = c->spec->item[HK_LAW][i]->name;
  if (names) near = hk_nearest_name(name, names, n);
  hk_compile_error(c, item, "law", "there is no law '%s'%s%s%s", name,
                   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
  free(names);
  return NULL;
}

static bool fits(hk_compiler *c, const hk_contact *k) {
  const hk_law_ops *law = k->law;
  if (law->line) {
    hk_compile_error(c, k->item, "law",
                     "'%s' (%s) is a law of line contacts, such as those of a gear_pair; a %s "
                     "needs a law of point contacts, such as hertz",
                     k->law_item->name, k->law_item->type->name, k->item->type->name);
    return false;
  }
  if (k->gap->rows && !law->set_valued) {
    hk_compile_error(
        c, k->item, "law",
        "a %s is a gap between angles and needs a set-valued law such as signorini, not '%s' (%s)",
        k->item->type->name, k->law_item->name, k->law_item->type->name);
    return false;
  }
  return true;
}

/* Adds one message per law, even if many contacts use the law. */
static void refuse_law(hk_compiler *c, const hk_contact *k, const char *why) {
  if (c->refused_law != k->law_item)
    hk_compile_error(c, k->law_item, NULL, "%s (at contact '%s')", why, k->name);
  c->refused_law = k->law_item;
}

static bool set_constants(hk_compiler *c, hk_contact *k) {
  hk_error err = {0};
  if (k->gap->prepare && k->gap->prepare(k->item, k->k, &err)) {
    hk_compile_error(c, k->item, NULL, "%s", err.text);
    return false;
  }
  hk_curvature radii;
  const bool known = k->gap->curvature != NULL;
  k->curved = known && !k->gap->line;
  if (known) k->gap->curvature(k->k, 0, &radii);
  if (k->law->prepare && k->law->prepare(k->law_item, known ? &radii : NULL, k->l, &err)) {
    refuse_law(c, k, err.text);
    return false;
  }
  k->reach = k->law->reach ? k->law->reach(k->l) : 0;
  k->deepest = !k->law->set_valued && k->gap->deepest ? k->gap->deepest(k->k) : INFINITY;
  k->count_above = k->law->count_above ? k->law->count_above(k->law_item) : 0;
  k->friction = k->law->friction_kind ? k->law->friction_kind(k->l) : HK_FRICTION_NONE;
  if (k->gap->tangents == 0) k->friction = HK_FRICTION_NONE;
  k->one_way = k->gap->tangents == 1;
  k->needs_t = k->friction == HK_FRICTION_GENERAL || (k->friction && k->one_way);
  hk_status status = HK_OK;
  if (k->law->prepare_data)
    status = k->law->prepare_data(k->law_item, k->l, &c->m->arena, &k->constants, &err);
  if (status == HK_ENOMEM)
    c->out_of_memory = true;
  else if (status)
    refuse_law(c, k, err.text);
  return status == HK_OK;
}

/* A gap between angles acts about the z axes of its frames, which must be those of rotors; reports an error. */
static bool is_on_axis(hk_compiler *c, const hk_item *item, const hk_node *node,
                       const hk_marker *marker, int side) {
  const hk_contact_common *p = item->data;
  const char *param = side ? "b" : "a", *frame = side ? p->b : p->a;
  if (!node->type->axis) {
    hk_compile_error(c, item, param, "a %s needs rotors, but '%s' is not a rotor", item->type->name,
                     frame);
    return false;
  }
  const double off = acos(fmax(-1, fmin(1, hk_column(&marker->R, 2).z)));
  if (off < 1e-6) return true;
  hk_compile_error(c, item, param,
                   "a %s acts about the z axes of its frames, but that of '%s' is %.4g deg from "
                   "the axis of its rotor",
                   item->type->name, frame, off * 180 / M_PI);
  return false;
}

static void compile_contact(hk_compiler *c, const hk_item *item) {
  const hk_contact_common *p = item->data;
  hk_contact k = {.name = item->name, .item = item, .gap = item->type->ops};
  k.a = hk_compile_frame(c, item, "a", p->a ? p->a : "ground");
  k.b = hk_compile_frame(c, item, "b", p->b ? p->b : "ground");
  k.law_item = find_law(c, item, p->law ? p->law : "");
  if (k.a < 0 || k.b < 0 || !k.law_item) return;
  k.law = k.law_item->type->ops;
  if (c->marker.at[k.a].node == c->marker.at[k.b].node) {
    hk_compile_error(c, item, "b", "acts between '%s' and '%s', which are the same body", p->a,
                     p->b);
    return;
  }
  if (!fits(c, &k) || !set_constants(c, &k)) return;
  const hk_node *node[2];
  bool offset = false;
  for (int i = 0; i < 2; i++) {
    const hk_marker *marker = &c->marker.at[i ? k.b : k.a];
    node[i] = marker->node == HK_GROUND ? NULL : &c->m->node[marker->node];
    if (k.gap->rows && node[i] && !is_on_axis(c, item, node[i], marker, i)) return;
    if (node[i] && node[i]->nv > HK_NODE_FEW && k.law->set_valued) {
      hk_compile_error(c, item, i ? "b" : "a",
                       "'%s' is a flexible body, which rigid contact does not support; use a "
                       "compliant law, such as hertz",
                       i ? p->b : p->a);
      return;
    }
    if (hk_norm(marker->s) > 0) offset = true;
  }
  k.ball = k.gap->ball && !k.law->set_valued && k.friction != HK_FRICTION_GENERAL && !offset &&
           node[1] && node[1]->moves == HK_MOVES_RIGID &&
           !(node[0] && node[0]->moves == HK_MOVES_CUSTOM);
  k.n_points = k.gap->points;
  hk_compile_contact_differences(c, &k);
  k.point = c->m->n_points;
  k.port = c->port.n;
  k.owns = k.law->memory > 0 || k.constants;
  if (!hk_compile_ports(c, k.a, k.b)) return;
  hk_contact *at = HK_PUSH(&c->contact);
  if (!at) {
    c->out_of_memory = true;
    return;
  }
  *at = k;
  c->m->n_points += k.n_points;
  c->m->set_valued = c->m->set_valued || k.law->set_valued;
  c->m->compliant = c->m->compliant || !k.law->set_valued;
}

void hk_compile_contacts(hk_compiler *c) {
  for (int i = 0; i < c->spec->n[HK_CONTACT] && !c->out_of_memory; i++)
    compile_contact(c, c->spec->item[HK_CONTACT][i]);
}
