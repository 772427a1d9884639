/* Placement of a type with frames that need a certain relative position, such as those of a composite joint or of two
 * gears in mesh: the bodies of the test world that it acts on are placed according to hk_type.stage, and random
 * states stay near that.  All its parts (bodies, joints, forces and contacts) are then tested together. */
#include "composite/parts.h"
#include "conform/subject.h"
#include <stdio.h>
#include <string.h>

bool hk_subject_is_composite(const hk_type *type) {
  return type->category == HK_JOINT && ((const hk_joint_ops *)type->ops)->expand;
}

bool hk_subject_is_staged(const hk_type *type) {
  return type->stage || hk_subject_is_composite(type) ||
         (type->category == HK_FORCE && ((const hk_force_ops *)type->ops)->set_placement);
}

/* ---- variants ---- */

/* A parameter with more choices than this is not varied systematically. */
enum { MOST_CHOICES = 8 };

/* Number of choices of parameter i, 0 if it is not a choice or not one of the first two. */
static int choices_of(const hk_type *type, int i) {
  int before = 0, n = 0;
  const hk_param *p = hk_type_param(type, i);
  for (int k = 0; k < i; k++) before += hk_type_param(type, k)->kind == HK_PARAM_ENUM;
  if (!hk_subject_is_staged(type) || p->kind != HK_PARAM_ENUM || before >= 2) return 0;
  while (p->choices[n]) n++;
  return n > MOST_CHOICES ? 0 : n;
}

int hk_stage_variants(const hk_type *type) {
  int n = 1;
  for (int i = 0; hk_type_param(type, i); i++)
    if (choices_of(type, i)) n *= choices_of(type, i);
  return n;
}

int hk_stage_choice(const hk_trial *t, const hk_type *type, int i) {
  int n = type == t->type ? choices_of(type, i) : 0, below = 1;
  for (int k = 0; k < i && n; k++)
    if (choices_of(type, k)) below *= choices_of(type, k);
  return n ? t->variant / below % n : -1;
}

void hk_stage_note(const hk_trial *t, char *text, size_t size) {
  int n = 0;
  hk_trial as = {.type = t->type};
  const int variants = hk_stage_variants(t->type);
  for (int i = 0; hk_type_param(t->type, i); i++)
    for (int choice = 0; choice < choices_of(t->type, i); choice++) {
      const hk_param *p = hk_type_param(t->type, i);
      bool tried = false;
      for (as.variant = 0; as.variant < variants; as.variant++)
        tried = tried || (hk_stage_choice(&as, t->type, i) == choice && t->tried >> as.variant & 1);
      if (!tried && n < (int)size)
        n += snprintf(text + n, size - (size_t)n, "%s%s: %s", n ? ", " : "no random model allows ",
                      p->name, p->choices[choice]);
    }
  if (t->contacts && !t->pressed && n < (int)size)
    snprintf(text + n, size - (size_t)n, "%sits contacts were open in every state", n ? "; " : "");
}

/* ---- what it needs besides bodies ---- */

/* Selects a law that computes a force. Compilation determines which laws fit the gap. */
static hk_status add_law(hk_trial *t, hk_spec *spec, hk_error *err) {
  const hk_between nowhere = {0};
  const hk_type *law;
  do law = hk_registry_at(t->types, HK_LAW, hk_random_pick(t, hk_registry_count(t->types, HK_LAW)));
  while (((const hk_law_ops *)law->ops)->set_valued || law->in_programs_only);
  hk_item *item = hk_world_add(t, spec, HK_LAW, law->name, "law");
  hk_status status = hk_draw_item(t, item, &nowhere, err);
  hk_draw_soften(t, item, true);
  return status;
}

static bool names_a_law(const hk_item *item) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++)
    if (p->kind == HK_PARAM_LAW && hk_item_given(item, i)) return true;
  return false;
}

/* ---- where its bodies stand ---- */

static const char *frame_of(const hk_item *item, const char *param) {
  int i = hk_type_param_find(item->type, param);
  const hk_param *p = i < 0 ? NULL : hk_type_param(item->type, i);
  if (!p || p->kind != HK_PARAM_FRAME) return NULL;
  return *(const char *const *)((const char *)item->data + p->offset);
}

