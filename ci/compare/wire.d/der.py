"""Certificates as they are never made: the bytes are put together here, and only the signature is a library's."""

import base64
import datetime

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, padding, rsa


def tlv(tag, *content):
    data = b"".join(content)
    size = len(data)
    if size < 128:
        return bytes([tag, size]) + data
    octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
    return bytes([tag, 0x80 | len(octets)]) + octets + data


def sequence(*content):
    return tlv(0x30, *content)


def integer(value):
    return tlv(2, value.to_bytes(value.bit_length() // 8 + 1, "big", signed=True))


def oid(dotted):
    first, second, *rest = (int(each) for each in dotted.split("."))
    out = b""
    for value in (first * 40 + second, *rest):
        part = bytes([value & 127])
        while value := value >> 7:
            part = bytes([value & 127 | 128]) + part
        out += part
    return tlv(6, out)


UTF8, PRINTABLE, T61, IA5, UNIVERSAL, BMP, NUMERIC, VISIBLE, GENERAL, OCTETS, INTEGER = (
    12,
    19,
    20,
    22,
    28,
    30,
    18,
    26,
    27,
    4,
    2,
)
CN, O, UID, OU, C, SERIAL = "2.5.4.3", "2.5.4.10", "1.3.6.1.4.1.57683.2", "2.5.4.11", "2.5.4.6", "2.5.4.5"


def attribute(kind, value, tag=UTF8):
    return sequence(oid(kind), tlv(tag, value if isinstance(value, bytes) else value.encode()))


def name(*rdns):
    """Each RDN is (kind, value[, tag]), or a list of such."""
    sets = []
    for rdn in rdns:
        attributes = [attribute(*each) for each in (rdn if isinstance(rdn, list) else [rdn])]
        sets.append(tlv(0x31, *attributes))
    return sequence(*sets)


def moment(when):
    if when.year < 2050:
        return tlv(23, when.strftime("%y%m%d%H%M%SZ").encode())
    return tlv(24, when.strftime("%Y%m%d%H%M%SZ").encode())


def extension(kind, value, critical=False):
    return sequence(oid(kind), *([b"\x01\x01\xff"] if critical else []), tlv(4, value))


def basic(authority, length=None, critical=True):
    inner = [b"\x01\x01\xff"] if authority else []
    if length is not None:
        inner.append(integer(length))
    return extension("2.5.29.19", sequence(*inner), critical)


def usage(bits, critical=True):
    """`bits` as in the first octet: 0x80 to sign, 0x04 to sign certificates."""
    unused = 0
    while bits and not bits >> unused & 1:
        unused += 1
    return extension("2.5.29.15", tlv(3, bytes([unused, bits])), critical)


CLIENT, SERVER, ANY, CODE = "1.3.6.1.5.5.7.3.2", "1.3.6.1.5.5.7.3.1", "2.5.29.37.0", "1.3.6.1.5.5.7.3.3"


def purposes(*kinds, critical=False):
    return extension("2.5.29.37", sequence(*(oid(kind) for kind in kinds)), critical)


def names(*general):
    """(tag, bytes): 1 mail, 2 DNS, 6 URI, 7 IP."""
    return extension("2.5.29.17", sequence(*(tlv(0x80 | kind, value) for kind, value in general)))


def constraints(permitted=(), excluded=(), critical=True):
    parts = []
    for tag, trees in ((0xA0, permitted), (0xA1, excluded)):
        if trees:
            parts.append(tlv(tag, *(sequence(tlv(0x80 | kind if kind != 4 else 0xA4, value)) for kind, value in trees)))
    return extension("2.5.29.30", sequence(*parts), critical)


NULL = b"\x05\x00"
SIGNATURES = {
    "rsa": {
        "sha256": ("1.2.840.113549.1.1.11", hashes.SHA256),
        "sha1": ("1.2.840.113549.1.1.5", hashes.SHA1),
        "md5": ("1.2.840.113549.1.1.4", hashes.MD5),
        "sha512": ("1.2.840.113549.1.1.13", hashes.SHA512),
    },
    "ec": {
        "sha256": ("1.2.840.10045.4.3.2", hashes.SHA256),
        "sha1": ("1.2.840.10045.4.1", hashes.SHA1),
        "sha512": ("1.2.840.10045.4.3.4", hashes.SHA512),
        "sha384": ("1.2.840.10045.4.3.3", hashes.SHA384),
    },
    "ed": {"sha256": ("1.3.101.112", None)},
}


def kind_of(key):
    return "rsa" if isinstance(key, rsa.RSAPrivateKey) else "ed" if isinstance(key, ed25519.Ed25519PrivateKey) else "ec"


def algorithm(key, digest):
    own = kind_of(key)
    return sequence(oid(SIGNATURES[own][digest][0]), *([NULL] if own == "rsa" else []))


def sign(key, digest, data):
    own, (_, hash_of) = kind_of(key), SIGNATURES[kind_of(key)][digest]
    if own == "rsa":
        return key.sign(data, padding.PKCS1v15(), hash_of())
    return key.sign(data) if own == "ed" else key.sign(data, ec.ECDSA(hash_of()))


def public(key):
    return key.public_key().public_bytes(serialization.Encoding.DER, serialization.PublicFormat.SubjectPublicKeyInfo)


NOW = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
DAY = datetime.timedelta(days=1)


def certificate(
    subject,
    key,
    issuer,
    issuer_key,
    extensions=(),
    *,
    serial=7,
    begin=NOW - DAY,
    end=NOW + DAY,
    digest="sha256",
    version=2,
    outer=None,
    spoil=False,
    public_key=None,
):
    """DER. `outer` is the digest that the signature says of itself, where it is another than what is signed says."""
    parts = [tlv(0xA0, integer(version))] if version else []
    parts += [
        integer(serial),
        algorithm(issuer_key, digest),
        issuer,
        sequence(moment(begin), moment(end)),
        subject,
        public_key or public(key),
    ]
    if extensions:
        parts.append(tlv(0xA3, sequence(*extensions)))
    signed = sequence(*parts)
    signature = sign(issuer_key, digest, signed)
    if spoil:
        signature = signature[:-1] + bytes([signature[-1] ^ 1])
    return sequence(signed, algorithm(issuer_key, outer or digest), tlv(3, b"\x00", signature))


def pem(der):
    return b"-----BEGIN CERTIFICATE-----\n" + base64.encodebytes(der) + b"-----END CERTIFICATE-----\n"


def key_pem(key):
    return key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
