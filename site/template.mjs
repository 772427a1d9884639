// The frame of every page: head, search, tree of the contents, previous and next.
import path from 'node:path';
import { escape } from './highlight.mjs';

// Address of one page as seen from another; both are relative to the root of the site.
export const relative = (from, to) => {
  const [file, hash] = to.split('#');
  const link = path.posix.relative(path.posix.dirname(from), file) || path.posix.basename(file);
  return hash === undefined ? link : `${link}#${hash}`;
};

function tree(sections, page) {
  return sections.map((section) => {
    const holds = section.pages.some((item) => item.url === page.url || item.url === page.parent);
    const items = section.pages.map((item) => {
      const here = item.url === page.url ? ' aria-current="page"' : '';
      const on_way = item.url === page.parent ? ' class="on-way"' : '';
      return `<li><a href="${relative(page.url, item.url)}"${here}${on_way}>${escape(item.label ?? item.title)}</a></li>`;
    });
    return `<details${holds || page.url === 'index.html' ? ' open' : ''}><summary>${escape(section.title)}</summary><ul>${items.join('')}</ul></details>`;
  }).join('\n');
}

function on_this_page(page) {
  const list = (page.headings ?? []).filter((heading) => heading.level === 2 || heading.level === 3);
  if (list.length < 3 || list.length > 60) return '';
  return `<nav class="toc" aria-label="on this page"><p>On this page</p><ul>${list
    .map((h) => `<li class="level-${h.level}"><a href="#${h.id}">${escape(h.text)}</a></li>`).join('')}</ul></nav>`;
}

export function render(page, sections, { previous, next, crumbs }) {
  const to = (target) => relative(page.url, target);
  const step = (item, rel, text) => (item
    ? `<a rel="${rel}" class="${rel}" href="${to(item.url)}"><span>${text}</span>${escape(item.label ?? item.title)}</a>` : '<span></span>');
  const way = [`<a href="${to('index.html')}">hooke</a>`, ...crumbs.map((c) => (c.url ? `<a href="${to(c.url)}">${escape(c.title)}</a>` : escape(c.title)))];
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escape(page.title)} · hooke</title>
<link rel="stylesheet" href="${to('style.css')}">
<link rel="icon" href="data:,">
<script>try{var t=localStorage.getItem('hooke-theme');if(t)document.documentElement.dataset.theme=t}catch(e){}</script>
</head>
<body data-root="${to('index.html').replace(/index\.html$/, '')}">
<a class="skip" href="#content">Skip to the content</a>
<header>
<button id="menu" aria-label="contents" aria-expanded="false" aria-controls="tree">☰</button>
<a class="name" href="${to('index.html')}">hooke</a>
<div class="search"><input id="search" type="search" placeholder="Search" aria-label="search the documentation" autocomplete="off"><ol id="found" hidden></ol></div>
<button id="theme" aria-label="light or dark">◐</button>
</header>
<div class="columns">
<nav id="tree" aria-label="contents">
${tree(sections, page)}
</nav>
<main id="content">
${page.url === 'index.html' ? '' : `<p class="crumbs">${way.join(' › ')}</p>\n`}<article>
${page.html}</article>
<footer>${step(previous, 'prev', 'Previous')}${step(next, 'next', 'Next')}</footer>
</main>
${on_this_page(page)}
</div>
<script src="${to('search.js')}"></script>
<script src="${to('site.js')}"></script>
</body>
</html>
`;
}
