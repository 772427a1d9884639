// What pages show, against the results file: poses, curves, tables, spectra, arrows, differences, for random models, several
// runs and long runs.  Seeds are fixed.
// usage: node truth.mjs HOOKE WORK CHROMIUM     WORK: an empty folder
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, command, counts, launch, opener } from "./browser.mjs";

const [hooke, work, browserPath] = process.argv.slice(2), run = command(hooke, work);
mkdirSync(work, { recursive: true });
let seed = 20240611;
const random = () => { seed = (seed + 0x6d2b79f5) | 0; let t = Math.imul(seed ^ (seed >>> 15), 1 | seed); t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t; return ((t ^ (t >>> 14)) >>> 0) / 4294967296; };
const within = (a, b) => a + (b - a) * random(), pick = (list) => list[Math.floor(random() * list.length)], vec = (a, b, unit = "") => `[${[0, 1, 2].map(() => `${within(a, b).toFixed(4)}${unit}`).join(", ")}]`;

/** All channels of a file, as `hooke export` writes them: name -> values. */
function table(file, match) {
  const lines = run("export", file, "--csv", "-", ...(match ? ["--match", match] : [])).trim().split("\n"), head = lines[0].split(",").map((h) => h.replace(/^"|"$/g, "").replace(/ \[.*/, "")), columns = head.map(() => new Float64Array(lines.length - 1));
  for (let i = 1; i < lines.length; i++) lines[i].split(",").forEach((v, k) => { columns[k][i - 1] = v === "" ? NaN : Number(v); });
  return new Map(head.map((h, i) => [h, columns[i]]));
}
const spread = (v) => { let low = Infinity, high = -Infinity; for (const x of v) { if (x < low) low = x; if (x > high) high = x; } return high - low; };
const nearest = (list, x) => { let best = 0; for (let i = 1; i < list.length; i++) if (Math.abs(list[i] - x) < Math.abs(list[best] - x)) best = i; return best; };
/** The line through the rows of a run at a time. */
const line = (t, v, x) => { let i = 1; while (i < t.length - 1 && t[i] < x) i++; return t[i] > t[i - 1] ? v[i - 1] + ((v[i] - v[i - 1]) * (x - t[i - 1])) / (t[i] - t[i - 1]) : v[i]; };

const browser = await launch(browserPath), open = opener(browser, work);

// ---- random models: poses, curves, reactions, spectra ----
function model(number) {
  const n = 2 + Math.floor(random() * 3), far = number === 1 ? 1e5 : 0, at = (i) => `[${(far + 0.4 * i).toFixed(1)} m, ${within(-0.05, 0.05).toFixed(3)} m, 0]`;
  let text = `format: 1\ntitle: random ${number}\nparameters: {u: 1 s}\nbodies:\n`;
  for (let i = 0; i < n; i++) text += `  b${i}: {type: box, size: [${within(0.2, 0.4).toFixed(3)} m, 0.1 m, 0.05 m], mass: ${within(1, 4).toFixed(3)} kg, position: ${at(i + 0.5)}}\n`;
  text += `  free: {type: box, size: [0.3 m, 0.2 m, 0.1 m], mass: 2 kg, position: [${far} m, 1 m, 1 m], velocity: ${vec(-1, 1, " m/s")}, angular_velocity: ${vec(-9, 9, " rad/s")}}\n`;
  text += `  wheel: {type: rotor, inertia: 0.1 kg*m^2, axis: y, position: [${far} m, -1 m, 0], rate: ${within(20, 300).toFixed(2)} rpm}\n`;
  text += `joints:\n`;
  for (let i = 0; i < n; i++) text += `  j${i}: {type: ${i ? pick(["revolute", "spherical", "universal"]) : "revolute"}, a: ${i ? `b${i - 1}` : "ground"}, b: b${i}, at: [${far + 0.4 * i} m, 0, 0]${""}}\n`;
  text = text.replace(/type: (revolute)([^}]*)\}/g, "type: $1$2, axis: z}").replace(/type: universal([^}]*)\}/g, "type: universal$1, axis_a: y, axis_b: z}");
  text += `forces:\n  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\nsensors:\n`;
  const tones = [within(20, 80), within(120, 220)].map((f) => Number(f.toFixed(3)));
  text += `  tone: {value: "3*sin(2*pi*${tones[0]}*t/u) + 0.5*cos(2*pi*${tones[1]}*t/u)"}\n  hole: {value: "sqrt(sin(20*t/u))"}\n  cross: {value: "sin(9*t/u)"}\n`;
  text += `analysis: {duration: ${(0.8 + 0.4 * random()).toFixed(3)} s, output_step: 1 ms}\n`;
  writeFileSync(join(work, `r${number}.yaml`), text);
  run("run", `r${number}.yaml`, "-o", `r${number}.h5`);
  run("report", "--unit", "si", `r${number}.h5`, "-o", `r${number}.html`);
  return tones;
}
for (let k = 0; k < 3; k++) {
  const tones = model(k), file = table(`r${k}.h5`), t = file.get("time"), { page, close } = await open(`r${k}.html`), what = `random model ${k}`;
  const channels = await page.evaluate(() => hooke.runs[0].info.channels.map((c) => { const v = hooke.runs[0].channel(c.name); return [c.name, c.full, Array.from(v.v, (x) => (Number.isNaN(x) ? null : x))]; }));
  let worst = 0, gaps = 0;
  for (const [name, full, v] of channels) {
    const truth = file.get(name), size = spread(truth.filter((x) => !Number.isNaN(x))) || 1;
    check(full && v.length === truth.length, `${what}: ${name} is not in full`);
    v.forEach((x, i) => { if (x === null) { gaps += Number.isNaN(truth[i]); if (!Number.isNaN(truth[i])) worst = Infinity; } else worst = Math.max(worst, Math.abs(x - truth[i]) / size); });
  }
  check(worst < 2e-7 && gaps > 100, `${what}: a channel differs from the file by ${worst} of its range, ${gaps} gaps`);
  const bodies = await page.evaluate(() => hooke.header.runs[0].scene.bodies.map((b) => [b.name, b.kind])), rows = Array.from({ length: 12 }, () => Math.floor(random() * t.length)).concat(0, t.length - 1);
  const seen = await page.evaluate((times) => { hooke.view.reactions = true; return times.map((x) => { hooke.cursor.seek(x); return { poses: hooke.mechanisms[0].bodies.map((b) => [b.position.toArray(), b.quaternion.toArray()]), arrows: hooke.view.shown, joints: hooke.header.runs[0].scene.joints.length }; }); }, rows.map((i) => t[i]));
  let off = 0, force = 0, arrows = 0;
  seen.forEach((s, r) => {
    const i = rows[r], v = (name) => file.get(name)[i];
    bodies.forEach(([name, kind], b) => {
      if (kind === "turn") return;
      const [x, q] = s.poses[b], truth = ["qw", "qx", "qy", "qz"].map((c) => v(`${name}.${c}`)), got = [q[3], q[0], q[1], q[2]], sign = Math.sign(got.reduce((a, c, j) => a + c * truth[j], 0)) || 1;
      ["x", "y", "z"].forEach((c, j) => { off = Math.max(off, Math.abs(x[j] - v(`${name}.${c}`))); });
      truth.forEach((c, j) => { off = Math.max(off, Math.abs(sign * got[j] - c)); });
    });
    for (const a of s.arrows) { arrows++; const f = ["fx", "fy", "fz"].map((c) => v(`${a.joint}.${c}`)); a.force.forEach((c, j) => { force = Math.max(force, Math.abs(c - f[j]) / Math.hypot(...f)); }); }
  });
  check(off < 2e-6, `${what}: poses are off by ${off}`);
  check(force < 1e-5 && arrows === rows.length * seen[0].joints, `${what}: ${arrows} arrows of joints, off by ${force}`);
  /* curves: points of the chart are rows of the file, gaps are gaps, all x are times of the file */
  const drawn = await page.evaluate(() => {
    document.querySelectorAll(".picker details")[0].open = true;
    const box = (n) => [...document.querySelectorAll(".picker li label")].find((l) => l.textContent.startsWith(n)).querySelector("input");
    for (const n of ["hole", "cross", "tone"]) box(n).click();
    [...document.querySelectorAll(".picker button")].find((b) => b.textContent === "draw").click();
    const card = hooke.cards[hooke.cards.length - 1], press = (text) => [...card.root.querySelectorAll("button")].find((b) => b.textContent === text).click();
    const data = () => card.charts.map((c) => [c.o.curves.map((k) => k.name), c.parts.map((k) => k.name), c.plot.data.map((l) => Array.from(l, (v) => (v === undefined ? "none" : v)))]);
    const plain = data();
    press("log");
    const log = data(), note = card.note.textContent;
    press("log");
    const select = card.root.querySelector("select");
    const spectral = () => { select.value = "spectrum"; select.dispatchEvent(new Event("change")); const out = card.seen.curves.map((c) => [c.name, Array.from(c.x), Array.from(c.y)]), text = card.note.textContent; select.value = "none"; select.dispatchEvent(new Event("change")); return { out, text }; };
    const whole = spectral();
    card.zoom([0.2, 0.55]);
    const zoomed = card.charts[0].window, part = spectral(), again = card.charts[0].window;
    card.zoom(null);
    return { plain, log, note, whole, part, zoomed, again, csv: card.csvText(), back: card.charts[0].window };
  });
  let points = 0;
  for (const [names, , data] of drawn.plain) names.forEach((name, c) => data[1 + c].forEach((v, i) => { const row = nearest(t, data[0][i]), truth = file.get(name)[row]; if (v === "none") return; points++; if (v === null ? !Number.isNaN(truth) : Math.abs(v - truth) > 2e-7 * 4 || data[0][i] !== t[row] && Math.abs(data[0][i] - t[row]) > 1e-9) worst = Infinity; }));
  check(worst < 1 && points >= 3 * t.length, `${what}: a point of a curve is not in the file`);
  const logs = drawn.log.flatMap(([, parts]) => parts);
  check(logs.includes("−cross") && drawn.log.every(([, , d]) => d.slice(1).every((l) => l.every((v) => v === null || v === "none" || v > 0))) && drawn.note.includes("negative values by their size"), `${what}: negative values on a logarithmic scale: ${logs}; ${drawn.note}`);
  const sizes = (() => { const [, parts, d] = drawn.log.find(([, p]) => p.includes("−cross")), k = 1 + parts.indexOf("−cross"); return d[k].every((v, i) => v === "none" || v === null || Math.abs(v + file.get("cross")[nearest(t, d[0][i])]) < 1e-6); })();
  check(sizes, `${what}: sizes of negative values`);
  /* spectrum: the numbers of hooke spectrum and hooke plot, of all and of the zoomed part */
  const spectra = (...more) => { run("spectrum", `r${k}.h5`, "--channels", "tone,cross", "--csv", "s.csv", "--up-to", "499", ...more); const out = {}; for (const l of readFileSync(join(work, "s.csv"), "utf8").trim().split("\n").slice(1)) { const [name, f, a] = l.split(","); (out[name] ??= []).push([Number(f), Number(a)]); } return out; };
  for (const [name, page_says, truth] of [["all", drawn.whole, spectra()], ["zoomed", drawn.part, spectra("--from", "0.2", "--to", "0.55")]]) {
    let apart = 0, n = 0;
    for (const [channel, x, y] of page_says.out) { const want = truth[channel]; if (!want) continue; want.forEach(([f, a], i) => { n++; apart = Math.max(apart, a > 1e-3 && f ? Math.abs(x[i] - f) / f : 0, Math.abs(y[i] - a)); }); }
    check(n > 500 && apart < 2e-6, `${what}: the spectrum (${name}) of the page differs from hooke spectrum by ${apart} in ${n} lines`);
  }
  check(drawn.part.text.includes("0.2 s to 0.55 s") && !drawn.whole.text.includes("zoomed"), `${what}: what the spectrum is of: ${drawn.part.text}`);
  check(Math.abs(drawn.zoomed[0] - 0.2) < 1e-9 && Math.abs(drawn.again[1] - 0.55) < 1e-9 && drawn.back[1] > 0.75, `${what}: zoom, spectrum and back: ${drawn.zoomed}, ${drawn.again}, ${drawn.back}`);
  const [, fx, fy] = drawn.whole.out.find(([n]) => n === "tone");
  tones.forEach((f, i) => { let best = 0; fx.forEach((x, j) => { if (Math.abs(x - f) < 5 && fy[j] > fy[best]) best = j; }); check(Math.abs(fy[best] - [3, 0.5][i]) < 1e-3 * [3, 0.5][i] && Math.abs(fx[best] - f) < 0.01, `${what}: a line of ${[3, 0.5][i]} at ${f} Hz is shown as ${fy[best]} at ${fx[best]} Hz`); });
  check(drawn.csv.startsWith("time [s],hole,"), `${what}: head of the CSV file: ${drawn.csv.slice(0, 60)}`);
  await close();
}

