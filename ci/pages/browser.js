#!/usr/bin/env node
// Opens a page of a report in Chromium and tries it: README.md says how.
//
//   browser.js WORK PAGE SCREENSHOTS
"use strict";
const { look_at_all } = require("./chromium.js");

const [work, file, shots] = process.argv.slice(2);

async function search(page, look, faults) {
  if (look !== "light") return;
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

look_at_all(work, file, shots, search);
