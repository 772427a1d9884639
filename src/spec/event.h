/* Parameters of events (`events` and `stop` of a model file), and the names of their channels. */
#ifndef HK_SPEC_EVENT_H
#define HK_SPEC_EVENT_H
#include "spec/type.h"
#include <hooke/element.h>

typedef struct hk_event_params {
  hk_expr *when;
  int after;
  bool stop;
  hk_terms set;
} hk_event_params;

/* Numbers that an event has in the state, each with a channel "event.NAME". */
enum { HK_EVENT_COUNT, HK_EVENT_TIME, HK_EVENT_ACTIVE, HK_EVENT_NUMBERS };
typedef struct hk_event_number {
  const char *name, *unit;
} hk_event_number;
extern const hk_event_number hk_event_table[HK_EVENT_NUMBERS];
#endif
