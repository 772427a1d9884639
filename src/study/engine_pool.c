/* Worker processes on one machine: see engine.h. */
#include "study/engine.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_JOBS = 256, POLL_MS = 100, MOST_TRIES = 5, MOST_IDLE_DEATHS = 20, EXIT_FATAL = 3 };

/* Memory shared by a worker and its master. */
typedef struct slot {
  atomic_llong doing; /* number being processed, plus 1; 0: none */
  atomic_llong since; /* start time, ns */
  atomic_llong
      again;      /* 1 + number of the variant that the previous process left unfinished; 0: none */
  hk_error error; /* error reported by a process that ended with EXIT_FATAL */
} slot;

typedef struct shared {
  atomic_llong next, done, failed;
  slot slot[MOST_JOBS];
} shared;

typedef struct worker {
  pid_t pid; /* 0: none */
  int fd;    /* read end of a pipe that closes when the process ends */
  bool finished, timed_out;
  int64_t tried; /* number of the variant at which processes were killed */
  int tries;     /* number of processes killed at `tried` */
  int idle_deaths;
} worker;

typedef struct pool {
  const hk_engine_task *task;
  shared *all;
  worker w[MOST_JOBS];
  int jobs;
} pool;

static long long now_ns(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (long long)now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* ---- in the worker ---- */

static int64_t take(const hk_engine_task *t, shared *all, slot *s) {
  long long again = atomic_exchange(&s->again, 0);
  if (again) return again - 1;
  if (t->next) return t->next(t->source);
  int64_t number = atomic_fetch_add(&all->next, 1);
  return number < t->n ? number : -1;
}

static hk_status work(const hk_engine_task *t, shared *all, slot *s, hk_error *err) {
  hk_status status = t->enter ? t->enter(t->context, err) : HK_OK;
  for (int64_t number; !status && (number = take(t, all, s)) >= 0;) {
    bool failed = false;
    if (t->wanted && !t->wanted(t->context, number)) continue;
    atomic_store(&s->since, now_ns());
    atomic_store(&s->doing, number + 1);
    status = t->work(t->context, number, &failed, err);
    atomic_store(&s->doing, 0);
    atomic_fetch_add(&all->done, 1);
    if (failed) atomic_fetch_add(&all->failed, 1);
  }
  hk_status left = t->leave ? t->leave(t->context, status ? NULL : err) : HK_OK;
  return status ? status : left;
}

static void serve(const hk_engine_task *t, shared *all, slot *s, pid_t master) {
  /* Kills a worker if its master ends. Ctrl-C reaches the whole group, and the master decides how to proceed. */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != master) _exit(1);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  signal(SIGPIPE, SIG_IGN);
  if (t->memory_limit > 0) {
    const struct rlimit most = {(rlim_t)t->memory_limit, (rlim_t)t->memory_limit};
    setrlimit(RLIMIT_DATA, &most);
  }
  const struct rlimit no_core = {0, 0};
  setrlimit(RLIMIT_CORE, &no_core);
  hk_error err = {0};
  hk_status status = work(t, all, s, &err);
  if (status < 0) {
    s->error = err;
    s->error.code = status;
    _exit(EXIT_FATAL);
  }
  _exit(0);
}

/* ---- in the master ---- */

static hk_status start(pool *p, int k, hk_error *err) {
  int fd[2];
  pid_t master = getpid();
  if (pipe(fd)) return hk_fail(err, HK_EFAIL, "cannot create a pipe: %s", strerror(errno));
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    close(fd[0]);
    for (int i = 0; i < p->jobs; i++)
      if (p->w[i].pid) close(p->w[i].fd);
    serve(p->task, p->all, &p->all->slot[k], master);
  }
  close(fd[1]);
  if (pid < 0) {
    close(fd[0]);
    return hk_fail(err, HK_EFAIL, "cannot start a process: %s", strerror(errno));
  }
  p->w[k].pid = pid;
  p->w[k].fd = fd[0];
  p->w[k].timed_out = false;
  return HK_OK;
}

/* Finds the reason why a number has no result; "": the number is repeated. */
static void find_cause(pool *p, worker *w, int64_t number, int code, char *why, size_t size) {
  int sig = WIFSIGNALED(code) ? WTERMSIG(code) : 0;
  why[0] = '\0';
  if (w->timed_out) {
    snprintf(why, size, "it exceeded its time limit of %g s", p->task->time_limit);
  } else if (sig == SIGKILL || sig == SIGTERM) {
    w->tries = w->tried == number ? w->tries + 1 : 1;
    w->tried = number;
    if (w->tries >= MOST_TRIES)
      snprintf(why, size,
               "its process was killed by signal %d, %d times in succession; it may have run out "
               "of memory",
               sig, w->tries);
  } else if (sig) {
    snprintf(why, size, "its process was ended by signal %d (%s)", sig, strsignal(sig));
  } else {
    snprintf(why, size, "its process ended with code %d", WEXITSTATUS(code));
  }
}

