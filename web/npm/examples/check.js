// Verifies a program with an error and prints the message and its fix.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const text = (await kernel("affine")).replace("pto.tadds", "pto.tadd");
const { ok, diagnostics } = pto.check(text);
const [first] = diagnostics;
console.log(ok, first.severity, "in line", first.line, "-", first.fixes?.length ?? 0, "fixes");
