/* Toy composite joint: a ball joint with a pad that resists large angles between the bodies, made of an item of
 * the library and one of its own type.  The pad stores U = k (1 - zA.zB)^2 / 2, the moment on B is -k (1 -
 * zA.zB) zA x zB.
 */
#include <hooke/joint.h>
#include <hooke/registry.h>
#include <stdio.h>

/* ---- the pad ---- */

typedef struct pad {
  const char *a, *b;
  double stiffness;
} pad;

static const pad pad_defaults = {.a = "ground"};

static const hk_param pad_params[] = {
    HK_FRAME(pad, a, 0, "first frame"),
    HK_FRAME(pad, b, HK_REQUIRED, "second frame"),
    HK_REAL(pad, stiffness, "N m", HK_REQUIRED | HK_POSITIVE, "k"),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const pad *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->moment_a = b->moment_b = true;
  return HK_OK;
}

/* Adds s M to the rows `row` and columns `column` of K. */
static void put(double K[12][12], int row, int column, double s, const hk_mat3 *M) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) K[row + i][column + j] += s * M->m[i][j];
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const double k = ((const pad *)data)->stiffness;
  hk_vec3 a = hk_column(&in->A->R, 2), b = hk_column(&in->B->R, 2), n = hk_cross(a, b);
  double open = 1 - hk_dot(a, b), M[3] = {-k * open * n.x, -k * open * n.y, -k * open * n.z};
  for (int i = 0; i < 3; i++) out->w[3 + i] = -M[i], out->w[9 + i] = M[i];
  out->potential = 0.5 * k * open * open;
  if (!out->tangent) return;
  /* d(zA.zB) = n.(dthetaA - dthetaB);  d(zA x zB) = [zB] [zA] dthetaA - [zA] [zB] dthetaB */
  hk_mat3 sa = hk_skew(a), sb = hk_skew(b), by_a = hk_matmul(&sb, &sa), by_b = hk_matmul(&sa, &sb);
  hk_mat3 nn = hk_outer(n, n);
  hk_mat3 to_a = hk_mat3_add(hk_mat3_scale(k, nn), hk_mat3_scale(-k * open, by_a));
  hk_mat3 to_b = hk_mat3_add(hk_mat3_scale(-k, nn), hk_mat3_scale(k * open, by_b));
  put(out->K, 9, 3, -1, &to_a);
  put(out->K, 9, 9, -1, &to_b);
  put(out->K, 3, 3, 1, &to_a);
  put(out->K, 3, 9, 1, &to_b);
  out->has_K = true;
}

static const hk_force_ops pad_ops = {.bind = bind, .eval = eval};

static const hk_type pad_type = {
    .name = "pad",
    .category = HK_FORCE,
    .doc = "Keeps two axes near each other.",
    .source = "toy",
    .size = sizeof(pad),
    .defaults = &pad_defaults,
    HK_TABLE(pad_params),
    .ops = &pad_ops,
};

/* ---- the joint ---- */

typedef struct knee {
  hk_joint_common joint;
  double stiffness;
} knee;

static const knee defaults = {.joint = HK_JOINT_COMMON_DEFAULTS};

static const hk_param params[] = {
    HK_REAL(knee, stiffness, "N m", HK_REQUIRED | HK_POSITIVE, "of its pad"),
};

static hk_item *part(const hk_item *joint, hk_spec *spec, hk_category category, const char *type,
                     const char *name, hk_error *err) {
  const knee *p = hk_item_data(joint);
  char full[256];
  snprintf(full, sizeof full, "%s.%s", hk_item_name(joint), name);
  hk_item *item = hk_spec_add(spec, category, type, full, err);
  if (!item || hk_item_text(item, "a", p->joint.a, err)) return NULL;
  return hk_item_text(item, "b", p->joint.b, err) ? NULL : item;
}

static hk_status expand(const hk_item *joint, hk_spec *spec, hk_error *err) {
  const knee *p = hk_item_data(joint);
  if (!p->joint.b) return hk_fail(err, HK_EINPUT, "it needs both its frames, a and b");
  if (!part(joint, spec, HK_JOINT, "spherical", "ball", err)) return HK_EINPUT;
  hk_item *soft = part(joint, spec, HK_FORCE, "pad", "pad", err);
  return soft ? hk_item_real(soft, "stiffness", p->stiffness, err) : HK_EINPUT;
}

static const hk_joint_ops ops = {.frames = true, .expand = expand};

static const hk_type type = {
    .name = "knee",
    .category = HK_JOINT,
    .doc = "A ball joint with a pad against bending.",
    .source = "toy",
    .size = sizeof(knee),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};

HK_PLUGIN(&pad_type, &type)