static hk_vec3 turned(hk_quat q, hk_vec3 v) {
  hk_mat3 R = hk_quat_matrix(q);
  return hk_mul(&R, v);
}

/* Moves the body of a frame so that the frame has the position x and the axes q. The velocities
 * of the body are set so that the frame has the velocity v and the angular velocity w. */
static hk_status move(const hk_stand *frame, hk_vec3 x, hk_quat q, hk_vec3 v, hk_vec3 w,
                      hk_error *err) {
  const hk_body_common *c = frame->body->data;
  const hk_body_ops *ops = frame->body->type->ops;
  hk_quat by = hk_quat_mul(q, hk_quat_conj(frame->q));
  hk_vec3 arm = turned(by, hk_sub(c->position, frame->x));
  hk_status status = hk_item_vec3(frame->body, "position", hk_add(x, arm), err);
  if (!status)
    status = hk_item_rotation(frame->body, "orientation", hk_quat_mul(by, c->orientation), err);
  if (!status && ops->node->moves == HK_MOVES_RIGID) {
    status = hk_item_vec3(frame->body, "angular_velocity", w, err);
    if (!status) status = hk_item_vec3(frame->body, "velocity", hk_add(v, hk_cross(w, arm)), err);
  }
  return status;
}

static hk_status place(hk_trial *t, const hk_spec *spec, const hk_item *item, hk_error *err) {
  const char *a = frame_of(item, "a"), *b = frame_of(item, "b");
  hk_stand A, B;
  if (!a || !b) return HK_OK;
  hk_status status = hk_stand_find(spec, a, &A, err);
  if (!status) status = hk_stand_find(spec, b, &B, err);
  if (status || (!A.body && !B.body)) return status;
  /* The frames are placed as required, or with a small deviation. */
  const hk_stage *stage = &t->stage;
  double off = hk_random_pick(t, 2) && !t->rig.exact ? 0.3 : 0;
  hk_vec3 at = hk_add(stage->at, hk_random_vector(t, off * stage->length));
  hk_quat turn = hk_quat_mul(stage->turn, hk_quat_exp(hk_random_vector(t, off * stage->angle)));
  hk_vec3 v = hk_random_vector(t, stage->speed), w = hk_random_vector(t, stage->speed);
  if (B.body) {
    hk_vec3 arm = turned(A.q, at);
    v = hk_add(v, hk_add(A.v, hk_cross(A.w, arm)));
    return move(&B, hk_add(A.x, arm), hk_quat_mul(A.q, turn), v, hk_add(w, A.w), err);
  }
  hk_quat q = hk_quat_mul(B.q, hk_quat_conj(turn));
  return move(&A, hk_sub(B.x, turned(q, at)), q, v, w, err);
}

hk_status hk_stage_set(hk_trial *t, hk_spec *spec, hk_item *item, hk_error *err) {
  t->staged = hk_subject_is_staged(item->type);
  if (!t->staged) return HK_OK;
  t->stage =
      (hk_stage){.turn = {1, 0, 0, 0}, .length = 0.1, .angle = 0.1, .speed = 0.5, .exact = 1e-7};
  hk_draw_soften(t, item, true);
  if (item->type->stage) item->type->stage(item, &t->stage);
  hk_status status = names_a_law(item) ? add_law(t, spec, err) : HK_OK;
  return status ? status : place(t, spec, item, err);
}

/* ---- what acts ---- */

static bool is_part(const char *name) {
  return strncmp(name, "subject", 7) == 0 && (name[7] == 0 || name[7] == '.');
}

bool hk_stage_acts(hk_trial *t, const hk_check_state *s, bool pressed) {
  const hk_model *m = s->model;
  bool touches = false, acts = false;
  for (int i = 0; i < m->n_points; i++) touches = touches || s->work->touch[i].N > 0;
  t->contacts = t->contacts || m->n_points;
  t->pressed = t->pressed || touches;
  if (touches || pressed) return touches;
  for (int i = 0; i < m->n_constraints; i++) acts = acts || is_part(m->constraint[i].name);
  return acts || s->work->potential != 0 || s->work->dissipated != 0 || s->work->applied != 0;
}
