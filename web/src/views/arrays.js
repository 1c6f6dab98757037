// Arrays as heat maps and tables.

import { download, h, table } from "../dom.js";
import { digits } from "../format.js";

const MOST_ROWS = 64;
const MOST_COLUMNS = 32;

/** Reads numbers from a file of an answer. */
export function numbersIn(files, name) {
  const file = files && files[name];
  return file ? new Float64Array(file.buffer, file.byteOffset, Math.floor(file.byteLength / 8)) : new Float64Array(0);
}

/** The extents of a matrix for an array: the last dimension is a row. */
function matrixOf(shape, shown) {
  const columns = shape.length > 0 ? shape[shape.length - 1] : 1;
  if (shape.length <= 1 && columns > 256) return { rows: Math.ceil(shown / 64), columns: 64 };
  return { rows: Math.ceil(shown / Math.max(columns, 1)), columns };
}

/** The least and the greatest finite number. */
function extremes(values) {
  let low = Infinity, high = -Infinity, odd = 0;
  for (const v of values) {
    if (!Number.isFinite(v)) odd++;
    else {
      low = Math.min(low, v);
      high = Math.max(high, v);
    }
  }
  return { low, high, odd };
}

/** The colour of a part of one, as [red, green, blue]: dark blue, teal, yellow. */
function colour(part) {
  const stops = [[38, 38, 96], [28, 118, 140], [90, 180, 120], [248, 222, 90]];
  const at = Math.max(0, Math.min(0.9999, part)) * (stops.length - 1);
  const i = Math.floor(at);
  return stops[i].map((a, k) => Math.round(a + (stops[i + 1][k] - a) * (at - i)));
}

/** A heat map. Numbers that are not finite are red. */
function heat(name, values, shape) {
  const { rows, columns } = matrixOf(shape, values.length);
  const { low, high, odd } = extremes(values);
  const label = `${name}: ${rows} by ${columns} elements from ${digits(low)} to ${digits(high)}${odd > 0 ? ", " + odd + " not finite" : ""}`;
  if (values.length === 0) return h("p", { class: "note" }, "no elements");
  const canvas = h("canvas", { class: "heat", role: "img", "aria-label": "Heat map of " + label });
  canvas.width = columns;
  canvas.height = rows;
  const g = canvas.getContext("2d");
  const image = g.createImageData(columns, rows);
  const span = high - low || 1;
  values.forEach((v, i) => {
    const rgb = Number.isFinite(v) ? colour((v - low) / span) : [214, 40, 40];
    image.data.set([...rgb, 255], 4 * i);
  });
  g.putImageData(image, 0, 0);
  canvas.style.aspectRatio = `${columns} / ${Math.max(rows, columns / 6)}`;
  const value = h("span", { class: "note" }, label);
  canvas.addEventListener("pointermove", (e) => {
    const box = canvas.getBoundingClientRect();
    const c = Math.floor(((e.clientX - box.left) / box.width) * columns);
    const r = Math.floor(((e.clientY - box.top) / box.height) * rows);
    const i = r * columns + c;
    if (i >= 0 && i < values.length) value.textContent = `[${r}, ${c}] = ${digits(values[i], 8)}`;
  });
  canvas.addEventListener("pointerleave", () => { value.textContent = label; });
  return h("figure", { class: "heat-box" }, canvas, h("figcaption", {}, value));
}

/** A table of the first elements. marked is the index of an element to point out. */
function numbers(name, values, shape, marked) {
  const { rows, columns } = matrixOf(shape, values.length);
  const shownRows = Math.min(rows, MOST_ROWS), shownColumns = Math.min(columns, MOST_COLUMNS);
  const heads = ["", ...Array.from({ length: shownColumns }, (_, c) => c)];
  const body = Array.from({ length: shownRows }, (_, r) => [h("span", { class: "note" }, r), ...Array.from({ length: shownColumns }, (_, c) => {
    const i = r * columns + c;
    const text = i < values.length ? digits(values[i], 6) : "";
    return i === marked ? h("mark", {}, text) : text;
  })]);
  const cut = rows > shownRows || columns > shownColumns ? h("p", { class: "note" }, `The first ${shownRows} of ${rows} rows and ${shownColumns} of ${columns} columns.`) : null;
  return h("div", {}, table("Elements of " + name, heads, body, heads.map((_, i) => i)), cut);
}

/** One array with its heat map, its table and its file. */
export function arrayView(a, files, open) {
  const values = numbersIn(files, a.values);
  const title = `${a.name}${a.rank ? " of rank " + a.rank : ""}: ${a.shape.join("×")} ${a.element}`;
  return h("details", { class: "array", open }, h("summary", {}, h("strong", {}, title), h("span", { class: "note" }, a.changed ? " written by the kernel" : " " + a.spec)),
    heat(a.name, values, a.shape),
    h("details", {}, h("summary", {}, "Numbers"), numbers(a.name, values, a.shape, -1)),
    files && files[a.file] ? h("button", { type: "button", click: () => download(a.name + ".npy", files[a.file], "application/octet-stream") }, "Save " + a.name + ".npy") : null);
}

/** The errors of a comparison as a heat map. */
export function errorsView(comparison, array, files) {
  const values = numbersIn(files, comparison.errors);
  return heat("absolute errors of " + array.name, values, array.shape);
}
