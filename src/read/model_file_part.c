/* Assemblies and parts: see model_file_reader.h.  A part is a scope: an instance of an assembly with local parameters, ports,
 * placement and prefix of names. */
#include "read/model_file_reader.h"
#include <stdio.h>
#include <string.h>

/* --- Assemblies ------------------------------------------------------------------------------ */

static const char *const ASSEMBLY_KEYS[] = {
    "parameters", "ports",    "bodies", "joints", "forces", "laws",
    "contacts",   "motions",  "tables", "inputs", "states", "sensors",
    "shapes",     "measures", "parts",  "fmus",   "events"};
enum { N_ASSEMBLY_KEYS = sizeof ASSEMBLY_KEYS / sizeof *ASSEMBLY_KEYS };

static bool read_ports(hk_mf_at *at, hk_mf_assembly *a) {
  const hk_doc *ports = hk_doc_find(a->doc, "ports");
  if (!ports || hk_mf_is_empty(ports)) return true;
  if (!hk_mf_expect(at, ports, HK_DOC_LIST, "ports", "a list of names")) return false;
  a->port = HK_NEW_ARRAY(&at->r->arena, const char *, ports->n + 1);
  if (!a->port) return hk_mf_no_memory(at->r);
  for (const hk_doc *c = ports->first; c; c = c->next) {
    if (!hk_mf_expect(at, c, HK_DOC_SCALAR, "port", "a name")) continue;
    if (hk_mf_check_word(at->r, c->text, &c->place, "the name of a port"))
      a->port[a->n_ports++] = c->text;
  }
  return true;
}

bool hk_mf_list_params(hk_mf *r, const hk_doc *params, hk_mf_names *names, const hk_doc ***docs,
                       int *n) {
  *docs = HK_NEW_ARRAY(&r->arena, const hk_doc *, params->n + 1);
  if (!*docs) return hk_mf_no_memory(r);
  for (const hk_doc *c = params->first; c; c = c->next) {
    if (!hk_mf_check_word(r, c->key, &c->key_place, "the name of a parameter")) continue;
    (*docs)[(*n)++] = c;
    if (!hk_mf_names_add(&r->arena, names, c->key, (void *)(intptr_t)*n)) return hk_mf_no_memory(r);
  }
  return true;
}

static hk_mf_assembly *read_assembly(hk_mf *r, const hk_doc *doc) {
  char owner[100];
  snprintf(owner, sizeof owner, "assembly '%.60s'", doc->key);
  hk_mf_at at = {r, &r->model, NULL, owner};
  hk_mf_assembly *a = HK_NEW(&r->arena, hk_mf_assembly);
  if (!a) {
    hk_mf_no_memory(r);
    return NULL;
  }
  a->doc = doc;
  hk_mf_check_keys(r, doc, ASSEMBLY_KEYS, N_ASSEMBLY_KEYS, owner);
  const hk_doc *params = hk_doc_find(doc, "parameters");
  if (params && !hk_mf_is_empty(params)) {
    if (!hk_mf_expect(&at, params, HK_DOC_MAP, "parameters", "a map")) return NULL;
    if (!hk_mf_list_params(r, params, &a->param, &a->param_doc, &a->n_params)) return NULL;
  }
  return read_ports(&at, a) ? a : NULL;
}

void hk_mf_read_assemblies(hk_mf *r) {
  const hk_doc *all = hk_doc_find(r->root, "assemblies");
  for (const hk_doc *c = all ? all->first : NULL; c && !hk_mf_stop(r); c = c->next) {
    hk_mf_at at = {.r = r};
    char key[100];
    snprintf(key, sizeof key, "assembly '%.60s'", c->key);
    if (!hk_mf_check_word(r, c->key, &c->key_place, "the name of an assembly")) continue;
    if (!hk_mf_expect(&at, c, HK_DOC_MAP, key, "a map")) continue;
    hk_mf_assembly *a = read_assembly(r, c);
    if (a && !hk_mf_names_add(&r->arena, &r->assemblies, c->key, a)) hk_mf_no_memory(r);
  }
}

/* --- Parts ----------------------------------------------------------------------------------- */

static const char *const PART_KEYS[] = {"assembly",    "parameters", "connect", "position",
                                        "orientation", "repeat",     "name"};
enum { N_PART_KEYS = sizeof PART_KEYS / sizeof *PART_KEYS };

static bool part_parameters(const hk_mf_at *at, hk_mf_scope *s, const hk_doc *given) {
  const hk_mf_assembly *a = s->assembly;
  s->names = &a->param;
  s->n_params = a->n_params;
  s->param = HK_NEW_ARRAY(&at->r->arena, hk_mf_param, a->n_params + 1);
  if (!s->param) return hk_mf_no_memory(at->r);
  for (int i = 0; i < a->n_params; i++)
    s->param[i] = (hk_mf_param){.doc = a->param_doc[i], .scope = s};
  if (!given || hk_mf_is_empty(given)) return true;
  if (!hk_mf_expect(at, given, HK_DOC_MAP, "parameters", "a map")) return false;
  bool ok = true;
  for (const hk_doc *c = given->first; c; c = c->next) {
    intptr_t i = (intptr_t)hk_mf_names_find(&a->param, c->key);
    if (!i) {
      char hint[100];
      hk_diag_add(at->r->diag, HK_ERROR, &c->key_place, "assembly '%s' has no parameter '%s'%s",
                  a->doc->key, c->key,
                  hk_mf_did_you_mean(hk_mf_names_nearest(&a->param, c->key), hint, sizeof hint));
      ok = false;
      continue;
    }
    s->param[i - 1] = (hk_mf_param){.doc = c, .scope = at->scope, .index = at->index};
  }
  return ok;
}

