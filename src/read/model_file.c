/* The model file: YAML text -> spec.  First all items are created, so that names and channels are known, then their
 * parameters are read.  See model_file_reader.h for the parts. */
#include "base/outside.h"
#include "read/model_file.h"
#include <hooke/element.h>
#include "read/model_file_reader.h"
#include <stdlib.h>
#include <string.h>

static void read_title(hk_mf *r) {
  const hk_doc *title = hk_doc_find(r->root, "title");
  hk_mf_at at = {.r = r};
  if (!title || hk_mf_is_empty(title)) return;
  if (hk_mf_expect(&at, title, HK_DOC_SCALAR, "'title'", "a text") &&
      hk_spec_title(r->spec, title->text))
    hk_mf_no_memory(r);
}

/* Stores the parameters for hk_model_parameter. */
static void list_parameters(hk_mf *r, const hk_mf_scope *s) {
  hk_arena *arena = &r->spec->arena;
  hk_parameter_spec *list = HK_NEW_ARRAY(arena, hk_parameter_spec, s->n_params + 1);
  for (int i = 0; list && i < s->n_params; i++) {
    char unit[128];
    hk_dim_format(s->param[i].dim, unit, sizeof unit);
    const hk_doc *d = s->param[i].doc;
    list[i] = (hk_parameter_spec){.name = hk_arena_strdup(arena, d->key),
                                  .unit = hk_arena_strdup(arena, unit),
                                  .text = hk_arena_strdup(arena, d->text ? d->text : ""),
                                  .value = s->param[i].value};
    if (!list[i].name || !list[i].unit || !list[i].text) list = NULL;
  }
  if (!list) {
    hk_mf_no_memory(r);
    return;
  }
  r->spec->parameter = list;
  r->spec->n_parameters = s->n_params;
}

static void read_parameters(hk_mf *r) {
  const hk_doc *params = hk_doc_find(r->root, "parameters"), **docs;
  hk_mf_scope *s = &r->model;
  s->names = &r->model_names;
  s->prefix = "";
  s->rotation = hk_quat_identity();
  r->last_scope = s;
  if (!params || params->kind != HK_DOC_MAP) return;
  int n = 0;
  if (!hk_mf_list_params(r, params, &r->model_names, &docs, &n)) return;
  s->param = HK_NEW_ARRAY(&r->arena, hk_mf_param, n + 1);
  if (!s->param) {
    hk_mf_no_memory(r);
    return;
  }
  s->n_params = n;
  for (int i = 0; i < n; i++) s->param[i] = (hk_mf_param){.doc = docs[i], .scope = s};
  hk_mf_settle(r, s);
  list_parameters(r, s);
}

static void make_items(hk_mf *r) {
  hk_mf_read_assemblies(r);
  hk_mf_check_defaults(r);
  hk_mf_expand(r, &r->model, r->root, 0);
  hk_doc *analysis = hk_doc_find(r->root, "analysis");
  if (analysis) hk_mf_make_item(r, &r->model, NULL, HK_ANALYSIS, analysis, "analysis");
  hk_doc *stop = hk_doc_find(r->root, "stop");
  if (stop) hk_mf_make_stop(r, stop);
  hk_doc *ground = hk_doc_find(hk_doc_find(r->root, "bodies"), "ground");
  if (ground) hk_mf_read_ground(r, ground);
  for (int i = 0; i < r->spec->n[HK_BODY] && !hk_mf_stop(r); i++)
    hk_mf_read_markers(r, r->spec->item[HK_BODY][i], &r->pending[HK_BODY][i]);
  if (!hk_mf_stop(r)) hk_mf_make_shapes(r);
}

static bool is_composite(const hk_item *joint) {
  return ((const hk_joint_ops *)joint->type->ops)->expand;
}

static bool has_composites(const hk_spec *spec) {
  for (int i = 0; i < spec->n[HK_JOINT]; i++)
    if (is_composite(spec->item[HK_JOINT][i])) return true;
  return false;
}

