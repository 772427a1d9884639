// Forces as arrows and contacts as ellipses: a few instanced meshes whose number does not depend on how many there are.
import { BufferGeometry, CircleGeometry, Color, ConeGeometry, CylinderGeometry, DoubleSide, DynamicDrawUsage, Group, InstancedMesh, Matrix4, MeshBasicMaterial, Quaternion, Vector3 } from "three";

const Y = new Vector3(0, 1, 0), Z = new Vector3(0, 0, 1);

export class Arrows {
  root = new Group();
  private shaft: InstancedMesh;
  private head: InstancedMesh;
  private n = 0;
  constructor(readonly most: number, private radius: number) {
    const make = (g: BufferGeometry) => {
      const m = new InstancedMesh(g, new MeshBasicMaterial({ color: 0xffffff, depthTest: false, transparent: true }), Math.max(1, most));
      m.instanceMatrix.setUsage(DynamicDrawUsage);
      m.frustumCulled = false;
      m.renderOrder = 3;
      m.count = 0;
      this.root.add(m);
      return m;
    };
    this.shaft = make(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0));
    this.head = make(new ConeGeometry(1, 1, 14).translate(0, 0.5, 0));
  }
  clear(base: Vector3): void { this.n = 0; this.root.position.copy(base); }
  add(at: Vector3, vector: Vector3, colour: Color): void {
    const from = at.clone().sub(this.root.position); /* instances are in single precision: relative to a body */
    const length = vector.length(), i = this.n;
    if (!(length > 1e-12) || i >= this.most) return;
    const r = this.radius, head = Math.min(4 * r, 0.5 * length), q = new Quaternion().setFromUnitVectors(Y, vector.clone().divideScalar(length));
    this.shaft.setMatrixAt(i, new Matrix4().compose(from, q, new Vector3(r, length - head, r)));
    this.head.setMatrixAt(i, new Matrix4().compose(from.clone().addScaledVector(vector, 1 - head / length), q, new Vector3(2.4 * r, head, 2.4 * r)));
    this.shaft.setColorAt(i, colour);
    this.head.setColorAt(i, colour);
    this.n++;
  }
  finish(): void {
    for (const m of [this.shaft, this.head]) {
      m.count = this.n;
      m.visible = this.n > 0;
      m.instanceMatrix.needsUpdate = true;
      if (m.instanceColor) m.instanceColor.needsUpdate = true;
    }
  }
}

export class Ellipses {
  mesh: InstancedMesh;
  private n = 0;
  constructor(readonly most: number) {
    this.mesh = new InstancedMesh(new CircleGeometry(1, 24), new MeshBasicMaterial({ color: 0xffffff, side: DoubleSide, depthTest: false, transparent: true, opacity: 0.85 }), Math.max(1, most));
    this.mesh.frustumCulled = false;
    this.mesh.count = 0;
    this.mesh.renderOrder = 2;
  }
  clear(base: Vector3): void { this.n = 0; this.mesh.position.copy(base); }
  add(at: Vector3, n: Vector3, t: Vector3, a: number, b: number, colour: Color): void {
    if (this.n >= this.most) return;
    const c = at.clone().sub(this.mesh.position);
    const x = t.clone().normalize(), z = n.clone().normalize(), y = z.clone().cross(x);
    const m = new Matrix4().makeBasis(x.multiplyScalar(a), y.multiplyScalar(b), z.lengthSq() > 0 ? z : Z.clone()).setPosition(c);
    this.mesh.setMatrixAt(this.n, m);
    this.mesh.setColorAt(this.n++, colour);
  }
  finish(): void {
    this.mesh.count = this.n;
    this.mesh.visible = this.n > 0;
    this.mesh.instanceMatrix.needsUpdate = true;
    if (this.mesh.instanceColor) this.mesh.instanceColor.needsUpdate = true;
  }
}

/** From dark blue over green to yellow, for pressures. */
export function heat(s: number): Color {
  const stops = [0x30123b, 0x4662d7, 0x1ae4b6, 0xa4fc3c, 0xfb8022, 0x7a0403];
  const x = Math.min(0.9999, Math.max(0, s)) * (stops.length - 1), i = Math.floor(x);
  return new Color(stops[i]).lerp(new Color(stops[i + 1]), x - i);
}
