/* Tests that a type acts the same in every position and orientation.  A draw is varied (hk_rig) and compared by the
 * initial accelerations of its bodies:
 *
 *   placed     the model as a part that is rotated and moved: rotated accelerations
 *   turned     frames rotated about axes of symmetry, moved along irrelevant lines (hk_stage): the same
 *   swapped    a and b exchanged (HK_SWAPS): the same
 *   mirrored   the whole model (HK_MIRRORS): mirrored accelerations */
#include "conform/checks.h"
#include "conform/subject.h"
#include "sim/sim.h"

static const char *const BODY[] = {"first", "second", "third", "fourth"};
enum { N_BODIES = 4 };

bool hk_check_stands_in_world(const hk_model *m) {
  const int i = hk_subject_force(m);
  if (i < 0) return false;
  const hk_item *item = m->force[i].item;
  const int axes = hk_type_param_find(item->type, "axes");
  return m->force[i].field ||
         (axes >= 0 &&
          *(const int *)((const char *)item->data + hk_type_param(item->type, axes)->offset) == 0);
}

typedef struct sight {
  double mass; /* identifies equal draws */
  hk_vec3 a[N_BODIES], alpha[N_BODIES];
  double size;
} sight;

/* Initial accelerations of a simulation; returns false if the simulation cannot start. */
static bool look(hk_trial *t, hk_model *m, sight *out, hk_error *err) {
  hk_sim *sim = hk_subject_sim_try(t, m, &(hk_sim_options){.step = 2e-3}, err);
  if (!sim) return false;
  *out = (sight){.mass = m->node[0].mass, .size = 1};
  for (int i = 0; i < N_BODIES; i++) {
    out->a[i] =
        hk_v3(hk_subject_value(t, sim, BODY[i], "ax"), hk_subject_value(t, sim, BODY[i], "ay"),
              hk_subject_value(t, sim, BODY[i], "az"));
    out->alpha[i] = hk_v3(hk_subject_value(t, sim, BODY[i], "alphax"),
                          hk_subject_value(t, sim, BODY[i], "alphay"),
                          hk_subject_value(t, sim, BODY[i], "alphaz"));
    out->size += hk_norm(out->a[i]) + hk_norm(out->alpha[i]);
  }
  hk_trial_drop(t, sim);
  return true;
}

/* Repeats the random draw with the same seed on the varied model: its accelerations must equal the original ones,
 * rotated as the model is. */
static void compare(hk_trial *t, const hk_between *at, uint64_t seed, const hk_rig *rig,
                    const sight *before, const char *how) {
  char why[1024] = "";
  hk_error err = {0};
  sight after;
  t->random = seed;
  t->rig = *rig;
  hk_model *m = hk_subject_try(t, t->type, at, why);
  t->rig = (hk_rig){0};
  if (!m) return; /* another draw altogether */
  bool same = m->node[0].mass == before->mass;
  if (same && !look(t, m, &after, &err))
    hk_trial_fail(t, "%s '%s' does not start %s: %s", hk_category_name(t->type->category),
                  t->type->name, how, err.text);
  /* Round-off alone: 2e-11 in 8 times the usual number of draws.  Parts of a composite joint that are placed by
   * iteration on rows that are almost redundant amplify it: 4e-10 for rollers, 2e-7 for the balls of a joint whose
   * tracks cross at small angles. */
  const double limit = (m->spec->n_holds ? 1e-6 : 1e-9) * before->size;
  for (int i = 0; same && i < N_BODIES; i++) {
    hk_mat3 R = hk_quat_matrix(rig->placed ? rig->turn : (hk_quat){1, 0, 0, 0});
    hk_vec3 a = hk_mul(&R, before->a[i]), alpha = hk_mul(&R, before->alpha[i]);
    if (rig->mirrored) a = hk_v3(-a.x, a.y, a.z), alpha = hk_v3(alpha.x, -alpha.y, -alpha.z);
    double off = hk_norm(hk_sub(after.a[i], a)) + hk_norm(hk_sub(after.alpha[i], alpha));
    hk_trial_worst(t, off / limit);
    if (!(off <= limit))
      hk_trial_fail(t, "%s '%s' acts differently %s: accelerations of '%s' differ by %.3g of %.3g",
                    hk_category_name(t->type->category), t->type->name, how, BODY[i], off,
                    before->size);
  }
  hk_trial_drop(t, m);
}

bool hk_check_reaches(const hk_model *m) {
  for (int i = 0; i < m->n_contacts; i++)
    if (m->contact[i].reach > 0) return true;
  return false;
}

/* Open joints are closed by moving bodies; the tolerance depends on the size of the model and therefore on its
 * position. */
static bool is_closed(hk_trial *t, const hk_model *m) {
  hk_check_state s;
  hk_check_state_try(t, m, &s);
  hk_check_state_as_placed(t, &s);
  bool closed = hk_check_state_is_closed(&s);
  hk_check_state_free(t, &s);
  return closed;
}

void hk_check_places(hk_trial *t, const hk_between *at) {
  const uint64_t seed = t->random;
  char why[1024] = "";
  hk_error err = {0};
  sight before;
  hk_model *m = hk_subject_try(t, t->type, at, why);
  if (!m || hk_check_stands_in_world(m) || !is_closed(t, m) || !look(t, m, &before, &err)) return;
  const hk_stage stage = t->stage;
  const bool staged = t->staged;
  const bool reaches = hk_check_reaches(m);
  hk_trial_drop(t, m);
  /* The tolerance of assembly depends on the model's size, measured from the origin: the displaced parts stay near
   * it. */
  const hk_rig placed = {
      .placed = true, .turn = hk_random_rotation(t), .origin = hk_random_vector(t, staged ? 0 : 3)};
  compare(t, at, seed, &placed, &before, "as a part that is rotated and moved");
  const hk_rig swapped = {.swapped = true}, mirrored = {.mirrored = true};
  if (t->type->symmetry & HK_SWAPS)
    compare(t, at, seed, &swapped, &before, "with a and b exchanged");
  if (t->type->symmetry & HK_MIRRORS && !reaches)
    compare(t, at, seed, &mirrored, &before, "mirrored");
  if (!staged) return;
  /* A law that acts at a distance pushes a centred pin along a direction that is undefined there. */
  const hk_rig turned = {.turn_b = 2.9}, over = {.turn_b = M_PI}, slid = {.slide_b = 0.2},
               folded = {.turn_a = 2 * M_PI / (stage.fold ? stage.fold : 1),
                         .turn_b = folded.turn_a};
  if (stage.round_b && !reaches)
    compare(t, at, seed, &turned, &before, "with b rotated about its axis");
  if (stage.round_b && !reaches)
    compare(t, at, seed, &over, &before, "with b rotated by 180 degrees about its axis");
  if (stage.slides_b && !reaches)
    compare(t, at, seed, &slid, &before, "with b moved along its axis");
  if (stage.fold && !reaches)
    compare(t, at, seed, &folded, &before, "with both frames rotated by an angle of symmetry");
}