/* Returns true if the joint uses a part of a composite joint that has not been expanded yet. */
static bool must_wait(hk_mf *r, int joint) {
  const hk_mf_pending *p = &r->pending[HK_JOINT][joint];
  const hk_mf_at at = {r, p->scope, p->index, NULL};
  for (int side = 0; side < 2; side++) {
    const hk_doc *d = hk_doc_find(p->doc, side ? "b" : "a");
    const char *frame = d && d->text ? hk_mf_full_name(&at, d->text) : NULL;
    for (int k = 0; frame && k < r->n_pending[HK_JOINT]; k++) {
      const hk_item *other = r->spec->item[HK_JOINT][k];
      size_t n = strlen(other->name);
      if (k != joint && is_composite(other) && !other->expanded &&
          strncmp(frame, other->name, n) == 0 && frame[n] == '.')
        return true;
    }
  }
  return false;
}

static void read_joint(hk_mf *r, int i) {
  hk_item *joint = r->spec->item[HK_JOINT][i];
  int before = r->diag->n_errors;
  hk_mf_read_item(r, joint, &r->pending[HK_JOINT][i]);
  if (is_composite(joint) && r->diag->n_errors == before) hk_item_expand(joint, r->spec, r->diag);
  joint->expanded = true; /* report errors of the remaining joints, which cannot be resolved */
}

/* Reads composite joints before the other joints, which may use their parts; the order in the file
 * does not matter. */
static void read_joints(hk_mf *r) {
  for (bool more = true; more && !hk_mf_stop(r);) {
    more = false;
    for (int i = 0; i < r->n_pending[HK_JOINT] && !hk_mf_stop(r); i++) {
      const hk_item *joint = r->spec->item[HK_JOINT][i];
      if (!is_composite(joint) || joint->expanded || must_wait(r, i)) continue;
      read_joint(r, i);
      more = true;
    }
  }
  for (int i = 0; i < r->n_pending[HK_JOINT] && !hk_mf_stop(r); i++)
    if (!r->spec->item[HK_JOINT][i]->expanded) read_joint(r, i);
}

/* Returns true if the expressions of a force read its own coordinate. */
static bool reads_itself(const hk_item *item) {
  return item->type->category == HK_FORCE &&
         ((const hk_force_ops *)item->type->ops)->coordinate_name;
}

/* Reads the names in forces and motions first. The expressions of sensors, states and forces use their channels, and
 * the units of these channels depend on the frames and coordinates of the forces. */
static void look_ahead(hk_mf *r) {
  static const hk_category ahead[] = {HK_FORCE, HK_MOTION};
  const bool all = r->spec->n[HK_SENSOR] + r->spec->n[HK_STATE] > 0;
  for (int k = 0; k < 2; k++)
    for (int i = 0; i < r->n_pending[ahead[k]] && !hk_mf_stop(r); i++)
      if (all || reads_itself(r->spec->item[ahead[k]][i]))
        hk_mf_peek_item(r, r->spec->item[ahead[k]][i], &r->pending[ahead[k]][i]);
}

/* Reads units and initial values of states, which must be known before any rates are read. */
static void read_state_units(hk_mf *r) {
  static const char *const keys[] = {"unit", "initial_value", "start"};
  for (int i = 0; i < r->n_pending[HK_STATE] && !hk_mf_stop(r); i++) {
    const hk_mf_pending *p = &r->pending[HK_STATE][i];
    hk_item *item = r->spec->item[HK_STATE][i];
    char owner[300];
    hk_item_label(item, owner, sizeof owner);
    hk_mf_at at = {r, p->scope, p->index, owner};
    int before = r->diag->n_errors;
    for (int k = 0; k < 3 && !p->doc->faulty; k++) {
      const hk_doc *c = hk_doc_find(p->doc, keys[k]);
      if (c) hk_mf_set_param(&at, item, hk_type_param_find(item->type, keys[k]), c);
    }
    if (r->diag->n_errors == before) continue;
    p->doc->faulty = true;
    hk_mf_mark_broken(r, &r->model, item->name);
  }
}

const hk_preparation hk_preparation_none = {0};

/* Loads data that the type of an item needs in addition to its parameters. */
static void load_more(hk_mf *r, hk_item *item, const hk_mf_pending *pending) {
  if (item->type->category == HK_TABLE) hk_mf_load_table(r, item, pending);
  for (int i = 0; i < r->preparation->n_loaders; i++)
    if (r->preparation->loader[i].type == item->type)
      r->preparation->loader[i].load(r, item, pending);
}

