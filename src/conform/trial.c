/* See trial.h. */
#include "conform/trial.h"
#include "model/model.h"
#include <stdio.h>
#include <stdlib.h>

static void write_text(hk_trial *t, const char *fmt, va_list ap) {
  vsnprintf(t->check->text, sizeof t->check->text, fmt, ap);
}

static _Noreturn void end(hk_trial *t, int how) {
  t->how = how;
  if (t->on_end) t->on_end(t);
  longjmp(t->end, 1);
}

void hk_trial_fail(hk_trial *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  write_text(t, fmt, ap);
  va_end(ap);
  end(t, HK_TRIAL_FAILED);
}

void hk_trial_not_meant(hk_trial *t, const char *fmt, ...) {
  va_list ap;
  va_start(ap, fmt);
  write_text(t, fmt, ap);
  va_end(ap);
  end(t, HK_TRIAL_NOT_MEANT);
}

void hk_trial_worst(hk_trial *t, double part) { t->check->worst = fmax(t->check->worst, part); }

void hk_trial_near(hk_trial *t, double got, double wanted, double tolerance, const char *fmt, ...) {
  double off = fabs(got - wanted), allowed = tolerance * (1 + fabs(wanted));
  if (off <= allowed) {
    hk_trial_worst(t, off / allowed);
    return;
  }
  char text[512];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  t->check->worst = off / allowed;
  hk_trial_fail(t, "%s: %.12g, expected %.12g (off by %.3g)", text, got, wanted, got - wanted);
}

void *hk_trial_room(hk_trial *t, size_t n, size_t size) {
  void *room = hk_arena_alloc(&t->arena, (n ? n : 1) * size);
  if (!room) end(t, HK_TRIAL_NO_MEMORY);
  return room;
}

void hk_trial_keep(hk_trial *t, void *what, void (*give_back)(void *what)) {
  if (what && t->n_kept == t->capacity) {
    int more = t->capacity ? 2 * t->capacity : 16;
    hk_kept *grown = realloc(t->kept, (size_t)more * sizeof *grown);
    if (!grown) give_back(what);
    if (!grown) end(t, HK_TRIAL_NO_MEMORY);
    t->kept = grown;
    t->capacity = more;
  }
  if (!what) end(t, HK_TRIAL_NO_MEMORY);
  t->kept[t->n_kept++] = (hk_kept){what, give_back};
}

static int find(const hk_trial *t, const void *what) {
  for (int i = t->n_kept - 1; i >= 0; i--)
    if (t->kept[i].what == what) return i;
  return -1;
}

void hk_trial_forget(hk_trial *t, const void *what) {
  int i = find(t, what);
  if (i < 0) return;
  t->n_kept--;
  for (; i < t->n_kept; i++) t->kept[i] = t->kept[i + 1];
}

void hk_trial_drop(hk_trial *t, void *what) {
  int i = find(t, what);
  if (i < 0) return;
  hk_kept k = t->kept[i];
  hk_trial_forget(t, what);
  k.give_back(k.what);
}

void hk_trial_note(hk_trial *t, const hk_model *m) {
  for (int i = 0; i < m->n_numerical; i++)
    t->numerical = t->numerical || m->numerical[i] == t->type;
}

void hk_trial_case(hk_trial *t) {
  t->drawn = NULL;
  while (t->n_kept > 0) {
    hk_kept k = t->kept[--t->n_kept];
    k.give_back(k.what);
  }
  hk_arena_free(&t->arena);
  hk_arena_init(&t->arena);
}

/* FNV-1a hash: names that differ in one letter have very different values. */
uint64_t hk_random_name(const char *name) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (; *name; name++) hash = (hash ^ (unsigned char)*name) * 0x100000001b3u;
  return hash;
}

void hk_random_seed(hk_trial *t, uint64_t seed) {
  if (t->type)
    seed += hk_random_name(t->type->name) + 0x9e3779b97f4a7c15u * (uint64_t)t->type->category;
  t->random = 2 * seed + 1;
}

double hk_random(hk_trial *t, double low, double high) {
  t->random += 0x9e3779b97f4a7c15u;
  uint64_t z = t->random;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return low + (high - low) * (double)(z >> 11) / 9007199254740992.0;
}

int hk_random_pick(hk_trial *t, int n) { return (int)hk_random(t, 0, n); }

hk_vec3 hk_random_vector(hk_trial *t, double size) {
  double x = hk_random(t, -size, size), y = hk_random(t, -size, size),
         z = hk_random(t, -size, size);
  return hk_v3(x, y, z);
}

hk_quat hk_random_rotation(hk_trial *t) { return hk_quat_exp(hk_random_vector(t, t->turn)); }
