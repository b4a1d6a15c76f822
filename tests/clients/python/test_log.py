"""The log of a served flow: written, and free of everything that would open a record."""

import json
import unittest

from apps import VERIFIER, WithService, query_of
from world import every_secret


class Log(WithService):
    def test_the_log_is_json_that_tells_of_the_client_but_holds_no_token_code_secret_or_password(self):
        app = self.phone_app()
        landed, state = self.landing(app, code_verifier=VERIFIER)
        seen = [query_of(landed)["code"], VERIFIER]
        token = app.fetch_token(self.token, authorization_response=landed, state=state, code_verifier=VERIFIER)
        renewed = app.refresh_token(self.token)
        system = self.letter_sender("client_secret_post")
        opened = system.fetch_token(self.token, grant_type="client_credentials")
        self.fhir(app, "Patient/amina-osei")
        for held in (token, renewed, opened):
            seen += [held[name] for name in ("access_token", "refresh_token") if name in held]
        self.service.stop()
        log = self.service.log.read_text()
        told = [json.loads(line) for line in log.splitlines()]
        self.assertTrue(any(line.get("client") == "sleep-diary" for line in told), "the log tells nothing of the client")
        for text in seen + every_secret():
            self.assertNotIn(text, log)


if __name__ == "__main__":
    unittest.main()
