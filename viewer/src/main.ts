// The page: reads its data, creates its parts and connects them by the cursor.
import type { BufferGeometry } from "three";
import { Polar } from "./bearing";
import { Cursor } from "./cursor";
import { Run, unpack } from "./data";
import { el } from "./dom";
import { geometries, Mechanism } from "./mechanism";
import { Modes } from "./modes";
import { differences, facts, measures, modelText, picker, unitChoices, warnings } from "./panels";
import { keyboard, Player } from "./player";
import { Card } from "./plots";
import { angleChannels } from "./series";
import type { Header, PlotInfo } from "./types";
import { prepare } from "./units";
import { View3D } from "./view3d";
import { shown, watch } from "./watch";

/** The time at which a report opens: the beginning of the first turn whose curves have the extremes of the last turn, to a twentieth of
 * their ranges (curves without values in the last turn do not count); the last whole turn if none has; the start of a run without whole turns. */
function steadyTurn(run: Run): number {
  const per = angleChannels(run)[0], angle = per ? run.channel(per) : null, start = run.t[0] ?? 0;
  if (!angle?.full || run.t.length < 16) return start;
  const turns: number[] = [];
  for (let i = 0; i < run.t.length; i++) if (Math.abs(angle.v[i] - angle.v[0]) >= 2 * Math.PI * turns.length) turns.push(i);
  if (turns.length < 3) return start;
  const names = [...new Set(run.info.plots.filter((p) => p.kind === "time" || p.kind === "xy").flatMap((p) => p.y))].filter((n) => !/^(energy|solver)\./.test(n)), counting = new Set(angleChannels(run));
  const list = names.map((n) => run.channel(n)).filter((c) => c?.full && !counting.has(c.name)).slice(0, 24).map((c) => c!.v);
  const extremes = (v: Float64Array, k: number) => { let low = Infinity, high = -Infinity; for (let i = turns[k]; i <= turns[k + 1]; i++) { if (v[i] < low) low = v[i]; if (v[i] > high) high = v[i]; } return [low, high]; };
  const last = turns.length - 2, goal = list.map((v) => extremes(v, last));
  let k = 0;
  while (k < last && !list.every((v, i) => { const e = extremes(v, k), [low, high] = goal[i], size = Math.max(high - low, 1e-3 * Math.max(Math.abs(low), Math.abs(high))); return low > high || (Math.abs(e[0] - low) <= 0.05 * size && Math.abs(e[1] - high) <= 0.05 * size); })) k++;
  return run.t[turns[k]];
}

