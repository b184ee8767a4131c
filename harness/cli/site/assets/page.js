"use strict";
// The two boxes of the first page. All text goes into the page as text, never as markup.

const texts = compile(catalogue);

function shownRule(rule, since) {
  const out = element("div", "found", element("p", "", linkTo(rule.id), ` – ${rule.statement}`),
    element("p", "dim", `In force ${rule.history}. ${since ? `In these words since ${since}.` : ""}`));
  if (rule.advice) out.append(element("p", "", element("strong", "", "What to do: "), rule.advice));
  if (rule.hit.length) out.append(element("p", "dim", `Others were hit by it: ${rule.hit.join("; ")}.`));
  return out;
}

function shownMatch({ text, rules, sure }) {
  const likely = sure ? rules.filter(({ rule }) => rule.kinds.length) : rules;
  const out = element("div", "", element("p", "", "Written as ", element("code", "", text), rules.length > 1 && !sure ? ", by one of these:" : ""));
  for (const { rule, since } of likely.slice(0, sure ? 1 : 6)) out.append(shownRule(rule, since));
  const others = rules.filter((one) => !likely.slice(0, sure ? 1 : 6).includes(one));
  if (others.length) {
    const rest = element("p", "dim", "The same words are those of ");
    others.slice(0, 6).forEach(({ rule }, at) => rest.append(at ? ", " : "", linkTo(rule.id)));
    if (others.length > 6) rest.append(` and ${others.length - 6} more`);
    out.append(rest);
  }
  return out;
}

function showRefusal(line, out) {
  out.replaceChildren();
  const { said, request, found } = match(line, texts);
  if (!said) return;
  found.slice(0, 3).forEach((one) => out.append(shownMatch(one)));
  if (!found.length && request && request.verb) {
    out.append(element("p", "", `No authorizer allows ${request.user || "the caller"} to ${request.verb} ${request.resource}, and none says more. `
      + "A node may do what the rules below allow; anybody else needs a Role or ClusterRole that allows it, and a binding."));
  } else if (!found.length) {
    out.append(element("p", "", "No text of the catalogue is like this. Paste the whole line, from the API server or the kubelet; "
      + "what quotas, webhooks and validation of other kinds of objects say is not in it."));
  }
  if (request && request.verb && document.getElementById("question").value === "") {
    document.getElementById("question").value = `${request.verb} ${request.resource}`;
    showAnswers();
  }
}

function showAnswers() {
  const out = document.getElementById("answers");
  const question = document.getElementById("question").value;
  const release = document.getElementById("release").value;
  out.replaceChildren();
  const all = answers(question, release, catalogue);
  if (question.trim() && !all.length) out.append(element("p", "", "No scenario asks this. Try a verb and a resource: list nodes, update pods/status."));
  for (const { check, allowed, rule } of all.slice(0, 12)) {
    out.append(element("div", "found",
      element("p", "", element("span", allowed ? "yes" : "no", allowed ? "✓ allowed " : "✗ refused "), element("code", "", check.ask), ` ${check.about}`),
      element("p", "dim", "by ", linkTo(rule.id), ` – ${rule.statement}`)));
  }
  if (all.length > 12) out.append(element("p", "dim", `and ${all.length - 12} more; add a word to narrow it`));
}

document.getElementById("refusal").addEventListener("input", (event) => showRefusal(event.target.value, document.getElementById("matches")));
for (const id of ["question", "release"]) document.getElementById(id).addEventListener("input", showAnswers);

// index.html#refusal=… and #question=…&release=… are links to an answer.
const given = new URLSearchParams(location.hash.slice(1));
for (const id of ["refusal", "question", "release"]) if (given.has(id)) document.getElementById(id).value = given.get(id);
if (given.has("refusal")) showRefusal(given.get("refusal"), document.getElementById("matches"));
if (given.has("question")) showAnswers();
