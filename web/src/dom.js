// Elements are made here and only here. Texts become text nodes, so a name that a program
// chooses is never markup.

const SVG = "http://www.w3.org/2000/svg";

/**
 * Makes an element. Members of props that are functions are listeners of the event of that
 * name; `class`, `dataset` and `value` are properties, and others are attributes. Children
 * are elements or texts; null and false are left out.
 */
export function h(tag, props, ...children) {
  return build(document.createElement(tag), props, children);
}

/** Makes an SVG element. */
export function s(tag, props, ...children) {
  return build(document.createElementNS(SVG, tag), props, children);
}

function build(element, props, children) {
  for (const [name, value] of Object.entries(props || {})) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(name, value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name === "value") element.value = value;
    else if (name === "dataset") Object.assign(element.dataset, value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  append(element, children);
  return element;
}

function append(element, children) {
  for (const child of children.flat(Infinity)) {
    if (child === null || child === undefined || child === false) continue;
    element.append(child instanceof Node ? child : String(child));
  }
}

/** Replaces the children of an element. */
export function fill(element, ...children) {
  element.replaceChildren();
  append(element, children);
  return element;
}

/** Returns the line in a place such as "softmax.pto:29:12", or 0. */
export function lineIn(at) {
  const found = /:(\d+):\d+$/.exec(at || "");
  return found ? Number(found[1]) : 0;
}

/**
 * A button that shows lines of the source; without a line it is text. A context with several
 * sources also receives the places with their files, and names the file on the button.
 */
export function place(context, at, ...more) {
  const places = [at, ...more];
  const lines = places.map((a) => (typeof a === "number" ? a : lineIn(a))).filter((n) => n > 0);
  if (lines.length === 0) return h("span", {}, String(at));
  return h("button", { type: "button", class: "link", click: () => context.reveal(lines, places) }, (context.file ? context.file(at) + " " : "") + "line " + lines[0]);
}

/** A table with a heading row. Cells are texts or elements; numeric columns align right. */
export function table(caption, heads, rows, numeric = []) {
  const cell = (tag, value, i) => h(tag, { class: numeric.includes(i) ? "number" : null, scope: tag === "th" ? "col" : null }, value);
  return h("div", { class: "scroll", tabindex: 0, role: "region", "aria-label": caption },
    h("table", {}, h("caption", { class: "hidden" }, caption),
      h("thead", {}, h("tr", {}, heads.map((x, i) => cell("th", x, i)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map((x, i) => cell("td", x, i)))))));
}

/** Offers a file for download. */
export function download(name, data, type) {
  const url = URL.createObjectURL(new Blob([data], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 1000);
}
