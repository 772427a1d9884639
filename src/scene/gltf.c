/* Binary glTF 2.0 [Khronos glTF 2.0 specification]: a JSON chunk and a binary chunk.
 *
 * Nodes: one root that rotates z (up) to y (up in glTF); its children are the bodies, whose
 * children are the solids. Bodies that travel far together have a node between them and the root,
 * a carrier. Solids of the same shape and colour share a mesh.  One animation contains
 * translation and rotation of every moving body; springs and rods that change their length are
 * nodes with animated translation, rotation and scale. */
#include "results/json.h"
#include "base/file.h"
#include "scene/scene_export.h"
#include <errno.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FLOAT = 5126, UNSIGNED_INT = 5125, ARRAY = 34962, ELEMENTS = 34963 };

typedef struct accessor {
  size_t offset, bytes;
  int component, target;
  size_t count;
  const char *type;
  int n; /* number of min and max values of the accessor; 0: none */
  double low[3], high[3];
} accessor;

/* Single precision would let bodies that travel far move in steps against each other. A carrier
 * travels with one of them; it and the bodies near it have translations relative to the carrier,
 * which are small. */
typedef struct carrier {
  int body;
  float *x; /* [frames][3] translation */
  int track;
} carrier;

typedef struct writer {
  const hk_motion *m;
  hk_bytes bin;
  accessor *accessor;
  int n, capacity;
  int *mesh_first; /* [n_meshes] first accessor of each mesh: positions, normals, indices */
  int *paint;      /* [n_solids + n_links] mesh of each solid and link */
  int n_paints;
  struct {
    int mesh;
    unsigned colour;
    double opacity;
  } * painted; /* meshes of the file: geometry with a colour */
  int time;    /* accessor */
  carrier *carrier;
  int n_carriers;
  int *carried;    /* [n_bodies] number of the carrier of each body; -1: none */
  int *body_track; /* [n_bodies] accessor of translations; rotations follow */
  int *link_track; /* [n_links] first accessor of each link: translations, rotations, scales */
  bool failed;
} writer;

static int add_accessor(writer *w, const void *data, size_t count, size_t size, int component,
                        const char *type, int target) {
  if (w->n == w->capacity) {
    int more = w->capacity ? 2 * w->capacity : 64;
    accessor *grown = realloc(w->accessor, sizeof *grown * (size_t)more);
    if (!grown) return w->failed = true, 0;
    w->accessor = grown;
    w->capacity = more;
  }
  hk_bytes_align(&w->bin, 4);
  w->accessor[w->n] =
      (accessor){w->bin.n, count * size, component, target, count, type, 0, {0}, {0}};
  hk_bytes_add(&w->bin, data, count * size);
  return w->n++;
}

static void set_bounds(accessor *a, const float *v, int width) {
  a->n = width;
  for (int k = 0; k < width; k++) a->low[k] = DBL_MAX, a->high[k] = -DBL_MAX;
  for (size_t i = 0; i < a->count; i++)
    for (int k = 0; k < width; k++) {
      double x = v[i * (size_t)width + (size_t)k];
      if (x < a->low[k]) a->low[k] = x;
      if (x > a->high[k]) a->high[k] = x;
    }
}

/* ---- geometry ---- */

static void add_mesh(writer *w, int i) {
  const hk_mesh *m = &w->m->scene->mesh[i];
  w->mesh_first[i] = add_accessor(w, m->position, m->n_vertices, 12, FLOAT, "VEC3", ARRAY);
  if (!w->failed) set_bounds(&w->accessor[w->n - 1], m->position, 3);
  float *normal = malloc(12 * m->n_vertices + 1); /* packed normals are not exactly of length 1 */
  if (!normal) {
    w->failed = true;
    return;
  }
  for (size_t k = 0; k < m->n_vertices; k++) {
    const float *n = m->normal + 3 * k;
    double l = sqrt((double)n[0] * n[0] + (double)n[1] * n[1] + (double)n[2] * n[2]);
    for (size_t c = 0; c < 3; c++) normal[3 * k + c] = l > 0 ? (float)(n[c] / l) : c == 2;
  }
  add_accessor(w, normal, m->n_vertices, 12, FLOAT, "VEC3", ARRAY);
  add_accessor(w, m->triangle, 3 * m->n_triangles, 4, UNSIGNED_INT, "SCALAR", ELEMENTS);
  free(normal);
}

