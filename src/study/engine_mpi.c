/* All ranks of an MPI job: see engine.h.
 *
 * A rank is two processes. The process that uses MPI never runs a variant, so that a crash of a variant cannot end the
 * job. The other process is a child that is forked before MPI starts (after this a fork is not allowed). It supervises
 * a worker as the pool does. Two pipes connect the two processes: the worker requests a number, and the process that
 * uses MPI requests this number from rank 0. Rank 0 does the same for its own worker, so no processor is reserved for
 * distributing numbers. */
#include "study/engine.h"
#include "study/mpi_library.h"
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ASK = 1, ANSWER = 2 }; /* tags */
enum {
  WANT = 0,
  LEFT = 1,
  LEFT_WITH_FAILURE = 2
}; /* meaning of the second number sent by a rank */

typedef struct line {
  int ask[2], answer[2]; /* pipes: worker to rank, rank to worker */
  hk_error *error;       /* state of the child, in shared memory */
  pid_t child;
} line;

/* ---- pipes ---- */

static bool put(int fd, int64_t x) {
  ssize_t n;
  do n = write(fd, &x, sizeof x);
  while (n < 0 && errno == EINTR);
  return n == sizeof x;
}

static bool get(int fd, int64_t *x) {
  size_t at = 0;
  while (at < sizeof *x) {
    ssize_t n = read(fd, (char *)x + at, sizeof *x - at);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    at += (size_t)n;
  }
  return true;
}

static int64_t next_from_rank(void *source) {
  const line *l = source;
  int64_t number;
  return put(l->ask[1], 1) && get(l->answer[0], &number) ? number : -1;
}

/* ---- the child that guards a worker ---- */

static void guard(const hk_engine_task *task, line *l, pid_t rank) {
  hk_engine_task own = *task;
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != rank) _exit(1);
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  close(l->ask[0]);
  close(l->answer[1]);
  own.jobs = 1;
  own.next = next_from_rank;
  own.source = l;
  own.go_on = NULL;
  hk_error err = {0};
  hk_status status = hk_engine_pool(&own, &err);
  if (status) *l->error = err;
  l->error->code = status;
  _exit(status ? 1 : 0);
}

