// Checks a built site: node site_check.mjs FOLDER
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const root = path.resolve(process.argv[2]);
const faults = [];
const walk = (dir) => fs.readdirSync(dir, { withFileTypes: true })
  .flatMap((entry) => (entry.isDirectory() ? walk(path.join(dir, entry.name)) : [path.join(dir, entry.name)]));
const pages = walk(root).filter((f) => f.endsWith('.html') && !f.startsWith(path.join(root, 'reports')));
const text = new Map(pages.map((f) => [f, fs.readFileSync(f, 'utf8')]));
const ids = new Map(pages.map((f) => {
  const all = [...text.get(f).matchAll(/\sid="([^"]*)"/g)].map((m) => m[1]);
  if (new Set(all).size !== all.length) faults.push(`${path.relative(root, f)}: an id occurs twice: ${all.find((x, i) => all.indexOf(x) !== i)}`);
  return [f, new Set(all)];
}));

// ---- links and resources
const reached = new Set([path.join(root, 'index.html')]);
const queue = [...reached];
for (const file of pages) {
  const name = path.relative(root, file);
  const body = text.get(file);
  for (const [, kind, target] of body.matchAll(/<[^>]*?\s(href|src|data-src)="([^"]*)"/g)) {
    if (target.startsWith('data:')) continue;
    if (/^(?:[a-z]+:)?\/\//i.test(target)) {
      if (kind !== 'href' || !/<a [^>]*$/.test(body.slice(0, body.indexOf(`${kind}="${target}"`)))) faults.push(`${name}: needs the network: ${target}`);
      continue;
    }
    const [where, hash] = target.replace(/&amp;/g, '&').split('#');
    const goal = where ? path.join(path.dirname(file), where) : file;
    if (!fs.existsSync(goal) || fs.statSync(goal).isDirectory()) faults.push(`${name}: no ${target}`);
    else if (hash && !ids.get(goal)?.has(decodeURIComponent(hash))) faults.push(`${name}: no anchor ${target}`);
  }
  if (/url\((?!["']?data:)/.test(body)) faults.push(`${name}: a resource in a style`);
  if (!/<header>[\s\S]*href="[^"]*index\.html"/.test(body)) faults.push(`${name}: no way back`);
  if (!body.includes('rel="prev"') && name !== 'index.html') faults.push(`${name}: no previous page`);
  if (/\u0001|\u0002|undefined|\[object /.test(body.replace(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, ''))) {
    const clean = body.replace(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>/g, '');
    if (/\u0001|\u0002|"undefined"|>undefined|\[object /.test(clean)) faults.push(`${name}: a value that is missing`);
  }
  // Markup that was not understood.
  const prose = body.replace(/<pre[\s\S]*?<\/pre>|<code>[\s\S]*?<\/code>|<script[\s\S]*?<\/script>/g, '');
  const left = /\]\([^)\s]+\)|^#{2,} |\*\*\w/m.exec(prose);
  if (left) faults.push(`${name}: Markdown that was not converted: ${prose.slice(left.index - 30, left.index + 40).replace(/\n/g, ' ')}`);
}
for (let file; (file = queue.pop()) !== undefined;) {
  for (const [, target] of text.get(file).matchAll(/<a [^>]*?href="([^"#]+)/g)) {
    const goal = path.join(path.dirname(file), target);
    if (text.has(goal) && !reached.has(goal)) {
      reached.add(goal);
      queue.push(goal);
    }
  }
}
for (const file of pages) if (!reached.has(file)) faults.push(`${path.relative(root, file)}: no page leads to it`);

// ---- search
const { hooke_search } = createRequire(import.meta.url)(path.join(root, 'search.js'));
const index = new Function(`${fs.readFileSync(path.join(root, 'search-index.js'), 'utf8')}; return hooke_index;`)();
const expected = {
  revolute: 'types/joint-revolute.html',
  cv_ball_joint: 'types/joint-cv_ball_joint.html',
  'hooke run': 'cli.html#run',
  'transmission error': 'gears.html',
  lyapunov: 'analysis/nonlinear.html',
  campbell: 'analysis/plots.html',
  'gear rig': 'validation/gear-rig.html',
  plugin: 'develop/extending.html',
  slurm: 'studies.html',
  'energy balance': 'accuracy.html',
  'measured torque': 'howto/measured-torque.html',
  'first model': 'tutorial.html',
};
for (const [query, page] of Object.entries(expected)) {
  const hits = hooke_search(index, query, 8).map((hit) => hit.url);
  if (!hits.some((url) => url === page || url.split('#')[0] === page)) faults.push(`search '${query}': ${page} is not among ${hits.join(' ')}`);
}
if (hooke_search(index, 'xyzzyx', 8).length) faults.push('the search finds a word that no page has');

for (const fault of faults) console.error(fault);
console.log(`${pages.length} pages, ${faults.length} faults`);
process.exit(faults.length ? 1 : 0);
