/* Results as comma-separated values: see csv.h. */
#include "results/csv.h"
#include "base/number.h"
#include <errno.h>
#include <locale.h>
#include <math.h>
#include "results/pattern.h"
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };

int hk_csv_number(char buf[HK_CSV_NUMBER_SIZE], double x) {
  if (isnan(x)) return snprintf(buf, HK_CSV_NUMBER_SIZE, "nan"); /* never "-nan" */
  char number[HK_NUMBER_SIZE];
  int n = hk_number_exact(x, number);
  memcpy(buf, number, (size_t)n + 1);
  return n;
}

/* ---- selection ---- */
typedef struct picked {
  int *channel, n;
  bool *taken;
} picked;

static void pick(picked *p, int i) {
  if (p->taken[i]) return;
  p->taken[i] = true;
  p->channel[p->n++] = i;
}

static hk_status pick_names(const hk_results *r, const hk_csv_selection *sel, picked *p,
                            hk_error *err) {
  for (int k = 0; k < sel->n_names; k++) {
    int i;
    hk_status s = hk_results_channel(r, sel->name[k], &i, err);
    if (s != HK_OK) return s;
    pick(p, i);
  }
  return HK_OK;
}

static hk_status pick_regex(const hk_results *r, const char *pattern, picked *p, hk_error *err) {
  regex_t regex;
  int found = 0;
  hk_status status = hk_pattern_compile(pattern, &regex, err);
  if (status) return status;
  for (int i = 0; i < hk_results_channel_count(r); i++)
    if (hk_pattern_matches(&regex, hk_results_name(r, i))) {
      pick(p, i);
      found++;
    }
  regfree(&regex);
  if (found) return HK_OK;
  return hk_fail(err, HK_EINPUT, "no channel of '%s' matches '%s'", hk_results_path(r), pattern);
}

hk_status hk_csv_select(const hk_results *r, const hk_csv_selection *selection, int **channel,
                        int *n, hk_error *err) {
  static const hk_csv_selection all;
  const hk_csv_selection *sel = selection ? selection : &all;
  int n_channels = hk_results_channel_count(r);
  hk_status s = HK_OK;
  picked p = {malloc((size_t)n_channels * sizeof(int)), 0,
              calloc((size_t)n_channels, sizeof(bool))};
  *channel = NULL;
  *n = 0;
  if (!p.channel || !p.taken) s = hk_fail(err, HK_ENOMEM, "out of memory");
  if (s == HK_OK) {
    pick(&p, 0);
    if (sel->n_names > 0) s = pick_names(r, sel, &p, err);
    if (s == HK_OK && sel->regex) s = pick_regex(r, sel->regex, &p, err);
    for (int i = 0; i < n_channels && sel->n_names <= 0 && !sel->regex; i++) pick(&p, i);
  }
  free(p.taken);
  if (s != HK_OK) {
    free(p.channel);
    return s;
  }
  *channel = p.channel;
  *n = p.n;
  return HK_OK;
}

/* ---- writing ---- */
static void put_escaped(FILE *out, const char *text) {
  for (; *text; text++) {
    if (*text == '"') putc('"', out);
    putc(*text, out);
  }
}

/* Writes a title with its unit, quoted according to RFC 4180, section 2, rules 6 and 7. */
void hk_csv_title(FILE *out, const char *name, const char *unit) {
  bool quote = strpbrk(name, ",\"\r\n") || strpbrk(unit, ",\"\r\n");
  if (quote) putc('"', out);
  put_escaped(out, name);
  if (unit[0]) {
    fputs(" [", out);
    put_escaped(out, unit);
    putc(']', out);
  }
  if (quote) putc('"', out);
}

static hk_status check_output(const hk_results *r, FILE *out, hk_error *err) {
  if (!ferror(out)) return HK_OK;
  int code = errno;
  const char *hint = code == EPIPE    ? "the reading program closed the pipe"
                     : code == ENOSPC ? "the disk is full; free some space or write elsewhere"
                                      : strerror(code);
  return hk_fail(err, HK_EIO, "cannot write the CSV of '%s': %s", hk_results_path(r), hint);
}

static void put_row(FILE *out, const double *row, const int *channel, int n,
                    const hk_csv_unit *unit) {
  char text[HK_CSV_NUMBER_SIZE];
  for (int k = 0; k < n; k++) {
    double v = row[channel[k]];
    if (unit) v = v * unit[k].factor + unit[k].offset;
    int length = hk_csv_number(text, v);
    text[length] = k + 1 < n ? ',' : '\n';
    fwrite(text, 1, (size_t)length + 1, out);
  }
}

static hk_status put_rows(hk_results *r, FILE *out, const int *channel, int n, int64_t every,
                          const hk_csv_unit *unit, hk_error *err) {
  int64_t n_rows = hk_results_row_count(r), width = hk_results_channel_count(r);
  int64_t step = BLOCK_BYTES / ((int64_t)sizeof(double) * width);
  hk_status s = HK_OK;
  if (step < 1) step = 1;
  if (every < 1) every = 1;
  double *block = malloc((size_t)(step * width) * sizeof *block);
  if (!block) return hk_fail(err, HK_ENOMEM, "out of memory");
  for (int64_t first = 0; first < n_rows && s == HK_OK; first += step) {
    int64_t count = n_rows - first < step ? n_rows - first : step;
    s = hk_results_read_rows(r, first, count, block, err);
    for (int64_t k = (every - first % every) % every; k < count && s == HK_OK; k += every) {
      put_row(out, block + k * width, channel, n, unit);
      s = check_output(r, out, err);
      if (every > count - k) break; /* k + every might overflow */
    }
  }
  free(block);
  return s;
}

hk_status hk_csv_export(hk_results *r, FILE *out, const hk_csv_selection *selection,
                        hk_error *err) {
  int *channel, n;
  hk_status s = hk_csv_select(r, selection, &channel, &n, err);
  if (s != HK_OK) return s;
  /* A decimal comma would split one number into two fields. */
  locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  if (c == (locale_t)0) {
    free(channel);
    return hk_fail(err, HK_ENOMEM, "out of memory");
  }
  locale_t users = uselocale(c);
  for (int k = 0; k < n; k++) {
    if (k) putc(',', out);
    hk_csv_title(
        out, hk_results_name(r, channel[k]),
        selection && selection->unit ? selection->unit[k].text : hk_results_unit(r, channel[k]));
  }
  putc('\n', out);
  s = check_output(r, out, err);
  if (s == HK_OK)
    s = put_rows(r, out, channel, n, selection ? selection->every : 1,
                 selection ? selection->unit : NULL, err);
  if (s == HK_OK) {
    fflush(out);
    s = check_output(r, out, err);
  }
  uselocale(users);
  freelocale(c);
  free(channel);
  return s;
}
