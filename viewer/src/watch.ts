// An unfinished run: the program that runs it sends rows as events.
import type { Cursor } from "./cursor";
import type { Run } from "./data";

/** step: distance of these rows in the file; row: first row that has not been sent; rows: present number of rows in the file. */
export interface Update { times: number[]; step: number; row: number; rows: number; data: string; status: string; end?: boolean }
export function watch(run: Run, cursor: Cursor, status: (text: string, end: boolean) => void, changed: () => void): void {
  const source = new EventSource("events");
  const live = run.info.channels.filter((c) => c.full).map((c) => c.name);
  source.onmessage = (e) => {
    const u = JSON.parse(e.data) as Update;
    run.live_rows = u.rows;
    if (u.times.length) {
      run.live_step = u.step;
      const raw = atob(u.data), bytes = new Uint8Array(raw.length);
      for (let i = 0; i < raw.length; i++) bytes[i] = raw.charCodeAt(i);
      const all = new Float64Array(bytes.buffer), n = u.times.length, m = live.length, nb = 7 * (run.info.scene?.bodies.length ?? 0), width = (u.step > 1 ? 3 : 1) * m + nb;
      const column = (first: number) => live.map((_, k) => Float64Array.from({ length: n }, (_x, i) => all[i * width + first + k]));
      const columns = column(0), low = u.step > 1 ? column(m) : null, high = u.step > 1 ? column(2 * m) : null;
      const poses = new Float64Array(n * nb);
      for (let i = 0; i < n; i++) poses.set(all.subarray((i + 1) * width - nb, (i + 1) * width), i * nb);
      const at_end = cursor.state.t >= cursor.end || run.t.length === 0; /* the reader has not gone back */
      run.append(u.times, live, columns, low && high ? columns.map((_, i) => [low[i], high[i]]) : null, poses);
      cursor.span(run.t[0], run.t[run.t.length - 1]);
      changed();
      if (at_end && !cursor.state.playing) cursor.seek(cursor.end);
    }
    status(u.status, !!u.end);
    if (u.end) source.close();
  };
  source.onerror = () => { source.close(); status("the program has ended", true); };
}

/** Which rows are shown, in words. */
export function shown(run: Run): string {
  const { t, live_rows: rows, live_step: step } = run;
  if (!rows) return "No rows yet.";
  return t.length === rows ? `Shown: all ${rows} rows so far.` : `Shown: ${t.length} of ${rows} rows, now every ${step === 1 ? "row" : `${step}th`}. ${step > 1 ? "Shaded: least and greatest of the rows between. " : ""}A page of all rows: hooke report.`;
}
