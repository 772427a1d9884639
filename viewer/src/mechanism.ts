// The bodies of one run in 3D: one group of solids per body; equal solids are instances of one mesh.
import {
  BufferAttribute, BufferGeometry, Color, DoubleSide, FrontSide, Group, InstancedMesh, Matrix4, Mesh, MeshPhongMaterial, Object3D, Quaternion, Vector3,
} from "three";
import { nearest, type Run } from "./data";
import type { Place, SceneData, Solid } from "./types";

const Z = new Vector3(0, 0, 1);

export function geometries(scene: SceneData, buffer: ArrayBuffer): BufferGeometry[] {
  let at = 0;
  return scene.meshes.map(({ vertices, triangles }) => {
    const g = new BufferGeometry();
    g.setAttribute("position", new BufferAttribute(new Float32Array(buffer, at, 3 * vertices), 3));
    const packed = new Int8Array(buffer, at + 12 * vertices, 4 * vertices), normal = new Int8Array(3 * vertices);
    for (let i = 0; i < vertices; i++) normal.set(packed.subarray(4 * i, 4 * i + 3), 3 * i);
    g.setAttribute("normal", new BufferAttribute(normal, 3, true));
    g.setIndex(new BufferAttribute(new Uint32Array(buffer, at + 16 * vertices, 3 * triangles), 1));
    at += 16 * vertices + 12 * triangles;
    return g;
  });
}

function place(o: Object3D, p: Place): void {
  o.position.fromArray(p.at);
  o.quaternion.set(p.turn[1], p.turn[2], p.turn[3], p.turn[0]);
}

/** The outermost points of some solids in 26 directions. */
function outermost(solids: Solid[], shapes: BufferGeometry[]): Vector3[] {
  const ways: Vector3[] = [], best: { far: number; p: Vector3 }[] = [], p = new Vector3(), o = new Object3D();
  for (let i = 0; i < 27; i++) if (i !== 13) { ways.push(new Vector3((i % 3) - 1, (Math.floor(i / 3) % 3) - 1, Math.floor(i / 9) - 1).normalize()); best.push({ far: -Infinity, p: new Vector3() }); }
  for (const s of solids) {
    place(o, s.place);
    o.updateMatrix();
    const at = shapes[s.mesh].getAttribute("position"), step = Math.max(1, Math.floor(at.count / 20000));
    for (let k = 0; k < at.count; k += step) {
      p.fromBufferAttribute(at, k).applyMatrix4(o.matrix);
      ways.forEach((w, i) => { const d = w.dot(p); if (d > best[i].far) { best[i].far = d; best[i].p.copy(p); } });
    }
  }
  return solids.length ? best.map((b) => b.p) : [new Vector3()];
}

interface Stretched { mesh: Mesh; a: Place; b: Place }
interface Copies { mesh: InstancedMesh; body: number[]; local: Matrix4[] }
interface Orbiting { mesh: Object3D; axis: Matrix4; start: Matrix4; azimuth: string } // an element of a bearing around the axis of its outer ring
interface Bore { mesh: Object3D; bore: number; clearance: number }

export class Mechanism {
  root = new Group();
  bodies: Group[] = [];
  exaggerate = 1;
  explode = 0;
  focus = -1;
  mode: { shape: number[]; amplitude: number; phase: number } | null = null;
  radius: number[] = []; // of each body's solids ...
  hulls: Vector3[][] = []; // ... and their outermost points in 26 directions, in the axes of the body, for fitting
  private links: Stretched[] = [];
  private copies: Copies[] = [];
  private bores: Bore[] = [];
  private orbiting: Orbiting[] = [];
  private materials: { m: MeshPhongMaterial; body: number; opacity: number }[] = [];
  private symbols: Object3D[] = [];

  constructor(readonly run: Run, readonly scene: SceneData, shapes: BufferGeometry[], readonly ghost: boolean) {
    this.bodies = scene.bodies.map((b) => { const g = new Group(); g.name = b.name; this.root.add(g); return g; });
    const uses = new Map<string, number[]>();
    scene.solids.forEach((s, i) => {
      const key = `${s.mesh} ${s.color} ${s.opacity ?? 1} ${s.part}`;
      uses.set(key, [...(uses.get(key) ?? []), i]);
    });
    for (const list of uses.values()) {
      const moving = list.every((i) => scene.solids[i].place.body >= 0 && !scene.solids[i].bore);
      if (list.length > 2 && moving && !this.azimuth(scene.solids[list[0]].owner)) this.addCopies(list, shapes); else list.forEach((i) => this.addSolid(i, shapes));
    }
    for (const l of scene.links) {
      const mesh = new Mesh(shapes[l.mesh], this.material(l.color, 1, -1, l.mesh));
      mesh.name = l.owner;
      this.links.push({ mesh, a: l.a, b: l.b });
      this.root.add(mesh);
    }
    this.hulls = scene.bodies.map((_, i) => outermost(scene.solids.filter((s) => s.place.body === i), shapes));
    this.radius = scene.bodies.map((_, i) => {
      let r = scene.size;
      for (const s of scene.solids) if (s.place.body === i) { shapes[s.mesh].computeBoundingSphere(); const b = shapes[s.mesh].boundingSphere!; r = Math.max(r, b.center.length() + b.radius + Math.hypot(...s.place.at)); }
      return r;
    });
  }

