// Texts and tables: summary, measures, differences, warnings, the model file.
import type { Run } from "./data";
import { el, labelled, menu, select } from "./dom";
import type { Differences } from "./types";
import { all, choiceOf, choose, show, unitOf } from "./units";

function table(head: [string, boolean][], rows: (string | Node)[][]): HTMLElement {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": head[0][0] }, el("table", {},
    el("thead", {}, el("tr", {}, ...head.map(([h, n]) => el("th", { scope: "col", class: n ? "n" : "" }, h)))),
    el("tbody", {}, ...rows.map((r) => el("tr", {}, ...r.map((c, i) => el("td", { class: head[i][1] ? "n" : "" }, c)))))));
}
const card = (title: string, ...content: (Node | string)[]) => el("section", { class: "card" }, el("h2", {}, title), ...content);

export function measures(runs: Run[]): HTMLElement | null {
  const several = runs.length > 1, value = (r: Run, name: string) => r.info.summary?.measures.find((m) => m.name === name), known = new Map(runs.flatMap((r) => r.info.summary?.measures ?? []).reverse().map((m) => [m.name, m]));
  const names = [...new Set(runs.flatMap((r) => (r.info.summary?.measures ?? []).map((m) => m.name)))];
  if (!names.length) return null;
  const n = (text: string): [string, boolean] => [text, true];
  const head: [string, boolean][] = [["measure", false], ...runs.map((r) => n(several ? r.name : "value")), ...(several ? runs.slice(1).map((r) => n(`${r.name} less ${runs[0].name}`)) : []), ["unit", false], ...(several ? [] : [n("at")])];
  const rows = names.map((name) => {
    const m = known.get(name)!, raw = runs.map((r) => value(r, name)?.value ?? NaN), u = unitOf(m.unit, Math.max(0, ...raw.filter(Number.isFinite).map(Math.abs))), numbers = raw.map((v) => v * u.factor);
    const change = several ? numbers.slice(1).map((v) => show(v - numbers[0]) + (numbers[0] && Number.isFinite(v) ? ` (${show((100 * (v - numbers[0])) / Math.abs(numbers[0]), 3)} %)` : "")) : [];
    const at = m.note ? m.note : m.time !== undefined ? `${show(m.time * unitOf("s").factor)} ${unitOf("s").unit}` : "";
    return [name, ...numbers.map((v) => show(v, 7)), ...change, u.unit, ...(several ? [] : [at])];
  });
  return card(several ? "Measures compared" : "Measures", table(head, rows));
}

export function facts(run: Run, several: boolean): HTMLElement {
  const i = run.info, s = i.summary, rows: [string, string][] = [...(i.facts ?? [])];
  if (s) {
    const m = s.model, parts = ["bodies", "joints", "forces", "contacts", "motions", "sensors"].filter((k) => m[k]).map((k) => `${m[k]} ${k}`).join(", ");
    rows.push(["model", parts], ["degrees of freedom", `${m.degrees_of_freedom} of ${m.coordinates} coordinates, ${m.constraints} constraints` + (m.redundant ? `, ${m.redundant} of them redundant` : "")]);
    rows.push(["simulated", `${show(s.start)} s to ${show(s.end)} s in ${show(s.wall_s, 3)} s of computing`]);
    rows.push(["steps", `${s.steps} (${s.rejected} rejected), mean ${show((s.end - s.start) / Math.max(1, s.steps), 3)} s, ${show(s.newton / Math.max(1, s.steps), 3)} Newton iterations each, ${s.factorizations} factorisations`]);
    rows.push(["integrator", s.stepper], ["joints open by at most", `${show(s.constraint_error, 3)} m or rad at the end`]);
    if (s.energy_balance_error !== null) rows.push(["energy not accounted for", `${show(s.energy_balance_error, 3)} J at the end`]);
  }
  if (i.rows && i.channels.length > 1) rows.push(["recorded", `${i.rows} rows, ${i.channels.length} channels` + (i.width > 1 ? `; ${i.channels.filter((c) => !c.full).length} of them kept as least and greatest of every ${i.width} rows` : "") + (i.frames.step > 1 ? `; the picture moves by every ${i.frames.step}th row` : "")]);
  rows.push(["written by", `hooke ${i.version}`]);
  return card(several ? `Run: ${run.name}` : s || i.rows > 2 ? "Run" : "Model", table([["what", false], ["value", false]], rows));
}

