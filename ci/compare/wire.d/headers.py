"""The first line of a request, its header, and what of it says who asks."""

from cases import REVIEW, SMUGGLED, TOKENS, WHO, Case, bearer, request, review, to_bytes

OWN = "GET /api/v1/nodes/a HTTP/1.1"

LINES = [
    ("HTTP/0.9", b"GET /version\r\n"),
    ("HTTP/0.9 with a field", b"GET /version\r\nHost: h\r\n\r\n"),
    ("HTTP/0.9 with a version", b"GET /version HTTP/0.9\r\nHost: h\r\n\r\n"),
    ("HTTP/1.0", b"GET /version HTTP/1.0\r\n\r\n"),
    ("HTTP/1.0 that keeps", b"GET /livez HTTP/1.0\r\nConnection: keep-alive\r\n\r\n"),
    ("HTTP/1.0 with two hosts", b"GET /livez HTTP/1.0\r\nHost: a\r\nHost: b\r\n\r\n"),
    ("HTTP/1.2", b"GET /livez HTTP/1.2\r\nHost: h\r\n\r\n"),
    ("HTTP/1.10", b"GET /livez HTTP/1.10\r\nHost: h\r\n\r\n"),
    ("HTTP/01.1", b"GET /livez HTTP/01.1\r\nHost: h\r\n\r\n"),
    ("HTTP/1", b"GET /livez HTTP/1\r\nHost: h\r\n\r\n"),
    ("HTTP/1.", b"GET /livez HTTP/1.\r\nHost: h\r\n\r\n"),
    ("HTTP/+1.1", b"GET /livez HTTP/+1.1\r\nHost: h\r\n\r\n"),
    ("HTTP/2.0", b"GET /livez HTTP/2.0\r\nHost: h\r\n\r\n"),
    ("HTTP/3.0", b"GET /livez HTTP/3.0\r\nHost: h\r\n\r\n"),
    ("HTTP/9.9", b"GET /livez HTTP/9.9\r\nHost: h\r\n\r\n"),
    ("http/1.1", b"GET /livez http/1.1\r\nHost: h\r\n\r\n"),
    ("HTTPS/1.1", b"GET /livez HTTPS/1.1\r\nHost: h\r\n\r\n"),
    ("HTTP 1.1", b"GET /livez HTTP 1.1\r\nHost: h\r\n\r\n"),
    ("version then a space", b"GET /livez HTTP/1.1 \r\nHost: h\r\n\r\n"),
    ("version then a tab", b"GET /livez HTTP/1.1\t\r\nHost: h\r\n\r\n"),
    ("version then CR", b"GET /livez HTTP/1.1\r\r\nHost: h\r\n\r\n"),
    ("preface", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ("preface with settings", b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"),
    ("preface with a host", b"PRI * HTTP/2.0\r\nHost: h\r\n\r\nSM\r\n\r\n"),
    ("preface of a path", b"PRI /livez HTTP/2.0\r\n\r\nSM\r\n\r\n"),
    ("preface of 1.1", b"PRI * HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("preface without its end", b"PRI * HTTP/2.0\r\n\r\n"),
    ("preface with another end", b"PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"),
    ("two spaces", b"GET  /livez HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("two spaces behind", b"GET /livez  HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("tabs", b"GET\t/livez\tHTTP/1.1\r\nHost: h\r\n\r\n"),
    ("a space before", b" GET /livez HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("an empty line before", b"\r\nGET /livez HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("three empty lines before", b"\r\n\n\r\nGET /livez HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("a bare CR before", b"\rGET /livez HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("NUL before", b"\x00GET /livez HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("byte order mark", b"\xef\xbb\xbfGET /livez HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("LF only", b"GET /livez HTTP/1.1\nHost: h\n\n"),
    ("LF after the first line", b"GET /livez HTTP/1.1\nHost: h\r\n\r\n"),
    ("CR only", b"GET /livez HTTP/1.1\rHost: h\r\r"),
    ("LF CR", b"GET /livez HTTP/1.1\n\rHost: h\n\r\n\r"),
    ("no target", b"GET HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("empty target", b"GET  HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("no method", b" /livez HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("no version", b"GET /livez \r\nHost: h\r\n\r\n"),
    ("a word more", b"GET /livez /readyz HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("an answer", b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n"),
    ("TLS within TLS", b"\x16\x03\x01\x00\x05hello\r\n\r\n"),
    ("a long method", b"A" * 5000 + b" /livez HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("a long target", b"GET /" + b"a" * 20000 + b" HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("a long query", b"GET /livez?" + b"a" * 20000 + b" HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("a target of a megabyte", b"GET /" + b"a" * (1 << 20) + b" HTTP/1.1\r\nHost: h\r\n\r\n"),
    ("a target beyond the limit", b"GET /" + b"a" * ((1 << 20) + 8192) + b" HTTP/1.1\r\nHost: h\r\n\r\n"),
]
METHODS = [
    "get",
    "Get",
    "GETX",
    "G",
    "FOO",
    "G-T",
    "G_T",
    "G.T",
    "GET|",
    "G(T",
    "G/T",
    "G@T",
    "GÉT",
    "G\x00T",
    "G\x7fT",
    '"GET"',
    "TRACE",
    "CONNECT",
    "OPTIONS",
    "HEAD",
    "PATCH",
    "PUT",
    "DELETE",
    "PROPFIND",
    "LIST",
    "WATCH",
    "CREATE",
    "M-SEARCH",
    "delete",
    "post",
    "head",
    "options",
    "connect",
    "LINK",
    "QUERY",
    "PURGE",
]

# Fields before which a good Host and Authorization stand.
FIELDS = [
    ("space behind a name", ["X : y"]),
    ("tab behind a name", ["X\t: y"]),
    ("space in a name", ["X Y: z"]),
    ("underscore in a name", ["X_Y: z"]),
    ("no colon", ["X"]),
    ("empty name", [": y"]),
    ("only a colon", [":"]),
    ("empty value", ["X:"]),
    ("NUL in a name", ["X\x00Y: z"]),
    ("NUL in a value", ["X: \x00"]),
    ("SOH in a value", ["X: \x01"]),
    ("tab in a value", ["X: a\tb"]),
    ("DEL in a value", ["X: \x7f"]),
    ("DEL in a name", ["X\x7f: a"]),
    ("escape in a value", ["X: \x1b[31m"]),
    ("bare CR in a value", ["X: a\rb"]),
    ("bare CR at the end of a value", ["X: a\r"]),
    ("bare LF in a value", ["X: a\nb: c"]),
    ("vertical tab in a value", ["X: a\x0bb"]),
    ("UTF-8 in a name", ["Ü".encode() + b": a"]),
    ("UTF-8 in a value", ["X: ü".encode()]),
    ("Latin-1 in a value", [b"X: \xfc"]),
    ("Latin-1 in a name", [b"\xfc: x"]),
    ("bytes that are no UTF-8", [b"X: \xff\xfe\xc0\x80"]),
    *((f"{c} in a name", [f"X{c}Y: z"]) for c in "!#$%&'*+-.^`|~\"(),/;<=>?@[\\]{}"),
    ("folded", ["X: a", " b"]),
    ("folded with a tab", ["X: a", "\tb"]),
    ("folded twice", ["X: a", " b", " c"]),
    ("folded, nothing but spaces", ["X: a", "   "]),
    ("folded like a field", ["X: a", " Y: b"]),
    ("space before the name", [" X: a"]),
    ("a field of 60,000", ["X: " + "a" * 60000]),
    ("a field of 70,000", ["X: " + "a" * 70000]),
    ("a name of 5,000", ["X" * 5000 + ": a"]),
    ("a hundred fields", [f"X-{i}: a" for i in range(100)]),
    ("thousand fields", [f"X-{i}: a" for i in range(1000)]),
    ("ten thousand fields", ["X: a"] * 10000),
    ("fields of a megabyte", ["X: " + "a" * 50000] * 21),
    ("fields beyond the limit", ["X: " + "a" * 50000] * 22),
    ("Connection: close", ["Connection: close"]),
    ("Connection: Close", ["Connection: Close"]),
    ("Connection: keep-alive, close", ["Connection: keep-alive, close"]),
    ("Connection: close, keep-alive", ["Connection: close, keep-alive"]),
    ("Connection: closed", ["Connection: closed"]),
    ("Connection twice", ["Connection: keep-alive", "Connection: close"]),
    ("Connection: empty", ["Connection: "]),
    ("Connection: close;", ["Connection: close;"]),
    ("Connection: Authorization", ["Connection: Authorization"]),
    ("Connection: Host, Authorization", ["Connection: close, Host, Authorization"]),
    ("Proxy-Connection", ["Proxy-Connection: close"]),
    ("Keep-Alive", ["Keep-Alive: timeout=1, max=1"]),
    ("X-HTTP-Method-Override", ["X-HTTP-Method-Override: DELETE"]),
    ("X-Original-URL", ["X-Original-URL: /api/v1/nodes/b"]),
    ("X-Rewrite-URL", ["X-Rewrite-URL: /api/v1/nodes/b"]),
    ("X-Forwarded-For", ["X-Forwarded-For: 127.0.0.1"]),
    ("X-Remote-User", ["X-Remote-User: root", "X-Remote-Group: system:masters"]),
    ("Range", ["Range: bytes=0-1"]),
    ("Cookie", ["Cookie: a=b"]),
    ("If-None-Match", ["If-None-Match: *"]),
    ("Accept-Encoding", ["Accept-Encoding: identity"]),
    ("Origin", ["Origin: http://evil"]),
    ("Upgrade: h2c", ["Connection: Upgrade, HTTP2-Settings", "Upgrade: h2c", "HTTP2-Settings: AAMAAABkAAQAAP__"]),
    (
        "Upgrade: websocket",
        [
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Version: 13",
            "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
        ],
    ),
    ("Upgrade: SPDY/3.1", ["Connection: Upgrade", "Upgrade: SPDY/3.1"]),
    ("Upgrade: TLS/1.0", ["Connection: Upgrade", "Upgrade: TLS/1.0"]),
    ("Upgrade without Connection", ["Upgrade: websocket"]),
    ("Upgrade of nothing", ["Connection: Upgrade", "Upgrade: "]),
    ("Connection: Upgrade alone", ["Connection: Upgrade"]),
]
HOSTS = [
    ("none", []),
    ("empty", ["Host: "]),
    ("twice the same", ["Host: h", "Host: h"]),
    ("twice", ["Host: a", "Host: b"]),
    ("twice in odd case", ["Host: a", "hOST: b"]),
    ("list", ["Host: a, b"]),
    ("space within", ["Host: a b"]),
    ("slash", ["Host: a/b"]),
    ("at", ["Host: a@b"]),
    ("port", ["Host: a:99999"]),
    ("bad port", ["Host: a:b"]),
    ("brackets", ["Host: [::1]:6443"]),
    ("open bracket", ["Host: [::1"]),
    ("percent", ["Host: %zz"]),
    ("NUL", ["Host: a\x00"]),
    ("UTF-8", ["Host: ü".encode()]),
    ("space behind the name", ["Host : a"]),
    ("folded", ["Host:", " a"]),
    ("question", ["Host: a?b"]),
    ("hash", ["Host: a#b"]),
    ("backslash", ["Host: a\\b"]),
    ("quote", ['Host: "a"']),
    ("angle", ["Host: <a>"]),
    ("comma", ["Host: a,b"]),
    ("semicolon", ["Host: a;b"]),
    ("tab", ["Host: \ta"]),
    ("tab within", ["Host: a\tb"]),
    ("DEL", ["Host: a\x7f"]),
    ("caret", ["Host: a^b"]),
    ("pipe", ["Host: a|b"]),
    ("braces", ["Host: {a}"]),
    ("backtick", ["Host: `a`"]),
    ("long", ["Host: " + "a" * 5000]),
]
TARGETS = [
    "*",
    "/*",
    "**",
    "http://h/version",
    "http://other/version",
    "https://h/version",
    "https://h:1/version",
    "ftp://h/version",
    "http://h",
    "http://h?a",
    "http:///version",
    "http:/version",
    "http:version",
    "h/version",
    "h:443",
    "h:443/version",
    "//h/version",
    "//version",
    "///version",
    "http://u:p@h/version",
    "http://u@h/version",
    "http://[::1]/version",
    "http://[::1/version",
    "http://h:x/version",
    "http://h%2fa/version",
    "http://h%00/version",
    "http://h%20/version",
    "HTTP://h/version",
    "hTTp://h/version",
    "version",
    "?version",
    "#",
    "/version#a",
    "/version#?a",
    "/version%23",
    "",
    ".",
    "..",
    "file:///etc/passwd",
    "javascript:1",
    "data:,",
    "unix:/version",
    ":80/version",
    "1http://h/version",
    "http+unix://h/version",
    "http://h\\@o/version",
    "http://h#@o/version",
    "http://h/../version",
    "http://h//version",
    "\\version",
    "/\\version",
    "http:\\\\h\\version",
    "mailto:a@b",
]
EXPECTS = [
    ("100-continue", ["Expect: 100-continue"]),
    ("100-Continue", ["Expect: 100-Continue"]),
    ("twice", ["Expect: 100-continue"] * 2),
    ("other", ["Expect: 200-ok"]),
    ("empty", ["Expect: "]),
    ("list", ["Expect: 100-continue, other"]),
    ("parameter", ["Expect: 100-continue;a"]),
    ("padded", ["Expect:   100-continue  "]),
    ("with close", ["Expect: 100-continue", "Connection: close"]),
    ("other first", ["Expect: x", "Expect: 100-continue"]),
    ("100", ["Expect: 100"]),
    ("a letter more", ["Expect: 100-continuex"]),
    ("x100-continue", ["Expect: x100-continue"]),
]
T = TOKENS["node"][0]
A = TOKENS["admin"][0]
BEARERS = [
    ("none", []),
    ("empty", ["Authorization: "]),
    ("only the scheme", ["Authorization: Bearer"]),
    ("scheme and a space", ["Authorization: Bearer "]),
    ("right", [f"Authorization: Bearer {T}"]),
    ("lower case", [f"Authorization: bearer {T}"]),
    ("upper case", [f"Authorization: BEARER {T}"]),
    ("two spaces", [f"Authorization: Bearer  {T}"]),
    ("three spaces", [f"Authorization: Bearer   {T}"]),
    ("tab", [f"Authorization: Bearer\t{T}"]),
    ("space and tab", [f"Authorization: Bearer \t{T}"]),
    ("space behind", [f"Authorization: Bearer {T} "]),
    ("a word behind", [f"Authorization: Bearer {T} x"]),
    ("a comma behind", [f"Authorization: Bearer {T},"]),
    ("list", [f"Authorization: Bearer {T}, Bearer {A}"]),
    ("quoted", [f'Authorization: Bearer "{T}"']),
    ("equals", [f"Authorization: Bearer={T}"]),
    ("colon", [f"Authorization: Bearer: {T}"]),
    ("no space", [f"Authorization: Bearer{T}"]),
    ("no scheme", [f"Authorization: {T}"]),
    ("token", [f"Authorization: Token {T}"]),
    ("basic", ["Authorization: Basic cm9vdDphZG1pbi10b2tlbg=="]),
    ("wrong", ["Authorization: Bearer nobody"]),
    ("upper case token", [f"Authorization: Bearer {T.upper()}"]),
    ("prefix of a token", [f"Authorization: Bearer {T[:-1]}"]),
    ("token and more", [f"Authorization: Bearer {T}x"]),
    ("NUL behind", [f"Authorization: Bearer {T}\x00"]),
    ("NUL within", [f"Authorization: Bearer {T}\x00x"]),
    ("vertical tab", [f"Authorization: Bearer\x0b{T}"]),
    ("vertical tab behind", [f"Authorization: Bearer {T}\x0b"]),
    ("no-break space", [f"Authorization: Bearer\xa0{T}"]),
    ("no-break space behind", [f"Authorization: Bearer {T}\xa0"]),
    ("no-break space in UTF-8 behind", [f"Authorization: Bearer {T}\u00a0".encode()]),
    ("ideographic space behind", [f"Authorization: Bearer {T}\u3000".encode()]),
    ("next line before", [f"Authorization: \u0085Bearer {T}".encode()]),
    ("ideographic space before", [f"Authorization: \u3000Bearer {T}".encode()]),
    ("form feed behind", [f"Authorization: Bearer {T}\x0c"]),
    ("Kelvin", [f"Authorization: \u212aBearer {T}".encode()]),
    ("long s", [f"Authorization: Beare\u017f {T}".encode()]),
    ("folded", ["Authorization: Bearer", f" {T}"]),
    ("folded token", [f"Authorization: Bearer {T[:4]}", f" {T[4:]}"]),
    ("twice the same", [f"Authorization: Bearer {T}"] * 2),
    ("node, then admin", [f"Authorization: Bearer {T}", f"Authorization: Bearer {A}"]),
    ("admin, then node", [f"Authorization: Bearer {A}", f"Authorization: Bearer {T}"]),
    ("wrong, then admin", ["Authorization: Bearer nobody", f"Authorization: Bearer {A}"]),
    ("empty, then admin", ["Authorization: ", f"Authorization: Bearer {A}"]),
    ("basic, then admin", ["Authorization: Basic eA==", f"Authorization: Bearer {A}"]),
    ("odd characters", [f"Authorization: Bearer {TOKENS['odd'][0]}"]),
    ("lower case name", [f"authorization: Bearer {T}"]),
    ("odd case name", [f"aUTHORIZATION: Bearer {T}"]),
    ("underscore", [f"Authorization_: Bearer {A}"]),
    ("space behind the name", [f"Authorization : Bearer {A}"]),
    ("Proxy-Authorization", [f"Proxy-Authorization: Bearer {A}"]),
    ("X-Authorization", [f"X-Authorization: Bearer {A}"]),
    ("token in a cookie", [f"Cookie: token={A}"]),
    ("long", ["Authorization: Bearer " + "a" * 20000]),
    ("a megabyte of them", ["Authorization: Bearer " + "a" * 50000] * 20),
    (
        "websocket protocol",
        [
            f"Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4, v4.channel.k8s.io",
        ],
    ),
    (
        "websocket protocol alone",
        [
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4",
        ],
    ),
    (
        "websocket protocol, no upgrade",
        ["Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4, v4.channel.k8s.io"],
    ),
    (
        "websocket protocol and a token",
        [
            f"Authorization: Bearer {T}",
            "Connection: Upgrade",
            "Upgrade: websocket",
            "Sec-WebSocket-Protocol: base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4, v4.channel.k8s.io",
        ],
    ),
]
WEB = ["Connection: Upgrade", "Upgrade: websocket", "Sec-WebSocket-Version: 13"]
for _name, _protocol in [
    ("padded", "base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4=, v4.channel.k8s.io"),
    ("standard alphabet", "base64url.bearer.authorization.k8s.io.b2RkLn4rLz1fLQ, v4.channel.k8s.io"),
    (
        "twice",
        "base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4, base64url.bearer.authorization.k8s.io.bm9kZS1hLXRva2Vu, v4",
    ),
    ("last", "v4.channel.k8s.io, base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4"),
    ("no base64", "base64url.bearer.authorization.k8s.io.!!!!, v4.channel.k8s.io"),
    ("empty", "base64url.bearer.authorization.k8s.io., v4.channel.k8s.io"),
    ("no UTF-8", "base64url.bearer.authorization.k8s.io.____, v4.channel.k8s.io"),
    ("wrong token", "base64url.bearer.authorization.k8s.io.bm9ib2R5, v4.channel.k8s.io"),
    ("upper case", "BASE64URL.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4, v4.channel.k8s.io"),
    ("no space", "base64url.bearer.authorization.k8s.io.YWRtaW4tdG9rZW4,v4.channel.k8s.io"),
]:
    BEARERS.append((f"websocket protocol, {_name}", [*WEB, f"Sec-WebSocket-Protocol: {_protocol}"]))
U, G = "Impersonate-User: ", "Impersonate-Group: "
IMPERSONATIONS = [
    ("user", [U + "u"]),
    ("user twice", [U + "u", U + "v"]),
    ("empty user", [U]),
    ("empty user and a group", [U, G + "g"]),
    ("group alone", [G + "g"]),
    ("uid alone", ["Impersonate-Uid: 1"]),
    ("extra alone", ["Impersonate-Extra-A: 1"]),
    ("user and group", [U + "u", G + "g"]),
    ("groups", [U + "u", G + "g", G + "h"]),
    ("same group twice", [U + "u", G + "g", G + "g"]),
    ("empty group", [U + "u", G]),
    ("masters", [U + "u", G + "system:masters"]),
    ("list of groups", [U + "u", G + "g, h"]),
    ("authenticated", [U + "u", G + "system:authenticated"]),
    ("unauthenticated", [U + "u", G + "system:unauthenticated"]),
    ("anonymous", [U + "system:anonymous"]),
    ("anonymous and a group", [U + "system:anonymous", G + "g"]),
    ("node", [U + "system:node:a"]),
    ("node and its group", [U + "system:node:a", G + "system:nodes"]),
    ("odd node", [U + "system:node:A_"]),
    ("node without a name", [U + "system:node:"]),
    ("service account", [U + "system:serviceaccount:shop:builder"]),
    ("service account and a group", [U + "system:serviceaccount:shop:builder", G + "g"]),
    ("bad service account", [U + "system:serviceaccount:shop"]),
    ("service account with a colon", [U + "system:serviceaccount:shop:a:b"]),
    ("service account in upper case", [U + "system:serviceaccount:Shop:b"]),
    ("uid", [U + "u", "Impersonate-Uid: 1"]),
    ("uid twice", [U + "u", "Impersonate-Uid: 1", "Impersonate-Uid: 2"]),
    ("empty uid", [U + "u", "Impersonate-Uid: "]),
    ("extra", [U + "u", "Impersonate-Extra-A: 1"]),
    ("extra twice", [U + "u", "Impersonate-Extra-A: 1", "Impersonate-Extra-a: 2"]),
    ("extra with a domain", [U + "u", "Impersonate-Extra-a.io%2fb: 1"]),
    ("extra in upper case", [U + "u", "Impersonate-Extra-A.IO%2FB: 1"]),
    ("extra with a bad escape", [U + "u", "Impersonate-Extra-a%zz: 1"]),
    ("extra with half an escape", [U + "u", "Impersonate-Extra-a%2: 1"]),
    ("extra without a key", [U + "u", "Impersonate-Extra-: 1"]),
    ("extra with an empty value", [U + "u", "Impersonate-Extra-A: "]),
    ("extra with NUL", [U + "u", "Impersonate-Extra-A%00: 1"]),
    ("extra with a bad byte", [U + "u", "Impersonate-Extra-A%ff: 1"]),
    ("extra with a plus", [U + "u", "Impersonate-Extra-A+b: 1"]),
    ("extra with an underscore", [U + "u", "Impersonate-Extra-a_b: 1"]),
    ("five extras", [U + "u", *(f"Impersonate-Extra-{i}: 1" for i in "abcde")]),
    ("five groups", [U + "u", *(G + i for i in "abcde")]),
    ("another name", [U + "u", "Impersonate-Other: 1"]),
    ("another name alone", ["Impersonate-Other: 1"]),
    ("underscore", ["Impersonate_User: u"]),
    ("lower case", ["impersonate-user: u"]),
    ("upper case", ["IMPERSONATE-USER: u"]),
    ("space behind the name", ["Impersonate-User : u"]),
    ("padded", ["Impersonate-User:    u   "]),
    ("space within", [U + "a b"]),
    ("UTF-8", [(U + "ü").encode()]),
    ("no UTF-8", [U + "\xff"]),
    ("NUL", [U + "a\x00"]),
    ("folded", [U + "a", " b"]),
    ("folded group", [U + "u", G, " system:masters"]),
    ("vertical tab", [U + "\x0bu"]),
    ("no-break space", [(U + "\u00a0u").encode()]),
    ("closed as a hop", ["Connection: Impersonate-User", U + "u"]),
    ("a long user", [U + "u" * 10000]),
    ("hundred groups", [U + "u", *(G + str(i) for i in range(100))]),
    ("user of the apiserver", [U + "system:apiserver"]),
    ("self", [U + "root"]),
    ("itself", [U + "system:node:a", G + "system:nodes", G + "system:masters"]),
]


def lines():
    for name, sent in LINES:
        yield Case("request-line", name, sent)
    for method in METHODS:
        for path in ("/api/v1/nodes/a", "/livez", "/nothing"):
            head = method == "HEAD"
            sent = request(f"{method} {path} HTTP/1.1", "Content-Length: 0")
            yield Case("methods", f"{method!r} {path}", sent, first_is_head=head)
    for target in TARGETS:
        for method in ("GET", "OPTIONS", "CONNECT"):
            yield Case("targets", f"{method} {target!r}", request(f"{method} {target} HTTP/1.1"))


def fields():
    for name, own in FIELDS:
        yield Case("fields", name, request(OWN, *own))
        if len(own) < 3 and len(b"".join(map(to_bytes, own))) < 200:
            yield Case(
                "fields",
                f"{name}, first",
                (
                    request(OWN, *([bearer("node"), "Host: h"]), host=own[0], who=None)
                    if len(own) == 1
                    else request(OWN, *own[1:], "Host: h", bearer("node"), host=own[0], who=None)
                ),
            )
    for name, own in HOSTS:
        yield Case("hosts", name, request("GET /livez HTTP/1.1", *own, host=None))
        yield Case("hosts", f"{name}, absolute target", request("GET http://o/livez HTTP/1.1", *own, host=None))
    for name, own in EXPECTS:
        yield Case("expect", name, review(*own))
        yield Case(
            "expect",
            f"{name}, refused",
            request("POST /api/v1/namespaces/shop/secrets HTTP/1.1", "Content-Length: 5", *own, body=b"12345"),
        )
        yield Case("expect", f"{name}, no body", request(OWN, *own))
        yield Case("expect", f"{name}, HTTP/1.0", review(*own).replace(b"HTTP/1.1", b"HTTP/1.0"))


def pipelines():
    one, other = request(OWN), request("GET /livez HTTP/1.1")
    yield Case("pipelines", "two", one + other)
    yield Case("pipelines", "ten", one * 10)
    yield Case("pipelines", "hundred", other * 100)
    yield Case("pipelines", "reviews of three", review() + review(who="eve") + review(who="admin"))
    yield Case("pipelines", "who is not remembered", review(who="admin") + review(who=None))
    yield Case(
        "pipelines", "impersonation is not remembered", review("Impersonate-User: u", who="admin") + review(who="node")
    )
    yield Case("pipelines", "empty lines between", one + b"\r\n\r\n" + other)
    yield Case("pipelines", "an LF between", one + b"\n" + other)
    yield Case("pipelines", "garbage between", one + b"x" + other)
    yield Case("pipelines", "a space between", one + b" " + other)
    yield Case("pipelines", "NUL between", one + b"\x00" + other)
    yield Case("pipelines", "close, then another", request(OWN, "Connection: close") + other)
    yield Case("pipelines", "bad, then another", request(OWN, "X Y: z") + other)
    yield Case("pipelines", "unauthorized, then another", request(OWN, "Authorization: Bearer nobody", who=None) + other)
    yield Case("pipelines", "not found, then another", request("GET /nothing HTTP/1.1") + other)
    yield Case("pipelines", "review, then smuggled", review() + SMUGGLED)
    yield Case("pipelines", "review of a line more", review(body=REVIEW + b"\r\n") + SMUGGLED)
    yield Case("pipelines", "bad body, then another", review(body=b"{") + other)
    yield Case("pipelines", "two bodies in one", review(body=REVIEW + REVIEW) + other)
    yield Case("pipelines", "old, then another", request("GET /livez HTTP/1.0") + other)
    yield Case("pipelines", "old that keeps, then another", request("GET /livez HTTP/1.0", "Connection: keep-alive") + other)
    for cut in (1, 10, 25, 60, 100, 150, 200):
        sent = review()
        yield Case("pipelines", f"cut after {cut}", sent, parts=[sent[:cut], sent[cut:]])
    yield Case("pipelines", "byte by byte", review(), parts=[bytes([each]) for each in review()])


def people():
    for name, own in BEARERS:
        yield Case("bearers", name, review(*own, who=None))
    for name, own in IMPERSONATIONS:
        yield Case("impersonation", f"{name}, admin", review(*own, who="admin"))
        yield Case("impersonation", f"{name}, node", review(*own, who="node"))


def cases():
    yield from lines()
    yield from fields()
    yield from pipelines()
    yield from people()
    yield Case("people", "a review without a kind", request(f"POST {WHO} HTTP/1.1", "Content-Length: 2", body=b"{}"))
