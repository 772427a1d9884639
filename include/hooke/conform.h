/* Is a type right?  The checks that every type of the library passes, for any type of a registry: its
 * table, what setters and files make of its parameters, its derivatives against differences, action and
 * reaction, energy, and that nothing depends on where a model stands.
 *
 *   hk_conform_report report;
 *   if (hk_conform(types, HK_FORCE, "magnet", NULL, &report, &err)) ...
 *   for (int i = 0; i < report.n; i++) printf("%s: %s\n", report.check[i].name, report.check[i].text);
 *
 * A check draws parameters from the type's table and states at random, the same ones every time, in a
 * small world of bodies, rotors, point masses and joints.  What a type refuses is drawn again.
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
  HK_NOT_MEANT /* the check does not apply to this type: text says why */
} hk_verdict;

typedef struct hk_conform_check {
  const char *name, *what; /* "tangent", and what is checked in a few words */
  hk_verdict verdict;
  int cases;               /* models or draws that were judged */
  double worst;            /* largest deviation over its tolerance; <= 1 is good */
  char text[1024];         /* of a failure: what was found */
} hk_conform_check;

enum { HK_CONFORM_MAX = 16 };
typedef struct hk_conform_report {
  hk_conform_check check[HK_CONFORM_MAX];
  int n, failed;
  /* Checks of what the type does, beyond its table and parameters, and how many of them had something to judge:
   * with none, such a type may be wrong whatever the rest says. */
  int of_physics, judged;
  bool numerical; /* it gives no derivatives: the library takes differences */
} hk_conform_report;

/* Every member may be 0 or NULL. */
typedef struct hk_conform_options {
  size_t size;      /* sizeof(hk_conform_options), or 0: the members of version 1.0 */
  const char *only; /* name of the one check to run */
  int draws;        /* models per check and pair of nodes, over what is usual: 0 is 1 */
  /* Completes an item after its parameters have been drawn, where the table does not say all (a
   * function). */
  hk_status (*complete)(void *context, hk_item *item, hk_error *err);
  void *context;
  /* How often the program, plugins included, has asked for memory so far: `hooke conform` has such a function.  NULL: whether
   * the steps of an integrator allocate memory is not checked. */
  long (*allocations)(void);
} hk_conform_options;

/* HK_OK if all checks passed, HK_EFAIL if one did not, HK_EINPUT if there is no such type or check,
 * HK_ENOMEM.  The report is filled in the first two cases. */
HK_API hk_status hk_conform(const hk_registry *registry, hk_category category, const char *type,
                            const hk_conform_options *options, hk_conform_report *report,
                            hk_error *err);

#ifdef __cplusplus
}
#endif
#endif
