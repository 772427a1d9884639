/* HTML pages of runs: one file that needs no network and contains the viewer (viewer/) and the data.
 *
 * The data of the page:
 *   header   JSON: one entry per run with its texts, channels, plots, scene
 *   data<i>  base64 of gzip: the numeric values of run i
 *   scene<i> base64 of gzip: the meshes of run i
 * Numbers are little endian, in this order:
 *   times (float64), unless they are equally spaced;
 *   every channel except time: one float32 per row if the channel is kept in full, otherwise the minimum and
 *   maximum of each bin of rows, in the order in which they occur; all as differences from the channel's "offset",
 *   the value of the first row, so that values far from zero keep their digits;
 *   a channel in full with "fine" has a second column that is added to the first one: what float32 has rounded off, where that
 *   would be visible as steps;
 *   a channel in full with "between" has two more columns: minimum and maximum since the previous row;
 *   seven columns per body and frame: x y z qw qx qy qz, as differences from "pose_offset"; those in "pose_fine" have a
 *   second column, as channels with "fine";
 *   three columns for each joint in "reactions": the force in each frame;
 *   the number of contact points that carry load in each frame (uint16), and these points (26 bytes each, see
 *   contact_points.c).
 * A column of n float32 is stored as differences of bit patterns: all lowest bytes first, then the next ones. */
#ifndef HK_REPORT_PAGE_H
#define HK_REPORT_PAGE_H
#include "results/json.h"
#include "results/results.h"
#include "scene/scene.h"

/* A run that is being written into a page. */
typedef struct hk_page_run {
  char *json;        /* JSON text that describes the run in the header of the page */
  hk_bytes data;     /* packed */
  hk_bytes scene;    /* packed; empty: none */
  char *differences; /* JSON: differences from the first run of the page; NULL: none */
} hk_page_run;
void hk_page_run_free(hk_page_run *r);

typedef enum hk_page_kind { HK_PAGE_REPORT, HK_PAGE_VIEW, HK_PAGE_WATCH } hk_page_kind;

/* A page: the runs, and the settings of the page. */
typedef struct hk_page {
  hk_page_kind kind;
  const hk_page_run *run;
  int n;
  const char *units;    /* see page_units.h; NULL: by magnitude */
  const char *measured; /* JSON, see page_measured.h; NULL: none */
} hk_page;

/* Writes the page to a file; path "-": standard output.  An existing file is not changed before the
 * page is complete. */
hk_status hk_page_save(const char *path, const hk_page *page, hk_error *err);
/* Writes the page into memory allocated by malloc. */
hk_status hk_page_text(const hk_page *page, char **text, size_t *length, hk_error *err);

/* Adds the run of a results file, which may be complete, interrupted or still being written.  `full`: regular
 * expression of the channels that must keep every value; NULL: the channels of the plots. */
hk_status hk_page_results(hk_results *r, const char *full, hk_page_run *out, hk_error *err);

/* Computes the largest difference of every channel that two runs share, over their common time
 * span, as JSON in memory allocated by malloc; see compare.c. */
hk_status hk_page_compare(hk_results *a, hk_results *b, char **json, hk_error *err);

/* Page of a model at rest: a line of text next to the picture. */
typedef struct hk_page_fact {
  const char *name, *value;
} hk_page_fact;
typedef struct hk_page_mode {
  double re, im, frequency, damping;
  bool free;
  /* [n_bodies][6][2] real and imaginary part of the displacement of the origin and of the rotation;
   * world axes */
  const double *shape;
} hk_page_mode;
typedef struct hk_page_still {
  hk_scene *scene; /* scene whose JSON has been written by hk_scene_write */
  const hk_bytes *meshes;
  const hk_stance *pose;   /* [n_bodies] */
  const hk_stance *before; /* [n_bodies] a second configuration, shown first; NULL: none */
  const char *name, *title, *status, *model_text;
  const char *const *override_text;
  int n_overrides;
  const hk_page_fact *fact;
  int n_facts;
  const char *const *warning;
  int n_warnings;
  const hk_page_mode *mode;
  int n_modes;
} hk_page_still;
hk_status hk_page_still_run(const hk_page_still *s, hk_page_run *out, hk_error *err);

/* Page of a run that has not begun: no rows yet.  channel[n]: the channels that will be sent to the
 * page. */
typedef struct hk_page_live {
  hk_scene *scene;
  const hk_bytes *meshes;
  const char *name, *title, *model_text;
  const char *const *override_text;
  int n_overrides;
  const hk_channel_info *channel; /* channel[0] is time */
  int n_channels;
} hk_page_live;
hk_status hk_page_live_run(const hk_page_live *s, hk_page_run *out, hk_error *err);

/* ---- inside ---- */

/* Chooses plots that suit the joints of a scene (NULL: no scene), as a JSON list.  Sets wanted[i]
 * for every channel that the plots use. */
typedef struct hk_plot_source {
  const hk_scene *scene;
  const hk_channel_info *channel;
  int n_channels;
  int64_t n_rows; /* number of rows; 0: not known yet */
  int (*find)(const void *context, const char *name);
  const void *context;
  bool *wanted;
} hk_plot_source;
void hk_page_plots(hk_json *j, const char *key, const hk_plot_source *s);

/* Appends a column in the format described above. */
void hk_page_column(hk_bytes *out, const float *value, size_t n, unsigned char *scratch);

/* Contact points of all frames: see contact_points.c. */
typedef struct hk_touch_log {
  hk_scene_touch *touch;
  size_t n, capacity;
  uint16_t *count;
  size_t n_frames, frame_capacity;
  bool failed;
} hk_touch_log;
void hk_touch_log_add(hk_touch_log *l, const hk_scene_touch *t, int n);
void hk_touch_log_pack(const hk_touch_log *l, hk_bytes *out, double scale[9]);
void hk_touch_log_free(hk_touch_log *l);
#endif
