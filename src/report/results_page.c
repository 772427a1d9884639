/* Converts a results file into the data of a page.
 *
 * One pass over the rows collects the data of the page: some channels in full, minimum and
 * maximum of the others, the poses of all bodies in each frame, and the contact points.  A
 * budget limits the amount, so that the page of a long run stays small; the page states what was
 * omitted. */
#include "report/page.h"
#include "report/run_json.h"
#include "results/pattern.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
  ALL_IN_FULL = 500000, /* every value is kept if there are at most this number of values */
  FEW_CHANNELS =
      /* number of channels up to which all are kept in full: a user who records few channels wants
       * all of them */
  32,
  FEW_IN_FULL = 4000000,
  CHOSEN_IN_FULL = 500000, /* number of values kept in full if there are more channels */
  BAND_VALUES = 140000,
  POSE_VALUES = 260000,
  TOUCH_VALUES = 26000, /* points times frames */
  BLOCK_BYTES = 1 << 20,
  LEAST_BINS = 32,
  MOST_BINS = 512
};

typedef struct pass {
  hk_results *r;
  int n_channels;
  int64_t n_rows;
  hk_channel_info *channel;
  hk_scene *scene; /* NULL: the file has no scene */
  bool *full;
  int64_t width, bins; /* number of rows per bin, and number of bins */
  int64_t frame_step, n_frames, touch_step;
  double *t;
  /* [n_channels] value of the first row; columns contain differences from this value */
  double *offset;
  float **column; /* [n_channels] columns: one value per row, or two values per bin */
  /* [n_channels] minimum and maximum since the previous row, one value per row */
  float **low, **high;
  /* [n_channels] what float32 has rounded off, one value per row, and whether it is kept */
  float **residual;
  bool *fine;
  float *last;   /* [n_channels] values of the previous row */
  float *beyond; /* [n_channels] largest amount by which low and high exceed the rows */
  bool *between; /* [n_channels] whether this amount is visible in a plot */
  int64_t *at_low, *at_high;
  float *poses;         /* [7 n_bodies][n_frames] differences from the first frame */
  double *pose_offset;  /* [7 n_bodies] the first frame */
  float *pose_residual; /* as `residual`, for poses */
  bool *pose_fine;
  /* [n_joints] channels of the joint force; -1: not recorded, or kept in full */
  int (*reaction)[3];
  float *reactions; /* [3 n_reactions][n_frames] */
  int n_reactions;
  hk_stance *pose;
  hk_scene_touch *touch;
  hk_touch_log log;
  double scale[9]; /* scales of contact points: see contact_points.c */
  char *plots;     /* JSON */
  char *summary;   /* JSON, parsed and written again; NULL: none */
} pass;

static int find_channel(const void *context, const char *name) {
  return hk_results_find(context, name);
}

static void release(pass *p) {
  for (int i = 0; p->column && i < p->n_channels; i++) free(p->column[i]);
  for (int i = 0; p->low && p->high && i < p->n_channels; i++) free(p->low[i]), free(p->high[i]);
  for (int i = 0; p->residual && i < p->n_channels; i++) free(p->residual[i]);
  free(p->residual), free(p->fine), free(p->pose_residual), free(p->pose_fine);
  free(p->low), free(p->high), free(p->last), free(p->beyond), free(p->between);
  free(p->offset), free(p->pose_offset), free(p->reaction), free(p->reactions);
  free(p->column), free(p->channel), free(p->full), free(p->t), free(p->poses), free(p->pose),
      free(p->touch);
  free(p->at_low), free(p->at_high), free(p->plots), free(p->summary);
  hk_touch_log_free(&p->log);
  hk_scene_free(p->scene);
}

static hk_status no_memory(hk_error *err) {
  return hk_fail(err, HK_ENOMEM, "out of memory for the page");
}

/* ---- selection of the data ---- */

