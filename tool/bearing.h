/* hooke bearing: the bearing and its load, for the files that print and draw it. */
#ifndef TOOL_BEARING_H
#define TOOL_BEARING_H
#include "analysis/bearing_state.h"
#include "force.h"

typedef struct tool_bearing {
  tool_model model;
  const hk_force *force;
  hk_bearing_state s;
  double duty_life; /* NAN: no duty cycle */
  const char *body; /* the rigid body of the inner ring; NULL: none */
  double mass, natural[5];
  int n_natural;
} tool_bearing;

void tool_bearing_table(const tool_bearing *b, FILE *out);
void tool_bearing_json(const tool_bearing *b);
/* Draws load distribution, angles, pressures, stiffness over load and speed: SVG, PNG, PDF, or a page (.html). */
hk_status tool_bearing_draw(const tool_bearing *b, const char *path, hk_error *err);
#endif
