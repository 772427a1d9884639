// One panel of a plot: uPlot with the colours of the page, the cursor, and saving.
import uPlot from "uplot";
import { colour, el, theme } from "./dom";
import type { Mark } from "./bearing";
import type { Curve } from "./series";
import { logMarks, marks, show } from "./units";

export interface ChartOptions {
  xLabel: string; yLabel: string; curves: Curve[]; sorted: boolean; equal: boolean; circle: number; dots: boolean; log: boolean; height: number;
  range: [number, number] | null; // of x that is shown at first; null: all
  marks: Mark[]; // places on x that have a name
  now: () => number; // time of the cursor
  seek: (t: number) => void;
  zoomed: (range: [number, number] | null) => void; // what the reader wants to see of x
}

export const dash = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** The curves to draw.  On a logarithmic scale magnitudes are drawn, those of negative values as a second, dotted curve. */
export function drawn(curves: Curve[], log: boolean): Curve[] {
  if (!log) return curves;
  return curves.flatMap((c) => [1, -1].flatMap((sign) => {
    const y = Float64Array.from(c.y, (v) => (sign * v > 0 ? sign * v : NaN));
    return sign < 0 && !y.some((v) => v > 0) ? [] : [{ ...c, name: sign < 0 ? `−${c.name}` : c.name, short: sign < 0 ? `−${c.short}` : c.short, y, negative: sign < 0, band: undefined }];
  }));
}

/** Rows to draw of a curve over a rising x, between a and b and one beyond on either side: all of them, or of each column
 * of pixels the first, least, greatest and last, and one that has no value. */
export function thinned(c: { x: Float64Array; y: Float64Array }, a: number, b: number, width: number): number[] {
  const first = Math.max(0, after(c.x, a, false) - 1), last = Math.min(c.x.length - 1, after(c.x, b, true)), out: number[] = [];
  if (last - first < 4 * width) { for (let i = first; i <= last; i++) out.push(i); return out; }
  const low = Math.max(a, c.x[first]), scale = width / (Math.min(b, c.x[last]) - low || 1);
  for (let i = first; i <= last;) {
    const bin = Math.floor((c.x[i] - low) * scale), begin = i;
    let least = -1, most = -1, hole = -1;
    for (; i <= last && Math.floor((c.x[i] - low) * scale) === bin; i++) {
      const v = c.y[i];
      if (Number.isNaN(v)) { hole = i; continue; }
      if (least < 0 || v < c.y[least]) least = i;
      if (most < 0 || v > c.y[most]) most = i;
    }
    const some = [begin, least, most, hole, i - 1].filter((k) => k >= 0).sort((p, q) => p - q);
    for (const k of some) if (out[out.length - 1] !== k) out.push(k);
  }
  return out;
}

/** Curves with their own x on one list of x.  A row without a value of a curve is bridged, a value that is none is a gap;
 * two rows at one x, as at an impact, stay two. */
export function joined(curves: { x: Float64Array; y: Float64Array; rows: number[] }[]): uPlot.AlignedData {
  const at = curves.map(() => 0), xs: number[] = [], ys: (number | null | undefined)[][] = curves.map(() => []);
  for (;;) {
    let x = Infinity;
    curves.forEach((c, k) => { if (at[k] < c.rows.length) x = Math.min(x, c.x[c.rows[at[k]]]); });
    if (x === Infinity) break;
    xs.push(x);
    curves.forEach((c, k) => {
      const here = at[k] < c.rows.length && c.x[c.rows[at[k]]] === x, v = here ? c.y[c.rows[at[k]++]] : undefined;
      ys[k].push(v === undefined ? undefined : Number.isFinite(v) ? v : null);
    });
  }
  return [xs, ...ys] as uPlot.AlignedData;
}

/** The curve of one series through all its points. uPlot's own path thins them once more, by columns of pixels, and that leaves
 * slits in dense curves. undefined: the row of another curve; null: no value, a gap; a point between gaps is a dot. */
