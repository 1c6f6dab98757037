// Runs the examples of the npm package in Chromium. node npm.mjs ADDRESS NAME... prints a JSON
// object: what each example writes to the console.

import { chromium } from "playwright-core";

const [address, ...names] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
const printed = {};
try {
  for (const name of names) {
    const page = await browser.newPage();
    const lines = [];
    page.on("console", (m) => lines.push(m.text()));
    page.on("pageerror", (e) => lines.push("error: " + e.message));
    await page.goto(`${address}page.html`);
    await page.evaluate((file) => import(file).catch((e) => console.log("error: " + e.message)), `/examples/${name}.js`);
    await page.waitForTimeout(0); // messages of the console arrive before this ends
    printed[name] = lines.join("\n");
    await page.close();
  }
} finally {
  await browser.close();
}
console.log(JSON.stringify(printed));
