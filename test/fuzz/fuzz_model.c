/* libFuzzer target: any bytes as a model file.  No input may cause a crash, a leak or a long run time; reading
 * gives a spec exactly if it reports no error, and compilation gives a model exactly if it reports none.  Small
 * models take a step. */
#include "model/model.h"
#include "read/model_file.h"
#include <hooke/hooke.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void take_a_step(const hk_model *m) {
  hk_sim *sim = NULL;
  hk_error err = {0};
  if (m->nv > 40 || m->nc > 40 || m->n_channels > 400) return;
  if (hk_sim_create(m, NULL, &sim, NULL, &err)) return;
  for (int step = 0; step < 2; step++) {
    for (int i = 0; i < m->n_channels; i++) hk_sim_value(sim, i);
    if (hk_sim_step(sim, hk_sim_time(sim) + 1e-3, &err)) break;
  }
  hk_sim_destroy(sim);
}

static void compile(hk_spec *spec, hk_diag *diag) {
  int items = 0;
  for (int i = 0; i < HK_N_CATEGORIES; i++) items += spec->n[i];
  if (items > 200) {
    hk_spec_destroy(spec);
    return;
  }
  hk_model *m = hk_model_compile(spec, diag);
  if (!m != (diag->n_errors > 0)) abort();
  if (m) take_a_step(m);
  hk_model_destroy(m);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hk_diag diag;
  hk_diag_init(&diag);
  /* A first line `path=value` after "#!" is an override, so that --set is tested too. */
  hk_override set[1];
  int n_set = 0;
  char line[128];
  const uint8_t *end =
      size > 2 && data[0] == '#' && data[1] == '!' ? memchr(data, '\n', size) : NULL;
  if (end && (size_t)(end - data) < sizeof line) {
    size_t n = (size_t)(end - data) - 2;
    memcpy(line, data + 2, n);
    line[n] = '\0';
    char *equal = strchr(line, '=');
    if (equal) {
      *equal = '\0';
      set[n_set++] = (hk_override){line, equal + 1};
    }
  }
  hk_spec *spec = hk_model_text_read("fuzz.yaml", (const char *)data, size, set, n_set, &diag);
  if (!spec != (diag.n_errors > 0)) abort();
  if (spec) compile(spec, &diag);
  for (int i = 0; i < diag.n; i++) {
    char text[256];
    hk_diag_format(&diag.message[i], text, sizeof text);
  }
  hk_diag_free(&diag);
  return 0;
}
