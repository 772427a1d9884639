/* Opens a page in the user's browser: see browser.h. */
#define _GNU_SOURCE
#include "browser.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

hk_status tool_temporary_page(const char *stem, char *buf, hk_error *err) {
  const char *dir = getenv("TMPDIR");
  const char *slash = strrchr(stem, '/'), *name = slash ? slash + 1 : stem;
  snprintf(buf, 4096, "%.3000s/hooke-%.200s-XXXXXX.html", dir && *dir ? dir : "/tmp", name);
  int fd = mkstemps(buf, 5);
  if (fd < 0) return hk_fail(err, HK_EIO, "cannot write '%s': %s", buf, strerror(errno));
  close(fd);
  return HK_OK;
}

/* Starts a program without a shell, so that the name of a file is never executed. */
static bool start(const char *program, const char *what) {
  pid_t pid;
  char *argv[] = {(char *)(uintptr_t)program, (char *)(uintptr_t)what, NULL};
  posix_spawn_file_actions_t quiet;
  if (posix_spawn_file_actions_init(&quiet)) return false;
  posix_spawn_file_actions_addopen(&quiet, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_addopen(&quiet, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  bool ok = posix_spawnp(&pid, program, &quiet, NULL, argv, environ) == 0;
  posix_spawn_file_actions_destroy(&quiet);
  if (!ok) return false;
  /* Waits a short time: xdg-open returns at once, but a browser may keep running. */
  for (int i = 0; i < 20; i++) {
    int code;
    pid_t done = waitpid(pid, &code, WNOHANG);
    if (done == pid) return WIFEXITED(code) && WEXITSTATUS(code) == 0;
    usleep(50000);
  }
  return true;
}

bool tool_browse(const char *what) {
  const char *browser = getenv("BROWSER");
  if (browser && *browser) return start(browser, what);
  return start("xdg-open", what);
}
