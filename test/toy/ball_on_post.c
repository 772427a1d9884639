/* Toy gap: a ball of B, around B's origin, on the outside of a round post of A along its z axis.  The gap
 * function has ten lines and gives no derivatives.
 */
#include <hooke/gap.h>
#include <hooke/registry.h>

typedef struct ball_on_post {
  hk_contact_common contact;
  double ball, post;
} ball_on_post;

static const ball_on_post defaults = {.ball = 0};

static const hk_param params[] = {
    HK_REAL(ball_on_post, ball, "m", HK_REQUIRED | HK_POSITIVE, "radius of the ball"),
    HK_REAL(ball_on_post, post, "m", HK_REQUIRED | HK_POSITIVE, "radius of the post"),
};

static hk_status prepare(const hk_item *item, double *k, hk_error *err) {
  const ball_on_post *p = hk_item_data(item);
  k[0] = p->ball;
  k[1] = p->post;
  return HK_OK;
}

static void eval(const double *k, const hk_frame *A, const hk_frame *B, double near, bool with_t,
                 hk_gap *out) {
  hk_vec3 z = hk_column(&A->R, 2), d = hk_sub(B->x, A->x);
  hk_vec3 r = hk_axpy(d, -hk_dot(z, d), z); /* distance of the ball from the axis */
  double size = hk_norm(r);
  out->n = size > 1e-9 * k[1] ? hk_scale(1 / size, r)
                              : hk_column(&A->R, 0); /* on the axis the direction is
                                                                              * arbitrary */
  out->gap = size - k[0] - k[1];
  out->c = hk_gap_ball_point(B, k[0], out);
  out->t = z;
}

static void curvature(const double *k, int point, hk_curvature *out) {
  *out = (hk_curvature){.a_t = INFINITY, .a_s = k[1], .b_t = k[0], .b_s = k[0]};
}

static const hk_gap_ops ops = {
    .points = 1, .tangents = 2, .prepare = prepare, .eval = eval, .curvature = curvature};

static const hk_type type = {
    .name = "ball_on_post",
    .category = HK_CONTACT,
    .doc = "A ball on the outside of a round post.",
    .source = "toy",
    .size = sizeof(ball_on_post),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};

HK_PLUGIN(&type)
