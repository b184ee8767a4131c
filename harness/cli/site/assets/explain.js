"use strict";
// The page that asks the reference about one's own objects. All text goes into the page as text, never as markup.

const field = (id) => document.getElementById(id);

async function unpacked(base64) {
  const packed = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

function list(title, items) {
  if (!items.length) return [];
  const out = element("ul", "list");
  for (const item of items) out.append(element("li", "", item));
  return [element("p", "", element("strong", "", title)), out];
}

function shownPath({ from, steps, node }) {
  return [...steps].reverse().map(({ object, field: through }, at, all) =>
    `${object} leads to ${at + 1 < all.length ? all[at + 1].object : from} by ${through}`)
    .concat(steps.length ? [] : [`nothing leads from node ${node} to ${from}`]);
}

function shownReleases(releases) {
  const table = element("table", "", element("tr", "", ...["Release", "Answer", "By", "Rule"].map((text) => element("th", "", text))));
  for (const { since, until, allowed, by, rule, asked } of releases) {
    table.append(element("tr", "",
      element("td", "", until ? `${since} to before ${until}` : `since ${since}`, asked ? " (asked)" : ""),
      element("td", allowed ? "yes" : "no", allowed ? "✓ allowed" : "✗ refused"),
      element("td", "", by), element("td", "", rule ? linkTo(rule) : "")));
  }
  return table;
}

function shown({ decision, request, cluster, certain, missing, advice, path, releases }) {
  const out = [element("p", "", element("span", decision.allowed ? "yes" : "no", decision.allowed ? "✓ " : "✗ ", decision.summary), " – ",
    element("code", "", request.text))];
  if (decision.reason) out.push(element("p", "", "In the words of kube-apiserver: ", element("code", "", decision.reason)));
  if (decision.rule) out.push(element("p", "", "By ", linkTo(decision.rule.id), ` – ${decision.rule.statement}`));
  if (path) out.push(...list("Through the objects", shownPath(path)), ...list("What does not lead there", path.misses));
  if (!certain) out.push(...list("Another answer is possible: this is not known", missing));
  out.push(...list("What to do", advice));
  out.push(element("p", "dim", `${cluster.objects} of your objects were read.`), shownReleases(releases));
  return out;
}

function ask(library) {
  const reference = library.open(field("release").value);
  try {
    if (field("objects").value.trim()) reference.put(field("objects").value);
    return reference.explain({
      as: field("as").value, verb: field("verb").value, target: field("target").value,
      namespace: field("namespace").value || null, body: field("body").value.trim() ? field("body").value : null,
    });
  } finally {
    reference.close();
  }
}

// index.html links here with what was asked there: explain.html#verb=…&target=…
const given = new URLSearchParams(location.hash.slice(1));
for (const id of ["as", "verb", "target", "namespace", "release"]) if (given.has(id)) field(id).value = given.get(id);

// Each question gets a library of its own: one that ran out of memory or stack cannot be asked again.
field("ask").addEventListener("submit", async (event) => {
  event.preventDefault();
  const out = field("answer");
  try {
    out.replaceChildren(...shown(ask(await loadReference(await unpacked(packedLibrary)))));
  } catch (failure) {
    const [first, ...more] = failure.message.split("\n");
    out.replaceChildren(element("p", "", element("span", "no", "Not answered: "), first), ...more.map((line) => element("p", "dim", line.trim())));
    if (failure instanceof WebAssembly.CompileError || typeof DecompressionStream === "undefined") {
      out.append(element("p", "", "This browser is too old for the reference. Ask ", element("code", "", "nodebound explain"), "."));
    }
  }
});
