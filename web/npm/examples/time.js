// Predicts the time of a kernel on a device.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const { timing } = pto.run(await kernel("affine"), { args: ["iota=64x64xf32", "zeros=64x64xf32", "2.0", "1.0"], asWritten: false });
console.log(timing.chip, "-", timing.kind, "-", timing.kernel_us.toFixed(1), "us in the kernel");