// ---- several runs: every one with its own times; differences over the common span; all channels, all runs ----
{
  const text = (load) => `format: 1\nparameters: {u: 1 s, F: ${load}}\nbodies:\n  bob: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}\njoints:\n  string: {type: distance, a: ground, b: bob, length: 1 m}\nforces:\n  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\n  push: {type: load, b: bob, force: [0, 0, "F*sin(3*t/u)"]}\nmeasures:\n  lowest: {of: bob.y, take: min}\nanalysis: {duration: 1 s, output_step: 10 ms}\n`;
  writeFileSync(join(work, "p.yaml"), text("0 N"));
  const changes = [[], ["F=2 N", "analysis.duration=0.7 s", "analysis.output_step=7 ms"], ["F=1 N", "analysis.duration=1.3 s", "analysis.output_step=13 ms"]];
  changes.forEach((c, i) => run("run", "p.yaml", ...c.flatMap((s) => ["--set", s]), "-o", `p${i}.h5`));
  run("report", "--unit", "si", "p0.h5", "p1.h5", "p2.h5", "-o", "three.html");
  const files = [0, 1, 2].map((i) => table(`p${i}.h5`)), { page, close } = await open("three.html");
  const seen = await page.evaluate(() => {
    const card = hooke.cards.find((c) => c.plot.kind === "time");
    card.plot.y = ["bob.y", "bob.z"];
    card.build();
    [...card.root.querySelectorAll("button")].find((b) => b.textContent === "table").click();
    const tables = [...document.querySelectorAll(".card")].filter((c) => c.querySelector("h2")?.textContent.startsWith("Differences")).map((c) => [c.querySelector("h2").textContent, c.textContent, [...c.querySelectorAll("tbody tr")].map((r) => [...r.children].map((d) => d.textContent))]);
    return { csv: card.csvText(), rows: card.root.querySelectorAll(".tableholder tbody tr").length, head: [...card.root.querySelectorAll(".tableholder th")].map((h) => h.textContent), tables, raw: hooke.header.differences, measures: [...document.querySelectorAll("th")].map((h) => h.textContent) };
  });
  const lines = seen.csv.trim().split("\n").map((l) => l.split(","));
  check(lines[0].join() === [0, 1, 2].map((i) => `time (p${i}.h5) [s],bob.y (p${i}.h5) [m],bob.z (p${i}.h5) [m]`).join(), `columns of three runs: ${lines[0]}`);
  let wrong = 0, values = 0;
  files.forEach((f, r) => { const t = f.get("time"); for (let i = 0; i < lines.length - 1; i++) ["time", "bob.y", "bob.z"].forEach((name, c) => { const cell = lines[i + 1][3 * r + c]; if (i >= t.length) { wrong += cell !== ""; return; } values++; wrong += cell === "" || Math.abs(Number(cell) - f.get(name)[i]) > 2e-7; }); });
  check(wrong === 0 && values === 3 * files.reduce((n, f) => n + f.get("time").length, 0), `table of three runs: ${wrong} of ${values} values are wrong`);
  check(seen.head.length === 9 && seen.rows > 50, `the table of three runs has ${seen.head.length} columns, ${seen.rows} rows`);
  for (const r of [1, 2]) {
    const a = files[0], b = files[r], ta = a.get("time"), tb = b.get("time"), end = Math.min(ta[ta.length - 1], tb[tb.length - 1]), times = [...ta, ...tb].filter((t) => t <= end + 1e-12), raw = seen.raw[r];
    let apart = 0, n = 0;
    for (const [name, v] of a) {
      if (name === "time") continue;
      let most = 0, size = 0;
      for (const t of times) { const x = line(ta, v, t), y = line(tb, b.get(name), t); most = Math.max(most, Math.abs(x - y)); size = Math.max(size, Math.abs(x), Math.abs(y)); }
      const got = raw.channels.find((c) => c.name === name);
      n += most > 0;
      if (most > 1e-12 * size) apart = Math.max(apart, got ? Math.abs(got.most - most) / size : Infinity);
    }
    check(apart < 1e-9 && n > 5, `differences of run ${r}: ${apart} apart`);
    check(raw.channels.some((c) => c.name === "bob.z" && c.most > 1e-3) && Math.abs(raw.to - end) < 1e-12, `a channel that is zero in the first run is not compared with run ${r}`);
    check(seen.tables[r - 1][0] === `Differences: p${r}.h5 from p0.h5` && seen.tables[r - 1][2].some((c) => c[0] === "bob.z"), `table of differences ${r}: ${seen.tables[r - 1]?.[0]}`);
  }
  check(seen.measures.includes("p1.h5 less p0.h5") && seen.measures.includes("p2.h5 less p0.h5"), "measures of all runs are not compared");
  await close();
}

