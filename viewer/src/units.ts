// Units selected by the user.  The data are in SI units.
interface Choice { unit: string; factor: number }
export const families: Record<string, { label: string; base: string; choices: Choice[]; also?: Record<string, (c: Choice) => Choice> }> = {
  angle: {
    label: "angles", base: "rad",
    choices: [{ unit: "rad", factor: 1 }, { unit: "deg", factor: 180 / Math.PI }, { unit: "rev", factor: 0.5 / Math.PI }],
  },
  speed: {
    label: "angular speeds", base: "rad/s",
    choices: [{ unit: "rad/s", factor: 1 }, { unit: "rpm", factor: 30 / Math.PI }, { unit: "deg/s", factor: 180 / Math.PI }],
  },
  length: {
    label: "lengths", base: "m",
    choices: [{ unit: "m", factor: 1 }, { unit: "mm", factor: 1e3 }, { unit: "µm", factor: 1e6 }],
    also: { "m/s": (c) => ({ unit: c.unit + "/s", factor: c.factor }), "m/s^2": (c) => ({ unit: c.unit + "/s^2", factor: c.factor }) },
  },
  force: { label: "forces", base: "N", choices: [{ unit: "N", factor: 1 }, { unit: "kN", factor: 1e-3 }] },
  pressure: { label: "pressures", base: "Pa", choices: [{ unit: "Pa", factor: 1 }, { unit: "MPa", factor: 1e-6 }, { unit: "GPa", factor: 1e-9 }] },
  time: { label: "times", base: "s", choices: [{ unit: "s", factor: 1 }, { unit: "ms", factor: 1e3 }] },
};

const chosen: Record<string, Choice> = {};
export function choose(family: string, unit: string): void {
  chosen[family] = families[family].choices.find((c) => c.unit === unit) ?? families[family].choices[0];
}
export function unitOf(unit: string): Choice {
  for (const [name, f] of Object.entries(families)) {
    const c = chosen[name] ?? f.choices[0];
    if (unit === f.base) return c;
    const derived = f.also?.[unit];
    if (derived) return derived(c);
  }
  return { unit, factor: 1 };
}
export function label(text: string, unit: string): string {
  const u = unitOf(unit).unit;
  return u && u !== "1" ? `${text} [${u}]` : text;
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
/** A number as text with at most five digits. */
export function show(x: number, digits = 5): string {
  if (!Number.isFinite(x)) return "none";
  if (x === 0) return "0";
  const a = Math.abs(x);
  if (a >= 1e5 || a < 1e-3) return x.toExponential(digits - 1).replace(/\.?0+e/, "e").replace("e+", "e");
  return String(Number(x.toPrecision(digits)));
}
