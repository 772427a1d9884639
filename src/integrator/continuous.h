/* A model as x' = f(t, x), for integrators outside of the library (model exchange of FMI).
 *
 * The states x are positions [nq], with unit quaternions, and velocities of bodies [nv - n_states]; an item of type
 * `state` in the model is a position without a velocity. An outside integrator does not know the constraints: its
 * errors violate them, and with index-1 equations this violation grows. Therefore all functions use P(x), the
 * projection of x onto the constraints (positions, velocities, lengths of quaternions), and
 *
 *   f(t, x) = F(t, P(x)) - k (x - P(x)),   k = 2 max(|v|/length, |w|)
 *
 * F: the equations of motion. On the constraints this is F itself. Away from them, P(x) moves independently of the
 * difference x - P(x), and this difference decreases at the rate k. The rate k does not make the equations stiff,
 * because any accurate step is shorter than 1/max(|v|/length, |w|). Since outputs are computed from P(x), they satisfy
 * the constraints to round-off. */
#ifndef HK_INTEGRATOR_CONTINUOUS_H
#define HK_INTEGRATOR_CONTINUOUS_H
#include "control/breakpoint.h"
#include "sim/sim.h"
#include <hooke/state.h>

/* HK_EINPUT: the model cannot be written as such an equation; err names the element that prevents it. */
hk_status hk_continuous_supports(const hk_sim *s, hk_error *err);
/* Number of states; name, unit and magnitude of one state.  rate: the name and unit of its time derivative. */
int hk_continuous_count(const hk_model *m);
void hk_continuous_entry(const hk_model *m, int i, bool rate, hk_state_entry *out);
double hk_continuous_nominal(const hk_model *m, int i);

/* The states of the simulation. */
void hk_continuous_get(const hk_sim *s, double *x);
/* Moves the simulation to the time t and the states P(x).  HK_RETRY: the projection does not converge. */
hk_status hk_continuous_place(hk_sim *s, double t, const double *x, hk_error *err);
/* Computes f at the states x, to which the simulation must have been set before. x = NULL:
 * computes f at the present states of the simulation. */
hk_status hk_continuous_rates(hk_sim *s, const double *x, double *rate, hk_error *err);
/* Distance of x from the states of the simulation, relative to their magnitudes. */
double hk_continuous_distance(const hk_sim *s, const double *x);

/* Event functions: each changes its sign when an expression of a load or state has a kink or a jump, or when a
 * contact opens or closes. Call after hk_continuous_rates. */
int hk_continuous_switch_count(const hk_model *m);
hk_status hk_continuous_switches(hk_sim *s, double *out, hk_error *err);

/* Call when the integrator has accepted the present states. Counts revolutions, lets contact laws store how
 * bodies approach, and selects the redundant rows of joints again if these are violated. Call after
 * hk_continuous_rates. */
hk_status hk_continuous_accept(hk_sim *s, hk_error *err);
#endif
