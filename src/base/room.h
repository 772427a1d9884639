/* Is there memory for what a library will ask for?  OpenBLAS asks again for ever where it gets none, and HDF5
 * does not survive a refusal in its first calls: better to ask before they do. */
#ifndef HK_ROOM_H
#define HK_ROOM_H
#include <hooke/base.h>

#ifdef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION
/* Sanitizers mark every byte of what is asked for, which would take most of a fuzzer's time. */
enum { HK_ROOM_BLAS = 1 << 10, HK_ROOM_HDF5 = 1 << 10 };
#else
enum {
  HK_ROOM_BLAS = 192 << 20, /* its buffer of 128 MiB, and the copies of LAPACKE beside it */
  HK_ROOM_HDF5 = 24 << 20   /* its tables and the chunks in its cache */
};
#endif
/* HK_ENOMEM: there are not so many bytes at once. */
hk_status hk_room(size_t bytes, const char *what, hk_error *err);
#endif
