/* See events.h. */
#include "events.h"
#include <stdio.h>

void tool_events_print(const hk_run_report *p) {
  for (size_t i = 0; i < p->n_events; i++) {
    const hk_run_event *e = &p->event[i];
    printf("event '%s': ", e->name);
    if (e->count == 0)
      puts("never");
    else if (e->n_times == 0)
      printf("%ld times\n", e->count);
    else if (e->count == 1)
      printf("once, at t = %.9g s\n", e->time[0]);
    else
      printf(
          "%ld times, first at t = %.9g s%s%.9g s\n", e->count, e->time[0],
          e->n_times == e->count ? ", last at t = " : ", 1000th at t = ", e->time[e->n_times - 1]);
  }
  if (p->stop_event) printf("stopped by event '%s' at t = %.9g s\n", p->stop_event, p->t);
}

void tool_events_json(tool_json *j, const hk_run_report *p) {
  if (p->stop_event) tool_json_text(j, "stop_event", p->stop_event);
  if (!p->n_events) return;
  tool_json_open(j, "events", '{');
  for (size_t i = 0; i < p->n_events; i++) {
    const hk_run_event *e = &p->event[i];
    tool_json_open(j, e->name, '{');
    tool_json_int(j, "count", e->count);
    tool_json_open(j, "times", '[');
    for (int k = 0; k < e->n_times; k++) tool_json_real(j, NULL, e->time[k]);
    tool_json_close(j, ']');
    tool_json_close(j, '}');
  }
  tool_json_close(j, '}');
}
