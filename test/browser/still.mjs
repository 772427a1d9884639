// Stills of pages: node still.mjs CHROMIUM WIDTH HEIGHT PAGE.html PICTURE.png [PAGE PICTURE ...]
// The mechanism alone, at 40 % of the run, on white.
import { writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { launch } from "./browser.mjs";

const [browserPath, width, height, ...files] = process.argv.slice(2);
const browser = await launch(browserPath);
const page = await browser.newPage({ viewport: { width: 1200, height: 900 }, colorScheme: "light", reducedMotion: "reduce" });
for (let i = 0; i + 1 < files.length; i += 2) {
  await page.goto("file://" + resolve(files[i]), { timeout: 120000 });
  await page.waitForSelector("html[data-ready=true]", { timeout: 120000 });
  const data = await page.evaluate(([w, h]) => {
    const v = hooke.view;
    if (!v) return null;
    document.documentElement.style.setProperty("--stage", "#ffffff");
    v.recolour();
    v.holder.style.width = `${w}px`;
    v.holder.style.height = `${h}px`;
    v.holder.style.minHeight = "0";
    v.resize();
    hooke.cursor.seek(hooke.cursor.start + 0.4 * (hooke.cursor.end - hooke.cursor.start));
    v.fit("oblique");
    v.update(hooke.cursor.state.t);
    return v.still();
  }, [Number(width), Number(height)]);
  if (data) writeFileSync(files[i + 1], Buffer.from(data.split(",")[1], "base64"));
  else console.error(`${files[i]} shows nothing`);
}
await browser.close();
