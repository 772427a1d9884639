/* Resolution of names of bodies, markers, joints and channels in a value: see model_file_reader.h. */
#include "spec/item.h"
#include "read/model_file_reader.h"
#include <hooke/element.h>
#include <ctype.h>
#include <stdio.h>
#include <string.h>

bool hk_mf_is_empty(const hk_doc *doc) {
  return doc->kind == HK_DOC_SCALAR && !*doc->text && !doc->quoted;
}

/* Checks a name: names are words, so that expressions can use them; words with a predefined meaning
 * are not allowed. */
bool hk_mf_check_word(hk_mf *r, const char *name, const hk_location *place, const char *what) {
  static const char *const reserved[] = {"t", "pi", "and", "or", "not"};
  const char *s = name;
  bool ok = isalpha((unsigned char)*s) || *s == '_';
  while (isalnum((unsigned char)*s) || *s == '_') s++;
  ok = ok && !*s && s - name <= HK_MODEL_MAX_NAME;
  for (int i = 0; i < (int)(sizeof reserved / sizeof *reserved); i++)
    if (strcmp(name, reserved[i]) == 0) {
      hk_diag_add(r->diag, HK_ERROR, place, "'%s' has a predefined meaning and cannot be %s", name,
                  what);
      return false;
    }
  if (ok) return true;
  hk_diag_add(
      r->diag, HK_ERROR, place,
      "'%.80s' cannot be %s: use letters, digits and '_' (at most %d), not beginning with a "
      "digit",
      name, what, HK_MODEL_MAX_NAME);
  return false;
}

void hk_mf_check_keys(hk_mf *r, const hk_doc *map, const char *const *keys, int n,
                      const char *owner) {
  for (const hk_doc *c = map->first; c; c = c->next) {
    bool known = false;
    for (int i = 0; i < n && !known; i++) known = strcmp(c->key, keys[i]) == 0;
    if (known) continue;
    char hint[100];
    const char *near = hk_nearest_name(c->key, keys, n);
    hk_diag_add(r->diag, HK_ERROR, &c->key_place, "unknown key '%s' in %s%s", c->key, owner,
                strchr(c->key, ':') ? "; write a space after the colon"
                                    : hk_mf_did_you_mean(near, hint, sizeof hint));
  }
}

char *hk_mf_indexed_name(const hk_mf_at *at, const hk_doc *doc, const char *text) {
  hk_mf *r = at->r;
  char out[256];
  size_t n = 0;
  for (const char *p = text; *p;) {
    if (n + 24 > sizeof out) {
      hk_diag_add(r->diag, HK_ERROR, &doc->place, "'%.40s...' is too long for a name", text);
      return NULL;
    }
    out[n++] = *p;
    if (*p++ != '[') continue;
    const char *close = strchr(p, ']');
    long value;
    if (!close) {
      hk_location place = hk_mf_inside(doc, (int)(p - text) - 1);
      hk_diag_add(r->diag, HK_ERROR, &place, "'[' without ']' in '%s'", text);
      return NULL;
    }
    int offset = doc->text == text ? (int)(p - text) : 0;
    if (!hk_mf_integer_text(at, doc, offset, p, (size_t)(close - p), "index", &value)) return NULL;
    n += (size_t)snprintf(out + n, sizeof out - n, "%ld", value);
    p = close;
  }
  char *copy = hk_arena_strndup(&r->arena, out, n);
  if (!copy) hk_mf_no_memory(r);
  return copy;
}

static bool any_item(const hk_spec *spec, const char *name) {
  if (strcmp(name, "ground") == 0) return true;
  for (int c = 0; c < HK_ANALYSIS; c++)
    if (hk_spec_find(spec, (hk_category)c, name)) return true;
  return false;
}

/* "left.link[3].x" -> "left.link[3]" -> "left.link" -> "left"; false at the end. */
static bool shorten(char *name) {
  char *dot = strrchr(name, '.'), *bracket = strrchr(name, '[');
  char *cut = dot > bracket ? dot : bracket;
  if (!cut) return false;
  *cut = '\0';
  return true;
}

/* Returns true if a name such as "left.thigh.hip.x" begins with the name of an item within "left.", valid or not. An item of
 * the model named "left", for example a measure, has no effect. */
static bool begins_with_item(const hk_mf *r, const char *name, size_t prefix) {
  char part[256];
  size_t n = strlen(name);
  if (n >= sizeof part) return false;
  memcpy(part, name, n + 1);
  do {
    if (any_item(r->spec, part) || hk_mf_names_find(&r->broken, part)) return true;
  } while (shorten(part) && strlen(part) > prefix);
  return false;
}

static const char *port_frame(const hk_mf_at *at, hk_mf_scope *scope, int i) {
  hk_mf_port *port = &scope->port[i];
  if (port->state == HK_MF_NEW) {
    port->state = HK_MF_FAILED;
    char key[80];
    snprintf(key, sizeof key, "port '%.60s'", scope->assembly->port[i]);
    char owner[300];
    snprintf(owner, sizeof owner, "part '%.*s'", (int)strlen(scope->prefix) - 1, scope->prefix);
    hk_mf_at outside = {at->r, scope->parent, scope->index, owner};
    if (port->doc) port->frame = hk_mf_frame(&outside, port->doc, key);
    if (port->frame) port->state = HK_MF_DONE;
  }
  return port->frame;
}

