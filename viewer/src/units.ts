// Units of what is shown.  The data are in SI units.  The table of quantities and their units comes with the page
// (src/report/page_units.c); a unit is selected by the reader, by the option --unit, by the model file, or by the magnitude.
export interface Unit { unit: string; factor: number }
export interface Quantity { name: string; label: string; fixed?: string; derived: string[]; choices: (Unit & { from?: number })[] }

let quantities: Quantity[] = [];
const chosen = new Map<Quantity, Unit>();
let wholeTime = 1; // the end of the runs in seconds: all times of the page have one unit

/** The quantities of the page, units that the model file uses, and the largest time.  A model file that names exactly one of the
 * units of an angle or angular speed is shown in this unit; it names lengths and forces in units of various magnitudes. */
export function prepare(list: Quantity[], modelText: string, end: number): void {
  quantities = list;
  wholeTime = end;
  for (const q of list) {
    if (q.fixed) { choose(q, q.fixed); continue; }
    const used = q.choices.filter((c) => new RegExp(`\\d\\s*${c.unit.replace(/[*^]/g, "\\$&")}(?![\\w/*^])`).test(modelText));
    if (used.length === 1 && q.choices.some((c) => c.from === undefined)) choose(q, used[0].unit);
  }
}
export function all(): Quantity[] { return quantities; }
export function choiceOf(q: Quantity): string { return chosen.get(q)?.unit ?? ""; }
/** The unit of a quantity; an empty name: by magnitude. */
export function choose(q: Quantity, unit: string): void {
  const c = q.choices.find((k) => k.unit === unit);
  if (c) chosen.set(q, c); else chosen.delete(q);
}
function byMagnitude(q: Quantity, size: number): Unit {
  const fitting = q.choices.filter((c) => c.from !== undefined), most = Number.isFinite(size) ? Math.abs(size) : 0;
  if (most === 0) return q.choices.find((c) => c.factor === 1 && c.from !== undefined) ?? fitting[0];
  return fitting.reduce((a, c) => (c.from! <= most && c.from! >= a.from! ? c : a));
}
/** The unit in which a quantity with an SI unit is shown, whose largest value is `size`; for times the end of the run. */
export function unitOf(unit: string, size: number = unit === "s" ? wholeTime : 1): Unit {
  for (const q of quantities) {
    const base = q.choices.find((c) => c.factor === 1)!.unit;
    if (unit !== base && !q.derived.includes(unit)) continue;
    const u = chosen.get(q) ?? byMagnitude(q, size);
    return { unit: u.unit + unit.slice(base.length), factor: u.factor };
  }
  return { unit, factor: 1 };
}
export function label(text: string, unit: string): string {
  return unit && unit !== "1" ? `${text} [${unit}]` : text;
}
/** Tick labels of one axis: all with the same number of decimals or the same power of ten. */
export function marks(values: number[]): string[] {
  const some = values.filter((v) => Number.isFinite(v)), most = Math.max(0, ...some.map(Math.abs));
  let step = Infinity;
  for (let i = 1; i < some.length; i++) if (some[i] !== some[i - 1]) step = Math.min(step, Math.abs(some[i] - some[i - 1]));
  const power = most >= 1e5 || (most > 0 && most < 1e-3) ? Math.floor(Math.log10(most) + 1e-9) : 0, unit = 10 ** power;
  const part = Number.isFinite(step) ? step / unit : most / unit;
  let digits = 0;
  while (digits < 9 && Math.abs(Math.round(part * 10 ** digits) / 10 ** digits - part) > 1e-3 * part) digits++;
  return values.map((v) => (v === null || !Number.isFinite(v) ? "" : Math.abs(v) < 1e-9 * most ? "0" : (v / unit).toFixed(digits) + (power ? `e${power}` : "")));
}
/** Tick labels of a logarithmic axis; uPlot leaves out some of them (null). */
export function logMarks(values: (number | null)[]): string[] {
  return values.map((v) => (v === null || !(v > 0) ? "" : v >= 1e-3 && v < 1e5 ? String(Number(v.toPrecision(12))) : v.toExponential().replace("e+", "e")));
}
/** A number as text with at most five digits. */
export function show(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return "none";
  if (x === 0) return "0";
  const a = Math.abs(x);
  if (a >= 1e5 || a < 1e-3) return x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(x.toPrecision(digits)));
}
