/* Forms of directions and rotations: see docs/model-file.md. */
#include "read/model_file_reader.h"
#include <stdio.h>
#include <string.h>

/* Parses x, y or z, with or without a sign. */
static bool axis_by_name(const char *text, hk_vec3 *out) {
  double sign = *text == '-' ? -1 : 1;
  if (*text == '-' || *text == '+') text++;
  if (!*text || text[1] || *text < 'x' || *text > 'z') return false;
  *out = hk_v3(*text == 'x' ? sign : 0, *text == 'y' ? sign : 0, *text == 'z' ? sign : 0);
  return true;
}

bool hk_mf_direction(const hk_mf_at *at, const hk_doc *doc, const char *key, hk_vec3 *out) {
  static const char what[] = "x, y, z, -x, -y, -z or a list of three numbers";
  if (doc->kind == HK_DOC_SCALAR && axis_by_name(doc->text, out)) return true;
  if (!hk_mf_expect(at, doc, HK_DOC_LIST, key, what)) return false;
  if (doc->n != 3) {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s of %s must be %s", key, at->owner, what);
    return false;
  }
  /* [dx, dy, 0] in metres is a direction too, provided that all components have the same unit. */
  double v[3] = {0};
  bool any = false, mixed = false;
  hk_dim dim = {{0}};
  int i = 0;
  for (const hk_doc *c = doc->first; c; c = c->next) {
    hk_mf_number number;
    if (!hk_mf_constant(at, c, key, &number)) return false;
    v[i++] = number.value;
    if (number.zero) continue;
    if (any && !hk_dim_equal(dim, number.dim)) mixed = true;
    dim = number.dim;
    any = true;
  }
  double largest = fmax(fabs(v[0]), fmax(fabs(v[1]), fabs(v[2])));
  if (mixed || largest == 0) {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place, "%s of %s %s", key, at->owner,
                mixed ? "mixes units" : "has no direction: all three numbers are 0");
    return false;
  }
  *out = hk_unit3(hk_v3(v[0] / largest, v[1] / largest, v[2] / largest));
  return true;
}

static bool angle(const hk_mf_at *at, const hk_doc *doc, double *out) {
  return hk_mf_quantity(at, doc, "angle", (hk_dim){{[5] = 12}}, out);
}

static bool axis_angle(const hk_mf_at *at, const hk_doc *axis, const hk_doc *turn, hk_quat *out) {
  hk_vec3 direction;
  double phi;
  bool ok = hk_mf_direction(at, axis, "axis", &direction);
  if (!angle(at, turn, &phi) || !ok) return false;
  *out = hk_quat_axis_angle(direction, phi);
  return true;
}

static bool quaternion(const hk_mf_at *at, const hk_doc *doc, hk_quat *out) {
  double v[4], n2 = 0;
  int i = 0;
  if (!hk_mf_expect(at, doc, HK_DOC_LIST, "quaternion", "a list [w, x, y, z]")) return false;
  for (const hk_doc *c = doc->first; c && i < 4; c = c->next) {
    if (!hk_mf_quantity(at, c, "quaternion", (hk_dim){{0}}, &v[i])) return false;
    n2 += v[i] * v[i];
    i++;
  }
  if (doc->n != 4 || !(n2 > 1e-200) || !isfinite(n2)) {
    hk_diag_add(at->r->diag, HK_ERROR, &doc->place,
                "quaternion of %s must be a list [w, x, y, z] that is not zero", at->owner);
    return false;
  }
  *out = hk_quat_normalize((hk_quat){v[0], v[1], v[2], v[3]});
  return true;
}

/* Three rotations, each about an axis of the already rotated frame: R = R1 R2 R3. */
static bool euler(const hk_mf_at *at, const hk_doc *order, const hk_doc *angles, hk_quat *out) {
  if (!hk_mf_expect(at, order, HK_DOC_SCALAR, "euler", "a sequence such as zxz") ||
      !hk_mf_expect(at, angles, HK_DOC_LIST, "angles", "a list of three angles"))
    return false;
  const char *s = order->text;
  if (strlen(s) != 3 || strspn(s, "xyz") != 3 || s[0] == s[1] || s[1] == s[2]) {
    hk_diag_add(at->r->diag, HK_ERROR, &order->place,
                "euler of %s must be a sequence of three axes such as zxz or xyz, in which "
                "adjacent axes differ",
                at->owner);
    return false;
  }
  if (angles->n != 3) {
    hk_diag_add(at->r->diag, HK_ERROR, &angles->place,
                "angles of %s must be a list of three angles", at->owner);
    return false;
  }
  hk_quat q = hk_quat_identity();
  for (const hk_doc *c = angles->first; c; c = c->next, s++) {
    double phi;
    if (!angle(at, c, &phi)) return false;
    hk_vec3 axis = hk_v3(*s == 'x', *s == 'y', *s == 'z');
    q = hk_quat_mul(q, hk_quat_axis_angle(axis, phi));
  }
  *out = q;
  return true;
}

static bool from_axes(const hk_mf_at *at, const hk_doc *zdoc, const hk_doc *xdoc, hk_quat *out) {
  hk_vec3 z, x;
  if (!hk_mf_direction(at, zdoc, "z", &z)) return false;
  hk_mat3 R;
  if (xdoc) {
    if (!hk_mf_direction(at, xdoc, "x", &x)) return false;
    if (hk_norm(hk_cross(z, x)) < 1e-6) {
      hk_diag_add(at->r->diag, HK_ERROR, &xdoc->place, "x of %s is parallel to z", at->owner);
      return false;
    }
    R = hk_frame_from_zx(z, x);
  } else {
    R = hk_frame_from_z(z);
  }
  *out = hk_quat_from_matrix(&R);
  return true;
}

static bool rotation_map(const hk_mf_at *at, const hk_doc *doc, const char *key, hk_quat *out) {
  const hk_doc *axis = hk_doc_find(doc, "axis"), *turn = hk_doc_find(doc, "angle");
  const hk_doc *q = hk_doc_find(doc, "quaternion");
  const hk_doc *order = hk_doc_find(doc, "euler"), *angles = hk_doc_find(doc, "angles");
  const hk_doc *z = hk_doc_find(doc, "z"), *x = hk_doc_find(doc, "x");
  if (axis && turn && doc->n == 2) return axis_angle(at, axis, turn, out);
  if (q && doc->n == 1) return quaternion(at, q, out);
  if (order && angles && doc->n == 2) return euler(at, order, angles, out);
  if (z && doc->n == (x ? 2 : 1)) return from_axes(at, z, x, out);
  hk_diag_add(at->r->diag, HK_ERROR, &doc->place,
              "%s of %s must be one of {axis: z, angle: 30 deg}, {quaternion: [w, x, y, z]}, "
              "{euler: zxz, angles: [a, b, c]}, {z: [...], x: [...]} or a list of these",
              key, at->owner);
  return false;
}

bool hk_mf_rotation(const hk_mf_at *at, const hk_doc *doc, const char *key, hk_quat *out) {
  if (doc->kind != HK_DOC_LIST)
    return hk_mf_expect(at, doc, HK_DOC_MAP, key, "a map such as {axis: z, angle: 30 deg}") &&
           rotation_map(at, doc, key, out);
  *out = hk_quat_identity();
  for (const hk_doc *c = doc->first; c; c = c->next) {
    hk_quat q;
    if (!hk_mf_expect(at, c, HK_DOC_MAP, key, "a list of maps such as {axis: z, angle: 30 deg}") ||
        !rotation_map(at, c, key, &q))
      return false;
    *out = hk_quat_normalize(hk_quat_mul(*out, q));
  }
  return true;
}
