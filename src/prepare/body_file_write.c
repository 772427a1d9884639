/* Writing reduced flexible bodies: see body_file.h. */
#include "base/file.h"
#include "base/memory_check.h"
#include "prepare/body_file.h"
#include "results/results_hdf5.h"
#include <stdlib.h>
#include <string.h>

/* Writes numbers of the memory type; if data is NULL, writes nothing. */
static bool put(hid_t place, const char *name, hid_t type, int rank, const hsize_t *size,
                const void *data) {
  if (!data) return true;
  hid_t space = H5Screate_simple(rank, size, NULL);
  hid_t set = H5Dcreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = set >= 0 && H5Dwrite(set, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, data) >= 0;
  if (set >= 0) H5Dclose(set);
  if (space >= 0) H5Sclose(space);
  return ok;
}

static bool put_doubles(hid_t place, const char *name, int rank, const hsize_t *size,
                        const double *data) {
  return put(place, name, H5T_NATIVE_DOUBLE, rank, size, data);
}

static bool put_attribute(hid_t place, const char *name, hid_t type, const void *value) {
  hid_t space = H5Screate(H5S_SCALAR);
  hid_t a = H5Acreate2(place, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = a >= 0 && H5Awrite(a, type, value) >= 0;
  if (a >= 0) H5Aclose(a);
  if (space >= 0) H5Sclose(space);
  return ok;
}

static bool put_text(hid_t place, const char *name, const char *text) {
  if (!text) return true;
  hid_t type = H5Tcopy(H5T_C_S1);
  bool ok = type >= 0 && H5Tset_size(type, strlen(text) + 1) >= 0 &&
            put_attribute(place, name, type, text);
  if (type >= 0) H5Tclose(type);
  return ok;
}

static bool put_interface(hid_t place, const hk_flexible_interface *f, hsize_t m) {
  const hsize_t rows[2] = {3, m}, square[3] = {3, m, m}, three = 3;
  const double s[3] = {f->s.x, f->s.y, f->s.z};
  const int observed = 1;
  hid_t own = H5Gcreate2(place, f->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = own >= 0 && put_doubles(own, "position", 1, &three, s) &&
            put_doubles(own, "translation", 2, rows, f->phi) &&
            put_doubles(own, "rotation", 2, rows, f->psi) &&
            put_doubles(own, "second_order", 3, square, f->G) &&
            (!f->observed || put_attribute(own, "observed", H5T_NATIVE_INT, &observed));
  if (own >= 0) H5Gclose(own);
  return ok;
}

static bool put_surface(hid_t file, const hk_flexible_surface *s, hsize_t m) {
  if (s->n_vertices == 0) return true;
  const hsize_t n = (hsize_t)s->n_vertices, vertices[2] = {n, 3}, moved[3] = {m, n, 3},
                stress[3] = {m, n, 6}, triangles[2] = {(hsize_t)s->n_triangles, 3};
  hid_t own = H5Gcreate2(file, "surface", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  bool ok = own >= 0 && put(own, "vertices", H5T_NATIVE_FLOAT, 2, vertices, s->vertex) &&
            put(own, "triangles", H5T_NATIVE_INT32, 2, triangles, s->triangle) &&
            put(own, "displacement", H5T_NATIVE_FLOAT, 3, moved, s->displacement) &&
            put(own, "stress", H5T_NATIVE_FLOAT, 3, stress, s->stress);
  if (own >= 0) H5Gclose(own);
  return ok;
}

static bool put_body(hid_t file, const hk_flexible_data *b) {
  const hsize_t m = (hsize_t)b->m, one = 1, three = 3, nine[2] = {3, 3}, J1[3] = {m, 3, 3},
                J2[4] = {m, m, 3, 3}, c[3] = {m, m, 3},
                n_fixed = b->n_fixed > 0 ? (hsize_t)b->n_fixed : 0;
  const double center[3] = {b->center.x, b->center.y, b->center.z};
  const int format = 1;
  bool ok =
      put_attribute(file, "hooke_body", H5T_NATIVE_INT, &format) &&
      put_text(file, "source", b->source) && put_text(file, "hash", b->hash) &&
      put_doubles(file, "mass", 1, &one, &b->mass) &&
      put_doubles(file, "center", 1, &three, center) &&
      put_doubles(file, "inertia", 2, nine, &b->J0.m[0][0]) &&
      put_doubles(file, "squared_frequency", 1, &m, b->w2) &&
      put_doubles(file, "inertia_1", 3, J1, b->J1) &&
      put_doubles(file, "inertia_2", 4, J2, b->J2) && put_doubles(file, "coriolis", 3, c, b->c) &&
      put_doubles(file, "stiffening", 4, J2, b->K) &&
      (n_fixed == 0 || put_doubles(file, "fixed_squared_frequency", 1, &n_fixed, b->fixed_w2));
  hid_t group = ok ? H5Gcreate2(file, "interfaces", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT) : -1;
  ok = group >= 0;
  for (int i = 0; i < b->n_interfaces && ok; i++) ok = put_interface(group, &b->interface[i], m);
  if (group >= 0) H5Gclose(group);
  return ok && put_surface(file, &b->surface, m);
}

/* Returns the contents of the whole file, allocated with malloc. */
static hk_status make_image(const hk_flexible_data *b, void **image, size_t *size, hk_error *err) {
  hk_hdf5_guard guard;
  hk_status memory = hk_memory_check(HK_MEMORY_HDF5, "writing HDF5", err);
  if (memory) return memory;
  hk_hdf5_enter(&guard, NULL);
  hid_t access = H5Pcreate(H5P_FILE_ACCESS);
  bool ok = access >= 0 && H5Pset_fapl_core(access, 1 << 20, false) >= 0;
  hid_t file = ok ? H5Fcreate("body", H5F_ACC_TRUNC, H5P_DEFAULT, access) : -1;
  ok = file >= 0 && put_body(file, b) && H5Fflush(file, H5F_SCOPE_LOCAL) >= 0;
  ssize_t bytes = ok ? H5Fget_file_image(file, NULL, 0) : -1;
  *image = bytes > 0 ? malloc((size_t)bytes) : NULL;
  bool starved = (bytes > 0 && !*image) || (!ok && hk_hdf5_lacks_memory());
  char reason[256] = "";
  ok = *image && H5Fget_file_image(file, *image, (size_t)bytes) == bytes;
  if (!ok) hk_hdf5_reason(reason, sizeof reason);
  if (file >= 0) H5Fclose(file);
  if (access >= 0) H5Pclose(access);
  hk_hdf5_leave(&guard);
  *size = ok ? (size_t)bytes : 0;
  if (starved) return hk_fail(err, HK_ENOMEM, "out of memory while writing HDF5");
  return ok ? HK_OK : hk_fail(err, HK_EIO, "the body cannot be written as HDF5: %s", reason);
}

hk_status hk_body_file_write(const char *path, const hk_flexible_data *b, hk_error *err) {
  void *image = NULL;
  size_t size = 0;
  hk_new_file out = {0};
  hk_status status = hk_flexible_check(b, err);
  if (!status) status = make_image(b, &image, &size, err);
  if (!status) status = hk_new_file_open(&out, path, err);
  if (!status) {
    fwrite(image, 1, size, out.file);
    status = hk_new_file_close(&out, HK_OK, err);
  }
  free(image);
  return status;
}
