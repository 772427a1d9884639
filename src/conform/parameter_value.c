/* See parameter_value.h. */
#include "conform/parameter_value.h"
#include "conform/subject.h"
#include <stdio.h>
#include <string.h>

static int choices(const hk_param *p) {
  int n = 0;
  while (p->choices[n]) n++;
  return n;
}

void hk_value_draw(hk_trial *t, const hk_param *p, hk_value *v) {
  memset(v, 0, sizeof *v);
  switch (p->kind) {
    case HK_PARAM_REAL:
      v->n = 1;
      break;
    case HK_PARAM_INT:
      v->n = 1;
      v->x[0] = floor(hk_draw_real(t, p));
      return;
    case HK_PARAM_BOOL:
      v->yes = hk_random_pick(t, 2);
      return;
    case HK_PARAM_ENUM:
      snprintf(v->text[0], sizeof v->text[0], "%s", p->choices[hk_random_pick(t, choices(p))]);
      return;
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
      v->n = 3;
      break;
    case HK_PARAM_ROTATION:
      v->n = 4;
      break;
    case HK_PARAM_INERTIA:
      v->n = 6;
      for (int i = 0; i < 6; i++) v->x[i] = i < 3 ? hk_random(t, 1, 1.5) : hk_random(t, -0.2, 0.2);
      return;
    case HK_PARAM_REALS:
      v->n = p->count;
      hk_draw_reals(t, v->x, p->count);
      return;
    case HK_PARAM_STRING:
      snprintf(v->text[0], sizeof v->text[0], "some text");
      return;
    case HK_PARAM_FRAME:
      snprintf(v->text[0], sizeof v->text[0], "%s", hk_random_pick(t, 2) ? "first.m" : "second");
      return;
    case HK_PARAM_JOINT:
      snprintf(v->text[0], sizeof v->text[0], "%s", hk_random_pick(t, 2) ? "hinge" : "arm");
      return;
    case HK_PARAM_LAW:
      snprintf(v->text[0], sizeof v->text[0], "law");
      return;
    case HK_PARAM_STEPPER:
      snprintf(v->text[0], sizeof v->text[0], "%s",
               hk_registry_at(t->types, HK_STEPPER,
                              hk_random_pick(t, hk_registry_count(t->types, HK_STEPPER)))
                   ->name);
      return;
    case HK_PARAM_COORDINATE:
      snprintf(v->text[0], sizeof v->text[0], "%s", hk_draw_coordinate(t, true));
      return;
    case HK_PARAM_CHANNEL:
      snprintf(v->text[0], sizeof v->text[0], "%s",
               hk_random_pick(t, 2) ? "first.m.vx" : "hinge.angle");
      return;
    case HK_PARAM_EXPR:
    case HK_PARAM_EXPR3:
      v->n = p->kind == HK_PARAM_EXPR ? 1 : 3;
      for (int i = 0; i < v->n; i++)
        hk_draw_expression(t, NULL, p, false, v->text[i], sizeof v->text[i]);
      return;
    case HK_PARAM_POINTS:
      v->n = 4;
      for (int i = 0; i < 4; i++) v->x[i] = i + hk_random(t, 0, 0.5);
      return;
    case HK_PARAM_TERMS:
      v->n = 2;
      v->x[0] = hk_random(t, 0.5, 2), v->x[1] = hk_random(t, -2, -0.5);
      return;
  }
  for (int i = 0; i < v->n; i++) v->x[i] = hk_draw_real(t, p);
}

