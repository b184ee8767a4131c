"""Kubelets that do not do what an API server expects, each on a port of its own."""

import socket
import ssl
import threading

ANSWERS = {
    "redirected": b"HTTP/1.1 302 Found\r\nLocation: https://192.0.2.9/elsewhere\r\nContent-Length: 0\r\n\r\n",
    "broken": b"",
    "garbled": b"no http at all\r\n\r\n",
    "refused": b"HTTP/1.1 403 Forbidden\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Length: 3\r\n\r\nno!",
    "failing": b"HTTP/1.1 503 Service Unavailable\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nlater",
}


def read_head(connection):
    got = b""
    while b"\r\n\r\n" not in got:
        more = connection.recv(4096)
        if not more:
            return
        got += more


def serve(listener, context, answer):
    while True:
        plain, _ = listener.accept()
        try:
            with context.wrap_socket(plain, server_side=True) as connection:
                read_head(connection)
                connection.sendall(answer)
        except OSError:
            pass


def start(certificate, key):
    """The ports of all kinds."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate, key)
    ports = {}
    for name, answer in ANSWERS.items():
        listener = socket.create_server(("127.0.0.1", 0))
        ports[name] = listener.getsockname()[1]
        threading.Thread(target=serve, args=(listener, context, answer), daemon=True).start()
    return ports
