"""Clients that do not read: they are cut off, hold little meanwhile, and keep nobody else out."""

import base64
import json
import pathlib
import socket
import time
import unittest
import urllib.parse

from running import Running
from browser import Browser
from service import free_ports
from world import ORGANISATION, TEAM, login

METADATA = b"GET /fhir/metadata HTTP/1.1\r\nHost: x\r\n\r\n"
# Far more than anything here takes; what is awaited either comes or never does.
LONG_SECONDS = 300
LETTER_BYTES = 9 * 1024 * 1024
MIB = 1024 * 1024


class Deaf:
    """A client that sends and never reads, with as little room for what comes as the system allows."""

    def __init__(self, port, sent, address="127.0.0.1"):
        self.wire = socket.socket()
        self.wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.wire.bind((address, 0))
        self.wire.setblocking(False)
        self.wire.connect_ex(("127.0.0.1", port))
        self.left = sent
        self.connected = True

    def push(self):
        """Sends what can be sent. Whether the other end still has the connection, as far as one hears who never reads."""
        try:
            while self.connected and self.left:
                self.left = self.left[self.wire.send(self.left):]
            # The system tells of an error once.
            self.connected &= self.wire.getsockopt(socket.SOL_SOCKET, socket.SO_ERROR) == 0
        except BlockingIOError:
            pass
        except OSError:
            self.connected = False
        return self.connected


class DeafClients(Running):
    files = None

    def setUp(self):
        self.metrics_port = free_ports()
        self.options = ("--metrics", f"127.0.0.1:{self.metrics_port}")
        self.environment = {
            "RECORDGATE_CONNECTIONS_DELIVERY_SECONDS": "2",
            "RECORDGATE_SHUTDOWN_SECONDS": "2",
            "RECORDGATE_LOG_FORMAT": "json",
        }
        super().setUp()
        self.deaf = []
        self.addCleanup(lambda: [one.wire.close() for one in self.deaf])

    def pile_up(self, count, sent):
        for _ in range(count):
            self.deaf.append(Deaf(self.service.port, sent))
            self.deaf[-1].push()

    def await_that(self, happens, what):
        """Until it happens; all deaf clients go on pushing meanwhile."""
        deadline = time.monotonic() + LONG_SECONDS
        while not happens():
            self.assertLess(time.monotonic(), deadline, what)
            for one in self.deaf:
                one.push()
            time.sleep(0.05)

    def is_served(self, address):
        try:
            wire = socket.create_connection(("127.0.0.1", self.service.port), timeout=1, source_address=(address, 0))
            with wire:
                wire.sendall(b"GET /readyz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return wire.recv(64).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def answered(self, part):
        """How many requests of a part of the service have been answered, as far as it can be told."""
        try:
            metrics = self.ask("GET", "/metrics", port=self.metrics_port)[2]
        except OSError:
            return 0
        counts = [line for line in metrics.splitlines() if f'recordgate_requests_total{{part="{part}"' in line]
        return sum(int(line.rsplit(" ", 1)[1]) for line in counts)

    def lines_saying(self, words):
        return [line for line in self.service.log.read_text().splitlines() if words in line]

    def peak_mib(self):
        status = pathlib.Path(f"/proc/{self.service.process.pid}/status").read_text()
        return int(status.split("VmHWM:")[1].split()[0]) // 1024


class FewFiles(DeafClients):
    files = 256

    def test_260_connections_that_pipeline_and_never_read_keep_nobody_out(self):
        self.pile_up(260, METADATA * 4000)
        self.await_that(lambda: self.is_served("127.0.0.2"), "somebody at another address is kept out")
        self.await_that(lambda: self.is_served("127.0.0.1"), "somebody at the same address is kept out for ever")
        self.assertEqual(self.service.cli("client", "list").count("sleep-diary") > 0, True, "the operator is kept out")
        self.assertEqual(self.ask("GET", "/metrics", port=self.metrics_port)[0], 200, "the metrics are kept out")
        self.await_that(lambda: not any([one.push() for one in self.deaf]), "a client that does not read is still connected")
        said = self.lines_saying("an address has as many connections as it may have")
        self.assertEqual(len(said), 1, "said once, not for each connection")

    def test_the_service_stops_in_order_while_nobody_reads(self):
        # As many as one address may have with so few files; of each at least the first answer is made, and stays unread.
        self.pile_up(40, METADATA * 4000)
        self.await_that(lambda: self.answered("fhir") >= 40, "they were not heard")
        self.service.process.terminate()
        self.assertEqual(self.service.process.wait(timeout=LONG_SECONDS), 0)


class LargeLetters(DeafClients):
    def test_120_connections_of_one_app_that_do_not_read_large_letters_hold_little(self):
        self.import_letter()
        token = self.token_of_amina()
        ask = f"GET /fhir/Binary/large HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        self.pile_up(60, f"{ask}\r\n".encode())
        self.pile_up(60, f"{ask}Accept: application/fhir+json\r\n\r\n".encode())
        self.await_that(lambda: self.answered("fhir") >= 120, "they were not heard")
        # Most of it is the import of the letter, which is held whole.
        self.assertLess(self.peak_mib(), 200)
        headers = {"Authorization": f"Bearer {token}"}
        self.assertEqual(self.ask("GET", "/fhir/Patient/amina-osei", headers=headers)[0], 200, "small answers pass")
        whole = lambda: self.ask("GET", "/fhir/Binary/large", headers=headers)[2]
        self.await_that(lambda: len(whole()) == LETTER_BYTES, "whoever reads gets the letter when the deaf are cut off")

    def import_letter(self):
        data = base64.b64encode(b"x" * LETTER_BYTES).decode()
        attachment = {"contentType": "text/plain", "url": "Binary/large", "title": "Large"}
        lines = [
            {"resourceType": "Binary", "id": "large", "contentType": "text/plain", "data": data},
            {"resourceType": "DocumentReference", "id": "large-letter", "status": "current",
             "subject": {"reference": "Patient/amina-osei"}, "content": [{"attachment": attachment}]},
        ]
        file = self.service.directory / "letter.ndjson"
        file.write_text("".join(json.dumps(line) + "\n" for line in lines))
        self.service.cli("import", "--organisation", ORGANISATION, "--team", TEAM, str(file))

    def token_of_amina(self):
        """What an app gets when Amina approves."""
        page = "/apiAuthorize.action?response_type=code&client_id=strict-app&scope=PATIENT&state=x"
        landed = Browser(self.service.base).approve(page, **login("amina"))
        code = urllib.parse.parse_qs(urllib.parse.urlsplit(landed).query)["code"][0]
        status, _, body = self.token(grant_type="authorization_code", client_id="strict-app", code=code)
        self.assertEqual(status, 200, body)
        return json.loads(body)["access_token"]


if __name__ == "__main__":
    unittest.main()
