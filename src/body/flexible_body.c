/* Flexible body: a floating frame and the modes of a reduced finite-element model.
 *
 * Mean-axis modes with exact inertia terms [Schwertassek1999], stiffening by the
 * stresses of centrifugal and interface forces; see node/flexible.h for the equations and
 * docs/flexible.md for the file. Valid if strains are linear and interfaces rotate by less than 0.1
 * rad within the body. */
#include "body/body.h"
#include "base/arena.h"
#include "flexible/flexible_sample.h"
#include "node/flexible.h"
#include "mesh/drawing.h"
#include <stdlib.h>
#include <string.h>

static const hk_flexible_body defaults = {.body = HK_BODY_COMMON_DEFAULTS, .stiffening = true};

static const hk_param params[] = {
    HK_TEXT(hk_flexible_body, file, HK_REQUIRED | HK_FILE,
            "reduced body, as `hooke reduce` writes it, relative to the model file"),
    HK_REAL(hk_flexible_body, damping_ratio, "1", 0,
            "damping ratio of a mode of the mounted body at `at_frequency`; it is proportional to "
            "the frequency of the mode",
            HK_MIN(0)),
    HK_REAL(hk_flexible_body, at_frequency, "Hz", HK_POSITIVE,
            "frequency at which `damping_ratio` applies"),
    HK_REAL(hk_flexible_body, statics_damping_ratio, "1", 0,
            "least damping ratio of the modes above the highest frequency of the modes with held "
            "interfaces: these modes represent static deformation only",
            HK_MIN(0)),
    HK_BOOL(hk_flexible_body, stiffening, 0,
            "change of the stiffness by stresses of rotation and of interface forces, if the file "
            "contains it"),
};

static hk_status check_damping(const hk_item *item, hk_error *err) {
  const hk_flexible_body *p = hk_item_data(item);
  if (p->damping_ratio > 0 && !hk_item_has(item, "at_frequency"))
    return hk_fail(err, HK_EINPUT,
                   "it has a damping_ratio; give the frequency at which it applies, at_frequency");
  if (p->statics_damping_ratio > 0 && p->data->n_fixed < 0)
    return hk_fail(err, HK_EINPUT,
                   "its file does not contain the frequencies of the modes with held interfaces, "
                   "which statics_damping_ratio needs; remove that key");
  return HK_OK;
}

static hk_status mass(const hk_item *item, hk_mass_properties *out, hk_error *err) {
  const hk_flexible_body *p = hk_item_data(item);
  const hk_flexible_data *d = p->data;
  if (!d)
    return hk_fail(err, HK_EINPUT,
                   "its file '%s' has not been read; only the functions that read model files can "
                   "read it",
                   p->file ? p->file : "");
  hk_status status = check_damping(item, err);
  if (status) return status;
  if (p->stiffening && !d->K && hk_item_has(item, "stiffening"))
    return hk_fail(err, HK_EINPUT,
                   "its file contains no stiffening; compute the body with `hooke reduce "
                   "--stiffening`, or remove that key");
  const double(*J)[3] = d->J0.m;
  const double inertia[6] = {J[0][0], J[1][1], J[2][2], J[0][1], J[0][2], J[1][2]};
  out->mass = d->mass;
  out->center = d->center;
  memcpy(out->inertia, inertia, sizeof inertia);
  return HK_OK;
}

static bool marker(const hk_item *item, int i, hk_builtin_marker *out) {
  const hk_flexible_data *d = HK_DATA(item, hk_flexible_body)->data;
  if (!d || i >= d->n_interfaces) return false;
  *out = (hk_builtin_marker){d->interface[i].name, hk_add(d->center, d->interface[i].s)};
  return true;
}

static hk_vec3 vertex(const hk_flexible_data *d, int32_t i) {
  const float *x = d->surface.vertex + 3 * i;
  return hk_add(d->center, hk_v3(x[0], x[1], x[2]));
}

/* The surface without deformation. */
static void draw(const hk_item *item, hk_drawing *out) {
  const hk_flexible_data *d = HK_DATA(item, hk_flexible_body)->data;
  const hk_flexible_surface *s = d ? &d->surface : NULL;
  if (!s || !s->n_triangles) return;
  hk_mesh mesh = {0};
  hk_vec3 *normal = calloc((size_t)s->n_vertices, sizeof *normal);
  for (int t = 0; normal && t < s->n_triangles; t++) {
    const int32_t *c = s->triangle + 3 * t;
    hk_vec3 a = vertex(d, c[0]);
    hk_vec3 n = hk_cross(hk_sub(vertex(d, c[1]), a), hk_sub(vertex(d, c[2]), a));
    for (int k = 0; k < 3; k++) normal[c[k]] = hk_add(normal[c[k]], n);
  }
  for (int i = 0; normal && i < s->n_vertices; i++)
    hk_mesh_vertex(&mesh, vertex(d, i),
                   hk_norm(normal[i]) > 0 ? hk_unit3(normal[i]) : hk_v3(0, 0, 1));
  for (int t = 0; normal && t < s->n_triangles; t++)
    hk_mesh_triangle(&mesh, (uint32_t)s->triangle[3 * t], (uint32_t)s->triangle[3 * t + 1],
                     (uint32_t)s->triangle[3 * t + 2]);
  if (normal)
    hk_draw(out, item->name, &mesh, (hk_draw_style){.part = true});
  else
    out->failed = true;
  hk_mesh_free(&mesh);
  free(normal);
}

/* The conformance tests have no file: they use a body with exact integrals. */
static hk_status sample(hk_item *item, hk_error *err) {
  hk_flexible_body *p = hk_item_edit(item);
  hk_flexible_sample *made = HK_NEW(&item->spec->arena, hk_flexible_sample);
  if (!made) return hk_fail(err, HK_ENOMEM, "out of memory");
  hk_flexible_sample_make(made, p->stiffening);
  p->data = &made->data;
  p->statics_damping_ratio = 0;
  return p->damping_ratio > 0 ? hk_item_real(item, "at_frequency", 40, err) : HK_OK;
}

static const hk_body_ops ops = {.node = &hk_node_flexible, .mass = mass, .marker = marker};

const hk_type hk_type_body_flexible_body = {
    .name = "flexible_body",
    .category = HK_BODY,
    .doc = "Elastic body from finite elements, reduced to its interfaces and modes.",
    .source = "floating frame with mean axes [Schwertassek1999], [Shabana2013, ch. 5]",
    .size = sizeof(hk_flexible_body),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .draw = draw,
    .sample = sample,
};
