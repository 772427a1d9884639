// The column of plots: each is a card with panels, controls and a table.
import { Chart, near, type ChartOptions } from "./chart";
import type { Cursor } from "./cursor";
import type { Run } from "./data";
import { button, colour, el, labelled, menu, save, select } from "./dom";
import { svg } from "./drawing";
import { align, asMeasured, deviation, points, type Alignment } from "./measured";
import { angleChannels, picture, wholeBand, type Curve, type Look, type Picture } from "./series";
import { even, spectrum } from "./spectrum";
import type { MeasuredColumn, MeasuredFile, PlotInfo } from "./types";
import { label, show, unitOf } from "./units";
import { shown } from "./watch";

function legend(curves: Curve[]): HTMLElement {
  const several = new Set(curves.map((c) => c.run)).size > 1;
  return el("ul", { class: "legend" }, ...curves.slice(0, 24).map((c) => { const mark = el("i", { class: c.measured ? "dotted" : several && c.run ? "dashed" : "" }); mark.style.color = c.measured ? "var(--ink)" : colour(c.colour); return el("li", { title: c.name }, mark, c.short); }));
}

/** A regular expression that matches exactly these names, and can be placed in the single quotes of a shell. */
const pattern = (names: string[]) => `^(${[...new Set(names)].map((s) => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/'/g, ".")).join("|")})$`;

interface Table { head: string[]; columns: ArrayLike<number>[]; rows: number } // shorter columns end before the others

export class Card {
  root = el("section", { class: "card" });
  private panels = el("div", { class: "panels" });
  private table = el("div", { class: "tableholder" });
  private note = el("p", { class: "note" });
  private charts: Chart[] = [];
  private look: Look = { transform: "none", decibels: false, fold: 0, section: false, range: null };
  private opening: [number, number] | null = null; // the part that is shown first; spectra are of all rows unless the reader selects a part
  private log = false;
  private seen!: Picture;
  private open = false;
  private all = false; // also for an envelope; otherwise only the range around its marks is shown
  private part: [number, number] | null = null; // of frequencies or orders that is shown
  private numbers: Table | null = null; // of the open table
  private turns: HTMLElement | null = null;
  private spectral: HTMLSelectElement | null = null;
  private band: HTMLElement | null = null; // of an envelope, with its two inputs
  private limits: HTMLInputElement[] = [];
  private level: HTMLElement | null = null; // decibels, for spectra
  private every: HTMLElement | null = null; // angle after which curves return, for curves over time and angle
  private bench: MeasuredColumn | null = null;
  private alignment: Alignment = asMeasured;
  private aligning: HTMLElement | null = null;

