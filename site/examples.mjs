// Pages of the example files: the text, its picture and its live report.
import fs from 'node:fs';
import path from 'node:path';
import { spawnSync } from 'node:child_process';
import { escape, highlight } from './highlight.mjs';

const walk = (dir) => fs.readdirSync(dir, { withFileTypes: true })
  .sort((a, b) => (a.name < b.name ? -1 : 1))
  .flatMap((entry) => (entry.isDirectory() ? walk(path.join(dir, entry.name)) : [path.join(dir, entry.name)]));

const name_of = (file) => file.replace(/^examples\//, '').replace(/\.\w+$/, '').replace(/\//g, '_');

// Types that a model file uses, as "section:type": the section is the key in the first column.
function uses(text) {
  const used = new Set();
  let section = '';
  for (const line of text.split('\n')) {
    const key = /^(\w+):/.exec(line);
    if (key) section = key[1];
    for (const match of line.replace(/#.*/, '').matchAll(/\btype:\s*(\w+)/g)) {
      used.add(`${section}:${match[1]}`);
      // Shapes are written inside bodies, parts of any section inside assemblies.
      if (/shapes?:/.test(line)) used.add(`shapes:${match[1]}`);
      if (section === 'assemblies' || section === 'format' || section === 'parts') {
        for (const s of ['bodies', 'joints', 'forces', 'contacts', 'laws', 'sensors']) used.add(`${s}:${match[1]}`);
      }
    }
  }
  return used;
}

export function read_examples(root) {
  return walk(path.join(root, 'examples'))
    .filter((file) => /\.(yaml|c|csv)$/.test(file))
    .map((file) => {
      const name = path.relative(root, file);
      const text = fs.readFileSync(file, 'utf8');
      const title = (/^title:\s*(.*)$/m.exec(text)?.[1] ?? '').replace(/^"|"$/g, '') || path.basename(name);
      const id = name_of(name);
      const picture = fs.existsSync(path.join(root, 'docs/gallery', `${id}.png`)) ? `gallery/${id}.png` : undefined;
      return {
        path: name, file, text, title, id, picture, url: `examples/${id}${name.endsWith('.yaml') ? '' : `_${path.extname(name).slice(1)}`}.html`,
        is_model: name.endsWith('.yaml') && /^title:/m.test(text) && !name.startsWith('examples/studies/'),
        uses: uses(text),
        steppers: new Set([...text.matchAll(/\b(?:stepper|integrator):\s*(\w+)/g)].map((m) => m[1])),
      };
    });
}

// The report of a model: the report of a run if the run ends within the time limit or has written results, otherwise that of the model as placed.
export function make_report(hooke, example, folder, limit) {
  const page = path.join(folder, `${example.id}.html`);
  const newest = Math.max(fs.statSync(example.file).mtimeMs, fs.statSync(hooke).mtimeMs);
  if (fs.existsSync(page) && fs.statSync(page).mtimeMs > newest) return page;
  fs.mkdirSync(folder, { recursive: true });
  const results = path.join(folder, `${example.id}.h5`);
  fs.rmSync(results, { force: true });
  spawnSync(hooke, ['run', example.file, '-q', '-o', results], { timeout: limit * 1000, killSignal: 'SIGINT', stdio: 'ignore' });
  let made = fs.existsSync(results) && spawnSync(hooke, ['report', results, '-o', page], { stdio: 'ignore' }).status === 0;
  fs.rmSync(results, { force: true });
  made ||= spawnSync(hooke, ['view', example.file, '-o', page], { stdio: 'ignore' }).status === 0;
  return made ? page : undefined;
}

// A picture that a click replaces by the 3D page, so that a page with many pictures loads quickly.
export function live(example, prefix) {
  const image = example.picture ? `<img src="${prefix}${example.picture}" alt="${escape(example.title)}" loading="lazy">` : '';
  if (!example.report) return `<div class="live">${image}</div>`;
  const size = (example.report_size / 1e6).toFixed(1);
  return `<div class="live" data-src="${prefix}${example.report}" data-title="${escape(example.title)}">${image}<button type="button">▶ 3D report (${size} MB)</button></div>`;
}

export function example_pages(examples, type_url) {
  const pages = examples.filter((e) => !e.path.endsWith('.csv')).map((example) => {
    const language = example.path.endsWith('.c') ? 'c' : 'yaml';
    let after_type = false;
    const code = highlight(example.text.trimEnd(), language);
    const linked = language === 'yaml'
      ? code.replace(/(<span class="hl-key">type<\/span>:\s*)(\w+)/g, (all, key, name) => {
        const url = type_url(name, example);
        return url ? `${key}<a href="../${url}">${name}</a>` : all;
      }) : code;
    const command = example.is_model ? `<pre class="language-sh"><code><span class="hl-prompt">$ </span>hooke run ${escape(example.path)}</code></pre>\n`
      : example.path.startsWith('examples/studies/') ? `<pre class="language-sh"><code><span class="hl-prompt">$ </span>hooke study ${escape(example.path)}</code></pre>\n` : '';
    return {
      url: example.url, title: example.title, parent: 'examples/index.html', headings: [],
      sections: [{ id: '', title: example.title, text: `${example.path} ${(example.text.match(/#[^\n]*/g) ?? []).join(' ').replace(/#/g, '')}` }],
      html: `<h1>${escape(example.title)}</h1>\n<p class="dim">${escape(example.path)}</p>\n${
        example.picture || example.report ? live(example, '../') : ''}${command}<pre class="language-${language}"><code>${linked}</code></pre>\n`,
    };
  });
  const folders = [...new Set(examples.map((e) => path.dirname(e.path)))];
  const index = {
    url: 'examples/index.html', title: 'Example files', sections: [{ id: '', title: 'Example files', text: folders.join(' ') }],
    headings: folders.map((f) => ({ level: 2, id: f.replace(/\//g, '-'), text: f })),
    html: `<h1 id="example-files">Example files</h1>\n<p>All files of <code>examples/</code>. The <a href="../gallery.html">gallery</a> shows them as pictures and live reports.</p>\n${folders
      .map((f) => `<h2 id="${f.replace(/\//g, '-')}"><code>${f}</code></h2><ul>${examples.filter((e) => path.dirname(e.path) === f)
        .map((e) => (e.path.endsWith('.csv') ? `<li>${escape(path.basename(e.path))}</li>` : `<li><a href="${path.basename(e.url)}">${escape(path.basename(e.path))}</a>${e.title !== path.basename(e.path) ? `: ${escape(e.title)}` : ''}</li>`)).join('')}</ul>`).join('\n')}`,
  };
  return { index, pages };
}
