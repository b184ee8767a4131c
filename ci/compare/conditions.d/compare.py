"""Asks Nodebound and the API server's own packages the same chains of authorizers, and prints what they answer differently."""

import collections
import json
import pathlib
import random
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import answer_lines

DECISIONS = ["Deny", "Allow", "NoOpinion"]
IDS = ["a", "b", "c", "owner", "example.com/d", "example.com/e"]
WRONG_KEYS = ["", "-a", "a b", "x/y/z", "EXAMPLE.com/a", "a" * 64, 'quo"te']
RESULTS = ["yes", "no", "no", "no", "unevaluatable", "no such field", ""]
TEXTS = ["", "", "because", "two\nlines", 'it "says" so']


class Questions:
    """Random chains; most are what a careful authorizer answers, some are not."""

    def __init__(self, seed):
        self.random = random.Random(seed)

    def one_in(self, count):
        return self.random.randrange(count) == 0

    def condition(self):
        key = self.random.choice(WRONG_KEYS if self.one_in(25) else IDS)
        out = {"id": key}
        if self.one_in(4):
            out["type"] = self.random.choice(WRONG_KEYS if self.one_in(6) else ["k8s.io/authorization-cel", "opaque"])
        if self.one_in(3):
            out["description"] = self.random.choice(TEXTS)
        return out

    def conditions(self):
        if self.one_in(100):  # as many as there may be, or one more
            count = 128 + self.random.randrange(2)
            out = [{"id": f"c{number}"} for number in range(count)]
        else:
            out = [self.condition() for _ in range(self.random.choice([0, 1, 1, 2, 2, 3, 4, 6]))]
            if not self.one_in(12):  # each id once
                out = list({one["id"]: one for one in out}.values())
        by_effect = collections.defaultdict(list)
        effects = self.random.sample(["deny", "noOpinion", "allow"], self.random.randint(1, 3))
        for one in out:
            by_effect[self.random.choice(effects)].append(one)
        return dict(by_effect)

    def answer(self, depth):
        kind = self.random.randrange(8)
        if kind < 3:
            weights = [1, 1, 4]
            return {"decision": self.random.choices(DECISIONS, weights)[0], "reason": self.random.choice(TEXTS),
                    "error": self.random.choice(["", "", "broken"])}
        if kind == 3 and depth < 3:
            return {"chain": self.chain(depth + 1)}
        out = {"conditions": self.conditions()}
        if self.one_in(15):
            out["evaluates"] = self.random.choice(DECISIONS)
        return out

    def chain(self, depth):
        names = self.random.sample(["node", "rbac", "webhook", "policy", "abac"], self.random.choice([0, 1, 2, 2, 3, 4]))
        return [{"name": name, "answer": self.answer(depth)} for name in names]

    def question(self):
        union = self.chain(1)
        for member in union:
            if self.one_in(6):
                member["name"] = self.random.choice(["", "node"])
        keys = IDS + WRONG_KEYS + [f"c{number}" for number in range(129)]
        return {"chain": self.chain(0), "union": union, "results": {key: self.random.choice(RESULTS) for key in keys}}


def kind(decision):
    if isinstance(decision, list):
        return "a union"
    return decision.get("decision", "conditions")


def main():
    arguments = answer_lines.arguments()
    questions = Questions(arguments.seed)
    lines = [json.dumps(questions.question()) for _ in range(arguments.count)]
    ours, theirs = (answer_lines.answers([program], lines) for program in (arguments.ours, arguments.theirs))

    kinds = collections.Counter(kind(answer["chain"]["decision"]) for answer in theirs)
    finals = collections.Counter(answer["evaluated"]["decision"] for answer in theirs)
    differ = 0
    for line, mine, other in zip(lines, ours, theirs):
        wrong = [part for part in other if mine.get(part) != other[part]]
        differ += bool(wrong)
        if wrong and differ <= arguments.show:
            print(f"{wrong[0]}: {line[:2000]}\n  Nodebound  {json.dumps(mine[wrong[0]])}\n  API server {json.dumps(other[wrong[0]])}")
    print(f"{len(lines)} chains of authorizers as by Kubernetes {arguments.version}, seed {arguments.seed}")
    print("  answered: " + ", ".join(f"{count} {name}" for name, count in sorted(kinds.items())))
    print("  evaluated: " + ", ".join(f"{count} {name}" for name, count in sorted(finals.items())))
    print(f"  {differ} differ")
    return differ != 0


if __name__ == "__main__":
    sys.exit(main())
