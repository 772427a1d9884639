/* Reading STL and OBJ: see mesh_file.h. */
#define _GNU_SOURCE /* qsort_r */
#include "mesh/mesh_file.h"
#include "base/file.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Corners of the triangles of the file, in groups of three. */
typedef struct soup {
  const char *name;
  double unit;
  hk_vec3 *corner;
  size_t n, capacity;
  hk_error *err;
} soup;

static hk_status no_memory(const soup *s) {
  return hk_fail(s->err, HK_ENOMEM, "out of memory while reading '%s'", s->name);
}

static hk_status add_triangle(soup *s, const hk_vec3 c[3]) {
  if (s->n / 3 >= HK_MESH_MAX_TRIANGLES)
    return hk_fail(s->err, HK_EINPUT, "'%s' has more than %d triangles; use a coarser one", s->name,
                   HK_MESH_MAX_TRIANGLES);
  if (s->n + 3 > s->capacity) {
    size_t more = s->capacity ? 2 * s->capacity : 3 * 256;
    hk_vec3 *grown = realloc(s->corner, more * sizeof *grown);
    if (!grown) return no_memory(s);
    s->corner = grown;
    s->capacity = more;
  }
  for (int i = 0; i < 3; i++) s->corner[s->n++] = hk_scale(s->unit, c[i]);
  return HK_OK;
}

static bool sound(hk_vec3 v) {
  return fabs(v.x) < 1e15 && fabs(v.y) < 1e15 && fabs(v.z) < 1e15; /* false for NaN, too */
}

/* ---- binary STL: 80 bytes, a count, 50 bytes per triangle, little endian ---- */