static int paint_of(writer *w, int mesh, unsigned colour, double opacity) {
  for (int i = 0; i < w->n_paints; i++)
    if (w->painted[i].mesh == mesh && w->painted[i].colour == colour &&
        w->painted[i].opacity == opacity)
      return i;
  w->painted[w->n_paints].mesh = mesh;
  w->painted[w->n_paints].colour = colour;
  w->painted[w->n_paints].opacity = opacity;
  return w->n_paints++;
}

/* ---- motion ---- */

static void put_quat(float *out, hk_quat q, const float *before) {
  float v[4] = {(float)q.x, (float)q.y, (float)q.z, (float)q.w};
  float same =
      before ? v[0] * before[0] + v[1] * before[1] + v[2] * before[2] + v[3] * before[3] : 1;
  for (int k = 0; k < 4; k++) out[k] = same < 0 ? -v[k] : v[k];
}

/* Point from which translations are written in a frame; c: number of the carrier, -1: none. */
static hk_vec3 base_of(const writer *w, int c, int64_t frame) {
  const float *x = c < 0 ? NULL : w->carrier[c].x + 3 * frame;
  return x ? hk_add(w->m->origin, hk_v3(x[0], x[1], x[2])) : w->m->origin;
}

/* Returns true if single precision is sufficient for a body relative to a carrier. Bodies that
 * separate are farthest apart in the last frame. */
static bool is_near(const writer *w, int body, int c) {
  static const double visible = 1e-5; /* fraction of the size of a symbol */
  const hk_motion *m = w->m;
  for (int64_t i = m->n - 1; i >= 0; i--) {
    hk_vec3 d = hk_sub(m->pose[i * m->scene->n_bodies + body].x, base_of(w, c, i));
    if (0.5 * FLT_EPSILON * hk_norm(d) > visible * m->scene->size) return false;
  }
  return true;
}

static void add_carrier(writer *w, int body) {
  const hk_motion *m = w->m;
  carrier *c = &w->carrier[w->n_carriers++];
  *c = (carrier){.body = body, .x = malloc(12 * (size_t)m->n)};
  if (!c->x) {
    w->failed = true;
    return;
  }
  for (int64_t i = 0; i < m->n; i++) {
    hk_vec3 d = hk_sub(m->pose[i * m->scene->n_bodies + body].x, m->origin);
    float *x = c->x + 3 * i;
    x[0] = (float)d.x, x[1] = (float)d.y, x[2] = (float)d.z;
  }
  c->track = add_accessor(w, c->x, (size_t)m->n, 12, FLOAT, "VEC3", 0);
}

/* Gives every body that travels far the first carrier near it, or a new one. */
static void find_carriers(writer *w) {
  for (int i = 0; i < w->m->scene->n_bodies && !w->failed; i++) {
    int c = -1;
    while (c < w->n_carriers && !is_near(w, i, c)) c++;
    if (c == w->n_carriers) add_carrier(w, i);
    w->carried[i] = c;
  }
}

/* Number of the carrier of a link: that of the body at its first end. */
static int carrier_of_link(const writer *w, int link) {
  const int body = w->m->scene->link[link].a.body;
  return body < 0 ? -1 : w->carried[body];
}

static void add_body_track(writer *w, int body) {
  const hk_motion *m = w->m;
  size_t n = (size_t)m->n;
  float *x = malloc(12 * n), *q = malloc(16 * n);
  if (!x || !q) {
    w->failed = true;
  } else {
    for (size_t i = 0; i < n; i++) {
      const hk_stance *p = &m->pose[i * (size_t)m->scene->n_bodies + (size_t)body];
      hk_vec3 c = hk_sub(p->x, base_of(w, w->carried[body], (int64_t)i));
      x[3 * i] = (float)c.x, x[3 * i + 1] = (float)c.y, x[3 * i + 2] = (float)c.z;
      put_quat(q + 4 * i, p->q, i ? q + 4 * i - 4 : NULL);
    }
    w->body_track[body] = add_accessor(w, x, n, 12, FLOAT, "VEC3", 0);
    add_accessor(w, q, n, 16, FLOAT, "VEC4", 0);
  }
  free(x), free(q);
}

