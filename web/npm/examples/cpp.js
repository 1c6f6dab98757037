// Writes C++ for the device.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const { text } = pto.emit(await kernel("affine"), "cpp");
console.log(text.split("\n").find((line) => line.includes("TADDS")).trim());
