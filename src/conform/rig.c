/* Variations of a draw that must change nothing, or no more than is said of them: see hk_rig in trial.h. */
#include "conform/subject.h"
#include "spec/item.h"
#include <stdio.h>
#include <string.h>

/* Turns a marker about its own z axis and moves it along that; it is in no other use here. */
static void vary_marker(hk_trial *t, hk_spec *spec, const char *name, double turn, double slide) {
  for (int i = 0; i < spec->n_markers; i++) {
    hk_marker_spec *k = &spec->marker[i];
    char full[64];
    snprintf(full, sizeof full, "%s.%s", k->body ? k->body->name : "ground", k->name);
    if (strcmp(full, name) != 0) continue;
    hk_mat3 R = hk_quat_matrix(k->orientation);
    k->at = hk_axpy(k->at, slide, hk_column(&R, 2));
    k->orientation = hk_quat_mul(k->orientation, hk_quat_axis_angle(hk_v3(0, 0, 1), turn));
    return;
  }
  hk_trial_fail(t, "there is no marker '%s'", name);
}

/* A load on the second body that is called like a part of the subject. */
static hk_status add_alike(hk_trial *t, hk_spec *spec, hk_error *err) {
  hk_item *load = hk_world_add(t, spec, HK_FORCE, "load", "subject.alike");
  hk_status status = hk_item_text(load, "a", "third", err);
  if (!status) status = hk_item_text(load, "b", "second", err);
  if (!status) status = hk_item_expression(load, "force", 0, "0.7 N", err);
  return status ? status : hk_item_expression(load, "torque", 1, "0.3 N*m", err);
}

hk_status hk_rig_vary(hk_trial *t, hk_spec *spec, hk_error *err) {
  const hk_rig *r = &t->rig;
  hk_status status = r->alike ? add_alike(t, spec, err) : HK_OK;
  if (r->turn_a != 0) vary_marker(t, spec, HK_SIDE_A[HK_ON_BODY], r->turn_a, 0);
  if (r->turn_b != 0 || r->slide_b != 0)
    vary_marker(t, spec, HK_SIDE_B[HK_ON_BODY], r->turn_b, r->slide_b);
  for (int c = 0; r->placed && c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < spec->n[c]; i++) hk_item_place(spec->item[c][i], r->origin, r->turn);
  return status;
}
