/* Private folders: see folder.h. */
#include "import/folder.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void hk_forked_begin(int kept) {
  static const int USUAL[] = {SIGSEGV, SIGBUS, SIGFPE, SIGABRT, SIGILL, SIGTERM, SIGALRM};
  const struct rlimit none = {0, 0};
  for (size_t i = 0; i < sizeof USUAL / sizeof *USUAL; i++) signal(USUAL[i], SIG_DFL);
  signal(SIGINT, SIG_IGN); /* interrupts are handled by the main program only */
  signal(SIGQUIT, SIG_IGN);
  signal(SIGPIPE, SIG_IGN);
  setrlimit(RLIMIT_CORE, &none);
  int third = kept > STDERR_FILENO ? kept : STDERR_FILENO;
  for (int f = 0; f < third; f++)
    if (f != kept && f != STDERR_FILENO) close(f);
  closefrom(third + 1);
  /* The output of this process must not be mixed with the output of hooke. */
  int nothing = open("/dev/null", O_RDONLY);
  if (nothing > STDIN_FILENO && kept != STDIN_FILENO) dup2(nothing, STDIN_FILENO);
  if (kept != STDOUT_FILENO) dup2(STDERR_FILENO, STDOUT_FILENO);
}

/* Removes all files below a folder, without following links. */
static void empty_folder(int parent, const char *name, int depth) {
  enum { MOST = 200 };
  int f = openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  DIR *d = f >= 0 ? fdopendir(f) : NULL;
  if (!d) {
    if (f >= 0) close(f);
    return;
  }
  for (const struct dirent *e; (e = readdir(d));) {
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (unlinkat(f, e->d_name, 0) == 0 || depth == MOST) continue;
    fchmodat(f, e->d_name, 0700, 0);
    empty_folder(f, e->d_name, depth + 1);
    unlinkat(f, e->d_name, AT_REMOVEDIR);
  }
  closedir(d);
}

static void remove_folder(const char *path) {
  empty_folder(AT_FDCWD, path, 0);
  rmdir(path);
}

static _Noreturn void guard(const char *path, int end) {
  pid_t process = 0, said;
  signal(SIGTERM, SIG_IGN);
  signal(SIGHUP, SIG_IGN);
  for (;;) {
    ssize_t n = read(end, &said, sizeof said);
    if (n == (ssize_t)sizeof said)
      process = said;
    else if (!(n < 0 && errno == EINTR))
      break;
  }
  if (process > 0) kill(process, SIGKILL);
  remove_folder(path);
  _exit(0);
}

hk_status hk_private_folder_make(hk_private_folder *f, hk_error *err) {
  const char *place = getenv("TMPDIR");
  int ends[2];
  *f = (hk_private_folder){.pipe = -1};
  if (!place || place[0] != '/' || strlen(place) > 120) place = "/tmp";
  snprintf(f->path, sizeof f->path, "%s/hooke-import-XXXXXX", place);
  if (!mkdtemp(f->path)) {
    hk_fail(err, HK_EIO, "no folder can be made in '%s': %s", place, strerror(errno));
    f->path[0] = '\0';
    return HK_EIO;
  }
  if (pipe(ends)) {
    remove_folder(f->path);
    f->path[0] = '\0';
    return hk_fail(err, HK_EIO, "no pipe can be made: %s", strerror(errno));
  }
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) {
    hk_forked_begin(ends[0]);
    guard(f->path, ends[0]);
  }
  close(ends[0]);
  if (child < 0) {
    close(ends[1]);
    remove_folder(f->path);
    f->path[0] = '\0';
    return hk_fail(err, HK_EIO, "no process can be started: %s", strerror(errno));
  }
  f->guardian = child;
  f->pipe = ends[1];
  return HK_OK;
}

void hk_private_folder_entrust(hk_private_folder *f, pid_t process) {
  if (f->guardian <= 0) return;
  /* Writing to a pipe without a reader would raise the Unix signal SIGPIPE; the guardian process reads until the pipe
   * is closed. */
  ssize_t n;
  do n = write(f->pipe, &process, sizeof process);
  while (n < 0 && errno == EINTR);
}

void hk_private_folder_remove(hk_private_folder *f) {
  if (f->guardian <= 0) return;
  close(f->pipe);
  while (waitpid(f->guardian, NULL, 0) < 0 && errno == EINTR) continue;
  *f = (hk_private_folder){.pipe = -1};
}
