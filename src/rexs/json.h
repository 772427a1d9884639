/* REXS files in JSON (.rexsj): the same tree as in XML. */
#ifndef HK_REXS_JSON_H
#define HK_REXS_JSON_H
#include "rexs/file.h"
#include <stddef.h>

/* Fills f; its arena must be empty. */
hk_status hk_rexs_json_parse(hk_rexs_file *f, const char *text, size_t size, hk_error *err);
#endif
