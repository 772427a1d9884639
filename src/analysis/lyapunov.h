/* Largest Lyapunov exponent by a second trajectory that is brought near again and again. */
#ifndef HK_LYAPUNOV_H
#define HK_LYAPUNOV_H
#include <hooke/nonlinear.h>

typedef struct hk_lyapunov hk_lyapunov;

/* Largest velocity as distances are measured: rad/s, and m/s over the model's length. */
double hk_lyapunov_speed(const hk_sim *sim);
/* A distance d0 that suits the stepper, for motions of up to this speed. */
double hk_lyapunov_distance(const hk_sim *sim, double speed);

/* Beside `sim` as it stands now.  distance: d0; time_scale [s] weighs velocities against
 * positions. */
hk_status hk_lyapunov_create(hk_sim *sim, const hk_sim_options *options, double distance,
                             double time_scale, uint64_t seed, hk_lyapunov **out, hk_error *err);
void hk_lyapunov_destroy(hk_lyapunov *l);
/* After every step of sim: the second trajectory follows. */
hk_status hk_lyapunov_step(hk_lyapunov *l, hk_error *err);
/* A section ends here. */
hk_status hk_lyapunov_section(hk_lyapunov *l, hk_error *err);
/* The first sections, in which the second trajectory turns to the direction that grows most, do not
 * count. */
hk_exponent hk_lyapunov_result(const hk_lyapunov *l);
#endif
