"""Connections that are kept, and requests and answers on them, byte by byte."""

import contextlib
import socket
import ssl

import kubelet
from connection_reader import ConnectionReader

TIMEOUT = 15


class Connections:
    """All connections to one port of one kubelet: one for each client certificate."""

    def __init__(self, address, pki=None):
        self.address = address
        self.pki = pki  # None: plain HTTP
        self.contexts = {}
        self.open = {}
        self.used = False

    def context(self, certificate):
        if certificate not in self.contexts:
            context = ssl.create_default_context(cafile=self.pki / "ca.crt")
            if certificate:
                context.load_cert_chain(self.pki / f"{certificate}.pem")
            self.contexts[certificate] = context
        return self.contexts[certificate]

    def connect(self, certificate):
        plain = socket.create_connection(self.address, timeout=TIMEOUT)
        plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if not self.pki:
            return plain
        return self.context(certificate).wrap_socket(plain, server_hostname=self.address[0])

    def send(self, certificate, raw):
        self.used = certificate in self.open
        if not self.used:
            self.open[certificate] = self.connect(certificate)
        try:
            self.open[certificate].sendall(raw)
        except OSError:
            pass  # reported when the answer is read

    def drop(self, certificate):
        connection = self.open.pop(certificate, None)
        if connection:
            connection.close()

    def receive(self, certificate, method, raw):
        """The answer to what was sent last; sent again where a kept connection turns out to be closed."""
        try:
            answer, keep = read_answer(self.open[certificate], method)
            if answer is None and self.used:
                self.drop(certificate)
                self.send(certificate, raw)
                answer, keep = read_answer(self.open[certificate], method)
        except (OSError, ValueError) as error:
            answer, keep = kubelet.Answer(0, [], f"{type(error).__name__}: {error}".encode()), False
        if not keep:
            self.drop(certificate)
        return answer or kubelet.Answer(0, [], b"the connection was closed")


def read_answer(connection, method):
    """An answer and whether the connection is good for another one; no answer where it is closed without."""
    reader = ConnectionReader(connection)
    while True:
        head = reader.until(b"\r\n\r\n")
        if head is None:
            return (None, False) if not reader.data else (kubelet.Answer(0, [], reader.data), False)
        answer = kubelet.parse(head)
        if answer.status != 100:
            break
    if answer.status == 101:
        answer.body = read_stream(answer, reader)
        return answer, False
    if method == "HEAD" or answer.status in (204, 304):
        return answer, answer.header("Connection") != "close"
    if answer.header("Transfer-Encoding") == "chunked":
        answer.body = reader.chunked()
    elif (length := answer.header("Content-Length")) is not None:
        answer.body = reader.exactly(int(length))
    else:
        answer.body = reader.to_end()
        return answer, False
    return answer, answer.header("Connection") != "close"


def read_stream(answer, reader):
    """What a WebSocket sends until it closes or falls silent, by channel: several channels have no order among them."""
    if (answer.header("Upgrade") or "").lower() != "websocket":
        return b""
    reader.connection.settimeout(0.5)
    with contextlib.suppress(TimeoutError):
        while reader.more():
            pass
    channels = {}
    for kind, payload in frames(reader.data):
        key = (kind, payload[:1]) if kind in (1, 2) else (kind, b"")
        channels[key] = channels.get(key, b"") + (payload[1:] if kind in (1, 2) else payload)
    return repr(sorted(channels.items())).encode()


def frames(data):
    while len(data) >= 2:
        length, begin = data[1] & 127, 2
        if length == 126:
            length, begin = int.from_bytes(data[2:4], "big"), 4
        yield data[0] & 15, data[begin:begin + length]
        data = data[begin + length:]
