#!/usr/bin/env node
// Opens a page in Chromium and looks at it: README.md says what for.
//
//   look.js WORK PAGE SCREENSHOTS
"use strict";
const { look_at_all } = require("./chromium.js");

const [work, file, shots] = process.argv.slice(2);
look_at_all(work, file, shots, async () => {});
