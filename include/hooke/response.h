/* Frequency response of a linear model: amplitude and phase of a channel under a harmonic input.
 *
 *   hk_response_input_find(linear, "push.force.x", &input, &err);
 *   hk_response_create(sim, linear, input, &channel, 1, &response, &err);
 *   hk_response_value(response, 2 * M_PI * 5, out, &err);          at 5 Hz: out[0] + i out[1]
 *   hk_response_destroy(response);
 *
 *   input u = exp(i w t):   channel = H(i w) exp(i w t)
 *
 * Inputs are the components of loads and actuators, and the values of motions.  Outputs are positions, velocities,
 * accelerations, joint coordinates, sensors, joint reactions and efforts.
 *
 *   (K + s L + s^2 M) d + G^T lambda = b u,   G d = e u,   s = i w
 *
 * b is the generalized force of a load, e the row of a motion.  With d = N z + p u, G p = e:
 *
 *   N^T (K + s L + s^2 M) N z = N^T (b - (K + s L + s^2 M) p) u
 *
 * The columns of N are a basis of the null space of G.  If friction depends on reactions, the factor N^T on the left
 * is replaced by the transpose of a basis of the null space of (G^T - df/dlambda)^T.  The equations also apply to
 * redundant constraints; their reactions are then those of minimum norm.  The value of a channel is linear in z and
 * u, with coefficients that are polynomials of second degree in s. */
#ifndef HOOKE_RESPONSE_H
#define HOOKE_RESPONSE_H
#include <hooke/linear.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct hk_response hk_response;

/* Names of inputs: "push.force.x", "motor.force", "drive" (a motion), "table.x" (a component of a
 * motion). */
HK_API int hk_response_input_count(const hk_linear *linear);
HK_API int hk_response_input_name(const hk_linear *linear, int i, char *buf, size_t size);
/* Finds the index of an input by name. The name may begin with "forces." or "motions.", and its
 * end may be omitted if only one input begins with the given text. HK_EINPUT: no such input;
 * err suggests a similar name. */
HK_API hk_status hk_response_input_find(const hk_linear *linear, const char *name, int *index,
                                        hk_error *err);

/* Creates the response to one input.  `linear` must belong to the present state of sim and have
 * dense matrices. */
HK_API hk_status hk_response_create(hk_sim *sim, const hk_linear *linear, int input,
                                    const int *channel, int n_channels, hk_response **out,
                                    hk_error *err);
HK_API void hk_response_destroy(hk_response *r);
/* Computes the response at w [rad/s]; out [n_channels][2]: real and imaginary part; NaN if the
 * model is singular (an undamped resonance; w = 0 with a free motion). */
HK_API hk_status hk_response_value(hk_response *r, double w, double *out, hk_error *err);
/* Computes the frequencies [Hz] from `first` to `last`, equally spaced or, if `log`, with equal
 * ratios; points = 0: 400, with more points near each resonance, so that no peak is missed.  first
 * >= last: a range that contains all oscillations.  *f is allocated with malloc. */
HK_API hk_status hk_response_frequencies(const hk_linear *linear, double first, double last,
                                         int points, bool log, double **f, int *n, hk_error *err);
/* Computes the steady response to all loads and actuators that are functions of time with this
 * period, such as an unbalance or the torque of an engine. out [n_orders][n_channels][2]: a
 * complex number per order and channel, whose magnitude and argument are amplitude and phase.
 * The part of a channel with this order is Re(out exp(i order 2 pi t/period)), in its SI unit.
 * HK_EINPUT: an expression does not repeat, or a motion is a function of time. */
HK_API hk_status hk_response_orders(hk_sim *sim, const hk_linear *linear, double period,
                                    const int *order, int n_orders, const int *channel,
                                    int n_channels, double *out, hk_error *err);
/* Unit of channel i per unit of the input: "m/N"; "1" if there is none. */
HK_API const char *hk_response_unit(const hk_response *r, int i);

#ifdef __cplusplus
}
#endif
#endif
