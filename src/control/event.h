/* Events of a model: conditions that become true within a step.
 *
 * After every step the conditions are evaluated along the step. A condition that is false at the
 * start and true anywhere in the step is an event; its time is found by bisection of the
 * integrator's polynomial, or is the end of the step if the integrator has none. If the event
 * sets inputs or stops the run, the step is repeated from its start up to this time. The event's
 * counts are part of the state. */
#ifndef HK_CONTROL_EVENT_H
#define HK_CONTROL_EVENT_H
#include "sim/sim.h"

typedef struct hk_events hk_events;
typedef struct hk_event_note {
  const hk_event *event;
  double t;
} hk_event_note;
enum { HK_EVENTS_NOTED = 256 };

/* Call at the start of a run. A condition that is true at the start is not an event. */
hk_status hk_events_begin(hk_sim *s, hk_error *err);
/* Makes a step by a function that ignores events, and then handles the events within the step. HK_STOPPED: an event
 * has stopped the run. */
typedef hk_status hk_plain_step(hk_sim *s, double t_end, hk_error *err);
/* Function that makes a step and ignores events; also used for trial integrations. */
hk_plain_step hk_step_without_events;
hk_status hk_events_step(hk_sim *s, double t_end, hk_plain_step *step, hk_error *err);
void hk_events_free(hk_sim *s);
/* Name of an event that sets this input; NULL: none. */
const char *hk_events_set_input(const hk_model *m, int input);
/* For analyses that compare motions or compute derivatives, which is impossible across events: returns HK_EINPUT with
 * a message if an event of the model changes the motion. */
hk_status hk_events_refuse(const hk_model *m, const char *what, hk_error *err);
double hk_sim_event_count(const hk_sim *s, int event);
/* The events of the last step, at most HK_EVENTS_NOTED. */
int hk_sim_events_noted(const hk_sim *s, const hk_event_note **out);
#endif
