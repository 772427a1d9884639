// Pages of hooke in a real browser: report, comparison, view, modes, watch.
// usage: node pages.mjs HOOKE SOURCE WORK CHROMIUM     WORK: an empty folder
import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { cpus, loadavg } from "node:os";
import { join } from "node:path";
import { check, command, counts, launch, opener } from "./browser.mjs";

const [hooke, source, work, browserPath] = process.argv.slice(2);
const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const run = command(hooke, work);

// ---- data ----
mkdirSync(work, { recursive: true });
const title = `</script><script>window.hacked=1</script><img src=x onerror="window.hacked=2"> "quoted" 'too' & \u0001`;
writeFileSync(join(work, "pendulum.yaml"), `format: 1
title: ${JSON.stringify(title)}
# </script><script>window.hacked=3</script> <!-- <b>bold</b>
parameters: {L: 1 m}
bodies:
  bob: {type: point_mass, mass: 1 kg, position: [-L, 0, 0]}
joints:
  string: {type: distance, a: ground, b: bob, length: L}
forces:
  weight: {type: gravity, acceleration: [0, -9.81 m/s^2, 0]}
measures:
  lowest: {of: bob.y, take: min}
analysis: {duration: 2 s, output_step: 10 ms}
`);
const odd = `a<img src=x onerror='window.hacked=4'>.h5`;
run("run", "pendulum.yaml", "-o", odd);
run("run", "pendulum.yaml", "--set", "L=80 cm", "-o", "b.h5");
run("run", join(source, "examples/cv_joint/plunging.yaml"), "--set", "revolutions=1", "-o", "cv.h5");
run("run", join(source, "examples/clearance/four_bar.yaml"), "-o", "play.h5");
run("run", "pendulum.yaml", "--set", "analysis.duration=20 s", "--set", "analysis.output_step=0.1 ms", "--record", "^bob\\.(x|y|z|vx|vy|vz|ax|ay)$", "-o", "long.h5");
run("run", join(source, "examples/ujoint_clearance/driveline.yaml"), "--set", "analysis.duration=0.2 s", "-o", "impacts.h5");
run("report", "--unit", "si", "impacts.h5", "-o", "impacts.html");
run("run", join(source, "examples/nonlinear/pendulum.yaml"), "--set", "analysis.duration=20 s", "--set", "analysis.output_step=1 ms", "-o", "turns.h5");
run("report", "--unit", "si", "turns.h5", "-o", "turns.html");
run("report", "--unit", "si", odd, "-o", "hostile.html");
run("report", "--unit", "si", "cv.h5", "-o", "cv.html");
run("report", "--unit", "si", "play.h5", "-o", "play.html");
run("report", "--unit", "si", "long.h5", "-o", "long.html");
run("report", "--unit", "si", odd, "b.h5", "-o", "compare.html");
run("view", join(source, "examples/tutorial/slider_crank.yaml"), "-o", "view.html");
run("view", join(source, "examples/linear/quarter_car.yaml"), "--modes", "-o", "modes.html");
run("view", join(source, "examples/cv_linear/hanging_body.yaml"), "--static", "-o", "static.html");

// ---- browser ----
const browser = await launch(browserPath), open = opener(browser, work);
const pixels = (page) => page.evaluate(() => {
  hooke.view.render();
  const c = document.createElement("canvas"), s = hooke.view.renderer.domElement;
  c.width = 200; c.height = 140;
  const x = c.getContext("2d");
  x.drawImage(s, 0, 0, 200, 140);
  return Array.from(x.getImageData(0, 0, 200, 140).data);
});
const differ = (a, b) => { let n = 0; for (let i = 0; i < a.length; i += 4) if (Math.abs(a[i] - b[i]) + Math.abs(a[i + 1] - b[i + 1]) + Math.abs(a[i + 2] - b[i + 2]) > 24) n++; return n; };
/** What the page itself draws of a mode, frame by frame, until 20 pixels have changed or `most` frames are over.  Frames are counted,
 *  not seconds: on a busy machine a second may have one frame, and two pictures one period apart are equal. */
