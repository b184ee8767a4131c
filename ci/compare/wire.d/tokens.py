"""Tokens of service accounts that the right key has signed, and that are odd all the same."""

import base64
import hmac
import json
import time

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import padding

from cases import Case, request, REVIEW, WHO

ISSUER = "https://kubernetes.default.svc"


def encoded(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


class Signer:
    def __init__(self, pem):
        self.key = serialization.load_pem_private_key(pem, None)
        public = self.key.public_key()
        self.der = public.public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)
        self.pem = public.public_bytes(serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo)
        digest = hashes.Hash(hashes.SHA256())
        digest.update(self.der)
        self.key_id = encoded(digest.finalize())

    def signature(self, text, digest=hashes.SHA256):
        return self.key.sign(text.encode(), padding.PKCS1v15(), digest())

    def pss(self, text):
        return self.key.sign(text.encode(), padding.PSS(padding.MGF1(hashes.SHA256()), 32), hashes.SHA256())


def claims_of(uid):
    now = int(time.time())
    return {
        "aud": [ISSUER],
        "exp": now + 3600,
        "iat": now,
        "nbf": now,
        "iss": ISSUER,
        "sub": "system:serviceaccount:shop:builder",
        "jti": "0b2ad5ea",
        "kubernetes.io": {"namespace": "shop", "serviceaccount": {"name": "builder", "uid": uid}},
    }


