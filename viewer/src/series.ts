// Curves of a plot as lists of points: over time, over another channel, as a spectrum, as orders, as an orbit.
import type { Channel, Run } from "./data";
import { marksOf, type Mark } from "./bearing";
import { envelope, even, orders, spectrum } from "./spectrum";
import type { PlotInfo } from "./types";
import { label, show, unitOf } from "./units";

export interface Curve { name: string; short: string; channel: string; unit: string; run: number; colour: number; x: Float64Array; y: Float64Array; t: Float64Array | null; line?: { x: Float64Array; y: Float64Array }; boxes?: boolean; negative?: boolean; band?: { low: Float64Array; high: Float64Array }; measured?: boolean }
// sizes: largest values by SI unit; xSize: that of x, unless it is time; unit: the displayed one; short: the name in the legend of its panel; measured: of a test bench, not of a run. band: least and greatest between each point and the one before, where rows do not show them; line: what is drawn through the points, where that is more than chords; boxes: pairs of opposite corners; section: points once per turn, but of boxes; coarse: turns whose rows are too far apart for that; kept: channels without a spectrum, because only extremes of their rows are kept; spline: rows at unequal steps, interpolated for a spectrum; holes: channels of spectra without a value in some rows; absent: channels that are not in a run.
export interface Picture { curves: Curve[]; xLabel: string; xName: string; xUnit: string; panels: { label: string; curves: Curve[] }[]; sorted: boolean; equal: boolean; circle: number; decimated: boolean; open: number; section: boolean; missed: boolean; coarse: number; kept: string[]; spline: boolean; holes: string[]; absent: string[]; marks: Mark[]; noBand: boolean; half: number; sizes: Map<string, number>; xSize: number | undefined }

/** Multiplied by a factor; the same list if that is 1. */
const scaled = (v: Float64Array, f: number) => { if (f === 1) return v; const out = new Float64Array(v.length); for (let i = 0; i < out.length; i++) out[i] = v[i] * f; return out; };

/** The values of the channel `name` at the times t, by linear interpolation. */
export function resample(run: Run, name: string, t: Float64Array): Float64Array {
  const c = run.channel(name), out = new Float64Array(t.length);
  if (!c || !c.v.length) return out.fill(NaN);
  if (c.t === t) return Float64Array.from(c.v);
  for (let i = 0, k = 0; i < t.length; i++) {
    while (k + 2 < c.t.length && c.t[k + 1] < t[i]) k++;
    const d = c.t[k + 1] - c.t[k], f = d > 0 ? Math.min(1, Math.max(0, (t[i] - c.t[k]) / d)) : 0;
    out[i] = c.v[k] + f * ((c.v[k + 1] ?? c.v[k]) - c.v[k]);
  }
  return out;
}

/** A phase portrait: y is the rate of x.  Between two rows goes the cubic that has the values and rates of both.
 * Where they do not fit together something has happened in between, such as an impact: there the curve is left open
 * (NaN), for a chord would show states that never were. */
export function portrait(t: Float64Array, x: Float64Array, y: Float64Array): { x: Float64Array; y: Float64Array; open: number } {
  const n = t.length, parts = Math.max(1, Math.min(8, Math.floor(400000 / Math.max(1, n)))), X: number[] = [], Y: number[] = [];
  let most = 0, open = 0;
  for (const v of y) if (Math.abs(v) > most) most = Math.abs(v);
  for (let i = 0; i < n; i++) {
    const h = t[i + 1] - t[i], dx = x[i + 1] - x[i], v = y[i], w = y[i + 1];
    X.push(x[i]);
    Y.push(v);
    if (i + 1 === n) break;
    const jump = Math.abs(w - v), beside = Math.max(i > 0 ? Math.abs(v - y[i - 1]) : Infinity, i + 2 < n ? Math.abs(y[i + 2] - w) : Infinity);
    const fits = Math.abs(dx - (h * (v + w)) / 2) <= 0.15 * h * Math.max(Math.abs(v), Math.abs(w), 0.02 * most) && !(jump > 0.1 * most && jump > 4 * beside);
    if (!fits) { if (Number.isFinite(dx + v + w)) open++; X.push(NaN); Y.push(NaN); continue; }
    for (let k = 1; k < parts; k++) {
      const s = k / parts, a = h * v + h * w - 2 * dx, b = 3 * dx - 2 * h * v - h * w;
      X.push(x[i] + s * (h * v + s * (b + s * a)));
      Y.push(v + (s * (2 * b + 3 * s * a)) / h);
    }
  }
  return { x: Float64Array.from(X), y: Float64Array.from(Y), open };
}

