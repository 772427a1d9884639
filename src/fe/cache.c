/* Compliance tables on disk: see cache.h. */
#include "fe/cache.h"
#include "base/file.h"
#include "base/sha256.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Version of the results: must be changed with every change of the computed tables. */
static const char EDITION[] = "hooke gear compliance 2";

typedef struct head {
  char edition[32];
  unsigned char key[32];
  int32_t stations, slices, reach, spare;
} head;

typedef struct cache {
  const char *folder;
  unsigned char key[32];
  char file[1024], lock[1024], temporary[1060];
  hk_fe_report *report;
} cache;

bool hk_fe_cache_folder(char *folder, size_t size) {
  const char *own = getenv("HOOKE_CACHE"), *all = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  int n = -1;
  if (own && *own)
    n = snprintf(folder, size, "%s", own);
  else if (all && *all)
    n = snprintf(folder, size, "%s/hooke", all);
  else if (home && *home)
    n = snprintf(folder, size, "%s/.cache/hooke", home);
  return n > 0 && (size_t)n < size;
}

/* ---- name ---- */

static void add_numbers(hk_sha256 *s, const double *x, int n) {
  for (int i = 0; i < n; i++) {
    double value = x[i] == 0 ? 0 : x[i]; /* -0 is 0 */
    hk_sha256_add(s, &value, sizeof value);
  }
}

static void make_key(const hk_fe_gear *g, unsigned char key[32]) {
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

static bool make_names(cache *c, const hk_fe_gear *g) {
  char hex[33];
  make_key(g, c->key);
  for (int i = 0; i < 16; i++) snprintf(hex + 2 * i, 3, "%02x", c->key[i]);
  int n = snprintf(c->file, sizeof c->file, "%s/gear-%s", c->folder, hex);
  if (n < 0 || (size_t)n >= sizeof c->file - 16) return false;
  snprintf(c->lock, sizeof c->lock, "%s/gear-%s.lock", c->folder, hex);
  snprintf(c->temporary, sizeof c->temporary, "%s.XXXXXX", c->file);
  return true;
}

/* Creates the folder and its parents. */
static bool make_folder(const char *folder) {
  char path[1024];
  size_t n = strlen(folder);
  if (n == 0 || n >= sizeof path) {
    errno = ENAMETOOLONG;
    return false;
  }
  memcpy(path, folder, n + 1);
  for (size_t i = 1; i <= n; i++) {
    if (path[i] != '/' && path[i] != 0) continue;
    char end = path[i];
    path[i] = 0;
    if (mkdir(path, 0777) != 0 && errno != EEXIST) return false;
    path[i] = end;
  }
  return true;
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

static head make_head(const cache *c, const hk_fe_gear *g) {
  head h = {.stations = g->stations, .slices = g->slices, .reach = g->reach};
  memcpy(h.edition, EDITION, sizeof EDITION);
  memcpy(h.key, c->key, sizeof h.key);
  return h;
}

/* Returns false if the file does not exist or is damaged. */
static bool read_file(const cache *c, const hk_fe_gear *g, hk_arena *arena,
                      hk_gear_compliance *out) {
  FILE *f = hk_file_open(c->file);
  if (!f) return false;
  head wanted = make_head(c, g), h;
  size_t n = hk_gear_compliance_size(g->stations, g->slices, g->reach),
         stations = (size_t)g->stations;
  unsigned char written[32], computed[32];
  bool ok = fread(&h, sizeof h, 1, f) == 1 && memcmp(&h, &wanted, sizeof h) == 0;
  double *roll = ok ? HK_NEW_ARRAY(arena, double, stations) : NULL;
  double *table = ok ? HK_NEW_ARRAY(arena, double, n) : NULL;
  ok = roll && table && fread(roll, sizeof *roll, stations, f) == stations &&
       fread(table, sizeof *table, n, f) == n && fread(written, sizeof written, 1, f) == 1;
  fclose(f);
  if (!ok) return false;
  digest(&h, roll, table, computed);
  *out = (hk_gear_compliance){g->stations, g->slices, g->reach, roll, table};
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

static bool write_file(cache *c, const hk_fe_gear *g, const hk_gear_compliance *table) {
  int fd = mkstemp(c->temporary);
  if (fd < 0) return false;
  head h = make_head(c, g);
  unsigned char hash[32];
  digest(&h, table->roll, table->c, hash);
  bool ok = write_all(fd, &h, sizeof h) &&
            write_all(fd, table->roll, sizeof(double) * (size_t)h.stations) &&
            write_all(fd, table->c,
                      sizeof(double) * hk_gear_compliance_size(h.stations, h.slices, h.reach)) &&
            write_all(fd, hash, sizeof hash) && fchmod(fd, 0644) == 0;
  int why = errno;
  ok = close(fd) == 0 && ok && rename(c->temporary, c->file) == 0;
  if (ok) return true;
  if (!why) why = errno;
  unlink(c->temporary);
  errno = why;
  return false;
}

/* Waits until no other process computes this gear. The holder removes the lock file, so it may
 * have been deleted while waiting: then the lock is requested again. -1: no lock is available;
 * the only consequence is that a gear may be computed twice. */
static int take_lock(const cache *c) {
  for (;;) {
    struct stat held, named;
    int fd = open(c->lock, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0) return -1;
    while (flock(fd, LOCK_EX) != 0)
      if (errno != EINTR) {
        close(fd);
        return -1;
      }
    if (fstat(fd, &held) == 0 && stat(c->lock, &named) == 0 && held.st_ino == named.st_ino &&
        held.st_dev == named.st_dev)
      return fd;
    close(fd);
  }
}

static void warn(cache *c, const char *what) {
  snprintf(c->report->warning, sizeof c->report->warning,
           "the compliance of the gear is not stored: cannot %s '%.200s': %s (set HOOKE_CACHE to "
           "use another folder)",
           what, c->folder, strerror(errno));
}

hk_status hk_fe_gear_cached(const hk_fe_gear *g, const char *folder, hk_arena *arena,
                            const hk_fe_progress *progress, hk_gear_compliance *out,
                            hk_fe_report *report, hk_error *err) {
  cache c = {.folder = folder, .report = report};
  *report = (hk_fe_report){0};
  if (!folder || g->stations < 2 || g->slices < 1 || g->reach < 0 || !make_names(&c, g))
    return hk_fe_gear_solve(g, arena, progress, out, err);
  report->from_cache = read_file(&c, g, arena, out);
  if (report->from_cache) return HK_OK;
  bool there = make_folder(folder);
  if (!there) warn(&c, "create the folder");
  int lock = there ? take_lock(&c) : -1;
  report->from_cache =
      lock >= 0 && read_file(&c, g, arena, out); /* written by the process that held the lock */
  hk_status status = report->from_cache ? HK_OK : hk_fe_gear_solve(g, arena, progress, out, err);
  if (!status && there && !report->from_cache && !write_file(&c, g, out))
    warn(&c, "write to the folder");
  if (lock >= 0) {
    unlink(c.lock);
    close(lock);
  }
  return status;
}
