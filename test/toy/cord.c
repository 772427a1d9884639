/* Toy joint: a cord of fixed length with its own relation, c = (d.d/L - L)/2 with d from A to B.  The relation
 * gives its gradient only; second derivatives are computed by finite differences. */
#include <hooke/joint.h>
#include <hooke/registry.h>

static void value(const double *k, const hk_frame *A, const hk_frame *B, double *c) {
  hk_vec3 d = hk_sub(B->x, A->x);
  c[0] = (hk_dot(d, d) / k[0] - k[0]) / 2;
}

static void gradient(const double *k, const hk_frame *A, const hk_frame *B, hk_row *J) {
  J->xb = hk_scale(1 / k[0], hk_sub(B->x, A->x));
  J->xa = hk_neg(J->xb);
}

static const hk_relation_type stretch = {
    .name = "stretch", .rows = 1, .value = value, .gradient = gradient};

static void build(hk_joint_builder *b) {
  double length = hk_norm(hk_sub(b->B->x, b->A->x));
  if (!(length > 0)) hk_joint_refuse(b, "b", "its ends are at the same point");
  hk_joint_hold(b, &stretch, &length, 1, "length");
}

static const hk_joint_ops ops = {.frames = true, .build = build};

static const hk_type type = {
    .name = "cord",
    .category = HK_JOINT,
    .doc = "Keeps two points as far apart as they are in the file.",
    .source = "toy",
    .size = sizeof(hk_plain_joint),
    .defaults = &hk_plain_joint_defaults,
    .ops = &ops,
};

HK_PLUGIN(&type)
