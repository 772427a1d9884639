// Modes of vibration: eigenvalues in the complex plane, a list, and the animation of the selected shape.
import { el, theme } from "./dom";
import type { ModeInfo } from "./types";
import { marks, show } from "./units";
import type { View3D } from "./view3d";

/** Round numbers from -most to most. */
function steps(most: number): number[] {
  const p = 10 ** Math.floor(Math.log10(most / 2)), s = [5, 2, 1].find((k) => k * p <= most / 2)! * p, n = Math.floor(most / s);
  return Array.from({ length: 2 * n + 1 }, (_, i) => (i - n) * s);
}

export class Modes {
  root = el("section", { class: "card" });
  private chosen = 0;
  private amplitude = 1;
  private playing = !matchMedia("(prefers-reduced-motion: reduce)").matches;
  private plane = el("canvas", { width: 560, height: 280, role: "img", "aria-label": "eigenvalues in the complex plane; the table below lists them" });
  private rows: HTMLTableRowElement[] = [];

  constructor(readonly modes: ModeInfo[], readonly view: View3D | null) {
    const body = el("tbody");
    modes.forEach((m, i) => {
      const pick = el("button", { type: "button", click: () => this.choose(i) }, `mode ${i + 1}`);
      const tr = el("tr", {}, el("td", {}, pick), el("td", { class: "n" }, m.free ? "free" : `${show(m.frequency, 6)} Hz`), el("td", { class: "n" }, show(100 * m.damping, 4) + " %"), el("td", { class: "n" }, `${show(m.re, 5)} ${m.im < 0 ? "−" : "+"} ${show(Math.abs(m.im), 5)}i`));
      this.rows.push(tr);
      body.append(tr);
    });
    const size = el("input", { type: "range", min: 0, max: 4, step: 0.05, value: 1, "aria-label": "size of the motion" });
    size.addEventListener("input", () => { this.amplitude = Number(size.value); this.move(); });
    const play = el("button", { type: "button", "aria-pressed": String(this.playing) }, "move");
    play.addEventListener("click", () => { this.playing = !this.playing; play.setAttribute("aria-pressed", String(this.playing)); if (this.playing) this.tick(); });
    this.root.append(el("h2", {}, "Modes"), this.plane, el("div", { class: "tools" }, play, "size", size),
      el("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": "modes" }, el("table", {}, el("thead", {}, el("tr", {}, ...["mode", "frequency", "damping", "eigenvalue [1/s]"].map((h, i) => el("th", { scope: "col", class: i ? "n" : "" }, h)))), body)));
    this.plane.addEventListener("click", (e) => {
      const r = this.plane.getBoundingClientRect(), x = ((e.clientX - r.left) / r.width) * 560, y = ((e.clientY - r.top) / r.height) * 280;
      let best = 0, d = Infinity;
      this.modes.forEach((m, i) => { for (const s of [1, -1]) { const [a, b] = this.pixel(m.re, s * m.im), k = Math.hypot(a - x, b - y); if (k < d) { d = k; best = i; } } });
      this.choose(best);
    });
    const first = modes.findIndex((m) => !m.free);
    this.choose(first < 0 ? 0 : first);
    if (this.playing) this.tick();
  }
  private span(): [number, number] {
    const re = Math.max(1e-9, ...this.modes.map((m) => Math.abs(m.re))), im = Math.max(1e-9, ...this.modes.map((m) => Math.abs(m.im)));
    return [1.15 * re, 1.15 * im];
  }
  private pixel(re: number, im: number): [number, number] { const [a, b] = this.span(); return [60 + (240 * (re + a)) / a, 140 - (120 * im) / b]; }
  drawPlane(): void {
    const c = this.plane.getContext("2d")!, [a, b] = this.span();
    c.clearRect(0, 0, 560, 280);
    c.strokeStyle = theme("--line");
    c.lineWidth = 1;
    c.fillStyle = theme("--soft");
    c.font = "12px system-ui, sans-serif";
    c.beginPath(); c.moveTo(60, 140); c.lineTo(545, 140); c.moveTo(300, 12); c.lineTo(300, 268);
    const re = steps(a), im = steps(b);
    c.textAlign = "center";
    marks(re).forEach((s, i) => { const [x] = this.pixel(re[i], 0); c.moveTo(x, 137); c.lineTo(x, 143); if (re[i]) c.fillText(s, x, 157); });
    c.textAlign = "right";
    marks(im).forEach((s, i) => { const [, y] = this.pixel(0, im[i]); c.moveTo(297, y); c.lineTo(303, y); if (im[i]) c.fillText(s, 293, y + 4); });
    c.stroke();
    c.textAlign = "left";
    c.fillText("real part [1/s]", 62, 132);
    c.fillText("imaginary part [1/s]", 308, 18);
    this.modes.forEach((m, i) => { for (const s of m.im ? [1, -1] : [1]) {
      const [x, y] = this.pixel(m.re, s * m.im), r = i === this.chosen ? 7 : 4.5;
      c.strokeStyle = m.re > 1e-9 ? theme("--bad") : theme("--accent");
      c.lineWidth = i === this.chosen ? 3 : 1.8;
      c.beginPath(); c.moveTo(x - r, y - r); c.lineTo(x + r, y + r); c.moveTo(x - r, y + r); c.lineTo(x + r, y - r); c.stroke();
    } });
  }
  choose(i: number): void {
    this.chosen = i;
    this.rows.forEach((r, k) => r.classList.toggle("now", k === i));
    this.drawPlane();
    this.move();
  }
  private move(): void {
    const m = this.modes[this.chosen], view = this.view;
    if (!view || !m) return;
    const mech = view.mechanisms[0];
    let most = 0; /* largest displacement of any point of a body, including its rotation */
    mech.scene.bodies.forEach((_, b) => { for (let k = 0; k < 6; k++) most = Math.max(most, Math.hypot(m.shape[12 * b + 2 * k], m.shape[12 * b + 2 * k + 1]) * (k > 2 ? mech.radius[b] : 1)); });
    const scale = most > 0 ? (3.5 * this.amplitude * mech.scene.size) / most : 0;
    mech.mode = { shape: m.shape, amplitude: scale, phase: this.playing ? (performance.now() / 1000) * 2 * Math.PI * 0.7 : 0 };
    view.update(0);
  }
  private due = false; // one loop only, however often the button is pressed between two frames
  private tick(): void {
    if (!this.playing || this.due) return;
    this.move();
    this.due = true;
    requestAnimationFrame(() => { this.due = false; this.tick(); });
  }
}
