/* The channels that `hooke types` lists for a type, compared with those of its items in compiled models: names and units. */
#ifndef HK_CONFORM_LISTED_CHANNELS_H
#define HK_CONFORM_LISTED_CHANNELS_H
#include "model/model.h"
#include "reference/type_help.h"

enum { HK_MOST_LISTED = 120 };

typedef struct hk_listed_channel {
  char name[64], unit[32];
  bool offered; /* a model has it */
} hk_listed_channel;

typedef struct hk_listed {
  const hk_type *type;
  hk_listed_channel channel[HK_MOST_LISTED];
  int n, items; /* items: number of judged items */
} hk_listed;

/* Comparison of a model with the lists of its types. */
typedef struct hk_listed_look {
  const hk_model *model;
  hk_listed *(*of)(void *context, const hk_type *type);
  /* Receives a sentence about each difference. */
  void (*wrong)(void *context, const char *sentence);
  void *context;
} hk_listed_look;

/* Lists the channels of a type; false: there are more than HK_MOST_LISTED. */
bool hk_listed_fill(const hk_registry *types, const hk_type *type, hk_listed *out);
/* Compares the channels of one item. */
void hk_listed_judge(const hk_listed_look *look, const hk_item *item);
#endif
