/* Selection of the force that a command analyses: see force.h. */
#include "force.h"
#include <string.h>

hk_status tool_model_refuse(tool_model *t, const hk_error *err) {
  hk_diag_add(&t->diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", err->text);
  return err->code;
}

hk_status tool_force_failed(tool_model *t, const hk_force *force, hk_error *err) {
  hk_error_about(err, force->name, NAN, -1);
  tool_model_failed(t, err);
  return err->code;
}

enum { MOST_NAMES = 64 }; /* for a hint */

hk_status tool_find_force(tool_model *t, const hk_type *type, const char *name,
                          const hk_force **out) {
  const hk_model *m = t->model;
  const char *names[MOST_NAMES];
  const hk_force *first = NULL;
  hk_error err = {0};
  int n = 0;
  for (int i = 0; i < m->n_forces; i++) {
    const hk_force *f = &m->force[i];
    if (f->item->type != type) continue;
    const hk_item *joint =
        /* a force that is a part of a joint can also be given by the joint's name */
        f->item->made_by;
    if (name && (strcmp(f->name, name) == 0 || (joint && strcmp(joint->name, name) == 0)))
      return *out = f, HK_OK;
    if (!first) first = f;
    if (n < MOST_NAMES) names[n] = f->name;
    n++;
  }
  *out = first;
  if (n == 0)
    return hk_diag_add(&t->diag, HK_ERROR, &(hk_location){t->path, 1, 1}, "the model has no %s",
                       type->name);
  if (name) {
    const char *near = hk_nearest_name(name, names, n < MOST_NAMES ? n : MOST_NAMES);
    hk_fail(&err, HK_EINPUT, "unknown %s '%s'; %s '%s'", type->name, name,
            near ? "did you mean" : "the model has", near ? near : names[0]);
    return tool_model_refuse(t, &err);
  }
  if (n == 1) return HK_OK;
  hk_fail(&err, HK_EINPUT,
          "the model has %d forces of type %s; give the name of one of them, such as '%s'", n,
          type->name, first->name);
  return tool_force_failed(t, first, &err);
}
