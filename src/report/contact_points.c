/* Contact points of all frames, packed into 26 bytes each, little endian:
 *   uint16 point; uint16 c[3] between scale[0..2] and scale[3..5]; int16 force[3] of scale[6]/32767
 *   N; uint16 pressure of scale[7]/65535 Pa; uint16 half axes along t and n x t of scale[8]/65535
 *   m; int8 n[3], t[3] of 1/127.
 */
#include "report/page.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

void hk_touch_log_free(hk_touch_log *l) {
  free(l->touch);
  free(l->count);
  *l = (hk_touch_log){0};
}

static bool reserve(void **at, size_t *capacity, size_t n, size_t size) {
  if (n <= *capacity) return true;
  size_t more = *capacity ? 2 * *capacity : 1024;
  while (more < n) more *= 2;
  void *grown = realloc(*at, more * size);
  if (!grown) return false;
  *at = grown;
  *capacity = more;
  return true;
}

void hk_touch_log_add(hk_touch_log *l, const hk_scene_touch *t, int n) {
  if (l->failed || !reserve((void **)&l->touch, &l->capacity, l->n + (size_t)n + 1, sizeof *t) ||
      !reserve((void **)&l->count, &l->frame_capacity, l->n_frames + 1, sizeof *l->count)) {
    l->failed = true;
    return;
  }
  if (n) memcpy(l->touch + l->n, t, (size_t)n * sizeof *t);
  l->n += (size_t)n;
  l->count[l->n_frames++] = (uint16_t)n;
}

static void put16(unsigned char *p, int v) {
  p[0] = (unsigned char)(v & 255), p[1] = (unsigned char)(v >> 8 & 255);
}

static int part(double x, double low, double high, int most) {
  if (!(high > low) || !isfinite(x)) return 0;
  return (int)lround(fmin(1, fmax(0, (x - low) / (high - low))) * most);
}

static void find_scale(const hk_touch_log *l, double s[9]) {
  for (int i = 0; i < 3; i++) s[i] = DBL_MAX, s[3 + i] = -DBL_MAX;
  s[6] = s[7] = s[8] = 0;
  for (size_t i = 0; i < l->n; i++) {
    const hk_scene_touch *t = &l->touch[i];
    const double c[3] = {t->c.x, t->c.y, t->c.z};
    for (int k = 0; k < 3; k++) s[k] = fmin(s[k], c[k]), s[3 + k] = fmax(s[3 + k], c[k]);
    s[6] = fmax(s[6], hk_norm(t->force));
    if (t->pressure > s[7]) s[7] = t->pressure;
    if (t->half_t > s[8]) s[8] = t->half_t;
    if (t->half_s > s[8]) s[8] = t->half_s;
  }
  for (int i = 0; i < 6 && l->n == 0; i++) s[i] = 0;
}

static void put_unit(unsigned char *p, hk_vec3 v) {
  const double x[3] = {v.x, v.y, v.z};
  for (int k = 0; k < 3; k++)
    p[k] = (unsigned char)(signed char)lround(127 * fmax(-1, fmin(1, x[k])));
}

void hk_touch_log_pack(const hk_touch_log *l, hk_bytes *out, double s[9]) {
  find_scale(l, s);
  for (size_t i = 0; i < l->n_frames; i++) {
    unsigned char b[2];
    put16(b, l->count[i]);
    hk_bytes_add(out, b, 2);
  }
  for (size_t i = 0; i < l->n; i++) {
    const hk_scene_touch *t = &l->touch[i];
    const double c[3] = {t->c.x, t->c.y, t->c.z}, f[3] = {t->force.x, t->force.y, t->force.z};
    unsigned char b[26];
    put16(b, t->point);
    for (int k = 0; k < 3; k++) put16(b + 2 + 2 * k, part(c[k], s[k], s[3 + k], 65535));
    for (int k = 0; k < 3; k++)
      put16(b + 8 + 2 * k, s[6] > 0 ? (int)lround(32767 * f[k] / s[6]) : 0);
    put16(b + 14, part(t->pressure, 0, s[7], 65535));
    put16(b + 16, part(t->half_t, 0, s[8], 65535));
    put16(b + 18, part(t->half_s, 0, s[8], 65535));
    put_unit(b + 20, t->n);
    put_unit(b + 23, t->t);
    hk_bytes_add(out, b, sizeof b);
  }
}