static hk_status bury(pool *p, int k, hk_error *err) {
  worker *w = &p->w[k];
  slot *s = &p->all->slot[k];
  int code = 0;
  close(w->fd);
  while (waitpid(w->pid, &code, 0) < 0 && errno == EINTR)
    ;
  w->pid = 0;
  if (WIFEXITED(code) && WEXITSTATUS(code) == EXIT_FATAL)
    return hk_fail(err, s->error.code, "%s", s->error.text);
  int64_t number = atomic_exchange(&s->doing, 0) - 1;
  if (number < 0) {
    w->finished = WIFEXITED(code) && WEXITSTATUS(code) == 0;
    if (!w->finished && ++w->idle_deaths > MOST_IDLE_DEATHS)
      return hk_fail(err, HK_EFAIL, "worker processes end before they start a variant");
    return HK_OK;
  }
  char why[200];
  find_cause(p, w, number, code, why, sizeof why);
  if (!why[0]) {
    atomic_store(&s->again, number + 1);
    return HK_OK;
  }
  atomic_fetch_add(&p->all->done, 1);
  atomic_fetch_add(&p->all->failed, 1);
  return p->task->lost ? p->task->lost(p->task->context, number, why, err) : HK_OK;
}

static void check_time(pool *p) {
  double limit = p->task->time_limit;
  for (int k = 0; k < p->jobs && limit > 0; k++) {
    const slot *s = &p->all->slot[k];
    if (!p->w[k].pid || !atomic_load(&s->doing)) continue;
    if ((double)(now_ns() - atomic_load(&s->since)) < 1e9 * limit) continue;
    p->w[k].timed_out = true;
    kill(p->w[k].pid, SIGKILL);
  }
}

static hk_status supervise(pool *p, hk_error *err) {
  const hk_engine_task *t = p->task;
  hk_status status = HK_OK;
  while (!status) {
    struct pollfd fd[MOST_JOBS];
    int alive = 0;
    for (int k = 0; k < p->jobs && !status; k++) {
      if (!p->w[k].pid && !p->w[k].finished) status = start(p, k, err);
      fd[k] = (struct pollfd){.fd = p->w[k].pid ? p->w[k].fd : -1, .events = POLLIN};
      alive += p->w[k].pid != 0;
    }
    if (status || !alive) break;
    if (poll(fd, (nfds_t)p->jobs, POLL_MS) < 0 && errno != EINTR)
      status = hk_fail(err, HK_EFAIL, "cannot wait for processes: %s", strerror(errno));
    for (int k = 0; k < p->jobs && !status; k++)
      if (fd[k].fd >= 0 && fd[k].revents) status = bury(p, k, err);
    check_time(p);
    if (!status && t->go_on &&
        !t->go_on(t->context, atomic_load(&p->all->done), atomic_load(&p->all->failed)))
      status = hk_fail(err, HK_STOPPED, "stopped");
  }
  return status;
}

int hk_engine_jobs(const hk_engine_task *t) {
  long jobs = t->jobs > 0 ? t->jobs : sysconf(_SC_NPROCESSORS_ONLN);
  if (jobs > t->n) jobs = (long)t->n;
  return (int)(jobs < 1 ? 1 : jobs > MOST_JOBS ? MOST_JOBS : jobs);
}

hk_status hk_engine_pool(const hk_engine_task *t, hk_error *err) {
  pool *p = calloc(1, sizeof *p);
  shared *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (!p || all == MAP_FAILED) {
    free(p);
    if (all != MAP_FAILED) munmap(all, sizeof *all);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  p->task = t;
  p->all = all;
  p->jobs = hk_engine_jobs(t);
  hk_status status = supervise(p, err);
  for (int k = 0; k < p->jobs; k++) {
    if (!p->w[k].pid) continue; /* a worker has no process only after a failure or a stop */
    kill(p->w[k].pid, SIGKILL);
    close(p->w[k].fd);
    while (waitpid(p->w[k].pid, NULL, 0) < 0 && errno == EINTR)
      ;
  }
  munmap(all, sizeof *all);
  free(p);
  return status;
}
