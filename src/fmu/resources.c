/* The files of a model, and data that replace some of them, in the folder `resources` of an FMU:
 * see private.h. Files keep their paths relative to the model file. Columns of HDF5 files become
 * CSV (pack_name.h); only the signature of the HDF5 file itself is kept, from which the reader of
 * tables recognises its type.  Compliances of gears and flexible bodies were written into f->folder
 * while the model was read (read/preparation.h). */
#include "base/file.h"
#include "base/number.h"
#include "fmu/pack_name.h"
#include "fmu/private.h"
#include "spec/signal.h"
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

static const char SIGNATURE[8] = {'\x89', 'H', 'D', 'F', '\r', '\n', '\x1a', '\n'};

/* Reads all bytes of a file, into memory from malloc; NULL with errno. */
static char *read_all(const char *path, size_t *size) {
  FILE *file = hk_file_open(path);
  char *bytes = NULL;
  size_t capacity = 1 << 16, n = 0;
  if (!file) return NULL;
  for (bool more = true; more;) {
    char *larger = realloc(bytes, capacity *= 2);
    if (!larger) {
      free(bytes);
      fclose(file);
      errno = ENOMEM;
      return NULL;
    }
    bytes = larger;
    size_t got = fread(bytes + n, 1, capacity - n, file);
    n += got;
    more = got > 0 && n == capacity;
  }
  fclose(file);
  *size = n;
  return bytes;
}

/* Removes ".." from a path: "sub/../a.csv" becomes "a.csv". False if the path is outside of the folder. */
static bool normalise(const char *path, char *out, size_t size) {
  size_t n = 0;
  if (*path == '/' || strlen(path) >= size) return false;
  while (*path) {
    size_t length = strcspn(path, "/");
    if (length == 2 && strncmp(path, "..", 2) == 0) {
      if (!n) return false;
      while (n > 0 && out[n - 1] != '/') n--; /* the last part */
      if (n > 0) n--;
    } else if (length && !(length == 1 && *path == '.')) {
      if (n) out[n++] = '/';
      memcpy(out + n, path, length);
      n += length;
    }
    path += length;
    while (*path == '/') path++;
  }
  out[n] = '\0';
  return n > 0;
}

/* Name in the archive of a file of the model. */
static bool name_in_archive(const hk_fmu *f, const char *path, char *name, size_t size) {
  const char *slash = strrchr(f->model_path, '/');
  size_t folder = slash ? (size_t)(slash - f->model_path) + 1 : 0;
  if (folder && strncmp(path, f->model_path, folder) != 0) return false;
  snprintf(name, size, "resources/");
  return normalise(path + folder, name + 10, size - 10);
}

static hk_status refuse(hk_diag *diag, const hk_location *place, const hk_error *err) {
  if (err->code == HK_ENOMEM) diag->out_of_memory = true;
  return hk_diag_add(diag, HK_ERROR, place, "%s", err->text);
}

static hk_status pack_table(hk_fmu *f, const hk_item *item, const char *name, hk_diag *diag) {
  const hk_table_params *p = item->data;
  char file[4200], unit[128];
  hk_fmu_text t = {0};
  hk_error err = {0};
  hk_dim_format(p->points.x_dim, unit, sizeof unit);
  hk_fmu_add(&t, "x [%s],", unit);
  hk_dim_format(p->points.y_dim, unit, sizeof unit);
  hk_fmu_add(&t, "y [%s]\n", unit);
  for (int i = 0; i < p->points.n; i++) {
    hk_fmu_number(&t, p->points.x[i]);
    hk_fmu_add(&t, ",");
    hk_fmu_number(&t, p->points.y[i]);
    hk_fmu_add(&t, "\n");
  }
  hk_status status = t.failed ? hk_fail(&err, HK_ENOMEM, "out of memory") : HK_OK;
  if (!status && !hk_pack_table_name(name, p->x, p->y, file, sizeof file))
    status = hk_fail(&err, HK_EINPUT, "the name of '%s' is too long", p->file);
  if (!status && !hk_zip_has(&f->zip, file)) status = hk_zip_add(&f->zip, file, t.text, t.n, &err);
  free(t.text);
  return status ? refuse(diag, hk_item_location(item, "file"), &err) : HK_OK;
}

