/* A campaign: see campaign.h. */
#include "study/campaign.h"
#include "base/file.h"
#include "study/runner.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PATH_SIZE = 4096, MOST_CHANGES = 5 };

void hk_campaign_path(const char *folder, const char *name, char *out, size_t size) {
  snprintf(out, size, "%s/%s", folder, name);
}

/* ---- the plan in the folder ---- */

typedef struct lines {
  char **line;
  int n, room;
  bool out_of_memory;
} lines;

static void add_line(void *context, const char *text) {
  lines *l = context;
  if (l->n == l->room) {
    int room = 2 * l->room + 64;
    char **grown = realloc(l->line, (size_t)room * sizeof *grown);
    if (!grown) {
      l->out_of_memory = true;
      return;
    }
    l->line = grown;
    l->room = room;
  }
  l->line[l->n] = strdup(text);
  if (!l->line[l->n])
    l->out_of_memory = true;
  else
    l->n++;
}

static void free_lines(lines *l) {
  for (int i = 0; i < l->n; i++) free(l->line[i]);
  free(l->line);
}

/* Reads the plan; false: the file is not a plan, which begins with the version. */
static bool read_plan(const char *path, lines *l) {
  static const char first[] = "version: ";
  FILE *file = hk_file_open(path);
  char *text = NULL;
  size_t room = 0;
  if (!file) return false;
  for (ssize_t n; (n = getline(&text, &room, file)) > 0;) {
    if (l->n == 0 && strncmp(text, first, sizeof first - 1) != 0) break;
    if (text[n - 1] == '\n') text[n - 1] = '\0';
    add_line(l, text);
  }
  free(text);
  fclose(file);
  return l->n > 0 || l->out_of_memory;
}

/* Returns true if both lines have the same part before ": ". */
static bool same_subject(const char *a, const char *b) {
  const char *x = strstr(a, ": "), *y = strstr(b, ": ");
  return x && y && x - a == y - b && strncmp(a, b, (size_t)(x - a)) == 0;
}

static bool has_line(const lines *l, const char *text) {
  for (int i = 0; i < l->n; i++)
    if (strcmp(l->line[i], text) == 0) return true;
  return false;
}

static const char *value_of(const char *line) {
  const char *colon = strstr(line, ": ");
  return colon ? colon + 2 : "";
}

/* Describes the differences of two plans: lines with the same subject but other values, added lines, and removed
 * lines. */
static void tell_changes(const lines *was, const lines *is, const hk_location *place,
                         hk_diag *diag) {
  int told = 0, more = 0;
  for (int way = 0; way < 2; way++) {
    const lines *a = way ? is : was, *b = way ? was : is;
    for (int i = 0; i < a->n; i++) {
      const char *line = a->line[i], *other = NULL;
      if (has_line(b, line)) continue;
      for (int k = 0; k < b->n && !other; k++)
        if (same_subject(line, b->line[k]) && !has_line(a, b->line[k])) other = b->line[k];
      /* lines with this subject in both plans were already reported by the first comparison */
      if (way && other) continue;
      const char *colon = strstr(line, ": ");
      int n = colon ? (int)(colon - line) : (int)strlen(line);
      if (told++ >= MOST_CHANGES)
        more++;
      else if (other)
        hk_diag_add(diag, HK_NOTE, place, "%.*s was '%s' and is now '%s'", n, line, value_of(line),
                    value_of(other));
      else
        hk_diag_add(diag, HK_NOTE, place, "%.*s (%s) %s", n, line, value_of(line),
                    way ? "is new" : "is gone");
    }
  }
  if (more) hk_diag_add(diag, HK_NOTE, place, "... and %d more", more);
}

static hk_status write_plan(const lines *l, const char *path, hk_error *err) {
  hk_new_file out;
  hk_status status = hk_new_file_open(&out, path, err);
  if (status) return status;
  for (int i = 0; i < l->n; i++) fprintf(out.file, "%s\n", l->line[i]);
  if (fflush(out.file) || fsync(fileno(out.file)))
    status = hk_fail(err, HK_EIO, "cannot write '%s': %s", path, strerror(errno));
  return hk_new_file_close(&out, status, err);
}

/* ---- the study's file ---- */

