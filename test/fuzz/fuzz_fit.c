/* Measured curves: for any bytes as the CSV file of a fit the result is curves of one length with finite values, or a
 * message. */
#include "fuzz_file.h"
#include "study/fit.h"
#include <hooke/hooke.h>
#include <hooke/model_file.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A model with channels c.x, c.vx, c.load_fx and others. */
static const hk_model *model(void) {
  static hk_model *m;
  static const char text[] =
      "format: 1\nbodies: {c: {type: point_mass, mass: 1 kg}}\nanalysis: {duration: 1 s}\n";
  if (m) return m;
  hk_diag diag;
  hk_diag_init(&diag);
  hk_spec *spec = hk_model_text_read("m.yaml", text, sizeof text - 1, NULL, 0, &diag);
  m = spec ? hk_model_compile(spec, &diag) : NULL;
  if (!m) abort();
  hk_diag_free(&diag);
  return m;
}

static void require(bool ok) {
  if (!ok) abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  hk_fit f = {.data_path = fuzz_file(data, size)};
  hk_error err = {0};
  hk_diag diag;
  hk_diag_init(&diag);
  hk_status status = hk_fit_read(&f, model(), &diag, &err);
  require((status != HK_OK) == (diag.n_errors > 0 || err.text[0]));
  require(status || (f.n_curves > 0 && f.n > 1));
  for (int k = 0; k < f.n_curves && !status; k++)
    for (int i = 0; i < f.n; i++)
      require(isfinite(f.x[i]) && isfinite(f.curve[k].measured[i]) && f.curve[k].deviation > 0);
  hk_fit_free(&f);
  hk_diag_free(&diag);
  return 0;
}
