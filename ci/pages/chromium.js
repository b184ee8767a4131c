"use strict";
// A page in a headless Chromium, in three looks: what it loads, what scripts say, how wide it is, and what axe-core finds.
const fs = require("fs");
const path = require("path");

const looks = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", isMobile: true, hasTouch: true },
};

// Through the debugger, as the page's policy forbids a script that is not its own.
async function accessibility(page, look, axe, faults) {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: `${axe};1` });
  // It would load the style once more, which the page's policy forbids.
  const expression = "axe.run(document, { preload: false }).then((found) => JSON.stringify(found.violations.map((one) => " +
    "`${one.id}: ${one.help} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 120)}`)))";
  const answer = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  for (const violation of JSON.parse(answer.result.value)) faults.push(`${look}: ${violation}`);
}

/// Opens a file in each look, and calls `use(page, look, faults)` there. Screenshots are SHOTS-LOOK.png. Ends the program:
/// with 1 and the faults, or with 0. WORK has the modules.
async function look_at_all(work, address, shots, use) {
  const modules = path.resolve(work, "node_modules");
  const { chromium } = require(path.join(modules, "playwright-core"));
  const axe = fs.readFileSync(path.join(modules, "axe-core/axe.min.js"), "utf8");
  const faults = [];
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
  for (const look of Object.keys(looks)) {
    const context = await browser.newContext(looks[look]);
    const page = await context.newPage();
    page.on("console", (message) => message.type() === "error" && faults.push(`${look}: ${message.text()}`));
    page.on("pageerror", (error) => faults.push(`${look}: ${error}`));
    page.on("request", (request) => request.url().startsWith("file:") || faults.push(`${look}: asks for ${request.url()}`));
    page.on("dialog", (dialog) => {
      faults.push(`${look}: a script of others ran`);
      dialog.dismiss();
    });
    await page.goto(`file://${address}`);
    await use(page, look, faults);
    await page.screenshot({ path: `${shots}-${look}.png` });
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
    if (excess > 0) faults.push(`${look}: ${excess} pixels too wide`);
    await accessibility(page, look, axe, faults);
    await context.close();
  }
  await browser.close();
  for (const fault of faults) console.error(`  ${fault}`);
  process.exit(faults.length > 0 ? 1 : 0);
}

module.exports = { look_at_all };
