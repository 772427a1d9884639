/* A model stepped by a program that acts on it: a pendulum on a cart, held upright by a controller.
 *
 *   cc controller.c $(pkg-config --cflags --libs hooke) -lm -o controller
 *
 * The force on the cart is a `callback`: a C function of the coordinate that it acts along.  The controller reads
 * the state of the pendulum between the steps, as a sampled controller does. */
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct controller {
  double angle, rate; /* of the pendulum, as sampled */
} controller;

/* Gains by trial: the cart is driven under the pendulum and then slowly back. */
static void push(void *context, const hk_force_in *in, hk_force_out *out) {
  const controller *c = context;
  out->F = 60 * c->angle + 12 * c->rate + 2 * in->c + 6 * in->rate;
}

static hk_status set_up(hk_spec *spec, controller *c, hk_error *err) {
  hk_item *cart = hk_spec_add(spec, HK_BODY, "point_mass", "cart", err);
  hk_item *bob = hk_spec_add(spec, HK_BODY, "point_mass", "bob", err);
  hk_item *rail = hk_spec_add(spec, HK_JOINT, "point_on_line", "rail", err);
  hk_item *rod = hk_spec_add(spec, HK_JOINT, "distance", "rod", err);
  hk_item *plane = hk_spec_add(spec, HK_JOINT, "point_on_plane", "plane", err);
  hk_item *weight = hk_spec_add(spec, HK_FORCE, "gravity", "weight", err);
  hk_item *force = hk_spec_add(spec, HK_FORCE, "callback", "push", err);
  if (!cart || !bob || !rail || !rod || !plane || !weight || !force) return HK_EINPUT;
  hk_status status = hk_item_real(cart, "mass", 1, err);
  if (!status) status = hk_item_real(bob, "mass", 0.2, err);
  if (!status) status = hk_item_vec3(bob, "position", hk_v3(0.05, 0.5, 0), err);
  if (!status) status = hk_item_text(rail, "b", "cart", err);
  if (!status) status = hk_item_vec3(rail, "axis", hk_v3(1, 0, 0), err);
  if (!status) status = hk_item_vec3(rail, "at", hk_v3(0, 0, 0), err);
  if (!status) status = hk_item_text(rod, "a", "cart", err);
  if (!status) status = hk_item_text(rod, "b", "bob", err);
  if (!status) status = hk_item_text(plane, "b", "bob", err);
  if (!status) status = hk_item_vec3(weight, "acceleration", hk_v3(0, -9.81, 0), err);
  if (!status) status = hk_item_text(force, "coordinate", "rail.displacement", err);
  if (!status) status = hk_force_callback(force, push, c, err);
  return status;
}

static hk_status simulate(const hk_model *model, controller *c, hk_error *err) {
  const int channel[] = {
      hk_model_channel_find(model, "bob.x"), hk_model_channel_find(model, "cart.x"),
      hk_model_channel_find(model, "bob.vx"), hk_model_channel_find(model, "cart.vx")};
  double value[4];
  hk_sim *sim;
  hk_status status = hk_sim_create(model, NULL, &sim, NULL, err);
  if (status) return status;
  printf("%6s %10s %12s\n", "t [s]", "cart [m]", "angle [rad]");
  for (int i = 0; i <= 1000 && !status; i++) { /* a sample every 5 ms */
    status = hk_sim_advance(sim, 0.005 * i, err);
    if (!status) status = hk_sim_values(sim, channel, 4, value, err);
    c->angle = (value[0] - value[1]) / 0.5;
    c->rate = (value[2] - value[3]) / 0.5;
    if (i % 100 == 0) printf("%6.2f %10.6f %12.6f\n", hk_sim_time(sim), value[1], c->angle);
  }
  hk_sim_destroy(sim);
  return status;
}

int main(void) {
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  controller c = {0};
  hk_spec *spec = hk_spec_create();
  hk_status status = spec ? set_up(spec, &c, &err) : HK_ENOMEM;
  if (status) hk_spec_destroy(spec);
  hk_model *model = status ? NULL : hk_model_compile(spec, &diag);
  if (!status) status = model ? simulate(model, &c, &err) : HK_EINPUT;
  for (int i = 0; i < diag.n; i++) fprintf(stderr, "%s\n", diag.message[i].text);
  if (err.text[0]) fprintf(stderr, "%s\n", err.text);
  hk_model_destroy(model);
  hk_diag_free(&diag);
  return status ? EXIT_FAILURE : EXIT_SUCCESS;
}
