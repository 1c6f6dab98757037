// Passes a file to a kernel and receives the result as a .npy file.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const x = new Float32Array(64 * 64).fill(3);
const { arrays } = pto.run(await kernel("affine"), {
  args: ["in=x.bin", "zeros=64x64xf32", "2.0", "1.0"], files: { "x.bin": new Uint8Array(x.buffer) },
});
console.log("y[0][0]:", arrays[1].values[0], "- bytes of the .npy file:", arrays[1].npy.length);
