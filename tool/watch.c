/* hooke watch: a run live in the browser.
 *
 * A child runs the model and writes its results; this process serves one page on the loopback
 * address and hands the rows of the file on as server-sent events [WHATWG HTML, 9.2].  The address
 * holds a random word: who does not know it gets nothing.  Other hosts' names in the request are
 * refused, so that no page elsewhere can read along.
 */
#define _GNU_SOURCE
#include "browser.h"
#include "command.h"
#include "load.h"
#include "report/page.h"
#include <arpa/inet.h>
#include <errno.h>
#include <math.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_CLIENTS = 8, REQUEST = 4096, MOST_ROWS = 2000, MOST_LIVE = 200, TOKEN = 32 };

typedef struct client {
  int fd;
  char request[REQUEST];
  size_t n;
  bool events;  /* gets rows */
  int64_t sent; /* rows */
} client;

typedef struct watch {
  tool_model model;
  hk_scene *scene;
  hk_bytes meshes;
  hk_channel_info *channel; /* those that are sent; 0 is time */
  int *column;              /* in the results */
  int n_live;
  char *page;
  size_t page_length;
  int listener;
  unsigned port;
  char token[TOKEN + 1];
  client clients[MOST_CLIENTS];
  pid_t child;
  bool ended;
  bool asked; /* for the page, since last looked: its browser will ask for the rows */
  char results[4096];
  bool keep; /* the results were asked for */
  hk_results *file;
  hk_stance *pose;
} watch;

static volatile sig_atomic_t stopped;
static void on_signal(int number) { stopped = number; }

/* ---- answers ---- */

static bool send_all(int fd, const void *data, size_t n) {
  const char *at = data;
  while (n > 0) {
    ssize_t k = send(fd, at, n, MSG_NOSIGNAL);
    if (k < 0 && errno == EINTR) continue;
    if (k <= 0) return false;
    at += k, n -= (size_t)k;
  }
  return true;
}

static void drop(client *c) {
  if (c->fd >= 0) close(c->fd);
  *c = (client){.fd = -1};
}

static void answer(client *c, const char *status, const char *type, const char *body, size_t n) {
  char head[400];
  int k = snprintf(
      head, sizeof head,
      "HTTP/1.1 %s\r\nContent-Type: %s\r\nContent-Length: %zu\r\nCache-Control: no-store\r\n"
      "X-Content-Type-Options: nosniff\r\nReferrer-Policy: no-referrer\r\nConnection: "
      "close\r\n\r\n",
      status, type, n);
  if (send_all(c->fd, head, (size_t)k)) send_all(c->fd, body, n);
  drop(c);
}

static void begin_events(client *c) {
  static const char head[] =
      "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: "
      "no-store\r\nConnection: close\r\n\r\n";
  c->events = send_all(c->fd, head, sizeof head - 1);
  if (!c->events) drop(c);
}

/* Is the request meant for this address? */
static bool own_host(const watch *w, const char *request) {
  char wanted[2][80];
  const char *host = strcasestr(request, "\r\nHost:");
  if (!host) return false;
  host += 7;
  while (*host == ' ') host++;
  size_t n = strcspn(host, "\r\n");
  snprintf(wanted[0], sizeof wanted[0], "127.0.0.1:%u", w->port);
  snprintf(wanted[1], sizeof wanted[1], "localhost:%u", w->port);
  for (int i = 0; i < 2; i++)
    if (strlen(wanted[i]) == n && strncasecmp(host, wanted[i], n) == 0) return true;
  return false;
}

static void serve(watch *w, client *c) {
  char page[80], events[80];
  snprintf(page, sizeof page, "GET /%s/ HTTP/1.", w->token);
  snprintf(events, sizeof events, "GET /%s/events HTTP/1.", w->token);
  if (own_host(w, c->request) && strncmp(c->request, page, strlen(page)) == 0) {
    w->asked = true;
    answer(c, "200 OK", "text/html; charset=utf-8", w->page, w->page_length);
  } else if (own_host(w, c->request) && strncmp(c->request, events, strlen(events)) == 0)
    begin_events(c);
  else
    answer(c, "404 Not Found", "text/plain", "no such page\n", 13);
}

static void read_request(watch *w, client *c) {
  ssize_t k = recv(c->fd, c->request + c->n, REQUEST - 1 - c->n, 0);
  if (k <= 0) {
    drop(c);
    return;
  }
  if (c->events) return; /* nothing more is asked */
  c->n += (size_t)k;
  c->request[c->n] = 0;
  if (strstr(c->request, "\r\n\r\n"))
    serve(w, c);
  else if (c->n == REQUEST - 1)
    drop(c);
}

/* ---- rows ---- */

