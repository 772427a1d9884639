/* See results_lock.h. */
#define _GNU_SOURCE /* renameat2 */
#include "io/results_lock.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Another writer that is about to rename holds the lock of the old file for some microseconds. */
enum { ATTEMPTS = 25, PAUSE_NANOSECONDS = 2000000 };

/* The lock lies behind all bytes of the file, so that no other program's is met. */
static struct flock lock_of(short type) {
  return (struct flock){.l_type = type, .l_whence = SEEK_SET, .l_start = INT64_MAX / 2, .l_len = 1};
}

static bool lock(int fd) {
  struct flock l = lock_of(F_WRLCK);
  return fcntl(fd, F_OFD_SETLK, &l) == 0;
}

void hk_results_lock(int fd) { (void)!lock(fd); }

bool hk_results_is_locked(const char *path) {
  struct flock l = lock_of(F_WRLCK);
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool busy = fd >= 0 && fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
  if (fd >= 0) close(fd);
  return busy;
}

/* A link's text is read from the folder that the link lies in. */
static char *beside(const char *link, const char *text) {
  const char *slash = strrchr(link, '/');
  size_t folder = slash && text[0] != '/' ? (size_t)(slash - link) + 1 : 0;
  char *path = malloc(folder + strlen(text) + 1);
  if (!path) return NULL;
  memcpy(path, link, folder);
  strcpy(path + folder, text);
  return path;
}

char *hk_results_follow(const char *path) {
  enum { MOST_LINKS = 40 };
  char *here = strdup(path), text[PATH_MAX];
  for (int i = 0; here && i < MOST_LINKS; i++) {
    ssize_t n = readlink(here, text, sizeof text - 1);
    if (n < 0) return here; /* not a link, or nothing at all */
    text[n] = 0;
    char *next = beside(here, text);
    free(here);
    here = next;
  }
  errno = here ? ELOOP : ENOMEM;
  free(here);
  return NULL;
}

/* A name that nobody has.  File systems that cannot rename so may know links; others get what they can. */
static hk_name_taken take_free_name(const char *temporary, const char *path) {
  if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0) return HK_NAME_OURS;
  if (errno == EEXIST) return HK_NAME_BUSY;
  if (errno != EINVAL && errno != ENOSYS) return HK_NAME_FAILED;
  if (link(temporary, path) == 0) {
    unlink(temporary);
    return HK_NAME_OURS;
  }
  if (errno == EEXIST) return HK_NAME_BUSY;
  return rename(temporary, path) == 0 ? HK_NAME_OURS : HK_NAME_FAILED;
}

/* A name that the open file has, or had when it was opened. */
static hk_name_taken take_used_name(int old, const char *temporary, const char *path) {
  struct stat opened, named;
  errno = 0;
  if (!lock(old) && (errno == EAGAIN || errno == EACCES)) return HK_NAME_BUSY;
  if (fstat(old, &opened) != 0 || stat(path, &named) != 0 || opened.st_ino != named.st_ino ||
      opened.st_dev != named.st_dev)
    return HK_NAME_BUSY;
  return rename(temporary, path) == 0 ? HK_NAME_OURS : HK_NAME_FAILED;
}

hk_name_taken hk_results_take_name(const char *temporary, const char *path) {
  static const struct timespec pause = {0, PAUSE_NANOSECONDS};
  hk_name_taken taken = HK_NAME_BUSY;
  for (int i = 0; i < ATTEMPTS && taken == HK_NAME_BUSY; i++) {
    if (i) nanosleep(&pause, NULL);
    int old = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (old >= 0)
      taken = take_used_name(old, temporary, path);
    else
      taken = errno == ENOENT ? take_free_name(temporary, path) : HK_NAME_FAILED;
    int why = errno;
    if (old >= 0) close(old);
    errno = why;
  }
  return taken;
}
