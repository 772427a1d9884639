/* The few functions of MPI that an engine needs. They are taken from an MPI library that is found at run time, so that
 * the program itself does not depend on such a library. Open MPI and MPICH (with its derivatives) define handles and
 * constants differently; both are supported. */
#ifndef HK_STUDY_MPI_LIBRARY_H
#define HK_STUDY_MPI_LIBRARY_H
#include <hooke/base.h>

typedef struct hk_mpi hk_mpi;

/* Loads the library and calls MPI_Init.  The library is given by $HOOKE_MPI, otherwise the first
 * one found is used. */
hk_status hk_mpi_begin(hk_mpi **out, hk_error *err);
void hk_mpi_end(hk_mpi *m); /* MPI_Finalize */
void hk_mpi_abort(hk_mpi *m, int code);
int hk_mpi_rank(const hk_mpi *m);
int hk_mpi_size(const hk_mpi *m);
/* Sends a pair of 64-bit numbers to a rank; tag: kind of message. */
hk_status hk_mpi_send(hk_mpi *m, const int64_t pair[2], int rank, int tag, hk_error *err);
/* Receives from any rank (rank < 0) or from a given rank; waits for a message. */
hk_status hk_mpi_receive(hk_mpi *m, int64_t pair[2], int rank, int tag, hk_error *err);
/* Returns true if there is a message with this tag from any rank. */
bool hk_mpi_probe(hk_mpi *m, int tag);
#endif