static void put_rows(FILE *out, watch *w, const double *rows, int64_t count) {
  int width = hk_results_n_channels(w->file), nb = w->scene->n_bodies;
  hk_bytes data = {0};
  fputs("{\"times\": [", out);
  for (int64_t k = 0; k < count; k++) {
    const double *row = rows + k * width;
    fprintf(out, "%s%.9g", k ? "," : "", row[0]);
    for (int i = 0; i < w->n_live; i++) {
      float v = (float)row[w->column[i]];
      hk_bytes_add(&data, &v, sizeof v);
    }
    hk_scene_poses(w->scene, row, w->pose);
    for (int i = 0; i < nb; i++) {
      const hk_stance *p = &w->pose[i];
      const float v[7] = {(float)p->x.x, (float)p->x.y, (float)p->x.z, (float)p->q.w,
                          (float)p->q.x, (float)p->q.y, (float)p->q.z};
      hk_bytes_add(&data, v, sizeof v);
    }
  }
  fputs("], \"data\": \"", out);
  hk_base64(out, data.at, data.n);
  fputs("\", ", out);
  hk_bytes_free(&data);
}

/* Rows from c->sent on; at most MOST_ROWS of them, evenly picked where there are more. */
static void send_event(watch *w, client *c, int64_t n_rows, const char *status, bool end) {
  char *text = NULL;
  size_t length;
  int64_t step = (n_rows - c->sent + MOST_ROWS - 1) / MOST_ROWS, count = 0;
  int width = w->file ? hk_results_n_channels(w->file) : 0;
  if (step < 1) step = 1;
  double *rows = malloc(sizeof *rows * MOST_ROWS * (size_t)(width + 1));
  FILE *out = rows ? open_memstream(&text, &length) : NULL;
  if (!out) {
    free(rows);
    drop(c);
    return;
  }
  for (int64_t k = c->sent; w->file && k < n_rows && count < MOST_ROWS; k += step, count++)
    if (hk_results_read_rows(w->file, k, 1, rows + count * width, NULL)) break;
  fputs("data: ", out);
  if (count)
    put_rows(out, w, rows, count);
  else
    fputs("{\"times\": [], \"data\": \"\", ", out);
  hk_json j = {.out = out};
  hk_json_text(&j, "status", status);
  fprintf(out, "%s}\n\n", end ? ", \"end\": true" : "");
  fclose(out);
  c->sent = n_rows;
  if (!send_all(c->fd, text, length)) drop(c);
  free(text);
  free(rows);
}

static int find_column(const void *context, const char *name) {
  return hk_results_find(context, name);
}

static bool open_results(watch *w) {
  if (w->file) return hk_results_refresh(w->file, NULL) == HK_OK;
  if (access(w->results, R_OK) || hk_results_open(w->results, &w->file, NULL)) return false;
  hk_scene_bind(w->scene, find_column, w->file);
  for (int i = 0; i < w->n_live; i++) {
    w->column[i] = hk_results_find(w->file, w->channel[i].name);
    if (w->column[i] < 0) w->column[i] = 0;
  }
  return true;
}

static void send_new_rows(watch *w) {
  bool ready = open_results(w);
  int64_t n = ready ? hk_results_n_rows(w->file) : 0;
  const char *status = ready ? hk_results_status(w->file) : w->ended ? "the run failed" : "running";
  for (int i = 0; i < MOST_CLIENTS; i++) {
    client *c = &w->clients[i];
    if (c->fd < 0 || !c->events || (n == c->sent && !w->ended)) continue;
    send_event(w, c, n, status, w->ended);
    if (w->ended && c->fd >= 0) drop(c), w->clients[i].sent = -1;
  }
}

/* ---- the server ---- */

static hk_status listen_here(watch *w, hk_error *err) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr = {htonl(INADDR_LOOPBACK)}};
  socklen_t size = sizeof at;
  unsigned char secret[TOKEN / 2];
  if (getrandom(secret, sizeof secret, 0) != (ssize_t)sizeof secret)
    return hk_fail(err, HK_EFAIL, "there are no random numbers: %s", strerror(errno));
  for (int i = 0; i < TOKEN / 2; i++) snprintf(w->token + 2 * i, 3, "%02x", secret[i]);
  w->listener = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (w->listener < 0 || bind(w->listener, (struct sockaddr *)&at, sizeof at) ||
      listen(w->listener, 8) || getsockname(w->listener, (struct sockaddr *)&at, &size))
    return hk_fail(err, HK_EIO, "cannot listen on the loopback address: %s", strerror(errno));
  w->port = ntohs(at.sin_port);
  return HK_OK;
}

static void take_client(watch *w) {
  int fd = accept4(w->listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0) return;
  for (int i = 0; i < MOST_CLIENTS; i++)
    if (w->clients[i].fd < 0) {
      w->clients[i] = (client){.fd = fd};
      return;
    }
  close(fd);
}

