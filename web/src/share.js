// The state of the page in the fragment of its address: JSON, deflated, in base64url. The
// server never sees it. What is read may come from a stranger, so only known members of the
// right type and of bounded size are kept.

/** The largest text that a link may hold, in characters. */
export const MAX_TEXT = 1 << 20;

const texts = ["text", "name", "target", "chip", "kernel", "expression", "other", "tab", "form"];
const numbers = ["blocks", "ranks"];

/** Returns the members of a state that a link keeps, of a value of any type. */
export function cleaned(value) {
  const state = {};
  if (value === null || typeof value !== "object") return state;
  for (const key of texts) {
    if (typeof value[key] === "string" && value[key].length <= MAX_TEXT) state[key] = value[key];
  }
  for (const key of numbers) {
    if (Number.isInteger(value[key]) && value[key] >= 1 && value[key] <= 4096) state[key] = value[key];
  }
  if (Array.isArray(value.args)) {
    state.args = value.args.slice(0, 64).map((a) => String(a).slice(0, 200));
  }
  if (typeof value.asWritten === "boolean") state.asWritten = value.asWritten;
  return state;
}

/** Returns the fragment for a state, without the number sign. */
export async function encode(state) {
  const text = new TextEncoder().encode(JSON.stringify(cleaned(state)));
  const packed = await collect(new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw")), Infinity);
  let binary = "";
  for (const byte of packed) binary += String.fromCharCode(byte);
  return "s=" + btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** Returns the state of a fragment, or null if it has none. */
export async function decode(fragment) {
  const found = /^#?s=([A-Za-z0-9_-]+)$/.exec(fragment);
  if (!found) return null;
  try {
    const binary = atob(found[1].replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(binary, (c) => c.charCodeAt(0));
    const text = await collect(new Blob([packed]).stream().pipeThrough(new DecompressionStream("deflate-raw")), 8 * MAX_TEXT);
    return cleaned(JSON.parse(new TextDecoder().decode(text)));
  } catch {
    return null;
  }
}

/** Reads a stream, and fails if it has more than a number of bytes. */
async function collect(stream, limit) {
  const parts = [];
  let size = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) {
      await reader.cancel();
      throw new Error("too large");
    }
    parts.push(value);
  }
  const all = new Uint8Array(size);
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}