static void read_items(hk_mf *r) {
  /* Composite joints need bodies, laws and the start time. */
  static const hk_category order[] = {HK_FMU,   HK_TABLE,    HK_INPUT,  HK_SHAPE,   HK_BODY,
                                      HK_LAW,   HK_ANALYSIS, HK_JOINT,  HK_CONTACT, HK_SENSOR,
                                      HK_STATE, HK_FORCE,    HK_MOTION, HK_EVENT,   HK_MEASURE};
  for (size_t k = 0; k < sizeof order / sizeof *order; k++) {
    hk_category c = order[k];
    if (c == HK_INPUT) read_state_units(r);
    if (c == HK_SENSOR) look_ahead(r);
    if (c == HK_JOINT) {
      read_joints(r);
      if (r->diag->n_errors && has_composites(r->spec))
        /* if parts are missing because of earlier errors, references to them are not reported */
        return;
      continue;
    }
    for (int i = 0; i < r->n_pending[c] && !hk_mf_stop(r); i++) {
      hk_mf_read_item(r, r->spec->item[c][i], &r->pending[c][i]);
      if (hk_mf_may_read_item(r, r->spec->item[c][i]))
        load_more(r, r->spec->item[c][i], &r->pending[c][i]);
    }
  }
  if (!hk_mf_stop(r)) hk_mf_check_ports(r);
}

hk_doc *hk_mf_join_files(hk_mf *r, hk_doc *doc, const char *path) {
  r->model_path = path;
  r->root = hk_mf_new_map(r, NULL, doc->place);
  if (r->root) hk_mf_merge_file(r, doc, path, 0);
  return r->root;
}

hk_spec *hk_mf_build(hk_mf *r, const char *path, const hk_override *set, int n_set) {
  int before = r->n_errors_before;
  r->model_path = path;
  hk_mf_mark_texts(r);
  for (int i = 0; i < n_set; i++) hk_mf_override(r, &set[i]);
  r->spec->file = hk_arena_strdup(&r->spec->arena, path);
  if (!r->spec->file) hk_mf_no_memory(r);
  hk_mf_fill_texts(r);
  read_title(r);
  read_parameters(r);
  if (!hk_mf_stop(r)) make_items(r);
  if (!hk_mf_stop(r)) hk_mf_check_copies(r);
  if (!hk_mf_stop(r)) read_items(r);
  return r->diag->n_errors == before && !r->diag->out_of_memory ? r->spec : NULL;
}

/* Reads a model, from a file if the text is NULL. */
static hk_spec *read_model(const hk_model_text *m, const hk_override *set, int n_set,
                           hk_former_fn *former, void *context, hk_diag *diag) {
  hk_spec *spec = NULL;
  hk_mf *r = calloc(1, sizeof *r);
  if (!r) {
    diag->out_of_memory = true;
    hk_diag_add(diag, HK_ERROR, NULL, "out of memory");
    return NULL;
  }
  int first = diag->n;
  r->diag = diag;
  r->former = former;
  r->former_context = context;
  r->preparation = m->preparation;
  r->n_errors_before = diag->n_errors;
  hk_arena_init(&r->arena);
  hk_arena_init(&r->scratch);
  r->spec = m->types ? hk_spec_create_with(m->types) : hk_spec_create();
  if (!r->spec) {
    hk_mf_no_memory(r);
  } else {
    hk_doc *doc = m->text ? hk_doc_read_text(&r->arena, m->name, m->text, m->length, diag)
                          : hk_doc_read_file(&r->arena, m->name, diag);
    r->own = set;
    r->n_own = n_set;
    if (doc && hk_mf_join_files(r, doc, m->name)) spec = hk_mf_build(r, m->name, set, n_set);
  }
  if (!spec) hk_spec_destroy(r->spec);
  hk_outside_hush(diag, first, m->name);
  hk_arena_free(&r->scratch);
  hk_arena_free(&r->arena);
  free(r);
  return spec;
}

hk_spec *hk_model_read(const hk_model_text *m, const hk_override *set, int n_set, hk_diag *diag) {
  hk_diag unread; /* used if the caller passes NULL; its messages are discarded */
  hk_diag_init(&unread);
  hk_spec *spec = read_model(m, set, n_set, NULL, NULL, diag ? diag : &unread);
  hk_diag_free(&unread);
  return spec;
}

hk_spec *hk_model_read_former(const hk_model_text *m, hk_former_fn *former, void *context,
                              hk_diag *diag) {
  return read_model(m, NULL, 0, former, context, diag);
}
