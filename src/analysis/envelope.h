/* Envelope of the vibration in a frequency band: the usual method to detect damage of bearings and gears.
 *
 * Each passage of a defect excites resonances of the machine; their amplitude rises and decays at the frequency of the
 * passages, at which there may be no line in the spectrum itself.  The band is cut out by a Fourier transform, with edges
 * of a raised cosine, and negative frequencies are removed: the magnitude of this analytic signal (Hilbert transform) is
 * the envelope [Randall2011]. */
#ifndef HK_ANALYSIS_ENVELOPE_H
#define HK_ANALYSIS_ENVELOPE_H
#include "analysis/resample.h"

/* Replaces the values by their envelope between two frequencies (cycles per unit of x), without the
 * parts at both ends where the response of the filter is incomplete.  HK_EINPUT if the band is not
 * below half of the sampling rate, or too narrow for this signal. */
hk_status hk_even_envelope(hk_even *e, double low, double high, hk_error *err);
#endif
