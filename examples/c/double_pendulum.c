/* A double pendulum without a model file: build it, assemble it, step it, watch its energy.
 *
 *   cc double_pendulum.c $(pkg-config --cflags --libs hooke) -o double_pendulum
 *
 * Two rods hang on revolute joints.  The names are those of the model file: the same model as a file is
 *
 *   bodies:
 *     upper: {type: rod, length: 1 m, mass: 2 kg, position: [0.5 m, 0, 0]}
 *   joints:
 *     hinge: {type: revolute, a: ground, b: upper, at: [0, 0, 0], axis: z}
 */
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>

static const double length = 1, mass = 2;

/* The first failure ends the chain: every setter returns 0 or a negative status. */
static hk_status add_rod(hk_spec *spec, const char *name, double x, hk_error *err) {
  hk_item *rod = hk_spec_add(spec, HK_BODY, "rod", name, err);
  if (!rod) return HK_EINPUT;
  hk_status status = hk_item_real(rod, "length", length, err);
  if (!status) status = hk_item_real(rod, "mass", mass, err);
  if (!status) status = hk_item_vec3(rod, "position", hk_v3(x, 0, 0), err);
  return status;
}

static hk_status add_hinge(hk_spec *spec, const char *name, const char *a, const char *b, double x,
                           hk_error *err) {
  hk_item *hinge = hk_spec_add(spec, HK_JOINT, "revolute", name, err);
  if (!hinge) return HK_EINPUT;
  hk_status status = hk_item_text(hinge, "a", a, err);
  if (!status) status = hk_item_text(hinge, "b", b, err);
  if (!status) status = hk_item_vec3(hinge, "at", hk_v3(x, 0, 0), err);
  if (!status) status = hk_item_vec3(hinge, "axis", hk_v3(0, 0, 1), err);
  return status;
}

static hk_spec *describe(hk_error *err) {
  hk_spec *spec = hk_spec_create();
  if (!spec) {
    hk_fail(err, HK_ENOMEM, "out of memory");
    return NULL;
  }
  hk_status status = add_rod(spec, "upper", 0.5 * length, err);
  if (!status) status = add_rod(spec, "lower", 1.5 * length, err);
  if (!status) status = add_hinge(spec, "hinge", "ground", "upper", 0, err);
  if (!status) status = add_hinge(spec, "elbow", "upper", "lower", length, err);
  hk_item *weight = status ? NULL : hk_spec_add(spec, HK_FORCE, "gravity", "weight", err);
  if (weight) status = hk_item_vec3(weight, "acceleration", hk_v3(0, -9.81, 0), err);
  if (weight && !status) return spec;
  hk_spec_destroy(spec);
  return NULL;
}

/* Ten seconds, one line per second. */
static hk_status simulate(const hk_model *model, hk_diag *diag, hk_error *err) {
  int angle = hk_model_channel_find(model, "hinge.angle");
  int elbow = hk_model_channel_find(model, "elbow.angle");
  int error = hk_model_channel_find(model, "energy.balance_error");
  hk_sim *sim;
  hk_status status =
      hk_sim_create(model, &(hk_sim_options){.rtol = 1e-7, .atol = 1e-9}, &sim, diag, err);
  if (status) return status;
  printf("%6s %12s %12s %14s\n", "t [s]", "hinge [rad]", "elbow [rad]", "energy err [J]");
  for (int second = 0; second <= 10 && !status; second++) {
    status = hk_sim_advance(sim, second, err);
    printf("%6.1f %12.6f %12.6f %14.2e\n", hk_sim_time(sim), hk_sim_value(sim, angle),
           hk_sim_value(sim, elbow), hk_sim_value(sim, error));
  }
  hk_sim_stats stats = hk_sim_statistics(sim);
  printf("%ld steps, %ld Newton iterations\n", stats.steps, stats.newton);
  hk_sim_destroy(sim);
  return status;
}

int main(void) {
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = describe(&err);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL; /* takes the spec over */
  hk_status status = model ? simulate(model, &diag, &err) : HK_EINPUT;
  for (int i = 0; i < diag.n; i++) fprintf(stderr, "%s\n", diag.message[i].text);
  if (err.text[0]) fprintf(stderr, "%s\n", err.text);
  hk_model_destroy(model);
  hk_diag_free(&diag);
  return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
