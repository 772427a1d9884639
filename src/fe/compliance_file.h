/* A compliance table as a file, named by a key: the cache of the user (cache.h) and the tables that an FMU carries along
 * (src/fmu) have this form.  Each file ends with the hash of its numbers. */
#ifndef HK_FE_COMPLIANCE_FILE_H
#define HK_FE_COMPLIANCE_FILE_H
#include "fe/gear_fe.h"

enum { HK_TABLE_KEY = 32 };

/* SHA-256 of all data on which the table of a gear depends. */
void hk_fe_gear_key(const hk_fe_gear *g, unsigned char key[HK_TABLE_KEY]);
/* Key of the table of gear 0 or 1 of a gear pair that was read from the file of another program. */
void hk_gear_file_key(const char *gear_pair, int gear, const char *file,
                      unsigned char key[HK_TABLE_KEY]);

/* Writes the name "folder/gear-..."; false: the name is too long. */
bool hk_gear_table_name(const char *folder, const unsigned char key[HK_TABLE_KEY], char *name,
                        size_t size);
/* Reads the table; false if the file does not exist or is damaged. */
bool hk_gear_table_read(const char *name, const unsigned char key[HK_TABLE_KEY], hk_arena *arena,
                        hk_gear_compliance *out);
/* Writes the table under a temporary name, then renames it: an incomplete file is never visible.
 * False with errno. */
bool hk_gear_table_write(const char *name, const unsigned char key[HK_TABLE_KEY],
                         const hk_gear_compliance *table);
#endif
