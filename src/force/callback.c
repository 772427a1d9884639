/* Force defined by a function of a C program, between two frames or along a coordinate.
 *
 * The function computes the force; the derivatives of the force are computed by finite differences. If the function
 * sets neither potential nor dissipated nor applied power, all power counts as supplied from outside.
 * hk_force_callback sets the function; a model file cannot. */
#include <hooke/callback.h>

typedef struct callback {
  const char *a, *b, *coordinate;
  hk_callback_fn *function;
  void *context;
} callback;

static const callback defaults = {.a = "ground"};

static const hk_param params[] = {
    HK_FRAME(callback, a, 0, "first frame"),
    HK_FRAME(callback, b, 0, "second frame: the force acts between the two"),
    HK_COORDINATE(callback, coordinate, 0, "instead of b: coordinate along which the force acts"),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const callback *p = hk_item_data(item);
  if (!p->function)
    return hk_fail(err, HK_EINPUT,
                   "it has no function; a C program sets it with hk_force_callback: see "
                   "docs/develop/extending.md");
  if (!p->b == !p->coordinate)
    return hk_fail(err, HK_EINPUT, "it needs either b, the second frame, or a coordinate");
  b->coordinate = p->coordinate;
  if (p->b) {
    b->a = p->a;
    b->b = p->b;
  }
  return HK_OK;
}

static double power(const hk_force_in *in, const hk_force_out *out) {
  double sum = out->F * in->rate;
  const hk_frame *f[2] = {in->A, in->B};
  for (int i = 0; i < 2 && in->A; i++) {
    const double *w = out->w + 6 * i;
    sum += hk_dot(hk_v3(w[0], w[1], w[2]), f[i]->v) + hk_dot(hk_v3(w[3], w[4], w[5]), f[i]->w);
  }
  return sum;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const callback *p = data;
  p->function(p->context, in, out);
  if (out->potential == 0 && out->dissipated == 0 && out->applied == 0)
    out->applied = power(in, out);
}

hk_status hk_force_callback(hk_item *item, hk_callback_fn *function, void *context, hk_error *err) {
  if (!item || hk_item_type(item) != &hk_type_force_callback)
    return hk_fail(err, HK_EINPUT, "'%s' is not a force of type callback",
                   item ? hk_item_name(item) : "");
  if (!function)
    return hk_fail(err, HK_EINPUT, "force '%s': the function is NULL", hk_item_name(item));
  callback *p = hk_item_edit(item);
  p->function = function;
  p->context = context;
  return HK_OK;
}

/* A function for the conformance tests: a spring along a coordinate, or a force and a moment that depend on the
 * positions of both frames and on their velocities. */
static void pull(void *context, const hk_force_in *in, hk_force_out *out) {
  out->F = -2 * in->c - 0.3 * in->rate;
  if (!in->A) return;
  const hk_vec3 apart = hk_sub(in->B->x, in->A->x), rate = hk_sub(in->B->v, in->A->v);
  const hk_vec3 F = hk_axpy(hk_scale(-1.5, apart), -0.4, rate);
  /* F acts at the point halfway between the frames, and the moment tends to align both z axes */
  const hk_vec3 arm = hk_scale(0.5, hk_cross(apart, F)),
                M = hk_scale(0.7, hk_cross(hk_column(&in->B->R, 2), hk_column(&in->A->R, 2)));
  const hk_vec3 part[4] = {hk_neg(F), hk_neg(hk_add(M, arm)), F, hk_sub(M, arm)};
  for (int i = 0; i < 4; i++)
    out->w[3 * i] = part[i].x, out->w[3 * i + 1] = part[i].y, out->w[3 * i + 2] = part[i].z;
  (void)context;
}

static hk_status sample(hk_item *item, hk_error *err) {
  const callback *p = hk_item_data(item);
  return p->function ? HK_OK : hk_force_callback(item, pull, NULL, err);
}

static const hk_force_ops ops = {.bind = bind, .eval = eval};

const hk_type hk_type_force_callback = {
    .name = "callback",
    .category = HK_FORCE,
    .doc = "Force defined by a function of a C program (hk_force_callback); not for model files.",
    .source = "defined by the program",
    .size = sizeof(callback),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
    .numerical = true,
    .in_programs_only = true,
    .sample = sample,
};
