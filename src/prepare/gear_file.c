/* Compliance of gears in HDF5: see gear_file.h. */
#include "base/file.h"
#include "prepare/gear_file.h"
#include "expr/units.h"
#include "results/hdf5_unit.h"
#include "results/results_hdf5.h"
#include "base/memory_check.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct source {
  const char *path;
  bool quiet; /* messages do not show contents of the file */
  hid_t file, group;
  char name[128]; /* name of the group, for messages */
} source;

typedef struct group_list {
  int n;
  char first[128], names[300];
} group_list;

static herr_t list_group(hid_t parent, const char *name, const H5L_info_t *info, void *data) {
  group_list *list = data;
  H5O_info_t about;
  if (H5Oget_info_by_name(parent, name, &about, H5P_DEFAULT) < 0 || about.type != H5O_TYPE_GROUP)
    return 0;
  if (!list->n) snprintf(list->first, sizeof list->first, "%s", name);
  size_t used = strlen(list->names);
  snprintf(list->names + used, sizeof list->names - used, "%s%s", list->n ? ", " : "", name);
  list->n++;
  return 0;
}

static bool has_table(hid_t group) { return hk_hdf5_has(group, "compliance"); }

static hk_status open_group(source *s, const char *asked, hk_error *err) {
  group_list list = {0};
  H5Literate(s->file, H5_INDEX_NAME, H5_ITER_INC, NULL, list_group, &list);
  if (!asked && !has_table(s->file) && list.n > 1)
    return hk_fail(err, HK_EINPUT, "'%s' contains several gears; specify one of its groups%s%s",
                   s->path, s->quiet ? "" : ": ", s->quiet ? "" : list.names);
  if (!asked && !has_table(s->file) && list.n == 1) asked = list.first;
  snprintf(s->name, sizeof s->name, "%s",
           !asked                            ? "/"
           : asked == list.first && s->quiet ? "?"
                                             : asked);
  if (!asked || hk_hdf5_has(s->file, asked)) s->group = hk_hdf5_group(s->file, asked ? asked : "/");
  if (s->group < 0)
    return hk_fail(err, HK_EINPUT, "'%s' has no group '%s'%s%s", s->path, s->name,
                   s->quiet ? "" : "; it has ",
                   s->quiet ? ""
                   : list.n ? list.names
                            : "none");
  return HK_OK;
}

static hk_status damaged(const source *s, const char *name, hk_error *err) {
  if (hk_hdf5_lacks_memory())
    return hk_fail(err, HK_ENOMEM, "out of memory while reading '%s'", s->path);
  return hk_fail(err, HK_EINPUT, "'%s' is damaged: '%s' cannot be read", s->path, name);
}

/* Reads the values of a dataset with `rank` dimensions, in SI units. */
static hk_status read_numbers(const source *s, const char *name, const char *unit_wanted, int rank,
                              const hsize_t *most, hk_arena *arena, hsize_t *size, double **out,
                              hk_error *err) {
  hk_unit unit = {.factor = 1}, wanted;
  hid_t set = hk_hdf5_has(s->group, name) ? hk_hdf5_dataset(s->group, name) : -1;
  hid_t space = set < 0 ? -1 : H5Dget_space(set), type = set < 0 ? -1 : H5Dget_type(set);
  H5T_class_t kind = type < 0 ? H5T_NO_CLASS : H5Tget_class(type);
  char *text = NULL;
  hk_status status = set < 0 ? HK_OK : hk_hdf5_unit_read(set, &text);
  if (status == HK_ENOMEM)
    hk_fail(err, status, "out of memory while reading '%s'", s->path);
  else if (status)
    hk_fail(err, status, "'%s', group '%s': the unit of '%s' is not a short text that can be read",
            s->path, s->name, name);
  else if ((kind != H5T_FLOAT && kind != H5T_INTEGER) || H5Sget_simple_extent_ndims(space) != rank)
    status =
        hk_fail(err, HK_EINPUT, "'%s', group '%s': no dataset '%s' of numbers with %d dimension%s",
                s->path, s->name, name, rank, rank > 1 ? "s" : "");
  if (!status && H5Sget_simple_extent_dims(space, size, NULL) != rank)
    status = damaged(s, name, err);
  size_t n = 1;
  for (int i = 0; i < rank && !status; i++) {
    if (size[i] < 1 || size[i] > most[i])
      status = hk_fail(
          err, HK_EINPUT, "'%s', group '%s': dimension %d of '%s' is %llu; it may be 1 to %llu",
          s->path, s->name, i + 1, name, (unsigned long long)size[i], (unsigned long long)most[i]);
    n *= (size_t)size[i];
  }
  if (!status && text && *text) {
    hk_error why = {0};
    hk_unit_parse(unit_wanted, strlen(unit_wanted), &wanted, &why);
    if (hk_unit_parse(text, strlen(text), &unit, &why))
      status = hk_fail(err, HK_EINPUT, "'%s', group '%s', unit of '%s': %s", s->path, s->name, name,
                       s->quiet ? "not a unit" : why.text);
    else if (!hk_dim_equal(unit.dim, wanted.dim))
      status = hk_fail(err, HK_EINPUT, "'%s', group '%s': '%s' is in %s, not in %s", s->path,
                       s->name, name, text, unit_wanted);
  }
  if (!status && !(*out = HK_NEW_ARRAY(arena, double, n)))
    status = hk_fail(err, HK_ENOMEM, "out of memory");
  if (!status && H5Dread(set, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, *out) < 0)
    status = damaged(s, name, err);
  for (size_t i = 0; i < n && !status; i++) (*out)[i] = hk_unit_to_si(&unit, (*out)[i]);
  free(text);
  if (type >= 0) H5Tclose(type);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return status;
}

