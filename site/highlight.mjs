// Syntax highlighting of the languages in the pages: one list of patterns per language, applied in order.

export const escape = (text) =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/"/g, '&quot;');

const number = /(?<![\w.])[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?(?![\w.])/;

const languages = {
  yaml: [
    ['comment', /(?<=^|\s)#[^\n]*/],
    ['string', /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/],
    ['key', /[A-Za-z_][\w.-]*(?=:(?:\s|$))/],
    ['number', number],
  ],
  c: [
    ['comment', /\/\*[\s\S]*?\*\/|\/\/[^\n]*/],
    ['string', /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'/],
    ['macro', /^[ \t]*#[ \t]*\w+/],
    ['keyword', /\b(?:auto|bool|break|case|char|const|continue|default|do|double|else|enum|extern|false|float|for|goto|if|int|long|return|short|signed|size_t|sizeof|static|struct|switch|true|typedef|union|unsigned|void|volatile|while|NULL)\b/],
    ['key', /\bhk_\w+|\bHK_\w+/],
    ['number', number],
  ],
  sh: [
    ['comment', /(?<=^|\s)#[^\n]*/],
    ['prompt', /^\$ /],
    ['string', /"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/],
    ['key', /(?<=\s)--?[A-Za-z][\w-]*/],
  ],
  python: [
    ['comment', /#[^\n]*/],
    ['string', /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/],
    ['keyword', /\b(?:as|and|class|def|elif|else|for|from|if|import|in|is|lambda|None|not|or|return|while|with)\b/],
    ['number', number],
  ],
};
languages.cpp = languages.c;
languages.shell = languages.bash = languages.console = languages.sh;

const compiled = {};
function pattern(language) {
  const rules = languages[language];
  compiled[language] ??= {
    names: rules.map(([name]) => name),
    expression: new RegExp(rules.map(([, rule]) => `(${rule.source})`).join('|'), 'gm'),
  };
  return compiled[language];
}

// Code -> HTML.  `token(kind, text)` may return HTML of its own for a token, or nothing.
export function highlight(code, language, token = () => undefined) {
  if (!languages[language]) return escape(code);
  const { names, expression } = pattern(language);
  let html = '';
  let end = 0;
  for (const match of code.matchAll(expression)) {
    const kind = names[match.slice(1).findIndex((group) => group !== undefined)];
    html += escape(code.slice(end, match.index));
    html += token(kind, match[0]) ?? `<span class="hl-${kind}">${escape(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escape(code.slice(end));
}
