// Writes LLVM IR for this computer.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const { text } = pto.emit(await kernel("affine"), "llvm");
console.log(text.match(/define [^(]*@affine/)[0]);
