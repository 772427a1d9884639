/* A pool of forked processes: see fork_pool.h. */
#include "study/fork_pool.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST_JOBS = 256, POLL_MS = 100 };

/* Memory shared by all processes. */
typedef struct shared {
  atomic_int next; /* next item */
  atomic_bool stop;
  atomic_int doing[MOST_JOBS]; /* number of the item that each process works on, plus 1; 0: none */
} shared;

typedef struct frame {
  int tag; /* kind of message; < 0: the process failed, and the bytes are an hk_error */
  size_t size;
} frame;

struct hk_pool_link {
  const hk_pool_task *task;
  shared *all; /* pipe to the process; NULL: the work is done in the calling process */
  int fd;
  bool stop;
};

typedef struct worker {
  pid_t pid; /* 0: none */
  int fd;
  char *bytes; /* received but not processed */
  size_t n, room;
} worker;

/* ---- in the worker ---- */

static bool send_all(int fd, const void *bytes, size_t size) {
  for (const char *at = bytes; size > 0;) {
    ssize_t n = write(fd, at, size);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += n;
    size -= (size_t)n;
  }
  return true;
}

hk_status hk_pool_emit(hk_pool_link *link, int tag, const void *bytes, size_t size, hk_error *err) {
  if (!link->all) return link->task->take(link->task->context, tag, bytes, size, err);
  const frame head = {tag, size};
  if (send_all(link->fd, &head, sizeof head) && send_all(link->fd, bytes, size)) return HK_OK;
  return hk_fail(err, HK_EIO, "the process that requested results has ended");
}

bool hk_pool_stopped(hk_pool_link *link) {
  const hk_pool_task *t = link->task;
  if (link->all) return atomic_load_explicit(&link->all->stop, memory_order_relaxed);
  if (t->go_on && !t->go_on(t->context)) link->stop = true;
  return link->stop;
}

static void serve(const hk_pool_task *task, shared *all, int number, int fd) {
  hk_pool_link link = {.task = task, .all = all, .fd = fd};
  hk_error err = {0};
  /* Ctrl-C is sent to the whole process group, but the calling process decides how to proceed. The pipe closes when
   * that process ends. */
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  while (!hk_pool_stopped(&link)) {
    int item = atomic_fetch_add(&all->next, 1);
    if (item >= task->n) break;
    atomic_store(&all->doing[number], item + 1);
    hk_status status = task->work(task->context, item, &link, &err);
    if (status < 0) {
      err.code = status;
      hk_pool_emit(&link, -1, &err, sizeof err, NULL);
      _exit(1);
    }
    atomic_store(&all->doing[number], 0);
  }
  _exit(0);
}

/* ---- in the caller ---- */

static hk_status start(const hk_pool_task *task, shared *all, worker *w, int n, int number,
                       hk_error *err) {
  int fd[2];
  if (pipe(fd)) return hk_fail(err, HK_EFAIL, "cannot create a pipe: %s", strerror(errno));
  atomic_store(&all->doing[number], 0);
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    close(fd[0]);
    for (int i = 0; i < n; i++)
      if (w[i].pid) close(w[i].fd);
    serve(task, all, number, fd[1]);
  }
  close(fd[1]);
  if (pid < 0) {
    close(fd[0]);
    return hk_fail(err, HK_EFAIL, "cannot start a process: %s", strerror(errno));
  }
  w[number].pid = pid;
  w[number].fd = fd[0];
  w[number].n = 0;
  return HK_OK;
}

static hk_status take_frames(const hk_pool_task *task, worker *w, hk_error *err) {
  size_t at = 0;
  hk_status status = HK_OK;
  while (!status && w->n - at >= sizeof(frame)) {
    frame head;
    memcpy(&head, w->bytes + at, sizeof head);
    if (w->n - at - sizeof head < head.size) break;
    const char *bytes = w->bytes + at + sizeof head;
    if (head.tag >= 0) {
      status = task->take(task->context, head.tag, bytes, head.size, err);
    } else {
      hk_error why;
      memcpy(&why, bytes, sizeof why);
      status = hk_fail(err, why.code, "%s", why.text);
    }
    at += sizeof head + head.size;
  }
  memmove(w->bytes, w->bytes + at, w->n - at);
  w->n -= at;
  return status;
}

