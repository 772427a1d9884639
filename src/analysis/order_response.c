/* Steady response to loads that repeat with a period, from one linear model: see hooke/response.h.
 *
 * Each input u (an expression of a load or actuator) is a function of time at the linearised state.  With its Fourier
 * coefficients over the period T and the response H to a harmonic input
 *
 *   c_k = (2/N) sum_j u(t_j) exp(-i k w t_j),   w = 2 pi/T,   channel = Re sum_k [sum_u H_u(i k w) c_k] exp(i k w t) */
#include "analysis/linearise.h"
#include <complex.h>
#include <hooke/response.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SAMPLES = 4096, MOST_ORDER = SAMPLES / 4 };
static const double REPEATS = 1e-6, NOTHING = 1e-12;

typedef struct excitation {
  const hk_linear *l;
  double T, start; /* start of the period: a multiple of T, so that phases are relative to t = 0 */
  double *u;       /* [SAMPLES] */
} excitation;

/* Values of all inputs at the time t; u [inputs]. */
static void values_at(const excitation *e, double t, double *u) {
  hk_linear_input_values(e->l, t, u);
}

static hk_status check(const hk_linear *l, double period, const int *order, int n, hk_error *err) {
  const hk_model *m = l->model;
  if (!(period > 0) || !isfinite(period))
    return hk_fail(err, HK_EINPUT, "the period of the excitation must be positive, not %g s",
                   period);
  for (int k = 0; k < n; k++)
    if (order[k] < 1 || order[k] > MOST_ORDER)
      return hk_fail(err, HK_EINPUT, "orders are whole numbers from 1 to %d, not %d", MOST_ORDER,
                     order[k]);
  if (m->guided)
    return hk_fail(
        err, HK_EINPUT,
        "a body with a prescribed rotation has no response by orders; see `hooke periodic`");
  for (int i = 0; i < m->n_constraints; i++) {
    const hk_expr *value = m->constraint[i].value;
    const int *slot;
    if (value && hk_expr_slots(value, &slot) > 0)
      return hk_fail(err, HK_EINPUT,
                     "the motion '%s' is prescribed as a function of time; order responses are "
                     "computed for loads and actuators only",
                     m->constraint[i].name);
  }
  return HK_OK;
}

/* Computes the coefficients c[n] of one input. *largest: largest harmonic of this input. */
static void transform(const excitation *e, const double *u, const int *order, int n,
                      double complex *c, double *largest) {
  *largest = 0;
  for (int k = 0; k < n; k++) {
    c[k] = 0;
    for (int j = 0; j < SAMPLES; j++)
      c[k] += u[j] * cexp(-I * 2 * M_PI * (double)((long)order[k] * j % SAMPLES) / SAMPLES);
    c[k] *= 2.0 / SAMPLES;
    *largest = fmax(*largest, cabs(c[k]));
  }
}

/* Computes samples of all inputs over the period: u[input][SAMPLES]. */
static hk_status sample(const excitation *e, int inputs, double *u, hk_error *err) {
  double *now = malloc((size_t)(2 * inputs + 1) * sizeof *now);
  if (!now) return hk_fail(err, HK_ENOMEM, "out of memory");
  double *later = now + inputs;
  hk_status status = HK_OK;
  for (int j = 0; j < SAMPLES && !status; j++) {
    values_at(e, e->start + j * e->T / SAMPLES, now);
    for (int i = 0; i < inputs; i++) u[(size_t)i * SAMPLES + (size_t)j] = now[i];
  }
  values_at(e, e->start + e->T, later);
  for (int i = 0; i < inputs && !status; i++) {
    const double *v = u + (size_t)i * SAMPLES;
    double low = v[0], high = v[0];
    for (int j = 1; j < SAMPLES; j++) low = fmin(low, v[j]), high = fmax(high, v[j]);
    double size = fmax(high - low, NOTHING * fmax(fabs(low), fabs(high)));
    if (!(fabs(later[i] - v[0]) > REPEATS * size)) continue;
    char name[256];
    hk_linear_input_name(e->l, i, name, sizeof name);
    status = hk_fail(err, HK_EINPUT,
                     "'%s' does not repeat after %.9g s: it changes by %.3g of its range", name,
                     e->T, fabs(later[i] - v[0]) / size);
  }
  free(now);
  return status;
}

static hk_status add_input(hk_sim *sim, const excitation *e, int input, const double complex *c,
                           const int *order, int n_orders, const int *channel, int n, double *out,
                           hk_error *err) {
  hk_response *r;
  hk_status status = hk_response_create(sim, e->l, input, channel, n, &r, err);
  double *h = malloc((size_t)(2 * n + 1) * sizeof *h);
  if (!status && !h) status = hk_fail(err, HK_ENOMEM, "out of memory");
  for (int k = 0; k < n_orders && !status; k++) {
    status = hk_response_value(r, 2 * M_PI * order[k] / e->T, h, err);
    for (int i = 0; i < n && !status; i++) {
      double complex a = (h[2 * i] + I * h[2 * i + 1]) * c[k];
      out[2 * (k * n + i)] += creal(a);
      out[2 * (k * n + i) + 1] += cimag(a);
    }
  }
  free(h);
  hk_response_destroy(r);
  return status;
}

hk_status hk_response_orders(hk_sim *sim, const hk_linear *l, double period, const int *order,
                             int n_orders, const int *channel, int n_channels, double *out,
                             hk_error *err) {
  if (!sim || !l || !order || !channel || !out)
    return hk_fail(err, HK_EINPUT,
                   "a response by orders needs a simulation, a linear model, orders and channels");
  hk_status status = check(l, period, order, n_orders, err);
  if (status) return status;
  int inputs = hk_linear_input_count(l);
  excitation e = {.l = l, .T = period, .start = period * ceil(hk_sim_time(sim) / period - 1e-9)};
  e.u = malloc((size_t)inputs * SAMPLES * sizeof *e.u + 1);
  double complex *c = malloc((size_t)(n_orders + 1) * sizeof *c);
  memset(out, 0, 2 * (size_t)n_orders * (size_t)n_channels * sizeof *out);
  status = e.u && c ? sample(&e, inputs, e.u, err) : hk_fail(err, HK_ENOMEM, "out of memory");
  bool any = false;
  for (int i = 0; i < inputs && !status; i++) {
    const double *u = e.u + (size_t)i * SAMPLES;
    double largest, size = 0;
    for (int j = 0; j < SAMPLES; j++) size = fmax(size, fabs(u[j]));
    transform(&e, u, order, n_orders, c, &largest);
    if (!(largest > NOTHING * size)) continue;
    any = true;
    status = add_input(sim, &e, i, c, order, n_orders, channel, n_channels, out, err);
  }
  if (!status && !any)
    status = hk_fail(err, HK_EINPUT,
                     "no load or actuator varies with these orders of the period %.9g s", period);
  free(e.u);
  free(c);
  return status;
}
