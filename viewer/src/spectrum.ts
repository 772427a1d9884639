// Spectra over time and over angle, by the same rules as hooke spectrum and hooke plot --spectrum
// (src/analysis/resample.c and spectral_lines.c; a test compares the numbers): rows at equal steps are used as they are,
// rows of events between them are omitted, others are interpolated by a cubic spline; mean taken off, Hann's window,
// zeros added to twice the length; local maxima are moved to the line that gives the values of their neighbours.
export interface Lines { x: Float64Array; y: Float64Array }
export interface Even { y: Float64Array; step: number; interpolated: boolean }
const LEAST = 8;

function fft(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) { let s = re[i]; re[i] = re[j]; re[j] = s; s = im[i]; im[i] = im[j]; im[j] = s; }
  }
  for (let size = 2; size <= n; size <<= 1) {
    const a = (-2 * Math.PI) / size, half = size / 2, co = new Float64Array(half), si = new Float64Array(half);
    for (let k = 0; k < half; k++) { co[k] = Math.cos(a * k); si[k] = Math.sin(a * k); }
    for (let first = 0; first < n; first += size)
      for (let k = 0; k < half; k++) {
        const i = first + k, j = i + half, tr = re[j] * co[k] - im[j] * si[k], ti = re[j] * si[k] + im[j] * co[k];
        re[j] = re[i] - tr; im[j] = im[i] - ti;
        re[i] += tr; im[i] += ti;
      }
  }
}

/** Usable rows: finite, with an increasing variable; a decreasing variable is counted backwards. */
function rising(x: ArrayLike<number>, y: ArrayLike<number>): { x: Float64Array; y: Float64Array } {
  const n = x.length, sign = n > 0 && x[n - 1] < x[0] ? -1 : 1, xs = new Float64Array(n), ys = new Float64Array(n);
  let m = 0;
  for (let i = 0; i < n; i++) {
    if (!Number.isFinite(x[i]) || !Number.isFinite(y[i]) || (m && !(sign * x[i] > xs[m - 1]))) continue;
    xs[m] = sign * x[i]; ys[m++] = y[i];
  }
  return { x: xs.subarray(0, m), y: ys.subarray(0, m) };
}

function isEven(x: Float64Array): boolean {
  const n = x.length, step = (x[n - 1] - x[0]) / (n - 1);
  for (let i = 0; i < n; i++) if (Math.abs(x[i] - x[0] - step * i) > 1e-6 * step + 1e-12 * Math.abs(x[n - 1])) return false;
  return true;
}

/** Omits rows that were added to rows at equal steps. */
function keepEven(x: Float64Array, y: Float64Array): { x: Float64Array; y: Float64Array } {
  const n = x.length;
  let step = 0, last = x[0], m = 1;
  for (let i = 1; i < n; i++) step = Math.max(step, x[i] - x[i - 1]);
  for (let i = 1; i < n; i++) {
    const off = x[i] - last - step;
    if (off > 1e-6 * step) return { x, y };
    if (off >= -1e-6 * step) { last = x[i]; m++; }
  }
  if (2 * m < n || m < LEAST) return { x, y };
  last = x[0]; m = 1;
  for (let i = 1; i < n; i++) if (x[i] - last >= (1 - 1e-6) * step) { last = x[m] = x[i]; y[m++] = y[i]; }
  return { x: x.subarray(0, m), y: y.subarray(0, m) };
}

/** Slopes of the cubic spline through the points, with zero curvature at its ends. */
function slopes(x: Float64Array, y: Float64Array): Float64Array {
  const n = x.length, d = new Float64Array(n), b = new Float64Array(n), c = new Float64Array(n), h = (i: number) => x[i + 1] - x[i], s = (i: number) => (y[i + 1] - y[i]) / h(i);
  b[0] = 2; c[0] = 1; d[0] = 3 * s(0);
  for (let i = 1; i < n; i++) {
    const last = i === n - 1, low = last ? 1 : h(i), m = low / b[i - 1];
    b[i] = (last ? 2 : 2 * (h(i - 1) + h(i))) - m * c[i - 1];
    c[i] = last ? 0 : h(i - 1);
    d[i] = (last ? 3 * s(i - 1) : 3 * (h(i) * s(i - 1) + h(i - 1) * s(i))) - m * d[i - 1];
  }
  d[n - 1] /= b[n - 1];
  for (let i = n - 2; i >= 0; i--) d[i] = (d[i] - c[i] * d[i + 1]) / b[i];
  return d;
}

function interpolate(x: Float64Array, y: Float64Array, step: number): Float64Array {
  const d = slopes(x, y), n = Math.floor(((x[x.length - 1] - x[0]) / step) * (1 + 1e-12)) + 1, out = new Float64Array(n);
  for (let i = 0, k = 0; i < n; i++) {
    const at = x[0] + step * i;
    while (k + 2 < x.length && x[k + 1] < at) k++;
    const h = x[k + 1] - x[k], u = Math.min(1, (at - x[k]) / h), w = 1 - u;
    out[i] = y[k] * w * w * (1 + 2 * u) + y[k + 1] * u * u * (3 - 2 * u) + h * (d[k] * u * w * w - d[k + 1] * u * u * w);
  }
  return out;
}

