/* The few functions of MPI that an engine needs, from a library that is found at run time, so that
 * the program itself needs none.  Open MPI and MPICH (with its relatives) name their handles and
 * constants differently; both are known. */
#ifndef HK_MPI_LIBRARY_H
#define HK_MPI_LIBRARY_H
#include <hooke/base.h>

typedef struct hk_mpi hk_mpi;

/* Loads the library and calls MPI_Init.  The library is that of $HOOKE_MPI, else the first found. */
hk_status hk_mpi_begin(hk_mpi **out, hk_error *err);
void hk_mpi_end(hk_mpi *m); /* MPI_Finalize */
void hk_mpi_abort(hk_mpi *m, int code);
int hk_mpi_rank(const hk_mpi *m);
int hk_mpi_size(const hk_mpi *m);
/* One 64-bit number pair to a rank; tag tells kinds of message apart. */
hk_status hk_mpi_send(hk_mpi *m, const int64_t pair[2], int rank, int tag, hk_error *err);
/* From any rank (rank < 0) or one; waits. */
hk_status hk_mpi_receive(hk_mpi *m, int64_t pair[2], int rank, int tag, hk_error *err);
/* Is there a message with this tag from anybody? */
bool hk_mpi_probe(hk_mpi *m, int tag);
#endif