static hk_status read_table(const source *s, hk_arena *arena, hk_gear_compliance *g,
                            hk_error *err) {
  const hsize_t stations = HK_GEAR_MAX_STATIONS, slices = HK_GEAR_MAX_SLICES;
  const hsize_t most[5] = {2 * HK_GEAR_MAX_REACH + 1, stations, slices, stations, slices};
  hsize_t n, size[5];
  double *roll = NULL, *c = NULL;
  hk_status status = read_numbers(s, "roll_length", "m", 1, &most[1], arena, &n, &roll, err);
  if (!status) status = read_numbers(s, "compliance", "m/N", 5, most, arena, size, &c, err);
  if (status) return status;
  if (size[0] % 2 == 0)
    return hk_fail(err, HK_EINPUT,
                   "'%s', group '%s': the first dimension of 'compliance' is %llu; it must be odd, "
                   "because it counts a tooth and the same number of neighbours on each side",
                   s->path, s->name, (unsigned long long)size[0]);
  if (size[1] != n || size[3] != n || size[2] != size[4])
    return hk_fail(
        err, HK_EINPUT,
        "'%s', group '%s': 'compliance' is %llu x %llu x %llu x %llu x %llu with %llu roll "
        "lengths; it must be teeth x stations x slices x stations x slices",
        s->path, s->name, (unsigned long long)size[0], (unsigned long long)size[1],
        (unsigned long long)size[2], (unsigned long long)size[3], (unsigned long long)size[4],
        (unsigned long long)n);
  *g = (hk_gear_compliance){(int)n, (int)size[2], (int)(size[0] / 2), roll, c};
  hk_error why = {0};
  status = hk_gear_compliance_check(g, &why);
  if (!status) { /* the mean of two valid values may still be invalid */
    hk_gear_compliance_symmetrise(g, c);
    status = hk_gear_compliance_check(g, &why);
  }
  return status ? hk_fail(err, HK_EINPUT, "'%s', group '%s': %s", s->path, s->name, why.text)
                : HK_OK;
}

hk_status hk_gear_file_read(const char *path, const char *group, bool quiet, hk_arena *arena,
                            hk_gear_compliance *out, hk_error *err) {
  source s = {.path = path, .quiet = quiet, .file = -1, .group = -1};
  hk_hdf5_guard guard;
  FILE *there = hk_file_open(path);
  if (!there) return hk_fail(err, HK_EINPUT, "cannot read '%s': %s", path, hk_file_trouble(errno));
  fclose(there);
  hk_status status = hk_memory_check(HK_MEMORY_HDF5, "reading HDF5", err);
  if (status) return status;
  hk_hdf5_enter(&guard, path);
  s.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (s.file < 0 && hk_hdf5_lacks_memory())
    status = hk_fail(err, HK_ENOMEM, "out of memory while reading '%s'", path);
  else if (s.file < 0)
    status = hk_fail(err, HK_EINPUT, "cannot read '%s': it is not HDF5, or damaged", path);
  if (!status) status = open_group(&s, group, err);
  if (!status) status = read_table(&s, arena, out, err);
  if (s.group >= 0) H5Gclose(s.group);
  if (s.file >= 0) H5Fclose(s.file);
  hk_hdf5_leave(&guard);
  return status;
}
