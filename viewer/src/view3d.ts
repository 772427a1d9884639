// The 3D view: camera, light, ground, arrows, labels, traces.  It is drawn only after a change.
import {
  AxesHelper, Box3, BufferAttribute, BufferGeometry, Color, DirectionalLight, GridHelper, HemisphereLight, Line, LineBasicMaterial, PerspectiveCamera,
  Quaternion, Scene, Vector3, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { Arrows, Ellipses, heat } from "./arrows";
import { nearest, type Run } from "./data";
import { el, theme } from "./dom";
import type { Mechanism } from "./mechanism";
import { show, unitOf } from "./units";

export const views: Record<string, Vector3> = {
  oblique: new Vector3(1, -1.6, 0.9), front: new Vector3(0, -1, 0), side: new Vector3(1, 0, 0), top: new Vector3(0, 0, 1),
};

const corners = (b: Box3) => (b.isEmpty() ? [] : Array.from({ length: 8 }, (_, i) => new Vector3(i & 1 ? b.max.x : b.min.x, i & 2 ? b.max.y : b.min.y, i & 4 ? b.max.z : b.min.z)));

export class View3D {
  scene = new Scene();
  camera = new PerspectiveCamera(35, 1, 0.001, 1000);
  renderer: WebGLRenderer;
  controls: OrbitControls;
  contacts = true; reactions = false; labels = false; axes = false;
  follow = -1;
  private up = new Vector3(0, 0, 1);
  private grid: GridHelper;
  private lamp = new DirectionalLight(0xffffff, 2.1);
  private touchArrows: Arrows; private jointArrows: Arrows; private ellipses: Ellipses;
  private axesHelpers: AxesHelper[] = [];
  private traces: Line[] = [];
  private tags: { e: HTMLElement; at: () => Vector3 }[] = [];
  private due = false;
  private t = 0;
  private center = new Vector3(); private size = 1;
  private followed = new Vector3();
  readout = el("p", { class: "readout", "aria-live": "off" });
  ready = false;
  touched = false; // the reader has turned the view: leave it

  constructor(readonly holder: HTMLElement, readonly mechanisms: Mechanism[], private overlay: HTMLElement) {
    const main = mechanisms[0], s = main.scene;
    const canvas = el("canvas", { tabindex: "0", role: "img", "aria-label": `3D view of ${s.title || "the model"}; drag to turn, wheel to zoom, right button to shift` });
    holder.append(canvas);
    this.renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
    this.renderer.info.autoReset = false;
    if (s.up) this.up.fromArray(s.up).normalize();
    this.camera.up.copy(this.up);
    this.controls = new OrbitControls(this.camera, canvas);
    this.controls.enableDamping = false;
    this.controls.addEventListener("change", () => this.draw());
    this.controls.addEventListener("start", () => { this.touched = true; });
    this.scene.add(new HemisphereLight(0xffffff, 0x8d8d96, 1.6), this.lamp);
    for (const m of mechanisms) this.scene.add(m.root);
    this.grid = new GridHelper(1, 20);
    this.grid.quaternion.setFromUnitVectors(new Vector3(0, 1, 0), this.up);
    this.scene.add(this.grid);
    const points = s.contacts.reduce((n, c) => n + c.points.length, 0);
    this.touchArrows = new Arrows(points, 0.14 * s.size);
    this.jointArrows = new Arrows(s.joints.length, 0.18 * s.size);
    this.ellipses = new Ellipses(points);
    this.scene.add(this.touchArrows.root, this.jointArrows.root, this.ellipses.mesh);
    for (const b of main.bodies) { const a = new AxesHelper(5 * s.size); a.visible = false; b.add(a); this.axesHelpers.push(a); }
    this.makeTags();
    new ResizeObserver(() => this.resize()).observe(holder);
    this.resize();
    this.recolour();
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.recolour());
    this.update(main.run.frameTime[0] ?? 0);
    this.fit("oblique");
  }

  private makeTags(): void {
    const m = this.mechanisms[0];
    const tag = (text: string, kind: string, at: () => Vector3) => { const e = el("span", { class: `tag ${kind}` }, text); this.overlay.append(e); this.tags.push({ e, at }); };
    m.scene.bodies.forEach((b, i) => tag(b.name, "body", () => m.bodies[i].position.clone()));
    m.scene.joints.forEach((j) => tag(j.name, "joint", () => m.at(j.a).x));
  }

  recolour(): void {
    this.scene.background = new Color(theme("--stage"));
    const old = this.grid.material as LineBasicMaterial;
    old.vertexColors = false;
    old.color = new Color(theme("--grid"));
    old.needsUpdate = true;
    this.draw();
  }

  resize(): void {
    const w = Math.max(50, this.holder.clientWidth), h = Math.max(50, this.holder.clientHeight);
    this.renderer.setPixelRatio(Math.min(2, devicePixelRatio));
    this.renderer.setSize(w, h, false);
    this.camera.aspect = w / h;
    this.camera.updateProjectionMatrix();
    if (this.ready && !this.touched) this.fit(this.seen, this.way); else this.draw();
  }

  /** Corners of all drawn objects: with bodies at up to `most` times of the run, or only bodies at the time `t`. */
  private cloud(most: number, t?: number): Vector3[] {
    const out: Vector3[] = [], x = new Vector3(), q = new Quaternion();
    for (const m of this.mechanisms) {
      const p = m.run.poses, n = m.run.frameTime.length, step = Math.max(1, Math.ceil(n / most)), now = t !== undefined ? [nearest(m.run.frameTime, t)] : Array.from({ length: Math.ceil(n / step) }, (_, i) => i * step);
      m.bodies.forEach((g, i) => {
        const at = m.hulls[i];
        for (const f of n ? now : []) {
          x.set(p[7 * i][f], p[7 * i + 1][f], p[7 * i + 2][f]);
          q.set(p[7 * i + 4][f], p[7 * i + 5][f], p[7 * i + 6][f], p[7 * i + 3][f]);
          for (const c of at) out.push(c.clone().applyQuaternion(q).add(x));
        }
        if (!n) for (const c of at) out.push(c.clone().applyQuaternion(g.quaternion).add(g.position));
      });
      if (t === undefined) m.root.children.forEach((c) => { if (!m.bodies.includes(c as never) && c.visible) out.push(...corners(new Box3().setFromObject(c))); });
    }
    return out;
  }

  /** What travels far would be a speck if all of its way were to be seen: then the picture goes along.  What stands still, such
   *  as a rail, belongs to what the way is compared with, where bodies begin: later they may be far from it. */
  private travels(all: Vector3[]): Vector3[] | null {
    const size = (p: Vector3[]) => new Box3().setFromPoints(p).getSize(new Vector3()).length();
    const now = this.cloud(1, this.t);
    return now.length && size(all) > 6 * size(this.cloud(1)) ? now : null;
  }

  /** Moves the camera so that all points are just visible in the direction d, with equal margins on both sides. */
  private frame(points: Vector3[], d: Vector3): void {
    const right = this.camera.up.clone().cross(d).normalize(), top = d.clone().cross(right), tan = Math.tan((this.camera.fov * Math.PI) / 360) / (this.run.info.modes ? 1.25 : 1.06);
    const list = points.map((p) => [p.dot(right), p.dot(top), p.dot(d)]), w = list.map((p) => p[2]);
    let near = Infinity, far = -Infinity;
    for (const v of w) { near = Math.min(near, v); far = Math.max(far, v); }
    const reach = (k: number, t: number) => { let a = -Infinity, b = -Infinity; for (const p of list) { a = Math.max(a, t * p[2] + p[k]); b = Math.max(b, t * p[2] - p[k]); } return (a + b) / (2 * t); };
    const middle = (near + far) / 2, eye = Math.max(reach(0, tan * this.camera.aspect), reach(1, tan), far + 1e-9);
    const centre = (k: number) => { /* where the steepest rays to either side are alike */
      let low = Infinity, high = -Infinity;
      for (const p of list) { low = Math.min(low, p[k]); high = Math.max(high, p[k]); }
      let c = (low + high) / 2; /* however far from the origin the model stands */
      for (let i = 0; i < 8; i++) { let a = -Infinity, b = Infinity; for (const p of list) { const s = (p[k] - c) / (eye - p[2]); a = Math.max(a, s); b = Math.min(b, s); } c += 0.5 * (a + b) * (eye - far); }
      return c;
    };
    this.center.copy(right).multiplyScalar(centre(0)).addScaledVector(top, centre(1)).addScaledVector(d, middle);
    this.camera.near = (eye - middle) / 200;
    this.camera.far = (eye - middle) * 20;
    this.camera.position.copy(this.center).addScaledVector(d, eye - middle);
  }

  private seen = "oblique";
  private way: Vector3[] = []; // last view that was fitted: after a change of the window size it is fitted again
  fit(view: string, all = this.cloud(60)): void {
    this.seen = view;
    this.way = all;
    const near = this.travels(all);
    let points = near ?? all;
    if (near && !this.told) this.setFollow(0);
    if (!points.length) points = corners(new Box3(new Vector3(-0.5, -0.5, -0.5), new Vector3(0.5, 0.5, 0.5)));
    const box = new Box3().setFromPoints(points), whole = new Box3().setFromPoints(near ? all : points);
    this.size = Math.max(1e-6, box.getSize(new Vector3()).length());
    const d = (views[view] ?? views.oblique).clone().normalize(), q = new Quaternion().setFromUnitVectors(new Vector3(0, 0, 1), this.up);
    d.applyQuaternion(q);
    if (view === "top") this.camera.up.copy(new Vector3(0, 1, 0).applyQuaternion(q)); else this.camera.up.copy(this.up);
    this.frame(points, d);
    this.camera.updateProjectionMatrix();
    this.controls.target.copy(this.center);
    this.controls.update();
    let low = Infinity;
    for (const p of points) low = Math.min(low, p.dot(this.up));
    const floor = whole.getCenter(new Vector3()).projectOnPlane(this.up); /* the ground lies under the whole way */
    this.grid.position.copy(floor).addScaledVector(this.up, low - 0.02 * this.size);
    this.grid.scale.setScalar(1.6 * Math.max(this.size, whole.getSize(new Vector3()).length()));
    this.draw();
  }

  update(t: number): void {
    this.t = t;
    for (const m of this.mechanisms) m.update(t);
    this.updateArrows();
    if (this.follow >= 0) {
      const now = this.mechanisms[0].bodies[this.follow].position, d = now.clone().sub(this.followed);
      this.camera.position.add(d);
      this.controls.target.add(d);
      this.followed.copy(now);
      this.controls.update();
    }
    this.draw();
  }
  private told = false; // what to follow has been chosen, "nothing" too
  setFollow(body: number): void {
    this.told = true;
    this.follow = body;
    if (body >= 0) this.followed.copy(this.mechanisms[0].bodies[body].position);
  }

  private updateArrows(): void {
    const m = this.mechanisms[0], run = m.run, info = run.info, T = run.touches;
    const base = m.bodies[0]?.position ?? new Vector3();
    this.touchArrows.clear(base); this.ellipses.clear(base); this.jointArrows.clear(base);
    let top = 0;
    if (this.contacts && T && info.touch_frames > 0 && m.exaggerate === 1 && m.explode === 0) {
      const f = Math.min(info.touch_frames - 1, Math.round(nearest(run.frameTime, this.t) / info.touch_step));
      const s = info.touch_scale, long = 0.35 * this.size;
      for (let i = T.first[f]; i < T.first[f + 1]; i++) {
        const at = T.at + 26 * i, d = T.data, u = (k: number) => d.getUint16(at + 2 * k, true), v = (k: number) => d.getInt16(at + 2 * k, true);
        const c = new Vector3(...[0, 1, 2].map((k) => s[k] + ((s[3 + k] - s[k]) * u(1 + k)) / 65535) as [number, number, number]);
        const force = new Vector3(v(4), v(5), v(6)).multiplyScalar(s[6] / 32767), p = (u(7) / 65535) * s[7];
        const half = [u(8), u(9)].map((x) => (x / 65535) * s[8]);
        const n = new Vector3(d.getInt8(at + 20), d.getInt8(at + 21), d.getInt8(at + 22)), t = new Vector3(d.getInt8(at + 23), d.getInt8(at + 24), d.getInt8(at + 25));
        const colour = heat(s[7] > 0 ? p / s[7] : force.length() / s[6]);
        top = Math.max(top, p);
        this.touchArrows.add(c, force.multiplyScalar((0.4 * long) / s[6]), colour);
        if (half[0] > 0) this.ellipses.add(c, n, t, Math.max(half[0], 0.3 * m.scene.size), Math.max(half[1], (0.3 * m.scene.size * half[1]) / half[0]), colour);
      }
    }
    if (this.reactions) this.addReactions();
    this.touchArrows.finish(); this.ellipses.finish(); this.jointArrows.finish();
    const pu = unitOf("Pa", top);
    this.readout.textContent = [m.exaggerate !== 1 ? `clearance shown ×${show(m.exaggerate, 3)}` : "", top > 0 ? `greatest pressure ${show(top * pu.factor, 4)} ${pu.unit}` : "", m.explode > 0 ? "pulled apart" : ""].filter(Boolean).join(" · ");
  }

  private peak = 0;
  /** Forces of joints: the three components are from the row whose poses are displayed. */
  private addReactions(): void {
    const m = this.mechanisms[0], run = m.run, frames = run.frameTime.length, f = nearest(run.frameTime, this.t), size = (v: number[] | null) => (v ? Math.hypot(...v) : 0);
    if (!this.peak) m.scene.joints.forEach((_, j) => { for (let k = 0; k < frames; k++) { const v = size(run.reaction(j, k)); if (v > this.peak) this.peak = v; } });
    this.shown = [];
    m.scene.joints.forEach((j, i) => {
      const v = frames ? run.reaction(i, f) : null;
      if (!v || !Number.isFinite(size(v)) || !(this.peak > 0)) return;
      this.shown.push({ joint: j.name, t: run.frameTime[f], force: v });
      this.jointArrows.add(m.at(j.b).x, new Vector3(...v).multiplyScalar((0.22 * this.size) / this.peak), new Color(theme("--reaction")));
    });
  }
  shown: { joint: string; t: number; force: [number, number, number] }[] = []; // what the arrows of joints stand for

  trace(names: string[]): void {
    for (const l of this.traces) { this.scene.remove(l); l.geometry.dispose(); }
    const m = this.mechanisms[0], n = m.run.frameTime.length;
    this.traces = names.map((name, k) => {
      const marker = m.scene.markers.find((x) => x.name === name);
      const points = new Float32Array(3 * n);
      let from = new Vector3(); /* single precision: relative to the first point */
      for (let f = 0; marker && f < n; f++) { m.update(m.run.frameTime[f]); const x = m.at(marker.place).x; if (f === 0) from = x.clone(); x.sub(from).toArray(points, 3 * f); }
      const g = new BufferGeometry();
      g.setAttribute("position", new BufferAttribute(points, 3));
      const line = new Line(g, new LineBasicMaterial({ color: new Color(["#d55e00", "#0072b2", "#009e73", "#cc79a7"][k % 4]) }));
      line.frustumCulled = false;
      line.position.copy(from);
      this.scene.add(line);
      return line;
    });
    this.update(this.t);
  }

  draw(): void {
    if (this.due) return;
    this.due = true;
    requestAnimationFrame(() => { this.due = false; this.render(); });
  }
  render(): void {
    this.lamp.position.copy(this.camera.position).addScaledVector(this.up, 0.4 * this.size);
    for (const a of this.axesHelpers) a.visible = this.axes;
    this.renderer.info.reset();
    this.renderer.render(this.scene, this.camera);
    this.placeTags();
    this.ready = true;
  }
  private placeTags(): void {
    this.overlay.hidden = !this.labels;
    if (!this.labels) return;
    const w = this.holder.clientWidth, h = this.holder.clientHeight, taken: [number, number][] = [];
    for (const { e, at } of this.tags) {
      const p = at().project(this.camera);
      e.hidden = p.z > 1 || Math.abs(p.x) > 1.05 || Math.abs(p.y) > 1.05;
      let x = (0.5 + 0.5 * p.x) * w, y = (0.5 - 0.5 * p.y) * h;
      for (let k = 0; k < 12 && taken.some(([a, b]) => Math.abs(a - x) < 90 && Math.abs(b - y) < 17); k++) y += 17;
      if (!e.hidden) taken.push([x, y]);
      x = Math.max(0, Math.min(x, w - e.offsetWidth)); /* whole, at the edges too */
      y = Math.max(0, Math.min(y, h - e.offsetHeight));
      e.style.transform = `translate(${x.toFixed(1)}px, ${y.toFixed(1)}px)`;
    }
  }
  still(): string { this.render(); return this.renderer.domElement.toDataURL("image/png"); }
  /** A still for paper, whatever the screen is like. */
  print(): string {
    const grid = this.grid.material as LineBasicMaterial;
    this.scene.background = new Color(0xffffff);
    grid.color = new Color(0xdfe2e7);
    const picture = this.still();
    this.recolour();
    return picture;
  }
  get run(): Run { return this.mechanisms[0].run; }
}
