// Bundles src/ into dist/viewer.html: one page with everything in it but the data, which hooke writes where the
// marks stand.  The result depends on the sources and the versions in package-lock.json alone.
// usage: node build.mjs [--check]             --check: compare with what stands there, change nothing
//        node build.mjs --libraries FOLDER    with the sources of three and uplot in a folder and the esbuild of the system
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync, mkdirSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { createRequire } from "node:module";
import { resolve } from "node:path";

const { build } = createRequire(import.meta.url)("esbuild");
const here = new URL(".", import.meta.url).pathname;
const folder = process.argv.indexOf("--libraries") + 1;
const libraries = folder ? resolve(process.argv[folder]) : here + "node_modules";
const source = (path) =>
  path
    .replace(/^three$/, "three/src/Three.js")
    .replace(/^three\/addons/, "three/examples/jsm")
    .replace(/^uplot$/, "uplot/dist/uPlot.esm.js");
const sources = {
  name: "sources",
  setup: (b) => b.onResolve({ filter: /^(three|uplot)(\/|$)/ }, ({ path }) => ({ path: `${libraries}/${source(path)}` })),
};
const { outputFiles } = await build({
  entryPoints: [here + "src/main.ts"],
  bundle: true,
  minify: true,
  format: "iife",
  target: "es2022",
  legalComments: "none",
  write: false,
  logLevel: "warning",
  loader: { ".css": "text" },
  plugins: folder ? [sources] : [],
});
const script = outputFiles[0].text.trim();
const style = (readFileSync(libraries + "/uplot/dist/uPlot.min.css", "utf8") + readFileSync(here + "src/style.css", "utf8")).trim();
if (/<\/(script|style)/i.test(script + style)) throw new Error("the bundle would end its own element");
const hash = (text) => "'sha256-" + createHash("sha256").update(text).digest("base64") + "'";
const licences = ["three", "uplot"].map((name) => {
  const { version, license } = JSON.parse(readFileSync(`${libraries}/${name}/package.json`, "utf8"));
  return `${name} ${version} (${license})`;
});
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; img-src data: blob:; connect-src {{connect}}; base-uri 'none'; form-action 'none'`;
const page = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="hooke; contains ${licences.join(", ")}">
<title>{{title}}</title>
<style>${style}</style>
</head>
<body>
<noscript>This page shows a simulation by means of a script that it contains. Please allow scripts for it.</noscript>
{{data}}
<script>${script}</script>
</body>
</html>
`;
const path = here + "dist/viewer.html";
const size = gzipSync(page, { level: 9 }).length;
if (process.argv.includes("--check")) {
  if (readFileSync(path, "utf8") !== page) {
    console.error("viewer/dist/viewer.html is out of date: run `script/viewer`");
    process.exit(1);
  }
  if (size > 300e3) {
    console.error(`the page is ${size} bytes gzipped, more than 300 kB`);
    process.exit(1);
  }
} else {
  mkdirSync(here + "dist", { recursive: true });
  writeFileSync(path, page);
}
console.log(`viewer.html: ${page.length} bytes, ${size} gzipped`);
