"""The worst bodies that there are, over 256 connections: the process holds little, and others are served meanwhile."""

import base64
import itertools
import json
import pathlib
import selectors
import socket
import threading
import time
import unittest

from running import Running
from service import free_ports
from world import ORGANISATION

CONNECTIONS = 256
# As many as together may have all that there is.
CALLERS = 8
MOST_MIB = 400
LONGEST = 10 * 1024 * 1024 - 1024
# Far more than anything here takes.
LONG_SECONDS = 180
FHIR = "application/fhir+json"
SECRET = "sender-secret-4TqLm9Zc7Hb2Xv5N"


def filled(before, piece, after, length=LONGEST):
    """A text that begins and ends like this, with as many pieces between as there is room for."""
    count = (length - len(before) - len(after)) // (len(piece) + 1)
    return before + ",".join([piece] * count) + after


def observation(members):
    return '{"resourceType":"Observation","status":"final","code":{"text":"x"},' + members + "}"


def bundle(resource, count, kind="transaction"):
    entry = json.dumps({"request": {"method": "POST", "url": "Observation"}})[:-1] + ',"resource":' + resource + "}"
    return '{"resourceType":"Bundle","type":"%s","entry":[%s]}' % (kind, ",".join([entry] * count))


def codings(count):
    return observation('"category":[{"coding":[%s]}]' % ",".join(['{"code":"a"}'] * count))


def shapes():
    """Method, path, media type and body of every shape that once took many times its length."""
    create = lambda body: ("POST", "/fhir/Observation", FHIR, body)
    validate = lambda body: ("POST", "/fhir/Observation/$validate", FHIR, body)
    tiny = filled('{"resourceType":"Observation","extension":[', "1", "]}")
    yield create(tiny)
    yield validate(tiny)
    yield create(filled('{"resourceType":"Observation","extension":[', "[[]]", "]}"))
    yield create(filled('{"resourceType":"Observation","extension":[', "{}", "]}"))
    yield create(filled('{"resourceType":"Observation","extension":[', '{"a":1}', "]}", 390_000))
    yield create(filled(observation('"extension":[')[:-1], '{"url":"a","valueCode":"b"}', "]}"))
    yield create(filled(observation('"extension":[')[:-1], '{"url":"a","valueCode":"b"}', "]}", 850_000))
    yield validate(codings(48_000))
    yield ("POST", "/fhir/Observation/$validate?mode=create", FHIR, codings(48_000))
    yield create('{"a":' * 40 + filled("[", "[" * 20 + "]" * 20, "]") + "}" * 40)
    yield create("[" * LONGEST)
    yield create('{"resourceType":"Observation","x":"' + "\\u0041" * (LONGEST // 6 - 10) + '"}')
    yield create(observation('"note":[{"text":"%s"}]' % ("\\n\\\"" * (LONGEST // 4 - 100))))
    yield create("{" + ",".join(f'"m{number}":1' for number in range(850_000)) + "}")
    yield create('{"resourceType":"Observation",' + ",".join(['"a":1'] * 1_500_000) + "}")
    yield ("POST", "/fhir", FHIR, bundle(codings(140), 5000))
    yield ("POST", "/fhir", FHIR, bundle(codings(20), 5000))
    yield ("POST", "/fhir", FHIR, bundle(observation('"note":[{"text":"%s"}]' % ("x" * 1800)), 5000))
    yield ("POST", "/fhir", FHIR, bundle('{"resourceType":"Basic"}', 5000, "batch"))
    yield ("POST", "/fhir", FHIR, filled('{"resourceType":"Bundle","type":"batch","entry":[', "{}", "]}"))
    patch = [{"op": "add", "path": "/extension", "value": [{"url": "a", "valueCode": "b"}] * 60_000}]
    patch += [{"op": "copy", "from": "/extension", "path": "/modifierExtension"}] * 999
    yield ("PATCH", "/fhir/Observation/none", "application/json-patch+json", json.dumps(patch))
    yield ("PATCH", "/fhir/Observation/none", "application/merge-patch+json", tiny)
    data = base64.b64encode(b"x" * (LONGEST * 3 // 4 - 300)).decode()
    yield ("POST", "/fhir/Binary", FHIR, json.dumps({"resourceType": "Binary", "contentType": "text/plain", "data": data}))
    yield ("POST", "/fhir/Binary", "application/json", tiny)
    parameters = '{"resourceType":"Parameters","parameter":['
    asked = '{"name":"documentIdentifier","valueString":"a"}'
    yield ("POST", "/fhir/DocumentReference/$read-receipt-query", FHIR, filled(parameters, asked, "]}"))
    yield ("POST", "/fhir/Patient/$match", FHIR, filled(parameters, "[]", "]}"))


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


class WorstBodies(Running):
    def setUp(self):
        self.options = ("--metrics", f"127.0.0.1:{free_ports()}")
        super().setUp()
        self.tokens = self.sign_up(CALLERS)
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

    def test_every_worst_shape_over_256_connections_at_once_holds_little(self):
        all_shapes = [(shape[:3], shape[3].encode()) for shape in shapes()]
        for number in range(CONNECTIONS):
            start = number % len(all_shapes)
            caller = number % CALLERS
            turn = (
                (self.head(*kind, len(body), caller), body)
                for kind, body in itertools.cycle(all_shapes[start:] + all_shapes[:start])
            )
            self.senders.append(Sender(self.service.port, turn, self.loop))
        answered = lambda: sum(len(sender.statuses) for sender in self.senders)
        self.drive(lambda: answered() >= 4 * CONNECTIONS, "they were not answered")
        statuses = {status for sender in self.senders for status in sender.statuses}
        self.assertLessEqual(statuses, {200, 201, 400, 404, 412, 413, 422, 503}, "no shape is trouble")
        self.assertIn(503, statuses, "all of them had as much as they may")
        self.assertLess(self.mib(), MOST_MIB)

    def test_each_worst_shape_alone_holds_little(self):
        for method, path, media_type, body in shapes():
            whole = self.head(method, path, media_type, len(body)) + body.encode()
            with socket.create_connection(("127.0.0.1", self.service.port), timeout=LONG_SECONDS) as wire:
                try:
                    wire.sendall(whole)
                except OSError:
                    pass  # Refused before all of it was sent.
                status = wire.recv(64)[9:12].decode()
            with self.subTest(path=path, begins=body[:60], length=len(body), status=status):
                self.assertIn(status, {"200", "201", "400", "404", "413", "422"})
                self.assertLess(self.mib(), MOST_MIB)

    def test_256_unfinished_uploads_of_one_client_hold_little_and_small_bodies_go_on(self):
        unfinished = self.head("POST", "/fhir/Binary", "application/pdf", 9_900_000) + b"x" * 9_800_000
        held = []
        self.addCleanup(lambda: [wire.close() for wire in held])

        def begin():
            wire = socket.create_connection(("127.0.0.1", self.service.port), timeout=LONG_SECONDS)
            held.append(wire)
            try:
                wire.sendall(unfinished)
            except OSError:
                pass  # Refused before all of it was sent.

        # One of them is held to be unfinished until the others have been heard.
        begin()
        threads = [threading.Thread(target=begin) for _ in range(CONNECTIONS - 1)]
        [thread.start() for thread in threads]
        [thread.join() for thread in threads]
        self.assertLess(self.mib(), MOST_MIB)
        small = observation('"language":"en"')
        for caller in (0, 1):
            status, _, body = self.ask("POST", "/fhir/Observation/$validate", small, self.headers(caller))
            self.assertEqual(status, 200, body)


if __name__ == "__main__":
    unittest.main()
