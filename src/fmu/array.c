/* Arrays of an FMU: inputs or outputs with one unit under one name (FMI 3.0): see private.h.
 *
 * The elements of an array have consecutive value references; the first one is also the reference of the array.
 * Therefore the lists of inputs and outputs contain the single variables first, then the arrays. */
#include "fmu/private.h"
#include <stdlib.h>
#include <string.h>

static hk_status refuse(hk_diag *diag, const char *fmt, ...) HK_PRINTF(2, 3);
static hk_status refuse(hk_diag *diag, const char *fmt, ...) {
  char text[1024];
  va_list ap;
  va_start(ap, fmt);
  vsnprintf(text, sizeof text, fmt, ap);
  va_end(ap);
  return hk_diag_add(diag, HK_ERROR, &(hk_location){"hooke", 0, 0}, "%s", text);
}

const hk_fmu_array *hk_fmu_array_of(const hk_fmu *f, bool input, int i) {
  for (int k = 0; k < f->n_arrays; k++) {
    const hk_fmu_array *a = &f->array[k];
    if (a->input == input && i >= a->first && i < a->first + a->n) return a;
  }
  return NULL;
}

bool hk_fmu_is_variable(const hk_fmu *f, bool input, int i) {
  const hk_fmu_array *a = hk_fmu_array_of(f, input, i);
  return !a || a->first == i;
}

const char *hk_fmu_unit(const hk_fmu *f, bool input, int i) {
  return input ? hk_model_input_unit(f->model, f->input.index[i])
               : hk_model_channel_unit(f->model, f->output.index[i]);
}

static int find(const hk_fmu_list *l, int index) {
  for (int i = 0; i < l->n; i++)
    if (l->index[i] == index) return i;
  return -1;
}

/* Moves the elements in `wanted` to the end of the list, where they stay together. */
static hk_status move(hk_fmu *f, hk_fmu_array *a, const hk_fmu_list *wanted, hk_diag *diag) {
  hk_fmu_list *l = a->input ? &f->input : &f->output;
  for (int i = 0; i < wanted->n; i++) {
    int at = find(l, wanted->index[i]);
    if (at < 0 && !hk_fmu_list_add(l, wanted->index[i]))
      return diag->out_of_memory = true, HK_ENOMEM;
    if (at < 0) continue;
    memmove(l->index + at, l->index + at + 1, (size_t)(l->n - at - 1) * sizeof *l->index);
    l->index[l->n - 1] = wanted->index[i];
    for (int k = 0; k < f->n_arrays; k++)
      if (f->array[k].input == a->input && f->array[k].first > at) f->array[k].first--;
  }
  a->n = wanted->n;
  a->first = l->n - wanted->n;
  return HK_OK;
}

/* Checks that an array has either inputs or outputs, all with the same unit, and no element of another array. */
static hk_status check(const hk_fmu *f, const hk_fmu_array *a, const hk_fmu_list *wanted,
                       hk_diag *diag) {
  const char *unit = NULL;
  for (int i = 0; i < wanted->n; i++) {
    int index = wanted->index[i], at = find(a->input ? &f->input : &f->output, index);
    const char *own = a->input ? hk_model_input_unit(f->model, index)
                               : hk_model_channel_unit(f->model, index),
               *name = a->input ? hk_model_input_name(f->model, index)
                                : hk_model_channel_name(f->model, index);
    if (!unit) unit = own;
    if (strcmp(own, unit) != 0)
      return refuse(diag,
                    "--array %s: the elements of an array have one unit, but '%s' has %s, not %s",
                    a->name, name, *own ? own : "none", *unit ? unit : "none");
    if (at >= 0 && hk_fmu_array_of(f, a->input, at))
      return refuse(diag, "--array %s: '%s' is already an element of another array", a->name, name);
  }
  return HK_OK;
}

/* Adds one entry of the list: an input, a channel, or a pattern of channels. */
static hk_status add_elements(hk_fmu *f, hk_fmu_array *a, const char *name, hk_fmu_list *wanted,
                              hk_diag *diag) {
  int input = hk_model_input_find(f->model, name);
  bool selected = input >= 0 && find(&f->input, input) >= 0;
  if (wanted->n == 0) a->input = selected;
  if (a->input != selected)
    return refuse(diag, "--array %s: '%s' is %s input, unlike the elements before it", a->name,
                  name, selected ? "an" : "no");
  if (!selected) return hk_fmu_select_matching(f, name, wanted, diag);
  if (hk_fmu_list_add(wanted, input)) return HK_OK;
  return diag->out_of_memory = true, HK_ENOMEM;
}

static bool is_taken(const hk_fmu *f, const char *name) {
  for (int i = 0; i < f->n_arrays; i++)
    if (strcmp(f->array[i].name, name) == 0) return true;
  return hk_model_channel_find(f->model, name) >= 0 || hk_model_input_find(f->model, name) >= 0 ||
         hk_model_parameter_find(f->model, name) >= 0;
}

static hk_status add_array(hk_fmu *f, const char *text, hk_diag *diag) {
  const char *equal = strchr(text, '=');
  hk_fmu_array *a = &f->array[f->n_arrays];
  hk_fmu_list wanted = {0};
  char name[200];
  if (!equal || equal == text || !equal[1] || (size_t)(equal - text) >= sizeof a->name)
    return refuse(diag,
                  "--array needs NAME=VARIABLE,..., such as position=arm.x,arm.y,arm.z, not '%s'",
                  text);
  snprintf(a->name, sizeof a->name, "%.*s", (int)(equal - text), text);
  if (is_taken(f, a->name))
    return refuse(diag, "--array %s: another variable has this name", a->name);
  hk_status status = HK_OK;
  for (const char *at = equal + 1; *at && !status;) {
    size_t n = strcspn(at, ",");
    snprintf(name, sizeof name, "%.*s", (int)n, at);
    status = add_elements(f, a, name, &wanted, diag);
    at += n + (at[n] == ',');
  }
  if (!status && wanted.n > HK_FMU_MAX_ELEMENTS)
    status = refuse(diag, "--array %s: an array has at most %d elements, not %d", a->name,
                    HK_FMU_MAX_ELEMENTS, wanted.n);
  if (!status) status = check(f, a, &wanted, diag);
  if (!status) status = move(f, a, &wanted, diag);
  if (!status) f->n_arrays++;
  free(wanted.index);
  return status;
}

hk_status hk_fmu_select_arrays(hk_fmu *f, hk_diag *diag) {
  const hk_fmu_names *asked = &f->option.array;
  hk_status status = HK_OK;
  f->array = calloc((size_t)asked->n + 1, sizeof *f->array);
  if (!f->array) return diag->out_of_memory = true, HK_ENOMEM;
  for (int i = 0; i < asked->n && !status; i++) status = add_array(f, asked->name[i], diag);
  return status;
}