static hk_status begin(const hk_engine_task *task, line *l, hk_error *err) {
  l->error =
      mmap(NULL, sizeof *l->error, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (l->error == MAP_FAILED) return hk_fail(err, HK_ENOMEM, "out of memory");
  if (pipe(l->ask) || pipe(l->answer))
    return hk_fail(err, HK_EFAIL, "cannot create a pipe: %s", strerror(errno));
  pid_t rank = getpid();
  l->child = fork();
  if (l->child < 0) return hk_fail(err, HK_EFAIL, "cannot start a process: %s", strerror(errno));
  if (l->child == 0) guard(task, l, rank);
  close(l->ask[1]);
  close(l->answer[0]);
  return HK_OK;
}

/* Closes the connection: the child has ended or is about to end. */
static hk_status end(line *l, hk_error *err) {
  int code = 0;
  close(l->ask[0]);
  close(l->answer[1]);
  while (waitpid(l->child, &code, 0) < 0 && errno == EINTR)
    ;
  if (l->error->code) return hk_fail(err, l->error->code, "%s", l->error->text);
  if (!WIFEXITED(code) || WEXITSTATUS(code) != 0)
    return hk_fail(err, HK_EFAIL, "the process that guards a worker was ended by signal %d",
                   WIFSIGNALED(code) ? WTERMSIG(code) : 0);
  return HK_OK;
}

/* ---- a rank that requests numbers ---- */

static hk_status ask_on(hk_mpi *m, line *l, hk_error *err) {
  int64_t one, pair[2];
  hk_status status = HK_OK;
  while (!status && get(l->ask[0], &one)) {
    const int64_t question[2] = {hk_mpi_rank(m), WANT};
    status = hk_mpi_send(m, question, 0, ASK, err);
    if (!status) status = hk_mpi_receive(m, pair, 0, ANSWER, err);
    if (!status && !put(l->answer[1], pair[0])) break;
  }
  hk_status own = end(l, status ? NULL : err);
  const int64_t leave[2] = {hk_mpi_rank(m), own ? LEFT_WITH_FAILURE : LEFT};
  hk_status sent = hk_mpi_send(m, leave, 0, ASK, NULL);
  return status ? status : own ? own : sent;
}

/* ---- rank 0 ---- */

typedef struct desk {
  const hk_engine_task *task;
  hk_mpi *m;
  int64_t next, asked;
  int ranks;      /* number of other ranks that are still running */
  bool own, stop; /* own: the worker of rank 0 itself is still running */
  hk_status status;
} desk;

static int64_t hand_out(desk *d) {
  const hk_engine_task *t = d->task;
  d->asked++;
  if (d->stop || d->status) return -1;
  while (d->next < t->n && t->wanted && !t->wanted(t->context, d->next)) d->next++;
  return d->next < t->n ? d->next++ : -1;
}

static bool serve_ranks(desk *d, hk_error *err) {
  int64_t pair[2];
  if (!hk_mpi_probe(d->m, ASK)) return false;
  hk_status status = hk_mpi_receive(d->m, pair, -1, ASK, err);
  if (!status && pair[1] == WANT) {
    const int64_t answer[2] = {hand_out(d), 0};
    status = hk_mpi_send(d->m, answer, (int)pair[0], ANSWER, err);
  } else if (!status) {
    d->ranks--;
    if (pair[1] == LEFT_WITH_FAILURE && !d->status)
      d->status = hk_fail(err, HK_EFAIL, "rank %d failed; its message is above", (int)pair[0]);
  }
  if (status) d->status = status;
  return true;
}

static bool serve_own(desk *d, const line *l) {
  struct pollfd fd = {.fd = l->ask[0], .events = POLLIN};
  int64_t one;
  if (!d->own || poll(&fd, 1, 0) <= 0) return false;
  if (!get(l->ask[0], &one) || !put(l->answer[1], hand_out(d))) d->own = false;
  return true;
}

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* Sleeps between polls: 10 us while requests come quickly, longer if variants are long, so that the mean waiting time
 * stays below one per cent of a variant's time. */
static hk_status hand_out_all(hk_mpi *m, const hk_engine_task *task, line *l, hk_error *err) {
  desk d = {.task = task, .m = m, .ranks = hk_mpi_size(m) - 1, .own = true};
  double last_talk = seconds(), last_shown = 0;
  prctl(PR_SET_TIMERSLACK, 1000UL);
  while (d.ranks > 0 || d.own) {
    bool busy = serve_ranks(&d, err);
    busy = serve_own(&d, l) || busy;
    double now = seconds();
    if (now - last_shown > 0.1 && task->go_on) {
      last_shown = now;
      int64_t done = d.asked - hk_mpi_size(m);
      if (!task->go_on(task->context, done > 0 ? done : 0, 0)) d.stop = true;
    }
    if (busy) {
      last_talk = now;
      continue;
    }
    double quiet = now - last_talk;
    const struct timespec nap = {0, quiet < 0.002 ? 10000 : quiet < 0.1 ? 50000 : 500000};
    nanosleep(&nap, NULL);
  }
  hk_status own = end(l, d.status ? NULL : err);
  if (d.status) return d.status;
  if (own) return own;
  return d.stop ? hk_fail(err, HK_STOPPED, "stopped") : HK_OK;
}

hk_status hk_engine_mpi(const hk_engine_task *task, bool *leader, hk_error *err) {
  line l = {0};
  hk_mpi *m;
  *leader = true;
  hk_status status = begin(task, &l, err);
  if (status) return status;
  status = hk_mpi_begin(&m, err);
  if (status) {
    end(&l, NULL);
    return status;
  }
  *leader = hk_mpi_rank(m) == 0;
  status = *leader ? hand_out_all(m, task, &l, err) : ask_on(m, &l, err);
  munmap(l.error, sizeof *l.error);
  hk_mpi_end(m);
  return status;
}
