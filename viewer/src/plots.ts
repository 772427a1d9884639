// The column of plots: each a card with its panels, what can be done with it, and the table behind it.
import { Chart, near, type ChartOptions } from "./chart";
import type { Cursor } from "./cursor";
import type { Run } from "./data";
import { button, colour, el, labelled, save, select } from "./dom";
import { svg } from "./drawing";
import { angleChannels, picture, type Curve, type Look, type Picture } from "./series";
import type { PlotInfo } from "./types";
import { show } from "./units";

function legend(curves: Curve[]): HTMLElement {
  const several = new Set(curves.map((c) => c.run)).size > 1;
  return el("ul", { class: "legend" }, ...curves.slice(0, 24).map((c) => { const mark = el("i", { class: several && c.run ? "dashed" : "" }); mark.style.color = colour(c.colour); return el("li", {}, mark, c.name); }));
}

/** A pattern for just these names that stays whole between the quotes of a shell. */
const pattern = (names: string[]) => `^(${[...new Set(names)].map((s) => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/'/g, ".")).join("|")})$`;

export class Card {
  root = el("section", { class: "card" });
  private panels = el("div", { class: "panels" });
  private table = el("div", { class: "tableholder" });
  private note = el("p", { class: "note" });
  private charts: Chart[] = [];
  private look: Look = { transform: "none", section: false, range: null };
  private log = false;
  private seen!: Picture;
  private open = false;
  private turns: HTMLElement | null = null;

