// Rolling bearings: characteristic frequencies of defects, and the loads of all elements around the ring.
import { near } from "./chart";
import type { Cursor } from "./cursor";
import type { Run } from "./data";
import { button, colour, el, theme } from "./dom";
import type { PlotInfo } from "./types";
import { show, unitOf } from "./units";

export interface Mark { x: number; name: string }

const element = (bearing: string, k: number, what: string) => `${bearing}.element[${k}].${what}`;

/** Number of elements in each row. Elements are numbered row by row; each row begins at the azimuth of the first element. */
export function perRow(run: Run, bearing: string): number {
  const at = (k: number) => run.channel(element(bearing, k, "azimuth"))?.v[0];
  const first = at(0);
  if (first === undefined) return 0;
  for (let k = 1; ; k++) {
    const a = at(k);
    if (a === undefined) return k;
    const off = (a - first) / (2 * Math.PI);
    if (Math.abs(off - Math.round(off)) < 1e-4) return k;
  }
}

function mean(run: Run, name: string): number {
  const c = run.channel(name);
  let sum = 0;
  if (!c?.v.length) return NaN;
  for (const v of c.v) sum += v / c.v.length;
  return Math.abs(sum);
}

/** Frequencies of the cage, of elements that pass a point of the outer or inner race, and of the rotation of an element: in Hz, or per revolution of an angle. */
export function marksOf(run: Run, bearing: string, per: string | null): Mark[] {
  const n = perRow(run, bearing), shaft = mean(run, `${bearing}.speed`), cage = mean(run, `${bearing}.cage_speed`), spin = mean(run, `${bearing}.element_speed`);
  let turn = 2 * Math.PI;
  if (per) {
    const a = run.channel(per), last = (a?.v.length ?? 0) - 1;
    turn = a && last > 0 ? Math.abs((a.v[last] - a.v[0]) / (a.t[last] - a.t[0])) : NaN;
  }
  const list: Mark[] = [{ name: "FTF", x: cage }, { name: "BPFO", x: n * cage }, { name: "BPFI", x: n * (shaft - cage) }, { name: "BSF", x: spin }];
  return list.map((m) => ({ name: m.name, x: m.x / turn })).filter((m) => Number.isFinite(m.x) && m.x > 0);
}

const NS = "http://www.w3.org/2000/svg";
function shape(name: string, attributes: Record<string, string | number>, text = ""): SVGElement {
  const e = document.createElementNS(NS, name);
  for (const [k, v] of Object.entries(attributes)) e.setAttribute(k, String(v));
  e.textContent = text;
  return e;
}

/** The load of every element at the time of the cursor, drawn at the azimuth of the element, seen along z of the outer ring. */
export class Polar {
  root = el("section", { class: "card" });
  private picture = shape("svg", { viewBox: "-170 -170 340 340", role: "img", class: "polar" });
  private note = el("p", { class: "note" });
  private most = 0;
  constructor(readonly runs: Run[], readonly plot: PlotInfo, readonly cursor: Cursor, remove: () => void) {
    const close = button("×", `remove ${plot.title}`, remove);
    close.setAttribute("aria-label", `remove ${plot.title}`);
    this.root.append(el("div", { class: "cardhead" }, el("h3", {}, plot.title), el("div", { class: "tools" }, close)), el("div", { class: "polarbox" }, this.picture as unknown as HTMLElement), this.note);
  }
  build(): void {
    this.most = 0;
    for (const run of this.runs) for (const name of this.plot.y) for (const v of run.channel(name)?.v ?? []) if (v > this.most) this.most = v;
    this.moved();
  }
  resize(): void { /* the picture follows its box */ }
  private value(run: Run, k: number, what: string): number {
    const c = run.channel(element(this.plot.bearing!, k, what));
    return c?.v.length ? c.v[near(c.t, this.cursor.state.t)] : NaN;
  }
  private ring(r: number, text: string): void {
    this.picture.append(shape("circle", { r, fill: "none", stroke: theme("--grid"), "stroke-dasharray": "3 4" }), shape("text", { x: r * 0.71 + 3, y: -r * 0.71, "font-size": 10, fill: theme("--soft") }, text));
  }
  moved(): void {
    const u = unitOf("N", this.most), scale = this.most > 0 ? 118 / this.most : 0, decade = this.most > 0 ? Math.pow(10, Math.floor(Math.log10(this.most / 2))) : 1;
    const step = [1, 2, 5, 10].map((s) => s * decade).find((s) => this.most / s <= 3) ?? this.most;
    this.picture.replaceChildren();
    for (let r = step; scale && r <= this.most; r += step) this.ring(r * scale, `${show(r * u.factor, 3)} ${u.unit}`);
    for (const r of [126, 150]) this.picture.append(shape("circle", { r, fill: "none", stroke: theme("--soft") }));
    this.picture.append(shape("text", { x: 154, y: 4, "font-size": 11, fill: theme("--ink") }, "x"), shape("text", { x: -3, y: -154, "font-size": 11, fill: theme("--ink") }, "y"));
    const words: string[] = [];
    this.runs.forEach((run, i) => {
      const n = perRow(run, this.plot.bearing!), all = this.plot.y.length;
      let greatest = 0, loaded = 0;
      for (let row = 0; n > 0 && row * n < all; row++) {
        const tint = colour(i + row), points: string[] = [];
        for (let k = row * n; k < Math.min(all, (row + 1) * n); k++) {
          const phi = this.value(run, k, "azimuth"), load = Math.max(0, this.value(run, k, "load_inner")), x = Math.cos(phi), y = -Math.sin(phi);
          greatest = Math.max(greatest, load); loaded += load > 0 ? 1 : 0;
          points.push(`${x * load * scale},${y * load * scale}`);
          this.picture.append(shape("circle", { cx: 138 * x, cy: 138 * y, r: Math.min(10, 300 / n), fill: load > 0 ? tint : "none", stroke: tint }));
          if (load > 0) this.picture.append(shape("line", { x1: 0, y1: 0, x2: x * load * scale, y2: y * load * scale, stroke: tint, "stroke-width": 2 }));
        }
        this.picture.append(shape("polygon", { points: points.join(" "), fill: tint, "fill-opacity": 0.15, stroke: tint }));
      }
      words.push(`${this.runs.length > 1 ? `${run.name}: ` : ""}${loaded} of ${all} elements carry load, at most ${show(greatest * u.factor, 4)} ${u.unit}.`);
    });
    this.note.textContent = `Loads on the inner race at ${show(this.cursor.state.t * unitOf("s").factor, 4)} ${unitOf("s").unit}, seen against z. ${words.join(" ")}`;
  }
}