/* Computes the transformation that maps z = 0 and z = 1 of the mesh to the two ends of the link. */
static void link_stance(const writer *w, int link, int64_t frame, float x[3], hk_quat *q,
                        float s[3]) {
  const hk_scene_link *l = &w->m->scene->link[link];
  const hk_stance *pose = w->m->pose + frame * w->m->scene->n_bodies;
  hk_vec3 a = hk_scene_place_at(&l->a, pose).x, d = hk_sub(hk_scene_place_at(&l->b, pose).x, a);
  double length = hk_norm(d);
  hk_mat3 R = length > 0 ? hk_frame_from_z(hk_scale(1 / length, d)) : hk_mat3_identity();
  *q = hk_quat_from_matrix(&R);
  a = hk_sub(a, base_of(w, carrier_of_link(w, link), frame));
  x[0] = (float)a.x, x[1] = (float)a.y, x[2] = (float)a.z;
  s[0] = s[1] = 1, s[2] = (float)(length > 0 ? length : 1e-9);
}

static void add_link_track(writer *w, int link) {
  size_t n = (size_t)w->m->n;
  float *x = malloc(12 * n), *q = malloc(16 * n), *s = malloc(12 * n);
  if (!x || !q || !s) {
    w->failed = true;
  } else {
    for (size_t i = 0; i < n; i++) {
      hk_quat turn;
      link_stance(w, link, (int64_t)i, x + 3 * i, &turn, s + 3 * i);
      put_quat(q + 4 * i, turn, i ? q + 4 * i - 4 : NULL);
    }
    w->link_track[link] = add_accessor(w, x, n, 12, FLOAT, "VEC3", 0);
    add_accessor(w, q, n, 16, FLOAT, "VEC4", 0);
    add_accessor(w, s, n, 12, FLOAT, "VEC3", 0);
  }
  free(x), free(q), free(s);
}

static void add_times(writer *w) {
  size_t n = (size_t)w->m->n;
  float *t = malloc(4 * n);
  if (!t) {
    w->failed = true;
    return;
  }
  for (size_t i = 0; i < n; i++) {
    t[i] = (float)(w->m->t[i] - w->m->t[0]);
    if (i && !(t[i] > t[i - 1]))
      t[i] = nextafterf(t[i - 1], INFINITY); /* glTF requires increasing times */
  }
  w->time = add_accessor(w, t, n, 4, FLOAT, "SCALAR", 0);
  if (!w->failed) set_bounds(&w->accessor[w->n - 1], t, 1);
  free(t);
}

/* ---- JSON ---- */

