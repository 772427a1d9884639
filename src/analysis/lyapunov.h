/* Largest Lyapunov exponent by a second trajectory that is rescaled repeatedly. */
#ifndef HK_ANALYSIS_LYAPUNOV_H
#define HK_ANALYSIS_LYAPUNOV_H
#include <hooke/nonlinear.h>

typedef struct hk_lyapunov hk_lyapunov;

/* Largest velocity in the metric of distances: rad/s, and m/s over the model's length. */
double hk_lyapunov_speed(const hk_sim *sim);
/* Returns an initial distance d0 that is suitable for the integrator, for motions up to this speed. */
double hk_lyapunov_distance(const hk_sim *sim, double speed);

/* Starts at the present state of `sim`.  distance: d0; time_scale [s]: weight of velocities relative to positions. */
hk_status hk_lyapunov_create(hk_sim *sim, const hk_sim_options *options, double distance,
                             double time_scale, uint64_t seed, hk_lyapunov **out, hk_error *err);
void hk_lyapunov_destroy(hk_lyapunov *l);
/* Call after every step of sim: advances the second trajectory. */
hk_status hk_lyapunov_step(hk_lyapunov *l, hk_error *err);
/* Marks the end of a section. */
hk_status hk_lyapunov_section(hk_lyapunov *l, hk_error *err);
/* Returns the result.  The first sections are not counted: during these the second trajectory turns
 * to the direction of fastest growth. */
hk_exponent hk_lyapunov_result(const hk_lyapunov *l);
#endif
