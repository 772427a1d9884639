/* Reading reduced flexible bodies: see body_file.h. */
#include "base/file.h"
#include "base/memory_check.h"
#include "prepare/body_file.h"
#include "results/results_hdf5.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Maximum number of values in one dataset. A limit is needed because a damaged file may declare any size. */
static const hsize_t MAX_NUMBERS = (hsize_t)1 << 26;

typedef struct reader {
  const char *path;
  bool quiet;
  hk_arena *arena;
  hk_error *err;
  hk_status status;
} reader;

/* Records the first error, as "'body.h5': ...". */
static void fail(reader *r, hk_status code, const char *text) {
  if (!r->status) r->status = hk_fail(r->err, code, "'%s': %s", r->path, text);
}

static void *take(reader *r, size_t bytes) {
  void *at = r->status ? NULL : hk_arena_alloc(r->arena, bytes);
  if (!r->status && !at) r->status = hk_fail(r->err, HK_ENOMEM, "out of memory");
  return at;
}

typedef struct shape {
  int rank;
  hsize_t size[4]; /* expected size; 0: any size is accepted and stored here */
} shape;

static void shape_text(const shape *s, char *text, size_t size) {
  *text = 0;
  for (int i = 0; i < s->rank; i++) {
    size_t used = strlen(text);
    if (s->size[i])
      snprintf(text + used, size - used, "%s%llu", i ? " x " : "", (unsigned long long)s->size[i]);
    else
      snprintf(text + used, size - used, "%sn", i ? " x " : "");
  }
}

/* Reads the dataset `name` of a group as numbers of the memory type; NULL if it does not exist and is optional, or
 * after an error.  Sizes given as 0 receive the size in the file. */
static void *numbers(reader *r, hid_t group, const char *name, bool optional, hid_t type,
                     shape *s) {
  if (r->status || (optional && !hk_hdf5_has(group, name))) return NULL;
  char text[300], wanted[80], is[80];
  hid_t set = hk_hdf5_has(group, name) ? hk_hdf5_dataset(group, name) : -1;
  hid_t space = set < 0 ? -1 : H5Dget_space(set), stored = set < 0 ? -1 : H5Dget_type(set);
  H5T_class_t kind = stored < 0 ? H5T_NO_CLASS : H5Tget_class(stored);
  shape found = {.rank = space < 0 ? -1 : H5Sget_simple_extent_ndims(space)};
  bool fits = (kind == H5T_FLOAT || kind == H5T_INTEGER) && found.rank == s->rank &&
              H5Sget_simple_extent_dims(space, found.size, NULL) == s->rank;
  hsize_t n = 1;
  for (int i = 0; fits && i < s->rank; i++) {
    if (found.size[i] < 1 || (s->size[i] && s->size[i] != found.size[i])) fits = false;
    if (found.size[i] > MAX_NUMBERS / n) fits = false;
    if (fits) n *= found.size[i];
  }
  void *out = NULL;
  shape_text(s, wanted, sizeof wanted);
  if (set < 0) {
    snprintf(text, sizeof text, "it has no dataset '%.60s'", name);
    fail(r, hk_hdf5_lacks_memory() ? HK_ENOMEM : HK_EINPUT, text);
  } else if (!fits) {
    *is = 0;
    if (found.rank > 0 && found.rank <= 4) shape_text(&found, is, sizeof is);
    snprintf(text, sizeof text, "dataset '%.60s' must be %s numbers%s%s", name, wanted,
             *is && !r->quiet ? "; it is " : "", r->quiet ? "" : is);
    fail(r, HK_EINPUT, text);
  } else {
    *s = found;
    out = take(r, (size_t)n * H5Tget_size(type));
    if (out && H5Dread(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, out) < 0) {
      snprintf(text, sizeof text, "it is damaged: '%.60s' cannot be read", name);
      fail(r, hk_hdf5_lacks_memory() ? HK_ENOMEM : HK_EINPUT, text);
      out = NULL;
    }
  }
  if (stored >= 0) H5Tclose(stored);
  if (space >= 0) H5Sclose(space);
  if (set >= 0) H5Dclose(set);
  return out;
}

static double *doubles(reader *r, hid_t group, const char *name, bool optional, shape s) {
  return numbers(r, group, name, optional, H5T_NATIVE_DOUBLE, &s);
}

static void vector(reader *r, hid_t group, const char *name, hk_vec3 *out) {
  double *x = doubles(r, group, name, false, (shape){1, {3}});
  if (x) *out = hk_v3(x[0], x[1], x[2]);
}

/* Number stored in an attribute; `absent` if no such attribute can be read. */
static int int_attribute(hid_t place, const char *name, int absent) {
  int value = absent;
  if (H5Aexists(place, name) <= 0) return absent;
  hid_t a = H5Aopen(place, name, H5P_DEFAULT), type = a < 0 ? -1 : H5Aget_type(a),
        space = a < 0 ? -1 : H5Aget_space(a);
  if (type >= 0 && H5Tget_class(type) == H5T_INTEGER && space >= 0 &&
      H5Sget_simple_extent_npoints(space) == 1 && H5Aread(a, H5T_NATIVE_INT, &value) < 0)
    value = absent;
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (a >= 0) H5Aclose(a);
  return value;
}

