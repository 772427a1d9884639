/* Differences of two runs: see page.h.
 *
 * Both files are read once, row by row in the order of time. Each row of one run is compared with the value of the
 * other run at the same time. This value is a row of the other run at this time, or the linear interpolation between
 * its two neighbouring rows. Only the time span that both runs cover counts. */
#include "report/page.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

/* A file that is read forwards.  The present row and the row before it are accessible. */
typedef struct reader {
  hk_results *r;
  int64_t rows, first, count, capacity; /* the block holds rows first ... first + count - 1 */
  int width;
  double *block, *now, *before; /* rows `at` and `at - 1` */
  int64_t at;                   /* rows: the end */
} reader;

typedef struct difference {
  int a, b; /* channels */
  double most, at, size;
  int64_t holes; /* number of rows in which only one of the runs has a value */
} difference;

typedef struct comparison {
  reader a, b;
  difference *d;
  int n;
  double from, to;
} comparison;

static hk_status no_memory(hk_error *err) {
  return hk_fail(err, HK_ENOMEM, "out of memory for the comparison");
}

static hk_status load(reader *s, hk_error *err) {
  if (s->at >= s->rows) return HK_OK;
  if (s->at >= s->first + s->count) {
    s->first = s->at;
    s->count = s->rows - s->first < s->capacity ? s->rows - s->first : s->capacity;
    hk_status status = hk_results_read_rows(s->r, s->first, s->count, s->block, err);
    if (status) return status;
  }
  memcpy(s->now, s->block + (s->at - s->first) * s->width, sizeof *s->now * (size_t)s->width);
  return HK_OK;
}

static hk_status reader_open(reader *s, hk_results *r, hk_error *err) {
  *s = (reader){.r = r, .rows = hk_results_row_count(r), .width = hk_results_channel_count(r)};
  s->capacity = BLOCK_BYTES / ((int64_t)sizeof(double) * s->width) + 1;
  size_t row = sizeof(double) * (size_t)s->width;
  s->block = malloc(row * (size_t)s->capacity);
  s->now = malloc(row), s->before = malloc(row);
  if (!s->block || !s->now || !s->before) return no_memory(err);
  return load(s, err);
}

static void reader_close(reader *s) { free(s->block), free(s->now), free(s->before); }

static hk_status go_on(reader *s, hk_error *err) {
  double *old = s->before;
  s->before = s->now, s->now = old;
  s->at++;
  return load(s, err);
}

/* Value of a channel at time t, which is between the row before and the present row. */
static double value(const reader *s, int channel, double t) {
  double a = s->before[0], b = s->now[0];
  if (s->at == 0 || !(b > a) || t >= b) return s->now[channel];
  return s->before[channel] + (s->now[channel] - s->before[channel]) * (t - a) / (b - a);
}

static void compare(comparison *c, double t, bool row_of_a, bool row_of_b) {
  for (int i = 0; i < c->n; i++) {
    difference *d = &c->d[i];
    double x = row_of_a ? c->a.now[d->a] : value(&c->a, d->a, t);
    double y = row_of_b ? c->b.now[d->b] : value(&c->b, d->b, t);
    if (isnan(x) != isnan(y)) d->holes++;
    if (isnan(x) || isnan(y)) continue;
    d->size = fmax(d->size, fmax(fabs(x), fabs(y)));
    if (fabs(x - y) > d->most) d->most = fabs(x - y), d->at = t;
  }
}

static hk_status merge(comparison *c, hk_error *err) {
  double same = 1e-12 * (c->to - c->from) + 4 * DBL_EPSILON * fmax(fabs(c->from), fabs(c->to));
  hk_status status = HK_OK;
  while (!status && c->a.at < c->a.rows && c->b.at < c->b.rows) {
    double ta = c->a.now[0], tb = c->b.now[0], t = fmin(ta, tb);
    if (t > c->to + same) break;
    bool row_of_a = ta - t <= same, row_of_b = tb - t <= same;
    if (t >= c->from - same) compare(c, t, row_of_a, row_of_b);
    if (row_of_a) status = go_on(&c->a, err);
    if (!status && row_of_b) status = go_on(&c->b, err);
  }
  return status;
}

