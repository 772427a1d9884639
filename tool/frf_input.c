/* Arguments of the commands that excite a linear model by one input: see frf_input.h. */
#include "frf_input.h"
#include "linear.h"
#include "quantity.h"
#include <hooke/response.h>
#include <stdio.h>
#include <string.h>

hk_status tool_frf_range(const char *text, double *first, double *last, hk_error *err) {
  char unit[64];
  double scale;
  hk_status status = tool_range(text, NULL, "--range", first, last, NULL, unit, err);
  if (status)
    return hk_fail(err, status, "--range needs FIRST:LAST, such as \"0:10 Hz\", not '%s'", text);
  status = tool_frequency_unit(unit, "--range", &scale, err);
  if (status) return status;
  *first *= scale, *last *= scale;
  if (*first >= *last || *first < 0)
    return hk_fail(err, HK_EINPUT, "--range needs increasing frequencies >= 0, not '%s'", text);
  return HK_OK;
}

hk_status tool_frf_input(const hk_linear *l, const char *name, char input[TOOL_FRF_NAME],
                         int *index, hk_error *err) {
  if (!name && hk_response_input_count(l) != 1) {
    char text[512] = "";
    for (int i = 0; i < hk_response_input_count(l) && strlen(text) < 400; i++) {
      size_t used = strlen(text);
      if (i) used += (size_t)snprintf(text + used, sizeof text - used, ", ");
      hk_response_input_name(l, i, text + used, sizeof text - used);
    }
    return hk_fail(err, HK_EINPUT,
                   text[0] ? "no input; give --from INPUT, one of: %s"
                           : "the model has no input; add a load, an actuator or a motion%s",
                   text);
  }
  *index = 0;
  hk_status status = name ? hk_response_input_find(l, name, index, err) : HK_OK;
  if (!status) hk_response_input_name(l, *index, input, TOOL_FRF_NAME);
  return status;
}