static void put_accessors(hk_json *j, const writer *w) {
  hk_json_open(j, "accessors", '[');
  for (int i = 0; i < w->n; i++) {
    const accessor *a = &w->accessor[i];
    hk_json_open(j, NULL, '{');
    hk_json_int(j, "bufferView", i);
    hk_json_int(j, "componentType", a->component);
    hk_json_int(j, "count", (long long)a->count);
    hk_json_text(j, "type", a->type);
    if (a->n) hk_json_reals(j, "min", a->low, a->n), hk_json_reals(j, "max", a->high, a->n);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
  hk_json_open(j, "bufferViews", '[');
  for (int i = 0; i < w->n; i++) {
    hk_json_open(j, NULL, '{');
    hk_json_int(j, "buffer", 0);
    hk_json_int(j, "byteOffset", (long long)w->accessor[i].offset);
    hk_json_int(j, "byteLength", (long long)w->accessor[i].bytes);
    if (w->accessor[i].target) hk_json_int(j, "target", w->accessor[i].target);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

static double linear(unsigned byte) { /* Converts an sRGB value to the linear colour factor that
                                       * glTF requires. */
  double c = byte / 255.0;
  return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static void put_meshes(hk_json *j, const writer *w) {
  hk_json_open(j, "materials", '[');
  for (int i = 0; i < w->n_paints; i++) {
    unsigned c = w->painted[i].colour;
    hk_json_open(j, NULL, '{');
    hk_json_open(j, "pbrMetallicRoughness", '{');
    hk_json_reals(j, "baseColorFactor",
                  (const double[]){linear(c >> 16 & 255), linear(c >> 8 & 255), linear(c & 255),
                                   w->painted[i].opacity},
                  4);
    hk_json_real(j, "metallicFactor", 0.2);
    hk_json_real(j, "roughnessFactor", 0.6);
    hk_json_close(j, '}');
    if (w->painted[i].opacity < 1) hk_json_text(j, "alphaMode", "BLEND");
    if (w->m->scene->mesh[w->painted[i].mesh].two_sided) hk_json_bool(j, "doubleSided", true);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
  hk_json_open(j, "meshes", '[');
  for (int i = 0; i < w->n_paints; i++) {
    int first = w->mesh_first[w->painted[i].mesh];
    hk_json_open(j, NULL, '{');
    hk_json_open(j, "primitives", '[');
    hk_json_open(j, NULL, '{');
    hk_json_open(j, "attributes", '{');
    hk_json_int(j, "POSITION", first);
    hk_json_int(j, "NORMAL", first + 1);
    hk_json_close(j, '}');
    hk_json_int(j, "indices", first + 2);
    hk_json_int(j, "material", i);
    hk_json_close(j, '}');
    hk_json_close(j, ']');
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
}

static void put_stance(hk_json *j, hk_stance p) {
  hk_json_reals(j, "translation", (const double[]){p.x.x, p.x.y, p.x.z}, 3);
  hk_json_reals(j, "rotation", (const double[]){p.q.x, p.q.y, p.q.z, p.q.w}, 4);
}

/* Numbers of the nodes of the bodies and links of a carrier; -1: of those without one. */
static void put_moving(hk_json *j, const writer *w, int c) {
  const hk_scene *s = w->m->scene;
  for (int i = 0; i < s->n_bodies; i++)
    if (w->carried[i] == c) hk_json_int(j, NULL, 1 + i);
  for (int i = 0; i < s->n_links; i++)
    if (carrier_of_link(w, i) == c) hk_json_int(j, NULL, 1 + s->n_bodies + s->n_solids + i);
}

static void put_carrier(hk_json *j, const writer *w, int c) {
  const float *x = w->carrier[c].x;
  char name[300];
  snprintf(name, sizeof name, "travel of %.200s", w->m->scene->body[w->carrier[c].body].name);
  hk_json_open(j, NULL, '{');
  hk_json_text(j, "name", name);
  hk_json_reals(j, "translation", (const double[]){x[0], x[1], x[2]}, 3);
  hk_json_open(j, "children", '[');
  put_moving(j, w, c);
  hk_json_close(j, ']');
  hk_json_close(j, '}');
}

/* Writes the nodes: 0 is the root, 1 .. n_bodies are the bodies, then solids, links, carriers. */
static void put_nodes(hk_json *j, const writer *w) {
  const hk_scene *s = w->m->scene;
  int solid = 1 + s->n_bodies, link = solid + s->n_solids;
  hk_mat3 up = hk_frame_from_z(s->up);
  /* `up` rotates z to the model's upward direction; the root rotates this direction to y. */
  hk_quat to_z = hk_quat_conj(hk_quat_from_matrix(&up)), to_y = hk_quat_exp(hk_v3(-M_PI / 2, 0, 0));
  hk_quat root = hk_quat_mul(to_y, to_z);
  hk_json_open(j, "nodes", '[');
  hk_json_open(j, NULL, '{');
  hk_json_text(j, "name", s->title[0] ? s->title : "model");
  hk_json_reals(j, "rotation", (const double[]){root.x, root.y, root.z, root.w}, 4);
  hk_vec3 o = w->m->origin;
  if (hk_norm(o) > 0) {
    hk_json_open(j, "extras", '{');
    hk_json_reals(j, "origin", (const double[]){o.x, o.y, o.z}, 3);
    hk_json_close(j, '}');
  }
  hk_json_open(j, "children", '[');
  put_moving(j, w, -1);
  for (int i = 0; i < s->n_solids; i++)
    if (s->solid[i].at.body < 0) hk_json_int(j, NULL, solid + i);
  for (int i = 0; i < w->n_carriers; i++) hk_json_int(j, NULL, link + s->n_links + i);
  hk_json_close(j, ']');
  hk_json_close(j, '}');
  for (int b = 0; b < s->n_bodies; b++) {
    bool any = false;
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", s->body[b].name);
    put_stance(j,
               (hk_stance){hk_sub(w->m->pose[b].x, base_of(w, w->carried[b], 0)), w->m->pose[b].q});
    for (int i = 0; i < s->n_solids; i++) {
      if (s->solid[i].at.body != b) continue;
      if (!any) hk_json_open(j, "children", '[');
      any = true;
      hk_json_int(j, NULL, solid + i);
    }
    if (any) hk_json_close(j, ']');
    hk_json_close(j, '}');
  }
  for (int i = 0; i < s->n_solids; i++) {
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", s->solid[i].owner);
    hk_json_int(j, "mesh", w->paint[i]);
    hk_stance at = s->solid[i].at.pose;
    if (s->solid[i].at.body < 0) at.x = hk_sub(at.x, o);
    put_stance(j, at);
    hk_json_close(j, '}');
  }
  for (int i = 0; i < s->n_links; i++) {
    float x[3], scale[3];
    hk_quat q;
    link_stance(w, i, 0, x, &q, scale);
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", s->link[i].owner);
    hk_json_int(j, "mesh", w->paint[s->n_solids + i]);
    put_stance(j, (hk_stance){hk_v3(x[0], x[1], x[2]), q});
    hk_json_reals(j, "scale", (const double[]){1, 1, scale[2]}, 3);
    hk_json_close(j, '}');
  }
  for (int i = 0; i < w->n_carriers; i++) put_carrier(j, w, i);
  hk_json_close(j, ']');
}

static void put_channels(hk_json *j, int sampler, int node, int n) {
  static const char *const path[] = {"translation", "rotation", "scale"};
  for (int k = 0; k < n; k++) {
    hk_json_open(j, NULL, '{');
    hk_json_int(j, "sampler", sampler + k);
    hk_json_open(j, "target", '{');
    hk_json_int(j, "node", node);
    hk_json_text(j, "path", path[k]);
    hk_json_close(j, '}');
    hk_json_close(j, '}');
  }
}

static void put_samplers(hk_json *j, const writer *w, int track, int n) {
  for (int k = 0; k < n; k++) {
    hk_json_open(j, NULL, '{');
    hk_json_int(j, "input", w->time);
    hk_json_int(j, "output", track + k);
    hk_json_text(j, "interpolation", "LINEAR");
    hk_json_close(j, '}');
  }
}

static void put_animation(hk_json *j, const writer *w) {
  const hk_scene *s = w->m->scene;
  int sampler = 0, link = 1 + s->n_bodies + s->n_solids;
  if (s->n_bodies + s->n_links == 0) return;
  hk_json_open(j, "animations", '[');
  hk_json_open(j, NULL, '{');
  hk_json_text(j, "name", "run");
  hk_json_open(j, "channels", '[');
  for (int i = 0; i < s->n_bodies; i++, sampler += 2) put_channels(j, sampler, 1 + i, 2);
  for (int i = 0; i < s->n_links; i++, sampler += 3) put_channels(j, sampler, link + i, 3);
  for (int i = 0; i < w->n_carriers; i++, sampler++)
    put_channels(j, sampler, link + s->n_links + i, 1);
  hk_json_close(j, ']');
  hk_json_open(j, "samplers", '[');
  for (int i = 0; i < s->n_bodies; i++) put_samplers(j, w, w->body_track[i], 2);
  for (int i = 0; i < s->n_links; i++) put_samplers(j, w, w->link_track[i], 3);
  for (int i = 0; i < w->n_carriers; i++) put_samplers(j, w, w->carrier[i].track, 1);
  hk_json_close(j, ']');
  hk_json_close(j, '}');
  hk_json_close(j, ']');
}

static void put_document(hk_json *j, const void *what) {
  const writer *w = what;
  char generator[80];
  snprintf(generator, sizeof generator, "hooke %s", hk_version());
  hk_json_open(j, NULL, '{');
  hk_json_open(j, "asset", '{');
  hk_json_text(j, "version", "2.0");
  hk_json_text(j, "generator", generator);
  hk_json_close(j, '}');
  hk_json_int(j, "scene", 0);
  hk_json_raw(j, "scenes", "[{\"nodes\": [0]}]");
  put_nodes(j, w);
  put_meshes(j, w);
  put_accessors(j, w);
  put_animation(j, w);
  hk_json_open(j, "buffers", '[');
  hk_json_open(j, NULL, '{');
  hk_json_int(j, "byteLength", (long long)w->bin.n);
  hk_json_close(j, '}');
  hk_json_close(j, ']');
  hk_json_close(j, '}');
}

static void put32(FILE *out, size_t v) {
  for (int k = 0; k < 4; k++) fputc((int)(v >> (8 * k) & 255), out);
}

static hk_status save(const writer *w, const char *text, size_t length, const char *path,
                      hk_error *err) {
  size_t padded = (length + 3) / 4 * 4, total = 12 + 8 + padded + 8 + w->bin.n;
  if (total > UINT32_MAX)
    return hk_fail(err, HK_EINPUT, "'%s' would be larger than 4 GB; use fewer frames", path);
  hk_new_file output;
  hk_status status = hk_new_file_open(&output, path, err);
  if (status) return status;
  FILE *out = output.file;
  fputs("glTF", out);
  put32(out, 2), put32(out, total);
  put32(out, padded), fputs("JSON", out), fwrite(text, 1, length, out);
  for (size_t i = length; i < padded; i++) fputc(' ', out);
  put32(out, w->bin.n), fwrite("BIN\0", 1, 4, out), fwrite(w->bin.at, 1, w->bin.n, out);
  return hk_new_file_close(&output, HK_OK, err);
}

static void fill(writer *w) {
  const hk_scene *s = w->m->scene;
  for (int i = 0; i < s->n_meshes && !w->failed; i++) add_mesh(w, i);
  for (int i = 0; i < s->n_solids; i++)
    w->paint[i] = paint_of(w, s->solid[i].mesh, s->solid[i].colour, s->solid[i].opacity);
  for (int i = 0; i < s->n_links; i++)
    w->paint[s->n_solids + i] = paint_of(w, s->link[i].mesh, s->link[i].colour, 1);
  add_times(w);
  find_carriers(w);
  for (int i = 0; i < s->n_bodies && !w->failed; i++) add_body_track(w, i);
  for (int i = 0; i < s->n_links && !w->failed; i++) add_link_track(w, i);
  hk_bytes_align(&w->bin, 4);
}

hk_status hk_gltf_write(const hk_motion *m, const char *path, hk_error *err) {
  const hk_scene *s = m->scene;
  size_t painted = (size_t)s->n_solids + (size_t)s->n_links + 1, length = 0;
  writer w = {.m = m};
  w.mesh_first = calloc((size_t)s->n_meshes + 1, sizeof *w.mesh_first);
  w.paint = calloc(painted, sizeof *w.paint);
  w.painted = calloc(painted, sizeof *w.painted);
  w.body_track = calloc((size_t)s->n_bodies + 1, sizeof *w.body_track);
  w.link_track = calloc((size_t)s->n_links + 1, sizeof *w.link_track);
  w.carrier = calloc((size_t)s->n_bodies + 1, sizeof *w.carrier);
  w.carried = calloc((size_t)s->n_bodies + 1, sizeof *w.carried);
  w.failed = !w.mesh_first || !w.paint || !w.painted || !w.body_track || !w.link_track ||
             !w.carrier || !w.carried;
  if (!w.failed) fill(&w);
  char *text = w.failed || w.bin.failed ? NULL : hk_json_write(put_document, &w, &length);
  hk_status status =
      text ? save(&w, text, length, path, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  free(text);
  for (int i = 0; i < w.n_carriers; i++) free(w.carrier[i].x);
  free(w.mesh_first), free(w.paint), free(w.painted), free(w.body_track), free(w.link_track),
      free(w.accessor), free(w.carrier), free(w.carried);
  hk_bytes_free(&w.bin);
  return status;
}
