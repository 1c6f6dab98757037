// Reads a kernel of the package, in node and in browsers.

export async function kernel(name) {
  const url = new URL(`../dist/kernels/${name}.pto`, import.meta.url);
  if (url.protocol !== "file:") return (await fetch(url)).text();
  const { readFile } = await import("node:fs/promises");
  return readFile(url, "utf8");
}
