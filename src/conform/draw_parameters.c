/* Random values from parameter tables; independent of particular types. */
#include "base/number.h"
#include "conform/subject.h"
#include <stdio.h>
#include <string.h>

double hk_draw_real(hk_trial *t, const hk_param *p) {
  if (p->flags & HK_POSITIVE) return hk_random(t, 0.5, p->max > 0.5 && p->max < 2 ? p->max : 2);
  if (p->min == 0 && p->max == 0) return hk_random(t, -1, 1);
  double low = isfinite(p->min) ? p->min : (isfinite(p->max) ? p->max : 0) - 2;
  return hk_random(t, low, isfinite(p->max) ? p->max : low + 2);
}

/* A square matrix is drawn symmetric and positive definite. */
void hk_draw_reals(hk_trial *t, double *x, int count) {
  int n = (int)lround(sqrt(count));
  double a[64];
  for (int i = 0; i < count; i++) x[i] = hk_random(t, -1, 1);
  if (n * n != count || count > 64) return;
  memcpy(a, x, (size_t)count * sizeof *a);
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[i * n + j] = 0;
      for (int k = 0; k < n; k++) x[i * n + j] += a[i * n + k] * a[j * n + k];
    }
}

/* Writes a random dimensionless factor that is a function of time or of two channels. */
static void random_factor(hk_trial *t, bool feedback, char *text, size_t size) {
  static const char *const CHANNEL[] = {"first.m.x/(1 m)",
                                        "second.vz/(1 m/s)",
                                        "third.wx/(1 rad/s)",
                                        "hinge.angle/(1 rad)",
                                        "arm.angle_rate/(1 rad/s)",
                                        "arm.displacement/(1 m)",
                                        "contact/(1 m)",
                                        "arm.displacement_rate/(1 m/s)",
                                        "wheel.angle/(1 rad)",
                                        "spot.y/(1 m)",
                                        "disc.angle_rate/(1 rad/s)",
                                        "speck.vx/(1 m/s)",
                                        "fourth.m.vy/(1 m/s)",
                                        "wheel.m.vx/(1 m/s)",
                                        "disc.m.y/(1 m)",
                                        "bend/(1 rad)",
                                        "first.wz/(1 rad/s)",
                                        "hinge.angle_rate/(1 rad/s)"};
  enum { N = sizeof CHANNEL / sizeof *CHANNEL };
  if (!feedback)
    hk_number_print(text, size, "(0.3 + sin(2.3 rad/s * t + %.3f rad))", hk_random(t, 0, 3));
  else if (hk_random_pick(t, 4) == 0)
    hk_number_print(text, size, "(0.4 + %.3f * outer)", hk_random(t, 0.2, 1));
  else
    hk_number_print(text, size, "(cos(t * 2 rad/s) + %.3f * %s * sin(1 rad * %s))",
                    hk_random(t, 0.2, 1), CHANNEL[hk_random_pick(t, N)],
                    CHANNEL[hk_random_pick(t, N)]);
}

/* Returns true if the coordinate of the item is an angle. */
static bool acts_on_angle(const hk_item *item) {
  const hk_param *p;
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    if (p->kind != HK_PARAM_COORDINATE) continue;
    const char *name = *(const char *const *)((const char *)item->data + p->offset);
    if (name) return strstr(name, "angle") != NULL;
  }
  return false;
}

void hk_draw_expression(hk_trial *t, const hk_item *item, const hk_param *p, bool feedback,
                        char *text, size_t size) {
  static const char *const ANY[] = {"N", "N*m", "m", "rad", "1"};
  char factor[256], unit[64];
  random_factor(t, feedback, factor, sizeof factor);
  snprintf(unit, sizeof unit, "%s",
           p->flags & HK_ANY_UNIT                           ? ANY[hk_random_pick(t, 5)]
           : p->angular_unit && item && acts_on_angle(item) ? p->angular_unit
           : p->unit                                        ? p->unit
                                                            : "1");
  for (char *c = unit; *c; c++)
    if (*c == ' ') *c = '*';
  snprintf(text, size, "%s * (1 %s)", factor, strcmp(unit, "1") ? unit : "");
}

const char *hk_draw_coordinate(hk_trial *t, bool rotors) {
  static const char *const C[] = {"hinge.angle", "arm.angle", "arm.displacement", "wheel.angle",
                                  "disc.angle"};
  return C[hk_random_pick(t, rotors ? 5 : 3)];
}

