"""Where a body ends: Content-Length, Transfer-Encoding, chunks and what follows them."""

from cases import REVIEW, SMUGGLED, WHO, Case, request

R = len(REVIEW)
CHUNKED = "Transfer-Encoding: chunked"


def chunk(data, size=None):
    return (size if size is not None else f"{len(data):x}".encode()) + b"\r\n" + data + b"\r\n"


WHOLE = chunk(REVIEW) + b"0\r\n\r\n"

# Name, fields, body. A second request follows, which some reader may take for one of its own.
LENGTHS = [
    ("right", [f"Content-Length: {R}"], REVIEW),
    ("none", [], b""),
    ("none with a body", [], REVIEW),
    ("zero", ["Content-Length: 0"], b""),
    ("zero with a body", ["Content-Length: 0"], REVIEW),
    ("short by one", [f"Content-Length: {R - 1}"], REVIEW),
    ("long by one", [f"Content-Length: {R + 1}"], REVIEW),
    ("long by the next request", [f"Content-Length: {R + len(SMUGGLED)}"], REVIEW),
    ("twice the same", [f"Content-Length: {R}"] * 2, REVIEW),
    ("three times the same", [f"Content-Length: {R}"] * 3, REVIEW),
    ("twice, one longer", [f"Content-Length: {R}", f"Content-Length: {R + len(SMUGGLED)}"], REVIEW),
    ("twice, zero first", ["Content-Length: 0", f"Content-Length: {R}"], REVIEW),
    ("twice, the same padded", [f"Content-Length: {R}", f"Content-Length:   {R}  "], REVIEW),
    ("twice, the same with zeros", [f"Content-Length: {R}", f"Content-Length: 0{R}"], REVIEW),
    ("a list of equals", [f"Content-Length: {R}, {R}"], REVIEW),
    ("a list", [f"Content-Length: {R}, 0"], REVIEW),
    ("a list that ends in a comma", [f"Content-Length: {R},"], REVIEW),
    ("negative", ["Content-Length: -1"], REVIEW),
    ("negative zero", ["Content-Length: -0"], REVIEW),
    ("plus", [f"Content-Length: +{R}"], REVIEW),
    ("leading zeros", [f"Content-Length: 000{R}"], REVIEW),
    ("hexadecimal", [f"Content-Length: 0x{R:x}"], REVIEW),
    ("underscore", ["Content-Length: 6_8"], REVIEW),
    ("decimal point", [f"Content-Length: {R}.0"], REVIEW),
    ("exponent", ["Content-Length: 1e2"], REVIEW),
    ("space within", ["Content-Length: 6 8"], REVIEW),
    ("tab before", [f"Content-Length:\t{R}"], REVIEW),
    ("spaces around", [f"Content-Length:   {R}   "], REVIEW),
    ("no space", [f"Content-Length:{R}"], REVIEW),
    ("empty", ["Content-Length: "], REVIEW),
    ("empty, and the right one", ["Content-Length: ", f"Content-Length: {R}"], REVIEW),
    ("vertical tab", [f"Content-Length: \x0b{R}"], REVIEW),
    ("form feed behind", [f"Content-Length: {R}\x0c"], REVIEW),
    ("no-break space", [f"Content-Length: \xa0{R}"], REVIEW),
    ("superscript digits", ["Content-Length: \xb2"], REVIEW),
    ("quoted", [f'Content-Length: "{R}"'], REVIEW),
    ("semicolon", [f"Content-Length: {R};a=b"], REVIEW),
    ("2^31", ["Content-Length: 2147483648"], REVIEW),
    ("2^32 and the right one", [f"Content-Length: {2**32 + R}"], REVIEW),
    ("2^63-1", ["Content-Length: 9223372036854775807"], REVIEW),
    ("2^63", ["Content-Length: 9223372036854775808"], REVIEW),
    ("2^64", ["Content-Length: 18446744073709551616"], REVIEW),
    ("2^64 and the right one", [f"Content-Length: {2**64 + R}"], REVIEW),
    ("forty digits", ["Content-Length: " + "1" * 40], REVIEW),
    ("300,000", ["Content-Length: 300000"], REVIEW),
    ("just above the limit", ["Content-Length: 3145729"], REVIEW),
    ("lower case name", [f"content-length: {R}"], REVIEW),
    ("odd case name", [f"cOnTeNt-LeNgTh: {R}"], REVIEW),
    ("underscore in the name", [f"Content_Length: {R}"], REVIEW),
    ("space behind the name", [f"Content-Length : {R}"], REVIEW),
    ("space before the name", [f" Content-Length: {R}"], REVIEW),
    ("folded", ["Content-Length:", f" {R}"], REVIEW),
    ("folded behind", [f"Content-Length: {R}", " "], REVIEW),
    ("folded digits", ["Content-Length: 6", " 8"], REVIEW),
]

