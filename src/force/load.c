/* Load: a force F and a torque M on a frame, given by expressions of time and channels, in world axes or in the axes
 * of the frame. On frame `b` act F, at the origin of `b`, and M. The reaction on frame `a` is -F at the origin of `b`
 * and -M; about the origin of `a` its moment is -M - (xB - xA) x F. Without `a` the reaction acts on the ground. The
 * power of the load, F.vB + M.wB minus the power of the reaction, is supplied from outside. */
#include <hooke/element.h>

typedef struct load {
  const char *a, *b;
  hk_expr *force[3], *torque[3];
  int axes;
} load;
enum { AXES_GROUND, AXES_BODY };

static const load defaults = {.a = "ground"};

static const char *const AXES[] = {"ground", "body", NULL};

static const hk_param params[] = {
    HK_FRAME(load, b, HK_REQUIRED, "frame on which the load acts, at its origin"),
    HK_FRAME(load, a, 0, "frame on which the reaction acts"),
    HK_EXPR3(load, force, "N", 0, "components of the force"),
    HK_EXPR3(load, torque, "N m", 0, "components of the torque"),
    HK_ENUM(load, axes, AXES, 0, "axes of the components: world axes, or those of frame b"),
};

/* Component i of (force, torque), or NULL. */
static const hk_expr *component(const load *p, int i) {
  return i < 3 ? p->force[i] : p->torque[i - 3];
}

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const load *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  for (int i = 0; i < 6; i++)
    if (component(p, i)) {
      b->expr[b->n_expr++] = component(p, i);
      b->moment_b = b->moment_b || i >= 3;
    }
  b->moment_a = p->a != NULL; /* moment of the reaction, which acts at the origin of `b` */
  if (b->n_expr == 0)
    return hk_fail(err, HK_EINPUT, "it has neither force nor torque; give at least one of them");
  return HK_OK;
}

static void put(double *w, hk_vec3 a) { w[0] = a.x, w[1] = a.y, w[2] = a.z; }

/* Computes the wrench of the force F and torque M on B and of their reaction on A. */
static void wrench(const hk_force_in *in, hk_vec3 F, hk_vec3 M, double w[12]) {
  hk_vec3 r = hk_sub(in->B->x, in->A->x);
  put(w, hk_neg(F));
  put(w + 3, hk_neg(hk_add(M, hk_cross(r, F))));
  put(w + 6, F);
  put(w + 9, M);
}

/* K = -dw/dd: the lever arm r changes and, with body axes, F and M rotate with B: dF = -F~
 * dthetaB. */
static void tangent(const load *p, const hk_force_in *in, hk_vec3 F, hk_vec3 M, double K[12][12]) {
  hk_mat3 Fs = hk_skew(F), Ms = hk_skew(M), r = hk_skew(hk_sub(in->B->x, in->A->x));
  hk_block_add(K, 3, 0, 1, &Fs);
  hk_block_add(K, 3, 6, -1, &Fs);
  if (p->axes != AXES_BODY) return;
  hk_mat3 rF = hk_matmul(&r, &Fs);
  hk_block_add(K, 0, 9, -1, &Fs);
  hk_block_add(K, 3, 9, -1, &Ms);
  hk_block_add(K, 3, 9, -1, &rF);
  hk_block_add(K, 6, 9, 1, &Fs);
  hk_block_add(K, 9, 9, 1, &Ms);
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const load *p = data;
  double e[6] = {0};
  int slot[6], n = 0;
  for (int i = 0; i < 6; i++)
    if (component(p, i)) e[i] = in->e[n], slot[n++] = i;
  hk_mat3 R = p->axes == AXES_BODY ? in->B->R : hk_mat3_identity();
  hk_vec3 F = hk_mul(&R, hk_v3(e[0], e[1], e[2])), M = hk_mul(&R, hk_v3(e[3], e[4], e[5]));
  wrench(in, F, M, out->w);
  out->applied = hk_dot(F, in->B->v) + hk_dot(M, in->B->w) - hk_dot(F, in->A->v) -
                 hk_dot(hk_add(M, hk_cross(hk_sub(in->B->x, in->A->x), F)), in->A->w);
  if (!out->tangent) return;
  for (int j = 0; j < n; j++) {
    hk_vec3 column = hk_column(&R, slot[j] % 3), zero = {0};
    wrench(in, slot[j] < 3 ? column : zero, slot[j] < 3 ? zero : column, out->w_e[j]);
  }
  if (in->a_rests && p->axes != AXES_BODY) return; /* the tangent of a frame at rest is not used */
  tangent(p, in, F, M, out->K);
  out->has_K = true;
}

static const hk_force_ops ops = {.bind = bind, .eval = eval, .own_axes_b = true};

const hk_type hk_type_force_load = {
    .name = "load",
    .category = HK_FORCE,
    .doc = "Force and torque on a frame, in world or body axes, given by expressions.",
    .source = "definition",
    .size = sizeof(load),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};