static uint32_t little32(const unsigned char *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static double little_float(const unsigned char *p) {
  uint32_t bits = little32(p);
  float f;
  memcpy(&f, &bits, sizeof f);
  return f;
}

static bool is_binary_stl(const char *bytes, size_t size) {
  if (size < 84) return false;
  uint64_t said = 84 + 50 * (uint64_t)little32((const unsigned char *)bytes + 80);
  if (said == size) return true;
  /* A text file has no zero bytes. Some binary files begin with "solid" too. */
  return memchr(bytes, 0, size < 1024 ? size : 1024) != NULL;
}

static hk_status read_binary_stl(soup *s, const char *bytes, size_t size) {
  const unsigned char *p = (const unsigned char *)bytes;
  uint32_t count = little32(p + 80);
  if (84 + 50 * (uint64_t)count != size)
    return hk_fail(s->err, HK_EINPUT,
                   "'%s' states %lu triangles, but its size fits %lu: it is damaged or truncated",
                   s->name, (unsigned long)count, (unsigned long)((size - 84) / 50));
  hk_status status = HK_OK;
  for (uint32_t i = 0; i < count && !status; i++) {
    hk_vec3 c[3];
    for (int k = 0; k < 3; k++) {
      const unsigned char *q = p + 84 + 50 * (size_t)i + 12 + 12 * (size_t)k;
      c[k] = hk_v3(little_float(q), little_float(q + 4), little_float(q + 8));
      if (!sound(c[k]))
        return hk_fail(s->err, HK_EINPUT, "'%s': a corner of triangle %lu is not a finite number",
                       s->name, (unsigned long)i + 1);
    }
    status = add_triangle(s, c);
  }
  return status;
}

/* ---- text: words by line ---- */

typedef struct words {
  const char *at, *end;
  int line;
} words;

/* The next line, between *first and *last; false at the end. */
static bool next_line(words *w, const char **first, const char **last) {
  if (w->at >= w->end) return false;
  const char *newline = memchr(w->at, '\n', (size_t)(w->end - w->at));
  *first = w->at;
  *last = newline ? newline : w->end;
  w->at = newline ? newline + 1 : w->end;
  w->line++;
  while (*first < *last && isspace((unsigned char)**first)) ++*first;
  return true;
}

/* One word of a line as text of at most 63 characters; false: no word is left. */
static bool word(const char **at, const char *last, char out[64]) {
  while (*at < last && isspace((unsigned char)**at)) ++*at;
  size_t n = 0;
  for (; *at < last && !isspace((unsigned char)**at); ++*at)
    if (n < 63) out[n++] = **at;
  out[n] = 0;
  return n > 0;
}

/* A number with a decimal point, independent of the locale. */
static bool number(const char *text, double *out) {
  double value = 0, scale = 1;
  bool digits = false, negative = *text == '-';
  int exponent = 0;
  if (*text == '-' || *text == '+') text++;
  for (; isdigit((unsigned char)*text); text++) value = 10 * value + (*text - '0'), digits = true;
  if (*text == '.')
    for (text++; isdigit((unsigned char)*text); text++)
      value = 10 * value + (*text - '0'), scale *= 10, digits = true;
  if (digits && (*text == 'e' || *text == 'E')) {
    char *end;
    exponent = (int)fmax(-400, fmin(400, (double)strtol(text + 1, &end, 10)));
    if (end == text + 1) return false;
    text = end;
  }
  *out = (negative ? -1 : 1) * value / scale * pow(10, exponent);
  return digits && *text == 0;
}

static hk_status read_point(const soup *s, const words *w, const char *at, const char *last,
                            hk_vec3 *out) {
  double x[3];
  char text[64];
  for (int i = 0; i < 3; i++)
    if (!word(&at, last, text) || !number(text, &x[i]))
      return hk_fail(s->err, HK_EINPUT, "%s:%d: this corner does not have three numbers", s->name,
                     w->line);
  *out = hk_v3(x[0], x[1], x[2]);
  if (!sound(*out))
    return hk_fail(s->err, HK_EINPUT, "%s:%d: a corner is not a finite number", s->name, w->line);
  return HK_OK;
}

/* Keywords of a text file without data. */
static bool is_frame_word(const char *text) {
  static const char *const frame[] = {"solid", "endsolid", "outer", "endloop"};
  for (int i = 0; i < 4; i++)
    if (strcmp(text, frame[i]) == 0) return true;
  return false;
}

static hk_status read_text_stl(soup *s, const char *bytes, size_t size) {
  words w = {bytes, bytes + size, 0};
  const char *at, *last;
  char text[64];
  hk_vec3 c[3];
  int corners = 0;
  bool open = false;
  hk_status status = HK_OK;
  while (!status && next_line(&w, &at, &last)) {
    if (!word(&at, last, text)) continue;
    if (strcmp(text, "facet") == 0) {
      corners = 0, open = true;
    } else if (strcmp(text, "vertex") == 0) {
      if (!open || corners == 3)
        return hk_fail(s->err, HK_EINPUT,
                       "%s:%d: a corner outside of a facet, or a fourth corner in a facet", s->name,
                       w.line);
      status = read_point(s, &w, at, last, &c[corners++]);
    } else if (strcmp(text, "endfacet") == 0) {
      if (corners != 3)
        return hk_fail(s->err, HK_EINPUT, "%s:%d: this facet has %d corners, not three", s->name,
                       w.line, corners);
      status = add_triangle(s, c);
      open = false;
    } else if (!is_frame_word(text)) {
      return hk_fail(s->err, HK_EINPUT, "%s:%d: this line is not valid in an STL file", s->name,
                     w.line);
    }
  }
  if (!status && open) return hk_fail(s->err, HK_EINPUT, "'%s' ends within a facet", s->name);
  return status;
}

/* ---- OBJ: v and f lines; faces are divided into triangles from their first corner ---- */

typedef struct points {
  hk_vec3 *at;
  size_t n, capacity;
} points;

static hk_status add_point(const soup *s, points *p, hk_vec3 x) {
  if (p->n == p->capacity) {
    size_t more = p->capacity ? 2 * p->capacity : 256;
    hk_vec3 *grown = realloc(p->at, more * sizeof *grown);
    if (!grown) return no_memory(s);
    p->at = grown;
    p->capacity = more;
  }
  p->at[p->n++] = x;
  return HK_OK;
}

/* Index of a corner such as "7", "7/1", "7/1/3" or "-1"; only the first number is used. */
static hk_status corner_of(const soup *s, const points *p, const words *w, const char *text,
                           hk_vec3 *out) {
  char *end;
  long i = strtol(text, &end, 10);
  if (end == text || (*end && *end != '/'))
    return hk_fail(s->err, HK_EINPUT, "%s:%d: a corner of the face is not a number", s->name,
                   w->line);
  long index = i > 0 ? i - 1 : (long)p->n + i;
  if (i == 0 || index < 0 || index >= (long)p->n)
    return hk_fail(s->err, HK_EINPUT,
                   "%s:%d: the face refers to corner %ld, but there are only %zu so far", s->name,
                   w->line, i, p->n);
  *out = p->at[index];
  return HK_OK;
}

static hk_status read_face(soup *s, const points *p, const words *w, const char *at,
                           const char *last) {
  char text[64];
  hk_vec3 c[3];
  int n = 0;
  hk_status status = HK_OK;
  while (!status && word(&at, last, text)) {
    hk_vec3 x;
    status = corner_of(s, p, w, text, &x);
    if (status) break;
    if (n < 2) {
      c[n] = x;
    } else {
      if (n > 2) c[1] = c[2];
      c[2] = x;
      status = add_triangle(s, c);
    }
    n++;
  }
  if (!status && n < 3)
    return hk_fail(s->err, HK_EINPUT, "%s:%d: a face needs at least three corners", s->name,
                   w->line);
  return status;
}

static hk_status read_obj(soup *s, const char *bytes, size_t size) {
  words w = {bytes, bytes + size, 0};
  const char *at, *last;
  char text[64];
  points p = {0};
  hk_status status = HK_OK;
  while (!status && next_line(&w, &at, &last)) {
    hk_vec3 x;
    if (!word(&at, last, text)) continue;
    if (strcmp(text, "v") == 0) {
      status = read_point(s, &w, at, last, &x);
      if (!status) status = add_point(s, &p, x);
    } else if (strcmp(text, "f") == 0) {
      status = read_face(s, &p, &w, at, last);
    }
  }
  free(p.at);
  return status;
}

/* ---- normals ---- */

/* Finds coincident corners by sorting; each corner then averages the normals of adjacent faces
 * with similar direction. */
static int by_place(const void *a, const void *b, void *context) {
  const hk_vec3 *corner = context, *p = &corner[*(const uint32_t *)a],
                *q = &corner[*(const uint32_t *)b];
  if (p->x != q->x) return p->x < q->x ? -1 : 1;
  if (p->y != q->y) return p->y < q->y ? -1 : 1;
  if (p->z != q->z) return p->z < q->z ? -1 : 1;
  return 0;
}

static hk_vec3 face_normal(const soup *s, uint32_t corner) {
  const hk_vec3 *c = s->corner + corner / 3 * 3;
  return hk_cross(hk_sub(c[1], c[0]), hk_sub(c[2], c[0])); /* weighted by area */
}

static void corner_normals(const soup *s, const uint32_t *order, size_t first, size_t last,
                           hk_vec3 *normal) {
  enum { MOST = 64 }; /* maximum number of faces considered at a corner */
  for (size_t i = first; i < last; i++) {
    hk_vec3 own = face_normal(s, order[i]), sum = own;
    double length = hk_norm(own);
    for (size_t k = first; k < last && k < first + MOST; k++) {
      hk_vec3 n = face_normal(s, order[k]);
      if (k != i && hk_dot(n, own) > 0.766 * hk_norm(n) * length) sum = hk_add(sum, n);
    }
    normal[order[i]] = sum;
  }
}

static hk_status build(soup *s, hk_mesh *out) {
  uint32_t *order = malloc(sizeof *order * (s->n + 1));
  hk_vec3 *normal = malloc(sizeof *normal * (s->n + 1));
  hk_status status = order && normal ? HK_OK : no_memory(s);
  for (size_t i = 0; !status && i < s->n; i++) order[i] = (uint32_t)i;
  if (!status) {
    qsort_r(order, s->n, sizeof *order, by_place, s->corner);
    for (size_t i = 0, k; i < s->n; i = k) {
      for (k = i + 1; k < s->n && by_place(&order[i], &order[k], s->corner) == 0; k++) continue;
      corner_normals(s, order, i, k, normal);
    }
    for (size_t i = 0; i + 2 < s->n; i += 3) {
      uint32_t v[3];
      for (int k = 0; k < 3; k++)
        v[k] = hk_mesh_vertex(out, s->corner[i + (size_t)k], normal[i + (size_t)k]);
      hk_mesh_triangle(out, v[0], v[1], v[2]);
    }
    if (out->failed) status = no_memory(s);
  }
  free(order);
  free(normal);
  return status;
}

/* Reverses the triangles of a closed surface if all of them face inwards; its enclosed volume is then negative. Viewers
 * draw only the outer sides of triangles. A surface with holes is not changed, because it has no inside. */
static void face_outwards(soup *s) {
  hk_vec3 hole = {0, 0, 0};
  double area = 0, volume = 0;
  for (size_t i = 0; i + 2 < s->n; i += 3) {
    hk_vec3 a = hk_sub(s->corner[i + 1], s->corner[i]), b = hk_sub(s->corner[i + 2], s->corner[i]);
    hk_vec3 n = hk_scale(0.5, hk_cross(a, b));
    hole = hk_add(hole, n);
    area += hk_norm(n);
    volume += hk_dot(hk_sub(s->corner[i], s->corner[0]), n) / 3;
  }
  if (!(volume < 0) || hk_norm(hole) > 1e-4 * area) return;
  for (size_t i = 0; i + 2 < s->n; i += 3) {
    hk_vec3 c = s->corner[i + 1];
    s->corner[i + 1] = s->corner[i + 2], s->corner[i + 2] = c;
  }
}

static bool ends_with(const char *name, const char *tail) {
  size_t n = strlen(name), k = strlen(tail);
  if (n < k) return false;
  for (size_t i = 0; i < k; i++)
    if (tolower((unsigned char)name[n - k + i]) != tail[i]) return false;
  return true;
}

hk_status hk_mesh_parse(const char *name, const char *bytes, size_t size, double unit, hk_mesh *out,
                        hk_error *err) {
  soup s = {.name = name, .unit = unit, .err = err};
  hk_status status;
  if (size > HK_MESH_MAX_BYTES)
    return hk_fail(err, HK_EINPUT, "'%s' is larger than %d MB", name, HK_MESH_MAX_BYTES >> 20);
  if (ends_with(name, ".obj"))
    status = read_obj(&s, bytes, size);
  else if (!ends_with(name, ".stl"))
    status = hk_fail(err, HK_EINPUT, "'%s' is neither an .stl nor an .obj file", name);
  else if (is_binary_stl(bytes, size))
    status = read_binary_stl(&s, bytes, size);
  else
    status = read_text_stl(&s, bytes, size);
  if (!status && s.n == 0) status = hk_fail(err, HK_EINPUT, "'%s' contains no triangle", name);
  if (!status) face_outwards(&s);
  out->two_sided =
      true; /* surfaces with holes, and single triangles or parts that face inwards, are common in files */
  if (!status) status = build(&s, out);
  free(s.corner);
  return status;
}

hk_status hk_mesh_read(const char *path, double unit, hk_mesh *out, hk_error *err) {
  struct stat st;
  FILE *file = hk_file_open(path);
  if (!file) return hk_fail(err, HK_EINPUT, "cannot read '%s': %s", path, hk_file_trouble(errno));
  hk_status status = HK_OK;
  char *bytes = NULL;
  size_t size = 0;
  if (fstat(fileno(file), &st))
    status = hk_fail(err, HK_EINPUT, "cannot read '%s': %s", path, strerror(errno));
  else if (st.st_size > HK_MESH_MAX_BYTES)
    status = hk_fail(err, HK_EINPUT, "'%s' is larger than %d MB", path, HK_MESH_MAX_BYTES >> 20);
  else if (!(bytes = malloc((size_t)st.st_size + 1)))
    status = hk_fail(err, HK_ENOMEM, "out of memory while reading '%s'", path);
  else
    size = fread(bytes, 1, (size_t)st.st_size, file);
  fclose(file);
  if (!status) status = hk_mesh_parse(path, bytes, size, unit, out, err);
  free(bytes);
  return status;
}