static hk_status choose_by_pattern(pass *p, const char *pattern, hk_error *err) {
  regex_t regex;
  if (!pattern) return HK_OK;
  hk_status status = hk_pattern_compile(pattern, &regex, err);
  if (status) return status;
  for (int i = 0; i < p->n_channels; i++)
    if (hk_pattern_matches(&regex, p->channel[i].name)) p->full[i] = true;
  regfree(&regex);
  return HK_OK;
}

/* Chooses the channels that are kept in full: those of the plots, then sensors, coordinates and
 * energies, as far as the budget allows. */
static void choose_more(pass *p) {
  int64_t used = 0;
  for (int i = 1; i < p->n_channels; i++) used += p->full[i] ? p->n_rows : 0;
  for (int i = 1; i < p->n_channels && used + p->n_rows <= CHOSEN_IN_FULL; i++) {
    const char *doc = p->channel[i].doc;
    bool worth = strcmp(doc, "sensor") == 0 || strcmp(doc, "coordinate") == 0 ||
                 strncmp(p->channel[i].name, "energy.", 7) == 0;
    if (p->full[i] || !worth) continue;
    p->full[i] = true;
    used += p->n_rows;
  }
}

static void choose_sizes(pass *p) {
  int rest = 0;
  int64_t values = p->n_rows * (p->n_channels - 1);
  if (values <= (p->n_channels <= FEW_CHANNELS ? FEW_IN_FULL : ALL_IN_FULL))
    for (int i = 0; i < p->n_channels; i++) p->full[i] = true;
  else
    choose_more(p);
  p->full[0] = true;
  for (int i = 0; i < p->n_channels; i++) rest += !p->full[i];
  p->width = 1, p->bins = 0;
  if (rest) {
    int64_t bins = BAND_VALUES / (2 * rest);
    bins = bins < LEAST_BINS ? LEAST_BINS : bins > MOST_BINS ? MOST_BINS : bins;
    p->width = (p->n_rows + bins - 1) / bins;
    if (p->width < 1) p->width = 1;
    p->bins = (p->n_rows + p->width - 1) / p->width;
  }
}

/* Chooses frames: rows at equal distances, and the last row. */
static void choose_frames(pass *p) {
  p->frame_step = p->touch_step = 1;
  if (!p->scene || p->n_rows == 0) return;
  int64_t values = 7 * (int64_t)p->scene->n_bodies + 3 * (int64_t)p->n_reactions;
  int64_t most = POSE_VALUES / (values ? values : 1);
  if (most < 50) most = 50;
  p->frame_step = (p->n_rows + most - 1) / most;
  p->n_frames = (p->n_rows - 1 + p->frame_step - 1) / p->frame_step + 1;
  most = TOUCH_VALUES / (p->scene->n_points ? p->scene->n_points : 1);
  if (most < 20) most = 20;
  p->touch_step = (p->n_frames + most - 1) / most;
}

/* Chooses forces of joints whose channels are kept as extremes of bins: an arrow needs the three
 * components in one row. */
static hk_status choose_reactions(pass *p, hk_error *err) {
  if (!p->scene) return HK_OK;
  p->reaction = malloc(((size_t)p->scene->n_joints + 1) * sizeof *p->reaction);
  if (!p->reaction) return no_memory(err);
  for (int i = 0; i < p->scene->n_joints; i++) {
    static const char *const axis[3] = {"fx", "fy", "fz"};
    bool all = true, full = true;
    for (int k = 0; k < 3; k++) {
      char name[1100];
      snprintf(name, sizeof name, "%.1000s.%s", p->scene->joint[i].name, axis[k]);
      int c = p->reaction[i][k] = hk_results_find(p->r, name);
      all = all && c >= 0, full = full && c >= 0 && p->full[c];
    }
    if (!all || full) p->reaction[i][0] = -1;
    p->n_reactions += all && !full;
  }
  return HK_OK;
}

