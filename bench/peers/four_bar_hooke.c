/* hooke, through its public C interface.  Links are rigid bodies in space and every joint is a
 * revolute joint, as a user would write it: hooke finds the 3N redundant rows by itself.
 * The parameter is the relative tolerance; of the variant "alpha", which is generalized-alpha with
 * rho = 0.9, the fixed step.  Everything else is by default. */
#include <hooke/hooke.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "four_bar.h"

enum { PER_LINK = 7 };
static const char *const quantity[PER_LINK] = {"x", "y", "qw", "qz", "vx", "vy", "wz"};

typedef struct contestant {
  hk_model *model;
  hk_sim *sim;
  int *channel;
  double *value;
} contestant;

static void stop(const char *what, const hk_error *err) {
  fprintf(stderr, "hooke: %s: %s\n", what, err->text);
  exit(2);
}

static void add_joint(hk_spec *spec, const four_bar *fb, int k, hk_error *err) {
  four_bar_joint j = four_bar_joint_at(fb, k);
  const double *q = fb->q + 3 * j.a;
  char name[32], a[32], b[32] = "ground";
  snprintf(name, sizeof name, "joint%d", k);
  snprintf(a, sizeof a, "link%d", j.a);
  if (j.b >= 0) snprintf(b, sizeof b, "link%d", j.b);
  hk_item *joint = hk_spec_add(spec, HK_JOINT, "revolute", name, err);
  if (!joint || hk_item_text(joint, "a", b, err) || hk_item_text(joint, "b", a, err) ||
      hk_item_vec3(joint, "at", hk_v3(q[0] + j.sa * cos(q[2]), q[1] + j.sa * sin(q[2]), 0), err))
    stop("joint", err);
}

static hk_model *build(const four_bar *fb) {
  hk_error err = {0};
  hk_spec *spec = hk_spec_create();
  hk_item *g = spec ? hk_spec_add(spec, HK_FORCE, "gravity", "weight", &err) : NULL;
  if (!g || hk_item_vec3(g, "acceleration", hk_v3(0, -FOUR_BAR_G, 0), &err)) stop("gravity", &err);
  for (int i = 0; i < fb->links; i++) {
    const double *q = fb->q + 3 * i, *v = fb->v + 3 * i;
    char name[32];
    snprintf(name, sizeof name, "link%d", i);
    hk_item *link = hk_spec_add(spec, HK_BODY, "rod", name, &err);
    hk_quat turn = hk_quat_identity();
    turn.w = cos(q[2] / 2), turn.z = sin(q[2] / 2);
    if (!link || hk_item_real(link, "length", 1, &err) || hk_item_real(link, "mass", 1, &err) ||
        hk_item_vec3(link, "position", hk_v3(q[0], q[1], 0), &err) ||
        hk_item_rotation(link, "orientation", turn, &err) ||
        hk_item_vec3(link, "velocity", hk_v3(v[0], v[1], 0), &err) ||
        hk_item_vec3(link, "angular_velocity", hk_v3(0, 0, v[2]), &err))
      stop("link", &err);
  }
  for (int k = 0; k < four_bar_joints(fb); k++) add_joint(spec, fb, k, &err);
  hk_diag diag;
  hk_diag_init(&diag);
  hk_model *model = hk_model_compile(spec, &diag);
  if (!model) fprintf(stderr, "hooke: %s\n", diag.n ? diag.message[0].text : "cannot compile");
  hk_diag_free(&diag);
  return model;
}

static void fetch(contestant *c, four_bar *fb) {
  if (hk_sim_values(c->sim, c->channel, PER_LINK * fb->links, c->value, NULL)) return;
  for (int i = 0; i < fb->links; i++) {
    const double *x = c->value + PER_LINK * i;
    double *q = fb->q + 3 * i, *v = fb->v + 3 * i;
    q[0] = x[0], q[1] = x[1], q[2] = 2 * atan2(x[3], x[2]);
    v[0] = x[4], v[1] = x[5], v[2] = x[6];
  }
}

void four_bar_march(four_bar *fb, void *p) {
  contestant *c = p;
  hk_error err;
  while (hk_sim_time(c->sim) < fb->T) {
    if (hk_sim_step(c->sim, fb->T, &err)) {
      fb->status = "stopped";
      break;
    }
    fb->t = hk_sim_time(c->sim);
    if (!fb->sample) continue;
    fetch(c, fb);
    if (four_bar_observe(fb, fb->t)) break;
  }
  fb->t = hk_sim_time(c->sim);
  fb->steps = hk_sim_statistics(c->sim).steps;
  fetch(c, fb);
}

int main(int argc, char **argv) {
  four_bar fb;
  contestant c = {0};
  if (four_bar_open(&fb, "hooke", argc, argv)) return 2;
  c.model = build(&fb);
  c.channel = calloc((size_t)(PER_LINK * fb.links), sizeof *c.channel);
  c.value = calloc((size_t)(PER_LINK * fb.links), sizeof *c.value);
  if (!c.model || !c.channel || !c.value) return 2;
  for (int i = 0; i < fb.links; i++)
    for (int k = 0; k < PER_LINK; k++) {
      char name[48];
      snprintf(name, sizeof name, "link%d.%s", i, quantity[k]);
      c.channel[PER_LINK * i + k] = hk_model_channel_find(c.model, name);
    }
  const hk_setting rho = {.name = "rho", .value = 0.9};
  hk_sim_options o = {.stepper = strcmp(fb.variant, "adams") == 0 ? "adams" : "bdf"};
  if (strcmp(fb.variant, "alpha") == 0)
    o = (hk_sim_options){
        .stepper = "generalized_alpha", .set = &rho, .n_set = 1, .step = fb.param};
  else
    o.rtol = fb.param, o.atol = fb.param / 10;
  hk_diag diag;
  hk_diag_init(&diag);
  hk_error err = {0};
  if (hk_sim_create(c.model, &o, &c.sim, &diag, &err)) stop("start", &err);
  hk_diag_free(&diag);
  four_bar_clock_start(&fb);
  four_bar_march(&fb, &c);
  four_bar_clock_stop(&fb);
  int rc = four_bar_close(&fb);
  hk_sim_destroy(c.sim);
  hk_model_destroy(c.model);
  free(c.channel);
  free(c.value);
  return rc;
}