ENCODINGS = [
    ("right", [CHUNKED], WHOLE),
    ("and a length", [CHUNKED, f"Content-Length: {R}"], WHOLE),
    ("a length before", [f"Content-Length: {len(WHOLE)}", CHUNKED], WHOLE),
    ("and a length of four", ["Content-Length: 4", CHUNKED], WHOLE),
    ("and a length of zero", ["Content-Length: 0", CHUNKED], WHOLE),
    ("and a bad length", ["Content-Length: x", CHUNKED], WHOLE),
    ("and two lengths", ["Content-Length: 4", "Content-Length: 5", CHUNKED], WHOLE),
    ("and an empty length", ["Content-Length: ", CHUNKED], WHOLE),
    ("and a negative length", ["Content-Length: -1", CHUNKED], WHOLE),
    ("twice", [CHUNKED, CHUNKED], WHOLE),
    ("twice in a list", ["Transfer-Encoding: chunked, chunked"], WHOLE),
    ("identity", ["Transfer-Encoding: identity", f"Content-Length: {R}"], REVIEW),
    ("identity without a length", ["Transfer-Encoding: identity"], REVIEW),
    ("identity, chunked", ["Transfer-Encoding: identity, chunked"], WHOLE),
    ("chunked, identity", ["Transfer-Encoding: chunked, identity"], WHOLE),
    ("chunked, then identity", [CHUNKED, "Transfer-Encoding: identity"], WHOLE),
    ("identity, then chunked", ["Transfer-Encoding: identity", CHUNKED], WHOLE),
    ("gzip", ["Transfer-Encoding: gzip", f"Content-Length: {R}"], REVIEW),
    ("gzip, chunked", ["Transfer-Encoding: gzip, chunked"], WHOLE),
    ("unknown", ["Transfer-Encoding: cow", f"Content-Length: {R}"], REVIEW),
    ("empty", ["Transfer-Encoding: ", f"Content-Length: {R}"], REVIEW),
    ("empty, then chunked", ["Transfer-Encoding: ", CHUNKED], WHOLE),
    ("upper case", ["Transfer-Encoding: CHUNKED"], WHOLE),
    ("odd case", ["tRANSFER-eNCODING: cHuNkEd"], WHOLE),
    ("padded", ["Transfer-Encoding:   chunked   "], WHOLE),
    ("tab before", ["Transfer-Encoding:\tchunked"], WHOLE),
    ("no space", ["Transfer-Encoding:chunked"], WHOLE),
    ("vertical tab", ["Transfer-Encoding: \x0bchunked"], WHOLE),
    ("vertical tab and a length", ["Transfer-Encoding: \x0bchunked", f"Content-Length: {R}"], REVIEW),
    ("form feed and a length", ["Transfer-Encoding: chunked\x0c", f"Content-Length: {R}"], REVIEW),
    ("NUL", ["Transfer-Encoding: chunked\x00", f"Content-Length: {R}"], REVIEW),
    ("no-break space", ["Transfer-Encoding: chunked\xa0", f"Content-Length: {R}"], REVIEW),
    ("quoted", ['Transfer-Encoding: "chunked"', f"Content-Length: {R}"], REVIEW),
    ("parameter", ["Transfer-Encoding: chunked;q=1", f"Content-Length: {R}"], REVIEW),
    ("comma before", ["Transfer-Encoding: ,chunked"], WHOLE),
    ("comma behind", ["Transfer-Encoding: chunked,"], WHOLE),
    ("a letter more", ["Transfer-Encoding: chunkedx", f"Content-Length: {R}"], REVIEW),
    ("a letter less", ["Transfer-Encoding: chunke", f"Content-Length: {R}"], REVIEW),
    ("long s", ["Transfer-Encoding: chun\u212aed".encode().decode("latin-1"), f"Content-Length: {R}"], REVIEW),
    ("space behind the name", ["Transfer-Encoding : chunked", f"Content-Length: {R}"], REVIEW),
    ("tab behind the name", ["Transfer-Encoding\t: chunked", f"Content-Length: {R}"], REVIEW),
    ("space before the name", [" Transfer-Encoding: chunked", f"Content-Length: {R}"], REVIEW),
    ("underscore in the name", ["Transfer_Encoding: chunked", f"Content-Length: {R}"], REVIEW),
    ("folded", ["Transfer-Encoding:", " chunked"], WHOLE),
    ("folded, and a length", ["Transfer-Encoding:", " chunked", f"Content-Length: {R}"], REVIEW),
    ("folded within", ["Transfer-Encoding: chun", " ked", f"Content-Length: {R}"], REVIEW),
    ("behind a bare CR", ["X: y\rTransfer-Encoding: chunked", f"Content-Length: {R}"], REVIEW),
    ("behind a bare LF", ["X: y\nTransfer-Encoding: chunked"], WHOLE),
    ("X-Transfer-Encoding", ["X-Transfer-Encoding: chunked", f"Content-Length: {R}"], REVIEW),
    ("TE", ["TE: chunked", f"Content-Length: {R}"], REVIEW),
]