/* Text stored in an attribute of fixed length, reduced to printable characters; "" if there is none. */
static const char *text_attribute(reader *r, hid_t place, const char *name) {
  if (H5Aexists(place, name) <= 0) return "";
  hid_t a = H5Aopen(place, name, H5P_DEFAULT), type = a < 0 ? -1 : H5Aget_type(a),
        space = a < 0 ? -1 : H5Aget_space(a);
  size_t n = type < 0 ? 0 : H5Tget_size(type);
  char *text = NULL;
  if (type >= 0 && H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0 && n > 0 &&
      n <= 4096 && H5Sget_simple_extent_npoints(space) == 1)
    text = take(r, n + 1);
  if (text && H5Aread(a, type, text) < 0) *text = 0;
  if (text) text[n] = 0;
  for (char *c = text; c && *c; c++)
    if ((unsigned char)*c < ' ') *c = ' ';
  if (space >= 0) H5Sclose(space);
  if (type >= 0) H5Tclose(type);
  if (a >= 0) H5Aclose(a);
  return text ? text : "";
}

/* ---- interfaces ---- */

typedef struct name_list {
  reader *r;
  const char **name; /* [HK_FLEXIBLE_MAX_INTERFACES] */
  int n;
} name_list;

static herr_t add_name(hid_t parent, const char *name, const H5L_info_t *info, void *data) {
  name_list *list = data;
  reader *r = list->r;
  if (!hk_flexible_name_ok(name)) {
    fail(r, HK_EINPUT, "the name of an interface is a letter, then letters, digits and _");
    return 1;
  }
  if (list->n == HK_FLEXIBLE_MAX_INTERFACES) {
    fail(r, HK_EINPUT, "it has more interfaces than are possible (500)");
    return 1;
  }
  char *copy = take(r, strlen(name) + 1);
  if (!copy) return 1;
  list->name[list->n++] = strcpy(copy, name);
  return 0;
}

static void read_interface(reader *r, hid_t group, hk_flexible_data *b,
                           hk_flexible_interface *out) {
  hsize_t m = (hsize_t)b->m;
  hid_t own = hk_hdf5_group(group, out->name);
  if (own < 0) {
    fail(r, HK_EINPUT, "every object in 'interfaces' must be a group");
    return;
  }
  out->observed = int_attribute(own, "observed", 0) != 0;
  vector(r, own, "position", &out->s);
  out->phi = doubles(r, own, "translation", false, (shape){2, {3, m}});
  out->psi = doubles(r, own, "rotation", false, (shape){2, {3, m}});
  out->G = doubles(r, own, "second_order", true, (shape){3, {3, m, m}});
  H5Gclose(own);
}

static void read_interfaces(reader *r, hid_t file, hk_flexible_data *b) {
  hid_t group = hk_hdf5_has(file, "interfaces") ? hk_hdf5_group(file, "interfaces") : -1;
  if (group < 0) {
    fail(r, HK_EINPUT, "it has no group 'interfaces'");
    return;
  }
  name_list list = {.r = r, .name = take(r, HK_FLEXIBLE_MAX_INTERFACES * sizeof *list.name)};
  if (list.name) H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, add_name, &list);
  hk_flexible_interface *f = take(r, ((size_t)list.n + 1) * sizeof *f);
  if (f) memset(f, 0, ((size_t)list.n + 1) * sizeof *f);
  for (int i = 0; i < list.n && !r->status; i++) {
    f[i].name = list.name[i];
    read_interface(r, group, b, &f[i]);
  }
  b->n_interfaces = list.n;
  b->interface = f;
  H5Gclose(group);
}

/* ---- the rest ---- */

/* all: the displacements and stresses of the modes too. */
static void read_surface(reader *r, hid_t file, bool all, hk_flexible_data *b) {
  hk_flexible_surface *s = &b->surface;
  if (!hk_hdf5_has(file, "surface")) return;
  hid_t group = hk_hdf5_group(file, "surface");
  if (group < 0) {
    fail(r, HK_EINPUT, "'surface' must be a group");
    return;
  }
  hsize_t m = (hsize_t)b->m;
  shape vertices = {2, {0, 3}}, triangles = {2, {0, 3}};
  s->vertex = numbers(r, group, "vertices", false, H5T_NATIVE_FLOAT, &vertices);
  s->triangle = numbers(r, group, "triangles", false, H5T_NATIVE_INT32, &triangles);
  shape moved = {3, {m, vertices.size[0], 3}}, stress = {3, {m, vertices.size[0], 6}};
  if (all) {
    s->displacement = numbers(r, group, "displacement", false, H5T_NATIVE_FLOAT, &moved);
    s->stress = numbers(r, group, "stress", true, H5T_NATIVE_FLOAT, &stress);
  }
  if (!r->status) {
    s->n_vertices = (int)vertices.size[0];
    s->n_triangles = (int)triangles.size[0];
  }
  H5Gclose(group);
}

