/* hooke watch: shows a run live in the browser.
 *
 * A child runs the model and writes its results; this process serves one page on the loopback address and forwards
 * the rows of the file as events (server.h).  Without --output the results are written to a file without a name. The
 * system deletes it when both processes have ended, also after a crash. */
#define _GNU_SOURCE
#include "browser.h"
#include "command.h"
#include "load.h"
#include "report/page.h"
#include "server.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  MOST_LIVE = 200,
  ORPHAN_SECONDS = 10,
  EVENT_VALUES = 250000, /* maximum number of values in one event */
  BLOCK_VALUES = 250000, /* read at once */
  PAGE_VALUES = 6000000  /* every row is sent until the page holds this number of values */
};

typedef struct watch {
  tool_model model;
  hk_scene *scene;
  hk_bytes meshes;
  hk_channel_info *channel; /* channels that are sent; 0 is time */
  int *column;              /* columns of the channels in the results */
  int n_live;
  char *page;
  size_t page_length;
  tool_server server;
  pid_t child;
  bool ended;
  int nameless; /* descriptor of the file without a name, which both processes inherit; -1: none */
  char results[4200];
  struct stat older; /* file that had the name of the results before this run */
  bool replaces;     /* such a file existed */
  hk_results *file;
  hk_stance *pose;
} watch;

static volatile sig_atomic_t stopped;
static void on_signal(int number) { stopped = number; }

/* ---- rows ---- */

/* Rows that are sent to the page: every row until the page holds PAGE_VALUES numbers, then every
 * second one, every fourth and so on, so that a long run does not fill the browser.  Omitted rows
 * are represented by the smallest and largest value of each channel since the last row that was
 * sent. */
typedef struct sending {
  const watch *w;
  hk_bytes data;
  FILE *times;
  double *low, *high; /* [n_live] smallest and largest value since the last row that was sent */
  int64_t count;
} sending;

static void widen(sending *s, const double *row) {
  for (int i = 0; i < s->w->n_live; i++) {
    double v = row[s->w->column[i]];
    /* if one argument is NaN, the result is the other */
    s->low[i] = fmin(s->low[i], v), s->high[i] = fmax(s->high[i], v);
  }
}

static void restart(sending *s) {
  for (int i = 0; i < s->w->n_live; i++) s->low[i] = NAN, s->high[i] = NAN;
}

static void put_row(sending *s, const double *row, bool thinned) {
  const watch *w = s->w;
  fprintf(s->times, "%s%.17g", s->count++ ? "," : "", row[0]);
  for (int i = 0; i < w->n_live; i++) hk_bytes_add(&s->data, &row[w->column[i]], sizeof *row);
  if (thinned) {
    hk_bytes_add(&s->data, s->low, sizeof *s->low * (size_t)w->n_live);
    hk_bytes_add(&s->data, s->high, sizeof *s->high * (size_t)w->n_live);
  }
  hk_scene_poses(w->scene, row, w->pose);
  for (int i = 0; i < w->scene->n_bodies; i++) {
    const hk_stance *p = &w->pose[i];
    const double v[7] = {p->x.x, p->x.y, p->x.z, p->q.w, p->q.x, p->q.y, p->q.z};
    hk_bytes_add(&s->data, v, sizeof v);
  }
  restart(s);
  widen(s, row);
}

/* Adds rows from c->sent on, as many as fit into an event; the last row of the run is always sent.
 * Rows after the last one that was sent are read again for the next event.  Returns whether all
 * rows were read. */
static bool put_rows(sending *s, tool_client *c, int64_t n_rows, int64_t step, bool end) {
  int64_t at = c->sent;
  int width = hk_results_channel_count(s->w->file);
  int64_t most = EVENT_VALUES / (3 * s->w->n_live + 7 * s->w->scene->n_bodies + 1) + 1;
  int64_t size = BLOCK_VALUES / width + 1;
  double *block = malloc(sizeof *block * (size_t)width * (size_t)size);
  restart(s);
  while (block && s->count < most && at < n_rows) {
    int64_t n = n_rows - at < size ? n_rows - at : size;
    if (hk_results_read_rows(s->w->file, at, n, block, NULL)) break;
    for (int64_t k = 0; k < n && s->count < most; k++, at++) {
      const double *row = block + k * width;
      widen(s, row);
      if (at % step && !(end && at == n_rows - 1)) continue;
      put_row(s, row, step > 1);
      c->sent = at + 1;
    }
  }
  free(block);
  return at == n_rows;
}