  private material(color: string, opacity: number, body: number, mesh: number): MeshPhongMaterial {
    const m = new MeshPhongMaterial({ color: new Color(color), shininess: 45, specular: 0x222222, side: this.scene.meshes[mesh].two_sided ? DoubleSide : FrontSide });
    this.materials.push({ m, body, opacity: this.ghost ? 0.22 * opacity : opacity });
    this.tint(this.materials[this.materials.length - 1]);
    return m;
  }
  private tint(e: { m: MeshPhongMaterial; body: number; opacity: number }): void {
    const o = this.focus >= 0 && e.body !== this.focus ? 0.12 * e.opacity : e.opacity;
    e.m.opacity = o;
    e.m.transparent = o < 1;
    e.m.depthWrite = o > 0.6;
    e.m.needsUpdate = true;
  }
  private addSolid(i: number, shapes: BufferGeometry[]): void {
    const s = this.scene.solids[i];
    const mesh = new Mesh(shapes[s.mesh], this.material(s.color, s.opacity ?? 1, s.place.body, s.mesh));
    mesh.name = s.owner;
    place(mesh, s.place);
    (s.place.body < 0 ? this.root : this.bodies[s.place.body]).add(mesh);
    if (s.bore) this.bores.push({ mesh, bore: s.bore, clearance: s.clearance ?? 0 });
    if (!s.part) this.symbols.push(mesh);
    /* The outer ring is the first solid of a bearing, and everything on its body goes round with the cage: of a ring nothing is seen of it. */
    const azimuth = this.azimuth(s.owner), ring = this.scene.solids.find((o) => o.owner === s.owner)!;
    if (!azimuth || ring.place.body !== s.place.body) return;
    const axis = new Object3D();
    place(axis, ring.place);
    axis.updateMatrix();
    mesh.updateMatrix();
    this.orbiting.push({ mesh, axis: axis.matrix.clone(), start: mesh.matrix.clone(), azimuth });
  }
  /** The channel with the azimuth of the first element of a rolling bearing; undefined: the item is not a bearing. */
  private azimuth(owner: string): string | undefined {
    return ["", ".balls", ".rollers"].map((part) => `${owner}${part}.element[0].azimuth`).find((name) => this.run.has(name));
  }
  private orbit(t: number): void {
    for (const o of this.orbiting) {
      const c = this.run.channel(o.azimuth);
      if (!c?.v.length) continue;
      const turn = new Matrix4().makeRotationZ(c.v[nearest(c.t, t)]);
      o.axis.clone().multiply(turn).multiply(o.axis.clone().invert()).multiply(o.start).decompose(o.mesh.position, o.mesh.quaternion, o.mesh.scale);
    }
  }
  private addCopies(list: number[], shapes: BufferGeometry[]): void {
    const first = this.scene.solids[list[0]];
    const mesh = new InstancedMesh(shapes[first.mesh], this.material(first.color, first.opacity ?? 1, -2, first.mesh), list.length);
    mesh.frustumCulled = false;
    mesh.name = first.owner;
    const local = list.map((i) => { const o = new Object3D(); place(o, this.scene.solids[i].place); o.updateMatrix(); return o.matrix.clone(); });
    this.copies.push({ mesh, body: list.map((i) => this.scene.solids[i].place.body), local });
    this.root.add(mesh);
    if (!first.part) this.symbols.push(mesh);
  }

  showSymbols(on: boolean): void { for (const s of this.symbols) s.visible = on; }
  setFocus(body: number): void { this.focus = body; for (const e of this.materials) this.tint(e); }

  /** Poses at a time: those of the nearest frame, because only computed poses are displayed. */
  update(t: number): void {
    const f = nearest(this.run.frameTime, t), n = this.bodies.length, p = this.run.poses;
    for (let i = 0; i < n; i++) {
      const g = this.bodies[i];
      if (!this.run.frameTime.length) { /* before the first row: the poses of the model file */
        const b = this.scene.bodies[i];
        g.position.fromArray(b.at);
        g.quaternion.set(b.turn[1], b.turn[2], b.turn[3], b.turn[0]);
        continue;
      }
      g.position.set(p[7 * i][f], p[7 * i + 1][f], p[7 * i + 2][f]);
      g.quaternion.set(p[7 * i + 4][f], p[7 * i + 5][f], p[7 * i + 6][f], p[7 * i + 3][f]).normalize();
    }
    this.orbit(t);
    if (this.mode) this.vibrate();
    if (this.exaggerate !== 1) this.widen();
    for (const b of this.bores) {
      const r = b.bore - b.clearance + this.exaggerate * b.clearance;
      b.mesh.scale.set(r / b.bore, r / b.bore, 1);
    }
    if (this.explode > 0) this.pullApart();
    this.root.updateMatrixWorld(true);
    this.stretch();
    this.placeCopies();
  }

