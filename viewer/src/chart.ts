// One panel of a plot: uPlot with our colours, the cursor of the page and what can be saved of it.
import uPlot from "uplot";
import { colour, theme } from "./dom";
import type { Curve } from "./series";
import { marks, show } from "./units";

export interface ChartOptions {
  xLabel: string; yLabel: string; curves: Curve[]; sorted: boolean; equal: boolean; circle: number; dots: boolean; log: boolean; height: number;
  now: () => number; // time of the cursor
  seek: (t: number) => void;
  zoomed: (range: [number, number] | null) => void;
}

export const dash = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

/** Curves with their own x on one list of x: rows where one has no value are gaps that are bridged. */
function joined(curves: Curve[]): uPlot.AlignedData {
  if (curves.every((c) => c.x === curves[0].x || (c.x.length === curves[0].x.length && c.x.every((v, i) => v === curves[0].x[i]))))
    return [curves[0].x as unknown as number[], ...curves.map((c) => c.y as unknown as number[])];
  return uPlot.join(curves.map((c) => [c.x as unknown as number[], c.y as unknown as number[]]));
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
  private zoom: [number, number] | null = null;
  constructor(readonly holder: HTMLElement, readonly o: ChartOptions) {
    this.plot = new uPlot(this.options(), this.data(), holder);
    const over = this.plot.over;
    let down: [number, number] | null = null;
    over.addEventListener("mousedown", (e) => (down = [e.clientX, e.clientY]));
    over.addEventListener("mouseup", (e) => { if (down && Math.hypot(e.clientX - down[0], e.clientY - down[1]) < 4) this.click(e); down = null; });
  }
  private data(): uPlot.AlignedData {
    if (!this.o.curves.length) return [[]];
    return this.o.sorted ? joined(this.o.curves) : ([null, ...this.o.curves.map((c) => [c.x, c.y])] as unknown as uPlot.AlignedData);
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
    const ink = theme("--ink"), soft = theme("--soft"), line = theme("--grid"), o = this.o;
    const axis = { stroke: ink, grid: { stroke: line, width: 1 }, ticks: { stroke: line, width: 1 }, font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif" };
    const values = (_: uPlot, v: number[]) => marks(v);
    const series: uPlot.Series[] = o.curves.map((c) => ({
      label: c.name, stroke: colour(c.colour), width: 1.6, dash: dash[c.run % dash.length], spanGaps: true,
      value: (_u, v) => (v === null || v === undefined ? "" : show(v, 6)), points: { show: o.dots && !c.boxes, size: 4 },
      ...(o.sorted ? (o.dots ? { paths: () => null } : {}) : { facets: [{ scale: "x", auto: true }, { scale: "y", auto: true }], paths: (u: uPlot, s: number) => this.path(u, s) }),
    })) as uPlot.Series[];
    return {
      width: Math.max(220, this.holder.clientWidth), height: o.height, mode: o.sorted ? 1 : 2,
      scales: {
        x: { time: false, ...(o.sorted ? {} : { range: () => this.range("x") }) },
        y: o.log ? { distr: 3 } : o.sorted ? (o.curves.some((c) => c.band) ? { range: (u: uPlot) => this.bandRange(u) } : {}) : { range: () => this.range("y") },
      },
      axes: [
        { ...axis, label: o.xLabel, labelSize: 18, size: 34, values, space: (_u, _i, low, high) => { const most = Math.max(Math.abs(low), Math.abs(high)); return most < 0.01 || most >= 1e4 ? 90 : 56; } }, { ...axis, label: o.yLabel, labelSize: 18, size: 64, values: o.log ? undefined : values },
      ],
      legend: { show: o.curves.length > 1 && o.curves.length <= 12 && o.sorted },
      cursor: { drag: { x: o.sorted, y: false }, sync: o.sorted && o.curves[0]?.t ? { key: "time" } : undefined, points: { size: 7 } },
      series: o.sorted ? [{ label: o.xLabel, value: (_u, v) => (v === null ? "" : show(v, 6)) }, ...series] : ([null, ...series] as unknown as uPlot.Series[]),
      hooks: {
        drawAxes: [(u) => this.bands(u)],
        draw: [(u) => { this.mark(u, soft); this.settle(u); }],
        setScale: [(u, key) => {
          if (key !== "x" || !o.sorted || !o.curves[0]?.t) return;
          const { min, max } = u.scales.x, x = o.curves[0].x, all = min === undefined || max === undefined || (min! <= x[0] && max! >= x[x.length - 1]);
          const next: [number, number] | null = all ? null : [min!, max!];
          if (String(next) !== String(this.zoom)) { this.zoom = next; o.zoomed(next); }
        }],
      },
    };
  }
  /** Of curves and their bands within the window. */
  private bandRange(u: uPlot): [number, number] {
    const min = u.scales.x.min ?? -Infinity, max = u.scales.x.max ?? Infinity, lists: Float64Array[] = [];
    for (const c of this.o.curves) {
      const inside = (v: Float64Array) => v.filter((_, i) => c.x[i] >= min && c.x[i] <= max);
      lists.push(inside(c.y), ...(c.band ? [inside(c.band.low), inside(c.band.high)] : []));
    }
    return bounds(lists);
  }
  /** Least and greatest between rows, behind the curves: a rectangle for each row whose motion goes beyond the curve. */
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
      for (let i = 1; i < c.x.length; i++) {
        const a = u.valToPos(c.x[i - 1], "x", true), b = u.valToPos(c.x[i], "x", true), low = u.valToPos(c.band.low[i], "y", true), high = u.valToPos(c.band.high[i], "y", true);
        ctx.fillRect(a, high, Math.max(1, b - a), Math.max(1, low - high));
      }
    }
    ctx.restore();
  }
  private range(which: "x" | "y"): [number, number] {
    let r = bounds(this.o.curves.map((c) => c[which])), c = this.o.circle;
    if (c > 0) r = [Math.min(r[0], -1.08 * c), Math.max(r[1], 1.08 * c)];
    if (!this.o.equal) return r;
    const other = (() => { const b = bounds(this.o.curves.map((k) => k[which === "x" ? "y" : "x"])); return c > 0 ? [Math.min(b[0], -1.08 * c), Math.max(b[1], 1.08 * c)] : b; })();
    const w = Math.max(1, (this.plot?.bbox.width ?? 300)), h = Math.max(1, (this.plot?.bbox.height ?? 200));
    const need = Math.max((r[1] - r[0]) / (which === "x" ? w : h), (other[1] - other[0]) / (which === "x" ? h : w)) * (which === "x" ? w : h);
    const m = 0.5 * (r[0] + r[1]);
    return [m - need / 2, m + need / 2];
  }
  /** Equal scales need the size of the area, which is known once it has been drawn. */
  private settle(u: uPlot): void {
    if (!this.o.equal) return;
    const wanted = { x: this.range("x"), y: this.range("y") }, is = (k: "x" | "y") => Math.abs((u.scales[k].min ?? NaN) - wanted[k][0]) <= 1e-3 * (wanted[k][1] - wanted[k][0]);
    if (is("x") && is("y")) return;
    u.batch(() => { for (const k of ["x", "y"] as const) u.setScale(k, { min: wanted[k][0], max: wanted[k][1] }); });
  }
  private path(u: uPlot, s: number): null {
    const c = this.o.curves[s - 1], ctx = u.ctx, x = (v: number) => u.valToPos(v, "x", true), y = (v: number) => u.valToPos(v, "y", true);
    ctx.save();
    ctx.beginPath();
    ctx.rect(u.bbox.left, u.bbox.top, u.bbox.width, u.bbox.height);
    ctx.clip();
    ctx.strokeStyle = ctx.fillStyle = colour(c.colour);
    ctx.setLineDash(dash[c.run % dash.length].map((d) => d * devicePixelRatio));
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
  /** Where the cursor of the page is. */
  private mark(u: uPlot, colour: string): void {
    const t = this.o.now(), ctx = u.ctx, { left, top, width, height } = u.bbox;
    ctx.save();
    ctx.strokeStyle = ctx.fillStyle = theme("--mark") || colour;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([]);
    const first = this.o.curves.find((c) => c.t && c.t.length);
    if (first && this.o.sorted) {
      const px = u.valToPos(first.x[near(first.t!, t)], "x", true);
      if (px >= left && px <= left + width) { ctx.beginPath(); ctx.moveTo(px, top); ctx.lineTo(px, top + height); ctx.stroke(); }
    } else
      for (const c of this.o.curves) {
        if (!c.t) continue;
        const i = near(c.t, t);
        ctx.beginPath(); ctx.arc(u.valToPos(c.x[i], "x", true), u.valToPos(c.y[i], "y", true), 4.5 * devicePixelRatio, 0, 7); ctx.fill();
      }
    ctx.restore();
  }
  redraw(): void { this.plot.redraw(false, false); }
  resize(): void { const w = Math.max(220, this.holder.clientWidth); if (w !== this.plot.width) this.plot.setSize({ width: w, height: this.o.height }); }
  destroy(): void { this.plot.destroy(); }
  get window(): [number, number] { return [this.plot.scales.x.min ?? -Infinity, this.plot.scales.x.max ?? Infinity]; }
}

export function near(list: ArrayLike<number>, x: number): number {
  let low = 0, high = list.length - 1;
  while (low < high) { const m = (low + high) >> 1; if (list[m] < x) low = m + 1; else high = m; }
  return low > 0 && x - list[low - 1] <= list[low] - x ? low - 1 : Math.max(0, low);
}
