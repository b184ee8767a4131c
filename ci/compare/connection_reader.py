"""Reads what comes over a connection, up to a mark, so many bytes, or all."""

import ssl


class ConnectionReader:
    def __init__(self, connection):
        self.connection = connection
        self.data = b""  # read, and not taken yet

    def more(self):
        """Reads on; false at the end."""
        try:
            part = self.connection.recv(65536)
        except (ConnectionResetError, ssl.SSLEOFError):
            part = b""
        self.data += part
        return bool(part)

    def until(self, mark):
        """What comes before the mark; None if that does not come."""
        while mark not in self.data:
            if not self.more():
                return None
        found, _, self.data = self.data.partition(mark)
        return found

    def exactly(self, count):
        """So many bytes; fewer at the end."""
        while len(self.data) < count and self.more():
            pass
        found, self.data = self.data[:count], self.data[count:]
        return found

    def to_end(self):
        while self.more():
            pass
        found, self.data = self.data, b""
        return found

    def chunked(self):
        """A body in chunks, without trailers."""
        parts = []
        while (size := self.until(b"\r\n")) is not None and int(size, 16):
            parts.append(self.exactly(int(size, 16)))
            self.exactly(2)
        self.exactly(2)
        return b"".join(parts)
