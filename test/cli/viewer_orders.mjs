// Orders of the report's page: of any number of turns a line is found where it is and as high as it is.
// usage: node viewer_orders.mjs VIEWER
import { pathToFileURL } from "node:url";
const viewer = process.argv[2];
const { build } = await import(pathToFileURL(`${viewer}/node_modules/esbuild/lib/main.js`).href);
await build({ entryPoints: [`${viewer}/src/spectrum.ts`], bundle: true, format: "esm", outfile: `${viewer}/spectrum.mjs`, logLevel: "warning" });
const { orders } = await import(pathToFileURL(`${viewer}/spectrum.mjs`).href);

const highest = (s, from, to) => {
  let best = -1;
  for (let i = 0; i < s.x.length; i++) if (s.x[i] > from && s.x[i] < to && (best < 0 || s.y[i] > s.y[best])) best = i;
  return [s.x[best], s.y[best]];
};
let wrong = 0;
const near = (what, got, wanted, tolerance) => {
  if (Math.abs(got - wanted) <= tolerance) return;
  console.error(`${what}: ${got}, not ${wanted}`);
  wrong++;
};
// The envelope of a carrier of 1000 Hz that is modulated at 37 Hz has a line at 37 Hz, as high as the modulation.
{
  const { envelope, even, spectrum } = await import(pathToFileURL(`${viewer}/spectrum.mjs`).href), n = 20000, t = new Float64Array(n), y = new Float64Array(n);
  for (let i = 0; i < n; i++) { t[i] = i * 1e-4; y[i] = (2 + 0.5 * Math.cos(2 * Math.PI * 37 * t[i])) * Math.sin(2 * Math.PI * 1000 * t[i]) + 3 * Math.sin(2 * Math.PI * 200 * t[i]); }
  const [at, amplitude] = highest(spectrum(envelope(even(t, y), 700, 1300)), 10, 200);
  near("envelope: frequency", at, 37, 0.01);
  near("envelope: amplitude", amplitude, 0.5, 0.002);
}
for (const turns of [0.5, 0.77, 1.3, 4, 7.5, 20.4]) {
  const n = Math.round(4000 * turns), x = new Float64Array(n + 1), y = new Float64Array(n + 1);
  for (let i = 0; i <= n; i++) {
    x[i] = 2 + (turns * i) / n;
    y[i] = 3 + Math.sin(2 * Math.PI * 57 * x[i] + 0.3) + 0.3 * Math.cos(2 * Math.PI * 114 * x[i]);
  }
  const { lines: s, note } = orders(x, y);
  for (const [order, size] of [[57, 1], [114, 0.3]]) {
    const [at, amplitude] = highest(s, order - 20, order + 20);
    near(`${turns} turns: order`, at, order, 0.01);
    near(`${turns} turns: amplitude of ${order}`, amplitude, size, 0.003 * size);
  }
  if ((note !== "") !== turns < 4) console.error(`${turns} turns: '${note}'`), wrong++;
}
process.exit(wrong ? 1 : 0);