async function main(): Promise<void> {
  const began = performance.now();
  const header = JSON.parse(document.getElementById("header")!.textContent!) as Header;
  const runs: Run[] = [], mechanisms: Mechanism[] = [];
  for (let i = 0; i < header.runs.length; i++) {
    const info = header.runs[i], run = new Run(info, i, await unpack(`data${i}`));
    runs.push(run);
    if (!info.scene) continue;
    const shapes: BufferGeometry[] = geometries(info.scene, await unpack(`scene${i}`));
    mechanisms.push(new Mechanism(run, info.scene, shapes, mechanisms.length > 0));
  }
  runs.forEach((r, i) => { if (runs.some((o) => o !== r && o.info.name === r.info.name)) r.name = `${r.info.name} #${i + 1}`; });
  const first = runs[0], info = first.info, several = runs.length > 1, live = header.kind === "watch";
  const cursor = new Cursor();
  const spans = runs.filter((r) => r.t.length).map((r) => [r.t[0], r.t[r.t.length - 1]]);
  if (spans.length) cursor.span(Math.min(...spans.map((s) => s[0])), Math.max(...spans.map((s) => s[1])));
  else cursor.span(0, 0); /* a run that has just begun: its first rows will move the end of the time range, and the cursor with it */
  cursor.seek(cursor.start);

  prepare(header.units, runs.map((r) => r.info.model_text).join("\n"), cursor.end);
  const badge = el("span", { class: "status" });
  const setStatus = (text: string) => { badge.textContent = text; badge.className = `status ${/^(finished|assembled|in equilibrium|running|modes)/.test(text) ? "good" : "bad"}`; };
  setStatus(several ? `${runs.length} runs` : info.status);
  if (several) badge.className = "status good";
  const title = several ? `${info.title || info.name}: ${runs.length} runs compared` : info.title || info.name;
  document.title = `${title} · hooke`;
  const cards: (Card | Polar)[] = [], column = el("div", { class: "right" }), wide = el("div", { class: "wide" });
  const left = el("div", { class: "left" });
  const rewrite = () => { for (const c of cards) c.build(); words(); view?.update(cursor.state.t); };
  document.body.append(
    el("header", { class: "top" }, el("h1", {}, title), badge, el("p", { class: "sub" }, runs.map((r) => r.name).join(", ")), unitChoices(() => rewrite())),
    el("main", {}, el("div", { class: "pair" }, left, column), wide));

  let view: View3D | null = null;
  if (mechanisms.length) {
    const stage = el("div", { class: "stage" }), overlay = el("div", { class: "overlay", "aria-hidden": "true" }), holder = el("section", { class: "card" }, el("h2", {}, header.kind === "view" ? "The model" : "The mechanism"), stage);
    left.append(holder);
    try {
      view = new View3D(stage, mechanisms, overlay);
      stage.append(overlay, view.readout);
      if (header.kind === "view") view.labels = true;
      const player = new Player(cursor, view, info.rows < 2 && !live, header.kind === "view" && info.rows === 2);
      holder.append(player.root);
      keyboard(cursor, view, player);
      const still = el("img", { class: "still", alt: "the mechanism at the time of printing" });
      stage.append(still);
      addEventListener("beforeprint", () => { still.src = view!.print(); });
      cursor.listen((s) => view!.update(s.t));
    } catch (e) {
      view = null;
      stage.replaceChildren(el("p", { class: "note" }, `This browser cannot draw in 3D: ${(e as Error).message}`));
    }
    if (!info.bodies_moving && info.rows > 1) holder.append(el("p", { class: "note" }, "The file does not hold the positions of all bodies (run without --record to have them): some stand where the model file puts them."));
  } else if (info.rows > 0) {
    const player = new Player(cursor, null, false);
    left.append(el("section", { class: "card" }, el("h2", {}, "Time"), el("p", { class: "note" }, "This file holds no scene: it was written by another program, or by an older hooke."), player.root));
    keyboard(cursor, null, player);
  }

  const add = (plot: PlotInfo, on_top: boolean) => {
    const remove = () => { cards.splice(cards.indexOf(card), 1); card.root.remove(); };
    const card: Card | Polar = plot.kind === "polar" ? new Polar(runs, plot, cursor, remove) : new Card(runs, plot, cursor, remove, live, header.measured);
    if (on_top) column.insertBefore(card.root, column.children[1] ?? null); else column.append(card.root);
    cards.push(card);
    card.build();
    if (on_top) card.root.scrollIntoView({ block: "nearest" });
  };
  if (info.modes?.length) column.append(new Modes(info.modes, view).root);
  if (info.channels.length > 1 && (info.rows > 1 || live)) {
    column.append(picker(first, (names, over) => add({ title: over ? `${names.join(", ")} over ${over}` : names.join(", "), kind: over ? "xy" : "time", x: over || undefined, y: names }, true)));
    const still = (r: Run, name: string, least: number) => { const c = r.channel(name); return !!c && c.v.length > 1 && c.v.every((v) => Math.abs(v - c.v[0]) <= least); };
    const rests = (p: PlotInfo) => p.kind === "xy" && !!p.x && runs.every((r) => still(r, p.x!, 0) || p.y.every((y) => still(r, y, 1e-9)));
    for (const p of info.plots) if (live || !rests(p)) add(p, false); /* a portrait of what never moves is an empty panel */
  }
  const words = () => {
    const parts = [warnings(runs), measures(runs), ...runs.map((r) => facts(r, several)), ...runs.slice(1).map((r, i) => differences(first, r, header.differences[i + 1])), ...runs.map((r) => modelText(r, several))];
    wide.replaceChildren(...parts.filter((p): p is HTMLElement => p !== null));
  };
  words();
  if (header.kind === "view") { wide.className = "right"; column.append(wide); }
  document.body.append(el("footer", { class: "help" }, el("p", {}, "Keys: ", el("kbd", {}, "space"), " play, ", el("kbd", {}, "←"), " ", el("kbd", {}, "→"), " step, ", el("kbd", {}, "1"), "–", el("kbd", {}, "4"), " views, ", el("kbd", {}, "f"), " all in view, ", el("kbd", {}, "n"), " names, ", el("kbd", {}, "a"), " axes, ", el("kbd", {}, "c"), " contacts, ", el("kbd", {}, "r"), " reactions. A click on a curve moves the mechanism there, a drag zooms, a double click shows all. Made by ", header.generator, ".")));
  let due = false;
  cursor.listen(() => { if (due) return; due = true; requestAnimationFrame(() => { due = false; for (const c of cards) c.moved(); }); });
  addEventListener("resize", () => { for (const c of cards) c.resize(); });
  for (const media of ["(prefers-color-scheme: dark)", "print"]) matchMedia(media).addEventListener("change", () => { for (const c of cards) c.build(); });
  if (live) {
    const which = el("p", { class: "note", role: "status" });
    (left.querySelector(".card") ?? column).append(which);
    const say = () => { which.textContent = shown(first); };
    say();
    let drawn = 0;
    const ended = (text: string, end: boolean) => { setStatus(text); say(); if (!end) return; for (const c of cards) c.build(); if (view && !view.touched) view.fit("oblique"); };
    watch(first, cursor, ended, () => { if (performance.now() - drawn < 300) return; drawn = performance.now(); for (const c of cards) c.build(); if (view && !view.touched) view.fit("oblique"); });
  }
  if (header.kind === "report" && info.rows > 1) {
    cursor.seek(steadyTurn(first));
    if (!matchMedia("(prefers-reduced-motion: reduce)").matches) cursor.play(true);
  }
  // For tests and for those who like the console.
  (window as unknown as Record<string, unknown>).hooke = { header, runs, cursor, view, cards, mechanisms, opened: performance.now() - began };
  document.documentElement.dataset.ready = "true";
}

main().catch((e: Error) => {
  document.body.append(el("main", {}, el("h1", {}, "This page cannot be shown"), el("p", { role: "alert" }, e.message)));
  throw e;
});
