// Numbers as text.

/** A number with as many digits as people read. */
export function digits(x, n = 3) {
  if (!Number.isFinite(x)) return String(x);
  if (x === 0) return "0";
  const size = Math.abs(x);
  if (size >= 1e6 || size < 1e-4) return x.toExponential(n - 1).replace("e+", "e");
  if (size >= 1000) return Math.round(x).toLocaleString("en-US");
  return String(Number(x.toPrecision(n)));
}

/** A time in microseconds. */
export function micros(us) {
  if (us >= 1000) return digits(us / 1000) + " ms";
  if (us >= 1) return digits(us) + " µs";
  return digits(us * 1000) + " ns";
}

/** A number of bytes. */
export function bytes(n) {
  for (const [unit, size] of [["MiB", 1 << 20], ["KiB", 1 << 10]]) {
    if (n >= size) return digits(n / size) + " " + unit;
  }
  return n + " B";
}

/** A part of one in percent. */
export function percent(x) {
  return digits(100 * x, x < 0.1 ? 2 : 3) + " %";
}
