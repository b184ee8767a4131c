"use strict";
// Filters a list of rules by what is typed.
document.getElementById("filter").addEventListener("input", (event) => {
  const words = event.target.value.toLowerCase().split(/\s+/);
  for (const item of document.querySelectorAll("[data-rule]")) {
    item.hidden = !words.every((word) => item.textContent.toLowerCase().includes(word));
  }
  for (const group of document.querySelectorAll("[data-group]")) group.hidden = !group.querySelector("[data-rule]:not([hidden])");
});
