"""Client certificates: whom they name, who vouches for them, and until when."""

import datetime

from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa

import der
from cases import Case, review
from der import CN, DAY, NOW, O, UID, certificate, name

LEAF = [der.basic(False), der.usage(0x80), der.purposes(der.CLIENT)]
AUTHORITY = [der.basic(True), der.usage(0x04)]
USER = name((O, "people"), (CN, "amy"))


class Authorities:
    """Roots that both servers know, in one file, and authorities below them."""

    def __init__(self, folder):
        self.folder = folder
        curve = ec.SECP256R1()
        self.key = ec.generate_private_key(curve)
        self.keys = {
            "P-256": self.key,
            "P-224": ec.generate_private_key(ec.SECP224R1()),
            "P-384": ec.generate_private_key(ec.SECP384R1()),
            "P-521": ec.generate_private_key(ec.SECP521R1()),
            "secp256k1": ec.generate_private_key(ec.SECP256K1()),
            "RSA 1024": rsa.generate_private_key(65537, 1024),
            "RSA 2048": rsa.generate_private_key(65537, 2048),
            "RSA 512": rsa.generate_private_key(65537, 512),
            "RSA 1023": rsa.generate_private_key(65537, 1023),
            "RSA 2048, exponent 3": rsa.generate_private_key(3, 2048),
            "Ed25519": ed25519.Ed25519PrivateKey.generate(),
        }
        rsa_key = self.keys["RSA 2048"]
        self.root_name = name((CN, "root"))
        self.root = self.own(self.root_name, self.key, AUTHORITY)
        self.rsa_name, self.rsa_key = name((CN, "rsa root")), rsa_key
        self.rsa_root = self.own(self.rsa_name, rsa_key, AUTHORITY)
        self.weak_name, self.weak_key = name((CN, "weak root")), self.keys["RSA 1024"]
        self.weak_root = self.own(self.weak_name, self.weak_key, AUTHORITY)
        self.limited_name, self.limited_key = name((CN, "root of no length")), ec.generate_private_key(curve)
        self.limited_root = self.own(self.limited_name, self.limited_key, [der.basic(True, 0), der.usage(0x04)])
        self.server_name, self.server_key = name((CN, "root for servers")), ec.generate_private_key(curve)
        self.server_root = self.own(self.server_name, self.server_key, [*AUTHORITY, der.purposes(der.SERVER)])
        self.old_name, self.old_key = name((CN, "root of old")), ec.generate_private_key(curve)
        self.old_root = self.own(self.old_name, self.old_key, AUTHORITY, begin=NOW - 9 * DAY, end=NOW - DAY)
        self.leaf_name, self.leaf_key = name((CN, "trusted leaf"), (O, "people")), ec.generate_private_key(curve)
        self.trusted_leaf = certificate(self.leaf_name, self.leaf_key, self.root_name, self.key, LEAF)
        self.bare_name, self.bare_key = name((CN, "root without extensions")), ec.generate_private_key(curve)
        self.bare_root = certificate(self.bare_name, self.bare_key, self.bare_name, self.bare_key, version=0)
        self.plain_name, self.plain_key = name((CN, "root without usages")), ec.generate_private_key(curve)
        self.plain_root = self.own(self.plain_name, self.plain_key, [der.basic(True)])
        self.unsigning_name, self.unsigning_key = name((CN, "root that may not sign")), ec.generate_private_key(curve)
        self.unsigning_root = self.own(self.unsigning_name, self.unsigning_key, [der.basic(True), der.usage(0x80)])
        self.orphan_name, self.orphan_key = name((CN, "trusted intermediate")), ec.generate_private_key(curve)
        stranger = ec.generate_private_key(curve)
        self.orphan = certificate(self.orphan_name, self.orphan_key, name((CN, "unknown root")), stranger, AUTHORITY)
        self.bounded_name, self.bounded_key = name((CN, "root with constraints")), ec.generate_private_key(curve)
        self.bounded_root = self.own(
            self.bounded_name, self.bounded_key, [*AUTHORITY, der.constraints(permitted=[(2, b"example.com")])]
        )
        self.excluded_name, self.excluded_key = name((CN, "root that excludes")), ec.generate_private_key(curve)
        self.excluded_root = self.own(
            self.excluded_name, self.excluded_key, [*AUTHORITY, der.constraints(excluded=[(2, b"example.com")])]
        )

    @staticmethod
    def own(subject, key, extensions, **more):
        return certificate(subject, key, subject, key, extensions, **more)

    def trusted(self):
        roots = (
            self.root,
            self.rsa_root,
            self.weak_root,
            self.limited_root,
            self.server_root,
            self.old_root,
            self.trusted_leaf,
            self.bare_root,
            self.plain_root,
            self.unsigning_root,
            self.orphan,
            self.bounded_root,
            self.excluded_root,
        )
        return b"".join(der.pem(each) for each in roots)

    def leaf(self, subject=USER, extensions=None, key=None, **more):
        return certificate(
            subject, key or self.key, self.root_name, self.key, LEAF if extensions is None else extensions, **more
        )

    def put(self, chain, key):
        path = self.folder / f"{len(list(self.folder.iterdir()))}.pem"
        path.write_bytes(b"".join(der.pem(each) for each in chain) + der.key_pem(key))
        path.chmod(0o600)
        return path


