/* MPI from a library found at run time: see mpi_library.h.
 *
 * The handle of an MPI object, such as a communicator, is a pointer in Open MPI and an integer in MPICH. Here each
 * function is declared once, with handles of type uintptr_t. This works for both libraries on all platforms that pass
 * pointers and integers in the same registers; every platform with one of these libraries does. The status that a
 * function writes is never read; the memory for it is larger than the status type of either library. */
#include "study/mpi_library.h"
#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

typedef struct functions {
  int (*Init)(int *argc, char ***argv);
  int (*Finalize)(void);
  int (*Abort)(uintptr_t comm, int code);
  int (*Comm_rank)(uintptr_t comm, int *rank);
  int (*Comm_size)(uintptr_t comm, int *size);
  int (*Send)(const void *, int n, uintptr_t type, int rank, int tag, uintptr_t comm);
  int (*Recv)(void *, int n, uintptr_t type, int rank, int tag, uintptr_t comm, void *status);
  int (*Iprobe)(int rank, int tag, uintptr_t comm, int *flag, void *status);
} functions;

struct hk_mpi {
  void *library;
  functions f;
  uintptr_t world, byte;
  int any_source, rank, size;
  void *ignore; /* memory for a status that is not read */
};

static void *open_library(void) {
  const char *own = getenv("HOOKE_MPI");
  static const char *const names[] = {"libmpi.so.40", "libmpi.so.12", "libmpich.so.12",
                                      "libmpi.so.20", "libmpi.so",    "libmpich.so"};
  if (own && *own) return dlopen(own, RTLD_NOW | RTLD_GLOBAL);
  /* mpirun of MPICH starts processes that only the library of MPICH can connect. */
  bool hydra = getenv("PMI_RANK") && !getenv("OMPI_COMM_WORLD_RANK");
  if (hydra) {
    void *mpich = dlopen("libmpich.so.12", RTLD_NOW | RTLD_GLOBAL);
    if (mpich) return mpich;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    void *library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL);
    if (library) return library;
  }
  return NULL;
}

static bool find(void *library, const char *name, void *function) {
  void *address = dlsym(library, name);
  memcpy(function, &address, sizeof address);
  return address != NULL;
}

static bool find_functions(hk_mpi *m) {
  functions *f = &m->f;
  void *l = m->library;
  return find(l, "MPI_Init", &f->Init) && find(l, "MPI_Finalize", &f->Finalize) &&
         find(l, "MPI_Abort", &f->Abort) && find(l, "MPI_Comm_rank", &f->Comm_rank) &&
         find(l, "MPI_Comm_size", &f->Comm_size) && find(l, "MPI_Send", &f->Send) &&
         find(l, "MPI_Recv", &f->Recv) && find(l, "MPI_Iprobe", &f->Iprobe);
}

/* Constants of the two families of libraries, as their public headers define them. */
static void find_constants(hk_mpi *m) {
  void *world = dlsym(m->library, "ompi_mpi_comm_world"),
       *byte = dlsym(m->library, "ompi_mpi_byte");
  if (world && byte) {
    m->world = (uintptr_t)world;
    m->byte = (uintptr_t)byte;
    m->any_source = -1;
    m->ignore = NULL;
  } else {
    m->world = 0x44000000;
    m->byte = 0x4c00010d;
    m->any_source = -2;
    m->ignore = (void *)(uintptr_t)1;
  }
}

hk_status hk_mpi_begin(hk_mpi **out, hk_error *err) {
  hk_mpi *m = calloc(1, sizeof *m);
  *out = NULL;
  if (!m) return hk_fail(err, HK_ENOMEM, "out of memory");
  m->library = open_library();
  if (!m->library) {
    hk_fail(err, HK_EINPUT,
            "no MPI library was found (%s); install Open MPI or MPICH, or set HOOKE_MPI to the "
            "path of its library",
            dlerror());
    free(m);
    return HK_EINPUT;
  }
  if (!find_functions(m)) {
    hk_fail(err, HK_EINPUT, "a function is missing in the MPI library: %s", dlerror());
    free(m);
    return HK_EINPUT;
  }
  find_constants(m);
  if (m->f.Init(NULL, NULL) || m->f.Comm_rank(m->world, &m->rank) ||
      m->f.Comm_size(m->world, &m->size)) {
    free(m);
    return hk_fail(err, HK_EFAIL, "MPI could not be started");
  }
  *out = m;
  return HK_OK;
}

/* Ends the use of MPI. The library stays loaded, because it may have threads. */
void hk_mpi_end(hk_mpi *m) {
  if (!m) return;
  m->f.Finalize();
  free(m);
}

void hk_mpi_abort(hk_mpi *m, int code) { m->f.Abort(m->world, code); }
int hk_mpi_rank(const hk_mpi *m) { return m->rank; }
int hk_mpi_size(const hk_mpi *m) { return m->size; }

enum { PAIR = 2 * sizeof(int64_t) };

hk_status hk_mpi_send(hk_mpi *m, const int64_t pair[2], int rank, int tag, hk_error *err) {
  if (m->f.Send(pair, PAIR, m->byte, rank, tag, m->world))
    return hk_fail(err, HK_EFAIL, "an MPI message could not be sent");
  return HK_OK;
}

hk_status hk_mpi_receive(hk_mpi *m, int64_t pair[2], int rank, int tag, hk_error *err) {
  if (m->f.Recv(pair, PAIR, m->byte, rank < 0 ? m->any_source : rank, tag, m->world, m->ignore))
    return hk_fail(err, HK_EFAIL, "an MPI message could not be received");
  return HK_OK;
}

bool hk_mpi_probe(hk_mpi *m, int tag) {
  int flag = 0;
  return m->f.Iprobe(m->any_source, tag, m->world, &flag, m->ignore) == 0 && flag;
}
