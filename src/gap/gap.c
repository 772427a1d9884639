/* The parameters that every contact has. */
#include "gap/gap.h"

const hk_param hk_contact_params[] = {
    HK_FRAME(hk_contact_common, a, HK_REQUIRED, "frame of the first body"),
    HK_FRAME(hk_contact_common, b, HK_REQUIRED, "frame of the second body"),
    HK_LAW_NAME(hk_contact_common, law, HK_REQUIRED, "what happens where they touch: one of `laws`"),
};
const int hk_contact_n_params = sizeof hk_contact_params / sizeof *hk_contact_params;