const motion = (page, most) => page.evaluate(async (limit) => {
  const m = hooke.mechanisms[0], c = document.createElement("canvas"), frame = () => new Promise(requestAnimationFrame);
  c.width = 200; c.height = 140;
  const x = c.getContext("2d", { willReadFrequently: true });
  const picture = () => { x.drawImage(hooke.view.renderer.domElement, 0, 0, 200, 140); return x.getImageData(0, 0, 200, 140).data; };
  await frame(); await frame(); /* what was changed before is drawn one frame later */
  const rest = m.scene.bodies.map((b, i) => [0, 1, 2].map((k) => m.run.poses[7 * i + k][0])), first = picture(), phase = m.mode.phase, out = { frames: 0, pixels: 0, turned: 0, worst: 0 };
  while (out.pixels <= 20 && out.frames < limit) {
    await frame();
    const now = picture(), { shape, amplitude } = m.mode, cos = Math.cos(m.mode.phase), sin = Math.sin(m.mode.phase);
    let pixels = 0;
    for (let i = 0; i < now.length; i += 4) if (Math.abs(now[i] - first[i]) + Math.abs(now[i + 1] - first[i + 1]) + Math.abs(now[i + 2] - first[i + 2]) > 24) pixels++;
    m.bodies.forEach((b, i) => b.position.toArray().forEach((p, k) => { out.worst = Math.max(out.worst, Math.abs(p - rest[i][k] - amplitude * (cos * shape[12 * i + 2 * k] - sin * shape[12 * i + 2 * k + 1])) / amplitude); }));
    out.frames++;
    out.pixels = Math.max(out.pixels, pixels);
    out.turned = Math.max(out.turned, Math.abs(m.mode.phase - phase));
  }
  return out;
}, most);
async function accessible(page, name) {
  await page.evaluate(axe);
  const r = await page.evaluate(() => axe.run(document, { resultTypes: ["violations"] }));
  check(r.violations.length === 0, `${name}: axe-core finds ${r.violations.map((v) => `${v.id} (${v.nodes[0].html.slice(0, 120)})`).join("; ")}`);
}

