/* Reads a scene from a results file.  JSON is almost a subset of YAML, so the reader of model files
 * parses it.  Every index is checked.  Contacts are prepared from their parameters again, so that
 * the file does not depend on how types store constants. */
#include "read/doc.h"
#include "results/json.h"
#include "scene/scene.h"
#include "spec/registry.h"
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30 };

typedef struct reader {
  hk_scene *s;
  bool bad, no_memory;
} reader;

static const char *text_of(reader *r, const hk_doc *map, const char *key) {
  const hk_doc *d = map ? hk_doc_find(map, key) : NULL;
  if (!d || d->kind != HK_DOC_SCALAR) return r->bad = true, "";
  const char *copy = hk_arena_strdup(&r->s->arena, d->text);
  if (!copy) r->no_memory = true;
  return copy ? copy : "";
}

static double number_of(reader *r, const hk_doc *d) {
  char *end;
  if (!d || d->kind != HK_DOC_SCALAR) return r->bad = true, 0;
  double x = strtod(d->text, &end);
  if (end == d->text || *end || !isfinite(x)) r->bad = true;
  return x;
}

static int index_of(reader *r, const hk_doc *map, const char *key, int low, int high) {
  double x = number_of(r, map ? hk_doc_find(map, key) : NULL);
  if (!(x >= low && x <= high) || x != floor(x)) return r->bad = true, low;
  return (int)x;
}

static double real_of(reader *r, const hk_doc *map, const char *key, double otherwise) {
  const hk_doc *d = hk_doc_find(map, key);
  return d ? number_of(r, d) : otherwise;
}

static void numbers_of(reader *r, const hk_doc *map, const char *key, double *out, int n) {
  const hk_doc *list = map ? hk_doc_find(map, key) : NULL;
  const hk_doc *c = list && list->kind == HK_DOC_LIST ? list->first : NULL;
  for (int i = 0; i < n; i++, c = c ? c->next : NULL) out[i] = number_of(r, c);
}

static hk_vec3 vec3_of(reader *r, const hk_doc *map, const char *key) {
  double x[3] = {0};
  numbers_of(r, map, key, x, 3);
  return hk_v3(x[0], x[1], x[2]);
}

static hk_quat quat_of(reader *r, const hk_doc *map, const char *key) {
  double x[4] = {0};
  numbers_of(r, map, key, x, 4);
  double n = x[0] * x[0] + x[1] * x[1] + x[2] * x[2] + x[3] * x[3];
  if (!(n > 1e-12)) return r->bad = true, hk_quat_identity();
  return hk_quat_normalize((hk_quat){x[0], x[1], x[2], x[3]});
}

static hk_scene_place place_of(reader *r, const hk_doc *map, const char *key) {
  const hk_doc *d = hk_doc_find(map, key);
  return (hk_scene_place){index_of(r, d, "body", -1, r->s->n_bodies - 1),
                          {vec3_of(r, d, "at"), quat_of(r, d, "turn")}};
}

static unsigned colour_of(reader *r, const hk_doc *map) {
  unsigned rgb = 0;
  if (!hk_colour_parse(text_of(r, map, "color"), &rgb)) r->bad = true;
  return rgb;
}

static int choice_of(reader *r, const hk_doc *map, const char *key, const char *const *names,
                     int n) {
  const char *text = text_of(r, map, key);
  for (int i = 0; i < n; i++)
    if (strcmp(text, names[i]) == 0) return i;
  return r->bad = true, 0;
}

static const hk_doc *first_of(const hk_doc *root, const char *key) {
  const hk_doc *list = hk_doc_find(root, key);
  return list && list->kind == HK_DOC_LIST ? list->first : NULL;
}

#define EACH(d, root, key) \
  for (const hk_doc *d = first_of(root, key); d && !r->bad && !r->no_memory; d = d->next)

static void read_bodies(reader *r, const hk_doc *root) {
  static const char *const kinds[] = {"free", "point", "turn"};
  hk_scene *s = r->s;
  EACH(d, root, "bodies") {
    hk_scene_body *b = HK_SCENE_ADD(s, body, n_bodies, body_capacity);
    if (!b) {
      r->no_memory = true;
      return;
    }
    *b = (hk_scene_body){.name = text_of(r, d, "name"),
                         .type = text_of(r, d, "type"),
                         .kind = (hk_pose_kind)choice_of(r, d, "kind", kinds, 3),
                         .start = {vec3_of(r, d, "at"), quat_of(r, d, "turn")},
                         .colour = colour_of(r, d)};
    if (b->kind == HK_POSE_TURN) b->axis = vec3_of(r, d, "axis");
    for (int i = 0; i < 7; i++) b->channel[i] = -1;
  }
}

