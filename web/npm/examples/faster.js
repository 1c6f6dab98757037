// Searches for a faster program, and runs it.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const args = ["rand=32x64xf32,seed=1", "zeros=32x64xf32"];
const found = pto.advise(await kernel("softmax"), { args, blocks: 1 });
const { arrays } = pto.run(found.text, found.launch);
const sum = arrays[1].values.slice(0, 64).reduce((a, b) => a + b, 0);
console.log("faster:", found.faster, "- blocks:", found.launch.blocks, "- sum of row 0:", sum.toFixed(6));