def odd(signer):
    """Name, and what makes a token of a UID."""

    def made(header=None, change=None, text=None, sign=signer.signature, mangle=lambda token: token, header_text=None):
        def make(uid):
            claims = claims_of(uid)
            if change:
                change(claims)
            own = {"alg": "RS256", "kid": signer.key_id, **(header or {})}
            head = header_text or json.dumps({key: value for key, value in own.items() if value is not ...})
            first = encoded(head.encode()) + "." + encoded((text(claims) if text else json.dumps(claims)).encode())
            return mangle(first + "." + encoded(sign(first)))

        return make

    def setting(*path, to):
        def change(claims):
            inner = claims
            for each in path[:-1]:
                inner = inner[each]
            if to is ...:
                del inner[path[-1]]
            else:
                inner[path[-1]] = to

        return change

    now = int(time.time())
    account = ("kubernetes.io", "serviceaccount")
    yield "plain", made()
    yield "alg none", made({"alg": "none"}, sign=lambda text: b"")
    yield "alg none, signed", made({"alg": "none"})
    yield "alg None", made({"alg": "None"}, sign=lambda text: b"")
    yield "no alg", made({"alg": ...})
    yield "alg empty", made({"alg": ""})
    yield "alg in lower case", made({"alg": "rs256"})
    yield "HS256 by the public key", made(
        {"alg": "HS256"}, sign=lambda text: hmac.digest(signer.pem, text.encode(), "sha256")
    )
    yield "HS256 by the public key's bytes", made(
        {"alg": "HS256"}, sign=lambda text: hmac.digest(signer.der, text.encode(), "sha256")
    )
    yield "RS384 that is RS256", made({"alg": "RS384"})
    yield "RS384", made({"alg": "RS384"}, sign=lambda text: signer.signature(text, hashes.SHA384))
    yield "RS512", made({"alg": "RS512"}, sign=lambda text: signer.signature(text, hashes.SHA512))
    yield "PS256", made({"alg": "PS256"}, sign=signer.pss)
    yield "PS256 that is RS256", made({"alg": "PS256"})
    yield "no kid", made({"kid": ...})
    yield "empty kid", made({"kid": ""})
    yield "another kid", made({"kid": "other"})
    yield "kid with a path", made({"kid": "../../dev/null"})
    yield "kid that is a number", made({"kid": 5})
    yield "kid and a space", made({"kid": signer.key_id + " "})
    yield "jku", made({"jku": "http://127.0.0.1:1/"})
    yield "jwk", made({"jwk": {"kty": "oct", "k": "AA"}})
    yield "x5c", made({"x5c": ["AA"]})
    yield "x5u", made({"x5u": "http://127.0.0.1:1/"})
    yield "crit", made({"crit": ["x"], "x": 1})
    yield "empty crit", made({"crit": []})
    yield "crit of b64", made({"crit": ["b64"], "b64": False})
    yield "b64", made({"b64": False})
    yield "typ", made({"typ": "JWE"})
    yield "zip", made({"zip": "DEF"})
    yield "nonce", made({"nonce": "x"})
    yield "alg twice", made(header_text=json.dumps({"alg": "RS256", "kid": signer.key_id})[:-1] + ',"alg":"none"}')
    yield "alg in another case", made(header_text='{"ALG":"RS256"}')
    yield "header that is a list", made(header_text="[]")
    yield "header that is null", made(header_text="null")
    yield "header with a byte order mark", made(header_text='\ufeff{"alg":"RS256"}')
    yield "header and more", made(header_text='{"alg":"RS256"} x')
    yield "spoiled", made(sign=lambda text: bytes([signer.signature(text)[0] ^ 1]) + signer.signature(text)[1:])
    yield "no signature", made(mangle=lambda token: token.rsplit(".", 1)[0] + ".")
    yield "two parts", made(mangle=lambda token: token.rsplit(".", 1)[0])
    yield "four parts", made(mangle=lambda token: token + ".AA")
    yield "five parts", made(mangle=lambda token: token + ".AA.AA")
    yield "dot behind", made(mangle=lambda token: token + ".")
    yield "padding", made(mangle=lambda token: token + "==")
    yield "padding of the header", made(mangle=lambda token: token.replace(".", "=.", 1))
    yield "standard alphabet", made(mangle=lambda token: token.replace("-", "+").replace("_", "/"))
    yield "stray bits", made(mangle=lambda token: token[:-1] + chr(ord(token[-1]) + 1))
    yield "a byte more", made(mangle=lambda token: token + "A")
    yield "newline within", made(mangle=lambda token: token[:40] + "%0a" + token[40:])
    yield "a serialization in JSON", made(
        mangle=lambda token: json.dumps(
            dict(zip(("protected", "payload", "signature"), token.split("."), strict=True)), separators=(",", ":")
        )
    )
    yield "another issuer", made(change=setting("iss", to="https://other"))
    yield "no issuer", made(change=setting("iss", to=...))
    yield "issuer and a slash", made(change=setting("iss", to=ISSUER + "/"))
    yield "old issuer", made(change=setting("iss", to="kubernetes/serviceaccount"))
    yield "issuers in a list", made(change=setting("iss", to=[ISSUER]))
    yield "another audience", made(change=setting("aud", to=["other"]))
    yield "two audiences", made(change=setting("aud", to=["other", ISSUER]))
    yield "audience that is text", made(change=setting("aud", to=ISSUER))
    yield "no audience", made(change=setting("aud", to=...))
    yield "empty audiences", made(change=setting("aud", to=[]))
    yield "audience that is a number", made(change=setting("aud", to=5))
    for claim in ("exp", "nbf", "iat"):
        for what, value in [
            ("gone", now - 3600),
            ("to come", now + 7200),
            ("text", str(now)),
            ("a fraction", now + 0.5),
            ("null", None),
            ("zero", 0),
            ("negative", -1),
            ("huge", 10**30),
            ("missing", ...),
        ]:
            yield f"{claim} {what}", made(change=setting(claim, to=value))
    yield "exp with an exponent", made(
        text=lambda claims: json.dumps(claims | {"exp": 0}).replace('"exp": 0', '"exp": 2e11')
    )
    yield "exp twice", made(text=lambda claims: json.dumps(claims)[:-1] + ',"exp":1}')
    yield "sub of another", made(change=setting("sub", to="system:serviceaccount:kube-system:root"))
    yield "sub twice", made(text=lambda claims: json.dumps(claims)[:-1] + ',"sub":"system:serviceaccount:a:b"}')
    yield "no sub", made(change=setting("sub", to=...))
    yield "jti missing", made(change=setting("jti", to=...))
    yield "jti that is a number", made(change=setting("jti", to=5))
    yield "another uid", made(change=setting(*account, "uid", to="other"))
    yield "no uid", made(change=setting(*account, "uid", to=...))
    yield "another name", made(change=setting(*account, "name", to="nobody"))
    yield "name with a slash", made(change=setting(*account, "name", to="../shop/builder"))
    yield "empty name", made(change=setting(*account, "name", to=""))
    yield "name in upper case", made(change=setting(*account, "name", to="Builder"))
    yield "another namespace", made(change=setting("kubernetes.io", "namespace", to="default"))
    yield "namespace with a slash", made(change=setting("kubernetes.io", "namespace", to="shop/"))
    yield "no own claims", made(change=setting("kubernetes.io", to=...))
    yield "own claims in upper case", made(text=lambda claims: json.dumps(claims).replace("kubernetes.io", "Kubernetes.io"))
    yield "own claims twice", made(text=lambda claims: json.dumps(claims)[:-1] + ',"kubernetes.io":{"namespace":"default"}}')
    yield "bound to a pod that is gone", made(change=setting("kubernetes.io", "pod", to={"name": "gone", "uid": "x"}))
    yield "bound to a pod of another uid", made(change=setting("kubernetes.io", "pod", to={"name": "on-a", "uid": "x"}))
    yield "bound to a node that is gone", made(change=setting("kubernetes.io", "node", to={"name": "gone", "uid": "x"}))
    yield "bound to a node of another uid", made(change=setting("kubernetes.io", "node", to={"name": "b", "uid": "x"}))
    yield "bound to a secret that is gone", made(change=setting("kubernetes.io", "secret", to={"name": "gone", "uid": "x"}))
    yield "bound to nothing", made(change=setting("kubernetes.io", "pod", to=None))
    yield "bound to an empty pod", made(change=setting("kubernetes.io", "pod", to={}))
    yield "claims and more", made(text=lambda claims: json.dumps(claims) + " {}")
    yield "claims that are a list", made(text=lambda claims: "[]")
    yield "claims with a comment", made(text=lambda claims: json.dumps(claims) + "//")
    yield "claims with a byte order mark", made(text=lambda claims: "\ufeff" + json.dumps(claims))


def cases(pem):
    signer = Signer(pem)
    for what, make in odd(signer):

        def sent(uid, make=make):
            return request(
                f"POST {WHO} HTTP/1.1",
                "Content-Type: application/json",
                f"Content-Length: {len(REVIEW)}",
                f"Authorization: Bearer {make(uid)}",
                body=REVIEW,
                who=None,
            )

        yield Case("tokens", what, sent)
