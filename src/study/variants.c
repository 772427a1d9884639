/* Studies for programs: see hooke/study.h. Workers write journals. While the workers run, the journals are read at
 * most ten times per second, and so rarely that reading takes at most a tenth of the time; variants that are new since
 * the last reading are reported to the caller. */
#include "base/options.h"
#include "study/campaign.h"
#include "study/row.h"
#include <hooke/study.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

struct hk_variants {
  hk_study *study;
  hk_plan plan;
  hk_row_column *column;
  int n_columns;
};

hk_status hk_variants_open(const char *path, const hk_registry *types, hk_variants **out,
                           hk_diag *diag, hk_error *err) {
  hk_diag unread;
  if (out) *out = NULL;
  if (!path || !out) return hk_fail(err, HK_EINPUT, "a study needs the name of a file");
  hk_diag_init(&unread);
  if (!diag) diag = &unread;
  hk_variants *v = calloc(1, sizeof *v);
  if (!v) return hk_fail(err, HK_ENOMEM, "out of memory");
  v->study = hk_study_read(path, diag);
  hk_status status = v->study ? HK_OK : diag->out_of_memory ? HK_ENOMEM : HK_EINPUT;
  if (!status) {
    v->study->types = types;
    status = hk_study_bind(v->study, diag);
  }
  if (!status) {
    hk_plan_of_study(v->study, &v->plan);
    status = hk_plan_open(&v->plan, err);
  }
  if (!status) status = hk_plan_check(&v->plan, diag);
  if (!status) {
    v->n_columns = hk_row_column_count(v->study);
    v->column = calloc((size_t)v->n_columns + 1, sizeof *v->column);
    if (v->column)
      hk_row_columns(v->study, v->column);
    else
      status = HK_ENOMEM;
  }
  if (status && err && !err->text[0])
    hk_fail(err, status, "%s", status == HK_ENOMEM ? "out of memory" : "the study has errors");
  if (status)
    hk_variants_destroy(v);
  else
    *out = v;
  hk_diag_free(&unread);
  return status;
}

void hk_variants_destroy(hk_variants *v) {
  if (!v) return;
  hk_study_destroy(v->study);
  free(v->column);
  free(v);
}

int64_t hk_variants_count(const hk_variants *v) { return v ? v->plan.n : 0; }
const char *hk_variants_title(const hk_variants *v) {
  return v && v->study->title ? v->study->title : "";
}
int hk_variants_column_count(const hk_variants *v) { return v ? v->n_columns : 0; }
const char *hk_variants_column_name(const hk_variants *v, int i) {
  return v && i >= 0 && i < v->n_columns ? v->column[i].name : NULL;
}
const char *hk_variants_column_unit(const hk_variants *v, int i) {
  return v && i >= 0 && i < v->n_columns ? v->column[i].unit : NULL;
}
const char *hk_variants_column_role(const hk_variants *v, int i) {
  return v && i >= 0 && i < v->n_columns ? v->column[i].role : NULL;
}

/* ---- reporting rows ---- */

typedef struct telling {
  hk_variants *v;
  const hk_variants_options *o;
  char journals[4096];
  hk_variant variant;
  double *si, *value;
  const char **word;
  unsigned char *told; /* [variants] */
  int64_t n_told, n_done;
  double last, cost; /* time of the last reading, and how long it took [s] */
  bool stopped;
} telling;

static double seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static hk_status telling_init(telling *t, hk_variants *v, const hk_variants_options *o,
                              hk_error *err) {
  const size_t n = (size_t)v->n_columns + 1;
  *t = (telling){.v = v, .o = o};
  hk_campaign_path(o->folder, "journals", t->journals, sizeof t->journals);
  t->si = calloc((size_t)(v->study->n_axes + v->study->n_measures) + 1, sizeof *t->si);
  t->value = calloc(n, sizeof *t->value);
  t->word = calloc(n, sizeof *t->word);
  t->told = calloc((size_t)v->plan.n + 1, 1);
  if (!t->si || !t->value || !t->word || !t->told) return hk_fail(err, HK_ENOMEM, "out of memory");
  return hk_variant_init(&t->variant, v->study, err);
}

static void telling_free(telling *t) {
  free(t->si);
  free(t->value);
  free(t->word);
  free(t->told);
  hk_variant_free(&t->variant);
}

/* Reports one record, for its variant and for later variants with the same values, which are run
 * once. */
static hk_status tell(void *context, const hk_record *r, hk_error *err) {
  telling *t = context;
  (void)err;
  if (t->stopped || r->number < 0 || r->number >= t->v->plan.n || t->told[r->number]) return HK_OK;
  hk_variant_make(&t->variant, &t->v->plan, r->number);
  if (memcmp(t->variant.key, r->key, HK_KEY_SIZE) != 0)
    return HK_OK; /* the record belongs to
                                                                       * another run */
  t->told[r->number] = 1;
  t->n_told++;
  if (!t->o->row) return HK_OK;
  hk_row_fill(t->v->study, &t->variant, r, t->si, t->value, t->word);
  const hk_variant_row row = {.number = r->number,
                              .failed = r->outcome != HK_OUTCOME_OK,
                              .error = r->error,
                              .seconds = r->seconds,
                              .value = t->value,
                              .word = t->word};
  if (!t->o->row(t->o->context, &row)) t->stopped = true;
  return HK_OK;
}

