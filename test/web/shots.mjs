// Takes the screenshots of docs/images while pto-playground serves the page:
// node shots.mjs http://127.0.0.1:8437/ ../../docs/images
import { chromium } from "playwright-core";

const [address, dir] = process.argv.slice(2);
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
try {
  for (const [name, width, height, scheme, file, tab] of [
    ["playground-light", 1280, 800, "light", "examples/hazards/missing_flag.pto", "checks"],
    ["playground-dark", 1280, 800, "dark", "examples/mixed_attention.pto", "timeline"],
    ["playground-phone-light", 390, 844, "light", "examples/tutorial/affine.pto", "run"],
    ["playground-phone-dark", 390, 844, "dark", "examples/hazards/buffer_reused.pto", "checks"],
  ]) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme: scheme, deviceScaleFactor: 1 });
    await page.goto(address);
    await page.waitForFunction(() => document.body.dataset.done, null, { timeout: 60000 });
    await page.selectOption('select[aria-label="Examples"]', file);
    await page.waitForTimeout(1500);
    await page.click("#tab-" + tab);
    await page.waitForTimeout(700);
    await page.screenshot({ path: `${dir}/${name}.jpg`, type: "jpeg", quality: 55, fullPage: width < 500 });
    await page.close();
  }
} finally {
  await browser.close();
}
