/* Equivalent radiated power of flexible bodies. */
#ifndef TOOL_ERP_H
#define TOOL_ERP_H
#include "flexible_bodies.h"

/* Density times speed of sound of air at 20 degrees Celsius [Pa s/m]. */
#define TOOL_ERP_AIR 413.0

typedef struct tool_erp_body {
  const tool_flexible_body *body;
  double *form;  /* [6 + m][6 + m]: see hk_flexible_surface_velocity */
  double total;  /* mean power of a run [W] */
  double *power; /* power at each frequency [W]; the owner frees it by tool_erp_free */
} tool_erp_body;

typedef struct tool_erp {
  tool_flexible_bodies bodies;
  tool_erp_body *body; /* [n] */
  int n;
  double impedance;
} tool_erp;

/* Reads the surfaces of the bodies of a spec; name NULL: of all flexible bodies. */
hk_status tool_erp_begin(tool_erp *e, const hk_spec *spec, const char *name, hk_error *err);
void tool_erp_free(tool_erp *e);
/* Converts v [6 + m] in place. On entry v contains the velocity and the angular velocity of the body's frame in world
 * axes, then the rates of the modes. On return the first six numbers are the velocity of the centre of mass and the
 * angular velocity, both in body axes. */
void tool_erp_to_body(const hk_flexible_data *d, const hk_mat3 *R, double *v);
/* v.form v */
double tool_erp_form(const tool_erp_body *b, const double *v);
/* Computes body[].power and body[].total of a run from its rows after the time `skip`; *f [*n] from malloc: frequencies [Hz]. */
hk_status tool_erp_of_run(tool_erp *e, hk_results *r, double skip, double **f, int *n,
                          hk_error *err);
/* Level of a sound power re 1 pW [dB]. */
double tool_erp_level(double power);
#endif
