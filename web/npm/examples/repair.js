// Applies the edits that the checkers propose, and runs the kernel again.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const args = ["iota=64x64xf32", "zeros=64x64xf32"];
let text = await kernel("missing_flag");
const { edits } = pto.run(text, { args });
const byPlace = edits.flat().sort((a, b) => b.from - a.from);
for (const { from, to, new: inserted } of byPlace) text = text.slice(0, from) + inserted + text.slice(to);
console.log("errors after the repair:", pto.run(text, { args }).checks.errors);
