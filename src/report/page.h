/* Pages that show runs: one HTML file that needs no network, with the viewer (viewer/) and the data
 * in it.
 *
 * The data of the page:
 *   header   JSON: one entry per run with its texts, channels, plots, scene
 *   data<i>  base64 of gzip: the numbers of run i
 *   scene<i> base64 of gzip: the meshes of run i
 * Numbers, little endian, one behind the other:
 *   times (float64) unless they are even; then every channel but time: one float32 per row where it
 *   is kept in full, else the least and greatest of each bin of rows, in the order in which they
 *   come; then seven columns per body and frame: x y z qw qx qy qz; then how many contact points
 *   carry load in each of their frames (uint16), and these points (26 bytes each, see touch.c).
 * A column of n float32 stands as differences of bit patterns, all lowest bytes first, then the
 * next ones.
 */
#ifndef HK_PAGE_H
#define HK_PAGE_H
#include "io/json.h"
#include "io/results.h"
#include "scene/scene.h"

/* A run on its way into a page. */
typedef struct hk_page_run {
  char *json;     /* its entry in the header */
  hk_bytes data;  /* packed */
  hk_bytes scene; /* packed; empty: none */
} hk_page_run;
void hk_page_run_free(hk_page_run *r);

typedef enum hk_page_kind { HK_PAGE_REPORT, HK_PAGE_VIEW, HK_PAGE_WATCH } hk_page_kind;

/* "-" is standard output.  An older file is not touched before the page is complete. */
hk_status hk_page_save(const char *path, hk_page_kind kind, const hk_page_run *run, int n,
                       hk_error *err);
/* Into memory, malloc'ed. */
hk_status hk_page_text(hk_page_kind kind, const hk_page_run *run, int n, char **text,
                       size_t *length, hk_error *err);

/* A finished, stopped or running file.  `full`: regular expression of channels that must not lose a
 * value; NULL: those of the plots. */
hk_status hk_page_results(hk_results *r, const char *full, hk_page_run *out, hk_error *err);

/* A model that stands still. */
typedef struct hk_page_fact {
  const char *name, *value;
} hk_page_fact;
typedef struct hk_page_mode {
  double re, im, frequency, damping;
  bool free;
  const double *shape; /* [n_bodies][6][2]: displacement of the origin, rotation; world axes */
} hk_page_mode;
typedef struct hk_page_still {
  hk_scene *scene; /* with its JSON written: hk_scene_write */
  const hk_bytes *meshes;
  const hk_stance *pose;   /* [n_bodies] */
  const hk_stance *before; /* [n_bodies] a second stand, shown first; NULL: none */
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

/* A run that is about to begin: no rows yet.  channel[n]: those that the page will be sent. */
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

/* Plots that suit the joints of a scene (NULL: none), as a JSON list; wanted[i] is set for every
 * channel they use. */
typedef struct hk_plot_source {
  const hk_scene *scene;
  const hk_channel_info *channel;
  int n_channels;
  int64_t n_rows; /* 0: not known yet */
  int (*find)(const void *context, const char *name);
  const void *context;
  bool *wanted;
} hk_plot_source;
void hk_page_plots(hk_json *j, const char *key, const hk_plot_source *s);

/* A column as it stands in the data. */
void hk_page_column(hk_bytes *out, const float *value, size_t n, unsigned char *scratch);

/* Contact points on their way: see touch.c. */
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
