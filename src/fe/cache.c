/* Compliance tables on disk: see cache.h. */
#include "fe/cache.h"
#include "fe/compliance_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct cache {
  const char *folder;
  unsigned char key[32];
  char file[1024], lock[1040];
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

/* ---- files ---- */

static bool make_names(cache *c, const hk_fe_gear *g) {
  hk_fe_gear_key(g, c->key);
  if (!hk_gear_table_name(c->folder, c->key, c->file, sizeof c->file - 16)) return false;
  snprintf(c->lock, sizeof c->lock, "%s.lock", c->file);
  return true;
}

/* Returns true if the cache may hold this table: a table that does not pass is computed anew each time. */
static bool is_sound(const hk_gear_compliance *table) {
  hk_error why = {0};
  return hk_gear_compliance_check(table, &why) == HK_OK;
}

static bool read_file(const cache *c, const hk_fe_gear *g, hk_arena *arena,
                      hk_gear_compliance *out) {
  return hk_gear_table_read(c->file, c->key, arena, out) && out->stations == g->stations &&
         out->slices == g->slices && out->reach == g->reach && is_sound(out);
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

/* Waits until no other process computes this gear. The process that holds the lock removes the
 * lock file. If the file was removed while waiting, the lock is requested again. Returns -1 if
 * no lock is available; the only consequence is that a gear may be computed twice. */
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
      /* the process that held the lock has written the table */
      lock >= 0 && read_file(&c, g, arena, out);
  hk_status status = report->from_cache ? HK_OK : hk_fe_gear_solve(g, arena, progress, out, err);
  if (!status && there && !report->from_cache && is_sound(out) &&
      !hk_gear_table_write(c.file, c.key, out))
    warn(&c, "write to the folder");
  if (lock >= 0) {
    unlink(c.lock);
    close(lock);
  }
  return status;
}
