// What engineers do with a report: units by magnitude, curves folded over an angle, levels in decibels, curves of a test bench, runs
// compared by colour, and the time at which a report opens.  Everything is compared with numbers that are computed here.
// usage: node engineering.mjs HOOKE WORK CHROMIUM     WORK: an empty folder
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check, command, counts, launch, opener } from "./browser.mjs";

const [hooke, work, browserPath] = process.argv.slice(2), run = command(hooke, work);
mkdirSync(work, { recursive: true });
// A rotor that is driven at 600 rpm after a start of 0.1 s; a load of 12 kN with orders 1 and 4, a distance of 30 um, and a sensor without values.
writeFileSync(join(work, "m.yaml"), `format: 1
title: rotor
parameters: {u: 1 s, A: 12 kN}
bodies:
  rotor: {type: rotor, inertia: 0.1 kg*m^2}
motions:
  drive: {coordinate: rotor.angle, value: "600 rpm * (t - 0.05*u + max(0*u, 0.1*u - t)^2/(0.2*u))"}
sensors:
  push: {value: "A*min(1, t/(0.1*u))*(cos(rotor.angle) + 0.1*cos(4*rotor.angle))"}
  pull: {value: "0.5*A*sin(rotor.angle)"}
  gap: {value: "30 um*sin(3*rotor.angle)"}
  none: {value: "A*sqrt(0*t/u - 1)"}
analysis: {duration: 0.85 s, output_step: 0.25 ms}
`);
run("run", "m.yaml", "-o", "m.h5");
run("run", "m.yaml", "--set", "A=11 kN", "-o", "n.h5");
const rows = run("export", "m.h5", "--csv", "-", "--match", "^(push|pull|rotor\\.angle)$").trim().split("\n").map((l) => l.split(",")), head = rows[0].map((h) => h.replace(/ \[.*/, "")), column = (name) => rows.slice(1).map((r) => Number(r[head.indexOf(name)]));
const t = column("time"), push = column("push"), angle = column("rotor.angle");

// A measurement with its own clock and amplifier: 0.05 s late, 0.8 of the force.
const LATE = 0.05, FACTOR = 0.8;
writeFileSync(join(work, "bench.csv"), "time [ms],cell [kN]\n" + t.filter((_, i) => i % 3 === 0).map((x, k) => `${(1e3 * (x + LATE)).toFixed(4)},${(1e-3 * FACTOR * push[3 * k]).toFixed(7)}`).join("\n") + "\n");
run("report", "m.h5", "--measured", "bench.csv", "--match", "cell = push", "-o", "m.html");
run("report", "m.h5", "--unit", "um, rad", "-o", "fixed.html");
run("report", "m.h5", "n.h5", "-o", "two.html");

// A rotor that turns backwards, with a measurement over its angle; a sensor that is zero.
writeFileSync(join(work, "back.yaml"), `format: 1
parameters: {A: 12 kN}
bodies:
  rotor: {type: rotor, inertia: 0.1 kg*m^2}
motions:
  drive: {coordinate: rotor.angle, value: "-600 rpm * t"}
sensors:
  push: {value: "A*cos(rotor.angle)"}
  still: {value: "0*A*t/(1 s)"}
analysis: {duration: 0.5 s, output_step: 0.25 ms}
`);
run("run", "back.yaml", "-o", "back.h5");
writeFileSync(join(work, "angle.csv"), "angle [deg],cell [kN]\n" + Array.from({ length: 721 }, (_, i) => `${i - 1080},${(12 * Math.cos((i * Math.PI) / 180) + 0.3).toFixed(6)}`).join("\n") + "\n");
run("report", "back.h5", "--measured", "angle.csv", "--match", "cell = push", "-o", "back.html");

const browser = await launch(browserPath), open = opener(browser, work);
const near = (a, b, most) => Math.abs(a - b) <= most;

{
  const { page, close } = await open("m.html");
  const at = await page.evaluate(() => [hooke.cursor.state.t, hooke.cursor.state.playing]);
  /* half a revolution is done when the speed is reached, so the first turn with its extremes is the second one */
  const second = t[angle.findIndex((a) => a >= 2 * Math.PI)];
  check(near(at[0], second, 1e-9) && !at[1], `the report opens at ${at}, the first steady turn begins at ${second}`);
  const seen = await page.evaluate(() => {
    const card = hooke.cards.find((c) => c.plot.title === "sensors"), press = (text) => [...card.root.querySelectorAll("button")].find((b) => b.textContent === text).click();
    const state = () => ({ panels: card.seen.panels.map((p) => [p.label, p.curves.map((c) => [c.short, c.channel, c.unit])]), x: card.seen.xLabel, note: card.note.textContent, csv: card.csvText().split("\n", 1)[0], curves: card.seen.curves.map((c) => [c.channel, Array.from(c.line?.x ?? c.x, (v) => (Number.isNaN(v) ? null : v)), Array.from(c.line?.y ?? c.y, (v) => (Number.isNaN(v) ? null : v))]) });
    const out = { plain: state() };
    press("align");
    out.aligned = { ...card.alignment, note: card.note.textContent };
    const input = [...card.root.querySelectorAll(".menu input")][0];
    input.value = "90"; input.dispatchEvent(new Event("change"));
    out.folded = state();
    input.value = ""; input.dispatchEvent(new Event("change"));
    const select = card.root.querySelector("select");
    select.value = "orders"; select.dispatchEvent(new Event("change"));
    out.orders = state();
    press("dB");
    out.levels = state();
    return out;
  });
  const unit = (s, channel) => s.panels.flatMap(([, c]) => c).find(([, c]) => c === channel)?.[2];
  check(unit(seen.plain, "push") === "kN" && unit(seen.plain, "gap") === "µm" && seen.plain.x === "time [s]", `units by magnitude: ${JSON.stringify(seen.plain.panels)}, ${seen.plain.x}`);
  check(seen.plain.csv.includes("push [kN]") && seen.plain.csv.includes("gap [µm]"), `units in the CSV file: ${seen.plain.csv}`);
  const own = seen.plain.curves.find(([c]) => c === "push");
  check(own[2].every((v, i) => near(v, 1e-3 * push[i], 1e-6 * 13)), "values in kN are not those of the file");
  /* the deviation without an alignment: at every measured time, the run there less the measured value */
  const line = (x) => { let i = 1; while (i < t.length - 1 && t[i] < x) i++; return push[i - 1] + ((push[i] - push[i - 1]) * (x - t[i - 1])) / (t[i] - t[i - 1]); };
  const apart = t.map((x, i) => [x + LATE, FACTOR * push[i]]).filter(([x], i) => i % 3 === 0 && x <= t[t.length - 1] + 1e-12).map(([x, y]) => line(x) - y), rms = Math.sqrt(apart.reduce((a, d) => a + d * d, 0) / apart.length) / 1e3;
  const said = /differs by ([\d.]+) kN/.exec(seen.plain.note);
  check(said && near(Number(said[1]), rms, 0.01 * rms), `deviation ${said?.[1]} kN, not ${rms}: ${seen.plain.note}`);
  check(near(seen.aligned.shift, -LATE, 2e-5) && near(seen.aligned.scale, 1 / FACTOR, 1e-3), `aligned by ${seen.aligned.shift} s and ${seen.aligned.scale}: ${seen.aligned.note}`);
  /* folded: every point lies within 90 degrees and on the row or on the line between two rows; returns are gaps from edge to edge */
  const [, fx, fy] = seen.folded.curves.find(([c]) => c === "push"), degrees = angle.map((a) => (a * 180) / Math.PI);
  let points = 0, off = 0, returns = 0;
  for (let i = 0, k = 0; i < fx.length; i++) {
    if (fx[i] === null) { returns++; if (!(near(fx[i - 1], 90, 1e-9) && near(fx[i + 1], 0, 1e-9) && near(fy[i - 1], fy[i + 1], 1e-9))) off = Infinity; continue; }
    if (fx[i - 1] === null || fx[i + 1] === null) continue; /* an edge */
    const far = Math.abs(fx[i] - (degrees[k] - 90 * Math.floor(degrees[k] / 90)));
    off = Math.max(off, Math.min(far, 90 - far), Math.abs(fy[i] - 1e-3 * push[k])); k++; points++;
  }
  check(points === t.length && off < 2e-4 && [-1e-9, 1e-9].some((e) => returns === Math.floor(degrees[degrees.length - 1] / 90 + e)), `folded: ${points} points of ${t.length}, off by ${off}, ${returns} returns`);
  check(seen.folded.x === "rotor.angle, every 90° [deg]", `axis of folded curves: ${seen.folded.x}`);
  const lines = seen.orders.curves.find(([c]) => c === "push")[2], levels = seen.levels.curves.find(([c]) => c === "push")[2], most = Math.max(...lines.map(Math.abs));
  check(lines.every((v, i) => near(levels[i], 20 * Math.log10(Math.max(Math.abs(v), 1e-7 * most)), 1e-9)) && unit(seen.levels, "push") === `dB re 1 ${unit(seen.orders, "push")}`, `levels in ${unit(seen.levels, "push")}`);
  await close();
}
{
  const { page, close } = await open("fixed.html");
  const units = await page.evaluate(() => { const c = hooke.cards.find((k) => k.plot.title === "sensors"), a = hooke.cards.find((k) => k.plot.title.startsWith("angles")); return [c.seen.curves.find((k) => k.channel === "gap").unit, c.seen.curves.find((k) => k.channel === "push").unit, a.seen.curves[0].unit]; });
  check(units.join() === "µm,kN,rad", `fixed units: ${units}`);
  await close();
}
{
  const { page, close } = await open("back.html");
  const seen = await page.evaluate(() => {
    const Card = hooke.cards[0].constructor, make = (plot) => { const c = new Card(hooke.runs, { title: "new", ...plot }, hooke.cursor, () => {}, false, hooke.header.measured); document.body.append(c.root); c.build(); return c; };
    const show = (card, what) => { const s = card.root.querySelector("select"); s.value = what; s.dispatchEvent(new Event("change")); };
    const over = make({ kind: "xy", x: "rotor.angle", y: ["push"] }), marks = [...over.root.querySelectorAll(".legend i")].map((i) => getComputedStyle(i).color);
    const still = make({ kind: "time", y: ["still"] }), part = make({ kind: "time", y: ["push"], rhythm: "push" }), first = part.look.range;
    show(still, "spectrum");
    [...still.root.querySelectorAll("button")].find((b) => b.textContent === "dB").click();
    show(part, "spectrum");
    return { over: over.note.textContent, marks, ink: getComputedStyle(document.body).color, still: still.csvText(), first, part: part.note.textContent, lines: part.seen.curves[0].x.length };
  });
  const said = /differs by ([\d.]+) N|differs by ([\d.]+) kN/.exec(seen.over);
  check(said && near(Number(said[2] ?? said[1] / 1e3), 0.3, 2e-3), `a shaft that turns backwards: ${seen.over}`);
  check(seen.marks.length === 2 && seen.marks[1] === seen.ink, `colour of the measurement in the legend: ${seen.marks}, ${seen.ink}`);
  check(!seen.still.includes("Infinity"), "the level of zero is infinite in the CSV file");
  check(seen.first && near(seen.first[1] - seen.first[0], 0.2, 5e-3), `the card opens at ${seen.first}, not at the last two turns`);
  check(!seen.part.includes("zoomed") && seen.lines > 500, `a spectrum of a part that nobody selected: ${seen.lines} lines, ${seen.part}`);
  await close();
}
{
  const { page, close } = await open("two.html");
  const seen = await page.evaluate(() => hooke.cards.filter((c) => c.plot.kind === "time").flatMap((c) => c.seen.panels.map((p) => p.curves.map((k) => [k.run, k.colour, k.short, k.channel]))));
  check(seen.length > 3 && seen.every((p) => p.every(([r, c]) => r === c)), "a run does not have one colour in all cards");
  const sensors = seen.filter((p) => ["push", "pull", "gap"].includes(p[0][3]));
  check(sensors.length === 3 && sensors.every((p) => p.length === 2 && p[0][2] === "m.h5" && p[1][2] === "n.h5"), `channels of two runs: ${JSON.stringify(sensors)}`);
  await close();
}
{
  const { page, close } = await open("m.html", { reducedMotion: "no-preference" });
  const first = await page.evaluate(() => hooke.cursor.state.t);
  await page.waitForFunction((before) => hooke.cursor.state.playing && hooke.cursor.state.t !== before, first, { timeout: 20000 });
  check(true, "the report moves");
  await close();
}
await browser.close();
console.log(`${counts.checks} checks, ${counts.failures} failures`);
process.exit(counts.failures ? 1 : 0);
