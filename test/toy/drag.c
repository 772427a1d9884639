/* Toy force: drag of a fluid that moves with A on a body at the frame B, F = -c |v| v with the velocity v of B
 * relative to A.  Its reaction acts on A along the same line.  It gives no derivatives. */
#include <hooke/registry.h>

typedef struct drag {
  const char *a, *b;
  double coefficient;
} drag;

static const drag defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(drag, a, 0, "frame that the fluid moves with"),
    HK_FRAME(drag, b, HK_REQUIRED, "where the drag acts"),
    HK_REAL(drag, coefficient, "N s^2/m^2", HK_REQUIRED | HK_POSITIVE, "force per speed squared"),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const drag *p = hk_item_data(item);
  b->a = p->a;
  b->b = p->b;
  b->moment_a = true;
  return HK_OK;
}

static void put(double *w, hk_vec3 F, hk_vec3 M) {
  w[0] = F.x, w[1] = F.y, w[2] = F.z, w[3] = M.x, w[4] = M.y, w[5] = M.z;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const drag *p = data;
  hk_vec3 arm = hk_sub(in->B->x, in->A->x), none = {0, 0, 0};
  hk_vec3 v = hk_sub(in->B->v, hk_add(in->A->v, hk_cross(in->A->w, arm)));
  hk_vec3 F = hk_scale(-p->coefficient * hk_norm(v), v);
  put(out->w, hk_neg(F), hk_neg(hk_cross(arm, F)));
  put(out->w + 6, F, none);
  out->dissipated = -hk_dot(F, v);
}

static const hk_force_ops ops = {.bind = bind, .eval = eval};

static const hk_type type = {
    .name = "drag",
    .category = HK_FORCE,
    .doc = "Drag of a fluid, with the square of the speed.",
    .source = "toy",
    .size = sizeof(drag),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};

HK_PLUGIN(&type)