// ---- a long run with many channels: arrows of true rows, no spectrum of extremes, last row, far bodies; cursor moves ----
{
  let text = "format: 1\nbodies:\n";
  for (let i = 0; i < 6; i++) text += `  b${i}: {type: box, size: [90 mm, 20 mm, 20 mm], mass: 0.1 kg, position: [${(0.05 + 0.1 * i).toFixed(2)} m, 0, 0]}\n`;
  text += "joints:\n";
  for (let i = 0; i < 6; i++) text += `  j${i}: {type: revolute, a: ${i ? `b${i - 1}` : "ground"}, b: b${i}, at: [${(0.1 * i).toFixed(1)} m, 0, 0], axis: z}\n`;
  text += "forces:\n  g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}\nanalysis: {duration: 4 s, output_step: 0.5 ms}\n";
  writeFileSync(join(work, "chain.yaml"), text);
  run("run", "chain.yaml", "-o", "chain.h5");
  run("report", "--unit", "si", "chain.h5", "-o", "chain.html");
  const file = table("chain.h5", "^j[0-9]\\.f[xyz]$|^b5\\.[xy]$"), t = file.get("time"), { page, close } = await open("chain.html");
  const seen = await page.evaluate((times) => {
    hooke.view.reactions = true;
    const r = hooke.runs[0], arrows = times.map((x) => { hooke.cursor.seek(x); return hooke.view.shown; });
    hooke.cursor.seek(hooke.cursor.end);
    const c = hooke.cards[0], kept = r.info.channels.find((k) => !k.full).name;
    c.plot.y = [kept]; c.build();
    const options = [...c.root.querySelector("select").options].map((o) => [o.value, o.disabled]);
    c.look.transform = "spectrum"; c.build();
    return { arrows, full: r.channel("j1.fx").full, frames: r.frameTime.length, last: r.frameTime[r.frameTime.length - 1], end: hooke.mechanisms[0].bodies[5].position.toArray(), options, curves: c.seen.curves.length, note: c.note.textContent };
  }, Array.from({ length: 40 }, () => within(0, 4)));
  let angle = 0, size = 0;
  for (const list of seen.arrows) for (const a of list) {
    const i = nearest(t, a.t), f = ["fx", "fy", "fz"].map((c) => file.get(`${a.joint}.${c}`)[i]), n = Math.hypot(...f), m = Math.hypot(...a.force), cos = f.reduce((s, v, k) => s + v * a.force[k], 0) / (n * m);
    angle = Math.max(angle, (Math.acos(Math.min(1, cos)) * 180) / Math.PI);
    size = Math.max(size, Math.abs(m - n) / n);
  }
  check(!seen.full && seen.frames < 8001 && seen.arrows.every((l) => l.length === 6) && angle < 0.01 && size < 1e-5, `arrows of a long run are off by ${angle} degrees and ${size} of their length (${seen.frames} frames, in full: ${seen.full})`);
  check(seen.last === 4 && Math.hypot(seen.end[0] - file.get("b5.x")[t.length - 1], seen.end[1] - file.get("b5.y")[t.length - 1]) < 1e-6, `the last row is not the last picture: ${seen.last}`);
  check(seen.options.every(([v, off]) => v === "none" || off) && seen.curves === 0 && seen.note.includes("hooke report --full"), `spectrum of extremes: ${seen.options}, ${seen.note}`);
  await close();
  run("run", "p.yaml", "--set", "analysis.duration=100 s", "--set", "analysis.output_step=0.4 ms", "--record", "^bob\\.(x|y|vx)$", "-o", "many.h5");
  run("report", "--unit", "si", "many.h5", "-o", "many.html");
  const long = await open("many.html"), moves = await long.page.evaluate(() => {
    const draws = hooke.cards.map((c) => c.charts).flat(); let redrawn = 0;
    for (const c of draws) (c.plot.hooks.draw ??= []).push(() => redrawn++);
    const began = performance.now();
    for (let i = 1; i <= 50; i++) { hooke.cursor.seek(2 * i); for (const c of hooke.cards) c.moved(); }
    return { ms: (performance.now() - began) / 50, redrawn, rows: hooke.runs[0].t.length, points: draws.map((c) => c.plot.data[0].length), channel: hooke.runs[0].channel("bob.x").full };
  });
  check(moves.rows === 250001 && moves.channel && moves.redrawn === 0 && moves.points.every((n) => n < 30000), `a long run: ${JSON.stringify(moves)}`);
  console.log(`a move of the cursor in ${moves.rows} rows takes ${moves.ms.toFixed(1)} ms`);
  await long.close();
}