export function warnings(runs: Run[]): HTMLElement | null {
  const list = runs.flatMap((r) => [...r.info.warnings, ...(r.info.summary?.warnings ?? [])].map((w) => (runs.length > 1 ? `${r.name}: ${w}` : w)));
  if (!list.length) return null;
  return card("Warnings", ...list.map((w) => el("p", { class: "warn" }, w)));
}

/** Difference of a run from the first run for each channel, computed from all rows of both files. */
export function differences(a: Run, b: Run, d: Differences | null): HTMLElement | null {
  if (!d) return null;
  const title = `Differences: ${b.name} from ${a.name}`, tu = unitOf("s"), most = 500, alone = (names: string[], r: Run) => (names.length ? ` Only in ${r.name}: ${names.slice(0, 20).join(", ")}${names.length > 20 ? ` and ${names.length - 20} more` : ""}.` : "");
  if (d.to < d.from) return card(title, el("p", { class: "note" }, "The two runs have no time in common."));
  const text = `From ${show(d.from * tu.factor)} to ${show(d.to * tu.factor)} ${tu.unit}, which both runs cover; between the rows of a run by straight lines. Equal in all rows: ${d.equal} channels.${alone(d.only_first, a)}${alone(d.only_second, b)}${d.channels.length > most ? ` The ${most} greatest of ${d.channels.length} are listed.` : ""}`;
  const rows = d.channels.slice(0, most).map((c) => { const u = unitOf(c.unit, c.size); return [c.name, show(c.most * u.factor), c.size ? `${show((100 * c.most) / c.size, 3)} %` : "", u.unit, `${show(c.at * tu.factor)} ${tu.unit}${c.holes ? `; in ${c.holes} rows only one has a value` : ""}`]; });
  return card(title, el("p", { class: "note" }, text), ...(rows.length ? [table([["channel", false], ["greatest difference", true], ["of its size", true], ["unit", false], ["at", true]], rows)] : []));
}

export function modelText(run: Run, several: boolean): HTMLElement | null {
  const i = run.info;
  if (!i.model_text) return null;
  const over = i.overrides.filter(Boolean);
  return card(several ? `Model: ${run.name}` : "Model file", el("p", { class: "sub" }, i.model_file + (over.length ? ", with " : "")), ...over.map((o) => el("p", { class: "sub" }, `--set ${o}`)),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "text of the model file" }, el("pre", {}, i.model_text)));
}

export function unitChoices(changed: () => void): HTMLElement {
  const list: HTMLElement[] = [];
  for (const q of all()) list.push(labelled(q.label, select([["", "auto"], ...q.choices.map((c) => [c.unit, c.unit] as [string, string])], choiceOf(q), (v) => { choose(q, v); changed(); })));
  return el("div", { class: "units" }, menu("units of all plots and tables", list, "units"));
}

/** All channels, by name: tick some and draw them. */
export function picker(run: Run, draw: (names: string[], over: string) => void): HTMLElement {
  const list = el("ul", { tabindex: "0", "aria-label": "channels" }), chosen = new Set<string>(), most = 300;
  const search = el("input", { type: "search", placeholder: "part of a name, or several parts" });
  const count = el("p", { class: "note", role: "status" });
  const fill = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const found = run.info.channels.filter((c, i) => i > 0 && words.every((w) => c.name.toLowerCase().includes(w)));
    list.replaceChildren(...found.slice(0, most).map((c) => {
      const box = el("input", { type: "checkbox" });
      box.checked = chosen.has(c.name);
      box.addEventListener("change", () => { if (box.checked) chosen.add(c.name); else chosen.delete(c.name); });
      return el("li", {}, el("label", {}, box, c.name, el("span", { class: "doc" }, [c.doc, c.unit && `[${c.unit}]`].filter(Boolean).join(" "))));
    }));
    count.textContent = found.length > most ? `${found.length} channels; the first ${most} are listed` : `${found.length} channels`;
  };
  search.addEventListener("input", fill);
  const over = el("input", { type: "search", list: "overs", placeholder: "time" });
  const options = el("datalist", { id: "overs" }, ...run.info.channels.slice(1, 2000).map((c) => el("option", { value: c.name })));
  const go = el("button", { type: "button" }, "draw");
  go.addEventListener("click", () => { if (chosen.size) draw([...chosen], over.value.trim()); });
  fill();
  return el("section", { class: "card picker" }, el("details", {}, el("summary", {}, el("h2", {}, `Draw any of ${run.info.channels.length - 1} channels`)), labelled("find", search), list, count, el("div", { class: "tools" }, labelled("over", over), options, go)));
}