/* Reads the absolute name of the study's file, without its newline. */
bool hk_campaign_study(const char *folder, char *out, size_t size) {
  char path[PATH_SIZE];
  hk_campaign_path(folder, "study", path, sizeof path);
  FILE *file = hk_file_open(path);
  if (!file) return false;
  size_t n = fread(out, 1, size - 1, file);
  fclose(file);
  if (n > 0 && out[n - 1] == '\n') n--;
  out[n] = '\0';
  struct stat s;
  return out[0] == '/' && strlen(out) == n && stat(out, &s) == 0 && S_ISREG(s.st_mode);
}

/* Stores the name of the study's file for commands that receive only the folder. */
static hk_status write_name(const char *file, const char *folder, hk_error *err) {
  char path[PATH_SIZE], was[PATH_SIZE];
  char *name = file ? realpath(file, NULL) : NULL;
  hk_new_file out;
  hk_status status = HK_OK;
  hk_campaign_path(folder, "study", path, sizeof path);
  if (name && !(hk_campaign_study(folder, was, sizeof was) && strcmp(was, name) == 0)) {
    /* the old file is removed first, because it may be registered as an input, and inputs cannot be replaced */
    unlink(path);
    status = hk_new_file_open(&out, path, err);
    if (!status) {
      fprintf(out.file, "%s\n", name);
      status = hk_new_file_close(&out, HK_OK, err);
    }
  }
  free(name);
  return status;
}

static bool is_there(const char *path) {
  struct stat s;
  return lstat(path, &s) == 0;
}

/* Rejects a folder with other content, which was probably given by mistake. The files of such a folder are neither
 * replaced nor quoted in messages. */
static hk_status foreign(const char *path, hk_diag *diag, const hk_location *place) {
  return hk_diag_add(diag, HK_ERROR, place,
                     "'%s' exists and does not belong to a study; give another folder (--folder)",
                     path);
}

/* Finds a file that has the name of a study's file, in a folder without a plan. Such a file does not belong to a
 * study, because a study writes its plan first. Stores the path; false: there is none. */
static bool find_foreign(const char *folder, char path[PATH_SIZE]) {
  static const char *const OURS[] = {"study", "journals", "stored", "table.sqlite", "table.csv"};
  for (size_t i = 0; i < sizeof OURS / sizeof *OURS; i++) {
    hk_campaign_path(folder, OURS[i], path, PATH_SIZE);
    if (is_there(path)) return true;
  }
  return false;
}

static hk_status compare_plan(const hk_plan *plan, const char *folder, bool write, hk_diag *diag,
                              hk_error *err) {
  char path[PATH_SIZE], other[PATH_SIZE];
  lines was = {0}, is = {0};
  const hk_location place = {.file = plan->study->file};
  hk_campaign_path(folder, "plan", path, sizeof path);
  hk_plan_lines(plan, add_line, &is);
  bool exists = is_there(path), sound = exists && read_plan(path, &was);
  hk_status status = HK_OK;
  bool same = exists && was.n == is.n;
  for (int i = 0; same && i < is.n; i++) same = strcmp(was.line[i], is.line[i]) == 0;
  if (was.out_of_memory || is.out_of_memory) {
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  } else if (exists && !sound) {
    status = foreign(path, diag, &place);
  } else if (!exists && write && find_foreign(folder, other)) {
    status = foreign(other, diag, &place);
  } else if (!exists && write) {
    status = write_plan(&is, path, err);
  } else if (!exists) {
    status = hk_diag_add(diag, HK_ERROR, &place, "no study was started in '%s'", folder);
  } else if (!same) {
    status = hk_diag_add(diag, HK_ERROR, &place,
                         "the study in '%s' was started with other values; give another folder "
                         "(--folder), undo the change, or remove this folder",
                         folder);
    tell_changes(&was, &is, &place, diag);
  }
  if (status == HK_EINPUT) hk_fail(err, HK_EINPUT, "the study has changed");
  free_lines(&was);
  free_lines(&is);
  return status;
}

hk_status hk_campaign_check(const hk_plan *plan, const char *folder, hk_diag *diag, hk_error *err) {
  return compare_plan(plan, folder, false, diag, err);
}

/* ---- workers ---- */

typedef struct campaign {
  const hk_plan *plan;
  const hk_campaign_options *o;
  char journals[PATH_SIZE], stored[PATH_SIZE];
  unsigned char *done;
  int64_t todo;
  hk_runner runner;
  /* in a worker: its journal; in the master: the journal of variants that were lost by crashes */
  hk_journal *journal;
} campaign;

