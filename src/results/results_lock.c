/* See results_lock.h. */
#define _GNU_SOURCE /* renameat2 */
#include "results/results_lock.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Maximum number of attempts: an attempt fails if another writer takes the name during the
 * check. */
enum { ATTEMPTS = 25 };

/* The states of a file that locks represent, each by a locked byte. These bytes are beyond the
 * end of any file, so they do not interfere with locks of other programs. */
typedef enum lock_byte { IS_WRITTEN, NAME_IS_TAKEN } lock_byte;

static struct flock lock_of(lock_byte byte) {
  return (struct flock){
      .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = INT64_MAX / 2 + (int)byte, .l_len = 1};
}

void hk_results_lock(int fd) {
  struct flock l = lock_of(IS_WRITTEN);
  (void)!fcntl(fd, F_OFD_SETLK, &l);
}

bool hk_results_is_written(int fd) {
  struct flock l = lock_of(IS_WRITTEN);
  return fcntl(fd, F_OFD_GETLK, &l) == 0 && l.l_type != F_UNLCK;
}

bool hk_results_is_locked(const char *path) {
  int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  bool busy = fd >= 0 && hk_results_is_written(fd);
  if (fd >= 0) close(fd);
  return busy;
}

/* Result of one attempt to get a name. TRY_AGAIN: the name has changed to another file during the attempt. */
typedef enum name_try { TRY_AGAIN, TRY_OURS, TRY_BUSY, TRY_FAILED } name_try;

/* Takes a name that does not exist.  If the file system does not support exclusive renames, links are used; otherwise
 * a plain rename. */
static name_try take_free_name(const char *temporary, const char *path) {
  if (renameat2(AT_FDCWD, temporary, AT_FDCWD, path, RENAME_NOREPLACE) == 0) return TRY_OURS;
  if (errno == EEXIST) return TRY_AGAIN;
  if (errno != EINVAL && errno != ENOSYS) return TRY_FAILED;
  if (link(temporary, path) == 0) {
    unlink(temporary);
    return TRY_OURS;
  }
  if (errno == EEXIST) return TRY_AGAIN;
  return rename(temporary, path) == 0 ? TRY_OURS : TRY_FAILED;
}

/* Gives the new file `temporary` the name `path` of an existing file, which is open as `old`. First waits for the lock
 * of the old file: another writer that is replacing this file holds the lock for some microseconds, or longer if it
 * has to wait for a processor. If `path` names another file afterwards, the caller tries again. */
static name_try take_used_name(int old, const char *temporary, const char *path) {
  struct stat opened, named;
  struct flock l = lock_of(NAME_IS_TAKEN);
  while (fcntl(old, F_OFD_SETLKW, &l) != 0 && errno == EINTR) continue;
  if (fstat(old, &opened) != 0 || stat(path, &named) != 0 || opened.st_ino != named.st_ino ||
      opened.st_dev != named.st_dev)
    return TRY_AGAIN;
  if (hk_results_is_written(old)) return TRY_BUSY;
  return rename(temporary, path) == 0 ? TRY_OURS : TRY_FAILED;
}

hk_name_taken hk_results_take_name(const char *temporary, const char *path) {
  name_try taken = TRY_AGAIN;
  for (int i = 0; i < ATTEMPTS && taken == TRY_AGAIN; i++) {
    int old = open(path, O_RDWR | O_CLOEXEC | O_NONBLOCK);
    if (old >= 0)
      taken = take_used_name(old, temporary, path);
    else
      taken = errno == ENOENT ? take_free_name(temporary, path) : TRY_FAILED;
    int why = errno;
    if (old >= 0) close(old);
    errno = why;
  }
  return taken == TRY_OURS ? HK_NAME_OURS : taken == TRY_FAILED ? HK_NAME_FAILED : HK_NAME_BUSY;
}
