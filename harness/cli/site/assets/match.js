"use strict";
// Finds the rules that may have written a refusal, from the catalogue's texts alone. Runs in the page and, for its test, in Node.js.

/** The pattern of a text of the catalogue: `{name}` stands for any text, `{name:q}` for one in double quotes. */
function patternOf(text) {
  const parts = text.split(/(\{\w+(?::q)?\})/).map((part) => {
    if (/^\{\w+:q\}$/.test(part)) return '"(?:[^"\\\\]|\\\\.)*"';
    if (/^\{\w+\}$/.test(part)) return "(.{0,300}?)";
    return part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+");
  });
  let pattern = parts.join("");
  // What a placeholder stands for may be empty, and blanks around it are then one.
  pattern = pattern.replaceAll("\\s+(.{0,300}?)", "\\s*(.{0,300}?)");
  if (/\{\w+\}$/.test(text)) pattern = pattern.replace(/\?\)$/, ")");
  return new RegExp(pattern);
}

/** How much of a text is fixed: of several that match, the one with the most says the most. */
function fixedLength(text) {
  return text.replace(/\{\w+(?::q)?\}/g, "").length;
}

/** A line of a log as the caller read it: without the escapes of JSON, line breaks and colours. */
function plain(line) {
  return line.slice(0, 20000).replace(/\u001b\[[0-9;]*m/g, "").replace(/\\"/g, '"').replace(/\\\\/g, "\\")
    .replace(/\s+/g, " ").trim();
}

/** Who asked for what, if the refusal says so: API servers begin with it. */
function requestOf(line) {
  const found = /User "([^"]*)" cannot ([\w-]+) (resource|path) "([^"]*)"/.exec(line)
    || /[Uu]ser "([^"]*)" cannot ([\w-]+) ([\w.\/-]+?)(?: at the cluster scope| in the namespace|\.|:|,|$)/.exec(line);
  if (found) return { user: found[1], verb: found[2], resource: found[found.length - 1].split(".")[0] };
  const object = /(?:^|[\s:(])([a-z]+)(?:\.[a-z0-9.-]+)? (?:"[^"]*" )?is forbidden/.exec(line);
  return object ? { user: "", verb: "", resource: object[1] } : null;
}

function compile(catalogue) {
  const texts = new Map();
  for (const rule of catalogue.rules) {
    for (const { since, text } of rule.refusals) {
      if (fixedLength(text) < 5) continue; // says nothing by which to know it
      if (!texts.has(text)) texts.set(text, { text, pattern: patternOf(text), fixed: fixedLength(text), rules: [] });
      texts.get(text).rules.push({ rule, since });
    }
  }
  return [...texts.values()];
}

/**
 * The texts that the line may have, those that say most first, each with its rules; those about the line's kind of object first.
 */
function match(line, texts) {
  const said = plain(line);
  if (!said) return { said, request: null, found: [] };
  const request = requestOf(said);
  const found = texts.filter((one) => one.pattern.test(said)).sort((a, b) => b.fixed - a.fixed);
  // A text within another that matches as well says nothing of its own.
  const best = found.filter((one, at) => !found.slice(0, at).some((longer) => longer.text.includes(one.text)));
  // Of rules with the same words those about fewer kinds of objects say more.
  const about = (rule) => (request && rule.kinds.includes(request.resource) ? 1 / rule.kinds.length : 0);
  return { said, request, found: best.map((one) => ({
    text: one.text,
    rules: [...one.rules].sort((a, b) => about(b.rule) - about(a.rule)),
    sure: one.rules.some(({ rule }) => about(rule)),
  })) };
}

/** The checks that have all words of a question, at a release: what is asked, and whether the rules allow it. */
function answers(question, release, catalogue) {
  const words = question.toLowerCase().split(/[\s\/]+/).filter(Boolean);
  if (!words.length) return [];
  const at = catalogue.releases.indexOf(release);
  const out = [];
  for (const check of catalogue.checks) {
    const said = `${check.ask} ${check.about}`.toLowerCase();
    if (!words.every((word) => said.includes(word))) continue;
    let answer = null;
    for (const [from, allowed, rule] of check.spans) if (from <= at) answer = allowed === null ? null : { allowed, rule: catalogue.rules[rule] };
    if (!answer) continue;
    const exact = words.filter((word) => check.ask.toLowerCase().split(/[\s\/]+/).includes(word)).length;
    out.push({ check, ...answer, exact });
  }
  return out.sort((a, b) => b.exact - a.exact || a.check.ask.length - b.check.ask.length);
}

if (typeof module !== "undefined") module.exports = { patternOf, compile, match, answers, requestOf, plain };
