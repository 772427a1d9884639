/* Units in HDF5 files: see hdf5_unit.h.
 *
 * A text of variable length, as written by h5py, is stored in a heap of the file; the attribute contains the address
 * and index.  HDF5 up to 1.10 does not check the index and reads outside of its memory if a damaged file has a wrong
 * one.  Therefore the heap is read here, according to the file format specification, section III.E "Global Heap". */
#include "results/hdf5_unit.h"
#include "results/results_hdf5.h"
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
  LONGEST = 255,     /* largest length of a unit's text */
  POINTER_SIZE = 16, /* fields of a pointer: length (4 bytes), address (8), index (4) */
  HEAP_HEADER =
      16, /* fields of a heap's header: GCOL (4 bytes), version (1), reserved (3), size (8) */
  OBJECT_HEADER =
      16, /* fields of an object's header: index (2 bytes), references (2), reserved (4), size (8) */
  HEAP_MOST = 1 << 24
};

static uint64_t little_endian(const unsigned char *p, int n) {
  uint64_t value = 0;
  for (int i = n - 1; i >= 0; i--) value = value << 8 | p[i];
  return value;
}

static bool read_at(int fd, void *buf, size_t size, uint64_t at) {
  if (at > INT64_MAX - size) return false;
  for (size_t done = 0; done < size;) {
    ssize_t n = pread(fd, (char *)buf + done, size - done, (off_t)(at + done));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    done += (size_t)n;
  }
  return true;
}

/* Reads the object `index` of the heap at `heap`: `length` bytes and a terminating zero. */
static char *read_object(int fd, uint64_t heap, uint64_t index, size_t length) {
  unsigned char head[OBJECT_HEADER];
  if (!read_at(fd, head, HEAP_HEADER, heap) || memcmp(head, "GCOL\1", 5) != 0) return NULL;
  uint64_t size = little_endian(head + 8, 8), at = HEAP_HEADER;
  if (size > HEAP_MOST) return NULL;
  while (at + OBJECT_HEADER <= size && read_at(fd, head, OBJECT_HEADER, heap + at)) {
    uint64_t own = little_endian(head, 2), bytes = little_endian(head + 8, 8);
    if (own == 0 || bytes > size - at - OBJECT_HEADER) return NULL;
    if (own == index) {
      char *text = length <= bytes ? calloc(1, length + 1) : NULL;
      if (text && read_at(fd, text, length, heap + at + OBJECT_HEADER)) return text;
      free(text);
      return NULL;
    }
    at += OBJECT_HEADER + (bytes + 7) / 8 * 8;
  }
  return NULL;
}

/* Reads the reference to a text of variable length that an attribute contains, without reading
 * the text itself. */
static herr_t keep_pointer(hid_t from, hid_t to, H5T_cdata_t *data, size_t n, size_t stride,
                           size_t background_stride, void *buf, void *background, hid_t list) {
  (void)from, (void)to, (void)n, (void)stride, (void)background_stride;
  (void)buf, (void)background, (void)list;
  data->need_bkg = H5T_BKG_NO;
  return 0;
}

static bool read_pointer(hid_t attribute, hid_t type, unsigned char *out) {
  static const char name[] = "text in a heap";
  if (H5Aget_storage_size(attribute) != POINTER_SIZE) return false;
  hid_t memory = H5Tcreate(H5T_OPAQUE, POINTER_SIZE);
  bool good = memory >= 0 && H5Tregister(H5T_PERS_SOFT, name, type, memory, keep_pointer) >= 0;
  if (good) {
    good = H5Aread(attribute, memory, out) >= 0;
    H5Tunregister(H5T_PERS_SOFT, name, -1, -1, keep_pointer);
  }
  if (memory >= 0) H5Tclose(memory);
  return good;
}

/* Returns true if addresses and sizes in the file have 8 bytes; also returns the offset of the HDF5 data in the file. */
static bool find_layout(hid_t file, uint64_t *base) {
  hsize_t user = 0;
  size_t address = 0, size = 0;
  hid_t list = H5Fget_create_plist(file);
  bool good = list >= 0 && H5Pget_sizes(list, &address, &size) >= 0 && address == 8 && size == 8 &&
              H5Pget_userblock(list, &user) >= 0;
  if (list >= 0) H5Pclose(list);
  *base = user;
  return good;
}

static char *read_variable(hid_t set, hid_t attribute, hid_t type) {
  unsigned char pointer[POINTER_SIZE] = {0};
  char path[4096];
  uint64_t base = 0;
  hid_t file = H5Iget_file_id(set);
  ssize_t n = file < 0 ? -1 : H5Fget_name(file, path, sizeof path);
  bool good = n > 0 && n < (ssize_t)sizeof path && find_layout(file, &base) &&
              read_pointer(attribute, type, pointer);
  if (file >= 0) H5Fclose(file);
  size_t length = (size_t)little_endian(pointer, 4);
  int fd = good && length <= LONGEST ? open(path, O_RDONLY | O_CLOEXEC) : -1;
  if (fd < 0) return NULL;
  char *text =
      read_object(fd, base + little_endian(pointer + 4, 8), little_endian(pointer + 12, 4), length);
  close(fd);
  return text;
}

static char *read_fixed(hid_t attribute, hid_t type) {
  size_t size = H5Tget_size(type);
  char *text = size > 0 && size <= LONGEST ? calloc(1, size + 2) : NULL;
  hid_t memory = text ? H5Tcopy(H5T_C_S1) : -1;
  if (memory >= 0) {
    H5Tset_size(memory, size + 1);
    H5Tset_cset(memory, H5Tget_cset(type));
    if (H5Aread(attribute, memory, text) < 0) {
      free(text);
      text = NULL;
    }
    H5Tclose(memory);
  }
  return text;
}

static bool is_single(hid_t attribute) {
  hid_t space = H5Aget_space(attribute);
  bool single = space >= 0 && H5Sget_simple_extent_npoints(space) == 1;
  if (space >= 0) H5Sclose(space);
  return single;
}

hk_status hk_hdf5_unit_read(hid_t set, char **text) {
  static const char *const key[] = {"unit", "units"};
  *text = NULL;
  for (int i = 0; i < 2; i++) {
    if (H5Aexists(set, key[i]) <= 0) continue;
    errno = 0;
    hid_t a = H5Aopen(set, key[i], H5P_DEFAULT), type = a < 0 ? -1 : H5Aget_type(a);
    if (type >= 0 && H5Tget_class(type) == H5T_STRING && is_single(a))
      *text = H5Tis_variable_str(type) > 0 ? read_variable(set, a, type) : read_fixed(a, type);
    if (type >= 0) H5Tclose(type);
    if (a >= 0) H5Aclose(a);
    if (!*text) return errno == ENOMEM || hk_hdf5_lacks_memory() ? HK_ENOMEM : HK_EINPUT;
    break;
  }
  return HK_OK;
}