def subjects():
    amy = (CN, "amy")
    yield "a user and a group", [(O, "people"), amy]
    yield "group behind", [amy, (O, "people")]
    yield "no CN", [(O, "people")]
    yield "nothing", []
    yield "empty CN", [(CN, "")]
    yield "empty CN and another", [(CN, ""), amy]
    yield "another and an empty CN", [amy, (CN, "")]
    yield "two CNs", [amy, (CN, "bob")]
    yield "three CNs", [amy, (CN, "bob"), (CN, "carl")]
    yield "two CNs in one RDN", [[amy, (CN, "bob")]]
    yield "two CNs in one RDN, the other way", [[(CN, "bob"), amy]]
    yield "CN and O in one RDN", [[amy, (O, "people")]]
    yield "NUL in CN", [(CN, b"amy\x00bob")]
    yield "NUL behind CN", [(CN, b"amy\x00")]
    yield "NUL in O", [amy, (O, b"system:masters\x00x")]
    yield "newline in CN", [(CN, "amy\nbob")]
    yield "escape in CN", [(CN, "\x1b[31mamy")]
    yield "UTF-8 in CN", [(CN, "ämy ☃")]
    yield "bytes that are no UTF-8 in CN", [(CN, b"am\xff")]
    yield "bytes that are no UTF-8 in O", [amy, (O, b"\xff\xfe")]
    yield "overlong UTF-8 in CN", [(CN, b"am\xc0\xaf")]
    yield "surrogates in CN", [(CN, b"am\xed\xa0\x80")]
    yield "spaces around CN", [(CN, " amy ")]
    yield "a long CN", [(CN, "a" * 65)]
    yield "a very long CN", [(CN, "a" * 5000)]
    yield "a very long O", [amy, (O, "a" * 5000)]
    yield "CN that is printable", [(CN, "amy", der.PRINTABLE)]
    yield "CN that is printable, with an asterisk", [(CN, "amy*", der.PRINTABLE)]
    yield "CN that is printable, with an ampersand", [(CN, "amy&", der.PRINTABLE)]
    yield "CN that is printable, with an underscore", [(CN, "amy_", der.PRINTABLE)]
    yield "CN that is printable, with an at", [(CN, "amy@x", der.PRINTABLE)]
    yield "CN that is printable, with NUL", [(CN, b"amy\x00", der.PRINTABLE)]
    yield "CN that is T61", [(CN, b"am\xfc", der.T61)]
    yield "CN that is T61, with odd bytes", [(CN, b"am\xa4\xd0", der.T61)]
    yield "CN that is IA5", [(CN, "amy", der.IA5)]
    yield "CN that is IA5, with a high byte", [(CN, b"am\xfc", der.IA5)]
    yield "CN that is BMP", [(CN, "amy".encode("utf-16-be"), der.BMP)]
    yield "CN that is BMP, beyond Latin", [(CN, "am☃".encode("utf-16-be"), der.BMP)]
    yield "CN that is BMP, of odd length", [(CN, b"\x00a\x00", der.BMP)]
    yield "CN that is BMP, with surrogates", [(CN, "a\U0001f600".encode("utf-16-be"), der.BMP)]
    yield "CN that is BMP, ending in zero", [(CN, "amy\x00".encode("utf-16-be"), der.BMP)]
    yield "CN that is universal", [(CN, "amy".encode("utf-32-be"), der.UNIVERSAL)]
    yield "CN that is numeric", [(CN, "123 4", der.NUMERIC)]
    yield "CN that is numeric, with letters", [(CN, "12a", der.NUMERIC)]
    yield "CN that is visible", [(CN, "amy", der.VISIBLE)]
    yield "CN that is general", [(CN, "amy", der.GENERAL)]
    yield "CN of octets", [(CN, b"amy", der.OCTETS)]
    yield "CN that is a number", [(CN, b"\x05", der.INTEGER)]
    yield "CN that is a bit string", [(CN, b"\x00amy", 3)]
    yield "CN that is true", [(CN, b"\xff", 1)]
    yield "CN that is nothing", [(CN, b"", 5)]
    yield "CN that is a time", [(CN, b"240101000000Z", 23)]
    yield "O that is BMP", [amy, (O, "people".encode("utf-16-be"), der.BMP)]
    yield "O that is universal", [amy, (O, "people".encode("utf-32-be"), der.UNIVERSAL)]
    yield "O of octets", [amy, (O, b"people", der.OCTETS)]
    yield "O that is a number", [amy, (O, b"\x05", der.INTEGER)]
    yield "empty O", [amy, (O, "")]
    yield "empty O and another", [amy, (O, ""), (O, "people")]
    yield "twice the same O", [amy, (O, "people"), (O, "people")]
    yield "two Os in one RDN", [amy, [(O, "people"), (O, "others")]]
    yield "two Os in one RDN, the other way", [amy, [(O, "others"), (O, "people")]]
    yield "hundred Os", [amy, *((O, f"g{i}") for i in range(100))]
    yield "thousand Os", [amy, *((O, f"g{i}") for i in range(1000))]
    yield "masters", [amy, (O, "system:masters")]
    yield "masters in upper case", [amy, (O, "SYSTEM:MASTERS")]
    yield "masters and a space", [amy, (O, "system:masters ")]
    yield "masters in a list", [amy, (O, "people,system:masters")]
    yield "masters as OU", [amy, (der.OU, "system:masters")]
    yield "authenticated", [amy, (O, "system:authenticated")]
    yield "unauthenticated", [amy, (O, "system:unauthenticated")]
    yield "anonymous", [(CN, "system:anonymous")]
    yield "a node", [(CN, "system:node:a"), (O, "system:nodes")]
    yield "a node without its group", [(CN, "system:node:a")]
    yield "two nodes", [(CN, "system:node:a"), (CN, "system:node:b"), (O, "system:nodes")]
    yield "a service account", [(CN, "system:serviceaccount:shop:builder")]
    yield "uid", [amy, (UID, "1")]
    yield "empty uid", [amy, (UID, "")]
    yield "two uids", [amy, (UID, "1"), (UID, "1")]
    yield "two uids in one RDN", [amy, [(UID, "1"), (UID, "2")]]
    yield "uid that is BMP", [amy, (UID, "1".encode("utf-16-be"), der.BMP)]
    yield "uid that is a number", [amy, (UID, b"\x05", der.INTEGER)]
    yield "uid of octets", [amy, (UID, b"1", der.OCTETS)]
    yield "uid with NUL", [amy, (UID, b"1\x002")]
    yield "long uid", [amy, (UID, "1" * 3000)]
    yield "uid without CN", [(UID, "1")]
    yield "uid of another arc", [amy, ("1.3.6.1.4.1.57683.2.1", "1")]
    yield "user id", [amy, ("0.9.2342.19200300.100.1.1", "1")]
    yield "country of three letters", [amy, (der.C, "DEU", der.PRINTABLE)]
    yield "serial number", [amy, (der.SERIAL, "1", der.PRINTABLE)]


