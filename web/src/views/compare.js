// Two runs side by side: a run that was kept, and the one that is shown.

import { h, table } from "../dom.js";
import { bytes, digits, micros, percent } from "../format.js";
import { numbersIn } from "./arrays.js";
import { summary } from "./checks.js";
import { stageText } from "./passes.js";

/** A value of both runs, with the factor from the kept one to the shown one. */
function row(name, kept, now, show) {
  const factor = Number.isFinite(kept) && Number.isFinite(now) && kept > 0 ? digits(now / kept) + "×" : "";
  const text = (v) => (v === undefined ? "" : show(v));
  return [name, text(kept), text(now), factor];
}

/** The busy share of each pipe, by the name of the pipe with that of its unit. */
function pipes(t) {
  return new Map((t.units || []).flatMap((u) => u.pipes.map((p) => [`${u.unit}, ${p.pipe} busy`, p.busy_share])));
}

/** Numbers about both runs. */
function numbers(kept, now) {
  const rows = [row("checks", kept.report.checks, now.report.checks, summary)];
  const a = kept.report.timing, b = now.report.timing;
  if (a && b) {
    rows.push(row("chip", a.chip, b.chip, String), row("kernel", a.kernel_us, b.kernel_us, micros), row("with launch", a.total_us, b.total_us, micros), row("bound by", a.bound_by, b.bound_by, String));
    const [p, q] = [pipes(a), pipes(b)];
    for (const name of new Set([...p.keys(), ...q.keys()])) rows.push(row(name, p.get(name), q.get(name), percent));
    const moved = (t) => new Map((t.bytes || []).map((x) => [x.path, x.bytes]));
    const [m, n] = [moved(a), moved(b)];
    for (const path of new Set([...m.keys(), ...n.keys()])) rows.push(row("bytes, " + path, m.get(path), n.get(path), bytes));
  }
  return table("Both runs", ["", kept.title, now.title, ""], rows, [1, 2, 3]);
}

/** The largest difference of an array that both runs have, in words. */
function difference(a, b, kept, now) {
  if (String(a.shape) !== String(b.shape)) return `${b.name}: the shapes differ, ${a.shape.join("×")} and ${b.shape.join("×")}.`;
  const x = numbersIn(kept.files, a.values), y = numbersIn(now.files, b.values);
  let count = 0, largest = 0, at = 0;
  for (let i = 0; i < Math.min(x.length, y.length); i++) {
    if (Object.is(x[i], y[i])) continue;
    count++;
    const d = Math.abs(x[i] - y[i]);
    if (!(d <= largest)) [largest, at] = [d, i];
  }
  const of = x.length < b.shape.reduce((p, n) => p * n, 1) ? `of the first ${x.length}` : `of ${x.length}`;
  return count === 0 ? `${b.name}: equal, ${of} elements.` : `${b.name}: ${count} ${of} elements differ, by at most ${digits(largest)} (element ${at}: ${digits(x[at], 8)} and ${digits(y[at], 8)}).`;
}

/** The arrays that a kernel wrote in both runs. */
function results(kept, now) {
  const before = new Map((kept.report.arrays || []).map((a) => [a.name + " " + (a.rank || 0), a]));
  const lines = (now.report.arrays || []).filter((b) => b.changed && before.has(b.name + " " + (b.rank || 0)))
    .map((b) => difference(before.get(b.name + " " + (b.rank || 0)), b, kept, now));
  return lines.length > 0 ? h("ul", {}, lines.map((l) => h("li", {}, l))) : h("p", { class: "note" }, "The runs have no result of the same name.");
}

/**
 * The pane. kept and now are {title, report, files} or null, lines is the difference of
 * both texts, and actions are {keep, other}: other runs the program for another target.
 */
export function compareView(context, kept, now, lines, actions) {
  const targets = now ? ["a2", "a3", "a5"].filter((t) => t !== now.report.target) : [];
  return h("div", {},
    h("div", { class: "tools" }, now ? h("button", { type: "button", click: actions.keep }, "Keep this run") : null,
      targets.map((t) => h("button", { type: "button", click: () => actions.other(t) }, "Run for " + t.toUpperCase() + ", too"))),
    !kept ? h("p", { class: "note" }, "Keep a run, then change the program, open another one or choose another target: both runs stand here side by side.")
      : !now ? h("p", { class: "note" }, "Run the kernel to see this.")
        : [numbers(kept, now), h("h3", {}, "Results"), results(kept, now), h("h3", {}, "Program"),
          lines.some((l) => l.sign) ? stageText(context, { pass: "the change", lines }, true) : h("p", { class: "note" }, "The same text.")]);
}