static hk_status read_journals(telling *t, hk_error *err) {
  hk_journal_scan scan;
  double begun = seconds();
  hk_status status = hk_journal_read_all(t->journals, t->v->plan.identity, t->v->study->n_measures,
                                         tell, t, &scan, err);
  t->last = seconds();
  t->cost = t->last - begun;
  return status;
}

static bool go_on(void *context, int64_t done, int64_t failed, int64_t todo) {
  telling *t = context;
  (void)failed;
  const bool news = done != t->n_done || t->n_told == 0;
  t->n_done = done;
  if (news && seconds() - t->last > 10 * t->cost) read_journals(t, NULL);
  if (!t->stopped && t->o->progress) {
    const hk_progress now = {.what = "variants",
                             .done = todo > 0 ? (double)done / (double)todo : NAN,
                             .time = NAN,
                             .count = (long)done};
    t->stopped = !t->o->progress(t->o->context, &now);
  }
  return !t->stopped;
}

/* Reports variants that occur twice in a list and were run once; their rows follow the first one. */
static void tell_alike(telling *t) {
  for (int64_t i = 0; i < t->v->plan.n && !t->stopped; i++)
    if (!t->told[i] && hk_plan_first_alike(&t->v->plan, i) != i) t->told[i] = 2;
}

static hk_status tell_copy(void *context, const hk_record *r, hk_error *err) {
  telling *t = context;
  (void)err;
  for (int64_t i = r->number; i < t->v->plan.n && !t->stopped; i++) {
    if (t->told[i] != 2 || hk_plan_first_alike(&t->v->plan, i) != r->number) continue;
    hk_variant_make(&t->variant, &t->v->plan, i);
    hk_record copy = *r;
    copy.number = i;
    memcpy(copy.key, t->variant.key, HK_KEY_SIZE);
    t->told[i] = 0;
    tell(t, &copy, NULL);
  }
  return HK_OK;
}

/* Reports the rows that were finished since the last reading. */
static hk_status tell_rest(telling *t, hk_error *err) {
  hk_journal_scan scan;
  hk_status status = read_journals(t, err);
  if (status || t->n_told == t->v->plan.n) return status;
  tell_alike(t);
  return hk_journal_read_all(t->journals, t->v->plan.identity, t->v->study->n_measures, tell_copy,
                             t, &scan, err);
}

hk_status hk_variants_run(hk_variants *v, const hk_variants_options *options, hk_diag *diag,
                          hk_error *err) {
  hk_variants_options o;
  hk_campaign_report report = {0};
  hk_diag unread;
  telling t;
  HK_TAKE_OPTIONS(o, options);
  if (!v || !o.folder) return hk_fail(err, HK_EINPUT, "hk_variants_run needs a study and a folder");
  hk_diag_init(&unread);
  hk_status status = telling_init(&t, v, &o, err);
  const hk_campaign_options campaign = {
      .folder = o.folder, .jobs = o.jobs, .resume = o.resume, .go_on = go_on, .context = &t};
  if (!status) status = hk_campaign_run(&v->plan, &campaign, &report, diag ? diag : &unread, err);
  if (status == HK_OK || (status == HK_STOPPED && !t.stopped)) {
    hk_status told = tell_rest(&t, err);
    if (!status) status = told;
  }
  if (!status && t.stopped) status = HK_STOPPED;
  telling_free(&t);
  hk_diag_free(&unread);
  return status;
}

static bool same_file(const char *a, const char *b) {
  struct stat x, y;
  return a && b && stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev &&
         x.st_ino == y.st_ino;
}

/* Checks that the output is not an input. The command uses the record of files for this; a program has no such record,
 * so the inputs are compared. */
static hk_status check_output(const hk_variants *v, const char *folder, const char *csv,
                              hk_error *err) {
  const char *read = same_file(v->study->file, csv)   ? v->study->file
                     : hk_campaign_keeps(folder, csv) ? csv
                                                      : hk_model_reads(v->study->base, csv);
  if (!read) return HK_OK;
  return hk_fail(err, HK_EINPUT,
                 "'%s' would overwrite '%s', which is a file of the study; choose another name",
                 csv, read);
}

hk_status hk_variants_table(hk_variants *v, const char *folder, const char *csv, hk_error *err) {
  char journals[4096], sqlite[4096];
  hk_collection out;
  if (!v || !folder) return hk_fail(err, HK_EINPUT, "hk_variants_table needs a study and a folder");
  hk_campaign_path(folder, "journals", journals, sizeof journals);
  hk_campaign_path(folder, "table.sqlite", sqlite, sizeof sqlite);
  hk_status status = hk_collect(&v->plan, journals, sqlite, &out, err);
  /* All files of the study exist now, also its lock and its table. */
  if (!status && csv) status = check_output(v, folder, csv, err);
  return status || !csv ? status : hk_collect_csv(sqlite, csv, err);
}
