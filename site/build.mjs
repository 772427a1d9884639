// Builds the documentation as static pages: docs/**/*.md in the order of docs/contents.md, the types and commands as the
// program describes them, the example files with their reports.
// usage: node site/build.mjs --hooke FILE --out FOLDER [--reports all|none|EXAMPLE,...] [--cache FOLDER] [--limit SECONDS]
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { escape, highlight } from './highlight.mjs';
import { markdown, slug } from './markdown.mjs';
import { relative, render } from './template.mjs';
import { command_page, type_pages } from './types.mjs';
import { cite, read_references, reference_page } from './references.mjs';
import { example_pages, live, make_report, read_examples } from './examples.mjs';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.dirname(here);
const docs = path.join(root, 'docs');
const { values: option } = parseArgs({
  options: {
    hooke: { type: 'string', default: path.join(root, 'build/hooke') },
    out: { type: 'string', default: path.join(root, 'build/site') },
    cache: { type: 'string', default: path.join(root, 'build/site_reports') },
    reports: { type: 'string', default: 'all' },
    limit: { type: 'string', default: '5' },
  },
});

const problems = [];
const read = (file) => fs.readFileSync(file, 'utf8');
const walk = (dir) => fs.readdirSync(dir, { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? walk(path.join(dir, entry.name)) : [path.join(dir, entry.name)]));
const url_of = (file) => path.relative(docs, file).replace(/\.md$/, '.html');

// ---- contents: sections and their pages, in order ----------------------------------------------------------------

