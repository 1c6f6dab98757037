// Compares the result of a kernel with a formula.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const { comparisons } = pto.run(await kernel("affine"), {
  args: ["rand=64x64xf32,seed=1", "zeros=64x64xf32", "2.0", "1.0"], expression: "y = 2 * x + 1",
});
console.log(comparisons[0].outcome, "- elements outside the tolerance:", comparisons[0].count);
