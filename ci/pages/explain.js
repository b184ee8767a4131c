#!/usr/bin/env node
// Asks the page of a site that explains requests: README.md says what of it.
//
//   explain.js WORK PAGE OBJECTS SCREENSHOTS
"use strict";
const fs = require("fs");
const { look_at_all } = require("./chromium.js");

const [work, file, objects, shots] = process.argv.slice(2);

/// Asks, and demands that each of those texts is in the answer.
async function ask(page, fields, expected, faults) {
  for (const [id, text] of Object.entries(fields)) {
    if (id === "release") await page.selectOption("#release", text);
    else await page.fill(`#${id}`, text);
  }
  await page.evaluate(() => document.getElementById("answer").replaceChildren());
  await page.click("button[type=submit]");
  await page.waitForFunction(() => document.getElementById("answer").textContent !== "");
  const answer = await page.textContent("#answer");
  for (const text of expected) if (!answer.includes(text)) faults.push(`asked ${JSON.stringify(fields).slice(0, 200)}: no "${text}" in ${answer.slice(0, 300)}`);
  if (await page.locator("#answer img, #answer script").count()) faults.push("markup of others came into the page");
}

look_at_all(work, file, shots, async (page, look, faults) => {
  if (await page.inputValue("#target") !== "secrets/db") faults.push("the address did not fill the form");
  const yaml = fs.readFileSync(objects, "utf8");
  if (look === "light") {
    await ask(page, { objects: "kind: Pod: x" }, ["Not answered", "is not valid YAML"], faults);
    await ask(page, { objects: "[".repeat(200000) }, ["Not answered"], faults);
    await ask(page, { objects: "", target: "secrets/<img src=x onerror=alert(1)>" }, ["✗ refused", "<img src=x"], faults);
    await ask(page, { target: "secrets/db", objects: yaml, as: "node:b" },
      ["✗ refused", "no relationship found between node 'b' and this object", "secret-through-pod", "bound to node a"], faults);
  }
  await ask(page, { objects: yaml, as: "node:a" }, ["✓ allowed", "secret-through-pod", "pod shop/web", "since 1.7.0"], faults);
  await page.screenshot({ path: `${shots}-${look}-answer.png`, fullPage: true });
});
