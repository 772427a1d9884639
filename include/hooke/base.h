/* hooke: status codes, errors and diagnostics shared by every part of the library.
 *
 * Status: 0 is success, > 0 is recoverable (a stepper retries with a smaller step),
 * < 0 is final.  A function that can fail takes an `hk_error *` (may be NULL) and fills it
 * with one sentence that names what failed, where, and what to do about it.
 */
#ifndef HOOKE_BASE_H
#define HOOKE_BASE_H

#include <hooke/version.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define HK_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#else
#define HK_PRINTF(fmt, args)
#endif

typedef enum hk_status {
  HK_OK = 0,
  HK_RETRY = 1,   /* the step failed; a smaller step may succeed */
  HK_STOPPED = 2, /* the caller has requested to stop; results so far are valid */
  HK_EINPUT = -1, /* bad input: model file, argument, parameter */
  HK_EFAIL = -2,  /* the computation failed and cannot be continued */
  HK_ENOMEM = -3, /* out of memory */
  HK_EIO = -4     /* file cannot be read or written */
} hk_status;

typedef struct hk_error {
  hk_status code;
  char text[1024];
  /* Machine-readable fields; if unset: "", NaN, -1. */
  char element[128]; /* name of the body, joint, force or contact */
  double time;       /* simulated time [s] */
  int row;           /* index of the constraint row that caused the failure; -1: none */
} hk_error;

/* Fill *err (if not NULL) and return code, so that callers can write `return hk_fail(...)`. */
HK_API hk_status hk_fail(hk_error *err, hk_status code, const char *fmt, ...) HK_PRINTF(3, 4);
/* Fill the machine-readable fields of an error after hk_fail; NULL, NaN and -1 leave a field unchanged. */
HK_API void hk_error_about(hk_error *err, const char *element, double time, int row);
/* Reports an error caused by another one: the text is "what: why", and the machine-readable fields
 * are copied from `why`.  err and why may be the same struct. */
HK_API hk_status hk_fail_because(hk_error *err, hk_status code, const char *what,
                                 const hk_error *why);

/* ---- progress ---- */

/* Progress of a long operation. */
typedef struct hk_progress {
  const char *what; /* "steps", "equilibrium", "modes" */
  double done;      /* fraction, 0 to 1; NaN: unknown */
  double time;      /* simulated time [s]; NaN: not applicable */
  long count;       /* steps or iterations so far */
  double reserved[4];
} hk_progress;
/* Progress callback: called many times while an operation runs, in the thread that started the
 * operation. If it returns false, the operation stops regularly and returns HK_STOPPED. Option
 * structs hold this function and its argument as `progress` and `context`; NULL: not called. */
typedef bool hk_progress_fn(void *context, const hk_progress *now);

/* ---- messages ---- */

/* A location in a model file.  line and column count from 1; 0: unknown. */
typedef struct hk_location {
  const char *file; /* NULL: unknown */
  int line, column;
} hk_location;

typedef enum hk_severity { HK_NOTE, HK_WARNING, HK_ERROR } hk_severity;

/* Collects the messages of reading or compiling one model, so that a user sees all errors of a file at once.  Errors beyond
 * HK_MAX_ERRORS are counted but not kept. */
enum { HK_MAX_ERRORS = 20 };
typedef struct hk_diag_message {
  hk_severity severity;
  hk_location place;
  char *text;
} hk_diag_message;
typedef struct hk_diag {
  hk_diag_message *message;
  int n, capacity;
  int n_errors, n_warnings;
  bool out_of_memory;
  /* Called during operations that take seconds, with a name of the operation and the completed fraction, 0..1.  NULL: not
   * called. */
  void (*progress)(void *context, const char *what, double done);
  void *progress_context;
} hk_diag;

HK_API void hk_diag_init(hk_diag *d);
HK_API void hk_diag_free(hk_diag *d);
/* Append one message (text and file name are copied; `location` may be NULL).  Always returns HK_EINPUT. */
HK_API hk_status hk_diag_add(hk_diag *d, hk_severity s, const hk_location *place, const char *fmt,
                             ...) HK_PRINTF(4, 5);
/* Writes one message as `file:line:col: error: text` into buf; returns the length that the text
 * needs. */
HK_API int hk_diag_format(const hk_diag_message *m, char *buf, size_t size);

#ifdef __cplusplus
}
#endif
#endif