// ---- once per turn: between rows ----
{
  writeFileSync(join(work, "turn.yaml"), `format: 1\nparameters: {u: 1 s}\nbodies:\n  wheel: {type: rotor, inertia: 1 kg*m^2, axis: z, rate: 7 rad/s}\nsensors:\n  s: {value: "sin(wheel.angle/1 rad + 0.4)"}\n  c: {value: "cos(wheel.angle/1 rad + 0.4)"}\nanalysis: {duration: 20 s, output_step: 50 ms}\n`);
  run("run", "turn.yaml", "-o", "turn.h5");
  run("report", "--unit", "si", "turn.h5", "-o", "turn.html");
  const { page, close } = await open("turn.html"), seen = await page.evaluate(() => {
    document.querySelector(".picker details").open = true;
    const box = [...document.querySelectorAll(".picker li label")].find((l) => l.textContent.startsWith("s")).querySelector("input");
    box.click();
    document.querySelector(".picker input[list]").value = "c";
    [...document.querySelectorAll(".picker button")].find((b) => b.textContent === "draw").click();
    const card = hooke.cards[hooke.cards.length - 1];
    [...card.root.querySelectorAll("button")].find((b) => b.textContent === "once per turn").click();
    const k = card.seen.curves[0];
    return { x: Array.from(k.x), y: Array.from(k.y), t: Array.from(k.t), note: card.note.textContent };
  });
  const wrong = Math.max(...seen.x.map((x, i) => Math.hypot(x - Math.cos(0.4), seen.y[i] - Math.sin(0.4))), ...seen.t.map((t, i) => Math.abs(t - ((i + 1) * 2 * Math.PI) / 7)));
  check(seen.x.length === 22 && wrong < 3.6e-4, /* 3/128 h^4 of a cubic through four rows h = 0.35 rad apart */ `once per turn: ${seen.x.length} points, off by ${wrong}`);
  await close();
}

