/* The C interface of hooke: this header includes all others.
 *
 * The stages of a model: hk_spec (items, hooke/spec.h, hooke/model_file.h) -> hk_model (compiled, hooke/model.h) -> hk_sim
 * (state and integrator, hooke/sim.h) or hk_run (a whole run, hooke/run.h).  All numbers are in SI units; angles in rad.
 *
 * Arguments.  `err`, `diag`, `options` and `report` may be NULL.  A function that can fail returns hk_status (0 success, > 0
 * recoverable or stopped, < 0 failed) or NULL, and writes a message to err or diag.  If a model, an item or
 * any other required argument is NULL, the function fails with HK_EINPUT and a message. The library never ends the program and
 * never writes to its streams.
 *
 * Names.  hk_noun_verb.  hk_x_create and hk_x_destroy for objects; hk_x_free for the contents of a struct that the caller
 * owns; destroying NULL does nothing.  hk_x_count, hk_x_at (or hk_x_name, ... with an index) and
 * hk_x_find for lists; find returns -1 or NULL if there is no such entry.  Texts are UTF-8.
 *
 * Threads.  The library has no global state except the lock of HDF5 (hooke/results.h).
 *
 *   object                                    shared by threads
 *   hk_model, hk_registry (once filled)       yes: they never change
 *   hk_spec, hk_item, hk_sim, hk_linear       no: one thread at a time; different objects at the same time
 *   hk_recording, hk_quality, hk_results      no while they are written; reading in-memory ones is safe
 *   hk_diag, hk_error                         owned by the caller: one per thread
 *
 * Callbacks run in the thread that called the library.  The functions of a type are called from the threads of all
 * simulations that use it.
 *
 * Versions.  Structs of options begin with their size, so that they can grow: 0 means the members of version 1.0.  Structs
 * that the library fills have reserved room.  The shared libraries have the version in their name and in every symbol.  A
 * plugin records the headers it was compiled with; a library with other headers rejects it.
 *
 * Locale.  Numbers in files are read and written with a decimal point, for any LC_NUMERIC.  Numbers in messages follow the
 * locale.
 */
#ifndef HOOKE_H
#define HOOKE_H
#include <hooke/version.h>
#include <hooke/base.h>
#include <hooke/math3.h>
#include <hooke/units.h>
#include <hooke/spec.h>
#include <hooke/model_file.h>
#include <hooke/model.h>
#include <hooke/quality.h>
#include <hooke/sim.h>
#include <hooke/state.h>
#include <hooke/matrices.h>
#include <hooke/recording.h>
#include <hooke/run.h>
#include <hooke/results.h>
#include <hooke/linear.h>
#include <hooke/response.h>
#include <hooke/machine.h>
#include <hooke/nonlinear.h>
#include <hooke/type.h>
#include <hooke/param.h>
#include <hooke/frame.h>
#include <hooke/relation.h>
#include <hooke/element.h>
#include <hooke/joint.h>
#include <hooke/gap.h>
#include <hooke/numerical.h>
#include <hooke/callback.h>
#include <hooke/draw.h>
#include <hooke/integrator.h>
#include <hooke/registry.h>
#include <hooke/conform.h>
#include <hooke/plot.h>
#include <hooke/report.h>
#include <hooke/study.h>
#endif