  constructor(readonly runs: Run[], readonly plot: PlotInfo, readonly cursor: Cursor, remove: () => void) {
    if (plot.kind === "orders") this.look.transform = "orders";
    if (plot.kind === "spectrum") this.look.transform = "spectrum";
    const title = el("h3", {}, plot.title);
    const tools = el("div", { class: "tools", role: "group", "aria-label": `what to do with ${plot.title}` });
    if (plot.kind !== "orbit") {
      const s = select([["none", "as it is"], ["spectrum", "spectrum"], ...(angleChannels(runs[0]).length ? [["orders", "orders"] as [string, string]] : [])], this.look.transform, (v) => { this.look.transform = v as Look["transform"]; this.build(); });
      tools.append(labelled("show", s));
      const angles = angleChannels(runs[0]);
      if (angles.length > 1) tools.append((this.turns = labelled("turns of", select(angles.map((a) => [a, a]), plot.per ?? angles[0], (v) => { this.plot.per = v; this.build(); }))));
    }
    if (plot.kind === "xy" && angleChannels(runs[0]).length) tools.append(this.toggle("once per turn", (on) => { this.look.section = on; }));
    if (plot.kind !== "orbit") tools.append(this.toggle("log", (on) => { this.log = on; }));
    tools.append(
      this.toggle("table", (on) => { this.open = on; }),
      button("PNG", "save what is seen as a picture", () => this.png()), button("SVG", "save what is seen as a drawing", () => this.svg()),
      button("CSV", "save what is seen as numbers", () => this.csv()), button("×", `remove ${plot.title}`, remove),
    );
    tools.lastElementChild!.setAttribute("aria-label", `remove ${plot.title}`);
    this.root.append(el("div", { class: "cardhead" }, title, tools), this.panels, this.note, this.table);
  }
  private toggle(text: string, set: (on: boolean) => void): HTMLElement {
    const b = button(text, text, () => { const on = b.getAttribute("aria-pressed") !== "true"; b.setAttribute("aria-pressed", String(on)); set(on); this.build(); });
    b.setAttribute("aria-pressed", "false");
    return b;
  }
  private optionsOf(p: Picture["panels"][number]): ChartOptions {
    return {
      xLabel: this.seen.xLabel, yLabel: p.label, curves: p.curves, sorted: this.seen.sorted, equal: this.seen.equal, circle: this.seen.circle,
      dots: this.seen.section, log: this.log, height: this.seen.panels.length > 1 ? 170 : this.seen.sorted ? 230 : 300, now: () => this.cursor.state.t,
      seek: (t) => { this.cursor.play(false); this.cursor.seek(t); }, zoomed: (r) => { if (this.look.transform === "none") this.look.range = r; },
    };
  }
  build(): void {
    for (const c of this.charts) c.destroy();
    this.panels.replaceChildren();
    this.seen = picture(this.runs, this.plot, this.look);
    this.charts = this.seen.panels.map((p) => {
      const h = el("div", { class: "panel" });
      this.panels.append(h);
      if (p.curves.length > 1 && (!this.seen.sorted || p.curves.length > 12)) this.panels.append(legend(p.curves));
      return new Chart(h, this.optionsOf(p));
    });
    this.turns?.toggleAttribute("hidden", this.look.transform !== "orders" && !this.look.section);
    const per = this.plot.per ?? angleChannels(this.runs[0])[0];
    this.note.textContent = this.seen.curves.length && this.seen.curves.every((c) => !c.x.length) ? "No rows yet." : !this.seen.curves.length ? "There is nothing to show: the channels are not in the file, or have too few values."
      : this.seen.curves.some((c) => c.boxes) ? `Kept as least and greatest of every ${this.runs[0].info.width} rows: in each of them the curve stays within one box. ${this.look.section ? "Where it is once per turn is not known then. " : ""}To have it in full: hooke report --full '${pattern([this.plot.x!, ...this.plot.y, ...(this.look.section ? [per] : [])])}'.`
      : this.look.section && this.look.transform === "none" && !this.seen.section ? `Not once per turn: of ${per} only the least and greatest of every ${this.runs[0].info.width} rows are kept, not when a turn begins. To have it in full: hooke report --full '${pattern([this.plot.x!, ...this.plot.y, per])}'.`
      : this.seen.open ? `Left open between ${this.seen.open} of ${this.runs.reduce((n, r) => n + r.info.rows, 0)} rows, where something happens that falls between them, such as an impact. A smaller output_step shows more.`
      : this.seen.missed && this.look.transform !== "none" ? "The motion goes to and fro between rows: lines of these rows are not those of the motion. A smaller output_step shows them."
      : this.seen.curves.some((c) => c.band) ? "Shaded: least and greatest between rows, where the motion is faster than these. A smaller output_step shows more."
      : this.seen.decimated ? `Kept as least and greatest of every ${this.runs[0].info.width} rows: no peak is lost, but what lies between is.` : "";
    this.note.hidden = !this.note.textContent;
    this.fillTable();
  }
  private rows(most: number): { head: string[]; rows: number[][] } {
    const [a, b] = this.charts[0]?.window ?? [-Infinity, Infinity], c0 = this.seen.curves[0];
    if (!c0) return { head: [], rows: [] };
    const same = this.seen.curves.filter((c) => c.x.length === c0.x.length && c.boxes === c0.boxes);
    const index: number[] = [];
    for (let i = 0; i < c0.x.length; i++) if (!this.seen.sorted || (c0.x[i] >= a && c0.x[i] <= b)) index.push(i);
    const step = Math.max(1, Math.ceil(index.length / most));
    const picked = index.filter((_, i) => i % step === 0);
    if (c0.boxes) return this.boxRows(same, picked.map((i) => i & ~1).filter((i, k, all) => i !== all[k - 1]));
    const head = this.seen.sorted ? [this.seen.xLabel, ...same.map((c) => c.name)] : same.flatMap((c) => [`x of ${c.name}`, c.name]);
    return { head, rows: picked.map((i) => (this.seen.sorted ? [c0.x[i], ...same.map((c) => c.y[i])] : same.flatMap((c) => [c.x[i], c.y[i]]))) };
  }
  /** A row for each box: its sides.  The two values of a bin stand in the order of their times. */
  private boxRows(curves: Curve[], index: number[]): { head: string[]; rows: number[][] } {
    const x = this.plot.x!;
    return {
      head: curves.flatMap((c) => [`least ${x} of ${c.name}`, `greatest ${x} of ${c.name}`, `least ${c.name}`, `greatest ${c.name}`]),
      rows: index.map((i) => curves.flatMap((c) => [c.x, c.y].flatMap((v) => [Math.min(v[i], v[i + 1]), Math.max(v[i], v[i + 1])]))),
    };
  }
  private fillTable(): void {
    this.table.replaceChildren();
    if (!this.open || !this.seen.curves.length) return;
    const { head, rows } = this.rows(200);
    const body = el("tbody");
    rows.forEach((r) => { const tr = el("tr", {}, ...r.map((v) => el("td", {}, show(v, 6)))); body.append(tr); });
    this.table.append(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `table of ${this.plot.title}` }, el("table", {}, el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { scope: "col" }, h)))), body)));
    this.markRow();
  }
  private markRow(): void {
    const body = this.table.querySelector("tbody"), c0 = this.seen.curves[0];
    if (!body || !c0?.t || !this.seen.sorted) return;
    const x = c0.x[near(c0.t, this.cursor.state.t)];
    const { rows } = this.rows(200);
    const k = near(rows.map((r) => r[0]), x);
    body.querySelectorAll("tr").forEach((tr, i) => tr.classList.toggle("now", i === k));
  }
  moved(): void { for (const c of this.charts) c.redraw(); if (this.open) this.markRow(); }
  resize(): void { for (const c of this.charts) c.resize(); }
  private fileName(ending: string): string { return this.plot.title.replace(/[^A-Za-z0-9]+/g, "_").slice(0, 60) + ending; }
  private png(): void {
    const parts = this.charts.map((c) => c.plot.ctx.canvas), w = Math.max(...parts.map((p) => p.width)), h = parts.reduce((a, p) => a + p.height, 0);
    const canvas = el("canvas", { width: w, height: h }), ctx = canvas.getContext("2d")!;
    ctx.fillStyle = getComputedStyle(this.root).backgroundColor || "#ffffff";
    ctx.fillRect(0, 0, w, h);
    let y = 0;
    for (const p of parts) { ctx.drawImage(p, 0, y); y += p.height; }
    canvas.toBlob((b) => b && save(this.fileName(".png"), b));
  }
  private svg(): void {
    this.seen.panels.forEach((p, i) => save(this.fileName(i ? `_${i + 1}.svg` : ".svg"), new Blob([svg(this.optionsOf(p), this.charts[i].window, this.plot.title)], { type: "image/svg+xml" })));
  }
  csvText(): string {
    const { head, rows } = this.rows(Infinity), quote = (s: string) => (/[",\r\n]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s);
    return [head.map(quote).join(","), ...rows.map((r) => r.join(","))].join("\n") + "\n";
  }
  private csv(): void { save(this.fileName(".csv"), new Blob([this.csvText()], { type: "text/csv" })); }
}
