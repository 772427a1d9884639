// The numbers of a run: typed arrays from the packed data of the page.
import type { RunInfo } from "./types";

export async function unpack(id: string): Promise<ArrayBuffer> {
  const text = document.getElementById(id)?.textContent?.trim() ?? "";
  const raw = atob(text);
  const bytes = new Uint8Array(raw.length);
  for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
  if (!bytes.length) return new ArrayBuffer(0);
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}

/** Columns are stored as differences of bit patterns, the bytes of one weight side by side; values as differences from
 * `offset`, so that those far from zero keep their digits. */
function column(bytes: Uint8Array, at: number, n: number, offset = 0): Float64Array {
  const bits = new Int32Array(n);
  let last = 0;
  for (let i = 0; i < n; i++) {
    const d = bytes[at + i] | (bytes[at + n + i] << 8) | (bytes[at + 2 * n + i] << 16) | (bytes[at + 3 * n + i] << 24);
    last = bits[i] = (last + d) | 0;
  }
  const single = new Float32Array(bits.buffer), out = new Float64Array(n);
  for (let i = 0; i < n; i++) out[i] = offset + single[i]; /* Float64Array.from is ten times slower */
  return out;
}

/** The same, with a second column of what single precision has rounded off. */
function fineColumn(bytes: Uint8Array, at: number, n: number, offset = 0): Float64Array {
  const out = column(bytes, at, n), rest = column(bytes, at + 4 * n, n);
  for (let i = 0; i < n; i++) out[i] = offset + (out[i] + rest[i]);
  return out;
}

/** A channel that is kept in full has one value per row; any other has the minimum and maximum of each bin of rows. */
export interface Channel {
  name: string; unit: string; doc: string; full: boolean;
  t: Float64Array; // times of the values
  v: Float64Array;
  low?: Float64Array; high?: Float64Array; // minimum and maximum since the previous value, if they exceed both values
}

export class Run {
  t!: Float64Array; // of every row
  frameTime!: Float64Array;
  name: string; // of the file; unlike those of the other runs on the page
  frameRow!: Float64Array; // rows of the frames
  poses: Float64Array[] = []; // per body 7 columns: x y z qw qx qy qz
  live_step = 1; // of an unfinished run: distance of the displayed rows,
  live_rows = 0; // and their number
  private reactions = new Map<number, Float64Array[]>(); // by joint: three columns over frames
  touches: { first: Uint32Array; data: DataView; at: number } | null = null;
  private cache = new Map<string, Channel>();
  private index = new Map<string, number>();
  private bytes: Uint8Array;
  private fullAt: number[] = [];
  private bandTime: Float64Array | null = null;
  private live = new Map<string, Channel>();
  private growing = new Map<string, { n: number; all: Float64Array }>();

  constructor(readonly info: RunInfo, readonly number: number, buffer: ArrayBuffer) {
    this.bytes = new Uint8Array(buffer);
    this.name = info.name;
    info.channels.forEach((c, i) => this.index.set(c.name, i));
    const n = info.rows;
    let at = 0;
    if (info.time) {
      this.t = new Float64Array(n);
      for (let i = 0; i < n; i++) this.t[i] = info.time.start + i * info.time.step;
    } else {
      this.t = new Float64Array(buffer.slice(0, 8 * n));
      at = 8 * n;
    }
    for (const c of info.channels) {
      this.fullAt.push(at);
      at += this.fullAt.length === 1 ? 0 : c.full ? ((c.fine ? 8 : 4) + (c.between ? 8 : 0)) * n : 8 * info.bins;
    }
    const f = info.frames;
    this.frameRow = Float64Array.from({ length: f.count }, (_, i) => Math.min(n - 1, f.first + i * f.step));
    this.frameTime = this.frameRow.map((k) => this.t[k] ?? 0);
    if (info.scene) {
      for (let k = 0; k < 7 * info.scene.bodies.length; k++) { const fine = info.pose_fine?.includes(k); this.poses.push((fine ? fineColumn : column)(this.bytes, at, f.count, info.pose_offset?.[k] ?? 0)); at += (fine ? 8 : 4) * f.count; }
      for (const joint of info.reactions ?? []) this.reactions.set(joint, [0, 1, 2].map(() => { at += 4 * f.count; return column(this.bytes, at - 4 * f.count, f.count); }));
      const first = new Uint32Array(info.touch_frames + 1);
      for (let i = 0; i < info.touch_frames; i++, at += 2) first[i + 1] = first[i] + this.bytes[at] + 256 * this.bytes[at + 1];
      this.touches = { first, data: new DataView(buffer), at };
    }
  }

