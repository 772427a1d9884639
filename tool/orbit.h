/* Functions that `hooke poincare` and `hooke bifurcation` share: options for sections and channels, the interruption
 * by Ctrl-C or SIGTERM, and the progress line. */
#ifndef TOOL_ORBIT_H
#define TOOL_ORBIT_H
#include "study/orbit_sweep.h"
#include "json.h"
#include "load.h"

/* clang-format off */
#define TOOL_ORBIT_OPTIONS                                                                        \
  {0, "period", "TIME",                                                                           \
   "record a point once per period: a time such as \"0.1 s\", a frequency or angular velocity such as "     \
   "\"50 Hz\" or \"300 rpm\", or the name of a channel (a sensor) with this initial value: "   \
   "the period", false},                                                                          \
  {0, "phase", "SHARE", "phase within the period: a fraction such as 0.25, or an angle such as "         \
   "\"90 deg\"; default 0", false},                                                               \
  {0, "event", "CHANNEL[=VALUE]", "record a point whenever this channel crosses this value (default 0)",    \
   false},                                                                                        \
  {0, "direction", "WAY", "direction of a crossing: up (default), down or both", false},                    \
  {0, "modulo", "STEP", "the value of --event repeats with this spacing: \"360 deg\" means once " \
   "per turn", false},                                                                            \
  {0, "wait", "TIME", "longest time to wait for an event; default: the duration of the analysis", \
   false},                                                                                        \
  {0, "channels", "NAMES", "channels that make up a point, separated by commas", false},          \
  {0, "wrap", "NAMES", "channels that are angles, wrapped to -180 ... 180 deg", false},            \
  {0, "skip", "COUNT", "number of sections to skip before the first point", false},                     \
  {0, "points", "COUNT", "points to record", false},                                              \
  {0, "tolerance", "SHARE", "two points are equal within this fraction of the extent of the "     \
   "motion; default 1e-3", false},                                                                \
  {0, "distance", "D0", "initial distance of the second trajectory for the Lyapunov exponent, relative to the "    \
   "size of the model; default 1e-6, larger for fixed-step impact integrators", false}
/* clang-format on */

typedef struct tool_orbit {
  /* options of the orbit; o.channel is found by names when the model has been read */
  hk_orbit_options o;
  hk_sweep_names names;
  tool_model model;
  /* Memory of the texts and lists above. */
  char *text, *wrap_text, *event;
  const char **channel;
  bool *wrap;
  int *index;
} tool_orbit;

/* Reads the model and the options; messages are added to the model's diag or err.  Always call the free function. */
hk_status tool_orbit_open(tool_orbit *t, const tool_args *args, int skip, int points,
                          hk_error *err);
void tool_orbit_free(tool_orbit *t);
/* Returns true if a period is given as a number: a time, a frequency or a speed. Otherwise it is the name of a
 * channel. */
bool tool_is_number(const char *text);
hk_status tool_period(const char *text, double *period, hk_error *err);
/* Reads an integer between two limits. */
hk_status tool_count(const char *text, const char *what, long least, long most, int *out,
                     hk_error *err);

/* Ctrl-C and SIGTERM are recorded; a second one ends the program. */
void tool_catch_signals(void);
int tool_stop_signal(void); /* 0: none */

/* Counter in one line on stderr that is overwritten. */
typedef struct tool_counter {
  bool shown, drawn;
  double last;
} tool_counter;
void tool_counter_begin(tool_counter *c, bool quiet);
void tool_counter_draw(tool_counter *c, int done, int all);
void tool_counter_end(tool_counter *c);

/* "x [m]" */
void tool_channel_title(const tool_orbit *t, int k, char *text, size_t size);
void tool_orbit_json(tool_json *j, const tool_orbit *t, const hk_orbit *orbit);
/* Writes a text such as "period 2, repeats within ..." or "not periodic ...". */
void tool_repeat_text(const hk_orbit *orbit, char *text, size_t size);

/* Returns true if points are written as text: the path is "-" or ends in .csv. */
bool tool_is_csv(const char *path);
/* Writes ",x [m],y [m]" and the end of the line. */
void tool_csv_titles(const tool_orbit *t, FILE *out);

/* Ends a command with this status: prints the messages; the caller prints JSON or a report, and frees `text`. */
typedef struct tool_orbit_end {
  bool json, report;
  const char *error; /* `error` of the JSON object; NULL: none */
  char *text;        /* memory of the list */
  int code;          /* exit code of the process */
} tool_orbit_end;
tool_orbit_end tool_orbit_finish(tool_orbit *t, const tool_args *args, hk_status status,
                                 const hk_error *err);
#endif