/** Values at equal steps of x; step 0: the step of the rows or, if they are not equally spaced, half of their mean distance. */
export function even(x: ArrayLike<number>, y: ArrayLike<number>, step = 0): Even | null {
  let r = rising(x, y);
  if (r.x.length < LEAST) return null;
  if (!isEven(r.x)) r = keepEven(r.x, r.y);
  const mean = (r.x[r.x.length - 1] - r.x[0]) / (r.x.length - 1), same = isEven(r.x) && (step === 0 || Math.abs(step - mean) < 1e-6 * mean);
  if (same) return { y: r.y, step: mean, interpolated: false };
  const s = step > 0 ? step : 0.5 * mean;
  return (r.x[r.x.length - 1] - r.x[0]) / s > 1 << 22 ? null : { y: interpolate(r.x, r.y, s), step: s, interpolated: true };
}

/** Logarithm of the main lobe of Hann's window, d periods of the record away from its line. */
function lobe(d: number): number {
  const x = Math.PI * d;
  return Math.log((Math.abs(x) < 1e-4 ? 1 - (x * x) / 6 : Math.sin(x) / x) / (1 - d * d));
}

/** Amplitudes over cycles per unit of x. */
export function spectrum(e: Even): Lines {
  const n = e.y.length;
  let size = 16, mean = 0, weight = 0;
  while (size < 2 * n) size *= 2;
  const re = new Float64Array(size), im = new Float64Array(size);
  for (let i = 0; i < n; i++) mean += e.y[i] / n;
  for (let i = 0; i < n; i++) {
    const w = 0.5 - 0.5 * Math.cos((2 * Math.PI * (i + 0.5)) / n);
    re[i] = w * (e.y[i] - mean);
    weight += w;
  }
  fft(re, im);
  const m = size / 2, width = 1 / (size * e.step), out = { x: new Float64Array(m), y: new Float64Array(m) };
  for (let i = 0; i < m; i++) { out.x[i] = i * width; out.y[i] = ((i ? 2 : 1) * Math.hypot(re[i], im[i])) / weight; }
  for (let i = 2, before = out.y[1]; i + 1 < m; i++) {
    const a = before, b = (before = out.y[i]), c = out.y[i + 1];
    if (!(b > a && b >= c && c > 0 && a > 0)) continue;
    const ratio = Math.log(c / a), s = n / size;
    let by = 0;
    for (let k = 0; k < 12; k++) by = Math.max(-0.5 * s, Math.min(0.5 * s, by + (ratio - (lobe(s - by) - lobe(s + by))) / (4 * ((Math.PI * Math.PI) / 6 - 1) * s)));
    out.x[i] = width * (i + by / s);
    out.y[i] = b / Math.exp(lobe(by));
  }
  return out;
}

/** The envelope between two frequencies: the band is cut out by a Fourier transform, with edges of a raised cosine, and without
 * negative frequencies; ends where the response of the filter is incomplete are left out (src/analysis/envelope.c).  null:
 * the band is not below half of the sampling rate, or too narrow for this signal. */
export function envelope(e: Even, low: number, high: number): Even | null {
  const edge = 0.1 * (high - low), cut = Math.ceil(1 / edge / e.step), n0 = e.y.length;
  if (!(low >= 0 && high > low) || high > 0.5 / e.step || 2 * cut + LEAST > n0) return null;
  let n = 16, mean = 0;
  while (n < n0 + cut) n *= 2;
  const re = new Float64Array(n), im = new Float64Array(n), rise = (x: number, a: number, b: number) => (x <= a ? 0 : x >= b ? 1 : 0.5 - 0.5 * Math.cos((Math.PI * (x - a)) / (b - a)));
  for (const v of e.y) mean += v / n0;
  for (let i = 0; i < n0; i++) re[i] = e.y[i] - mean;
  fft(re, im);
  for (let i = 0; i < n; i++) {
    const f = i / (n * e.step), pass = 2 * i > n ? 0 : 2 * rise(f, low - 0.5 * edge, low + 0.5 * edge) * (1 - rise(f, high - 0.5 * edge, high + 0.5 * edge));
    re[i] *= pass; im[i] *= pass;
  }
  fft(im, re); /* exchanged parts: the inverse, but for the factor n */
  return { y: Float64Array.from({ length: n0 - 2 * cut }, (_, i) => Math.hypot(re[i + cut], im[i + cut]) / n), step: e.step, interpolated: e.interpolated };
}

/** Amplitudes over orders, from the last complete revolutions at equal angles, and a note about orders that cannot be resolved. */
export function orders(turns: ArrayLike<number>, y: ArrayLike<number>): { lines: Lines; note: string } | null {
  const n = turns.length, mean = n ? Math.abs(turns[n - 1] - turns[0]) / n : 0;
  const e = even(turns, y, mean > 0 && Number.isFinite(mean) ? 1 / Math.ceil(2 / mean) : 0);
  if (!e) return null;
  const whole = Math.floor(e.y.length * e.step * (1 + 1e-9)), keep = Math.round(whole / e.step);
  if (whole >= 1 && keep >= LEAST && keep <= e.y.length) e.y = e.y.subarray(e.y.length - keep);
  const length = e.y.length * e.step;
  return { lines: spectrum(e), note: length < 4 - 1e-6 ? ` (of ${length.toPrecision(2)} turns: orders less than ${(2 / length).toPrecision(2)} apart run together)` : "" };
}