/** Least and greatest of each bin of rows. */
function extremes(run: Run, c: Channel): Float64Array {
  const { bins, width, rows } = run.info;
  if (!c.full) return c.v;
  const out = new Float64Array(2 * bins);
  for (let i = 0; i < bins; i++) {
    const part = c.v.subarray(i * width, Math.min(rows, (i + 1) * width));
    out[2 * i] = part.reduce((a, b) => Math.min(a, b), Infinity);
    out[2 * i + 1] = part.reduce((a, b) => Math.max(a, b), -Infinity);
  }
  return out;
}

/** The poses of a body in every row, if the page has them; the picture has fewer frames than rows. */
function everyRow(run: Run, body: number): Float64Array[] | null {
  const b = run.info.scene!.bodies[body], list = ["x", "y", "z", "qw", "qx", "qy", "qz"].map((c) => run.channel(`${b.name}.${c}`));
  return run.info.frames.step > 1 && list.every((c) => c?.full) ? list.map((c) => c!.v) : null;
}

/** Where b stands in the bore of a, across its axis. */
export function orbit(run: Run, contact: number): { x: Float64Array; y: Float64Array; t: Float64Array } {
  const k = run.info.scene!.contacts[contact], bodies = [k.a.body, k.b.body].filter((b) => b >= 0), rows = bodies.map((b) => everyRow(run, b)), every = rows.every((r) => r !== null);
  const t = every ? run.t : run.frameTime, n = t.length, x = new Float64Array(n), y = new Float64Array(n);
  const poses = new Map(bodies.map((b, i) => [b, every ? rows[i]! : run.poses.slice(7 * b, 7 * b + 7)]));
  const turn = (q: number[], v: number[]) => {
    const [w, a, b, c] = q, u = [2 * (b * v[2] - c * v[1]), 2 * (c * v[0] - a * v[2]), 2 * (a * v[1] - b * v[0])];
    return [v[0] + w * u[0] + b * u[2] - c * u[1], v[1] + w * u[1] + c * u[0] - a * u[2], v[2] + w * u[2] + a * u[1] - b * u[0]];
  };
  const times = (q: number[], r: number[]) => [
    q[0] * r[0] - q[1] * r[1] - q[2] * r[2] - q[3] * r[3], q[0] * r[1] + q[1] * r[0] + q[2] * r[3] - q[3] * r[2],
    q[0] * r[2] - q[1] * r[3] + q[2] * r[0] + q[3] * r[1], q[0] * r[3] + q[1] * r[2] - q[2] * r[1] + q[3] * r[0]];
  const at = (place: typeof k.a, f: number) => {
    if (place.body < 0) return { x: place.at as number[], q: place.turn as number[] };
    const p = poses.get(place.body)!, q = [p[3][f], p[4][f], p[5][f], p[6][f]], v = turn(q, place.at);
    return { x: [v[0] + p[0][f], v[1] + p[1][f], v[2] + p[2][f]], q: times(q, place.turn) };
  };
  for (let f = 0; f < n; f++) {
    const A = at(k.a, f), B = at(k.b, f), d = turn([A.q[0], -A.q[1], -A.q[2], -A.q[3]], [B.x[0] - A.x[0], B.x[1] - A.x[1], B.x[2] - A.x[2]]);
    x[f] = d[0]; y[f] = d[1];
  }
  return { x, y, t };
}