/* Sets one parameter to a random value; returns the status of the setter. */
static hk_status draw_param(hk_trial *t, hk_item *item, const hk_param *p, const hk_between *s,
                            hk_error *err) {
  static const char *const JOINT[] = {"hinge", "arm", "ball"};
  double x[144];
  char text[512];
  /* expressions of motions and bodies may depend on time only */
  bool feedback =
      s->feedback && item->type->category != HK_MOTION && item->type->category != HK_BODY;
  switch (p->kind) {
    case HK_PARAM_REAL:
      return hk_item_real(item, p->name, hk_draw_real(t, p), err);
    case HK_PARAM_INT:
      return hk_item_int(item, p->name, (long)hk_draw_real(t, p), err);
    case HK_PARAM_BOOL:
      return hk_item_bool(item, p->name, hk_random_pick(t, 2), err);
    case HK_PARAM_ENUM: {
      int n = 0, choice = hk_stage_choice(t, item->type, hk_type_param_find(item->type, p->name));
      while (p->choices[n]) n++;
      return hk_item_text(item, p->name, p->choices[choice < 0 ? hk_random_pick(t, n) : choice],
                          err);
    }
    case HK_PARAM_VEC3:
      for (int i = 0; i < 3; i++) x[i] = hk_draw_real(t, p);
      return hk_item_reals(item, p->name, x, 3, err);
    case HK_PARAM_DIRECTION:
      return hk_item_vec3(item, p->name, hk_random_vector(t, 1), err);
    case HK_PARAM_ROTATION:
      return hk_item_rotation(item, p->name, hk_random_rotation(t), err);
    case HK_PARAM_INERTIA:
      hk_world_inertia(t, item, 0.3);
      return HK_OK;
    case HK_PARAM_REALS:
      hk_trial_claim(t, p->count <= 64 || p->flags & HK_UP_TO);
      hk_draw_reals(t, x, p->count <= 64 ? p->count : 64);
      return hk_item_reals(item, p->name, x, p->count <= 64 ? p->count : 64, err);
    case HK_PARAM_STRING:
      return hk_item_text(item, p->name, "text", err);
    case HK_PARAM_FRAME:
      return hk_item_text(item, p->name, strcmp(p->name, "a") ? HK_SIDE_B[s->b] : HK_SIDE_A[s->a],
                          err);
    case HK_PARAM_JOINT:
      return hk_item_text(item, p->name, JOINT[hk_random_pick(t, 3)], err);
    case HK_PARAM_LAW:
      return hk_item_text(item, p->name, "law", err);
    case HK_PARAM_STEPPER:
      return hk_item_text(item, p->name, "auto", err);
    case HK_PARAM_COORDINATE:
      return hk_item_text(item, p->name, hk_draw_coordinate(t, s->rotors), err);
    case HK_PARAM_CHANNEL:
      return hk_item_text(item, p->name, "first.m.x", err);
    case HK_PARAM_EXPR:
    case HK_PARAM_EXPR3:
      for (int i = 0; i < (p->kind == HK_PARAM_EXPR3 ? 3 : 1); i++) {
        hk_draw_expression(t, item, p, feedback, text, sizeof text);
        hk_status status = hk_item_expression(item, p->name, i, text, err);
        if (status) return status;
      }
      return HK_OK;
    case HK_PARAM_POINTS: {
      const double at[3] = {0, 0.5, 1};
      for (int i = 0; i < 3; i++) x[i] = hk_random(t, -1, 1);
      return hk_item_points(item, p->name, at, x, 3, "s", NULL, err);
    }
    case HK_PARAM_TERMS: {
      hk_error ignored; /* ignored, because the same coordinate was drawn twice */
      hk_status status =
          hk_item_term(item, p->name, hk_draw_coordinate(t, s->rotors), hk_random(t, 0.5, 2), err);
      for (int i = hk_random_pick(t, 3); i > 0 && !status; i--)
        hk_item_term(item, p->name, hk_draw_coordinate(t, s->rotors), hk_random(t, -2, -0.5),
                     &ignored);
      return status;
    }
  }
  return hk_fail(err, HK_EINPUT, "no values can be drawn for parameter kind %d", (int)p->kind);
}

void hk_draw_soften(hk_trial *t, hk_item *item, bool large) {
  const hk_param *p;
  hk_error ignored; /* ignored: if a value is out of range, the default remains */
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    if (p->kind != HK_PARAM_REAL || hk_item_given(item, i)) continue;
    const void *at = (const char *)item->data + p->offset;
    double value = *(const double *)at;
    if (p->flags & HK_POSITIVE && value > 0 && value < 0.05)
      hk_item_real(item, p->name, hk_random(t, 0.3, 1), &ignored);
    if (large && fabs(value) > 1e3) hk_item_real(item, p->name, hk_draw_real(t, p), &ignored);
  }
}

/* Sets either all frames or none, every required parameter and some of the optional parameters
 * to random values. */
hk_status hk_draw_item(hk_trial *t, hk_item *item, const hk_between *s, hk_error *err) {
  const hk_param *p;
  const bool staged =
      hk_subject_is_staged(item->type); /* the axes of such a type are defined only by its frames */
  bool frames = hk_random_pick(t, 10) < 7 || staged;
  double share = hk_random(t, 0, 1);
  int common;
  hk_category_params(item->type->category, &common);
  for (int i = 0; (p = hk_type_param(item->type, i)); i++) {
    bool set = p->flags & HK_REQUIRED || hk_random(t, 0, 1) < share;
    if (p->kind == HK_PARAM_LAW && staged) set = set || hk_random_pick(t, 4);
    if (staged && (i < common || (p->kind == HK_PARAM_STRING && !(p->flags & HK_REQUIRED))))
      set = false;
    if (p->kind == HK_PARAM_FRAME) set = frames;
    if (hk_stage_choice(t, item->type, i) >= 0) set = true;
    if (!set) continue;
    hk_status status = draw_param(t, item, p, s, err);
    if (status) return status;
  }
  return item->type->sample ? item->type->sample(item, err) : HK_OK;
}