hk_status hk_value_set(hk_trial *t, hk_item *item, const hk_param *p, const hk_value *v,
                       hk_error *err) {
  const double *x = v->x;
  hk_status status = HK_OK;
  switch (p->kind) {
    case HK_PARAM_REAL:
      return hk_item_real(item, p->name, x[0], err);
    case HK_PARAM_INT:
      return hk_item_int(item, p->name, (long)x[0], err);
    case HK_PARAM_BOOL:
      return hk_item_bool(item, p->name, v->yes, err);
    case HK_PARAM_VEC3:
    case HK_PARAM_DIRECTION:
      return hk_item_vec3(item, p->name, hk_v3(x[0], x[1], x[2]), err);
    case HK_PARAM_ROTATION:
      return hk_item_rotation(item, p->name, (hk_quat){x[0], x[1], x[2], x[3]}, err);
    case HK_PARAM_INERTIA:
    case HK_PARAM_REALS:
      return hk_item_reals(item, p->name, x, v->n, err);
    case HK_PARAM_EXPR:
    case HK_PARAM_EXPR3:
      for (int i = 0; i < v->n && !status; i++)
        status = hk_item_expression(item, p->name, i, v->text[i], err);
      return status;
    case HK_PARAM_POINTS:
      return hk_item_points(item, p->name, x, x + 2, 2, "s", "m", err);
    case HK_PARAM_TERMS:
      status = hk_item_term(item, p->name, "hinge.angle", x[0], err);
      return status ? status : hk_item_term(item, p->name, "wheel.angle", x[1], err);
    default:
      return hk_item_text(item, p->name, v->text[0], err);
  }
}

static bool same(double a, double b) { return fabs(a - b) <= 1e-15 * (1 + fabs(b)); }

static const void *field(const hk_item *item, const hk_param *p) {
  return (const char *)item->data + p->offset;
}

static void give_back_spec(void *spec) { hk_spec_destroy(spec); }

/* Returns true if the struct contains the value. */
bool hk_value_holds(hk_trial *t, const hk_item *item, const hk_param *p, const hk_value *v) {
  const void *at = field(item, p);
  const double *d = at;
  double scale = 1, variable[1] = {0.7};
  int n = v->n;
  switch (p->kind) {
    case HK_PARAM_INT:
      return *(const int *)at == (int)v->x[0];
    case HK_PARAM_BOOL:
      return *(const bool *)at == v->yes;
    case HK_PARAM_ENUM:
      return strcmp(p->choices[*(const int *)at], v->text[0]) == 0;
    case HK_PARAM_EXPR:
    case HK_PARAM_EXPR3:
      for (int i = 0; i < n; i++) { /* compared with the same text, compiled separately */
        hk_spec *spec = hk_spec_create_with(t->types);
        hk_trial_keep(t, spec, give_back_spec);
        hk_item *sensor = hk_world_add(t, spec, HK_SENSOR, "expression", "s");
        hk_error err = {0};
        if (hk_item_expression(sensor, "value", 0, v->text[i], &err))
          hk_trial_fail(t, "%s", err.text);
        const hk_expr *e = *(hk_expr *const *)sensor->data, *got = ((hk_expr *const *)at)[i];
        bool equal = got && hk_dim_equal(hk_expr_dim(got), hk_expr_dim(e)) &&
                     hk_expr_value(got, variable) == hk_expr_value(e, variable);
        hk_trial_drop(t, spec);
        if (!equal) return false;
      }
      return true;
    case HK_PARAM_POINTS: {
      const hk_points *points = at;
      return points->n == 2 && memcmp(points->x, v->x, 2 * sizeof *points->x) == 0 &&
             memcmp(points->y, v->x + 2, 2 * sizeof *points->y) == 0;
    }
    case HK_PARAM_TERMS: {
      const hk_terms *terms = at;
      const hk_term *term = terms->term;
      return terms->n == 2 && strcmp(term[0].coordinate, "hinge.angle") == 0 &&
             strcmp(term[1].coordinate, "wheel.angle") == 0 && term[0].factor == v->x[0] &&
             term[1].factor == v->x[1];
    }
    case HK_PARAM_DIRECTION:
    case HK_PARAM_ROTATION:
      scale = 0;
      for (int i = 0; i < n; i++) scale += v->x[i] * v->x[i];
      scale = 1 / sqrt(scale);
      break;
    case HK_PARAM_REAL:
    case HK_PARAM_VEC3:
    case HK_PARAM_INERTIA:
    case HK_PARAM_REALS:
      break;
    default:
      return strcmp(*(const char *const *)at, v->text[0]) == 0;
  }
  for (int i = 0; i < n; i++)
    if (!same(d[i], scale * v->x[i])) return false;
  return true;
}
