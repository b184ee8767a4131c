"use strict";
// What the scripts of pages make elements of. All text goes in as text, never as markup.

function element(name, kind, ...content) {
  const out = document.createElement(name);
  if (kind) out.className = kind;
  out.append(...content);
  return out;
}

/// A link to the page of a rule.
function linkTo(id) {
  const link = element("a", "", id);
  link.href = `rules/${encodeURIComponent(id)}.html`;
  return link;
}
