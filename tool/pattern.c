/* The pattern of a stiffness matrix: see pattern.h. */
#include "pattern.h"
#include "figure.h"
#include <stdlib.h>
#include <string.h>

enum { NAME = 300 };

/* Splits "lower.rx" into body "lower" and coordinate "rx"; body names may contain dots. */
static char *split(char *name) {
  char *dot = strrchr(name, '.');
  if (!dot) return name + strlen(name);
  *dot = '\0';
  return dot + 1;
}

hk_status tool_pattern_draw(const hk_linear *l, const char *path, hk_error *err) {
  if (l->sparse)
    return hk_fail(err, HK_EINPUT, "the model is too large for a pattern (%d coordinates)", l->n);
  size_t n = (size_t)l->n;
  char *text = calloc(n + 1, NAME);
  const char **label = calloc(n + 1, sizeof *label);
  hk_plot_group *group = calloc(n + 1, sizeof *group);
  hk_status status = text && label && group ? HK_OK : hk_fail(err, HK_ENOMEM, "out of memory");
  int n_groups = 0;
  for (int i = 0; i < l->n && !status; i++) {
    char *name = text + (size_t)i * NAME;
    hk_linear_coordinate_name(l, i, name, NAME);
    label[i] = split(name);
    if (n_groups == 0 || strcmp(group[n_groups - 1].name, name) != 0)
      group[n_groups++] = (hk_plot_group){name, 0};
    group[n_groups - 1].count++;
  }
  if (!status) {
    const hk_plot_side side = {group, n_groups, label};
    const char *title = hk_model_title(l->model);
    const hk_plot_matrix m = {.title = "Stiffness matrix",
                              .subtitle = title && title[0] ? title : NULL,
                              .value = l->K,
                              .rows = l->n,
                              .columns = l->n,
                              .row = side,
                              .column = side,
                              .zero = -1};
    status = tool_pattern_save(&m, path, err);
  }
  free(text);
  free(label);
  free(group);
  return status;
}
