// Search box, menu on narrow screens, light and dark, copy buttons, live reports.
(function () {
  var root = document.body.dataset.root;
  var byId = function (id) { return document.getElementById(id); };

  // ---- light and dark
  byId('theme').onclick = function () {
    var dark = document.documentElement.dataset.theme
      ? document.documentElement.dataset.theme === 'dark'
      : matchMedia('(prefers-color-scheme: dark)').matches;
    document.documentElement.dataset.theme = dark ? 'light' : 'dark';
    try { localStorage.setItem('hooke-theme', document.documentElement.dataset.theme); } catch (e) { /* private window */ }
  };

  // ---- menu
  byId('menu').onclick = function () {
    var open = document.body.classList.toggle('menu-open');
    byId('menu').setAttribute('aria-expanded', open);
  };
  var current = document.querySelector('#tree [aria-current], #tree .on-way');
  if (current && current.offsetTop > innerHeight - 120) byId('tree').scrollTop = current.offsetTop - innerHeight / 2;

  // ---- search
  var input = byId('search'), list = byId('found'), chosen = -1, loading = false;
  function load() {
    if (loading) return;
    loading = true;
    var script = document.createElement('script');
    script.src = root + 'search-index.js';
    script.onload = show;
    document.head.appendChild(script);
  }
  function show() {
    if (typeof hooke_index === 'undefined') return;
    var query = input.value.trim();
    var found = hooke_search(hooke_index, query, 15);
    chosen = -1;
    list.textContent = '';
    found.forEach(function (hit) {
      var item = document.createElement('li'), link = document.createElement('a');
      link.href = root + hit.url;
      var name = document.createElement('b');
      name.textContent = hit.title || hit.page;
      link.appendChild(name);
      if (hit.title && hit.title !== hit.page) link.appendChild(document.createTextNode(' ' + hit.page));
      var text = hooke_index.entries[hit.entry][3], word = query.toLowerCase().split(/\s+/)[0], at = text.toLowerCase().indexOf(word);
      if (at >= 0) {
        var context = document.createElement('small');
        context.textContent = (at > 40 ? '…' : '') + text.slice(Math.max(0, at - 40), at + 90) + '…';
        link.appendChild(context);
      }
      item.appendChild(link);
      list.appendChild(item);
    });
    if (query && !found.length) {
      var none = document.createElement('li');
      none.textContent = 'No page contains these words.';
      none.className = 'none';
      list.appendChild(none);
    }
    list.hidden = !query;
  }
  input.onfocus = load;
  input.oninput = function () { load(); show(); };
  input.onkeydown = function (event) {
    var links = list.querySelectorAll('a');
    if (event.key === 'Escape') { input.value = ''; show(); input.blur(); }
    if (event.key === 'Enter' && links.length) location.href = links[Math.max(chosen, 0)].href;
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      chosen = Math.max(0, Math.min(links.length - 1, chosen + (event.key === 'ArrowDown' ? 1 : -1)));
      links.forEach(function (link, i) { link.classList.toggle('chosen', i === chosen); });
      if (links[chosen]) links[chosen].scrollIntoView({ block: 'nearest' });
    }
  };
  document.addEventListener('keydown', function (event) {
    if (event.key === '/' && !/INPUT|TEXTAREA/.test(document.activeElement.tagName)) { event.preventDefault(); input.focus(); }
  });
  document.addEventListener('click', function (event) {
    if (!event.target.closest('.search')) list.hidden = true;
  });

  // ---- live reports
  document.querySelectorAll('.live[data-src] button').forEach(function (button) {
    button.onclick = function () {
      var box = button.parentNode, frame = document.createElement('iframe');
      frame.src = box.dataset.src;
      frame.title = box.dataset.title;
      frame.allowFullscreen = true;
      box.textContent = '';
      box.classList.add('loaded');
      (box.closest('.card') || box).classList.add('wide');
      box.appendChild(frame);
      var link = document.createElement('a');
      link.href = box.dataset.src;
      link.textContent = 'open in a window of its own';
      box.appendChild(link);
    };
  });

  // ---- copy buttons
  if (navigator.clipboard) {
    document.querySelectorAll('article pre').forEach(function (pre) {
      var button = document.createElement('button');
      button.className = 'copy';
      button.textContent = 'copy';
      button.onclick = function () {
        var text = pre.querySelector('code').innerText;
        var commands = text.split('\n').filter(function (line) { return line.startsWith('$ '); });
        if (commands.length) text = commands.map(function (line) { return line.slice(2); }).join('\n');
        navigator.clipboard.writeText(text).then(function () { button.textContent = 'copied'; });
      };
      pre.appendChild(button);
    });
  }
})();
