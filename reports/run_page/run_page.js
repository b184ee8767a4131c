"use strict";
(() => {
  const search = document.getElementById("search");
  const told = document.getElementById("told");
  const boxes = [...document.querySelectorAll("#filter input[type=checkbox]")];
  const items = [...document.querySelectorAll("[data-verdict]")].map((element) => ({
    element,
    verdicts: element.dataset.verdict.split(" "),
    text: element.textContent.toLowerCase(),
  }));
  const groups = [...document.querySelectorAll("[data-group]")].map((element) => ({
    element,
    items: [...element.querySelectorAll("[data-verdict]")],
  }));
  const opened = new Set();

  const show = () => {
    const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    let checks = 0;
    for (const { element, verdicts, text } of items) {
      const shown = verdicts.some((verdict) => wanted.has(verdict)) && words.every((word) => text.includes(word));
      element.hidden = !shown;
      if (shown && element.dataset.check !== undefined) checks += 1;
    }
    for (const group of groups) {
      const shown = group.items.some((item) => !item.hidden);
      group.element.hidden = !shown;
      const open = shown && words.length > 0;
      if (open && !group.element.open) opened.add(group.element);
      if (open) group.element.open = true;
      if (!open && opened.delete(group.element)) group.element.open = false;
    }
    told.textContent = checks === 1 ? "1 check shown" : `${checks} checks shown`;
  };

  let waiting = 0;
  const later = () => {
    clearTimeout(waiting);
    waiting = setTimeout(show, 120);
  };
  search.addEventListener("input", later);
  for (const box of boxes) box.addEventListener("change", show);
  document.addEventListener("keydown", (event) => {
    const writing = document.activeElement === search;
    if (event.key === "/" && !writing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      search.focus();
    } else if (event.key === "Escape" && writing) {
      search.value = "";
      show();
    }
  });
  document.getElementById("filter").addEventListener("submit", (event) => event.preventDefault());
  document.getElementById("filter").hidden = false;
  show();
})();
