/* Running FMUs: see host.h.
 *
 * By default the code of an FMU runs in a separate process, so that a crash or an endless loop of
 * the FMU leads to an error message. The two processes exchange data blocks over a socket: the program sends numbered
 * requests, and the other process sends answers. Before an answer, the other process may also send messages of the
 * FMU. */
#include "import/host.h"
#include "import/archive.h"
#include "import/folder.h"
#include <errno.h>
#include <math.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_MESSAGES = 10, MESSAGE = 300 };

typedef struct partner {
  const hk_fmu_plan *plan;
  hk_private_folder folder;
  hk_slave *slave; /* instance of the FMU in this process; NULL: the FMU runs in another process */
  pid_t process;   /* 0: no process, or it has ended */
  int socket;
  double t; /* time of the last call, for messages */
  size_t state_size;
  double *request;                      /* scratch of a step */
  char message[MOST_MESSAGES][MESSAGE]; /* distinct ones */
  int n_messages, more;
} partner;

/* ---- messages ---- */

static void keep_message(void *context, const char *text) {
  partner *p = context;
  for (int i = 0; i < p->n_messages; i++)
    if (strncmp(p->message[i], text, MESSAGE - 1) == 0) return;
  if (p->n_messages == MOST_MESSAGES) {
    p->more++;
    return;
  }
  snprintf(p->message[p->n_messages++], MESSAGE, "%s", text);
}

static void messages(void *context, hk_coupling_tell *tell, void *to) {
  partner *p = context;
  char text[MESSAGE + 100];
  for (int i = 0; i < p->n_messages; i++) {
    snprintf(text, sizeof text, "fmu '%.60s' reports: %s", p->plan->name, p->message[i]);
    tell(to, text);
  }
  if (p->more) {
    snprintf(text, sizeof text, "fmu '%.60s' reports %d more messages", p->plan->name, p->more);
    tell(to, text);
  }
  p->n_messages = p->more = 0;
}

/* Adds "fmu 'motor': " before the error message, and the location in the model file. */
static hk_status blame(const partner *p, hk_status status, hk_error *err) {
  if (!status || !err) return status;
  char text[sizeof err->text];
  snprintf(text, sizeof text, "%s", err->text);
  hk_fail(err, status, "fmu '%s': %s", p->plan->name, text);
  hk_error_about(err, p->plan->name, p->t, -1);
  return status;
}

/* ---- frames ---- */

enum {
  REQUEST_SETTLE,
  REQUEST_LAST,
  REQUEST_STEP,
  REQUEST_SIZE,
  REQUEST_SAVE,
  REQUEST_RESTORE,
  REQUEST_QUIT,
  ANSWER,
  MESSAGE_TEXT
};

typedef struct frame {
  uint32_t kind;
  int32_t status;
  uint64_t size;
} frame;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool send_all(int to, const void *bytes, size_t n) {
  for (const char *at = bytes; n > 0;) {
    ssize_t sent = send(to, at, n, MSG_NOSIGNAL);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    n -= (size_t)sent;
  }
  return true;
}

typedef enum got { GOT_ALL, GOT_END, GOT_LATE } got;

/* Receives n bytes. until: time of the clock at which waiting ends; INFINITY: no limit. */
static got receive(int from, void *bytes, size_t n, double until) {
  for (char *at = bytes; n > 0;) {
    if (until < INFINITY) {
      struct pollfd p = {.fd = from, .events = POLLIN};
      double left = until - now();
      int ready = left > 0 ? poll(&p, 1, (int)fmin(1e9, ceil(1e3 * left))) : 0;
      if (ready < 0 && errno == EINTR) continue;
      if (ready == 0) return GOT_LATE;
    }
    ssize_t read = recv(from, at, n, 0);
    if (read < 0 && errno == EINTR) continue;
    if (read <= 0) return GOT_END;
    at += read;
    n -= (size_t)read;
  }
  return GOT_ALL;
}

static bool put_frame(int to, uint32_t kind, hk_status status, const void *bytes, size_t size) {
  const frame f = {kind, (int32_t)status, size};
  return send_all(to, &f, sizeof f) && (size == 0 || send_all(to, bytes, size));
}

/* ---- the other process ---- */

static void send_message(void *context, const char *text) {
  const int *to = context;
  put_frame(*to, MESSAGE_TEXT, HK_OK, text, strlen(text));
}

static bool answer(int to, hk_status status, const hk_error *err, const void *bytes, size_t size) {
  return status ? put_frame(to, ANSWER, status, err->text, strlen(err->text))
                : put_frame(to, ANSWER, status, bytes, size);
}