static bool part_ports(const hk_mf_at *at, hk_mf_scope *s, const hk_doc *part) {
  const hk_mf_assembly *a = s->assembly;
  const hk_doc *connect = hk_doc_find(part, "connect");
  if (connect && hk_mf_is_empty(connect)) connect = NULL;
  if (connect && !hk_mf_expect(at, connect, HK_DOC_MAP, "connect", "a map from ports to frames"))
    return false;
  s->port = HK_NEW_ARRAY(&at->r->arena, hk_mf_port, a->n_ports + 1);
  if (!s->port) return hk_mf_no_memory(at->r);
  if (connect) {
    char owner[100];
    snprintf(owner, sizeof owner, "the ports of assembly '%.60s'", a->doc->key);
    hk_mf_check_keys(at->r, connect, a->port, a->n_ports, owner);
  }
  bool ok = true;
  for (int i = 0; i < a->n_ports; i++) {
    s->port[i].doc = connect ? hk_doc_find(connect, a->port[i]) : NULL;
    if (s->port[i].doc) continue;
    hk_diag_add(at->r->diag, HK_ERROR, &part->key_place, "port '%s' of %s is not connected",
                a->port[i], at->owner);
    ok = false;
  }
  return ok;
}

/* Computes the placement of a part, combined with that of the parts that contain it. */
static bool part_placement(const hk_mf_at *at, hk_mf_scope *s, const hk_doc *part) {
  const hk_doc *position = hk_doc_find(part, "position");
  const hk_doc *orientation = hk_doc_find(part, "orientation");
  hk_vec3 p = {0, 0, 0};
  hk_quat q = hk_quat_identity();
  bool ok = !position || hk_mf_vector(at, position, "position", "m", &p);
  ok = (!orientation || hk_mf_rotation(at, orientation, "orientation", &q)) && ok;
  hk_mat3 R = hk_quat_matrix(at->scope->rotation);
  s->origin = hk_add(at->scope->origin, hk_mul(&R, p));
  s->rotation = hk_quat_mul(at->scope->rotation, q);
  s->placed = at->scope->placed || position || orientation;
  return ok;
}

static hk_mf_assembly *part_assembly(const hk_mf_at *at, const hk_doc *part, int depth) {
  hk_mf *r = at->r;
  const hk_doc *name = hk_doc_find(part, "assembly");
  if (!name) {
    hk_diag_add(r->diag, HK_ERROR, &part->key_place,
                "%s has no assembly; give the name of one, as in 'assembly: NAME'", at->owner);
    return NULL;
  }
  if (!hk_mf_expect(at, name, HK_DOC_SCALAR, "assembly", "a name")) return NULL;
  hk_mf_assembly *a = hk_mf_names_find(&r->assemblies, name->text);
  char hint[100];
  if (!a) {
    hk_diag_add(
        r->diag, HK_ERROR, &name->place, "there is no assembly '%s'%s", name->text,
        hk_mf_did_you_mean(hk_mf_names_nearest(&r->assemblies, name->text), hint, sizeof hint));
  } else if (a->open) {
    hk_diag_add(r->diag, HK_ERROR, &name->place, "assembly '%s' contains itself", name->text);
    return NULL;
  } else if (depth >= HK_MODEL_MAX_PARTS) {
    hk_diag_add(r->diag, HK_ERROR, &name->place, "parts are nested more than %d deep",
                HK_MODEL_MAX_PARTS);
    return NULL;
  }
  return a;
}

void hk_mf_make_part(hk_mf *r, hk_mf_scope *scope, const hk_mf_index *index, hk_doc *doc,
                     const char *full_name, int depth) {
  char owner[600];
  snprintf(owner, sizeof owner, "part '%s'", full_name);
  hk_mf_at at = {r, scope, index, owner};
  int before = r->diag->n_errors;
  if (!hk_mf_expect(&(hk_mf_at){.r = r}, doc, HK_DOC_MAP, owner, "a map")) {
    doc->faulty = true;
    return;
  }
  hk_mf_check_keys(r, doc, PART_KEYS, N_PART_KEYS, owner);
  hk_mf_assembly *a = part_assembly(&at, doc, depth);
  hk_mf_scope *s = a ? HK_NEW(&r->arena, hk_mf_scope) : NULL;
  if (a && !s) hk_mf_no_memory(r);
  bool ok = s != NULL;
  if (s) {
    *s = (hk_mf_scope){.parent = scope, .assembly = a, .index = index};
    s->prefix = hk_arena_printf(&r->arena, "%s.", full_name);
    ok = s->prefix || hk_mf_no_memory(r);
    ok = ok && part_parameters(&at, s, hk_doc_find(doc, "parameters"));
    ok = ok && part_ports(&at, s, doc);
    ok = ok && part_placement(&at, s, doc);
  }
  if (ok) {
    r->last_scope->next = s;
    r->last_scope = s;
    hk_mf_settle(r, s);
    a->open = true;
    hk_mf_expand(r, s, a->doc, depth + 1);
    a->open = false;
  }
  if (r->diag->n_errors > before || !ok) doc->faulty = true;
}