/* Adds the file of the model at `path`; item: the item that reads it, or NULL. */
static hk_status pack_file(hk_fmu *f, const char *path, const hk_item *item, hk_diag *diag) {
  char name[4096];
  size_t size = 0;
  hk_error err = {0};
  const hk_location *place = item ? hk_item_location(item, "file") : NULL;
  if (!name_in_archive(f, path, name, sizeof name))
    return hk_diag_add(diag, HK_ERROR, place,
                       "'%s' is outside of the model's folder and cannot be packed into an FMU: "
                       "copy it to that folder",
                       path);
  char *bytes = read_all(path, &size);
  if (!bytes)
    return hk_diag_add(diag, HK_ERROR, place, "cannot read '%s': %s", path, hk_file_trouble(errno));
  bool columns = item && hk_item_category(item) == HK_TABLE && size >= sizeof SIGNATURE &&
                 memcmp(bytes, SIGNATURE, sizeof SIGNATURE) == 0;
  hk_status status = columns ? pack_table(f, item, name, diag) : HK_OK;
  if (!status && !hk_zip_has(&f->zip, name) &&
      hk_zip_add(&f->zip, name, bytes, columns ? sizeof SIGNATURE : size, &err))
    status = refuse(diag, place, &err);
  free(bytes);
  return status;
}

extern const hk_type hk_type_body_flexible_body;

/* The parameter `file` of an item, relative to the model file that contains the item. */
static hk_status pack_item(hk_fmu *f, const hk_item *item, hk_diag *diag) {
  char path[4096];
  int i = hk_type_param_find(item->type, "file");
  const hk_param *p = i < 0 ? NULL : hk_type_param(item->type, i);
  if (!p || p->kind != HK_PARAM_STRING) return HK_OK;
  if (item->type == &hk_type_body_flexible_body) return HK_OK; /* its data is packed instead */
  const void *at = (const char *)item->data + p->offset;
  const char *name = *(const char *const *)at, *from = item->place.file;
  if (!name) return HK_OK;
  const char *slash = from && *name != '/' ? strrchr(from, '/') : NULL;
  int n = snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - from) + 1 : 0,
                   from ? from : "", name);
  if (n < 0 || n >= (int)sizeof path)
    return hk_diag_add(diag, HK_ERROR, hk_item_location(item, "file"), "the name is too long");
  return pack_file(f, path, item, diag);
}

static hk_status pack_prepared(hk_fmu *f, hk_diag *diag) {
  DIR *folder = opendir(f->folder);
  hk_status status = HK_OK;
  for (struct dirent *d; folder && !status && (d = readdir(folder));) {
    char path[4096], name[300];
    size_t size;
    hk_error err = {0};
    if (d->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "%s/%s", f->folder, d->d_name);
    snprintf(name, sizeof name, "resources/prepared/%s", d->d_name);
    char *bytes = read_all(path, &size);
    status = bytes ? hk_zip_add(&f->zip, name, bytes, size, &err)
                   : hk_fail(&err, HK_EIO, "cannot read '%s': %s", path, strerror(errno));
    if (status) refuse(diag, NULL, &err);
    free(bytes);
  }
  if (folder) closedir(folder);
  return status;
}

hk_status hk_fmu_pack(hk_fmu *f, hk_diag *diag) {
  const hk_spec *spec = f->model->spec;
  hk_status status = pack_file(f, f->model_path, NULL, diag);
  for (const hk_read_file *r = spec->read; r && !status; r = r->next)
    if (r->included) status = pack_file(f, r->path, NULL, diag);
  for (int c = 0; c < HK_N_CATEGORIES; c++)
    for (int i = 0; i < spec->n[c] && !status; i++) status = pack_item(f, spec->item[c][i], diag);
  return status ? status : pack_prepared(f, diag);
}
