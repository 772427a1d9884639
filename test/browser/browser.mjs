// A headless browser for tests of pages, and the checks they count.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { chromium } from "playwright-core";

export const launch = (path) => chromium.launch({
  executablePath: path,
  args: ["--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
});
export const counts = { checks: 0, failures: 0 };
export const check = (ok, text) => { counts.checks++; if (!ok) { counts.failures++; console.log(`FAILED: ${text}`); } };
export const command = (hooke, work) => (...args) => execFileSync(hooke, args, { cwd: work, encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "pipe"] });

/** Opens pages of the folder `work`, with less motion unless the options want it, so that a report does not begin to play; a word on the console or a request to the network is a failure. */
export const opener = (browser, work) => async (file, options = {}) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, reducedMotion: "reduce", ...options });
  const page = await context.newPage(), said = [];
  page.on("console", (m) => { if (["error", "warning"].includes(m.type()) && !/GPU stall|swiftshader|WebGL/i.test(m.text())) said.push(m.text()); });
  page.on("pageerror", (e) => said.push(e.message));
  page.on("request", (r) => { if (!/^(file|data|blob):/.test(r.url())) said.push(`asks the network for ${r.url()}`); });
  const began = Date.now();
  await page.goto(file.startsWith("http") ? file : "file://" + join(work, encodeURIComponent(file)));
  await page.waitForSelector("html[data-ready=true]", { timeout: 30000 });
  const opened = Date.now() - began;
  await page.evaluate(() => new Promise((r) => requestAnimationFrame(() => requestAnimationFrame(r))));
  return { page, said, opened, close: async () => { check(said.length === 0, `${file}: the console says: ${said.join(" | ")}`); await context.close(); } };
};