static void read_solids(reader *r, const hk_doc *root) {
  hk_scene *s = r->s;
  EACH(d, root, "solids") {
    hk_scene_solid *o = HK_SCENE_ADD(s, solid, n_solids, solid_capacity);
    if (!o) {
      r->no_memory = true;
      return;
    }
    *o = (hk_scene_solid){.mesh = index_of(r, d, "mesh", 0, s->n_meshes - 1),
                          .at = place_of(r, d, "place"),
                          .colour = colour_of(r, d),
                          .opacity = real_of(r, d, "opacity", 1),
                          .part = strcmp(text_of(r, d, "part"), "true") == 0,
                          .owner = text_of(r, d, "owner"),
                          .bore = real_of(r, d, "bore", 0),
                          .clearance = real_of(r, d, "clearance", 0)};
  }
  EACH(d, root, "links") {
    hk_scene_link *o = HK_SCENE_ADD(s, link, n_links, link_capacity);
    if (!o) {
      r->no_memory = true;
      return;
    }
    *o = (hk_scene_link){.mesh = index_of(r, d, "mesh", 0, s->n_meshes - 1),
                         .a = place_of(r, d, "a"),
                         .b = place_of(r, d, "b"),
                         .colour = colour_of(r, d),
                         .owner = text_of(r, d, "owner")};
  }
}

static void read_joints(reader *r, const hk_doc *root) {
  hk_scene *s = r->s;
  EACH(d, root, "joints") {
    hk_scene_joint *o = HK_SCENE_ADD(s, joint, n_joints, joint_capacity);
    if (!o) {
      r->no_memory = true;
      return;
    }
    *o = (hk_scene_joint){text_of(r, d, "name"), text_of(r, d, "type"), place_of(r, d, "a"),
                          place_of(r, d, "b")};
  }
  EACH(d, root, "markers") {
    hk_scene_marker *o = HK_SCENE_ADD(s, marker, n_markers, marker_capacity);
    if (!o) {
      r->no_memory = true;
      return;
    }
    *o = (hk_scene_marker){text_of(r, d, "name"), place_of(r, d, "place")};
  }
}

/* Prepares a contact.  A contact of a type that this version does not have, or with other
 * parameters, has no points. */
static void prepare_gap(reader *r, hk_scene_contact *k, const hk_doc *d) {
  hk_error err;
  char name[40];
  const hk_doc *parameters = hk_doc_find(d, "parameters");
  snprintf(name, sizeof name, "contact_%d", r->s->n_contacts);
  hk_item *item = hk_spec_add(r->s->spec, HK_CONTACT, k->type, name, &err);
  if (!item || !parameters) return;
  for (const hk_doc *c = parameters->first; c; c = c->next) {
    int i = hk_type_param_find(item->type, c->key);
    const hk_param *p = i < 0 ? NULL : hk_type_param(item->type, i);
    hk_status status = HK_EINPUT;
    if (p && p->kind == HK_PARAM_ENUM)
      status = hk_item_text(item, c->key, c->text ? c->text : "", &err);
    if (p && p->kind == HK_PARAM_REAL) status = hk_item_real(item, c->key, number_of(r, c), &err);
    if (p && p->kind == HK_PARAM_INT)
      status = hk_item_int(item, c->key, (long)number_of(r, c), &err);
    if (status) return;
  }
  const hk_gap_ops *gap = item->type->ops;
  if (gap->points == k->n_points && gap->prepare(item, k->k, &err) == HK_OK) k->gap = gap;
}

static void read_points(reader *r, const hk_doc *d, hk_scene_contact *k) {
  hk_scene *s = r->s;
  for (const hk_doc *c = first_of(d, "points"); c && !r->no_memory; c = c->next) {
    hk_scene_point *q = HK_SCENE_ADD(s, point, n_points, point_capacity);
    const char *name = c->kind == HK_DOC_SCALAR ? hk_arena_strdup(&s->arena, c->text) : NULL;
    if (!q || !name) {
      r->no_memory = true;
      return;
    }
    *q = (hk_scene_point){.name = name, .contact = s->n_contacts - 1};
    for (int i = 0; i < HK_N_POINT_CHANNELS; i++) q->channel[i] = -1;
    k->n_points++;
  }
  if (k->n_points > HK_CONTACT_MAX_POINTS) r->bad = true;
}

