// The predicted time: what bounds it, the roofline, what pipes do, hot lines, what could change.

import { h, place, s, table } from "../dom.js";
import { bytes, digits, micros, percent } from "../format.js";

/** A bar of a part of one. */
function bar(part, hue = 5) {
  const width = Math.max(0, Math.min(1, part)) * 100;
  return s("svg", { class: "bar", viewBox: "0 0 100 8", preserveAspectRatio: "none", "aria-hidden": true },
    s("rect", { x: 0, y: 0, width: 100, height: 8, class: "ground" }), s("rect", { x: 0, y: 0, width, height: 8, class: "hue-" + hue }));
}

/** The sentence about the whole. */
export function verdict(t) {
  const error = t.expected_error === null ? "No error is known" : `Expected within ${percent(t.expected_error)}`;
  return `${micros(t.total_us)} on ${t.chip}: kernel ${micros(t.kernel_us)}, launch ${micros(t.launch_us)}; bound by ${t.bound_by}. ${error} (${t.kind}).`;
}

/** The roofline of a unit, on logarithmic axes. */
function roofline(r) {
  const W = 460, H = 240, L = 58, B = 34, T = 12, R = 12;
  const intensity = r.operations_per_byte || 1;
  const ridge = r.compute_gops / r.memory_gb_per_s;
  const xs = [Math.min(intensity, ridge) / 8, Math.max(intensity, ridge) * 8].map(Math.log10);
  const low = Math.min(r.gops, 10 ** xs[0] * r.memory_gb_per_s) / 2;
  const ys = [low, r.compute_gops * 3].map(Math.log10);
  const x = (v) => L + ((Math.log10(v) - xs[0]) / (xs[1] - xs[0])) * (W - L - R);
  const y = (v) => H - B - ((Math.log10(v) - ys[0]) / (ys[1] - ys[0])) * (H - B - T);
  const clampY = (v) => Math.min(y(v), H - B);
  const ticks = ([a, b]) => Array.from({ length: Math.max(0, Math.floor(b) - Math.ceil(a) + 1) }, (_, i) => 10 ** (Math.ceil(a) + i));
  const bound = Math.min(r.compute_gops, intensity * r.memory_gb_per_s);
  const text = `${r.unit} unit: ${digits(r.gops)} of at most ${digits(bound)} Gop/s at ${digits(intensity)} operations per byte; bound by ${r.bound}`;
  return h("figure", { class: "roofline" },
    s("svg", { viewBox: `0 0 ${W} ${H}`, role: "img", "aria-label": "Roofline. " + text },
      ticks(xs).map((v) => [s("line", { x1: x(v), x2: x(v), y1: T, y2: H - B, class: "grid" }), s("text", { x: x(v), y: H - B + 14, class: "tick middle" }, digits(v))]),
      ticks(ys).map((v) => [s("line", { x1: L, x2: W - R, y1: y(v), y2: y(v), class: "grid" }), s("text", { x: L - 6, y: y(v) + 4, class: "tick end" }, digits(v))]),
      s("path", { d: `M${x(10 ** xs[0])},${clampY(10 ** xs[0] * r.memory_gb_per_s)} L${x(ridge)},${y(r.compute_gops)} L${x(10 ** xs[1])},${y(r.compute_gops)}`, class: "roof" }),
      s("line", { x1: x(intensity), x2: x(intensity), y1: clampY(bound), y2: clampY(r.gops), class: "gap" }),
      s("circle", { cx: x(intensity), cy: clampY(r.gops), r: 5, class: "dot" }),
      s("text", { x: (W + L) / 2, y: H - 4, class: "tick middle" }, "operations per byte of global memory"),
      s("text", { x: 12, y: T + 2, class: "tick" }, "Gop/s")),
    h("figcaption", {}, text + `. The roofs are those of ${r.cores} ${r.cores === 1 ? "core" : "cores"}: ${digits(r.compute_gops)} Gop/s and ${digits(r.memory_gb_per_s)} GB/s.`));
}

const hues = { MTE2: 1, MTE1: 2, CUBE: 3, FIXP: 4, SCALAR: 0, VECTOR: 5, MTE3: 6 };

/** The pane of the predicted time. */
export function timeView(context, report) {
  const t = report.timing;
  if (!t) return h("p", { class: "note" }, report.fault ? "The run faulted, so its time is not predicted." : "This run has no prediction of its time.");
  const hot = (t.hot_spots || []).filter((x) => x.path_cycles > 0 || x.busy_cycles > 0).slice(0, 20);
  return h("div", { class: "time" },
    h("p", { class: "verdict" }, verdict(t)),
    t.has_flags ? null : h("p", { class: "note" }, "The kernel has no flags. Pipes are timed as if each waited for its data and for free buffers, as pto-insert-sync makes them."),
    h("h3", {}, "Roofline"),
    t.roofline && t.roofline.length > 0 ? h("div", { class: "figures" }, t.roofline.map(roofline)) : h("p", { class: "note" }, "The operations of this kernel are not counted, so it has no roofline."),
    h("h3", {}, "Pipes"),
    (t.units || []).map((u) => table(`Pipes of the ${u.unit}`, [`${u.unit} (mean of ${u.cores})`, "", "busy", "not busy because"],
      u.pipes.map((p) => [p.pipe, bar(p.busy_share, hues[p.pipe] ?? 0), percent(p.busy_share), p.idle.slice(0, 3).map((i) => `${i.what} ${percent(i.share)}`).join(", ")]), [2])),
    h("h3", {}, "Critical path"),
    table("Critical path", ["", "", "part"], (t.critical_path || []).filter((p) => p.share >= 0.0005).map((p) => [p.what, bar(p.share, hues[p.what] ?? 0), percent(p.share)]), [2]),
    h("h3", {}, "Hot lines"),
    table("Hot lines", ["line", "source", "", "of the path", "times"], hot.map((x) => [place(context, x.at), h("code", {}, context.line(x.at)), bar(x.path_cycles / t.kernel_cycles), percent(x.path_cycles / t.kernel_cycles), x.count]), [3, 4]),
    t.what_if && t.what_if.length > 0 ? [h("h3", {}, "What if"),
      table("What if", ["what", "change", "kernel", "brought by"], t.what_if.map((w) => [w.what, percent(w.change), micros(w.kernel_us), w.by ? h("code", {}, w.by) : ""]), [1, 2])] : null,
    h("h3", {}, "Bytes moved"),
    table("Bytes moved", ["path", "bytes", "rate"], (t.bytes || []).map((p) => [p.path, bytes(p.bytes), digits(p.tb_per_s) + " TB/s"]), [1, 2]));
}
