// Spectra over time and over angle.  Values are put on an even grid first, the mean is taken off, a Hann window
// keeps what does not fit into the window from leaking; amplitudes are those of sines.
export interface Lines { x: Float64Array; y: Float64Array }

function fft(re: Float64Array, im: Float64Array): void {
  const n = re.length;
  for (let i = 1, j = 0; i < n; i++) {
    let bit = n >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) { [re[i], re[j]] = [re[j], re[i]]; [im[i], im[j]] = [im[j], im[i]]; }
  }
  for (let size = 2; size <= n; size <<= 1) {
    const a = (-2 * Math.PI) / size;
    for (let k = 0; k < size / 2; k++) {
      const c = Math.cos(a * k), s = Math.sin(a * k);
      for (let i = k; i < n; i += size) {
        const j = i + size / 2, tr = re[j] * c - im[j] * s, ti = re[j] * s + im[j] * c;
        re[j] = re[i] - tr; im[j] = im[i] - ti;
        re[i] += tr; im[i] += ti;
      }
    }
  }
}

/** Amplitudes over cycles per unit of x; x must rise. */
export function spectrum(x: ArrayLike<number>, y: ArrayLike<number>): Lines | null {
  const xs: number[] = [], ys: number[] = [];
  for (let i = 0; i < x.length; i++)
    if (Number.isFinite(y[i]) && (xs.length === 0 || x[i] > xs[xs.length - 1])) { xs.push(x[i]); ys.push(y[i]); }
  if (xs.length < 8) return null;
  let n = 8;
  while (n < xs.length && n < 1 << 18) n *= 2;
  const span = xs[xs.length - 1] - xs[0], step = span / n;
  const re = new Float64Array(n), im = new Float64Array(n);
  let mean = 0, weight = 0;
  for (let i = 0, k = 0; i < n; i++) {
    const at = xs[0] + i * step;
    while (k + 2 < xs.length && xs[k + 1] < at) k++;
    const f = (at - xs[k]) / (xs[k + 1] - xs[k]);
    re[i] = ys[k] + f * (ys[k + 1] - ys[k]);
    mean += re[i] / n;
  }
  for (let i = 0; i < n; i++) {
    const w = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / n);
    re[i] = (re[i] - mean) * w;
    weight += w;
  }
  fft(re, im);
  const m = n / 2, out = { x: new Float64Array(m), y: new Float64Array(m) };
  for (let i = 0; i < m; i++) {
    out.x[i] = i / span;
    out.y[i] = ((i ? 2 : 1) * Math.hypot(re[i], im[i])) / weight;
  }
  return out;
}