/* Handles one request; returns false after the last request. */
static bool serve(hk_slave *s, const hk_fmu_plan *plan, int socket, const frame *f, double *in,
                  double *y) {
  hk_error err = {0};
  hk_status status;
  size_t size = 0;
  const int n = plan->n_inputs;
  switch (f->kind) {
    case REQUEST_SETTLE:
    case REQUEST_LAST:
      status = hk_slave_settle(s, in, f->kind == REQUEST_LAST, y, &err);
      return answer(socket, status, &err, y, (size_t)plan->n_outputs * sizeof *y);
    case REQUEST_STEP:
      status = hk_slave_step(s, in[0], in[1], in + 2, in + 2 + n, y, &err);
      return answer(socket, status, &err, y, (size_t)plan->n_outputs * sizeof *y);
    case REQUEST_SIZE:
      status = hk_slave_state_size(s, &size, &err);
      return answer(socket, status, &err, &size, sizeof size);
    case REQUEST_SAVE:
      memcpy(&size, in, sizeof size);
      char *bytes = malloc(size + 1);
      status =
          bytes ? hk_slave_save(s, bytes, size, &err) : hk_fail(&err, HK_ENOMEM, "out of memory");
      bool sent = answer(socket, status, &err, bytes, size);
      free(bytes);
      return sent;
    case REQUEST_RESTORE:
      status = hk_slave_restore(s, in, f->size, &err);
      return answer(socket, status, &err, NULL, 0);
    default:
      return false;
  }
}

static _Noreturn void run_slave(const hk_fmu_plan *plan, const char *folder, double t, int socket) {
  hk_error err = {0};
  hk_slave *s = NULL;
  size_t room = (size_t)(2 * plan->n_inputs + 2) * sizeof(double);
  double *y = malloc((size_t)(plan->n_outputs + 1) * sizeof *y), *in = malloc(room);
  hk_status status = y && in ? hk_slave_open(plan, folder, t, send_message, &socket, &s, &err)
                             : hk_fail(&err, HK_ENOMEM, "out of memory");
  bool goes_on = answer(socket, status, &err, NULL, 0) && !status;
  for (frame f; goes_on && receive(socket, &f, sizeof f, INFINITY) == GOT_ALL;) {
    if (f.size > room) {
      free(in);
      in = malloc(room = f.size);
    }
    goes_on =
        in && receive(socket, in, f.size, INFINITY) == GOT_ALL && serve(s, plan, socket, &f, in, y);
  }
  hk_slave_close(s);
  _exit(0);
}

/* ---- calls ---- */

/* Waits for the end of the other process, or ends it, and reports the failure. */
static hk_status lost(partner *p, got why, const char *what, hk_error *err) {
  int how = 0;
  if (why == GOT_LATE) kill(p->process, SIGKILL);
  while (waitpid(p->process, &how, 0) < 0 && errno == EINTR) continue;
  p->process = 0;
  hk_private_folder_entrust(&p->folder, 0);
  if (why == GOT_LATE)
    return hk_fail(err, HK_EFAIL, "%s took more than %g s (time_limit) and was ended", what,
                   p->plan->time_limit);
  if (WIFSIGNALED(how))
    return hk_fail(err, HK_EFAIL, "its code crashed in %s: %s", what, strsignal(WTERMSIG(how)));
  return hk_fail(err, HK_EFAIL, "its code ended the process in %s, with status %d", what,
                 WIFEXITED(how) ? WEXITSTATUS(how) : -1);
}

/* Receives the answer to a request, `size` bytes, into `out`. */
static hk_status await(partner *p, const char *what, void *out, size_t size, hk_error *err) {
  double until = now() + p->plan->time_limit;
  for (;;) {
    frame f;
    char text[sizeof((hk_error *)NULL)->text];
    got g = receive(p->socket, &f, sizeof f, until);
    bool is_text = g == GOT_ALL && (f.kind == MESSAGE_TEXT || f.status);
    if (g == GOT_ALL && f.size > (is_text ? sizeof text - 1 : size)) {
      /* the answer is invalid: the code of the FMU has written to the socket between the two
       * processes, so that all later data are invalid too */
      g = GOT_LATE;
    } else if (g == GOT_ALL) {
      g = receive(p->socket, is_text ? text : out, f.size, until);
    }
    if (g != GOT_ALL) return lost(p, g, what, err);
    if (is_text) text[f.size] = '\0';
    if (f.kind == MESSAGE_TEXT)
      keep_message(p, text);
    else
      return f.status ? hk_fail(err, (hk_status)f.status, "%s", text) : HK_OK;
  }
}

