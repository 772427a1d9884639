/* Parts of a run's entry in the header that all kinds of pages have. */
#ifndef HK_REPORT_RUN_JSON_H
#define HK_REPORT_RUN_JSON_H
#include "report/page.h"

typedef struct hk_run_texts {
  const char *name, *title, *status, *model_file, *model_text, *version, *stepper; /* NULL: "" */
} hk_run_texts;
void hk_run_json_texts(hk_json *j, const hk_run_texts *t);
void hk_run_json_channels(hk_json *j, const hk_channel_info *channel, const bool *full,
                          const bool *between, const bool *fine, const double *offset, int n);
void hk_run_json_frames(hk_json *j, long long step, long long count, long long touch_frames,
                        long long touch_step, const double scale[9]);
#endif
