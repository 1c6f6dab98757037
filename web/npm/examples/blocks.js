// Runs softmax on two blocks; the elements of each row add up to 1.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const { arrays } = pto.run(await kernel("softmax"), { args: ["rand=32x64xf32,seed=1", "zeros=32x64xf32"], blocks: 2 });
const row = arrays[1].values.slice(0, 64);
console.log("sum of row 0:", row.reduce((a, b) => a + b).toFixed(6));