static hk_status call(partner *p, uint32_t kind, const char *what, const void *in, size_t in_size,
                      void *out, size_t out_size, hk_error *err) {
  if (!p->process) return hk_fail(err, HK_EFAIL, "it no longer runs because of an earlier failure");
  if (!put_frame(p->socket, kind, HK_OK, in, in_size)) return lost(p, GOT_END, what, err);
  return await(p, what, out, out_size, err);
}

static hk_status start_process(partner *p, double t, hk_error *err) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends))
    return hk_fail(err, HK_EIO, "no connection can be made: %s", strerror(errno));
  pid_t child = fork();
  if (child == 0) {
    hk_forked_begin(ends[1]);
    run_slave(p->plan, p->folder.path, t, ends[1]);
  }
  close(ends[1]);
  p->socket = ends[0];
  if (child < 0) return hk_fail(err, HK_EIO, "no process can be started: %s", strerror(errno));
  p->process = child;
  hk_private_folder_entrust(&p->folder, child);
  return await(p, "its start", NULL, 0, err);
}

static void close_partner(void *context) {
  partner *p = context;
  if (!p) return;
  hk_slave_close(p->slave);
  if (p->process) {
    char none;
    put_frame(p->socket, REQUEST_QUIT, HK_OK, NULL, 0);
    /* The other process closes its end of the socket when it has freed the instance. */
    double until = now() + p->plan->time_limit;
    while (receive(p->socket, &none, 1, until) == GOT_ALL) continue;
    if (now() >= until) kill(p->process, SIGKILL);
    while (waitpid(p->process, NULL, 0) < 0 && errno == EINTR) continue;
    hk_private_folder_entrust(&p->folder, 0);
  }
  if (p->socket >= 0) close(p->socket);
  hk_private_folder_remove(&p->folder);
  free(p->request);
  free(p);
}

/* ---- the file ---- */

hk_status hk_fmu_read_archive(const hk_archive *a, hk_arena *arena, hk_fmu_description *out,
                              hk_error *err) {
  const hk_archive_entry *e = hk_archive_find(a, "modelDescription.xml");
  unsigned char *text = NULL;
  hk_error why = {0};
  if (!e) return hk_fail(err, HK_EINPUT, "it has no modelDescription.xml: it is not an FMU");
  hk_status status = hk_archive_read(a, e, &text, err);
  if (status) return status;
  status = hk_fmu_description_read((char *)text, e->size, arena, out, &why);
  free(text);
  return status ? hk_fail(err, status, "modelDescription.xml: %s", why.text) : HK_OK;
}

/* Lists the folders of binaries in the archive, for a message. */
static void list_platforms(const hk_archive *a, char *out, size_t size) {
  char last[80] = "";
  out[0] = '\0';
  for (int i = 0; i < a->n; i++) {
    char name[80];
    if (sscanf(a->entry[i].name, "binaries/%79[^/]/", name) != 1 || strcmp(name, last) == 0)
      continue;
    size_t used = strlen(out);
    snprintf(out + used, size - used, "%s%s", used ? ", " : "", name);
    snprintf(last, sizeof last, "%s", name);
  }
}

hk_status hk_fmu_read(const char *path, hk_arena *arena, hk_fmu_description *out, hk_error *err) {
  hk_archive a;
  char binary[600], platforms[300];
  hk_status status = hk_archive_open(&a, path, err);
  if (!status) status = hk_fmu_read_archive(&a, arena, out, err);
  if (!status && out->needs_tool)
    status =
        hk_fail(err, HK_EINPUT, "it needs the program that made it to run (needsExecutionTool)");
  if (!status) {
    hk_fmu_binary_path(out, binary, sizeof binary);
    if (!hk_archive_find(&a, binary)) {
      list_platforms(&a, platforms, sizeof platforms);
      status =
          hk_fail(err, HK_EINPUT, "it has no binary for this platform, %s; it has binaries for: %s",
                  binary, platforms[0] ? platforms : "none");
    }
  }
  hk_archive_close(&a);
  return status;
}

static hk_status check_permission(const partner *p, hk_error *err) {
  if (p->plan->native) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "'%s' contains a program, which runs only with your permission: if you trust it, "
                 "use `hooke --allow-native COMMAND ...`, or in Python allow_native=True",
                 p->plan->path);
}