static hk_status span(hk_results *r, double *first, double *last, hk_error *err) {
  int64_t rows = hk_results_row_count(r);
  double *row = malloc(sizeof *row * (size_t)hk_results_channel_count(r));
  hk_status status = row ? HK_OK : no_memory(err);
  *first = 0, *last = -1; /* empty */
  if (!status && rows) status = hk_results_read_rows(r, 0, 1, row, err);
  if (!status && rows) *first = row[0], status = hk_results_read_rows(r, rows - 1, 1, row, err);
  if (!status && rows) *last = row[0];
  free(row);
  return status;
}

static int by_size(const void *a, const void *b) {
  const difference *p = a, *q = b;
  double x = p->size > 0 ? p->most / p->size : 0, y = q->size > 0 ? q->most / q->size : 0;
  return x > y ? -1 : x < y ? 1 : p->a - q->a;
}

static void put_alone(hk_json *j, const char *key, const hk_results *r, const hk_results *other) {
  hk_json_open(j, key, '[');
  for (int i = 1; i < hk_results_channel_count(r); i++)
    if (hk_results_find(other, hk_results_name(r, i)) < 0)
      hk_json_text(j, NULL, hk_results_name(r, i));
  hk_json_close(j, ']');
}

static void put_comparison(hk_json *j, const void *what) {
  const comparison *c = what;
  int equal = 0;
  hk_json_open(j, NULL, '{');
  hk_json_real(j, "from", c->from);
  hk_json_real(j, "to", c->to);
  hk_json_open(j, "channels", '[');
  for (int i = 0; i < c->n; i++) {
    const difference *d = &c->d[i];
    equal += !(d->most > 0) && d->holes == 0;
    if (!(d->most > 0) && d->holes == 0) continue;
    hk_json_open(j, NULL, '{');
    hk_json_text(j, "name", hk_results_name(c->a.r, d->a));
    hk_json_text(j, "unit", hk_results_unit(c->a.r, d->a));
    hk_json_real(j, "most", d->most);
    hk_json_real(j, "size", d->size);
    hk_json_real(j, "at", d->at);
    if (d->holes) hk_json_int(j, "holes", d->holes);
    hk_json_close(j, '}');
  }
  hk_json_close(j, ']');
  hk_json_int(j, "equal", equal);
  put_alone(j, "only_first", c->a.r, c->b.r);
  put_alone(j, "only_second", c->b.r, c->a.r);
  hk_json_close(j, '}');
}

/* Pairs channels with the same name and unit; a channel with another unit is a different
 * quantity. */
static hk_status pair_channels(comparison *c, hk_error *err) {
  c->d = calloc((size_t)c->a.width, sizeof *c->d);
  if (!c->d) return no_memory(err);
  for (int i = 1; i < c->a.width; i++) {
    int k = hk_results_find(c->b.r, hk_results_name(c->a.r, i));
    if (k > 0 && strcmp(hk_results_unit(c->a.r, i), hk_results_unit(c->b.r, k)) == 0)
      c->d[c->n++] = (difference){.a = i, .b = k};
  }
  return HK_OK;
}

hk_status hk_page_compare(hk_results *a, hk_results *b, char **json, hk_error *err) {
  comparison c = {0};
  double a0, a1, b0, b1;
  size_t length;
  *json = NULL;
  hk_status status = span(a, &a0, &a1, err);
  if (!status) status = span(b, &b0, &b1, err);
  if (status) return status;
  c.from = fmax(a0, b0), c.to = fmin(a1, b1);
  status = reader_open(&c.a, a, err);
  if (!status) status = reader_open(&c.b, b, err);
  if (!status) status = pair_channels(&c, err);
  if (!status && c.to >= c.from) status = merge(&c, err);
  if (!status) {
    qsort(c.d, (size_t)c.n, sizeof *c.d, by_size);
    if (!(*json = hk_json_write(put_comparison, &c, &length))) status = no_memory(err);
  }
  free(c.d);
  reader_close(&c.a), reader_close(&c.b);
  return status;
}