function wholePath(u: uPlot, s: number): uPlot.Series.Paths {
  const path = new Path2D(), xs = u.data[0], ys = u.data[s] as (number | null | undefined)[], scale = u.series[s].scale!, dot = 0.5 * (u.series[s].width ?? 1) * devicePixelRatio;
  let on = 0, px = 0, py = 0;
  const end = () => { if (on === 1) path.lineTo(px + dot, py); on = 0; };
  for (let i = 0; i < xs.length; i++) {
    const y = ys[i];
    if (y === undefined) continue;
    if (y === null) { end(); continue; }
    px = u.valToPos(xs[i], "x", true);
    py = u.valToPos(y, scale, true);
    if (on) path.lineTo(px, py); else path.moveTo(px, py);
    on = Math.min(2, on + 1);
  }
  end();
  return { stroke: path, fill: null, clip: null } as unknown as uPlot.Series.Paths;
}

export function bounds(lists: Float64Array[]): [number, number] {
  let low = Infinity, high = -Infinity;
  for (const l of lists) for (const v of l) if (Number.isFinite(v)) { if (v < low) low = v; if (v > high) high = v; }
  if (low > high) return [0, 1];
  const pad = high > low ? 0.04 * (high - low) : Math.abs(low) * 0.1 || 1;
  return [low - pad, high + pad];
}

