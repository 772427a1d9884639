/* Variations of a draw with a known effect: see hk_rig in trial.h. */
#include "conform/subject.h"
#include "spec/item.h"
#include <stdio.h>
#include <string.h>

/* Rotates a marker about its z axis and moves the marker along this axis. No other element of the model uses this
 * marker. */
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

/* Adds a load on the second body with a name like that of a part of the subject. */
static hk_status add_alike(hk_trial *t, hk_spec *spec, hk_error *err) {
  hk_item *load = hk_world_add(t, spec, HK_FORCE, "load", "subject.alike");
  hk_status status = hk_item_text(load, "a", "third", err);
  if (!status) status = hk_item_text(load, "b", "second", err);
  if (!status) status = hk_item_expression(load, "force", 0, "0.7 N", err);
  return status ? status : hk_item_expression(load, "torque", 1, "0.3 N*m", err);
}

static void add_twin(hk_trial *t, hk_spec *spec, const hk_item *subject) {
  hk_item *twin = hk_world_add(t, spec, subject->type->category, subject->type->name, "twin");
  memcpy(twin->data, subject->data, subject->type->size);
  memcpy(twin->param_state, subject->param_state, (size_t)hk_type_param_count(subject->type));
}

/* Sets the size deviations of single parts to zero, because balls that are too large do not fit
 * into the joint. */
static void forget_deviations(hk_item *item) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++)
    if (p->each) memset((char *)item->data + p->offset, 0, (size_t)p->count * sizeof(double));
}

/* ---- swapped ---- */

static size_t param_size(const hk_param *p) {
  switch (p->kind) {
    case HK_PARAM_REALS:
      return ((size_t)p->count + (p->flags & HK_COUNTED ? 1 : 0)) * sizeof(double);
    case HK_PARAM_STRING:
    case HK_PARAM_REAL:
      return sizeof(double);
    case HK_PARAM_INT:
    case HK_PARAM_ENUM:
    case HK_PARAM_BOOL:
      return sizeof(int);
    case HK_PARAM_VEC3:
      return sizeof(hk_vec3);
    case HK_PARAM_FRAME:
      return sizeof(char *);
    default:
      return 0;
  }
}

/* Exchanges two parameters of one kind. */
static void exchange(hk_item *item, int i, int k) {
  const hk_param *p = hk_type_param(item->type, i), *q = hk_type_param(item->type, k);
  char *a = (char *)item->data + p->offset, *b = (char *)item->data + q->offset;
  const unsigned char state = item->param_state[i];
  for (size_t n = p->kind == q->kind ? param_size(p) : 0; n > 0; n--, a++, b++) {
    const char kept = *a;
    *a = *b, *b = kept;
  }
  item->param_state[i] = item->param_state[k], item->param_state[k] = state;
}

/* Exchanges the frames of the subject; false: the result cannot be compared. */
static bool swap_sides(hk_item *item) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    char other[64];
    const size_t n = strlen(p->name);
    if (strcmp(p->name, "a") != 0 && (n < 2 || strcmp(p->name + n - 2, "_a") != 0)) continue;
    snprintf(other, sizeof other, "%.*sb", (int)n - 1, p->name);
    const int k = hk_type_param_find(item->type, other);
    if (k >= 0) exchange(item, i, k);
  }
  return !item->type->swap || item->type->swap(item);
}

/* ---- mirrored ---- */

static hk_vec3 mirror(hk_vec3 v) { return hk_v3(-v.x, v.y, v.z); }
static hk_vec3 mirror_axial(hk_vec3 v) { return hk_v3(v.x, -v.y, -v.z); }
/* Mirror image of a rotation R from one set of axes to another, if both sets are mirrored by S: R' = S R S. */
static hk_quat mirror_turn(hk_quat q) { return (hk_quat){q.w, q.x, -q.y, -q.z}; }

static bool is_axial(const hk_param *p) { return strcmp(p->name, "angular_velocity") == 0; }

/* Returns true if the parameter is given in the axes of the body. */
static bool is_on_body(const hk_item *item, const hk_param *p) {
  return item->type->category == HK_BODY &&
         (strcmp(p->name, "center_of_mass") == 0 ||
          (strcmp(p->name, "axis") == 0 && p->kind == HK_PARAM_DIRECTION));
}

static void mirror_item(hk_item *item) {
  const hk_param *p;
  if (item->type->mirror) item->type->mirror(item);
  hk_item_place(item, hk_v3(0, 0, 0), (hk_quat){1, 0, 0, 0}); /* makes default axes explicit */
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    void *field = (char *)item->data + p->offset;
    if (strcmp(p->name, "inertia") == 0 && strcmp(item->type->name, "rigid_body") == 0)
      ((double *)field)[3] *= -1, ((double *)field)[4] *= -1;
    else if (!is_on_body(item, p) && !(p->flags & (HK_WORLD_AXES | HK_WORLD_PLACE)))
      continue;
    else if (p->kind == HK_PARAM_ROTATION)
      *(hk_quat *)field = mirror_turn(*(hk_quat *)field);
    else
      *(hk_vec3 *)field = is_axial(p) ? mirror_axial(*(hk_vec3 *)field) : mirror(*(hk_vec3 *)field);
  }
}

/* Mirrors all items. Markers must stay right-handed: their x and z axes are mirrored, and y is reversed. */
static void mirror_all(hk_spec *spec) {
  static const hk_quat half_turn = {0, 0, 0, 1}; /* about z */
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < spec->n[c]; i++) mirror_item(spec->item[c][i]);
  for (int i = 0; i < spec->n_markers; i++) {
    spec->marker[i].at = mirror(spec->marker[i].at);
    spec->marker[i].orientation = hk_quat_mul(mirror_turn(spec->marker[i].orientation), half_turn);
  }
}

/* Rotates and moves the whole model, like a part in a model file; markers of bodies move with these. */
static void place_all(hk_spec *spec, hk_vec3 origin, hk_quat turn) {
  const hk_mat3 R = hk_quat_matrix(turn);
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < spec->n[c]; i++) hk_item_place(spec->item[c][i], origin, turn);
  for (int i = 0; i < spec->n_markers; i++) {
    hk_marker_spec *k = &spec->marker[i];
    if (k->body) continue;
    k->at = hk_add(origin, hk_mul(&R, k->at));
    k->orientation = hk_quat_mul(turn, k->orientation);
  }
}

hk_status hk_rig_vary(hk_trial *t, hk_spec *spec, hk_item *subject, hk_error *err) {
  const hk_rig *r = &t->rig;
  hk_status status = r->alike ? add_alike(t, spec, err) : HK_OK;
  if (r->turn_a != 0) vary_marker(t, spec, HK_SIDE_A[HK_ON_BODY], r->turn_a, 0);
  if (r->turn_b != 0 || r->slide_b != 0)
    vary_marker(t, spec, HK_SIDE_B[HK_ON_BODY], r->turn_b, r->slide_b);
  if (r->placed) place_all(spec, r->origin, r->turn);
  if (r->exact) forget_deviations(subject);
  if (r->twin) add_twin(t, spec, subject);
  if (r->swapped && !swap_sides(subject)) return hk_fail(err, HK_EINPUT, "it cannot be exchanged");
  if (r->mirrored) mirror_all(spec);
  return status;
}
