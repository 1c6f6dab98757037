// The map of local memory: which bytes each tile has, and when.

import { h, lineIn, place, s, table } from "../dom.js";
import { bytes, percent } from "../format.js";

const WIDTH = 720;
const HEIGHT = 220;

/** The map of a memory as a picture, with a button for each tile in the table below. */
function space(context, fn, sp) {
  const top = Math.max(sp.top, 1);
  const first = Math.min(...sp.tiles.map((t) => t.from));
  const points = Math.max(...sp.tiles.map((t) => t.to)) + 1 - first;
  const detail = h("p", { class: "detail", "aria-live": "polite" }, "");
  const describe = (t) => {
    detail.textContent = `${t.name.length > 1 ? t.name : "a tile without a name"} · ${t.type} · bytes ${t.address} to ${t.address + t.bytes - 1} · in use from ${fn.points[t.from]} to ${fn.points[t.to]}`;
  };
  const x = (p) => ((p - first) / points) * WIDTH;
  const y = (b) => HEIGHT - (b / top) * HEIGHT;
  const tiles = sp.tiles.map((t, i) => {
    const box = { x: x(t.from), y: y(t.address + t.bytes), width: Math.max(x(t.to + 1) - x(t.from), 2), height: Math.max(y(t.address) - y(t.address + t.bytes), 2) };
    const name = t.name.length > 1 && box.width > 8 * t.name.length && box.height > 12 ? s("text", { x: box.x + 5, y: box.y + Math.min(box.height / 2 + 4, 16), class: "tile-name" }, t.name) : null;
    return s("g", { pointerenter: () => describe(t), click: () => context.reveal([lineIn(t.at)]) },
      s("rect", { ...box, class: "tile hue-" + (i % 7) }, s("title", {}, `${t.name}: ${t.bytes} bytes at ${t.address}`)), name);
  });
  const label = `Map of ${sp.space}: ${sp.tiles.length} tiles, at most ${sp.peak} of ${sp.capacity} bytes in use.`;
  return h("section", { class: "memory" },
    h("h3", {}, `@${fn.name}: ${sp.space}`),
    h("p", { class: "note" }, `At most ${bytes(sp.peak)} of ${bytes(sp.capacity)} in use at a time (${percent(sp.peak / sp.capacity)}), at ${fn.points[sp.peak_at]}. Tiles end at byte ${sp.top}.`),
    s("svg", { class: "map", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": label, preserveAspectRatio: "none" },
      s("rect", { x: 0, y: 0, width: WIDTH, height: HEIGHT, class: "ground" }), tiles,
      s("line", { x1: x(sp.peak_at + 0.5), x2: x(sp.peak_at + 0.5), y1: 0, y2: HEIGHT, class: "peak" })),
    h("p", { class: "axis" }, h("span", {}, fn.points[first]), h("span", {}, fn.points[first + points - 1])),
    detail,
    h("details", {}, h("summary", {}, sp.tiles.length + " tiles"),
      table("Tiles in " + sp.space, ["tile", "type", "address", "bytes", "defined in"],
        sp.tiles.map((t) => [t.name.length > 1 ? t.name : "without a name", t.type, t.address, t.bytes, place(context, t.at)]), [2, 3])));
}

/** The pane of local memory. */
export function memoryView(context, report) {
  const functions = (report.memory && report.memory.functions) || [];
  if (functions.length === 0) return h("p", { class: "note" }, "No tile of this program has an address in local memory.");
  return h("div", {}, h("p", { class: "note" }, "Operations go from left to right, addresses from the bottom up. The line marks the peak."),
    functions.map((fn) => fn.spaces.map((sp) => space(context, fn, sp))));
}