def leaves(authorities):
    """Name, chain, key."""
    a = authorities
    leaf = a.leaf
    for what, rdns in subjects():
        yield f"subject: {what}", [leaf(name(*rdns))], a.key
    times = [
        ("expired", {"end": NOW - datetime.timedelta(hours=1)}),
        ("not yet valid", {"begin": NOW + datetime.timedelta(hours=1)}),
        ("end before begin", {"begin": NOW + DAY, "end": NOW - DAY}),
        ("until 9999", {"end": datetime.datetime(9999, 12, 31, 23, 59, 59)}),
        ("since 1950", {"begin": datetime.datetime(1950, 1, 1)}),
        ("until 2050", {"end": datetime.datetime(2050, 1, 1)}),
    ]
    for what, more in times:
        yield f"time: {what}", [leaf(**more)], a.key
    usages = [
        ("none", []),
        ("no purposes", [der.basic(False), der.usage(0x80)]),
        ("server", [der.purposes(der.SERVER)]),
        ("any", [der.purposes(der.ANY)]),
        ("client and server", [der.purposes(der.CLIENT, der.SERVER)]),
        ("server and client", [der.purposes(der.SERVER, der.CLIENT)]),
        ("code", [der.purposes(der.CODE)]),
        ("unknown", [der.purposes("1.2.3.4")]),
        ("unknown and client", [der.purposes("1.2.3.4", der.CLIENT)]),
        ("no purpose at all", [der.purposes()]),
        ("critical client", [der.purposes(der.CLIENT, critical=True)]),
        ("critical server", [der.purposes(der.SERVER, critical=True)]),
        ("netscape server", [der.extension("2.16.840.1.113730.1.1", b"\x03\x02\x06\x40")]),
        ("gated crypto", [der.purposes("2.16.840.1.113730.4.1")]),
        ("key usage to sign certificates alone", [der.usage(0x04), der.purposes(der.CLIENT)]),
        ("key usage to encipher", [der.usage(0x20), der.purposes(der.CLIENT)]),
        ("key usage of nothing", [der.usage(0), der.purposes(der.CLIENT)]),
        ("authority", [der.basic(True), der.purposes(der.CLIENT)]),
        ("authority with usage", [der.basic(True), der.usage(0x84), der.purposes(der.CLIENT)]),
        ("authority of no length", [der.basic(True, 0), der.purposes(der.CLIENT)]),
        ("length without authority", [der.basic(False, 0), der.purposes(der.CLIENT)]),
        ("basic constraints that are not critical", [der.basic(True, critical=False), der.purposes(der.CLIENT)]),
        ("unknown critical extension", [*LEAF, der.extension("1.2.3.4.5", b"\x05\x00", True)]),
        ("unknown extension", [*LEAF, der.extension("1.2.3.4.5", b"\x05\x00")]),
        (
            "the same extension twice",
            [*LEAF, der.extension("1.2.3.4.5", b"\x05\x00"), der.extension("1.2.3.4.5", b"\x05\x00")],
        ),
        ("purposes twice", [*LEAF, der.purposes(der.SERVER)]),
        ("names", [*LEAF, der.names((2, b"example.com"), (1, b"a@example.com"))]),
        ("a critical policy", [*LEAF, der.extension("2.5.29.32", der.sequence(der.sequence(der.oid("1.2.3"))), True)]),
        ("a critical policy constraint", [*LEAF, der.extension("2.5.29.36", der.sequence(der.tlv(0x80, b"\x00")), True)]),
        ("inhibits any policy", [*LEAF, der.extension("2.5.29.54", der.integer(0), True)]),
        ("a bad name", [*LEAF, der.names((2, b"\xff\xfe"))]),
        ("a bad IP address", [*LEAF, der.names((7, b"\x01\x02\x03"))]),
        ("a bad URI", [*LEAF, der.names((6, b"http://%zz"))]),
        ("a bad mail", [*LEAF, der.names((1, b"@"))]),
        ("empty names", [*LEAF, der.names()]),
        ("constraints of its own", [*LEAF, der.constraints(permitted=[(2, b"x")])]),
        ("garbage for basic constraints", [der.extension("2.5.29.19", b"\x01", True)]),
        ("garbage for purposes", [der.extension("2.5.29.37", b"\x05\x00")]),
        ("garbage for key usage", [der.extension("2.5.29.15", b"\x04\x00", True)]),
        ("SCT list", [*LEAF, der.extension("1.3.6.1.4.1.11129.2.4.2", b"\x04\x00")]),
        ("precertificate poison", [*LEAF, der.extension("1.3.6.1.4.1.11129.2.4.3", b"\x05\x00", True)]),
        ("key identifier of another", [*LEAF, der.extension("2.5.29.35", der.sequence(der.tlv(0x80, b"other")))]),
        ("critical key identifier", [*LEAF, der.extension("2.5.29.14", der.tlv(4, b"own"), True)]),
        (
            "proxy",
            [*LEAF, der.extension("1.3.6.1.5.5.7.1.14", der.sequence(der.sequence(der.oid("1.3.6.1.5.5.7.21.1"))), True)],
        ),
    ]
    for what, extensions in usages:
        yield f"extensions: {what}", [leaf(extensions=extensions)], a.key
    for what, key in a.keys.items():
        yield f"key: {what}", [leaf(key=key)], key
    for digest in ("sha256", "sha512", "sha1", "md5"):
        yield f"signed by RSA with {digest}", [certificate(USER, a.key, a.rsa_name, a.rsa_key, LEAF, digest=digest)], a.key
    for digest in ("sha384", "sha512", "sha1"):
        yield f"signed by ECDSA with {digest}", [leaf(digest=digest)], a.key
    yield "signed by RSA 1024", [certificate(USER, a.key, a.weak_name, a.weak_key, LEAF)], a.key
    yield "signed: spoiled", [leaf(spoil=True)], a.key
    yield "signed: two algorithms", [leaf(outer="sha384")], a.key
    for what, number in [
        ("zero", 0),
        ("negative", -5),
        ("large", 2**159 - 1),
        ("too large", 2**200),
        ("far too large", 2**4000),
    ]:
        yield f"serial: {what}", [leaf(serial=number)], a.key
    for what, version in [("1, with extensions", 0), ("2, with extensions", 1), ("4", 3), ("9", 8)]:
        yield f"version: {what}", [leaf(version=version)], a.key
    yield "version: 1", [leaf(version=0, extensions=[])], a.key
    yield "version: 3, without extensions", [leaf(extensions=[])], a.key


