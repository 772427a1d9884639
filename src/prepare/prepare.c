/* The list of loaders: see prepare.h. */
#include "prepare/prepare.h"
#include <hooke/element.h>

#define HK_LOADER(category, name) extern const hk_type hk_type_##category##_##name;
#include "prepare/loaders.list"
#undef HK_LOADER

#define HK_LOADER(category, name) {&hk_type_##category##_##name, hk_load_##category##_##name},
static const hk_item_loader LOADERS[] = {
#include "prepare/loaders.list"
};
#undef HK_LOADER

const hk_preparation hk_preparation_full = {
    .table_hdf5 = hk_table_hdf5_read,
    .loader = LOADERS,
    .n_loaders = sizeof LOADERS / sizeof *LOADERS,
};
