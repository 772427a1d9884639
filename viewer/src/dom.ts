// Creates elements.  Texts are inserted as text: data of the model are never interpreted as markup.
type Child = Node | string | null | undefined;
export function el<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Record<string, string | boolean | number | ((e: Event) => void)> = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const e = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") e.addEventListener(key, value as EventListener);
    else if (value === true) e.setAttribute(key, "");
    else if (value !== false) e.setAttribute(key, String(value));
  }
  for (const c of children) if (c !== null && c !== undefined) e.append(c);
  return e;
}
export function button(text: string, title: string, press: () => void): HTMLButtonElement {
  return el("button", { type: "button", title, click: press }, text);
}
let ids = 0;
export function labelled(text: string, control: HTMLElement): HTMLElement {
  control.id ||= `c${++ids}`;
  return el("span", { class: "field" }, el("label", { for: control.id }, text), control);
}
export function select(options: [string, string][], value: string, change: (v: string) => void): HTMLSelectElement {
  const s = el("select", { change: () => change(s.value) });
  for (const [v, text] of options) s.append(el("option", { value: v, selected: v === value }, text));
  return s;
}
/** Controls that are used less often, behind one button.  Closes with Escape and with a click elsewhere. */
export function menu(title: string, items: HTMLElement[], text = "⋯"): HTMLElement {
  const box = el("details", { class: "menu" }, el("summary", { "aria-label": title, title }, text), el("div", { class: "menuitems" }, ...items));
  box.addEventListener("keydown", (e) => { if (e.key === "Escape") { box.open = false; box.querySelector("summary")!.focus(); } });
  return box;
}
document.addEventListener("click", (e) => { for (const box of document.querySelectorAll<HTMLDetailsElement>("details.menu[open]")) if (!box.contains(e.target as Node)) box.open = false; });
export function save(name: string, data: Blob): void {
  const url = URL.createObjectURL(data);
  const a = el("a", { href: url, download: name });
  a.click();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}
export const colours = ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#7f7f7f", "#6a51a3", "#b22222", "#2e8b57"];
const bright = ["#4aa8e8", "#ff8c42", "#2fc796", "#e39bc4", "#8fd3ff", "#ffc247", "#b5b5b5", "#ab93e0", "#ff6f6f", "#5fc98c"]; // the same on dark
export function colour(i: number): string {
  const list = matchMedia("(prefers-color-scheme: dark)").matches && !matchMedia("print").matches ? bright : colours;
  return list[i % list.length];
}
export function theme(name: string): string {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}