  /** shape: displacement and rotation vector of each body; real and imaginary parts alternate. */
  private vibrate(): void {
    const { shape, amplitude, phase } = this.mode!, c = Math.cos(phase), s = Math.sin(phase);
    this.bodies.forEach((g, i) => {
      const v = Array.from({ length: 6 }, (_, k) => amplitude * (c * shape[12 * i + 2 * k] - s * shape[12 * i + 2 * k + 1]));
      g.position.add(new Vector3(v[0], v[1], v[2]));
      const turn = new Vector3(v[3], v[4], v[5]), angle = turn.length();
      if (angle > 0) g.quaternion.premultiply(new Quaternion().setFromAxisAngle(turn.divideScalar(angle), angle));
    });
  }

  /** What b moves in a within its clearance is enlarged, and b is carried along with a.  A loop cannot be closed
   * that way: its last joint stays as it is. */
  private widen(): void {
    const shift = new Map<number, Vector3>(), turn = new Map<number, Quaternion>(), N = this.exaggerate - 1;
    for (const k of this.scene.contacts) {
      const b = k.b.body;
      if (k.play === "none" || b < 0 || shift.has(b) || turn.has(b)) continue;
      const A = this.at(k.a), B = this.at(k.b), inverse = A.q.clone().invert();
      if (k.play === "turn") {
        const d = inverse.multiply(B.q), angle = 2 * Math.atan2(d.z, d.w), small = Math.atan2(Math.sin(angle), Math.cos(angle));
        turn.set(b, new Quaternion().setFromAxisAngle(Z.clone().applyQuaternion(A.q), N * small));
        continue;
      }
      const d = B.x.clone().sub(A.x).applyQuaternion(inverse);
      if (k.play === "pin") d.z = 0;
      shift.set(b, d.applyQuaternion(A.q).multiplyScalar(N).add(shift.get(k.a.body) ?? new Vector3()));
    }
    shift.forEach((d, b) => this.bodies[b].position.add(d));
    turn.forEach((q, b) => this.bodies[b].quaternion.premultiply(q));
  }

  private pullApart(): void {
    const middle = new Vector3();
    for (const g of this.bodies) middle.addScaledVector(g.position, 1 / this.bodies.length);
    const size = Math.max(...this.radius);
    let rank = 0;
    this.bodies.forEach((g) => {
      const d = g.position.clone().sub(middle);
      if (d.length() > 0.3 * size) g.position.addScaledVector(d, this.explode);
      else g.position.addScaledVector(Z.clone().applyQuaternion(g.quaternion), this.explode * size * (++rank % 2 ? 1 : -1) * Math.ceil(rank / 2));
    });
  }

  at(p: Place): { x: Vector3; q: Quaternion } {
    const x = new Vector3().fromArray(p.at), q = new Quaternion(p.turn[1], p.turn[2], p.turn[3], p.turn[0]);
    if (p.body < 0) return { x, q };
    const g = this.bodies[p.body];
    return { x: x.applyQuaternion(g.quaternion).add(g.position), q: g.quaternion.clone().multiply(q) };
  }

  private stretch(): void {
    for (const l of this.links) {
      const a = this.at(l.a).x, d = this.at(l.b).x.sub(a), length = d.length();
      l.mesh.position.copy(a);
      l.mesh.visible = length > 0;
      if (length > 0) l.mesh.quaternion.setFromUnitVectors(Z, d.divideScalar(length));
      l.mesh.scale.set(1, 1, length || 1);
      l.mesh.updateMatrixWorld(true);
    }
  }
  private placeCopies(): void {
    const m = new Matrix4(), from = this.bodies[0]?.position ?? new Vector3(); /* instances are in single precision */
    for (const c of this.copies) {
      c.mesh.position.copy(from);
      c.mesh.updateMatrixWorld(true);
      c.local.forEach((local, i) => {
        m.multiplyMatrices(this.bodies[c.body[i]].matrix, local);
        m.elements[12] -= from.x; m.elements[13] -= from.y; m.elements[14] -= from.z;
        if (this.focus >= 0 && c.body[i] !== this.focus) m.scale(new Vector3(0.35, 0.35, 0.35));
        c.mesh.setMatrixAt(i, m);
      });
      c.mesh.instanceMatrix.needsUpdate = true;
    }
  }
}