def chunks(*pieces, end=b"0\r\n\r\n"):
    return b"".join(pieces) + end


HALF = R // 2
ONE, TWO = REVIEW[:HALF], REVIEW[HALF:]
WHO_ELSE = b"Authorization: Bearer admin-token\r\n"
BODIES = [
    ("two", chunks(chunk(ONE), chunk(TWO))),
    ("one byte each", chunks(*(chunk(REVIEW[i : i + 1]) for i in range(R)))),
    ("extension", chunks(chunk(REVIEW, f"{R:x};a=b".encode()))),
    ("extension without a value", chunks(chunk(REVIEW, f"{R:x};".encode()))),
    ("quoted extension", chunks(chunk(REVIEW, f'{R:x};a="b;c"'.encode()))),
    ("extension with a bare CR", chunks(chunk(REVIEW, f"{R:x};a\rb".encode()))),
    ("extension with a bare LF", chunks(chunk(REVIEW, f"{R:x};a\nb".encode()))),
    ("extension that says a size", chunks(chunk(REVIEW, f"{R:x};\n{R:x}".encode()))),
    ("extension with NUL", chunks(chunk(REVIEW, f"{R:x};\x00".encode()))),
    ("long extension", chunks(chunk(REVIEW, f"{R:x};".encode() + b"a" * 5000))),
    ("many extensions", chunks(*(chunk(REVIEW[i : i + 1], b"1;" + b"a" * 300) for i in range(R)))),
    ("upper case", chunks(chunk(REVIEW, f"{R:X}".encode()))),
    ("leading zeros", chunks(chunk(REVIEW, f"000{R:x}".encode()))),
    ("sixteen digits", chunks(chunk(REVIEW, f"{R:016x}".encode()))),
    ("seventeen digits", chunks(chunk(REVIEW, f"{R:017x}".encode()))),
    ("2^64 and the right one", chunks(chunk(REVIEW, f"{2**64 + R:x}".encode()))),
    ("2^63", chunks(chunk(REVIEW, b"8000000000000000"))),
    ("2^63-1", chunks(chunk(REVIEW, b"7fffffffffffffff"))),
    ("2^32 and the right one", chunks(chunk(REVIEW, f"{2**32 + R:x}".encode()))),
    ("0x", chunks(chunk(REVIEW, f"0x{R:x}".encode()))),
    ("plus", chunks(chunk(REVIEW, f"+{R:x}".encode()))),
    ("negative", chunks(chunk(REVIEW, b"-1"))),
    ("space before", chunks(chunk(REVIEW, f" {R:x}".encode()))),
    ("space behind", chunks(chunk(REVIEW, f"{R:x} ".encode()))),
    ("tab behind", chunks(chunk(REVIEW, f"{R:x}\t".encode()))),
    ("space before an extension", chunks(chunk(REVIEW, f"{R:x} ;a".encode()))),
    ("vertical tab behind", chunks(chunk(REVIEW, f"{R:x}\x0b".encode()))),
    ("no size", chunks(chunk(REVIEW, b""))),
    ("no hexadecimal", chunks(chunk(REVIEW, b"g"))),
    ("underscore", chunks(chunk(REVIEW, b"4_4"))),
    ("only an extension", chunks(chunk(REVIEW, b";a=b"))),
    ("LF behind the size", chunks(f"{R:x}\n".encode() + REVIEW + b"\r\n")),
    ("CR behind the size", chunks(f"{R:x}\r".encode() + REVIEW + b"\r\n")),
    ("CR CR LF behind the size", chunks(f"{R:x}\r\r\n".encode() + REVIEW + b"\r\n")),
    ("LF behind the data", chunks(f"{R:x}\r\n".encode() + REVIEW + b"\n")),
    ("nothing behind the data", chunks(f"{R:x}\r\n".encode() + REVIEW)),
    ("two other bytes behind the data", chunks(f"{R:x}\r\n".encode() + REVIEW + b"xx")),
    ("too much data", chunks(chunk(REVIEW + b"more", f"{R:x}".encode()))),
    ("too little data", chunks(chunk(REVIEW, f"{R + 1:x}".encode()))),
    ("LF only", f"{R:x}\n".encode() + REVIEW + b"\n0\n\n"),
    ("the last with LF", chunks(chunk(REVIEW), end=b"0\n\r\n")),
    ("the end with LF", chunks(chunk(REVIEW), end=b"0\r\n\n")),
    ("no end", chunks(chunk(REVIEW), end=b"")),
    ("half an end", chunks(chunk(REVIEW), end=b"0\r\n")),
    ("many zeros", chunks(chunk(REVIEW), end=b"0000\r\n\r\n")),
    ("twenty zeros", chunks(chunk(REVIEW), end=b"0" * 20 + b"\r\n\r\n")),
    ("extension of the last", chunks(chunk(REVIEW), end=b"0;a=b\r\n\r\n")),
    ("empty", b"0\r\n\r\n"),
    ("empty, then the body", b"0\r\n\r\n" + REVIEW),
    ("trailer", chunks(chunk(REVIEW), end=b"0\r\nX: y\r\n\r\n")),
    ("trailer with LF", chunks(chunk(REVIEW), end=b"0\r\nX: y\n\n")),
    ("trailer says who", chunks(chunk(REVIEW), end=b"0\r\n" + WHO_ELSE + b"\r\n")),
    ("trailer impersonates", chunks(chunk(REVIEW), end=b"0\r\nImpersonate-User: root\r\nImpersonate-Group: g\r\n\r\n")),
    ("trailer says Host", chunks(chunk(REVIEW), end=b"0\r\nHost: a\r\nHost: b\r\n\r\n")),
    ("trailer says a length", chunks(chunk(REVIEW), end=b"0\r\nContent-Length: 5\r\n\r\n")),
    ("trailer says chunked", chunks(chunk(REVIEW), end=b"0\r\nTransfer-Encoding: chunked\r\n\r\n")),
    ("trailer closes", chunks(chunk(REVIEW), end=b"0\r\nConnection: close\r\n\r\n")),
    ("trailer without a colon", chunks(chunk(REVIEW), end=b"0\r\nX\r\n\r\n")),
    ("trailer with a space in its name", chunks(chunk(REVIEW), end=b"0\r\nX Y: z\r\n\r\n")),
    ("trailer with an empty name", chunks(chunk(REVIEW), end=b"0\r\n: z\r\n\r\n")),
    ("trailer with NUL", chunks(chunk(REVIEW), end=b"0\r\nX: \x00\r\n\r\n")),
    ("trailer folded", chunks(chunk(REVIEW), end=b"0\r\nX: a\r\n b\r\n\r\n")),
    ("trailer that begins with a space", chunks(chunk(REVIEW), end=b"0\r\n X: a\r\n\r\n")),
    ("long trailer", chunks(chunk(REVIEW), end=b"0\r\nX: " + b"a" * 5000 + b"\r\n\r\n")),
    ("many trailers", chunks(chunk(REVIEW), end=b"0\r\n" + b"X: y\r\n" * 1000 + b"\r\n")),
    ("a request for a trailer", chunks(chunk(REVIEW), end=b"0\r\n")),
]