def chains(authorities):
    a, curve = authorities, ec.SECP256R1()
    stranger = ec.generate_private_key(curve)
    masters = name((O, "system:masters"), (CN, "amy"))
    yield "self-signed", [a.own(masters, stranger, LEAF)], stranger
    yield "self-signed authority", [a.own(masters, stranger, AUTHORITY)], stranger
    yield "of a root of the same name", [certificate(masters, stranger, a.root_name, stranger, LEAF)], stranger
    yield "of an unknown root", [certificate(masters, stranger, name((CN, "unknown")), stranger, LEAF)], stranger
    unknown = a.own(name((CN, "unknown")), stranger, AUTHORITY)
    yield "of an unknown root that is shown", [
        certificate(masters, stranger, name((CN, "unknown")), stranger, LEAF),
        unknown,
    ], stranger
    impostor = a.own(a.root_name, stranger, AUTHORITY)
    yield "of an impostor that is shown", [certificate(masters, stranger, a.root_name, stranger, LEAF), impostor], stranger
    yield "good, with an impostor", [a.leaf(), impostor], a.key
    yield "good, with its root", [a.leaf(), a.root], a.key
    yield "good, twice", [a.leaf(), a.leaf()], a.key
    yield "good, with a stranger", [a.leaf(), unknown], a.key
    yield "the root itself", [a.root], a.key
    yield "a trusted leaf", [a.trusted_leaf], a.leaf_key
    yield "by a trusted leaf", [certificate(USER, a.key, a.leaf_name, a.leaf_key, LEAF)], a.key
    for what, root_name, root_key in [
        ("a root of no length", a.limited_name, a.limited_key),
        ("a root for servers", a.server_name, a.server_key),
        ("a root of old", a.old_name, a.old_key),
        ("a root without extensions", a.bare_name, a.bare_key),
        ("a root without usages", a.plain_name, a.plain_key),
        ("a root that may not sign", a.unsigning_name, a.unsigning_key),
        ("a trusted intermediate", a.orphan_name, a.orphan_key),
    ]:
        yield f"by {what}", [certificate(USER, a.key, root_name, root_key, LEAF)], a.key
    for what, root_name, root_key in [
        ("constraints", a.bounded_name, a.bounded_key),
        ("exclusions", a.excluded_name, a.excluded_key),
    ]:
        for said, extensions in [
            ("no names", []),
            ("a permitted name", [der.names((2, b"a.example.com"))]),
            ("another name", [der.names((2, b"other.org"))]),
            ("both", [der.names((2, b"a.example.com"), (2, b"other.org"))]),
            ("an address", [der.names((7, bytes(4)))]),
            ("a mail", [der.names((1, b"a@other.org"))]),
        ]:
            yield f"by a root with {what}, {said}", [
                certificate(USER, a.key, root_name, root_key, [*LEAF, *extensions])
            ], a.key
        yield f"by a root with {what}, CN like a host", [
            certificate(name((CN, "other.org")), a.key, root_name, root_key, LEAF)
        ], a.key
        yield f"by a root with {what}, CN like an excluded host", [
            certificate(name((CN, "a.example.com")), a.key, root_name, root_key, LEAF)
        ], a.key
    keys = [ec.generate_private_key(curve) for _ in range(3)]
    titles = [name((CN, f"intermediate {i}")) for i in range(3)]

    def below(extensions=AUTHORITY, **more):
        return certificate(titles[0], keys[0], a.root_name, a.key, extensions, **more)

    bottom = certificate(USER, a.key, titles[0], keys[0], LEAF)
    yield "intermediate", [bottom, below()], a.key
    yield "intermediate, missing", [bottom], a.key
    yield "intermediate, with the root", [bottom, below(), a.root], a.key
    yield "intermediate, behind the root", [bottom, a.root, below()], a.key
    yield "intermediate, behind garbage", [bottom, unknown, a.leaf(), below()], a.key
    yield "intermediate, twice", [bottom, below(), below()], a.key
    more = [
        ("that is no authority", [der.basic(False)], {}),
        ("without basic constraints", [der.usage(0x04)], {}),
        ("without extensions", [], {}),
        ("of version 1", [], {"version": 0}),
        ("that may not sign", [der.basic(True), der.usage(0x80)], {}),
        ("without key usage", [der.basic(True)], {}),
        ("expired", AUTHORITY, {"end": NOW - datetime.timedelta(hours=1)}),
        ("not yet valid", AUTHORITY, {"begin": NOW + datetime.timedelta(hours=1)}),
        ("for servers", [*AUTHORITY, der.purposes(der.SERVER)], {}),
        ("for clients", [*AUTHORITY, der.purposes(der.CLIENT)], {}),
        ("for any", [*AUTHORITY, der.purposes(der.ANY)], {}),
        ("for server and client", [*AUTHORITY, der.purposes(der.SERVER, der.CLIENT)], {}),
        ("spoiled", AUTHORITY, {"spoil": True}),
        ("with SHA-1", AUTHORITY, {"digest": "sha1"}),
        ("of no length", [der.basic(True, 0), der.usage(0x04)], {}),
        ("with an unknown critical extension", [*AUTHORITY, der.extension("1.2.3.4.5", b"\x05\x00", True)], {}),
        ("with constraints of names", [*AUTHORITY, der.constraints(permitted=[(2, b"example.com")])], {}),
        (
            "with constraints that are not critical",
            [*AUTHORITY, der.constraints(permitted=[(2, b"example.com")], critical=False)],
            {},
        ),
        ("with constraints of directories", [*AUTHORITY, der.constraints(permitted=[(4, name((O, "others")))])], {}),
        (
            "with constraints of directories that are not critical",
            [*AUTHORITY, der.constraints(permitted=[(4, name((O, "others")))], critical=False)],
            {},
        ),
        (
            "with constraints that exclude its directory",
            [*AUTHORITY, der.constraints(excluded=[(4, name((O, "people")))], critical=False)],
            {},
        ),
        ("with policies", [*AUTHORITY, der.extension("2.5.29.32", der.sequence(der.sequence(der.oid("1.2.3"))))], {}),
        ("that demands policies", [*AUTHORITY, der.extension("2.5.29.36", der.sequence(der.tlv(0x80, b"\x00")), True)], {}),
        (
            "that demands policies quietly",
            [*AUTHORITY, der.extension("2.5.29.36", der.sequence(der.tlv(0x80, b"\x00")))],
            {},
        ),
        ("of a negative serial", AUTHORITY, {"serial": -5}),
    ]
    for what, extensions, options in more:
        yield f"intermediate {what}", [bottom, below(extensions, **options)], a.key
    limited = certificate(titles[0], keys[0], a.limited_name, a.limited_key, AUTHORITY)
    yield "intermediate below a root of no length", [bottom, limited], a.key
    own_name = certificate(a.limited_name, keys[0], a.limited_name, a.limited_key, AUTHORITY)
    yield "self-issued intermediate below a root of no length", [
        certificate(USER, a.key, a.limited_name, keys[0], LEAF),
        own_name,
    ], a.key
    for length in (None, 0, 1, 2):
        three = [certificate(titles[0], keys[0], a.root_name, a.key, [der.basic(True, length), der.usage(0x04)])]
        for i in (1, 2):
            three.insert(0, certificate(titles[i], keys[i], titles[i - 1], keys[i - 1], AUTHORITY))
        last = certificate(USER, a.key, titles[2], keys[2], LEAF)
        yield f"three intermediates, length {length}", [last, *three], a.key
        yield f"three intermediates, length {length}, the other way", [last, *reversed(three)], a.key
    yield "three intermediates, one missing", [last, three[0], three[2]], a.key
    deep_key, deep_name, deep = a.key, a.root_name, []
    for i in range(12):
        own, title = ec.generate_private_key(curve), name((CN, f"deep {i}"))
        deep.insert(0, certificate(title, own, deep_name, deep_key, AUTHORITY))
        deep_key, deep_name = own, title
    yield "twelve intermediates", [certificate(USER, a.key, deep_name, deep_key, LEAF), *deep], a.key
    yield "a leaf that signs", [certificate(masters, stranger, USER, a.key, LEAF), a.leaf()], stranger
    signing = [der.basic(True), der.purposes(der.CLIENT)]
    yield "an authority's user that signs", [
        certificate(masters, stranger, USER, a.key, LEAF),
        a.leaf(extensions=signing),
    ], stranger
    cross = [
        certificate(titles[0], keys[0], a.root_name, a.key, AUTHORITY),
        certificate(titles[0], keys[0], name((CN, "unknown")), stranger, AUTHORITY),
    ]
    yield "two ways, the good one first", [bottom, *cross], a.key
    yield "two ways, the bad one first", [bottom, *reversed(cross)], a.key
    yield "two ways, an expired one first", [bottom, below(end=NOW - datetime.timedelta(hours=1)), below()], a.key
    yield "two ways, one for servers first", [bottom, below([*AUTHORITY, der.purposes(der.SERVER)]), below()], a.key
    yield "two ways, a spoiled one first", [bottom, below(spoil=True), below()], a.key
    yield "two ways, one that may not sign first", [bottom, below([der.basic(False)]), below()], a.key


