// A panel of a plot as an SVG drawing for publications, with the same contents as the panel.
import { bounds, dash, drawn, type ChartOptions } from "./chart";
import { colours } from "./dom";
import type { Curve } from "./series";
import { marks } from "./units";

const W = 660, H = 320, L = 70, R = 14, B = 44;
const escape = (s: string) => s.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`).replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, "\ufffd");

function ticks(a: number, b: number, n: number): number[] {
  const raw = (b - a) / n || 1, p = 10 ** Math.floor(Math.log10(raw)), s = [1, 2, 5, 10].find((k) => k * p >= raw)! * p, out: number[] = [];
  for (let v = Math.ceil(a / s) * s; v <= b + 1e-9 * s; v += s) out.push(Math.abs(v) < 1e-9 * s ? 0 : v);
  return out;
}

/** Runs of points: of a curve over time the least and greatest of each piece of a column of pixels, of another all
 * that are apart by more than a fifth of a pixel. */
function pieces(c: Curve, keep: number[], sorted: boolean, px: (v: number) => number, py: (v: number) => number): string[] {
  const out: string[] = [], at = (x: number, y: number) => `${px(x).toFixed(1)},${py(y).toFixed(1)}`;
  let now: string[] = [];
  if (!sorted) {
    const l = c.line ?? c;
    let lastX = NaN, lastY = NaN;
    for (let i = 0; i < l.x.length; i++) {
      const x = px(l.x[i]), y = py(l.y[i]);
      if (!Number.isFinite(x + y)) { out.push(now.join(" ")); now = []; lastX = NaN; continue; }
      if (Math.hypot(x - lastX, y - lastY) < 0.2) continue;
      now.push(at(l.x[i], l.y[i]));
      [lastX, lastY] = [x, y];
    }
    return [...out, now.join(" ")].filter(Boolean);
  }
  const step = Math.max(1, Math.floor(keep.length / 4000));
  for (let i = 0; i < keep.length; i += step) {
    let low = keep[i], high = keep[i], hole = false;
    for (let j = i; j < Math.min(keep.length, i + step); j++) hole ||= !Number.isFinite(c.y[keep[j]]);
    if (hole) { out.push(now.join(" ")); now = []; }
    if (!Number.isFinite(c.y[low])) continue;
    for (let j = i; j < Math.min(keep.length, i + step); j++) { if (c.y[keep[j]] < c.y[low]) low = keep[j]; if (c.y[keep[j]] > c.y[high]) high = keep[j]; }
    for (const j of low < high ? [low, high] : low > high ? [high, low] : [low]) now.push(at(c.x[j], c.y[j]));
  }
  return [...out, now.join(" ")].filter(Boolean);
}

export function svg(o: ChartOptions, window: [number, number], title: string): string {
  const parts = drawn(o.curves, o.log), T = 34 + 16 * Math.ceil(parts.length / 4), scale = (v: number) => (o.log ? Math.log10(v) : v);
  const seen = parts.map((c) => { const keep: number[] = []; for (let i = 0; i < c.x.length; i++) if (!o.sorted || (c.x[i] >= window[0] && c.x[i] <= window[1])) keep.push(i); return { c, keep }; });
  const xs = seen.flatMap(({ c, keep }) => (keep.length ? [c.x[keep[0]], c.x[keep[keep.length - 1]]] : []));
  let [x0, x1] = o.sorted && xs.length ? [Math.min(...xs), Math.max(...xs)] : bounds(o.curves.map((c) => c.x));
  let [y0, y1] = bounds(seen.flatMap(({ c, keep }) => [c.y, ...(c.band ? [c.band.low, c.band.high] : [])].map((v) => Float64Array.from(keep, (i) => scale(v[i])))));
  const ring = 1.08 * o.circle;
  if (ring > 0) [x0, x1, y0, y1] = [Math.min(x0, -ring), Math.max(x1, ring), Math.min(y0, -ring), Math.max(y1, ring)];
  if (o.equal) {
    const s = Math.max((x1 - x0) / (W - L - R), (y1 - y0) / (H - T - B)), dx = 0.5 * (s * (W - L - R) - (x1 - x0)), dy = 0.5 * (s * (H - T - B) - (y1 - y0));
    [x0, x1, y0, y1] = [x0 - dx, x1 + dx, y0 - dy, y1 + dy];
  }
  const px = (v: number) => L + ((v - x0) / (x1 - x0 || 1)) * (W - L - R), height = (v: number) => H - B - ((v - y0) / (y1 - y0 || 1)) * (H - T - B), py = (v: number) => height(scale(v));
  let s = `<svg xmlns="http://www.w3.org/2000/svg" width="${W}" height="${H}" viewBox="0 0 ${W} ${H}" font-family="Helvetica, Arial, sans-serif" font-size="12" fill="#222222"><title>${escape(title)}</title><rect width="100%" height="100%" fill="#ffffff"/><text x="${L}" y="20" font-weight="600" font-size="14">${escape(title)}</text>`;
  const across = ticks(x0, x1, 8), upward = o.log ? ticks(y0, y1, 6).filter((v) => Number.isInteger(v)) : ticks(y0, y1, 6), texts = o.log ? upward.map((v) => `1e${v}`) : marks(upward);
  marks(across).forEach((text, i) => { const x = px(across[i]).toFixed(1); s += `<line x1="${x}" x2="${x}" y1="${T}" y2="${H - B}" stroke="#e4e4e4"/><text x="${x}" y="${H - B + 16}" text-anchor="middle">${escape(text)}</text>`; });
  texts.forEach((text, i) => { const y = height(upward[i]); s += `<line x1="${L}" x2="${W - R}" y1="${y.toFixed(1)}" y2="${y.toFixed(1)}" stroke="#e4e4e4"/><text x="${L - 6}" y="${(y + 4).toFixed(1)}" text-anchor="end">${escape(text)}</text>`; });
  s += `<text x="${(L + W - R) / 2}" y="${H - 8}" text-anchor="middle">${escape(o.xLabel)}</text><text x="16" y="${(T + H - B) / 2}" transform="rotate(-90 16 ${(T + H - B) / 2})" text-anchor="middle">${escape(o.yLabel)}</text>`;
  if (ring > 0) s += `<circle cx="${px(0).toFixed(1)}" cy="${py(0).toFixed(1)}" r="${(px(o.circle) - px(0)).toFixed(1)}" fill="none" stroke="#777777" stroke-dasharray="5 4"/>`;
  seen.forEach(({ c, keep }, k) => {
    const colour = c.measured ? "#222222" : colours[c.colour % colours.length], dashed = c.negative || c.measured ? ' stroke-dasharray="1.5 2.5"' : c.run ? ` stroke-dasharray="${dash[c.run % dash.length].join(" ")}"` : "", x = L + (k % 4) * 145, y = 32 + 16 * Math.floor(k / 4);
    if (c.band && o.sorted) for (const i of keep) if (i > 0) s += `<path d="M${px(c.x[i - 1]).toFixed(1)} ${py(c.band.low[i]).toFixed(1)}H${px(c.x[i]).toFixed(1)}V${py(c.band.high[i]).toFixed(1)}H${px(c.x[i - 1]).toFixed(1)}Z" fill="${colour}" fill-opacity="0.3"/>`;
    if (c.boxes) for (let i = 0; i + 1 < c.x.length; i += 2) s += `<path d="M${px(c.x[i]).toFixed(1)} ${py(c.y[i]).toFixed(1)}H${px(c.x[i + 1]).toFixed(1)}V${py(c.y[i + 1]).toFixed(1)}H${px(c.x[i]).toFixed(1)}Z" fill="${colour}" fill-opacity="0.22"/>`;
    else if (o.dots) for (const i of keep) s += `<circle cx="${px(c.x[i]).toFixed(1)}" cy="${py(c.y[i]).toFixed(1)}" r="1.6" fill="${colour}"/>`;
    else for (const points of pieces(c, keep, o.sorted, px, py)) s += `<polyline fill="none" stroke="${colour}" stroke-width="1.4"${dashed} points="${points}"/>`;
    s += `<line x1="${x}" x2="${x + 16}" y1="${y}" y2="${y}" stroke="${colour}" stroke-width="2"${dashed}/><text x="${x + 20}" y="${y + 4}">${escape(c.short.length > 20 ? "…" + c.short.slice(-19) : c.short)}</text>`;
  });
  return s + "</svg>";
}