/* If the name begins with a port, *out becomes the frame to which the port is connected; NULL: the port is not
 * connected, and an error has already been reported. */
static bool through_port(const hk_mf_at *at, hk_mf_scope *scope, const char *name,
                         const char **out) {
  size_t n = strcspn(name, ".");
  for (int i = 0; scope->assembly && i < scope->assembly->n_ports; i++) {
    const char *port = scope->assembly->port[i];
    if (strlen(port) != n || memcmp(port, name, n) != 0) continue;
    const char *frame = port_frame(at, scope, i);
    *out = frame && name[n] ? hk_arena_printf(&at->r->arena, "%s%s", frame, name + n) : frame;
    return true;
  }
  return false;
}

const char *hk_mf_full_name(const hk_mf_at *at, const char *name) {
  for (hk_mf_scope *s = at->scope; s->parent; s = s->parent) {
    const char *out = NULL;
    if (through_port(at, s, name, &out)) return out;
    char full[512];
    if (snprintf(full, sizeof full, "%s%s", s->prefix, name) >= (int)sizeof full) continue;
    if (begins_with_item(at->r, full, strlen(s->prefix))) {
      char *copy = hk_arena_strdup(&at->r->arena, full);
      if (!copy) hk_mf_no_memory(at->r);
      return copy;
    }
  }
  return name;
}

void hk_mf_mark_broken(hk_mf *r, const hk_mf_scope *scope, const char *name) {
  const char *full = hk_arena_printf(&r->arena, "%s%s", scope->prefix, name);
  if (!full || !hk_mf_names_add(&r->arena, &r->broken, full, r)) hk_mf_no_memory(r);
}

bool hk_mf_is_broken(const hk_mf *r, const char *full_name) {
  char part[256];
  size_t n = strlen(full_name);
  if (!r->broken.n || n >= sizeof part) return false;
  memcpy(part, full_name, n + 1);
  do {
    if (hk_mf_names_find(&r->broken, part)) return true;
  } while (shorten(part));
  return false;
}

static bool frame_exists(const hk_spec *spec, const char *name) {
  if (strcmp(name, "ground") == 0 || hk_spec_find(spec, HK_BODY, name) ||
      hk_spec_find_marker(spec, name))
    return true;
  const char *dot = strrchr(name, '.');
  char body_name[256];
  if (!dot || (size_t)(dot - name) >= sizeof body_name) return false;
  snprintf(body_name, sizeof body_name, "%.*s", (int)(dot - name), name);
  const hk_item *body = hk_spec_find(spec, HK_BODY, body_name);
  hk_builtin_marker builtin;
  return body && hk_body_marker_find(body, dot + 1, &builtin);
}

/* Finds a frame with a similar name: a marker if the body exists, else a body. */
static const char *near_frame(const hk_spec *spec, const char *name, char *buf, size_t size) {
  const char *dot = strrchr(name, '.');
  const char *best = NULL;
  char owner[256];
  snprintf(owner, sizeof owner, "%.*s", dot ? (int)(dot - name) : 0, name);
  const hk_item *body = dot ? hk_spec_find(spec, HK_BODY, owner) : NULL;
  if (body || strcmp(owner, "ground") == 0) {
    const char *names[70];
    hk_builtin_marker builtin;
    int n = 0;
    for (; body && n < 60 && hk_body_marker(body, n, &builtin); n++) names[n] = builtin.name;
    for (int i = 0; i < spec->n_markers && n < 70; i++)
      if (spec->marker[i].body == body) names[n++] = spec->marker[i].name;
    best = hk_nearest_name(dot + 1, names, n);
    if (best) snprintf(buf, size, "%s.%s", owner, best);
    return best ? buf : NULL;
  }
  for (int i = -1; i < spec->n[HK_BODY]; i++) {
    const char *candidate = i < 0 ? "ground" : spec->item[HK_BODY][i]->name;
    const char *pair[2] = {candidate, best};
    best = hk_nearest_name(name, pair, best ? 2 : 1) ? hk_nearest_name(name, pair, best ? 2 : 1)
                                                     : best;
  }
  return best;
}

const char *hk_mf_frame(const hk_mf_at *at, const hk_doc *doc, const char *key) {
  if (!hk_mf_expect(at, doc, HK_DOC_SCALAR, key, "the name of a body or marker")) return NULL;
  const char *name = hk_mf_indexed_name(at, doc, doc->text);
  const char *full = name ? hk_mf_full_name(at, name) : NULL;
  if (!full || hk_mf_is_broken(at->r, full)) return NULL;
  if (frame_exists(at->r->spec, full)) return full;
  char near[512], hint[600];
  hk_diag_add(
      at->r->diag, HK_ERROR, &doc->place, "%s of %s: there is no body or marker '%s'%s", key,
      at->owner, name,
      hk_mf_did_you_mean(near_frame(at->r->spec, full, near, sizeof near), hint, sizeof hint));
  return NULL;
}

void hk_mf_check_ports(hk_mf *r) {
  for (hk_mf_scope *s = &r->model; s && !hk_mf_stop(r); s = s->next) {
    hk_mf_at at = {r, s, NULL, NULL};
    for (int i = 0; s->assembly && i < s->assembly->n_ports; i++) port_frame(&at, s, i);
  }
}
