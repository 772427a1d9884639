/* The input files of a model: see hk_model_reads. */
#include "model/model.h"
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

static bool same_file(const char *path, const struct stat *wanted) {
  struct stat s;
  return path && stat(path, &s) == 0 && s.st_dev == wanted->st_dev && s.st_ino == wanted->st_ino;
}

/* Finds the file given by an item's parameter `file`, relative to the model file that contains the
 * item. */
static bool item_reads(const hk_item *item, const struct stat *wanted, const char **name) {
  int i = hk_type_param_find(item->type, "file");
  const hk_param *p = i < 0 ? NULL : hk_type_param(item->type, i);
  if (!p || p->kind != HK_PARAM_STRING) return false;
  const void *at = (const char *)item->data + p->offset;
  *name = *(const char *const *)at;
  const char *from = item->place.file;
  const char *slash = from && *name && **name != '/' ? strrchr(from, '/') : NULL;
  char path[4096];
  int n = snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - from) + 1 : 0,
                   from ? from : "", *name ? *name : "");
  return *name && n < (int)sizeof path && same_file(path, wanted);
}

const char *hk_model_reads(const hk_model *m, const char *path) {
  if (!m) return NULL;
  const hk_spec *spec = m->spec;
  struct stat wanted;
  if (stat(path, &wanted) != 0 || !S_ISREG(wanted.st_mode)) return NULL;
  if (same_file(spec->file, &wanted)) return spec->file;
  for (const hk_read_file *f = spec->read; f; f = f->next)
    if (same_file(f->path, &wanted)) return f->path;
  const char *name;
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < spec->n[c]; i++)
      if (item_reads(spec->item[c][i], &wanted, &name)) return name;
  return NULL;
}
