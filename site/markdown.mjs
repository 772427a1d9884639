// Markdown -> HTML, as far as the pages of docs/ use it: headings with anchors, paragraphs, lists, tables, code,
// figures, quotes, links, emphasis.  Equations are written in Unicode and need nothing.
import { escape, highlight } from './highlight.mjs';

// The anchor of a heading, as GitHub forms it: links between pages work in both places.
export const slug = (text) =>
  text.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '').trim().replace(/ /g, '-');

const plain = (text) => text.replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/[`*\\]/g, '');

// Inline markup.  link(target) -> {href, missing}; a link without a target is replaced by its text.
function inline(text, link) {
  const kept = [];
  const keep = (html) => `\u0001${kept.push(html) - 1}\u0002`;
  let t = text
    .replace(/(`+)(.+?)\1/g, (_, ticks, code) => keep(`<code>${escape(code.trim())}</code>`))
    .replace(/\\([\\`*_{}[\]()#+.!|<>-])/g, (_, character) => keep(escape(character)))
    .replace(/<br\s*\/?>/g, () => keep('<br>'))
    .replace(/<(https?:[^>\s]+)>/g, (_, url) => keep(`<a href="${escape(url)}">${escape(url)}</a>`));
  t = escape(t);
  t = t.replace(/!\[([^\]]*)\]\(([^)\s]+)\)/g, (_, alt, target) => {
    const { href } = link(target);
    return keep(`<img src="${escape(href ?? target)}" alt="${alt}" loading="lazy">`);
  });
  t = t.replace(/\[([^\]]+)\]\(([^)\s]+)\)/g, (_, label, target) => {
    const { href } = link(target.replace(/&amp;/g, '&'));
    return href === undefined ? label : keep(`<a href="${escape(href)}">`) + label + keep('</a>');
  });
  t = t.replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, '<strong>$1</strong>');
  t = t.replace(/(^|[\s(\u0002>–—-])\*(?=[^\s*])([^*]*?[^\s*])\*(?![\w*])/g, '$1<em>$2</em>');
  while (/\u0001\d+\u0002/.test(t)) t = t.replace(/\u0001(\d+)\u0002/g, (_, i) => kept[i]);
  return t;
}

const cells = (line) =>
  line.trim().replace(/^\||\|$/g, '').split(/(?<!\\)\|/).map((cell) => cell.trim().replace(/\\\|/g, '|'));
const is_rule = (line) => line !== undefined && /^\s*\|?\s*:?-+:?\s*(\|\s*:?-+:?\s*)*\|?\s*$/.test(line) && line.includes('-');
const bullet = /^(\s*)([-*+]|\d+[.)])(\s+)(.*)$/;

const language_of = (code) => (/^\$ /m.test(code) ? 'sh' : '');

export function markdown(source, link = (target) => ({ href: target })) {
  const headings = []; // {level, id, text}
  const sections = []; // {id, title, text} for the search
  const used = new Map();
  let section = { id: '', title: '', text: '' };
  sections.push(section);
  const note = (text) => { section.text += ` ${plain(text)}`; };

  function heading(level, text) {
    let id = slug(plain(text));
    const count = used.get(id) ?? 0;
    used.set(id, count + 1);
    if (count) id = `${id}-${count}`;
    headings.push({ level, id, text: plain(text) });
    if (level === 1) section.title ||= plain(text);
    else sections.push((section = { id, title: plain(text), text: '' }));
    const anchor = level === 1 ? '' : ` <a class="anchor" href="#${id}" aria-label="link to this section">#</a>`;
    return `<h${level} id="${id}">${inline(text, link)}${anchor}</h${level}>\n`;
  }

  function code(text, language) {
    note(text.length < 4000 ? text : '');
    const name = language || language_of(text);
    return `<pre${name ? ` class="language-${name}"` : ''}><code>${highlight(text, name)}</code></pre>\n`;
  }

  function table(lines) {
    const head = cells(lines[0]);
    const align = cells(lines[1]).map((rule) => (/^-+:$/.test(rule) ? ' class="right"' : /^:-+:$/.test(rule) ? ' class="centre"' : ''));
    const row = (tag, line) => {
      const all = cells(line);
      // Numbers need no search; words do.
      note(all.filter((cell) => /[A-Za-z]{3}/.test(cell)).join(' '));
      return `<tr>${all.map((cell, i) => `<${tag}${align[i] ?? ''}>${inline(cell, link)}</${tag}>`).join('')}</tr>\n`;
    };
    const empty = head.every((cell) => cell === '');
    return `<div class="table"><table${empty ? ' class="cards"' : head.length > 6 ? ' class="dense"' : ''}>\n${empty ? '' : `<thead>${row('th', lines[0])}</thead>\n`}<tbody>\n${
      lines.slice(2).map((line) => row('td', line)).join('')}</tbody></table></div>\n`;
  }

  function list(lines) {
    const first = bullet.exec(lines[0]);
    const ordered = /\d/.test(first[2]);
    const items = [];
    let loose = false;
    for (const line of lines) {
      const match = bullet.exec(line);
      if (match && match[1].length <= first[1].length) items.push({ width: match[1].length + match[2].length + match[3].length, lines: [match[4]] });
      else items.at(-1).lines.push(line);
    }
    const body = items.map((item) => {
      const own = item.lines.map((line, i) => (i === 0 ? line : line.slice(Math.min(item.width, line.search(/\S|$/)))));
      while (own.at(-1) === '') own.pop();
      loose ||= own.includes('');
      return blocks(own);
    });
    const html = body.map((item) => `<li>${loose ? item : item.replace(/^<p>([\s\S]*?)<\/p>\n/, '$1\n').trimEnd()}</li>\n`).join('');
    return ordered ? `<ol${parseInt(first[2], 10) !== 1 ? ` start="${parseInt(first[2], 10)}"` : ''}>\n${html}</ol>\n` : `<ul>\n${html}</ul>\n`;
  }

  function paragraph(lines) {
    const text = lines.join('\n');
    note(text);
    const figure = /^!\[([^\]]*)\]\(([^)\s]+)\)$/.exec(text.trim());
    if (figure) {
      return `<figure>${inline(text.trim(), link)}<figcaption>${inline(figure[1], link)}</figcaption></figure>\n`;
    }
    return `<p>${inline(text, link)}</p>\n`;
  }

  function blocks(lines) {
    let html = '';
    let i = 0;
    while (i < lines.length) {
      const line = lines[i];
      let match;
      if (/^\s*$/.test(line)) {
        i++;
      } else if (/^<!--/.test(line)) {
        while (i < lines.length && !lines[i].includes('-->')) i++;
        i++;
      } else if ((match = /^(\s{0,3})(```+)\s*([\w+-]*)/.exec(line))) {
        const body = [];
        for (i++; i < lines.length && !lines[i].trim().startsWith(match[2]); i++) {
          body.push(lines[i].startsWith(match[1]) ? lines[i].slice(match[1].length) : lines[i]);
        }
        i++;
        html += code(body.join('\n'), match[3]);
      } else if ((match = /^(#{1,6})\s+(.*?)\s*#*$/.exec(line))) {
        html += heading(match[1].length, match[2]);
        i++;
      } else if (/^( {4}|\t)/.test(line)) {
        const body = [];
        while (i < lines.length && /^( {4}|\t|\s*$)/.test(lines[i])) body.push(lines[i++].replace(/^( {4}|\t)/, ''));
        while (body.at(-1)?.trim() === '') body.pop();
        html += code(body.join('\n'), '');
      } else if (line.includes('|') && is_rule(lines[i + 1]) && lines[i + 1].includes('|')) {
        const body = [];
        while (i < lines.length && lines[i].includes('|')) body.push(lines[i++]);
        html += table(body);
      } else if (/^\s{0,3}>/.test(line)) {
        const body = [];
        while (i < lines.length && /^\s{0,3}>/.test(lines[i])) body.push(lines[i++].replace(/^\s{0,3}> ?/, ''));
        html += `<blockquote>${blocks(body)}</blockquote>\n`;
      } else if (/^(-{3,}|\*{3,})\s*$/.test(line)) {
        html += '<hr>\n';
        i++;
      } else if (bullet.test(line)) {
        const body = [];
        const indent = /^\s*/.exec(line)[0].length;
        const ordered = /^\s*\d/.test(line);
        while (i < lines.length) {
          const l = lines[i];
          const own = /^\s*/.exec(l)[0].length;
          if (/^\s*$/.test(l)) {
            const next = lines.slice(i).find((x) => x.trim() !== '');
            if (next === undefined || !(/^\s+\S/.test(next) && /^\s*/.exec(next)[0].length > indent || bullet.test(next))) break;
          } else if (own <= indent && !bullet.test(l) && lines[i - 1]?.trim() === '') break;
          else if (/^(#{1,6}\s|```|<!--)/.test(l)) break;
          else if (own <= indent && bullet.test(l) && /^\s*\d/.test(l) !== ordered) break;
          body.push(/^\s*$/.test(l) ? '' : l);
          i++;
        }
        html += list(body);
      } else {
        const body = [];
        while (i < lines.length && lines[i].trim() !== '' && !/^(#{1,6}\s|```|<!--)/.test(lines[i]) &&
          !(body.length && bullet.test(lines[i]) && !/^\s*\d/.test(lines[i])) &&
          !(lines[i].includes('|') && is_rule(lines[i + 1]) && lines[i + 1].includes('|'))) body.push(lines[i++].trim());
        html += paragraph(body);
      }
    }
    return html;
  }

  const html = blocks(source.replace(/\r/g, '').split('\n'));
  return { html, headings, sections: sections.map((s) => ({ ...s, text: s.text.replace(/\s+/g, ' ').trim() })), title: headings.find((h) => h.level === 1)?.text ?? '' };
}