/** The cubic through the two rows on either side of a time between rows k - 1 and k; the chord at the ends of a run and
 * where a jump is near. */
function between(t: Float64Array, v: Float64Array, k: number, at: number): number {
  const chord = v[k - 1] + ((v[k] - v[k - 1]) * (at - t[k - 1])) / (t[k] - t[k - 1]);
  if (k < 2 || k + 1 >= t.length || !(t[k - 1] > t[k - 2]) || !(t[k + 1] > t[k])) return chord;
  let sum = 0;
  for (let i = k - 2; i <= k + 1; i++) { let w = v[i]; for (let j = k - 2; j <= k + 1; j++) if (j !== i) w *= (at - t[j]) / (t[i] - t[j]); sum += w; }
  const near = Math.abs(v[k] - v[k - 1]) + 0.25 * (Math.abs(v[k - 1] - v[k - 2]) + Math.abs(v[k + 1] - v[k]));
  return Math.abs(sum - chord) <= near ? sum : chord;
}

/** Values at the times at which an angle completes a revolution, interpolated between rows by cubics. */
export function oncePerTurn(t: Float64Array, angle: Float64Array, values: Float64Array[]): { t: Float64Array; values: Float64Array[]; coarse: number } {
  const times: number[] = [], out: number[][] = values.map(() => []), turn = 2 * Math.PI;
  let coarse = 0;
  for (let k = 1; k < t.length; k++) {
    const a = angle[k - 1] / turn, b = angle[k] / turn, low = Math.min(a, b), high = Math.max(a, b);
    if (Math.floor(a) === Math.floor(b) || !Number.isFinite(a + b)) continue;
    if (high - low > 0.5) { coarse++; continue; }
    const aim = turn * (Math.floor(low) + 1);
    let at = t[k - 1] + ((aim - angle[k - 1]) / (angle[k] - angle[k - 1])) * (t[k] - t[k - 1]);
    for (let i = 0; i < 8; i++) at = Math.min(t[k], Math.max(t[k - 1], at + ((aim - between(t, angle, k, at)) / (angle[k] - angle[k - 1])) * (t[k] - t[k - 1])));
    times.push(at);
    values.forEach((v, i) => out[i].push(between(t, v, k, at)));
  }
  return { t: Float64Array.from(times), values: out.map((v) => Float64Array.from(v)), coarse };
}

/** range: in seconds; fold: degrees of an angle after which a curve returns to its beginning; 0: none. */
export interface Look { transform: "none" | "spectrum" | "orders" | "envelope"; decibels: boolean; fold: number; band?: [number, number]; section: boolean; range: [number, number] | null }

/** Default frequency band of an envelope: the upper part of the frequencies that the rows resolve. */
export const wholeBand = (half: number): [number, number] => [0.2 * half, 0.8 * half];

/** Channels that may count revolutions: coordinates first, then others by name, such as sensors; an articulation angle is among these. */
export function angleChannels(run: Run): string[] {
  const names = run.info.channels.filter((c) => c.unit === "rad" && /(^|[._])angle$|\.spin$/.test(c.name)).map((c) => c.name), counts = (n: string) => /(^|\.)angle$|\.spin$/.test(n);
  return [...names.filter(counts), ...names.filter((n) => !counts(n))];
}

/** Names of the curves of a panel without the parts that all of them share; names of alike parts such as the balls of a joint
 * get their number: "cvj.inner[0].loaded.normal_force" becomes "ball 0". */
