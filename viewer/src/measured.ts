// Curves of a test bench over the curves of a run.  All numbers are in SI units.
import type { MeasuredColumn, MeasuredFile } from "./types";

/** A measured value is scale × y at x + shift. */
export interface Alignment { shift: number; scale: number }
export const asMeasured: Alignment = { shift: 0, scale: 1 };
/** Deviation of a run from a measurement, at the measured points that the run covers. */
export interface Deviation { points: number; rms: number; most: number; at: number; range: number }

type Curve = { x: ArrayLike<number>; y: ArrayLike<number> };

/** Straight lines between the points of a curve over rising x; NaN outside. */
function reader(c: Curve): (x: number) => number {
  let k = 1;
  const n = c.x.length;
  return (x) => {
    if (!(n > 1 && x >= c.x[0] && x <= c.x[n - 1])) return NaN;
    if (c.x[k - 1] > x) k = 1;
    if (k + 1 < n && c.x[k] < x) { let low = k, high = n - 1; while (low < high) { const m = (low + high) >> 1; if (c.x[m] < x) low = m + 1; else high = m; } k = low; }
    const d = c.x[k] - c.x[k - 1];
    return d > 0 ? c.y[k - 1] + ((c.y[k] - c.y[k - 1]) * (x - c.x[k - 1])) / d : c.y[k];
  };
}

export function points(file: MeasuredFile, column: MeasuredColumn, a: Alignment): { x: Float64Array; y: Float64Array } {
  return { x: Float64Array.from(file.x, (x) => x + a.shift), y: Float64Array.from(column.y, (y) => (y === null ? NaN : a.scale * y)) };
}

export function deviation(run: Curve, file: MeasuredFile, column: MeasuredColumn, a: Alignment): Deviation {
  const m = points(file, column, a), at = reader(run), out: Deviation = { points: 0, rms: 0, most: 0, at: NaN, range: 0 };
  let low = Infinity, high = -Infinity;
  m.x.forEach((x, i) => {
    const d = at(x) - m.y[i];
    if (!Number.isFinite(d)) return;
    out.points++;
    out.rms += d * d;
    if (Math.abs(d) > out.most) [out.most, out.at] = [Math.abs(d), x];
    low = Math.min(low, m.y[i]); high = Math.max(high, m.y[i]);
  });
  out.rms = Math.sqrt(out.rms / Math.max(1, out.points));
  out.range = Math.max(0, high - low);
  return out;
}

/** Correlation of a run with a measurement shifted by `shift`, and the factor of the measurement that fits best; null if they
 * overlap in less than a third of the measured points. */
function compare(run: Curve, file: MeasuredFile, column: MeasuredColumn, shift: number, most: number): { correlation: number; scale: number } | null {
  const step = Math.max(1, Math.floor(file.x.length / most)), at = reader(run), r: number[] = [], m: number[] = [];
  let all = 0;
  for (let i = 0; i < file.x.length; i += step) {
    all++;
    const v = at(file.x[i] + shift), y = column.y[i];
    if (y !== null && Number.isFinite(v)) { r.push(v); m.push(y); }
  }
  if (r.length < 8 || r.length < all / 3) return null;
  const mean = (l: number[]) => l.reduce((a, b) => a + b, 0) / l.length, [mr, mm] = [mean(r), mean(m)];
  let rr = 0, mmm = 0, rm = 0, raw = 0, own = 0;
  r.forEach((v, i) => { rr += (v - mr) ** 2; mmm += (m[i] - mm) ** 2; rm += (v - mr) * (m[i] - mm); raw += v * m[i]; own += m[i] * m[i]; });
  return rr > 0 && mmm > 0 ? { correlation: rm / Math.sqrt(rr * mmm), scale: own > 0 ? raw / own : 1 } : null;
}

/** The shift with the greatest correlation: first over the whole overlap in steps, then by halving the step around the best one. */
export function align(run: Curve, file: MeasuredFile, column: MeasuredColumn): Alignment | null {
  const n = run.x.length, first = run.x[0] - file.x[file.x.length - 1], last = run.x[n - 1] - file.x[0], STEPS = 2000, POINTS = 1500;
  let step = (last - first) / STEPS, best = 0, top = -Infinity;
  const look = (shift: number, most: number) => { const c = compare(run, file, column, shift, most); if (c && c.correlation > top) { top = c.correlation; best = shift; } };
  for (let k = 0; k <= STEPS; k++) look(first + k * step, POINTS / 5);
  top = -Infinity;
  look(best, POINTS);
  for (; step > 1e-7 * (last - first); step /= 2) { const middle = best; look(middle - step, POINTS); look(middle + step, POINTS); }
  const c = Number.isFinite(top) ? compare(run, file, column, best, POINTS) : null;
  return c && { shift: best, scale: c.scale };
}
