// What a plot shows, as lists of points: over time, over another channel, as a spectrum, as orders, as an orbit.
import { nearest, type Run } from "./data";
import { spectrum } from "./spectrum";
import type { PlotInfo } from "./types";
import { label, unitOf } from "./units";

export interface Curve { name: string; unit: string; run: number; colour: number; x: Float64Array; y: Float64Array; t: Float64Array | null }
export interface Picture { curves: Curve[]; xLabel: string; panels: { label: string; curves: Curve[] }[]; sorted: boolean; equal: boolean; circle: number; decimated: boolean }

const scaled = (v: ArrayLike<number>, f: number) => Float64Array.from(v, (x) => x * f);

/** The values of `name` at the times t, linearly between its own. */
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

/** Where b stands in the bore of a, across its axis, from the poses. */
export function orbit(run: Run, contact: number): { x: Float64Array; y: Float64Array; t: Float64Array } {
  const k = run.info.scene!.contacts[contact], n = run.frameTime.length, x = new Float64Array(n), y = new Float64Array(n), p = run.poses;
  const turn = (q: number[], v: number[]) => {
    const [w, a, b, c] = q, t = [2 * (b * v[2] - c * v[1]), 2 * (c * v[0] - a * v[2]), 2 * (a * v[1] - b * v[0])];
    return [v[0] + w * t[0] + b * t[2] - c * t[1], v[1] + w * t[1] + c * t[0] - a * t[2], v[2] + w * t[2] + a * t[1] - b * t[0]];
  };
  const times = (q: number[], r: number[]) => [
    q[0] * r[0] - q[1] * r[1] - q[2] * r[2] - q[3] * r[3], q[0] * r[1] + q[1] * r[0] + q[2] * r[3] - q[3] * r[2],
    q[0] * r[2] - q[1] * r[3] + q[2] * r[0] + q[3] * r[1], q[0] * r[3] + q[1] * r[2] - q[2] * r[1] + q[3] * r[0]];
  const at = (place: typeof k.a, f: number) => {
    if (place.body < 0) return { x: place.at as number[], q: place.turn as number[] };
    const b = 7 * place.body, q = [p[b + 3][f], p[b + 4][f], p[b + 5][f], p[b + 6][f]], v = turn(q, place.at);
    return { x: [v[0] + p[b][f], v[1] + p[b + 1][f], v[2] + p[b + 2][f]], q: times(q, place.turn) };
  };
  for (let f = 0; f < n; f++) {
    const A = at(k.a, f), B = at(k.b, f), d = turn([A.q[0], -A.q[1], -A.q[2], -A.q[3]], [B.x[0] - A.x[0], B.x[1] - A.x[1], B.x[2] - A.x[2]]);
    x[f] = d[0]; y[f] = d[1];
  }
  return { x, y, t: run.frameTime };
}

export interface Look { transform: "none" | "spectrum" | "orders"; section: boolean; range: [number, number] | null }

export function angleChannels(run: Run): string[] {
  return run.info.channels.filter((c) => c.unit === "rad" && /(^|[._])angle$|\.spin$/.test(c.name)).map((c) => c.name);
}

export function picture(runs: Run[], plot: PlotInfo, look: Look): Picture {
  const out: Picture = { curves: [], xLabel: "", panels: [], sorted: true, equal: false, circle: 0, decimated: false };
  const tu = unitOf("s");
  if (plot.kind === "orbit") {
    const u = unitOf("m"), k = runs[0].info.scene!.contacts[plot.contact!];
    runs.forEach((run, i) => { const o = orbit(run, plot.contact!); out.curves.push({ name: k.name, unit: "m", run: i, colour: i, x: scaled(o.x, u.factor), y: scaled(o.y, u.factor), t: o.t }); });
    return { ...out, xLabel: label("across", "m"), panels: [{ label: label("across, other axis", "m"), curves: out.curves }], sorted: false, equal: true, circle: k.clearance * u.factor };
  }
  const over = plot.kind === "xy" ? plot.x : undefined;
  const per = plot.per ?? angleChannels(runs[0])[0];
  plot.y.forEach((name, colour) =>
    runs.forEach((run, i) => {
      const c = run.channel(name);
      if (!c) return;
      out.decimated ||= !c.full;
      const u = unitOf(c.unit);
      const tagged = runs.length > 1 ? `${name} (${run.info.name})` : name;
      if (look.transform !== "none") {
        const orders = look.transform === "orders" && per !== undefined;
        const x = orders ? resample(run, per, c.t).map((a) => a / (2 * Math.PI)) : c.t;
        const rising = orders && x[x.length - 1] < x[0] ? Float64Array.from(x, (v) => -v) : x;
        let [a, b] = [0, c.t.length];
        if (look.range) { a = nearest(c.t, look.range[0]); b = nearest(c.t, look.range[1]) + 1; }
        const s = spectrum(rising.subarray(a, b), c.v.subarray(a, b));
        if (!s) return;
        const last = orders ? s.x.findIndex((v) => v > (plot.orders ?? 60)) : -1, n = last > 0 ? last : s.x.length;
        out.curves.push({ name: tagged, unit: c.unit, run: i, colour, x: s.x.subarray(0, n), y: scaled(s.y.subarray(0, n), u.factor), t: null });
        out.xLabel = orders ? `order: cycles per turn of ${per}` : "frequency [Hz]";
        return;
      }
      const xc = over ? run.channel(over) : null;
      if (over && !xc) return;
      let t = c.t, x = over ? scaled(resample(run, over, c.t), unitOf(xc!.unit).factor) : scaled(c.t, tu.factor), y = scaled(c.v, u.factor);
      if (look.section && per) {
        const phase = resample(run, per, c.t), keep: number[] = [];
        for (let k = 1; k < phase.length; k++) if (Math.floor(phase[k] / (2 * Math.PI)) !== Math.floor(phase[k - 1] / (2 * Math.PI))) keep.push(k);
        const pick = (v: Float64Array) => Float64Array.from(keep, (k) => v[k]);
        t = pick(t); x = pick(x); y = pick(y);
      }
      out.curves.push({ name: tagged, unit: c.unit, run: i, colour, x, y, t });
      out.xLabel = over ? label(over, xc!.unit) : label("time", "s");
    }));
  out.sorted = !over || look.transform !== "none";
  const units = [...new Set(out.curves.map((c) => c.unit))];
  out.panels = units.map((u) => {
    const curves = out.curves.filter((c) => c.unit === u);
    const tails = new Set(curves.map((c) => c.name.replace(/ \(.*\)$/, "").replace(/^.*[.\]]/, "")));
    const text = look.transform !== "none" && curves.length > 1 ? "amplitude" : tails.size === 1 ? [...tails][0].replace(/_/g, " ") : "";
    return { label: label(text, u).trim(), curves };
  });
  return out;
}
