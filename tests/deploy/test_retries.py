"""What nginx does when a node takes a request and falls silent: only what changes nothing goes to the other node."""

import contextlib
import pathlib
import socket
import tempfile
import threading
import unittest

from nginx import Nginx, PATIENCE


class Fallen:
    """Two nodes that take requests and close the connection without an answer."""

    def __init__(self):
        self.heard = []
        self.sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
        self.addresses = [f"127.0.0.1:{listener.getsockname()[1]}" for listener in self.sockets]
        for listener in self.sockets:
            threading.Thread(target=self._take, args=(listener,), daemon=True).start()

    def _take(self, listener):
        with contextlib.suppress(OSError):
            while True:
                wire, _ = listener.accept()
                wire.settimeout(PATIENCE)
                with wire:
                    head = wire.recv(65536).decode()
                    self.heard.append((listener, head.split(" ")[0]))

    def close(self):
        for listener in self.sockets:
            listener.close()


class Retries(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory(prefix="recordgate-nginx-")
        self.addCleanup(holder.cleanup)
        self.fallen = Fallen()
        self.addCleanup(self.fallen.close)
        self.nginx = Nginx(pathlib.Path(holder.name) / "proxy")
        self.addCleanup(self.nginx.close)
        self.nginx.start(self.fallen.addresses)

    def test_a_refresh_that_one_node_may_have_carried_out_is_not_sent_to_the_other(self):
        form = {"Content-Type": "application/x-www-form-urlencoded"}
        status, _, _ = self.nginx.ask("POST", "/apiToken.action", "grant_type=refresh_token&refresh_token=x", form)
        self.assertEqual(status, 502)
        self.assertEqual([method for _, method in self.fallen.heard], ["POST"])

    def test_a_read_is(self):
        status, _, _ = self.nginx.ask("GET", "/fhir/metadata")
        self.assertEqual(status, 502)
        self.assertEqual([method for _, method in self.fallen.heard], ["GET", "GET"])
        self.assertEqual(len({listener for listener, _ in self.fallen.heard}), 2, "each node once")


if __name__ == "__main__":
    unittest.main()
