/* Tests that a type acts the same in every position and orientation. A random model is varied (hk_rig), and the
 * initial accelerations of its bodies are compared with those of the model itself:
 *
 *   placed     the model as a part that is rotated and moved: rotated accelerations
 *   turned     frames rotated about axes of symmetry, moved along irrelevant lines (hk_stage): the same
 *   swapped    a and b exchanged (HK_SWAPS): the same
 *   mirrored   the whole model (HK_MIRRORS): mirrored accelerations */
#include "conform/checks.h"
#include "conform/draw_contact.h"
#include "conform/subject.h"
#include "sim/sim.h"

static const char *const BODY[] = {"first", "second", "third", "fourth"};
static const char *const PAIR[] = {"one", "two"}; /* bodies of draw_contact.h */
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
  const char *const *body;
  int n;
  hk_vec3 a[N_BODIES], alpha[N_BODIES];
  double size;
} sight;

/* Assembly moves bodies by steps whose components are limited to half of the model's length and
 * half a radian. The limit acts on each component, so that the result of limited steps depends
 * on the orientation of the model. Returns true if no step of the assembly was limited. */
static bool is_near_its_start(hk_trial *t, const hk_model *m, const double *q) {
  double *d = hk_trial_room(t, (size_t)m->nv + 1, sizeof *d);
  hk_configuration_sub(m, q, m->q0, d);
  for (int i = 0; i < m->n_nodes; i++)
    for (int k = 0; k < m->node[i].nv; k++) {
      const double most = m->node[i].coordinate[k].angular ? 0.4 : 0.4 * m->length;
      if (fabs(d[m->node[i].v + k]) > most) return false;
    }
  return true;
}

/* Initial accelerations of a simulation; returns false if the simulation cannot start, or begins far from the positions
 * in the model. */
static bool look(hk_trial *t, const hk_model *m, const char *const *body, int n, sight *out,
                 hk_error *err) {
  hk_sim *sim = hk_subject_sim_try(t, m, &(hk_sim_options){.step = 2e-3}, err);
  if (!sim) return false;
  *out = (sight){.mass = m->node[0].mass, .body = body, .n = n, .size = 1};
  for (int i = 0; i < n; i++) {
    out->a[i] =
        hk_v3(hk_subject_value(t, sim, body[i], "ax"), hk_subject_value(t, sim, body[i], "ay"),
              hk_subject_value(t, sim, body[i], "az"));
    out->alpha[i] = hk_v3(hk_subject_value(t, sim, body[i], "alphax"),
                          hk_subject_value(t, sim, body[i], "alphay"),
                          hk_subject_value(t, sim, body[i], "alphaz"));
    out->size += hk_norm(out->a[i]) + hk_norm(out->alpha[i]);
  }
  const bool near = t->type->category != HK_MOTION || is_near_its_start(t, m, sim->x + m->at.q);
  hk_trial_drop(t, sim);
  return near;
}

/* Checks that the accelerations with the variation equal those without it, after the rotation or reflection of the
 * variation. */
static void judge(hk_trial *t, const hk_rig *rig, const sight *before, const sight *after,
                  double relative, const char *how) {
  const double limit = relative * before->size;
  for (int i = 0; i < before->n; i++) {
    hk_mat3 R = hk_quat_matrix(rig->placed ? rig->turn : (hk_quat){1, 0, 0, 0});
    hk_vec3 a = hk_mul(&R, before->a[i]), alpha = hk_mul(&R, before->alpha[i]);
    if (rig->mirrored) a = hk_v3(-a.x, a.y, a.z), alpha = hk_v3(alpha.x, -alpha.y, -alpha.z);
    double off = hk_norm(hk_sub(after->a[i], a)) + hk_norm(hk_sub(after->alpha[i], alpha));
    hk_trial_worst(t, off / limit);
    if (!(off <= limit))
      hk_trial_fail(t,
                    "%s '%s' acts differently %s: the accelerations of '%s' differ by %.3g; the "
                    "sum of all accelerations is %.3g",
                    hk_category_name(t->type->category), t->type->name, how, before->body[i], off,
                    before->size);
  }
}

/* Repeats the random draw with the same seed for the varied model, and compares its accelerations. */
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
  if (same && !look(t, m, BODY, N_BODIES, &after, &err)) {
    if (!*err.text) return; /* too far from the positions in the model */
    hk_trial_fail(t, "%s '%s' does not start %s: %s", hk_category_name(t->type->category),
                  t->type->name, how, err.text);
  }
  /* The tolerance is that of round-off. In 4 times the usual number of draws 2e-11 was found, and 8e-11 for the balls of a
   * joint whose tracks cross at small angles: the rows that place them are almost redundant and amplify it. */
  if (same) judge(t, rig, before, &after, 1e-9, how);
  hk_trial_drop(t, m);
}

