/* Items made from a type's parameter table only, with values of any kind, for tests of all registered types.
 * Include after cmocka.h. */
#ifndef PROBE_H
#define PROBE_H
#include <hooke/element.h>
#include "support/kind_size.h"
#include <string.h>

#define UNUSED_OK __attribute__((unused))

static uint64_t seed = 77;
UNUSED_OK static double uniform(double low, double high) {
  seed = seed * 6364136223846793005u + 1442695040888963407u;
  return low + (high - low) * (double)(seed >> 11) / 9007199254740992.0;
}
UNUSED_OK static hk_vec3 random_vector(double size) {
  return hk_v3(uniform(-size, size), uniform(-size, size), uniform(-size, size));
}

typedef struct probe {
  hk_item item;
  double data[512];
  unsigned char state[200];
  hk_arena arena;
} probe;

UNUSED_OK static double random_real(const hk_param *p) {
  if (p->flags & HK_POSITIVE) return uniform(0.5, 2);
  if (p->min == 0 && p->max == 0) return uniform(-1, 1);
  return uniform(p->min, isfinite(p->max) ? p->max : p->min + 2);
}

/* A square matrix is made symmetric and positive definite, which all present types accept. */
UNUSED_OK static void random_reals(double *x, int count) {
  int n = (int)lround(sqrt(count));
  double a[64];
  for (int i = 0; i < count && i < 64; i++) x[i] = a[i] = uniform(-1, 1);
  if (n * n != count || count > 64) return;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      x[i * n + j] = 0;
      for (int k = 0; k < n; k++) x[i * n + j] += a[i * n + k] * a[j * n + k];
    }
}

UNUSED_OK static void fill(probe *pr, const hk_param *p) {
  char *at = (char *)pr->data + p->offset;
  hk_dim none = {{0}};
  switch (p->kind) {
    case HK_PARAM_REAL:
      *(double *)at = random_real(p);
      break;
    case HK_PARAM_ENUM: {
      int n = 0;
      while (p->choices[n]) n++;
      *(int *)at = (int)uniform(0, n);
      break;
    }
    case HK_PARAM_VEC3:
      *(hk_vec3 *)at = hk_v3(random_real(p), random_real(p), random_real(p));
      break;
    case HK_PARAM_REALS:
      random_reals((double *)at, p->count);
      break;
    case HK_PARAM_FRAME:
      *(const char **)at = strcmp(p->name, "a") ? "second" : "first";
      break;
    case HK_PARAM_JOINT:
      *(const char **)at = "hinge";
      break;
    case HK_PARAM_LAW:
      *(const char **)at = "steel";
      break;
    case HK_PARAM_COORDINATE:
      *(const char **)at = "hinge.angle";
      break;
    case HK_PARAM_EXPR:
      *(hk_expr **)at = hk_expr_constant(&pr->arena, 1, none);
      break;
    case HK_PARAM_EXPR3:
      for (int i = 0; i < 3; i++) ((hk_expr **)at)[i] = hk_expr_constant(&pr->arena, 1, none);
      break;
    default:
      break;
  }
}

UNUSED_OK static void probe_init(probe *pr, const hk_type *t) {
  memset(pr, 0, sizeof *pr);
  assert_true(t->size <= sizeof pr->data);
  memcpy(pr->data, t->defaults, t->size);
  assert_true(hk_type_param_count(t) <= (int)sizeof pr->state);
  pr->item = (hk_item){.type = t, .name = "probe", .data = pr->data, .param_state = pr->state};
  hk_arena_init(&pr->arena);
}

UNUSED_OK static void set_real(probe *pr, const char *name, double value) {
  int i = hk_type_param_find(pr->item.type, name);
  assert_true(i >= 0);
  *(double *)((char *)pr->data + hk_type_param(pr->item.type, i)->offset) = value;
  pr->item.param_state[i] |= HK_PARAM_GIVEN;
}

#endif
