"""A running service for the operator's tests, and raw requests to it."""

import http.client
import pathlib
import sys
import unittest
import urllib.parse

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "world"))

from service import Service  # noqa: E402
from world import secret  # noqa: E402

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Running(unittest.TestCase):
    """One service for each test, since these tests stop it, starve it or spoil its files."""

    options = ()
    environment = None
    # How many files it may have open, if that is not for the system to say.
    files = None

    def setUp(self):
        self.service = Service(options=self.options, environment=self.environment, files=self.files)
        self.addCleanup(self.service.__exit__)
        self.service.load_world().start()

    def ask(self, method, path, body=None, headers=None, port=None):
        """Status, headers and body of one request."""
        connection = http.client.HTTPConnection("127.0.0.1", port or self.service.port, timeout=120)
        try:
            connection.request(method, path, body, headers or {})
            answer = connection.getresponse()
            return answer.status, answer.headers, answer.read().decode()
        finally:
            connection.close()

    def token(self, **fields):
        return self.ask("POST", "/apiToken.action", urllib.parse.urlencode(fields), FORM)

    def client_credentials(self, client_id="letter-sender", client_secret=None):
        return self.token(
            grant_type="client_credentials", client_id=client_id, client_secret=client_secret or secret(client_id)
        )