  constructor(readonly runs: Run[], readonly plot: PlotInfo, readonly cursor: Cursor, remove: () => void, readonly live = false, readonly measured: MeasuredFile | null = null) {
    if (plot.kind === "orders") this.look.transform = "orders";
    if (plot.kind === "spectrum" || plot.kind === "envelope") this.look.transform = plot.kind;
    const title = el("h3", {}, plot.title);
    const tools = el("div", { class: "tools", role: "group", "aria-label": `what to do with ${plot.title}` });
    if (plot.kind !== "orbit") {
      const s = select([["none", "as it is"], ["spectrum", "spectrum"], ["envelope", "envelope spectrum"], ...(angleChannels(runs[0]).length ? [["orders", "orders"] as [string, string]] : [])], this.look.transform, (v) => { this.look.transform = v as Look["transform"]; this.part = null; if (this.look.range === this.opening) this.look.range = null; this.build(); });
      this.spectral = s;
      tools.append(labelled("show", s));
      const angles = angleChannels(runs[0]);
      if (angles.length > 1) tools.append((this.turns = labelled("turns of", select(angles.map((a) => [a, a]), plot.per ?? angles[0], (v) => { this.plot.per = v; this.build(); }))));
    }
    if (plot.kind !== "orbit") tools.append((this.band = this.bandInputs()));
    if (plot.kind === "xy" && angleChannels(runs[0]).length) tools.append(this.toggle("once per turn", (on) => { this.look.section = on; }));
    const more: HTMLElement[] = [];
    if (plot.kind !== "orbit") {
      if (angleChannels(runs[0]).length) more.push((this.every = this.foldInput()));
      if (measured?.columns.length) more.push(...this.benchInputs(measured));
      more.push(this.toggle("log", (on) => { this.log = on; }), (this.level = this.toggle("dB", (on) => { this.look.decibels = on; })));
    }
    more.push(
      this.toggle("table", (on) => { this.open = on; }),
      button("PNG", "save what is seen as a picture", () => this.png()), button("SVG", "save what is seen as a drawing", () => this.svg()),
      button("CSV", "save what is seen as numbers", () => this.csv()), button("remove", `remove ${plot.title}`, remove),
    );
    tools.append(menu(`more about ${plot.title}`, more));
    if (plot.rhythm) this.showLast(plot.rhythm);
    this.root.append(el("div", { class: "cardhead" }, title, tools), this.panels, this.note, this.table);
  }
  /** Lower and upper limit of the band whose envelope is shown, in Hz. */
  private bandInputs(): HTMLElement {
    this.limits = ["lower", "upper"].map((which) => el("input", { type: "number", min: "0", step: "any", class: "limit", "aria-label": `${which} limit of the band in Hz` }));
    for (const i of this.limits) i.addEventListener("change", () => {
      const [a, b] = this.limits.map((l) => Number(l.value));
      if (!(b > a && a >= 0)) return;
      this.look.band = [a, b];
      this.part = null;
      this.build();
    });
    return el("span", { class: "band" }, "band [Hz] ", this.limits[0], " to ", this.limits[1]);
  }
  /** Curves over an angle return to their beginning after this many degrees: a turn, a pitch, two turns of an engine. */
  private foldInput(): HTMLElement {
    const choices = el("datalist", { id: `fold${Math.random()}` }, ...[this.plot.pitch ?? 0, 360, 720].filter((d) => d > 0).map((d) => el("option", { value: d })));
    const input = el("input", { type: "number", min: "0", step: "any", class: "limit", list: choices.id, placeholder: "never" });
    input.addEventListener("change", () => { this.look.fold = Math.max(0, Number(input.value) || 0); this.build(); });
    return el("span", {}, labelled("fold every [°]", input), choices);
  }
  /** Which measured column is drawn, and how it is aligned with the run. */
  private benchInputs(file: MeasuredFile): HTMLElement[] {
    this.bench = file.columns.find((c) => c.channel && this.plot.y.includes(c.channel)) ?? null;
    const number = (name: string, set: (v: number) => void) => { const i = el("input", { type: "number", step: "any", class: "limit" }); i.addEventListener("change", () => { if (Number.isFinite(i.valueAsNumber)) set(i.valueAsNumber); this.build(); }); return [i, labelled(name, i)] as const; };
    const turn = file.unit === "rad" ? 180 / Math.PI : 1; /* the field is in degrees or seconds */
    const [shift, shiftField] = number(`shift [${file.unit === "rad" ? "deg" : file.unit}]`, (v) => { this.alignment = { ...this.alignment, shift: v / turn }; });
    const [scale, scaleField] = number("factor", (v) => { this.alignment = { ...this.alignment, scale: v }; });
    const show = () => { shift.value = String(Number((this.alignment.shift * turn).toPrecision(6))); scale.value = String(Number(this.alignment.scale.toPrecision(6))); };
    show();
    const fit = button("align", "find shift and factor by correlation", () => { const c = this.under(); const a = c && this.bench && align(c, file, this.bench); if (a) this.alignment = a; show(); this.build(); });
    const which = select([["", "nothing"], ...file.columns.map((c) => [c.name, c.name] as [string, string])], this.bench?.name ?? "", (v) => { this.bench = file.columns.find((c) => c.name === v) ?? null; this.alignment = asMeasured; show(); this.build(); });
    this.aligning = el("span", { class: "tools" }, shiftField, scaleField, fit);
    return [labelled("measured", which), this.aligning];
  }
  /** The curve of the first run that a measured column is compared with, over the base of the measurement, in SI units. */
  private under(): { x: ArrayLike<number>; y: ArrayLike<number> } | null {
    const run = this.runs[0], file = this.measured, name = this.bench && (this.plot.y.find((y) => y === this.bench!.channel) ?? this.plot.y.find((y) => run.channel(y)?.unit === this.bench!.unit));
    const c = name ? run.channel(name) : null, angle = this.plot.x && run.channel(this.plot.x)?.unit === "rad" ? this.plot.x : (this.plot.per ?? angleChannels(run)[0]), x = file?.base === "time" ? c?.t : angle ? run.channel(angle)?.v : null;
    if (!c?.full || !x || x.length !== c.v.length) return null;
    return x[x.length - 1] < x[0] ? { x: Float64Array.from(x).reverse(), y: Float64Array.from(c.v).reverse() } : { x, y: c.v }; /* a shaft that turns backwards */
  }
  /** Draws the measured column over the panel of its unit. */
  private overlay(): string[] {
    const file = this.measured, column = this.bench, seen = this.seen;
    if (!file || !column) return [];
    const over = seen.xName === "time" ? "time" : this.runs[0].channel(seen.xName)?.unit === "rad" ? "angle" : "", run = this.under();
    if (this.look.transform !== "none" || this.look.fold || (this.plot.kind !== "time" && this.plot.kind !== "xy") || !run || over !== file.base) return [`${column.name} of ${file.file} is drawn over ${file.base}, in a plot of a channel in ${column.unit || "plain numbers"}.`];
    const wanted = seen.curves.find((c) => c.channel === column.channel) ?? seen.curves.find((c) => this.runs[c.run].channel(c.channel)?.unit === column.unit);
    const panel = seen.panels.find((p) => wanted && p.curves.includes(wanted)), raw = wanted && this.runs[wanted.run].channel(wanted.channel);
    if (!wanted || !panel || !raw) return [];
    const u = unitOf(raw.unit, this.seen.sizes.get(raw.unit)), xu = unitOf(file.unit, this.seen.xSize), m = points(file, column, this.alignment), d = deviation(run, file, column, this.alignment);
    const curve: Curve = { name: `${column.name} (${file.file})`, short: `${column.name}, measured`, channel: column.name, unit: u.unit, run: wanted.run, colour: this.plot.y.length + this.runs.length, x: m.x.map((v) => v * xu.factor), y: m.y.map((v) => v * u.factor), t: null, measured: true };
    panel.curves = [...panel.curves, curve];
    seen.curves.push(curve);
    const where = this.alignment === asMeasured ? "" : `, shifted by ${show(this.alignment.shift * xu.factor)} ${xu.unit} and multiplied by ${show(this.alignment.scale)}`;
    return [d.points ? `Measured ${column.name}${where}: the run differs by ${show(d.rms * u.factor, 3)} ${u.unit} (rms${d.range ? `, ${show((100 * d.rms) / d.range, 3)} % of the range` : ""}), at most by ${show(d.most * u.factor, 3)} ${u.unit} at ${show(d.at * xu.factor)} ${xu.unit}.` : `Measured ${column.name} and the run have no part in common.`];
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
      seek: (t) => { this.cursor.play(false); this.cursor.seek(t); }, zoomed: (r) => this.zoom(r),
      range: this.range(), marks: this.seen.marks,
    };
  }
  /** What is shown of x, in the units of the plot. */
  private range(): [number, number] | null {
    const f = unitOf("s").factor, r = this.look.range;
    return this.look.transform !== "none" ? this.part : r && this.plot.kind === "time" ? [r[0] * f, r[1] * f] : null;
  }
  private zoom(r: [number, number] | null): void {
    const f = unitOf("s").factor;
    if (this.look.transform !== "none") { this.part = r; this.all = r === null; }
    else this.look.range = r && [r[0] / f, r[1] / f];
    for (const c of this.charts) c.show(this.range());
    this.fillTable();
  }
  /** Shows the last two periods of the strongest oscillation of a channel, for curves that are a solid block over the whole run. */
  private showLast(channel: string): void {
    const c = this.runs[0].channel(channel), e = c?.full ? even(c.t, c.v) : null, s = e && spectrum(e), end = c?.t[c.t.length - 1] ?? 0;
    if (!s) return;
    let top = 1;
    for (let i = 1; i < s.x.length; i++) if (s.y[i] > s.y[top]) top = i;
    const from = end - 2 / s.x[top];
    if (s.x[top] > 0 && from > c!.t[0]) this.look.range = this.opening = [from, end];
  }
  build(): void {
    for (const c of this.charts) c.destroy();
    this.panels.replaceChildren();
    this.seen = picture(this.runs, this.plot, this.look);
    const compared = this.overlay();
    if (this.look.transform === "envelope" && this.seen.marks.length && !this.part && !this.all) this.part = [0, 3 * Math.max(...this.seen.marks.map((m) => m.x))];
    this.charts = this.seen.panels.map((p) => {
      const h = el("div", { class: "panel" });
      this.panels.append(h);
      if (p.curves.length > 1 && (!this.seen.sorted || p.curves.length > 12)) this.panels.append(legend(p.curves));
      return new Chart(h, this.optionsOf(p));
    });
    this.turns?.toggleAttribute("hidden", this.look.transform !== "orders" && !this.look.section && !this.look.fold);
    this.level?.toggleAttribute("hidden", this.look.transform === "none");
    this.every?.toggleAttribute("hidden", this.look.transform !== "none");
    this.aligning?.toggleAttribute("hidden", !this.bench);
    this.note.textContent = [...compared, ...this.remarks()].join(" ");
    this.note.hidden = !this.note.textContent;
    this.offer();
    if (this.band) {
      this.band.hidden = this.look.transform !== "envelope";
      const [a, b] = this.look.band ?? wholeBand(this.seen.half);
      this.limits[0].value = String(Number(a.toPrecision(4))); this.limits[1].value = String(Number(b.toPrecision(4)));
    }
    this.fillTable();
  }
  /** Spectra are available only for channels that are kept in full, not for extremes of bins. */
  private offer(): void {
    if (!this.spectral) return;
    const none = this.plot.y.every((y) => this.runs.every((r) => r.channel(y)?.full !== true));
    for (const o of this.spectral.options) if (o.value !== "none") o.disabled = none;
  }
  private remarks(): string[] {
    const p = this.seen, look = this.look, per = this.plot.per ?? angleChannels(this.runs[0])[0], width = this.runs[0].info.width, out: string[] = [], full = (names: string[]) => `To have it in full: hooke report --full '${pattern(names)}'.`;
    const spectral = look.transform !== "none";
    if (p.noBand) out.push(`No envelope: the band must lie below ${show(p.half, 4)} Hz, half of the rate of rows, and be wide enough for the length of the run.`);
    if (p.kept.length) out.push(`No ${look.transform} of ${[...new Set(p.kept)].join(", ")}: only the least and greatest of every ${width} rows are kept. ${full(p.kept)}`);
    else if (!p.curves.length) out.push("There is nothing to show: the channels are not in the file, or have too few values.");
    if (p.curves.length && p.curves.every((c) => !c.x.length)) return [...out, look.section && !spectral ? "The angle passes no whole turn." : "No rows yet."];
    if (this.live) out.push(shown(this.runs[0]));
    if (spectral && look.range) out.push(`Of ${show(look.range[0], 6)} s to ${show(look.range[1], 6)} s, the part that was zoomed to; a double click on the curve over time takes all again.`);
    if (p.absent.length && p.curves.length) out.push(`${[...new Set(p.absent)].join("; ")}.`);
    if (p.holes.length) out.push(`${[...new Set(p.holes)].join("; ")}: a cubic spline bridges them, so that this spectrum is not that of the motion; zoom to a part without holes.`);
    if (p.spline) out.push("The rows are not at equal steps: they were interpolated by a cubic spline, which weakens lines above about a tenth of the rate of rows.");
    if (p.curves.some((c) => c.boxes)) return [...out, `Kept as least and greatest of every ${width} rows: in each of them the curve stays within one box. ${look.section ? "Where it is once per turn is not known then. " : ""}${full([this.plot.x!, ...this.plot.y, ...(look.section ? [per] : [])])}`];
    if (look.section && !spectral && !p.section) return [...out, `Not once per turn: of ${per} only the least and greatest of every ${width} rows are kept, not when a turn begins. ${full([this.plot.x!, ...this.plot.y, per])}`];
    if (p.coarse) out.push(`Left out: ${p.coarse} turns whose rows are more than half a turn apart. A smaller output_step shows them.`);
    if (p.open) out.push(`Left open between ${p.open} of ${this.runs.reduce((n, r) => n + r.info.rows, 0)} rows, where something happens that falls between them, such as an impact. A smaller output_step shows more.`);
    if (p.missed && spectral) out.push("The motion goes to and fro between rows: lines of these rows are not those of the motion. A smaller output_step shows them.");
    else if (p.curves.some((c) => c.band) && !this.live) out.push("Shaded: least and greatest between rows, where the motion is faster than these. A smaller output_step shows more.");
    if (p.decimated && !spectral) out.push(`Kept as least and greatest of every ${width} rows: no peak is lost, but what lies between is.`);
    if (this.log && p.curves.some((c) => c.y.some((v) => v < 0))) out.push("Logarithmic: negative values by their size, dotted.");
    if (this.log && p.curves.some((c) => c.y.some((v) => v === 0))) out.push("Values of zero have no place on a logarithmic scale.");
    return out;
  }
  /** Columns of numbers in groups with a common x, because every run has its own times; at most the given number of rows per group. */
  private columns(most: number): Table {
    const [a, b] = this.charts[0]?.window ?? [-Infinity, Infinity], p = this.seen, several = this.runs.length > 1, head: string[] = [], columns: ArrayLike<number>[] = [];
    const groups: Curve[][] = [];
    for (const c of p.curves) {
      const same = groups.find(([d]) => p.sorted && d.run === c.run && !c.boxes && (d.x === c.x || (d.x.length === c.x.length && d.x.every((v, i) => v === c.x[i]))));
      if (same) same.push(c); else groups.push([c]);
    }
    for (const group of groups) {
      const c0 = group[0], list: number[] = [];
      for (let i = 0; i < c0.x.length; i += c0.boxes ? 2 : 1) if (!p.sorted || (c0.x[i] >= a && c0.x[i] <= b)) list.push(i);
      const step = Math.max(1, Math.ceil(list.length / most)), rows = step > 1 ? list.filter((_, i) => i % step === 0) : list, take = (v: Float64Array) => Float64Array.from(rows, (i) => v[i]);
      if (c0.boxes) { /* one row per box, with its sides; the two values of a bin are in the order of their times */
        for (const [name, unit, v] of [[`${p.xName} of ${c0.name}`, p.xUnit, c0.x], [c0.name, c0.unit, c0.y]] as [string, string, Float64Array][]) {
          head.push(label(`least ${name}`, unit), label(`greatest ${name}`, unit));
          columns.push(rows.map((i) => Math.min(v[i], v[i + 1])), rows.map((i) => Math.max(v[i], v[i + 1])));
        }
        continue;
      }
      head.push(label(p.sorted ? (several ? `${p.xName} (${this.runs[c0.run].name})` : p.xName) : `${p.xName} of ${c0.name}`, p.xUnit));
      columns.push(take(c0.x));
      for (const c of group) { head.push(label(c.name, c.unit)); columns.push(take(c.y)); }
    }
    return { head, columns, rows: columns.reduce((n, c) => Math.max(n, c.length), 0) };
  }
  private fillTable(): void {
    this.table.replaceChildren();
    this.numbers = null;
    if (!this.open || !this.seen.curves.length) return;
    const { head, columns, rows } = (this.numbers = this.columns(200)), body = el("tbody");
    for (let i = 0; i < rows; i++) body.append(el("tr", {}, ...columns.map((c) => el("td", {}, i < c.length ? show(c[i], 6) : ""))));
    this.table.append(el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `table of ${this.plot.title}` }, el("table", {}, el("thead", {}, el("tr", {}, ...head.map((h) => el("th", { scope: "col" }, h)))), body)));
    this.markRow();
  }
  private markRow(): void {
    const body = this.table.querySelector("tbody"), c0 = this.seen.curves[0];
    if (!body || !this.numbers || !c0?.t?.length || !this.seen.sorted) return;
    const k = near(this.numbers.columns[0], c0.x[near(c0.t, this.cursor.state.t)]);
    body.querySelectorAll("tr").forEach((tr, i) => tr.classList.toggle("now", i === k));
  }
  moved(): void { for (const c of this.charts) c.moveMarks(); if (this.open) this.markRow(); }
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
    const { head, columns, rows } = this.columns(Infinity), quote = (s: string) => (/[",\r\n]/.test(s) ? `"${s.replace(/"/g, '""')}"` : s), lines = [head.map(quote).join(",")];
    for (let i = 0; i < rows; i++) lines.push(columns.map((c) => (i < c.length ? String(c[i]) : "")).join(","));
    return lines.join("\n") + "\n";
  }
  private csv(): void { save(this.fileName(".csv"), new Blob([this.csvText()], { type: "text/csv" })); }
}
