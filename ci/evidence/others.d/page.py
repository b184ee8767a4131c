"""The page of cases.toml and outcomes.json."""

HEAD = """# What others wrote

Implementations that others wrote, and what the suite says of them: each is built from its Go module at an exact version, and asked
as its vendor would ask it. `ci/evidence/others` repeats that, and fails if other checks fail than [`failing/`](failing) has;
`ci/evidence/others --write` writes this page, those lists and `outcomes.json`. To fail is no reproach: most of this was made for
another purpose, or for this page.

| case | release | passed | failed | skipped | outcome |
|---|---|---|---|---|---|
"""


def verdict(outcome):
    failed = outcome["counts"]["fail"]
    if outcome["certificate"]:
        return "a bundle that says FAILED" if failed else "**certified**"
    return "does not conform" if failed else "conforms"


def row(case, outcome):
    counts = outcome["counts"]
    return (f"| [{case['name']}](#{case['name']}) | {outcome['release']} | {counts['pass']} | {counts['fail']} "
            f"| {counts['skip']} | {verdict(outcome)} |\n")


def broken(outcome):
    rules = sorted(outcome["rules"].items(), key=lambda rule: (-rule[1], rule[0]))
    shown = [f"`{name}` {number}" for name, number in rules[:12]]
    more = f" and {len(rules) - 12} more" if len(rules) > 12 else ""
    return ", ".join(shown) + more


def counted(number):
    return "1 check" if number == 1 else f"{number} checks"


def section(case, outcome):
    counts = outcome["counts"]
    out = [f"### {case['name']}\n", f"{case['title']}: {verdict(outcome)}.\n"]
    if counts["fail"]:
        out.append(f"Failed: [{counted(counts['fail'])}](failing/{case['name']}.txt), by the rules that they are about: "
                   f"{broken(outcome)}.\n")
    if counts["deviation"]:
        out.append(f"As the release is known to do, against a rule: {counted(counts['deviation'])}.\n")
    if counts["inconclusive"]:
        out.append(f"Not to be judged: {counted(counts['inconclusive'])}.\n")
    if case["explained"]:
        out.append(case["explained"].strip() + "\n")
    return "\n".join(out)


def origin(implementation):
    if "module" in implementation:
        return f"`{implementation['module']}` {implementation['version']}.\n\n"
    return ""


def page(data, outcomes):
    cases = [case for each in data["implementation"] for case in each["case"] if case["name"] in outcomes]
    out = HEAD + "".join(row(case, outcomes[case["name"]]) for case in cases)
    for each in data["implementation"]:
        tried = [case for case in each["case"] if case["name"] in outcomes]
        if not tried:
            continue
        out += f"\n## {each['title']}\n\n{origin(each)}{each['about'].strip()}\n"
        for case in tried:
            out += "\n" + section(case, outcomes[case["name"]])
    return out