/* Distance between the rows that are sent, after `sent` rows. */
static int64_t distance(const watch *w, int64_t sent) {
  int64_t rows = PAGE_VALUES / (3 * w->n_live + 7 * w->scene->n_bodies + 1) + 1, step = 1;
  for (int64_t end = rows; sent >= end; end += step * rows) step *= 2;
  return step;
}

static void send_event(watch *w, tool_client *c, int64_t n_rows, const char *status, bool end) {
  char *text = NULL, *times = NULL;
  size_t length, n_times;
  sending s = {.w = w, .times = open_memstream(&times, &n_times)};
  s.low = malloc(2 * sizeof *s.low * (size_t)w->n_live), s.high = s.low + w->n_live;
  FILE *out = s.low && s.times ? open_memstream(&text, &length) : NULL;
  int64_t before = c->sent, step = w->file ? distance(w, c->sent) : 1;
  bool all = !(out && w->file) || put_rows(&s, c, n_rows, step, end);
  if (s.times) fclose(s.times);
  bool nothing = !out || s.data.failed || (!end && s.count == 0);
  if (nothing) { /* if no event was sent, the next call reads these rows again */
    if (out) fclose(out);
    c->sent = before;
    free(text);
    text = NULL;
  } else {
    fprintf(out,
            "data: {\"times\": [%s], \"step\": %lld, \"row\": %lld, \"rows\": %lld, \"data\": \"",
            times, (long long)step, (long long)c->sent, (long long)n_rows);
    hk_base64(out, s.data.at, s.data.n);
    fputs("\", ", out);
    hk_json j = {.out = out};
    /* not all rows have been sent to the page yet */
    hk_json_text(&j, "status", all ? status : "running");
    fprintf(out, "%s}\n\n", end && all ? ", \"end\": true" : "");
    fclose(out);
  }
  hk_bytes_free(&s.data);
  free(times), free(s.low);
  if (text) tool_server_send(c, text, length, end && all);
}

static int find_column(const void *context, const char *name) {
  return hk_results_find(context, name);
}

static bool open_results(watch *w) {
  if (w->file) return hk_results_refresh(w->file, NULL) == HK_OK;
  struct stat now;
  if (stat(w->results, &now) != 0 ||
      (w->replaces && now.st_dev == w->older.st_dev && now.st_ino == w->older.st_ino))
    return false; /* rows of an older run are not shown */
  if (hk_results_open(w->results, &w->file, NULL)) return false;
  hk_scene_bind(w->scene, find_column, w->file);
  for (int i = 0; i < w->n_live; i++) {
    w->column[i] = hk_results_find(w->file, w->channel[i].name);
    if (w->column[i] < 0) w->column[i] = 0;
  }
  return true;
}

/* Returns whether a client received something. */
static bool send_new_rows(watch *w) {
  bool ready = open_results(w);
  int64_t n = ready ? hk_results_row_count(w->file) : 0;
  const char *status = ready ? hk_results_status(w->file) : w->ended ? "the run failed" : "running";
  bool some = false;
  for (int i = 0; i < TOOL_MOST_CLIENTS; i++) {
    tool_client *c = &w->server.client[i];
    if (!tool_server_wants(c) || (n == c->sent && !w->ended)) continue;
    int64_t before = c->sent;
    send_event(w, c, n, status, w->ended);
    some |= c->sent > before;
  }
  return some;
}

/* ---- the server ---- */

/* Serves until the run has ended and every client has received the end. The server waits a short time for a browser to
 * connect, and for a browser that does not receive anything. */
static int serve_run(watch *w, double wait) {
  bool seen = false;
  int code = 0, status;
  /* time of the end of the run, or of a later request for the page or of rows that a client received */
  double since = 0;
  while (!stopped) {
    tool_server_serve(&w->server, 100);
    for (int i = 0; i < TOOL_MOST_CLIENTS; i++) seen = seen || w->server.client[i].events;
    if (!w->ended && waitpid(w->child, &status, WNOHANG) == w->child) {
      w->ended = true;
      since = tool_seconds();
      code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_RUN_FAILED;
    }
    if (w->server.asked) since = tool_seconds(), w->server.asked = false;
    if (send_new_rows(w)) since = tool_seconds();
    if (w->ended && ((seen && tool_server_idle(&w->server)) || tool_seconds() - since > wait))
      return code;
  }
  if (!w->ended) {
    kill(w->child, SIGINT);
    waitpid(w->child, NULL, 0);
  }
  return 128 + stopped;
}

