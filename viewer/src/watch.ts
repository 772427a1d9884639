// A run that goes on: rows come as events from the program that runs it.
import type { Cursor } from "./cursor";
import type { Run } from "./data";

export interface Update { times: number[]; data: string; status: string }
export function watch(run: Run, cursor: Cursor, status: (text: string, end: boolean) => void, changed: () => void): void {
  const source = new EventSource("events");
  const live = run.info.channels.filter((c) => c.full).map((c) => c.name);
  source.onmessage = (e) => {
    const u = JSON.parse(e.data) as Update & { end?: boolean };
    if (u.times.length) {
      const raw = atob(u.data), bytes = new Uint8Array(raw.length);
      for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
      const all = new Float32Array(bytes.buffer), n = u.times.length, nb = 7 * (run.info.scene?.bodies.length ?? 0), width = live.length + nb;
      const columns = live.map((_, k) => Float32Array.from({ length: n }, (_x, i) => all[i * width + k]));
      const poses = new Float32Array(n * nb);
      for (let i = 0; i < n; i++) poses.set(all.subarray(i * width + live.length, (i + 1) * width), i * nb);
      run.append(u.times, live, columns, poses);
      const at_end = cursor.state.t >= cursor.end;
      cursor.span(run.t[0], run.t[run.t.length - 1]);
      changed();
      if (at_end && !cursor.state.playing) cursor.seek(cursor.end);
    }
    status(u.status, !!u.end);
    if (u.end) source.close();
  };
  source.onerror = () => { source.close(); status("the program has ended", true); };
}
