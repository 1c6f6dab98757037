// Runs a kernel on made-up data and prints the first results.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const { arrays } = pto.run(await kernel("affine"), { args: ["iota=64x64xf32", "zeros=64x64xf32", "2.0", "1.0"] });
console.log(arrays[1].name, arrays[1].shape.join("x"), [...arrays[1].values.slice(0, 4)].join(" "));