// ---- the ball joint: sizes, poses, pixels, seeking, keys ----
{
  check(statSync(join(work, "cv.html")).size <= 3e6, `the report of the ball joint has ${statSync(join(work, "cv.html")).size} bytes`);
  const { page, close } = await open("cv.html");
  const calls = await page.evaluate(() => { hooke.view.render(); return hooke.view.renderer.info.render.calls; });
  check(calls > 3 && calls <= 100, `${calls} draw calls`);
  const carrying = await page.evaluate(() => { const T = hooke.runs[0].touches; return T.first[T.first.length - 1] / (T.first.length - 1); });
  check(carrying > 8, `the contacts of the ball joint carry no arrows: ${carrying} points per frame`);
  const names = await page.evaluate(() => hooke.header.runs[0].scene.bodies.map((b) => [b.name, b.kind, b.turn, b.axis, b.at]));
  const table = run("export", "cv.h5", "--csv", "-", "--match", "(\\.(x|y|z|q[wxyz])|\\.angle)$").trim().split("\n").map((l) => l.split(","));
  const column = new Map(table[0].map((h, i) => [h.replace(/ \[.*/, ""), i]));
  let worst = 0, times = 0;
  for (let k = 0; k < 20; k++) {
    const row = table[1 + Math.floor(Math.random() * (table.length - 1))], t = Number(row[0]);
    const seen = await page.evaluate((time) => { hooke.cursor.seek(time); return hooke.mechanisms[0].bodies.map((b) => [b.position.toArray(), b.quaternion.toArray()]); }, t);
    const v = (n) => Number(row[column.get(n)]);
    names.forEach(([name, kind, turn, axis, at], i) => {
      let x = at, q;
      if (kind === "turn") {
        const h = v(`${name}.angle`) / 2, [w, a, b, c] = turn, s = Math.sin(h), p = [Math.cos(h), s * axis[0], s * axis[1], s * axis[2]];
        q = [w * p[0] - a * p[1] - b * p[2] - c * p[3], w * p[1] + a * p[0] + b * p[3] - c * p[2], w * p[2] - a * p[3] + b * p[0] + c * p[1], w * p[3] + a * p[2] - b * p[1] + c * p[0]];
      } else { x = ["x", "y", "z"].map((c) => v(`${name}.${c}`)); q = ["qw", "qx", "qy", "qz"].map((c) => v(`${name}.${c}`)); }
      const [sx, sq] = seen[i], got = [sq[3], sq[0], sq[1], sq[2]], sign = Math.sign(got.reduce((a, c, j) => a + c * q[j], 0)) || 1;
      for (let j = 0; j < 3; j++) worst = Math.max(worst, Math.abs(sx[j] - x[j]));
      for (let j = 0; j < 4; j++) worst = Math.max(worst, Math.abs(sign * got[j] - q[j]));
      times++;
    });
  }
  check(times === 20 * names.length && worst < 1e-6, `poses differ from the file by ${worst}`);
  await page.evaluate(() => hooke.cursor.seek(0.02));
  const still = await pixels(page), back = Array.from(still.slice(0, 4));
  let away = 0;
  for (let i = 0; i < still.length; i += 4) if (Math.abs(still[i] - back[0]) + Math.abs(still[i + 1] - back[1]) > 30) away++;
  check(away > 1500, `only ${away} pixels differ from the background`);
  await page.evaluate(() => hooke.cursor.seek(0.137));
  check(differ(still, await pixels(page)) > 100, "the picture does not change from frame to frame");
  const before = await page.evaluate(() => { hooke.cursor.seek(0); return hooke.cursor.state.t; });
  const over = page.locator(".card .u-over").nth(1);
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  await page.mouse.click(box.x + 0.7 * box.width, box.y + 0.5 * box.height);
  const at = await page.evaluate(() => [hooke.cursor.state.t, hooke.cursor.end]);
  check(before === 0 && Math.abs(at[0] / at[1] - 0.7) < 0.08, `a click at 70 % of a curve moves the cursor to ${at[0]} of ${at[1]}`);
  await page.locator("h1").click();
  await page.keyboard.press("Home");
  check((await page.evaluate(() => hooke.cursor.state.t)) === 0, "Home does not go to the start");
  await page.keyboard.press("ArrowRight");
  check((await page.evaluate(() => hooke.cursor.state.t)) > 0, "the arrow key does not step");
  await page.keyboard.press(" ");
  await page.waitForTimeout(300);
  check(await page.evaluate(() => hooke.cursor.state.playing), "space does not play");
  await page.keyboard.press(" ");
  check(!(await page.evaluate(() => hooke.cursor.state.playing)), "space does not pause");
  await page.keyboard.press("n");
  check(await page.evaluate(() => hooke.view.labels), "n does not show names");
  await page.evaluate(() => { hooke.mechanisms[0].explode = 1; hooke.view.update(0.1); });
  check(await page.evaluate(() => hooke.view.readout.textContent.includes("pulled apart")), "pulling apart is not told");
  await accessible(page, "report, light");
  await close();
}

// ---- clearance: what is enlarged is told, the orbit is drawn ----
{
  const { page, close } = await open("play.html");
  const factor = page.getByLabel("clearance", { exact: true });
  await factor.fill("2");
  check(await page.evaluate(() => hooke.mechanisms[0].exaggerate === 100 && hooke.view.readout.textContent.includes("×100")), "the factor of exaggerated clearance is not shown");
  check((await page.getByText("orbit inside its clearance").count()) > 0, "there is no orbit");
  await page.locator(".units summary").click();
  await page.getByRole("combobox", { name: "lengths" }).selectOption("µm");
  check((await page.evaluate(() => document.querySelector(".u-axis, canvas") && hooke.cards.length)) > 0, "no plot after a change of units");
  const csv = await page.evaluate(() => hooke.cards[0].csvText());
  check(csv.split("\n").length > 100, "the table of a plot is empty");
  await page.locator(".card select").first().selectOption({ index: 1 }).catch(() => {});
  await close();
}

// ---- phase portraits: no chord across an impact, no panel of what never moves, the numbers are those of the file ----
{
  const { page, close } = await open("impacts.html");
  const seen = await page.evaluate(() => hooke.cards.filter((c) => c.plot.kind === "xy").map((c) => {
    const k = c.seen.curves[0], l = k.line;
    let gaps = 0, worst = 0;
    for (let i = 0; i + 1 < l.x.length; i++) { if (Number.isNaN(l.x[i])) gaps++; else if (!Number.isNaN(l.y[i + 1])) worst = Math.max(worst, Math.abs(l.y[i + 1] - l.y[i])); }
    return { title: c.plot.title, rows: k.x.length, gaps, worst, csv: c.csvText().trim().split("\n").length - 1, note: c.root.querySelector(".note").textContent, most: Math.max(...k.y.map(Math.abs)) };
  }));
  check(seen.length === 2 && seen.every((s) => s.title.endsWith("yoke a")), `portraits: ${seen.map((s) => s.title)}`);
  for (const s of seen) {
    check(s.rows === 2001 && s.csv === 2001, `${s.title}: ${s.rows} points, ${s.csv} lines of CSV`);
    check(s.gaps > 20 && s.note.startsWith(`Left open between ${s.gaps} of`), `${s.title}: ${s.gaps} impacts; ${s.note}`);
    check(s.worst < 0.25 * s.most, `${s.title}: a piece of the curve jumps by ${s.worst} of ${s.most}`);
  }
  await close();
}

// ---- once per turn: points of rows that the page has; of channels kept as least and greatest none ----
{
  const { page, close } = await open("turns.html");
  const seen = await page.evaluate(() => {
    const c = hooke.cards.find((k) => k.plot.kind === "xy"), turns = [...c.root.querySelectorAll("button")].find((b) => b.textContent === "once per turn"), note = () => c.root.querySelector(".note").textContent;
    const show = (x, y) => { [c.plot.x, c.plot.y] = [x, [y]]; c.build(); const k = c.seen.curves[0]; return { n: k.x.length, boxes: !!k.boxes, section: c.seen.section, note: note(), csv: c.csvText().trim().split("\n") }; };
    turns.click();
    const angle = hooke.runs[0].channel("hinge.angle"), turn = (v) => Math.floor(v / (2 * Math.PI));
    let begins = 0;
    for (let i = 1; i < angle.v.length; i++) begins += turn(angle.v[i]) !== turn(angle.v[i - 1]);
    const out = { begins, bins: hooke.runs[0].info.bins, full: angle.full, points: show("hinge.angle", "hinge.angle_rate"), boxes: show("bob.x", "bob.vx") };
    angle.full = false;
    return { ...out, unknown: show("hinge.angle_rate", "hinge.angle_rate") };
  });
  const { points, boxes, unknown } = seen;
  check(seen.full && seen.begins > 0 && points.n === seen.begins && !points.boxes, `once per turn: ${points.n} points of ${seen.begins} turns`);
  check(boxes.boxes && boxes.n === 2 * seen.bins && boxes.note.includes("once per turn is not known") && boxes.note.endsWith("hooke report --full '^(bob\\.x|bob\\.vx|hinge\\.angle)$'."), `boxes once per turn: ${boxes.note}`);
  check(boxes.csv.length === seen.bins + 1 && boxes.csv[0] === "least bob.x of bob.vx [m],greatest bob.x of bob.vx [m],least bob.vx [m/s],greatest bob.vx [m/s]", `boxes as CSV: ${boxes.csv[0]}, ${boxes.csv.length} lines`);
  check(boxes.csv.slice(1).every((l) => { const [a, b, p, q] = l.split(",").map(Number); return a <= b && p <= q; }), "boxes as CSV: least and greatest are mixed up");
  check(!unknown.section && unknown.note.startsWith("Not once per turn: of hinge.angle only"), `turns that are not known: ${unknown.note}`);
  await close();
}

// ---- long runs open quickly ----
{
  let best = Infinity;
  for (let k = 0; k < 4 && best > 2000; k++) { const p = await open("long.html"); best = Math.min(best, p.opened); if (k === 0) check(await p.page.evaluate(() => hooke.runs[0].channel("bob.x").v.length === 200001), "a long channel was cut"); await p.close(); }
  // Two seconds of a machine that has nothing else to do; of a busy one, two seconds of our share of it.
  const share = Math.max(1, loadavg()[0] / cpus().length), limit = 2000 * share;
  check(best <= limit, `8 x 200 000 samples open in ${best} ms, more than ${limit.toFixed(0)} ms`);
  console.log(`8 x 200 000 samples open in ${best} ms (load per processor ${share.toFixed(1)})`);
}

// ---- hostile texts do nothing ----
{
  const { page, close } = await open("hostile.html");
  check((await page.evaluate(() => window.hacked)) === undefined, "a text of the model was run");
  check((await page.locator("h1").textContent()).includes("</script>"), "the title is not shown as it is");
  check((await page.evaluate(() => document.querySelectorAll("img:not(.still), b").length)) === 0, "a text of the model became markup");
  check((await page.locator("pre").textContent()).includes("<b>bold</b>"), "the model file is not shown as it is");
  const blocked = await page.evaluate(() => fetch("https://example.org/").then(() => false, () => true));
  check(blocked, "the page can reach the network");
  await page.context().close();
}

// ---- comparison, view, modes, equilibrium, dark, print, less motion ----
{
  const c = await open("compare.html");
  check((await c.page.getByText("Measures compared").count()) === 1 && (await c.page.getByText("Differences: b.h5 from").count()) === 1, "two runs are not compared");
  check(await c.page.evaluate(() => hooke.mechanisms.length === 2 && hooke.mechanisms[1].ghost), "there is no ghost");
  await c.close();
  const v = await open("view.html");
  check(await v.page.evaluate(() => hooke.view.labels && document.querySelectorAll(".tag").length >= 6), "the model is shown without names");
  await accessible(v.page, "view");
  await v.close();
  const m = await open("modes.html", { reducedMotion: "no-preference" });
  const moved = await motion(m.page, 600);
  check(moved.pixels > 20, `the mode does not move: ${moved.pixels} pixels change in ${moved.frames} frames`);
  check(moved.turned > 0 && moved.worst < 1e-9, `bodies of the moving mode are off by ${moved.worst} of its size, phase by ${moved.turned}`);
  await m.page.getByRole("button", { name: "move", exact: true }).click();
  const held = await motion(m.page, 20);
  check(held.pixels === 0 && held.turned === 0, `the mode moves after it was stopped: ${held.pixels} pixels`);
  await accessible(m.page, "modes");
  await m.close();
  const quiet = await open("modes.html", { reducedMotion: "reduce" });
  const still = await motion(quiet.page, 20);
  check(still.frames === 20 && still.pixels === 0 && still.turned === 0, "something moves although less motion is asked for");
  await quiet.close();
  const s = await open("static.html");
  check((await s.page.locator(".status").textContent()) === "in equilibrium", "the equilibrium is not told");
  await s.close();
  const d = await open("cv.html", { colorScheme: "dark" });
  const shade = await d.page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  check(/rgb\((\d+), (\d+), (\d+)\)/.exec(shade).slice(1).every((x) => Number(x) < 60), `dark is ${shade}`);
  await accessible(d.page, "report, dark");
  await d.page.emulateMedia({ media: "print" });
  await d.page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  check(await d.page.evaluate(() => getComputedStyle(document.querySelector(".bar")).display === "none" && document.querySelector("img.still").src.length > 1000), "printing shows no still");
  await d.close();
  const small = await open("cv.html", { viewport: { width: 420, height: 800 } });
  check(await small.page.evaluate(() => document.documentElement.scrollWidth <= innerWidth + 1), "a narrow window scrolls sideways");
  await small.page.setViewportSize({ width: 420, height: 2200 });
  const tall = await small.page.evaluate(() => document.querySelector(".stage").getBoundingClientRect().height);
  check(tall >= 240 && tall <= 320, `in a tall narrow window the mechanism is ${tall} pixels high`);
  await small.close();
}

// ---- live ----
{
  const child = spawn(hooke, ["watch", "pendulum.yaml", "--no-browser"], { cwd: work });
  let text = "";
  const address = await new Promise((r) => child.stdout.on("data", (x) => { text += x; if (text.includes("\n")) r(text.trim()); }));
  const ended = new Promise((r) => child.on("exit", r));
  check((await fetch(address.replace(/[0-9a-f]{32}/, "0".repeat(32)))).status === 404, "another word opens the page");
  check((await fetch(address.replace("127.0.0.1", "127.0.0.1").replace(/\/[0-9a-f]{32}\//, "/"))).status === 404, "no word opens the page");
  const context = await browser.newContext(), page = await context.newPage();
  await page.goto(address);
  await page.waitForFunction(() => window.hooke && hooke.runs[0].t.length >= 201, null, { timeout: 20000 });
  check((await page.evaluate(() => hooke.cursor.end)) === 2, "not all rows came");
  check((await ended) === 0, "watch does not end with its run");
  await context.close();
}

// ---- files for other programs ----
run("export", "cv.h5", "--glb", "cv.glb", "--frames", "50");
run("export", "play.h5", "--glb", "play.glb");
const { validateBytes } = (await import("gltf-validator")).default;
for (const f of ["cv.glb", "play.glb"]) {
  const r = await validateBytes(new Uint8Array(readFileSync(join(work, f))));
  check(r.issues.numErrors === 0 && r.issues.numWarnings === 0 && r.info.animationCount === 1, `${f}: ${JSON.stringify(r.issues.messages.slice(0, 3))}`);
}
check(existsSync(join(work, "cv.glb")), "no glTF file");
await browser.close();
console.log(`${counts.checks} checks, ${counts.failures} failures`);
process.exit(counts.failures ? 1 : 0);
