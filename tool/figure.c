/* Output of figures: see figure.h. */
#define _GNU_SOURCE
#include "figure.h"
#include "base/file.h"
#include "plot/plot_terminal.h"
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* The object to draw: a figure or a matrix; the other pointer is NULL. */
typedef struct drawn {
  const hk_plot_figure *figure;
  const hk_plot_matrix *pattern;
} drawn;

static const char *format_of(const char *path) {
  const char *dot = strrchr(path, '.');
  if (dot && strcasecmp(dot, ".png") == 0) return "png";
  if (dot && strcasecmp(dot, ".pdf") == 0) return "pdf";
  return NULL;
}

static hk_status refused(const char *path, const char *why, hk_error *err) {
  return hk_fail(err, HK_EIO, "cannot write '%s': %s", path, why);
}

/* Passes the drawing through a pipe to rsvg-convert, which writes a temporary file in the target's folder; an
 * incomplete file never replaces a good one. */
static hk_status feed(const drawn *d, int fd, hk_error *err) {
  FILE *pipe = fdopen(fd, "w");
  if (!pipe) {
    close(fd);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  hk_status status = d->figure ? hk_plot_write(d->figure, pipe, err)
                               : hk_plot_pattern_write(d->pattern, pipe, err);
  fclose(pipe);
  return status;
}

static hk_status convert(const drawn *d, const char *path, const char *format, hk_error *err) {
  hk_new_file out;
  int ends[2], code = 0;
  pid_t pid;
  hk_status status = hk_new_file_open(&out, path, err);
  if (status) return status;
  if (pipe2(ends, O_CLOEXEC))
    return hk_new_file_close(&out, refused(path, strerror(errno), err), err);
  char *argv[] = {"rsvg-convert",
                  "--format",
                  (char *)(uintptr_t)format,
                  "--zoom",
                  strcmp(format, "png") == 0 ? "2" : "1",
                  "--output",
                  (char *)(uintptr_t)hk_new_file_name(&out),
                  NULL};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
  int failed = posix_spawnp(&pid, argv[0], &actions, NULL, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[0]);
  if (failed) {
    close(ends[1]);
    status = hk_fail(
        err, HK_EINPUT,
        "'%s': PNG and PDF require rsvg-convert, which is not installed (Debian: librsvg2-bin); "
        "write an .svg instead",
        path);
    return hk_new_file_close(&out, status, err);
  }
  status = feed(d, ends[1], err);
  while (waitpid(pid, &code, 0) < 0 && errno == EINTR) continue;
  if (!status && (!WIFEXITED(code) || WEXITSTATUS(code) != 0))
    status = refused(path, "rsvg-convert failed", err);
  return hk_new_file_close(&out, status, err);
}

hk_status tool_figure_check(const char *path, hk_error *err) {
  const char *dot = strrchr(path, '.');
  if (!dot || strchr(dot, '/') || format_of(path) || strcasecmp(dot, ".svg") == 0) return HK_OK;
  return hk_fail(err, HK_EINPUT, "'%s': figures are written as .svg, .png or .pdf, not as %s", path,
                 dot);
}

hk_status tool_figure_save(const hk_plot_figure *figure, const char *path, hk_error *err) {
  const char *format = format_of(path);
  if (tool_figure_check(path, err)) return HK_EINPUT;
  return format ? convert(&(drawn){.figure = figure}, path, format, err)
                : hk_plot_save(figure, path, err);
}

hk_status tool_pattern_save(const hk_plot_matrix *pattern, const char *path, hk_error *err) {
  const char *format = format_of(path);
  if (tool_figure_check(path, err)) return HK_EINPUT;
  return format ? convert(&(drawn){.pattern = pattern}, path, format, err)
                : hk_plot_pattern(pattern, path, err);
}

hk_status tool_figure_print(const hk_plot_figure *figure, hk_error *err) {
  struct winsize window = {0};
  bool terminal = isatty(STDOUT_FILENO);
  const char *columns = getenv("COLUMNS");
  long width = columns ? strtol(columns, NULL, 10) : 0;
  if (terminal && ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
    width = window.ws_col;
  if (width < 30 || width > 300) width = width > 300 ? 300 : 80;
  int height = figure->n_panels > 2 ? 9 : figure->n_panels == 2 ? 12 : 18;
  return hk_plot_terminal(figure, stdout, (int)width, height, terminal && !getenv("NO_COLOR"), err);
}
