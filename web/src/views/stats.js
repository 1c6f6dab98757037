// What a run executed and moved.

import { h, place, table } from "../dom.js";
import { bytes } from "../format.js";

/** The counts of a run. */
export function statsView(context, report) {
  const c = report.stats;
  if (!c) return h("p", { class: "note" }, "This run has no counts.");
  return h("div", {},
    h("p", { class: "note" }, `${c.blocks} blocks on ${c.cores} cores; ${c.scalar_operations.toLocaleString("en-US")} scalar operations.`),
    table("Instructions", ["instruction", "pipe", "times", "read", "written"], (c.instructions || []).map((i) => [h("code", {}, i.name), i.pipe, i.count, bytes(i.bytes_read), bytes(i.bytes_written)]), [2, 3, 4]),
    table("Lines", ["line", "instruction", "times", "read", "written"], (c.lines || []).map((l) => [place(context, l.line), h("code", {}, l.name), l.count, bytes(l.bytes_read), bytes(l.bytes_written)]), [2, 3, 4]),
    table("Memories", ["memory", "read", "written", "highest byte"], (c.memories || []).map((m) => [m.name, bytes(m.bytes_read), bytes(m.bytes_written), m.peak ? bytes(m.peak) : ""]), [1, 2, 3]));
}