export class Chart {
  plot: uPlot;
  private range: [number, number] | null;
  private parts: Curve[];
  private marks: HTMLElement[] = [];
  constructor(readonly holder: HTMLElement, readonly o: ChartOptions) {
    this.range = o.range;
    this.parts = drawn(o.curves, o.log);
    this.plot = new uPlot(this.options(), this.data(), holder);
    this.show(this.range);
    const over = this.plot.over;
    let down: [number, number] | null = null;
    over.addEventListener("mousedown", (e) => (down = [e.clientX, e.clientY]));
    this.moveMarks();
    over.addEventListener("mouseup", (e) => { if (down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4) this.click(e); down = null; });
  }
  private data(): uPlot.AlignedData {
    if (!this.o.curves.length) return [[]];
    const [a, b] = this.range ?? this.whole(), width = Math.max(220, this.holder.clientWidth);
    return this.o.sorted ? joined(this.parts.map((c) => ({ x: c.x, y: c.y, rows: thinned(c, a, b, width) }))) : ([null, ...this.o.curves.map((c) => [c.x, c.y])] as unknown as uPlot.AlignedData);
  }
  private whole(): [number, number] {
    let low = Infinity, high = -Infinity;
    for (const { x } of this.o.curves) if (x.length) { low = Math.min(low, x[0]); high = Math.max(high, x[x.length - 1]); }
    return low <= high ? [low, high] : [0, 1];
  }
  /** Shows this range of x; null: all of it. */
  show(range: [number, number] | null): void {
    if (!this.o.sorted || !this.o.curves.length) return;
    this.range = range;
    const [min, max] = range ?? this.whole();
    this.plot.batch(() => { this.plot.setData(this.data(), false); this.plot.setScale("x", max > min ? { min, max } : { min: min - 0.5, max: max + 0.5 }); });
    this.moveMarks();
  }
  private click(e: MouseEvent): void {
    const box = this.plot.over.getBoundingClientRect(), x = e.clientX - box.left, y = e.clientY - box.top;
    let best = Infinity, t: number | null = null;
    for (const c of this.o.curves) {
      if (!c.t) continue;
      if (this.o.sorted) { const v = this.plot.posToVal(x, "x"); const i = near(c.x, v); t = c.t[i] ?? t; break; }
      for (let i = 0; i < c.x.length; i++) {
        const d = Math.hypot(this.plot.valToPos(c.x[i], "x") - x, this.plot.valToPos(c.y[i], "y") - y);
        if (d < best) { best = d; t = c.t[i]; }
      }
    }
    if (t !== null) this.o.seek(t);
  }
  private options(): uPlot.Options {
    const ink = theme("--ink"), line = theme("--grid"), o = this.o;
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif" };
    const values = (_: uPlot, v: number[]) => marks(v);
    const series: uPlot.Series[] = this.parts.map((c) => ({
      label: c.short, stroke: c.measured ? theme("--ink") : colour(c.colour), width: c.measured ? 1.2 : 1.6, dash: c.negative || c.measured ? [1.5, 2.5] : dash[c.run % dash.length], spanGaps: false, pxAlign: 0,
      value: (u: uPlot, _v: number, _s: number, i: number | null) => (i === null || i === undefined || !c.x.length ? "" : show(c.y[near(c.x, u.data[0][i] as number)], 6)), points: { show: o.dots && !c.boxes, size: 4 },
      ...(o.sorted ? { paths: (u: uPlot, s: number) => (o.dots ? null : wholePath(u, s)) } : { facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }], paths: (u: uPlot, s: number) => this.path(u, s) }),
    })) as uPlot.Series[];
    return {
      width: Math.max(220, this.holder.clientWidth), height: o.height, mode: o.sorted ? 1 : 2,
      scales: {
        x: { time: false, ...(o.sorted ? {} : { range: () => this.extent("x") }) },
        y: o.log ? { distr: 3 } : o.sorted ? (o.curves.some((c) => c.band) ? { range: (u: uPlot) => this.bandRange(u) } : {}) : { range: () => this.extent("y") },
      },
      axes: [
        { ...axis, label: o.xLabel, labelSize: 18, size: 34, values, space: (_u, _i, low, high) => { const most = Math.max(Math.abs(low), Math.abs(high)); return most < 0.01 || most >= 1e4 ? 90 : 56; } }, { ...axis, label: o.yLabel, labelSize: 18, size: 64, values: o.log ? (_: uPlot, v: (number | null)[]) => logMarks(v) : values },
      ],
      legend: { show: o.curves.length > 1 && o.curves.length <= 12 && o.sorted },
      cursor: { drag: { x: o.sorted, y: false, setScale: false }, bind: { dblclick: () => () => { if (o.sorted) o.zoomed(null); return null; } }, sync: o.sorted && o.curves[0]?.t ? { key: "time" } : undefined, points: { size: 7 } },
      series: o.sorted ? [{ label: o.xLabel, value: (_u, v) => (v === null ? "" : show(v, 6)) }, ...series] : ([null, ...series] as unknown as uPlot.Series[]),
      hooks: {
        drawAxes: [(u) => this.bands(u), (u) => this.named(u)],
        draw: [(u) => { this.settle(u); this.moveMarks(); }],
        setSelect: [(u) => {
          const { left, width } = u.select;
          if (width < 3 || !o.sorted) return;
          u.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          o.zoomed([u.posToVal(left, "x"), u.posToVal(left + width, "x")]);
        }],
      },
    };
  }
  /** Of curves and their bands within the window. */
  private bandRange(u: uPlot): [number, number] {
    const min = u.scales.x.min ?? -Infinity, max = u.scales.x.max ?? Infinity, lists: Float64Array[] = [];
    for (const c of this.o.curves) {
      const inside = (v: Float64Array) => v.subarray(after(c.x, min, false), after(c.x, max, true));
      lists.push(inside(c.y), ...(c.band ? [inside(c.band.low), inside(c.band.high)] : []));
    }
    return bounds(lists);
  }
  /** Draws minimum and maximum between rows behind the curves: a rectangle for each row between which the motion exceeds the curve. */
  private bands(u: uPlot): void {
    const ctx = u.ctx, { left, top, width, height } = u.bbox;
    if (!this.o.sorted) return;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.globalAlpha = 0.3;
    for (const c of this.o.curves) {
      if (!c.band) continue;
      ctx.fillStyle = colour(c.colour);
      const first = Math.max(1, after(c.x, u.scales.x.min ?? -Infinity, false)), last = Math.min(c.x.length - 1, after(c.x, u.scales.x.max ?? Infinity, true));
      for (let i = first; i <= last;) { /* the rows of one column of pixels together */
        const a = u.valToPos(c.x[i - 1], "x", true);
        let b = a, low = Infinity, high = -Infinity;
        for (; i <= last && b < a + 1; i++) { b = u.valToPos(c.x[i], "x", true); low = Math.min(low, c.band.low[i]); high = Math.max(high, c.band.high[i]); }
        const top = u.valToPos(high, "y", true);
        ctx.fillRect(a, top, Math.max(1, b - a), Math.max(1, u.valToPos(low, "y", true) - top));
      }
    }
    ctx.restore();
  }
  /** Marked positions: vertical lines with their names at the top; if two are close, the second name is one line lower. */
  private named(u: uPlot): void {
    const ctx = u.ctx, { left, top, width, height } = u.bbox, size = 11 * devicePixelRatio;
    let last = -Infinity, row = 0;
    if (!this.o.marks.length) return;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = theme("--soft");
    ctx.setLineDash([3, 4]);
    ctx.font = `${size}px system-ui, sans-serif`;
    ctx.textAlign = "left";
    for (const m of [...this.o.marks].sort((a, b) => a.x - b.x)) {
      const x = u.valToPos(m.x, "x", true);
      if (x < left || x > left + width) continue;
      row = x - last < 5 * size ? row + 1 : 0;
      last = x;
      ctx.beginPath();
      ctx.moveTo(x, top);
      ctx.lineTo(x, top + height);
      ctx.stroke();
      ctx.fillText(m.name, x + 3, top + (row + 1) * 1.15 * size);
    }
    ctx.restore();
  }
  private extent(which: "x" | "y"): [number, number] {
    let r = bounds(this.o.curves.map((c) => c[which])), c = this.o.circle;
    if (c > 0) r = [Math.min(r[0], -1.08 * c), Math.max(r[1], 1.08 * c)];
    if (!this.o.equal) return r;
    const other = (() => { const b = bounds(this.o.curves.map((k) => k[which === "x" ? "y" : "x"])); return c > 0 ? [Math.min(b[0], -1.08 * c), Math.max(b[1], 1.08 * c)] : b; })();
    const w = Math.max(1, (this.plot?.bbox.width ?? 300)), h = Math.max(1, (this.plot?.bbox.height ?? 200));
    const need = Math.max((r[1] - r[0]) / (which === "x" ? w : h), (other[1] - other[0]) / (which === "x" ? h : w)) * (which === "x" ? w : h);
    const m = 0.5 * (r[0] + r[1]);
    return [m - need / 2, m + need / 2];
  }
  /** Equal scales depend on the size of the area, which is known only after the first drawing. */
  private settle(u: uPlot): void {
    if (!this.o.equal) return;
    const wanted = { x: this.extent("x"), y: this.extent("y") }, is = (k: "x" | "y") => Math.abs((u.scales[k].min ?? NaN) - wanted[k][0]) <= 1e-3 * (wanted[k][1] - wanted[k][0]);
    if (is("x") && is("y")) return;
    u.batch(() => { for (const k of ["x", "y"] as const) u.setScale(k, { min: wanted[k][0], max: wanted[k][1] }); });
  }
  private path(u: uPlot, s: number): null {
    const c = this.o.curves[s - 1], ctx = u.ctx, x = (v: number) => u.valToPos(v, "x", true), y = (v: number) => u.valToPos(v, "y", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    ctx.strokeStyle = ctx.fillStyle = c.measured ? theme("--ink") : colour(c.colour);
    ctx.setLineDash((c.measured ? [1.5, 2.5] : dash[c.run % dash.length]).map((d) => d * devicePixelRatio));
    ctx.lineWidth = 1.3 * devicePixelRatio;
    if (c.boxes) { ctx.globalAlpha = 0.22; for (let i = 0; i + 1 < c.x.length; i += 2) { const a = x(c.x[i]), b = y(c.y[i]); ctx.fillRect(a, b, Math.max(1, Math.abs(x(c.x[i + 1]) - a)) * Math.sign(c.x[i + 1] - c.x[i] || 1), y(c.y[i + 1]) - b || 1); } ctx.globalAlpha = 1; }
    else if (this.o.dots) for (let i = 0; i < c.x.length; i++) { ctx.beginPath(); ctx.arc(x(c.x[i]), y(c.y[i]), 1.6 * devicePixelRatio, 0, 7); ctx.fill(); }
    else this.stroke(ctx, c.line ?? c, x, y);
    if (this.o.circle > 0) {
      ctx.strokeStyle = theme("--soft");
      ctx.setLineDash([5, 4]);
      ctx.beginPath();
      ctx.ellipse(x(0), y(0), Math.abs(x(this.o.circle) - x(0)), Math.abs(y(this.o.circle) - y(0)), 0, 0, 7);
      ctx.stroke();
    }
    ctx.restore();
    return null;
  }
  /** Points closer than half a pixel are left out, and long lines go in pieces: one path that crosses itself ten thousand times takes
   * seconds to fill in. */
  private stroke(ctx: CanvasRenderingContext2D, l: { x: Float64Array; y: Float64Array }, x: (v: number) => number, y: (v: number) => number): void {
    let on = false, n = 0, a = 0, b = 0;
    ctx.beginPath();
    for (let i = 0; i < l.x.length; i++) {
      if (!Number.isFinite(l.x[i] + l.y[i])) { on = false; continue; }
      const px = x(l.x[i]), py = y(l.y[i]);
      if (on && Math.abs(px - a) + Math.abs(py - b) < 0.5) continue;
      if (on) ctx.lineTo(px, py); else ctx.moveTo(px, py);
      if (++n % 500 === 0) { ctx.stroke(); ctx.beginPath(); ctx.moveTo(px, py); }
      [on, a, b] = [true, px, py];
    }
    ctx.stroke();
  }
  /** Positions of the cursor of the page. They are separate elements over the plot, so that the curves need not be drawn again if the cursor moves. */
  private places(): [number, number][] {
    const t = this.o.now(), u = this.plot, first = this.o.curves.find((c) => c.t && c.t.length);
    if (!first) return [];
    if (this.o.sorted) return [[u.valToPos(first.x[near(first.t!, t)], "x"), NaN]];
    return this.o.curves.flatMap((c): [number, number][] => { if (!c.t?.length) return []; const i = near(c.t, t); return [[u.valToPos(c.x[i], "x"), u.valToPos(c.y[i], "y")]]; });
  }
  moveMarks(): void {
    if (!this.plot) return; /* while it is made */
    const places = this.places(), box = this.plot.over;
    while (this.marks.length > places.length) this.marks.pop()!.remove();
    while (this.marks.length < places.length) { const e = el("i", { class: this.o.sorted ? "markline" : "markdot" }); box.append(e); this.marks.push(e); }
    places.forEach(([x, y], i) => {
      const e = this.marks[i];
      e.hidden = !(x >= -0.5 && x <= box.clientWidth + 0.5) || y < -5 || y > box.clientHeight + 5;
      e.style.transform = `translate(${x}px, ${Number.isNaN(y) ? 0 : y}px)`;
    });
  }
  resize(): void { const w = Math.max(220, this.holder.clientWidth); if (w === this.plot.width) return; this.plot.setSize({ width: w, height: this.o.height }); this.show(this.range); }
  destroy(): void { this.plot.destroy(); }
  get window(): [number, number] { return [this.plot.scales.x.min ?? -Infinity, this.plot.scales.x.max ?? Infinity]; }
}

export function near(list: ArrayLike<number>, x: number): number {
  let low = 0, high = list.length - 1;
  while (low < high) { const m = (low + high) >> 1; if (list[m] < x) low = m + 1; else high = m; }
  return low > 0 && x - list[low - 1] <= list[low] - x ? low - 1 : Math.max(0, low);
}

/** Number of values of an ascending list that are below x or, with `equal`, not above x. */
export function after(list: ArrayLike<number>, x: number, equal: boolean): number {
  let low = 0, high = list.length;
  while (low < high) { const m = (low + high) >> 1; if (list[m] < x || (equal && list[m] === x)) low = m + 1; else high = m; }
  return low;
}