/* ---- the run ---- */

static bool child_goes_on(void *context, const hk_run_progress *now) {
  (void)context, (void)now;
  return !stopped;
}

/* Called in the child when its parent has ended.  Results to keep are closed properly after the current step, or left
 * unchanged after some seconds; without such results the child ends at once. */
static const watch *orphan;
static void on_orphan(int number) {
  if (orphan->nameless >= 0) _exit(128 + number);
  stopped = number;
  alarm(ORPHAN_SECONDS);
}

static void end_with_parent(const watch *w, pid_t parent) {
  struct sigaction action = {.sa_handler = on_orphan};
  orphan = w;
  sigemptyset(&action.sa_mask);
  sigaction(SIGUSR1, &action, NULL);
  prctl(PR_SET_PDEATHSIG, SIGUSR1);
  /* the parent may have ended before this process requested the Unix signal that reports this end */
  if (getppid() != parent) raise(SIGUSR1);
}

/* In the child: runs the model as `hooke run` does. */
static int simulate(watch *w) {
  char *text = tool_model_text(&w->model);
  hk_run_report report;
  const hk_run_options options = {.results = w->results,
                                  .progress = child_goes_on,
                                  .model_file = w->model.path,
                                  .model_text = text,
                                  .override_text = w->model.set,
                                  .n_overrides = w->model.n_set};
  int told = w->model.diag.n;
  hk_status status = hk_run(w->model.model, &options, &report, &w->model.diag);
  if (status < 0 && w->model.diag.n_errors == 0) tool_model_failed(&w->model, &report.error);
  tool_print_diag(&w->model.diag, told);
  hk_run_report_free(&report);
  free(text);
  return tool_exit_code(status);
}

/* Chooses the channels for the page: all channels of a small model, otherwise the primary ones. */
static hk_status choose_channels(watch *w, hk_error *err) {
  const hk_model *m = w->model.model;
  w->channel = calloc((size_t)m->n_channels, sizeof *w->channel);
  w->column = calloc((size_t)m->n_channels, sizeof *w->column);
  if (!w->channel || !w->column) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 0; i < m->n_channels && w->n_live < MOST_LIVE; i++) {
    const hk_channel *c = &m->channel[i];
    if (i > 0 && m->n_channels > MOST_LIVE && c->show != HK_SHOW_FIRST) continue;
    w->channel[w->n_live++] =
        (hk_channel_info){c->name, strcmp(c->unit, "1") == 0 ? "" : c->unit, c->doc};
  }
  return HK_OK;
}

static hk_status make_page(watch *w, hk_error *err) {
  char *text = tool_model_text(&w->model);
  hk_status status = hk_scene_build(w->model.model, &w->scene, err);
  if (!status) status = hk_scene_write(w->scene, &w->meshes, err);
  if (!status) w->pose = calloc((size_t)w->scene->n_bodies + 1, sizeof *w->pose);
  if (!status && !w->pose) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) {
    const hk_page_live live = {.scene = w->scene,
                               .meshes = &w->meshes,
                               .name = w->model.path,
                               .title = hk_model_title(w->model.model),
                               .model_text = text ? text : "",
                               .override_text = w->model.set,
                               .n_overrides = w->model.n_set,
                               .channel = w->channel,
                               .n_channels = w->n_live};
    hk_page_run run;
    status = hk_page_live_run(&live, &run, err);
    if (!status)
      status = hk_page_text(&(hk_page){HK_PAGE_WATCH, &run, 1, NULL, NULL}, &w->page,
                            &w->page_length, err);
    hk_page_run_free(&run);
  }
  free(text);
  return status;
}

/* Opens a file that is removed with its last descriptor; -1 with errno. On a file system without O_TMPFILE the name is
 * removed at once. */
static int open_nameless(const char *dir) {
  int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
  if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return fd;
  char path[4096];
  snprintf(path, sizeof path, "%.3000s/hooke-watch-XXXXXX", dir);
  fd = mkostemp(path, O_CLOEXEC);
  if (fd >= 0) unlink(path);
  return fd;
}

