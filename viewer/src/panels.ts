// What is said in words and tables: summary, measures, differences, warnings, the model file.
import type { Run } from "./data";
import { el, labelled, select } from "./dom";
import { resample } from "./series";
import { choose, families, show, unitOf } from "./units";

function table(head: [string, boolean][], rows: (string | Node)[][]): HTMLElement {
  return el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": head[0][0] }, el("table", {},
    el("thead", {}, el("tr", {}, ...head.map(([h, n]) => el("th", { scope: "col", class: n ? "n" : "" }, h)))),
    el("tbody", {}, ...rows.map((r) => el("tr", {}, ...r.map((c, i) => el("td", { class: head[i][1] ? "n" : "" }, c)))))));
}
const card = (title: string, ...content: (Node | string)[]) => el("section", { class: "card" }, el("h2", {}, title), ...content);

export function measures(runs: Run[]): HTMLElement | null {
  const first = runs[0].info.summary?.measures ?? [];
  if (!first.length) return null;
  const several = runs.length > 1, value = (r: Run, name: string) => r.info.summary?.measures.find((m) => m.name === name);
  const head: [string, boolean][] = [["measure", false], ...runs.map((r) => [several ? r.info.name : "value", true] as [string, boolean]), ...(several ? [["difference", true] as [string, boolean]] : []), ["unit", false], ...(several ? [] : [["at", true] as [string, boolean]])];
  const rows = first.map((m) => {
    const u = unitOf(m.unit), numbers = runs.map((r) => { const q = value(r, m.name); return q && q.value !== null ? q.value * u.factor : NaN; });
    const last = numbers[numbers.length - 1], change = several ? [show(last - numbers[0]) + (numbers[0] ? ` (${show((100 * (last - numbers[0])) / Math.abs(numbers[0]), 3)} %)` : "")] : [];
    const at = m.note ? m.note : m.time !== undefined ? `${show(m.time * unitOf("s").factor)} ${unitOf("s").unit}` : "";
    return [m.name, ...numbers.map((v) => show(v, 7)), ...change, u.unit, ...(several ? [] : [at])];
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
  return card(several ? `Run: ${i.name}` : s || i.rows > 2 ? "Run" : "Model", table([["what", false], ["value", false]], rows));
}

export function warnings(runs: Run[]): HTMLElement | null {
  const list = runs.flatMap((r) => [...r.info.warnings, ...(r.info.summary?.warnings ?? [])].map((w) => (runs.length > 1 ? `${r.info.name}: ${w}` : w)));
  if (!list.length) return null;
  return card("Warnings", ...list.map((w) => el("p", { class: "warn" }, w)));
}

/** How far two runs are apart, channel by channel, on the times of the first. */
export function differences(a: Run, b: Run): HTMLElement | null {
  const names = a.info.channels.filter((c, i) => i > 0 && c.full && b.has(c.name)).map((c) => c.name).slice(0, 400);
  const rows = names.map((name) => {
    const c = a.channel(name)!, v = resample(b, name, c.t), u = unitOf(c.unit);
    let most = 0, at = 0, size = 0;
    for (let i = 0; i < v.length; i++) { const d = Math.abs(v[i] - c.v[i]); if (d > most) { most = d; at = c.t[i]; } size = Math.max(size, Math.abs(c.v[i])); }
    return { row: [name, show(most * u.factor), size ? `${show((100 * most) / size, 3)} %` : "", u.unit, `${show(at)} s`], part: size ? most / size : 0 };
  }).filter((r) => r.part > 0).sort((x, y) => y.part - x.part).slice(0, 60).map((r) => r.row);
  if (!rows.length) return card("Differences", el("p", { class: "note" }, "The two runs agree in every channel that was kept in full."));
  return card(`Greatest differences: ${a.info.name} and ${b.info.name}`, table([["channel", false], ["difference", true], ["of its size", true], ["unit", false], ["at", true]], rows));
}

export function modelText(run: Run, several: boolean): HTMLElement | null {
  const i = run.info;
  if (!i.model_text) return null;
  const over = i.overrides.filter(Boolean);
  return card(several ? `Model: ${i.name}` : "Model file", el("p", { class: "sub" }, i.model_file + (over.length ? ", with " : "")), ...over.map((o) => el("p", { class: "sub" }, `--set ${o}`)),
    el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "text of the model file" }, el("pre", {}, i.model_text)));
}

export function unitChoices(changed: () => void): HTMLElement {
  const box = el("div", { class: "units", role: "group", "aria-label": "units" });
  for (const [name, f] of Object.entries(families)) box.append(labelled(f.label, select(f.choices.map((c) => [c.unit, c.unit]), f.base, (v) => { choose(name, v); changed(); })));
  return box;
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