  has(name: string): boolean {
    return this.index.has(name);
  }

  channel(name: string): Channel | null {
    const known = this.live.get(name) ?? this.cache.get(name);
    if (known) return known;
    const i = this.index.get(name);
    if (i === undefined) return null;
    const c = this.info.channels[i];
    const n = c.full ? this.info.rows : 2 * this.info.bins;
    const made: Channel = { ...c, t: c.full ? this.t : this.binTimes(), v: i === 0 ? this.t : (c.fine ? fineColumn : column)(this.bytes, this.fullAt[i], n, c.offset) };
    if (c.between) [made.low, made.high] = [1, 2].map((k) => column(this.bytes, this.fullAt[i] + 4 * (k + (c.fine ? 1 : 0)) * n, n, c.offset));
    this.cache.set(name, made);
    return made;
  }

  /** Each bin has two values; their times are those of its first and of its middle row. */
  private binTimes(): Float64Array {
    if (this.bandTime) return this.bandTime;
    const { bins, width, rows } = this.info;
    this.bandTime = new Float64Array(2 * bins);
    for (let i = 0; i < bins; i++) {
      const a = Math.min(rows - 1, i * width), b = Math.min(rows - 1, i * width + Math.floor(width / 2));
      this.bandTime[2 * i] = this.t[a];
      this.bandTime[2 * i + 1] = this.t[b];
    }
    return this.bandTime;
  }

  /** The force of a joint in the row of a frame; all three components are from the same row. */
  reaction(joint: number, frame: number): [number, number, number] | null {
    const kept = this.reactions.get(joint);
    if (kept) return kept.map((c) => c[frame]) as [number, number, number];
    const name = this.info.scene!.joints[joint].name, c = ["fx", "fy", "fz"].map((a) => this.channel(`${name}.${a}`));
    return c.every((k) => k?.full) ? (c.map((k) => k!.v[this.frameRow[frame]]) as [number, number, number]) : null;
  }

  /** Adds new rows of an unfinished run: values of each channel, minimum and maximum of the rows omitted before each row, and poses. */
  append(times: number[], names: string[], columns: Float64Array[], bands: [Float64Array, Float64Array][] | null, poses: Float64Array): void {
    this.t = this.grow("t", times);
    names.forEach((name, i) => {
      const old = this.live.get(name), info = this.info.channels[this.index.get(name) ?? 0], made: Channel = { ...info, full: true, t: this.t, v: this.grow(`v ${name}`, columns[i]) };
      if (bands || old?.low) (["low", "high"] as const).forEach((key, k) => { made[key] = this.grow(`${key} ${name}`, bands ? bands[i][k] : columns[i], old?.v); });
      this.live.set(name, made);
    });
    const n = times.length, nb = this.info.scene?.bodies.length ?? 0;
    this.frameRow = this.grow("row", times.map((_, i) => this.info.rows + i));
    this.frameTime = this.grow("frame", times);
    for (let k = 0; k < 7 * nb; k++) this.poses[k] = this.grow(`pose ${k}`, Float64Array.from(times, (_, i) => poses[i * 7 * nb + k]));
    this.info.rows += n;
  }

  /** A list that grows, with room for as much again: to copy a long run for every few rows takes minutes. `before`: what it begins with. */
  private grow(name: string, more: ArrayLike<number>, before: ArrayLike<number> = []): Float64Array {
    let list = this.growing.get(name);
    if (!list) this.growing.set(name, (list = { n: before.length, all: Float64Array.from(before) }));
    const n = list.n + more.length;
    if (n > list.all.length) { const all = new Float64Array(2 * n); all.set(list.all.subarray(0, list.n)); list.all = all; }
    list.all.set(more, list.n);
    list.n = n;
    return list.all.subarray(0, n);
  }
}

/** Index of the value nearest to x in a rising list. */
export function nearest(list: ArrayLike<number>, x: number): number {
  let low = 0, high = list.length - 1;
  if (high < 0) return 0;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (list[middle] < x) low = middle + 1; else high = middle;
  }
  return low > 0 && x - list[low - 1] <= list[low] - x ? low - 1 : low;
}
