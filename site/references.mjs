// The page of references from docs/refs.bib, and links to it from citations such as [Haug1989, ch. 9].
import { escape } from './highlight.mjs';
import { relative } from './template.mjs';

const accents = { '"': '\u0308', "'": '\u0301', '`': '\u0300', '^': '\u0302', '~': '\u0303', c: '\u0327', v: '\u030c' };

// LaTeX as far as titles and names use it.
const plain = (tex) => tex
  .replace(/\{?\\(["'`^~]|[cv](?=[\s{]))\s*\{?(\\?[a-zA-Z])\}?\}?/g, (_, mark, letter) => (letter.replace('\\', '') + accents[mark]).normalize('NFC'))
  .replace(/\\ss\b/g, 'ß').replace(/\\o\b\s*/g, 'ø').replace(/\\&/g, '&').replace(/---?/g, '–').replace(/[{}]/g, '').replace(/\s+/g, ' ').trim();

export function read_references(text) {
  const entries = [];
  for (const [, kind, key, body] of text.matchAll(/^@(\w+)\{([^,\s]+),([\s\S]*?)\n\}/gm)) {
    const field = {};
    for (const [, name, value] of body.matchAll(/(\w+)\s*=\s*\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*)\}/g)) field[name.toLowerCase()] = plain(value);
    entries.push({ key, kind, ...field });
  }
  return entries.sort((a, b) => (a.key < b.key ? -1 : 1));
}

const authors = (list) => (list ?? '').split(' and ').map((name) => name.split(', ').reverse().join(' ')).join(', ');

export function reference_page(entries) {
  const line = (e) => {
    const where = [e.journal ?? e.booktitle ?? e.publisher ?? e.institution ?? e.school ?? e.howpublished, e.volume, e.pages && `pp. ${e.pages}`, e.year, e.note].filter(Boolean).join(', ');
    return `<li id="${e.key}"><b>${escape(e.key)}</b> ${e.author ? `${escape(authors(e.author))}: ` : ''}<cite>${escape(e.title ?? '')}</cite>${where ? `. ${escape(where)}` : ''}.</li>`;
  };
  return {
    url: 'references.html', title: 'References', headings: [],
    sections: entries.map((e) => ({ id: e.key, title: e.key, text: `${e.author ?? ''} ${e.title ?? ''} ${e.year ?? ''}` })),
    html: `<h1 id="references">References</h1>\n<ul class="references">\n${entries.map(line).join('\n')}\n</ul>\n`,
  };
}

// [Key], [Key, eq. 3] and [Key1; Key2]: each key leads to its entry.
export function cite(html, url, keys) {
  return html.replace(/\[([^\][<>]*)\]/g, (all, inside) => {
    let found = false;
    const linked = inside.replace(/[A-Za-z][\w-]*/g, (word) => {
      if (!keys.has(word)) return word;
      found = true;
      return `<a href="${relative(url, `references.html#${word}`)}">${word}</a>`;
    });
    return found ? `[${linked}]` : all;
  });
}
