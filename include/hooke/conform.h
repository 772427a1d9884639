/* Conformance tests: the checks that every type of the library passes, for any type of a registry.  They cover the parameter
 * table, setters and model files, derivatives against finite differences, action and reaction, energy, and independence of
 * the position and orientation of the whole model.
 *
 *   hk_conform_report report;
 *   if (hk_conform(types, HK_FORCE, "magnet", NULL, &report, &err)) ...
 *   for (int i = 0; i < report.n; i++) printf("%s: %s\n", report.check[i].name, report.check[i].text);
 *
 * A check draws parameters from the type's table and states at random, with a fixed seed, in a small model of bodies, rotors,
 * point masses and joints.  Values that the type rejects are drawn again.
 */
#ifndef HOOKE_CONFORM_H
#define HOOKE_CONFORM_H
#include <hooke/registry.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum hk_verdict {
  HK_PASSED,
  HK_FAILED,
  HK_NOT_APPLICABLE /* the check does not apply to this type; `text` gives the reason */
} hk_verdict;

typedef struct hk_conform_check {
  const char *name, *what; /* short name such as "tangent", and a description of the check */
  hk_verdict verdict;
  int cases;       /* number of models or random draws that were checked */
  double worst;    /* largest deviation divided by its tolerance; <= 1: passed */
  char text[1024]; /* description of a failure */
} hk_conform_check;

enum { HK_CONFORM_MAX = 16 };
typedef struct hk_conform_report {
  hk_conform_check check[HK_CONFORM_MAX];
  int n, failed;
  /* Number of checks that test the behaviour of the type (all checks except those of its table
   * and parameters), and how many of them applied to it. If none applied, the behaviour of the
   * type is untested. */
  int of_physics, judged;
  bool numerical; /* the type gives no derivatives: the library uses finite differences */
} hk_conform_report;

/* Every member may be 0 or NULL. */
typedef struct hk_conform_options {
  size_t size;      /* sizeof(hk_conform_options), or 0: the members of version 1.0 */
  const char *only; /* run only the check of this name; NULL: all checks */
  /* the default number of models per check and pair of nodes is multiplied by this; 0 means 1 */
  int draws;
  /* Completes an item after its parameters have been drawn, if it needs data that is not in the table (a function). */
  hk_status (*complete)(void *context, hk_item *item, hk_error *err);
  void *context;
  /* Returns the number of memory allocations of the program so far, plugins included.  NULL: the check that steps of an
   * integrator allocate no memory is omitted. */
  long (*allocations)(void);
} hk_conform_options;

/* Runs the checks.  Returns HK_OK if all checks passed, HK_EFAIL if one failed, HK_EINPUT for an
 * unknown type or check, HK_ENOMEM.  The report is filled for HK_OK and HK_EFAIL. */
HK_API hk_status hk_conform(const hk_registry *registry, hk_category category, const char *type,
                            const hk_conform_options *options, hk_conform_report *report,
                            hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
