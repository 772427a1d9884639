// The reference of the types and of the command line, generated from the output of the program.
import { execFileSync } from 'node:child_process';
import { escape } from './highlight.mjs';

const section_of = {
  body: 'bodies', joint: 'joints', force: 'forces', motion: 'motions', coupling: 'couplings', contact: 'contacts', law: 'laws',
  sensor: 'sensors', shape: 'shapes', measure: 'measures', analysis: 'analysis', stepper: 'analysis', integrator: 'analysis',
  table: 'tables', input: 'inputs', state: 'states', constraint: 'constraints',
};
const plural = (category) => {
  const word = { analysis: 'Analyses', body: 'Bodies' }[category] ?? `${category[0].toUpperCase()}${category.slice(1)}s`;
  return word;
};
const file_of = (type) => `types/${type.category}-${type.name}.html`;

// Texts of the tables use `code` and nothing else.
const text = (doc) => escape(doc ?? '').replace(/`([^`]+)`/g, '<code>$1</code>');

function parameters(type) {
  if (!type.parameters.length) return '<p>No parameters.</p>\n';
  const rows = type.parameters.map((p) => {
    const range = [p.range, p.choices && p.choices.join(', ')].filter(Boolean).join('; ');
    const fallback = p.required ? '<em>required</em>' : p.default !== undefined ? `<code>${escape(p.default)}</code>` : '';
    return `<tr id="p-${p.name}"><td><code>${escape(p.name)}</code></td><td>${text(p.doc)}</td><td data-label="kind">${escape(p.kind)}${p.count ? ` of ${p.count}` : ''}</td><td data-label="unit">${
      escape(p.unit ?? '')}</td><td data-label="default">${fallback}</td><td data-label="range">${escape(range)}</td></tr>`;
  });
  return `<div class="table"><table class="parameters"><thead><tr><th>parameter</th><th>meaning</th><th>kind</th><th>unit</th><th>default</th><th>range or choices</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>\n`;
}

function channels(type) {
  if (!type.channels.length) return '';
  // Components of one vector share a row.
  const rows = [];
  for (const channel of type.channels) {
    const last = rows.at(-1);
    if (last && last.doc === channel.doc && last.unit === channel.unit) last.names.push(channel.name);
    else rows.push({ names: [channel.name], doc: channel.doc, unit: channel.unit });
  }
  return `<h2 id="channels">Channels <a class="anchor" href="#channels">#</a></h2>
<p>Names of results and of quantities in expressions: write <code>OBJECT.CHANNEL</code>.</p>
<div class="table"><table><thead><tr><th>channel</th><th>meaning</th><th>unit</th></tr></thead>
<tbody>${rows.map((r) => `<tr><td>${r.names.map((n) => `<code>${escape(n)}</code>`).join(' ')}</td><td>${text(r.doc)}</td><td>${escape(r.unit ?? '')}</td></tr>`).join('\n')}</tbody></table></div>\n`;
}

function page(type, users) {
  const found = users.length
    ? `<ul>${users.slice(0, 12).map((u) => `<li><a href="../${u.url}">${escape(u.title)}</a> <span class="dim">${escape(u.path)}</span></li>`).join('')}</ul>${users.length > 12 ? `<p>and ${users.length - 12} more.</p>` : ''}\n`
    : '<p>No example file uses this type.</p>\n';
  const section = section_of[type.category];
  const assumptions = (type.assumptions ?? []).map((a) => `<li>${text(a)}</li>`).join('');
  return {
    url: file_of(type), title: type.name, parent: 'types/index.html', category: type.category,
    headings: [{ level: 2, id: 'parameters', text: 'Parameters' }, { level: 2, id: 'channels', text: 'Channels' }, { level: 2, id: 'examples', text: 'Examples' }]
      .filter((h) => h.id !== 'channels' || type.channels.length),
    sections: [{ id: '', title: `${type.name} (${type.category})`, text: `${type.doc} ${type.parameters.map((p) => `${p.name} ${p.doc}`).join(' ')}` },
      ...(type.channels.length ? [{ id: 'channels', title: `Channels of ${type.name}`, text: type.channels.map((c) => `${c.name} ${c.doc}`).join(' ') }] : [])],
    html: `<h1 id="${type.name}"><code>${escape(type.name)}</code> <span class="dim">${escape(type.category)}</span></h1>
