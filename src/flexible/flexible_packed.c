/* Flexible bodies in binary files: see flexible_packed.h. One sequence of transfers writes and reads a file. */
#include "flexible/flexible_packed.h"
#include "base/file.h"
#include "base/sha256.h"
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Must be changed with every change of the format. */
static const char EDITION[32] = "hooke flexible body 1";

typedef struct head {
  char edition[sizeof EDITION];
  int32_t m, n_fixed, n_interfaces, stiffening;
  double mass;
  hk_vec3 center;
  hk_mat3 J0;
} head;

/* The part of an interface with fixed size. */
typedef struct port {
  char name[HK_FLEXIBLE_NAME];
  int32_t observed, second_order;
  hk_vec3 s;
} port;

typedef struct stream {
  FILE *file;
  hk_arena *arena; /* memory for what is read; NULL: the file is written */
  hk_sha256 hash;
  hk_status status;
} stream;

static void transfer(stream *s, void *bytes, size_t size) {
  if (s->status || size == 0) return;
  size_t n;
  if (s->arena)
    n = fread(bytes, size, 1, s->file);
  else
    n = fwrite(bytes, size, 1, s->file);
  bool done = n == 1;
  if (!done) s->status = HK_EIO;
  if (done) hk_sha256_add(&s->hash, bytes, size);
}

static void numbers(stream *s, const double **x, size_t n) {
  if (s->arena && !s->status && !(*x = HK_NEW_ARRAY(s->arena, double, n))) s->status = HK_ENOMEM;
  transfer(s, (double *)(uintptr_t)*x, n * sizeof **x);
}

static void interface_data(stream *s, size_t m, hk_flexible_interface *f) {
  port p = {.observed = f->observed, .second_order = f->G != NULL, .s = f->s};
  if (!s->arena) snprintf(p.name, sizeof p.name, "%s", f->name);
  transfer(s, &p, sizeof p);
  if (s->arena && !s->status) {
    p.name[sizeof p.name - 1] = '\0';
    *f = (hk_flexible_interface){.observed = p.observed, .s = p.s};
    f->name = hk_arena_strdup(s->arena, p.name);
    if (!f->name) s->status = HK_ENOMEM;
  }
  numbers(s, &f->phi, 3 * m);
  numbers(s, &f->psi, 3 * m);
  if (p.second_order) numbers(s, &f->G, 3 * m * m);
}

static bool plausible(const head *h) {
  return memcmp(h->edition, EDITION, sizeof EDITION) == 0 && h->m >= 1 &&
         h->m <= HK_FLEXIBLE_MAX_MODES && h->n_fixed >= -1 && h->n_fixed <= h->m &&
         h->n_interfaces >= 0 && h->n_interfaces <= HK_FLEXIBLE_MAX_INTERFACES;
}

static void interfaces(stream *s, hk_flexible_data *b) {
  hk_flexible_interface *f = (hk_flexible_interface *)(uintptr_t)b->interface;
  if (s->arena && !s->status) {
    f = HK_NEW_ARRAY(s->arena, hk_flexible_interface, b->n_interfaces + 1);
    b->interface = f;
    if (!f) s->status = HK_ENOMEM;
  }
  for (int i = 0; i < b->n_interfaces && !s->status; i++) interface_data(s, (size_t)b->m, &f[i]);
}

static void body(stream *s, hk_flexible_data *b) {
  head h = {.m = b->m,
            .n_fixed = b->fixed_w2 ? b->n_fixed : -1,
            .n_interfaces = b->n_interfaces,
            .stiffening = b->K != NULL,
            .mass = b->mass,
            .center = b->center,
            .J0 = b->J0};
  memcpy(h.edition, EDITION, sizeof EDITION);
  hk_sha256_begin(&s->hash);
  transfer(s, &h, sizeof h);
  if (!s->status && !plausible(&h)) s->status = HK_EINPUT;
  if (s->status) return;
  if (s->arena)
    *b = (hk_flexible_data){.m = h.m,
                            .n_fixed = h.n_fixed,
                            .n_interfaces = h.n_interfaces,
                            .mass = h.mass,
                            .center = h.center,
                            .J0 = h.J0,
                            .source = "",
                            .hash = ""};
  size_t m = (size_t)h.m;
  numbers(s, &b->w2, m);
  numbers(s, &b->J1, 9 * m);
  numbers(s, &b->J2, 9 * m * m);
  numbers(s, &b->c, 3 * m * m);
  if (h.stiffening) numbers(s, &b->K, 9 * m * m);
  if (h.n_fixed >= 0) numbers(s, &b->fixed_w2, (size_t)h.n_fixed);
  interfaces(s, b);
}

/* Writes the hash, or compares the hash in the file with the hash of the bytes that were read. */
static void seal(stream *s) {
  unsigned char sum[32], there[32];
  hk_sha256_end(&s->hash, sum);
  memcpy(there, sum, sizeof sum);
  transfer(s, there, sizeof there);
  if (!s->status && memcmp(there, sum, sizeof sum) != 0) s->status = HK_EINPUT;
}

const char *hk_flexible_packed_name(const char *folder, const char *name, const char *file,
                                    hk_arena *arena) {
  unsigned char key[32];
  char hex[33];
  hk_sha256 s;
  hk_sha256_begin(&s);
  hk_sha256_add_text(&s, name);
  hk_sha256_add_text(&s, file);
  hk_sha256_end(&s, key);
  for (int i = 0; i < 16; i++) snprintf(hex + 2 * i, 3, "%02x", key[i]);
  return hk_arena_printf(arena, "%s/body-%s", folder, hex);
}

hk_status hk_flexible_packed_write(const char *path, const hk_flexible_data *b, hk_error *err) {
  hk_new_file out;
  hk_status status = hk_new_file_open(&out, path, err);
  if (status) return status;
  stream s = {.file = out.file};
  hk_flexible_data data = *b;
  body(&s, &data);
  seal(&s);
  if (s.status) hk_fail(err, s.status, "cannot write '%s'", path);
  return hk_new_file_close(&out, s.status, err);
}

hk_status hk_flexible_packed_read(const char *path, hk_arena *arena, hk_flexible_data *b,
                                  hk_error *err) {
  stream s = {.file = hk_file_open(path), .arena = arena};
  if (!s.file) return hk_fail(err, HK_EIO, "cannot read '%s': %s", path, hk_file_trouble(errno));
  body(&s, b);
  seal(&s);
  fclose(s.file);
  if (s.status == HK_ENOMEM) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (s.status) return hk_fail(err, HK_EINPUT, "'%s' is damaged", path);
  return hk_flexible_check(b, err);
}
