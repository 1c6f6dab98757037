// Finds a race: an instruction may read a tile before the load has written it.

import { load } from "ptogo-wasm";
import { kernel } from "./kernel.js";

const pto = await load();
const { checks } = pto.run(await kernel("missing_flag"), { args: ["iota=64x64xf32", "zeros=64x64xf32"] });
const [first] = checks.reports;
console.log(checks.errors, "error:", first.check, "at", first.at);