# Whether the body is read, left unread by a refusal, or left by an answer.
ASKS = [
    ("read", lambda fields, body: request(f"POST {WHO} HTTP/1.1", "Content-Type: application/json", *fields, body=body)),
    ("unread", lambda fields, body: request("POST /api/v1/namespaces/shop/secrets HTTP/1.1", *fields, body=body)),
    ("get", lambda fields, body: request("GET /api/v1/nodes/a HTTP/1.1", *fields, body=body)),
]
OLD = ("old", lambda fields, body: request(f"POST {WHO} HTTP/1.0", "Content-Type: application/json", *fields, body=body))


def cases():
    for way, ask in [*ASKS, OLD]:
        for name, fields, body in LENGTHS:
            yield Case("content-length", f"{name}, {way}", ask(fields, body) + SMUGGLED)
        for name, fields, body in ENCODINGS:
            yield Case("transfer-encoding", f"{name}, {way}", ask(fields, body) + SMUGGLED)
    for way, ask in ASKS:
        for name, body in BODIES:
            yield Case("chunks", f"{name}, {way}", ask([CHUNKED], body) + SMUGGLED)
    bad = [CHUNKED], chunk(REVIEW, b"g")
    yield Case(
        "chunks", "bad size and media type", request(f"POST {WHO} HTTP/1.1", "Content-Type: a/b", *bad[0], body=bad[1])
    )
    for what, method, path in [
        ("no such resource", "POST", "/apis/authentication.k8s.io/v1/nothing"),
        ("method", "PUT", WHO),
    ]:
        sent = request(f"{method} {path} HTTP/1.1", "Content-Type: application/json", *bad[0], body=bad[1], who="admin")
        yield Case("chunks", f"bad size and {what}", sent)
