/* Writes a scene as JSON and bytes.
 *
 * The bytes contain all meshes in sequence: positions (float32, 3 per vertex), normals (int8, 4 per vertex: x y z
 * scaled by 127, and 0), triangles (uint32, 3 each), little endian, compressed with gzip. */
#include "results/json.h"
#include "scene/scene.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_vec3(hk_json *j, const char *key, hk_vec3 v) {
  hk_json_reals(j, key, (const double[]){v.x, v.y, v.z}, 3);
}

static void put_quat(hk_json *j, const char *key, hk_quat q) {
  hk_json_reals(j, key, (const double[]){q.w, q.x, q.y, q.z}, 4);
}

static void put_place(hk_json *j, const char *key, const hk_scene_place *p) {
  hk_json_open(j, key, '{');
  hk_json_int(j, "body", p->body);
  put_vec3(j, "at", p->pose.x);
  put_quat(j, "turn", p->pose.q);
  hk_json_close(j, '}');
}

static void put_colour(hk_json *j, unsigned rgb) {
  char text[16];
  snprintf(text, sizeof text, "#%06x", rgb & 0xffffff);
  hk_json_text(j, "color", text);
}

static void put_bodies(hk_json *j, const hk_scene *s) {
  static const char *const kind[] = {"free", "point", "turn"};
  hk_json_open(j, "bodies", '[');
  for (int i = 0; i < s->n_bodies; i++) {
    const hk_scene_body *b = &s->body[i];
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", b->name);
    hk_json_text(j, "type", b->type);
    hk_json_text(j, "kind", kind[b->kind]);
    put_vec3(j, "at", b->start.x);
    put_quat(j, "turn", b->start.q);
    if (b->kind == HK_POSE_TURN) put_vec3(j, "axis", b->axis);
    put_colour(j, b->colour);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

static void put_meshes(hk_json *j, const hk_scene *s) {
  hk_json_open(j, "meshes", '[');
  for (int i = 0; i < s->n_meshes; i++) {
    hk_json_open(j, NULL, '{');
    hk_json_int(j, "vertices", (long long)s->mesh[i].n_vertices);
    hk_json_int(j, "triangles", (long long)s->mesh[i].n_triangles);
    if (s->mesh[i].two_sided) hk_json_bool(j, "two_sided", true);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

static void put_solids(hk_json *j, const hk_scene *s) {
  hk_json_open(j, "solids", '[');
  for (int i = 0; i < s->n_solids; i++) {
    const hk_scene_solid *o = &s->solid[i];
    hk_json_open(j, NULL, '{');
    hk_json_int(j, "mesh", o->mesh);
    put_place(j, "place", &o->at);
    put_colour(j, o->colour);
    if (o->opacity < 1) hk_json_real(j, "opacity", o->opacity);
    hk_json_bool(j, "part", o->part);
    hk_json_text(j, "owner", o->owner);
    if (o->bore > 0) hk_json_real(j, "bore", o->bore), hk_json_real(j, "clearance", o->clearance);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
  hk_json_open(j, "links", '[');
  for (int i = 0; i < s->n_links; i++) {
    const hk_scene_link *o = &s->link[i];
    hk_json_open(j, NULL, '{');
    hk_json_int(j, "mesh", o->mesh);
    put_place(j, "a", &o->a);
    put_place(j, "b", &o->b);
    put_colour(j, o->colour);
    hk_json_text(j, "owner", o->owner);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

static void put_joints(hk_json *j, const hk_scene *s) {
  hk_json_open(j, "joints", '[');
  for (int i = 0; i < s->n_joints; i++) {
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", s->joint[i].name);
    hk_json_text(j, "type", s->joint[i].type);
    put_place(j, "a", &s->joint[i].a);
    put_place(j, "b", &s->joint[i].b);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
  hk_json_open(j, "markers", '[');
  for (int i = 0; i < s->n_markers; i++) {
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", s->marker[i].name);
    put_place(j, "place", &s->marker[i].at);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

/* Writes the parameters of the contact according to its table; a reader needs them to compute the
 * contact points. */
static void put_parameters(hk_json *j, const hk_item *item) {
  const hk_type *type = item->type;
  hk_json_open(j, "parameters", '{');
  for (int i = 0; i < type->n_params; i++) {
    const hk_param *p = &type->params[i];
    const void *at = (const char *)item->data + p->offset;
    if (p->kind == HK_PARAM_REAL) hk_json_real(j, p->name, *(const double *)at);
    if (p->kind == HK_PARAM_INT) hk_json_int(j, p->name, *(const int *)at);
    if (p->kind == HK_PARAM_ENUM) hk_json_text(j, p->name, p->choices[*(const int *)at]);
  }
  hk_json_close(j, '}');
}

static void put_contacts(hk_json *j, const hk_scene *s) {
  static const char *const play[] = {"none", "point", "pin", "turn"};
  hk_json_open(j, "contacts", '[');
  for (int i = 0; i < s->n_contacts; i++) {
    const hk_scene_contact *k = &s->contact[i];
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", k->name);
    hk_json_text(j, "type", k->type);
    put_place(j, "a", &k->a);
    put_place(j, "b", &k->b);
    hk_json_text(j, "play", play[k->play]);
    hk_json_real(j, "clearance", k->clearance);
    hk_json_open(j, "points", '[');
    for (int p = 0; p < k->n_points; p++) hk_json_text(j, NULL, s->point[k->point + p].name);
    hk_json_close(j, ']');
    if (k->item) put_parameters(j, k->item);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

static void put_scene(hk_json *j, const void *what) {
  const hk_scene *s = what;
  hk_json_open(j, NULL, '{');
  hk_json_int(j, "format", HK_SCENE_FORMAT);
  hk_json_text(j, "title", s->title);
  hk_json_real(j, "size", s->size);
  put_vec3(j, "up", s->up);
  put_bodies(j, s);
  put_meshes(j, s);
  put_solids(j, s);
  put_joints(j, s);
  put_contacts(j, s);
  hk_json_close(j, '}');
}

static void put_mesh_bytes(hk_bytes *out, const hk_mesh *m) {
  hk_bytes_add(out, m->position, 12 * m->n_vertices);
  for (size_t i = 0; i < m->n_vertices; i++) {
    const float *n = m->normal + 3 * i;
    const signed char packed[4] = {(signed char)lroundf(127 * n[0]),
                                   (signed char)lroundf(127 * n[1]),
                                   (signed char)lroundf(127 * n[2]), 0};
    hk_bytes_add(out, packed, 4);
  }
  hk_bytes_add(out, m->triangle, 12 * m->n_triangles);
}

hk_status hk_scene_write(hk_scene *s, hk_bytes *data, hk_error *err) {
  size_t length;
  char *text = hk_json_write(put_scene, s, &length);
  hk_bytes plain = {0};
  for (int i = 0; i < s->n_meshes; i++) put_mesh_bytes(&plain, &s->mesh[i]);
  hk_status status = !text || plain.failed ? hk_fail(err, HK_ENOMEM, "out of memory")
                                           : hk_gzip(plain.at, plain.n, data, err);
  hk_bytes_free(&plain);
  if (status) {
    free(text);
    return status;
  }
  free(s->json);
  s->json = text;
  return HK_OK;
}