static void bury(const hk_pool_task *task, const shared *all, worker *w, int number) {
  int code = 0, item = atomic_load(&all->doing[number]) - 1;
  char why[80];
  close(w->fd);
  while (waitpid(w->pid, &code, 0) < 0 && errno == EINTR)
    ;
  w->pid = 0;
  if (item < 0 || !task->lost) return;
  if (WIFSIGNALED(code))
    snprintf(why, sizeof why, "its process was ended by signal %d", WTERMSIG(code));
  else
    snprintf(why, sizeof why, "its process ended with code %d", WEXITSTATUS(code));
  task->lost(task->context, item, why);
}

/* Reads from one worker; removes the worker after its last message. */
static hk_status listen_to(const hk_pool_task *task, const shared *all, worker *w, int number,
                           hk_error *err) {
  enum { PIECE = 1 << 16 };
  if (w->room - w->n < PIECE) {
    size_t room = 2 * w->room + PIECE;
    char *grown = realloc(w->bytes, room);
    if (!grown) return hk_fail(err, HK_ENOMEM, "out of memory");
    w->bytes = grown;
    w->room = room;
  }
  ssize_t got = read(w->fd, w->bytes + w->n, w->room - w->n);
  if (got < 0 && (errno == EINTR || errno == EAGAIN)) return HK_OK;
  if (got <= 0) {
    bury(task, all, w, number);
    return HK_OK;
  }
  w->n += (size_t)got;
  return take_frames(task, w, err);
}

static int alive(const worker *w, int n) {
  int count = 0;
  for (int i = 0; i < n; i++) count += w[i].pid != 0;
  return count;
}

static hk_status supervise(const hk_pool_task *task, shared *all, worker *w, int jobs,
                           hk_error *err) {
  hk_status status = HK_OK;
  while (!status) {
    struct pollfd fd[MOST_JOBS];
    bool stop = atomic_load(&all->stop);
    for (int i = 0; i < jobs && !status; i++) {
      /* Replaces a worker that has died while there is work. */
      if (!w[i].pid && !stop && atomic_load(&all->next) < task->n)
        status = start(task, all, w, jobs, i, err);
      fd[i] = (struct pollfd){.fd = w[i].pid ? w[i].fd : -1, .events = POLLIN};
    }
    if (status || alive(w, jobs) == 0) break;
    if (poll(fd, (nfds_t)jobs, POLL_MS) < 0 && errno != EINTR)
      status = hk_fail(err, HK_EFAIL, "cannot wait for processes: %s", strerror(errno));
    for (int i = 0; i < jobs && !status; i++)
      if (fd[i].fd >= 0 && fd[i].revents) status = listen_to(task, all, &w[i], i, err);
    if (task->go_on && !task->go_on(task->context)) atomic_store(&all->stop, true);
  }
  return status;
}

static hk_status run_here(const hk_pool_task *task, hk_error *err) {
  hk_pool_link link = {.task = task};
  hk_status status = HK_OK;
  for (int i = 0; i < task->n && !status && !hk_pool_stopped(&link); i++)
    status = task->work(task->context, i, &link, err);
  return status < 0 ? status : link.stop ? HK_STOPPED : HK_OK;
}

hk_status hk_fork_pool_run(const hk_pool_task *task, hk_error *err) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  long jobs = task->jobs > 0 ? task->jobs : processors;
  if (jobs > task->n) jobs = task->n;
  if (jobs > MOST_JOBS) jobs = MOST_JOBS;
  if (jobs <= 1) return run_here(task, err);
  shared *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  worker *w = calloc((size_t)jobs, sizeof *w);
  if (all == MAP_FAILED || !w) {
    free(w);
    if (all != MAP_FAILED) munmap(all, sizeof *all);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  hk_status status = supervise(task, all, w, (int)jobs, err);
  for (int i = 0; i < jobs; i++) {
    if (w[i].pid) { /* workers remain only after a failure */
      kill(w[i].pid, SIGTERM);
      atomic_store(&all->doing[i], 0);
      bury(task, all, &w[i], i);
    }
    free(w[i].bytes);
  }
  bool stopped = atomic_load(&all->stop);
  munmap(all, sizeof *all);
  free(w);
  return status ? status : stopped ? HK_STOPPED : HK_OK;
}
