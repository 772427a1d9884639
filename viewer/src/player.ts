// Controls: play, pause, time slider, speed, and the display of the mechanism.
import type { Cursor } from "./cursor";
import { button, el, labelled, select } from "./dom";
import { show, unitOf } from "./units";
import { views, type View3D } from "./view3d";

export class Player {
  root = el("div");
  private slider = el("input", { type: "range", min: 0, max: 10000, step: 1, value: 0 });
  private playButton: HTMLButtonElement;
  private time = el("output", { class: "time" });
  private flags: Record<string, HTMLButtonElement> = {};

  constructor(readonly cursor: Cursor, readonly view: View3D | null, still: boolean, readonly way = false) {
    const bar = el("div", { class: "bar", role: "group", "aria-label": "time" });
    this.playButton = button("▶ play", "play or pause (space)", () => cursor.play(!cursor.state.playing));
    this.slider.addEventListener("input", () => { cursor.play(false); cursor.seek(cursor.start + (Number(this.slider.value) / 10000) * (cursor.end - cursor.start)); });
    const natural = Math.max(1e-9, cursor.end - cursor.start);
    const speeds: [string, string][] = [["auto", "in 10 s"], ["1", "real time"], ["0.1", "1 : 10"], ["0.01", "1 : 100"], ["0.001", "1 : 1000"], ["10", "10 : 1"]];
    const setSpeed = (v: string) => { cursor.speed = v === "auto" ? 0 : Number(v); };
    const chosen = natural >= 2 && natural <= 60 ? "1" : "auto";
    setSpeed(chosen);
    const loop = this.flag("loop", "begin again at the end", cursor.loop, (on) => { cursor.loop = on; });
    if (way) bar.append(this.playButton, labelled("from the file to rest", this.slider), this.time, loop);
    else if (!still) bar.append(this.playButton, labelled("time", this.slider), this.time, labelled("speed", select(speeds, chosen, setSpeed)), loop);
    this.root.append(bar);
    if (view) this.root.append(this.looks(view));
    cursor.listen(() => this.show());
    this.show();
  }

  private flag(text: string, title: string, on: boolean, set: (on: boolean) => void): HTMLButtonElement {
    const b = button(text, title, () => { const now = b.getAttribute("aria-pressed") !== "true"; b.setAttribute("aria-pressed", String(now)); set(now); });
    b.setAttribute("aria-pressed", String(on));
    this.flags[text] = b;
    return b;
  }

  private looks(view: View3D): HTMLElement {
    const m = view.mechanisms[0], s = m.scene, again = () => view.update(this.cursor.state.t);
    const row = el("div", { class: "options", role: "group", "aria-label": "how the mechanism is shown" });
    const list = Object.keys(views);
    for (const name of list) row.append(button(name, `look from: ${name} (${list.indexOf(name) + 1})`, () => view.fit(name)));
    row.append(this.flag("names", "names of bodies and joints (n)", view.labels, (on) => { view.labels = on; view.draw(); }));
    row.append(this.flag("axes", "axes of every body (a)", view.axes, (on) => { view.axes = on; view.draw(); }));
    row.append(this.flag("symbols", "where joints sit", true, (on) => { for (const k of view.mechanisms) k.showSymbols(on); view.draw(); }));
    if (m.run.info.touch_frames > 0) row.append(this.flag("contacts", "forces between surfaces, by pressure (c)", view.contacts, (on) => { view.contacts = on; again(); }));
    if (s.joints.some((j) => m.run.has(`${j.name}.fx`))) row.append(this.flag("reactions", "forces of joints on their second body (r)", view.reactions, (on) => { view.reactions = on; again(); }));
    const bodies: [string, string][] = s.bodies.map((b, i) => [String(i), b.name]);
    row.append(labelled("follow", select([["-1", "nothing"], ...bodies], String(view.follow), (v) => view.setFollow(Number(v)))));
    row.append(labelled("focus", select([["-1", "all"], ...bodies], "-1", (v) => { for (const k of view.mechanisms) k.setFocus(Number(v)); again(); })));
    row.append(labelled("trace", select([["", "none"], ...s.markers.filter((k) => k.place.body >= 0).map((k) => [k.name, k.name] as [string, string])], "", (v) => view.trace(v ? [v] : []))));
    const explode = el("input", { type: "range", min: 0, max: 2, step: 0.05, value: 0 });
    explode.addEventListener("input", () => { for (const k of view.mechanisms) k.explode = Number(explode.value); again(); });
    row.append(labelled("pull apart", explode));
    if (s.contacts.some((k) => k.play !== "none" && k.clearance > 0)) {
      const wide = el("input", { type: "range", min: 0, max: 3, step: 0.05, value: 0 }), text = el("output", {}, "×1");
      wide.addEventListener("input", () => { const f = 10 ** Number(wide.value); text.textContent = `×${show(f, 3)}`; for (const k of view.mechanisms) k.exaggerate = f; again(); });
      row.append(labelled("clearance", wide), text);
    }
    return row;
  }

  press(name: string): void { this.flags[name]?.click(); }
  private show(): void {
    const c = this.cursor, u = unitOf("s"), part = c.end > c.start ? (c.state.t - c.start) / (c.end - c.start) : 0;
    this.slider.value = String(Math.round(10000 * part));
    this.time.textContent = this.way ? `${Math.round(100 * part)} %` : `${show(c.state.t * u.factor, 6)} ${u.unit}`;
    this.slider.setAttribute("aria-valuetext", this.time.textContent);
    this.playButton.textContent = c.state.playing ? "❚❚ pause" : "▶ play";
  }
}

export function keyboard(cursor: Cursor, view: View3D | null, player: Player): void {
  addEventListener("keydown", (e) => {
    const at = e.target as HTMLElement;
    if (e.ctrlKey || e.metaKey || e.altKey || /^(INPUT|SELECT|TEXTAREA)$/.test(at.tagName)) return;
    if (e.key === " " && at.tagName === "BUTTON") return;
    const step = (cursor.end - cursor.start) / (e.shiftKey ? 20 : 200), list = Object.keys(views);
    const act: Record<string, () => void> = {
      " ": () => cursor.play(!cursor.state.playing), ArrowLeft: () => cursor.seek(cursor.state.t - step), ArrowRight: () => cursor.seek(cursor.state.t + step),
      Home: () => cursor.seek(cursor.start), End: () => cursor.seek(cursor.end), n: () => player.press("names"), a: () => player.press("axes"),
      c: () => player.press("contacts"), r: () => player.press("reactions"), f: () => view?.fit("oblique"),
    };
    const what = act[e.key] ?? (/^[1-4]$/.test(e.key) ? () => view?.fit(list[Number(e.key) - 1]) : null);
    if (!what) return;
    e.preventDefault();
    what();
  });
}