export function shortNames(names: string[], part?: string): string[] {
  if (new Set(names).size < 2) return names;
  const lists = names.map((n) => n.split(".")), shortest = Math.min(...lists.map((l) => l.length));
  let first = 0, last = 0;
  while (first < shortest - 1 && lists.every((l) => l[first] === lists[0][first])) first++;
  while (last < shortest - 1 - first && lists.every((l) => l[l.length - 1 - last] === lists[0][lists[0].length - 1 - last])) last++;
  const rest = lists.map((l) => l.slice(first, l.length - last).join(".")), alike = part && rest.every((r) => /^[^.]*\[\d+\]$/.test(r));
  return rest.map((r) => (alike ? r.replace(/^.*\[(\d+)\]$/, `${part} $1`) : r.replace(/\[(\d+)\]/g, " $1")));
}

/** A curve over an angle, returned to the beginning after every period.  A return is a gap, with values at both edges that are
 * interpolated between the two rows; rows that are more than a period apart leave a gap alone. */
export function folded(angle: ArrayLike<number>, y: ArrayLike<number>, period: number): { x: Float64Array; y: Float64Array } {
  const X: number[] = [], Y: number[] = [], within = (a: number) => a - period * Math.floor(a / period);
  for (let i = 0; i < angle.length; i++) {
    const a = angle[i - 1], b = angle[i], from = Math.floor(a / period), to = Math.floor(b / period);
    if (i > 0 && from !== to) {
      const edge = period * Math.max(from, to), w = y[i - 1] + ((y[i] - y[i - 1]) * (edge - a)) / (b - a), up = to > from;
      if (Math.abs(to - from) === 1) { X.push(up ? period : 0, NaN, up ? 0 : period); Y.push(w, NaN, w); }
      else { X.push(NaN); Y.push(NaN); }
    }
    X.push(within(b));
    Y.push(y[i]);
  }
  return { x: Float64Array.from(X), y: Float64Array.from(Y) };
}

/** Levels in decibels; what is more than 140 dB below the largest value is shown there. */
function levels(y: Float64Array): Float64Array {
  const most = y.reduce((a, v) => Math.max(a, Math.abs(v)), 0);
  return y.map((v) => (most > 0 ? 20 * Math.log10(Math.max(Math.abs(v), 1e-7 * most)) : NaN));
}

const largest = (lists: (ArrayLike<number> | undefined)[]) => { let most = 0; for (const v of lists) if (v) for (let i = 0; i < v.length; i++) if (Math.abs(v[i]) > most && Number.isFinite(v[i])) most = Math.abs(v[i]); return most; };

/** Lines of a channel over frequency or order, in SI units; null: none.  Notes what the reader must know in `out`. */
function linesOf(run: Run, c: Channel, angle: Channel | null, look: Look, plot: PlotInfo, out: Picture): { x: Float64Array; y: Float64Array; note: string } | null {
  let [a, b] = [0, c.t.length], s, note = "";
  if (look.range) { const slack = 1e-9 * (c.t[b - 1] - c.t[0]); while (a < b && c.t[a] < look.range[0] - slack) a++; while (b > a && c.t[b - 1] > look.range[1] + slack) b--; }
  const v = c.v.subarray(a, b), holes = v.reduce((n, x) => n + (Number.isFinite(x) ? 0 : 1), 0);
  if (holes) out.holes.push(`${c.name} has no value in ${holes} of ${v.length} rows`);
  if (angle) {
    const o = orders(Float64Array.from(angle.v.subarray(a, b), (x) => x / (2 * Math.PI)), v);
    s = o?.lines; note = o?.note ?? "";
  } else {
    let e = even(c.t.subarray(a, b), v);
    if (e) out.half = 0.5 / e.step;
    if (e && look.transform === "envelope") {
      const [low, high] = look.band ?? wholeBand(out.half);
      e = envelope(e, low, high);
      out.noBand ||= !e;
    }
    s = e && spectrum(e);
    out.spline ||= !!e?.interpolated && !holes;
  }
  if (!s) return null;
  const last = angle ? s.x.findIndex((x) => x > (plot.orders ?? 60)) : -1, n = last > 0 ? last : s.x.length;
  return { x: s.x.subarray(0, n), y: s.y.subarray(0, n), note };
}

