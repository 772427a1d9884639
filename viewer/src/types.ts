// Types of the data in the page, which src/report/page.h describes.
import type { Quantity } from "./units";
export type Vec3 = [number, number, number];
export type Quat = [number, number, number, number]; // w x y z
export interface Place { body: number; at: Vec3; turn: Quat }
export interface Body { name: string; type: string; kind: "free" | "point" | "turn"; at: Vec3; turn: Quat; axis?: Vec3; color: string }
export interface Solid { mesh: number; place: Place; color: string; opacity?: number; part: boolean; owner: string; bore?: number; clearance?: number }
export interface Link { mesh: number; a: Place; b: Place; color: string; owner: string }
export interface Joint { name: string; type: string; a: Place; b: Place }
export interface Marker { name: string; place: Place }
export interface Contact { name: string; type: string; a: Place; b: Place; play: "none" | "point" | "pin" | "turn"; clearance: number; points: string[] }
export interface SceneData {
  title: string; size: number; up?: Vec3; bodies: Body[]; meshes: { vertices: number; triangles: number; two_sided?: boolean }[];
  solids: Solid[]; links: Link[]; joints: Joint[]; markers: Marker[]; contacts: Contact[];
}
export interface ChannelInfo { name: string; unit: string; doc: string; full: boolean; fine?: boolean; between?: boolean; offset?: number }
export interface PlotInfo { title: string; kind: "time" | "xy" | "orbit" | "orders" | "spectrum" | "envelope" | "polar"; x?: string; bearing?: string; y: string[]; contact?: number; per?: string; orders?: number; part?: string; pitch?: number; rhythm?: string }
export interface Measure { name: string; value: number | null; unit: string; time?: number; note?: string }
export interface Summary {
  stepper: string; start: number; end: number; wall_s: number; steps: number; rejected: number; newton: number; factorizations: number;
  constraint_error: number; energy_balance_error: number | null; model: Record<string, number>; measures: Measure[]; warnings: string[]; warnings_left_out?: number;
}
export interface ModeInfo { re: number; im: number; frequency: number; damping: number; free: boolean; shape: number[] }
export interface RunInfo {
  name: string; title: string; status: string; model_file: string; model_text: string; overrides: string[]; version: string; stepper: string;
  rows: number; time: { start: number; step: number } | null; channels: ChannelInfo[]; bins: number; width: number;
  frames: { first: number; step: number; count: number }; touch_frames: number; touch_step: number; touch_count: number; touch_scale: number[]; pose_offset?: number[]; pose_fine?: number[]; reactions?: number[];
  bodies_moving: boolean; scene: SceneData | null; plots: PlotInfo[]; summary: Summary | null; warnings: string[];
  modes?: ModeInfo[]; facts?: [string, string][];
}
export interface Difference { name: string; unit: string; most: number; size: number; at: number; holes?: number }
export interface Differences { from: number; to: number; channels: Difference[]; equal: number; only_first: string[]; only_second: string[] }
export interface MeasuredColumn { name: string; unit: string; channel?: string; y: (number | null)[] }
export interface MeasuredFile { file: string; base: string; unit: string; x: number[]; columns: MeasuredColumn[] }
export interface Header { format: number; generator: string; kind: "report" | "view" | "watch"; units: Quantity[]; measured: MeasuredFile | null; runs: RunInfo[]; differences: (Differences | null)[] }
