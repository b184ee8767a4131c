"""Random match conditions: well-typed ones by a grammar of types, ill-typed ones by mutation of these."""

import random

STRINGS = ["'get'", "'system:nodes'", "'system:node:a'", "'shop'", "''", "'a'", "'é✓'", '"k"', "r'\\d+'", "'''x'''", "'\\u00e9\\n'"]
INTS = ["0", "1", "2", "-1", "7", "0x1f", "9223372036854775807", "-9223372036854775808"]
UINTS = ["0u", "1u", "18446744073709551615u", "0x2U"]
DOUBLES = ["0.0", "1.5", "-2.25", "1e3", ".5", "1e-7", "1e21"]
BYTES = ["b'a'", "b'\\x00'", "b''", "br'x'"]
DURATIONS = ["duration('1s')", "duration('1h30m')", "duration('-5ms')"]
REGEXES = ["'^system:'", "'[a-z]+'", "'a|b'", "'x{2,3}$'", "'(?i)NODE'", "'é'"]
FIELDS = ["namespace", "verb", "group", "version", "resource", "subresource", "name"]
COMPARISONS = ["<", "<=", ">", ">=", "==", "!="]


class Expressions:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.names = 0

    def one(self):
        text = self.typed("bool", self.random.randint(1, 4), {})
        roll = self.random.random()
        if roll < 0.25:
            return self.mutated(text)
        return text

    def pick(self, choices):
        return self.random.choice(choices)

    def typed(self, kind, depth, scope):
        """An expression of the type; `scope` has the types of a loop's variables by name."""
        names = [name for name, its in scope.items() if its == kind]
        if names and self.random.random() < 0.35:
            return self.pick(names)
        makers = {
            "bool": self.boolean, "string": self.string, "int": self.integer, "uint": self.unsigned,
            "double": self.double, "list": self.list, "ints": self.ints, "bytes": self.bytes,
            "duration": self.duration, "optional": self.optional, "map": self.map,
        }
        return makers[kind](depth, scope)

    def name(self):
        self.names += 1
        return self.pick("abcdxy") + str(self.names % 7)

    def boolean(self, depth, scope):
        if depth <= 0:
            return self.pick(["true", "false", "has(request.resourceAttributes)", "has(request.nonResourceAttributes)",
                              "has(request.resourceAttributes.fieldSelector)", "request.user == 'alice'"])
        d = depth - 1
        t = lambda kind: self.typed(kind, d, scope)
        kind = self.pick(["string", "int", "uint", "double", "bytes", "duration", "bool"])
        return self.pick([
            lambda: f"{t('bool')} && {t('bool')}",
            lambda: f"{t('bool')} || {t('bool')}",
            lambda: f"({t('bool')} && {t('bool')} && {t('bool')})",
            lambda: f"!({t('bool')})",
            lambda: f"({t('bool')} ? {t('bool')} : {t('bool')})",
            lambda: f"({t(kind)} {self.pick(COMPARISONS)} {t(kind)})",
            lambda: f"({t('int')} {self.pick(COMPARISONS)} {t(self.pick(['uint', 'double']))})",
            lambda: f"({t('list')} {self.pick(['==', '!='])} {t('list')})",
            lambda: f"({t('string')} in {t('list')})",
            lambda: f"({t('string')} in {t('map')})",
            lambda: f"({t('int')} in {t('ints')})",
            lambda: f"{t('string')}.{self.pick(['startsWith', 'endsWith', 'contains'])}({t('string')})",
            lambda: f"{t('string')}.matches({self.pick(REGEXES)})",
            lambda: f"matches({t('string')}, {t('string')})",
            lambda: self.quantifier(depth, scope),
            lambda: f"{t('optional')}.hasValue()",
            lambda: f"{self.pick(['has(request.extra.k)', 'has(request.extra.nothing)'])}",
            lambda: f"{t('ints')}.isSorted()",
            lambda: f"sets.{self.pick(['contains', 'equivalent', 'intersects'])}({t('list')}, {t('list')})",
            lambda: f"bool({t('string')})",
            lambda: f"(type({t(kind)}) == {self.pick(['string', 'int', 'bool', 'list', 'map', 'type'])})",
            lambda: f"({self.pick(['request.resourceAttributes', 'request.extra', 'request'])} == {self.pick(['request.resourceAttributes', 'request'])})",
        ])()

    def quantifier(self, depth, scope):
        source = self.pick(["list", "ints"])
        name = self.name()
        inner = dict(scope, **{name: "string" if source == "list" else "int"})
        over = self.typed(source, depth - 1, scope)
        if self.random.random() < 0.2:
            other = self.name() + "i"
            inner[other] = "int"
            return f"{over}.{self.pick(['all', 'exists', 'exists_one', 'existsOne'])}({other}, {name}, {self.typed('bool', depth - 1, inner)})"
        return f"{over}.{self.pick(['all', 'exists', 'exists_one'])}({name}, {self.typed('bool', depth - 1, inner)})"

    def string(self, depth, scope):
        simple = [
            lambda: self.pick(STRINGS), lambda: "request.user", lambda: "request.uid",
            lambda: "request.resourceAttributes." + self.pick(FIELDS),
            lambda: "request.nonResourceAttributes." + self.pick(["path", "verb"]),
        ]
        if depth <= 0:
            return self.pick(simple)()
        d = depth - 1
        t = lambda kind: self.typed(kind, d, scope)
        return self.pick(simple + [
            lambda: f"({t('string')} + {t('string')})",
            lambda: f"{t('list')}[{t('int')}]",
            lambda: f"({t('bool')} ? {t('string')} : {t('string')})",
            lambda: f"string({t(self.pick(['int', 'uint', 'double', 'bool', 'bytes', 'duration']))})",
            lambda: f"{t('string')}.{self.pick(['lowerAscii', 'upperAscii', 'trim'])}()",
            lambda: f"{t('string')}.substring({t('int')})",
            lambda: f"{t('string')}.substring({t('int')}, {t('int')})",
            lambda: f"{t('string')}.replace({t('string')}, {t('string')})",
            lambda: f"{t('string')}.replace({t('string')}, {t('string')}, {t('int')})",
            lambda: f"{t('string')}.charAt({t('int')})",
            lambda: f"{t('list')}.join({t('string')})",
            lambda: f"{t('string')}.find({self.pick(REGEXES)})",
            lambda: f"{t('optional')}.orValue({t('string')})",
            lambda: f"{t('optional')}.value()",
            lambda: f"strings.quote({t('string')})",
            lambda: f"request.extra[{t('string')}][0]",
            lambda: f"{t('list')}.max()",
        ])()

    def integer(self, depth, scope):
        if depth <= 0:
            return self.pick(INTS)
        d = depth - 1
        t = lambda kind: self.typed(kind, d, scope)
        return self.pick([
            lambda: self.pick(INTS),
            lambda: f"size({t(self.pick(['string', 'list', 'bytes', 'map']))})",
            lambda: f"{t(self.pick(['string', 'list']))}.size()",
            lambda: f"({t('int')} {self.pick('+-*/%')} {t('int')})",
            lambda: f"-({t('int')})",
            lambda: f"int({t(self.pick(['uint', 'double', 'string', 'duration']))})",
            lambda: f"{t('string')}.{self.pick(['indexOf', 'lastIndexOf'])}({t('string')})",
            lambda: f"{t('string')}.{self.pick(['indexOf', 'lastIndexOf'])}({t('string')}, {t('int')})",
            lambda: f"{t('list')}.{self.pick(['indexOf', 'lastIndexOf'])}({t('string')})",
            lambda: f"{t('ints')}.{self.pick(['sum', 'min', 'max'])}()",
            lambda: f"{t('duration')}.{self.pick(['getHours', 'getMinutes', 'getSeconds', 'getMilliseconds'])}()",
            lambda: f"{t('ints')}[{t('int')}]",
        ])()

    def unsigned(self, depth, scope):
        if depth <= 0:
            return self.pick(UINTS)
        t = lambda kind: self.typed(kind, depth - 1, scope)
        return self.pick([lambda: self.pick(UINTS), lambda: f"({t('uint')} {self.pick('+-*/%')} {t('uint')})",
                          lambda: f"uint({t(self.pick(['int', 'double', 'string']))})"])()

    def double(self, depth, scope):
        if depth <= 0:
            return self.pick(DOUBLES)
        t = lambda kind: self.typed(kind, depth - 1, scope)
        return self.pick([lambda: self.pick(DOUBLES), lambda: f"({t('double')} {self.pick('+-*/')} {t('double')})",
                          lambda: f"double({t(self.pick(['int', 'uint', 'string']))})", lambda: f"-({t('double')})"])()

    def bytes(self, depth, scope):
        if depth <= 0:
            return self.pick(BYTES)
        t = lambda kind: self.typed(kind, depth - 1, scope)
        return self.pick([lambda: self.pick(BYTES), lambda: f"({t('bytes')} + {t('bytes')})", lambda: f"bytes({t('string')})"])()

    def duration(self, depth, scope):
        if depth <= 0:
            return self.pick(DURATIONS)
        t = lambda kind: self.typed(kind, depth - 1, scope)
        return self.pick([lambda: self.pick(DURATIONS), lambda: f"({t('duration')} {self.pick('+-')} {t('duration')})"])()

    def list(self, depth, scope):
        if depth <= 0:
            return self.pick(["request.groups", "['a', 'system:nodes']", "request.extra['k']", "[request.user]"])
        d = depth - 1
        t = lambda kind: self.typed(kind, d, scope)
        name = self.name()
        inner = dict(scope, **{name: "string"})
        return self.pick([
            lambda: "request.groups",
            lambda: f"[{t('string')}, {t('string')}]",
            lambda: f"[{t('string')}, ?{t('optional')}]",
            lambda: f"({t('list')} + {t('list')})",
            lambda: f"{t('list')}.map({name}, {self.typed('string', d, inner)})",
            lambda: f"{t('list')}.map({name}, {self.typed('bool', d, inner)}, {self.typed('string', d, inner)})",
            lambda: f"{t('list')}.filter({name}, {self.typed('bool', d, inner)})",
            lambda: f"{t('string')}.split({t('string')})",
            lambda: f"{t('string')}.split({t('string')}, {t('int')})",
            lambda: f"{t('string')}.findAll({self.pick(REGEXES)})",
            lambda: f"({t('bool')} ? {t('list')} : {t('list')})",
            lambda: f"{t('map')}.map({name}, {self.typed('string', d, inner)})" if self.random.random() < 0 else "request.extra['k']",
        ])()

    def ints(self, depth, scope):
        if depth <= 0:
            return self.pick(["[1, 2, 3]", "[]", "[3, 1]", "[size(request.groups)]"])
        d = depth - 1
        t = lambda kind: self.typed(kind, d, scope)
        name = self.name()
        return self.pick([
            lambda: f"[{t('int')}, {t('int')}]", lambda: f"({t('ints')} + {t('ints')})",
            lambda: f"{t('list')}.map({name}, {self.typed('int', d, dict(scope, **{name: 'string'}))})",
            lambda: f"{t('ints')}.filter({name}, {self.typed('bool', d, dict(scope, **{name: 'int'}))})",
        ])()

    def optional(self, depth, scope):
        if depth <= 0:
            return self.pick(["request.?resourceAttributes.verb", "request.?nonResourceAttributes.path", "optional.of('x')",
                              "request.groups[?0]", "optional.ofNonZeroValue(request.uid)"])
        d = depth - 1
        t = lambda kind: self.typed(kind, d, scope)
        name = self.name()
        return self.pick([
            lambda: f"optional.of({t('string')})", lambda: f"optional.ofNonZeroValue({t('string')})",
            lambda: f"{t('list')}[?{t('int')}]", lambda: f"{t('map')}[?{t('string')}]",
            lambda: f"{t('optional')}.or({t('optional')})",
            lambda: f"{t('optional')}.optMap({name}, {self.typed('string', d, dict(scope, **{name: 'string'}))})",
            lambda: f"{t('list')}.{self.pick(['first', 'last'])}()",
            lambda: "request.?resourceAttributes.?" + self.pick(FIELDS),
        ])()

    def map(self, depth, scope):
        if depth <= 0:
            return self.pick(["{'a': 'b'}", "{'k': request.user}"])
        t = lambda kind: self.typed(kind, depth - 1, scope)
        return self.pick([lambda: f"{{{t('string')}: {t('string')}}}", lambda: f"{{'k': {t('string')}, 'a': {t('string')}}}",
                          lambda: f"{{?'k': {t('optional')}}}"])()

    def mutated(self, text):
        """Mostly a name or a type that is wrong: what a person gets wrong."""
        swaps = [("request.user", "request.users"), ("request.groups", "request.user.groups"), ("resourceAttributes", "resource"),
                 ("'a'", "1"), ("true", "'true'"), (".size()", ".length()"), ("==", "="), ("&&", "&"), ("request", "req"),
                 ("startsWith", "startswith"), (" in ", " IN "), ("'get'", "null"), ("verb", "Verb"), ("int(", "Int("),
                 ("1", "1.0"), ("0u", "0"), ("all(", "any("), ("'", '"'), ("has(request.extra.k)", "has(request)"),
                 ("string(", "dyn("), ("[0]", "['0']"), ("(", "(("), (")", ""), ("||", "or"), ("request.user", "namespace")]
        self.random.shuffle(swaps)
        for old, new in swaps:
            if old in text:
                places = text.count(old)
                at = -1
                for _ in range(self.random.randint(1, places)):
                    at = text.index(old, at + 1)
                return text[:at] + new + text[at + len(old):]
        return text[: len(text) // 2]
