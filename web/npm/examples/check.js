// Verifies a program with an error and prints the message and its fix.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const text = (await kernel("affine")).replace("pto.tadds", "pto.taddss");
const { ok, diagnostics } = pto.check(text);
const [first] = diagnostics;
console.log(ok, "- line", first.line, "-", first.message, "-", first.fixes[0].title);
