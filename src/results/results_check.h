/* Checks of the channels and attributes of a results file, before the file is created. */
#ifndef HK_RESULTS_RESULTS_CHECK_H
#define HK_RESULTS_RESULTS_CHECK_H
#include "results/results.h"

/* Checks that there are channels, that their names are unique and not empty, and that names and units are short enough and
 * contain no control characters. */
hk_status hk_results_check_channels(const hk_channel_info *channel, int n, hk_error *err);
/* Checks that every attribute has a value and a unique key. */
hk_status hk_results_check_attributes(const hk_results_meta *meta, hk_error *err);

#endif