def cases(authorities):
    for what, chain, key in [*leaves(authorities), *chains(authorities)]:
        category = (
            "certificates"
            if what.split(":")[0] in ("subject", "extensions", "time", "serial", "version", "key") or "signed by" in what
            else "chains"
        )
        yield Case(category, what, review(who=None), certificate=authorities.put(chain, key))
    good = authorities.put([authorities.leaf()], authorities.key)
    expired = authorities.put([authorities.leaf(end=NOW - DAY)], authorities.key)
    nameless = authorities.put([authorities.leaf(name((O, "people")))], authorities.key)
    stranger = ec.generate_private_key(ec.SECP256R1())
    unknown = authorities.put([authorities.own(USER, stranger, LEAF)], stranger)
    for what, file in [("good", good), ("expired", expired), ("nameless", nameless), ("unknown", unknown)]:
        for who in ("node", "admin"):
            yield Case("certificate and token", f"{what}, {who}", review(who=who), certificate=file)
            yield Case(
                "certificate and token",
                f"{what}, {who}, impersonating",
                review("Impersonate-User: u", who=who),
                certificate=file,
            )
        yield Case(
            "certificate and token",
            f"{what}, wrong token",
            review("Authorization: Bearer nobody", who=None),
            certificate=file,
        )
        yield Case(
            "certificate and token",
            f"{what}, three requests",
            review(who=None) + review(who="node") + review(who=None),
            certificate=file,
        )
        for version in ("TLSv1_2", "TLSv1_3"):
            yield Case(
                "certificate and token", f"{what}, {version}", review(who=None), certificate=file, tls={"version": version}
            )
