// The tasks of a graph, with their predicted times.

import { h, place, table } from "../dom.js";
import { digits, micros, percent } from "../format.js";

/** The sentence about the whole graph. */
export function graphVerdict(g) {
  const count = g.tasks.length + (g.left || 0);
  const tasks = `${count} ${count === 1 ? "task" : "tasks"}`;
  return g.us > 0 ? `${tasks} in ${micros(g.us)}, predicted; the longest path of edges lasts ${micros(g.longest_us)}.` : `${tasks}. No time is predicted.`;
}

/** The tasks, those of the critical path first. */
export function graphView(context, report) {
  const g = report.graph;
  const critical = g.tasks.filter((t) => t.critical).sort((a, b) => a.start_us - b.start_us);
  const row = (t) => [t.task, t.rank, h("code", {}, t.kernel), t.blocks, digits(t.start_us), digits(t.end_us), digits(t.alone_us), place(context, t.at)];
  const heads = ["task", "rank", "kernel", "blocks", "start, us", "end, us", "alone, us", "defined in"];
  const alone = critical.reduce((sum, t) => sum + t.alone_us, 0);
  return h("div", { class: "graph" },
    h("p", { class: "verdict" }, graphVerdict(g)),
    critical.length > 0 ? [h("h3", {}, "Critical path"),
      h("p", { class: "note" }, `Each task starts or continues when the one before it ends or signals. Alone, they last ${micros(alone)}, ${percent(alone / g.us)} of the whole.`),
      table("Critical path", heads, critical.map(row), [1, 3, 4, 5, 6])] : null,
    h("details", { open: critical.length === 0 }, h("summary", {}, "All tasks"), table("All tasks", heads, g.tasks.map(row), [1, 3, 4, 5, 6]),
      g.left ? h("p", { class: "note" }, g.left + " more tasks are not listed.") : null));
}