static bool any_client(const watch *w) {
  for (int i = 0; i < MOST_CLIENTS; i++)
    if (w->clients[i].fd >= 0) return true;
  return false;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Until the run has ended and everyone has been told; a run that nobody looks at waits a little for
 * a browser. */
static int serve_run(watch *w, double wait) {
  bool seen = false;
  int code = 0;
  double since = 0; /* the end of the run, or when the page was asked for after it */
  while (!stopped) {
    struct pollfd fds[MOST_CLIENTS + 1] = {{.fd = w->listener, .events = POLLIN}};
    for (int i = 0; i < MOST_CLIENTS; i++)
      fds[i + 1] = (struct pollfd){.fd = w->clients[i].fd, .events = POLLIN};
    if (poll(fds, MOST_CLIENTS + 1, 100) > 0) {
      if (fds[0].revents) take_client(w);
      for (int i = 0; i < MOST_CLIENTS; i++)
        if (fds[i + 1].fd >= 0 && fds[i + 1].revents && w->clients[i].fd == fds[i + 1].fd)
          read_request(w, &w->clients[i]);
    }
    for (int i = 0; i < MOST_CLIENTS; i++) seen = seen || w->clients[i].events;
    int status;
    if (!w->ended && waitpid(w->child, &status, WNOHANG) == w->child) {
      w->ended = true;
      since = seconds();
      code = WIFEXITED(status) ? WEXITSTATUS(status) : EXIT_RUN_FAILED;
    }
    if (w->asked) since = seconds(), w->asked = false;
    send_new_rows(w);
    if (w->ended && ((seen && !any_client(w)) || seconds() - since > wait)) return code;
  }
  kill(w->child, SIGINT);
  waitpid(w->child, NULL, 0);
  return 128 + stopped;
}

/* ---- the run ---- */

static bool child_goes_on(void *context, const hk_run_progress *now) {
  (void)context, (void)now;
  return !stopped;
}

/* In the child: the run as `hooke run` does it. */
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
  tool_print_diag(&w->model.diag, told);
  if (status < 0 && w->model.diag.n_errors == 0) tool_error("%s", report.error.text);
  hk_run_report_free(&report);
  free(text);
  return tool_exit_code(status);
}

/* Which channels the page gets: all of a small model, else those that are worth showing first. */
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
    if (!status) status = hk_page_text(HK_PAGE_WATCH, &run, 1, &w->page, &w->page_length, err);
    hk_page_run_free(&run);
  }
  free(text);
  return status;
}

static hk_status name_results(watch *w, const char *output, hk_error *err) {
  w->keep = output != NULL;
  if (output) {
    snprintf(w->results, sizeof w->results, "%s", output);
    unlink(output); /* else rows of an older run would be shown until this one has begun */
    return HK_OK;
  }
  const char *dir = getenv("TMPDIR");
  snprintf(w->results, sizeof w->results, "%.3000s/hooke-watch-%ld.h5", dir && *dir ? dir : "/tmp",
           (long)getpid());
  (void)err;
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
  if (!*status) *status = listen_here(w, err);
  if (*status) return -1;
  tool_print_diag(&w->model.diag, 0);
  catch_signals();
  w->child = fork();
  if (w->child < 0) {
    *status = hk_fail(err, HK_EFAIL, "cannot start the run: %s", strerror(errno));
    return -1;
  }
  if (w->child == 0) {
    close(w->listener);
    _exit(simulate(w));
  }
  char address[120];
  snprintf(address, sizeof address, "http://127.0.0.1:%u/%s/", w->port, w->token);
  printf("%s\n", address);
  fflush(stdout);
  bool shown = !tool_flag(args, "no-browser") && tool_browse(address);
  return serve_run(w, shown || tool_flag(args, "no-browser") ? 15 : 60);
}

static int run(const tool_args *args) {
  static watch w; /* large, and one per program */
  hk_error err = {0};
  w.listener = -1;
  for (int i = 0; i < MOST_CLIENTS; i++) w.clients[i].fd = -1;
  hk_status status = tool_model_load(&w.model, args);
  int code = -1;
  if (!status) code = begin(&w, args, &err, &status);
  if (status) {
    if (w.model.diag.n_errors == 0 && !w.model.diag.out_of_memory)
      hk_diag_add(&w.model.diag, HK_ERROR, &(hk_place){w.model.path, 0, 0}, "%s", err.text);
    tool_print_diag(&w.model.diag, 0);
    code = tool_exit_code(status);
  }
  for (int i = 0; i < MOST_CLIENTS; i++) drop(&w.clients[i]);
  if (w.listener >= 0) close(w.listener);
  hk_results_free(w.file);
  if (!w.keep && w.results[0]) unlink(w.results);
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
        "while the "
        "run goes on. The page comes from this program, on the loopback address of this machine, "
        "under an "
        "address with a random word in it; nobody else can read it. The program ends with the run: "
        "what was "
        "shown stays in the browser. `hooke report` makes a page to keep from the results.\n"
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
