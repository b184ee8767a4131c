#!/usr/bin/env node
// Opens a page of a report in Chromium and tries it: README.md says how.
//
//   browser.js WORK PAGE SCREENSHOTS
"use strict";
const fs = require("fs");
const path = require("path");

const [work, file, shots] = process.argv.slice(2);
const modules = path.resolve(work, "node_modules");
const { chromium } = require(path.join(modules, "playwright-core"));
const axe = fs.readFileSync(path.join(modules, "axe-core/axe.min.js"), "utf8");

const looks = {
  light: { viewport: { width: 1280, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1280, height: 900 }, colorScheme: "dark" },
  phone: { viewport: { width: 390, height: 844 }, colorScheme: "light", isMobile: true, hasTouch: true },
};
const faults = [];

async function search(page) {
  const all = await page.textContent("#told");
  const is_right = () => [...document.querySelectorAll("[data-check]")]
    .every((check) => check.hidden !== check.textContent.toLowerCase().includes("node"));
  await page.keyboard.press("/");
  await page.keyboard.type("node");
  await page.waitForFunction(is_right).catch(() => faults.push("the search shows, or hides, checks wrongly"));
  await page.keyboard.press("Escape");
  await page.waitForFunction((before) => document.getElementById("told").textContent === before, all)
    .catch(() => faults.push("Escape does not end the search"));
}

// Through the debugger, as the page's policy forbids a script that is not its own.
async function accessibility(page, look) {
  const session = await page.context().newCDPSession(page);
  await session.send("Runtime.evaluate", { expression: `${axe};1` });
  const expression = "axe.run(document).then((found) => JSON.stringify(found.violations.map((one) => " +
    "`${one.id}: ${one.help} (${one.nodes.length}): ${one.nodes[0].html.slice(0, 120)}`)))";
  const answer = await session.send("Runtime.evaluate", { expression, awaitPromise: true, returnByValue: true });
  for (const violation of JSON.parse(answer.result.value)) faults.push(`${look}: ${violation}`);
}

async function look_at(browser, look) {
  const context = await browser.newContext(looks[look]);
  const page = await context.newPage();
  page.on("console", (message) => message.type() === "error" && faults.push(`${look}: ${message.text()}`));
  page.on("pageerror", (error) => faults.push(`${look}: ${error}`));
  page.on("request", (request) => request.url().startsWith("file:") || faults.push(`${look}: asks for ${request.url()}`));
  page.on("dialog", (dialog) => {
    faults.push(`${look}: a script of others ran`);
    dialog.dismiss();
  });
  await page.goto(`file://${file}`);
  await page.screenshot({ path: `${shots}-${look}.png` });
  const excess = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  if (excess > 0) faults.push(`${look}: ${excess} pixels too wide`);
  if (look === "light") await search(page);
  await accessibility(page, look);
  await context.close();
}

(async () => {
  const browser = await chromium.launch({
    executablePath: "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
      "--disable-component-update", "--disable-sync"],
  });
  for (const look of Object.keys(looks)) await look_at(browser, look);
  await browser.close();
  for (const fault of faults) console.error(`  ${fault}`);
  process.exit(faults.length > 0 ? 1 : 0);
})();
