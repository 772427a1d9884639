// Pages at the limits of their numbers: bodies that travel far, angles of many turns, small motion after a large one, holes,
// logarithmic axes, dense curves, meshes with triangles that face inwards; against the results file.
// usage: node limits.mjs HOOKE WORK CHROMIUM     WORK: an empty folder
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { check, command, counts, launch, opener } from "./browser.mjs";

const [hooke, work, browserPath] = process.argv.slice(2), run = command(hooke, work);
mkdirSync(work, { recursive: true });
const browser = await launch(browserPath), open = opener(browser, work);

/** Channels of a file, as `hooke export` writes them: name -> values. */
function table(file, match) {
  const lines = run("export", file, "--csv", "-", "--match", match).trim().split("\n"), head = lines[0].split(",").map((h) => h.replace(/ \[.*/, "")), columns = head.map(() => new Float64Array(lines.length - 1));
  for (let i = 1; i < lines.length; i++) lines[i].split(",").forEach((v, k) => { columns[k][i - 1] = v === "" ? NaN : Number(v); });
  return new Map(head.map((h, i) => [h, columns[i]]));
}
async function page(name, text, ...files) {
  writeFileSync(join(work, `${name}.yaml`), `format: 1\ntitle: ${name}\nparameters: {u: 1 s}\n${text}`);
  run("run", `${name}.yaml`, "-o", `${name}.h5`);
  run("report", "--unit", "si", `${name}.h5`, ...files, "-o", `${name}.html`);
  return open(`${name}.html`);
}
/** Animation of a run in glTF, where translations are in single precision: largest error of the sum over the chain of parents. */
function glb(name, bodies) {
  run("export", `${name}.h5`, "--glb", `${name}.glb`);
  const glb = readFileSync(join(work, `${name}.glb`)), length = glb.readUInt32LE(12), json = JSON.parse(glb.subarray(20, 20 + length)), file = table(`${name}.h5`, `^(${bodies.join("|")})\\.[xyz]$`), t = file.get("time"), at = {};
  const read = (i, w) => Array.from({ length: w * json.accessors[i].count }, (_, k) => glb.readFloatLE(28 + length + json.bufferViews[json.accessors[i].bufferView].byteOffset + 4 * k));
  const track = (node) => { const c = json.animations[0].channels.find((k) => k.target.node === node && k.target.path === "translation"), s = c && json.animations[0].samplers[c.sampler]; return s && { t: read(s.input, 1), x: read(s.output, 3) }; };
  const parent = (node) => json.nodes.findIndex((k) => k.children?.includes(node));
  let off = 0, frames = 0;
  for (const k of json.nodes.keys()) if (parent(k) >= 0) at[json.nodes[k].name] ??= parent(k) > 0 ? json.nodes[parent(k)].name : "";
  for (const b of bodies) {
    const own = json.nodes.findIndex((k) => k.name === b), sum = [];
    for (let node = own; node > 0; node = parent(node)) track(node)?.x.forEach((v, i) => { sum[i] = (sum[i] ?? 0) + v; });
    track(own).t.forEach((s, i) => { const row = Math.round(s); if (Math.abs(s - t[row]) > 1e-4) return; frames++; ["x", "y", "z"].forEach((c, k) => { off = Math.max(off, Math.abs(sum[3 * i + k] + (json.nodes[0].extras?.origin[k] ?? 0) - file.get(`${b}.${c}`)[row])); }); });
  }
  return { off, frames, at, carriers: json.nodes.map((k) => k.name).filter((n) => n.startsWith("travel of ")) };
}
/** What the first plot shows of some channels. */
const draw = (page, y, look) => page.evaluate(([y, look]) => {
  const card = hooke.cards.find((c) => c.plot.kind === "time" || c.plot.kind === "xy");
  Object.assign(card.plot, { y, kind: look.x ? "xy" : "time", x: look.x, per: look.per });
  Object.assign(card.look, { transform: look.transform ?? "none", section: !!look.section, range: null });
  card.log = !!look.log;
  card.build();
  const chart = card.charts[0], box = chart.plot.bbox, pixels = chart.plot.ctx.getImageData(box.left, Math.round(box.top + 0.2 * box.height), box.width, Math.round(0.6 * box.height)).data;
  return { curves: card.seen.curves.map((c) => [c.name, c.section ? [] : Array.from(c.x), Array.from(c.y)]), note: card.note.textContent, ticks: chart.plot.axes[1]._values, splits: chart.plot.axes[1]._splits, slits: pixels.reduce((n, v, i) => n + (i % 4 === 2 && v - pixels[i - 2] < 150 ? 1 : 0), 0), pixels: pixels.length / 4 };
}, [y, look]);

// ---- two parts that travel 1000 km stay together to a nanometre ----
{
  const text = `bodies:
  bus: {type: box, size: [0.2 m, 0.2 m, 0.2 m], mass: 5 kg, position: [0, 0, 0], velocity: [1000 m/s, 0, 0]}
  panel: {type: box, size: [0.3 m, 0.1 m, 0.01 m], mass: 1 kg, position: [0.26 m, 0, 0], velocity: [1000 m/s, 0.3 m/s, 0], angular_velocity: [0, 0, 2 rad/s]}
joints:
  hinge: {type: revolute, a: bus, b: panel, at: [0.11 m, 0, 0], axis: z}
analysis: {duration: 1000 s, output_step: 1 s}
`, { page: p, close } = await page("travel", text), file = table("travel.h5", "^(bus|panel)\\.[xyz]$"), rows = file.get("time").length;
  const seen = await p.evaluate((rows) => Array.from({ length: rows }, (_, i) => { hooke.cursor.seek(hooke.runs[0].t[i]); return hooke.mechanisms[0].bodies.map((b) => b.position.toArray()); }), rows);
  let off = 0;
  seen.forEach((s, i) => ["bus", "panel"].forEach((b, k) => ["x", "y", "z"].forEach((c, j) => { off = Math.max(off, Math.abs(s[k][j] - file.get(`${b}.${c}`)[i])); })));
  check(rows === 1001 && file.get("bus.x")[1000] > 9.9e5 && off < 2e-9, `bodies that travel: poses are off by ${off} m`);
  await close();
  check(glb("travel", ["bus", "panel"]).off < 1e-7, `glTF: bodies that travel are off by ${glb("travel", ["bus", "panel"]).off} m`);
  /* bodies that stay, and a second pair that travels the other way; the order of the bodies does not matter */
  const rest = "  rest: {type: box, size: [1 m, 1 m, 1 m], mass: 5 kg, position: [5.1 m, 3 m, 0]}\n", [bodies, joints] = text.split("joints:\n"), list = bodies.replace("bodies:\n", "");
  const back = list.replace("bus:", "bus2:").replace("panel:", "panel2:").replaceAll("[1000 m/s", "[-1000 m/s"), hinge = "  hinge2: {type: revolute, a: bus2, b: panel2, at: [0.11 m, 0, 0], axis: z}\n";
  const spring = "forces: {tie: {type: spring_damper, a: bus, b: panel, stiffness: 1e-9 N/m, free_length: 0.1 m}}\n";
  for (const [i, order] of [rest + list + back, list + rest + back, back + list + rest].entries()) {
    const name = `pairs${i}`;
    writeFileSync(join(work, `${name}.yaml`), `format: 1\nparameters: {u: 1 s}\nbodies:\n${order}${spring}joints:\n${hinge}${joints}`);
    run("run", `${name}.yaml`, "-o", `${name}.h5`);
    const { off, carriers, at, frames } = glb(name, ["rest", "bus", "panel", "bus2", "panel2"]);
    check(frames > 2500 && off < 1e-7 && carriers.length === 2 && at.bus === at.panel && at.bus2 === at.panel2 && at.bus !== at.bus2 && at.rest === "" && at.tie === at.bus, `glTF: bodies of order ${i} are off by ${off} m in ${frames} frames; carriers ${carriers}: ${JSON.stringify(at)}`);
  }
}

// ---- 1592 turns; small motion after a large one; a dense curve; holes; signs and powers of ten ----
{
  const text = `bodies: {wheel: {type: rotor, inertia: 1 kg*m^2, axis: z, rate: 1000.3 rad/s}}
sensors:
  s: {value: "sin(wheel.angle/1 rad + 0.4)"}
  c: {value: "cos(wheel.angle/1 rad + 0.4)"}
  d: {value: "sin(2*pi*(100 + 40*t/u)*t/u)"}
  late: {value: "1e6*exp(-1000*t/u) + 0.01*sin(20*t/u)"}
  hole: {value: "sqrt(sin(20*t/u))"}
  falls: {value: "cos(9*t/u)*exp(-1.2*t/u)"}
analysis: {duration: 10 s, output_step: 0.1 ms}
`, { page: p, close } = await page("turns", text, "travel.h5"), file = table("turns.h5", "^(wheel\\.angle|late|hole)$");
  const kept = await p.evaluate(() => ["wheel.angle", "late"].map((n) => Array.from(hooke.runs[0].channel(n).v)));
  const apart = ["wheel.angle", "late"].map((n, k) => kept[k].reduce((m, v, i) => Math.max(m, i < 100 ? 0 : Math.abs(v - file.get(n)[i])), 0));
  check(apart[0] < 1e-9, `an angle of 10000 rad is off by ${apart[0]}`);
  check(apart[1] < 1e-7, `a motion of 0.01 after one of 1e6 is off by ${apart[1]}`);
  const turn = await draw(p, ["s"], { x: "c", per: "wheel.angle", section: true }), [, x, y] = turn.curves[0];
  const wrong = Math.max(...x.map((v, i) => Math.hypot(v - Math.cos(0.4), y[i] - Math.sin(0.4))));
  check(x.length === 1592 && wrong < 4e-6, /* 3/128 h^4 of a cubic through four rows h = 0.1 rad apart */ `once per turn: ${x.length} points, off by ${wrong}`);
  const orders = await draw(p, ["s"], { transform: "orders", per: "wheel.angle" }), [, ox, oy] = orders.curves[0];
  const beside = ox.reduce((m, v, i) => (Math.abs(v - 1) > 0.1 && v < 3 ? Math.max(m, oy[i]) : m), 0);
  check(beside < 2e-6, `orders beside the first one: ${beside}`);
  const dense = await draw(p, ["d"], {});
  check(dense.pixels > 30000 && dense.slits === 0, `a dense curve has slits: ${dense.slits} of ${dense.pixels} pixels`);
  check(dense.note.includes("d is not in travel.h5"), `a channel that one run lacks: ${dense.note}`);
  const log = await draw(p, ["falls"], { log: true }), named = log.ticks.map((t, i) => [t, log.splits[i]]).filter(([t]) => t !== "");
  check(named.length > 3 && named.every(([t, v]) => Math.abs(Number(t) / v - 1) < 1e-9), `ticks of a logarithmic axis: ${log.ticks}`);
  const holes = file.get("hole").filter((v) => Number.isNaN(v)).length, spectral = await draw(p, ["hole", "s"], { transform: "spectrum" });
  check(holes > 10000 && spectral.note.includes(`hole has no value in ${holes} of 100001 rows`) && !spectral.note.includes("s has no value"), `spectrum of a channel with ${holes} holes: ${spectral.note}`);
  await close();
}

// ---- a mesh with a triangle that faces inwards, and one with all of them: as if all faced outwards ----
{
  const V = [[0, 0, 0], [2, 0, 0], [2, 1, 0], [0, 1, 0], [0, 0, 1], [0, 1, 1]], T = [[0, 2, 1], [0, 3, 2], [0, 1, 4], [3, 5, 2], [1, 2, 5], [1, 5, 4], [0, 4, 5], [0, 5, 3]], turned = ([a, b, c]) => [a, c, b];
  const stl = (name, list) => writeFileSync(join(work, name), `solid w\n${list.map((t) => `facet normal 0 0 0\nouter loop\n${t.map((i) => `vertex ${V[i].join(" ")}`).join("\n")}\nendloop\nendfacet\n`).join("")}endsolid w\n`);
  const stills = [];
  for (const [name, list] of [["outwards", T], ["one", T.map((t, i) => (i === 2 ? turned(t) : t))], ["inwards", T.map(turned)], ["open", T.slice(0, 7).map(turned)]]) {
    stl("w.stl", list);
    const { page: p, close } = await page("mesh", `bodies: {w: {mass: 1 kg, inertia: [1 kg*m^2, 1 kg*m^2, 1 kg*m^2], shape: {type: mesh, file: w.stl, unit: 1 m}}}\nanalysis: {duration: 1 ms}\n`);
    stills.push([name, await p.evaluate(async () => { hooke.view.fit("oblique"); const i = new Image(); i.src = hooke.view.still(); await i.decode(); const c = Object.assign(document.createElement("canvas"), { width: i.width, height: i.height }).getContext("2d"); c.drawImage(i, 0, 0); return Array.from(c.getImageData(0, 0, i.width, i.height).data.filter((_, k) => k % 4 === 0)); })]);
    await close();
  }
  for (const [name, picture] of stills.slice(1)) {
    const other = picture.reduce((n, v, i) => n + (Math.abs(v - stills[0][1][i]) > 8 ? 1 : 0), 0);
    check(new Set(stills[0][1]).size > 20 && other < 2e-3 * picture.length, `a mesh with triangles inwards (${name}) differs in ${other} of ${picture.length} pixels`);
  }
  run("export", "mesh.h5", "--glb", "mesh.glb");
  check(readFileSync(join(work, "mesh.glb"), "latin1").includes('"doubleSided": true'), "a mesh from a file is drawn from both sides in glTF");
}
// ---- watch: a reader that is slower than the run, as a browser on a busy machine, receives the run to its end ----
{
  writeFileSync(join(work, "slow.yaml"), `format: 1\nparameters: {u: 1 s}\nbodies: {bob: {type: point_mass, mass: 1 kg, position: [1 m, 0, 0]}}\njoints: {s: {type: distance, a: ground, b: bob, length: 1 m}}\nforces: {g: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}}\nanalysis: {duration: 4 s, output_step: 0.1 ms}\n`);
  const child = spawn(hooke, ["watch", "slow.yaml", "--no-browser", "-o", "slow.h5"], { cwd: work }), ended = new Promise((r) => child.on("exit", r));
  let said = "";
  const address = await new Promise((r) => child.stdout.on("data", (x) => { said += x; if (said.includes("\n")) r(said.trim()); })), began = Date.now();
  const text = await new Promise((r) => get(`${address}events`, (answer) => {
    let all = "", bytes = 0;
    answer.on("data", (x) => { all += x; bytes += x.length; const ahead = bytes / 750 - (Date.now() - began); if (ahead > 20) { answer.pause(); setTimeout(() => answer.resume(), ahead); } });
    answer.on("close", () => r(all));
    answer.on("error", () => r(all));
  }));
  const code = await ended, events = text.split("\n\n").filter((e) => e.startsWith("data: ")).map((e) => { try { return JSON.parse(e.slice(6)); } catch { return null; } }), last = events[events.length - 1], times = events.flatMap((e) => e?.times ?? []);
  const file = table("slow.h5", "^bob\\.x$").get("time");
  check(Date.now() - began > 17000, `the reader was not slow: ${Date.now() - began} ms for ${text.length} bytes`);
  check(code === 0 && last?.end === true && last.status.startsWith("finished") && times.length === file.length && times.every((t, i) => t === file[i]), `watch ended before a slow reader had everything: ${times.length} of ${file.length} rows, ${JSON.stringify(last)?.slice(-60)}`);
}
await browser.close();
console.log(`${counts.checks} checks, ${counts.failures} failures`);
process.exit(counts.failures ? 1 : 0);
