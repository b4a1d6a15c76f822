"""Through nginx with deploy's own file: what clients meet, what the nodes hear, and a node that dies."""

import http.client
import json
import unittest
import urllib.parse

from standing import Standing, is_ready
from world import ORGANISATION, secret

FORM = {"Content-Type": "application/x-www-form-urlencoded"}


class Proxy(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.standing = Standing()
        cls.addClassCleanup(cls.standing.close)

    def ask(self, *request, **more):
        return self.standing.proxy.ask(*request, **more)

    def token(self, **fields):
        return self.ask("POST", "/apiToken.action", urllib.parse.urlencode(fields), FORM)

    def client_credentials(self, **headers):
        fields = {"grant_type": "client_credentials", "client_id": "letter-sender", "client_secret": secret("letter-sender")}
        return self.ask("POST", "/apiToken.action", urllib.parse.urlencode(fields), {**FORM, **headers})

    def read_patient(self, access):
        return self.ask("GET", "/fhir/Patient/amina-osei", headers={"Authorization": f"Bearer {access}", "X-Org-Public-Id": ORGANISATION})

    def test_a_token_and_an_api_read_come_through_tls(self):
        status, headers, body = self.client_credentials()
        self.assertEqual((status, headers["Cache-Control"]), (200, "no-store"), body)
        self.assertRegex(headers["Strict-Transport-Security"], r"^max-age=\d+")
        status, _, body = self.read_patient(json.loads(body)["access_token"])
        self.assertEqual((status, json.loads(body)["id"]), (200, "amina-osei"))

    def test_in_the_clear_a_browser_is_sent_on_and_a_token_request_is_refused(self):
        status, headers, _ = self.standing.proxy.ask_plainly("GET", "/sign-in?x=1")
        self.assertEqual((status, headers["Location"]), (308, "https://127.0.0.1/sign-in?x=1"))
        self.assertEqual(self.standing.proxy.ask_plainly("POST", "/apiToken.action", "grant_type=x", FORM)[0], 403)

    def test_a_body_of_the_largest_size_comes_through_and_a_larger_one_does_not(self):
        config = json.loads(self.standing.cli("config", "--json"))
        limit = config["api_body_mib"]["value"] * 1024 * 1024
        # Refused for its content by the service, which is to say that it got there.
        self.assertEqual(self.send_document(limit)[0], 400)
        self.assertEqual(self.send_document(limit + 1)[0], 413)

    def send_document(self, size):
        access = json.loads(self.client_credentials()[2])["access_token"]
        headers = {"Authorization": f"Bearer {access}", "X-Org-Public-Id": ORGANISATION, "Content-Type": "application/fhir+json"}
        return self.ask("POST", "/fhir/DocumentReference", "x" * size, headers)

    def test_a_header_block_as_large_as_the_service_allows_comes_through(self):
        self.assertEqual(self.ask("GET", "/fhir/metadata", headers={"X-Long": "a" * (30 * 1024)})[0], 200)
        self.assertEqual(self.ask("GET", "/fhir/metadata", headers={"X-Long": "a" * (31 * 1024), "X-More": "a" * 2048})[0], 431)

    def test_who_a_client_says_it_is_does_not_reach_the_nodes(self):
        """Failures are counted by address: were the header believed, each of these would come from another."""
        wrong = {"grant_type": "client_credentials", "client_secret": "guess"}
        for guess in range(1000):
            # Another client each time, so that only the address can be what is throttled.
            form = urllib.parse.urlencode({**wrong, "client_id": f"nobody-{guess}"})
            claimed = {**FORM, "X-Forwarded-For": f"10.{guess // 256}.{guess % 256}.1"}
            if self.ask("POST", "/apiToken.action", form, claimed)[0] == 429:
                return
        self.fail("a thousand failures of one address, and no 429")

    def test_killing_a_node_loses_no_service_and_no_session(self):
        issued = json.loads(self.standing.cli("grant", "issue", "--client", "strict-app", "--user", "amina", "--json"))
        refresh = {"grant_type": "refresh_token", "client_id": "strict-app"}
        held = json.loads(self.token(**refresh, refresh_token=issued["refresh_token"])[2])
        address, process = self.standing.nodes[0]
        process.kill()
        process.wait()
        self.assertFalse(is_ready(f"http://{address}/readyz"))
        for _ in range(10):
            status, _, _ = self.ask("GET", "/json/users/self", headers={"Authorization": f"Bearer {held['access_token']}"})
            self.assertEqual(status, 200)
            status, _, body = self.token(**refresh, refresh_token=held["refresh_token"])
            self.assertEqual(status, 200, body)
            held = json.loads(body)


if __name__ == "__main__":
    unittest.main()