/** Panels: one for each unit.  If several runs are compared, each run has its own colour, and each of a few channels its own panel. */
function arrange(out: Picture, plot: PlotInfo, look: Look, runs: Run[]): void {
  const channels = new Set(out.curves.map((c) => c.channel)).size, apart = runs.length > 1 && channels > 1 && channels <= 6;
  const keys = [...new Set(out.curves.map((c) => (apart ? c.channel : c.unit)))];
  out.panels = keys.map((key) => {
    const curves = out.curves.filter((c) => (apart ? c.channel : c.unit) === key), own = curves.filter((c) => !c.measured);
    const tails = new Set(own.map((c) => c.channel.replace(/^.*[.\]]/, ""))), one = new Set(own.map((c) => c.channel)).size === 1;
    const text = look.transform !== "none" && curves.length > 1 ? "amplitude" : tails.size === 1 ? [...tails][0].replace(/_/g, " ") : "";
    const short = shortNames(own.map((c) => c.channel), plot.part);
    own.forEach((c, i) => { c.short = runs.length === 1 ? short[i] : one ? runs[c.run].name : `${short[i]} (${runs[c.run].name})`; });
    return { label: label(apart ? key : text, curves[0].unit).trim(), curves };
  });
}

export function picture(runs: Run[], plot: PlotInfo, look: Look): Picture {
  const out: Picture = { curves: [], xLabel: "", xName: "", xUnit: "", panels: [], sorted: true, equal: false, circle: 0, decimated: false, open: 0, section: false, missed: false, coarse: 0, kept: [], spline: false, holes: [], absent: [], marks: [], noBand: false, half: 0, sizes: new Map(), xSize: undefined };
  const tu = unitOf("s"), several = runs.length > 1;
  if (plot.kind === "orbit") {
    const k = runs[0].info.scene!.contacts[plot.contact!], orbits = runs.map((run) => orbit(run, plot.contact!)), u = unitOf("m", Math.max(k.clearance, largest(orbits.flatMap((o) => [o.x, o.y]))));
    orbits.forEach((o, i) => out.curves.push({ name: k.name, short: several ? runs[i].name : k.name, channel: k.name, unit: u.unit, run: i, colour: i, x: scaled(o.x, u.factor), y: scaled(o.y, u.factor), t: o.t }));
    return { ...out, xLabel: label("across", u.unit), xName: "across", xUnit: u.unit, panels: [{ label: label("across, other axis", u.unit), curves: out.curves }], sorted: false, equal: true, circle: k.clearance * u.factor };
  }
  const per = plot.per ?? angleChannels(runs[0])[0], plain = look.transform === "none";
  const fold = plain && look.fold > 0 && per !== undefined && runs.every((r) => r.channel(per)?.full !== false && plot.y.every((y) => r.channel(y)?.full !== false)) ? (look.fold * Math.PI) / 180 : 0;
  const over = fold ? per : plot.kind === "xy" ? plot.x : undefined;
  out.section = look.section && plain && !fold && per !== undefined && runs.every((r) => r.channel(per)?.full !== false);
  const sizes = out.sizes; // by SI unit, so that curves of one panel share their unit
  const lines = new Map<string, { x: Float64Array; y: Float64Array; note: string } | null>();
  plot.y.forEach((name, k) => runs.forEach((run, i) => {
    const c = run.channel(name);
    if (!c) return;
    const angle = look.transform === "orders" && per !== undefined ? run.channel(per) : null;
    let values: ArrayLike<number>[] = [c.v, c.low ?? [], c.high ?? []];
    if (!plain && c.full && (!angle || angle.full)) { const s = linesOf(run, c, angle, look, plot, out); lines.set(`${k} ${i}`, s); values = s ? [s.y] : []; }
    sizes.set(c.unit, Math.max(sizes.get(c.unit) ?? 0, largest(values)));
  }));
  const xc0 = over ? runs.map((r) => r.channel(over)).find((c) => c) : undefined;
  if (xc0) out.xSize = fold || largest(runs.map((r) => r.channel(over!)?.v));
  const xu = xc0 ? unitOf(xc0.unit, out.xSize) : tu;
  plot.y.forEach((name, k) =>
    runs.forEach((run, i) => {
      const c = run.channel(name);
      if (!c) { out.absent.push(`${name} is not in ${run.name}`); return; }
      out.decimated ||= !c.full;
      out.missed ||= !!c.low;
      const u = unitOf(c.unit, c.unit === "s" && !sizes.get("s") ? undefined : sizes.get(c.unit)), tagged = several ? `${name} (${run.name})` : name, colour = several ? i : k;
      const base = { name: tagged, short: tagged, channel: name, unit: u.unit, run: i, colour };
      if (!plain) {
        const angle = look.transform === "orders" && per !== undefined ? run.channel(per) : null, missing = [c, ...(angle ? [angle] : [])].filter((q) => !q.full);
        if (look.transform === "orders" && !angle) { out.absent.push(`${per} is not in ${run.name}`); return; }
        if (missing.length) { out.kept.push(...missing.map((q) => q.name)); return; }
        const s = lines.get(`${k} ${i}`);
        if (!s) return;
        const y = scaled(s.y, u.factor);
        out.curves.push({ ...base, unit: look.decibels ? `dB re 1 ${u.unit}`.trim() : u.unit, x: s.x, y: look.decibels ? levels(y) : y, t: null });
        if (plot.bearing && !out.marks.length) out.marks = marksOf(run, plot.bearing, angle ? per! : null);
        out.xLabel = angle ? `order: cycles per turn of ${per}${s.note}` : "frequency [Hz]";
        [out.xName, out.xUnit] = angle ? ["order", ""] : ["frequency", "Hz"];
        return;
      }
      const xc = over ? run.channel(over) : null, lacking = [over, out.section ? per : undefined].find((n) => n !== undefined && !run.channel(n));
      if (lacking !== undefined) { out.absent.push(`${lacking} is not in ${run.name}`); return; }
      if (xc && (!c.full || !xc.full)) { /* only the extremes of a bin are known: the curve is within the box that they form */
        const times = (c.full ? xc : c).t;
        out.decimated = true;
        out.curves.push({ ...base, x: scaled(extremes(run, xc), xu.factor), y: scaled(extremes(run, c), u.factor), t: times, boxes: true });
        return;
      }
      let t: Float64Array = c.t, x: Float64Array = over ? scaled(resample(run, over, c.t), xu.factor) : scaled(c.t, tu.factor), y: Float64Array = scaled(c.v, u.factor), line: Curve["line"];
      if (out.section) {
        const p = oncePerTurn(c.t, resample(run, per, c.t), [x, y]);
        t = p.t; [x, y] = p.values;
        out.coarse += p.coarse;
      } else if (fold) {
        const period = fold * xu.factor;
        line = folded(x, y, period);
        x = x.map((a) => a - period * Math.floor(a / period));
      } else if (over && name === `${over}_rate`) {
        const p = portrait(c.t, xc!.v, c.v);
        line = { x: scaled(p.x, xu.factor), y: scaled(p.y, u.factor) };
        out.open += p.open;
      }
      const band = c.low && c.high && !over ? { low: scaled(c.low, u.factor), high: scaled(c.high, u.factor) } : undefined;
      out.curves.push({ ...base, x, y, t, line, band });
    }));
  if (plain && out.curves.length) {
    [out.xName, out.xUnit] = [over ?? "time", xu.unit];
    out.xLabel = label(fold ? `${over}, every ${show(look.fold, 6)}°` : out.xName, xu.unit);
  }
  out.sorted = !over || !plain;
  arrange(out, plot, look, runs);
  return out;
}
