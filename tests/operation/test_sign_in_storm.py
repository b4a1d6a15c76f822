"""A storm of sign-ins from one address: whoever comes from another gets in meanwhile."""

import contextlib
import http.client
import threading
import unittest
import urllib.parse

from running import FORM, Running
from forms import read_page
from world import login

STORM = 160
HONEST = 8


class SignInStorm(Running):
    # Nothing but the queue holds the storm up.
    environment = {"RECORDGATE_THROTTLE_FAILURES_PER_ADDRESS": "1000000", "RECORDGATE_CONNECTIONS_PER_ADDRESS": "1000"}

    def setUp(self):
        super().setUp()
        forms, _ = read_page(self.ask("GET", "/sign-in")[2])
        self.fields = next(form for form in forms if "password" in form.names).values
        self.over = threading.Event()
        self.turned_away = threading.Event()

    def sign_in(self, wire, username, password):
        body = urllib.parse.urlencode({**self.fields, "username": username, "password": password})
        wire.request("POST", "/sign-in", body, FORM)
        answer = wire.getresponse()
        answer.read()
        return answer.status

    def wire(self, address):
        return http.client.HTTPConnection("127.0.0.1", self.service.port, timeout=60, source_address=(address, 0))

    def storm(self, number):
        wire = self.wire("127.0.0.1")
        for attempt in range(1000):
            if self.over.is_set():
                break
            if self.sign_in(wire, f"invented-{number}-{attempt}", "guess") != 401:
                self.turned_away.set()
                # Who is turned away comes back when asked to; that is storm enough.
                self.over.wait(0.1)
        wire.close()

    def test_160_connections_with_invented_names_keep_nobody_at_another_address_from_signing_in(self):
        storm = [threading.Thread(target=self.storm, args=(number,)) for number in range(STORM)]
        for thread in storm:
            thread.start()
        try:
            self.assertTrue(self.turned_away.wait(60), "nobody is turned away: that is no storm")
            with contextlib.closing(self.wire("127.0.0.2")) as wire:
                entered = [self.sign_in(wire, **login("amina")) for _ in range(HONEST)]
        finally:
            self.over.set()
            for thread in storm:
                thread.join()
        self.assertEqual(entered, [303] * HONEST)


if __name__ == "__main__":
    unittest.main()