function read_contents() {
  const sections = [];
  for (const line of read(path.join(docs, 'contents.md')).split('\n')) {
    const head = /^## (.*)/.exec(line);
    const item = /^\s*- \[([^\]]+)\]\(([^)#]+\.md)\)/.exec(line);
    if (head) sections.push({ title: head[1], pages: [] });
    else if (item) sections.at(-1).pages.push({ label: item[1], file: path.join(docs, item[2]) });
  }
  const listed = new Set(sections.flatMap((s) => s.pages.map((p) => p.file)));
  for (const file of listed) if (!fs.existsSync(file)) problems.push(`docs/contents.md: there is no page ${path.relative(docs, file)}`);
  const other = walk(docs).filter((f) => f.endsWith('.md') && !listed.has(f) && !['index.md', 'contents.md'].includes(path.relative(docs, f))).sort();
  if (other.length) sections.push({ title: 'Other pages', pages: other.map((file) => ({ file })) });
  for (const s of sections) s.pages = s.pages.filter((p) => fs.existsSync(p.file));
  return sections;
}

// ---- links ---------------------------------------------------------------------------------------------------------

const examples = read_examples(root);
const example_by_path = new Map(examples.map((e) => [e.path, e]));
const moved = new Map(); // "page.html#anchor" -> address, for pages that are split
const assets = new Set();

// Link of a Markdown page -> link of the site.  Files outside of docs and examples have no page: their text remains.
function linker(file, url) {
  return (target) => {
    if (/^[a-z]+:/.test(target)) return { href: target };
    const [name, hash] = target.split('#');
    const goal = name === '' ? file : path.join(path.dirname(file), name);
    const inside = path.relative(root, goal);
    if (!fs.existsSync(goal)) {
      problems.push(`${path.relative(root, file)}: no ${target}`);
      return {};
    }
    if (inside.startsWith('docs/')) {
      if (!goal.endsWith('.md')) {
        assets.add(path.relative(docs, goal));
        return { href: relative(url, path.relative(docs, goal)) };
      }
      const page = url_of(goal);
      const address = hash ? moved.get(`${page}#${hash}`) ?? `${page}#${hash}` : page;
      return { href: relative(url, address) };
    }
    if (example_by_path.has(inside) && !inside.endsWith('.csv')) return { href: relative(url, example_by_path.get(inside).url) };
    if (inside.startsWith('examples')) return { href: relative(url, `examples/index.html#${inside.replace(/\/$/, '').replace(/\//g, '-')}`) };
    return {};
  };
}

// ---- pages of docs/ ------------------------------------------------------------------------------------------------

// Long references: their sections become pages of their own.
const split_pages = new Set(['validation.md', 'develop/api.md']);

function split(file) {
  const [head, ...parts] = read(file).split(/^(?=## )/m);
  const base = url_of(file).replace(/\.html$/, '');
  // Sections up to the mark stay on the first page.
  const at = parts.findIndex((part) => !part.includes('<!-- keep on the first page -->'));
  const kept = [head, ...parts.slice(0, at)].join('');
  const children = parts.slice(at).map((part) => {
    const title = /^## (.*)/.exec(part)[1];
    return { title, url: `${base}/${slug(title)}.html`, anchor: slug(title), source: part.replace(/^(#+)#/gm, '$1') };
  });
  for (const child of children) {
    moved.set(`${base}.html#${child.anchor}`, child.url);
    for (const m of child.source.matchAll(/^##+ (.*)/gm)) moved.set(`${base}.html#${slug(m[1])}`, `${child.url}#${slug(m[1])}`);
  }
  return { kept, children };
}

const sections = read_contents();
sections.unshift({ title: 'Start', pages: [{ label: 'Start', file: path.join(docs, 'index.md') }, { label: 'All pages', file: path.join(docs, 'contents.md') }] });
const pages = [];
const splits = new Map();
for (const item of sections.flatMap((s) => s.pages)) {
  if (split_pages.has(path.relative(docs, item.file))) splits.set(item.file, split(item.file));
}

function page_of(file, url, source, extra = {}) {
  const { html, headings, sections: parts, title } = markdown(source, linker(file, url));
  const page = { url, title, html, headings, sections: parts, ...extra };
  pages.push(page);
  return page;
}
for (const section of sections) {
  section.pages = section.pages.map(({ file, label }) => {
    const url = url_of(file);
    const parts = splits.get(file);
    if (!parts) return Object.assign(page_of(file, url, read(file)), { label });
    const list = parts.children.map((c) => `- [${c.title}](#${c.anchor})`).join('\n');
    const page = Object.assign(page_of(file, url, `${parts.kept}\n## Details\n\n${list}\n`), { label });
    page.children = parts.children.map((child) => page_of(file, child.url, child.source, { parent: url }));
    return page;
  });
}

// ---- generated pages -----------------------------------------------------------------------------------------------

fs.rmSync(option.out, { recursive: true, force: true });
fs.mkdirSync(option.out, { recursive: true });
const wanted = option.reports.split(',');
for (const example of examples.filter((e) => e.is_model)) {
  if (option.reports !== 'all' && !wanted.includes(example.path)) continue;
  const file = make_report(option.hooke, example, option.cache, Number(option.limit));
  if (!file) continue;
  example.report = `reports/${example.id}.html`;
  example.report_size = fs.statSync(file).size;
  fs.mkdirSync(path.join(option.out, 'reports'), { recursive: true });
  fs.copyFileSync(file, path.join(option.out, example.report));
}
const types = type_pages(option.hooke, examples);
const type_urls = new Map(types.pages.map((p) => [p.title, p.url]));
const shown = example_pages(examples, (name) => type_urls.get(name));
const look_up = sections.find((s) => s.title === 'Look up') ?? sections.at(-1);
types.index.children = types.pages;
shown.index.children = shown.pages;
const references = read_references(read(path.join(docs, 'refs.bib')));
const commands = command_page(option.hooke);
const bibliography = reference_page(references);
look_up.pages.push(types.index, commands, shown.index, bibliography);
pages.push(types.index, ...types.pages, commands, shown.index, ...shown.pages, bibliography);

// A click on a picture of the gallery replaces the picture by the report.
const gallery = pages.find((p) => p.url === 'gallery.html');
if (gallery) {
  const cards = examples.filter((e) => e.picture).map((e) =>
    `<figure class="card">${live(e, '')}<figcaption><a href="${e.url}">${escape(e.title)}</a></figcaption></figure>`).join('\n');
  gallery.html = gallery.html.replace(/<div class="table"><table class="cards">[\s\S]*<\/table><\/div>/, `<div class="gallery">${cards}</div>`);
  for (const e of examples) if (e.picture) assets.add(e.picture);
}

// ---- `docs/page.md` in a text becomes a link to this page ----------------------------------------------------------------------

const known = new Set(pages.map((p) => p.url));
for (const page of pages) {
  page.html = page.html.replace(/(<a [^>]*>)?<code>docs\/([\w/-]+)\.md<\/code>/g, (all, link, name) =>
    (link || !known.has(`${name}.html`) ? all : `<a href="${relative(page.url, `${name}.html`)}">${escape(pages.find((p) => p.url === `${name}.html`).title)}</a>`));
}

const keys = new Set(references.map((entry) => entry.key));
for (const page of pages) {
  // Not inside of code, and not in the list itself.
  if (page !== bibliography) page.html = page.html.split(/(<(?:pre|code)[\s\S]*?<\/(?:pre|code)>)/).map((part, i) => (i % 2 ? part : cite(part, page.url, keys))).join('');
}

// ---- links to types: `name` in a page becomes a link to the page of the type, if the name is unique ----------------------

for (const page of pages) {
  if (page.url.startsWith('types/') || page.url.startsWith('examples/') || page.url === 'cli.html') continue;
  const seen = new Set();
  page.html = page.html.replace(/(<a [^>]*>)?<code>([a-z]\w*_\w+)<\/code>/g, (all, link, name) => {
    if (link || !type_urls.has(name) || seen.has(name)) return all;
    seen.add(name);
    return `<a class="type" href="${relative(page.url, type_urls.get(name))}"><code>${name}</code></a>`;
  });
}

// ---- long names in running text and tables may be broken after an underscore, a dot or a slash, not within a word ----------

const breakable = (code) => code.replace(/([_./])(?=\w{2})/g, '$1<wbr>');
for (const page of pages) {
  page.html = page.html.split(/(<pre[\s\S]*?<\/pre>)/).map((part, i) => (i % 2 ? part
    : part.replace(/<code>([^<]*)<\/code>/g, (all, code) => `<code>${breakable(code)}</code>`))).join('');
}

// ---- write -----------------------------------------------------------------------------------------------------------

const order = sections.flatMap((s) => s.pages.flatMap((p) => [p, ...(p.children ?? [])]));
const parent_of = new Map(sections.flatMap((s) => s.pages.flatMap((p) => (p.children ?? []).map((c) => [c, p]))));
for (const [i, page] of order.entries()) {
  const section = sections.find((s) => s.pages.includes(page) || s.pages.includes(parent_of.get(page)));
  const parent = parent_of.get(page);
  const crumbs = [{ title: section.title }, ...(parent ? [{ title: parent.label ?? parent.title, url: parent.url }] : [])];
  const file = path.join(option.out, page.url);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, render(page, sections, { previous: order[i - 1], next: order[i + 1], crumbs }));
}
for (const asset of assets) {
  const file = path.join(option.out, asset);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.copyFileSync(path.join(docs, asset), file);
}
for (const name of ['style.css', 'site.js', 'search.js']) fs.copyFileSync(path.join(here, 'client', name), path.join(option.out, name));

// Weight of a page in the search: guides before the reference, listings last.
const weight = (url) => (/^(examples|validation)\//.test(url) ? 0.6 : /^(types|cli)/.test(url) ? 1 : /^(theory|results|benchmarks|contents)/.test(url) ? 0.9 : 1.3);
const index = {
  pages: order.map((p) => [p.url, p.title, weight(p.url)]),
  entries: order.flatMap((p, i) => (p.sections ?? []).map((s) => [i, s.id, s.title, s.text])),
};
fs.writeFileSync(path.join(option.out, 'search-index.js'), `var hooke_index=${JSON.stringify(index)};\n`);

for (const problem of problems) console.error(`script/site: ${problem}`);
console.log(`script/site: ${order.length} pages in ${path.relative(process.cwd(), path.join(option.out, 'index.html'))}`);
process.exit(problems.length ? 1 : 0);
