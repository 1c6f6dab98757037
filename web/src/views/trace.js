// Reads the trace of a predicted run: lanes of instructions, and signals between them.

const MOST_LANES = 400;

/**
 * Reads a trace: cores with lanes of slices, the end of the time, and the signals (flags,
 * barriers, data) for which an instruction in one lane waits for one in another.
 */
export function readTrace(trace) {
  const names = new Map();
  const lanes = new Map();
  const ends = new Map();
  let end = 0;
  for (const e of trace.traceEvents) {
    const key = e.pid + ":" + e.tid;
    if (e.ph === "M" && e.name === "process_name") names.set("p" + e.pid, e.args.name);
    if (e.ph === "M" && e.name === "thread_name") names.set(key, e.args.name);
    if (e.ph === "M" && e.name === "thread_sort_index") names.set("s" + key, e.args.sort_index);
    if (e.ph === "s" || e.ph === "f") {
      if (!ends.has(e.id)) ends.set(e.id, { name: e.name });
      ends.get(e.id)[e.ph] = { key: e.pid + ":" + pipeOf(e.tid), time: e.ts };
    }
    if (e.ph !== "X" || e.cat === "stall") continue;
    if (!lanes.has(key)) lanes.set(key, { core: e.pid, key, slices: [] });
    const lane = lanes.get(key);
    lane.slices.push({ name: e.name, from: e.ts, to: e.ts + e.dur, args: e.args || {}, lane });
    end = Math.max(end, e.ts + e.dur);
  }
  const list = [...lanes.values()].filter((l) => names.get(l.key) && l.core !== 0);
  for (const lane of list) {
    lane.name = names.get(lane.key);
    lane.coreName = names.get("p" + lane.core) || "core " + lane.core;
    lane.sort = names.get("s" + lane.key) || 0;
    lane.slices.sort((a, b) => a.from - b.from);
  }
  list.sort((a, b) => a.core - b.core || a.sort - b.sort);
  const shown = list.slice(0, MOST_LANES);
  const byKey = new Map(shown.map((l) => [l.key, l]));
  const signals = [...ends.values()].filter((x) => x.s && x.f && byKey.has(x.s.key) && byKey.has(x.f.key))
    .map((x) => ({ name: x.name, from: { lane: byKey.get(x.s.key), time: x.s.time }, to: { lane: byKey.get(x.f.key), time: x.f.time } }));
  return { lanes: shown, cut: Math.max(0, list.length - MOST_LANES), end, signals };
}

/** The lane of a pipe, of the pipe or of the lane that shows why the pipe waits. */
function pipeOf(tid) {
  return tid > 100 ? tid - 100 : tid;
}

/** Whether the text of a search occurs in an instruction: its name, its line, or why it began late. */
export function matches(slice, text) {
  const { at = "", "began because of": why = "" } = slice.args;
  const line = /:(\d+):\d+$/.exec(at);
  return text !== "" && [slice.name, line ? "line " + line[1] : "", why].some((t) => t.toLowerCase().includes(text.toLowerCase()));
}

/** What each lane does between two times: instructions, busy time, bytes. */
export function statistics(lanes, from, to) {
  return lanes.map((lane) => {
    const inside = lane.slices.filter((s) => s.to > from && s.from < to);
    let busy = 0, until = from;
    for (const s of inside) {
      busy += Math.max(0, Math.min(s.to, to) - Math.max(s.from, until));
      until = Math.max(until, Math.min(s.to, to));
    }
    return { lane, count: inside.length, busy, bytes: inside.reduce((sum, s) => sum + (Number(s.args.bytes) || 0), 0) };
  }).filter((x) => x.count > 0);
}
