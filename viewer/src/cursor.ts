// The only state that plots, the mechanism and tables share: the displayed time.
export interface CursorState { t: number; playing: boolean }
type Listener = (s: CursorState) => void;

export class Cursor {
  start = 0; end = 1;
  state: CursorState = { t: 0, playing: false };
  speed = 1; // seconds of the run per second of playback; 0: the whole run in ten seconds
  loop = true;
  private listeners: Listener[] = [];
  private last = 0;

  listen(f: Listener): void { this.listeners.push(f); }
  private tell(): void { for (const f of this.listeners) f(this.state); }

  span(start: number, end: number): void {
    this.start = start;
    this.end = Math.max(end, start);
    this.seek(this.state.t);
  }
  seek(t: number): void {
    const wanted = Math.min(this.end, Math.max(this.start, t));
    this.state = { ...this.state, t: Number.isFinite(wanted) ? wanted : this.start };
    this.tell();
  }
  play(on: boolean): void {
    if (on && this.state.t >= this.end && !this.loop) this.state = { ...this.state, t: this.start };
    this.state = { ...this.state, playing: on };
    this.last = performance.now();
    this.tell();
    if (on) requestAnimationFrame((now) => this.frame(now));
  }
  private frame(now: number): void {
    if (!this.state.playing) return;
    const dt = Math.min(0.2, Math.max(0, (now - this.last) / 1000));
    this.last = now;
    let t = this.state.t + dt * (this.speed || (this.end - this.start) / 10);
    if (t > this.end) {
      if (this.loop) t = this.start + ((t - this.start) % Math.max(1e-300, this.end - this.start));
      else { t = this.end; this.state = { ...this.state, playing: false }; }
    }
    this.seek(t);
    if (this.state.playing) requestAnimationFrame((n) => this.frame(n));
  }
}
