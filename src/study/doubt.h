/* What a run says of its own quality. */
#ifndef HK_DOUBT_H
#define HK_DOUBT_H
#include <hooke/run.h>

/* A warning in diag for each reason not to trust a run; length: that of the model.  Returns how many
 * there are. */
int hk_run_doubts(const hk_run_report *p, double length, hk_diag *diag);
#endif