// ---- watch: every row of a run, said so; the mechanism is at the last row ----
{
  const child = spawn(hooke, ["watch", "p.yaml", "--no-browser", "-o", "w.h5", "--set", "analysis.output_step=0.2 ms", "--set", "analysis.duration=3 s"], { cwd: work });
  let text = "";
  const address = await new Promise((r) => child.stdout.on("data", (x) => { text += x; if (text.includes("\n")) r(text.trim()); })), ended = new Promise((r) => child.on("exit", r));
  const context = await browser.newContext(), page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => document.querySelector(".status")?.textContent.startsWith("finished"), null, { timeout: 20000 });
  check((await ended) === 0, "watch does not end with its run");
  const file = table("w.h5"), t = file.get("time"), n = t.length, seen = await page.evaluate(() => ({ t: hooke.cursor.state.t, rows: hooke.runs[0].t.length, x: hooke.mechanisms[0].bodies[0].position.toArray(), v: Array.from(hooke.runs[0].channel("string.force")?.v ?? hooke.runs[0].channel("bob.ay").v), says: document.querySelector(".left .note")?.textContent }));
  const truth = file.get("string.force") ?? file.get("bob.ay");
  check(seen.rows === n && n === 15001 && seen.v.every((v, i) => v === truth[i]), `watch shows ${seen.rows} of ${n} rows, or other values`);
  check(seen.t === t[n - 1] && ["x", "y", "z"].every((c, k) => Math.abs(seen.x[k] - file.get(`bob.${c}`)[n - 1]) < 1e-12), `watch does not follow the run: it is at ${seen.t} s, ${seen.x}`);
  check(seen.says.includes(`all ${n} rows`), `watch says: ${seen.says}`);
  await context.close();
}

