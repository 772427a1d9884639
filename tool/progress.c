/* The progress line of a run: simulated time, step size, Newton iterations, remaining time; also for other work. */
#include "progress.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static const double FIRST_AFTER = 0.2, REDRAW_EVERY = 0.1; /* wall seconds */

/* Waiting time before the first line if lines cannot be overwritten; each later line waits twice as long. */
static const double FIRST_LINE_AFTER = 10;
enum { STEPS_UNTIMED = 64 }; /* number of steps between readings of the clock */

static double wall_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void tool_progress_begin(tool_progress *p, bool quiet) {
  const char *term = getenv("TERM");
  bool dumb = term && strcmp(term, "dumb") == 0;
  bool shown = !quiet && !dumb && isatty(STDERR_FILENO);
  *p = (tool_progress){.shown = shown, .told = !quiet && !shown, .began = wall_seconds()};
  p->next = p->began + FIRST_LINE_AFTER;
  p->last = p->began + FIRST_AFTER - REDRAW_EVERY;
}

static void format_duration(double s, char *buf, size_t size) {
  if (!(s < 360000))
    snprintf(buf, size, "> 100 h");
  else if (s < 60)
    snprintf(buf, size, "%.0f s", s);
  else if (s < 3600)
    snprintf(buf, size, "%d:%02d min", (int)s / 60, (int)s % 60);
  else
    snprintf(buf, size, "%d:%02d h", (int)s / 3600, (int)s / 60 % 60);
}

/* Returns true if a new line is due; then *wall is the time. */
static bool is_due(tool_progress *p, double *wall) {
  *wall = p->shown ? wall_seconds() : 0;
  if (!p->shown || *wall - p->last < REDRAW_EVERY) return false;
  p->last = *wall;
  return true;
}

static void format_left(const tool_progress *p, double wall, double part, char *buf, size_t size) {
  format_duration(part > 0 ? (wall - p->began) * (1 - part) / part : INFINITY, buf, size);
}

/* Characters of a line; the last column stays free. */
static int columns_of_line(void) {
  struct winsize window = {0};
  bool known = ioctl(STDERR_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0;
  return (known ? window.ws_col : 80) - 1;
}

/* Draws the text of `length` characters after a bar, which takes the remaining width. */
static void draw_line(tool_progress *p, double part, const char *text, int length) {
  enum { MOST = 30 };
  char bar[MOST + 1];
  int columns = columns_of_line(), size = columns - length - 2;
  size = size < 0 ? 0 : size > MOST ? MOST : size;
  memset(bar, '.', (size_t)size);
  memset(bar, '#', (size_t)(part * size));
  bar[size] = '\0';
  fprintf(stderr, "\r%s%s%s%.*s\033[K", size ? "[" : "", bar, size ? "]" : "", columns, text);
  fflush(stderr);
  p->drawn = true;
}

/* Prints a line; if the steps of a run become ever shorter, the remaining time cannot be estimated
 * from the progress. */
static void tell_line(tool_progress *p, const hk_run_progress *now) {
  if (!p->told || now->steps % STEPS_UNTIMED) return;
  double wall = wall_seconds();
  if (wall < p->next) return;
  double part = (now->t - now->start) / (now->end - now->start),
         by_step = (now->end - now->t) / now->step;
  double per_step = (wall - p->began) / fmax(1, (double)now->steps);
  char after[32], left[32];
  format_duration(wall - p->began, after, sizeof after);
  format_duration(
      fmax(by_step * per_step, part > 0 ? (wall - p->began) * (1 - part) / part : INFINITY), left,
      sizeof left);
  char who[400];
  bool known = now->sim && hk_sim_step_limit_text(now->sim, who, sizeof who) > 0;
  fprintf(stderr,
          "after %s: t = %.6g of %.6g s, %ld steps, the last of %.2g s, kept short by %s%s%s%s; "
          "about %s left\n",
          after, now->t, now->end, now->steps, now->step, now->limit, known ? " (" : "",
          known ? who : "", known ? ")" : "", left);
  fflush(stderr);
  p->next = p->began + 2 * (wall - p->began);
}

void tool_progress_draw(tool_progress *p, const hk_run_progress *now) {
  double wall;
  tell_line(p, now);
  if (!is_due(p, &wall)) return;
  double part = fmin(1, (now->t - now->start) / (now->end - now->start));
  double newton = now->steps > p->steps
                      ? (double)(now->newton - p->newton) / (double)(now->steps - p->steps)
                      : 0;
  p->newton = now->newton;
  p->steps = now->steps;
  char remaining[32], iterations[40] = "", text[160];
  format_left(p, wall, part, remaining, sizeof remaining);
  /* All numbers have a fixed width, so that the bar keeps its length. */
  enum { WIDE = 100 };
  if (columns_of_line() >= WIDE)
    snprintf(iterations, sizeof iterations, "  %4.1f Newton/step", newton);
  int length = snprintf(text, sizeof text, " %3.0f %%  t %9.4g of %.4g s  h %.1e s%s  %9s left",
                        100 * part, now->t, now->end, now->step, iterations, remaining);
  draw_line(p, part, text, length);
}

void tool_progress_work(void *progress, const char *what, double done) {
  tool_progress *p = progress;
  double wall;
  if (done <= p->done) p->began = wall_seconds(); /* something new */
  p->done = done;
  if (done >= 1) {
    tool_progress_end(p);
    return;
  }
  if (!is_due(p, &wall)) return;
  char remaining[32], text[160];
  format_left(p, wall, done, remaining, sizeof remaining);
  int length =
      snprintf(text, sizeof text, " %3.0f %%  %.80s  %s left", 100 * done, what, remaining);
  draw_line(p, done, text, length);
}

void tool_progress_end(tool_progress *p) {
  if (!p->drawn) return;
  fputs("\r\033[K", stderr);
  fflush(stderr);
  p->drawn = false;
}
