/* Envelope of the vibration in a frequency band: the usual method to detect damage of bearings and gears.
 *
 * Each passage of a defect excites resonances of the machine; the amplitude of these resonances rises and decays at
 * the frequency of the passages. The spectrum itself may have no line at this frequency. A Fourier transform extracts
 * the band, with edges that follow a raised cosine, and the negative frequencies are removed. The result is the
 * analytic signal (Hilbert transform), and its magnitude is the envelope [Randall2011]. */
#ifndef HK_ANALYSIS_ENVELOPE_H
#define HK_ANALYSIS_ENVELOPE_H
#include "analysis/resample.h"

/* Replaces the values by their envelope between two frequencies (cycles per unit of x), without the
 * parts at both ends where the response of the filter is incomplete.  HK_EINPUT if the band is not
 * below half of the sampling rate, or too narrow for the length of these values. */
hk_status hk_even_envelope(hk_even *e, double low, double high, hk_error *err);
#endif