static void read_contacts(reader *r, const hk_doc *root) {
  static const char *const plays[] = {"none", "point", "pin", "turn"};
  hk_scene *s = r->s;
  EACH(d, root, "contacts") {
    hk_scene_contact *k = HK_SCENE_ADD(s, contact, n_contacts, contact_capacity);
    if (!k) {
      r->no_memory = true;
      return;
    }
    *k = (hk_scene_contact){.name = text_of(r, d, "name"),
                            .type = text_of(r, d, "type"),
                            .a = place_of(r, d, "a"),
                            .b = place_of(r, d, "b"),
                            .play = (hk_play)choice_of(r, d, "play", plays, 4),
                            .clearance = real_of(r, d, "clearance", 0),
                            .point = s->n_points};
    read_points(r, d, k);
    if (!r->bad && !r->no_memory) prepare_gap(r, k, d);
  }
}

/* ---- meshes ---- */

static bool fill_mesh(hk_mesh *m, size_t vertices, size_t triangles, const unsigned char *at) {
  m->position = malloc(12 * vertices + 1);
  m->normal = malloc(12 * vertices + 1);
  m->triangle = malloc(12 * triangles + 1);
  if (!m->position || !m->normal || !m->triangle) return false;
  memcpy(m->position, at, 12 * vertices);
  const signed char *n = (const signed char *)at + 12 * vertices;
  for (size_t i = 0; i < vertices; i++)
    for (size_t k = 0; k < 3; k++) m->normal[3 * i + k] = (float)n[4 * i + k] / 127;
  memcpy(m->triangle, at + 16 * vertices, 12 * triangles);
  m->n_vertices = m->vertex_capacity = vertices;
  m->n_triangles = m->triangle_capacity = triangles;
  return true;
}

static void read_meshes(reader *r, const hk_doc *root, const hk_bytes *plain) {
  size_t used = 0;
  EACH(d, root, "meshes") {
    size_t v = (size_t)index_of(r, d, "vertices", 0, MOST_BYTES / 16);
    size_t t = (size_t)index_of(r, d, "triangles", 0, MOST_BYTES / 16);
    if (r->bad || 16 * v + 12 * t > plain->n - used) {
      r->bad = true;
      return;
    }
    hk_mesh *m = HK_SCENE_ADD(r->s, mesh, n_meshes, mesh_capacity);
    if (!m || !fill_mesh(m, v, t, plain->at + used)) {
      r->no_memory = true;
      return;
    }
    m->two_sided = hk_doc_find(d, "two_sided") && strcmp(text_of(r, d, "two_sided"), "true") == 0;
    for (size_t i = 0; i < 3 * t; i++)
      if (m->triangle[i] >= v) r->bad = true;
    used += 16 * v + 12 * t;
  }
}

static void read_all(reader *r, const hk_doc *root, const hk_bytes *plain) {
  if (root->kind != HK_DOC_MAP ||
      index_of(r, root, "format", 1, HK_SCENE_FORMAT) != HK_SCENE_FORMAT) {
    r->bad = true;
    return;
  }
  r->s->title = text_of(r, root, "title");
  r->s->size = real_of(r, root, "size", 0.01);
  r->s->up = vec3_of(r, root, "up");
  read_bodies(r, root);
  read_meshes(r, root, plain);
  read_solids(r, root);
  read_joints(r, root);
  read_contacts(r, root);
}

hk_status hk_scene_read(const char *json, const void *data, size_t n, hk_scene **out,
                        hk_error *err) {
  reader r = {.s = calloc(1, sizeof *r.s)};
  hk_bytes plain = {0};
  hk_arena arena;
  hk_diag diag;
  *out = NULL;
  if (!r.s) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_arena_init(&r.s->arena);
  hk_arena_init(&arena);
  hk_diag_init(&diag);
  r.s->spec = hk_spec_create();
  hk_status status = r.s->spec ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = hk_gunzip(data, n, MOST_BYTES, &plain, err);
  if (!status) {
    locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t users = c != (locale_t)0 ? uselocale(c) : (locale_t)0;
    const hk_doc *root = hk_doc_read_text(&arena, "scene", json, strlen(json), &diag);
    if (root) read_all(&r, root, &plain);
    if (root && !r.bad && !(r.s->json = hk_json_again(root))) r.no_memory = true;
    if (c != (locale_t)0) uselocale(users), freelocale(c);
    if (r.no_memory || diag.out_of_memory)
      status = hk_fail(err, HK_ENOMEM, "out of memory");
    else if (!root || r.bad)
      status = hk_fail(err, HK_EINPUT, "the scene in the results is damaged");
  }
  hk_bytes_free(&plain);
  hk_diag_free(&diag);
  hk_arena_free(&arena);
  if (status)
    hk_scene_free(r.s);
  else
    *out = r.s;
  return status;
}
