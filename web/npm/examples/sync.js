// Inserts synchronization into a program without flags, and checks the result.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const { stages } = pto.passes(await kernel("affine"));
const { text } = stages.at(-1);
const { checks } = pto.run(text, { args: ["iota=64x64xf32", "zeros=64x64xf32", "2.0", "1.0"] });
console.log(stages.map((s) => s.pass).join(", "));
console.log("flags:", text.match(/pto\.set_flag/g).length, "- errors:", checks.errors);