/* ---- contacts ---- */

static bool draw_touch(hk_trial *t, const hk_type *law, const hk_between *s, uint64_t seed,
                       const hk_rig *rig, const hk_check_state *at, sight *out) {
  hk_error err = {0};
  t->random = seed;
  t->rig = *rig;
  const hk_model *m = hk_contact_draw(t, law, s, true, at);
  t->rig = (hk_rig){0};
  return m && look(t, m, PAIR, 2, out, &err);
}

hk_contact_outcome hk_check_contact_places(hk_trial *t, const hk_type *law, const hk_between *s,
                                           const char *who) {
  const uint64_t seed = t->random;
  /* Frames at the centres of the bodies, where balls have a fast path, and away from them. */
  const hk_rig plain = {.eccentric = t->type->symmetry & HK_MIRRORS && hk_random_pick(t, 2)};
  t->random = seed;
  t->rig = plain;
  const hk_model *first = hk_contact_draw(t, law, s, true, NULL);
  t->rig = (hk_rig){0};
  hk_check_state at;
  sight before, after;
  if (!first) return HK_CONTACT_REFUSED;
  if (!hk_contact_find_touch(t, first, &at)) return HK_CONTACT_NOT_FIT;
  if (!draw_touch(t, law, s, seed, &plain, &at, &before)) return HK_CONTACT_NOT_FIT;
  hk_rig placed = plain, swapped = plain, mirrored = plain;
  placed.placed = swapped.swapped = mirrored.mirrored = true;
  placed.turn = hk_random_rotation(t), placed.origin = hk_random_vector(t, 3);
  const struct {
    const hk_rig *rig;
    bool due;
    const char *how;
  } variation[] = {
      {&placed, true, "rotated and moved"},
      {&swapped, t->type->symmetry & HK_SWAPS, "with a and b exchanged"},
      /* Only the frames of markers have a mirror image of the same kind; those of bodies do not. */
      {&mirrored, t->type->symmetry & HK_MIRRORS && plain.eccentric, "mirrored"},
  };
  for (int i = 0; i < 3; i++) {
    if (!variation[i].due) continue;
    if (!draw_touch(t, law, s, seed, variation[i].rig, &at, &after))
      hk_trial_fail(t, "%s does not start %s", who, variation[i].how);
    judge(t, variation[i].rig, &before, &after, 1e-9, variation[i].how);
  }
  return HK_CONTACT_JUDGED;
}

bool hk_check_reaches(const hk_model *m) {
  for (int i = 0; i < m->n_contacts; i++)
    if (m->contact[i].reach > 0) return true;
  return false;
}

/* The assembly moves bodies to close open joints. The tolerance of the assembly depends on the size of the model,
 * which is measured from the origin, and therefore on the model's position. */
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
  if (!m || hk_check_stands_in_world(m) || !is_closed(t, m) ||
      !look(t, m, BODY, N_BODIES, &before, &err))
    return;
  const hk_stage stage = t->stage;
  const bool staged = t->staged;
  const bool reaches = hk_check_reaches(m);
  hk_trial_drop(t, m);
  /* The displaced parts stay near the origin, because the tolerance of assembly depends on the model's size, measured
   * from the origin. */
  const hk_rig placed = {
      .placed = true, .turn = hk_random_rotation(t), .origin = hk_random_vector(t, staged ? 0 : 3)};
  compare(t, at, seed, &placed, &before, "as a part that is rotated and moved");
  const hk_rig swapped = {.swapped = true}, mirrored = {.mirrored = true};
  if (t->type->symmetry & HK_SWAPS)
    compare(t, at, seed, &swapped, &before, "with a and b exchanged");
  if (t->type->symmetry & HK_MIRRORS && !reaches)
    compare(t, at, seed, &mirrored, &before, "mirrored");
  if (!staged) return;
  /* A law that acts at a distance is excluded: it pushes a centred pin along a direction that is undefined there. */
  const double fold_a = 2 * M_PI / (stage.fold ? stage.fold : 1);
  const hk_rig turned = {.turn_b = 2.9}, over = {.turn_b = M_PI}, slid = {.slide_b = 0.2},
               folded = {.turn_a = fold_a,
                         .turn_b = stage.fold_b ? 2 * M_PI / stage.fold_b : fold_a};
  if (stage.round_b && !reaches)
    compare(t, at, seed, &turned, &before, "with b rotated about its axis");
  if (stage.round_b && !reaches)
    compare(t, at, seed, &over, &before, "with b rotated by 180 degrees about its axis");
  if (stage.slides_b && !reaches)
    compare(t, at, seed, &slid, &before, "with b moved along its axis");
  if (stage.fold && !reaches)
    compare(t, at, seed, &folded, &before, "with both frames rotated by an angle of symmetry");
}