static hk_status enter(void *context, hk_error *err) {
  campaign *c = context;
  /* belongs to the master process, from which this process was forked */
  hk_journal_close(c->journal, NULL);
  c->journal = NULL;
  return hk_journal_create(c->journals, c->plan->identity, c->plan->study->n_measures,
                           !c->o->no_sync, &c->journal, err);
}

static hk_status leave(void *context, hk_error *err) {
  campaign *c = context;
  hk_status status = hk_journal_close(c->journal, err);
  c->journal = NULL;
  return status;
}

static bool wanted(void *context, int64_t number) {
  const campaign *c = context;
  if (c->o->tasks > 1 && number % c->o->tasks != c->o->task) return false;
  if (c->done[number / 8] >> number % 8 & 1) return false;
  return hk_plan_first_alike(c->plan, number) == number;
}

static hk_status work(void *context, int64_t number, bool *failed, hk_error *err) {
  campaign *c = context;
  hk_record r;
  hk_status status = hk_runner_run(&c->runner, number, &r, err);
  if (status) return status;
  *failed = r.outcome != HK_OUTCOME_OK;
  return hk_journal_append(c->journal, &r, err);
}

static hk_status lost(void *context, int64_t number, const char *why, hk_error *err) {
  campaign *c = context;
  hk_record r;
  hk_status status = HK_OK;
  if (!c->journal) {
    status = hk_journal_create(c->journals, c->plan->identity, c->plan->study->n_measures, false,
                               &c->journal, err);
    if (status) return status;
  }
  hk_runner_lost(&c->runner, number, why, &r);
  return hk_journal_append(c->journal, &r, err);
}

static bool go_on(void *context, int64_t done, int64_t failed) {
  const campaign *c = context;
  return !c->o->go_on || c->o->go_on(c->o->context, done, failed, c->todo);
}

/* ---- the whole ---- */

static hk_status make_folder(const char *path, hk_error *err) {
  if (mkdir(path, 0755) == 0 || errno == EEXIST) return HK_OK;
  return hk_fail(err, HK_EIO, "cannot create the folder '%s': %s", path, strerror(errno));
}

/* Locks the folder: only one campaign at a time works on a task; on a file system without locks
 * this is not checked. */
static hk_status lock_folder(const hk_campaign_options *o, int *fd, hk_error *err) {
  char path[PATH_SIZE], name[64] = "lock";
  if (o->tasks > 1)
    snprintf(name, sizeof name, "lock-%lld-of-%lld", (long long)o->task, (long long)o->tasks);
  hk_campaign_path(o->folder, name, path, sizeof path);
  *fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
  if (*fd < 0) return hk_fail(err, HK_EIO, "cannot write '%s': %s", path, strerror(errno));
  hk_file_note(path);
  /* Workers hold the lock for a short time after their master was killed. */
  bool held = true;
  for (int i = 0; i < 20 && held; i++) {
    held = flock(*fd, LOCK_EX | LOCK_NB) && errno == EWOULDBLOCK;
    if (held) nanosleep(&(struct timespec){0, 50000000}, NULL);
  }
  if (held)
    return hk_fail(err, HK_EINPUT, "another process is running the study in '%s'", o->folder);
  return HK_OK;
}

static hk_status prepare(campaign *c, hk_campaign_report *report, hk_diag *diag, hk_error *err) {
  const hk_campaign_options *o = c->o;
  char table[PATH_SIZE];
  hk_status status = make_folder(o->folder, err);
  if (!status) status = compare_plan(c->plan, o->folder, true, diag, err);
  hk_campaign_path(o->folder, "table.sqlite", table, sizeof table);
  /* this is checked here, so that the error is reported before the first variant and not after the last one */
  if (!status) status = hk_collect_check(table, err);
  if (!status) status = write_name(c->plan->study->file, o->folder, err);
  hk_campaign_path(o->folder, "journals", c->journals, sizeof c->journals);
  hk_campaign_path(o->folder, "stored", c->stored, sizeof c->stored);
  if (!status) status = make_folder(c->journals, err);
  if (!status && c->plan->study->store) status = make_folder(c->stored, err);
  if (!status)
    status = hk_collect_done(c->plan, c->journals, &c->done, &report->found, &report->scan, err);
  if (!status && report->found && !o->resume) {
    hk_diag_add(diag, HK_ERROR, &(hk_location){.file = c->plan->study->file},
                "%lld of %lld variants are already in '%s'; continue with --resume, or remove that "
                "folder to start again",
                (long long)report->found, (long long)c->plan->n, o->folder);
    status = hk_fail(err, HK_EINPUT, "the study was already started in this folder");
  }
  if (!status) status = hk_runner_init(&c->runner, c->plan, err);
  if (c->plan->study->store) c->runner.store_folder = c->stored;
  return status;
}

