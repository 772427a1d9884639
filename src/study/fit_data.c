/* The measured curves of a fit: columns of a CSV file. */
#include "study/fit.h"
#include "base/safe_text.h"
#include "expr/units.h"
#include "read/table_file.h"
#include <hooke/hooke.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
  const char *suffix;
  hk_fit_part part;
} SUFFIX[] = {{".re", HK_FIT_RE},
              {".im", HK_FIT_IM},
              {".magnitude", HK_FIT_MAGNITUDE},
              {".phase", HK_FIT_PHASE}};
enum { SUFFIXES = sizeof SUFFIX / sizeof *SUFFIX };

/* Splits "channel.magnitude" into the channel and the part. */
static bool cut_part(hk_fit_curve *c) {
  size_t length = strlen(c->channel);
  for (int i = 0; i < SUFFIXES; i++) {
    size_t n = strlen(SUFFIX[i].suffix);
    if (length <= n || strcmp(c->channel + length - n, SUFFIX[i].suffix) != 0) continue;
    c->channel[length - n] = '\0';
    c->part = SUFFIX[i].part;
    return true;
  }
  return false;
}

static bool is_channel(const hk_model *m, const char *column, bool by_frequency) {
  hk_fit_curve c = {0};
  snprintf(c.channel, sizeof c.channel, "%.299s", column);
  if (by_frequency && !cut_part(&c)) return false;
  return hk_model_channel_find(m, c.channel) >= 0;
}

/* Every column with the name of a channel becomes a curve, except the first column. */
static hk_status choose_columns(hk_fit *f, const hk_model *m, char **name, int n, hk_error *err) {
  f->curve = calloc((size_t)n + 1, sizeof *f->curve);
  if (!f->curve) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int i = 1; i < n; i++) {
    if (!is_channel(m, name[i], f->by_frequency)) continue;
    hk_fit_curve *c = &f->curve[f->n_curves++];
    snprintf(c->column, sizeof c->column, "%.299s", name[i]);
    snprintf(c->channel, sizeof c->channel, "%.299s", name[i]);
  }
  if (f->n_curves) return HK_OK;
  return hk_fail(
      err, HK_EINPUT, "no column of '%s' has the name of a channel%s; give --match COLUMN=CHANNEL",
      f->data_path, f->by_frequency ? " and one of the ends .re, .im, .magnitude, .phase" : "");
}

/* The first column is a time or a frequency. */
static hk_status set_axis(hk_fit *f, hk_table_points *p, hk_error *err) {
  hk_unit second, hertz, angular;
  if (hk_unit_parse("s", 1, &second, err) || hk_unit_parse("Hz", 2, &hertz, err) ||
      hk_unit_parse("rad/s", 5, &angular, err))
    return HK_EINPUT;
  bool turning = hk_dim_equal(p->x_dim, angular.dim);
  f->by_frequency = turning || hk_dim_equal(p->x_dim, hertz.dim);
  if (!f->by_frequency && !hk_dim_equal(p->x_dim, second.dim))
    return hk_fail(err, HK_EINPUT,
                   "the first column of '%s' must be a time or a frequency, with its unit in the "
                   "name: time [s], frequency [Hz]",
                   f->data_path);
  for (int i = 0; i < p->n && turning; i++) p->x[i] /= 2 * M_PI;
  f->n = p->n;
  f->x = p->x;
  p->x = NULL;
  return HK_OK;
}

static hk_status read_column(hk_fit *f, const char *column, hk_table_points *p, hk_diag *diag) {
  const hk_location here = {.file = f->data_path};
  const hk_table_request q = {.path = f->data_path, .y = column, .from = &here};
  return hk_table_file_read(&q, NULL, p, diag) ? HK_OK
         : diag->out_of_memory                 ? HK_ENOMEM
                                               : HK_EINPUT;
}

static void find_deviation(hk_fit_curve *c, int n) {
  double mean = 0, sum = 0;
  for (int i = 0; i < n; i++) mean += c->measured[i] / n;
  for (int i = 0; i < n; i++) sum += (c->measured[i] - mean) * (c->measured[i] - mean);
  c->deviation = sqrt(sum / n);
  if (!(c->deviation > 0)) c->deviation = fabs(mean) > 0 ? fabs(mean) : 1;
}

static hk_status read_curve(hk_fit *f, hk_fit_curve *c, hk_diag *diag, hk_error *err) {
  hk_table_points p = {0};
  if (!hk_text_is_safe(c->column)) /* the name is used in tables and figures */
    return hk_fail(err, HK_EINPUT, "the name of a column of '%s' contains control characters",
                   f->data_path);
  if (f->by_frequency && !cut_part(c))
    return hk_fail(err, HK_EINPUT,
                   "'%s' is compared over frequency, so its part must be given: --match "
                   "COLUMN=%s.magnitude, or .re, .im, .phase",
                   c->channel, c->channel);
  hk_status status = read_column(f, c->column, &p, diag);
  c->measured = p.y, p.y = NULL;
  c->dim = p.y_dim;
  hk_table_points_free(&p);
  c->fitted = status ? NULL : calloc((size_t)f->n + 1, sizeof *c->fitted);
  if (!status && !c->fitted) status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status) find_deviation(c, f->n);
  return status;
}

hk_status hk_fit_read(hk_fit *f, const hk_model *m, hk_diag *diag, hk_error *err) {
  const hk_location here = {.file = f->data_path};
  const hk_table_request q = {.path = f->data_path, .from = &here};
  hk_table_points p = {0};
  char **name = NULL;
  int n = 0;
  hk_status status = read_column(f, "2", &p, diag);
  if (!status) status = set_axis(f, &p, err);
  hk_table_points_free(&p);
  if (!status && !hk_table_csv_columns(&q, &name, &n, diag)) status = HK_EINPUT;
  if (!status && !f->n_curves) status = choose_columns(f, m, name, n, err);
  for (int k = 0; k < f->n_curves && !status; k++) status = read_curve(f, &f->curve[k], diag, err);
  free(name);
  return status;
}

void hk_fit_free(hk_fit *f) {
  for (int k = 0; k < f->n_curves && f->curve; k++) {
    free(f->curve[k].measured);
    free(f->curve[k].fitted);
  }
  free(f->curve);
  free(f->parameter);
  free(f->correlation);
  free(f->x);
}
