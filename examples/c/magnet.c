/* A force of one's own, built into a program: a magnet that pulls a point towards it.
 *
 *   cc magnet.c $(pkg-config --cflags --libs hooke) -lm -o magnet
 *
 *   F = -S c/(c^2 + d^2)^2   along the distance c of the two frames: S its strength, d the depth of the
 *                            pole below the surface; potential -S/(2 (c^2 + d^2))
 *
 * The type gives no derivatives: the library takes differences.  A disc of
 * 1 kg slides on a rail past the magnet and swings about it.
 */
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct magnet {
  const char *a, *b;
  double strength, depth;
} magnet;

static const magnet defaults = {.a = "ground", .depth = 0.01};

static const hk_param params[] = {
    HK_FRAME(magnet, a, 0, "the magnet"),
    HK_FRAME(magnet, b, HK_REQUIRED, "what it pulls"),
    HK_REAL(magnet, strength, "N m^3", HK_REQUIRED | HK_POSITIVE, "force times distance cubed, far away"),
    HK_REAL(magnet, depth, "m", HK_POSITIVE, "of the pole below the surface"),
};

static hk_status bind(const hk_item *item, hk_force_binding *b, hk_error *err) {
  const magnet *p = hk_item_data(item);
  (void)err;
  b->a = p->a;
  b->b = p->b;
  b->relation = &hk_relation_distance;
  return HK_OK;
}

static void eval(const void *data, const hk_force_in *in, hk_force_out *out) {
  const magnet *p = data;
  double r2 = in->c * in->c + p->depth * p->depth;
  out->F = -p->strength * in->c / (r2 * r2);
  out->potential = -0.5 * p->strength / r2;
}

static const hk_force_ops ops = {.bind = bind, .eval = eval};

static const hk_type magnet_type = {
    .name = "magnet",
    .category = HK_FORCE,
    .doc = "A magnet that pulls a point.",
    .source = "a pole below a surface; example",
    .size = sizeof(magnet),
    .defaults = &defaults,
    HK_TABLE(params),
    .ops = &ops,
};

/* The model as a text in the language of model files, which supports the new type like every other type. */
static const char MODEL[] =
    "format: 1\n"
    "bodies:\n"
    "  disc: {type: point_mass, mass: 1 kg, position: [0.2 m, 0.03 m, 0]}\n"
    "joints:\n"
    "  rail: {type: point_on_line, a: ground, b: disc, at: [0.2 m, 0.03 m, 0], axis: x}\n"
    "forces:\n"
    "  pull: {type: magnet, b: disc, strength: 2e-3 N*m^3, depth: 20 mm}\n";

static hk_status simulate(const hk_model *model, hk_error *err) {
  hk_sim *sim;
  hk_status status =
      hk_sim_create(model, &(hk_sim_options){.rtol = 1e-8, .atol = 1e-10}, &sim, NULL, err);
  if (status) return status;
  int x = hk_model_channel_find(model, "disc.x");
  int error = hk_model_channel_find(model, "energy.balance_error");
  printf("%6s %10s %14s\n", "t [s]", "x [m]", "energy err [J]");
  for (int i = 0; i <= 10 && !status; i++) {
    status = hk_sim_advance(sim, 0.2 * i, err);
    printf("%6.2f %10.6f %14.2e\n", hk_sim_time(sim), hk_sim_value(sim, x), hk_sim_value(sim, error));
  }
  hk_sim_destroy(sim);
  return status;
}

int main(void) {
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_registry *types = hk_registry_create();
  hk_status status = types ? hk_registry_add(types, &magnet_type, &err) : HK_ENOMEM;
  hk_spec *spec = status ? NULL
                         : hk_model_text_read_with(types, "magnet", MODEL, sizeof MODEL - 1, NULL, 0,
                                                   &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!status) status = model ? simulate(model, &err) : HK_EINPUT;
  for (int i = 0; i < diag.n; i++) fprintf(stderr, "%s\n", diag.message[i].text);
  if (status) fprintf(stderr, "%s\n", err.text);
  hk_model_destroy(model);
  hk_registry_destroy(types); /* after the model that uses it */
  hk_diag_free(&diag);
  return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
