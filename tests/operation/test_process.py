"""The process: it says when it is ready, finishes what it accepted, and guards its keys."""

import json
import socket
import stat
import time
import unittest

from running import Running
from service import free_ports
from world import secret

LATER_SECONDS = 120


class Process(Running):
    def test_it_is_healthy_and_ready_and_has_no_clock_to_move_and_no_metrics_for_all(self):
        self.assertEqual([self.ask("GET", path)[0] for path in ("/healthz", "/readyz")], [200, 200])
        self.assertEqual([self.ask("GET", path)[0] for path in ("/sandbox/clock", "/metrics")], [404, 404])

    def test_sigterm_lets_an_accepted_request_finish_and_ends_with_success(self):
        body = f"grant_type=client_credentials&client_id=letter-sender&client_secret={secret('letter-sender')}".encode()
        head = f"POST /apiToken.action HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: {len(body)}\r\n\r\n"
        with socket.create_connection(("127.0.0.1", self.service.port), timeout=LATER_SECONDS) as wire:
            wire.sendall(head.encode() + body[:-4])
            # Another request answered on another connection shows that this one has been taken in.
            self.assertEqual(self.ask("GET", "/healthz")[0], 200)
            self.service.process.terminate()
            self.await_refusal()
            wire.sendall(body[-4:])
            answer = wire.recv(65536).decode()
        self.assertTrue(answer.startswith("HTTP/1.1 200"), answer)
        self.assertEqual(self.service.process.wait(timeout=LATER_SECONDS), 0)

    def await_refusal(self):
        """Until the listener is closed to newcomers."""
        deadline = time.monotonic() + LATER_SECONDS
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", self.service.port), timeout=1).close()
            except OSError:
                return
        self.fail("the service still takes connections after SIGTERM")

    def test_what_is_applied_while_it_runs_is_in_force_at_once(self):
        more = self.service.directory / "more.toml"
        more.write_text(
            '[[client]]\nclient_id = "late-comer"\nkind = "system"\nowner = "Late Ltd"\nproduct = "Late"\n'
            'secret = "late-comer-secret-4Fv8Rk2Nw7Xq"\n'
        )
        self.assertEqual(self.client_credentials("late-comer", "late-comer-secret-4Fv8Rk2Nw7Xq")[0], 400)
        self.service.cli("apply", str(more))
        self.assertEqual(self.client_credentials("late-comer", "late-comer-secret-4Fv8Rk2Nw7Xq")[0], 200)

    def test_an_unknown_key_in_an_applied_file_is_an_error_that_names_it(self):
        wrong = self.service.directory / "wrong.toml"
        wrong.write_text('[[organisation]]\npublic_id = "6f1c2a50-0b7e-4d53-9a51-2f6f0e3c1a09"\nname = "X"\ncolour = "red"\n')
        with self.assertRaisesRegex(AssertionError, "colour"):
            self.service.cli("apply", str(wrong))

    def test_the_key_file_is_private_and_the_service_refuses_to_start_when_it_is_not(self):
        keys = self.service.directory / "data" / "keys"
        self.assertEqual(stat.S_IMODE(keys.stat().st_mode), 0o600)
        self.service.stop()
        keys.chmod(0o644)
        with self.assertRaisesRegex(AssertionError, "keys"):
            self.service.start()

    def test_tokens_outlive_a_restart(self):
        token = json.loads(self.client_credentials()[2])["access_token"]
        self.service.stop()
        self.service.start()
        status, _, _ = self.ask("GET", "/fhir/Patient/amina-osei", headers={"Authorization": f"Bearer {token}"})
        self.assertEqual(status, 400, "the token is good: only the organisation is missing")


class Metrics(Running):
    def setUp(self):
        self.metrics_port = free_ports()
        self.options = ("--metrics", f"127.0.0.1:{self.metrics_port}")
        super().setUp()

    def test_metrics_have_a_listener_of_their_own_and_tell_no_secret(self):
        token = json.loads(self.client_credentials()[2])["access_token"]
        status, headers, text = self.ask("GET", "/metrics", port=self.metrics_port)
        self.assertEqual(status, 200)
        self.assertRegex(text, r"(?m)^# TYPE \w+ (counter|histogram|gauge)")
        self.assertNotIn(token, text)
        self.assertEqual(self.ask("GET", "/metrics")[0], 404)


if __name__ == "__main__":
    unittest.main()
