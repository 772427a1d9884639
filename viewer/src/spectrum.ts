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

/** Amplitudes over cycles per unit of x; x must rise.  `finer`, a power of 2: so many lines for one, by zeros behind the
 * values: peaks between lines are seen as high as they are, but not narrower. */
export function spectrum(x: ArrayLike<number>, y: ArrayLike<number>, finer = 1): Lines | null {
  const xs: number[] = [], ys: number[] = [];
  for (let i = 0; i < x.length; i++)
    if (Number.isFinite(y[i]) && (xs.length === 0 || x[i] > xs[xs.length - 1])) { xs.push(x[i]); ys.push(y[i]); }
  if (xs.length < 8) return null;
  let n = 8;
  while (n < xs.length && n < 1 << 18) n *= 2;
  const span = xs[xs.length - 1] - xs[0], step = span / n;
  const re = new Float64Array(n * finer), im = new Float64Array(n * finer);
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
  const m = (n * finer) / 2, out = { x: new Float64Array(m), y: new Float64Array(m) };
  for (let i = 0; i < m; i++) {
    out.x[i] = i / (span * finer);
    out.y[i] = ((i ? 2 : 1) * Math.hypot(re[i], im[i])) / weight;
  }
  return out;
}

/** Where the last whole turns begin, so that orders fall on lines; with less than one turn, all of it. */
export function wholeTurns(turns: ArrayLike<number>): number {
  const end = turns[turns.length - 1], whole = Math.floor(end - turns[0] + 1e-6);
  let first = 0;
  while (whole > 0 && first + 2 < turns.length && turns[first + 1] <= end - whole + 1e-9) first++;
  return first;
}

/** Lines a quarter of an order apart where less than four turns leave fewer, and what cannot be told apart, in words. */
export function orderLines(turns: ArrayLike<number>): { finer: number; note: string } {
  const n = turns[turns.length - 1] - turns[0];
  let finer = 1;
  while (n * finer < 4 && finer < 64) finer *= 2;
  return { finer, note: n < 4 ? ` (of ${n.toPrecision(2)} turns: orders less than ${(2 / n).toPrecision(2)} apart run together)` : "" };
}
