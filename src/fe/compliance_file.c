/* A compliance table as a file: see compliance_file.h. */
#include "fe/compliance_file.h"
#include "base/file.h"
#include "base/sha256.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Version of the results: must be changed with every change of the computed tables. */
static const char EDITION[] = "hooke gear compliance 3";

typedef struct head {
  char edition[32];
  unsigned char key[32];
  int32_t stations, slices, reach, spare;
} head;

/* ---- keys and names ---- */

static void add_numbers(hk_sha256 *s, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    double value = x[i] == 0 ? 0 : x[i]; /* -0 is 0 */
    hk_sha256_add(s, &value, sizeof value);
  }
}

void hk_fe_gear_key(const hk_fe_gear *g, unsigned char key[HK_TABLE_KEY]) {
  const hk_fe_body *b = &g->body;
  const hk_fe_tooth *t = &b->tooth;
  const hk_fe_density *d = &g->density;
  const double number[] = {t->teeth,          t->base_radius,   t->tip_radius,
                           t->root_radius,    t->half_angle,    t->reference_radius,
                           t->pressure_angle, t->corner_radius, b->face_width,
                           b->twist,          b->bore_radius,   b->web_thickness,
                           b->web_inner,      b->web_outer,     b->youngs_modulus,
                           b->poisson_ratio,  b->kind,          g->slices,
                           g->stations,       g->reach,         g->roll_first,
                           g->roll_last,      d->across,        d->up,
                           d->land,           d->rim,           d->along,
                           d->growth,         t->ring};
  hk_sha256 s;
  hk_sha256_begin(&s);
  hk_sha256_add_text(&s, EDITION);
  add_numbers(&s, number, (int)(sizeof number / sizeof *number));
  if (d->column) add_numbers(&s, d->column, d->across + 1);
  if (d->row) add_numbers(&s, d->row, d->up + 1);
  hk_sha256_end(&s, key);
}

void hk_gear_file_key(const char *gear_pair, int gear, const char *file,
                      unsigned char key[HK_TABLE_KEY]) {
  hk_sha256 s;
  hk_sha256_begin(&s);
  hk_sha256_add_text(&s, "compliance from a file");
  hk_sha256_add_text(&s, gear_pair);
  hk_sha256_add_text(&s, gear ? "b" : "a");
  hk_sha256_add_text(&s, file);
  hk_sha256_end(&s, key);
}

bool hk_gear_table_name(const char *folder, const unsigned char key[HK_TABLE_KEY], char *name,
                        size_t size) {
  char hex[33];
  for (int i = 0; i < 16; i++) snprintf(hex + 2 * i, 3, "%02x", key[i]);
  int n = snprintf(name, size, "%s/gear-%s", folder, hex);
  return n > 0 && (size_t)n < size;
}

/* ---- files ---- */

static void digest(const head *h, const double *roll, const double *c, unsigned char out[32]) {
  hk_sha256 s;
  hk_sha256_begin(&s);
  hk_sha256_add(&s, h, sizeof *h);
  hk_sha256_add(&s, roll, sizeof *roll * (size_t)h->stations);
  hk_sha256_add(&s, c, sizeof *c * hk_gear_compliance_size(h->stations, h->slices, h->reach));
  hk_sha256_end(&s, out);
}

static head make_head(const unsigned char key[HK_TABLE_KEY], int stations, int slices, int reach) {
  head h = {.stations = stations, .slices = slices, .reach = reach};
  memcpy(h.edition, EDITION, sizeof EDITION);
  memcpy(h.key, key, sizeof h.key);
  return h;
}

static bool is_table(const head *h, const unsigned char key[HK_TABLE_KEY]) {
  head wanted = make_head(key, h->stations, h->slices, h->reach);
  return memcmp(h, &wanted, sizeof wanted) == 0 && h->stations >= 2 &&
         h->stations <= HK_GEAR_MAX_STATIONS && h->slices >= 1 && h->slices <= HK_GEAR_MAX_SLICES &&
         h->reach >= 0 && h->reach <= HK_GEAR_MAX_REACH;
}

bool hk_gear_table_read(const char *name, const unsigned char key[HK_TABLE_KEY], hk_arena *arena,
                        hk_gear_compliance *out) {
  FILE *f = hk_file_open(name);
  if (!f) return false;
  head h;
  unsigned char written[32], computed[32];
  bool ok = fread(&h, sizeof h, 1, f) == 1 && is_table(&h, key);
  size_t stations = ok ? (size_t)h.stations : 0,
         n = ok ? hk_gear_compliance_size(h.stations, h.slices, h.reach) : 0;
  double *roll = ok ? HK_NEW_ARRAY(arena, double, stations) : NULL;
  double *table = ok ? HK_NEW_ARRAY(arena, double, n) : NULL;
  ok = roll && table && fread(roll, sizeof *roll, stations, f) == stations &&
       fread(table, sizeof *table, n, f) == n && fread(written, sizeof written, 1, f) == 1;
  fclose(f);
  if (!ok) return false;
  digest(&h, roll, table, computed);
  *out = (hk_gear_compliance){h.stations, h.slices, h.reach, roll, table};
  return memcmp(written, computed, sizeof written) == 0;
}

static bool write_all(int fd, const void *bytes, size_t n) {
  const char *at = bytes;
  while (n > 0) {
    ssize_t done = write(fd, at, n);
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return false;
    at += done, n -= (size_t)done;
  }
  return true;
}

bool hk_gear_table_write(const char *name, const unsigned char key[HK_TABLE_KEY],
                         const hk_gear_compliance *table) {
  char temporary[1060];
  int n = snprintf(temporary, sizeof temporary, "%s.XXXXXX", name);
  if (n < 0 || (size_t)n >= sizeof temporary) {
    errno = ENAMETOOLONG;
    return false;
  }
  int fd = mkstemp(temporary);
  if (fd < 0) return false;
  head h = make_head(key, table->stations, table->slices, table->reach);
  unsigned char hash[32];
  digest(&h, table->roll, table->c, hash);
  bool ok = write_all(fd, &h, sizeof h) &&
            write_all(fd, table->roll, sizeof(double) * (size_t)h.stations) &&
            write_all(fd, table->c,
                      sizeof(double) * hk_gear_compliance_size(h.stations, h.slices, h.reach)) &&
            write_all(fd, hash, sizeof hash) && fchmod(fd, 0644) == 0;
  int why = errno;
  ok = close(fd) == 0 && ok && rename(temporary, name) == 0;
  if (ok) return true;
  if (!why) why = errno;
  unlink(temporary);
  errno = why;
  return false;
}