// ---- files for other programs: the last state, and models far from the origin ----
{
  run("export", "r1.h5", "--glb", "far.glb", "--frames", "7");
  run("export", "r1.h5", "--vtk", "far.pvd", "--frames", "7");
  const file = table("r1.h5", "^(b0|free)\\.[xyz]$"), t = file.get("time"), n = t.length, glb = readFileSync(join(work, "far.glb")), length = glb.readUInt32LE(12), json = JSON.parse(glb.subarray(20, 20 + length)), bin = 28 + length;
  const floats = (i) => { const a = json.accessors[i], v = json.bufferViews[a.bufferView], wide = { SCALAR: 1, VEC3: 3, VEC4: 4 }[a.type]; return Array.from({ length: a.count * wide }, (_, k) => glb.readFloatLE(bin + v.byteOffset + 4 * k)); };
  const node = json.nodes.findIndex((k) => k.name === "free"), channel = json.animations[0].channels.find((c) => c.target.node === node && c.target.path === "translation"), sampler = json.animations[0].samplers[channel.sampler], times = floats(sampler.input), x = floats(sampler.output), origin = json.nodes[0].extras.origin;
  check(times.length <= 7 && Math.abs(times[times.length - 1] - t[n - 1]) < 1e-6, `the last frame of the glTF file is at ${times[times.length - 1]} of ${t[n - 1]} s`);
  const off = Math.max(...["x", "y", "z"].map((c, k) => Math.abs(origin[k] + x[x.length - 3 + k] - file.get(`free.${c}`)[n - 1])));
  check(off < 1e-6, `the last place in the glTF file is off by ${off} m at ${origin[0]} m`);
  const frames = readdirSync(join(work, "far_frames")), pvd = readFileSync(join(work, "far.pvd"), "utf8"), last = Number(/timestep="([^"]*)"[^>]*>\s*<\/Collection>/.exec(pvd)[1]);
  check(frames.length <= 7 && last === t[n - 1] && readFileSync(join(work, "far_frames", frames[0]), "latin1").includes('type="Float64" NumberOfComponents="3"'), `VTK: ${frames.length} frames, the last at ${last} s`);
}
await browser.close();
console.log(`${counts.checks} checks, ${counts.failures} failures`);
process.exit(counts.failures ? 1 : 0);