static hk_status reserve(pass *p, hk_error *err) {
  size_t rows = (size_t)p->n_rows + 1, nb = p->scene ? (size_t)p->scene->n_bodies : 0;
  p->t = malloc(rows * sizeof *p->t);
  p->column = calloc((size_t)p->n_channels, sizeof *p->column);
  p->low = calloc((size_t)p->n_channels, sizeof *p->low);
  p->high = calloc((size_t)p->n_channels, sizeof *p->high);
  p->last = calloc((size_t)p->n_channels, sizeof *p->last);
  p->beyond = calloc((size_t)p->n_channels, sizeof *p->beyond);
  p->between = calloc((size_t)p->n_channels, sizeof *p->between);
  p->residual = calloc((size_t)p->n_channels, sizeof *p->residual);
  p->fine = calloc((size_t)p->n_channels, sizeof *p->fine);
  p->pose_fine = calloc(7 * nb + 1, sizeof *p->pose_fine);
  p->pose_residual = malloc((7 * nb * (size_t)p->n_frames + 1) * sizeof *p->pose_residual);
  if (!p->low || !p->high || !p->last || !p->beyond || !p->between || !p->residual || !p->fine ||
      !p->pose_fine || !p->pose_residual)
    return no_memory(err);
  p->at_low = calloc((size_t)p->n_channels, sizeof *p->at_low);
  p->at_high = calloc((size_t)p->n_channels, sizeof *p->at_high);
  p->offset = calloc((size_t)p->n_channels, sizeof *p->offset);
  p->pose_offset = calloc(7 * nb + 1, sizeof *p->pose_offset);
  p->poses = malloc((7 * nb * (size_t)p->n_frames + 1) * sizeof *p->poses);
  p->reactions =
      malloc((3 * (size_t)p->n_reactions * (size_t)p->n_frames + 1) * sizeof *p->reactions);
  p->pose = malloc((nb + 1) * sizeof *p->pose);
  p->touch = malloc(((p->scene ? (size_t)p->scene->n_points : 0) + 1) * sizeof *p->touch);
  if (!p->t || !p->column || !p->at_low || !p->at_high || !p->poses || !p->pose || !p->touch ||
      !p->offset || !p->pose_offset || !p->reactions)
    return no_memory(err);
  for (int i = 1; i < p->n_channels; i++) {
    size_t n = p->full[i] ? rows : 2 * (size_t)p->bins + 1;
    if (!(p->column[i] = malloc(n * sizeof **p->column))) return no_memory(err);
    if (p->full[i] && (!(p->residual[i] = malloc(n * sizeof **p->residual)) ||
                       !(p->low[i] = malloc(n * sizeof **p->low)) ||
                       !(p->high[i] = malloc(n * sizeof **p->high))))
      return no_memory(err);
  }
  return HK_OK;
}

/* ---- the pass ---- */

/* Updates minimum and maximum of a bin, in the order in which they occur; a bin of NaN stays
 * NaN. */
static void widen(pass *p, int i, int64_t row, float v) {
  float *c = p->column[i] + 2 * (row / p->width);
  bool in_order = p->at_low[i] <= p->at_high[i];
  float low = in_order ? c[0] : c[1], high = in_order ? c[1] : c[0];
  if (v < low || isnan(low)) low = v, p->at_low[i] = row;
  if (v > high || isnan(high)) high = v, p->at_high[i] = row;
  in_order = p->at_low[i] <= p->at_high[i];
  c[0] = in_order ? low : high;
  c[1] = in_order ? high : low;
}

/* Stores a value. between: the amounts by which the channel, between this row and the previous one, fell below and
 * rose above the values of both rows. */
static void band(pass *p, int i, int64_t row, double value, const float *between) {
  float v = (float)value;
  float *c = p->column[i] + 2 * (row / p->width);
  if (row % p->width == 0) {
    c[0] = c[1] = v;
    p->at_low[i] = p->at_high[i] = row;
  }
  if (row > 0 && between[0] > 0) widen(p, i, row, fminf(p->last[i], v) - between[0]);
  if (row > 0 && between[1] > 0) widen(p, i, row, fmaxf(p->last[i], v) + between[1]);
  widen(p, i, row, v);
  p->last[i] = v;
}

