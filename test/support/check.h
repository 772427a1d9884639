/* Helpers of the tests of the core: repeatable random numbers, comparisons with messages, specs built without
 * checking every status. */
#ifndef HK_TEST_CHECK_H
#define HK_TEST_CHECK_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>
#include <hooke/hooke.h>

/* ---- random numbers ---- */

static uint64_t random_state = 1;
static inline void random_seed(uint64_t seed) { random_state = 2 * seed + 1; }
static inline double uniform(double low, double high) {
  random_state += 0x9e3779b97f4a7c15u;
  uint64_t z = random_state;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return low + (high - low) * (double)(z >> 11) / 9007199254740992.0;
}
static inline int pick(int n) { return (int)uniform(0, n); }
static inline hk_vec3 random_vector(double size) {
  double x = uniform(-size, size), y = uniform(-size, size), z = uniform(-size, size);
  return hk_v3(x, y, z);
}
/* Largest random rotation: near 180 degrees some forces and angles are not smooth. */
static double random_turn = 1.8;
static inline hk_quat random_rotation(void) { return hk_quat_exp(random_vector(random_turn)); }

/* ---- comparisons ---- */

/* Fails with the text unless |got - wanted| <= tolerance (1 + |wanted|). */
static inline void assert_near(double got, double wanted, double tolerance, const char *fmt, ...) {
  if (fabs(got - wanted) <= tolerance * (1 + fabs(wanted))) return;
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  fail_msg("%s: %.12g, expected %.12g (error %.3g)", text, got, wanted, got - wanted);
}

/* ---- specs ---- */

#define MUST(call)                                  \
  do {                                              \
    hk_error must_error = {0}, *err = &must_error;  \
    if ((call) != HK_OK) fail_msg("%s", err->text); \
  } while (0)

static inline hk_item *add_item(hk_spec *spec, hk_category category, const char *type,
                                const char *name) {
  hk_error err = {0};
  hk_item *item = hk_spec_add(spec, category, type, name, &err);
  if (!item) fail_msg("%s", err.text);
  return item;
}
static inline void set_real(hk_item *item, const char *name, double value) {
  MUST(hk_item_real(item, name, value, err));
}
static inline void set_vec3(hk_item *item, const char *name, hk_vec3 value) {
  MUST(hk_item_vec3(item, name, value, err));
}
static inline void set_text(hk_item *item, const char *name, const char *value) {
  MUST(hk_item_text(item, name, value, err));
}
static inline void set_expr(hk_item *item, const char *name, int component, const char *value) {
  MUST(hk_item_expression(item, name, component, value, err));
}

static inline void print_messages(const hk_diag *diag) {
  char line[1400];
  for (int i = 0; i < diag->n; i++) {
    hk_diag_format(&diag->message[i], line, sizeof line);
    print_error("%s\n", line);
  }
}

/* Compiles the spec; fails with the messages. */
static inline hk_model *must_compile(hk_spec *spec) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_model *model = hk_model_compile(spec, &diag);
  if (!model) print_messages(&diag);
  hk_diag_free(&diag);
  assert_non_null(model);
  return model;
}

/* A model from the text of a model file with the types of a registry (NULL: those of the library); fails with
 * the messages. */
static inline hk_model *model_of_types(const hk_registry *types, const char *text) {
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read_with(types, "model", text, strlen(text), NULL, 0, &diag);
  hk_model *model = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!model) print_messages(&diag);
  hk_diag_free(&diag);
  assert_non_null(model);
  return model;
}

static inline hk_model *model_of(const char *text) { return model_of_types(NULL, text); }

/* A simulation of the model; fails with the message. */
static inline hk_sim *sim_of(const hk_model *model, const hk_sim_options *options) {
  hk_sim *sim = NULL;
  hk_error err = {0};
  if (hk_sim_create(model, options, &sim, NULL, &err)) fail_msg("%s", err.text);
  return sim;
}

static inline double channel(hk_sim *sim, const hk_model *model, const char *name) {
  int i = hk_model_channel_find(model, name);
  if (i < 0) fail_msg("there is no channel '%s'", name);
  return hk_sim_value(sim, i);
}
#endif