static void read_body(reader *r, hid_t file, bool surface, hk_flexible_data *b) {
  int format = int_attribute(file, "hooke_body", 0);
  if (format != 1) {
    fail(r, HK_EINPUT,
         format > 1 ? "it was written by a newer version of hooke"
                    : "it is not a flexible body; `hooke reduce` writes such files");
    return;
  }
  b->source = text_attribute(r, file, "source");
  b->hash = text_attribute(r, file, "hash");
  double *mass = doubles(r, file, "mass", false, (shape){1, {1}});
  if (mass) b->mass = *mass;
  vector(r, file, "center", &b->center);
  double *J0 = doubles(r, file, "inertia", false, (shape){2, {3, 3}});
  if (J0) memcpy(b->J0.m, J0, sizeof b->J0.m);
  shape modes = {1, {0}}, fixed = {1, {0}};
  b->w2 = numbers(r, file, "squared_frequency", false, H5T_NATIVE_DOUBLE, &modes);
  if (b->w2 && modes.size[0] > HK_FLEXIBLE_MAX_MODES)
    fail(r, HK_EINPUT, "it has more modes than are possible (1000)");
  if (r->status) return;
  hsize_t m = modes.size[0];
  b->m = (int)m;
  b->J1 = doubles(r, file, "inertia_1", false, (shape){3, {m, 3, 3}});
  b->J2 = doubles(r, file, "inertia_2", false, (shape){4, {m, m, 3, 3}});
  b->c = doubles(r, file, "coriolis", false, (shape){3, {m, m, 3}});
  b->K = doubles(r, file, "stiffening", true, (shape){4, {m, m, 3, 3}});
  b->fixed_w2 = numbers(r, file, "fixed_squared_frequency", true, H5T_NATIVE_DOUBLE, &fixed);
  b->n_fixed = b->fixed_w2 ? (int)fixed.size[0] : -1;
  read_interfaces(r, file, b);
  read_surface(r, file, surface, b);
}

/* Makes x[m][m][n] exactly symmetric in the modes: sets it to the mean of itself and `sign` times its transpose. */
static void symmetrise_modes(const double *data, int m, int n, double sign) {
  double *x = (double *)(uintptr_t)data; /* memory from the arena of this reader */
  for (int k = 0; x && k < m; k++)
    for (int l = 0; l <= k; l++)
      for (int i = 0; i < n; i++) {
        double *a = &x[((size_t)k * (size_t)m + (size_t)l) * (size_t)n + (size_t)i];
        double *b = &x[((size_t)l * (size_t)m + (size_t)k) * (size_t)n + (size_t)i];
        double mean = 0.5 * (*a + sign * *b);
        *a = mean;
        *b = sign * mean;
      }
}

static void symmetrise_blocks(const double *data, size_t n) {
  double *x = (double *)(uintptr_t)data;
  for (size_t i = 0; x && i < n; i++, x += 9)
    for (int r = 0; r < 3; r++)
      for (int c = 0; c < r; c++) x[3 * r + c] = x[3 * c + r] = 0.5 * (x[3 * r + c] + x[3 * c + r]);
}

static void symmetrise(hk_flexible_data *b) {
  size_t m = (size_t)b->m;
  symmetrise_blocks(&b->J0.m[0][0], 1);
  symmetrise_blocks(b->J1, m);
  symmetrise_blocks(b->J2, m * m);
  symmetrise_blocks(b->K, m * m);
  symmetrise_modes(b->J2, b->m, 9, 1);
  symmetrise_modes(b->K, b->m, 9, 1);
  symmetrise_modes(b->c, b->m, 3, -1);
  for (int i = 0; i < b->n_interfaces; i++)
    for (size_t a = 0; a < 3 && b->interface[i].G; a++)
      symmetrise_modes(b->interface[i].G + a * m * m, b->m, 1, 1);
}

hk_status hk_body_file_read(const char *path, bool surface, bool quiet, hk_arena *arena,
                            hk_flexible_data *out, hk_error *err) {
  *out = (hk_flexible_data){.n_fixed = -1, .source = "", .hash = ""};
  FILE *there = hk_file_open(path);
  if (!there) return hk_fail(err, HK_EINPUT, "cannot read '%s': %s", path, hk_file_trouble(errno));
  fclose(there);
  hk_status status = hk_memory_check(HK_MEMORY_HDF5, "reading HDF5", err);
  if (status) return status;
  reader r = {.path = path, .quiet = quiet, .arena = arena, .err = err};
  hk_hdf5_guard guard;
  hk_hdf5_enter(&guard, path);
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file >= 0)
    read_body(&r, file, surface, out);
  else if (hk_hdf5_lacks_memory())
    fail(&r, HK_ENOMEM, "out of memory");
  else
    fail(&r, HK_EINPUT, "it is not an HDF5 file, or damaged");
  if (file >= 0) H5Fclose(file);
  hk_hdf5_leave(&guard);
  hk_error why = {0};
  if (!r.status) r.status = hk_flexible_check(out, &why);
  if (why.code)
    return hk_fail(err, r.status, "'%s'%s%s", path, quiet ? " has wrong numbers" : ": ",
                   quiet ? "" : why.text);
  if (!r.status) symmetrise(out);
  return r.status;
}
