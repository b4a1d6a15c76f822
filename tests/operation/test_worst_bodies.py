"""The worst bodies that there are, over 256 connections: the process holds little, and others are served meanwhile."""

import base64
import itertools
import json
import socket
import threading
import unittest

from flood import FHIR, LONG_SECONDS, Flooded, Sender

CONNECTIONS = 256
# As many as together may have all that there is.
CALLERS = 8
MOST_MIB = 400
LONGEST = 10 * 1024 * 1024 - 1024


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


class WorstBodies(Flooded):
    callers = CALLERS

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
        self.drive(lambda: self.answered() >= 4 * CONNECTIONS, "they were not answered")
        statuses = self.statuses()
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
