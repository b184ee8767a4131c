"""Requests that are changed at random: the same for the same seed."""

import random

import framing
import headers
import paths
from cases import SMUGGLED, Case, request, review

ODD = [
    b"\x00",
    b"\t",
    b" ",
    b"\r",
    b"\n",
    b"\x0b",
    b"\x7f",
    b"\x85",
    b"\xa0",
    b"\xff",
    b"%",
    b"%2f",
    b"%00",
    b";",
    b"#",
    b"?",
    b"\\",
    b"/",
    b"//",
    b"/../",
    b"/./",
    b":",
    b",",
    b'"',
    b"\r\n",
    b"\r\n ",
    b"0",
    b"a",
    b"\xc3\xbc",
]


def base(random_):
    kind = random_.randrange(5)
    if kind == 0:
        _, fields, body = random_.choice(framing.LENGTHS)
        _, more, _ = random_.choice(framing.ENCODINGS)
        both = random_.sample([*fields, *more], len(fields) + len(more))
        return (
            request(
                f"POST {framing.WHO} HTTP/1.1",
                "Content-Type: application/json",
                *both,
                body=random_.choice([body, framing.WHOLE]),
            )
            + SMUGGLED
        )
    if kind == 1:
        _, body = random_.choice(framing.BODIES)
        return random_.choice(framing.ASKS)[1]([framing.CHUNKED], body) + SMUGGLED
    if kind == 2:
        _, own = random_.choice(headers.BEARERS)
        _, more = random_.choice(headers.IMPERSONATIONS)
        return review(*own, *more, who=None)
    if kind == 3:
        _, segments = random_.choice(paths.PATHS)
        changed = [random_.choice(paths.SEGMENT)[1](each) if random_.random() < 0.3 and each else each for each in segments]
        path = "/" + "/".join(changed)
        if random_.random() < 0.3:
            path = random_.choice(paths.WHOLE)[1](path)
        return request(f"GET {path} HTTP/1.1")
    _, fields = random_.choice(headers.FIELDS[:70])
    _, host = random_.choice(headers.HOSTS)
    method = random_.choice(headers.METHODS + ["GET"] * 20)
    target = random_.choice(headers.TARGETS[:40] + ["/api/v1/nodes/a"] * 60)
    return request(f"{method} {target} HTTP/1.1", *fields, host=host[0] if host else None)


def changed(random_, sent):
    data = bytearray(sent)
    for _ in range(random_.choice([0, 0, 1, 1, 2])):
        at = random_.randrange(min(len(data), 600))
        way = random_.randrange(4)
        if way == 0:
            data[at:at] = random_.choice(ODD)
        elif way == 1:
            del data[at]
        elif way == 2:
            data[at : at + 1] = random_.choice(ODD)
        else:
            lines = bytes(data).split(b"\r\n")
            line = random_.randrange(min(len(lines), 8))
            lines.insert(line, lines[line])
            data = bytearray(b"\r\n".join(lines))
    return bytes(data)


def cases(count, seed):
    random_ = random.Random(seed)
    for i in range(count):
        sent = base(random_)
        if b"HEAD " in sent:
            sent = sent.replace(b"HEAD ", b"GET ")
        yield Case("mutants", f"{seed}.{i}", changed(random_, sent))