hk_status hk_campaign_run(const hk_plan *plan, const hk_campaign_options *o,
                          hk_campaign_report *report, hk_diag *diag, hk_error *err) {
  campaign *c = calloc(1, sizeof *c);
  int lock = -1;
  *report = (hk_campaign_report){.leader = true};
  if (!c) return hk_fail(err, HK_ENOMEM, "out of memory");
  c->plan = plan;
  c->o = o;
  hk_status status = prepare(c, report, diag, err);
  if (!status && !o->mpi) status = lock_folder(o, &lock, err);
  for (int64_t i = 0; i < plan->n && !status; i++) c->todo += wanted(c, i);
  report->todo = c->todo;
  const hk_engine_task task = {.n = plan->n,
                               .jobs = o->jobs,
                               .time_limit = plan->study->time_limit,
                               .memory_limit = plan->study->memory_limit,
                               .context = c,
                               .enter = enter,
                               .wanted = wanted,
                               .work = work,
                               .leave = leave,
                               .lost = lost,
                               .go_on = go_on};
  if (!status && o->mpi)
    status = hk_engine_mpi(&task, &report->leader, err);
  else if (!status && c->todo)
    status = hk_engine_pool(&task, err);
  hk_status closed = hk_journal_close(c->journal, status ? NULL : err);
  hk_runner_free(&c->runner);
  free(c->done);
  free(c);
  if (lock >= 0) close(lock);
  return status ? status : closed;
}

/* Calls the function for every file of the folder with a name that begins with this text. */
static void each_file(const char *folder, const char *begin,
                      void (*visit)(void *context, const char *path), void *context) {
  DIR *d = opendir(folder);
  if (!d) return;
  for (const struct dirent *e; (e = readdir(d));) {
    char path[PATH_SIZE + 300];
    if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0) continue;
    if (strncmp(e->d_name, begin, strlen(begin)) != 0) continue;
    hk_campaign_path(folder, e->d_name, path, sizeof path);
    visit(context, path);
  }
  closedir(d);
}

static void remove_file(void *context, const char *path) {
  (void)context;
  unlink(path);
}

/* Calls the function for every file that a study keeps in its folder, including the locks of tasks, which have a
 * number in their names. */
static void each_kept(const char *folder, void (*visit)(void *context, const char *path),
                      void *context) {
  static const char *const file[] = {"plan", "study", "table.sqlite", "table.sqlite.lock"},
                           *const inner[] = {"journals", "stored"};
  char path[PATH_SIZE];
  for (size_t i = 0; i < sizeof file / sizeof *file; i++) {
    hk_campaign_path(folder, file[i], path, sizeof path);
    visit(context, path);
  }
  each_file(folder, "lock", visit, context);
  for (int i = 0; i < 2; i++) {
    hk_campaign_path(folder, inner[i], path, sizeof path);
    each_file(path, "", visit, context);
  }
}

static void note(void *context, const char *path) {
  (void)context;
  hk_file_note(path);
}

void hk_campaign_note(const char *folder) { each_kept(folder, note, NULL); }

typedef struct wanted_file {
  struct stat is;
  bool found;
} wanted_file;

static void compare(void *context, const char *path) {
  wanted_file *w = context;
  struct stat s;
  w->found |= stat(path, &s) == 0 && s.st_dev == w->is.st_dev && s.st_ino == w->is.st_ino;
}

bool hk_campaign_keeps(const char *folder, const char *path) {
  wanted_file w = {.found = false};
  if (stat(path, &w.is) == 0) each_kept(folder, compare, &w);
  return w.found;
}

void hk_campaign_remove(const char *folder) {
  static const char *const inner[] = {"journals", "stored"};
  char path[PATH_SIZE];
  for (int i = 0; i < 2; i++) {
    hk_campaign_path(folder, inner[i], path, sizeof path);
    each_file(path, "", remove_file, NULL);
    rmdir(path);
  }
  each_file(folder, "", remove_file, NULL);
  rmdir(folder);
}