static hk_status name_results(watch *w, const char *output, hk_error *err) {
  if (output) {
    snprintf(w->results, sizeof w->results, "%s", output);
    w->replaces = stat(output, &w->older) == 0;
    return HK_OK;
  }
  const char *dir = getenv("TMPDIR");
  if (!dir || !*dir) dir = "/tmp";
  w->nameless = open_nameless(dir);
  if (w->nameless < 0)
    return hk_fail(err, HK_EIO, "cannot make a temporary file in '%s': %s", dir, strerror(errno));
  snprintf(w->results, sizeof w->results, "/proc/self/fd/%d", w->nameless);
  return HK_OK;
}

static void catch_signals(void) {
  struct sigaction action = {.sa_handler = on_signal};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  sigaction(SIGHUP, &action, NULL); /* the terminal is gone */
}

static int begin(watch *w, const tool_args *args, hk_error *err, hk_status *status) {
  *status = hk_run_check(w->model.model, &w->model.diag);
  if (!*status) *status = choose_channels(w, err);
  if (!*status) *status = make_page(w, err);
  if (!*status) *status = name_results(w, tool_value(args, "output"), err);
  if (!*status) *status = tool_server_open(&w->server, w->page, w->page_length, err);
  if (*status) return -1;
  tool_print_diag(&w->model.diag, 0);
  catch_signals();
  pid_t self = getpid();
  w->child = fork();
  if (w->child < 0) {
    *status = hk_fail(err, HK_EFAIL, "cannot start the run: %s", strerror(errno));
    return -1;
  }
  if (w->child == 0) {
    tool_server_close(&w->server);
    end_with_parent(w, self);
    _exit(simulate(w));
  }
  char once[120];
  printf("http://127.0.0.1:%u/%s/\n", w->server.port, w->server.token);
  fflush(stdout);
  snprintf(once, sizeof once, "http://127.0.0.1:%u/%s/", w->server.port, w->server.ticket);
  bool shown = !tool_flag(args, "no-browser") && tool_browse(once);
  return serve_run(w, shown || tool_flag(args, "no-browser") ? 15 : 60);
}

static int run(const tool_args *args) {
  /* static, because the struct is large and a program needs only one */
  static watch w = {.nameless = -1};
  hk_error err = {0};
  hk_status status = tool_model_load(&w.model, args);
  int code = -1;
  if (!status) code = begin(&w, args, &err, &status);
  if (status) {
    if (w.model.diag.n_errors == 0 && !w.model.diag.out_of_memory)
      tool_model_failed(&w.model, &err);
    tool_print_diag(&w.model.diag, 0);
    code = tool_exit_code(status);
  }
  tool_server_close(&w.server);
  hk_results_destroy(w.file);
  if (w.nameless >= 0) close(w.nameless);
  hk_scene_free(w.scene);
  hk_bytes_free(&w.meshes);
  free(w.channel), free(w.column), free(w.page), free(w.pose);
  tool_model_free(&w.model);
  return code;
}

static const tool_option options[] = {
    TOOL_SET_OPTION,
    {'o', "output", "FILE", "keep the results in this HDF5 file", false},
    {0, "no-browser", NULL, "only print the address", false},
};

const tool_command tool_command_watch = {
    .name = "watch",
    .arguments = "MODEL",
    .summary = "run a model and show it live in the browser",
    .text =
        "Runs the model as `hooke run` does and shows the mechanism and its curves in the browser "
        "during the run. This program serves the page on the loopback address of this machine, "
        "under an address with a random word, so that other users cannot read it. The page shows "
        "every row until it holds six million numbers, then every second row, every fourth and so "
        "on, with the smallest and largest values between; it states which rows. The program ends "
        "with the run; the page stays in the browser. `hooke report` makes a permanent page from "
        "the results.\n"
        "\n"
        "Exit status: as of `hooke run`.\n"
        "\n"
        "Examples:\n"
        "\n"
        "  hooke watch pendulum.yaml\n"
        "  hooke watch pendulum.yaml --set L=\"80 cm\" -o out.h5\n",
    TOOL_OPTIONS(options),
    .min_words = 1,
    .max_words = 1,
    .run = run,
};