/* The file may have changed since the model was read. */
static hk_status unpack(partner *p, hk_error *err) {
  hk_archive a;
  hk_arena arena;
  hk_fmu_description d;
  char binary[600];
  hk_arena_init(&arena);
  hk_status status = hk_archive_open(&a, p->plan->path, err);
  if (!status) status = hk_fmu_read_archive(&a, &arena, &d, err);
  if (!status && (strcmp(d.token, p->plan->description.token) != 0 ||
                  strcmp(d.identifier, p->plan->description.identifier) != 0))
    status = hk_fail(err, HK_EINPUT, "'%s' was changed since the model was read", p->plan->path);
  if (!status) status = hk_private_folder_make(&p->folder, err);
  if (!status) status = hk_archive_unpack(&a, "resources/", p->folder.path, err);
  if (!status) {
    hk_fmu_binary_path(&p->plan->description, binary, sizeof binary);
    *(strrchr(binary, '/') + 1) = '\0';
    status = hk_archive_unpack(&a, binary, p->folder.path, err);
  }
  hk_archive_close(&a);
  hk_arena_free(&arena);
  return status;
}

/* ---- the coupling ---- */

static hk_status find_state_size(partner *p, hk_error *err) {
  return p->slave ? hk_slave_state_size(p->slave, &p->state_size, err)
                  : call(p, REQUEST_SIZE, "saving its state", NULL, 0, &p->state_size,
                         sizeof p->state_size, err);
}

/* Message of a failure before the first step: the cause is the model or the FMU. */
static hk_status blame_start(const partner *p, hk_status status, hk_error *err) {
  return blame(p, status && status != HK_ENOMEM ? HK_EINPUT : status, err);
}

static hk_status open_partner(const hk_coupling *c, double t, void **out, hk_error *err) {
  partner *p = calloc(1, sizeof *p);
  *out = NULL;
  if (!p) return hk_fail(err, HK_ENOMEM, "out of memory");
  p->plan = c->data;
  p->folder.pipe = p->socket = -1;
  p->t = t;
  p->request = malloc((size_t)(2 * p->plan->n_inputs + 2) * sizeof *p->request);
  hk_status status =
      p->request ? check_permission(p, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) status = unpack(p, err);
  if (!status)
    status = p->plan->in_process
                 ? hk_slave_open(p->plan, p->folder.path, t, keep_message, p, &p->slave, err)
                 : start_process(p, t, err);
  if (status) {
    status = blame_start(p, status, err);
    close_partner(p);
    return status;
  }
  *out = p;
  return HK_OK;
}

static hk_status settle(void *context, const double *u, bool last, double *y, hk_error *err) {
  partner *p = context;
  hk_status status = p->slave ? hk_slave_settle(p->slave, u, last, y, err)
                              : call(p, last ? REQUEST_LAST : REQUEST_SETTLE, "its initialisation",
                                     u, (size_t)p->plan->n_inputs * sizeof *u, y,
                                     (size_t)p->plan->n_outputs * sizeof *y, err);
  if (!status && last) status = find_state_size(p, err);
  return blame_start(p, status, err);
}

static hk_status step(void *context, double t, double h, const double *u, const double *next,
                      double *y, hk_error *err) {
  partner *p = context;
  const int n = p->plan->n_inputs;
  hk_status status;
  p->t = t;
  if (p->slave) {
    status = hk_slave_step(p->slave, t, h, u, next, y, err);
  } else {
    char what[100];
    snprintf(what, sizeof what, "its step from t = %.9g s to %.9g s", t, t + h);
    size_t size = (size_t)(2 * n + 2) * sizeof(double);
    double *in = p->request;
    in[0] = t;
    in[1] = h;
    if (n) memcpy(in + 2, u, (size_t)n * sizeof *u);
    if (n) memcpy(in + 2 + n, next, (size_t)n * sizeof *next);
    status = call(p, REQUEST_STEP, what, in, size, y, (size_t)p->plan->n_outputs * sizeof *y, err);
  }
  return blame(p, status && status != HK_ENOMEM ? HK_EFAIL : status, err);
}

static size_t state_size(void *context) { return ((partner *)context)->state_size; }

static hk_status save(void *context, void *bytes, size_t size, hk_error *err) {
  partner *p = context;
  return blame(
      p,
      p->slave ? hk_slave_save(p->slave, bytes, size, err)
               : call(p, REQUEST_SAVE, "saving its state", &size, sizeof size, bytes, size, err),
      err);
}

static hk_status restore(void *context, const void *bytes, size_t size, hk_error *err) {
  partner *p = context;
  return blame(p,
               p->slave
                   ? hk_slave_restore(p->slave, bytes, size, err)
                   : call(p, REQUEST_RESTORE, "returning to a state", bytes, size, NULL, 0, err),
               err);
}

const hk_coupling_ops hk_fmu_coupling = {.open = open_partner,
                                         .settle = settle,
                                         .step = step,
                                         .state_size = state_size,
                                         .save = save,
                                         .restore = restore,
                                         .messages = messages,
                                         .close = close_partner};