<p>${text(type.doc)}</p>
${assumptions && `<p>Assumptions:</p><ul>${assumptions}</ul>`}
<p class="dim">${section ? `Section of the model file: <code>${section}</code>. ` : ''}${type.source ? `Source: ${text(type.source)}. ` : ''}On the command line: <code>hooke types ${escape(type.name)}</code>.</p>
<h2 id="parameters">Parameters <a class="anchor" href="#parameters">#</a></h2>
${parameters(type)}${channels(type)}<h2 id="examples">Examples <a class="anchor" href="#examples">#</a></h2>
${found}`,
  };
}

// One page per type and an index of them by category.
export function type_pages(hooke, examples) {
  const types = JSON.parse(execFileSync(hooke, ['types', '--json'], { encoding: 'utf8', maxBuffer: 1 << 28 }));
  const pages = types.map((type) => {
    const users = examples.filter((e) => e.uses.has(`${section_of[type.category] ?? ''}:${type.name}`) || (type.category === 'stepper' && e.steppers.has(type.name)));
    return page(type, users);
  });
  const categories = [...new Set(types.map((t) => t.category))];
  const html = `<h1 id="types">Types</h1>
<p>Every type of body, joint, force, contact and so on, with its parameters and channels: ${types.length} types, as <code>hooke types</code> lists them.</p>
${categories.map((c) => `<h2 id="${c}">${plural(c)} <a class="anchor" href="#${c}">#</a></h2>
<div class="table"><table><tbody>${types.filter((t) => t.category === c).map((t) => `<tr><td><a href="${t.category}-${t.name}.html"><code>${escape(t.name)}</code></a></td><td>${text(t.doc.split(/(?<=\.) /)[0])}</td></tr>`).join('\n')}</tbody></table></div>`).join('\n')}`;
  const index = {
    url: 'types/index.html', title: 'Types', html,
    headings: categories.map((c) => ({ level: 2, id: c, text: plural(c) })),
    sections: [{ id: '', title: 'Types', text: 'every type of body joint force contact law sensor shape measure' }],
  };
  return { index, pages };
}

// `hooke COMMAND --help` of all commands on one page.
export function command_page(hooke) {
  const help = (...words) => execFileSync(hooke, words, { encoding: 'utf8' });
  const overview = help('--help');
  const list = /commands:\n([\s\S]*?)\n\n/.exec(overview)[1].split('\n').map((line) => /^\s+(\S+)\s+(.*)$/.exec(line)).filter(Boolean)
    .filter((match) => match[1] !== 'help');
  const parts = list.map(([, name, doc]) => ({ name, doc, body: help(name, '--help') }));
  return {
    url: 'cli.html', title: 'Command line',
    headings: parts.map((p) => ({ level: 2, id: p.name, text: p.name })),
    sections: [{ id: '', title: 'Command line', text: overview }, ...parts.map((p) => ({ id: p.name, title: `hooke ${p.name}`, text: p.body }))],
    html: `<h1 id="command-line">Command line</h1>
<p>The help of every command, as <code>hooke COMMAND --help</code> prints it.</p>
<div class="table"><table><tbody>${parts.map((p) => `<tr><td><a href="#${p.name}"><code>${p.name}</code></a></td><td>${escape(p.doc)}</td></tr>`).join('\n')}</tbody></table></div>
${parts.map((p) => `<h2 id="${p.name}"><code>hooke ${p.name}</code> <a class="anchor" href="#${p.name}">#</a></h2>\n<pre><code>${escape(p.body.trimEnd())}</code></pre>`).join('\n')}`,
  };
}