static void keep(pass *p, int i, int64_t row, double value, const float *between) {
  float v = (float)value, before = row > 0 ? p->last[i] : v;
  p->residual[i][row] = isfinite(value) ? (float)(value - (double)v) : 0;
  p->last[i] = v;
  p->column[i][row] = v;
  p->low[i][row] = fminf(before, v) - between[0];
  p->high[i][row] = fmaxf(before, v) + between[1];
  p->beyond[i] = fmaxf(p->beyond[i], fmaxf(between[0], between[1]));
}

/* Keeps the extremes between rows of channels in which they are larger than the width of a line. */
static void find_between(pass *p) {
  static const float visible = 2e-3f;
  for (int i = 1; i < p->n_channels; i++) {
    float least = INFINITY, most = -INFINITY;
    for (int64_t k = 0; p->full[i] && p->beyond[i] > 0 && k < p->n_rows; k++)
      least = fminf(least, p->low[i][k]), most = fmaxf(most, p->high[i][k]);
    p->between[i] = p->full[i] && p->beyond[i] > 0 && p->beyond[i] > visible * (most - least);
  }
}

static int by_size(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Whether the rounding of a column to float32 is visible: in an angle that counts revolutions, because the position
 * within a revolution follows from this angle, and in a channel that changes so little from row to row that a
 * magnified curve would have steps. */
static bool visible_steps(const pass *p, int i) {
  enum { SAMPLES = 4000, STEPS = 50 }; /* an increment should have at least this number of steps */
  static const double noise = 1e-12, angle = 1e-6;
  const float *c = p->column[i], *rest = p->residual[i];
  double size = 0, increment[SAMPLES];
  for (int64_t k = 0; k < p->n_rows; k++)
    if (isfinite(c[k])) size = fmax(size, fabs((double)c[k]));
  const double error = 0.5 * FLT_EPSILON * size;
  if (strcmp(p->channel[i].unit, "rad") == 0 && error > angle) return true;
  int64_t step = p->n_rows / SAMPLES + 1;
  int n = 0;
  for (int64_t k = 0; k + 1 < p->n_rows; k += step) {
    double d = fabs((double)c[k + 1] - (double)c[k] + (double)rest[k + 1] - (double)rest[k]);
    if (isfinite(d) && d > noise * (size + fabs(p->offset[i]))) increment[n++] = d;
  }
  if (n == 0) return false;
  qsort(increment, (size_t)n, sizeof *increment, by_size);
  return increment[n / 2] < STEPS * error;
}

/* Chooses columns that need what float32 rounds off. A body that travels far must not move in steps against its neighbours. */
static void find_fine(pass *p) {
  static const double visible = 1e-5; /* fraction of the size of a symbol */
  for (int i = 1; i < p->n_channels; i++) p->fine[i] = p->full[i] && visible_steps(p, i);
  for (int i = 0; p->scene && i < 7 * p->scene->n_bodies; i++) {
    float most = 0;
    for (int64_t k = 0; k < p->n_frames; k++)
      most = fmaxf(most, fabsf(p->poses[(int64_t)i * p->n_frames + k]));
    p->pose_fine[i] = i % 7 < 3 && 0.5 * FLT_EPSILON * (double)most > visible * p->scene->size;
  }
}

static void take_frame(pass *p, int64_t frame, const double *row) {
  const hk_scene *s = p->scene;
  hk_scene_poses(s, row, p->pose);
  for (int i = 0; i < s->n_bodies; i++) {
    hk_stance q = p->pose[i];
    float *c = p->poses + (size_t)(7 * i) * (size_t)p->n_frames + frame;
    /* A quaternion and its negative describe the same rotation. The sign that gives the value nearer to the previous
     * one is used, so that the column is continuous. */
    double *first = p->pose_offset + 7 * i, *o = first + 3;
    if (frame > 0) {
      const float *b = c - 1;
      double same = q.q.w * (o[0] + b[3 * p->n_frames]) + q.q.x * (o[1] + b[4 * p->n_frames]) +
                    q.q.y * (o[2] + b[5 * p->n_frames]) + q.q.z * (o[3] + b[6 * p->n_frames]);
      if (same < 0) q.q = (hk_quat){-q.q.w, -q.q.x, -q.q.y, -q.q.z};
    }
    const double v[7] = {q.x.x, q.x.y, q.x.z, q.q.w, q.q.x, q.q.y, q.q.z};
    for (int k = 0; k < 7; k++) {
      if (frame == 0) first[k] = isfinite(v[k]) ? v[k] : 0;
      double moved = v[k] - first[k];
      c[k * p->n_frames] = (float)moved;
      p->pose_residual[c - p->poses + k * p->n_frames] =
          isfinite(moved) ? (float)(moved - (double)(float)moved) : 0;
    }
  }
  float *f = p->reactions + frame;
  for (int i = 0; i < s->n_joints; i++)
    for (int k = 0; k < 3 && p->reaction[i][0] >= 0; k++, f += p->n_frames)
      *f = (float)row[p->reaction[i][k]];
  if (s->n_points && frame % p->touch_step == 0)
    hk_touch_log_add(&p->log, p->touch, hk_scene_touches(s, row, p->pose, p->touch));
}

static void take_row(pass *p, int64_t k, const double *row, const float *between) {
  p->t[k] = row[0];
  for (int i = 1; i < p->n_channels && k == 0; i++) p->offset[i] = isfinite(row[i]) ? row[i] : 0;
  for (int i = 1; i < p->n_channels; i++)
    (p->full[i] ? keep : band)(p, i, k, row[i] - p->offset[i], between + 3 * i);
  if (p->scene && k % p->frame_step == 0)
    take_frame(p, k / p->frame_step, row);
  else if (p->scene && k == p->n_rows - 1)
    take_frame(p, p->n_frames - 1, row);
}

static hk_status read_rows(pass *p, hk_error *err) {
  int64_t step = BLOCK_BYTES / ((int64_t)sizeof(double) * p->n_channels);
  hk_status status = HK_OK;
  if (step < 1) step = 1;
  double *block = malloc((size_t)step * (size_t)p->n_channels * sizeof *block);
  float *between = malloc(3 * (size_t)step * (size_t)p->n_channels * sizeof *between);
  if (!block || !between) status = no_memory(err);
  for (int64_t first = 0; first < p->n_rows && !status; first += step) {
    int64_t count = p->n_rows - first < step ? p->n_rows - first : step;
    status = hk_results_read_rows(p->r, first, count, block, err);
    if (!status) status = hk_results_read_between_rows(p->r, first, count, between, err);
    for (int64_t k = 0; k < count && !status; k++)
      take_row(p, first + k, block + k * p->n_channels, between + 3 * k * p->n_channels);
  }
  free(block);
  free(between);
  if (!status) find_between(p), find_fine(p);
  return status ? status : p->log.failed ? no_memory(err) : HK_OK;
}

/* ---- this run's part of the page ---- */

static bool even_times(const pass *p) {
  if (p->n_rows < 2) return false;
  double step = (p->t[p->n_rows - 1] - p->t[0]) / (double)(p->n_rows - 1),
         span = p->t[p->n_rows - 1] - p->t[0];
  for (int64_t i = 0; i < p->n_rows; i++)
    if (!(fabs(p->t[i] - (p->t[0] + (double)i * step)) <= 1e-10 * span)) return false;
  return true;
}

static hk_status pack(const pass *p, hk_bytes *out, double scale[9], hk_error *err) {
  hk_bytes plain = {0};
  size_t most = 4 * ((size_t)p->n_rows + 2 * (size_t)p->bins + (size_t)p->n_frames + 1);
  unsigned char *scratch = malloc(most);
  if (!scratch) return no_memory(err);
  if (!even_times(p)) hk_bytes_add(&plain, p->t, (size_t)p->n_rows * sizeof *p->t);
  for (int i = 1; i < p->n_channels; i++) {
    hk_page_column(&plain, p->column[i], p->full[i] ? (size_t)p->n_rows : 2 * (size_t)p->bins,
                   scratch);
    if (p->fine[i]) hk_page_column(&plain, p->residual[i], (size_t)p->n_rows, scratch);
    if (!p->between[i]) continue;
    hk_page_column(&plain, p->low[i], (size_t)p->n_rows, scratch);
    hk_page_column(&plain, p->high[i], (size_t)p->n_rows, scratch);
  }
  for (int k = 0; p->scene && k < 7 * p->scene->n_bodies; k++) {
    const size_t n = (size_t)p->n_frames, at = (size_t)k * n;
    hk_page_column(&plain, p->poses + at, n, scratch);
    if (p->pose_fine[k]) hk_page_column(&plain, p->pose_residual + at, n, scratch);
  }
  for (int k = 0; k < 3 * p->n_reactions; k++)
    hk_page_column(&plain, p->reactions + (size_t)k * (size_t)p->n_frames, (size_t)p->n_frames,
                   scratch);
  hk_touch_log_pack(&p->log, &plain, scale);
  free(scratch);
  hk_status status = plain.failed ? no_memory(err) : hk_gzip(plain.at, plain.n, out, err);
  hk_bytes_free(&plain);
  return status;
}

static void put_texts(hk_json *j, const pass *p) {
  const hk_results *r = p->r;
  const char *path = hk_results_path(r), *slash = strrchr(path, '/');
  const char *overrides = hk_results_attribute_value(r, "overrides");
  hk_run_texts texts = {.name = slash ? slash + 1 : path,
                        .title = hk_results_attribute_value(r, "title"),
                        .status = hk_results_status(r),
                        .model_file = hk_results_attribute_value(r, "model_file"),
                        .model_text = hk_results_model_text(r),
                        .version = hk_results_attribute_value(r, "hooke_version"),
                        .stepper = hk_results_attribute_value(r, "stepper")};
  hk_run_json_texts(j, &texts);
  hk_json_open(j, "overrides", '[');
  for (const char *at = overrides; at && *at;) {
    char one[2048];
    size_t n = strcspn(at, "\n");
    snprintf(one, sizeof one, "%.*s", (int)(n < sizeof one ? n : sizeof one - 1), at);
    hk_json_text(j, NULL, one);
    at += n + (at[n] == '\n');
  }
  hk_json_close(j, ']');
  hk_json_open(j, "warnings", '[');
  if (hk_results_lost_count(r) > 0) {
    char text[120];
    snprintf(text, sizeof text, "%lld rows are missing at the end: the file is truncated",
             (long long)hk_results_lost_count(r));
    hk_json_text(j, NULL, text);
  }
  hk_json_close(j, ']');
}

static void put_run(hk_json *j, const void *what) {
  const pass *p = what;
  bool moving = true;
  for (int i = 0; p->scene && i < p->scene->n_bodies; i++)
    moving = moving && hk_scene_moves(&p->scene->body[i]);
  hk_json_open(j, NULL, '{');
  put_texts(j, p);
  hk_json_int(j, "rows", p->n_rows);
  if (even_times(p)) {
    hk_json_open(j, "time", '{');
    hk_json_real(j, "start", p->t[0]);
    hk_json_real(j, "step", (p->t[p->n_rows - 1] - p->t[0]) / (double)(p->n_rows - 1));
    hk_json_close(j, '}');
  } else {
    hk_json_raw(j, "time", "null");
  }
  hk_run_json_channels(j, p->channel, p->full, p->between, p->fine, p->offset, p->n_channels);
  hk_json_int(j, "bins", p->bins);
  hk_json_int(j, "width", p->width);
  hk_run_json_frames(j, p->frame_step, p->n_frames, (long long)p->log.n_frames, p->touch_step,
                     p->scale);
  hk_json_reals(j, "pose_offset", p->pose_offset, p->scene ? 7 * p->scene->n_bodies : 0);
  hk_json_open(j, "pose_fine", '[');
  for (int k = 0; p->scene && k < 7 * p->scene->n_bodies; k++)
    if (p->pose_fine[k]) hk_json_int(j, NULL, k);
  hk_json_close(j, ']');
  hk_json_open(j, "reactions", '[');
  for (int i = 0; p->scene && i < p->scene->n_joints; i++)
    if (p->reaction[i][0] >= 0) hk_json_int(j, NULL, i);
  hk_json_close(j, ']');
  hk_json_bool(j, "bodies_moving", moving);
  hk_json_raw(j, "plots", p->plots);
  hk_json_raw(j, "summary", p->summary ? p->summary : "null");
  hk_json_raw(j, "scene", p->scene ? p->scene->json : "null");
  hk_json_close(j, '}');
}

static void put_plots(hk_json *j, const void *what) {
  const pass *p = what;
  const hk_plot_source source = {.scene = p->scene,
                                 .channel = p->channel,
                                 .n_channels = p->n_channels,
                                 .n_rows = p->n_rows,
                                 .find = find_channel,
                                 .context = p->r,
                                 .wanted = p->full};
  hk_page_plots(j, NULL, &source);
}

/* The file may come from an untrusted source, so its text is parsed and written again. */
static hk_status read_summary(pass *p, hk_error *err) {
  const char *summary = hk_results_summary(p->r);
  hk_status status = summary[0] ? hk_json_clean(summary, &p->summary, err) : HK_OK;
  return status == HK_EINPUT
             ? hk_fail(err, status, "the summary in '%s' is damaged", hk_results_path(p->r))
             : status;
}

static hk_status begin(pass *p, hk_page_run *out, hk_error *err) {
  p->n_channels = hk_results_channel_count(p->r);
  p->n_rows = hk_results_row_count(p->r);
  p->channel = calloc((size_t)p->n_channels, sizeof *p->channel);
  p->full = calloc((size_t)p->n_channels, sizeof *p->full);
  if (!p->channel || !p->full) return no_memory(err);
  for (int i = 0; i < p->n_channels; i++)
    p->channel[i] = (hk_channel_info){hk_results_name(p->r, i), hk_results_unit(p->r, i),
                                      hk_results_doc(p->r, i)};
  char *json;
  void *data;
  size_t size;
  hk_status status = hk_results_scene(p->r, &json, &data, &size, err);
  if (!status && json) status = hk_scene_read(json, data, size, &p->scene, err);
  if (!status && json) {
    hk_bytes_add(&out->scene, data, size);
    hk_scene_bind(p->scene, find_channel, p->r);
    if (out->scene.failed) status = no_memory(err);
  }
  free(json), free(data);
  return status ? status : read_summary(p, err);
}

hk_status hk_page_results(hk_results *r, const char *full, hk_page_run *out, hk_error *err) {
  pass p = {.r = r};
  size_t length;
  *out = (hk_page_run){0};
  hk_status status = begin(&p, out, err);
  if (!status && !(p.plots = hk_json_write(put_plots, &p, &length))) status = no_memory(err);
  if (!status) status = choose_by_pattern(&p, full, err);
  if (!status) choose_sizes(&p);
  if (!status) status = choose_reactions(&p, err);
  if (!status) choose_frames(&p);
  if (!status) status = reserve(&p, err);
  if (!status) status = read_rows(&p, err);
  if (!status) status = pack(&p, &out->data, p.scale, err);
  if (!status && !(out->json = hk_json_write(put_run, &p, &length))) status = no_memory(err);
  release(&p);
  if (status) hk_page_run_free(out);
  return status;
}
