"""Floods: many connections, each of which sends one request after another, and the System Clients in whose names they do."""

import json
import pathlib
import selectors
import socket
import time

from running import Running
from service import free_ports
from world import ORGANISATION

# Far more than anything here takes.
LONG_SECONDS = 180
FHIR = "application/fhir+json"
SECRET = "sender-secret-4TqLm9Zc7Hb2Xv5N"


class Sender:
    """A connection that sends one request after another and reads the answers, never waiting for either."""

    def __init__(self, port, requests, loop):
        self.port, self.requests, self.loop = port, requests, loop
        self.statuses = []
        self.wire = None
        self.connect()

    def connect(self):
        self.close()
        head, body = next(self.requests)
        self.left, self.body, self.heard = memoryview(head), memoryview(body), b""
        self.wire = socket.socket()
        self.wire.setblocking(False)
        self.wire.connect_ex(("127.0.0.1", self.port))
        self.loop.register(self.wire, selectors.EVENT_READ | selectors.EVENT_WRITE, self)

    def close(self):
        if self.wire is not None:
            self.loop.unregister(self.wire)
            self.wire.close()
            self.wire = None

    def push(self, ready):
        try:
            if ready & selectors.EVENT_WRITE and self.left:
                self.left = self.left[self.wire.send(self.left):]
                if not self.left:
                    self.left, self.body = self.body, b""
                if not self.left:
                    self.loop.modify(self.wire, selectors.EVENT_READ, self)
            if ready & selectors.EVENT_READ:
                piece = self.wire.recv(65536)
                self.heard += piece[: 64 - len(self.heard)] if len(self.heard) < 64 else b""
                if not piece:
                    self.end()
        except BlockingIOError:
            pass
        except OSError:
            self.end()

    def end(self):
        if self.heard.startswith(b"HTTP/1.1 "):
            self.statuses.append(int(self.heard[9:12]))
        self.connect()


class Flooded(Running):
    """A service with so many System Clients of one organisation, and connections that flood it."""

    callers = 2

    def setUp(self):
        self.metrics_port = free_ports()
        self.options = ("--metrics", f"127.0.0.1:{self.metrics_port}")
        super().setUp()
        self.tokens = self.sign_up(self.callers)
        self.loop = selectors.DefaultSelector()
        self.addCleanup(self.loop.close)
        self.senders = []
        self.addCleanup(lambda: [sender.close() for sender in self.senders])

    def sign_up(self, count):
        """The access tokens of so many System Clients of the organisation."""
        declared = [
            f'[[client]]\nclient_id = "sender-{number}"\nkind = "system"\nowner = "Senders Ltd"\nproduct = "Sender {number}"\n'
            f'secret = "{SECRET}"\n\n[[organisation_grant]]\norganisation = "{ORGANISATION}"\nclient = "sender-{number}"\n'
            for number in range(count)
        ]
        file = self.service.directory / "senders.toml"
        file.write_text("\n".join(declared))
        self.service.cli("apply", str(file))
        answers = [self.client_credentials(f"sender-{number}", SECRET) for number in range(count)]
        self.assertEqual({status for status, _, _ in answers}, {200}, answers)
        return [json.loads(body)["access_token"] for _, _, body in answers]

    def headers(self, caller=0):
        return {"Authorization": f"Bearer {self.tokens[caller]}", "X-Org-Public-Id": ORGANISATION, "Content-Type": FHIR}

    def head(self, method, path, media_type, length, caller=0):
        token = self.tokens[caller]
        return (
            f"{method} {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nAuthorization: Bearer {token}\r\n"
            f"X-Org-Public-Id: {ORGANISATION}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\n\r\n"
        ).encode()

    def mib(self, what="VmHWM"):
        status = pathlib.Path(f"/proc/{self.service.process.pid}/status").read_text()
        return int(status.split(f"{what}:")[1].split()[0]) // 1024

    def drive(self, until, what):
        deadline = time.monotonic() + LONG_SECONDS
        while not until():
            self.assertLess(time.monotonic(), deadline, what)
            for key, ready in self.loop.select(0.1):
                key.data.push(ready)

    def answered(self):
        return sum(len(sender.statuses) for sender in self.senders)

    def statuses(self):
        return {status for sender in self.senders for status in sender.statuses}
